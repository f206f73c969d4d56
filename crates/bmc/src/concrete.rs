//! Programs that choose nothing: executing them is all there is.
//!
//! A program without inputs has one execution, and the interpreter is a hundred times faster than
//! evaluation on terms. It is asked when evaluation has gone round a loop very often without meeting
//! a choice. A value that is asked for, and a byte that is read before it is written, is a choice, and so is
//! where objects lie if the program looks: then the run proves nothing.

use std::time::{Duration, Instant};

use base::Bv;
use interp::choices::{Choices, Fill, ObjectChoice, Refusal};
use interp::config::Looks;
use interp::{Bindings, Config, Outcome, Run};
use ir::syntax::{InitPiece, Module};
use results::trace::Event;

/// A byte that is not 0, so that the trace tells when it was read.
const UNWRITTEN: u8 = 0xa5;

/// Chooses nothing.
struct NoChoices;

impl Choices for NoChoices {
    fn value(&mut self, _width: u32) -> Result<Bv, Refusal> {
        Err(Refusal::Exhausted)
    }

    fn object(&mut self, _size: u64) -> Result<ObjectChoice, Refusal> {
        Ok(ObjectChoice {
            address: None,
            fill: Fill::Same(UNWRITTEN),
        })
    }

    fn bytes(&mut self, _len: u64) -> Result<Fill, Refusal> {
        Err(Refusal::Exhausted)
    }

    fn clobber(&mut self, _reach: &[(u64, u64)]) -> Result<Vec<(u64, u8)>, Refusal> {
        Err(Refusal::Exhausted)
    }
}

/// Steps that show how fast a program is executed.
const PROBE: u64 = 1 << 24;

/// The program's only execution, if it has only one and ends within about that time.
pub fn execute(module: &Module, time: Duration) -> Option<Run> {
    let chosen = |piece: &InitPiece| matches!(piece, InitPiece::Any(_));
    if module
        .globals
        .values()
        .any(|global| global.init.iter().any(chosen))
    {
        return None;
    }
    let go = |step_limit: u64| {
        let config = Config {
            step_limit,
            looks: Looks::Noted,
            ..Config::default()
        };
        interp::run(module, &config, Bindings::new(&mut NoChoices))
    };
    let start = Instant::now();
    let mut run = go(PROBE);
    if run.outcome == Outcome::StepLimit {
        let each = start.elapsed().as_secs_f64() / PROBE as f64;
        let rest = time.saturating_sub(start.elapsed());
        run = go((rest.as_secs_f64() / each) as u64);
    }
    let ended = matches!(
        run.outcome,
        Outcome::Returned(_) | Outcome::Exited(_) | Outcome::Aborted | Outcome::Violated(_)
    );
    let unread = run.trace.events.iter().all(|event| match event {
        Event::Object { bytes, .. } => bytes.is_empty(),
        _ => false, // Nothing else was granted.
    });
    // What holds for the addresses of this execution is shown for no others; what fails, fails.
    let everywhere = !run.looked || matches!(run.outcome, Outcome::Violated(_));
    (ended && unread && everywhere).then_some(run)
}
