//! Random terms: the evaluator and every back end agree on what they mean.

mod common;

use std::time::Duration;

use common::{Pool, Random, Theory, YICES, all_backends, is_value};
use solve::{Answer, Checked, Config, Limits, Reason, Solver};
use terms::visit::Substitution;
use terms::{FloatSort, Level, Sort, Term, Terms};

/// Whether a back end may not know for this reason: hard questions, and what a program says it does not support.
fn is_honest(reason: &Reason) -> bool {
    match reason {
        Reason::Timeout | Reason::Incomplete(_) => true,
        Reason::Error(message) => {
            let lacks = ["does not yet support", "undefined term: const"];
            lacks.iter().any(|words| message.contains(words))
        }
        Reason::Memory | Reason::Interrupted => false,
    }
}

/// Long enough for every question here on a busy machine; hard ones are not asked.
const TIME: Duration = Duration::from_secs(30);

fn config() -> Config {
    Config {
        limits: Limits {
            time: Some(TIME),
            memory: None,
        },
        ..Config::default()
    }
}

/// For random terms and models: with the variables fixed, a back end must refute that a term has another value than
/// the evaluator gives it; with one variable free, it must find a model in which the terms have these values.
/// Returns how many questions were answered, and how many were not.
fn agree(
    theory: Theory,
    backends: &[String],
    seeds: std::ops::Range<u64>,
    size: usize,
) -> (u32, u32) {
    let (mut answered, mut unknown) = (0, 0);
    for seed in seeds {
        let mut random = Random::new(seed);
        let mut terms = Terms::with_level(Level::Off);
        // Solvers translate between integers and bits through sums of single bits.
        let bounds = if theory == Theory::Ints {
            [4, 6, 8]
        } else {
            [12, 64, 128]
        };
        let widths = bounds.map(|bound| 1 + random.below(bound) as u32);
        let mut pool = Pool::new(&mut terms, theory, &widths);
        let roots: Vec<_> = (0..size)
            .map(|_| pool.grow(&mut terms, &mut random))
            .collect();
        let model = random.model(&terms, &pool.variables);
        // Arrays are replaced by their values, the other variables get theirs by an equation.
        let (mut arrays, mut fixed) = (Substitution::default(), Vec::new());
        for &variable in &pool.variables {
            let value = model
                .get(variable)
                .expect("all variables have a value")
                .clone();
            if let Sort::Array(_) = terms.sort(variable) {
                let constant = terms.value_term(&value, terms.sort(variable));
                arrays.insert(variable, constant);
            } else {
                fixed.push(is_value(&mut terms, variable, &value));
            }
        }
        let right: Vec<_> = roots
            .iter()
            .filter(|&&root| !matches!(terms.sort(root), Sort::Array(_)))
            .copied()
            .collect::<Vec<_>>()
            .into_iter()
            .map(|root| {
                let value = terms.eval(&model, root);
                let root = terms.substitute(root, &arrays);
                is_value(&mut terms, root, &value)
            })
            .collect();
        let all_right = terms.and_all(&right);
        let wrong = terms.not(all_right);
        let mut refute = fixed.clone();
        refute.push(wrong);
        let mut find = fixed.clone();
        find.swap_remove(random.below(fixed.len()));
        find.extend_from_slice(&right);
        for spec in backends {
            let mut solver = Checked::open(spec, &config()).expect("opens");
            match solver
                .check(&terms, &refute)
                .unwrap_or_else(|error| panic!("seed {seed}: {error}"))
            {
                Answer::Unsat => answered += 1,
                Answer::Unknown(reason) if is_honest(&reason) => unknown += 1,
                Answer::Unknown(reason) => panic!("seed {seed}: {spec}: {reason}"),
                Answer::Sat(_) => {
                    let culprit = right.iter().find(|&&claim| {
                        let not = terms.not(claim);
                        let one: Vec<_> = fixed.iter().copied().chain([not]).collect();
                        matches!(solver.check(&terms, &one), Ok(Answer::Sat(_)))
                    });
                    panic!(
                        "seed {seed}: {spec} and the evaluator differ: {}",
                        describe(&terms, culprit)
                    );
                }
            }
            match solver
                .check(&terms, &find)
                .unwrap_or_else(|error| panic!("seed {seed}: {error}"))
            {
                Answer::Sat(_) => answered += 1,
                Answer::Unknown(reason) if is_honest(&reason) => unknown += 1,
                Answer::Unknown(reason) => panic!("seed {seed}: {spec}: {reason}"),
                Answer::Unsat => panic!("seed {seed}: {spec} finds no model where there is one"),
            }
        }
    }
    (answered, unknown)
}

/// The claim about a term that is wrong, with the operators of its two sides.
fn describe(terms: &Terms, claim: Option<&Term>) -> String {
    match claim {
        None => "on all together, but on none alone".to_owned(),
        Some(&claim) => terms
            .args(claim)
            .iter()
            .map(|&side| format!("{:?} ", terms.op(side)))
            .collect(),
    }
}

#[test]
fn bit_vectors_and_arrays() {
    assert_eq!(agree(Theory::Bits, &all_backends(), 0..20, 24), (160, 0));
}

#[test]
fn bit_vectors_without_hard_operators() {
    assert_eq!(
        agree(Theory::EasyBits, &all_backends(), 100..112, 40),
        (96, 0)
    );
}

/// What Yices has not (constant arrays, which only the first theory has) it says at once.
#[test]
fn bit_vectors_of_yices() {
    let yices = [YICES.to_owned()];
    assert_eq!(agree(Theory::Bits, &yices, 0..20, 24), (0, 40));
    assert_eq!(agree(Theory::EasyBits, &yices, 100..112, 40), (24, 0));
}

#[test]
fn integers() {
    let backends: Vec<_> = all_backends()
        .into_iter()
        .filter(|spec| spec != "bitwuzla")
        .collect();
    assert_eq!(agree(Theory::Ints, &backends, 200..212, 12), (72, 0));
}

#[test]
fn floats() {
    // cvc5 takes none but the two usual formats, and Bitwuzla none but those of IEEE 754. Z3 is slow.
    for (format, backend, count, size) in [
        (FloatSort::F16, "bitwuzla", 12, 12),
        (FloatSort::F32, "bitwuzla", 12, 10),
        (FloatSort::F64, "bitwuzla", 6, 8),
        (FloatSort::F128, "bitwuzla", 3, 6),
        (FloatSort::F32, "smtlib:cvc5", 6, 8),
        (FloatSort::new(3, 5), "z3", 6, 8),
        (FloatSort::F16, "z3", 4, 8),
        (FloatSort::F32, "z3", 3, 6),
    ] {
        let seeds = 300..300 + u64::from(count);
        let answers = agree(Theory::Floats(format), &[backend.to_owned()], seeds, size);
        assert_eq!(answers, (2 * count, 0), "{backend}: {format:?}");
    }
}

/// What a random formula means does not depend on who solves it; here nothing is fixed.
#[test]
fn formulas_have_one_answer() {
    let mut words = [0, 0];
    for seed in 500..530 {
        let mut random = Random::new(seed);
        let mut terms = Terms::with_level(Level::Off);
        let widths = [1 + random.below(8) as u32, 1 + random.below(16) as u32];
        let mut pool = Pool::new(&mut terms, Theory::Bits, &widths);
        let roots: Vec<_> = (0..40)
            .map(|_| pool.grow(&mut terms, &mut random))
            .collect();
        let booleans = roots.into_iter().filter(|&t| terms.sort(t) == Sort::Bool);
        let formulas: Vec<_> = booleans.take(3).collect();
        let mut seen: Option<(String, &str)> = None;
        for spec in all_backends().into_iter().chain([YICES.to_owned()]) {
            let mut solver = Checked::open(&spec, &config()).expect("opens");
            for &t in &formulas {
                solver.assert(&terms, t).expect("asserts");
            }
            let answer = solver
                .check(&terms, &[])
                .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            let word = match answer {
                Answer::Sat(_) => "sat",
                Answer::Unsat => "unsat",
                Answer::Unknown(reason) if is_honest(&reason) => continue,
                Answer::Unknown(reason) => panic!("seed {seed}: {spec}: {reason}"),
            };
            match &seen {
                None => seen = Some((spec, word)),
                Some((first, other)) => assert_eq!(*other, word, "seed {seed}: {first} and {spec}"),
            }
        }
        if let Some((_, word)) = seen {
            words[usize::from(word == "sat")] += 1;
        }
    }
    assert!(
        words.iter().all(|&count| count >= 3),
        "both answers must occur: {words:?}"
    );
}

/// What the rewrite rules make of a term means what the term as it is written means.
#[test]
fn simplified_and_unsimplified_agree() {
    // Here nothing is fixed, so some questions are hard, and the random models must do for them.
    let limits = Limits {
        time: Some(Duration::from_millis(300)),
        memory: None,
    };
    let config = Config {
        limits,
        ..Config::default()
    };
    let mut open = 0;
    for seed in 600..660 {
        let (mut terms, mut pairs) = (Terms::with_level(Level::Off), Vec::new());
        let mut random = Random::new(seed);
        let widths = [
            1 + random.below(8) as u32,
            1 + random.below(40) as u32,
            1 + random.below(128) as u32,
        ];
        let theory = if seed % 2 == 0 {
            Theory::EasyBits
        } else {
            Theory::Bits
        };
        let mut written = Pool::new(&mut terms, theory, &widths);
        let mut simplified = Pool::new(&mut terms, theory, &widths);
        for number in 0..60 {
            let seed = seed << 8 | number;
            terms.set_level(Level::Off);
            let plain = written.grow(&mut terms, &mut Random::new(seed));
            terms.set_level(Level::Full);
            let simple = simplified.grow(&mut terms, &mut Random::new(seed));
            pairs.push((plain, simple));
        }
        for _ in 0..20 {
            let model = random.model(&terms, &written.variables);
            for &(plain, simple) in &pairs {
                assert_eq!(
                    terms.eval(&model, plain),
                    terms.eval(&model, simple),
                    "seed {seed}: {plain} and {simple}"
                );
            }
        }
        terms.set_level(Level::Off);
        let same: Vec<_> = pairs
            .iter()
            .map(|&(plain, simple)| terms.eq(plain, simple))
            .collect();
        let all = terms.and_all(&same);
        let differ = terms.not(all);
        let mut solver = Checked::open("bitwuzla", &config).expect("opens");
        match solver
            .check(&terms, &[differ])
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"))
        {
            Answer::Unsat => {}
            Answer::Unknown(_) => open += 1,
            Answer::Sat(_) => panic!("seed {seed}: a simplified term means something else"),
        }
    }
    println!("{open} of 60 left to the random models");
}
