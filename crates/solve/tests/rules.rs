//! Every rewrite rule of `terms`, proved by a solver with our rewriting off.
//!
//! The examples of a rule are read at a width into an arena that rewrites nothing, the rule is applied once, and a
//! solver must refute that the two sides differ. (At widths 1 to 4 the evaluator tries all values: see `terms`.)

use solve::{Answer, Checked, Config, Limits, Solver};
use std::time::Duration;
use terms::rules::all;
use terms::rules::instances::{Instance, instances};
use terms::{Level, Terms};

/// Long enough for every question here on a busy machine.
const TIME: Duration = Duration::from_secs(60);

/// Examples of rules, and the greatest width at which a solver of ours proves them in a sensible time.
const HARD: &[(&str, &str, u32)] = &[
    // Multiplication of numbers of twice the width.
    (
        "overflow_facts",
        "(bvsmulo ((_ sign_extend {w}) x) ((_ sign_extend {w}) y))",
        8,
    ),
    // Dividers against dividers.
    ("udiv_udiv", "(bvudiv (bvudiv x k3) k5)", 32),
    (
        "udiv_narrow",
        "(bvudiv ((_ zero_extend 2) x) ((_ zero_extend 2) (bvor y one)))",
        8,
    ),
    (
        "urem_narrow",
        "(bvurem ((_ zero_extend 2) x) ((_ zero_extend 2) y))",
        8,
    ),
    // Solvers see a `bv2nat` as a sum of its bits, and compare two of them by trying.
    ("int_le_bv2nat", "(<= (bv2nat x) (bv2nat y))", 8),
];

/// Proves one instance with the first back end that can, or says what they answered.
fn prove(terms: &mut Terms, instance: &Instance) -> Result<(), String> {
    let same = terms.eq(instance.before, instance.after);
    let differ = terms.not(same);
    let limits = Limits {
        time: Some(TIME),
        memory: None,
    };
    let config = Config {
        limits,
        ..Config::default()
    };
    let mut answers = String::new();
    // Bitwuzla has no integers and four formats of floats.
    for backend in ["bitwuzla", "z3"] {
        let mut solver = Checked::open(backend, &config).expect("opens");
        let answer = solver
            .assert(terms, differ)
            .and_then(|()| solver.check(terms, &[]));
        match answer {
            Ok(Answer::Unsat) => return Ok(()),
            Ok(Answer::Sat(_)) => return Err(format!("{backend} found a counterexample")),
            Ok(Answer::Unknown(reason)) => answers += &format!(" {backend}: {reason};"),
            Err(error) => answers += &format!(" {error};"),
        }
    }
    Err(answers)
}

fn prove_all(width: u32) {
    let mut terms = Terms::with_level(Level::Off);
    let mut failures = Vec::new();
    for instance in instances(&mut terms, width) {
        let (name, example) = (instance.rule.name, instance.example);
        if HARD
            .iter()
            .any(|&(rule, hard, greatest)| rule == name && hard == example && width > greatest)
        {
            continue;
        }
        if let Err(message) = prove(&mut terms, &instance) {
            failures.push(format!("{name}: {example}: {message}"));
        }
    }
    assert!(
        failures.is_empty(),
        "not proved at width {width}:\n{}",
        failures.join("\n")
    );
}

#[test]
fn at_width_8() {
    prove_all(8);
}

#[test]
fn at_width_32() {
    prove_all(32);
}

#[test]
fn at_width_64() {
    prove_all(64);
}

/// Some examples widen their operands, and facts about terms end at 64 bits, so width 64 has fewer.
#[test]
fn every_rule_has_an_instance() {
    for width in [8, 32] {
        let mut terms = Terms::with_level(Level::Off);
        let found = instances(&mut terms, width);
        let is_missing = |name: &&str| !found.iter().any(|instance| instance.rule.name == *name);
        let missing: Vec<&str> = all()
            .iter()
            .map(|rule| rule.name)
            .filter(is_missing)
            .collect();
        assert_eq!(missing, Vec::<&str>::new(), "at width {width}");
    }
}

#[test]
fn the_list_of_hard_examples_names_examples() {
    for &(name, example, _) in HARD {
        let rule = all().into_iter().find(|rule| rule.name == name);
        assert!(
            rule.is_some_and(|rule| rule.applies.contains(&example)),
            "{name}: {example}"
        );
    }
}
