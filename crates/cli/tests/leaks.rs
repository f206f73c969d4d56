//! Leaks among many objects.

use std::path::Path;
use std::process::Command;

/// The verdict on a program in which `build` makes nodes, some of which `head` leads to.
fn verify(name: &str, build: &str) -> (String, String) {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("leaks-{name}.c"));
    let text = format!(
        "#include <selkie.h>
#include <stdlib.h>
struct node {{ struct node *next, *other; }} *head;
int main(void) {{ {build} return 0; }}
"
    );
    std::fs::write(&file, text).expect("the program is written");
    let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
        .args(["verify", "--check", "leak"])
        .arg(&file)
        .output()
        .expect("selkie runs");
    let text = String::from_utf8(output.stdout).expect("the report is text");
    let result = text.lines().last().unwrap_or("").to_owned();
    (result, text)
}

const LIST: &str = "for (int i = 0; i < 150; i++) {
    struct node *n = malloc(sizeof *n);
    n->next = head; n->other = 0; head = n;
}";

/// A ring of nodes with links in both directions, of which one direction is there or not, node by node.
const RING: &str = "struct node *first = 0, *last = 0;
for (int i = 0; i < 80; i++) {
    struct node *n = malloc(sizeof *n);
    n->next = 0; n->other = sk_nondet_bool() ? last : 0;
    if (last) last->next = n; else first = n;
    last = n;
}
last->next = first;";

#[test]
fn many_objects_are_reached_or_not() {
    for (name, build, result) in [
        ("list", LIST.to_owned(), "RESULT: true"),
        (
            "cut",
            format!("{LIST} head->next->next = 0;"),
            "RESULT: false(valid-memtrack)",
        ),
        ("ring", format!("{RING} head = last;"), "RESULT: true"),
        (
            "open",
            format!("{RING} last->next = 0; head = first;"),
            "RESULT: true",
        ),
        (
            "behind",
            format!("{RING} first->next = 0; head = last;"),
            "RESULT: false(valid-memtrack)",
        ),
    ] {
        let (found, report) = verify(name, &build);
        assert_eq!(found, result, "{name}: {report}");
    }
}
