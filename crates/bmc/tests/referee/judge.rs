//! Compares an execution with what the formula says about it.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use base::Bv;
use encode::encoding::PointerStyle;
use encode::eval::Vc;
use encode::pointer::Object;
use interp::choices::{Choices, Fill, ObjectChoice, Refusal, Seed};
use interp::config::GlobalChoice;
use interp::observe::Observer;
use interp::view::{Position, View};
use interp::{Bindings, Outcome, Value};
use ir::syntax::{Module, Obligation, Op};
use results::trace::Event;
use terms::{Evaluator, Term};

use crate::script::Script;

/// What an execution came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    /// Its end: all of it was compared.
    Whole,
    /// A bound: what came before was compared.
    Cut,
    /// Something without a model.
    Gap,
    /// A state of a loop that it had been in.
    Repeat,
    /// Nothing: the formula knows less than the execution.
    Vague,
}

/// The checks that are executed, in order.
#[derive(Default)]
struct Watch {
    executed: Vec<Obligation>,
    /// How many they are.
    count: Rc<Cell<usize>>,
    /// Addresses without an object that pointers had.
    guessed: BTreeSet<u64>,
    /// Where something was freed.
    freed: Rc<RefCell<BTreeSet<u64>>>,
}

/// Choices that begin with given ones and go on at random.
struct Prefix {
    events: VecDeque<Event>,
    then: Seed,
    executed: Rc<Cell<usize>>,
    /// How many checks were executed before the first random one.
    before: Option<usize>,
}

impl Prefix {
    fn next(&mut self) -> Option<Event> {
        let event = self.events.pop_front();
        if event.is_none() {
            self.before.get_or_insert(self.executed.get());
        }
        event
    }
}

impl Choices for Prefix {
    fn value(&mut self, width: u32) -> Result<Bv, Refusal> {
        match self.next() {
            Some(Event::Value(bits)) => Ok(bits),
            Some(_) => Err(Refusal::Exhausted),
            None => self.then.value(width),
        }
    }

    fn object(&mut self, size: u64) -> Result<ObjectChoice, Refusal> {
        match self.next() {
            Some(Event::Object { address, bytes }) => Ok(ObjectChoice {
                address,
                fill: Fill::listed(&bytes),
            }),
            Some(_) => Err(Refusal::Exhausted),
            None => self.then.object(size),
        }
    }

    fn bytes(&mut self, len: u64) -> Result<Fill, Refusal> {
        match self.next() {
            Some(Event::Bytes(bytes)) => Ok(Fill::listed(&bytes)),
            Some(_) => Err(Refusal::Exhausted),
            None => self.then.bytes(len),
        }
    }

    fn clobber(&mut self, reach: &[(u64, u64)]) -> Result<Vec<(u64, u8)>, Refusal> {
        match self.next() {
            Some(Event::Clobber(changes)) => Ok(changes),
            Some(_) => Err(Refusal::Exhausted),
            None => self.then.clobber(reach),
        }
    }
}

impl Observer for Watch {
    fn step(&mut self, view: &View<'_>) {
        let Position::Inst(inst) = view.position() else {
            return;
        };
        let op = &view.module().body(view.func()).insts[inst].op;
        if let Op::Check(obligation, _) = op {
            self.executed.push(*obligation);
            self.count.set(self.executed.len());
        }
        if let Op::Free(operand) = op
            && let Some(Value::Pointer(pointer)) = view.operand(operand)
            && pointer.address != 0
        {
            self.freed.borrow_mut().insert(pointer.address);
        }
        for operand in op.operands() {
            if let Some(Value::Pointer(pointer)) = view.operand(operand)
                && pointer.object == 0
                && pointer.address != 0
            {
                self.guessed.insert(pointer.address);
            }
        }
    }
}

/// An execution, and the model that it is.
pub struct Execution<'v, 'a> {
    pub globals: Vec<GlobalChoice>,
    pub script: Script<'v, 'a>,
    pub outcome: Outcome,
    pub executed: Vec<Obligation>,
}

/// Executes the program with choices that depend on the seed, as the formula asks for them.
pub fn execute<'v, 'a>(module: &Module, vc: &'v Vc<'a>, seed: u64) -> Execution<'v, 'a> {
    let mut script = Script::new(vc, seed);
    let globals = script.globals();
    let config = interp::Config {
        step_limit: 1_000_000,
        globals: globals.clone(),
        unknown: script.nowhere.clone(),
        ..interp::Config::default()
    };
    let mut watch = Watch {
        freed: script.freed.clone(),
        ..Watch::default()
    };
    let mut bindings = Bindings::new(&mut script);
    bindings.observer = Some(&mut watch);
    let outcome = interp::run(module, &config, bindings).outcome;
    // A number means an object only if its address was taken as one before. A raw pointer means the
    // object in whose part of the address space it lies.
    let is_raw = vc.world.encoding.pointers == PointerStyle::Raw;
    let slack = match (is_raw, module.machine.pointer_bits) {
        (false, _) => 0,
        (true, 64) => 1 << 36,
        (true, _) => 1 << 20,
    };
    for &address in &watch.guessed {
        let ours = script.placed.iter().filter(|(_, base, size)| {
            let (low, high) = (
                base.saturating_sub(slack),
                base.saturating_add(size + slack),
            );
            (low..=high).contains(&address)
        });
        let meant = |&(object, base, size): &(Object, u64, u64)| {
            vc.world.exposed.contains(&object) && address.wrapping_sub(base) < size
        };
        script.vague |= ours.clone().any(|placed| !meant(placed));
    }
    Execution {
        globals,
        script,
        outcome,
        executed: watch.executed,
    }
}

impl Execution<'_, '_> {
    /// The obligation that it violates.
    pub fn violated(&self) -> Option<Obligation> {
        match &self.outcome {
            Outcome::Violated(failure) => Some(failure.obligation),
            _ => None,
        }
    }

    /// After a loop came back to a state that it had been in: whatever happens then happens as well
    /// without the rounds in between.
    pub fn judge_repeat(&self, module: &Module) -> Result<(), String> {
        let vc = self.script.vc;
        let mut values = Evaluator::new(vc.world.terms, &self.script.model);
        let mut holds = |term: Term| values.eval(term).expect_bool();
        let mut repeats = vc.repeats.iter().filter(|repeat| holds(repeat.reached));
        let (Some(repeat), true) = (repeats.next(), vc.looks.is_empty()) else {
            return Ok(()); // Later objects have other addresses.
        };
        let made = |before: usize| self.script.taken.partition_point(|&index| index < before);
        let events = &self.script.events;
        for seed in 0..4 {
            let long = self.go_on(module, &events[..made(repeat.choices)], seed);
            let short = self.go_on(module, &events[..made(repeat.first)], seed);
            if long != short {
                return Err(format!(
                    "a loop came back to a state, goes on so: {long:?}, and without these rounds so: {short:?}"
                ));
            }
        }
        Ok(())
    }

    /// The checks that are executed, and how it ends, if these are the first choices.
    fn go_on(&self, module: &Module, events: &[Event], seed: u64) -> (Vec<Obligation>, String) {
        let executed = Rc::new(Cell::new(0));
        let mut choices = Prefix {
            events: events.iter().cloned().collect(),
            then: Seed::new(seed),
            executed: executed.clone(),
            before: None,
        };
        let config = interp::Config {
            step_limit: 100_000,
            globals: self.globals.clone(),
            unknown: self.script.nowhere.clone(),
            ..interp::Config::default()
        };
        let mut watch = Watch {
            count: executed.clone(),
            ..Watch::default()
        };
        let mut bindings = Bindings::new(&mut choices);
        bindings.observer = Some(&mut watch);
        let outcome = interp::run(module, &config, bindings).outcome;
        let before = choices.before.unwrap_or(executed.get());
        let outcome = match outcome {
            Outcome::Returned(_) => "returned".to_owned(),
            other => other.to_string(),
        };
        (watch.executed[before..].to_vec(), outcome)
    }

    /// Is the place of each object one that the formula admits? What an execution that ended early did not
    /// come to lies nowhere.
    pub fn judge_layout(&self, layouts: Term) -> Result<(), String> {
        let vc = self.script.vc;
        let mut values = Evaluator::new(vc.world.terms, &self.script.model);
        match values.eval(layouts).expect_bool() {
            true => Ok(()),
            false => Err(format!(
                "the formula admits no layout with objects at {:x?}",
                self.script.placed
            )),
        }
    }

    /// Does the formula say what happened? `guard` tells the checks that guard bounds.
    pub fn judge(&self, guard: impl Fn(Obligation) -> bool) -> Result<Seen, String> {
        if self.script.vague {
            return Ok(Seen::Vague);
        }
        let vc = self.script.vc;
        if let Outcome::Refused(Refusal::Mismatch(why)) = &self.outcome {
            return Err(why.clone());
        }
        let mut values = Evaluator::new(vc.world.terms, &self.script.model);
        let mut holds = |term: Term| values.eval(term).expect_bool();
        let failing = vc
            .assumptions
            .iter()
            .position(|assumption| holds(assumption.reached) && !holds(assumption.holds));
        let alive = |assumptions: usize| failing.is_none_or(|failing| assumptions <= failing);

        for prune in &vc.prunes {
            if alive(prune.assumptions) && holds(prune.reached) {
                return Err("a path was pruned that the execution takes".to_owned());
            }
        }
        let made: Vec<usize> = (0..vc.choices.len())
            .filter(|&index| {
                let choice = &vc.choices[index];
                alive(choice.assumptions) && holds(choice.reached)
            })
            .collect();
        if made != self.script.taken {
            return Err(format!(
                "the execution makes the choices {:?}, in the formula it makes {made:?}",
                self.script.taken
            ));
        }
        let mut seen = Seen::Whole;
        let mut stops = |reached: bool, what: Seen| {
            if reached && seen == Seen::Whole {
                seen = what;
            }
        };
        for repeat in &vc.repeats {
            stops(
                alive(repeat.assumptions) && holds(repeat.reached),
                Seen::Repeat,
            );
        }
        for (gap, _) in &vc.gaps {
            let reached = alive(gap.assumptions) && holds(gap.reached);
            stops(reached && !holds(gap.holds), Seen::Gap);
        }
        for cut in &vc.cuts {
            stops(alive(cut.assumptions) && holds(cut.reached), Seen::Cut);
        }
        let mut said: Vec<(Obligation, bool)> = Vec::new();
        for instance in &vc.instances {
            if !alive(instance.assumptions) || !holds(instance.reached) {
                continue;
            }
            let fine = holds(instance.holds);
            if guard(instance.obligation) {
                stops(!fine, Seen::Cut);
            } else {
                said.push((instance.obligation, fine));
            }
        }
        self.compare_checks(&said, seen)?;
        if seen != Seen::Whole {
            return Ok(seen);
        }
        for &obligation in &self.executed {
            let reached = &vc.reached[obligation];
            if !reached.iter().any(|&(when, _)| holds(when)) {
                return Err(format!(
                    "{obligation} is executed, and in the formula never reached"
                ));
            }
        }
        let assumed = failing.map(|index| vc.assumptions[index].passed);
        match (&self.outcome, assumed) {
            (Outcome::Returned(_), Some(_)) => {
                Err("the execution returns, and an assumption of the formula fails".to_owned())
            }
            (Outcome::Violated(failure), Some(passed)) if passed != Some(failure.obligation) => {
                Err(format!(
                    "{} is violated, and another assumption of the formula fails",
                    failure.obligation
                ))
            }
            (
                Outcome::Returned(_)
                | Outcome::Violated(_)
                | Outcome::Exited(_)
                | Outcome::Aborted
                | Outcome::AssumeFailed,
                _,
            ) => Ok(seen),
            (other, _) => Err(format!("the execution ends so: {other}")),
        }
    }

    /// What the formula says about checks is what happened: those that it does not speak of held.
    fn compare_checks(&self, said: &[(Obligation, bool)], seen: Seen) -> Result<(), String> {
        let violated = self.violated();
        let last = self.executed.len().saturating_sub(1);
        let mut rest = said.iter().copied().peekable();
        for (index, &obligation) in self.executed.iter().enumerate() {
            let held = !(index == last && violated == Some(obligation));
            if rest.next_if_eq(&(obligation, held)).is_some() {
                continue;
            }
            if !held && seen == Seen::Whole {
                return Err(format!(
                    "{obligation} is violated, and the formula says {:?}",
                    rest.peek()
                ));
            }
        }
        match rest.next() {
            Some((obligation, fine)) => Err(format!(
                "in the formula {obligation} is reached and {}, in the execution it is not: {:?} then {:?}",
                if fine { "holds" } else { "fails" },
                self.executed,
                self.outcome.to_string(),
            )),
            None => Ok(()),
        }
    }
}
