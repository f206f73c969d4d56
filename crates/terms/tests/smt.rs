//! SMT-LIB: what is read, what is refused and where, and what is printed.

use terms::smt::{Command, Reader, Script, Writer};
use terms::{Level, Sort, Terms};

/// Reads a script at level 0 and prints its assertions, one per line.
fn check(text: &str, expected: &[&str]) {
    let mut terms = Terms::with_level(Level::Off);
    let script =
        Script::read(&mut terms, "in.smt2", text).unwrap_or_else(|error| panic!("{error}"));
    let asserted = script.commands.iter().filter_map(|command| match command {
        Command::Assert(t) => Some(terms.to_smt(*t)),
        _ => None,
    });
    assert_eq!(asserted.collect::<Vec<_>>(), expected);
}

/// Checks the error of a script.
fn refuse(text: &str, expected: &str) {
    let mut terms = Terms::new();
    match Script::read(&mut terms, "in.smt2", text) {
        Ok(script) => panic!("{text} was read: {script:?}"),
        Err(error) => assert_eq!(error.to_string(), expected),
    }
}

#[test]
fn bit_vectors_are_read() {
    check(
        "(declare-const x (_ BitVec 8)) (declare-fun y () (_ BitVec 8))
         (assert (= (bvadd x y #x01) (bvsub x (_ bv3 8)))) ; two sums
         (assert (bvugt x y)) (assert (bvsle ((_ extract 3 0) x) ((_ extract 7 4) y)))
         (assert (= ((_ zero_extend 8) x) (concat x y))) (assert (= #b101 ((_ rotate_left 1) #b011)))
         (assert (bvusubo x y)) (assert (bvnego x)) (assert (distinct x y #x00))",
        &[
            "(= (bvadd (bvadd x y) #x01) (bvsub x #x03))",
            "(bvult y x)",
            "(bvsle ((_ extract 3 0) x) ((_ extract 7 4) y))",
            "(= ((_ zero_extend 8) x) (concat x y))",
            "(= #b101 (concat ((_ extract 1 0) #b011) ((_ extract 2 2) #b011)))",
            "(bvult x y)",
            "(= x #x80)",
            "(and (and (not (= x y)) (not (= x #x00))) (not (= y #x00)))",
        ],
    );
}

#[test]
fn integers_arrays_and_functions_are_read() {
    check(
        "(declare-const a (Array Int (Array Int Bool))) (declare-const |odd name| Int)
         (declare-fun f (Int Int) Int)
         (define-fun twice ((n Int)) Int (* 2 n)) (define-const five Int 5) (define-sort Word () (_ BitVec 16))
         (declare-const w Word)
         (assert (select (select a (twice five)) (- |odd name|)))
         (assert (= (f 1 (- 2)) (div five 2) (ite (< 1 2 3) (bv2nat w) (abs 3))))
         (assert (= a (store a 0 ((as const (Array Int Bool)) false))))",
        &[
            "(select (select a (* 2 5)) (- |odd name|))",
            "(let (($t16 (div 5 2))) (and (= (f 1 (- 2)) $t16) \
             (= $t16 (ite (and (< 1 2) (< 2 3)) (bv2nat w) (ite (< 3 0) (- 3) 3)))))",
            "(= a (store a 0 ((as const (Array Int Bool)) false)))",
        ],
    );
}

#[test]
fn floats_are_read() {
    check(
        "(declare-const f Float32) (declare-const d (_ FloatingPoint 11 53))
         (assert (fp.lt (fp.add RNE f ((_ to_fp 8 24) RNE 0.5)) ((_ to_fp 8 24) roundTowardZero d)))
         (assert (= f (_ NaN 8 24))) (assert (fp.isNaN (fp #b0 #xff #b10000000000000000000000)))
         (assert (fp.eq f ((_ to_fp 8 24) RNE (- (/ 1.0 3.0)))))",
        &[
            "(fp.lt (fp.add RNE f (fp #b0 #b01111110 #b00000000000000000000000)) ((_ to_fp 8 24) RTZ d))",
            "(= f (_ NaN 8 24))",
            "(fp.isNaN (_ NaN 8 24))",
            "(fp.eq f (fp #b1 #b01111101 #b01010101010101010101011))",
        ],
    );
}

#[test]
fn lets_shadow_and_do_not_see_each_other() {
    check(
        "(declare-const x Bool) (declare-const y Bool)
         (assert (let ((x y) (y x)) (and x (let ((y (not x)) (z x)) (or y z)) y)))
         (assert (! (or x y) :named a :pattern (x))) (assert (not a))",
        &[
            "(and (and y (or (not y) y)) x)",
            "(or x y)",
            "(not (or x y))",
        ],
    );
}

#[test]
fn scopes_forget_their_declarations() {
    let text = "(push 1) (declare-const x Bool) (assert x) (pop 1) (declare-const x Int) (assert (< x 0)) (push) (pop)
                (get-value (x (+ x 1))) (check-sat-assuming ((= x 1))) (echo \"a \"\"b\"\"\") (set-info :status sat) (exit)";
    let mut terms = Terms::new();
    let script = Script::read(&mut terms, "in.smt2", text).expect("well-formed");
    let sorts: Vec<Sort> = script
        .vars
        .iter()
        .map(|&(_, var)| terms.sort(var))
        .collect();
    assert_eq!(sorts, [Sort::Bool, Sort::Int]);
    assert!(script.commands.contains(&Command::Echo("a \"b\"".into())));
    assert!(
        script
            .commands
            .contains(&Command::SetInfo("status".into(), "sat".into()))
    );
    let asked = script.commands.iter().find_map(|command| match command {
        Command::GetValue(asked) => Some(
            asked
                .iter()
                .map(|(_, text)| text.as_str())
                .collect::<Vec<_>>(),
        ),
        _ => None,
    });
    assert_eq!(asked, Some(vec!["x", "(+ x 1)"]));
}

#[test]
fn malformed_text_is_refused_with_its_place() {
    refuse(
        "(assert\n  (and true",
        "in.smt2:2:12: unexpected end of input",
    );
    refuse(
        "(declare-const x Bool)\n(assert (or x z))",
        "in.smt2:2:15: unknown symbol `z`",
    );
    refuse("(assert true))", "in.smt2:1:14: expected a command");
    refuse(
        "(declare-const x (_ BitVec 8)) (assert x)",
        "in.smt2:1:40: expected a term of sort Bool, found (_ BitVec 8)",
    );
    refuse(
        "(declare-const é Bool)",
        "in.smt2:1:16: unexpected character 'é'",
    );
    refuse("(assert (= \"é\" #q))", "in.smt2:1:12: expected a term");
    refuse(
        "(assert (= #b01 #q1))",
        "in.smt2:1:17: malformed constant after `#`",
    );
    refuse("(assert (= 01x 1))", "in.smt2:1:12: malformed number");
    refuse("(assert |ab", "in.smt2:1:9: a quoted symbol does not end");
    refuse(
        "(assert (= #x0 #x00))",
        "in.smt2:1:10: `=`: the arguments have different sorts",
    );
    refuse(
        "(assert (not true false))",
        "in.smt2:1:10: `not`: takes 1 arguments, not 2",
    );
    refuse(
        "(assert (bvult #x0 #x00))",
        "in.smt2:1:10: `bvult`: an argument has sort (_ BitVec 8), not (_ BitVec 4)",
    );
    refuse(
        "(assert (= #b1 ((_ extract 4 0) #x0)))",
        "in.smt2:1:18: `extract`: the bits do not exist in 4 bits",
    );
    refuse(
        "(assert (frob true))",
        "in.smt2:1:10: `frob`: unknown function",
    );
    refuse(
        "(assert (= (_ bv9 3) (_ bv9 3)))",
        "in.smt2:1:12: `bv9`: the number does not fit the bit-vector's width",
    );
    refuse("(pop 1)", "in.smt2:1:2: a `pop` without `push`");
    refuse(
        "(declare-const x Bool) (declare-const x Int)",
        "in.smt2:1:39: `x` is declared twice",
    );
    refuse(
        "(define-fun f () Int true)",
        "in.smt2:1:22: the body has sort Bool, not Int",
    );
    refuse(
        "(declare-fun f (Int) Int) (assert (= (f 1 2) 1))",
        "in.smt2:1:39: `f`: takes 1 arguments, not 2",
    );
    refuse(
        "(assert (let ((x true)) x)",
        "in.smt2:1:27: unexpected end of input",
    );
}

#[test]
fn what_is_not_supported_is_an_error() {
    refuse(
        "(set-logic QF_LRA)",
        "in.smt2:1:12: unsupported logic `QF_LRA`",
    );
    refuse("(set-logic BV)", "in.smt2:1:12: unsupported logic `BV`");
    refuse(
        "(set-logic QF_SLIA)",
        "in.smt2:1:12: unsupported logic `QF_SLIA`",
    );
    refuse(
        "(declare-datatypes ((L 0)) ())",
        "in.smt2:1:2: unsupported command `declare-datatypes`",
    );
    refuse(
        "(minimize x)",
        "in.smt2:1:2: unsupported command `minimize`",
    );
    refuse(
        "(declare-const x Real)",
        "in.smt2:1:18: unsupported sort `Real`",
    );
    refuse(
        "(assert (forall ((x Bool)) x))",
        "in.smt2:1:10: unsupported: `forall`",
    );
    refuse(
        "(assert (= 1.5 1.5))",
        "in.smt2:1:10: `=`: unsupported: real numbers",
    );
    refuse(
        "(declare-const r RoundingMode)",
        "in.smt2:1:18: unsupported sort `RoundingMode`",
    );
    refuse(
        "(declare-const x (_ BitVec 0))",
        "in.smt2:1:21: unsupported width 0",
    );
    for logic in [
        "QF_BV",
        "QF_AUFBV",
        "QF_ABVFP",
        "QF_UFLIA",
        "QF_AX",
        "ALL",
        "QF_AUFBVFPNIA",
    ] {
        let mut terms = Terms::new();
        Script::read(&mut terms, "in.smt2", &format!("(set-logic {logic})"))
            .expect("a supported logic");
    }
}

#[test]
fn a_script_shares_what_is_shared() {
    let mut terms = Terms::with_level(Level::Off);
    let x = terms.var("x", Sort::BitVec(8));
    let mut sum = x;
    for _ in 0..3 {
        sum = terms.add(sum, sum);
    }
    let goal = terms.eq(sum, x);
    assert_eq!(
        Writer::script(&terms, "QF_BV", &[goal]),
        "(set-logic QF_BV)\n(declare-const x (_ BitVec 8))\n\
         (define-fun $t3 () (_ BitVec 8) (bvadd x x))\n(define-fun $t4 () (_ BitVec 8) (bvadd $t3 $t3))\n\
         (assert (= (bvadd $t4 $t4) x))\n(check-sat)\n"
    );
}

#[test]
fn a_writer_repeats_after_pop_only_what_was_forgotten() {
    let mut terms = Terms::with_level(Level::Off);
    let (p, q) = (terms.var("p", Sort::Bool), terms.var("q", Sort::Bool));
    let (mut writer, mut out) = (Writer::new(), String::new());
    writer.define(&terms, &[p], &mut out);
    writer.push();
    writer.define(&terms, &[p, q], &mut out);
    writer.pop();
    writer.define(&terms, &[p, q], &mut out);
    assert_eq!(
        out,
        "(declare-const p Bool)\n(declare-const q Bool)\n(declare-const q Bool)\n"
    );
}

#[test]
fn an_image_of_a_float_is_declared_in_scripts() {
    let mut terms = Terms::with_level(Level::Off);
    let f = terms.var("f", Sort::float(2, 3));
    let image = terms.fp_to_bits(f);
    let zero = terms.bv_u64(0, 5);
    let goal = terms.eq(image, zero);
    assert_eq!(
        Writer::script(&terms, "QF_BVFP", &[goal]),
        "(set-logic QF_BVFP)\n(declare-const f (_ FloatingPoint 2 3))\n(declare-const $t3 (_ BitVec 5))\n\
         (assert (= ((_ to_fp 2 3) $t3) f))\n(assert (or (not (fp.isNaN f)) (= $t3 #b01110)))\n\
         (assert (= $t3 #b00000))\n(check-sat)\n"
    );
}

#[test]
fn odd_names_are_quoted_and_read_back() {
    let mut terms = Terms::new();
    for name in ["a b", "1x", "let", "", "é", "x|y\\z", "_", "p.q!0"] {
        let var = terms.var(name, Sort::Bool);
        let text = terms.to_smt(var);
        let plain = terms.var_name(var).expect("a variable").to_string();
        let mut reader = Reader::new(&mut terms, "in.smt2", &text);
        reader.define(&plain, var);
        assert_eq!(reader.only_term(), Ok(var), "{text}");
    }
}

#[test]
fn a_deep_term_is_printed_and_read_without_recursion() {
    let mut terms = Terms::with_level(Level::Off);
    let x = terms.var("x", Sort::BitVec(8));
    let mut deep = x;
    for _ in 0..100_000 {
        deep = terms.bvnot(deep);
    }
    let text = terms.to_smt(deep);
    let mut reader = Reader::new(&mut terms, "in.smt2", &text);
    reader.define("x", x);
    assert_eq!(reader.only_term(), Ok(deep));
    let nested = "(bvnot ".repeat(100_000) + "x" + &")".repeat(100_000);
    let mut reader = Reader::new(&mut terms, "in.smt2", &nested);
    reader.define("x", x);
    assert_eq!(reader.only_term(), Ok(deep));
    assert_eq!(terms.depth(deep), 100_001);
}
