//! Mutants of the tool itself: a change that makes it wrong must turn a test red.
//!
//! A list (`mutants/list.txt`) names expressions and what each becomes. All of them go into one copy of the sources, each
//! behind a question that an environment variable answers, so that one build serves all:
//!
//! ```text
//! let inside = self.terms.ult(offset, size);
//! let inside = (if base::mutant(24) { self.terms.ule(offset, size) } else { self.terms.ult(offset, size) });
//! ```
//!
//! Then the tests of the crates are run once for each mutant. With none they pass; with each of them, one must fail.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

/// Where the crates of the copy are: builds tell packages apart by their folders in the workspace.
const CRATES: &str = "mutated";
/// The list.
const LIST: &str = include_str!("mutants/list.txt");
/// The variable that says which mutant lives.
const VARIABLE: &str = "SELKIE_MUTANT";
/// What the copy's crate `base` says about it.
const SWITCH: &str = r#"
/// Is this the mutant that lives?
pub fn mutant(number: u32) -> bool {
    static LIVES: std::sync::OnceLock<Option<u32>> = std::sync::OnceLock::new();
    let lives = LIVES.get_or_init(|| std::env::var("SELKIE_MUTANT").ok()?.parse().ok());
    *lives == Some(number)
}
"#;

/// One changed expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mutant {
    /// The file, from the checkout's root.
    pub file: String,
    /// What is different.
    pub what: String,
    /// The line's text before and behind the expression, and the expression.
    pub line: [String; 3],
    /// Which of the lines that read so, from 1; none if there must be one only.
    pub nth: Option<usize>,
    /// What it becomes.
    pub to: String,
}

/// The mutants of the list.
pub fn list() -> Result<Vec<Mutant>> {
    parse(LIST)
}

fn parse(text: &str) -> Result<Vec<Mutant>> {
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect();
    ensure!(lines.len() % 3 == 0, "a mutant has three lines");
    lines.chunks_exact(3).map(parse_entry).collect()
}

fn parse_entry(entry: &[&str]) -> Result<Mutant> {
    let &[head, line, to] = entry else {
        bail!("a mutant has three lines");
    };
    let (file, what) = head
        .split_once(": ")
        .with_context(|| format!("no file: {head}"))?;
    let (line, nth) = match line.rsplit_once(" #") {
        Some((line, number)) => (line, Some(number.parse()?)),
        None => (line, None),
    };
    let parts = line.trim().split_once("[[").and_then(|(before, rest)| {
        rest.split_once("]]")
            .map(|(from, after)| [before, from, after])
    });
    let parts = parts.with_context(|| format!("no brackets: {line}"))?;
    Ok(Mutant {
        file: file.to_owned(),
        what: what.to_owned(),
        line: parts.map(str::to_owned),
        nth,
        to: to.trim().to_owned(),
    })
}

impl Mutant {
    /// The number of the line that it changes, from 0.
    fn place(&self, text: &str) -> Result<usize> {
        let wanted = self.line.concat();
        let found: Vec<usize> = text
            .lines()
            .enumerate()
            .filter(|(_, line)| line.trim() == wanted.trim())
            .map(|(number, _)| number)
            .collect();
        match (self.nth, found.as_slice()) {
            (None, &[only]) => Ok(only),
            (Some(nth), all) if nth > 0 && nth <= all.len() => Ok(all[nth - 1]),
            (_, all) => bail!("{}: {} lines read `{wanted}`", self.file, all.len()),
        }
    }

    /// The line with both expressions in it.
    fn both(&self, number: usize) -> String {
        let [before, from, after] = &self.line;
        let to = &self.to;
        if from.is_empty() {
            // Something more, where nothing was.
            return match to.strip_prefix("&& ") {
                Some(and) => format!("{before}&& (!base::mutant({number}) || {and}){after}"),
                None => format!("{before}{after} if base::mutant({number}) {{ {to} }}"),
            };
        }
        format!("{before}(if base::mutant({number}) {{ {to} }} else {{ {from} }}){after}")
    }
}

/// A file with all its mutants, numbered.
fn mutate(text: &str, mutants: &[(usize, &Mutant)]) -> Result<String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (number, mutant) in mutants {
        lines[mutant.place(text)?] = mutant.both(*number);
    }
    lines.push(String::new());
    Ok(lines.join("\n"))
}

/// How the tests did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fate {
    /// This test failed.
    Killed(String),
    /// None did.
    Lives,
}

/// A copy of the sources with all mutants in it.
pub struct Copy {
    root: PathBuf,
    folder: PathBuf,
    /// What is in it.
    pub mutants: Vec<Mutant>,
}

impl Copy {
    /// Makes or renews the copy in `target/mutants` of a checkout; what did not change keeps its time.
    pub fn new(root: &Path) -> Result<Copy> {
        let mutants = list()?;
        let folder = root.join("target/mutants");
        let mut files = vec![PathBuf::from("Cargo.toml"), PathBuf::from("Cargo.lock")];
        collect(root, Path::new("crates"), &mut files)?;
        let mut by_file: BTreeMap<PathBuf, Vec<(usize, &Mutant)>> = BTreeMap::new();
        for (number, mutant) in mutants.iter().enumerate() {
            let file = PathBuf::from(&mutant.file);
            ensure!(files.contains(&file), "there is no {}", mutant.file);
            by_file.entry(file).or_default().push((number, mutant));
        }
        for file in &files {
            let mut target = folder.join(file);
            if let Ok(inner) = file.strip_prefix("crates") {
                target = folder.join(CRATES).join(inner);
            }
            let mut text =
                fs::read(root.join(file)).with_context(|| format!("{}", file.display()))?;
            if let Some(mutants) = by_file.get(file) {
                text = mutate(&String::from_utf8(text)?, mutants)?.into_bytes();
            }
            if file == Path::new("crates/base/src/lib.rs") {
                text.extend_from_slice(SWITCH.as_bytes());
            }
            if file == Path::new("Cargo.toml") {
                let manifest = String::from_utf8(text)?;
                let moved = format!("\"{CRATES}/");
                text = manifest.replace("\"crates/", &moved).into_bytes();
            }
            if fs::read(&target).is_ok_and(|old| old == text) {
                continue;
            }
            fs::create_dir_all(target.parent().context("a file is in a folder")?)?;
            fs::write(&target, text)?;
        }
        // What tests read beside the crates.
        for name in ["docs", "lib", "tests", "examples", ".deps", "pc"] {
            let link = folder.join(name);
            if !link.exists() {
                std::os::unix::fs::symlink(root.join(name), &link)?;
            }
        }
        Ok(Copy {
            root: root.to_owned(),
            folder,
            mutants,
        })
    }

    /// Runs the tests with a mutant, or with none.
    pub fn test(&self, mutant: Option<usize>) -> Result<Fate> {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        command
            .args(["test", "--release", "--quiet", "-p", "encode", "-p", "bmc"])
            .arg("--manifest-path")
            .arg(self.folder.join("Cargo.toml"))
            .arg("--target-dir")
            .arg(self.root.join("target"))
            // Where the libraries are is written there.
            .current_dir(&self.root)
            // No complaint needs to be made small.
            .env("REFEREE_QUICK", "1")
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::null());
        if let Some(number) = mutant {
            command.env(VARIABLE, number.to_string());
        }
        let output = command.output().context("cargo")?;
        if output.status.success() {
            return Ok(Fate::Lives);
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let failed = text
            .lines()
            .filter_map(|line| line.strip_prefix("---- ")?.strip_suffix(" stdout ----"));
        let failed: Vec<&str> = failed.collect();
        if failed.is_empty() {
            bail!("{}", String::from_utf8_lossy(&output.stderr));
        }
        Ok(Fate::Killed(failed.join(" ")))
    }
}

/// The files below a folder, from the root.
fn collect(root: &Path, folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let mut work = vec![folder.to_owned()];
    while let Some(folder) = work.pop() {
        for entry in fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let path = folder.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                work.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{list, mutate, parse};

    /// The list is about the sources as they are.
    #[test]
    #[ignore = "long: like the mutants themselves"]
    fn each_mutant_has_its_line() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        for mutant in list().expect("the list reads well") {
            let text = std::fs::read_to_string(format!("{root}/{}", mutant.file));
            let text = text.unwrap_or_else(|_| panic!("there is no {}", mutant.file));
            mutant.place(&text).expect("its line is there");
        }
    }

    #[test]
    fn both_expressions_stand_in_the_copy() {
        let one = "f.rs: less\n    if [[a < b]] {\n    a <= b\n";
        let mutants = parse(one).expect("it reads well");
        let text = mutate("fn f() {\n    if a < b {\n    }\n}\n", &[(7, &mutants[0])]);
        assert_eq!(
            text.expect("its line is there"),
            "fn f() {\nif (if base::mutant(7) { a <= b } else { a < b }) {\n    }\n}\n"
        );
        assert!(mutate("if a < b {\nif a < b {\n", &[(7, &mutants[0])]).is_err());
    }
}
