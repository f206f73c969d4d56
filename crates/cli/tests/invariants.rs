//! `--show-invariants`: what was proved at the heads of loops, in the words of the source.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn report(name: &str, source: &str, options: &[&str]) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("invariants-{name}.c"));
    std::fs::write(&path, source).expect("the program is written");
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lib/include");
    // Lines are read from files that are named from here.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
        .current_dir(root)
        .args(["verify", "--check", "assert", "--engine", "absint"])
        .arg("--include")
        .arg(&include)
        .args(options)
        .arg(&path)
        .output()
        .expect("selkie runs");
    String::from_utf8(output.stdout).expect("the report is text")
}

const COUNTERS: &str = "#include <selkie.h>
int total;
int main(void) {
    int i = 0, j = 5;
    while (sk_nondet_bool()) {
        if (i == 1000) break;
        i++;
        j++;
        total = 7;
    }
    sk_assert(j == i + 5);
}
";

#[test]
fn loops_are_shown_with_what_holds_there() {
    let options = ["--domain", "zone", "--show-invariants"];
    let report = report("zone", COUNTERS, &options);
    assert!(
        report.contains(".c:5:5: while (sk_nondet_bool()) {\n"),
        "{report}"
    );
    for expected in [
        "    invariant: i <= 1000 (absint)\n",
        "    invariant: i - j <= -5 (absint)\n",
        "    invariant: j - i <= 5 (absint)\n",
        "    invariant: total <= 7 (absint)\n",
    ] {
        let signs = expected.replace("(unsigned)", "");
        let plain = report.replace("(unsigned)", "");
        assert!(plain.contains(&signs), "no {expected}{report}");
    }
}

#[test]
fn programs_read_them_in_the_report() {
    let text = report("json", COUNTERS, &["--domain", "zone", "--json", "-"]);
    let value: Value = serde_json::from_str(&text).expect("JSON");
    let list = value["invariants"].as_array().expect("a list");
    let found = list.iter().any(|one| {
        one["text"] == "j - i <= 5" && one["by"] == "absint" && one["place"]["line"] == 5
    });
    assert!(found, "{text}");
}

/// A function's loop stands in the program once for each call: what holds in one of them only is not said.
#[test]
fn what_holds_in_one_call_only_is_not_said() {
    let source = |second: &str| {
        format!(
            "#include <selkie.h>
static int count(int from) {{
    int i = from;
    while (sk_nondet_bool())
        if (i < 1000) i++;
    return i;
}}
int main(void) {{
    sk_assert(count(0) <= 1000);
    sk_assert(count({second}) <= 1000);
}}
"
        )
    };
    let options = ["--domain", "interval", "--show-invariants"];
    let both = report("calls", &source("0"), &options);
    assert!(both.contains("i <= 1000"), "{both}");
    let other = report("calls-other", &source("-5"), &options);
    assert!(other.contains("RESULT: true"), "{other}");
    assert!(!other.contains("(unsigned)i <= 1000"), "{other}");
}

#[test]
fn nothing_is_said_without_a_proof() {
    let source = "#include <selkie.h>
int main(void) {
    unsigned i = 0;
    while (sk_nondet_bool()) i = sk_nondet_uint();
    sk_assert(i < 5);
}
";
    let report = report("none", source, &["--domain", "zone", "--show-invariants"]);
    assert!(report.contains("note: no invariant was proved"), "{report}");
}
