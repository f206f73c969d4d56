//! Results added up: by suite, by category, by property, by reason, by stage.

use serde::Serialize;

use crate::judge::Judgement;
use crate::record::Record;
use crate::task::Expected;

/// Results of a group of tasks.
#[derive(Clone, Default, PartialEq, Serialize, Debug)]
pub struct Counts {
    /// All of them.
    pub tasks: usize,
    /// Answered `true`, and it is.
    pub right_true: usize,
    /// Answered `false`, and it is.
    pub right_false: usize,
    /// Answered `true`, though the property is violated.
    pub wrong_true: usize,
    /// Answered `false`, though the property holds.
    pub wrong_false: usize,
    /// Not answered.
    pub unknown: usize,
    /// The points.
    pub score: i64,
    /// The points that were to be had.
    pub max_score: i64,
    /// Seconds on the wall, added up.
    pub wall_s: f64,
    /// CPU seconds, added up.
    pub cpu_s: f64,
}

impl Counts {
    /// Answered as expected.
    pub fn right(&self) -> usize {
        self.right_true + self.right_false
    }

    /// Answered with the opposite.
    pub fn wrong(&self) -> usize {
        self.wrong_true + self.wrong_false
    }

    fn add(&mut self, record: &Record) {
        self.tasks += 1;
        let place = match (record.judgement, record.expected) {
            (Judgement::Right, Expected::True) => &mut self.right_true,
            (Judgement::Right, Expected::False) => &mut self.right_false,
            (Judgement::Wrong, Expected::True) => &mut self.wrong_false,
            (Judgement::Wrong, Expected::False) => &mut self.wrong_true,
            (Judgement::Unknown, _) => &mut self.unknown,
        };
        *place += 1;
        self.score += record.score();
        self.max_score += Judgement::Right.score(record.expected);
        self.wall_s += record.measured.wall_s;
        self.cpu_s += record.measured.cpu_s;
    }
}

/// A group with its name.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct Group {
    /// What its tasks have in common.
    pub name: String,
    /// Its results.
    #[serde(flatten)]
    pub counts: Counts,
}

/// Why answers are unknown.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Reason {
    /// The reason without its particulars.
    pub name: String,
    /// How many tasks it concerns.
    pub tasks: usize,
    /// The first of them for which the verifier said more, and what it said.
    pub example: Option<(String, String)>,
}

/// All results added up. Groups stand in the order in which the task list mentions them.
#[derive(Clone, Default, PartialEq, Serialize, Debug)]
pub struct Summary {
    /// Everything.
    pub total: Counts,
    /// By suite.
    pub suites: Vec<Group>,
    /// By category.
    pub categories: Vec<Group>,
    /// By property.
    pub properties: Vec<Group>,
    /// Why answers are unknown, the commonest first.
    pub reasons: Vec<Reason>,
    /// Which engine gave the right answers, the busiest first; empty names left out.
    pub engines: Vec<(String, usize)>,
    /// Seconds by stage over all tasks, in the order of the pipeline.
    pub stages: Vec<(String, f64)>,
}

/// Adds up.
pub fn summarize(records: &[Record]) -> Summary {
    let mut summary = Summary::default();
    for record in records {
        summary.total.add(record);
        for (groups, name) in [
            (&mut summary.suites, &record.suite),
            (&mut summary.categories, &record.category),
            (&mut summary.properties, &record.property),
        ] {
            entry(groups, name).add(record);
        }
        match record.judgement {
            Judgement::Unknown => add_reason(&mut summary.reasons, record),
            Judgement::Right if !record.engine.is_empty() => {
                let engines = &mut summary.engines;
                match engines.iter_mut().find(|(name, _)| *name == record.engine) {
                    Some((_, number)) => *number += 1,
                    None => engines.push((record.engine.clone(), 1)),
                }
            }
            Judgement::Right | Judgement::Wrong => {}
        }
        for (name, seconds) in &record.stages {
            match summary.stages.iter_mut().find(|(known, _)| known == name) {
                Some((_, sum)) => *sum += seconds,
                None => summary.stages.push((name.clone(), *seconds)),
            }
        }
    }
    let order = |a: (&String, usize), b: (&String, usize)| b.1.cmp(&a.1).then(a.0.cmp(b.0));
    let reasons = &mut summary.reasons;
    reasons.sort_by(|a, b| order((&a.name, a.tasks), (&b.name, b.tasks)));
    summary
        .engines
        .sort_by(|a, b| order((&a.0, a.1), (&b.0, b.1)));
    summary
}

fn entry<'a>(groups: &'a mut Vec<Group>, name: &str) -> &'a mut Counts {
    let index = match groups.iter().position(|group| group.name == name) {
        Some(index) => index,
        None => {
            groups.push(Group {
                name: name.to_owned(),
                counts: Counts::default(),
            });
            groups.len() - 1
        }
    };
    &mut groups[index].counts
}

fn add_reason(reasons: &mut Vec<Reason>, record: &Record) {
    let example = || {
        let said = Some(&record.message).filter(|message| !message.is_empty());
        said.map(|message| (record.id.clone(), message.clone()))
    };
    let name = record.reason_group();
    match reasons.iter_mut().find(|reason| reason.name == name) {
        Some(reason) => {
            reason.tasks += 1;
            if reason.example.is_none() {
                reason.example = example();
            }
        }
        None => reasons.push(Reason {
            name: name.to_owned(),
            tasks: 1,
            example: example(),
        }),
    }
}
