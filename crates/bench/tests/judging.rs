//! Answers, judgements, scores and exit codes.

mod common;

use common::Bench;

#[test]
fn as_runner() {
    common::become_runner_if_asked();
}

/// A verifier that answers what the first line of the file's name says.
const BY_NAME: &str = r#"
case "$file" in
  *true*) echo "RESULT: true"; exit 0 ;;
  *deref*) echo "RESULT: false(valid-deref)"; exit 10 ;;
  *free*) echo "RESULT: false(valid-free)"; exit 10 ;;
  *reach*) echo "RESULT: false(unreach-call)"; exit 10 ;;
  *bounded*) echo "RESULT: unknown(bounded)"; exit 5 ;;
  *broken*) echo "does not compile" >&2; exit 2 ;;
  *lies*) echo "RESULT: true"; exit 5 ;;
  *quiet*) exit 0 ;;
esac
"#;

#[test]
fn a_task_is_judged_on_its_own_property() {
    let bench = Bench::new();
    bench.verifier(BY_NAME);
    bench.list(&[
        ["1", "a-true.c", "unreach-call", "", "true"],
        ["2", "b-reach.c", "unreach-call", "", "false"],
        ["3", "c-deref.c", "unreach-call", "", "true"],
        ["4", "d-deref.c", "unreach-call", "", "false"],
        ["5", "e-deref.c", "valid-memsafety", "valid-deref", "false"],
        ["6", "f-free.c", "valid-memsafety", "valid-deref", "false"],
        ["7", "g-free.c", "valid-memsafety", "", "false"],
        ["8", "h-free.c", "valid-deref", "", "true"],
        ["9", "i-bounded.c", "no-overflow", "", "true"],
        ["10", "j-broken.c", "assert", "", "true"],
        ["11", "k-lies.c", "assert", "", "true"],
        ["12", "l-quiet.c", "assert", "", "false"],
    ]);
    let run = bench.run(&["tasks.csv", "--csv", "r.csv"]);
    assert_eq!(
        bench.answers("r.csv"),
        [
            "1 right true",
            "2 right false(unreach-call)",
            "3 unknown false(valid-deref) other-property",
            "4 unknown false(valid-deref) other-property",
            "5 right false(valid-deref)",
            "6 unknown false(valid-free) subproperty",
            "7 right false(valid-free)",
            "8 unknown false(valid-free) other-property",
            "9 unknown unknown(bounded) bounded",
            "10 unknown error(input) input",
            "11 unknown error(contradiction: true with exit code 5) contradiction: true with exit code 5",
            "12 unknown error(no result: exit code 0) no result: exit code 0",
        ],
        "{}",
        run.stderr
    );
    assert_eq!(run.code, 0);
    assert!(
        run.stdout
            .contains("SCORE: 5 of 18 (12 tasks: 4 right, 0 wrong, 8 unknown)"),
        "{}",
        run.stdout
    );
    assert_eq!(bench.table("r.csv")[9]["message"], "does not compile");
}

#[test]
fn wrong_answers_come_first_with_their_command() {
    let bench = Bench::new();
    bench.verifier(BY_NAME);
    bench.list(&[
        ["fine", "true.c", "unreach-call", "", "true"],
        ["wrong-true", "true 2.c", "unreach-call", "", "false"],
        ["wrong-false", "free.c", "valid-memsafety", "", "true"],
        ["wrong-true-too", "true3.c", "no-div-by-zero", "", "false"],
    ]);
    let run = bench.run(&[
        "tasks.csv",
        "--csv",
        "r.csv",
        "--timeout",
        "7",
        "--",
        "--engine",
        "bmc",
    ]);
    assert_eq!(run.code, 10, "{}", run.stderr);
    let scores: Vec<String> = bench
        .table("r.csv")
        .iter()
        .map(|row| row["score"].clone())
        .collect();
    assert_eq!(scores, ["2", "-32", "-16", "-32"]);
    let beginning = "WRONG: 3 answers

wrong-true: unreach-call is false, answered true
  ./verifier.sh verify --data-model LP64 --prp <(printf '%s\\n' 'CHECK( init(main()), LTL(G ! call(reach_error())) )') \
--extern pure --timeout 7 --memory-limit 4000 --engine bmc 'true 2.c'
";
    let untimed = |line: &str| line.split(" after ").next().unwrap_or("").to_owned();
    let stdout: Vec<String> = run.stdout.lines().map(untimed).collect();
    assert!(stdout.join("\n").starts_with(beginning), "{}", run.stdout);
    let third = "  ./verifier.sh verify --data-model LP64 --check div --extern pure --timeout 7 --memory-limit 4000 --engine bmc true3.c\n";
    assert!(run.stdout.contains(third), "{}", run.stdout);
    assert!(
        run.stderr
            .contains("wrong: wrong-false: expected true, answered false(valid-free)")
    );
}

#[test]
fn the_printed_command_can_be_pasted() {
    let bench = Bench::new();
    bench.verifier(
        r#"while [ $# -gt 0 ]; do [ "$1" = --prp ] && cat "$2" >> seen.txt; shift; done; echo "$file" >> seen.txt; echo "RESULT: true""#,
    );
    bench.list(&[["1", "it's.c", "valid-memsafety", "", "true"]]);
    assert_eq!(bench.run(&["tasks.csv"]).code, 0);
    let as_run = bench.read("seen.txt");
    let lines = bench.run(&["tasks.csv", "--dry-run"]).stdout;
    let pasted = std::process::Command::new("bash")
        .args(["-c", &lines])
        .current_dir(bench.path(""))
        .output()
        .expect("bash");
    assert!(pasted.status.success());
    assert_eq!(bench.read("seen.txt"), format!("{as_run}{as_run}"));
    assert!(
        as_run.contains("LTL(G valid-memtrack)") && as_run.ends_with("it's.c\n"),
        "{as_run}"
    );
}

#[test]
fn a_verifier_is_told_everything_but_the_verdict() {
    let bench = Bench::new();
    bench.verifier("printf '%s|' \"$@\" > seen.txt; echo 'RESULT: true'");
    for file in ["src/a.c", "src/b.c"] {
        bench.write(file, "");
    }
    std::fs::create_dir(bench.path("src/inc")).expect("a folder");
    bench.write(
        "src/t.csv",
        "id,files,data_model,cflags,include_dirs,defines,property,subproperty,expected,note\n\
         x,a.c;b.c,ILP32,-m32 -std=gnu11,inc,A;B=1,no-overflow,,true,secret\n",
    );
    let run = bench.run(&[
        "src/t.csv",
        "--memory-limit",
        "500",
        "--timeout",
        "2.5",
        "--",
        "--extern",
        "havoc",
    ]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let seen = bench.read("seen.txt");
    let words: Vec<&str> = seen.split('|').collect();
    let prp = words
        .iter()
        .position(|word| *word == "--prp")
        .expect("a property file");
    let json = words
        .iter()
        .position(|word| *word == "--json")
        .expect("a report");
    let mut rest = words.clone();
    rest.remove(json + 1);
    rest.remove(prp + 1);
    assert_eq!(
        rest.join(" ").trim_end(),
        "verify --data-model ILP32 --cflags=-m32 -std=gnu11 --include src/inc --define A --define B=1 --prp \
         --timeout 2.5 --memory-limit 500 --json --extern havoc src/a.c src/b.c"
    );
    assert!(words[prp + 1].ends_with("/no-overflow.prp"));
}

#[test]
fn the_report_of_a_verifier_is_kept() {
    let bench = Bench::new();
    bench.verifier(
        r#"
while [ $# -gt 0 ]; do [ "$1" = --json ] && json=$2; shift; done
case "$file" in
  full*) echo '{"schema_version": 1, "verdict": "true", "engine": "chc", "evidence": {"checked": true}, "new": [],
    "stages": [{"name": "parse", "seconds": 0.25}, {"name": "so;lve", "seconds": 1}, {"odd": 1}]}' > $json; echo "RESULT: true" ;;
  reason*) printf '%s' '{"reason": "loop f.c:3\nis not bounded"}' > $json; echo "RESULT: unknown(bounded)"; exit 5 ;;
  garbage*) echo '{"engine": 7, "stages": 3' > $json; echo "RESULT: true" ;;
esac"#,
    );
    bench.list(&[
        ["1", "full.c", "assert", "", "true"],
        ["2", "reason.c", "assert", "", "true"],
        ["3", "garbage.c", "assert", "", "true"],
    ]);
    let run = bench.run(&["tasks.csv", "--csv", "r.csv", "--json", "r.json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let rows = bench.table("r.csv");
    let fields = |row: usize| {
        ["engine", "evidence", "stages", "message"].map(|name| rows[row][name].as_str())
    };
    assert_eq!(
        fields(0),
        [
            "chc",
            "{\"checked\":true}",
            "parse=0.2500;so-lve=1.0000",
            ""
        ]
    );
    assert_eq!(fields(1), ["", "", "", "loop f.c:3 is not bounded"]);
    assert_eq!(fields(2), ["", "", "", ""]);
    let json: serde_json::Value = serde_json::from_str(&bench.read("r.json")).expect("JSON");
    assert_eq!(json["tasks"][0]["stages"][0]["seconds"], 0.25);
    assert_eq!(json["summary"]["total"]["right_true"], 2);
    assert_eq!(json["summary"]["engines"][0][0], "chc");
    assert_eq!(json["comparison"], serde_json::Value::Null);
}
