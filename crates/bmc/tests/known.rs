//! What others have settled is not asked again, and counts only with all that it rests on.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use bmc::{Bmc, Cone, Options, Style, Violations};
use ir::syntax::{Module, Obligation};
use results::{
    Engine, Known, Limits, Message, Outcome, Reason, Settled, Sink, Status, Support, Task,
};

const PROGRAM: &str = r#"module pure ptr64
entry @main
obligation o0 main.assert.1 "x is not 7"
obligation o1 main.assert.2 "x is not 8"
fn @main() -> i32 {
b0:
    v0 = nondet.i32 input
    v1 = ne.i32 v0, 7
    check o0, v1
    v2 = ne.i32 v0, 8
    check o1, v2
    return 0:i32
}
"#;

/// Remembers what it was told.
#[derive(Default)]
struct Memory {
    messages: Mutex<Vec<Message>>,
}

impl Sink for Memory {
    fn tell(&self, message: Message) {
        self.messages.lock().expect("nobody panics").push(message);
    }
}

fn settings() -> Options {
    Options {
        solver: "bitwuzla".to_owned(),
        second: None,
        unwind: None,
        deepest: None,
        unwind_loops: Default::default(),
        depth: None,
        deadline: None,
        patience: None,
        memory: None,
        violations: Violations::Each,
        vacuity: false,
        continue_after_failure: false,
        monitors: BTreeSet::new(),
        accesses_checked: true,
        induction: false,
        inventor: None,
        style: Style::Eval,
        encoding: Default::default(),
        cone: Cone::Used,
        rewriting: terms::Level::Full,
        count_rules: false,
        calls: bmc::Calls::Inline,
        maps: None,
    }
}

fn run(known: &Known) -> (Outcome, Vec<Message>) {
    let module: Module = ir::text::read(PROGRAM).expect("the text is well formed");
    let memory = Arc::new(Memory::default());
    let sink: Arc<dyn Sink> = Arc::<Memory>::clone(&memory);
    let task = Task {
        module: &module,
        known,
        monitors: &BTreeSet::new(),
        limits: Limits::default(),
    };
    let engine = Bmc {
        options: settings(),
    };
    let outcome = engine.run(&task, &sink).expect("the engine is sound");
    let messages = std::mem::take(&mut *memory.messages.lock().expect("nobody panics"));
    (outcome, messages)
}

fn obligation(index: usize) -> Obligation {
    Obligation::from_index(index)
}

fn proved(rests_on: &[Support]) -> Settled {
    Settled {
        status: Status::Proved,
        by: "test".to_owned(),
        rests_on: rests_on.to_vec(),
    }
}

fn told(messages: &[Message]) -> Vec<Obligation> {
    let violation = |message: &Message| match message {
        Message::Violation(violation) => Some(violation.obligation),
        _ => None, // About something else.
    };
    messages.iter().filter_map(violation).collect()
}

#[test]
fn violations_are_told_when_they_are_found() {
    let (outcome, messages) = run(&Known::default());
    let violated = [Status::Violated, Status::Violated];
    assert!(outcome.statuses.values().eq(&violated), "{outcome:?}");
    let both: BTreeSet<Obligation> = told(&messages).into_iter().collect();
    assert_eq!(both, BTreeSet::from([obligation(0), obligation(1)]));
    let names: Vec<&str> = outcome
        .violations
        .iter()
        .map(|violation| violation.claim.id.as_str())
        .collect();
    assert!(names.contains(&"main.assert.2"), "{names:?}");
}

#[test]
fn what_is_settled_is_not_asked() {
    // It is not even true, and nobody looks.
    let mut known = Known::default();
    known.settle(obligation(0), proved(&[]));
    let (outcome, messages) = run(&known);
    assert_eq!(outcome.statuses[obligation(0)], Status::Proved);
    assert_eq!(outcome.statuses[obligation(1)], Status::Violated);
    assert_eq!(told(&messages), [obligation(1)]);
}

#[test]
fn what_rests_on_something_open_is_asked() {
    let circle = [Support::Obligation(obligation(0))];
    let open = [Support::Fact("nobody has found it".to_owned())];
    let bounded = Settled {
        status: Status::ProvedBounded(3),
        ..proved(&[])
    };
    let unknown = Settled {
        status: Status::Unknown(Reason::Timeout),
        ..proved(&[])
    };
    for settled in [proved(&circle), proved(&open), bounded, unknown] {
        let mut known = Known::default();
        known.settle(obligation(0), settled);
        let (outcome, _) = run(&known);
        assert_eq!(outcome.statuses[obligation(0)], Status::Violated);
    }
}
