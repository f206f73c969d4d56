//! What people read: violations first, what holds in a line, models at the user's own calls.

use std::path::Path;
use std::process::{Command, Output};

const PROGRAM: &str = "#include <string.h>
extern int sk_nondet_int(void);
static int first(const char *text) {
    char small[4];
    strcpy(small, text);
    return small[0];
}
int main(void) {
    int n = sk_nondet_int();
    if (n > 3) return first(\"hello\");
    return 10 / (n ^ 3);
}
";

/// Runs `selkie` where the program is, so that it is known by its bare name.
fn selkie(name: &str, source: &str, args: &[&str]) -> Output {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("output-{name}"));
    std::fs::create_dir_all(folder.join("sub")).expect("a folder");
    std::fs::write(folder.join("f.c"), source).expect("the program is written");
    std::fs::write(folder.join("sub/g.h"), "int g(int x) { return 1 / x; }\n").expect("a header");
    Command::new(env!("CARGO_BIN_EXE_selkie"))
        .current_dir(folder)
        .args(args)
        .output()
        .expect("selkie runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn violations_come_first_and_what_holds_is_a_line() {
    let said = text(&selkie("first", PROGRAM, &["verify", "f.c"]).stdout);
    assert!(said.starts_with("error["), "{said}");
    let at = |part: &str| said.find(part).unwrap_or_else(|| panic!("{part}: {said}"));
    assert!(at("f.c:11:15 (main.div.1)") < at("f.c: main: "), "{said}");
    assert!(at("f.c: main: ") < at(" obligations: 2 violated"), "{said}");
    assert!(at("obligations: ") < at("rests on:\n  - "), "{said}");
    assert!(said.contains("models of library functions: "), "{said}");
    assert!(!said.contains("PROVED"), "{said}");
    // A caret under the place, with the reason.
    let caret = "11 |     return 10 / (n ^ 3);\n   |               ^ ";
    assert!(said.contains(caret), "{said}");
    // Nothing is coloured that is no terminal.
    assert!(!said.contains('\u{1b}'), "{said}");
}

#[test]
fn what_goes_wrong_in_a_model_is_shown_at_the_users_own_call() {
    let output = selkie("model", PROGRAM, &["verify", "--json", "-", "f.c"]);
    let said = text(&output.stderr);
    let block = "error[deref]: invalid write of 1 byte in strcpy\n --> f.c:5:5 (";
    assert!(said.contains(block), "{said}");
    assert!(said.contains("5 |     strcpy(small, text);\n"), "{said}");
    let own = said.find("= in first at f.c:5:5: ").expect("the own frame");
    let model = said.find("= inside the model of strcpy: ").expect("models");
    assert!(own < model, "{said}");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let list = json["violations"].as_array().expect("a list");
    let inside = list.iter().find(|one| one["inside"] == "strcpy");
    let place = &inside.expect("the violation")["place"];
    assert_eq!((&place["file"], &place["line"]), (&"f.c".into(), &5.into()));
    let sarif = selkie("model", PROGRAM, &["verify", "--sarif", "-", "f.c"]).stdout;
    let sarif: serde_json::Value = serde_json::from_slice(&sarif).expect("JSON");
    for result in sarif["runs"][0]["results"].as_array().expect("results") {
        let at = &result["locations"][0]["physicalLocation"]["artifactLocation"];
        assert_eq!(at["uri"], "f.c", "{result:#}");
    }
}

#[test]
fn more_is_said_or_less() {
    let all = text(&selkie("more", PROGRAM, &["verify", "-v", "f.c"]).stdout);
    let line = "f.c:11:15: [main.div.1] division by zero in / of int: VIOLATED\n";
    assert!(all.contains(line), "{all}");
    assert!(all.contains(": PROVED\n"), "{all}");
    let little = text(&selkie("more", PROGRAM, &["verify", "-q", "f.c"]).stdout);
    assert_eq!(little.matches("error[").count(), 2, "{little}");
    for part in ["obligations", "rests on", "main: "] {
        assert!(!little.contains(part), "{little}");
    }
    assert_eq!(little.lines().last(), all.lines().last());
}

#[test]
fn files_are_called_what_the_user_calls_them() {
    let source = "#include \"sub/g.h\"\nint main(void) { return g(0); }\n";
    let said = text(&selkie("names", source, &["verify", "f.c"]).stdout);
    assert!(
        said.contains("--> ./sub/g.h:1:25") || said.contains("--> sub/g.h:1:25"),
        "{said}"
    );
    assert!(
        said.contains("1 | int g(int x) { return 1 / x; }\n"),
        "{said}"
    );
    assert!(said.contains("called from main at f.c:2:"), "{said}");
}

#[test]
fn a_file_beside_the_current_folder_keeps_its_whole_name() {
    // The two folders share all but their last name, which clang takes out of the file's.
    let source = "int main(void) { int a[2] = {0}; return a[2]; }\n";
    selkie("beside", source, &["verify", "f.c"]);
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("output-beside/f.c");
    let file = file.to_str().expect("a name");
    let said = text(&selkie("besides", source, &["verify", file]).stdout);
    assert!(said.contains(&format!(" --> {file}:1:")), "{said}");
    assert!(said.contains("1 | int main(void) {"), "{said}");
    // In the current folder, it is shown without.
    let said = text(&selkie("beside", source, &["verify", file]).stdout);
    assert!(said.contains(" --> f.c:1:"), "{said}");
    let said = text(&selkie("besides", source, &["verify", "../output-beside/f.c"]).stdout);
    assert!(said.contains(" --> ../output-beside/f.c:1:"), "{said}");
}

#[test]
fn many_that_are_open_for_one_reason_are_not_all_listed() {
    let asserts = "sk_assert(x != 0); x = x * 3 + 1;\n".repeat(30);
    let source = format!(
        "extern void sk_assert(_Bool); extern unsigned sk_nondet_uint(void);
        int main(void) {{ unsigned x = 1; while (sk_nondet_uint()) {{ {asserts} }} }}"
    );
    let args = ["verify", "--engine", "bmc", "--unwind", "1", "f.c"];
    let said = text(&selkie("many", &source, &args).stdout);
    let listed = said.matches(": PROVED-BOUNDED(1)\n").count();
    assert_eq!(listed, 20, "{said}");
    assert!(
        said.contains("… and 10 more that are PROVED-BOUNDED(1); -v lists them"),
        "{said}"
    );
}

#[test]
fn all_that_clang_says_is_shown() {
    let wrong = "int main(void) { int a = b; return c; }\n";
    let output = selkie("wrong", wrong, &["verify", "f.c"]);
    let said = text(&output.stderr);
    assert!(
        said.starts_with("error: f.c does not compile:\nf.c:1:26: error: "),
        "{said}"
    );
    assert!(said.contains("f.c:1:36: error: "), "{said}");
    let odd = "int main(int n, char **v) { if (n = 2) return 1; return 0; }\n";
    let output = selkie("odd", odd, &["verify", "f.c"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert_eq!(said.matches("warning: ").count(), 1, "{said}");
    let quiet = selkie("odd", odd, &["verify", "-q", "f.c"]);
    assert_eq!(text(&quiet.stderr), "");
}
