//! Compares an execution with what the formula says about it.

use std::collections::BTreeSet;

use encode::eval::Vc;
use encode::pointer::Object;
use interp::observe::Observer;
use interp::view::{Position, View};
use interp::{Bindings, Outcome, Value};
use ir::syntax::{Module, Obligation, Op};
use terms::{Evaluator, Term};

use crate::script::Script;

/// The most conditions that the formula keeps of where an obligation is reached.
const REACHED: usize = 64;

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
    /// Addresses without an object that pointers had.
    guessed: BTreeSet<u64>,
}

impl Observer for Watch {
    fn step(&mut self, view: &View<'_>) {
        let Position::Inst(inst) = view.position() else {
            return;
        };
        let op = &view.module().body(view.func()).insts[inst].op;
        if let Op::Check(obligation, _) = op {
            self.executed.push(*obligation);
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
    pub script: Script<'v, 'a>,
    pub outcome: Outcome,
    executed: Vec<Obligation>,
}

/// Executes the program with choices that depend on the seed, as the formula asks for them.
pub fn execute<'v, 'a>(module: &Module, vc: &'v Vc<'a>, seed: u64) -> Execution<'v, 'a> {
    let mut script = Script::new(vc, seed);
    let config = interp::Config {
        step_limit: 1_000_000,
        globals: script.globals(),
        ..interp::Config::default()
    };
    let mut watch = Watch::default();
    let mut bindings = Bindings::new(&mut script);
    bindings.observer = Some(&mut watch);
    let outcome = interp::run(module, &config, bindings).outcome;
    // A number means an object only if its address was taken as one before.
    for &address in &watch.guessed {
        let ours = script.placed.iter().filter(|(_, base, size)| {
            address
                .checked_sub(*base)
                .is_some_and(|offset| offset <= *size)
        });
        let meant = |&(object, base, size): &(Object, u64, u64)| {
            vc.world.exposed.contains(&object) && address - base < size
        };
        script.vague |= ours.clone().any(|placed| !meant(placed));
    }
    Execution {
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

    /// Does the formula say what happened? `guard` tells the checks that guard bounds.
    pub fn judge(&self, guard: impl Fn(Obligation) -> bool) -> Result<Seen, String> {
        if self.script.vague {
            return Ok(Seen::Vague);
        }
        let vc = self.script.vc;
        if let Outcome::Refused(interp::choices::Refusal::Mismatch(why)) = &self.outcome {
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
            if reached.len() < REACHED && !reached.iter().any(|&when| holds(when)) {
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
