//! Verifiers that misbehave: none stops the run, and none survives it.

mod common;

use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use common::{Bench, processes_with};

#[test]
fn as_runner() {
    common::become_runner_if_asked();
}

/// A folder with a verifier in which `$sleeper` runs for long; its command line names the folder.
fn bench(body: &str) -> Bench {
    let bench = Bench::new();
    bench.write("sleeper.sh", "sleep 1000\n");
    bench.verifier(&format!(
        "here=$PWD\nsleeper=\"sh $here/sleeper.sh\"\n{body}"
    ));
    bench
}

/// Runs one task with this verifier; returns its row as `result verdict`, and checks that nothing is left.
fn check(arguments: &[&str], body: &str) -> String {
    let bench = bench(body);
    bench.list(&[["t", "t.c", "assert", "", "true"]]);
    let mut words = vec!["tasks.csv", "--csv", "r.csv"];
    words.extend(arguments);
    let run = bench.run(&words);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert_gone(&bench);
    let row = &bench.table("r.csv")[0];
    format!("{} {}", row["result"], row["verdict"])
}

/// Nothing that was started in the folder runs any more.
fn assert_gone(bench: &Bench) {
    let folder = bench.path("").display().to_string();
    let left = processes_with(&folder);
    assert!(left.is_empty(), "{left:?}");
}

const SHORT: &[&str] = &["--timeout", "0.5", "--grace", "0.1"];

#[test]
fn a_memory_eater_is_stopped() {
    let answer = check(&["--memory-limit", "80"], "tail /dev/zero");
    assert_eq!(answer, "unknown unknown(memory)");
}

#[test]
fn memory_is_summed_over_processes() {
    let body =
        "for i in 1 2 3; do (head -c 50000000 /dev/zero; $sleeper) | tail > /dev/null & done; wait";
    let answer = check(&["--memory-limit", "100"], body);
    assert_eq!(answer, "unknown unknown(memory)");
}

#[test]
fn peak_memory_is_measured() {
    let bench = Bench::new();
    // Held for a moment, so that a look at it cannot come too late.
    bench.verifier(
        "(head -c 60000000 /dev/zero; sleep 0.5) | tail > /dev/null; echo 'RESULT: true'",
    );
    bench.list(&[["t", "t.c", "assert", "", "true"]]);
    assert_eq!(bench.run(&["tasks.csv", "--csv", "r.csv"]).code, 0);
    let row = &bench.table("r.csv")[0];
    let peak: f64 = row["memory_mb"].parse().expect("a number");
    assert!((60.0..400.0).contains(&peak), "{peak}");
}

#[test]
fn cpu_time_includes_orphans() {
    let bench = Bench::new();
    let busy = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
    bench.verifier(&format!(
        "(setsid sh -c '{busy}; echo > done' &) ; while [ ! -e done ]; do sleep 0.05; done; echo 'RESULT: true'"
    ));
    bench.list(&[["t", "t.c", "assert", "", "true"]]);
    assert_eq!(bench.run(&["tasks.csv", "--csv", "r.csv"]).code, 0);
    let row = &bench.table("r.csv")[0];
    let cpu: f64 = row["cpu_s"].parse().expect("a number");
    // Counting that far takes much longer than starting a few shells.
    assert!(cpu > 0.02, "{cpu}");
    assert_eq!(row["result"], "right");
}

#[test]
fn forgotten_children_do_not_survive_an_answer() {
    let answer = check(
        &[],
        "$sleeper & setsid $sleeper & (setsid sh -c \"$sleeper & $sleeper &\" &)
         env -i /usr/bin/setsid /bin/sh $here/sleeper.sh > /dev/null 2>&1 < /dev/null &
         sleep 0.1; echo 'RESULT: true'",
    );
    assert_eq!(answer, "right true");
}

#[test]
fn a_deep_tree_of_daemons_is_killed() {
    let body = r#"
cat > fork.sh <<'END'
n=$1; here=$2
if [ $n -gt 0 ]; then
  setsid sh $here/fork.sh $((n-1)) $here &
  setsid sh $here/fork.sh $((n-1)) $here &
fi
trap '' TERM HUP INT
sleep 1000
END
sh $here/fork.sh 5 $here"#;
    assert_eq!(check(SHORT, body), "unknown unknown(timeout)");
}

#[test]
fn one_that_ignores_signals_is_killed_in_time() {
    let body = "trap '' TERM INT HUP QUIT; while :; do $sleeper; done";
    assert_eq!(check(SHORT, body), "unknown unknown(timeout)");
}

#[test]
fn one_that_answers_and_hangs_has_not_answered() {
    let body = "echo 'RESULT: true'; exec >&- 2>&-; $sleeper";
    assert_eq!(check(SHORT, body), "unknown unknown(timeout)");
}

#[test]
fn a_flood_is_stopped() {
    assert_eq!(check(&[], "yes"), "unknown error(output flood)");
    assert_eq!(check(&[], "yes >&2"), "unknown error(output flood)");
}

#[test]
fn a_lot_of_output_hides_no_answer() {
    let body = "head -c 30000000 /dev/zero; yes | head -n 1000000 >&2; echo; echo 'RESULT: true'";
    assert_eq!(check(&[], body), "right true");
}

#[test]
fn crashes_are_named() {
    assert_eq!(check(&[], "kill -SEGV $$"), "unknown error(crash: SIGSEGV)");
    assert_eq!(
        check(&[], "$sleeper & kill -ABRT $$"),
        "unknown error(crash: SIGABRT)"
    );
    assert_eq!(
        check(&[], "$sleeper & kill -9 0"),
        "unknown error(crash: SIGKILL)"
    );
}

#[test]
fn temporary_files_do_not_survive() {
    let bench = Bench::new();
    bench.verifier("echo $TMPDIR > where.txt; mkdir $TMPDIR/a; echo x > $TMPDIR/a/b; kill -9 $$");
    bench.list(&[["t", "t.c", "assert", "", "true"]]);
    assert_eq!(bench.run(&["tasks.csv"]).code, 0);
    let place = bench.read("where.txt");
    assert!(place.contains("selkie-bench-"), "{place}");
    assert!(!std::path::Path::new(place.trim()).exists());
}

#[test]
fn all_of_them_side_by_side_do_not_disturb_the_rest() {
    let bench = bench(
        "case $file in
  memory*) tail /dev/zero ;;
  fork*) (setsid $sleeper &); echo 'RESULT: true' ;;
  deaf*) trap '' TERM; $sleeper ;;
  flood*) yes ;;
  crash*) kill -SEGV $$ ;;
  fine*) echo 'RESULT: true' ;;
esac",
    );
    let kinds = ["fine", "memory", "fork", "deaf", "flood", "crash"];
    let ids: Vec<String> = (0..18)
        .map(|n| format!("{}{n}.c", kinds[n % kinds.len()]))
        .collect();
    let rows: Vec<_> = ids
        .iter()
        .map(|id| [id, id, "assert", "", "true"])
        .collect();
    bench.list(&rows);
    let limits = ["--timeout", "3", "--grace", "0.1", "--memory-limit", "80"];
    let mut words = vec!["tasks.csv", "--csv", "r.csv", "--jobs", "6"];
    words.extend(limits);
    let run = bench.run(&words);
    assert_eq!(run.code, 0, "{}", run.stderr);
    // On a busy machine a flood or a heap may not reach its limit in time; each is tested alone above.
    let expected = |id: &String| match id.starts_with("fine") || id.starts_with("fork") {
        true => format!("{id} right"),
        false => format!("{id} unknown"),
    };
    let rows = bench.table("r.csv");
    let results: Vec<String> = rows
        .iter()
        .map(|row| format!("{} {}", row["id"], row["result"]))
        .collect();
    assert_eq!(results, ids.iter().map(expected).collect::<Vec<_>>());
    assert_gone(&bench);
}

#[test]
fn a_killed_runner_leaves_nothing_running() {
    let bench = bench("(setsid $sleeper &); echo > started; $sleeper");
    bench.list(&[["t", "t.c", "assert", "", "true"]]);
    let mut command = bench.command(&["tasks.csv"]);
    let mut runner = command
        .stdout(Stdio::null())
        .spawn()
        .expect("the runner starts");
    let begun = Instant::now();
    while !bench.path("started").exists() && begun.elapsed() < Duration::from_secs(20) {
        thread::sleep(Duration::from_millis(10));
    }
    let folder = bench.path("").display().to_string();
    assert!(!processes_with(&folder).is_empty(), "the verifier runs");
    runner.kill().expect("SIGKILL");
    runner.wait().expect("it was there");
    let begun = Instant::now();
    while !processes_with(&folder).is_empty() && begun.elapsed() < Duration::from_secs(20) {
        thread::sleep(Duration::from_millis(10));
    }
    assert_gone(&bench);
}

#[test]
fn a_program_that_cannot_be_run_ends_the_run() {
    let bench = Bench::new();
    bench.list(&[
        ["t", "t.c", "assert", "", "true"],
        ["u", "u.c", "assert", "", "true"],
    ]);
    let run = bench.run(&["tasks.csv"]);
    assert_eq!(run.code, 1);
    assert_eq!(
        run.stderr,
        "error: --verifier ./verifier.sh: no such file\n"
    );
    bench.write("verifier.sh", "not executable");
    let run = bench.run(&["tasks.csv"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.contains("error: cannot run ./verifier.sh: "),
        "{}",
        run.stderr
    );
}
