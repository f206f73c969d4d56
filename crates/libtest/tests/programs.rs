//! Programs that use the models as a user's program does: loaded by the front end, executed by the
//! interpreter.
//!
//! The files of `lib/tests/programs/` hold blocks of statements, each after a line that says what
//! it is about: `/// holds: strlen` or `/// violates deref: strlen`. A file becomes one program that
//! begins with the choice of a block; the interpreter then makes that choice, and random ones after it.

#[path = "programs/blocks.rs"]
mod blocks;
#[path = "programs/coverage.rs"]
mod coverage;

use checks::registry::CheckId;
use std::collections::BTreeSet;

use base::Bv;
use blocks::{Block, Claim};
use frontend::{DataModel, OptLevel, Options};
use interp::choices::{Choices, Fill, ObjectChoice, Refusal, Seed};
use interp::{Bindings, Config, Outcome};
use ir::syntax::{Module, ObligationData};

/// Runs of a block that must hold, or more until a few came to their end.
const HOLDING_RUNS: u64 = 60;
/// Runs in which a block may show its violation.
const VIOLATING_RUNS: u64 = 2000;
/// Runs of a block that chooses nothing, where objects lie still differs, and runs that come to their end.
const FEW_RUNS: u64 = 5;

/// The checks that are on, beside those that are by default.
const CHECKS: [CheckId; 9] = [
    CheckId::Deref,
    CheckId::Free,
    CheckId::Leak,
    CheckId::Overlap,
    CheckId::Assert,
    CheckId::Overflow,
    CheckId::Div,
    CheckId::FloatCast,
    CheckId::CallTarget,
];

/// The block first, then random choices. Numbers are often small: models assume ranges.
struct Chosen {
    block: Option<u64>,
    seed: Seed,
    /// Most answers are yes (1), or no (2); or many numbers are floating-point numbers (3).
    mood: u64,
    /// What has been chosen.
    count: u64,
}

/// Characters that texts are made of.
const LETTERS: &[u8; 32] = b"abcxyzABZ 0123789-+.,:;/%=#\n\t\r\"\0";

/// The bits of a floating-point number between -4 and 4.
fn moderate(number: u64, width: u32) -> Bv {
    let value = (number as f64 - 16.0) / 4.0;
    match width {
        32 => Bv::from_u64(u64::from((value as f32).to_bits()), width),
        64 => Bv::from_u64(value.to_bits(), width),
        _ => {
            let bits = value.to_bits();
            let exponent = match bits >> 52 & 0x7ff {
                0 => return Bv::zero(width),
                exponent => exponent + 16383 - 1023,
            };
            let significand = u128::from(1 << 63 | bits << 11);
            let high = u128::from(bits >> 63 << 15 | exponent);
            Bv::from_u128(high << 64 | significand, width)
        }
    }
}

impl Choices for Chosen {
    fn value(&mut self, width: u32) -> Result<Bv, Refusal> {
        if let Some(block) = self.block.take() {
            return Ok(Bv::from_u64(block, width));
        }
        self.count += 1;
        let value = self.seed.value(width)?;
        let small = self.seed.value(8)?.to_u64().expect("a byte fits");
        Ok(match (small % 8, width) {
            (1.., 1) if self.mood == 1 => Bv::one(1),
            (1.., 1) if self.mood == 2 => Bv::zero(1),
            (0 | 1, _) => value,
            (3, 8) => Bv::from_u64(u64::from(LETTERS[small as usize >> 3]), 8),
            (2..=5, 32 | 64) if self.mood == 3 => moderate(small >> 3, width),
            (2 | 3, _) => Bv::from_u64(small >> 3, width),
            (4, 32 | 64) | (4.., 80) => moderate(small >> 3, width),
            _ => Bv::from_u64(small >> 5, width),
        })
    }

    fn object(&mut self, size: u64) -> Result<ObjectChoice, Refusal> {
        self.seed.object(size)
    }

    fn bytes(&mut self, len: u64) -> Result<Fill, Refusal> {
        self.count += 1;
        if self.mood != 3 || len > 64 {
            return self.seed.bytes(len);
        }
        let mut text = Vec::new();
        for offset in 0..len {
            let letter = self.seed.value(5)?.low_u64() as usize;
            text.push((offset, LETTERS[letter]));
        }
        Ok(Fill::listed(&text))
    }

    fn clobber(&mut self, reach: &[(u64, u64)]) -> Result<Vec<(u64, u8)>, Refusal> {
        self.seed.clobber(reach)
    }
}

/// How a run of a block ends, and how many values it chose.
fn run(module: &Module, block: usize, seed: u64) -> (Outcome, u64) {
    let mut choices = Chosen {
        block: Some(block as u64),
        seed: Seed::new(seed),
        mood: seed % 4,
        count: 0,
    };
    let config = Config {
        volatile: interp::config::Volatile::Memory,
        step_limit: 2_000_000,
        ..Config::default()
    };
    let outcome = interp::run(module, &config, Bindings::new(&mut choices)).outcome;
    (outcome, choices.count)
}

/// The obligation that a run violates.
fn violated<'m>(module: &'m Module, outcome: &Outcome) -> Option<&'m ObligationData> {
    match outcome {
        Outcome::Violated(failure) => Some(&module.obligations[failure.obligation]),
        _ => None,
    }
}

/// A file of `lib/tests/programs/`.
fn source(name: &str) -> String {
    let path = libtest::lib_dir().join("tests/programs").join(name);
    std::fs::read_to_string(&path).expect("the programs are part of the source tree")
}

/// Loads a program with the checks on.
fn load(name: &str, text: &str, data_model: DataModel, opt: OptLevel) -> Module {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let file = folder.path().join(name);
    std::fs::write(&file, text).expect("the temporary folder is writable");
    let mut options = Options::new([file]);
    options.data_model = data_model;
    options.opt = opt;
    options.checks.extend(CHECKS);
    // The headers' own definitions are not what is tested.
    options.defines.push("__NO_INLINE__".to_owned());
    frontend::load(&options).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A file's blocks, and the program that they make, ready to run.
fn prepare(name: &str, data_model: DataModel, opt: OptLevel) -> (Vec<Block>, Module) {
    let (blocks, program) = blocks::parse(&source(name));
    let mut module = load(name, &program, data_model, opt);
    // The obligations of `free` are made on the way to Lowered.
    let mut config = passes::pass::Config {
        extern_mode: passes::pass::ExternMode::Error,
        ..passes::pass::Config::default()
    };
    config.checks.extend(CHECKS);
    passes::pass::run(
        passes::pipeline::LOWER,
        &mut module,
        &config,
        &mut |_, _| {},
    )
    .unwrap_or_else(|error| panic!("{name}: {error}"));
    (blocks, module)
}

/// Runs a block that should hold.
fn check_holds(module: &Module, index: usize) -> Result<(), String> {
    let mut ended = 0;
    for seed in 0..VIOLATING_RUNS {
        if seed >= HOLDING_RUNS && ended >= FEW_RUNS {
            break;
        }
        let (outcome, choices) = run(module, index, seed);
        match outcome {
            Outcome::Returned(_) | Outcome::Exited(_) => ended += 1,
            Outcome::AssumeFailed => {}
            _ => {
                let check = violated(module, &outcome).map_or("", |found| found.check.name());
                return Err(format!("{outcome} {check} (seed {seed})"));
            }
        }
        if choices == 0 && seed == FEW_RUNS {
            break;
        }
    }
    if ended == 0 {
        return Err("no run ends".to_owned());
    }
    Ok(())
}

/// Runs a block that should violate a check; yields what it violates.
fn check_violates<'m>(
    module: &'m Module,
    index: usize,
    check: &str,
) -> Result<&'m ObligationData, String> {
    let mut others = BTreeSet::new();
    for seed in 0..VIOLATING_RUNS {
        let (outcome, choices) = run(module, index, seed);
        match violated(module, &outcome) {
            Some(found) if found.check.name() == check => return Ok(found),
            Some(found) => return Err(format!("violates {} before {check}", found.check)),
            None => {
                others.insert(outcome.to_string());
            }
        }
        if choices == 0 && seed == FEW_RUNS {
            break;
        }
    }
    Err(format!("does not violate {check}, but {others:?}"))
}

#[track_caller]
fn check(name: &str, data_model: DataModel, opt: OptLevel) {
    let (blocks, module) = prepare(name, data_model, opt);
    let mut wrong = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        let result = match &block.claim {
            Claim::Holds => check_holds(&module, index),
            Claim::Violates(check) => check_violates(&module, index, check).map(|_| ()),
        };
        if let Err(message) = result {
            let names = block.models.join(" ");
            wrong.push(format!("{name}:{}: {names}: {message}", block.line));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The functions of a program that have no body in the end.
fn without_body(text: &str) -> Vec<String> {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let file = folder.path().join("program.c");
    std::fs::write(&file, text).expect("the temporary folder is writable");
    let module = frontend::load(&Options::new([file])).unwrap_or_else(|error| panic!("{error}"));
    let open = module.funcs.iter().filter(|(_, func)| func.body.is_none());
    open.map(|(_, func)| func.name.clone()).collect()
}

#[test]
fn a_function_of_other_types_is_not_the_library_s() {
    let other = "extern void read(int); int main(void) { read(3); return 0; }";
    assert_eq!(without_body(other), ["read"]);
    // The file that has it is linked for another function.
    let both =
        "extern void read(int); int close(int); int main(void) { read(3); close(0); return 0; }";
    assert_eq!(without_body(both), ["read"]);
    let same = "long read(int, void *, unsigned long); char b[4]; int main(void) { read(0, b, 4); return 0; }";
    assert_eq!(without_body(same), [""; 0]);
    let ignored = "void puts(const char *); int main(void) { puts(\"abc\"); return 0; }";
    assert_eq!(without_body(ignored), [""; 0]);
    let without_prototype = "int puts(); int main(void) { puts(\"abc\"); return 0; }";
    assert_eq!(without_body(without_prototype), [""; 0]);
}

#[test]
fn a_definition_of_the_program_wins() {
    let own = "
        #include <selkie.h>
        unsigned long strlen(const char *s) { return 7; }
        unsigned long strnlen(const char *, unsigned long);
        int main(void) { sk_assert(strlen(\"a\") == 7 && strnlen(\"a\", 9) == 1); return 0; }";
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let file = folder.path().join("program.c");
    std::fs::write(&file, own).expect("the temporary folder is writable");
    let module = frontend::load(&Options::new([file])).unwrap_or_else(|error| panic!("{error}"));
    let (outcome, _) = run(&module, 0, 0);
    assert!(matches!(outcome, Outcome::Returned(_)), "{outcome}");
}

#[test]
fn string_64() {
    check("string.c", DataModel::Lp64, OptLevel::Full);
}

#[test]
fn string_32() {
    check("string.c", DataModel::Ilp32, OptLevel::Full);
}

#[test]
fn string_64_unoptimised() {
    check("string.c", DataModel::Lp64, OptLevel::None);
}

#[test]
fn stdlib_64() {
    check("stdlib.c", DataModel::Lp64, OptLevel::Full);
}

#[test]
fn stdlib_32() {
    check("stdlib.c", DataModel::Ilp32, OptLevel::Full);
}

#[test]
fn stdlib_64_unoptimised() {
    check("stdlib.c", DataModel::Lp64, OptLevel::None);
}

#[test]
fn wide_64() {
    check("wide.c", DataModel::Lp64, OptLevel::Full);
}

#[test]
fn wide_32() {
    check("wide.c", DataModel::Ilp32, OptLevel::Full);
}

#[test]
fn wide_64_unoptimised() {
    check("wide.c", DataModel::Lp64, OptLevel::None);
}

#[test]
fn math_64() {
    check("math.c", DataModel::Lp64, OptLevel::Full);
}

#[test]
fn math_32() {
    check("math.c", DataModel::Ilp32, OptLevel::Full);
}

#[test]
fn math_64_unoptimised() {
    check("math.c", DataModel::Lp64, OptLevel::None);
}

#[test]
fn stdio_64() {
    check("stdio.c", DataModel::Lp64, OptLevel::Full);
}

#[test]
fn stdio_32() {
    check("stdio.c", DataModel::Ilp32, OptLevel::Full);
}

#[test]
fn stdio_64_unoptimised() {
    check("stdio.c", DataModel::Lp64, OptLevel::None);
}

#[test]
fn system_64() {
    check("system.c", DataModel::Lp64, OptLevel::Full);
}

#[test]
fn system_32() {
    check("system.c", DataModel::Ilp32, OptLevel::Full);
}

#[test]
fn system_64_unoptimised() {
    check("system.c", DataModel::Lp64, OptLevel::None);
}

#[test]
fn options_64() {
    check("options.c", DataModel::Lp64, OptLevel::Full);
}

#[test]
fn options_32() {
    check("options.c", DataModel::Ilp32, OptLevel::Full);
}

#[test]
fn options_64_unoptimised() {
    check("options.c", DataModel::Lp64, OptLevel::None);
}

#[test]
fn format_64() {
    check("format.c", DataModel::Lp64, OptLevel::Full);
}

#[test]
fn format_32() {
    check("format.c", DataModel::Ilp32, OptLevel::Full);
}

#[test]
fn format_64_unoptimised() {
    check("format.c", DataModel::Lp64, OptLevel::None);
}

#[test]
fn posix_64() {
    check("posix.c", DataModel::Lp64, OptLevel::Full);
}

#[test]
fn posix_32() {
    check("posix.c", DataModel::Ilp32, OptLevel::Full);
}

#[test]
fn posix_64_unoptimised() {
    check("posix.c", DataModel::Lp64, OptLevel::None);
}
