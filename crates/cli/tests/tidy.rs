//! Rules of the repository that a program can check: `ARCHITECTURE.md` tells the truth about
//! dependencies and about where things are added, every dependency has its sentence, every file says what it is for, none is too
//! long or names a machine, and every check has its page in the manual.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A file above this many lines is to be split.
const LONGEST: usize = 800;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All files below some parts of the repository, by their paths from its root.
fn files(parts: &[&str]) -> Vec<String> {
    let root = root();
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = parts.iter().map(|part| root.join(part)).collect();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let name = path.file_name().unwrap_or_default();
            if name == "target" {
                continue;
            }
            let entries = fs::read_dir(&path).expect("a folder can be read");
            open.extend(entries.map(|entry| entry.expect("an entry").path()));
        } else if path.is_file() {
            let short = path.strip_prefix(&root).expect("below the root");
            found.push(short.to_string_lossy().into_owned());
        }
    }
    found.sort();
    assert!(!found.is_empty());
    found
}

fn is_rust(file: &str) -> bool {
    file.ends_with(".rs")
}

/// The names in a section of a manifest.
fn section(manifest: &str, title: &str) -> BTreeSet<String> {
    manifest
        .lines()
        .skip_while(|line| *line != title)
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter(|line| !line.trim_start().starts_with('#'))
        .filter_map(|line| {
            let name = line.split(['.', '=', ' ']).next()?.trim();
            (!name.is_empty()).then(|| name.to_owned())
        })
        .collect()
}

/// The words in backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

fn crates() -> BTreeMap<String, String> {
    let folder = root().join("crates");
    fs::read_dir(folder)
        .expect("the crates are there")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.join("Cargo.toml").exists())
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy();
            (name.into_owned(), read(&path.join("Cargo.toml")))
        })
        .collect()
}

#[test]
fn the_table_of_crates_is_true() {
    let crates = crates();
    let names: BTreeSet<&String> = crates.keys().collect();
    let text = read(&root().join("ARCHITECTURE.md"));
    let mut told = BTreeSet::new();
    let mut wrong = Vec::new();
    for line in text.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [name, _, depends] = cells.as_slice() else {
            continue;
        };
        let Some(name) = quoted(name).first().map(|&name| name.to_owned()) else {
            continue;
        };
        let Some(manifest) = crates.get(&name) else {
            wrong.push(format!("there is no crate {name}"));
            continue;
        };
        told.insert(name.clone());
        let listed: BTreeSet<String> = match *depends {
            "nothing" => BTreeSet::new(),
            "all" => continue,
            list => list
                .split(',')
                .map(|name| name.trim().trim_matches('`').to_owned())
                .collect(),
        };
        let ours = |title: &str| -> BTreeSet<String> {
            let all = section(manifest, title).into_iter();
            all.filter(|name| names.contains(name)).collect()
        };
        // A crate of nothing but tests has no other dependencies.
        let actual = match ours("[dependencies]") {
            none if none.is_empty() => ours("[dev-dependencies]"),
            some => some,
        };
        if listed != actual {
            wrong.push(format!("{name} depends on {actual:?}, not on {listed:?}"));
        }
    }
    for name in names {
        if !told.contains(name) {
            wrong.push(format!("{name} is not in the table"));
        }
    }
    assert!(wrong.is_empty(), "ARCHITECTURE.md:\n{}", wrong.join("\n"));
}

/// Something of a kind that can be added: the kind, the files that are its own, and how others name it.
const ADDED: &[(&str, &str, &[&str])] = &[
    (
        "a check that clang's sanitizers know",
        "checks/src/registry/float_cast.rs",
        &[
            "CheckId::FloatCast",
            "FloatCast float_cast",
            "mod float_cast;",
        ],
    ),
    ("an engine", "chc/", &["chc::", "mod chc;"]),
    (
        "a pass",
        "passes/src/nans.rs",
        &["nans::", "mod nans;", "&Nans"],
    ),
    (
        "an in-process solver",
        "solve/src/backends/z3.rs",
        &["z3::open", "mod z3;"],
    ),
    (
        "a representation of memory",
        "encode/src/memory/lambda.rs",
        &["Representation::Lambda", "lambda::Lambda", "mod lambda;"],
    ),
    (
        "a style of pointers",
        "encode/src/pointer/raw.rs",
        &["PointerStyle::Raw", "raw::Raw", "mod raw;"],
    ),
    (
        "an option that reaches the encoder",
        "encode/src/word_sizes.rs",
        &["args.word {", "WordSize::", "enum WordSize", "enum Word "],
    ),
    (
        "a domain of integers",
        "absint/src/domains/congruence.rs",
        &["congruence::", "mod congruence;"],
    ),
    (
        "a relational domain",
        "absint/src/relations/octagon.rs",
        &["octagon::", "mod octagon;", "Domain::Octagon"],
    ),
    (
        "a report",
        "cli/src/report/junit.rs",
        &["junit::", "mod junit;"],
    ),
    (
        "a kind of random program",
        "xtask/src/odd/kinds/duff.rs",
        &["duff::", "duff,", "mod duff;"],
    ),
    (
        "an instruction",
        "nothing",
        &["Op::HavocRegion", "    HavocRegion,\n"],
    ),
];

/// More files than these name nothing that is added, but for instructions.
const MOST_NAMING: usize = 3;

#[test]
fn where_to_add_what_is_true() {
    let text = read(&root().join("ARCHITECTURE.md"));
    let (_, table) = text
        .split_once("## Where to add what")
        .expect("there is a table");
    let sources: Vec<(String, String)> = files(&["crates"])
        .into_iter()
        .filter(|file| is_rust(file) && file.contains("/src/") && !file.ends_with("/tests.rs"))
        .map(|file| {
            let text = read(&root().join(&file));
            let code = text.split("#[cfg(test)]\nmod tests {").next();
            let code = code.unwrap_or_default().to_owned();
            (file.trim_start_matches("crates/").to_owned(), code)
        })
        .collect();
    let mut wrong = Vec::new();
    for (kind, own, names) in ADDED {
        let row = table
            .lines()
            .find(|line| line.starts_with(&format!("| {kind} |")));
        let Some(row) = row else {
            wrong.push(format!("{kind} has no row"));
            continue;
        };
        let named = row.split('|').nth(3).expect("a row has three cells");
        let name = own.trim_end_matches('/').trim_end_matches(".rs");
        let name = name.rsplit('/').next().expect("a name");
        let told: BTreeSet<String> = quoted(named)
            .into_iter()
            .filter(|word| word.contains("/src/"))
            .map(|word| word.replace("NAME", name))
            .collect();
        let found: BTreeSet<String> = sources
            .iter()
            .filter(|(file, _)| !file.starts_with(own))
            .filter(|(_, code)| names.iter().any(|name| code.contains(name)))
            .map(|(file, _)| file.clone())
            .collect();
        if told != found {
            wrong.push(format!("{kind} is named in {found:?}, not in {told:?}"));
        }
        if found.len() > MOST_NAMING && *kind != "an instruction" {
            wrong.push(format!("{kind} is named in {} files", found.len()));
        }
    }
    for path in quoted(table).into_iter().filter(|path| path.contains('/')) {
        let there = [root().join(path), root().join("crates").join(path)];
        if !path.contains("NAME") && !there.iter().any(|path| path.exists()) {
            wrong.push(format!("there is no {path}"));
        }
    }
    assert!(wrong.is_empty(), "ARCHITECTURE.md:\n{}", wrong.join("\n"));
}

#[test]
fn every_dependency_has_its_sentence() {
    let manifest = read(&root().join("Cargo.toml"));
    let ours: BTreeSet<String> = crates().into_keys().collect();
    let text = read(&root().join("docs/dependencies.md"));
    let mut told = BTreeSet::new();
    for line in text.lines().filter(|line| line.starts_with("- `")) {
        if let Some((names, sentence)) = line.split_once("`: ") {
            assert!(sentence.ends_with('.'), "no sentence: {line}");
            told.extend(quoted(&format!("{names}`")).into_iter().map(str::to_owned));
        }
    }
    let used: BTreeSet<String> = section(&manifest, "[workspace.dependencies]")
        .into_iter()
        .filter(|name| !ours.contains(name))
        .collect();
    assert_eq!(told, used, "docs/dependencies.md and Cargo.toml");
}

#[test]
fn every_file_says_what_it_is_for() {
    for file in files(&["crates"]).iter().filter(|file| is_rust(file)) {
        let text = read(&root().join(file));
        assert!(text.starts_with("//! "), "{file} has no documentation");
    }
    for file in files(&["lib/models", "lib/include"]) {
        if file.ends_with(".c") || file.ends_with(".h") {
            let text = read(&root().join(&file));
            assert!(text.starts_with("/* "), "{file} has no first comment");
        }
    }
}

#[test]
fn no_file_is_too_long() {
    let mut long = Vec::new();
    for file in files(&["crates", "lib"]) {
        if is_rust(&file) || file.ends_with(".c") || file.ends_with(".h") {
            let lines = read(&root().join(&file)).lines().count();
            if lines > LONGEST {
                long.push(format!("{file}: {lines} lines"));
            }
        }
    }
    assert!(long.is_empty(), "to be split:\n{}", long.join("\n"));
}

#[test]
fn no_file_names_a_machine() {
    // Taken apart, so that this file does not name any.
    let machines = ["work", "tmp", "root", "home"].map(|name| format!("/{name}/"));
    let mut found = Vec::new();
    let parts = [
        "crates",
        "lib",
        "docs",
        "tests",
        "examples",
        "x",
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
    ];
    for file in files(&parts) {
        let Ok(text) = fs::read_to_string(root().join(&file)) else {
            continue;
        };
        for (index, line) in text.lines().enumerate() {
            let path = machines.iter().any(|machine| line.contains(machine));
            if path || line.contains(&format!("..{}", "/shared")) {
                found.push(format!("{file}:{}: {}", index + 1, line.trim()));
            }
        }
    }
    assert!(
        found.is_empty(),
        "paths of a machine:\n{}",
        found.join("\n")
    );
}

#[test]
fn every_check_has_its_page() {
    let pages: BTreeSet<String> = files(&["tests/checks"])
        .iter()
        .filter_map(|file| Some(Path::new(file).file_stem()?.to_string_lossy().into_owned()))
        .collect();
    // Those without a property guard our own models and bounds; `cover` is a question.
    let checks: BTreeSet<String> = checks::registry::CHECKS
        .iter()
        .filter(|check| check.property.is_some() && check.id != checks::registry::CheckId::Cover)
        .map(|check| check.name.to_owned())
        .collect();
    // Other pages are about parts of the language.
    let missing: Vec<&String> = checks.difference(&pages).collect();
    assert!(missing.is_empty(), "no page in tests/checks: {missing:?}");
}
