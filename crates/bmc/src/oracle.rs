//! Answers for the evaluator's questions about paths, by a solver that never takes long.

use std::time::{Duration, Instant};

use encode::eval::{Assumption, Oracle};
use rustc_hash::FxHashMap;
use solve::{Answer, Checked, Config, Interrupt, Limits, Listener, Solver};
use terms::{Term, Terms};

/// The time for one question.
const PATIENCE: Duration = Duration::from_millis(100);
/// Questions are asked as long as they take at most this part of the round's time, and a little.
const SHARE: u32 = 5;
/// The little.
const START: Duration = Duration::from_millis(100);
/// After so many questions without an answer no more are asked.
const TRIES: u32 = 4;

/// Answers: whether a condition can hold together with assumptions.
pub type Answers = FxHashMap<(Term, Term), bool>;

/// See the module.
pub struct Solving {
    solver: Option<Checked>,
    /// What was answered before, about the same terms.
    pub answers: Answers,
    deadline: Option<Instant>,
    interrupt: Interrupt,
    /// The conjunction of the first assumptions, and how many they are.
    prefix: Option<(Term, usize)>,
    failures: u32,
    ticks: u32,
    start: Instant,
    /// Time spent.
    pub time: Duration,
}

impl Solving {
    /// An oracle that asks the named solver.
    pub fn new(
        solver: &str,
        memory: Option<u64>,
        deadline: Option<Instant>,
        interrupt: Interrupt,
        listener: Option<Listener>,
    ) -> Solving {
        let limits = Limits {
            time: Some(PATIENCE),
            memory,
        };
        let config = Config {
            limits,
            listener,
            ..Config::default()
        };
        let solver = Checked::open(solver, &config).ok();
        Solving {
            solver,
            answers: Answers::default(),
            deadline,
            interrupt,
            prefix: None,
            failures: 0,
            ticks: 0,
            start: Instant::now(),
            time: Duration::ZERO,
        }
    }
}

impl Oracle for Solving {
    fn interrupted(&mut self) -> bool {
        self.ticks = self.ticks.wrapping_add(1);
        // A step may be long: much of memory may have to be merged.
        self.interrupt.is_set()
            || self.ticks % 4 == 0
                && self
                    .deadline
                    .is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn feasible(
        &mut self,
        terms: &mut Terms,
        assumptions: &[Assumption],
        condition: Term,
    ) -> Option<bool> {
        let (mut prefix, done) = self.prefix.unwrap_or((terms.tru(), 0));
        for assumption in &assumptions[done..] {
            let holds = terms.implies(assumption.reached, assumption.holds);
            prefix = terms.and(prefix, holds);
        }
        self.prefix = Some((prefix, assumptions.len()));
        if let Some(&known) = self.answers.get(&(prefix, condition)) {
            return Some(known);
        }
        let budget = self.start.elapsed() / SHARE + START;
        if self.failures >= TRIES || self.time > budget {
            return None;
        }
        let solver = self.solver.as_mut()?;
        let start = Instant::now();
        let answer = solver.check(terms, &[prefix, condition]);
        self.time += start.elapsed();
        let answer = match answer {
            Ok(Answer::Sat(_)) => true,
            Ok(Answer::Unsat) => false,
            Ok(Answer::Unknown(_)) | Err(_) => {
                self.failures += 1;
                return None;
            }
        };
        self.answers.insert((prefix, condition), answer);
        Some(answer)
    }
}
