//! Programs that use the models as a user's program does: loaded by the front end, executed by the
//! interpreter.
//!
//! The files of `lib/tests/programs/` hold blocks of statements, each after a line that says what
//! it is about: `/// holds: strlen` or `/// violates deref: strlen`. A file becomes one program that
//! begins with the choice of a block; the interpreter then makes that choice, and random ones after it.

use std::collections::BTreeSet;

use base::Bv;
use frontend::{DataModel, OptLevel, Options};
use interp::choices::{Choices, Fill, ObjectChoice, Refusal, Seed};
use interp::{Bindings, Config, Outcome};

/// Runs of a block that must hold.
const HOLDING_RUNS: u64 = 60;
/// Runs in which a block may show its violation.
const VIOLATING_RUNS: u64 = 2000;

/// What is claimed of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Claim {
    Holds,
    Violates(String),
}

/// A block of statements.
struct Block {
    line: usize,
    claim: Claim,
    models: Vec<String>,
}

/// A file's blocks, and the program that they make.
fn parse(text: &str) -> (Vec<Block>, String) {
    let mut blocks = Vec::new();
    let mut program = String::new();
    for (number, line) in text.lines().enumerate() {
        if let Some(head) = line.strip_prefix("/// ") {
            let (claim, models) = head.split_once(": ").expect("a head is `claim: models`");
            let claim = match claim.split_once(' ') {
                None if claim == "holds" => Claim::Holds,
                Some(("violates", check)) => Claim::Violates(check.to_owned()),
                _ => panic!("line {}: {claim} is no claim", number + 1),
            };
            program.push_str(&format!("static void block_{}(void)", blocks.len()));
            let models = models.split(' ').map(str::to_owned).collect();
            blocks.push(Block {
                line: number + 1,
                claim,
                models,
            });
        } else {
            program.push_str(line);
        }
        program.push('\n');
    }
    program.push_str("int main(void) {\n    switch (sk_nondet_int()) {\n");
    for index in 0..blocks.len() {
        program.push_str(&format!("    case {index}: block_{index}(); break;\n"));
    }
    program.push_str("    }\n    return 0;\n}\n");
    (blocks, program)
}

/// The block first, then random choices. Numbers are often small: models assume ranges.
struct Chosen {
    block: Option<u64>,
    seed: Seed,
    count: u64,
}

impl Choices for Chosen {
    fn value(&mut self, width: u32) -> Result<Bv, Refusal> {
        if let Some(block) = self.block.take() {
            return Ok(Bv::from_u64(block, width));
        }
        self.count += 1;
        let value = self.seed.value(width)?;
        let small = self.seed.value(8)?.to_u64().expect("a byte fits");
        Ok(match small % 4 {
            0 => value,
            1 => Bv::from_u64(small >> 2, width),
            _ => Bv::from_u64(small >> 5, width),
        })
    }

    fn object(&mut self, size: u64) -> Result<ObjectChoice, Refusal> {
        self.seed.object(size)
    }

    fn bytes(&mut self, len: u64) -> Result<Fill, Refusal> {
        self.seed.bytes(len)
    }

    fn clobber(&mut self, reach: &[(u64, u64)]) -> Result<Vec<(u64, u8)>, Refusal> {
        self.seed.clobber(reach)
    }
}

fn run(module: &ir::syntax::Module, block: usize, seed: u64) -> Outcome {
    let mut choices = Chosen {
        block: Some(block as u64),
        seed: Seed::new(seed),
        count: 0,
    };
    let config = Config {
        step_limit: 2_000_000,
        ..Config::default()
    };
    interp::run(module, &config, Bindings::new(&mut choices)).outcome
}

/// The check that a run violates.
fn violated(module: &ir::syntax::Module, outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Violated(failure) => Some(module.obligations[failure.obligation].check.clone()),
        _ => None,
    }
}

#[track_caller]
fn check(name: &str, data_model: DataModel, opt: OptLevel) {
    let path = libtest::lib_dir().join("tests/programs").join(name);
    let text = std::fs::read_to_string(&path).expect("the programs are part of the source tree");
    let (blocks, program) = parse(&text);
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let file = folder.path().join(name);
    std::fs::write(&file, program).expect("the temporary folder is writable");
    let mut options = Options::new([file]);
    options.data_model = data_model;
    options.opt = opt;
    for more in [
        "deref", "free", "leak", "overlap", "assert", "overflow", "div",
    ] {
        options.checks.insert(more.to_owned());
    }
    let mut module = frontend::load(&options).unwrap_or_else(|error| panic!("{name}: {error}"));
    // The obligations of `free` are made on the way to Lowered.
    let config = passes::pass::Config {
        checks: options.checks.clone(),
        extern_mode: passes::pass::ExternMode::Error,
        ..passes::pass::Config::default()
    };
    passes::pass::run(
        passes::pipeline::LOWER,
        &mut module,
        &config,
        &mut |_, _| {},
    )
    .unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut wrong = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        let about = format!("{name}:{}: {}", block.line, block.models.join(" "));
        match &block.claim {
            Claim::Holds => {
                let mut ended = 0;
                for seed in 0..HOLDING_RUNS {
                    let outcome = run(&module, index, seed);
                    match outcome {
                        Outcome::Returned(_) | Outcome::Exited(_) => ended += 1,
                        Outcome::AssumeFailed => {}
                        _ => {
                            let check = violated(&module, &outcome).unwrap_or_default();
                            wrong.push(format!("{about}: {outcome} {check} (seed {seed})"));
                            break;
                        }
                    }
                }
                if ended == 0 {
                    wrong.push(format!("{about}: no run ends"));
                }
            }
            Claim::Violates(check) => {
                let others: BTreeSet<String> = (0..VIOLATING_RUNS)
                    .map(|seed| run(&module, index, seed))
                    .map(|outcome| match violated(&module, &outcome) {
                        Some(check) => check,
                        None => format!("({outcome})"),
                    })
                    .take_while(|found| found != check)
                    .collect();
                // The last run that was taken is the one before the violation.
                let reached = (0..VIOLATING_RUNS).find(|&seed| {
                    violated(&module, &run(&module, index, seed)).as_ref() == Some(check)
                });
                if reached.is_none() {
                    wrong.push(format!("{about}: does not violate {check}, but {others:?}"));
                } else if let Some(other) = others.iter().find(|text| !text.starts_with('(')) {
                    wrong.push(format!("{about}: violates {other} before {check}"));
                }
            }
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
    let outcome = run(&module, 0, 0);
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
