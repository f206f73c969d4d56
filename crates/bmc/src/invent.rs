//! Proofs and bounds that somebody else suggests.
//!
//! Loops that were cut begin in an arbitrary state ([`crate::induction`]), and an [`Inventor`](crate::sentence::Inventor) is asked what
//! is true of these states. What it says is a guess: a proof is the one by induction with these guesses, and a number
//! of rounds only says how far to unroll.

use std::time::Instant;

use encode::eval::Bounded;
use encode::eval::Cut;
use encode::eval::arbitrary::{Induction, NoInvariants, Plan, Refused, evaluate};

use results::{EngineError, Status};
use terms::Terms;

use crate::candidates::Candidates;
use crate::engine::{Engine, FIRST_BOUND};
use crate::induction::{Attempt, Unbounded};
use crate::sentence::{Invented, Inventor};

/// How often loops are added before it is given up.
const GROWTH: usize = 16;
/// The part of the time for finding sentences; the rest is for the proof.
const FINDING: f64 = 0.75;
/// What is said in few words is shown quickly, or not at all.
const PART_OF_FEW: u32 = 6;
/// The most rounds that are believed to be worth unrolling.
const MOST_ROUNDS: u32 = 1 << 16;
/// The same for the depth of calls.
const MOST_DEPTH: u32 = 1 << 10;

impl Engine<'_> {
    /// Asks somebody else about the loops that were cut. True if that settles everything.
    pub(crate) fn invent(&mut self, hit: &[Cut]) -> Result<bool, EngineError> {
        let Some(inventor) = self.options.inventor.clone() else {
            return Ok(false);
        };
        if !self.may_begin_anywhere(hit) || self.induction.asked == self.unbounded() {
            return Ok(false);
        }
        let start = Instant::now();
        let proved = self.invent_by(&*inventor, start);
        self.induction.spent += start.elapsed();
        proved
    }

    fn invent_by(&mut self, inventor: &dyn Inventor, start: Instant) -> Result<bool, EngineError> {
        let left = self.left();
        let end = start + left.mul_f64(inventor.share());
        let mut tried = 0;
        // What does not do for a proof may be found in another way.
        while Instant::now() < end {
            let left = end.saturating_duration_since(Instant::now());
            let until = Instant::now() + left.mul_f64(FINDING);
            let Some((found, more)) = self.ask_inventor(inventor, tried, until)? else {
                return Ok(false);
            };
            tried += more;
            let goes_on = matches!(found, Invented::Sentences(_));
            if self.use_invented(inventor, found, end)? {
                return Ok(true);
            }
            if !goes_on {
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// Proves by what was found, or notes how far to unroll. True if that settles everything.
    fn use_invented(
        &mut self,
        inventor: &dyn Inventor,
        found: Invented,
        end: Instant,
    ) -> Result<bool, EngineError> {
        match found {
            Invented::Sentences(lists) => {
                self.say("induction with invariants of clauses");
                let count = lists.len() as u32;
                for (place, list) in (0..).zip(lists) {
                    if list.is_empty() && place + 1 < count {
                        continue;
                    }
                    let left = end.saturating_duration_since(Instant::now());
                    let until = match place + 1 < count {
                        true => Instant::now() + left / PART_OF_FEW,
                        false => end,
                    };
                    let candidates = Some(Candidates::said(list));
                    if let Attempt::Proved(proof) = self.attempt(0, candidates, until)? {
                        self.induction.proof = Some(proof);
                        self.credit(inventor.name());
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Invented::Rounds(rounds, depth) => {
                self.depth = self.depth.max(depth.min(MOST_DEPTH));
                for (head, count) in rounds {
                    let bound = self.bounds.entry(head).or_insert(FIRST_BOUND);
                    *bound = (*bound).max(count.min(MOST_ROUNDS));
                }
                Ok(false)
            }
            Invented::Nothing(why) => {
                self.say(&format!("no invariants of clauses: {why}"));
                Ok(false)
            }
        }
    }

    /// What has no bound.
    fn unbounded(&self) -> Unbounded {
        let known = &self.induction;
        (known.loops.clone(), known.functions.clone())
    }

    /// What is proved now is proved thanks to somebody else.
    fn credit(&mut self, name: &str) {
        for (obligation, status) in self.outcome.statuses.iter() {
            let proved = match status {
                Status::Proved | Status::Unreachable | Status::Vacuous => true,
                Status::ProvedBounded(_) | Status::Violated | Status::Unknown(_) => false,
            };
            if proved && !self.settled.contains_key(&obligation) {
                self.outcome.by.insert(obligation, name.to_owned());
            }
        }
    }

    /// Evaluates with fragments told apart, until every loop that has no bound begins in an arbitrary state.
    fn ask_inventor(
        &mut self,
        inventor: &dyn Inventor,
        tried: usize,
        until: Instant,
    ) -> Result<Option<(Invented, usize)>, EngineError> {
        self.say("clauses");
        let mut grown = 0;
        while grown < GROWTH {
            self.induction.asked = self.unbounded();
            let induction = Induction {
                rounds: 0,
                base: false,
            };
            let plan = Plan {
                blocks: inventor.every_block(),
                ..self.induction_plan(induction, true)
            };
            let config = self.config();
            let mut terms = Terms::with_level(self.options.rewriting);
            let mut oracle = self.oracle_until(Some(until));
            let evaluated = evaluate(
                self.module,
                &mut terms,
                &config,
                &plan,
                &NoInvariants,
                &mut oracle,
            );
            let mut vc = match evaluated {
                Ok(vc) if vc.stopped.is_none() => vc,
                Ok(_) | Err(Refused::Stopped(_) | Refused::Unsettled) => return Ok(None),
                Err(Refused::Call(func, why)) if self.inline(func, why) => continue,
                // What it has made can only be told apart by induction.
                Err(Refused::Allocates(..)) => return Ok(None),
                Err(Refused::Irreducible(..) | Refused::Call(..) | Refused::Continues) => {
                    self.induction.hopeless = true;
                    return Ok(None);
                }
            };
            // Clauses know one layout of memory, and what they say of addresses would not hold in the others. Raw pointers
            // look at addresses all the time.
            if !vc.looks.is_empty() || self.options.encoding.pointers.needs_addresses() {
                return Ok(None);
            }
            let more: Vec<Bounded> = vc.cuts.iter().map(|cut| cut.what).collect();
            if !more.is_empty() {
                if !self.add_to_induction(&more) {
                    return Ok(None);
                }
                grown += 1;
                continue;
            }
            let asked = self.asked_by_induction(&vc);
            let start = Instant::now();
            let found = inventor.invent(&mut vc, &asked, tried, until, &*self.sink);
            self.outcome.stats.solving += start.elapsed();
            return Ok(Some(found));
        }
        Ok(None)
    }
}
