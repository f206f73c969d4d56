//! Nothing is hidden: `--save` keeps each question with its model and each counterexample, and `--stats` tells what
//! passes, questions and rewrite rules cost.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Arithmetic, memory and floats, one violation and one proof each.
const PROGRAMS: [(&str, &str, &[&str]); 4] = [
    (
        "scalars",
        "int main(void) {
    unsigned x = sk_nondet_uint(), y = sk_nondet_uint();
    int a = sk_nondet_int(), b = sk_nondet_int();
    sk_assume(x < 100 && y < 100);
    sk_assert((x + y) * (x + y) == x * x + 2 * x * y + y * y);
    sk_assert(a / 3 != 77);
    return a * b;
}",
        &[],
    ),
    (
        "memory",
        "int table[8];
int main(void) {
    unsigned i = sk_nondet_uint(), j = sk_nondet_uint();
    sk_assume(i < 8 && j < 8);
    table[i] = 3;
    table[j] = 4;
    sk_assert(table[j] == 4);
    sk_assert(table[i] == 3);
}",
        &["--memory", "array"],
    ),
    (
        "floats",
        "int main(void) {
    float x = sk_nondet_float();
    sk_assume(x > 1.0f && x < 2.0f);
    sk_assert(x + 1.0f > 2.0f || x < 1.5f);
    sk_assert(x * x != 2.25f);
}",
        &["--check", "assert"],
    ),
    (
        "overflow",
        "int main(void) {
    int x = sk_nondet_int();
    int y = x + 1;
    sk_assert(y > x);
}",
        &["--check", "assert"],
    ),
];

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("insight-{name}"))
}

fn verify(name: &str, source: &str, options: &[&str]) -> Output {
    let file = folder(name).with_extension("c");
    std::fs::write(&file, format!("#include <selkie.h>\n{source}\n")).expect("it is written");
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lib/include");
    Command::new(env!("CARGO_BIN_EXE_selkie"))
        .args(["verify", "-v"])
        .arg("--include")
        .arg(include)
        .args(options)
        .arg(&file)
        .output()
        .expect("selkie runs")
}

/// The files of a folder, by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut list: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    list.sort();
    list
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).expect("a text")
}

/// What a program answers to a script.
fn answer(program: &[&str], file: &Path) -> String {
    let output = Command::new(program[0])
        .args(&program[1..])
        .arg(file)
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}", program[0]));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

#[test]
fn every_question_is_kept_as_others_can_read_it() {
    let z3 = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.deps/bin/z3");
    let z3 = z3.to_str().expect("a path of text");
    let mut answers = BTreeSet::new();
    for (name, source, options) in PROGRAMS {
        let saved = folder(name);
        let _ = std::fs::remove_dir_all(&saved);
        let save = saved.to_str().expect("a path of text");
        let output = verify(
            name,
            source,
            &[options, &["--save", save, "--stats"]].concat(),
        );
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        let queries = files(&saved.join("queries"));
        let scripts: Vec<&PathBuf> = queries
            .iter()
            .filter(|file| !file.to_string_lossy().ends_with(".model.smt2"))
            .collect();
        assert!(!scripts.is_empty(), "{name}: {errors}");
        let told = errors.lines().filter(|line| line.contains(" ms  query "));
        assert_eq!(told.count(), scripts.len(), "{name}: {errors}");
        for script in scripts {
            let text = read(script);
            let first = text.lines().next().expect("a first line");
            let said = first
                .split(' ')
                .find(|word| ["sat", "unsat", "unknown"].contains(word))
                .unwrap_or_else(|| panic!("{}: {first}", script.display()));
            answers.insert(said.to_owned());
            for program in [&["cvc5", "--lang=smt2"][..], &[z3, "-smt2"]] {
                let other = answer(program, script);
                assert_eq!(other, said, "{} by {program:?}", script.display());
            }
            let model = script.with_extension("model.smt2");
            assert_eq!(model.exists(), said == "sat", "{}", script.display());
            if said == "sat" {
                holds(&text, &read(&model), &model);
            }
        }
    }
    assert_eq!(answers, BTreeSet::from(["sat".into(), "unsat".into()]));
}

/// The question is still satisfied when its variables are what the model says.
fn holds(script: &str, model: &str, file: &Path) {
    let name = |line: &str| line.split_once(" ()").map(|(head, _)| head.to_owned());
    let defined: BTreeSet<String> = model
        .lines()
        .filter_map(name)
        .map(|head| head.replace("(define-fun ", ""))
        .collect();
    assert!(!defined.is_empty(), "{}", file.display());
    let is_declared = |line: &&str| {
        let head = name(line).map(|head| head.replace("(declare-fun ", ""));
        line.starts_with("(declare-fun ") && head.is_some_and(|head| defined.contains(&head))
    };
    let (logic, rest) = script.split_once("(set-logic ALL)\n").expect("a script");
    let rest: Vec<&str> = rest.lines().filter(|line| !is_declared(line)).collect();
    let text = format!("{logic}(set-logic ALL)\n{model}{}\n", rest.join("\n"));
    let whole = file.with_extension("whole.txt");
    std::fs::write(&whole, &text).expect("it is written");
    assert_eq!(answer(&["cvc5", "--lang=smt2"], &whole), "sat", "{text}");
    std::fs::remove_file(whole).expect("it was written");
}

#[test]
fn every_counterexample_is_kept() {
    let (name, source, _) = PROGRAMS[0];
    let saved = folder("traces");
    let _ = std::fs::remove_dir_all(&saved);
    let save = saved.to_str().expect("a path of text");
    let output = verify("traces", source, &["--save", save]);
    let report = String::from_utf8_lossy(&output.stdout);
    let violated: BTreeSet<&str> = report
        .lines()
        .filter(|line| line.ends_with(": VIOLATED"))
        .filter_map(|line| line.split(['[', ']']).nth(1))
        .collect();
    assert_eq!(violated.len(), 2, "{name}: {report}");
    let traces = files(&saved.join("traces"));
    for file in &traces {
        let trace: serde_json::Value = serde_json::from_str(&read(file)).expect("JSON");
        let id = trace["claim"]["id"].as_str().expect("an id");
        assert!(violated.contains(id), "{id}");
        let events = trace["trace"]["events"].as_array();
        assert_eq!(events.map(Vec::len), Some(4), "{trace}");
    }
    assert_eq!(traces.len(), violated.len());
}

#[test]
fn costs_are_told_where_they_are_asked_for() {
    let (_, source, _) = PROGRAMS[1];
    let file = folder("costs").with_extension("json");
    let json = file.to_str().expect("a path of text");
    let output = verify("costs", source, &["--json", json, "--stats"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    for part in [
        " ms  frontend",
        " ms  pass ",
        " ms  query 0001: ",
        " times  rule ",
    ] {
        assert!(errors.contains(part), "{part}: {errors}");
    }
    let report: serde_json::Value = serde_json::from_str(&read(&file)).expect("JSON");
    for part in ["passes", "queries"] {
        assert!(
            report[part].as_array().is_some_and(|list| !list.is_empty()),
            "{part}: {report}"
        );
    }
    assert!(
        report["rules"]
            .as_object()
            .is_some_and(|rules| !rules.is_empty())
    );
    // Nobody asks: nothing is said.
    let output = verify("costs", source, &["--json", json]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!errors.contains(" ms "), "{errors}");
    let report: serde_json::Value = serde_json::from_str(&read(&file)).expect("JSON");
    assert!(report["queries"].is_null() && report["passes"].is_null() && report["rules"].is_null());
}
