//! Symbolic evaluation of small Pure programs: what folds, what is asked.

use encode::eval::{Config, NoOracle, evaluate};
use terms::Terms;

/// Evaluates a program and describes what is left to ask: one line for each check that did not
/// fold, assumption and cut.
fn check(text: &str, expected: &str) {
    let module = ir::text::read(text).unwrap_or_else(|error| panic!("{error}"));
    if let Err(complaints) = ir::wellformed::check(&module) {
        panic!("{complaints:?}");
    }
    let mut terms = Terms::new();
    let config = Config {
        unwind: 3,
        ..Config::default()
    };
    let mut oracle = NoOracle;
    let vc = evaluate(&module, &mut terms, &config, &mut oracle);
    let mut out = String::new();
    for assumption in &vc.assumptions {
        if assumption.passed.is_none() {
            let (reached, holds) = (
                vc.world.terms.to_smt(assumption.reached),
                vc.world.terms.to_smt(assumption.holds),
            );
            out.push_str(&format!("assume {reached} => {holds}\n"));
        }
    }
    for instance in &vc.instances {
        let (reached, holds) = (
            vc.world.terms.to_smt(instance.reached),
            vc.world.terms.to_smt(instance.holds),
        );
        out.push_str(&format!("{} {reached} => {holds}\n", instance.obligation));
    }
    for cut in &vc.cuts {
        out.push_str(&format!(
            "cut {:?} {}\n",
            cut.what,
            vc.world.terms.to_smt(cut.reached)
        ));
    }
    assert_eq!(out, expected, "\n{out}");
}

#[test]
fn a_loop_whose_condition_folds_is_run_without_a_bound() {
    check(
        "module pure ptr64
entry @start
obligation o0 start.assert.1 \"sum\"
fn @start() {
b0:
    jump b1(0:i32, 0:i32)
b1(v0: i32, v1: i32):
    v2 = ult.i32 v0, 100
    branch v2, b2, b3
b2:
    v3 = add.i32 v1, v0
    v4 = add.i32 v0, 1
    jump b1(v4, v3)
b3:
    v5 = eq.i32 v1, 4950
    check o0, v5
    return
}
",
        "",
    );
}

#[test]
fn a_loop_that_is_not_decided_is_cut_at_the_bound() {
    check(
        "module pure ptr64
entry @start
obligation o0 start.assert.1 \"small\"
fn @start() {
b0:
    v9 = nondet.i32 input
    jump b1(0:i32)
b1(v0: i32):
    v2 = ult.i32 v0, v9
    branch v2, b2, b3
b2:
    v4 = add.i32 v0, 1
    jump b1(v4)
b3:
    v5 = ult.i32 v0, 3
    check o0, v5
    return
}
",
        "?",
    );
}
