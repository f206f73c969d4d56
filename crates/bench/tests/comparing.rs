//! Two runs compared.

mod common;

use std::fs;

use common::Bench;

#[test]
fn as_runner() {
    common::become_runner_if_asked();
}

/// A verifier that answers what `answers.txt` says about a file.
const FROM_FILE: &str = r#"
answer=$(grep "^$file " answers.txt | cut -d' ' -f2)
echo "RESULT: $answer"
case "$answer" in true) exit 0 ;; false*) exit 10 ;; *) exit 5 ;; esac
"#;

fn bench() -> Bench {
    let bench = Bench::new();
    bench.verifier(FROM_FILE);
    bench.list(&[
        ["same", "a.c", "assert", "", "true"],
        ["won", "b.c", "assert", "", "true"],
        ["lost", "c.c", "assert", "", "false"],
        ["broken", "d.c", "no-overflow", "", "true"],
        ["mended", "e.c", "no-overflow", "", "false"],
        ["both", "f.c", "no-overflow", "", "false"],
    ]);
    bench.write(
        "answers.txt",
        "a.c true\nb.c unknown(timeout)\nc.c false(assert)\nd.c true\ne.c true\nf.c false(no-overflow)\n",
    );
    assert_eq!(bench.run(&["tasks.csv", "--csv", "old.csv"]).code, 10);
    bench.write(
        "answers.txt",
        "a.c true\nb.c true\nc.c unknown(bounded)\nd.c false(no-overflow)\ne.c false(no-overflow)\nf.c false(no-overflow)\n",
    );
    bench
}

#[test]
fn changes_are_named_and_speed_is_a_geometric_mean() {
    let bench = bench();
    // Pretend that the old run took other times: twice as fast on one task, four times as slow on another.
    bench.run(&["tasks.csv", "--csv", "new.csv"]);
    for (table, times) in [
        ("old.csv", ["10.0000", "2.0000"]),
        ("new.csv", ["20.0000", "0.5000"]),
    ] {
        let text: String = bench
            .read(table)
            .lines()
            .map(|line| {
                let mut fields: Vec<&str> = line.split(',').collect();
                match fields[0] {
                    "same" => fields[10] = times[0],
                    "both" => fields[10] = times[1],
                    _ => {}
                }
                fields.join(",") + "\n"
            })
            .collect();
        bench.write(table, &text);
    }
    // All results are there: only the comparison is made.
    let arguments = [
        "tasks.csv",
        "--csv",
        "new.csv",
        "--resume",
        "--compare",
        "old.csv",
        "--json",
        "c.json",
        "--html",
        "c.html",
    ];
    let run = bench.run(&arguments);
    assert_eq!(run.code, 10, "{}", run.stderr);
    let report = run
        .stdout
        .split_once("compared with old.csv\n")
        .expect("a comparison")
        .1;
    let expected = "  newly wrong: 1
    broken: true -> false(no-overflow)
  lost: 1
    lost: false(assert) -> unknown(bounded)
  newly solved: 2
    won: unknown(timeout) -> true
    mended: true -> false(no-overflow)
  no longer wrong: 1
    mended: true -> false(no-overflow)
";
    assert!(report.starts_with(expected), "{report}");
    let table = report.split_once("solved  lost").expect("a table").1;
    let row = |name: &str| {
        let line = table
            .lines()
            .find(|line| line.trim_start().starts_with(name))
            .expect("a row");
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(
        row("assert ").starts_with("assert +1 -1 +0 1 10 s 20 s 2.00 "),
        "{report}"
    );
    assert!(
        row("no ").starts_with("no +1 -0 +1 1 2.0 s 0.50 s 0.25 "),
        "{report}"
    );
    assert!(
        row("all ").starts_with("all +2 -1 +1 2 12 s 21 s 0.71 "),
        "{report}"
    );
    let json: serde_json::Value = serde_json::from_str(&bench.read("c.json")).expect("JSON");
    let comparison = &json["comparison"];
    assert_eq!(comparison["newly_wrong"][0]["id"], "broken");
    assert_eq!(comparison["categories"][0]["wall_ratio"], 2.0);
    assert_eq!(comparison["total"]["newly_solved"], 2);
    let page = bench.read("c.html");
    assert!(
        page.contains("broken") && page.matches("<svg").count() == 2,
        "{page}"
    );
}

#[test]
fn old_results_can_be_filtered_on() {
    let bench = bench();
    let run = bench.run(&[
        "tasks.csv",
        "--compare",
        "old.csv",
        "--filter",
        "old.result=wrong or old.verdict~timeout",
        "--dry-run",
    ]);
    let chosen: Vec<&str> = run
        .stdout
        .lines()
        .filter_map(|line| line.rsplit(' ').next())
        .collect();
    assert_eq!(&chosen[..2], ["b.c", "e.c"]);
    // Tasks that one table does not have are counted, not compared.
    fs::write(bench.path("old.csv"), {
        let old = bench.read("old.csv");
        old.lines()
            .filter(|line| !line.starts_with("same,"))
            .map(|line| format!("{line}\n"))
            .collect::<String>()
    })
    .expect("written");
    let run = bench.run(&["tasks.csv", "--compare", "old.csv", "--filter", "id!=both"]);
    assert!(
        run.stdout
            .contains("  1 task not in the old table\n  1 task in the old table only\n"),
        "{}",
        run.stdout
    );
}
