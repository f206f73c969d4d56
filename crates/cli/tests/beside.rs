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

fn send(name: &str, pid: u32) {
    let pid = pid.to_string();
    let done = Command::new("kill").args(["-s", name, &pid]).status();
    assert!(done.expect("kill runs").success(), "kill -s {name} {pid}");
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
fn a_part_that_speaks_of_another_program_is_not_listened_to() {
    for part in ["proofs", "search"] {
        for kind in ["other", "short"] {
            let fault = format!("part-{part}-{kind}");
            let said = answer(&fault, FAILS, "100", &fault);
            assert_eq!(said, "RESULT: false(assert)", "{fault}");
        }
    }
    let said = answer("other", HOLDS, "3", "part-proofs-other");
    assert_eq!(said, "RESULT: unknown(timeout)");
    let said = answer("short", HOLDS, "100", "part-search-short");
    assert_eq!(said, "RESULT: true");
}

#[test]
fn executions_break_what_a_part_has_made_up() {
    // After more rounds than are tried at first, and for most inputs.
    let wrong = [50, 40, 30, 20].map(|most| format!("sk_assert(n < {most}u || j != 2 * n);"));
    let source = FAILS.replace("sk_assert(n != 40u || j != 80u);", &wrong.concat());
    for part in ["proofs", "search"] {
        let fault = format!("part-{part}-claim");
        let said = answer(&fault, &source, "100", &fault);
        // Executions may have come first.
        let honest = ["RESULT: unknown(unconfirmed)", "RESULT: false(assert)"];
        assert!(honest.contains(&said.as_str()), "{fault}: {said}");
    }
}

/// No invariant of ours proves it, and no bound.
const ENDLESS: &str = "extern unsigned sk_nondet_uint(void);
extern void sk_assert(_Bool);
int main(void) {
    unsigned n = sk_nondet_uint(), x = sk_nondet_uint(), i = 0;
    while (i < n) { i++; x = x * x * x + (x >> 3) * 7 + i; }
    sk_assert(x != 0xdeadbeefu || n < 90000);
    return 0;
}
";

#[test]
fn whatever_ends_the_command_ends_its_parts() {
    // Others may be ignored where the tests are run in the background.
    for name in ["INT", "TERM", "KILL"] {
        let file = file(&format!("signal-{name}"), ENDLESS);
        let mut child = start(&file, &["--timeout", "60"], "");
        wait_for("the parts are there", || parts(&file).len() == 2);
        send(name, child.id());
        child.wait().expect("selkie ends");
        wait_for("the parts are gone", || parts(&file).is_empty());
    }
}

#[test]
fn a_part_that_was_stopped_ends_with_the_command() {
    let file = file("stopped", ENDLESS);
    let mut child = start(&file, &["--timeout", "60"], "");
    wait_for("the parts are there", || parts(&file).len() == 2);
    for part in parts(&file) {
        send("STOP", part);
    }
    child.kill().expect("it is there");
    child.wait().expect("selkie ends");
    wait_for("the parts are gone", || parts(&file).is_empty());
}

/// Sends the signal to a part, as soon as both are there or a while later, and returns what is said at the end.
fn said_after(name: &str, part: &str, pause: u64, options: &[&str], fault: &str) -> String {
    let file = file(&format!("sent-{name}-{part}-{pause}"), HOLDS);
    let child = start(&file, options, fault);
    wait_for("the parts are there", || parts(&file).len() == 2);
    std::thread::sleep(Duration::from_millis(pause));
    let wanted = parts(&file).into_iter().find(|pid| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).split('\0').nth(2) == Some(part)
    });
    send(name, wanted.expect("both are at work"));
    let output = child.wait_with_output().expect("selkie ends");
    wait_for("the parts are gone", || parts(&file).is_empty());
    last_line(&output)
}

/// Every signal that ends or stops a process.
const SIGNALS: [&str; 17] = [
    "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
    "PIPE", "ALRM", "TERM", "SYS", "STOP",
];

#[test]
fn a_part_that_is_killed_is_not_missed() {
    for (number, name) in SIGNALS.into_iter().enumerate() {
        let pause = [0, 50, 300][number % 3];
        let said = said_after(
            name,
            "search",
            pause,
            &["--timeout", "100"],
            "part-proofs-wait",
        );
        assert_eq!(said, "RESULT: true", "{name}");
    }
}

#[test]
fn the_only_part_that_can_answer_takes_its_own_answer_alone() {
    for name in ["KILL", "STOP"] {
        let said = said_after(name, "proofs", 100, &["--timeout", "8"], "part-proofs-wait");
        let honest = ["RESULT: unknown(timeout)", "RESULT: error(internal)"];
        assert!(honest.contains(&said.as_str()), "{name}: {said}");
    }
}

/// At any time: a signal to a part, to the worker or to the command itself leaves an honest answer or none, and nothing running.
#[test]
#[ignore = "long: ./x test --long"]
fn whoever_is_killed_whenever_nothing_is_left() {
    for (number, name) in SIGNALS.into_iter().enumerate() {
        for pause in [0, 30, 100, 250, 600, 1200] {
            let file = file(&format!("anytime-{name}-{pause}"), HOLDS);
            let mut child = start(&file, &["--timeout", "20"], "part-proofs-wait");
            std::thread::sleep(Duration::from_millis(pause));
            let worker = children(child.id());
            let mut all = parts(&file);
            all.extend(&worker);
            if name != "STOP" {
                all.push(child.id());
            }
            if let Some(&target) = all.get((number + pause as usize / 10) % all.len().max(1)) {
                // It may have ended by itself.
                let _ = Command::new("kill")
                    .args(["-s", name, &target.to_string()])
                    .stderr(Stdio::null())
                    .status();
            }
            child.wait().expect("selkie ends");
            wait_for("the parts are gone", || parts(&file).is_empty());
            for worker in worker {
                wait_for("the worker is gone", || {
                    !Path::new(&format!("/proc/{worker}")).exists()
                });
            }
        }
    }
}

/// The children of a process.
fn children(parent: u32) -> Vec<u32> {
    let text = std::fs::read_to_string(format!("/proc/{parent}/task/{parent}/children"));
    let text = text.unwrap_or_default();
    let words = text.split_whitespace();
    words.filter_map(|word| word.parse().ok()).collect()
}
