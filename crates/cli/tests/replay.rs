//! Counterexamples that a report keeps are executed again, and shown.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const PROGRAM: &str = "#include <stdlib.h>
extern int sk_nondet_int(void);
extern void sk_assert(_Bool);
int start;
static int twice(int x) { return 2 * x; }
int main(void) {
    int n = sk_nondet_int();
    if (n < 0 || n > 100) return 0;
    char *room = malloc(n + 1);
    if (twice(n) == 84) room[n + 1] = 0;
    sk_assert(n != 13);
    free(room);
    return 0;
}
";

fn selkie(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_selkie"))
        .args(args)
        // Where the sources are, which are shown.
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .output()
        .expect("selkie runs")
}

/// Writes a program, verifies it, and returns its report's file.
fn report(name: &str, source: &str, options: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join(format!("replay-{name}.c"));
    std::fs::write(&file, source).expect("the program is written");
    let json = file.with_extension("json");
    let (file, out) = (file.to_string_lossy(), json.to_string_lossy());
    let output = selkie(&[&["verify", "--json", &out, &file], options].concat());
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(10), "{said}");
    json
}

#[test]
fn what_was_found_is_shown_again() {
    for (name, options) in [
        ("plain", &[][..]),
        ("judged", &["--check", "assert,deref"]),
        ("on", &["--after-failure", "continue"]),
    ] {
        let json = report(name, PROGRAM, options);
        let file = json.to_string_lossy();
        let output = selkie(&["replay", &file]);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(10), "{name}: {said}");
        for part in [
            "int n = sk_nondet_int();  // input 13, n = 13",
            "int n = sk_nondet_int();  // input 42, n = 42",
            "[main.assert.1] sk_assert: VIOLATED",
            "[main.deref.1] invalid write of 1 byte: VIOLATED",
        ] {
            assert!(said.contains(part), "{name}: {part}\n{said}");
        }
        let one = selkie(&["replay", &file, "main.assert.1"]);
        let said = String::from_utf8_lossy(&one.stdout).into_owned();
        assert!(
            said.contains("input 13") && !said.contains("input 42"),
            "{said}"
        );
    }
}

#[test]
fn what_a_function_was_given_is_part_of_it() {
    let source = "int limit; int get(int *a, int n) { if (n < 0 || limit != 7) return 0; return a[n] + limit; }\n";
    let json = report(
        "entry",
        source,
        &["--entry", "get", "--param", "a: n elements"],
    );
    let output = selkie(&["replay", &json.to_string_lossy()]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(10), "{said}");
    assert!(said.contains("[get.deref.1]"), "{said}");
}

#[test]
fn a_story_that_is_not_true_is_not_told() {
    let json = report("changed", PROGRAM, &[]);
    let file = json.to_string_lossy().into_owned();
    // The program was repaired in the meantime.
    std::fs::write(
        json.with_extension("c"),
        PROGRAM.replace("!= 13", "!= 1300"),
    )
    .expect("written");
    let output = selkie(&["replay", &file, "main.assert.1"]);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(5), "{errors}");
    assert!(errors.contains("main.assert.1 is not violated"), "{errors}");
    assert!(output.stdout.is_empty());
    for (arguments, code, part) in [
        (
            vec!["replay", "no-such-report.json"],
            2,
            "no-such-report.json",
        ),
        (vec!["replay", &file, "main.assert.9"], 1, "main.assert.9"),
    ] {
        let output = selkie(&arguments);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{errors}");
        assert!(errors.contains(part), "{errors}");
    }
}

#[test]
fn the_story_is_told_again_and_the_inputs_run() {
    let source = "#include <stdlib.h>
extern int sk_nondet_int(void);
extern void sk_assert(_Bool);
int main(void) {
    int n = sk_nondet_int();
    int idle = sk_nondet_int();
    char *room = malloc(2);
    if (idle > 3) room[0] = 1;
    if (n > 41) sk_assert(n < 42);
    free(room);
    return 0;
}
";
    let json = report("story", source, &[]);
    let file = json.to_string_lossy().into_owned();
    let output = selkie(&["replay", "--trace", "story", &file]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(10), "{said}");
    assert!(
        said.contains("input: n = 42") && !said.contains("idle > 3"),
        "{said}"
    );
    let none = selkie(&["replay", "--trace", "none", &file]);
    let said = String::from_utf8_lossy(&none.stdout).into_owned();
    assert!(
        said.contains("error[assert]") && !said.contains("how it comes there"),
        "{said}"
    );
    let program = json.with_extension("c").to_string_lossy().into_owned();
    let output = selkie(&["run", "--inputs", &file, &program]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(10), "{said}");
    assert!(said.contains("main.assert.1"), "{said}");
    for (words, part) in [
        (&["--inputs", "nothing.json"][..], "not `nothing.json`"),
        (&["--violation", "main.assert.1"], "--inputs REPORT.json"),
        (
            &["--inputs", &file, "--violation", "main.assert.7"],
            "main.assert.7",
        ),
    ] {
        let output = selkie(&[&["run"], words, &[&*program]].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{words:?}: {said}");
        assert!(said.contains(part), "{words:?}: {said}");
    }
}
