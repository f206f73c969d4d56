//! Clauses over integers say what clauses over bit-vectors say.

use num_bigint::BigInt;
use solve::horn::{Atom, Clause, HornAnswer, HornOptions, System, declare_predicate, solve_horn};
use solve::ints::{Wraps, to_ints};
use solve::{Answer, Checked, Config, Solver};
use terms::smt::Reader;
use terms::{Model, Sort, Term, Terms, Value};

/// Operators of two arguments, and whether their translation is exact.
const OPERATORS: &[(&str, bool)] = &[
    ("(bvadd x y)", true),
    ("(bvsub x y)", true),
    ("(bvneg x)", true),
    ("(bvnot x)", true),
    ("(bvmul x y)", false),
    (
        "(bvadd (bvadd x x) (bvadd (bvadd y y) (bvadd x (bvadd x y))))",
        true,
    ),
    ("(bvand x y)", false),
    ("(bvor x y)", false),
    ("(bvxor x y)", false),
    ("(bvudiv x y)", false),
    ("(bvsrem x y)", false),
    ("(bvshl x y)", false),
    ("(ite (bvult x y) x (bvadd y y))", true),
    ("(ite (bvslt x y) x (bvneg y))", true),
    ("(ite (bvule x y) y x)", true),
    ("(ite (bvsle x y) y x)", true),
    ("(ite (= x (bvadd y y)) y x)", true),
    ("(ite (bvsaddo x y) x y)", true),
    ("(ite (bvssubo x y) x y)", true),
    ("(ite (bvuaddo x y) x y)", true),
    ("(ite (bvsmulo x y) x y)", false),
    ("((_ extract W-1 0) (concat x y))", true),
    ("((_ extract W+0 1) (concat x y))", true),
    (
        "((_ extract W-1 0) (bvadd ((_ sign_extend 2) x) ((_ zero_extend 2) y)))",
        true,
    ),
    (
        "((_ extract W+1 2) (bvsub ((_ sign_extend 2) x) ((_ zero_extend 2) y)))",
        true,
    ),
];

/// Operators with a constant, which is every one of the width.
const WITH_CONSTANT: &[(&str, Exact)] = &[
    ("(bvmul x c)", Exact::Always),
    ("(bvand x c)", Exact::OneRun),
    ("(bvor x c)", Exact::OneRun),
    ("(bvxor x c)", Exact::OneRun),
    ("(bvxor (bvand x y) c)", Exact::Sometimes),
    ("(bvudiv x c)", Exact::Always),
    ("(bvurem x c)", Exact::Always),
    ("(bvsdiv x c)", Exact::Always),
    ("(bvsrem x c)", Exact::Always),
    ("(bvshl x c)", Exact::Always),
    ("(bvlshr x c)", Exact::Always),
    ("(bvashr x c)", Exact::Always),
    ("(bvsrem (bvadd x y) c)", Exact::Always),
    ("(ite (bvsmulo x c) y x)", Exact::Always),
    ("(ite (bvumulo x c) y x)", Exact::Always),
    ("(ite (bvult x c) y x)", Exact::Always),
    ("(ite (bvult (bvadd x c) d) y x)", Exact::Always),
    ("(ite (bvule d (bvadd x c)) y x)", Exact::Always),
    ("(ite (bvslt c x) y x)", Exact::Always),
];

#[derive(Clone, Copy, PartialEq)]
enum Exact {
    Always,
    /// If the constant is one run of ones.
    OneRun,
    Sometimes,
}

/// Comparisons whose results nobody uses: they only say which views are wanted.
const WISHES: [&str; 3] = [
    "true",
    "(and (= p (bvslt x y)) (= q (bvslt y x)) (= r (bvsle x z)) (= s (bvsle z y)))",
    "(and (= p (bvult x y)) (= q (bvult y x)) (= r (bvule x z)) (= s (bvule z y)))",
];

struct Sample {
    terms: Terms,
    vars: Vec<Term>,
    system: System,
    /// The values that count.
    limit: Term,
}

/// The query that `z` is the result.
fn sample(text: &str, width: u32, constant: u64, wish: &str, limit: &str) -> Sample {
    let mut terms = Terms::new();
    let sort = Sort::BitVec(width);
    let vars = ["x", "y", "z"].map(|name| terms.var(name, sort));
    let bools = ["p", "q", "r", "s"].map(|name| (name, terms.var(name, Sort::Bool)));
    // Another one, which is every one as well.
    let other = terms.bv_u64(
        constant.wrapping_mul(5).wrapping_add(3) & ((1 << width) - 1),
        width,
    );
    let constant = terms.bv_u64(constant, width);
    let mut text = text.to_owned();
    for (name, number) in [("W-1", width - 1), ("W+0", width), ("W+1", width + 1)] {
        text = text.replace(name, &number.to_string());
    }
    let text = format!("(and (= z {text}) {wish} {limit})");
    let limit = read(&mut terms, limit, &vars, constant);
    let mut reader = Reader::new(&mut terms, "sample", &text);
    for (name, term) in ["x", "y", "z"].into_iter().zip(vars) {
        reader.define(name, term);
    }
    for (name, term) in bools {
        reader.define(name, term);
    }
    reader.define("c", constant);
    reader.define("d", other);
    let constraint = reader
        .only_term()
        .unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut system = System::default();
    system.clauses.push(Clause {
        body: Vec::new(),
        constraint,
        head: None,
    });
    Sample {
        terms,
        vars: vars.to_vec(),
        system,
        limit,
    }
}

/// A term over `x`, `y`, `z` and `c`.
fn read(terms: &mut Terms, text: &str, vars: &[Term], constant: Term) -> Term {
    let mut reader = Reader::new(terms, "sample", text);
    for (name, &term) in ["x", "y", "z"].into_iter().zip(vars) {
        reader.define(name, term);
    }
    reader.define("c", constant);
    reader
        .only_term()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// That the integer of a variable is this value: its signed or its unsigned one, whichever is in its range.
fn is_value(terms: &mut Terms, name: &str, value: u64, width: u32) -> Term {
    let var = terms.var(name, Sort::Int);
    let mut cases = Vec::new();
    for value in [
        BigInt::from(value),
        BigInt::from(value) - (BigInt::from(1) << width),
    ] {
        let value = terms.int(value);
        cases.push(terms.eq(var, value));
    }
    terms.or_all(&cases)
}

/// Compares the translation with the evaluator for all values of `x` and `y`.
fn compare(text: &str, width: u32, constant: u64, wish: &str, exact: bool) {
    compare_within(text, width, constant, wish, "true", exact);
}

/// The same for values within a limit, which the clause says.
fn compare_within(text: &str, width: u32, constant: u64, wish: &str, limit: &str, exact: bool) {
    let mut sample = sample(text, width, constant, wish, limit);
    for wraps in [Wraps::Modulo, Wraps::Never] {
        // As good as the others, and twice the time.
        if wraps == Wraps::Never && (width > 3 || width == 3 && wish != WISHES[0]) {
            continue;
        }
        compare_wrapping(&mut sample, text, width, constant, exact, wraps);
    }
}

fn compare_wrapping(
    sample: &mut Sample,
    text: &str,
    width: u32,
    constant: u64,
    exact: bool,
    wraps: Wraps,
) {
    let math = to_ints(&mut sample.terms, &sample.system, wraps).expect("bit-vectors");
    assert!(
        math.exact || !exact,
        "{text} at {width} with {constant} is approximate"
    );
    // Where something may wrap, what is right may be left out.
    let complete = math.system.clauses.len() == 1;
    assert!(complete || math.is_about_wraps(1) && wraps == Wraps::Never);
    let terms = &mut sample.terms;
    let mut solver = Checked::open("z3", &Config::default()).expect("it is built in");
    solver
        .assert(terms, math.system.clauses[0].constraint)
        .expect("linear");
    for x in 0..1 << width {
        for y in 0..1 << width {
            let mut model = Model::new();
            for (&var, value) in sample.vars.iter().zip([x, y, 0]) {
                model.set(terms, var, Value::Bv(base::Bv::from_u64(value, width)));
            }
            let equation =
                find_equation(terms, sample.system.clauses[0].constraint, sample.vars[2]);
            let z = terms.eval(&model, equation).expect_bv().low_u64();
            let inputs =
                [("x", x), ("y", y)].map(|(name, value)| is_value(terms, name, value, width));
            let result = is_value(terms, "z", z, width);
            let mut right = inputs.to_vec();
            right.push(result);
            let told = solver.check(terms, &right).expect("linear");
            if !terms.eval_bool(&model, sample.limit) {
                assert!(matches!(told, Answer::Unsat), "{text}: beyond the limit");
                continue;
            }
            assert!(
                !complete || matches!(told, Answer::Sat(_)),
                "{text} at {width}: {x} {y} {constant} is not {z}"
            );
            if math.exact {
                let mut wrong = inputs.to_vec();
                wrong.push(terms.not(result));
                let told = solver.check(terms, &wrong).expect("linear");
                let only = matches!(told, Answer::Unsat);
                assert!(
                    only,
                    "{text} at {width}: {x} {y} {constant} is not only {z}"
                );
            }
        }
    }
}

/// The term that `z` is equal to.
fn find_equation(terms: &Terms, constraint: Term, z: Term) -> Term {
    let mut stack = vec![constraint];
    while let Some(term) = stack.pop() {
        match (terms.op(term), terms.args(term)) {
            (terms::Op::And, args) => stack.extend_from_slice(args),
            (terms::Op::Eq, &[a, b]) if a == z => return b,
            (terms::Op::Eq, &[a, b]) if b == z => return a,
            _ => {}
        }
    }
    z
}

#[test]
fn operators_mean_the_same_at_small_widths() {
    for width in 1..=3 {
        for wish in WISHES {
            for &(text, exact) in OPERATORS {
                compare(text, width, 0, wish, exact);
            }
        }
    }
    for &(text, exact) in OPERATORS {
        compare(text, 4, 0, WISHES[0], exact);
    }
}

#[test]
fn operators_with_constants_mean_the_same_at_small_widths() {
    for width in 1..=4 {
        for constant in 0..1u64 << width {
            for &(text, exact) in WITH_CONSTANT {
                let wish = WISHES[(constant % 3) as usize];
                let run = constant != 0 && {
                    let shifted = constant >> constant.trailing_zeros();
                    (shifted + 1).is_power_of_two()
                };
                let exact = exact == Exact::Always || exact == Exact::OneRun && run;
                if width < 4 || constant % 5 == 2 || constant == 15 || constant == 8 {
                    compare(text, width, constant, wish, exact);
                }
            }
        }
    }
}

#[test]
fn bounds_that_a_clause_says_do_not_change_its_meaning() {
    let limits = [
        "(bvslt x c)",
        "(bvsle c x)",
        "(bvult x c)",
        "(not (bvult x c))",
        "(distinct x c)",
        "(and (distinct x c) (distinct y c) (bvsle x y))",
        "(not (or (= x c) (bvslt y c)))",
        "(= c x)",
    ];
    for constant in [0, 1, 7, 8, 9, 15] {
        for limit in limits {
            let wish = WISHES[(constant % 3) as usize];
            let text = ["(bvadd x y)", "(bvsub x c)", "(bvadd x #b0001)"][(constant % 3) as usize];
            compare_within(text, 4, constant, wish, limit, true);
        }
    }
}

/// Two counters that wrap at eight bits, and a question about them.
fn counters(step: &str, query: &str) -> (Terms, System) {
    let mut terms = Terms::new();
    let mut system = System::default();
    let sort = Sort::BitVec(8);
    let predicate = declare_predicate(&mut terms, &mut system, "Loop", &[sort, sort, Sort::Bool]);
    let vars = [("x", sort), ("y", sort), ("b", Sort::Bool)];
    let read = |terms: &mut Terms, text: &str| {
        let vars = vars.map(|(name, sort)| (name, terms.var(name, sort)));
        let mut reader = Reader::new(terms, "clause", text);
        for (name, term) in vars {
            reader.define(name, term);
        }
        reader.only_term().expect("a term")
    };
    let atom = |terms: &mut Terms, list: [&str; 3]| Atom {
        predicate,
        arguments: list.map(|text| read(terms, text)).to_vec(),
    };
    let first = atom(&mut terms, ["#x00", "#x03", "true"]);
    let state = atom(&mut terms, ["x", "y", "b"]);
    let next = atom(&mut terms, ["(bvadd x #x01)", "(bvadd y #x01)", "(not b)"]);
    let yes = terms.tru();
    let [step, query] = [step, query].map(|text| read(&mut terms, text));
    system.clauses = vec![
        Clause {
            body: vec![],
            constraint: yes,
            head: Some(first),
        },
        Clause {
            body: vec![state.clone()],
            constraint: step,
            head: Some(next),
        },
        Clause {
            body: vec![state],
            constraint: query,
            head: None,
        },
    ];
    (terms, system)
}

#[test]
fn invariants_over_integers_hold_of_bit_vectors() {
    // Unsigned, and then signed, so far that only one of them tells it.
    for (step, query) in [
        ("true", "(distinct (bvsub y x) #x03)"),
        ("(bvult x #xf0)", "(bvult #xf0 x)"),
        ("(bvslt x #x70)", "(bvslt x #x00)"),
    ] {
        is_safe(step, query);
    }
}

fn is_safe(step: &str, query: &str) {
    let (mut terms, system) = counters(step, query);
    let math = to_ints(&mut terms, &system, Wraps::Modulo).expect("bit-vectors");
    let options = HornOptions::default();
    let HornAnswer::Safe(invariants) =
        solve_horn(&mut terms, &math.system, &options).expect("ints")
    else {
        panic!("it is safe")
    };
    let back = math.back(&mut terms, &invariants);
    let checked = solve::horn::check_invariants(&mut terms, &system, &back, &options);
    assert!(matches!(checked, Ok(Ok(()))), "{checked:?}");
}

#[test]
fn what_wraps_is_derived_over_integers_too() {
    // Over unbounded integers it would be safe.
    let (mut terms, system) = counters("true", "(and (bvslt y x) (bvslt x #x7f))");
    let math = to_ints(&mut terms, &system, Wraps::Modulo).expect("bit-vectors");
    assert!(math.exact);
    let options = HornOptions::default();
    let answer = solve_horn(&mut terms, &math.system, &options).expect("ints");
    let HornAnswer::Unsafe(steps) = answer else {
        panic!("y is negative when x is 125: {answer:?}")
    };
    assert_eq!(steps.len(), 127);
}

#[test]
fn whether_anything_wraps_is_a_query() {
    for (step, safe) in [("(bvult x #x40)", true), ("(bvult x #xff)", false)] {
        let (mut terms, system) = counters(step, "(distinct (bvsub y x) #x03)");
        let math = to_ints(&mut terms, &system, Wraps::Never).expect("bit-vectors");
        let options = HornOptions::default();
        let answer = solve_horn(&mut terms, &math.system, &options).expect("ints");
        match answer {
            HornAnswer::Safe(invariants) => {
                assert!(safe, "{step}");
                let back = math.back(&mut terms, &invariants);
                let checked = solve::horn::check_invariants(&mut terms, &system, &back, &options);
                assert!(matches!(checked, Ok(Ok(()))), "{checked:?}");
            }
            HornAnswer::Unsafe(steps) => {
                assert!(!safe, "{step}");
                let query = steps.last().expect("a query").clause;
                assert!(math.is_about_wraps(query) && query >= system.clauses.len());
            }
            HornAnswer::Unknown(reason) => panic!("{step}: {reason}"),
        }
    }
}
