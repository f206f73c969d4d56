//! Horn clauses: text in, a checked answer out.

use std::time::Duration;

use solve::horn::{
    Atom, Clause, HornAnswer, HornOptions, System, check_derivation, check_invariants,
    declare_predicate, solve_horn,
};
use solve::{Interrupt, Limits, Reason, SolveError};
use terms::smt::Reader;
use terms::{Sort, Terms, Value};

/// A system in short: variables and predicates with their sorts, then clauses `atom, atom: constraint => atom`.
/// Words are separated by semicolons and lines, terms are SMT-LIB.
struct Example {
    terms: Terms,
    system: System,
}

impl Example {
    fn new(
        mut terms: Terms,
        variables: &[(&str, Sort)],
        predicates: &[(&str, &[Sort])],
        clauses: &[(&[&str], &str, &str)],
    ) -> Example {
        let mut system = System::default();
        for (name, sorts) in predicates {
            declare_predicate(&mut terms, &mut system, name, sorts);
        }
        for (name, sort) in variables {
            terms.var(name, *sort);
        }
        for (body, constraint, head) in clauses {
            let clause = Clause {
                body: body
                    .iter()
                    .map(|text| atom(&mut terms, &system, variables, text))
                    .collect(),
                constraint: term(&mut terms, variables, constraint),
                head: (*head != "false").then(|| atom(&mut terms, &system, variables, head)),
            };
            system.clauses.push(clause);
        }
        Example { terms, system }
    }

    fn solve(&mut self) -> HornAnswer {
        self.solve_with(&HornOptions::default())
    }

    fn solve_with(&mut self, options: &HornOptions) -> HornAnswer {
        solve_horn(&mut self.terms, &self.system, options).unwrap_or_else(|error| panic!("{error}"))
    }
}

fn term(terms: &mut Terms, variables: &[(&str, Sort)], text: &str) -> terms::Term {
    let bindings: Vec<_> = variables
        .iter()
        .map(|&(name, sort)| (name, terms.var(name, sort)))
        .collect();
    let mut reader = Reader::new(terms, "example", text);
    for (name, variable) in bindings {
        reader.define(name, variable);
    }
    reader.only_term().unwrap_or_else(|error| panic!("{error}"))
}

/// `P x (+ y 1)`: the name of a predicate, and its arguments.
fn atom(terms: &mut Terms, system: &System, variables: &[(&str, Sort)], text: &str) -> Atom {
    let (name, rest) = text.split_once(' ').expect("a predicate has arguments");
    let predicate = *system
        .predicates
        .iter()
        .find(|&&fun| *terms.fun(fun).name == *name)
        .expect("it is declared");
    let bindings: Vec<_> = variables
        .iter()
        .map(|&(name, sort)| (name, terms.var(name, sort)))
        .collect();
    let mut reader = Reader::new(terms, "example", rest);
    for (name, variable) in bindings {
        reader.define(name, variable);
    }
    let mut arguments = Vec::new();
    while !reader.at_end().expect("well-formed") {
        arguments.push(reader.next_term().unwrap_or_else(|error| panic!("{error}")));
    }
    Atom {
        predicate,
        arguments,
    }
}

const INTS: &[(&str, Sort)] = &[
    ("x", Sort::Int),
    ("y", Sort::Int),
    ("z", Sort::Int),
    ("r", Sort::Int),
    ("s", Sort::Int),
];

/// Two counters in step, then a question about the second.
fn counters(query: &str) -> Example {
    Example::new(
        Terms::new(),
        INTS,
        &[("Loop", &[Sort::Int, Sort::Int]), ("Exit", &[Sort::Int])],
        &[
            (&[], "(and (= x 0) (= y 0))", "Loop x y"),
            (&["Loop x y"], "(< x 5)", "Loop (+ x 1) (+ y 2)"),
            (&["Loop x y"], "(>= x 5)", "Exit y"),
            (&["Exit y"], query, "false"),
        ],
    )
}

#[test]
fn a_loop_over_integers_is_safe() {
    let mut example = counters("(distinct y 10)");
    let HornAnswer::Safe(invariants) = example.solve() else {
        panic!("must be safe")
    };
    assert_eq!(invariants.len(), 2);
    // The invariant of the exit must say that y is ten, whatever it looks like.
    let exit = &invariants[1];
    for (number, expected) in [(10, true), (9, false), (11, false)] {
        let argument = example.terms.int(number);
        let holds = exit.instantiate(&mut example.terms, &[argument]);
        assert_eq!(example.terms.as_bool(holds), Some(expected), "{number}");
    }
}

#[test]
fn a_loop_over_integers_is_unsafe() {
    let mut example = counters("(= y 10)");
    let HornAnswer::Unsafe(steps) = example.solve() else {
        panic!("must be unsafe")
    };
    let clauses: Vec<usize> = steps.iter().map(|step| step.clause).collect();
    assert_eq!(clauses, vec![0, 1, 1, 1, 1, 1, 2, 3]);
    let last_y = steps
        .last()
        .expect("there are steps")
        .values
        .iter()
        .map(|(_, value)| value.clone());
    assert_eq!(last_y.collect::<Vec<_>>(), vec![Value::Int(10.into())]);
}

#[test]
fn a_tree_of_calls_is_derived() {
    // The Fibonacci numbers: fib(6) = 8.
    let mut example = Example::new(
        Terms::new(),
        INTS,
        &[("Fib", &[Sort::Int, Sort::Int])],
        &[
            (&[], "(and (<= 0 x) (<= x 1))", "Fib x x"),
            (
                &["Fib (- x 1) r", "Fib (- x 2) s"],
                "(>= x 2)",
                "Fib x (+ r s)",
            ),
            (&["Fib x y"], "(and (= x 6) (= y 8))", "false"),
        ],
    );
    let answer = example.solve();
    let HornAnswer::Unsafe(steps) = answer else {
        panic!("{answer:?}")
    };
    // A tree, so that equal calls occur as often as they are made: 25 calls and the query.
    assert_eq!(steps.len(), 26);
}

#[test]
fn bit_vectors_are_checked_by_another_solver() {
    let bits = Sort::BitVec(32);
    let mut example = Example::new(
        Terms::new(),
        &[("x", bits), ("y", bits)],
        &[("Loop", &[bits, bits])],
        &[
            (&[], "(and (= x #x00000000) (= y #x00000000))", "Loop x y"),
            (
                &["Loop x y"],
                "(bvult x #x0000000a)",
                "Loop (bvadd x #x00000001) (bvadd y #x00000001)",
            ),
            (&["Loop x y"], "(bvugt y #x0000000a)", "false"),
        ],
    );
    let options = HornOptions {
        checker: Some("bitwuzla".into()),
        ..HornOptions::default()
    };
    assert!(matches!(example.solve_with(&options), HornAnswer::Safe(_)));
}

#[test]
fn arrays_keep_what_was_written() {
    let mut terms = Terms::new();
    let memory = terms.array_sort(Sort::Int, Sort::Int);
    let mut example = Example::new(
        terms,
        &[("m", memory), ("x", Sort::Int)],
        &[("Loop", &[memory, Sort::Int])],
        &[
            (&[], "(and (= (select m 3) 7) (= x 4))", "Loop m x"),
            (&["Loop m x"], "true", "Loop (store m x 0) (+ x 1)"),
            (&["Loop m x"], "(distinct (select m 3) 7)", "false"),
        ],
    );
    assert!(matches!(example.solve(), HornAnswer::Safe(_)));
}

#[test]
fn a_system_without_queries_is_safe() {
    let mut example = Example::new(
        Terms::new(),
        INTS,
        &[("P", &[Sort::Int])],
        &[(&[], "(= x 0)", "P x")],
    );
    assert!(matches!(example.solve(), HornAnswer::Safe(_)));
}

#[test]
fn a_query_without_premises_is_derived_by_itself() {
    let mut example = Example::new(
        Terms::new(),
        INTS,
        &[("P", &[Sort::Int])],
        &[(&[], "(< x 3)", "false")],
    );
    let HornAnswer::Unsafe(steps) = example.solve() else {
        panic!("must be unsafe")
    };
    assert_eq!(steps.len(), 1);
}

#[test]
fn wrong_invariants_are_refused() {
    let mut example = counters("(distinct y 10)");
    let HornAnswer::Safe(mut invariants) = example.solve() else {
        panic!("must be safe")
    };
    let right = check_invariants(
        &mut example.terms,
        &example.system,
        &invariants,
        &HornOptions::default(),
    );
    assert_eq!(right, Ok(Ok(())));
    // Whoever drops what is known about the loop cannot conclude anything about the exit.
    invariants[0].formula = example.terms.tru();
    let wrong = check_invariants(
        &mut example.terms,
        &example.system,
        &invariants,
        &HornOptions::default(),
    );
    let detail = "its invariants do not make clause 2 true".to_owned();
    assert_eq!(
        wrong,
        Err(SolveError::Unsound {
            backend: "spacer".into(),
            detail
        })
    );
    // And whoever claims too much is caught at the start.
    invariants[0].formula = example.terms.fls();
    let wrong = check_invariants(
        &mut example.terms,
        &example.system,
        &invariants,
        &HornOptions::default(),
    );
    assert!(
        matches!(wrong, Err(SolveError::Unsound { .. })),
        "{wrong:?}"
    );
}

#[test]
fn wrong_derivations_are_refused() {
    let mut example = counters("(= y 10)");
    let HornAnswer::Unsafe(steps) = example.solve() else {
        panic!("must be unsafe")
    };
    let check = |steps: &[_]| check_derivation(&example.terms, &example.system, steps);
    assert_eq!(check(&steps), Ok(()));
    assert_eq!(
        check(&steps[..steps.len() - 1]),
        Err("the last step is no query".into())
    );
    assert_eq!(check(&[]), Err("the last step is no query".into()));
    let mut altered = steps.clone();
    altered[2].values[0].1 = Value::Int(4.into());
    assert_eq!(
        check(&altered),
        Err("step 2 uses what step 1 does not derive".into())
    );
    let mut altered = steps.clone();
    altered[3].premises = vec![0];
    assert_eq!(
        check(&altered),
        Err("step 3 uses what step 0 does not derive".into())
    );
    let mut altered = steps.clone();
    altered[0].values[0].1 = Value::Int(1.into());
    assert_eq!(
        check(&altered),
        Err("step 0 violates its constraint".into())
    );
}

/// A system that Spacer unrolls for ever: the invariant is not linear.
fn endless() -> Example {
    Example::new(
        Terms::new(),
        INTS,
        &[("Loop", &[Sort::Int, Sort::Int, Sort::Int])],
        &[
            (&[], "(and (= x 0) (= y 0) (> z 0))", "Loop x y z"),
            (&["Loop x y z"], "true", "Loop (+ x 1) (+ y x) z"),
            (
                &["Loop x y z"],
                "(and (distinct (+ y y) (* x (- x 1))) (> x z))",
                "false",
            ),
        ],
    )
}

#[test]
fn time_runs_out() {
    let limits = Limits {
        time: Some(Duration::from_millis(300)),
        memory: None,
    };
    let answer = endless().solve_with(&HornOptions {
        limits,
        ..HornOptions::default()
    });
    assert_eq!(answer, HornAnswer::Unknown(Reason::Timeout));
}

#[test]
fn another_thread_can_stop_the_search() {
    let interrupt = Interrupt::default();
    let switch = interrupt.clone();
    let other = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        switch.set();
    });
    let answer = endless().solve_with(&HornOptions {
        interrupt,
        ..HornOptions::default()
    });
    other.join().expect("the other thread ends");
    assert_eq!(answer, HornAnswer::Unknown(Reason::Interrupted));
}
