//! Interrupted runs: nothing is lost, and resumed they end as if nothing had happened.

mod common;

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use common::{Bench, Run};

#[test]
fn as_runner() {
    common::become_runner_if_asked();
}

const TASKS: usize = 60;

/// Tasks with every kind of answer; the verifier notes each start in `started.txt`.
fn bench() -> Bench {
    let bench = Bench::new();
    bench.verifier(
        r#"echo "$file" >> started.txt
sleep 0.01
case "$file" in
  *0.c) echo "RESULT: unknown(bounded)"; exit 5 ;;
  *7.c) kill -SEGV $$ ;;
  *3.c) echo "RESULT: false(assert)"; exit 10 ;;
  *) echo "RESULT: true"; exit 0 ;;
esac"#,
    );
    let files: Vec<String> = (0..TASKS).map(|n| format!("f{n}.c")).collect();
    let rows: Vec<_> = files
        .iter()
        .map(|file| {
            let expected = if file.ends_with("13.c") || file.ends_with("4.c") {
                "false"
            } else {
                "true"
            };
            [file.as_str(), file, "assert", "", expected]
        })
        .collect();
    bench.list(&rows);
    bench
}

/// Numbers that look random and are the same every time.
struct Pseudorandom(u64);

impl Pseudorandom {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

fn send(signal: &str, pid: u32) {
    let sent = Command::new("kill")
        .args([signal, &pid.to_string()])
        .status();
    assert!(sent.expect("kill is there").success());
}

/// The summary without its times.
fn without_times(stdout: &str) -> String {
    let keep = |line: &&str| !line.contains(" after ");
    let cut = |line: &str| {
        // `in 1.2 s` ends the score; in the tables times stand after a name and eight numbers.
        let line = line.split(" in ").next().unwrap_or("");
        let words: Vec<&str> = line.split_whitespace().take(9).collect();
        words.join(" ")
    };
    let lines: Vec<String> = stdout.lines().filter(keep).map(cut).collect();
    lines.join("\n")
}

#[test]
fn killed_at_random_moments_and_resumed_equals_uninterrupted() {
    let whole = bench();
    let straight = whole.run(&["tasks.csv", "--csv", "r.csv"]);
    assert_eq!(straight.code, 10, "{}", straight.stderr);
    let expected = whole.answers("r.csv");
    assert_eq!(expected.len(), TASKS);

    let mut random = Pseudorandom(7);
    let mut interruptions = 0;
    for (round, signal) in ["-KILL", "-INT", "-TERM", "-KILL"].into_iter().enumerate() {
        let broken = bench();
        let mut arguments = vec!["tasks.csv", "--csv", "r.csv", "--jobs", "2"];
        let mut attempts = 0;
        let finished = loop {
            let mut command = broken.command(&arguments);
            let child = command
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn();
            let child = child.expect("the runner starts");
            arguments = vec!["tasks.csv", "--csv", "r.csv", "--jobs", "2", "--resume"];
            // Longer each time, so that a slow machine gets there as well.
            let pause = 60 + random.below(150) + 20 * attempts;
            thread::sleep(Duration::from_millis(pause));
            attempts += 1;
            send(signal, child.id());
            let output = child.wait_with_output().expect("it ends");
            let killed = output.status.signal().is_some();
            let run = Run::new(output);
            if !killed && run.code < 128 {
                break run;
            }
            interruptions += 1;
            assert!(attempts < 100, "no progress");
        };
        assert_eq!(finished.code, 10, "{}", finished.stderr);
        assert_eq!(broken.answers("r.csv"), expected, "round {round}");
        assert_eq!(
            without_times(&finished.stdout),
            without_times(&straight.stdout)
        );
    }
    assert!(interruptions >= 4, "the runs were not interrupted");
}

#[test]
fn an_interruption_is_told_and_its_results_are_kept() {
    let bench = bench();
    let child = bench
        .command(&["tasks.csv", "--csv", "r.csv"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the runner starts");
    while fs::read_to_string(bench.path("r.csv"))
        .unwrap_or_default()
        .lines()
        .count()
        < 5
    {
        thread::sleep(Duration::from_millis(5));
    }
    send("-INT", child.id());
    let run = Run::new(child.wait_with_output().expect("it ends"));
    assert_eq!(run.code, 130, "{}", run.stderr);
    assert!(
        run.stderr
            .contains("--csv r.csv --resume goes on from here"),
        "{}",
        run.stderr
    );
    let kept = bench.answers("r.csv").len();
    assert!(kept >= 4);
    assert!(
        run.stdout
            .contains(&format!("interrupted: {kept} of {TASKS} tasks done")),
        "{}",
        run.stdout
    );
    // Resumed, it runs the others only.
    fs::remove_file(bench.path("started.txt")).expect("there");
    assert_eq!(
        bench.run(&["tasks.csv", "--csv", "r.csv", "--resume"]).code,
        10
    );
    assert_eq!(bench.read("started.txt").lines().count(), TASKS - kept);
    // And once more, it runs nothing.
    fs::remove_file(bench.path("started.txt")).expect("there");
    assert_eq!(
        bench.run(&["tasks.csv", "--csv", "r.csv", "--resume"]).code,
        10
    );
    assert!(!bench.path("started.txt").exists());
}

#[test]
fn results_of_other_questions_are_not_mixed() {
    let bench = bench();
    assert_eq!(
        bench
            .run(&["tasks.csv", "--csv", "r.csv", "--sample", "3"])
            .code,
        0
    );
    let three = bench.read("r.csv");
    for (arguments, expected) in [
        (
            vec!["--timeout", "9"],
            "with other options or another verdict",
        ),
        (
            vec!["--", "--engine", "chc"],
            "with other options or another verdict",
        ),
        (vec!["--filter", "id=f1.c"], "which is not among the tasks"),
    ] {
        let mut words = vec!["tasks.csv", "--csv", "r.csv", "--resume"];
        words.extend(arguments);
        let run = bench.run(&words);
        assert_eq!(run.code, 1);
        assert!(run.stderr.contains(expected), "{}", run.stderr);
        assert_eq!(bench.read("r.csv"), three, "untouched");
    }
    // More of the same question is welcome.
    assert_eq!(
        bench
            .run(&["tasks.csv", "--csv", "r.csv", "--sample", "9", "--resume"])
            .code,
        0
    );
    assert_eq!(bench.answers("r.csv").len(), 9);
}
