//! `--overflow`: what a signed overflow means.
//!
//! | said | meaning |
//! |---|---|
//! | nothing | a proof covers executions that wrap, and a violation is one without an overflow before it |
//! | wraps | arithmetic wraps, as `-fwrapv` has it |
//! | ends | an execution ends where it overflows, and what would come behind does not count |
//! | checked | an overflow is a violation |

use std::cell::OnceCell;

use base::Map;
use checks::registry::CheckId;
use ir::syntax::Obligation;
use passes::only::{Others, ask_only};
use results::Failure;

use crate::args::{CallStyle, InputArgs, Overflow, VerifyArgs};
use crate::pipeline::{self, Program};

/// The check of signed overflow.
const CHECK: CheckId = CheckId::Overflow;

/// Loads a program for `verify`, up to Pure, with the meaning that was chosen.
pub fn load(args: &VerifyArgs, further: &[CheckId]) -> Result<Program, Failure> {
    let mut input = args.input.clone();
    let mut further = further.to_vec();
    match args.overflow {
        None => {}
        Some(Overflow::Wraps) => {
            let flags = input.cflags.take().unwrap_or_default();
            input.cflags = Some(format!("{flags} -fwrapv"));
        }
        Some(Overflow::Ends | Overflow::Checked) => further.push(CHECK),
    }
    let mut program = pipeline::load_with(&input, frontend::Stdio::Modelled, &further)?;
    if program.wraps && matches!(args.overflow, Some(Overflow::Ends | Overflow::Checked)) {
        return Err(Failure::usage(
            "--overflow and the -fwrapv of --cflags contradict each other",
        ));
    }
    program.lower(&input)?;
    if args.calls == Some(CallStyle::Mixed) {
        program.mix(&input)?;
    }
    program.purify(&input)?;
    if args.overflow == Some(Overflow::Ends) {
        end_there(&input, &mut program)?;
    }
    Ok(program)
}

/// The checks of overflow become assumptions.
fn end_there(input: &InputArgs, program: &mut Program) -> Result<(), Failure> {
    if input.after_failure == crate::args::AfterFailure::Continue {
        return Err(Failure::usage(
            "--overflow ends and --after-failure continue contradict each other",
        ));
    }
    if !program.module.facts.is_empty() {
        return Err(Failure::usage(
            "--overflow ends does not take a program with facts",
        ));
    }
    let rows = program.module.obligations.values();
    let asked: Map<Obligation, bool> = rows.map(|row| row.check != CHECK).collect();
    ask_only(&mut program.module, &asked, Others::End);
    program.checks.remove(&CHECK);
    let note = "executions end at a signed overflow, as --overflow says: what would come behind it does not count";
    program.module.notes.push(note.to_owned());
    program.module.notes.sort();
    program.claims = OnceCell::new();
    Ok(())
}
