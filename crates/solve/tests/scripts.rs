//! SMT-LIB scripts: text in, text out.

use solve::script::run_text;
use solve::{Limits, ScriptError, ScriptOptions};

fn run_with(backend: &str, text: &str) -> Result<String, ScriptError> {
    let options = ScriptOptions {
        backend: backend.into(),
        ..ScriptOptions::default()
    };
    let mut out = Vec::new();
    run_text("test.smt2", text, &options, &mut out)?;
    Ok(String::from_utf8(out).expect("answers are text"))
}

/// Runs a script with every back end.
fn check(text: &str, expected: &str) {
    for backend in ["bitwuzla", "z3", "smtlib:cvc5"] {
        let answers = run_with(backend, text).unwrap_or_else(|error| panic!("{backend}: {error}"));
        assert_eq!(answers, expected, "{backend}");
    }
}

fn refused(text: &str, expected: &str) {
    let error = run_with("bitwuzla", text).expect_err("the script must be refused");
    assert_eq!(error.to_string(), expected);
}

#[test]
fn answers_values_and_models() {
    check(
        "(set-logic QF_ABV)
         (declare-const x (_ BitVec 8))
         (declare-fun m () (Array (_ BitVec 8) (_ BitVec 8)))
         (declare-fun f ((_ BitVec 8)) Bool)
         (assert (= (bvmul x #x03) #x0f))
         (assert (= m (store ((as const (Array (_ BitVec 8) (_ BitVec 8))) #x00) x #x07)))
         (assert (f x))
         (check-sat)
         (get-value (x (bvadd x #x01) (select m #x05)))
         (get-model)",
        "sat
((x #x05)
 ((bvadd x #x01) #x06)
 ((select m #x05) #x07))
(
  (define-fun x () (_ BitVec 8) #x05)
  (define-fun m () (Array (_ BitVec 8) (_ BitVec 8)) (store ((as const (Array (_ BitVec 8) (_ BitVec 8))) #x00) #x05 #x07))
  (define-fun f ((x0 (_ BitVec 8))) Bool (ite (= x0 #x05) true false))
)
",
    );
}

#[test]
fn levels_echoes_and_cores() {
    check(
        "(set-option :produce-unsat-cores true)
         (declare-const p Bool) (declare-const q Bool) (declare-const r Bool)
         (assert (! (or p q) :named first))
         (push 1)
         (assert (! (not p) :named second))
         (assert (! r :named third))
         (assert (! (not q) :named fourth))
         (check-sat) (get-unsat-core)
         (pop 1)
         (echo \"now \"\"sat\"\"\")
         (check-sat)
         (check-sat-assuming ((not p) r (not q)))
         (get-unsat-assumptions)
         (exit)
         (check-sat)",
        "unsat\n(first second fourth)\n\"now \"\"sat\"\"\"\nsat\nunsat\n((not p) (not q))\n",
    );
}

#[test]
fn mistakes_have_a_place() {
    refused("(assert (= x 1))", "test.smt2:1:12: unknown symbol `x`");
    refused(
        "(check-sat)\n\n  (frobnicate)",
        "test.smt2:3:4: unsupported command `frobnicate`",
    );
    refused(
        "(set-logic QF_STRINGS)",
        "test.smt2:1:12: unsupported logic `QF_STRINGS`",
    );
    refused("(check-sat", "test.smt2:1:11: unexpected end of input");
}

#[test]
fn commands_at_the_wrong_time_are_refused() {
    let message = "there is no model to get: the last check does not provide one";
    refused("(get-model)", message);
    refused("(assert false) (check-sat) (get-model)", message);
    refused("(check-sat) (push 1) (get-value (true))", message);
    refused(
        "(check-sat) (get-unsat-core)",
        "there is no unsat core to get: the last check does not provide one",
    );
}

#[test]
fn what_a_back_end_cannot_express_is_an_error_and_no_answer() {
    refused(
        "(declare-const x Int) (assert (< x 3)) (check-sat)",
        "bitwuzla cannot express integers",
    );
    let answers = run_with(
        "z3",
        "(declare-const x Int) (assert (< 1 x 3)) (check-sat) (get-value (x))",
    );
    assert_eq!(answers.expect("z3 has integers"), "sat\n((x 2))\n");
}

#[test]
fn the_reason_of_an_unknown_is_told() {
    let limits = Limits {
        time: Some(std::time::Duration::from_millis(100)),
        memory: None,
    };
    let mut options = ScriptOptions::default();
    options.config.limits = limits;
    let mut out = Vec::new();
    let text = "(declare-const x (_ BitVec 64)) (declare-const y (_ BitVec 64))
         (assert (bvugt x #x0000000000000001)) (assert (bvugt y #x0000000000000001))
         (assert (= (bvmul ((_ zero_extend 64) x) ((_ zero_extend 64) y)) (_ bv2305843009213693951 128)))
         (check-sat)";
    let reasons = run_text("test.smt2", text, &options, &mut out).expect("runs");
    assert_eq!(reasons, vec![solve::Reason::Timeout]);
    assert_eq!(out, b"unknown\n");
}
