//! Rounds that are skipped: the same end as when all of them are executed.

mod common;

use common::{raw, run_with};
use golden::rng::Rng;
use interp::choices::Zeros;
use interp::observe::Observer;
use interp::{Bindings, Config, Outcome, Run};
use ir::syntax::Module;

/// Watches, so that nothing is skipped.
struct Watcher;

impl Observer for Watcher {}

fn limited(step_limit: u64) -> Config {
    Config {
        step_limit,
        ..Config::default()
    }
}

fn executed(module: &Module, steps: u64) -> Run {
    let mut watcher = Watcher;
    let mut choices = Zeros;
    let bindings = Bindings {
        observer: Some(&mut watcher),
        ..Bindings::new(&mut choices)
    };
    interp::run(module, &limited(steps), bindings)
}

fn check_far(results: &str, blocks: &str, expected: &str) {
    let module = raw(results, blocks);
    let run = run_with(&module, &limited(1 << 20), &mut Zeros);
    assert_eq!(common::show(&module, &run), expected, "\n{blocks}");
}

#[test]
fn a_counter_need_not_count() {
    check_far(
        " -> i64, i32",
        "b0:
    jump b1(0:i64, 7:i32)
b1(v0: i64, v1: i32):
    v2 = ult.i64 v0, 1000000000000
    branch v2, b2, b3
b2:
    v3 = add.i64 v0, 1
    v4 = sub.i32 v1, 3
    jump b1(v3, v4)
b3:
    return v0, v1",
        // 7 - 3 * 10^12, modulo 2^32.
        "returned 1000000000000, -2112827385",
    );
}

#[test]
fn a_loop_may_have_phases_and_wrap() {
    check_far(
        " -> i32",
        "b0:
    jump b1(0:i32)
b1(v0: i32):
    v1 = ult.i32 v0, 268435455
    branch v1, b2, b5
b2:
    v2 = ult.i32 v0, 65521
    branch v2, b3, b4
b3:
    v3 = add.i32 v0, 1
    jump b1(v3)
b4:
    v4 = add.i32 v0, 2
    jump b1(v4)
b5:
    return v0",
        "returned 268435455",
    );
    check_far(
        " -> i32",
        "b0:
    jump b1(10:i32)
b1(v0: i32):
    v1 = ule.i32 10, v0
    branch v1, b2, b3
b2:
    v2 = add.i32 v0, 2
    jump b1(v2)
b3:
    return v0",
        "returned 0",
    );
}

#[test]
fn a_loop_without_an_end_still_ends_at_its_limit() {
    check_far(
        "",
        "b0:
    jump b1(0:i32)
b1(v0: i32):
    v1 = add.i32 v0, 1
    jump b1(v1)",
        "the step limit was reached",
    );
}

/// A loop over three numbers that does some arithmetic, and whose end, and what it adds, depend on comparisons.
struct Writer<'r> {
    rng: &'r mut Rng,
    width: u32,
    lines: String,
    /// Values of the loop's width.
    values: Vec<String>,
    next: u32,
}

impl Writer<'_> {
    fn one_of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.rng.below(list.len() as u64) as usize]
    }

    fn constant(&mut self) -> String {
        let half = 1 << (self.width - 1);
        let number = match self.rng.below(4) {
            0 => self.rng.below(4),
            1 => half - 1 + self.rng.below(3),
            2 => self.rng.below(1 << self.width.min(20)),
            _ => u64::MAX - self.rng.below(4),
        };
        (number & (u64::MAX >> (64 - self.width))).to_string()
    }

    fn operand(&mut self) -> String {
        match self.rng.below(3) {
            0 => self.constant(),
            _ => self.value(),
        }
    }

    fn value(&mut self) -> String {
        let index = self.rng.below(self.values.len() as u64);
        self.values[index as usize].clone()
    }

    /// Adds an instruction; the name of its result.
    fn add(&mut self, text: &str) -> String {
        let name = format!("v{}", self.next);
        self.next += 1;
        self.lines.push_str(&format!("    {name} = {text}\n"));
        name
    }

    fn condition(&mut self) -> String {
        let (a, b, width) = (self.value(), self.operand(), self.width);
        let op = self.one_of(&[
            "ult",
            "ule",
            "slt",
            "sle",
            "eq",
            "ne",
            "sadd_overflow",
            "usub_overflow",
            "smul_overflow",
        ]);
        self.add(&format!("{op}.i{width} {a}, {b}"))
    }

    fn line(&mut self) {
        let (a, b, width) = (self.value(), self.operand(), self.width);
        let value = match self.rng.below(10) {
            0 => {
                let cond = self.condition();
                self.add(&format!("select.i{width} {cond}, {a}, {b}"))
            }
            1 => {
                let narrow = self.add(&format!("trunc.i{width}.i7 {a}"));
                let wider = self.one_of(&["sext", "zext"]);
                self.add(&format!("{wider}.i7.i{width} {narrow}"))
            }
            _ => {
                let op = self.one_of(&["add", "add", "sub", "mul", "and", "urem"]);
                self.add(&format!("{op}.i{width} {a}, {b}"))
            }
        };
        self.values.push(value);
    }
}

fn random_loop(rng: &mut Rng) -> Module {
    let width = [8, 16, 24, 32, 64][rng.below(5) as usize];
    let mut writer = Writer {
        rng,
        width,
        lines: String::new(),
        values: ["v0", "v1", "v2"].map(str::to_owned).to_vec(),
        next: 3,
    };
    for _ in 0..writer.rng.below(4) {
        writer.line();
    }
    let (step, cond) = (1 + writer.rng.below(3), writer.condition());
    let grown = writer.add(&format!("add.i{width} v0, {step}"));
    let (first, second) = (writer.constant(), writer.constant());
    let (y, z) = (writer.value(), writer.value());
    let lines = &writer.lines;
    let blocks = format!(
        "b0:
    jump b1({first}:i{width}, {second}:i{width}, 0:i{width})
b1(v0: i{width}, v1: i{width}, v2: i{width}):
{lines}    branch {cond}, b2, b3
b2:
    jump b1({grown}, {y}, {z})
b3:
    return v0, v1, v2"
    );
    raw(&format!(" -> i{width}, i{width}, i{width}"), &blocks)
}

#[test]
fn random_loops_end_alike() {
    let (mut ended, mut further) = (0, 0);
    for seed in 0..4000 {
        let module = random_loop(&mut Rng::new(seed));
        let steps = 1 << 18;
        let skipped = run_with(&module, &limited(steps), &mut Zeros);
        let all = executed(&module, steps);
        let shown = common::show(&module, &all);
        if all.outcome == Outcome::StepLimit {
            further += u32::from(skipped.steps > steps);
            continue;
        }
        assert_eq!(common::show(&module, &skipped), shown, "seed {seed}");
        assert_eq!(skipped.steps, all.steps, "seed {seed}");
        ended += u32::from(all.steps > 1 << 15);
    }
    // There were loops that are long enough, and loops that get further.
    assert!(ended > 20, "{ended} loops ended late");
    assert!(further > 20, "{further} loops came further");
}
