//! Proofs and the search for violations, each in a process of its own: nothing that one of them does, or claims, makes the answer wrong.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// True, by induction; no bound is enough.
const HOLDS: &str = "extern unsigned sk_nondet_uint(void);
extern void sk_assert(_Bool);
int main(void) {
    unsigned n = sk_nondet_uint(), i = 0, j = 0;
    while (i < n) { i++; j += 2; }
    sk_assert(j == 2 * i);
    return 0;
}
";

/// The same, and false after more rounds than are tried at first.
const FAILS: &str = "extern unsigned sk_nondet_uint(void);
extern void sk_assert(_Bool);
int main(void) {
    unsigned n = sk_nondet_uint(), i = 0, j = 0;
    while (i < n) { i++; j += 2; }
    sk_assert(j == 2 * i);
    sk_assert(n != 40u || j != 80u);
    return 0;
}
";

fn file(name: &str, source: &str) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("beside-{name}.c"));
    std::fs::write(&file, source).expect("the program is written");
    file
}

fn start(file: &Path, options: &[&str], fault: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_selkie"))
        .args(["verify", "--jobs", "2"])
        .args(options)
        .arg(file)
        .env("SELKIE_TEST_FAULT", fault)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("selkie runs")
}

fn last_line(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().last().unwrap_or_default().to_owned()
}

fn answer(name: &str, source: &str, seconds: &str, fault: &str) -> String {
    let file = file(name, source);
    let child = start(&file, &["--stop-at-first", "--timeout", seconds], fault);
    last_line(&child.wait_with_output().expect("selkie ends"))
}

/// The parts that work on a file.
fn parts(file: &Path) -> Vec<u32> {
    let mut list = Vec::new();
    for entry in std::fs::read_dir("/proc").expect("Linux").flatten() {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line);
        let mut words = line.split('\0');
        if words.nth(1) == Some("part") && words.any(|word| Path::new(word) == file) {
            let name = entry.file_name();
            list.extend(name.to_str().and_then(|name| name.parse::<u32>().ok()));
        }
    }
    list
}

fn wait_for(what: &str, mut done: impl FnMut() -> bool) {
    for _ in 0..6000 {
        if done() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("in a minute: {what}");
}

#[test]
fn both_answer_together() {
    assert_eq!(answer("holds", HOLDS, "100", ""), "RESULT: true");
    assert_eq!(answer("fails", FAILS, "100", ""), "RESULT: false(assert)");
}

#[test]
fn a_part_that_ends_takes_no_more_than_its_own_answer_with_it() {
    // The proof needs the one part alone.
    for fault in ["part-search-abort", "part-search-panic"] {
        assert_eq!(answer(fault, HOLDS, "100", fault), "RESULT: true");
    }
    for fault in ["part-proofs-abort", "part-proofs-panic"] {
        let said = answer(fault, HOLDS, "3", fault);
        let honest = ["RESULT: unknown(timeout)", "RESULT: error(internal)"];
        assert!(honest.contains(&said.as_str()), "{fault}: {said}");
    }
}

#[test]
fn a_part_that_lies_proves_nothing() {
    for part in ["proofs", "search"] {
        let fault = format!("part-{part}-lie");
        assert_eq!(
            answer(&fault, FAILS, "100", &fault),
            "RESULT: false(assert)"
        );
    }
    let said = answer("lie", HOLDS, "3", "part-proofs-lie");
    assert_eq!(said, "RESULT: unknown(timeout)");
}

#[test]
fn whatever_ends_the_command_ends_its_parts() {
    // No invariant of ours proves it, and no bound.
    let source = "extern unsigned sk_nondet_uint(void);
extern void sk_assert(_Bool);
int main(void) {
    unsigned n = sk_nondet_uint(), x = sk_nondet_uint(), i = 0;
    while (i < n) { i++; x = x * x * x + (x >> 3) * 7 + i; }
    sk_assert(x != 0xdeadbeefu || n < 90000);
    return 0;
}
";
    // Others may be ignored where the tests are run in the background.
    for name in ["INT", "TERM", "KILL"] {
        let file = file(&format!("signal-{name}"), source);
        let mut child = start(&file, &["--timeout", "60"], "");
        wait_for("the parts are there", || parts(&file).len() == 2);
        let done = Command::new("kill")
            .args(["-s", name, &child.id().to_string()])
            .status();
        assert!(done.expect("kill runs").success());
        child.wait().expect("selkie ends");
        wait_for("the parts are gone", || parts(&file).is_empty());
    }
}

#[test]
fn a_part_that_is_killed_is_not_missed() {
    let file = file("killed", HOLDS);
    let child = start(&file, &["--timeout", "100"], "part-proofs-wait");
    wait_for("the parts are there", || parts(&file).len() == 2);
    let search = parts(&file).into_iter().find(|pid| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).split('\0').nth(2) == Some("search")
    });
    let search = search.expect("one of them searches").to_string();
    let done = Command::new("kill").args(["-s", "KILL", &search]).status();
    assert!(done.expect("kill runs").success());
    let output = child.wait_with_output().expect("selkie ends");
    assert_eq!(last_line(&output), "RESULT: true");
}
