//! Task lists of every kind, what is wrong with them, and the choice of tasks.

mod common;

use std::fs;

use common::{Bench, Run};

#[test]
fn as_runner() {
    common::become_runner_if_asked();
}

const HEADER: &str =
    "id,files,data_model,cflags,include_dirs,defines,property,subproperty,expected\n";

/// Runs a list with this text and expects a usage error; returns what it says.
fn refused(text: &str) -> String {
    let bench = Bench::new();
    bench.verifier("echo 'RESULT: true'");
    bench.write("a.c", "");
    bench.write("t.csv", text);
    let run = bench.run(&["t.csv"]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    assert_eq!(run.stdout, "");
    run.stderr
}

#[test]
fn a_malformed_table_is_refused_with_row_and_reason() {
    for (text, expected) in [
        (
            "id,files,property,expected\n1,a.c,assert,true\n".to_owned(),
            "error: t.csv:1: missing column `data_model`\nt.csv:1: missing column `cflags`\n\
             t.csv:1: missing column `include_dirs`\nt.csv:1: missing column `defines`\nt.csv:1: missing column `subproperty`\n",
        ),
        (
            format!(
                "{HEADER}1,a.c,LP64,,,,assert,,true\n2,a.c,LP64,,,,assert,,true\n1,a.c,LP64,,,,assert,,true\n"
            ),
            "error: t.csv:4: duplicate id `1`, first at t.csv:2\n",
        ),
        (
            format!("{HEADER}1,a.c;b.c,LP64,,inc,,assert,,true\n"),
            "error: t.csv:2: missing file `b.c`\nt.csv:2: missing folder `inc`\n",
        ),
        (
            format!("{HEADER}1,a.c,LP64,,,,assert,,maybe\n\"2\n\",a.c,LP64,,,,assert,,\n"),
            "error: t.csv:2: bad verdict `maybe`: expected true or false\nt.csv:3: bad id `2\\n`\n\
             t.csv:3: bad verdict ``: expected true or false\n",
        ),
        (
            format!(
                "{HEADER}1,a.c,LP64,,,,valid-memsafety,assert,false\n2,a.c,LP65,,,,assert,,true\n"
            ),
            "error: t.csv:2: `assert` is no subproperty of `valid-memsafety`\nt.csv:3: bad data model `LP65`: expected ILP32 or LP64\n",
        ),
        (
            format!("{HEADER}1,a.c,LP64,,,,assert,true\n2,,LP64,,,,assert,,true\n"),
            "error: t.csv:2: 8 fields for 9 columns\nt.csv:3: no files\n",
        ),
        (
            "id,id,files,data_model,cflags,include_dirs,defines,property,subproperty,expected\n"
                .to_owned(),
            "error: t.csv:1: column `id` twice\n",
        ),
        (HEADER.to_owned(), "error: t.csv: no task in it\n"),
        (String::new(), "error: t.csv:1: missing column `id`\n"),
    ] {
        let said = refused(&text);
        assert!(said.starts_with(expected), "{text}{said}");
    }
    let said = refused(&format!("{HEADER}1,a.c,LP64,,,,termination,,true\n"));
    assert!(
        said.starts_with("error: t.csv:2: unknown property `termination`: expected unreach-call, "),
        "{said}"
    );
    let many: String = (0..100)
        .map(|n| format!("{n},b.c,LP64,,,,assert,,true\n"))
        .collect();
    let said = refused(&format!("{HEADER}{many}"));
    assert!(
        said.ends_with("t.csv:31: missing file `b.c`\n… and 70 more\n"),
        "{said}"
    );
}

#[test]
fn what_is_no_list_is_refused() {
    let bench = Bench::new();
    bench.verifier("echo 'RESULT: true'");
    fs::write(
        bench.path("bad.csv"),
        [HEADER.as_bytes(), b"\xff,a.c,LP64,,,,assert,,true\n"].concat(),
    )
    .expect("written");
    for (list, expected) in [
        (
            "tasks.txt",
            "error: tasks.txt: not a task list: expected *.csv, *.yml or *.set\n",
        ),
        ("none.csv", "error: none.csv: "),
        ("none.yml", "error: none.yml: "),
        ("none.set", "error: none.set: "),
        ("bad.csv", "error: bad.csv:2: not UTF-8\n"),
    ] {
        let run = bench.run(&[list]);
        assert_eq!(run.code, 1);
        assert!(run.stderr.starts_with(expected), "{}", run.stderr);
    }
}

/// The programs that a run would verify.
fn chosen(run: &Run) -> Vec<&str> {
    let lines = run.stdout.lines().filter(|line| line.contains(" verify "));
    lines
        .map(|line| line.rsplit(' ').next().unwrap_or(""))
        .collect()
}

#[test]
fn definitions_and_sets_are_lists() {
    let bench = Bench::new();
    bench.verifier("echo 'RESULT: true'");
    bench.write(
        "properties/a.prp",
        "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
    );
    bench.write("properties/b.prp", "CHECK( init(main()), LTL(F end) )\n");
    bench.write(
        "properties/c.prp",
        "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\nCHECK( init(main()), LTL(G valid-memtrack) )\n",
    );
    bench.write(
        "properties/d.prp",
        "COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )\n",
    );
    let definition = |file: &str, model: &str| {
        format!(
            "format_version: '2.0'\n# a comment\ninput_files: '{file}'\nproperties:\n\
             \x20 - property_file: ../properties/a.prp\n    expected_verdict: true\n\
             \x20 - property_file: ../properties/b.prp\n    expected_verdict: false\n\
             \x20 - property_file: ../properties/d.prp\n\
             \x20 - property_file: ../properties/c.prp\n    expected_verdict: false\n    subproperty: valid-deref\n\
             options:\n  language: C\n  data_model: {model}\n"
        )
    };
    for (name, model) in [
        ("loops/x", "ILP32"),
        ("loops/y", "LP64"),
        ("heap/z", "LP64"),
    ] {
        let file = name.rsplit('/').next().expect("a name");
        bench.write(&format!("{name}.i"), "");
        bench.write(
            &format!("{name}.yml"),
            &definition(&format!("{file}.i"), model),
        );
    }
    bench.write(
        "heap/J.yml",
        "format_version: '2.0'\ninput_files: [J]\nproperties: []\noptions: {language: Java}\n",
    );
    bench.write(
        "All.set",
        "# everything\nloops/*.yml\n\nheap/*.yml\nloops/x.yml\n",
    );
    let run = bench.run(&["All.set", "--csv", "r.csv"]);
    assert_eq!(run.code, 10, "{}", run.stderr);
    for note in [
        "left out 1: language Java",
        "left out 3: property b",
        "left out 3: property d",
    ] {
        assert!(run.stderr.contains(note), "{}", run.stderr);
    }
    let rows = bench.table("r.csv");
    let shown: Vec<String> = rows
        .iter()
        .map(|row| {
            [
                "id",
                "suite",
                "category",
                "property",
                "subproperty",
                "result",
            ]
            .map(|c| row[c].as_str())
            .join(" ")
        })
        .collect();
    assert_eq!(
        shown,
        [
            "loops/x.yml:unreach-call svcomp All/loops unreach-call  right",
            "loops/x.yml:valid-memsafety svcomp All/loops valid-memsafety valid-deref wrong",
            "loops/y.yml:unreach-call svcomp All/loops unreach-call  right",
            "loops/y.yml:valid-memsafety svcomp All/loops valid-memsafety valid-deref wrong",
            "heap/z.yml:unreach-call svcomp All/heap unreach-call  right",
            "heap/z.yml:valid-memsafety svcomp All/heap valid-memsafety valid-deref wrong",
        ]
    );
    let run = bench.run(&["loops/x.yml", "--dry-run"]);
    assert!(
        run.stdout.starts_with(
            "./verifier.sh verify --data-model ILP32 --prp loops/../properties/a.prp --extern pure "
        ),
        "{}",
        run.stdout
    );
}

#[test]
fn a_malformed_definition_is_refused() {
    let bench = Bench::new();
    bench.verifier("echo 'RESULT: true'");
    bench.write("a.prp", "CHECK( init(main()), LTL(G ! overflow) )\n");
    bench.write("bad.prp", "nonsense\n");
    bench.write("a.c", "");
    let good = "format_version: '2.0'\ninput_files: a.c\nproperties:\n  - property_file: a.prp\n    expected_verdict: true\noptions: {language: C, data_model: LP64}\n";
    for (from, to, expected) in [
        ("'2.0'", "'3.0'", "missing or unknown `format_version`"),
        ("a.c", "[a.c, b.c]", "missing file `b.c`"),
        ("a.prp", "b.prp", "missing file `b.prp`"),
        ("a.prp", "bad.prp", "bad.prp: line 1: expected `CHECK("),
        (
            "verdict: true",
            "verdict: yes",
            "bad verdict for `no-overflow`: expected true or false",
        ),
        ("LP64", "LP65", "missing or bad `data_model`"),
        (
            "expected_verdict: true",
            "expected_verdict: true\n    subproperty: valid-free",
            "`valid-free` is no subproperty",
        ),
        ("properties:", "properties: *x\nmore:", "d.yml:3: "),
    ] {
        bench.write("d.yml", &good.replace(from, to));
        let run = bench.run(&["d.yml"]);
        assert_eq!(run.code, 1, "{from}");
        assert!(
            run.stderr.contains("d.yml") && run.stderr.contains(expected),
            "{from}: {}",
            run.stderr
        );
    }
    bench.write("s.set", "d*.yml\nnone/*.yml\n");
    let run = bench.run(&["s.set"]);
    assert!(
        run.stderr
            .contains("s.set:2: missing file: nothing matches `none/*.yml`"),
        "{}",
        run.stderr
    );
    bench.write("d.yml", good);
    assert_eq!(bench.run(&["d.yml"]).code, 0);
}

#[test]
fn filters_and_samples_choose() {
    let bench = Bench::new();
    bench.verifier("echo 'RESULT: true'");
    let files: Vec<String> = (0..40).map(|n| format!("f{n}.c")).collect();
    let rows: Vec<_> = files
        .iter()
        .enumerate()
        .map(|(n, file)| {
            [
                file.as_str(),
                file,
                if n % 2 == 0 { "assert" } else { "no-overflow" },
                "",
                "true",
            ]
        })
        .collect();
    bench.list(&rows);
    let dry = |arguments: &[&str]| bench.run(&[&["tasks.csv", "--dry-run"], arguments].concat());
    let run = dry(&[
        "--filter",
        "property=assert and (id~^f1 or id=f2.c)",
        "--filter",
        "not id=f10.c",
    ]);
    assert_eq!(chosen(&run), ["f2.c", "f12.c", "f14.c", "f16.c", "f18.c"]);
    let ten = dry(&["--sample", "10", "--seed", "5"]);
    let five = dry(&["--sample", "5", "--seed", "5"]);
    let other = dry(&["--sample", "10", "--seed", "6"]);
    assert_eq!(chosen(&ten).len(), 10);
    assert_ne!(chosen(&ten), chosen(&other));
    let place = |name: &str| files.iter().position(|file| file == name);
    assert!(chosen(&ten).iter().map(|name| place(name)).is_sorted());
    assert!(chosen(&five).iter().all(|name| chosen(&ten).contains(name)));
    assert_eq!(chosen(&dry(&["--sample", "100"])).len(), 40);
    for (arguments, expected) in [
        (
            vec!["--filter", "colour=red"],
            "error: --filter: no column `colour`; there are category, cflags, ",
        ),
        (
            vec!["--filter", "id="],
            "error: no task is left: nothing would be measured",
        ),
        (
            vec!["--filter", "id"],
            "error: --filter `id`: column 3: expected one of",
        ),
        (
            vec!["--seed", "1"],
            "error: the following required arguments were not provided",
        ),
        (
            vec!["--resume"],
            "error: the following required arguments were not provided",
        ),
        (
            vec!["--jobs", "0"],
            "error: invalid value '0' for '--jobs <N>'",
        ),
        (vec!["--timeout", "-1"], "error: "),
        (
            vec!["--", "--timeout", "5"],
            "error: --timeout after `--` contradicts the runner's own",
        ),
        (
            vec!["--csv", "tasks.csv"],
            "error: --csv tasks.csv: is a task list as well",
        ),
        (
            vec!["--json", "x", "--html", "./x"],
            "error: --html ./x: is --json as well",
        ),
        (vec!["--html", "no/x"], "error: --html no/x: no such folder"),
        (
            vec!["--compare", "tasks.csv"],
            "error: tasks.csv: not a table of results of this version",
        ),
    ] {
        let run = dry(&arguments);
        assert_eq!(run.code, 1, "{arguments:?}");
        assert!(
            run.stderr.starts_with(expected),
            "{arguments:?}: {}",
            run.stderr
        );
    }
}

#[test]
fn the_runner_itself_costs_little() {
    let bench = Bench::new();
    bench.verifier("echo 'RESULT: true'");
    let files: Vec<String> = (0..700).map(|n| format!("f{n}.c")).collect();
    let rows: Vec<_> = files
        .iter()
        .map(|file| [file.as_str(), file, "assert", "", "true"])
        .collect();
    bench.list(&rows);
    let run = bench.run(&["tasks.csv", "--csv", "r.csv", "--jobs", "2"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    // Seen with `--nocapture`; how long it takes depends on the machine, so it is not asserted.
    println!("{}", run.stdout.lines().last().unwrap_or(""));
    let ids: Vec<String> = bench
        .table("r.csv")
        .iter()
        .map(|row| row["id"].clone())
        .collect();
    assert_eq!(ids, files);
}
