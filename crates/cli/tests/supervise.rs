//! Whatever happens to the process that does the work, there is an answer, and nothing that was found is lost.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// One violation that is found at once, and a loop that keeps the engine busy for ever.
const SOURCE: &str = "extern unsigned sk_nondet_uint(void);
extern void sk_assert(_Bool);
int main(void) {
    unsigned n = sk_nondet_uint(), i = 0;
    sk_assert(n != 7);
    while (i < n) i++;
    sk_assert(i == n);
    return 0;
}
";

/// A loop alone.
const ENDLESS: &str = "extern unsigned sk_nondet_uint(void);
extern void sk_assert(_Bool);
int main(void) {
    unsigned n = sk_nondet_uint(), i = 0;
    while (i < n) i++;
    sk_assert(i == n);
    return 0;
}
";

/// Has the bounded engine start on a program, which others may prove; the report for programs goes to a file beside it.
fn start(name: &str, source: &str, options: &[&str]) -> Child {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("supervise-{name}.c"));
    std::fs::write(&file, source).expect("the program is written");
    Command::new(env!("CARGO_BIN_EXE_selkie"))
        .args(["verify", "--engine", "bmc", "--json"])
        .arg(file.with_extension("json"))
        .args(options)
        .arg(&file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("selkie runs")
}

fn json(name: &str) -> serde_json::Value {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("supervise-{name}.json"));
    let text = std::fs::read_to_string(file).expect("there is a report");
    serde_json::from_str(&text).expect("the report is JSON")
}

/// The children of a process.
fn children(parent: u32) -> Vec<u32> {
    let mut list = Vec::new();
    for entry in std::fs::read_dir("/proc").expect("Linux").flatten() {
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else {
            continue;
        };
        let after_name = stat.rsplit(") ").next().unwrap_or_default();
        if after_name.split(' ').nth(1) == Some(parent.to_string().as_str()) {
            let name = entry.file_name();
            list.extend(name.to_str().and_then(|name| name.parse::<u32>().ok()));
        }
    }
    list
}

fn signal(pid: u32, name: &str) {
    let done = Command::new("kill")
        .args(["-s", name, &pid.to_string()])
        .status();
    assert!(done.expect("kill runs").success(), "kill -s {name} {pid}");
}

fn last_line(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().last().unwrap_or_default().to_owned()
}

/// Sends a signal to the command or its worker after ever longer times, until there was time enough to
/// find the violation.
#[track_caller]
fn violation_survives(name: &str, to_worker: bool, sent: &str) {
    let mut said = String::new();
    for pause in [500, 1000, 2000, 4000, 8000, 16000, 32000] {
        let child = start(name, SOURCE, &[]);
        std::thread::sleep(Duration::from_millis(pause));
        let target = match to_worker {
            true => children(child.id()).first().copied(),
            false => Some(child.id()),
        };
        let workers = children(child.id());
        signal(target.expect("there is a worker"), sent);
        let output = child.wait_with_output().expect("selkie ends");
        for worker in workers {
            let left = std::fs::read_to_string(format!("/proc/{worker}/comm"));
            assert!(
                left.is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound),
                "worker {worker} is still there"
            );
        }
        said = last_line(&output);
        if output.status.code() == Some(10) {
            assert_eq!(said, "RESULT: false(assert)");
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(text.contains("(main.assert.1)"), "{text}");
            let report = json(name);
            assert_eq!(report["verdict"], "false(assert)", "{report}");
            assert_eq!(
                report["violations"][0]["obligation"], "main.assert.1",
                "{report}"
            );
            return;
        }
    }
    panic!("the violation is never found: {said}");
}

#[test]
fn a_crash_keeps_what_was_found() {
    violation_survives("crash", true, "ABRT");
}

#[test]
fn an_interruption_keeps_what_was_found() {
    violation_survives("interruption", false, "INT");
}

#[test]
fn a_crash_without_a_violation_is_an_internal_error() {
    let child = start("crash-alone", ENDLESS, &[]);
    // The worker is there soon; it has an hour's work.
    let worker = loop {
        if let Some(worker) = children(child.id()).first() {
            break *worker;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    signal(worker, "KILL");
    let output = child.wait_with_output().expect("selkie ends");
    assert_eq!(last_line(&output), "RESULT: error(internal)");
    assert_eq!(output.status.code(), Some(6));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("was ended by SIGKILL"), "{errors}");
    assert_eq!(json("crash-alone")["verdict"], "error(internal)");
}

#[test]
fn an_interruption_without_a_violation_is_unknown() {
    for name in ["INT", "TERM"] {
        // A signal that comes before anybody listens ends the command, so the pauses grow.
        let ended = [1000, 4000, 16000].iter().any(|&pause| {
            let child = start("interruption-alone", ENDLESS, &[]);
            std::thread::sleep(Duration::from_millis(pause));
            signal(child.id(), name);
            let output = child.wait_with_output().expect("selkie ends");
            last_line(&output) == "RESULT: unknown(interrupted)" && output.status.code() == Some(5)
        });
        assert!(ended, "SIG{name} is never heard");
    }
}

#[test]
fn limits_keep_what_was_found() {
    let child = start("time", SOURCE, &["--timeout", "10"]);
    let output = child.wait_with_output().expect("selkie ends");
    assert_eq!(last_line(&output), "RESULT: false(assert)");
    assert_eq!(output.status.code(), Some(10));
    let report = json("time");
    assert_eq!(
        report["violations"][0]["obligation"], "main.assert.1",
        "{report}"
    );
}

#[test]
fn too_little_memory_is_said() {
    let child = start("memory", ENDLESS, &["--memory-limit", "20"]);
    let output = child.wait_with_output().expect("selkie ends");
    assert_eq!(last_line(&output), "RESULT: unknown(memory)");
    assert_eq!(output.status.code(), Some(12));
    assert_eq!(json("memory")["verdict"], "unknown(memory)");
}

/// A solver with one answer for everything.
fn solver(name: &str, answer: &str) -> String {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("supervise-{name}.sh"));
    let text = format!(
        "while read -r line; do case \"$line\" in\n\
         *check-sat*) echo {answer};;\n\
         *get-value*) echo '((|choice!0| #b00000000000000000000000000000111))';;\n\
         esac; done\n"
    );
    std::fs::write(&file, text).expect("the script is written");
    format!("smtlib:sh '{}'", file.display())
}

#[test]
fn an_error_of_the_engine_keeps_what_was_found() {
    let source = "extern int sk_nondet_int(void);
extern void sk_assert(_Bool);
int main(void) {
    int x = sk_nondet_int();
    sk_assert(x != 7);
    sk_assert(x != 100);
}
";
    // The first model is one; the second is not, which ends the engine.
    let solver = solver("seven", "sat");
    let child = start("unsound", source, &["--solver", &solver]);
    let output = child.wait_with_output().expect("selkie ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("unsound"), "{errors}");
    assert_eq!(last_line(&output), "RESULT: false(assert)");
    assert_eq!(output.status.code(), Some(10));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("(main.assert.1)"), "{text}");
    assert_eq!(
        json("unsound")["violations"][0]["obligation"],
        "main.assert.1"
    );
}

#[test]
fn a_proof_that_an_execution_breaks_is_none() {
    let yes = solver("yes", "unsat");
    let verify = |name, condition: &str| {
        let source = format!(
            "extern int sk_nondet_int(void);
extern void sk_assert(_Bool);
int main(void) {{
    int x = sk_nondet_int();
    sk_assert({condition});
}}
"
        );
        let child = start(name, &source, &["--solver", &yes, "--certify", "off"]);
        child.wait_with_output().expect("selkie ends")
    };
    let broken = verify("broken", "x != 0");
    assert_eq!(last_line(&broken), "RESULT: unknown(unconfirmed)");
    assert_eq!(broken.status.code(), Some(5));
    let text = String::from_utf8_lossy(&broken.stdout);
    assert!(text.contains("main.assert.1 was proved, and yet"), "{text}");
    assert!(text.contains("0 != 0 does not hold"), "{text}");
    assert_eq!(
        json("broken")["contradictions"][0]["obligation"],
        "main.assert.1"
    );
    // What holds stays proved; only evaluation and executions speak for it here.
    let whole = verify("whole", "(unsigned)x * (unsigned)x != 3");
    assert_eq!(last_line(&whole), "RESULT: true");
}

/// Whether there is a report at all, and that each obligation has its status there.
#[track_caller]
fn violation_is_reported(name: &str, output: &Output, others: &str) {
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(10), "{name}: {text}");
    assert_eq!(last_line(output), "RESULT: false(assert)", "{name}");
    assert!(
        text.contains("error[assert]: sk_assert\n") && text.contains("(main.assert.1)\n"),
        "{text}"
    );
    assert!(text.contains("n = 7"), "{text}");
    let report = json(name);
    assert_eq!(report["verdict"], "false(assert)", "{report}");
    assert_eq!(report["violations"][0]["obligation"], "main.assert.1");
    let trace = &report["violations"][0]["trace"];
    assert_eq!(trace[0]["value"], "0x7:32", "{trace}");
    let list = report["obligations"].as_array().expect("a list").clone();
    let asserts: Vec<_> = list.iter().filter(|o| o["check"] == "assert").collect();
    assert_eq!(asserts.len(), 2, "{report}");
    assert_eq!(asserts[0]["status"], "VIOLATED", "{report}");
    assert_eq!(asserts[1]["status"], others, "{report}");
}

/// As `start`, with a fault as soon as the violation was told.
fn start_with_fault(name: &str, fault: &str, options: &[&str]) -> Child {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("supervise-{name}.c"));
    std::fs::write(&file, SOURCE).expect("the program is written");
    Command::new(env!("CARGO_BIN_EXE_selkie"))
        .env("SELKIE_TEST_FAULT", fault)
        .args(["verify", "--engine", "bmc", "--json"])
        .arg(file.with_extension("json"))
        .args(options)
        .arg(&file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("selkie runs")
}

#[test]
fn whatever_goes_wrong_a_violation_that_was_told_counts() {
    // With --check assert a stage of its own judges violations, in another thread.
    let checks: [(&str, &[&str]); 2] = [("plain", &[]), ("judged", &["--check", "assert"])];
    for (kind, check) in checks {
        let run = |fault: &str, options: &[&str]| {
            let name = format!("fault-{kind}-{fault}");
            let all = [check, options].concat();
            let output = start_with_fault(&name, fault, &all).wait_with_output();
            (name, output.expect("selkie ends"))
        };
        let (name, output) = run("stall", &["--timeout", "5"]);
        violation_is_reported(&name, &output, "UNKNOWN(timeout)");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("the time limit was reached"), "{text}");
        // It was printed when it was found, and so not again at the end.
        assert_eq!(text.matches("error[assert]").count(), 1, "{text}");
        let (name, output) = run("memory", &["--memory-limit", "600", "--timeout", "60"]);
        violation_is_reported(&name, &output, "UNKNOWN(memory)");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("the memory limit was reached"), "{text}");
        let (name, output) = run("panic", &["--unwind", "2"]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains("error: "), "{errors}");
        violation_is_reported(&name, &output, "UNKNOWN(interrupted)");
        let (name, output) = run("error", &["--unwind", "2"]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains("error: a fault that"), "{errors}");
        violation_is_reported(&name, &output, "UNKNOWN(interrupted)");
    }
}

#[test]
fn a_killed_worker_keeps_the_violation_it_told() {
    let child = start_with_fault("fault-kill", "stall", &[]);
    // It stalls when the violation was told, which is soon.
    std::thread::sleep(Duration::from_secs(5));
    let worker = children(child.id()).first().copied();
    signal(worker.expect("there is a worker"), "KILL");
    let output = child.wait_with_output().expect("selkie ends");
    violation_is_reported("fault-kill", &output, "UNKNOWN(interrupted)");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("was ended by SIGKILL"), "{errors}");
}

#[test]
fn statuses_of_finished_rounds_are_kept_at_a_limit() {
    let child = start("rounds", ENDLESS, &["--timeout", "3"]);
    let output = child.wait_with_output().expect("selkie ends");
    assert_eq!(last_line(&output), "RESULT: unknown(timeout)");
    let report = json("rounds");
    let list = report["obligations"].as_array().expect("a list");
    let last = list.iter().find(|o| o["id"] == "main.assert.1");
    let status = last.expect("it is there")["status"].as_str();
    let status = status.expect("a text");
    assert!(status.starts_with("PROVED-BOUNDED("), "{report}");
}
