//! `docs/soundness.md` and the printed ledger agree: every sentence that is printed, or that the sources can print, has a row
//! in the table of the page, and every row of the table is printed by a program here, or stands in the sources.
//!
//! A row is a pattern: `…` stands for any words. Model notes (`__selkie_note` in `lib/models`) are sentences too.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Programs that make the ledger say something, with their options.
const PROGRAMS: &[(&str, &str)] = &[
    ("int main(void) { return 0; }", "--check overflow"),
    (
        "int main(void) { return 0; }",
        "--data-model ILP32 --check all",
    ),
    (
        "#include <stdlib.h>\nint main(void) { free(malloc(3)); return 0; }",
        "",
    ),
    (
        "#include <string.h>\nint main(int argc, char **argv) { return argc > 1 && strlen(argv[1]) == 3; }",
        "--check deref",
    ),
    ("int main(int argc, char **argv) { return argc; }", ""),
    (
        "void *_Znwm(unsigned long); void _ZdlPv(void *); int main(void) { _ZdlPv(_Znwm(4)); return 0; }",
        "",
    ),
    (
        "int ask(void); int main(void) { return ask(); }",
        "--extern havoc",
    ),
    (
        "int ask(void); int main(void) { return ask(); }",
        "--extern pure",
    ),
    (
        "int ask(void); int main(void) { return ask(); }",
        "--extern error",
    ),
    (
        "void reach_error(void); typedef int (*fn)(void); fn ask(void); int main(void) { if (ask()() == 3) reach_error(); return 0; }",
        "--check reach --extern pure",
    ),
    (
        "int sk_nondet_int(void); void sk_assert(_Bool); int main(void) { int x = sk_nondet_int(), y = sk_nondet_int(); if (y == 7) return x / (y & 8) >> y; sk_assert(x != 3); return 0; }",
        "--check assert",
    ),
    (
        "int sk_nondet_int(void); int main(void) { int a[2] = {1, 2}; int i = sk_nondet_int(); if (i < 0 || i > 2) return 1; return a[i] << i; }",
        "--check overflow",
    ),
    (
        "int sk_nondet_int(void); int main(void) { if (sk_nondet_int()) __builtin_unreachable(); return 0; }",
        "--check div",
    ),
    ("volatile int ready; int main(void) { return ready; }", ""),
    (
        "volatile int ready; int main(void) { return ready; }",
        "--volatile last",
    ),
    (
        "volatile int ready; int main(void) { return ready; }",
        "--volatile any",
    ),
    (
        "extern int there[4]; int main(void) { return there[1]; }",
        "",
    ),
    ("_Atomic int n; int main(void) { n++; return n; }", ""),
    (
        "struct p { int x, y; }; struct p f(void) { struct p q = {1, 2}; return q; } int main(void) { return f().x; }",
        "--check uninit",
    ),
    (
        "void *address; int main(void) { address = __builtin_frame_address(0); return 0; }",
        "",
    ),
    (
        "void f(int *p) { *p = 1; } int main(void) { return 0; }",
        "--entry f --check overflow",
    ),
    (
        "void (*hook)(void); void set(void (*f)(void)) { hook = f; } void f(void (*g)(void)) { g(); if (hook) hook(); }",
        "--entry f --check assert",
    ),
    (
        "int main(void) { return *(volatile int *)0x1000; }",
        "--mmio 0x1000-0x1fff",
    ),
    (
        "int sk_nondet_int(void); int main(void) { return sk_nondet_int() + 1; }",
        "--cflags=-fwrapv",
    ),
    ("int main(void) { return 0; }", "--cflags=-std=c99"),
    (
        "typedef int v __attribute__((vector_size(16))); int sk_nondet_int(void); int main(void) { v a = {sk_nondet_int()}; a = a + a; return a[0]; }",
        "",
    ),
    (
        "void sk_assert(_Bool); int main(void) { int a, b; sk_assert(&a != &b && (&a < &b || &b < &a)); return 0; }",
        "",
    ),
    (
        "#include <stdlib.h>\nstatic int up(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }\nint main(void) { int x[2] = {2, 1}; qsort(x, 2, 4, up); return x[0]; }",
        "--check assert",
    ),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The rows of the page's table of sentences.
fn rows() -> Vec<String> {
    let page =
        std::fs::read_to_string(root().join("docs/soundness.md")).expect("the page is there");
    let (_, table) = page
        .split_once("## The ledger, sentence by sentence")
        .expect("the page has the table");
    let table = table.split("\n## ").next().unwrap_or_default();
    table
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(" | ").next())
        .filter(|cell| *cell != "printed" && !cell.starts_with('-'))
        .map(|cell| cell.replace("\\|", "|"))
        .collect()
}

/// Does a pattern with `…` for any words match?
fn matches(pattern: &str, sentence: &str) -> bool {
    let mut parts = pattern.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = sentence.strip_prefix(first) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// What the programs print.
fn printed() -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ledger");
    std::fs::create_dir_all(&folder).expect("a folder for the programs");
    let mut sentences = BTreeSet::new();
    for (number, (source, options)) in PROGRAMS.iter().enumerate() {
        let file = folder.join(format!("{number}.c"));
        std::fs::write(&file, source).expect("the program is written");
        let report = file.with_extension("json");
        let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
            .args(["verify", "--timeout", "10", "--json"])
            .arg(&report)
            .args(options.split_whitespace())
            .arg(&file)
            .output()
            .expect("selkie runs");
        let said = String::from_utf8_lossy(&output.stderr);
        let text = std::fs::read_to_string(&report).unwrap_or_default();
        let value: Value = serde_json::from_str(&text)
            .unwrap_or_else(|_| panic!("no report of {options} {source}: {said}"));
        let entries = value["ledger"].as_array().expect("a ledger");
        sentences.extend(entries.iter().filter_map(Value::as_str).map(str::to_owned));
    }
    sentences
}

/// How a place begins where the sources note something.
const STARTS: &[&str] = &["note(", "notes.push(", "sentences.insert(", "let note = "];

/// The sentences that stand in the sources where something is noted: what is filled in is `…`.
fn written() -> BTreeSet<String> {
    let mut sentences = BTreeSet::new();
    let mut folders = vec![root().join("lib/models")];
    for name in ["frontend", "passes", "cli", "bmc", "encode", "pointers"] {
        folders.push(root().join("crates").join(name).join("src"));
    }
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            // A chain of calls may go on in the next line.
            let text: String = text
                .lines()
                .map(|line| match line.trim_start() {
                    rest if rest.starts_with('.') => rest.to_owned(),
                    _ => format!("\n{line}"),
                })
                .collect();
            for start in STARTS {
                for (at, _) in text.match_indices(start) {
                    let call = &text[at + start.len()..];
                    sentences.extend(literals(call));
                }
            }
        }
    }
    sentences
}

/// The sentences among a call's arguments; literals that stand side by side are one.
fn literals(call: &str) -> Vec<String> {
    let (mut depth, mut inside, mut text) = (1, false, String::new());
    let mut sentences = Vec::new();
    let mut letters = call.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => inside = !inside,
            '\\' if inside => match letters.next() {
                Some('\n') => letters = letters.as_str().trim_start().chars(),
                other => text.extend(other),
            },
            '{' if inside => {
                let rest = letters.as_str();
                letters = rest.split_once('}').map_or("", |(_, rest)| rest).chars();
                text.push('…');
            }
            _ if inside => text.push(letter),
            // A macro's parameter that becomes a string.
            '#' => text.push('…'),
            '(' => depth += 1,
            ')' if depth == 1 => break,
            ')' => depth -= 1,
            ';' => break,
            ',' | '}' => sentences.push(std::mem::take(&mut text)),
            _ => {}
        }
    }
    sentences.push(text);
    // What has no space is an argument of another kind, and what begins with `note:` goes to standard error.
    sentences.retain(|sentence| sentence.trim().contains(' ') && !sentence.contains("note: "));
    sentences
}

#[test]
fn the_page_and_the_ledger_list_the_same_sentences() {
    let (rows, printed, written) = (rows(), printed(), written());
    assert!(rows.len() > 20 && printed.len() > 20 && written.len() > 20);
    let undocumented: Vec<&String> = printed
        .iter()
        .chain(&written)
        .filter(|sentence| {
            !rows
                .iter()
                .any(|row| row == *sentence || matches(row, sentence))
        })
        .collect();
    assert!(
        undocumented.is_empty(),
        "no row in docs/soundness.md: {undocumented:#?}"
    );
    let unprinted: Vec<&String> = rows
        .iter()
        .filter(|row| {
            let mut all = printed.iter().chain(&written);
            !all.any(|sentence| row == &sentence || matches(row, sentence))
        })
        .collect();
    assert!(
        unprinted.is_empty(),
        "a row of docs/soundness.md that nothing prints: {unprinted:#?}"
    );
}

#[test]
fn a_pattern_stands_for_any_words() {
    assert!(matches(
        "function … has no body: …",
        "function f has no body: it is unknown"
    ));
    assert!(matches("data model LP64", "data model LP64"));
    assert!(!matches("data model LP64", "data model LP64 and more"));
    assert!(!matches("check … is off", "check div is on"));
    assert_eq!(
        literals("format!(\"a {b} c \\\n   d\"), \"e, f\")"),
        ["a … c d", "e, f"]
    );
}
