//! `selkie horn`: files of clauses, and the clauses of programs.

use std::path::{Path, PathBuf};
use std::process::Command;

fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("horn-{name}"));
    std::fs::write(&path, text).expect("the file is written");
    path
}

/// Exit code, standard output and messages.
fn horn(options: &[&str], file: &Path) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
        .arg("horn")
        .args(options)
        .arg(file)
        .output()
        .expect("selkie runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

const COUNTER: &str = "(set-logic HORN)
(declare-fun P ((_ BitVec 32) (_ BitVec 32)) Bool)
(assert (forall ((n (_ BitVec 32))) (=> (bvslt #x00000000 n) (P #x00000000 n))))
(assert (forall ((i (_ BitVec 32)) (n (_ BitVec 32))) (=> (and (P i n) (bvslt i n)) (P (bvadd i #x00000001) n))))
(assert (forall ((i (_ BitVec 32)) (n (_ BitVec 32))) (=> (and (P i n) (bvslt n i)) false)))
(check-sat)
";

#[test]
fn files_are_solved() {
    let safe = file("safe.smt2", COUNTER);
    let (code, said, messages) = horn(&["--model"], &safe);
    assert_eq!(code, Some(0), "{messages}");
    assert!(said.starts_with("sat\n(\n  (define-fun P ("), "{said}");
    assert_eq!(horn(&["--ints", "math"], &safe).1, "sat\n");
    let reached = COUNTER.replace("(bvslt n i)", "(= i #x00000003)");
    let (code, said, _) = horn(&["--model"], &file("unsafe.smt2", &reached));
    assert_eq!(code, Some(0));
    assert!(
        said.starts_with("unsat\n; 0: assertion 1, with n"),
        "{said}"
    );
    assert_eq!(
        said.lines()
            .last()
            .map(|line| line.contains("assertion 3, from 3")),
        Some(true)
    );
    // Squares grow without a bound that anybody finds.
    let hard = "(set-logic HORN)
(declare-fun P (Int Int) Bool)
(assert (P 2 3))
(assert (forall ((a Int) (b Int)) (=> (P a b) (P (+ (* a a) (* 2 b b)) (+ (* a b) 1)))))
(assert (forall ((a Int) (b Int)) (=> (and (P a b) (= (* a a a) (+ (* b b) 77))) false)))
(check-sat)
";
    let (code, said, messages) = horn(&["--timeout", "1"], &file("hard.smt2", hard));
    assert_eq!((code, said.as_str()), (Some(5), "unknown\n"), "{messages}");
    assert!(messages.starts_with("unknown: "), "{messages}");
}

#[test]
fn what_is_no_file_of_clauses_is_refused() {
    let refused = |name: &str, text: &str, code: i32, part: &str| {
        let (actual, said, messages) = horn(&[], &file(name, text));
        assert_eq!((actual, said.as_str()), (Some(code), ""), "{messages}");
        assert!(messages.starts_with("error: "), "{messages}");
        assert!(messages.contains(part), "{messages}");
    };
    refused("half.smt2", &COUNTER[..200], 2, "half.smt2:");
    let inside = COUNTER.replace("(bvslt n i)", "(= (P i n) (P n i))");
    refused(
        "inside.smt2",
        &inside,
        2,
        "assertion 3: a predicate in a place",
    );
    let two = COUNTER.replace("false)", "(or (P n n) (P i i)))");
    refused("two.smt2", &two, 2, "two conclusions");
    let real = COUNTER.replace("(_ BitVec 32)", "Real");
    refused("real.smt2", &real, 2, "unsupported sort `Real`");
    let missing = Path::new("no-such-file.smt2");
    assert_eq!(horn(&[], missing).0, Some(2));
    assert_eq!(horn(&["--ints", "roman"], missing).0, Some(1));
}

/// The clauses of a program say of it what the verifier says, over bit-vectors and over integers, and Z3 reads them so too.
#[test]
fn clauses_of_programs_are_written() {
    let source = "#include <selkie.h>
int main(void) {
    unsigned n = sk_nondet_uint(), x = 0, y = 0;
    while (x < n) { x++; y++; }
    sk_assert(x == y);
}
";
    for (name, source, expected) in [
        ("emit.c", source.to_owned(), "sat"),
        ("emit-bug.c", source.replace("y++", "y += x != 4"), "unsat"),
    ] {
        let program = file(name, &source);
        for ints in ["bv", "math"] {
            let (code, text, messages) = horn(&["--emit", "--ints", ints], &program);
            assert_eq!(code, Some(0), "{messages}");
            let sort = if ints == "bv" { "(_ BitVec 32)" } else { "Int" };
            assert!(
                text.contains(&format!(
                    "(declare-fun head1{} ({sort} ",
                    if ints == "bv" { "" } else { ".int" }
                )),
                "{text}"
            );
            assert_eq!(solve::backends::z3_says(&text).trim(), expected, "{text}");
            let again = file(&format!("{name}-{ints}.smt2"), &text);
            assert_eq!(horn(&[], &again).1, format!("{expected}\n"), "{text}");
        }
    }
    let bounded = file("bounded.c", &source.replace("sk_nondet_uint()", "5"));
    let (code, said, messages) = horn(&["--emit"], &bounded);
    assert_eq!((code, said.as_str()), (Some(5), ""));
    assert!(messages.contains("a bound suffices"), "{messages}");
}

const BRANCHES: &str = "#include <selkie.h>
int last;
int main(void) {
    unsigned n = sk_nondet_uint(), x = 0, y = 0;
    int a[4] = {1, 2, 3, 4}, *p = &a[0];
    while (x < n) {
        x++;
        if (sk_nondet_bool()) { y += 2; p = &a[y & 3]; } else { y++; last++; p = &a[1]; }
        last--;
    }
    sk_assert(*p < 5);
    sk_assert(last <= 0);
}
";

/// How many predicates there are, and how many of them are no head of a loop; and the greatest number of arguments.
fn predicates(text: &str) -> (usize, usize, usize) {
    let lines = text.lines();
    let lines: Vec<&str> = lines
        .filter(|line| line.starts_with("(declare-fun "))
        .collect();
    let blocks = lines.iter().filter(|line| line.contains(".b"));
    let most = lines
        .iter()
        .map(|line| line.matches("_ BitVec").count() + line.matches("Bool").count() - 1);
    (lines.len(), blocks.count(), most.max().unwrap_or_default())
}

#[test]
fn small_steps_have_a_predicate_for_each_block() {
    let program = file("small.c", BRANCHES);
    let emit = |step: &str, track: &str| {
        let options = [
            "--emit", "--check", "assert", "--step", step, "--track", track,
        ];
        let (code, text, messages) = horn(&options, &program);
        assert_eq!(code, Some(0), "{messages}");
        text
    };
    let (large, small) = (emit("large", "mem"), emit("small", "mem"));
    assert_eq!(
        (predicates(&large).0, predicates(&large).1),
        (1, 0),
        "{large}"
    );
    let (all, blocks, _) = predicates(&small);
    assert!(blocks >= 2 && all == blocks + 1, "{small}");
    // What predicates speak of grows with the level; what they say differs.
    let count = |track: &str| predicates(&emit("large", track)).2;
    let levels = [count("reg"), count("ptr"), count("mem")];
    assert!(levels.is_sorted_by(|a, b| a < b), "{levels:?}");
}

/// Both say the same, whoever reads it.
#[test]
fn small_and_large_steps_agree() {
    let source = "#include <selkie.h>
int main(void) {
    unsigned n = sk_nondet_uint(), x = 0, y = 0;
    while (x < n) { x++; if (sk_nondet_bool()) y++; else y += 1; }
    sk_assert(x == y);
}
";
    for (name, source, expected) in [
        ("steps.c", source.to_owned(), "sat"),
        ("steps-bug.c", source.replace("y++", "y += x != 4"), "unsat"),
    ] {
        let program = file(name, &source);
        for step in ["large", "small"] {
            let (_, text, messages) = horn(&["--emit", "--step", step], &program);
            assert!(text.contains("declare-fun"), "{messages}");
            assert_eq!(solve::backends::z3_says(&text).trim(), expected, "{text}");
        }
    }
}
