//! The settings of Horn clauses, from the command line.

use std::sync::Arc;

use chc::clauses::{Step, Track};
use chc::emit::Emitter;
use chc::{Chc, Horn};
use results::{Engine, Failure};
use solve::horn::attempt::{Ints, attempts};

use super::{Entry, bounded};
use crate::args::{IntsArg, StepArg, TrackArg, VerifyArgs};
use crate::pipeline::Program;

/// `--engine chc`.
pub const ENTRY: Entry = Entry {
    name: chc::engine::CHC,
    about: "Horn clauses: invariants of loops by Spacer, proved by induction; bounded model checking for violations",
    make,
};

/// How clauses are solved.
pub(super) fn horn(args: &VerifyArgs) -> Horn {
    Horn {
        share: 0.6,
        step: step(args.step),
        track: track(args.track),
        attempts: attempts(args.ints.map(IntsArg::meaning)),
        memory: None,
    }
}

fn step(said: StepArg) -> Step {
    match said {
        StepArg::Large => Step::Large,
        StepArg::Small => Step::Small,
    }
}

fn track(said: TrackArg) -> Track {
    match said {
        TrackArg::Reg => Track::Reg,
        TrackArg::Ptr => Track::Ptr,
        TrackArg::Mem => Track::Mem,
    }
}

fn make(args: &VerifyArgs, program: &Program) -> Result<Box<dyn Engine>, Failure> {
    Ok(Box::new(Chc {
        options: bounded::options(args, program)?,
        horn: horn(args),
    }))
}

/// Gets the clauses of a program, or the reason why there are none.
pub type Give = Box<dyn Fn(Result<String, String>) + Send + Sync>;

/// An engine that hands out clauses instead of solving them.
pub fn emitting(
    args: &VerifyArgs,
    program: &Program,
    give: Give,
) -> Result<Box<dyn Engine>, Failure> {
    let emitter = Emitter {
        ints: args.ints.map_or(Ints::Bv, IntsArg::meaning),
        step: step(args.step),
        track: track(args.track),
        give,
    };
    Ok(Box::new(bmc::Bmc {
        options: bmc::Options {
            inventor: Some(Arc::new(emitter)),
            // Clauses are wanted, whoever could do without them.
            induction: false,
            ..bounded::options(args, program)?
        },
    }))
}
