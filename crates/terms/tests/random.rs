//! Random terms: all levels of rewriting agree, facts hold, and what is printed is read back.

use proptest::prelude::*;
use terms::sample::{Random, Sample, Step, Theory, build};
use terms::smt::{Command, Reader, Script, Writer};
use terms::{Level, Terms, Value};

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = (any::<u8>(), any::<u16>(), any::<u16>(), any::<u16>());
    prop::collection::vec(step.prop_map(|(op, a, b, c)| Step { op, a, b, c }), 1..60)
}

fn widths() -> impl Strategy<Value = u32> {
    prop_oneof![
        1..=9u32,
        10..=66u32,
        Just(8),
        Just(32),
        Just(64),
        65..=128u32
    ]
}

fn theories() -> impl Strategy<Value = Theory> {
    prop_oneof![3 => Just(Theory::Bits), 1 => Just(Theory::Arrays), 1 => Just(Theory::Floats), 1 => Just(Theory::Ints)]
}

/// Values of all terms of a sample under a random model of this seed.
fn values(terms: &Terms, sample: &Sample, seed: u64) -> Vec<Value> {
    let model = Random::new(seed).model(terms, &sample.vars);
    let mut evaluator = terms::Evaluator::new(terms, &model);
    sample.made.iter().map(|&t| evaluator.eval(t)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, rng_seed: prop::test_runner::RngSeed::Fixed(5), ..ProptestConfig::default() })]

    #[test]
    fn rewritten_terms_mean_the_same(theory in theories(), width in widths(), steps in steps(), seed in any::<u64>()) {
        let mut plain = Terms::with_level(Level::Off);
        let written = build(&mut plain, theory, width, &steps);
        let before: Vec<_> = (0..8).map(|round| values(&plain, &written, seed ^ round)).collect();
        for level in [Level::Fold, Level::Local, Level::Full] {
            let mut terms = Terms::with_level(level);
            let made = build(&mut terms, theory, width, &steps);
            for (round, before) in before.iter().enumerate() {
                let after = values(&terms, &made, seed ^ round as u64);
                for (place, (left, right)) in before.iter().zip(&after).enumerate() {
                    let (old, new) = (plain.to_smt(written.made[place]), terms.to_smt(made.made[place]));
                    prop_assert_eq!(left, right, "{:?}\n{}\n{}", level, old, new);
                }
            }
        }
    }

    #[test]
    fn facts_hold(width in 1..=64u32, steps in steps(), seed in any::<u64>()) {
        for level in [Level::Off, Level::Full] {
            let mut terms = Terms::with_level(level);
            let sample = build(&mut terms, Theory::Bits, width, &steps);
            for round in 0..8 {
                for (&t, value) in sample.made.iter().zip(values(&terms, &sample, seed ^ round)) {
                    if let (Some(fact), Value::Bv(bv)) = (terms.fact(t), &value) {
                        prop_assert!(fact.contains(bv.low_u64()), "{} is {value}, not {fact:?}", terms.to_smt(t));
                        let listed = terms.values(t).is_none_or(|values| values.as_slice().contains(&bv.low_u64()));
                        prop_assert!(listed, "{} is {value}, not in {:?}", terms.to_smt(t), terms.values(t));
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_printed_is_read_back(theory in theories(), width in widths(), steps in steps(), level in 0..4u32) {
        let mut terms = Terms::with_level(Level::from_number(level).expect("a level"));
        let sample = build(&mut terms, theory, width, &steps);
        let last = *sample.made.last().expect("there are variables");
        let text = terms.to_smt(last);
        let vars: Vec<_> = sample.vars.iter().map(|&var| (terms.var_name(var).expect("a variable").to_string(), var)).collect();
        let mut reader = Reader::new(&mut terms, "printed", &text);
        for (name, var) in &vars {
            reader.define(name, *var);
        }
        prop_assert_eq!(reader.only_term(), Ok(last), "{}", text);
    }

    #[test]
    fn a_script_says_what_its_assertions_say(width in widths(), steps in steps()) {
        let mut terms = Terms::new();
        let sample = build(&mut terms, Theory::Arrays, width, &steps);
        let goals: Vec<_> = sample.made.iter().copied().filter(|&t| terms.sort(t) == terms::Sort::Bool).collect();
        let text = Writer::script(&terms, "QF_ABV", &goals);
        let script = Script::read(&mut terms, "printed", &text).expect("what we print is well-formed");
        let read: Vec<_> = script.commands.iter().filter_map(|command| match command {
            Command::Assert(t) => Some(*t),
            _ => None,
        }).collect();
        prop_assert_eq!(read, goals, "{}", text);
    }

    #[test]
    fn simplifying_later_is_as_right_as_at_once(theory in theories(), width in widths(), steps in steps(), seed in any::<u64>()) {
        let mut terms = Terms::with_level(Level::Off);
        let sample = build(&mut terms, theory, width, &steps);
        let before = values(&terms, &sample, seed);
        terms.set_level(Level::Full);
        let made = terms::rewrite::simplify(&mut terms, &sample.made);
        let sample = Sample { vars: sample.vars, made };
        prop_assert_eq!(before, values(&terms, &sample, seed));
    }

    #[test]
    fn substitution_is_evaluation_under_another_model(width in widths(), steps in steps(), seed in any::<u64>()) {
        let mut terms = Terms::new();
        let sample = build(&mut terms, Theory::Bits, width, &steps);
        let model = Random::new(seed).model(&terms, &sample.vars);
        let map = model.vars().into_iter().map(|(var, value)| (var, value.clone())).collect::<Vec<_>>();
        let map = map.into_iter().map(|(var, value)| (var, terms.value_term(&value, terms.sort(var)))).collect();
        let last = *sample.made.last().expect("there are variables");
        let folded = terms.substitute(last, &map);
        prop_assert_eq!(terms.const_value(folded), Some(terms.eval(&model, last)));
    }
}
