//! What is new since an earlier report: `--baseline OLD.json`, and `--fail-on new`.
//!
//! Ids count the obligations of a function, so that they move when the function changes. So two violations are the same if they have
//! the same id and claim the same, or else if they are of the same check and text in the same function: of these, as many are known as
//! there were.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use results::{Claim, Failure, Results, Status, Verdict};
use serde_json::Value;

/// An earlier report.
pub struct Baseline {
    rows: Vec<Row>,
}

struct Row {
    id: String,
    key: Key,
    violated: bool,
    settled: bool,
}

/// What stays when ids move: function, check, text.
type Key = (String, String, String);

/// What is new.
#[derive(Default)]
pub struct News {
    /// Ids of violations that were none.
    pub violated: BTreeSet<String>,
    /// Ids of what is not proved, and was, or was not there.
    pub open: BTreeSet<String>,
    /// How many violations were known.
    pub known: usize,
    /// How many violations are gone.
    pub fixed: usize,
}

impl Baseline {
    /// Reads what `verify --json` wrote.
    pub fn read(file: &Path) -> Result<Baseline, Failure> {
        let name = file.display();
        let wrong = |what: &str| {
            Failure::usage(format!(
                "--baseline {name}: {what}; it takes what an earlier run wrote with --json"
            ))
        };
        let text = std::fs::read_to_string(file).map_err(|error| wrong(&error.to_string()))?;
        let report: Value =
            serde_json::from_str(&text).map_err(|error| wrong(&error.to_string()))?;
        let list = report["obligations"].as_array();
        let list = list.filter(|_| report["tool"]["name"] == "selkie");
        let list = list.ok_or_else(|| wrong("is no report of selkie verify --json"))?;
        let rows: Option<Vec<Row>> = list.iter().map(row).collect();
        let rows = rows.ok_or_else(|| wrong("an obligation in it cannot be read"))?;
        Ok(Baseline { rows })
    }

    /// What is new in these results.
    pub fn news(&self, results: &Results) -> News {
        let shown: Vec<(&Claim, &Status)> = results
            .shown()
            .map(|(_, claim, status)| (claim, status))
            .collect();
        let is_violated = |status: &Status| matches!(status, Status::Violated);
        let violated = shown.iter().filter(|(_, status)| is_violated(status));
        let violated: Vec<&Claim> = violated.map(|(claim, _)| *claim).collect();
        let open = shown
            .iter()
            .filter(|(_, status)| !is_violated(status) && !status.is_settled());
        let open: Vec<&Claim> = open.map(|(claim, _)| *claim).collect();
        let before = self.rows.iter().filter(|row| row.violated);
        let new = beyond(&violated, before.clone());
        let known = violated.len() - new.len();
        let unsettled = self.rows.iter().filter(|row| !row.settled);
        News {
            fixed: before.count().saturating_sub(known),
            known,
            violated: new,
            open: beyond(&open, unsettled),
        }
    }
}

impl News {
    /// The exit code if only what is new counts; none if the verdict's own counts.
    pub fn exit_code(&self, verdict: &Verdict, finished: bool) -> Option<u8> {
        match verdict {
            Verdict::False(_) | Verdict::Unknown(_) if finished => {
                match (self.violated.is_empty(), self.open.is_empty()) {
                    (false, _) => Some(10),
                    (true, false) => Some(5),
                    (true, true) => Some(0),
                }
            }
            _ => None,
        }
    }

    /// In a sentence.
    pub fn sentence(&self, file: &Path) -> String {
        let mut parts = vec![
            format!("{} new", violations(self.violated.len())),
            format!("{} known", self.known),
            format!("{} gone", self.fixed),
        ];
        if !self.open.is_empty() {
            parts.push(format!(
                "{} not proved that were no question then",
                self.open.len()
            ));
        }
        format!("since {}: {}", file.display(), parts.join(", "))
    }
}

fn violations(count: usize) -> String {
    match count {
        1 => "1 violation".to_owned(),
        _ => format!("{count} violations"),
    }
}

fn row(row: &Value) -> Option<Row> {
    let text = |name: &str| row[name].as_str().map(str::to_owned);
    let id = text("id")?;
    let status = text("status")?;
    let func = id.rsplitn(3, '.').nth(2).unwrap_or(&id).to_owned();
    Some(Row {
        key: (func, text("check")?, text("description")?),
        violated: status == "VIOLATED",
        settled: matches!(&*status, "PROVED" | "UNREACHABLE"),
        id,
    })
}

fn key(claim: &Claim) -> Key {
    let func = claim.func().to_owned();
    (func, claim.check.name().to_owned(), claim.text.clone())
}

/// The ids of those of which there were fewer before.
fn beyond<'r>(now: &[&Claim], before: impl Iterator<Item = &'r Row>) -> BTreeSet<String> {
    let mut left: BTreeMap<&Key, Vec<&str>> = BTreeMap::new();
    for row in before {
        left.entry(&row.key).or_default().push(&row.id);
    }
    let mut moved = Vec::new();
    for claim in now {
        let ids = left.get_mut(&key(claim));
        let same = ids.and_then(|ids| {
            let at = ids.iter().position(|id| *id == claim.id)?;
            Some(ids.swap_remove(at))
        });
        if same.is_none() {
            moved.push(*claim);
        }
    }
    let new = moved.into_iter().filter(|claim| {
        let ids = left.get_mut(&key(claim));
        ids.and_then(Vec::pop).is_none()
    });
    new.map(|claim| claim.id.clone()).collect()
}
