//! Rounds.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use base::Map;
use encode::eval::{Bounded, Config, Cut, Instance, Limit, Look, Oracle, Stopped, Vc, evaluate};
use ir::loop_names::{self, NamedLoop};
use ir::syntax::{Block, Func, Module, Obligation, Op};
use passes::pass::Bounds;
use results::program::place;
use results::{
    Bound, EngineError, Known, Message, Outcome, Progress, Reason, SecondOpinion, Sink, Status,
};
use rustc_hash::FxHashMap;
use solve::{Answer, Checked, Limits, SolveError, Solver};
use terms::Terms;

use crate::apart::{Search, Share};
use crate::forms::Unrolled;
use crate::induction;
use crate::listen::listener;
use crate::oracle::{Answers, Solving};
use crate::query::{Prefixes, any_cut, any_fails, everything};
use crate::reach::States;
use crate::samples::{Executions, Sampler, Scouts};
use crate::trace::Reader;
use crate::{Cone, Options, Style};

/// The first bound when none is given.
pub(crate) const FIRST_BOUND: u32 = 2;

/// Rounds of a loop that bring something to decide, for each unit of its bound: when bounds are found
/// out, and when they are fixed.
const EVENTFUL: u32 = 64;
const EVENTFUL_FIXED: u32 = 4096;
/// Rounds of a loop that bring nothing to decide, at first and at most.
const FIRST_ITERATIONS: u32 = 1 << 17;
const MOST_ITERATIONS: u32 = 1 << 24;

/// The most terms that are kept from one round for the next.
const MOST_KEPT: usize = 4_000_000;

/// Checks a Pure module, and tells a sink what it finds as it finds it.
pub(crate) fn check(
    module: &Module,
    options: &Options,
    known: &Known,
    scouts: Option<Scouts>,
    sink: &Arc<dyn Sink>,
) -> Result<Outcome, EngineError> {
    let mut engine = Engine::new(module, options, known, sink);
    if engine.nothing_to_check() {
        return Ok(engine.outcome);
    }
    engine.sampler = match scouts {
        Some(scouts) => scouts.0,
        None => Scouts::send(module, options, sink).0,
    };
    let mut next = match engine.begin_with_summaries()? {
        true => Next::Done,
        false => Next::Deepen,
    };
    while next == Next::Deepen {
        next = engine.round()?;
        if engine.take_samples(next) {
            break;
        }
    }
    engine.ask_all_layouts()?;
    engine.referee();
    Ok(engine.outcome)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    Deepen,
    Done,
}

pub(crate) struct Engine<'m> {
    pub(crate) module: &'m Module,
    pub(crate) options: &'m Options,
    /// When it began.
    pub(crate) start: Instant,
    /// Who is told of violations, bounds and statuses.
    pub(crate) sink: Arc<dyn Sink>,
    pub(crate) loops: Vec<NamedLoop>,
    pub(crate) bounds: FxHashMap<(Func, Block), u32>,
    pub(crate) depth: u32,
    pub(crate) outcome: Outcome,
    /// Obligations that others have shown to hold, and that nobody asks about.
    pub(crate) settled: BTreeMap<Obligation, Status>,
    /// Obligations that are violated, or whose counterexample did not replay.
    pub(crate) violated: BTreeSet<Obligation>,
    /// Obligations that were too hard for the solver in the last round, and why.
    pub(crate) undecided: BTreeMap<Obligation, Reason>,
    /// What is known about proofs by induction.
    pub(crate) induction: induction::Known,
    /// The bound of the last round that shows that nothing within it violates the obligation.
    pub(crate) bounded: Map<Obligation, Option<u64>>,
    /// Those that say where nothing is known, and do fail there.
    pub(crate) unanswerable: BTreeSet<Obligation>,
    /// How often loops go round that bring nothing to decide.
    pub(crate) iterations: u32,
    /// Was something reached that has no model? Then violations are all that is left to find.
    pub(crate) gap: bool,
    /// The looks at addresses of what was proved.
    pub(crate) looks: Vec<Look>,
    /// What the solver has no words for, so that another one was asked.
    pub(crate) inexpressible: Option<String>,
    /// Executes the program meanwhile.
    pub(crate) sampler: Sampler,
    /// Executions that referee proofs, once they were made.
    pub(crate) executions: Option<Executions>,
    /// The terms of the round before, and what the solver said of its paths.
    terms: Option<Terms>,
    paths: Answers,
}

impl<'m> Engine<'m> {
    /// An engine that has not begun.
    pub(crate) fn new(
        module: &'m Module,
        options: &'m Options,
        known: &Known,
        sink: &Arc<dyn Sink>,
    ) -> Engine<'m> {
        let mut engine = Engine {
            module,
            options,
            start: Instant::now(),
            sink: Arc::clone(sink),
            loops: loop_names::of_module(module),
            bounds: FxHashMap::default(),
            depth: options.depth.unwrap_or(FIRST_BOUND),
            outcome: Outcome {
                statuses: Map::filled(Status::Unknown(Reason::Bounded), module.obligations.len()),
                ..Outcome::default()
            },
            violated: BTreeSet::new(),
            settled: settled(module, known),
            undecided: BTreeMap::new(),
            induction: induction::Known::default(),
            bounded: Map::filled(None, module.obligations.len()),
            unanswerable: BTreeSet::new(),
            iterations: FIRST_ITERATIONS,
            gap: false,
            looks: Vec::new(),
            inexpressible: None,
            sampler: Sampler::idle(),
            executions: None,
            terms: None,
            paths: Answers::default(),
        };
        for (&obligation, status) in &engine.settled {
            engine.outcome.statuses[obligation] = status.clone();
        }
        engine
    }

    /// Is there no check in the whole program? Then there is nothing to evaluate, however it loops.
    fn nothing_to_check(&mut self) -> bool {
        let bodies = self.module.funcs.values();
        let mut insts = bodies
            .filter_map(|func| func.body.as_ref())
            .flat_map(|body| {
                let insts = body.insts_in_order();
                insts.map(|(_, inst)| &body.insts[inst].op)
            });
        let checks = insts.any(|op| match op {
            Op::Check(obligation, _) => !self.is_monitor(*obligation),
            _ => false, // Nothing else can be violated.
        });
        if !checks {
            for obligation in self.module.obligations.keys() {
                self.outcome.statuses[obligation] = self.never_reached(obligation);
            }
            self.outcome.second = Some(SecondOpinion::Folded);
        }
        !checks
    }

    /// One evaluation and its questions. Most of its terms are those of the round before, unless they were too many.
    fn round(&mut self) -> Result<Next, EngineError> {
        let mut terms = match self.terms.take() {
            Some(mut terms)
                if terms.len() <= MOST_KEPT && self.options.cone != Cone::Everything =>
            {
                terms.begin_again();
                terms
            }
            Some(_) | None => {
                self.paths.clear();
                let mut terms = Terms::with_level(self.options.rewriting);
                if self.options.count_rules {
                    terms.count_rules();
                }
                terms
            }
        };
        let next = self.round_with(&mut terms);
        self.terms = Some(terms);
        next
    }

    fn round_with(&mut self, terms: &mut Terms) -> Result<Next, EngineError> {
        let config = self.config();
        self.say("evaluating");
        let unrolled = match self.options.style {
            Style::Eval => None,
            Style::Path | Style::Dataflow => {
                match Unrolled::new(self.module, self.options, &*self.sink, self.pass_bounds()) {
                    Ok(unrolled) => Some(unrolled),
                    Err(reason) => {
                        self.give_up(reason);
                        return Ok(Next::Done);
                    }
                }
            }
        };
        let mut oracle = self.oracle();
        oracle.answers = std::mem::take(&mut self.paths);
        let start = Instant::now();
        let mut vc = match &unrolled {
            None => evaluate(self.module, terms, &config, &mut oracle),
            Some(unrolled) => {
                unrolled.vc(terms, &config, &self.loops, &mut || oracle.interrupted())
            }
        };
        self.paths = std::mem::take(&mut oracle.answers);
        let stats = &mut self.outcome.stats;
        stats.evaluating += start.elapsed().saturating_sub(oracle.time);
        stats.solving += oracle.time;
        stats.rounds += 1;
        stats.bound = self
            .bounds
            .values()
            .copied()
            .chain([config.unwind])
            .max()
            .unwrap_or(0);
        stats.steps += vc.stats.steps;
        stats.folded = vc.stats.folded;
        stats.asked = vc.instances.len() as u64;
        stats.terms = vc.world.terms.len();
        let rules = vc.world.terms.rules_applied();
        stats.rules = rules
            .map(|(name, count)| (name.to_owned(), count))
            .collect();
        if self.options.count_rules {
            let counts = vc.world.memory_counts().into_iter();
            let counts = counts.map(|(name, count)| (name.to_owned(), count));
            stats.rules.extend(counts);
        }

        let mut solver = self.open_solver()?;
        if self.options.cone == Cone::Everything {
            for definition in everything(vc.world.terms) {
                match solver.assert(vc.world.terms, definition) {
                    // A name more or less: what it has no words for is asked of another one.
                    Ok(()) | Err(SolveError::Unsupported { .. }) => {}
                    Err(error) => return Err(EngineError(error.to_string())),
                }
            }
        }
        let form = unrolled.as_ref().filter(|unrolled| unrolled.is_form());
        if self.find_violations(&mut vc, &mut solver, form)? == Search::Over {
            return Ok(Next::Done);
        }
        let stopped = vc.stopped;
        if let Some(stopped) = stopped {
            self.give_up(match stopped {
                Stopped::Interrupted => Reason::Timeout,
                Stopped::Terms => Reason::Memory,
            });
            let mut cuts = vc.cuts.clone();
            cuts.extend(vc.stopped_in.map(|what| Cut {
                what,
                limit: Limit::Everything,
                reached: vc.world.terms.tru(),
                assumptions: 0,
                choices: 0,
            }));
            self.name_bounds(&cuts);
            return Ok(Next::Done);
        }
        self.conclude(&mut vc, &mut solver, form)
    }

    pub(crate) fn oracle(&self) -> Solving {
        self.oracle_until(self.options.deadline)
    }

    /// As `oracle`, with another time at which the evaluation is to stop.
    pub(crate) fn oracle_until(&self, deadline: Option<Instant>) -> Solving {
        Solving::new(
            &self.options.solver,
            self.options.memory,
            deadline,
            self.sampler.interrupt.clone(),
            listener(&self.sink, "path"),
        )
    }

    /// The bounds of this round, as passes are told.
    fn pass_bounds(&self) -> Bounds {
        let config = self.config();
        let bound = |name: &NamedLoop| {
            let bound = config.unwind_loops.get(&(name.func, name.header))?;
            Some((name.name.clone(), *bound))
        };
        Bounds {
            unwind: config.unwind,
            unwind_set: self.loops.iter().filter_map(bound).collect(),
            depth: config.depth,
            ..Bounds::default()
        }
    }

    /// Tells what is being done now.
    pub(crate) fn say(&self, what: &str) {
        let mut text = format!("round {}, {what}", self.outcome.stats.rounds + 1);
        for bound in self.outcome.bounds.iter().take(3) {
            let (noun, name) = if bound.recursion {
                ("recursion of", &bound.name)
            } else {
                ("loop", &bound.name)
            };
            text.push_str(&format!("; {noun} {name} unrolled {} times", bound.reached));
        }
        self.sink.tell(Message::Progress(Progress {
            what: text,
            bounds: self.outcome.bounds.clone(),
            stats: self.outcome.stats.clone(),
        }));
    }

    pub(crate) fn config(&self) -> Config {
        let unwind = self.options.unwind.unwrap_or(FIRST_BOUND);
        let mut bounds = self.bounds.clone();
        let mut exact = FxHashMap::default();
        for name in &self.loops {
            if let Some(&bound) = self.options.unwind_loops.get(&name.name) {
                bounds.insert((name.func, name.header), bound);
                exact.insert((name.func, name.header), bound);
            }
        }
        Config {
            unwind,
            unwind_loops: bounds,
            exact_unwind: self.options.unwind,
            exact_loops: exact,
            depth: self.depth,
            exact_depth: self.options.depth.is_some(),
            continue_after_failure: self.options.continue_after_failure,
            accesses_checked: self.options.accesses_checked,
            unknown_memory: self.has_unknown_memory(),
            iterations: self.iterations,
            eventful: match self.options.unwind {
                None => EVENTFUL,
                Some(_) => EVENTFUL_FIXED,
            },
            encoding: self.options.encoding,
            ..Config::default()
        }
    }

    pub(crate) fn limits(&self) -> Limits {
        let time = self
            .options
            .deadline
            .map(|deadline| deadline.saturating_duration_since(Instant::now()));
        Limits {
            time,
            memory: self.options.memory,
        }
    }

    pub(crate) fn is_property(&self, obligation: Obligation) -> bool {
        let check = self.module.obligations[obligation].check;
        check.check().property.is_some()
    }

    /// Is every obligation that was asked for violated?
    pub(crate) fn nothing_is_open(&self) -> bool {
        let mut asked = self
            .module
            .obligations
            .keys()
            .filter(|&obligation| self.is_property(obligation) && !self.is_monitor(obligation))
            .filter(|obligation| !self.settled.contains_key(obligation));
        asked.all(|obligation| self.violated.contains(&obligation))
    }

    pub(crate) fn is_monitor(&self, obligation: Obligation) -> bool {
        let check = self.module.obligations[obligation].check;
        self.options.monitors.contains(&check)
    }

    /// Nothing (more) is violated within the bounds: is there anything beyond them?
    fn conclude(
        &mut self,
        vc: &mut Vc<'_>,
        solver: &mut Checked,
        form: Option<&Unrolled>,
    ) -> Result<Next, EngineError> {
        self.keep_bounded();
        let internal: Vec<Instance> = vc
            .instances
            .iter()
            .filter(|instance| !self.gap && self.is_limit(instance.obligation))
            .filter(|instance| !self.settled.contains_key(&instance.obligation))
            .cloned()
            .collect();
        let prefixes = Prefixes::new(vc.world.terms, &vc.assumptions, |obligation| {
            self.violated.contains(&obligation) || self.is_monitor(obligation)
        });
        let gaps: Vec<(Instance, String)> = if self.gap {
            Vec::new()
        } else {
            vc.gaps.clone()
        };
        let gap = any_fails(
            vc.world.terms,
            &prefixes,
            internal
                .iter()
                .chain(gaps.iter().map(|(instance, _)| instance)),
        );
        let cut = any_cut(vc, &prefixes);
        let beyond = vc.world.terms.or(gap, cut);
        let limits = self.limits_beyond();
        match self.ask_within(vc, solver, beyond, limits)? {
            Answer::Unsat if self.gap => {
                self.press(vc, solver, form, Share::All)?;
                Ok(Next::Done)
            }
            Answer::Unsat => {
                if !self.settle_extern_pointers(vc, solver)? {
                    return Ok(Next::Done);
                }
                self.confirm(vc, solver, beyond)?;
                self.looks = vc.looks.clone();
                self.prove_by(vc, solver, form)?;
                if self.press_and_prove(vc, solver, form, beyond)? {
                    self.prove_by(vc, solver, form)?;
                }
                self.give_up_accesses();
                Ok(Next::Done)
            }
            Answer::Unknown(reason) => {
                self.give_up(reason_of(&reason));
                self.name_bounds(&vc.cuts.clone());
                Ok(Next::Done)
            }
            Answer::Sat(model) => {
                let mut reader = Reader::new(vc, &model);
                let hit = cuts_hit(vc, &mut reader);
                for (instance, what) in &gaps {
                    if reader.holds(instance.reached) && !reader.holds(instance.holds) {
                        self.outcome.gaps.push(what.clone());
                    }
                }
                let mut unsupported = Vec::new();
                for instance in &internal {
                    if reader.holds(instance.reached) && !reader.holds(instance.holds) {
                        unsupported.push(instance.obligation);
                    }
                }
                drop(reader);
                if hit.is_empty() {
                    return self.beyond_a_gap(vc, solver, cut, unsupported);
                }
                self.name_bounds(&hit);
                if self.press(vc, solver, form, Share::Part)? == Search::Over {
                    return Ok(Next::Done);
                }
                if self.induct(&hit)? {
                    return Ok(Next::Done);
                }
                let first = self.iterations == FIRST_ITERATIONS;
                if hit.iter().any(|cut| cut.limit == Limit::Everything)
                    && first
                    && vc.instances.is_empty()
                    && !self.options.continue_after_failure
                    && self.execute()
                {
                    return Ok(Next::Done);
                }
                if self.invent(&hit)? {
                    return Ok(Next::Done);
                }
                Ok(self.deepen(&hit))
            }
        }
    }

    /// As `prove`, for a program that may be in one of the forms.
    fn prove_by(
        &mut self,
        vc: &mut Vc<'_>,
        solver: &mut Checked,
        form: Option<&Unrolled>,
    ) -> Result<(), EngineError> {
        let Some(unrolled) = form else {
            return self.prove(vc, solver, States::Real);
        };
        // A form does not tell what is reached.
        let config = self.config();
        let mut terms = Terms::with_level(self.options.rewriting);
        let mut path = unrolled.companion(&mut terms, &config, &self.loops);
        let mut solver = self.open_solver()?;
        self.prove(&mut path, &mut solver, States::Real)
    }

    /// Something without a model is reached, so there will be no proof; violations may still lie beyond
    /// the bounds.
    fn beyond_a_gap(
        &mut self,
        vc: &mut Vc<'_>,
        solver: &mut Checked,
        cut: terms::Term,
        unsupported: Vec<Obligation>,
    ) -> Result<Next, EngineError> {
        self.unsupported(unsupported);
        let Answer::Sat(model) = self.ask(vc, solver, cut)? else {
            return Ok(Next::Done);
        };
        let mut reader = Reader::new(vc, &model);
        let hit = cuts_hit(vc, &mut reader);
        drop(reader);
        self.name_bounds(&hit);
        Ok(self.deepen(&hit))
    }

    fn unsupported(&mut self, obligations: Vec<Obligation>) {
        let mut names = self.outcome.gaps.clone();
        for obligation in obligations {
            let data = &self.module.obligations[obligation];
            self.outcome.statuses[obligation] =
                Status::Unknown(Reason::Unsupported(data.text.clone()));
            names.push(data.text.clone());
        }
        let name = names.first().cloned().unwrap_or_default();
        self.give_up(Reason::Unsupported(name));
        self.gap = true;
    }

    /// Raises the bounds of the loops that were cut, unless bounds are fixed or time is over.
    fn deepen(&mut self, hit: &[Cut]) -> Next {
        let over = self
            .options
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline);
        let deepest = self.options.deepest.unwrap_or(u32::MAX);
        let mut raised = false;
        for cut in hit {
            if cut.limit == Limit::Everything {
                if self.iterations < MOST_ITERATIONS && self.options.deepest.is_none() {
                    self.iterations *= 16;
                    raised = true;
                }
                break;
            }
            match cut.what {
                Bounded::Loop(func, head, _) => {
                    let fixed = self.loops.iter().any(|name| {
                        (name.func, name.header) == (func, head)
                            && self.options.unwind_loops.contains_key(&name.name)
                    });
                    if self.options.unwind.is_none() && !fixed {
                        let bound = self.bounds.entry((func, head)).or_insert(FIRST_BOUND);
                        if *bound < deepest {
                            *bound = bound.saturating_mul(2);
                            raised = true;
                        }
                    }
                }
                Bounded::Recursion(..) => {
                    if self.options.depth.is_none() && self.depth < deepest {
                        self.depth = self.depth.saturating_mul(2);
                        raised = true;
                        break;
                    }
                }
            }
        }
        let bound = u64::from(self.outcome.stats.bound);
        if raised && !over {
            self.tell_bounded(bound);
            return Next::Deepen;
        }
        self.settle_rest(Status::ProvedBounded(bound));
        let reason = if over {
            Reason::Timeout
        } else {
            Reason::Bounded
        };
        if !self.gap {
            self.outcome.reason = Some(reason);
        }
        Next::Done
    }

    /// Tells what this round has shown: nobody can take it back.
    fn tell_bounded(&self, bound: u64) {
        let open = self.module.obligations.keys().filter(|&obligation| {
            let status = &self.outcome.statuses[obligation];
            *status == Status::Unknown(Reason::Bounded)
                && !self.violated.contains(&obligation)
                && !self.undecided.contains_key(&obligation)
        });
        let list = open.map(|obligation| (obligation, Status::ProvedBounded(bound)));
        self.sink.tell(Message::Statuses(list.collect()));
    }

    pub(crate) fn name_bounds(&mut self, cuts: &[Cut]) {
        let mut list: Vec<Bound> = Vec::new();
        let config = self.config();
        for cut in cuts {
            let bound = match cut.what {
                Bounded::Loop(func, head, reached) => {
                    let Some(name) = self
                        .loops
                        .iter()
                        .find(|name| (name.func, name.header) == (func, head))
                    else {
                        continue;
                    };
                    // An unrolled program does not count: it has as many rounds as its bound says.
                    let bound = config.unwind_loops.get(&(func, head)).copied();
                    Bound {
                        name: name.name.clone(),
                        place: place(self.module, name.place),
                        reached: reached.max(bound.unwrap_or(config.unwind)),
                        recursion: false,
                    }
                }
                Bounded::Recursion(func, reached) => {
                    let data = &self.module.funcs[func];
                    Bound {
                        name: data.name.clone(),
                        place: place(self.module, data.place),
                        reached: reached.max(config.depth),
                        recursion: true,
                    }
                }
            };
            match list
                .iter_mut()
                .find(|known| known.name == bound.name && known.recursion == bound.recursion)
            {
                Some(known) => known.reached = known.reached.max(bound.reached),
                None => list.push(bound),
            }
        }
        self.outcome.bounds = list;
    }

    /// There is no full answer, for this reason. What the rounds before have shown stays.
    pub(crate) fn give_up(&mut self, reason: Reason) {
        if self.gap {
            return;
        }
        self.settle_rest(Status::Unknown(reason.clone()));
        let limited = match reason {
            Reason::Timeout | Reason::Memory | Reason::Solver(_) | Reason::Interrupted => true,
            Reason::Unsupported(_)
            | Reason::Unconfirmed
            | Reason::Bounded
            | Reason::Undefined
            | Reason::Layout
            | Reason::Invariant
            | Reason::ExternPointer
            | Reason::Precondition(_) => false,
        };
        for (obligation, bound) in self.bounded.iter() {
            if let (true, &Some(bound)) = (limited, bound)
                && !self.violated.contains(&obligation)
            {
                self.outcome.statuses[obligation] = Status::ProvedBounded(bound);
            }
        }
        self.outcome.reason = Some(reason);
    }

    /// Gives a status to what is neither violated nor has a reason of its own to be open.
    pub(crate) fn settle_rest(&mut self, status: Status) {
        for obligation in self.module.obligations.keys() {
            if self.violated.contains(&obligation)
                || self.settled.contains_key(&obligation)
                || matches!(
                    self.outcome.statuses[obligation],
                    Status::Unknown(Reason::Unsupported(_))
                )
            {
                continue;
            }
            self.outcome.statuses[obligation] = match self.undecided.get(&obligation) {
                Some(reason) => Status::Unknown(reason.clone()),
                None => status.clone(),
            };
        }
    }
}

/// The obligations that others have shown to hold, all that this rests on included.
fn settled(module: &Module, known: &Known) -> BTreeMap<Obligation, Status> {
    if *known == Known::default() {
        return BTreeMap::new();
    }
    let grounded = known.grounded(&results::fact::fingerprint(module));
    let list = grounded.settled.into_iter();
    list.filter(|(obligation, settled)| {
        let holds = match settled.status {
            Status::Proved | Status::Unreachable | Status::Vacuous => true,
            // Whoever has a counterexample tells of it.
            Status::Violated | Status::ProvedBounded(_) | Status::Unknown(_) => false,
        };
        holds && module.obligations.contains(*obligation)
    })
    .map(|(obligation, settled)| (obligation, settled.status.clone()))
    .collect()
}

/// The cuts that an execution comes to.
fn cuts_hit(vc: &Vc<'_>, reader: &mut Reader<'_, '_>) -> Vec<Cut> {
    let hit = vc.cuts.iter().filter(|cut| reader.holds(cut.reached));
    hit.cloned().collect()
}

pub(crate) fn reason_of(reason: &solve::Reason) -> Reason {
    match reason {
        solve::Reason::Timeout => Reason::Timeout,
        solve::Reason::Memory => Reason::Memory,
        solve::Reason::Interrupted => Reason::Interrupted,
        solve::Reason::Incomplete(text) | solve::Reason::Error(text) => {
            Reason::Solver(text.clone())
        }
    }
}
