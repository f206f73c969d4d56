//! The manual of checks, executed: `tests/checks/NAME.md` holds C programs with an expectation on the
//! line it concerns. A comment `// violated: CHECK` says that this line, and no other, violates that
//! check; a program without one holds. Every program is verified at every `--opt`, and each violation
//! the command reports has been replayed by the interpreter.
//!
//! The word after `c` in a code fence may be `check=LIST` (default: the checks that are on when nothing
//! is said), `vacuous` (an assertion that nothing reaches), or `unknown` (neither proved nor violated: it rests on
//! what a model of the library knows only roughly). `function=NAME` checks that function against its contract.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

struct Program {
    name: String,
    checks: Option<String>,
    function: Option<String>,
    vacuous: bool,
    unknown: bool,
    source: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The programs of a Markdown file.
fn programs(file: &Path) -> Vec<Program> {
    let text = std::fs::read_to_string(file).expect("the manual can be read");
    let stem = file.file_stem().expect("a name").to_string_lossy();
    let mut found = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let Some(words) = line.strip_prefix("```c") else {
            continue;
        };
        let source: Vec<&str> = lines
            .by_ref()
            .map(|(_, line)| line)
            .take_while(|line| *line != "```")
            .collect();
        found.push(Program {
            name: format!("{stem}-{}", number + 1),
            checks: words
                .split_whitespace()
                .find_map(|word| word.strip_prefix("check="))
                .map(str::to_owned),
            function: words
                .split_whitespace()
                .find_map(|word| word.strip_prefix("function="))
                .map(str::to_owned),
            vacuous: words.split_whitespace().any(|word| word == "vacuous"),
            unknown: words.split_whitespace().any(|word| word == "unknown"),
            source: source.join("\n") + "\n",
        });
    }
    found
}

/// The lines and checks that a program says are violated.
fn expected(program: &Program) -> BTreeSet<(u64, String)> {
    let marked = program.source.lines().enumerate();
    marked
        .filter_map(|(index, line)| {
            let (_, check) = line.split_once("// violated: ")?;
            Some((index as u64 + 1, check.trim().to_owned()))
        })
        .collect()
}

fn verify(file: &Path, program: &Program, opt: u32) -> (Option<i32>, Value, String) {
    let report = file.with_extension("json");
    let mut command = Command::new(env!("CARGO_BIN_EXE_selkie"));
    command
        .args([
            "verify",
            "--timeout",
            "120",
            "--opt",
            &opt.to_string(),
            "--json",
        ])
        .arg(&report);
    command.arg("--include").arg(root().join("lib/include"));
    if let Some(checks) = &program.checks {
        command.args(["--check", checks]);
    }
    if let Some(function) = &program.function {
        command.args(["--function", function]);
    }
    let output = command.arg(file).output().expect("selkie runs");
    let said = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    let json = std::fs::read_to_string(&report).unwrap_or_default();
    let value = serde_json::from_str(&json).unwrap_or(Value::Null);
    (output.status.code(), value, said)
}

/// What the report says is violated: line and check.
fn violated(report: &Value) -> BTreeSet<(u64, String)> {
    let obligations = report["obligations"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    obligations
        .iter()
        .filter(|obligation| obligation["status"] == "VIOLATED")
        .map(|obligation| {
            let line = obligation["place"]["line"].as_u64().unwrap_or(0);
            (line, obligation["check"].as_str().unwrap_or("").to_owned())
        })
        .collect()
}

#[test]
fn the_manual_of_checks_is_true() {
    let folder = root().join("tests/checks");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the manual is there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("checks");
    std::fs::create_dir_all(&scratch).expect("a folder for the programs");
    let mut wrong = Vec::new();
    let mut count = 0;
    for file in files {
        let (mut holds, mut fails) = (0, 0);
        for program in programs(&file) {
            let path = scratch.join(&program.name).with_extension("c");
            std::fs::write(&path, &program.source).expect("the program can be written");
            let wanted = expected(&program);
            if program.unknown {
                assert!(wanted.is_empty(), "{}: unknown or violated?", program.name);
            } else if wanted.is_empty() {
                holds += 1
            } else {
                fails += 1
            }
            for opt in 0..=2 {
                count += 1;
                let (code, report, said) = verify(&path, &program, opt);
                let exit = match (program.unknown, wanted.is_empty()) {
                    (true, _) => 3,
                    (false, true) => 0,
                    (false, false) => 10,
                };
                let vacuous = said.contains(": VACUOUS");
                if code != Some(exit) || violated(&report) != wanted || vacuous != program.vacuous {
                    wrong.push(format!(
                        "{} --opt {opt}: expected {wanted:?}, exit {code:?}\n{said}",
                        program.name
                    ));
                }
            }
        }
        assert!(
            holds > 0 && fails > 0,
            "{}: {holds} programs hold, {fails} fail",
            file.display()
        );
    }
    println!("{count} runs");
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
