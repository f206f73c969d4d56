//! Each obligation on its own, where all of them together are too much.
//!
//! One question for all obligations is the fastest way to an answer, as long as there is an answer. One obligation
//! that a solver cannot decide makes that question as hard as itself, and then nothing is known of the others
//! either. So the common question gets a moment only. If that is not enough, the obligations are
//! sorted by the size of what they depend on and halved until the hard ones stand alone. These wait until
//! everything else is settled, and get what time is left.

use std::time::{Duration, Instant};

use encode::eval::Vc;
use ir::syntax::Obligation;
use results::{EngineError, Reason, SecondOpinion};
use solve::{Checked, Limits};
use terms::Term;

use crate::engine::Engine;
use crate::forms::Unrolled;

/// What the common question gets: a moment, as long as the evaluation took, or a part of what is left.
const MOMENT: Duration = Duration::from_millis(500);
const COMMON_PART: u32 = 10;
/// The part of what is left that goes into finding out which obligations are hard.
const HALVING_PART: u32 = 5;
/// The part of what is left that hard obligations get while there is more to do.
const PRESS_PART: u32 = 3;
/// Time where there is no limit.
const ENDLESS: Duration = Duration::from_secs(3600);

/// What became of a group of obligations.
pub(crate) enum Settled {
    /// Those that are not violated hold, within the bounds.
    Holds,
    /// The solver did not answer, for this reason.
    Undecided(Reason),
    /// Nothing more is wanted.
    Enough,
}

/// Does the search for violations go on?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Search {
    On,
    Over,
}

/// How much of the time that is left hard obligations get.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Share {
    All,
    Part,
}

impl Engine<'_> {
    /// Asks for violations until there are no more, but for those that are too hard for now.
    pub(crate) fn find_violations(
        &mut self,
        vc: &mut Vc<'_>,
        solver: &mut Checked,
        form: Option<&Unrolled>,
    ) -> Result<Search, EngineError> {
        let hard = std::mem::take(&mut self.undecided);
        let asked = self.asked(vc);
        if asked.len() <= 1 {
            let limits = self.limits_of(self.patience());
            return self.settle_or_leave(vc, solver, form, &asked, limits);
        }
        let start = Instant::now();
        let left = self.left();
        let moment = self.moment(left);
        let halving = left / HALVING_PART;
        // What was hard in the round before has not become easier.
        let (late, first): (Vec<Obligation>, Vec<Obligation>) = asked
            .into_iter()
            .partition(|obligation| hard.contains_key(obligation));
        self.undecided.extend(
            late.into_iter()
                .filter_map(|obligation| hard.get_key_value(&obligation))
                .map(|(&obligation, reason)| (obligation, reason.clone())),
        );
        let mut groups = vec![first];
        while let Some(group) = groups.pop() {
            if group.is_empty() {
                continue;
            }
            let spent = start.elapsed();
            if spent > halving && spent > moment {
                // Nobody knows whether these are hard, but there is no more time to find out.
                for obligation in group {
                    self.undecided.insert(obligation, Reason::Timeout);
                }
                continue;
            }
            let limits = self.limits_of(moment);
            match self.settle(vc, solver, form, &group, limits)? {
                Settled::Holds => {}
                Settled::Enough => return Ok(Search::Over),
                Settled::Undecided(Reason::Interrupted) => {
                    self.give_up(Reason::Interrupted);
                    return Ok(Search::Over);
                }
                Settled::Undecided(reason) => {
                    let rest = self.by_size(vc, &group);
                    if let [obligation] = rest[..] {
                        self.undecided.insert(obligation, reason);
                        continue;
                    }
                    // The smaller ones first.
                    let (small, large) = rest.split_at(rest.len() / 2);
                    groups.push(large.to_vec());
                    groups.push(small.to_vec());
                }
            }
        }
        self.go_on(vc)
    }

    /// What was too hard is tried again: together, and then each for itself.
    pub(crate) fn press(
        &mut self,
        vc: &mut Vc<'_>,
        solver: &mut Checked,
        form: Option<&Unrolled>,
        share: Share,
    ) -> Result<Search, EngineError> {
        let hard: Vec<Obligation> = self.undecided.keys().copied().collect();
        let mut open = self.by_size(vc, &hard);
        if open.is_empty() {
            return Ok(Search::On);
        }
        let start = Instant::now();
        let time = match share {
            Share::All => self.left(),
            Share::Part => self.left() / PRESS_PART,
        };
        if open.len() > 1 && self.options.patience.is_none() {
            let limits = self.limits_of(time / 2);
            match self.settle(vc, solver, form, &open, limits)? {
                Settled::Holds => {
                    self.undecided.clear();
                    return Ok(Search::On);
                }
                Settled::Enough => return Ok(Search::Over),
                Settled::Undecided(_) => {}
            }
            open = self.by_size(vc, &open);
        }
        let count = open.len();
        for (index, obligation) in open.into_iter().enumerate() {
            let left = time.saturating_sub(start.elapsed());
            let fair = left / u32::try_from(count - index).unwrap_or(u32::MAX);
            if fair.is_zero() {
                break;
            }
            let limits = self.limits_of(fair.min(self.patience()));
            match self.settle(vc, solver, form, &[obligation], limits)? {
                Settled::Holds => {
                    self.undecided.remove(&obligation);
                }
                Settled::Enough => return Ok(Search::Over),
                Settled::Undecided(reason) => {
                    self.undecided.insert(obligation, reason);
                }
            }
        }
        let violated = self.violated.clone();
        self.undecided.retain(|hard, _| !violated.contains(hard));
        Ok(Search::On)
    }

    /// Nothing lies beyond the bounds, and what is easy was proved: the rest of the time is for what is hard. True
    /// if something more was settled.
    pub(crate) fn press_and_prove(
        &mut self,
        vc: &mut Vc<'_>,
        solver: &mut Checked,
        form: Option<&Unrolled>,
        beyond: Term,
    ) -> Result<bool, EngineError> {
        let before = self.undecided.len();
        if before == 0 {
            return Ok(false);
        }
        self.press(vc, solver, form, Share::All)?;
        let more = self.undecided.len() < before;
        if more {
            let first = self.outcome.second.take();
            let either = self.everything_open(vc, beyond);
            self.confirm_unsat(vc, solver, either)?;
            // What was confirmed before stays so, but the opinion is that on all of it.
            if let Some(missing @ SecondOpinion::Missing(_)) = first {
                self.outcome.second = Some(missing);
            }
        }
        if let Some(reason) = self.undecided.values().next() {
            self.outcome.reason = Some(reason.clone());
        }
        Ok(more)
    }

    /// The obligations that are to be asked about in this round.
    fn asked(&self, vc: &Vc<'_>) -> Vec<Obligation> {
        let mut list: Vec<Obligation> = vc
            .instances
            .iter()
            .map(|instance| instance.obligation)
            .filter(|&obligation| {
                self.is_property(obligation)
                    && !self.is_monitor(obligation)
                    && !self.violated.contains(&obligation)
                    && !self.settled.contains_key(&obligation)
            })
            .collect();
        list.sort_unstable();
        list.dedup();
        list
    }

    /// Those that are not violated, the ones that depend on the least first.
    fn by_size(&self, vc: &Vc<'_>, group: &[Obligation]) -> Vec<Obligation> {
        let mut sized: Vec<(usize, Obligation)> = Vec::new();
        for &obligation in group {
            if self.violated.contains(&obligation) {
                continue;
            }
            let own = vc
                .instances
                .iter()
                .filter(|instance| instance.obligation == obligation);
            let roots: Vec<Term> = own
                .flat_map(|instance| [instance.reached, instance.holds])
                .collect();
            sized.push((vc.world.terms.dag_size(&roots), obligation));
        }
        sized.sort_unstable();
        sized
            .into_iter()
            .map(|(_, obligation)| obligation)
            .collect()
    }

    /// The only obligation has all the time that there is.
    fn settle_or_leave(
        &mut self,
        vc: &mut Vc<'_>,
        solver: &mut Checked,
        form: Option<&Unrolled>,
        asked: &[Obligation],
        limits: Limits,
    ) -> Result<Search, EngineError> {
        match self.settle(vc, solver, form, asked, limits)? {
            Settled::Holds => {}
            Settled::Enough => return Ok(Search::Over),
            Settled::Undecided(reason) => {
                for &obligation in asked {
                    self.undecided.insert(obligation, reason.clone());
                }
                if reason == Reason::Interrupted {
                    self.give_up(reason);
                    return Ok(Search::Over);
                }
            }
        }
        self.go_on(vc)
    }

    /// Is there time for more questions?
    fn go_on(&mut self, vc: &Vc<'_>) -> Result<Search, EngineError> {
        if self.undecided.is_empty() || vc.stopped.is_some() || !self.left().is_zero() {
            return Ok(Search::On);
        }
        self.give_up(Reason::Timeout);
        self.name_bounds(&vc.cuts.clone());
        Ok(Search::Over)
    }

    /// Within the bounds of this round nothing violates what is neither violated nor too hard.
    pub(crate) fn keep_bounded(&mut self) {
        let bound = u64::from(self.outcome.stats.bound);
        for obligation in self.module.obligations.keys() {
            if !self.violated.contains(&obligation)
                && !self.settled.contains_key(&obligation)
                && !self.undecided.contains_key(&obligation)
            {
                self.bounded[obligation] = Some(bound);
            }
        }
    }

    /// What the question about what lies beyond the bounds may take: something is left for what is hard.
    pub(crate) fn limits_beyond(&self) -> Limits {
        if self.undecided.is_empty() {
            self.limits()
        } else {
            self.limits_of(self.left() / 2)
        }
    }

    fn moment(&self, left: Duration) -> Duration {
        MOMENT
            .max(self.outcome.stats.evaluating)
            .max(left / COMMON_PART)
            .min(self.patience())
    }

    /// What one obligation may take.
    fn patience(&self) -> Duration {
        self.options.patience.unwrap_or(ENDLESS)
    }

    pub(crate) fn left(&self) -> Duration {
        self.limits().time.unwrap_or(ENDLESS)
    }

    /// Limits with at most this much time.
    pub(crate) fn limits_of(&self, time: Duration) -> Limits {
        let limits = self.limits();
        Limits {
            time: Some(limits.time.map_or(time, |left| left.min(time))),
            ..limits
        }
    }
}
