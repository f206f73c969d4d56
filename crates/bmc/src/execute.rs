//! What a few executions meet: claims that they violate, and numbers that they come by.
//!
//! Whoever guesses finds out cheaply here what is wrong, and what may be right. Nothing rests on it: a guess that no execution
//! refutes is still to be proved. Executions go on after a claim that fails.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use base::Bv;
use interp::choices::{Choices, Fill, ObjectChoice, Refusal};
use interp::config::{AfterFailure, Record, Ways};
use interp::observe::Observer;
use interp::view::{Position, View};
use interp::{Bindings, Config, Value};
use ir::syntax::{Block, Module, Obligation, Operand};

use crate::extern_pointers::has_unknown_memory;
use crate::habits::{Constants, Habits};
use crate::samples::config;

/// How many executions, and how many steps each: most loops show in a few rounds what they do.
const SHORT: (u64, u64) = (60, 1 << 13);
/// A few go further, to what comes after long loops.
const LONG: (u64, u64) = (3, 1 << 18);
/// Rows that are kept of one block, from one execution and in all.
const ROWS: (usize, usize) = (40, 240);

/// What executions met.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Met {
    /// Claims that one of them violates.
    pub violated: BTreeSet<Obligation>,
    /// What the operands that were asked for held at the end of a block, each time that it was passed, as far as that is kept.
    pub numbers: BTreeMap<Block, Vec<Vec<u64>>>,
}

/// Executes a program of one function at random, a few times, until the deadline. `watched` has the integers of at most 64 bits that are noted
/// at the ends of blocks.
pub fn execute(
    module: &Module,
    watched: &BTreeMap<Block, Vec<Operand>>,
    deadline: Option<Instant>,
) -> Met {
    let constants = Constants::of(module);
    let unknown = has_unknown_memory(module);
    let mut met = Met::default();
    for ((count, steps), first) in [(SHORT, 0), (LONG, SHORT.0)] {
        let config = Config {
            after_failure: AfterFailure::Continue,
            record: Record::Off,
            ways: Ways::Ignored,
            ..config(steps, unknown)
        };
        for number in first..first + count {
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return met;
            }
            let mut choices = Varied {
                habits: Habits::new(number / 2, &constants),
                varied: number % 2 == 1,
            };
            let mut watcher = Watcher {
                watched,
                rows: BTreeMap::new(),
            };
            let bindings = Bindings {
                observer: Some(&mut watcher),
                ..Bindings::new(&mut choices)
            };
            let run = interp::run(module, &config, bindings);
            let violated = run.failures.iter().map(|failure| failure.obligation);
            met.violated.extend(violated);
            for (block, rows) in watcher.rows {
                let known = met.numbers.entry(block).or_default();
                let room = ROWS.1.saturating_sub(known.len());
                known.extend(rows.into_iter().take(room));
            }
        }
    }
    met
}

/// Choices by a habit, or each of them anew: nothing, a small number, or what the habit says. Who always chooses alike sees one way through
/// a loop only.
struct Varied<'a> {
    habits: Habits<'a>,
    varied: bool,
}

impl Choices for Varied<'_> {
    fn value(&mut self, width: u32) -> Result<Bv, Refusal> {
        let dice = if self.varied { self.habits.number() } else { 2 };
        match dice % 3 {
            0 => Ok(Bv::zero(width)),
            1 => Ok(Bv::from_u64(1 + dice / 3 % 20, width)),
            _ => self.habits.value(width),
        }
    }

    fn object(&mut self, size: u64) -> Result<ObjectChoice, Refusal> {
        self.habits.object(size)
    }

    fn bytes(&mut self, len: u64) -> Result<Fill, Refusal> {
        self.habits.bytes(len)
    }

    fn clobber(&mut self, reach: &[(u64, u64)]) -> Result<Vec<(u64, u8)>, Refusal> {
        self.habits.clobber(reach)
    }
}

struct Watcher<'a> {
    watched: &'a BTreeMap<Block, Vec<Operand>>,
    rows: BTreeMap<Block, Vec<Vec<u64>>>,
}

impl Observer for Watcher<'_> {
    fn step(&mut self, view: &View<'_>) {
        let Position::End(block) = view.position() else {
            return;
        };
        let Some(operands) = self.watched.get(&block) else {
            return;
        };
        let rows = self.rows.entry(block).or_default();
        if rows.len() >= ROWS.0 {
            return;
        }
        let number = |operand: &Operand| match view.operand(operand)? {
            Value::Int(bits) => bits.to_u64(),
            Value::Float(..) | Value::Pointer(_) | Value::Memory(..) => None,
        };
        let row: Option<Vec<u64>> = operands.iter().map(number).collect();
        rows.extend(row);
    }
}
