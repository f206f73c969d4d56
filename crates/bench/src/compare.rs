//! Two tables of results side by side: what was won, what was lost, and what became faster.
//!
//! Speed is compared on the tasks that both answered right, as the geometric mean of new time over old
//! time: below one is faster, and a task that takes half as long weighs as much as one that takes twice as
//! long. Times below [`FLOOR`] count as that, for they measure the machine more than the verifier.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::judge::Judgement;
use crate::record::Record;

/// Shorter times are not compared, in seconds.
pub const FLOOR: f64 = 0.01;

/// What became of a task that is answered otherwise than before.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Change {
    /// The task.
    pub id: String,
    /// Its category.
    pub category: String,
    /// The answer before.
    pub old: String,
    /// The answer now.
    pub new: String,
}

/// A comparison of a group of tasks.
#[derive(Clone, Default, PartialEq, Serialize, Debug)]
pub struct Compared {
    /// What the tasks have in common.
    pub name: String,
    /// Answered right now, and not before.
    pub newly_solved: usize,
    /// Answered right before, and not at all now.
    pub lost: usize,
    /// Answered wrong now, and not before.
    pub newly_wrong: usize,
    /// Answered right by both.
    pub both: usize,
    /// Seconds on the wall of these, before.
    pub old_wall_s: f64,
    /// Seconds on the wall of these, now.
    pub new_wall_s: f64,
    /// The geometric mean of new over old time on the wall.
    pub wall_ratio: Option<f64>,
    /// The geometric mean of new over old CPU time.
    pub cpu_ratio: Option<f64>,
    #[serde(skip)]
    log_wall: f64,
    #[serde(skip)]
    log_cpu: f64,
}

/// A task that both tables have, for the plot.
#[derive(Clone, PartialEq, Debug)]
pub struct Pair {
    /// The task.
    pub id: String,
    /// Judgement and seconds on the wall, before.
    pub old: (Judgement, f64),
    /// Judgement and seconds on the wall, now.
    pub new: (Judgement, f64),
}

/// The comparison of two tables.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct Comparison {
    /// The old table.
    pub with: String,
    /// Answered wrong now, and not before.
    pub newly_wrong: Vec<Change>,
    /// Answered right before, and not at all now.
    pub lost: Vec<Change>,
    /// Answered right now, and not before.
    pub newly_solved: Vec<Change>,
    /// Answered wrong before, and not now.
    pub no_longer_wrong: Vec<Change>,
    /// How many tasks the old table does not have.
    pub not_in_old: usize,
    /// How many of its tasks were not run now.
    pub not_in_new: usize,
    /// All tasks that both have.
    pub total: Compared,
    /// The same by category.
    pub categories: Vec<Compared>,
    /// The points of the plot.
    #[serde(skip)]
    pub pairs: Vec<Pair>,
}

/// Compares.
pub fn compare(with: &str, old: &[Record], new: &[Record]) -> Comparison {
    let old_by_id: BTreeMap<&str, &Record> = old.iter().map(|r| (r.id.as_str(), r)).collect();
    let new_ids: BTreeSet<&str> = new.iter().map(|record| record.id.as_str()).collect();
    let mut result = Comparison {
        with: with.to_owned(),
        newly_wrong: Vec::new(),
        lost: Vec::new(),
        newly_solved: Vec::new(),
        no_longer_wrong: Vec::new(),
        not_in_old: 0,
        not_in_new: old_by_id.keys().filter(|id| !new_ids.contains(*id)).count(),
        total: Compared {
            name: "all".to_owned(),
            ..Compared::default()
        },
        categories: Vec::new(),
        pairs: Vec::new(),
    };
    for record in new {
        let Some(before) = old_by_id.get(record.id.as_str()) else {
            result.not_in_old += 1;
            continue;
        };
        result.note_change(before, record);
        result.total.add(before, record);
        let known = result
            .categories
            .iter()
            .position(|group| group.name == record.category);
        let index = known.unwrap_or_else(|| {
            result.categories.push(Compared {
                name: record.category.clone(),
                ..Compared::default()
            });
            result.categories.len() - 1
        });
        result.categories[index].add(before, record);
        result.pairs.push(Pair {
            id: record.id.clone(),
            old: (before.judgement, before.measured.wall_s),
            new: (record.judgement, record.measured.wall_s),
        });
    }
    result
}

impl Comparison {
    fn note_change(&mut self, old: &Record, new: &Record) {
        let change = || Change {
            id: new.id.clone(),
            category: new.category.clone(),
            old: old.verdict.to_string(),
            new: new.verdict.to_string(),
        };
        match (old.judgement, new.judgement) {
            (Judgement::Right | Judgement::Unknown, Judgement::Wrong) => {
                self.newly_wrong.push(change());
            }
            (Judgement::Wrong, Judgement::Right) => {
                self.no_longer_wrong.push(change());
                self.newly_solved.push(change());
            }
            (Judgement::Wrong, Judgement::Unknown) => self.no_longer_wrong.push(change()),
            (Judgement::Unknown, Judgement::Right) => self.newly_solved.push(change()),
            (Judgement::Right, Judgement::Unknown) => self.lost.push(change()),
            (Judgement::Right, Judgement::Right)
            | (Judgement::Wrong, Judgement::Wrong)
            | (Judgement::Unknown, Judgement::Unknown) => {}
        }
    }
}

impl Compared {
    fn add(&mut self, old: &Record, new: &Record) {
        match (old.judgement, new.judgement) {
            (Judgement::Right, Judgement::Right) => {
                self.both += 1;
                let (before, now) = (&old.measured, &new.measured);
                self.old_wall_s += before.wall_s;
                self.new_wall_s += now.wall_s;
                let log = |old: f64, new: f64| (new.max(FLOOR) / old.max(FLOOR)).ln();
                self.log_wall += log(before.wall_s, now.wall_s);
                self.log_cpu += log(before.cpu_s, now.cpu_s);
                self.wall_ratio = Some((self.log_wall / self.both as f64).exp());
                self.cpu_ratio = Some((self.log_cpu / self.both as f64).exp());
            }
            (Judgement::Wrong | Judgement::Unknown, Judgement::Right) => self.newly_solved += 1,
            (Judgement::Right, Judgement::Unknown) => self.lost += 1,
            (Judgement::Right | Judgement::Unknown, Judgement::Wrong) => self.newly_wrong += 1,
            (Judgement::Wrong | Judgement::Unknown, Judgement::Unknown)
            | (Judgement::Wrong, Judgement::Wrong) => {}
        }
    }
}
