//! Imported programs print what the compiled ones print.

mod common;

use std::path::PathBuf;
use std::process::Command;

use common::{Program, for_each, level, native, output};
use frontend::{DataModel, Stdio, Volatile};

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

/// How many random programs are tried; their seeds start at 1000. `RANDOM_PROGRAMS=370` in the
/// environment tries more.
const RANDOM_PROGRAMS: u64 = 62;

/// How many instructions of a program are executed; about one in six does not end.
const STEPS: u64 = 20_000_000;

/// The checksum that a program leaves in its memory, as the compiled one prints it.
#[derive(Default)]
struct Checksum {
    text: Option<String>,
}

impl interp::observe::Observer for Checksum {
    fn last(&mut self, view: &interp::view::View<'_>) {
        let global = view.module().global_named("crc32_context");
        let bytes = global.and_then(|global| view.global_bytes(global));
        self.text = bytes.map(|bytes| {
            let mut word = [0; 4];
            word.copy_from_slice(&bytes[..4]);
            format!("checksum = {:X}\n", u32::from_le_bytes(word) ^ u32::MAX)
        });
    }
}

/// Executes a program without output; its checksum, or how it ended.
fn checksum(module: &ir::syntax::Module) -> String {
    let mut choices = interp::choices::Zeros;
    let mut observer = Checksum::default();
    let config = interp::Config {
        volatile: interp::config::Volatile::Memory,
        step_limit: STEPS * 4,
        record: interp::config::Record::Off,
        ..interp::Config::default()
    };
    let bindings = interp::Bindings {
        choices: &mut choices,
        observer: Some(&mut observer),
        host: None,
    };
    match interp::run(module, &config, bindings).outcome {
        interp::Outcome::Returned(_) => observer.text.unwrap_or_default(),
        other => other.to_string(),
    }
}

/// Random programs without undefined behaviour, which print a checksum of all their variables.
#[test]
fn random_programs_have_the_checksum_of_the_machine() {
    let dir = tempfile::tempdir().expect("a folder for the programs");
    let asked = std::env::var("RANDOM_PROGRAMS").ok();
    let count = asked
        .and_then(|text| text.parse().ok())
        .unwrap_or(RANDOM_PROGRAMS);
    let seeds: Vec<u64> = (1000..1000 + count).collect();
    let answers = for_each(&seeds, |seed| {
        let file = dir.path().join(format!("random{seed}.c"));
        let text = Command::new("csmith")
            .current_dir(dir.path())
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
        let mut expected = None;
        // Once with all the checks: none is violated. Some programs do not end.
        for (number, checks) in [(2, "default,ub"), (0, "reach")] {
            let mut program = Program::file(&file);
            program.options.includes.push("/usr/include/csmith".into());
            program.options.opt = level(number);
            program.options.stdio = Stdio::Host;
            // On the machine nobody else writes.
            program.options.volatile = Volatile::Last;
            program.checks(checks);
            let mut module = program.raw();
            let raw = output(&module, STEPS);
            if expected.is_none() && raw.contains("step limit") {
                return None;
            }
            let expected = expected
                .get_or_insert_with(|| native(&file, &["-I/usr/include/csmith"]))
                .as_str();
            let wrong = |phase: &str, said: &str| {
                Some(Err(format!("seed {seed} --opt {number} {phase}: {said}")))
            };
            if raw != expected {
                return wrong("raw", &raw);
            }
            for (phase, list) in [
                ("lowered", passes::pipeline::LOWER),
                ("pure", passes::pipeline::PURIFY),
            ] {
                program.run_passes(list, &mut module);
                let said = checksum(&module);
                if said != expected {
                    return wrong(phase, &said);
                }
            }
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
    println!("{tried} of {count} programs end; all have the machine's checksum");
    assert!(tried as u64 >= count * 4 / 5, "only {tried} programs ended");
}
