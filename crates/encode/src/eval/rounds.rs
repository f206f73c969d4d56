//! Loops: when one more round is needed, and when a bound ends it.

use ir::syntax::Block;
use terms::Term;

use super::evaluation::Evaluation;
use super::{Bounded, Cut, Limit, Prune, Repeat, Val};
use crate::order::{Key, Order};
use crate::path::Path;

/// How a loop is going round.
pub(super) struct Round {
    /// The iterations of the loops around it. In another one of those it is another loop, even if its
    /// head is never entered from outside, so that nothing begins with iteration 0.
    activation: Key,
    /// The path's condition when the head was last entered.
    condition: Term,
    /// How often that changed: decisions that did not fold.
    undecided: u32,
    /// What had been recorded when the head was last entered.
    recorded: usize,
    /// How often something was recorded in a round: checks and assumptions that did not fold.
    eventful: u32,
    /// The state when the head was last entered. Kept now
    /// and then only: who keeps a memory version makes the next one more expensive. Never kept of an
    /// entry that the next one need not have come by.
    state: Option<State>,
}

/// A state in which a head was entered.
struct State {
    values: Vec<Val>,
    exposed: usize,
    /// How many choices came before.
    choices: usize,
}

impl Evaluation<'_, '_> {
    /// Must the loop go round once more? Records a cut if it must and may not.
    ///
    /// It need not if its head is entered in the state of the round before: whatever can happen from
    /// here on could have happened from there, with other choices. Conditions and assumptions since
    /// then only exclude some of it.
    ///
    /// That holds only if every execution that comes here was there. One that enters the loop in its
    /// middle comes to the head for the first time in iteration 1, so that iteration 0 says nothing
    /// about it: what decided where it entered is no part of the state. All that come to a later
    /// iteration have been to the head in iteration 1.
    pub(super) fn go_round(&mut self, key: &Key, head: Block, path: Path, state: &[Val]) -> bool {
        let condition = self.paths.condition(path);
        let iteration = Order::iteration(key);
        let config = self.config;
        let recorded = self.vc.instances.len() + self.vc.assumptions.len();
        let exposed = self.vc.world.exposed.len();
        let (assumptions, choices) = (self.vc.assumptions.len(), self.vc.choices.len());
        let now = || State {
            values: state.to_vec(),
            exposed,
            choices,
        };
        let frame = self.frames.last_mut().expect("a frame is open");
        let func = frame.func;
        let activation = Order::activation(key);
        let passed = iteration > 0 || frame.order.is_entered_by_head(head);
        let round = match frame.rounds.get_mut(&head) {
            Some(round) if iteration > 0 && round.activation == activation => round,
            Some(_) | None => {
                let first = Round {
                    activation,
                    condition,
                    undecided: 0,
                    recorded,
                    eventful: 0,
                    state: passed.then(now),
                };
                frame.rounds.insert(head, first);
                return true;
            }
        };
        if let Some(before) = round.state.take()
            && before.exposed == exposed
            && before.values.iter().zip(state).all(|(a, b)| a.equals(b))
        {
            self.vc.repeats.push(Repeat {
                reached: condition,
                assumptions,
                first: before.choices,
                choices,
            });
            return false;
        }
        if iteration.is_power_of_two() {
            round.state = Some(now());
        }
        if round.condition != condition {
            round.condition = condition;
            round.undecided += 1;
        }
        if round.recorded != recorded {
            round.recorded = recorded;
            round.eventful += 1;
        }
        let (undecided, eventful) = (round.undecided, round.eventful);
        let bound = config
            .unwind_loops
            .get(&(func, head))
            .copied()
            .unwrap_or(config.unwind);
        let exact = config.exact_loops.get(&(func, head)).copied();
        let exact = exact.or(config.exact_unwind);
        let over = exact.is_some_and(|most| iteration > most);
        let limit =
            if over || undecided > bound || eventful / config.eventful.max(1) >= bound.max(1) {
                Some(Limit::Bound)
            } else {
                (iteration >= config.iterations).then_some(Limit::Everything)
            };
        if let Some(limit) = limit {
            let followed = exact.map_or(iteration, |most| iteration.min(most));
            self.cut(Bounded::Loop(func, head, followed), limit, condition);
            return false;
        }
        // Now and then ask whether the loop can go round at all: terms do not always tell.
        if undecided >= 2 && undecided.is_power_of_two() {
            let vc = &mut self.vc;
            if self
                .oracle
                .feasible(vc.world.terms, &vc.assumptions, condition)
                == Some(false)
            {
                self.vc.prunes.push(Prune {
                    reached: condition,
                    assumptions,
                });
                return false;
            }
        }
        true
    }

    /// Records that a bound ended something, in rounds whose checks are taken to hold as well: bounds count decisions
    /// that do not fold, so that the same loop may have another one in the round that is judged.
    pub(super) fn cut(&mut self, what: Bounded, limit: Limit, reached: Term) {
        let (assumptions, choices) = (self.vc.assumptions.len(), self.vc.choices.len());
        self.vc.cuts.push(Cut {
            what,
            limit,
            reached,
            assumptions,
            choices,
        });
    }
}
