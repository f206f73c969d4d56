//! Proofs by induction over loops whose rounds have no bound.
//!
//! When a round of the engine has shown that a bound is too small, the loops that were cut are not only unrolled further: they are
//! also begun in an arbitrary state ([`encode::eval::arbitrary`]), with k rounds whose checks have passed before the one
//! that is judged, and k rounds from the real beginning. If nothing can fail then, and no bound of another loop and nothing without a
//! model is reached, there is no bound to anything that was proved. What is not inductive by itself is tried again with
//! guesses about the loop's states ([`crate::candidates`]).
//!
//! Violations are not looked for here: an arbitrary state need not be one that executions come to.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use encode::eval::arbitrary::{
    self, Entered, Induction, Invariants, NoInvariants, Plan, Point, Refused,
};
use encode::eval::maps::Maps;
use encode::eval::{Bounded, Cut, Instance, Vc};
use ir::syntax::{Block, Func, Module};
use results::EngineError;
use solve::{Answer, Checked};
use terms::{Term, Terms};

use crate::candidates::Candidates;
use crate::engine::Engine;
use crate::hull::Equation;
use crate::query::{Prefixes, any_cut, any_fails, any_pruned};
use crate::reach::States;
use crate::trace::Reader;
use crate::{Calls, Style};

/// How many rounds pass before the one that is judged, in one attempt after the other.
const ROUNDS: [u32; 6] = [1, 2, 3, 4, 6, 8];
/// Attempts between two rounds of the engine.
const AT_ONCE: usize = 2;
/// Induction gets this part of the time that is left, each time.
const PART: u32 = 3;
/// How often loops are added before an attempt is given up.
const GROWTH: usize = 16;
/// Equations between scalars get this part of an attempt's time.
const EQUATIONS_PART: u32 = 3;
/// The guesses that most loops need get this part of the time, before all of them are tried.
const FEW_PART: u32 = 3;

/// Loops and functions that have no bound.
pub(crate) type Unbounded = (BTreeSet<(Func, Block)>, BTreeSet<Func>);

/// What is known about proofs by induction of this program.
#[derive(Default)]
pub(crate) struct Known {
    /// The loops that begin in an arbitrary state.
    pub(crate) loops: BTreeSet<(Func, Block)>,
    /// The functions that are not evaluated where they are called, because they call themselves without a bound.
    pub(crate) functions: BTreeSet<Func>,
    /// Functions that others were not to be evaluated like, and have to be.
    inlined: BTreeSet<Func>,
    /// Functions whose memory cannot be finite maps.
    unmapped: BTreeSet<Func>,
    /// The loops and functions for which somebody else was asked already.
    pub(crate) asked: Unbounded,
    /// Equations that hold at heads, and the loops and functions that had some.
    equations: Option<(Unbounded, Vec<Equation>)>,
    /// How many of [`ROUNDS`] were tried.
    tried: usize,
    /// The time that attempts have taken, those with invariants of others included.
    pub(crate) spent: Duration,
    /// Does a loop allocate?
    crowds: bool,
    /// Is there a loop for which it cannot work?
    pub(crate) hopeless: bool,
    /// The proof, if there is one.
    pub(crate) proof: Option<Proof>,
}

/// What a proof by induction rests on.
#[derive(Clone)]
pub(crate) struct Proof {
    plan: Plan,
    candidates: Option<Candidates>,
}

/// What became of an attempt.
pub(crate) enum Attempt {
    Proved(Proof),
    /// These loops and functions have to be part of it.
    More(Vec<Bounded>),
    /// Calls of this function have to be evaluated.
    Refused(Func, &'static str),
    /// A loop allocates.
    Allocates,
    /// Not inductive. What might be true of the states, if that has not been tried.
    Open(Option<Candidates>),
    /// Cannot work.
    Hopeless,
}

impl Proof {
    fn invariants(&self) -> &dyn Invariants {
        match &self.candidates {
            Some(candidates) => candidates,
            None => &NoInvariants,
        }
    }

    /// Evaluates the program again, as the proof has it.
    pub(crate) fn evaluate<'a>(
        &'a self,
        module: &'a Module,
        terms: &'a mut Terms,
        config: &'a encode::eval::Config,
        oracle: &mut dyn encode::eval::Oracle,
    ) -> Result<Vc<'a>, Refused> {
        arbitrary::evaluate(module, terms, config, &self.plan, self.invariants(), oracle)
    }

    /// Can something be wrong with the proof, apart from what checks say? One of its guesses may be.
    pub(crate) fn may_be_wrong(&self, vc: &mut Vc<'_>) -> Term {
        let Some(candidates) = &self.candidates else {
            return vc.world.terms.fls();
        };
        let cases: Vec<Term> = candidates
            .wrong(vc)
            .into_iter()
            .map(|(_, case)| case)
            .collect();
        vc.world.terms.or_all(&cases)
    }

    /// The guesses that the proof rests on are switched on.
    pub(crate) fn switched_on(&self, terms: &mut Terms) -> Term {
        let switches = match &self.candidates {
            Some(candidates) => candidates.switches(terms),
            None => Vec::new(),
        };
        terms.and_all(&switches)
    }
}

impl<'m> Engine<'m> {
    /// Tries to prove by induction what bounds do not reach. True if that settles everything.
    pub(crate) fn induct(&mut self, hit: &[Cut]) -> Result<bool, EngineError> {
        if !self.options.induction || !self.may_begin_anywhere(hit) {
            return Ok(false);
        }
        // Whatever has no proof may have a violation: unrolling gets as much time as induction does.
        if self.induction.spent > self.start.elapsed() / 2 {
            return Ok(false);
        }
        let start = Instant::now();
        let proved = self.induct_until(start + self.left() / PART)?;
        self.induction.spent += start.elapsed();
        Ok(proved)
    }

    /// As many attempts as there may be between two rounds of the engine.
    fn induct_until(&mut self, end: Instant) -> Result<bool, EngineError> {
        for _ in 0..AT_ONCE {
            let Some(&rounds) = ROUNDS.get(self.induction.tried) else {
                return Ok(false);
            };
            self.induction.tried += 1;
            self.say(&format!("induction over {rounds} rounds"));
            if self.induct_over(rounds, end)? {
                return Ok(true);
            }
            if self.induction.hopeless || Instant::now() >= end {
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// Can the loops that were cut begin in an arbitrary state? Notes them.
    pub(crate) fn may_begin_anywhere(&mut self, hit: &[Cut]) -> bool {
        let fixed = self.options.unwind.is_some()
            || self.options.depth.is_some()
            || !self.options.unwind_loops.is_empty();
        if self.options.style != Style::Eval
            || self.options.continue_after_failure
            || fixed
            || self.gap
            || self.induction.hopeless
        {
            return false;
        }
        for cut in hit {
            match cut.what {
                Bounded::Loop(func, head, _) => {
                    self.induction.loops.insert((func, head));
                }
                Bounded::Recursion(func, _) => {
                    self.induction.functions.insert(func);
                }
            }
        }
        true
    }

    /// These begin in an arbitrary state from now on. False if all of them did before.
    pub(crate) fn add_to_induction(&mut self, list: &[Bounded]) -> bool {
        let mut new = false;
        for &bounded in list {
            new |= match bounded {
                Bounded::Loop(func, head, _) => self.induction.loops.insert((func, head)),
                Bounded::Recursion(func, _) => self.induction.functions.insert(func),
            };
        }
        new
    }

    /// The plan in which everything that has no bound begins in an arbitrary state.
    pub(crate) fn induction_plan(&self, induction: Induction, apart: bool) -> Plan {
        let heads = self.induction.loops.iter();
        let mut functions = self.induction.functions.clone();
        if self.options.calls == Calls::Summary {
            let funcs = self.module.funcs.iter();
            let users = funcs.filter(|(_, data)| data.body.is_some() && !data.model);
            functions.extend(users.map(|(func, _)| func));
        }
        functions.retain(|&func| {
            !self.induction.inlined.contains(&func) && self.module.entry != Some(func)
        });
        let mut mapped = BTreeSet::new();
        if self.options.maps.is_some() {
            mapped.clone_from(&functions);
            mapped.retain(|func| !self.induction.unmapped.contains(func));
        }
        // What a finite map says of cells, it says of objects with numbers.
        let crowds = self.induction.crowds && !apart && mapped.is_empty();
        Plan {
            loops: heads.map(|&head| (head, induction)).collect(),
            functions,
            maps: Maps {
                functions: mapped,
                limits: self.options.maps.unwrap_or_default(),
            },
            apart,
            blocks: false,
            crowds,
        }
    }

    /// Calls of a function are summarised over whole objects from now on, or evaluated. False if they cannot be.
    pub(crate) fn inline(&mut self, func: Func, why: &str) -> bool {
        if self.options.maps.is_some() && self.induction.unmapped.insert(func) {
            let name = &self.module.funcs[func].name;
            self.say(&format!("no finite map for {name}: {why}"));
            return true;
        }
        !self.induction.functions.contains(&func) && self.induction.inlined.insert(func)
    }

    /// Proofs in which every function is summarised, before anything is unrolled.
    pub(crate) fn begin_with_summaries(&mut self) -> Result<bool, EngineError> {
        if self.options.calls != Calls::Summary {
            return Ok(false);
        }
        Ok(self.induct(&[])? || self.invent(&[])?)
    }

    /// One number of rounds: without guesses, and then with them.
    fn induct_over(&mut self, rounds: u32, end: Instant) -> Result<bool, EngineError> {
        // The guesses that are tried next, the last ones first.
        let mut next: Vec<Candidates> = Vec::new();
        for _ in 0..GROWTH {
            let now = Instant::now();
            if now >= end {
                return Ok(false);
            }
            let candidates = next.pop();
            // Something is left for all of them.
            let until = match next.is_empty() {
                true => end,
                false => now + (end - now) / FEW_PART,
            };
            match self.attempt(rounds, candidates, until)? {
                Attempt::Proved(proof) => {
                    self.induction.proof = Some(proof);
                    return Ok(true);
                }
                Attempt::More(list) => {
                    next.clear();
                    if !self.add_to_induction(&list) {
                        return Ok(false);
                    }
                }
                Attempt::Refused(..) | Attempt::Allocates => return Ok(false),
                Attempt::Open(Some(guesses)) if !guesses.is_empty() => {
                    let few = guesses.few();
                    next.push(guesses);
                    next.extend(few);
                }
                Attempt::Open(_) if next.is_empty() => return Ok(false),
                Attempt::Open(_) => {}
                Attempt::Hopeless => {
                    self.induction.hopeless = true;
                    return Ok(false);
                }
            }
        }
        Ok(false)
    }

    pub(crate) fn attempt(
        &mut self,
        rounds: u32,
        candidates: Option<Candidates>,
        end: Instant,
    ) -> Result<Attempt, EngineError> {
        loop {
            match self.attempt_once(rounds, candidates.clone(), end)? {
                Attempt::Refused(func, why) if self.inline(func, why) => {}
                Attempt::Allocates if !self.induction.crowds => self.induction.crowds = true,
                Attempt::Refused(..) | Attempt::Allocates => return Ok(Attempt::Hopeless),
                other => return Ok(other), // An answer.
            }
        }
    }

    fn attempt_once(
        &mut self,
        rounds: u32,
        candidates: Option<Candidates>,
        end: Instant,
    ) -> Result<Attempt, EngineError> {
        // Every round that passes looks into more objects that have to be told apart.
        let rounds = match self.induction.crowds {
            true => rounds.saturating_sub(1),
            false => rounds,
        };
        let induction = Induction { rounds, base: true };
        let plan = self.induction_plan(induction, false);
        let mut proof = Proof { plan, candidates };
        let config = self.config();
        let mut terms = Terms::with_level(self.options.rewriting);
        let mut oracle = self.oracle_until(Some(end));
        let start = Instant::now();
        // Guesses are dropped while the evaluation is in use, which has its own.
        let given = proof.clone();
        let evaluated = given.evaluate(self.module, &mut terms, &config, &mut oracle);
        self.outcome.stats.evaluating += start.elapsed();
        let mut vc = match evaluated {
            Ok(vc) if vc.stopped.is_none() => vc,
            Ok(_) | Err(Refused::Stopped(_) | Refused::Unsettled) => {
                return Ok(Attempt::Open(None));
            }
            Err(Refused::Call(func, why)) => return Ok(Attempt::Refused(func, why)),
            Err(Refused::Allocates(..)) => return Ok(Attempt::Allocates),
            Err(Refused::Irreducible(..) | Refused::Continues) => return Ok(Attempt::Hopeless),
        };
        let mut solver = self.open_solver()?;
        if !self.keep_what_holds(&mut vc, &mut solver, &mut proof, end)? {
            return Ok(Attempt::Open(None));
        }
        let prefixes = Prefixes::new(vc.world.terms, &vc.assumptions, |_| true);
        let on = proof.switched_on(vc.world.terms);
        let cut = any_cut(&mut vc, &prefixes);
        let cut = vc.world.terms.and(on, cut);
        match self.ask_until(&mut vc, &mut solver, cut, end)? {
            Answer::Unsat => {}
            Answer::Unknown(_) => return Ok(Attempt::Open(None)),
            Answer::Sat(model) => {
                let mut reader = Reader::new(&vc, &model);
                let hit = vc.cuts.iter().filter(|cut| reader.holds(cut.reached));
                let more: Vec<Bounded> = hit.map(|cut| cut.what).collect();
                return Ok(match more.is_empty() {
                    true => Attempt::Open(None),
                    false => Attempt::More(more),
                });
            }
        }
        let asked = self.asked_by_induction(&vc);
        let fails = any_fails(vc.world.terms, &prefixes, asked.iter());
        let question = vc.world.terms.and(on, fails);
        match self.ask_until(&mut vc, &mut solver, question, end)? {
            Answer::Unsat => {}
            Answer::Sat(_) if proof.candidates.is_none() => {
                let mut guesses = Candidates::new(&mut vc);
                let time = end.saturating_duration_since(Instant::now()) / EQUATIONS_PART;
                let until = Instant::now() + time;
                guesses.add_equations(self.equations_once(&mut vc, &mut solver, until)?);
                return Ok(Attempt::Open(Some(guesses)));
            }
            Answer::Sat(_) | Answer::Unknown(_) => return Ok(Attempt::Open(None)),
        }
        let wrong = proof.may_be_wrong(&mut vc);
        let pruned = any_pruned(&mut vc);
        let all = vc.world.terms.or_all(&[fails, cut, pruned, wrong]);
        let all = vc.world.terms.and(on, all);
        self.undecided.clear();
        self.confirm_unsat(&mut vc, &mut solver, all)?;
        self.looks = vc.looks.clone();
        self.prove(&mut vc, &mut solver, States::Arbitrary)?;
        self.count_summaries(&vc, &proof.plan);
        Ok(Attempt::Proved(proof))
    }

    /// The equations of the heads that there are, which are the same however many rounds are looked at.
    fn equations_once(
        &mut self,
        vc: &mut Vc<'_>,
        solver: &mut Checked,
        until: Instant,
    ) -> Result<&[Equation], EngineError> {
        let known = &self.induction;
        let of = (known.loops.clone(), known.functions.clone());
        if known
            .equations
            .as_ref()
            .is_none_or(|(other, _)| *other != of)
        {
            self.say("equations");
            let found = self.equations(vc, solver, until)?;
            self.induction.equations = Some((of, found));
        }
        let known = &self.induction.equations;
        Ok(known.as_ref().map_or(&[], |(_, list)| &list[..]))
    }

    /// How many functions a proof has summaries of, with finite maps and over whole objects.
    fn count_summaries(&mut self, vc: &Vc<'_>, plan: &Plan) {
        let begun = vc.heads.iter().filter(|head| {
            head.place.point == Point::Entry && matches!(head.entered, Entered::Arbitrary(_))
        });
        let functions: BTreeSet<Func> = begun.map(|head| head.place.func).collect();
        let maps = functions.intersection(&plan.maps.functions).count() as u32;
        self.outcome.stats.summaries = (maps, functions.len() as u32 - maps);
    }

    /// What must hold for a proof: checks, and that nothing without a model is reached.
    pub(crate) fn asked_by_induction(&self, vc: &Vc<'_>) -> Vec<Instance> {
        vc.instances
            .iter()
            .filter(|instance| {
                let obligation = instance.obligation;
                !self.violated.contains(&obligation)
                    && !self.settled.contains_key(&obligation)
                    && !self.is_monitor(obligation)
            })
            .chain(vc.gaps.iter().map(|(instance, _)| instance))
            .cloned()
            .collect()
    }

    /// Drops guesses until all that are left hold where a loop is entered, and after every round. False if time is over.
    fn keep_what_holds(
        &mut self,
        vc: &mut Vc<'_>,
        solver: &mut Checked,
        proof: &mut Proof,
        end: Instant,
    ) -> Result<bool, EngineError> {
        loop {
            let Some(candidates) = &proof.candidates else {
                return Ok(true);
            };
            let wrong = candidates.wrong(vc);
            let on = proof.switched_on(vc.world.terms);
            let cases: Vec<Term> = wrong.iter().map(|&(_, case)| case).collect();
            let wrong_now = vc.world.terms.or_all(&cases);
            let question = vc.world.terms.and(on, wrong_now);
            let model = match self.ask_until(vc, solver, question, end)? {
                Answer::Unsat => return Ok(true),
                Answer::Unknown(_) => return Ok(false),
                Answer::Sat(model) => model,
            };
            let mut reader = Reader::new(vc, &model);
            let refuted: Vec<usize> = wrong
                .iter()
                .filter(|(_, case)| reader.holds(*case))
                .map(|(index, _)| *index)
                .collect();
            if refuted.is_empty() {
                return Err(EngineError(
                    "a model of wrong guesses makes none of them wrong".to_owned(),
                ));
            }
            if let Some(candidates) = &mut proof.candidates {
                candidates.drop_all(refuted);
            }
        }
    }

    pub(crate) fn ask_until(
        &mut self,
        vc: &mut Vc<'_>,
        solver: &mut Checked,
        question: Term,
        end: Instant,
    ) -> Result<Answer, EngineError> {
        let time = end.saturating_duration_since(Instant::now());
        if time < Duration::from_millis(1) {
            return Ok(Answer::Unknown(solve::Reason::Timeout));
        }
        let limits = self.limits_of(time);
        self.ask_within(vc, solver, question, limits)
    }
}
