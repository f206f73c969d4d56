//! C in, IR out: each file of `golden/` holds a program and, in its last lines, what becomes of
//! it. `BLESS=1` rewrites the expectation; whoever does reads the difference.

mod common;

use std::fmt::Write as _;
use std::path::Path;

use common::{Program, level};
use frontend::DataModel;
use ir::syntax::Module;

/// The start of the lines that hold the expectation.
const MARK: &str = "//; ";

#[test]
fn programs_become_what_the_files_say() {
    let bless = std::env::var_os("BLESS").is_some_and(|value| value != "0");
    let mut files: Vec<_> = std::fs::read_dir(common::folder("golden"))
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    assert!(files.len() > 20);
    let mut wrong = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("the file is readable");
        let source: Vec<&str> = text
            .lines()
            .filter(|line| !line.starts_with("//;"))
            .collect();
        let expected: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix(MARK).or((line == "//;").then_some("")))
            .collect();
        let directive = source[0].strip_prefix("//! ").expect("a directive");
        let shown = show(&file, directive);
        let lines: Vec<&str> = shown.lines().collect();
        if lines == expected {
            continue;
        }
        if bless {
            let mut text = source.join("\n");
            text.push('\n');
            for line in lines {
                writeln!(text, "{}", format!("{MARK}{line}").trim_end()).expect("a string");
            }
            std::fs::write(&file, text).expect("the file is written");
        } else {
            let difference = golden::diff::diff(&expected.join("\n"), &shown);
            wrong.push(format!("{}:\n{difference}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn show(file: &Path, directive: &str) -> String {
    let mut program = Program::file(file);
    let (mut globals, mut debug) = (false, false);
    let mut words = directive.split_whitespace();
    while let Some(word) = words.next() {
        let mut value = || words.next().expect("a value");
        match word {
            "--checks" => program.checks(value()),
            "--opt" => program.options.opt = level(value().parse().expect("a number")),
            "--m32" => program.options.data_model = DataModel::Ilp32,
            "--entry" => program.options.entry = value().to_owned(),
            "--malloc-may-fail" => program.options.malloc_may_fail = true,
            "--globals" => globals = true,
            "--debug" => debug = true,
            other => panic!("{}: the directive {other}", file.display()),
        }
    }
    let module = program.raw();
    let mut out = String::new();
    for note in &module.notes {
        writeln!(out, "note {note}").expect("a string");
    }
    for data in module.obligations.values() {
        let place = data.place.map_or(String::new(), |place| {
            let place = &module.places[place].place;
            let name = place.file.rsplit('/').next().unwrap_or_default();
            format!(" at {name}:{}:{}", place.line, place.col)
        });
        let id = format!("{}.{}.{}", data.func, data.check, data.ordinal);
        writeln!(out, "{id} {:?}{place}", data.text).expect("a string");
    }
    let text = module.to_string();
    for line in text.lines() {
        let kind = line.split_whitespace().next().unwrap_or_default();
        let wanted = match kind {
            "module" | "entry" | "note" | "place" | "obligation" => false,
            "var" => debug,
            "global" => globals,
            "debug" => debug,
            _ => true,
        };
        if wanted {
            writeln!(out, "{}", without_places(line)).expect("a string");
        }
    }
    check_round_trip(&module, &text);
    out
}

/// A line without the places at its end.
fn without_places(line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    let is_place = |word: &str, mark: &str| {
        word.strip_prefix(mark).is_some_and(|rest| {
            !rest.is_empty() && rest.chars().all(|letter| letter.is_ascii_digit())
        })
    };
    if words.last().is_some_and(|word| is_place(word, "!p")) {
        words.pop();
    }
    let mut index = 0;
    while index + 1 < words.len() {
        if words[index] == "at" && is_place(words[index + 1], "p") {
            words.drain(index..index + 2);
        } else {
            index += 1;
        }
    }
    words.join(" ")
}

/// What is written can be read.
fn check_round_trip(module: &Module, text: &str) {
    let read = ir::text::read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(&read, module);
}
