//! A program for each kind of undefined behaviour, and for each kind one without it. What is
//! violated does not depend on how much LLVM simplifies, nor on the data model.

mod common;

use checks::registry::CheckId;
use common::{Program, for_each, level, run};
use frontend::DataModel;
use interp::Outcome;
use ir::syntax::Module;

/// A header line of a program.
fn header<'a>(text: &'a str, key: &str) -> &'a str {
    let prefix = format!("// {key}: ");
    text.lines()
        .find_map(|line| line.strip_prefix(prefix.as_str()))
        .unwrap_or_else(|| panic!("a line with {key}"))
}

/// The obligations of what the program may do wrong, as a user sees them. Those about what is not
/// modelled, and those that later passes add, may go with dead code.
fn obligations(module: &Module) -> Vec<String> {
    let passing = [CheckId::Unsupported, CheckId::CallTarget, CheckId::AllocCap];
    module
        .obligations
        .values()
        .filter(|data| !passing.contains(&data.check))
        .map(|data| {
            format!(
                "{}.{}.{} {}",
                data.func, data.check, data.ordinal, data.text
            )
        })
        .collect()
}

#[test]
fn undefined_behaviour_is_met_at_every_level() {
    let dir = common::folder("ub");
    let mut files: Vec<_> = std::fs::read_dir(&dir)
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    assert!(files.len() > 70, "only {} programs", files.len());
    let wrong = for_each(&files, |file| {
        let text = std::fs::read_to_string(file).expect("the program is readable");
        let (checks, expected) = (header(&text, "checks"), header(&text, "violates"));
        let mut wrong = Vec::new();
        let mut ids: Option<Vec<String>> = None;
        let cases = [
            (DataModel::Lp64, 0),
            (DataModel::Lp64, 1),
            (DataModel::Lp64, 2),
            (DataModel::Ilp32, 2),
        ];
        for (model, number) in cases {
            let mut program = Program::file(file);
            program.options.data_model = model;
            program.options.opt = level(number);
            program.checks(checks);
            let module = program.lowered();
            if model == DataModel::Lp64 {
                let now = obligations(&module);
                let name = file.display();
                let before = ids.get_or_insert_with(|| now.clone());
                assert_eq!(before, &now, "{name}: obligations depend on --opt {number}");
            }
            let met = match run(&module).outcome {
                Outcome::Violated(failure) => {
                    module.obligations[failure.obligation].check.to_string()
                }
                Outcome::StepLimit => "limit".to_owned(),
                Outcome::Returned(_)
                | Outcome::Exited(_)
                | Outcome::Aborted
                | Outcome::AssumeFailed => "nothing".to_owned(),
                other => other.to_string(),
            };
            if met != expected {
                let name = file.file_name().expect("a name").to_string_lossy();
                wrong.push(format!(
                    "{name} {model:?} --opt {number}: {met}, not {expected}"
                ));
            }
        }
        wrong
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
