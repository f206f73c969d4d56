//! Reports for programs: they keep to their schemas, and say what the verdict says.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

mod schema;

const PROGRAM: &str = "#include <stdlib.h>
extern int sk_nondet_int(void);
int main(void) {
    int n = sk_nondet_int();
    int *p = malloc(4 * sizeof *p);
    if (n < 0 || n > 4) return 0;
    p[n] = 1;
    for (int i = 0; i < sk_nondet_int(); i++) n ^= i;
    return n;
}
";

fn folder() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

fn program(name: &str, source: &str) -> PathBuf {
    let file = folder().join(format!("reports-{name}.c"));
    std::fs::write(&file, source).expect("the program is written");
    file
}

fn selkie(options: &[&str], file: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_selkie"))
        .arg("verify")
        .args(options)
        .arg(file)
        .output()
        .expect("selkie runs")
}

fn schema() -> Value {
    schema::named("verify")
}

#[track_caller]
fn keeps_to_the_schema(value: &Value) {
    let schema = schema();
    let mut out = Vec::new();
    schema::complaints(&schema, &schema, value, "", &mut out);
    assert!(out.is_empty(), "{out:#?}");
}

fn read(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("standard output is JSON alone")
}

#[test]
fn json_keeps_to_its_schema_however_the_work_ends() {
    let file = program("json", PROGRAM);
    let output = selkie(&["--json", "-", "--stats", "--unwind", "3"], &file);
    let value = read(&output);
    keeps_to_the_schema(&value);
    assert_eq!(value["verdict"], "false(valid-deref)");
    assert_eq!(value["exit_code"], 10);
    assert_eq!(value["violations"][0]["stack"][0]["function"], "main");
    assert!(
        value["command"]
            .as_array()
            .is_some_and(|words| words.contains(&"--unwind".into()))
    );
    // At a limit, and where nothing compiles, nothing is missing.
    let endless = "extern int sk_nondet_int(void); void sk_assert(_Bool);
        int main(void) { unsigned a = sk_nondet_int(), b = sk_nondet_int(), c = sk_nondet_int();
        sk_assert(a < 2 || b < 2 || c < 2 || a * b * c != 0x9e3779b1u * a || b % 7 == 3); }";
    let output = selkie(
        &["--json", "-", "--timeout", "0.2"],
        &program("limit", endless),
    );
    keeps_to_the_schema(&read(&output));
    let output = selkie(
        &["--json", "-"],
        &program("wrong", "int main(void) { return x; }"),
    );
    let value = read(&output);
    keeps_to_the_schema(&value);
    assert_eq!(value["verdict"], "error(input)");
    let entry = program("entry", "void four(int *p) { p[3] = 0; }");
    let value = read(&selkie(&["--json", "-", "--entry", "four"], &entry));
    keeps_to_the_schema(&value);
    assert_eq!(value["preconditions"][0]["param"], "p: 4 elements");
}

#[test]
fn the_schema_refuses_what_is_wrong() {
    let schema = schema();
    let file = program("refused", "int main(void) { return 0; }");
    let value = read(&selkie(&["--json", "-"], &file));
    let wrong = |change: &dyn Fn(&mut Value)| {
        let mut value = value.clone();
        change(&mut value);
        let mut out = Vec::new();
        schema::complaints(&schema, &schema, &value, "", &mut out);
        out
    };
    assert!(wrong(&|_| {}).is_empty());
    assert!(!wrong(&|value| value["verdict"] = 1.into()).is_empty());
    assert!(!wrong(&|value| value["surprise"] = 1.into()).is_empty());
    assert!(!wrong(&|value| value["stats"]["rounds"] = "many".into()).is_empty());
    assert!(!wrong(&|value| value["schema_version"] = 2.into()).is_empty());
}

#[test]
fn sarif_has_rules_results_and_code_flows() {
    let file = program("sarif", PROGRAM);
    let value = read(&selkie(&["--sarif", "-", "--unwind", "3"], &file));
    assert_eq!(value["version"], "2.1.0");
    let run = &value["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    let results = run["results"].as_array().expect("results");
    let violated: Vec<&Value> = results
        .iter()
        .filter(|result| result["kind"] == "fail")
        .collect();
    assert_eq!(violated.len(), 1, "{value:#}");
    for result in results {
        let index = result["ruleIndex"].as_u64().expect("a rule") as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        let place = &result["locations"][0]["physicalLocation"];
        assert!(
            place["region"]["startLine"]
                .as_u64()
                .is_some_and(|line| line > 0)
        );
    }
    let steps = &violated[0]["codeFlows"][0]["threadFlows"][0]["locations"];
    assert!(
        steps.as_array().is_some_and(|steps| steps.len() >= 2),
        "{steps:#}"
    );
    assert_eq!(
        violated[0]["partialFingerprints"]["selkieObligation/v1"],
        "main.deref.1"
    );
    assert_eq!(run["invocations"][0]["exitCode"], 10);
    // What is wrong with the input is said as well.
    let output = selkie(
        &["--sarif", "-"],
        &program("sarif-wrong", "int main(void) { return x; }"),
    );
    let run = &read(&output)["runs"][0];
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
}

#[test]
fn junit_has_a_case_for_each_obligation() {
    let file = program("junit", PROGRAM);
    let output = selkie(&["--junit", "-", "--unwind", "3"], &file);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.starts_with("<?xml version=\"1.0\""), "{text}");
    assert_eq!(text.matches("<failure ").count(), 1, "{text}");
    let cases = text.matches("<testcase ").count();
    assert!(
        text.contains(&format!(
            "<testsuites name=\"selkie\" tests=\"{cases}\" failures=\"1\""
        )),
        "{text}"
    );
    let output = selkie(
        &["--junit", "-"],
        &program("junit-wrong", "int main(void) { return x; }"),
    );
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(
        text.contains("errors=\"1\"") && text.contains("<error message="),
        "{text}"
    );
}

/// Whoever reads the file does not take an empty one for a proof.
#[test]
fn a_report_that_cannot_be_written_is_an_error() {
    let file = program("full", "int main(void) { return 0; }\n");
    for option in [
        "--json",
        "--sarif",
        "--junit",
        "--html",
        "--witness",
        "--reproducer",
    ] {
        let output = selkie(&[option, "/dev/full"], &file);
        assert_eq!(output.status.code(), Some(1), "{option}: {output:?}");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.ends_with("RESULT: true\n"), "{option}: {said}");
    }
    let both = folder().join("reports-both");
    let both = both.to_str().expect("a path of text");
    let output = selkie(&["--json", both, "--sarif", both], &file);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("another report goes there"), "{errors}");
}

/// What Jenkins accepts: the parent of each element, its attributes, and those that must be there.
const JUNIT: &[(&str, &str, &[&str], &[&str])] = &[
    (
        "testsuites",
        "",
        &["name", "time", "tests", "failures", "errors"],
        &[],
    ),
    (
        "testsuite",
        "testsuites",
        &[
            "name",
            "tests",
            "failures",
            "errors",
            "group",
            "time",
            "skipped",
            "timestamp",
            "hostname",
            "id",
            "package",
            "file",
            "log",
            "url",
        ],
        &["name", "tests", "failures", "errors"],
    ),
    (
        "testcase",
        "testsuite",
        &["name", "time", "classname", "group"],
        &["name"],
    ),
    ("failure", "testcase", &["type", "message"], &[]),
    ("error", "testcase", &["type", "message"], &[]),
    ("skipped", "testcase", &["type", "message"], &[]),
];

/// What XML does not keep to.
fn junit_complaints(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let (_, text) = text.split_once("?>").expect("a declaration");
    for part in text.split('<').skip(1) {
        let (tag, _) = part.split_once('>').expect("a tag ends");
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop().as_deref() != Some(name) {
                out.push(format!("</{name}> closes something else"));
            }
            continue;
        }
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        let parent = open.last().map_or("", String::as_str);
        let rule = JUNIT
            .iter()
            .find(|(known, above, ..)| (*known, *above) == (name, parent));
        let Some((.., known, required)) = rule else {
            out.push(format!("<{name}> in <{parent}>"));
            continue;
        };
        let attributes: Vec<&str> = tag
            .split("=\"")
            .map(|part| part.rsplit(' ').next().unwrap_or_default())
            .collect();
        let attributes = &attributes[..attributes.len() - 1];
        out.extend(
            attributes
                .iter()
                .filter(|name| !known.contains(name))
                .map(|wrong| format!("{name} has {wrong}")),
        );
        out.extend(
            required
                .iter()
                .filter(|name| !attributes.contains(name))
                .map(|missing| format!("{name} lacks {missing}")),
        );
        if !tag.ends_with('/') {
            open.push(name.to_owned());
        }
    }
    out
}

#[test]
fn junit_keeps_to_the_rules_of_jenkins() {
    let wrong = program("junit-bad", "int main(void) { return x; }");
    for file in [program("junit-rules", PROGRAM), wrong] {
        let output = selkie(&["--junit", "-", "--unwind", "3"], &file);
        let text = String::from_utf8(output.stdout).expect("text");
        assert_eq!(junit_complaints(&text), [""; 0], "{text}");
        assert!(!junit_complaints(&text.replace("<testcase ", "<testcase file=\"x\" ")).is_empty());
        assert!(!junit_complaints(&text.replace(" tests=", " count=")).is_empty());
    }
}
