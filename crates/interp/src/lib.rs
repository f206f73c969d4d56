//! Concrete execution of every phase of the IR, and replay of counterexamples.
//!
//! The interpreter is the referee: what an execution means is what it does here. It follows
//! `ir::syntax` to the letter and shares no code with `encode`, so that the two can disagree.
//!
//! ```
//! let module = ir::text::read(
//!     "module raw ptr64
//!      entry @start
//!      fn @start() -> i32 {
//!      b0:
//!          v0 = nondet.i32 input
//!          v1 = add.i32 v0, 1
//!          return v1
//!      }",
//! )
//! .expect("the text is well formed");
//! let mut choices = interp::choices::List::new([base::Bv::from_u64(41, 32)]);
//! let bindings = interp::Bindings::new(&mut choices);
//! let run = interp::run(&module, &interp::Config::default(), bindings);
//! let result = interp::Value::Int(base::Bv::from_u64(42, 32));
//! assert_eq!(run.outcome, interp::Outcome::Returned(vec![result]));
//! ```
//!
//! [`choices`] answers what the program leaves open, [`replay`](fn@replay) runs a counterexample,
//! [`TraceWriter`] shows an execution by source lines, [`host`] has the library functions of
//! `selkie run`. What the interpreter adds to the IR's meaning is said where it is decided:
//! addresses in `memory/place.rs`, NaNs in `float.rs`, what counts as reachable in
//! `memory/reach.rs`. A load outside a live object is a choice like a `nondet`, and so are the
//! bytes of a copy from there.
#![forbid(unsafe_code)]

pub mod choices;
pub mod config;
pub mod explain;
pub mod host;
pub mod memory;
pub mod observe;
pub mod outcome;
pub mod replay;
pub mod simplest;
pub mod story;
pub mod trace_writer;
pub mod value;
pub mod view;

mod arith;
mod code;
mod decode;
mod exec;
mod float;
mod interpreter;
mod moves;
mod show;
mod skip;
mod word;
mod world;

pub use crate::config::Config;
pub use crate::outcome::{Failure, Outcome, Run};
pub use crate::replay::{Replay, replay};
pub use crate::trace_writer::TraceWriter;
pub use crate::value::Value;

use base::Map;
use ir::syntax::Module;
use results::trace::Trace;

use crate::choices::Choices;
use crate::host::Host;
use crate::interpreter::{Codes, Interpreter};
use crate::observe::Observer;
use crate::world::World;

/// How many ways at branches are told apart; a power of two.
pub const WAYS: usize = 1 << 16;

/// What a run is connected to.
pub struct Bindings<'a> {
    /// Where free choices come from.
    pub choices: &'a mut dyn Choices,
    /// Who watches.
    pub observer: Option<&'a mut dyn Observer>,
    /// Who does functions without a body.
    pub host: Option<&'a mut dyn Host>,
}

impl<'a> Bindings<'a> {
    /// Choices, and nothing else.
    pub fn new(choices: &'a mut dyn Choices) -> Bindings<'a> {
        Bindings {
            choices,
            observer: None,
            host: None,
        }
    }
}

/// Executes a module from its entry.
pub fn run(module: &Module, config: &Config, bindings: Bindings<'_>) -> Run {
    let Bindings {
        choices,
        observer,
        mut host,
    } = bindings;
    let mut config = config.clone();
    if let Some(host) = &host {
        config.globals.extend(host.globals(module));
    }
    // The trait object's own lifetime shortens here, which a plain move does not do.
    let observer = observer.map(|observer| observer as &mut dyn Observer);
    let (mut world, image) = match World::new(module, &config, choices, observer) {
        Ok(made) => made,
        Err(outcome) => {
            return Run {
                outcome,
                failures: Vec::new(),
                met: Map::filled(false, module.obligations.len()),
                trace: Trace::default(),
                steps: 0,
                choices: 0,
                looked: false,
                ways: Vec::new(),
            };
        }
    };
    let codes = Codes::new(image);
    let mut interpreter = Interpreter::new(&codes);
    let outcome = interpreter.run(&mut world, &mut host);
    if let Some(observer) = &mut world.observer {
        observer.end(&outcome);
    }
    let (trace, choices) = world.take_trace();
    Run {
        outcome,
        failures: std::mem::take(&mut world.failures),
        met: std::mem::take(&mut world.met),
        trace,
        steps: interpreter.steps(),
        choices,
        looked: world.memory.looked,
        ways: std::mem::take(&mut world.ways),
    }
}
