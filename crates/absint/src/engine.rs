//! The engine: facts by abstract interpretation, loops cut by them, and the bounded engine on what is left.
//!
//! Everything is inlined, analysed, and cut. On the program without loops the bounded engine either proves everything,
//! facts included: then what it proved holds of the whole program, without a bound. Or it refutes facts: they go, the others are tried
//! again, and since there are fewer each time, this ends. What is violated in the cut program need not be violated
//! by the program: this engine proves, or says nothing.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use base::Map;
use ir::cfg::Cfg;
use ir::loops::Loops;
use ir::spoken::Names;
use ir::syntax::{Access, Block, Body, Module, Obligation, Op, Origin};
use passes::pass::Pass;
use results::engine::Silence;
use results::{Engine, EngineError, Invariant, Outcome, Reason, Sink, Status, Task};

use crate::candidates;
use crate::choice::{Choice, Domain};
use crate::cut::watched;
use crate::cut::{self, Accesses, Asked, Cut};
use crate::facts::{self, Fact, Place};
use crate::fixpoint::{self, Invariants, Judgement};
use crate::learned;
use crate::segments::Segments;
use crate::spoken;
use crate::trips;

/// Programs with more instructions after inlining are left alone.
const MAX_INSTS: usize = 200_000;

/// The share of the time in which facts are refuted many at a time.
const SIFTING: f64 = 0.5;

/// The share of the time in which executions refute facts.
const EXECUTING: f64 = 0.1;

/// Facts are refuted in at most this many rounds.
const MAX_ROUNDS: u32 = 40;

/// The program with everything in one body; none if that is too large, or if execution goes on after failures.
pub fn inlined(module: &Module) -> Option<Module> {
    let mut inlined = module.clone();
    let mut config = passes::pass::Config::default();
    config.bounds.max_insts = MAX_INSTS;
    passes::inline::Inline.run(&mut inlined, &config).ok()?;
    Some(inlined)
}

/// What the analysis alone says of each obligation, for reports and tests.
pub fn judge(module: &Module, deadline: Option<Instant>) -> Option<Vec<(Obligation, Judgement)>> {
    let inlined = inlined(module)?;
    let body = inlined.body(inlined.entry?);
    let config = fixpoint::Config {
        deadline,
        ..fixpoint::Config::default()
    };
    let invariants = fixpoint::analyze(&inlined, body, true, &config)?;
    let found = fixpoint::judge(&inlined, body, &invariants);
    Some(found.into_iter().collect())
}

/// The engine, with the settings of the bounded one that it asks.
pub struct Absint {
    /// Settings for the proofs; limits and monitors are the task's.
    pub options: bmc::Options,
    /// How much is tried.
    pub effort: Effort,
    /// Which domains take part.
    pub choice: Choice,
}

/// How much is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// Only what the bounded engine alone would not do: every loop that goes round often is cut, or nothing is tried.
    Quick,
    /// Everything.
    Full,
}

impl Engine for Absint {
    fn name(&self) -> &'static str {
        "absint"
    }

    fn run(&self, task: &Task<'_>, sink: &Arc<dyn Sink>) -> Result<Outcome, EngineError> {
        let options = bmc::Options {
            deadline: task.limits.deadline,
            memory: task.limits.memory,
            monitors: task.monitors.clone(),
            ..self.options.clone()
        };
        check(task.module, &options, self.effort, &self.choice, sink)
    }
}

/// Proves what it can; never claims a violation.
pub fn check(
    module: &Module,
    options: &bmc::Options,
    effort: Effort,
    choice: &Choice,
    sink: &Arc<dyn Sink>,
) -> Result<Outcome, EngineError> {
    let start = Instant::now();
    let mut outcome = nothing(module);
    if options.continue_after_failure {
        return Ok(outcome);
    }
    let (Some(entry), Some(inlined)) = (module.entry, inlined(module)) else {
        return Ok(outcome);
    };
    let body = inlined.body(entry);
    let left = options
        .deadline
        .map(|deadline| deadline.saturating_duration_since(start));
    let config = fixpoint::Config {
        deadline: left.map(|left| start + left.mul_f64(0.4)),
        shape: choice.shape(),
        ..fixpoint::Config::default()
    };
    let Some(invariants) = fixpoint::analyze(&inlined, body, true, &config) else {
        outcome.reason = Some(Reason::Timeout);
        return Ok(outcome);
    };
    outcome.stats.evaluating += start.elapsed();
    let loops = Loops::new(&Cfg::new(body));
    let all: BTreeSet<Block> = loops.loops.values().map(|data| data.header).collect();
    let few = trips::few(body, &loops);
    // Loops of a few known rounds are better unrolled; if that is too much, they are cut like the others.
    let many = &all - &few;
    if many.is_empty() && effort == Effort::Quick {
        return Ok(outcome);
    }
    let mut attempts = vec![many];
    if !few.is_empty() && effort == Effort::Full {
        attempts.push(all);
    }
    for (index, heads) in attempts.iter().enumerate() {
        let rest = (attempts.len() - index) as u32;
        let deadline = options.deadline.map(|deadline| {
            let now = Instant::now();
            now + deadline.saturating_duration_since(now) / rest
        });
        let options = told(options, deadline);
        let job = Job {
            module,
            inlined: &inlined,
            invariants: &invariants,
            options: &options,
            effort,
            choice,
        };
        if let Some(found) = attempt(&job, heads, sink)? {
            let settled = |outcome: &Outcome| {
                let statuses = outcome.statuses.values();
                statuses.filter(|status| is_settled(status)).count()
            };
            if settled(&found) > settled(&outcome) || index == 0 {
                outcome = found;
            }
            if settled(&outcome) == module.obligations.len() {
                break;
            }
        }
    }
    Ok(outcome)
}

/// What the bounded engine is told about a program of ours.
fn told(options: &bmc::Options, deadline: Option<Instant>) -> bmc::Options {
    bmc::Options {
        deadline,
        unwind: None,
        unwind_loops: Default::default(),
        depth: None,
        violations: bmc::Violations::Each,
        vacuity: false,
        induction: false,
        inventor: None,
        ..options.clone()
    }
}

fn is_settled(status: &Status) -> bool {
    match status {
        Status::Proved | Status::Unreachable | Status::Vacuous => true,
        Status::ProvedBounded(_) | Status::Violated | Status::Unknown(_) => false,
    }
}

/// What an attempt is made on.
struct Job<'a> {
    module: &'a Module,
    inlined: &'a Module,
    invariants: &'a Invariants,
    options: &'a bmc::Options,
    effort: Effort,
    choice: &'a Choice,
}

/// Cuts these loops and proves what is left; none if the facts could not be proved.
///
/// The facts come first, alone: a failing check ends the execution, so that for them the program's own checks are
/// assumptions. What a solver refutes goes at once, many facts at a time, for a part of the time; then the others are asked one by one, and
/// at last the program's checks with the facts that are left, which are asked again.
fn attempt(
    job: &Job<'_>,
    heads: &BTreeSet<Block>,
    sink: &Arc<dyn Sink>,
) -> Result<Option<Outcome>, EngineError> {
    let (module, inlined, invariants) = (job.module, job.inlined, job.invariants);
    let options = job.options;
    let entry = inlined.entry.expect("there is an entry");
    let body = inlined.body(entry);
    let mut dropped: BTreeSet<(Block, Fact)> = BTreeSet::new();
    let mut own = OwnChecks::Assumed;
    let accesses = accesses(body, options);
    let segments = Segments::new(inlined, body, invariants, heads);
    // What is found in a cut program is nothing that a user should hear of.
    let silence: Arc<dyn Sink> = Arc::new(Silence);
    // Facts that are refuted at once, many at a time; then those that are left are proved, or not.
    let mut asked = Asked::Together;
    let sifting = options.deadline.map(|deadline| {
        let now = Instant::now();
        now + deadline.saturating_duration_since(now).mul_f64(SIFTING)
    });
    // What executions suggest, once they have been made.
    let mut learned: Option<BTreeMap<Block, Vec<Fact>>> = None;
    for _ in 0..MAX_ROUNDS {
        let numbers: RefCell<BTreeMap<Block, Vec<Place>>> = RefCell::default();
        let mut cut = cut::cut(
            inlined,
            entry,
            accesses,
            asked,
            |head| heads.contains(&head),
            |head, places| {
                let mut all = facts::at_head(inlined, body, head, invariants, places, job.choice);
                if job.choice.has(Domain::Guess) {
                    all.extend(candidates::at_head(body, head, places));
                }
                if job.choice.has(Domain::Segment) {
                    all.extend_from_slice(segments.at_head(head));
                }
                match &learned {
                    Some(learned) => all.extend(learned.get(&head).into_iter().flatten().cloned()),
                    None => {
                        let own = learned::numbers(body, head, places);
                        numbers.borrow_mut().insert(head, own);
                    }
                }
                all.retain(|fact| !dropped.contains(&(head, fact.clone())));
                all
            },
        );
        if job.effort == Effort::Quick && !cut.left.is_empty() {
            return Ok(None);
        }
        if learned.is_none() && !cut.heads.is_empty() {
            let executed = execute(job, &cut, &numbers.into_inner());
            dropped.extend(executed.violated);
            learned = Some(executed.suggested);
            continue;
        }
        for (head, why) in &cut.left {
            cut.module
                .notes
                .push(format!("the loop at {head} is left alone: {why}"));
        }
        sink.show("cut", &cut.module);
        if cut.guards.is_empty() {
            own = OwnChecks::Asked;
        }
        if own == OwnChecks::Assumed {
            assume_own_checks(&mut cut.module, &cut.guards);
        }
        if let Err(complaints) = ir::wellformed::check(&cut.module) {
            let text = ir::wellformed::explain(&complaints);
            return Err(EngineError(format!(
                "a cut program is not wellformed: {text}"
            )));
        }
        if asked == Asked::Together {
            let found = sift(&cut, options, sifting, &silence)?;
            let refuted = cut.guards.iter();
            let refuted = refuted.filter(|(id, _, _)| found.claims.contains(id));
            dropped.extend(refuted.map(|(_, head, fact)| (*head, fact.clone())));
            let late = sifting.is_some_and(|until| Instant::now() >= until);
            if found.claims.is_empty() || late {
                asked = Asked::OneByOne;
                if found.exhausted {
                    own = OwnChecks::Asked;
                }
            }
            continue;
        }
        let found = match own {
            OwnChecks::Asked => bmc::check(&cut.module, options, &silence)?,
            // What is found so is asked again, and then a second solver is.
            OwnChecks::Assumed => {
                let alone = bmc::Options {
                    second: None,
                    ..options.clone()
                };
                bmc::check(&cut.module, &alone, &silence)?
            }
        };
        let refuted: Vec<&(Obligation, Block, Fact)> = cut
            .guards
            .iter()
            .filter(|(id, _, _)| {
                // A counterexample that does not replay is reason enough to do without the fact.
                let unconfirmed = Status::Unknown(Reason::Unconfirmed);
                let status = &found.statuses[*id];
                *status == Status::Violated || *status == unconfirmed
            })
            .collect();
        if refuted.is_empty() {
            match own {
                OwnChecks::Assumed => own = OwnChecks::Asked,
                OwnChecks::Asked => return Ok(concluded(module, inlined, &cut, found)),
            }
        }
        dropped.extend(refuted.iter().map(|(_, head, fact)| (*head, fact.clone())));
        if options
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
        {
            break;
        }
    }
    Ok(None)
}

/// What executions say of facts.
struct Executed {
    /// These do not hold.
    violated: BTreeSet<(Block, Fact)>,
    /// These may.
    suggested: BTreeMap<Block, Vec<Fact>>,
}

/// Executes the program: which of the cut program's facts do not hold, and which others may.
fn execute(job: &Job<'_>, cut: &Cut, numbers: &BTreeMap<Block, Vec<Place>>) -> Executed {
    let entry = job.inlined.entry.expect("there is an entry");
    let body = job.inlined.body(entry);
    let mut facts: BTreeMap<Block, Vec<Fact>> = BTreeMap::new();
    for &head in &cut.heads {
        facts.entry(head).or_default();
    }
    for (_, head, fact) in &cut.guards {
        facts.entry(*head).or_default().push(fact.clone());
    }
    let mut watched = watched::watched(job.inlined, entry, &facts, numbers);
    assume_own_checks(&mut watched.module, &watched.guards);
    let now = Instant::now();
    let deadline = job
        .options
        .deadline
        .map(|deadline| now + deadline.saturating_duration_since(now).mul_f64(EXECUTING));
    let met = bmc::execute(&watched.module, &watched.numbers, deadline);
    let guards = watched.guards.into_iter();
    let violated = guards.filter(|(id, _, _)| met.violated.contains(id));
    let violated = violated.map(|(_, head, fact)| (head, fact)).collect();
    let mut suggested = BTreeMap::new();
    if job.choice.has(Domain::Guess) {
        let mut rows: BTreeMap<Block, Vec<Vec<u64>>> = BTreeMap::new();
        for (gate, list) in met.numbers {
            rows.entry(watched.heads[&gate]).or_default().extend(list);
        }
        for (head, rows) in rows {
            let places = numbers.get(&head).map_or(&[][..], Vec::as_slice);
            suggested.insert(head, learned::facts(body, head, places, &rows));
        }
    }
    Executed {
        violated,
        suggested,
    }
}

/// Which facts some execution of a cut program violates, as far as that is found out in time.
fn sift(
    cut: &Cut,
    options: &bmc::Options,
    deadline: Option<Instant>,
    sink: &Arc<dyn Sink>,
) -> Result<bmc::Refuted, EngineError> {
    let options = bmc::Options {
        deadline,
        ..options.clone()
    };
    let ids = cut.guards.iter().map(|(id, _, _)| *id).collect();
    bmc::refute(&cut.module, &options, &ids, sink)
}

/// Where accesses may go. With some checks an execution goes on in memory that belongs to no object: then the text asks for it.
fn accesses(body: &Body, options: &bmc::Options) -> Accesses {
    let mut insts = body.insts.values();
    let strays = insts.any(|data| match data.op {
        Op::IsDeref { access, .. } => matches!(access, Access::Look | Access::Change),
        _ => false, // Does not ask.
    });
    match options.accesses_checked && !strays {
        true => Accesses::Checked,
        false => Accesses::Anywhere,
    }
}

/// What becomes of the program's own checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum OwnChecks {
    /// They are assumptions.
    Assumed,
    /// They are asked.
    Asked,
}

/// Turns the program's own checks into assumptions.
fn assume_own_checks(module: &mut Module, guards: &[(Obligation, Block, Fact)]) {
    let guards: BTreeSet<Obligation> = guards.iter().map(|(id, _, _)| *id).collect();
    let entry = module.entry.expect("there is an entry");
    let body = module.body_mut(entry);
    for data in body.insts.values_mut() {
        if let Op::Check(id, cond) = &data.op
            && !guards.contains(id)
        {
            data.op = Op::Assume(cond.clone(), Origin::Unchecked);
        }
    }
}

/// What the proofs in the cut program say about the program; nothing if a fact is open.
fn concluded(module: &Module, inlined: &Module, cut: &Cut, found: Outcome) -> Option<Outcome> {
    let new = inlined.obligations.keys().skip(module.obligations.len());
    let guards = cut.guards.iter().map(|(id, _, _)| *id).chain(new);
    let holds = |id: Obligation| is_settled(&found.statuses[id]);
    if !guards.into_iter().all(holds)
        || !found.unconfirmed.is_empty()
        || !found.contradictions.is_empty()
    {
        return None;
    }
    let mut outcome = nothing(module);
    for id in module.obligations.keys() {
        let status = found.statuses[id].clone();
        outcome.statuses[id] = match status {
            Status::Proved | Status::Unreachable | Status::Vacuous => status,
            // An execution of the cut program is not one of the program.
            Status::Violated => Status::Unknown(Reason::Invariant),
            Status::ProvedBounded(_) => Status::Unknown(Reason::Bounded),
            // By an execution of the cut program; whoever interrupts us says so himself.
            Status::Unknown(Reason::Interrupted) => Status::Unknown(Reason::Invariant),
            Status::Unknown(reason) => Status::Unknown(reason),
        };
    }
    let open = outcome.statuses.values().find_map(|status| match status {
        Status::Unknown(reason) => Some(reason.clone()),
        _ => None,
    });
    let reason = found.reason.clone();
    outcome.reason = reason
        .filter(|reason| *reason != Reason::Interrupted)
        .or(open);
    outcome.invariants = invariants(inlined, cut);
    outcome.gaps = found.gaps;
    outcome.layouts = found.layouts;
    outcome.second = found.second;
    outcome.stats = found.stats;
    outcome.vanished = found.vanished;
    outcome
        .vanished
        .retain(|id| module.obligations.contains(*id));
    Some(outcome)
}

/// The facts that are left, as far as the source has words for them. A loop that stands there several times, once for each call
/// of its function, has those that hold each time.
fn invariants(inlined: &Module, cut: &Cut) -> Vec<Invariant> {
    let body = inlined.body(inlined.entry.expect("there is an entry"));
    let place = |head: Block| {
        let place = body.blocks[head].place?;
        Some(inlined.places[place].place.clone())
    };
    let mut names: BTreeMap<Block, Names<'_>> = BTreeMap::new();
    let mut holds: BTreeMap<(base::Place, String), BTreeSet<Block>> = BTreeMap::new();
    for (_, head, fact) in &cut.guards {
        let names = names
            .entry(*head)
            .or_insert_with(|| Names::at(inlined, body, *head));
        let text = spoken::sentence(body, *head, fact).and_then(|said| names.text(&said));
        if let (Some(place), Some(text)) = (place(*head), text) {
            holds.entry((place, text)).or_default().insert(*head);
        }
    }
    let loops = Loops::new(&Cfg::new(body));
    let mut times: BTreeMap<base::Place, usize> = BTreeMap::new();
    for data in loops.loops.values() {
        if let Some(place) = place(data.header) {
            *times.entry(place).or_default() += 1;
        }
    }
    holds
        .into_iter()
        .filter(|((place, _), heads)| times.get(place) == Some(&heads.len()))
        .map(|((place, text), _)| Invariant {
            place: Some(place),
            text,
            by: "absint".to_owned(),
        })
        .collect()
}

/// Nothing was found out.
fn nothing(module: &Module) -> Outcome {
    Outcome {
        statuses: Map::filled(Status::Unknown(Reason::Invariant), module.obligations.len()),
        reason: Some(Reason::Invariant),
        ..Outcome::default()
    }
}
