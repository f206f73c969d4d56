//! Files of clauses: what is one, what is none, and what damaged ones do.

use std::time::Duration;

use solve::horn::attempt::{attempts, solve_in_turn};
use solve::horn::read::{HornFile, read_horn};
use solve::horn::{HornAnswer, HornOptions, to_smt};
use solve::{Limits, ScriptError};
use terms::Terms;

/// A loop over bit-vectors, one over integers, a function that calls itself, an array, and predicates without arguments.
const COUNTERS: &str = "(set-logic HORN)
(declare-fun P ((_ BitVec 8) (_ BitVec 8)) Bool)
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (= x #x00) (= y #x00)) (P x y))))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)))
  (=> (and (P x y) (bvult x #x64)) (P (bvadd x #x01) (bvadd y #x01)))))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (P x y) (distinct x y)) false)))
(check-sat)
(get-model)
";
const INTEGERS: &str = "(set-logic HORN)
(declare-fun |a loop| (Int Int) Bool)
(assert (forall ((n Int)) (! (=> (> n 0) (|a loop| 0 n)) :named begin)))
(assert (forall ((i Int) (n Int)) (let ((next (+ i 1))) (=> (and (|a loop| i n) (< i n)) (|a loop| next n)))))
(assert (not (exists ((i Int) (n Int)) (and (|a loop| i n) (> i n)))))
(check-sat)
(exit)
";
const RECURSION: &str = "(set-logic HORN)
(declare-fun f (Int Int) Bool)
(assert (forall ((n Int)) (=> (<= n 1) (f n 1))))
(assert (forall ((n Int) (a Int) (b Int))
  (=> (and (> n 1) (f (- n 1) a) (f (- n 2) b)) (f n (+ a b)))))
(assert (forall ((n Int) (r Int)) (=> (and (f n r) (> n 4) (= r 8)) false)))
(check-sat)
";
const ARRAYS: &str = "(set-logic HORN)
(declare-fun A ((Array Int Int) Int) Bool)
(assert (forall ((m (Array Int Int))) (A (store m 3 7) 0)))
(assert (forall ((m (Array Int Int)) (i Int)) (=> (and (A m i) (< i 9)) (A (store m (+ 4 i) i) (+ i 1)))))
(assert (forall ((m (Array Int Int)) (i Int)) (=> (A m i) (= (select m 3) 7))))
(check-sat)
";
const FLAGS: &str = "(set-logic HORN)
(declare-fun seen () Bool)
(declare-fun P (Bool) Bool)
(declare-fun Q (Int) Bool)
(assert (P true))
(assert (forall ((x Int)) (and (=> (and (P true) (= x 3)) (Q x)) (=> (Q x) (or seen (distinct x 3))))))
(assert (=> seen false))
(check-sat)
";

/// Reads a file, or says why it is none.
fn read(text: &str) -> Result<(Terms, HornFile), String> {
    let mut terms = Terms::new();
    match read_horn(&mut terms, "f.smt2", text) {
        Ok(file) => Ok((terms, file)),
        Err(error @ (ScriptError::Read(_) | ScriptError::Command(_))) => Err(error.to_string()),
        Err(error) => panic!("{error}"),
    }
}

fn solve(terms: &mut Terms, file: &HornFile, time: Duration) -> HornAnswer {
    let options = HornOptions {
        limits: Limits {
            time: Some(time),
            memory: None,
        },
        ..HornOptions::default()
    };
    solve_in_turn(terms, &file.system, attempts(None), &options).expect("an answer")
}

const PATIENCE: Duration = Duration::from_secs(120);

fn answer(text: &str) -> (String, String) {
    let (mut terms, file) = read(text).expect("a file of clauses");
    let answer = solve(&mut terms, &file, PATIENCE);
    let word = match &answer {
        HornAnswer::Safe(_) => "sat".to_owned(),
        HornAnswer::Unsafe(_) => "unsat".to_owned(),
        HornAnswer::Unknown(reason) => reason.to_string(),
    };
    (word, file.explain(&mut terms, &answer))
}

#[test]
fn files_are_solved_and_answers_explained() {
    let (word, model) = answer(COUNTERS);
    assert_eq!(word, "sat");
    assert!(model.contains("(define-fun P ((arg"), "{model}");
    assert_eq!(answer(INTEGERS).0, "sat");
    assert!(answer(INTEGERS).1.contains("(define-fun |a loop| ("));
    assert_eq!(answer(&INTEGERS.replace("(> i n)", "(= i 5)")).0, "unsat");
    let (word, derivation) = answer(RECURSION);
    assert_eq!(word, "unsat");
    assert!(derivation.contains("assertion 3, from "), "{derivation}");
    assert_eq!(answer(&RECURSION.replace("(= r 8)", "(<= r 0)")).0, "sat");
    assert_eq!(answer(ARRAYS).0, "sat");
    assert_eq!(answer(&ARRAYS.replace("(+ 4 i)", "i")).0, "unsat");
    let (word, derivation) = answer(FLAGS);
    assert_eq!(word, "unsat", "{derivation}");
    let (word, model) = answer(&FLAGS.replace("(= x 3)", "(= x 4)"));
    assert_eq!(word, "sat");
    assert!(model.contains("(define-fun seen () Bool "), "{model}");
}

/// What is written can be read again, and Z3 reads the same.
#[test]
fn what_is_written_is_accepted() {
    for (text, expected) in [
        (COUNTERS, "sat"),
        (INTEGERS, "sat"),
        (RECURSION, "unsat"),
        (FLAGS, "unsat"),
    ] {
        let (mut terms, file) = read(text).expect("clauses");
        let written = to_smt(&mut terms, &file.system);
        assert_eq!(answer(&written).0, expected, "{written}");
        assert_eq!(
            solve::backends::z3_says(&written).trim(),
            expected,
            "{written}"
        );
    }
}

#[test]
fn what_is_no_system_of_clauses_is_refused() {
    let declared = "(set-logic HORN)(declare-fun P (Int) Bool)(declare-fun Q (Int) Bool)\n";
    let with = |assertion: &str| read(&format!("{declared}{assertion}")).map(|_| ());
    let refused = |assertion: &str, part: &str| {
        let message = with(assertion).expect_err(assertion);
        assert!(message.contains(part), "{assertion}: {message}");
        assert!(message.starts_with("f.smt2:"), "{message}");
    };
    refused(
        "(assert (forall ((x Int)) (or (P x) (Q x))))",
        "assertion 1: two conclusions",
    );
    refused(
        "(assert (forall ((x Int)) (=> (= (P x) (Q x)) false)))",
        "a predicate in a place where no Horn clause has one",
    );
    refused(
        "(assert (exists ((x Int)) (P x)))",
        "f.smt2:2:10: unsupported: `exists`",
    );
    refused(
        "(assert (forall ((x Int)) (=> (forall ((y Int)) (P y)) (Q x))))",
        "unsupported: `forall`",
    );
    refused(
        "(assert (forall ((x Int)) (=> (P x) (forall ((y Int)) (Q y)) (Q x))))",
        "a quantifier in the middle of `=>`",
    );
    refused(
        "(assert (forall ((x Int)) (= (forall ((y Int)) (P y)) (Q x))))",
        "unsupported: `forall`",
    );
    refused(
        "(declare-fun f (Int) Int)(assert (forall ((x Int)) (P (f x))))",
        "the function `f` is no predicate",
    );
    refused(
        "(declare-const c Int)(assert (P c))",
        "`c` is a constant of no clause",
    );
    refused(
        "(declare-fun R (Bool) Bool)(assert (forall ((x Int)) (R (P x))))",
        "a predicate in an argument",
    );
    refused("(assert (forall ((x Int)) (P y)))", "unknown symbol `y`");
    refused(
        "(assert (forall ((x Real)) (P 1)))",
        "unsupported sort `Real`",
    );
    refused("(assert (forall ((x Int)) (P x)", "f.smt2:2:");
    refused("(push 1)", "only `check-sat` and `get-model`");
    // And what is one.
    for fine in [
        "(assert (forall ((x Int)) (=> (exists ((y Int)) (and (P y) (> y x))) (Q x))))",
        "(assert (forall ((x Int)) (forall ((y Int)) (=> (P y) (=> (Q x) (P (+ x y)))))))",
        "(assert (forall ((x Int)) (=> (P x) (ite (> x 0) (Q x) (Q (- x))))))",
        "(assert (forall ((x Int)) (=> (or (P x) (and (Q x) (> x 1))) (Q (+ x 1)))))",
    ] {
        assert_eq!(with(fine), Ok(()), "{fine}");
    }
}

/// A variable of a clause is no predicate that is declared later with a name like it.
#[test]
fn variables_keep_apart_from_predicates() {
    let text = "(set-logic HORN)
(declare-fun P (Bool) Bool)
(assert (forall ((b Bool)) (=> b (P b))))
(declare-fun |b!0| () Bool)
(declare-fun |b!1| () Bool)
(assert |b!0|)
(assert (=> (and (P true) |b!0|) false))
(check-sat)
";
    assert_eq!(answer(text).0, "unsat");
    let safe = text.replace("(and (P true) |b!0|)", "(and (P false) |b!1|)");
    assert_eq!(answer(&safe).0, "sat");
}

/// Damages texts at random, and solves what is still a file.
fn damaged(count: u64) {
    let files = [COUNTERS, INTEGERS, RECURSION, ARRAYS, FLAGS];
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut next = |below: usize| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    let (mut read_well, mut answered) = (0, 0);
    for number in 0..count {
        let mut words: Vec<String> = Vec::new();
        let text = files[next(files.len())]
            .replace('(', " ( ")
            .replace(')', " ) ");
        words.extend(text.split_whitespace().map(str::to_owned));
        for _ in 0..1 + next(3) {
            // Parentheses are changed now and then: a text whose parentheses do not match is no script.
            let mut place = || loop {
                let place = next(words.len());
                if !matches!(words[place].as_str(), "(" | ")") || next(20) == 0 {
                    return place;
                }
            };
            let (here, there) = (place(), place());
            match next(5) {
                0 | 1 => words[here] = words[there].clone(),
                2 => words.swap(here, there),
                3 => drop(words.remove(here)),
                _ => {
                    let other = [
                        "#xff", "*", "div", "5", "x", "forall", "=", "bvmul", "or", "P",
                    ];
                    words[here] = other[next(other.len())].to_owned();
                }
            }
        }
        let text = words.join(" ");
        let Ok((mut terms, file)) = read(&text) else {
            continue;
        };
        read_well += 1;
        let options = HornOptions {
            limits: Limits {
                time: Some(Duration::from_millis(200)),
                memory: None,
            },
            ..HornOptions::default()
        };
        match solve_in_turn(&mut terms, &file.system, attempts(None), &options) {
            Ok(HornAnswer::Safe(_) | HornAnswer::Unsafe(_)) => answered += 1,
            Ok(HornAnswer::Unknown(_)) => {}
            Err(error @ solve::SolveError::Unsound { .. }) => panic!("{number}: {error}\n{text}"),
            Err(_) => {} // A sentence.
        }
    }
    assert!(read_well * 30 > count, "{read_well} of {count} were read");
    assert!(
        answered * 2 > read_well,
        "{answered} of {read_well} were answered"
    );
}

#[test]
fn damaged_files_do_no_harm() {
    damaged(100);
}

#[test]
#[ignore = "long: a thousand damaged files"]
fn a_thousand_damaged_files_do_no_harm() {
    damaged(1000);
}
