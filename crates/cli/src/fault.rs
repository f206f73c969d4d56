//! Faults that tests ask for: the work goes wrong as soon as a violation was told.
//!
//! `SELKIE_TEST_FAULT` names the fault; without it nothing here does anything. It can only take answers
//! away, never make one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use base::{Bv, Map};
use ir::syntax::{Block, Module, Obligation};
use results::engine::Question;
use results::fact::{Expr, Fact};
use results::{EngineError, Message, Outcome, SecondOpinion, Settled, Sink, Status, Support};

use crate::pipeline::Program;

/// The variable.
const VARIABLE: &str = "SELKIE_TEST_FAULT";

/// What goes wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    /// The thread panics.
    Panic,
    /// The engine ends with an error.
    Error,
    /// Nothing more happens.
    Stall,
    /// More and more memory is taken.
    Memory,
}

/// The faults of a part, named `part-NAME-FAULT`: it ends at once (`abort`), it panics (`panic`), it begins
/// late (`wait`), or it claims what is not so: that everything is proved by a fact that is false, and by one that is about another
/// program, and then it ends (`lie`); that its program is that other one (`other`); that everything is proved, and another solver agrees
/// (`claim`), or nothing at all is open, since there is nothing (`short`).
pub fn in_part(name: &str, program: &Program, sink: &dyn Sink) {
    let Ok(fault) = std::env::var(VARIABLE) else {
        return;
    };
    let mut words = fault.strip_prefix("part-").unwrap_or("").split('-');
    if words.next() != Some(name) {
        return;
    }
    match words.next() {
        Some("abort") => std::process::abort(),
        Some("panic") => panic!("a fault that a test asked for"),
        // Long enough to be looked at.
        Some("wait") => std::thread::sleep(Duration::from_secs(1)),
        Some("lie") => {
            lie(program, sink);
            std::process::abort();
        }
        Some("other") => {
            let mut other = program.claims().clone();
            other.fingerprint = "another program".to_owned();
            sink.tell(Message::Program(other));
            lie(program, sink);
            std::process::abort();
        }
        Some("claim") => claim(program.claims().claims.len(), sink),
        Some("short") => claim(0, sink),
        _ => {}
    }
}

/// Claims that lean on each other, on a fact about another program, and on one that is named but not there.
fn lie(program: &Program, sink: &dyn Sink) {
    let claims = program.claims();
    let fact = |id: &str, program: &str, rests_on: Vec<Support>| Fact {
        id: id.to_owned(),
        program: program.to_owned(),
        func: "main".to_owned(),
        block: Block::from_index(0),
        holds: Expr::int(Bv::one(1)),
        by: "a liar".to_owned(),
        rests_on,
    };
    let mut all: Vec<Obligation> = claims.claims.keys().collect();
    all.rotate_left(1);
    let mut settled = Vec::new();
    for (obligation, next) in claims.claims.keys().zip(all) {
        for rests_on in [
            vec![Support::Obligation(next)],
            vec![Support::Fact("elsewhere".to_owned())],
            vec![Support::Fact("nowhere".to_owned())],
            vec![Support::Fact("circle".to_owned())],
        ] {
            settled.push((
                obligation,
                Settled {
                    status: Status::Proved,
                    by: "a liar".to_owned(),
                    rests_on,
                },
            ));
        }
    }
    let circle = claims.claims.keys().map(Support::Obligation).collect();
    sink.tell(Message::Fact(Box::new(fact(
        "elsewhere",
        "another program",
        Vec::new(),
    ))));
    sink.tell(Message::Fact(Box::new(fact(
        "circle",
        &claims.fingerprint,
        circle,
    ))));
    sink.tell(Message::Settled(settled));
}

/// Claims that so many obligations are proved, and that nothing is open.
fn claim(count: usize, sink: &dyn Sink) {
    let outcome = Outcome {
        statuses: Map::filled(Status::Proved, count),
        second: Some(SecondOpinion::Agrees("a liar".to_owned())),
        ..Outcome::default()
    };
    sink.tell(Message::Outcome("bmc".to_owned(), Box::new(outcome)));
}

/// A sink with a fault behind it.
pub struct Faulty {
    sink: Arc<dyn Sink>,
    fault: Option<Fault>,
    met: AtomicBool,
}

/// A sink with the fault that the environment names behind it, if any; twice, as a sink and as what it is.
pub fn behind(sink: Arc<dyn Sink>) -> (Arc<dyn Sink>, Arc<Faulty>) {
    let faulty = Arc::new(Faulty::new(sink));
    (Arc::<Faulty>::clone(&faulty), faulty)
}

impl Faulty {
    fn new(sink: Arc<dyn Sink>) -> Faulty {
        let fault = match std::env::var(VARIABLE).as_deref() {
            Ok("panic") => Some(Fault::Panic),
            Ok("error") => Some(Fault::Error),
            Ok("stall") => Some(Fault::Stall),
            Ok("memory") => Some(Fault::Memory),
            Ok(_) | Err(_) => None,
        };
        Faulty {
            sink,
            fault,
            met: AtomicBool::new(false),
        }
    }

    /// What becomes of an engine's answer.
    pub fn after<T>(&self, answer: Result<T, EngineError>) -> Result<T, EngineError> {
        match self.fault {
            Some(Fault::Error) if self.met.load(Ordering::Relaxed) => {
                Err(EngineError("a fault that a test asked for".to_owned()))
            }
            _ => answer, // The other faults happen where the violation is told.
        }
    }
}

impl Sink for Faulty {
    fn tell(&self, message: Message) {
        let violation = matches!(message, Message::Violation(_));
        self.sink.tell(message);
        if !violation {
            return;
        }
        self.met.store(true, Ordering::Relaxed);
        match self.fault {
            None | Some(Fault::Error) => {}
            Some(Fault::Panic) => panic!("a fault that a test asked for"),
            Some(Fault::Stall) => loop {
                std::thread::sleep(Duration::from_secs(1));
            },
            Some(Fault::Memory) => {
                let mut taken: Vec<Vec<u8>> = Vec::new();
                loop {
                    taken.push(vec![1; 1 << 24]);
                    std::thread::sleep(Duration::from_millis(2));
                }
            }
        }
    }

    fn show(&self, pass: &str, module: &Module) {
        self.sink.show(pass, module);
    }

    fn asked(&self, question: &Question<'_>) {
        self.sink.asked(question);
    }
}
