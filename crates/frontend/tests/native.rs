//! Imported programs print what the compiled ones print.

mod common;

use std::path::PathBuf;
use std::process::Command;

use common::{Program, for_each, level, native, output};
use frontend::{DataModel, Stdio};

/// Programs of our own, one for each part of the language.
#[test]
fn the_language_means_what_the_machine_does() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(common::folder("c"))
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        cases.push((file.clone(), DataModel::Lp64, vec!["-m64", "-lstdc++"]));
        if file.extension().is_some_and(|extension| extension == "cpp") {
            continue;
        }
        // The old floating-point unit would compute with more bits than the type has.
        let narrow = vec!["-m32", "-msse2", "-mfpmath=sse"];
        cases.push((file, DataModel::Ilp32, narrow));
    }
    let wrong = for_each(&cases, |(file, model, flags)| {
        let expected = native(file, flags);
        assert!(!expected.is_empty());
        let mut wrong = Vec::new();
        for number in 0..=2 {
            let mut program = Program::file(file);
            program.options.data_model = *model;
            program.options.opt = level(number);
            program.options.stdio = Stdio::Host;
            program.checks("default,ub");
            let printed = output(&program.raw(), 100_000_000);
            if printed != expected {
                let name = file.display();
                wrong.push(format!("{name} {model:?} --opt {number}:\n{printed}"));
            }
        }
        wrong
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// How many random programs are tried; their seeds start at 1000.
const RANDOM_PROGRAMS: u64 = 62;

/// Random programs without undefined behaviour, which print a checksum of all their variables.
#[test]
fn random_programs_have_the_checksum_of_the_machine() {
    let dir = tempfile::tempdir().expect("a folder for the programs");
    let seeds: Vec<u64> = (1000..1000 + RANDOM_PROGRAMS).collect();
    let answers = for_each(&seeds, |seed| {
        let file = dir.path().join(format!("random{seed}.c"));
        let text = Command::new("csmith")
            .args(["--seed", &seed.to_string()])
            .args([
                "--max-funcs",
                "3",
                "--max-block-depth",
                "3",
                "--max-expr-complexity",
                "6",
            ])
            .output()
            .expect("csmith is installed (./x setup)");
        std::fs::write(&file, text.stdout).expect("the program is written");
        let printed = |number: u32, checks: &str| {
            let mut program = Program::file(&file);
            program.options.includes.push("/usr/include/csmith".into());
            program.options.opt = level(number);
            program.options.stdio = Stdio::Host;
            program.checks(checks);
            output(&program.raw(), 20_000_000)
        };
        // Once with all the checks: none is violated. Some programs do not end.
        let simplified = printed(2, "default,ub");
        if simplified.contains("step limit") {
            return None;
        }
        let expected = native(&file, &["-I/usr/include/csmith"]);
        let plain = printed(0, "reach");
        if simplified != expected {
            return Some(Err(format!("seed {seed} --opt 2: {simplified}")));
        }
        if plain != expected {
            return Some(Err(format!("seed {seed} --opt 0: {plain}")));
        }
        Some(Ok(()))
    });
    let tried = answers.iter().flatten().count();
    let wrong: Vec<String> = answers
        .into_iter()
        .flatten()
        .filter_map(Result::err)
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tried >= 50, "only {tried} programs ended");
}
