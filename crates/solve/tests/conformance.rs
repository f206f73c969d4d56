//! The same questions for every back end.

use std::time::{Duration, Instant};

use base::Bv;
use solve::{Answer, Checked, Config, Cores, Interrupt, Limits, Reason, SolveError, Solver};
use terms::{Level, Sort, Term, Terms, Value};

/// Every back end that this machine must have; `z3` as a program comes with the library.
fn specs() -> Vec<String> {
    let z3 = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.deps/bin/z3");
    vec![
        "bitwuzla".into(),
        "z3".into(),
        "smtlib:cvc5".into(),
        format!("smtlib:{z3} -in"),
        YICES.into(),
    ]
}

/// Yices 2 has bit-vectors, functions and arrays; neither floats nor constant arrays, and no numbers made of bits.
const YICES: &str = concat!(
    "smtlib:",
    env!("CARGO_MANIFEST_DIR"),
    "/../../.deps/yices/bin/yices-smt2"
);

/// Those with all theories that there are.
fn versatile() -> impl Iterator<Item = String> {
    specs().into_iter().filter(|spec| spec != YICES)
}

fn open(spec: &str) -> Checked {
    Checked::open(spec, &Config::default()).unwrap_or_else(|error| panic!("{spec}: {error}"))
}

/// An arena that keeps terms as they are written, so that the back ends do the work.
fn plain() -> Terms {
    Terms::with_level(Level::Off)
}

fn ask(solver: &mut Checked, terms: &Terms, assumptions: &[Term]) -> String {
    format!(
        "{:?}",
        solver
            .check(terms, assumptions)
            .unwrap_or_else(|error| panic!("{error}"))
    )
}

#[test]
fn levels_come_and_go() {
    for spec in specs() {
        let mut terms = plain();
        let mut solver = open(&spec);
        let x = terms.var("x", Sort::BitVec(8));
        let (five, nine) = (terms.bv_u64(5, 8), terms.bv_u64(9, 8));
        let below = terms.ult(x, five);
        let above = terms.ult(nine, x);
        solver.assert(&terms, below).expect("asserts");
        assert_eq!(ask(&mut solver, &terms, &[]), "sat", "{spec}");
        solver.push().expect("pushes");
        solver.assert(&terms, above).expect("asserts");
        assert_eq!(ask(&mut solver, &terms, &[]), "unsat", "{spec}");
        solver.push().expect("pushes");
        assert_eq!(ask(&mut solver, &terms, &[]), "unsat", "{spec}");
        solver.pop(2).expect("pops");
        assert_eq!(ask(&mut solver, &terms, &[]), "sat", "{spec}");
        assert_eq!(ask(&mut solver, &terms, &[above]), "unsat", "{spec}");
        assert_eq!(ask(&mut solver, &terms, &[]), "sat", "{spec}");
        assert!(solver.pop(1).is_err(), "{spec}: there is no level left");
    }
}

#[test]
fn values_are_read_for_every_sort() {
    for spec in versatile() {
        let mut terms = plain();
        let mut solver = open(&spec);
        let flag = terms.var("flag", Sort::Bool);
        let wide = terms.var("wide", Sort::BitVec(100));
        let constant = terms.bv(Bv::ones(100).lshr_by(3));
        let is_constant = terms.eq(wide, constant);
        let memory_sort = terms.array_sort(Sort::BitVec(16), Sort::BitVec(8));
        let memory = terms.var("memory", memory_sort);
        let at = terms.bv_u64(0x1234, 16);
        let read = terms.select(memory, at);
        let (seven, zero) = (terms.bv_u64(7, 8), terms.bv_u64(0, 8));
        let is_seven = terms.eq(read, seven);
        let others = terms.const_array(memory_sort, zero);
        let stored = terms.store(others, at, seven);
        let is_stored = terms.eq(memory, stored);
        let x = terms.var("x", Sort::float(8, 24));
        let third = terms.float_f32(1.0 / 3.0);
        let is_third = terms.eq(x, third);
        for t in [flag, is_constant, is_seven, is_stored, is_third] {
            solver.assert(&terms, t).expect("asserts");
        }
        let Ok(Answer::Sat(model)) = solver.check(&terms, &[]) else {
            panic!("{spec}: must be sat")
        };
        assert_eq!(model.get(flag), Some(&Value::Bool(true)), "{spec}");
        assert_eq!(
            model.get(wide),
            Some(&Value::Bv(Bv::ones(100).lshr_by(3))),
            "{spec}"
        );
        assert_eq!(
            terms.eval(&model, read),
            Value::Bv(Bv::from_u64(7, 8)),
            "{spec}"
        );
        let Some(Value::Float(_, bits)) = model.get(x) else {
            panic!("{spec}: x is a float")
        };
        assert_eq!(
            bits.to_u64(),
            Some(u64::from((1.0f32 / 3.0).to_bits())),
            "{spec}"
        );
    }
}

#[test]
fn arrays_of_yices_are_read() {
    let mut terms = plain();
    let mut solver = open(YICES);
    let sort = terms.array_sort(Sort::BitVec(64), Sort::BitVec(8));
    let memory = terms.var("memory", sort);
    let (at, other) = (terms.var("at", Sort::BitVec(64)), terms.bv_u64(9, 64));
    let (seven, eight) = (terms.bv_u64(7, 8), terms.bv_u64(8, 8));
    let stored = terms.store(memory, at, seven);
    let (first, second) = (terms.select(stored, other), terms.select(memory, at));
    let (is_eight, is_seven) = (terms.eq(first, eight), terms.eq(second, seven));
    for t in [is_eight, is_seven] {
        solver.assert(&terms, t).expect("asserts");
    }
    let Ok(Answer::Sat(model)) = solver.check(&terms, &[]) else {
        panic!("must be sat")
    };
    let byte = |value| Value::Bv(Bv::from_u64(value, 8));
    assert_eq!(terms.eval(&model, first), byte(8));
    assert_eq!(terms.eval(&model, second), byte(7));
    let same = terms.eq(at, other);
    assert_eq!(ask(&mut solver, &terms, &[same]), "unsat");
    // What it has not is no answer, and the next question has one.
    let zeros = terms.const_array(sort, seven);
    let constant = terms.eq(memory, zeros);
    let answer = ask(&mut solver, &terms, &[constant]);
    assert!(answer.starts_with("unknown"), "{answer}");
    assert_eq!(ask(&mut solver, &terms, &[]), "sat");
}

#[test]
fn functions_are_read_where_they_are_applied() {
    for spec in specs() {
        let mut terms = plain();
        let mut solver = open(&spec);
        let f = terms.declare_fun("f", &[Sort::BitVec(8), Sort::Bool], Sort::BitVec(8));
        let (x, y) = (
            terms.var("x", Sort::BitVec(8)),
            terms.var("y", Sort::BitVec(8)),
        );
        let yes = terms.tru();
        let (fx, fy) = (terms.apply(f, &[x, yes]), terms.apply(f, &[y, yes]));
        let differ = terms.ne(fx, fy);
        solver.assert(&terms, differ).expect("asserts");
        let same = terms.eq(x, y);
        assert_eq!(ask(&mut solver, &terms, &[]), "sat", "{spec}");
        assert_eq!(ask(&mut solver, &terms, &[same]), "unsat", "{spec}");
    }
}

#[test]
fn a_core_names_what_was_needed() {
    for spec in specs() {
        let mut terms = plain();
        let config = Config {
            cores: Cores::On,
            ..Config::default()
        };
        let mut solver = Checked::open(&spec, &config).expect("opens");
        let [p, q, r] = ["p", "q", "r"].map(|name| terms.var(name, Sort::Bool));
        let not_q = terms.not(q);
        let clash = terms.implies(p, not_q);
        solver.assert(&terms, clash).expect("asserts");
        assert_eq!(ask(&mut solver, &terms, &[r, p, q]), "unsat", "{spec}");
        assert_eq!(solver.core().expect("has a core"), vec![p, q], "{spec}");
        assert_eq!(ask(&mut solver, &terms, &[r, p]), "sat", "{spec}");
        assert_eq!(solver.core().expect("has no core"), vec![], "{spec}");
    }
}

#[test]
fn without_cores_every_assumption_counts() {
    for spec in specs() {
        let mut terms = plain();
        let mut solver = open(&spec);
        let (p, q) = (terms.var("p", Sort::Bool), terms.var("q", Sort::Bool));
        let not_p = terms.not(p);
        assert_eq!(ask(&mut solver, &terms, &[q, p, not_p]), "unsat", "{spec}");
        assert_eq!(
            solver.core().expect("has a core"),
            vec![q, p, not_p],
            "{spec}"
        );
    }
}

#[test]
fn images_of_floats_survive_levels() {
    for spec in versatile() {
        let mut terms = plain();
        let mut solver = open(&spec);
        let x = terms.var("x", Sort::float(8, 24));
        let bits = terms.fp_to_bits(x);
        let odd = terms.bv_u64(0x7fc0_0001, 32);
        let is_odd_nan = terms.eq(bits, odd);
        let minus = terms.bv_u64(0x8000_0000, 32);
        let is_minus_zero = terms.eq(bits, minus);
        let is_zero = terms.is_zero(x);
        for round in 0..3 {
            solver.push().expect("pushes");
            solver.assert(&terms, is_odd_nan).expect("asserts");
            assert_eq!(
                ask(&mut solver, &terms, &[]),
                "unsat",
                "{spec}: NaN has one image, round {round}"
            );
            solver.pop(1).expect("pops");
            assert_eq!(
                ask(&mut solver, &terms, &[is_minus_zero, is_zero]),
                "sat",
                "{spec}, round {round}"
            );
            let not_zero = terms.not(is_zero);
            assert_eq!(
                ask(&mut solver, &terms, &[is_minus_zero, not_zero]),
                "unsat",
                "{spec}, round {round}"
            );
        }
    }
}

#[test]
fn integers_are_for_those_who_have_them() {
    for spec in versatile() {
        let mut terms = plain();
        let mut solver = open(&spec);
        let (x, y) = (terms.var("x", Sort::Int), terms.var("y", Sort::Int));
        let (seven, minus) = (terms.int(7), terms.int(-2));
        let quotient = terms.idiv(x, minus);
        let is_seven = terms.eq(quotient, seven);
        let rest = terms.imod(x, minus);
        let is_y = terms.eq(rest, y);
        let byte = terms.int2bv(y, 8);
        let one = terms.bv_u64(1, 8);
        let is_one = terms.eq(byte, one);
        let result = [is_seven, is_y, is_one]
            .iter()
            .try_for_each(|&t| solver.assert(&terms, t));
        if spec == "bitwuzla" {
            let what = "integers".to_owned();
            assert_eq!(
                result,
                Err(SolveError::Unsupported {
                    backend: spec,
                    what
                })
            );
            continue;
        }
        let Ok(Answer::Sat(model)) = solver.check(&terms, &[]) else {
            panic!("{spec}: must be sat")
        };
        assert_eq!(model.get(x), Some(&Value::Int((-13).into())), "{spec}");
    }
}

/// A query that no solver of ours answers soon: a product of two primes is to be factored.
fn hard(terms: &mut Terms) -> Vec<Term> {
    let (x, y) = (
        terms.var("x", Sort::BitVec(128)),
        terms.var("y", Sort::BitVec(128)),
    );
    let bound = terms.bv_u64(1 << 40, 128);
    let one = terms.bv_u64(1, 128);
    // 1099511627689 and 1099511627609 are prime, so the factors are found only by search; 2^61-1 has none.
    let number = terms.bv_u64((1 << 61) - 1, 128);
    let product = terms.mul(x, y);
    let is_product = terms.eq(product, number);
    let small = [terms.ult(x, bound), terms.ult(y, bound)];
    let proper = [terms.ult(one, x), terms.ult(one, y)];
    vec![is_product, small[0], small[1], proper[0], proper[1]]
}

#[test]
fn time_runs_out_and_life_goes_on() {
    for spec in specs() {
        let mut terms = plain();
        let mut solver = open(&spec);
        solver.set_limits(Limits {
            time: Some(Duration::from_millis(300)),
            memory: None,
        });
        let p = terms.var("p", Sort::Bool);
        solver.assert(&terms, p).expect("asserts");
        solver.push().expect("pushes");
        for t in hard(&mut terms) {
            solver.assert(&terms, t).expect("asserts");
        }
        let answer = solver.check(&terms, &[]).expect("answers");
        assert!(
            matches!(answer, Answer::Unknown(Reason::Timeout)),
            "{spec}: {answer:?}"
        );
        solver.pop(1).expect("pops");
        let not_p = terms.not(p);
        solver.set_limits(Limits::default());
        assert_eq!(ask(&mut solver, &terms, &[]), "sat", "{spec}");
        assert_eq!(ask(&mut solver, &terms, &[not_p]), "unsat", "{spec}");
    }
}

/// A limit that is reached as a check ends concerns that check, and not what is asked next.
#[test]
fn limits_that_are_reached_at_the_last_moment_leave_nothing_behind() {
    for spec in specs()
        .into_iter()
        .filter(|spec| !spec.starts_with("smtlib"))
    {
        let mut terms = plain();
        let mut solver = open(&spec);
        let query = hard(&mut terms);
        let p = terms.var("p", Sort::Bool);
        for round in 0..30 {
            solver.set_limits(Limits {
                time: Some(Duration::from_millis(1 + round % 4)),
                memory: None,
            });
            solver.push().expect("pushes");
            for &t in &query {
                solver.assert(&terms, t).expect("asserts");
            }
            let answer = solver.check(&terms, &[]).expect("answers");
            assert!(
                matches!(answer, Answer::Unknown(Reason::Timeout)),
                "{spec}: {answer:?}"
            );
            solver.pop(1).expect("pops");
            solver.set_limits(Limits::default());
            solver.push().expect("pushes");
            assert_eq!(ask(&mut solver, &terms, &[p]), "sat", "{spec}");
            solver.pop(1).expect("pops");
        }
    }
}

#[test]
fn another_thread_can_stop_a_check() {
    for spec in specs() {
        let mut terms = plain();
        let interrupt = Interrupt::default();
        let config = Config {
            interrupt: interrupt.clone(),
            ..Config::default()
        };
        let mut solver = Checked::open(&spec, &config).expect("opens");
        solver.push().expect("pushes");
        for t in hard(&mut terms) {
            solver.assert(&terms, t).expect("asserts");
        }
        let switch = interrupt.clone();
        let other = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            switch.set();
        });
        let answer = solver.check(&terms, &[]).expect("answers");
        other.join().expect("the other thread ends");
        assert!(
            matches!(answer, Answer::Unknown(Reason::Interrupted)),
            "{spec}: {answer:?}"
        );
        let again = solver.check(&terms, &[]).expect("answers");
        assert!(
            matches!(again, Answer::Unknown(Reason::Interrupted)),
            "{spec}: the switch stays set"
        );
        interrupt.clear();
        solver.pop(1).expect("pops");
        assert_eq!(ask(&mut solver, &terms, &[]), "sat", "{spec}");
    }
}

#[test]
fn memory_runs_out() {
    for spec in specs() {
        let mut terms = plain();
        let mut solver = open(&spec);
        // Less than any of them has anyway.
        solver.set_limits(Limits {
            time: Some(Duration::from_secs(60)),
            memory: Some(1 << 20),
        });
        for t in hard(&mut terms) {
            solver.assert(&terms, t).expect("asserts");
        }
        let answer = solver.check(&terms, &[]).expect("answers");
        assert!(
            matches!(answer, Answer::Unknown(Reason::Memory)),
            "{spec}: {answer:?}"
        );
    }
}

#[test]
fn names_do_not_matter() {
    let names = [
        "$3", "t3", "a b", "", "x|y", "assert", "0", "ä", "let", "@x", ".y", "-", "\"q\"",
    ];
    for spec in specs() {
        let mut terms = plain();
        let mut solver = open(&spec);
        let variables: Vec<Term> = names
            .iter()
            .map(|name| terms.var(name, Sort::BitVec(8)))
            .collect();
        for (number, &variable) in variables.iter().enumerate() {
            let constant = terms.bv_u64(number as u64, 8);
            let is_constant = terms.eq(variable, constant);
            solver.assert(&terms, is_constant).expect("asserts");
        }
        let answer = solver.check(&terms, &[]);
        let Ok(Answer::Sat(model)) = answer else {
            panic!("{spec}: {answer:?}")
        };
        for (number, &variable) in variables.iter().enumerate() {
            let expected = Value::Bv(Bv::from_u64(number as u64, 8));
            assert_eq!(
                model.get(variable),
                Some(&expected),
                "{spec}: {:?}",
                names[number]
            );
        }
    }
}

#[test]
fn statistics_count() {
    for spec in specs() {
        let mut terms = plain();
        let mut solver = open(&spec);
        let p = terms.var("p", Sort::Bool);
        let not_p = terms.not(p);
        solver.assert(&terms, p).expect("asserts");
        ask(&mut solver, &terms, &[]);
        ask(&mut solver, &terms, &[not_p]);
        let statistics = solver.statistics();
        assert_eq!(
            (
                statistics.assertions,
                statistics.sat,
                statistics.unsat,
                statistics.unknown
            ),
            (1, 1, 1, 0)
        );
        assert_eq!(statistics.nodes, 2, "{spec}");
    }
}

#[test]
fn a_deep_chain_is_translated_once() {
    for spec in specs() {
        let depth = if spec.starts_with("smtlib") {
            10_000
        } else {
            100_000
        };
        let mut terms = plain();
        let mut solver = open(&spec);
        let x = terms.var("x", Sort::BitVec(1));
        let step = terms.var("y", Sort::BitVec(1));
        let mut sum = x;
        for _ in 0..depth {
            sum = terms.bvxor(sum, step);
        }
        let differ = terms.ne(sum, x);
        let start = Instant::now();
        assert_eq!(
            ask(&mut solver, &terms, &[differ]),
            "unsat",
            "{spec}: an even number of steps"
        );
        println!("{spec}: {depth} steps in {:?}", start.elapsed());
    }
}

#[test]
fn unknown_back_ends_are_refused() {
    for spec in [
        "",
        "yices",
        "bitwuzla:",
        "bitwuzla:x",
        "z3:",
        "smtlib",
        "smtlib:",
        "smtlib: ",
    ] {
        let Err(error) = Checked::open(spec, &Config::default()) else {
            panic!("`{spec}` must not open")
        };
        let known = "there are bitwuzla, z3, smtlib:COMMAND";
        assert_eq!(
            error.to_string(),
            format!("unknown solver `{spec}`; {known}")
        );
    }
}
