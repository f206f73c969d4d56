//! Odd programs, with every switch: random ones whose verdicts are known from running them for every input, and
//! canaries in the programs of the corpus. No answer may be wrong; an unknown one is counted, and not too many are.

use std::path::{Path, PathBuf};

use xtask::canaries::Flock;
use xtask::odd::referee::{Judgement, Verifier, referee};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Asks `count` questions about as many programs, or about as many as are needed if each gives several.
fn ask(name: &str, seed: u64, count: usize, questions: usize) {
    let verifier = Verifier {
        program: PathBuf::from(env!("CARGO_BIN_EXE_selkie")),
        timeout: 20,
        questions,
        only: None,
        folder: folder(name),
    };
    let summary = referee(&verifier, seed, 0, count, 2, &|_| {}).expect("programs can be made");
    println!("{:?} {:?}", summary.counts, summary.kinds);
    let lines: Vec<&str> = summary
        .complaints
        .iter()
        .filter(|complaint| complaint.judgement > Judgement::Other)
        .map(|complaint| complaint.line.as_str())
        .collect();
    assert!(lines.is_empty(), "{}", lines.join("\n"));
    let right = summary.count(Judgement::Right);
    assert!(2 * right > count, "only {right} of {count} answered");
}

/// Lets canaries go.
fn release(name: &str, count: usize) {
    let flock = Flock {
        root: Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."),
        verifier: PathBuf::from(env!("CARGO_BIN_EXE_selkie")),
        timeout: 20,
        folder: folder(name),
    };
    let summary = flock
        .release(count, 1, &|_| {})
        .expect("programs can be run");
    println!("{} canaries, none in {:?}", summary.asked, summary.silent);
    assert!(
        summary.complaints.is_empty(),
        "{}",
        summary.complaints.join("\n")
    );
    assert!(
        summary.asked >= count.min(100),
        "only {} canaries",
        summary.asked
    );
    assert!(
        summary.silent.len() * 10 < summary.asked,
        "none in {:?}",
        summary.silent
    );
}

#[test]
fn fifty_odd_programs_are_not_answered_wrong() {
    ask("odd", 1, 50, 1);
}

#[test]
fn no_canary_is_proved() {
    release("canaries", 40);
}

#[test]
#[ignore = "long: ./x test --long"]
fn a_thousand_odd_questions_are_not_answered_wrong() {
    ask("odd-long", 2, 1000, 4);
}

#[test]
#[ignore = "long: ./x test --long"]
fn no_canary_anywhere_is_proved() {
    release("canaries-long", usize::MAX);
}
