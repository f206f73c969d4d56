//! What is kept of an engine's work where that was asked for: the program after each of its passes, each question to a
//! solver with its model, each counterexample; and what the questions cost.

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::{fs, io};

use ir::syntax::Module;
use results::engine::Question;
use results::{Failure, Message, Query, Sink, Violation};

use crate::args::{InputArgs, VerifyArgs};
use crate::pipeline;

/// Keeps what it hears of, and passes it on.
pub struct Keeping {
    input: InputArgs,
    /// Is the cost of each question wanted?
    costs: bool,
    /// Are passes kept?
    passes: bool,
    sink: Arc<dyn Sink>,
    common: Arc<Common>,
}

/// What all that keep for one command share.
#[derive(Default)]
struct Common {
    questions: AtomicU32,
    failed: OnceLock<Failure>,
}

impl Keeping {
    /// Keeps what the command asks for.
    pub fn new(args: &VerifyArgs, sink: Arc<dyn Sink>) -> Keeping {
        Keeping {
            input: args.input.clone(),
            costs: args.stats,
            passes: true,
            sink,
            common: Arc::default(),
        }
    }

    /// The same, for a program that is not the one that was asked for: its passes are not kept.
    pub fn without_passes(&self) -> Arc<dyn Sink> {
        Arc::new(Keeping {
            input: self.input.clone(),
            costs: self.costs,
            passes: false,
            sink: Arc::clone(&self.sink),
            common: Arc::clone(&self.common),
        })
    }

    /// Could everything be kept?
    pub fn result(&self) -> Result<(), Failure> {
        self.common.failed.get().cloned().map_or(Ok(()), Err)
    }

    fn note(&self, kept: Result<(), Failure>) {
        if let Err(failure) = kept {
            self.common.failed.get_or_init(|| failure);
        }
    }

    /// Writes a file in a folder of the one for everything.
    fn write(&self, folder: &str, name: &str, text: impl FnOnce() -> String) {
        let Some(save) = &self.input.save else {
            return;
        };
        let folder = save.join(folder);
        let write = |file: &Path| -> io::Result<()> {
            fs::create_dir_all(&folder)?;
            fs::write(file, text())
        };
        let file = folder.join(name);
        let say = |error| Failure::usage(format!("cannot write to {}: {error}", file.display()));
        self.note(write(&file).map_err(say));
    }

    fn keep_violation(&self, violation: &Violation) {
        // A function may be called anything.
        let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        let id = violation.claim.id.chars();
        let name: String = id.map(|c| if plain(c) { c } else { '_' }).collect();
        self.write("traces", &format!("{name}.json"), || {
            let text = serde_json::to_string_pretty(violation).expect("violations are plain data");
            format!("{text}\n")
        });
    }
}

impl Sink for Keeping {
    fn tell(&self, message: Message) {
        match &message {
            Message::Violation(violation) => self.keep_violation(violation),
            Message::Pass(_) if !self.costs => return,
            _ => {} // Nothing to keep.
        }
        self.sink.tell(message);
    }

    fn show(&self, pass: &str, module: &Module) {
        if self.passes {
            self.note(pipeline::keep(&self.input, pass, module));
        }
    }

    fn asked(&self, question: &Question<'_>) {
        let number = self.common.questions.fetch_add(1, Ordering::Relaxed) + 1;
        let Question {
            what,
            solver,
            answer,
            time,
            ..
        } = question;
        self.write("queries", &format!("{number:04}.smt2"), || {
            let script = (question.script)();
            let seconds = time.as_secs_f64();
            format!("; {what}: {answer} by {solver} in {seconds:.3} s\n{script}")
        });
        if self.input.save.is_some()
            && let Some(model) = (question.model)()
        {
            self.write("queries", &format!("{number:04}.model.smt2"), || model);
        }
        if self.costs {
            self.sink.tell(Message::Query(Query {
                number,
                what: (*what).to_owned(),
                solver: (*solver).to_owned(),
                answer: (*answer).to_owned(),
                time: *time,
                terms: (question.size)(),
            }));
        }
    }
}
