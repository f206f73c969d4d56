//! Golden files: a directive, a sentence, the input, and the output that is expected of it.
//!
//! ```text
//! ;! pass purify
//! ;; The load reads its own region's version, past the other store.
//! fn @f(v0: ptr) -> i32 {
//! b0:
//!     …
//! }
//! ; fn @f(v0: ptr, v3: mem r0) -> i32, mem r0 {
//! ; …
//! ```
//!
//! Directives are `;! pass NAME` (required; NAME is handed to the test, with everything that
//! follows it on the line) and `;! phase NAME`, which sets the phase of an input that has no
//! `module` line. The output is the `;` lines at the end of the file. The input is checked by
//! `wellformed` first.
//!
//! With `BLESS=1` in the environment the expected output is rewritten instead of compared;
//! whoever blesses reads the difference before committing it.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use ir::syntax::{Module, Phase};
use ir::{text, wellformed};

use crate::diff::diff;

/// What to do with an output that is not the expected one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Compare,
    Bless,
}

/// Runs the test on every `.ir` file of a folder and its subfolders: it gets the directive's
/// pass and the input, and its result (or `error: …`) is compared with the file. Panics with all
/// differences. The folder is relative to the package whose test calls this. `GOLDEN=loop` runs only files
/// whose path contains `loop`.
pub fn run<E: Display>(
    folder: impl AsRef<Path>,
    mut test: impl FnMut(&str, Module) -> Result<String, E>,
) {
    let folder = folder.as_ref();
    let mode = match std::env::var_os("BLESS") {
        Some(value) if value != "0" => Mode::Bless,
        Some(_) | None => Mode::Compare,
    };
    let mut failures = Vec::new();
    let mut files = golden_files(folder);
    if let Ok(part) = std::env::var("GOLDEN") {
        files.retain(|path| path.to_string_lossy().contains(&part));
    }
    assert!(!files.is_empty(), "no .ir files in {}", folder.display());
    for path in &files {
        let content = fs::read_to_string(path)
            .unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()));
        let Err(failure) = check(&content, &mut test) else {
            continue;
        };
        match (mode, failure) {
            (Mode::Bless, Failure::Output { blessed, .. }) => fs::write(path, blessed)
                .unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display())),
            (_, failure) => failures.push(format!("{}: {}", path.display(), failure.message())),
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {} golden files differ (BLESS=1 accepts the new output)\n\n{}",
        failures.len(),
        files.len(),
        failures.join("\n")
    );
}

/// The functions of a module, without its tables: what most golden files show.
pub fn show(module: &Module) -> String {
    text::display_functions(module).to_string()
}

/// Why a golden file is not as it should be.
enum Failure {
    /// The file itself is wrong.
    File(String),
    /// The output differs.
    Output { diff: String, blessed: String },
}

impl Failure {
    fn message(&self) -> &str {
        match self {
            Failure::File(message) => message,
            Failure::Output { diff, .. } => diff,
        }
    }
}

/// A golden file taken apart.
struct Golden<'a> {
    pass: &'a str,
    phase: Option<Phase>,
    /// Everything but the expected output.
    input: &'a str,
    expected: String,
}

fn check<E: Display>(
    content: &str,
    test: &mut impl FnMut(&str, Module) -> Result<String, E>,
) -> Result<(), Failure> {
    let golden = Golden::parse(content).map_err(Failure::File)?;
    let mut module = text::read(golden.input)
        .map_err(|error| Failure::File(format!("cannot read the input: {error}\n")))?;
    if let Some(phase) = golden.phase {
        module.phase = phase;
    }
    wellformed::check(&module).map_err(|complaints| {
        let list = wellformed::explain(&complaints);
        Failure::File(format!("the input is not wellformed:\n{list}\n"))
    })?;
    let mut output = match test(golden.pass, module) {
        Ok(output) => output,
        Err(error) => format!("error: {error}"),
    };
    output.truncate(output.trim_end().len());
    output.push('\n');
    match diff(&golden.expected, &output) {
        diff if diff.is_empty() => Ok(()),
        diff => Err(Failure::Output {
            diff: format!("the output differs\n{diff}"),
            blessed: golden.with_output(&output),
        }),
    }
}

impl<'a> Golden<'a> {
    fn parse(content: &'a str) -> Result<Golden<'a>, String> {
        let mut input = content.trim_end();
        let mut expected = Vec::new();
        while let Some(line) = output_line(input.lines().next_back().unwrap_or("")) {
            expected.push(line);
            let start = input.rfind('\n').unwrap_or(0);
            input = &input[..start];
        }
        expected.reverse();
        let expected: String = expected.iter().map(|line| format!("{line}\n")).collect();
        let (mut pass, mut phase) = (None, None);
        for directive in input.lines().filter_map(|line| line.strip_prefix(";!")) {
            let directive = directive.trim();
            match directive.split_once(' ') {
                Some(("pass", name)) if pass.is_none() => pass = Some(name.trim()),
                Some(("phase", name)) if phase.is_none() => {
                    let known = Phase::from_name(name.trim());
                    phase = Some(known.ok_or_else(|| format!("`{name}` is no phase\n"))?);
                }
                Some(_) | None => return Err(format!("bad directive `;! {directive}`\n")),
            }
        }
        Ok(Golden {
            pass: pass.ok_or("there is no directive `;! pass NAME`\n")?,
            phase,
            input: input.trim_end(),
            expected,
        })
    }

    /// The file with another output.
    fn with_output(&self, output: &str) -> String {
        let mut content = format!("{}\n", self.input);
        for line in output.lines() {
            content.push_str(match line.is_empty() {
                true => ";",
                false => "; ",
            });
            content.push_str(line);
            content.push('\n');
        }
        content
    }
}

/// The text of a line of expected output.
fn output_line(line: &str) -> Option<&str> {
    match line.strip_prefix(';')? {
        "" => Some(""),
        rest => rest.strip_prefix(' '),
    }
}

/// All golden files, in order.
fn golden_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("cannot list {}: {error}", folder.display()));
        for entry in entries {
            let path = entry.expect("the folder can be listed").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "ir") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use super::{Failure, check};

    const FILE: &str = ";! pass show\n;; A sentence.\nfn @f() { ; why\nb0:\n    return\n}\n";

    fn result(content: &str, output: &'static str) -> Result<(), Failure> {
        check(content, &mut |name, _| match name {
            "show" => Ok(output.to_owned()),
            name => Err(format!("no pass {name}")),
        })
    }

    #[test]
    fn blessing_replaces_the_output_and_nothing_else() {
        let Err(Failure::Output { diff, blessed }) = result(FILE, "one\n\ntwo") else {
            panic!("an output is missing");
        };
        assert_eq!(diff, "the output differs\n+ one\n+ \n+ two\n");
        assert_eq!(blessed, format!("{FILE}; one\n;\n; two\n"));
        assert!(result(&blessed, "one\n\ntwo").is_ok());
        let Err(Failure::Output { diff, blessed }) = result(&blessed, "one") else {
            panic!("the output differs");
        };
        assert_eq!(diff, "the output differs\n  one\n- \n- two\n");
        assert_eq!(blessed, format!("{FILE}; one\n"));
    }

    #[test]
    fn a_refusal_is_an_output_too() {
        let file = FILE.replace("show", "hide");
        let blessed = format!("{file}; error: no pass hide\n");
        assert!(result(&blessed, "").is_ok());
    }

    #[test]
    fn bad_files_are_told() {
        let message = |content: &str| match result(content, "") {
            Ok(()) => String::new(),
            Err(failure) => failure.message().to_owned(),
        };
        let without = FILE.replace(";! pass show\n", "");
        assert_eq!(message(&without), "there is no directive `;! pass NAME`\n");
        let twice = FILE.replace(";! pass show\n", ";! pass show\n;! pass show\n");
        assert_eq!(message(&twice), "bad directive `;! pass show`\n");
        let garbage = FILE.replace("return", "retrun");
        assert_eq!(
            message(&garbage),
            "cannot read the input: 5:5: `retrun` is no instruction\n"
        );
        let untyped = FILE.replace("return", "v0 = load.i8 null align 3\n    return");
        let untyped = message(&untyped);
        assert!(
            untyped.starts_with("the input is not wellformed:\n@f, b0"),
            "{untyped}"
        );
    }
}
