//! A simpler execution that violates the same: zeros, short strings, few steps.
//!
//! The choices of a counterexample are changed a little, and the program is executed again: if it violates the same obligation and is
//! simpler, that is the new counterexample. Nothing is believed: what comes out was executed, and was recorded while it was.
//! Changed choices may lead elsewhere, so they are suggestions ([`Told`]); what was chosen in fact is what counts. An execution
//! that rests on what is known only roughly is left as it is, and none that does is taken.

use base::Bv;
use ir::syntax::{Const, Module, NondetKind, Obligation, Operand, PlaceId};
use results::Violation;
use results::trace::{Event, Fill, GlobalChoice, Trace};

use crate::choices::Told;
use crate::config::{AfterFailure, Config, Record};
use crate::observe::{Asked, Observer};
use crate::outcome::{Failure, Outcome};
use crate::{Bindings, run};

/// Instructions that all attempts together may take.
const STEPS: u64 = 4 << 20;

/// Attempts, at most.
const ATTEMPTS: u32 = 1500;

/// Constants of the program that inputs may be.
const CONSTANTS: usize = 40;

/// What an execution of the smallest program costs beside its instructions.
const BEGINNING: u64 = 500;

/// How complicated an execution is: first all together, then by the sum of its numbers.
type Cost = (u64, u128);

/// An execution with what it was given.
#[derive(Clone)]
struct Execution {
    trace: Trace,
    globals: Vec<GlobalChoice>,
    failure: Failure,
    cost: Cost,
}

/// Is anything known only roughly?
#[derive(Default)]
struct Rough {
    any: bool,
}

impl Observer for Rough {
    fn choice(&mut self, asked: Asked, _event: &Event, _place: Option<PlaceId>) {
        self.any |= matches!(
            asked,
            Asked::Nondet(NondetKind::Approx) | Asked::Outside | Asked::Clobber
        );
    }
}

struct Search<'s> {
    module: &'s Module,
    obligation: Obligation,
    unknown: Option<Fill>,
    after_failure: AfterFailure,
    /// Does an execution count?
    counts: &'s dyn Fn(&Violation) -> bool,
    template: Violation,
    steps: u64,
    attempts: u32,
    /// What an execution costs beside its instructions.
    beginning: u64,
    /// Constants of the program, the smallest ones first.
    constants: Vec<i64>,
    /// Does it not matter where objects lie?
    anywhere: bool,
    best: Execution,
}

/// The simplest violation found, which may be the one that was given. `counts` says of one that the interpreter has met whether it
/// counts.
pub fn simplest(
    module: &Module,
    violation: &Violation,
    after_failure: AfterFailure,
    counts: &dyn Fn(&Violation) -> bool,
) -> Violation {
    let mut search = Search {
        module,
        obligation: violation.obligation,
        unknown: violation.unknown.clone(),
        after_failure,
        counts,
        template: violation.clone(),
        steps: STEPS,
        attempts: ATTEMPTS,
        beginning: beginning(module),
        constants: constants(module),
        anywhere: false,
        best: Execution {
            trace: violation.trace.clone(),
            globals: violation.globals.clone(),
            failure: violation.failure.clone(),
            cost: (u64::MAX, u128::MAX),
        },
    };
    // The same execution, as it is recorded: what its choices say beyond the violation goes away.
    if search.attempt(&violation.trace.events, &violation.globals) {
        search.all();
    }
    search.violation(&search.best)
}

impl Search<'_> {
    fn violation(&self, execution: &Execution) -> Violation {
        Violation {
            trace: execution.trace.clone(),
            globals: execution.globals.clone(),
            failure: execution.failure.clone(),
            ..self.template.clone()
        }
    }

    /// Executes with these suggestions; keeps what is simpler.
    fn attempt(&mut self, events: &[Event], globals: &[GlobalChoice]) -> bool {
        let mut events = events.to_vec();
        let mut globals = globals.to_vec();
        if self.anywhere {
            events.iter_mut().for_each(forget_address);
            globals = globals.iter().map(anywhere).collect();
        }
        match self.execute(&events, &globals) {
            Some(found) if found.cost < self.best.cost && self.counts(&found) => {
                self.best = found;
                true
            }
            Some(_) | None => false,
        }
    }

    /// Whether it counts is found out by an execution, too.
    fn counts(&mut self, found: &Execution) -> bool {
        let cost = found.failure.steps + self.beginning;
        self.steps = self.steps.saturating_sub(cost);
        (self.counts)(&self.violation(found))
    }

    /// Executes with these suggestions: does that violate the same?
    fn execute(&mut self, events: &[Event], globals: &[GlobalChoice]) -> Option<Execution> {
        if self.is_over() {
            return None;
        }
        self.attempts -= 1;
        let config = Config {
            step_limit: self.steps,
            after_failure: self.after_failure,
            record: Record::On,
            unknown: self.unknown.clone(),
            globals: globals.to_vec(),
            ..Config::default()
        };
        let mut rough = Rough::default();
        let mut choices = Told::new(events.to_vec());
        let run = run(
            self.module,
            &config,
            Bindings {
                observer: Some(&mut rough),
                ..Bindings::new(&mut choices)
            },
        );
        self.steps = self.steps.saturating_sub(run.steps + self.beginning);
        let met = match run.outcome {
            Outcome::Violated(failure) => Some(*failure),
            _ => run
                .failures
                .into_iter()
                .find(|failure| failure.obligation == self.obligation),
        };
        let failure = met.filter(|failure| failure.obligation == self.obligation)?;
        (!rough.any).then(|| Execution {
            cost: cost(&run.trace, globals, failure.steps),
            trace: run.trace,
            globals: globals.to_vec(),
            failure,
        })
    }

    fn is_over(&self) -> bool {
        self.attempts == 0 || self.steps == 0
    }

    fn all(&mut self) {
        self.forget_addresses();
        self.globals();
        loop {
            let before = self.best.cost;
            self.zeros();
            self.leave_out();
            self.numbers();
            self.bytes();
            if self.best.cost == before || self.is_over() {
                return;
            }
        }
    }

    /// Does it matter where objects lie?
    fn forget_addresses(&mut self) {
        let mut events = self.best.trace.events.clone();
        events.iter_mut().for_each(forget_address);
        let globals: Vec<GlobalChoice> = self.best.globals.iter().map(anywhere).collect();
        if let Some(found) = self.execute(&events, &globals)
            && self.counts(&found)
        {
            self.best = found;
            self.anywhere = true;
        }
    }

    /// What globals hold: nothing, or none of one of them.
    fn globals(&mut self) {
        let events = self.best.trace.events.clone();
        if self.attempt(&events, &[]) {
            return;
        }
        for index in (0..self.best.globals.len()).rev() {
            let mut globals = self.best.globals.clone();
            globals.remove(index);
            let events = self.best.trace.events.clone();
            self.attempt(&events, &globals);
        }
    }

    /// Zero instead of values and bytes: everywhere, in halves, in quarters, one by one.
    fn zeros(&mut self) {
        let mut size = self.best.trace.events.len().max(1);
        loop {
            let mut start = 0;
            while start < self.best.trace.events.len() {
                let mut events = self.best.trace.events.clone();
                let end = (start + size).min(events.len());
                let mut changed = false;
                for event in &mut events[start..end] {
                    changed |= make_zero(event);
                }
                if changed {
                    let globals = self.best.globals.clone();
                    self.attempt(&events, &globals);
                }
                start += size;
            }
            if size == 1 || self.is_over() {
                return;
            }
            size = size.div_ceil(2);
        }
    }

    /// Without one of the inputs: those behind it move up.
    fn leave_out(&mut self) {
        let mut index = self.best.trace.events.len();
        while index > 0 {
            index -= 1;
            let Some(Event::Value(_) | Event::Bytes(_)) = self.best.trace.events.get(index) else {
                continue;
            };
            let mut events = self.best.trace.events.clone();
            events.remove(index);
            let globals = self.best.globals.clone();
            self.attempt(&events, &globals);
            if self.is_over() {
                return;
            }
        }
    }

    /// Smaller numbers.
    fn numbers(&mut self) {
        let mut index = 0;
        while index < self.best.trace.events.len() {
            for candidate in small(&self.best.trace.events[index], &self.constants) {
                if self.with(index, Event::Value(candidate)) {
                    break;
                }
            }
            // Towards zero, in ever smaller steps.
            let mut shift = 1;
            while let Some(Event::Value(value)) = self.best.trace.events.get(index)
                && shift < value.width().min(64)
                && let Some(number) = value.to_i64()
            {
                let step = number >> shift;
                if step == 0 || step == -1 && number != -1 && shift > 1 {
                    break;
                }
                let smaller = Bv::from_i64(number - step, value.width());
                if !self.with(index, Event::Value(smaller)) {
                    shift += 1;
                }
                if self.is_over() {
                    return;
                }
            }
            if let Some(Event::Value(value)) = self.best.trace.events.get(index)
                && let Some(number) = value.to_i64()
                && number != 0
            {
                let next = Bv::from_i64(number - number.signum(), value.width());
                self.with(index, Event::Value(next));
            }
            index += 1;
            if self.is_over() {
                return;
            }
        }
    }

    /// Bytes of objects and buffers: fewer of them, and letters.
    fn bytes(&mut self) {
        for index in 0..self.best.trace.events.len() {
            let count = |search: &Self| match search.best.trace.events.get(index) {
                Some(Event::Object { bytes, .. } | Event::Bytes(bytes)) => bytes.len(),
                _ => 0,
            };
            let mut at = count(self);
            while at > 0 && !self.is_over() {
                at -= 1;
                let mut event = self.best.trace.events[index].clone();
                let (Event::Object { bytes, .. } | Event::Bytes(bytes)) = &mut event else {
                    break;
                };
                if at >= bytes.len() {
                    continue;
                }
                let (offset, byte) = bytes.remove(at);
                if self.with(index, event.clone()) || byte == b'a' || byte <= 1 {
                    continue;
                }
                let (Event::Object { bytes, .. } | Event::Bytes(bytes)) = &mut event else {
                    break;
                };
                bytes.insert(at, (offset, b'a'));
                self.with(index, event);
            }
        }
    }

    /// With another event at one place.
    fn with(&mut self, index: usize, event: Event) -> bool {
        let mut events = self.best.trace.events.clone();
        if events.get(index) == Some(&event) || index >= events.len() {
            return false;
        }
        events[index] = event;
        let globals = self.best.globals.clone();
        self.attempt(&events, &globals)
    }
}

fn forget_address(event: &mut Event) {
    if let Event::Object { address, .. } = event {
        *address = None;
    }
}

fn anywhere(choice: &GlobalChoice) -> GlobalChoice {
    GlobalChoice {
        address: None,
        ..choice.clone()
    }
}

/// Makes an event zero; true if it was not.
fn make_zero(event: &mut Event) -> bool {
    match event {
        Event::Value(bv) if !bv.is_zero() => {
            *bv = Bv::zero(bv.width());
            true
        }
        Event::Object { bytes, .. } | Event::Bytes(bytes) if !bytes.is_empty() => {
            bytes.clear();
            true
        }
        Event::Value(_) | Event::Object { .. } | Event::Bytes(_) | Event::Clobber(_) => false,
    }
}

/// Small numbers that may do as well.
fn small(event: &Event, constants: &[i64]) -> Vec<Bv> {
    let Event::Value(bv) = event else {
        return Vec::new();
    };
    let letter = i64::from(b'a');
    let numbers = [0, letter, 1, 2, -1, 3, 4, 8];
    numbers
        .iter()
        .chain(constants)
        .map(|&number| Bv::from_i64(number, bv.width()))
        .filter(|candidate| weight(candidate) < weight(bv))
        .collect()
}

/// What it costs to begin an execution: all globals are made.
fn beginning(module: &Module) -> u64 {
    let globals = module.globals.values();
    let bytes = globals.fold(0_u64, |all, global| all.saturating_add(global.size));
    let tables = module.globals.len() * 32 + module.funcs.len() * 4;
    BEGINNING + bytes / 8 + tables as u64
}

/// The constants of a program's own functions.
fn constants(module: &Module) -> Vec<i64> {
    let mut found = std::collections::BTreeSet::new();
    let own = module.funcs.values().filter(|func| !func.model);
    for body in own.filter_map(|func| func.body.as_ref()) {
        for inst in body.insts.values() {
            for operand in inst.op.operands() {
                if let Operand::Const(Const::Int(bits)) = operand
                    && bits.width() > 1
                    && let Some(number) = bits.to_i64()
                {
                    found.insert((number.unsigned_abs(), number));
                }
            }
        }
    }
    let numbers = found.into_iter().map(|(_, number)| number);
    numbers
        .filter(|number| number.unsigned_abs() > 1)
        .take(CONSTANTS)
        .collect()
}

/// How complicated a number is: 0, then letters, then 1, then the rest by length.
fn weight(bv: &Bv) -> u64 {
    let Some(number) = bv.to_i64() else {
        return 16 * u64::from(bv.width()) + 16;
    };
    let size = number.unsigned_abs();
    if size == 0 {
        return 0;
    }
    let length = 64 - size.leading_zeros();
    let rest = match length {
        1..=5 => (size << (5 - length)) & 15,
        _ => (size >> (length - 5)) & 15,
    };
    let letter = bv.width() == 8 && (0x20..0x7f).contains(&number);
    let weight = 16 * u64::from(length) + rest + if number < 0 { 17 } else { 0 };
    match letter {
        // Before the number one: a string is read more easily.
        true if number == i64::from(b'a') => 8,
        true => 12,
        false => weight,
    }
}

fn magnitude(bv: &Bv) -> u128 {
    match bv.to_i64() {
        Some(number) => u128::from(number.unsigned_abs()),
        None => u128::MAX >> 32,
    }
}

/// How complicated an execution is.
fn cost(trace: &Trace, globals: &[GlobalChoice], steps: u64) -> Cost {
    let mut all = steps;
    let mut sum: u128 = 0;
    let mut listed = |bytes: &[(u64, u8)]| {
        for &(offset, byte) in bytes {
            let plain = byte == b'a';
            all = all.saturating_add(if plain { 60 } else { 64 } + u64::from(offset > 64));
            sum = sum.saturating_add(u128::from(byte));
        }
    };
    for choice in globals {
        listed(&choice.bytes);
    }
    for event in &trace.events {
        match event {
            Event::Object { bytes, .. } | Event::Bytes(bytes) => listed(bytes),
            Event::Value(_) | Event::Clobber(_) => {}
        }
    }
    for choice in globals {
        all = all.saturating_add(32 + u64::from(choice.address.is_some()));
    }
    for event in &trace.events {
        if let Event::Value(bv) = event {
            all = all.saturating_add(24 + weight(bv));
            sum = sum.saturating_add(magnitude(bv));
        }
    }
    (all, sum)
}
