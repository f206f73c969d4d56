//! Choices: lists, seeds and traces; what was recorded replays exactly.

mod common;

use base::Bv;
use common::{read, run_with, show};
use golden::random::{self, Options, Use};
use interp::choices::{Recorded, Rest, Seed, Zeros};
use interp::config::{GlobalChoice, Record, Volatile};
use interp::{Config, Outcome, replay};
use ir::syntax::{Obligation, Phase};
use results::trace::{Event, Trace};

/// One of every event.
const EVERY_EVENT: &str = r#"module raw ptr64
entry @start
obligation o0 f.assert.1 ""
obligation o1 f.assert.2 ""
global @g size 8 align 8 external = zero 8
fn @start() {
b0:
    v0 = nondet.i32 input
    v1 = nondet.ptr extern
    v2 = nondet.f80 uninit
    v3 = alloc.stack 8 align 8
    v4 = load.i32 v3
    lifetime_start v3
    v5 = load.i16 v3
    v6 = alloc.heap 16
    mem_havoc v6, 3
    v7 = load.i8 v6
    v8 = load.i32 @g volatile
    clobber v6
    v9 = load.i8 @g
    v10 = load.i8 null
    v11 = eq.i32 v0, 5
    check o0, v11
    v12 = eq.i32 v4, 258
    check o0, v12
    v13 = eq.i16 v5, 3
    check o0, v13
    v14 = eq.i8 v7, 4
    check o0, v14
    v15 = eq.i32 v8, 6
    check o0, v15
    v16 = eq.i8 v9, 7
    check o0, v16
    v17 = eq.i8 v10, 8
    check o0, v17
    check o1, 0
    return
}
"#;

/// A trace of events that leads to the end of the program above; `@g` is at 0x8000.
fn every_event() -> Trace {
    Trace {
        events: vec![
            Event::Value(Bv::from_u64(5, 32)),
            Event::Value(Bv::zero(64)),
            Event::Value(Bv::zero(80)),
            Event::Object {
                address: Some(0x9000),
                bytes: vec![(0, 2), (1, 1)],
            },
            Event::Object {
                address: None,
                bytes: vec![(0, 3)],
            },
            Event::Object {
                address: None,
                bytes: vec![],
            },
            Event::Bytes(vec![(0, 4)]),
            Event::Value(Bv::from_u64(6, 32)),
            Event::Clobber(vec![(0x8000, 7)]),
            Event::Value(Bv::from_u64(8, 8)),
        ],
    }
}

fn with_global() -> Config {
    Config {
        globals: vec![GlobalChoice {
            global: ir::syntax::Global::from_index(0),
            address: Some(0x8000),
            bytes: vec![],
        }],
        ..Config::default()
    }
}

fn try_replay(trace: &Trace) -> (bool, String) {
    let module = read(EVERY_EVENT);
    let expected = Obligation::from_index(1);
    let replay = replay::replay_with(&module, trace, expected, &with_global());
    (replay.confirmed, show(&module, &replay.run))
}

#[test]
fn a_trace_decides_everything() {
    let (confirmed, text) = try_replay(&every_event());
    assert_eq!(text, "violated f.assert.2\n  in start");
    assert!(confirmed);
}

#[test]
fn a_wrong_choice_is_not_confirmed() {
    for index in [0, 3, 4, 6, 7, 8, 9] {
        let mut trace = every_event();
        match &mut trace.events[index] {
            Event::Value(bv) => *bv = bv.add(&Bv::one(bv.width())),
            Event::Object { bytes, .. } | Event::Bytes(bytes) | Event::Clobber(bytes) => {
                bytes[0].1 += 1;
            }
        }
        let (confirmed, text) = try_replay(&trace);
        assert!(!confirmed);
        assert!(text.starts_with("violated f.assert.1"), "{index}: {text}");
    }
}

#[test]
fn traces_are_strict() {
    let refused = |change: &dyn Fn(&mut Trace)| {
        let mut trace = every_event();
        change(&mut trace);
        let (confirmed, text) = try_replay(&trace);
        assert!(!confirmed);
        text
    };
    assert_eq!(
        refused(&|trace| trace.events.truncate(9)),
        "no choice is left"
    );
    assert_eq!(
        refused(&|trace| trace.events[0] = Event::Value(Bv::zero(33))),
        "event 0 is a value of 33 bits, but the execution asks for a value of 32 bits"
    );
    assert_eq!(
        refused(&|trace| trace.events.swap(2, 3)),
        "event 2 is an object, but the execution asks for a value of 80 bits"
    );
    assert_eq!(
        refused(&|trace| {
            trace.events[8] = Event::Clobber(vec![(0x9000, 1)]);
        }),
        "event 8 changes address 0x9000, which unknown code cannot reach"
    );
    let at = |address: u64| Event::Object {
        address: Some(address),
        bytes: vec![],
    };
    assert_eq!(
        refused(&|trace| trace.events[3] = at(0x8004)),
        "an object of 8 bytes cannot be at 0x8004: it is aligned to 8"
    );
    assert_eq!(
        refused(&|trace| trace.events[5] = at(0x9004)),
        "an object of 16 bytes cannot be at 0x9004: a live object of 8 bytes is at 0x9000"
    );
    assert_eq!(
        refused(&|trace| trace.events[3] = at(0)),
        "an object of 8 bytes cannot be at 0x0: that is null"
    );
    assert_eq!(
        refused(&|trace| trace.events[3] = at(u64::MAX - 7)),
        "an object of 8 bytes cannot be at 0xfffffffffffffff8: it would leave the address space"
    );
    assert_eq!(
        refused(&|trace| trace.events[4] = at(0xa000)),
        "a scope is entered again, but its object moves from 0x9000"
    );
}

#[test]
fn the_first_violated_obligation_counts() {
    let module = read(EVERY_EVENT);
    let trace = Trace::default();
    let result = replay(&module, &trace, Obligation::from_index(0));
    assert!(!result.confirmed);
    let mut wrong = every_event();
    wrong.events[0] = Event::Value(Bv::zero(32));
    let config = with_global();
    let expected = Obligation::from_index(0);
    let result = replay::replay_with(&module, &wrong, expected, &config);
    assert!(result.confirmed);
    assert_eq!(result.unused, 0);
}

#[test]
fn lists_end_or_go_on_with_zeros() {
    let text = "module raw ptr64
entry @start
fn @start() -> i8, i64 {
b0:
    v0 = nondet.i8 input
    v1 = nondet.i64 input
    return v0, v1
}
";
    let module = read(text);
    let mut list = interp::choices::List::new([Bv::from_u64(0x1ff, 32)]);
    let run = run_with(&module, &Config::default(), &mut list);
    assert_eq!(show(&module, &run), "no choice is left");
    list = interp::choices::List::new([Bv::from_u64(0x1ff, 32)]);
    list.rest = Rest::Zeros;
    let run = run_with(&module, &Config::default(), &mut list);
    assert_eq!(show(&module, &run), "returned -1, 0");
}

#[test]
fn volatile_reads_can_be_ordinary() {
    let text = "module raw ptr64
entry @start
global @g size 8 align 8 = zero 8
fn @start() -> i32, i1 {
b0:
    store.i32 @g, 5
    v0 = load.i32 @g volatile
    store.ptr @g, @g
    v1 = load.ptr @g volatile
    v2 = is_deref.read v1, 8
    return v0, v2
}
";
    let module = read(text);
    let config = Config {
        volatile: Volatile::Memory,
        ..Config::default()
    };
    let run = run_with(&module, &config, &mut Zeros);
    assert_eq!(show(&module, &run), "returned 5, -1");
    let run = run_with(&module, &Config::default(), &mut Zeros);
    assert_eq!(show(&module, &run), "returned 0, 0");
}

/// Runs a random program by a seed and again by what was recorded.
fn check_recorded(options: &Options, seed: u64) -> u64 {
    let module = random::module(options);
    let config = Config::default();
    let first = run_with(&module, &config, &mut Seed::new(seed));
    assert!(
        !matches!(
            first.outcome,
            Outcome::Error(_) | Outcome::Stuck(_) | Outcome::Refused(_)
        ),
        "{}\n{module}",
        first.outcome
    );
    if options.failures == Use::No {
        assert!(first.failures.is_empty(), "{}\n{module}", first.outcome);
    }
    let mut recorded = Recorded::new(&first.trace);
    let second = run_with(&module, &config, &mut recorded);
    assert_eq!(first, second, "{module}");
    assert_eq!(recorded.used(), first.trace.events.len());
    // Without recording the run is the same but for the list.
    let config = Config {
        record: Record::Off,
        ..config
    };
    let third = run_with(&module, &config, &mut Seed::new(seed));
    assert_eq!(third.outcome, first.outcome);
    assert_eq!((third.steps, third.choices), (first.steps, first.choices));
    assert!(third.trace.events.is_empty());
    first.steps
}

#[test]
fn random_programs_replay_exactly() {
    let mut steps = 0;
    for seed in 0..150 {
        let mut options = Options::new(seed, 40 + (seed as usize % 5) * 60);
        if seed % 3 == 1 {
            options.failures = Use::Yes;
            options.recursion = Use::Yes;
        }
        if seed % 4 == 2 {
            options.phase = Phase::Lowered;
            options.pointer_bits = 32;
        }
        steps += check_recorded(&options, seed ^ 0x55);
    }
    assert!(steps > 10_000, "the programs do too little: {steps} steps");
}
