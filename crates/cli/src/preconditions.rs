//! Violations that a stronger assumption about the entry's pointers takes away.
//!
//! An entry other than `main` is called with objects of any size (`frontend::params`). Where it goes beyond one of them, it
//! may be wrong, or its callers may have to give it more: `void f(int *p) { p[3] = 0; }` needs four elements. So every
//! violation at such an object is tried again with what would make it right:
//!
//! | tried | if |
//! |---|---|
//! | `p: string` | it points to characters |
//! | `p: n elements` | there is an integer `n` |
//! | `p: 4 elements` | what the counterexample needs, some rounds, then very many |
//! | `p: heap` | it is freed |
//! | `g: not null` | `g` is a global, which is null until something is stored there |
//! | `depth: 3` | a pointer inside was null because the objects end there |
//!
//! The first that proves the obligation is named, else the first under which no violation is found (not so with very many elements:
//! a violation beyond them is not found either), and the answer is *unknown*: nobody knows the callers. Where nothing helps, the
//! violation stays.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use checks::registry::CheckId;
use frontend::params::{DEPTH, Pointer};
use results::engine::Question;
use results::{Failure, Message, Outcome, Precondition, Reason, Sink, Status, Violation};

use crate::args::{InputArgs, VerifyArgs};
use crate::only;
use crate::overflow;
use crate::pipeline::Program;

/// So many sizes are tried that a counterexample asks for.
const SIZES: u32 = 6;

/// More elements than anything needs by accident.
const MANY: u64 = 1 << 16;

/// So many programs are tried for all violations.
const TRIALS: u32 = 32;

/// Has the engine look at a program until then.
pub type Look<'l> = dyn Fn(&VerifyArgs, &Program, Instant) -> Result<Outcome, Failure> + 'l;

/// What an entry was given, as far as a violation may rest on it.
#[derive(Clone)]
struct Given {
    pointers: Vec<Pointer>,
    /// Are there pointers that are null because no more objects were made?
    ends: bool,
}

/// Why a violation may go away.
enum Cause<'g> {
    /// It is one at the object of this pointer.
    Object(&'g Pointer),
    /// A null pointer was followed.
    Null,
}

impl Given {
    fn of(program: &Program) -> Given {
        let mut notes = program.module.notes.iter();
        Given {
            pointers: program.pointers.clone(),
            ends: notes.any(|note| note.ends_with(" is null")),
        }
    }

    fn cause(&self, violation: &Violation) -> Option<Cause<'_>> {
        let explanation = &violation.failure.explanation;
        let Some(object) = &explanation.object else {
            let any = self.ends || self.pointers.iter().any(|pointer| pointer.nullable);
            let sentence = explanation.sentence.as_str();
            let null = sentence.contains("a null pointer") || sentence == "the pointer is null";
            let null = any && null;
            return null.then_some(Cause::Null);
        };
        let path = object.name.strip_prefix("`*")?.strip_suffix('`')?;
        let mut pointers = self.pointers.iter();
        pointers
            .find(|pointer| pointer.path == path)
            .map(Cause::Object)
    }
}

/// Keeps back violations that are still to be judged.
pub struct Held {
    given: Given,
    sink: Arc<dyn Sink>,
}

impl Held {
    /// Between the engine that looks at a program and this sink.
    pub fn back(program: &Program, sink: Arc<dyn Sink>) -> Arc<dyn Sink> {
        if program.pointers.is_empty() {
            return sink;
        }
        let given = Given::of(program);
        Arc::new(Held { given, sink })
    }
}

impl Sink for Held {
    fn tell(&self, message: Message) {
        match &message {
            Message::Violation(violation) if self.given.cause(violation).is_some() => {}
            _ => self.sink.tell(message),
        }
    }

    fn show(&self, pass: &str, module: &ir::syntax::Module) {
        self.sink.show(pass, module);
    }

    fn asked(&self, question: &Question<'_>) {
        self.sink.asked(question);
    }
}

/// Takes back the violations that a stronger assumption takes away.
pub fn judge(
    args: &VerifyArgs,
    program: &Program,
    mut outcome: Outcome,
    deadline: Option<Instant>,
    look: &Look<'_>,
) -> Result<Outcome, Failure> {
    let mut search = Search {
        args,
        deadline,
        look,
        trials: 0,
    };
    let given = Given::of(program);
    let mut kept = Vec::new();
    for violation in std::mem::take(&mut outcome.violations) {
        let found = match given.cause(&violation) {
            None => None,
            Some(Cause::Object(pointer)) => search.strengthen(pointer, &violation)?,
            Some(Cause::Null) => search.deepen(&given, &violation)?,
        };
        match found {
            None => kept.push(violation),
            Some((rule, proved)) => {
                let reason = Reason::Precondition(rule.clone());
                outcome.statuses[violation.obligation] = Status::Unknown(reason);
                outcome.preconditions.push(Precondition {
                    violation,
                    rule,
                    proved,
                });
            }
        }
    }
    outcome.violations = kept;
    if let (true, Some(first)) = (outcome.violations.is_empty(), outcome.preconditions.first()) {
        outcome.reason = Some(Reason::Precondition(first.rule.clone()));
    }
    Ok(outcome)
}

/// What came of an obligation under another assumption.
enum Tried {
    /// It cannot be assumed.
    Refused,
    /// It is violated all the same.
    Violated(Box<Violation>),
    /// No violation was found.
    Open,
    /// It holds.
    Proved,
}

struct Search<'s> {
    args: &'s VerifyArgs,
    deadline: Option<Instant>,
    look: &'s Look<'s>,
    trials: u32,
}

impl Search<'_> {
    /// The assumption that takes a violation away, if there is one, and whether it proves the obligation.
    fn strengthen(
        &mut self,
        pointer: &Pointer,
        violation: &Violation,
    ) -> Result<Option<(String, bool)>, Failure> {
        let mut words = Vec::new();
        if violation.claim.check == CheckId::Free {
            words.push("heap".to_owned());
        }
        if pointer.text {
            words.push("string".to_owned());
        }
        let counts = pointer.counts.iter();
        words.extend(counts.map(|count| format!("{count} elements")));
        let mut open = None;
        for word in words {
            let rule = self.rule(pointer, &word);
            match self.attempt(&rule, violation)? {
                Tried::Proved => return Ok(Some((rule, true))),
                Tried::Open => open = open.or(Some(rule)),
                Tried::Violated(_) | Tried::Refused => {}
            }
        }
        // As many elements as each counterexample asks for.
        let mut needed = needed(pointer, violation);
        let mut rounds = 0;
        while let Some(elements) = needed {
            rounds += 1;
            let elements = if rounds > SIZES { MANY } else { elements };
            let unit = match pointer.element == 1 && !pointer.text {
                true => "bytes",
                false => "elements",
            };
            let rule = self.rule(pointer, &format!("{elements} {unit}"));
            match self.attempt(&rule, violation)? {
                Tried::Proved => return Ok(Some((rule, true))),
                Tried::Open => {
                    if elements < MANY {
                        open = open.or(Some(rule));
                    }
                    break;
                }
                Tried::Violated(again) => {
                    needed = self::needed(pointer, &again)
                        .filter(|&more| elements < more && rounds <= SIZES);
                }
                Tried::Refused => break,
            }
        }
        Ok(open.map(|rule| (rule, false)))
    }

    /// What makes a violation by a null pointer go away: a global that is none, or more objects.
    fn deepen(
        &mut self,
        given: &Given,
        violation: &Violation,
    ) -> Result<Option<(String, bool)>, Failure> {
        for pointer in given.pointers.iter().filter(|pointer| pointer.nullable) {
            let rule = self.rule(pointer, "not null");
            match self.attempt(&rule, violation)? {
                Tried::Proved => return Ok(Some((rule, true))),
                Tried::Open => return Ok(Some((rule, false))),
                Tried::Violated(_) | Tried::Refused => {}
            }
        }
        if !given.ends || said(&self.args.input, "depth").is_some() {
            return Ok(None);
        }
        for depth in [DEPTH + 1, DEPTH + 2] {
            let rule = format!("depth: {depth}");
            match self.attempt(&rule, violation)? {
                Tried::Proved => return Ok(Some((rule, true))),
                Tried::Open => return Ok(Some((rule, false))),
                Tried::Violated(_) => {}
                Tried::Refused => break,
            }
        }
        Ok(None)
    }

    /// A rule with a further word, besides what was said of the pointer.
    fn rule(&self, pointer: &Pointer, word: &str) -> String {
        match said(&self.args.input, &pointer.path) {
            Some(index) => format!("{}, {word}", self.args.input.param[index]),
            None => format!("{}: {word}", pointer.path),
        }
    }

    /// Looks at the obligation under a rule.
    fn attempt(&mut self, rule: &str, violation: &Violation) -> Result<Tried, Failure> {
        let now = Instant::now();
        let left = self.deadline.map(|end| end.saturating_duration_since(now));
        self.trials += 1;
        if self.trials > TRIALS || left.is_some_and(|left| left.is_zero()) {
            return Ok(Tried::Refused);
        }
        let share = left.unwrap_or(std::time::Duration::from_secs(60)) / 4;
        let mut args = VerifyArgs {
            only: vec![violation.claim.id.clone()],
            input: InputArgs {
                dump_after: None,
                save: None,
                ..self.args.input.clone()
            },
            ..self.args.clone()
        };
        let path = rule.split(':').next().unwrap_or_default();
        match said(&args.input, path) {
            Some(index) => args.input.param[index] = rule.to_owned(),
            None => args.input.param.push(rule.to_owned()),
        }
        let mut program = match overflow::load(&args, &[]) {
            Ok(program) => program,
            // It is not of that kind, or something was said that contradicts it.
            Err(failure) if failure.code == 1 => return Ok(Tried::Refused),
            Err(failure) => return Err(failure),
        };
        only::restrict(&args, &BTreeSet::new(), &mut program)?;
        let outcome = (self.look)(&args, &program, now + share)?;
        let claims = &program.claims().claims;
        let mut same = claims
            .iter()
            .filter(|(_, claim)| claim.id == violation.claim.id);
        let Some((obligation, _)) = same.next() else {
            return Ok(Tried::Refused);
        };
        let mut violations = outcome.violations.into_iter();
        if let Some(again) = violations.find(|other| other.obligation == obligation) {
            return Ok(Tried::Violated(Box::new(again)));
        }
        Ok(match &outcome.statuses[obligation] {
            Status::Proved | Status::Unreachable | Status::Vacuous => Tried::Proved,
            Status::ProvedBounded(_) | Status::Unknown(Reason::Bounded | Reason::Timeout) => {
                Tried::Open
            }
            Status::Unknown(_) | Status::Violated => Tried::Refused,
        })
    }
}

/// Where something is said of a pointer.
fn said(input: &InputArgs, path: &str) -> Option<usize> {
    let named = |text: &String| {
        let name = text.split(':').next().unwrap_or_default();
        name.split_whitespace().collect::<String>() == path
    };
    input.param.iter().position(named)
}

/// How many elements would have been enough for an execution, if more are needed than there were.
fn needed(pointer: &Pointer, violation: &Violation) -> Option<u64> {
    let object = violation.failure.explanation.object.as_ref()?;
    let offset = u64::try_from(object.offset).ok()?;
    let end = offset.checked_add(object.accessed)?;
    if object.ended.is_some() || end <= object.size {
        return None;
    }
    let elements = end.div_ceil(pointer.element);
    (elements <= MANY).then_some(elements)
}
