//! The story of a counterexample: what it was given, which way it went, and only what the violation comes from; as simple as it can
//! be made.

use std::path::Path;
use std::process::Command;

/// The lines of the story that `verify` tells, without the frame; and everything that was said.
fn story(name: &str, source: &str, options: &[&str]) -> (Vec<String>, String) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = format!("story-{name}.c");
    std::fs::write(folder.join(&file), source).expect("the program is written");
    let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
        .arg("verify")
        .args(options)
        .arg(&file)
        .current_dir(folder)
        .output()
        .expect("selkie runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = said
        .lines()
        .map(str::trim)
        .skip_while(|line| *line != "= how it comes there:");
    let lines = lines
        .skip(1)
        .take_while(|line| line.starts_with('|') || line.starts_with('='));
    let lines = lines.map(|line| {
        let words: Vec<&str> = line.split_whitespace().skip(1).collect();
        words.join(" ").replace(&format!("{file}:"), "")
    });
    (lines.collect(), said)
}

#[track_caller]
fn is_told(name: &str, source: &str, options: &[&str], expected: &[&str]) {
    let (lines, said) = story(name, source, options);
    assert_eq!(lines, expected, "{said}");
}

const HEAD: &str = "#include <stdlib.h>
#include <string.h>
extern int sk_nondet_int(void);
extern char sk_nondet_char(void);
extern void sk_assert(_Bool);
";

#[test]
fn only_what_matters_is_told() {
    let source = format!(
        "{HEAD}static int twice(int x) {{ return 2 * x; }}
int idle;
int main(void) {{
    int n = sk_nondet_int();
    int other = sk_nondet_int();
    if (n < 0 || n > 100) return 0;
    char *room = malloc(n + 1);
    if (other > 5) idle = other;
    if (twice(n) == 84)
        room[n + 1] = 0;
    free(room);
    return 0;
}}
"
    );
    is_told(
        "matters",
        &source,
        &[],
        &[
            "9 input: n = 42",
            "11 if (n < 0 || n > 100) return 0; -> line 12",
            "12 makes heap object 2 of 43 bytes",
            "12 room = &heap object 2",
            "14 x = 42",
            "14 if (twice(n) == 84) -> line 15",
            &format!("heap object 2: 43 bytes: {}(from 12:18)", "00 ".repeat(43)),
        ],
    );
    let (full, said) = story("full", &source, &["--trace", "full"]);
    assert!(full.iter().any(|line| line.contains("other")), "{said}");
    let (none, said) = story("none", &source, &["--trace", "none"]);
    assert!(none.is_empty() && said.contains("error[deref]"), "{said}");
}

#[test]
fn inputs_are_as_small_as_they_can_be() {
    let source = format!(
        "{HEAD}int main(void) {{
    char in[16], b[4];
    for (int i = 0; i < 15; i++) in[i] = sk_nondet_char();
    in[15] = 0;
    strcpy(b, in);
    return b[0];
}}
"
    );
    let (lines, said) = story("small", &source, &[]);
    let inputs: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.split_once("input: "))
        .map(|(_, input)| input)
        .collect();
    let expected = [
        "in[0] = 97 'a'",
        "in[1] = 97 'a'",
        "in[2] = 97 'a'",
        "in[3] = 97 'a'",
    ];
    assert_eq!(inputs, expected, "{said}");
    // The smallest number that does it, and no more rounds than that takes.
    let source = format!(
        "{HEAD}int main(void) {{
    int n = sk_nondet_int(), sum = 0;
    for (int i = 0; i < n; i++) sum += 3;
    sk_assert(sum < 17);
    return 0;
}}
"
    );
    let (lines, said) = story("least", &source, &["--check", "assert", "--unwind", "40"]);
    assert!(
        lines.iter().any(|line| line.ends_with("input: n = 6")),
        "{said}"
    );
}

#[test]
fn it_is_said_where_an_object_was_lost() {
    let source = format!(
        "{HEAD}int *keep;
int main(void) {{
    int k = sk_nondet_int();
    keep = malloc(4);
    if (k > 10)
        keep = malloc(8);
    free(keep);
    return 0;
}}
"
    );
    let (lines, said) = story("lost", &source, &["--check", "memsafety", "--opt", "0"]);
    assert!(
        lines.contains(&"11 from here on nothing leads to heap object 4".to_owned()),
        "{said}"
    );
    // Why it came there matters too.
    assert!(lines.contains(&"8 input: k = 11".to_owned()), "{said}");
}

#[test]
fn what_only_an_overflow_leads_to_is_not_made_simpler_by_one() {
    // Zero would be simpler, but overflows before.
    let source = format!(
        "{HEAD}int main(void) {{
    int n = sk_nondet_int();
    int far = 2147483640 + (n == 5 ? 0 : 100);
    sk_assert(far < 0);
    return 0;
}}
"
    );
    let (lines, said) = story("defined", &source, &["--check", "assert"]);
    assert!(
        lines.iter().any(|line| line.ends_with("input: n = 5")),
        "{said}"
    );
}
