//! Clauses come from whatever says how states follow each other: here from machines that no program is written for.

use std::time::Duration;

use chc::clauses::{Track, clauses};
use encode::eval::arbitrary::{Entered, Havoc, Head, NoInvariants, Place, Plan, Point, evaluate};
use encode::eval::{Config, Instance, NoOracle, Val, Vc};
use ir::syntax::{Block, Func, Obligation};
use solve::Limits;
use solve::horn::{HornAnswer, HornOptions, solve_horn};
use terms::{Sort, Term, Terms};

/// What a machine does with its number in a step.
type Step = fn(&mut Terms, Term) -> Term;

fn wraps(terms: &mut Terms, x: Term) -> Term {
    let three = terms.bv_u64(3, 8);
    terms.add(x, three)
}

/// Addition that stops at twenty.
fn saturates(terms: &mut Terms, x: Term) -> Term {
    let (last, most) = (terms.bv_u64(17, 8), terms.bv_u64(20, 8));
    let more = wraps(terms, x);
    let stops = terms.ult(last, x);
    terms.ite(stops, most, more)
}

/// A number that is turned round.
fn rotates(terms: &mut Terms, x: Term) -> Term {
    let (low, high) = (terms.extract(x, 0, 0), terms.extract(x, 7, 1));
    terms.concat(low, high)
}

/// The question whether a machine that begins with a number ever has one that is larger than the limit.
fn answer(step: Step, begin: u64, limit: u64) -> String {
    let module =
        ir::text::read("module pure ptr64\nentry @start\nfn @start() {\nb0:\n    return\n}\n");
    let module = module.expect("a program that does nothing");
    let (config, plan) = (Config::default(), Plan::default());
    let mut terms = Terms::new();
    let evaluated = evaluate(
        &module,
        &mut terms,
        &config,
        &plan,
        &NoInvariants,
        &mut NoOracle,
    );
    let Ok(mut vc) = evaluated else {
        panic!("it was refused");
    };
    let place = Place {
        func: Func::from_index(0),
        point: Point::Head(Block::from_index(0)),
        number: 0,
    };
    let head = |vc: &mut Vc<'_>, reached: Term, value: Term, entered: Entered| {
        let assumptions = vc.assumptions.len();
        vc.heads.push(Head {
            place,
            reached,
            assumptions,
            values: vec![Val::Term(value)],
            entered,
        });
    };
    let always = vc.world.terms.tru();
    let first = vc.world.terms.bv_u64(begin, 8);
    head(&mut vc, always, first, Entered::First);
    let older = (vc.world.terms.len(), 0);
    let x = vc.world.terms.var("x", Sort::BitVec(8));
    let at = vc.world.terms.var("at", Sort::Bool);
    let havoc = Havoc {
        at: Some(at),
        older,
        scalars: vec![(0, x)],
        ..Havoc::default()
    };
    head(&mut vc, at, x, Entered::Arbitrary(havoc));
    let limit = vc.world.terms.bv_u64(limit, 8);
    let holds = vc.world.terms.ule(x, limit);
    let asked = Instance {
        obligation: Obligation::from_index(0),
        reached: at,
        holds,
        assumptions: vc.assumptions.len(),
        choices: 0,
    };
    let next = step(vc.world.terms, x);
    head(&mut vc, at, next, Entered::Again);
    let clauses = clauses(&mut vc, &[asked], Track::Mem).expect("clauses");
    let options = HornOptions {
        limits: Limits {
            time: Some(Duration::from_secs(60)),
            memory: None,
        },
        ..HornOptions::default()
    };
    match solve_horn(vc.world.terms, &clauses.system, &options) {
        Ok(HornAnswer::Safe(_)) => "safe".to_owned(),
        Ok(HornAnswer::Unsafe(steps)) => format!("unsafe after {}", steps.len()),
        other => panic!("no answer: {:?}", other.map(|_| "unknown")),
    }
}

#[test]
fn machines_of_their_own_have_clauses() {
    assert_eq!(answer(saturates, 0, 20), "safe");
    // 0, 3 … 18, 20, and the question.
    assert_eq!(answer(saturates, 0, 19), "unsafe after 9");
    assert_eq!(answer(wraps, 0, 20), "unsafe after 9");
    assert_eq!(answer(rotates, 0b0001_0001, 0b1000_1000), "safe");
    assert_eq!(answer(rotates, 0b0001_0001, 0b1000_0111), "unsafe after 3");
}
