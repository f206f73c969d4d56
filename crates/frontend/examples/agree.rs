//! Do the levels of simplification agree? Loads a program at `--opt` 0, 1 and 2, executes each with
//! the same inputs, and compares how the executions end:
//! `agree [--m32] [--checks a,b] [--runs N] FILE...`

use std::process::ExitCode;

use base::Bv;
use frontend::{DataModel, OptLevel, Options};
use interp::choices::{Choices, Fill, ObjectChoice, Refusal};
use interp::{Bindings, Config, Outcome};
use ir::syntax::{Const, Module, NondetKind, Op, Operand, Type};

fn main() -> ExitCode {
    let mut options = Options::new(Vec::<String>::new());
    let mut runs = 20;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().expect("an option has a value");
        match arg.as_str() {
            "--m32" => options.data_model = DataModel::Ilp32,
            "--checks" => {
                options.checks = value()
                    .split(',')
                    .flat_map(|name| checks::registry::expand(name).expect("a check"))
                    .collect();
            }
            "--runs" => runs = value().parse().expect("a number"),
            flag if flag.starts_with('-') => options.cflags.push(flag.to_owned()),
            file => options.files.push(file.into()),
        }
    }
    let mut modules = Vec::new();
    for number in 0..=2 {
        options.opt = OptLevel::from_number(number).expect("a level");
        let mut module = match frontend::load(&options) {
            Ok(module) => module,
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::from(error.exit_code());
            }
        };
        let config = passes::pass::Config {
            checks: options.checks.clone(),
            extern_mode: passes::pass::ExternMode::Pure,
            ..passes::pass::Config::default()
        };
        passes::pass::run(
            passes::pipeline::LOWER,
            &mut module,
            &config,
            &mut |_, _| {},
        )
        .expect("the module can be lowered");
        settle(&mut module);
        modules.push(module);
    }
    let mut ends: std::collections::BTreeMap<String, u32> = Default::default();
    for seed in 0..runs {
        let met: Vec<String> = modules.iter().map(|module| end(module, seed)).collect();
        if met.iter().any(|end| end == "limit") {
            *ends.entry("limit".to_owned()).or_default() += 1;
            continue;
        }
        if met[0] != met[1] || met[0] != met[2] {
            println!("seed {seed}: {met:?}");
            return ExitCode::from(10);
        }
        *ends.entry(met[0].clone()).or_default() += 1;
    }
    println!("{ends:?}");
    ExitCode::SUCCESS
}

/// What is not an input is zero, so that the levels ask the same questions.
fn settle(module: &mut Module) {
    for func in module.funcs.values_mut() {
        let Some(body) = &mut func.body else { continue };
        for inst in body.insts.values_mut() {
            let Op::Nondet(ty, NondetKind::Uninit | NondetKind::Undef) = inst.op else {
                continue;
            };
            let zero = match ty {
                Type::Int(bits) => Const::Int(Bv::zero(bits)),
                Type::Float(float) => Const::Float(float, Bv::zero(float.bits())),
                Type::Ptr | Type::Mem(_) => Const::Null,
            };
            inst.op = Op::Copy(Operand::Const(zero));
        }
    }
}

fn end(module: &Module, seed: u64) -> String {
    let mut choices = Inputs {
        state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
        seed,
    };
    let config = Config {
        step_limit: 300_000,
        depth_limit: 2000,
        ..Config::default()
    };
    let run = interp::run(module, &config, Bindings::new(&mut choices));
    match run.outcome {
        Outcome::Violated(failure) => {
            let data = &module.obligations[failure.obligation];
            format!("{}.{}.{}", data.func, data.check, data.ordinal)
        }
        Outcome::StepLimit | Outcome::DepthLimit | Outcome::MemoryLimit(_) => "limit".to_owned(),
        Outcome::Returned(_) => "returned".to_owned(),
        other => other.to_string(),
    }
}

/// Inputs that are often small; objects are zero.
struct Inputs {
    state: u64,
    seed: u64,
}

impl Inputs {
    fn next(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state
    }
}

impl Choices for Inputs {
    fn value(&mut self, width: u32) -> Result<Bv, Refusal> {
        if self.seed == 0 {
            return Ok(Bv::zero(width));
        }
        let word = self.next();
        let number = match word % 8 {
            0 => 0,
            1 => 1,
            2 => -1,
            3..=5 => (word >> 8) as i64 % 16,
            6 => (word >> 8) as i64 % 1000 - 500,
            _ => word as i64,
        };
        Ok(Bv::from_i64(number, width))
    }

    fn object(&mut self, _size: u64) -> Result<ObjectChoice, Refusal> {
        Ok(ObjectChoice::default())
    }

    fn bytes(&mut self, _len: u64) -> Result<Fill, Refusal> {
        Ok(Fill::Zero)
    }

    fn clobber(&mut self, _reach: &[(u64, u64)]) -> Result<Vec<(u64, u8)>, Refusal> {
        Ok(Vec::new())
    }
}
