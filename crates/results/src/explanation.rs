//! What the interpreter says about a violation, for people.

use std::fmt;

use base::Place;
use ir::syntax::{Obligation, Var};
use serde::{Deserialize, Serialize};

/// A violated obligation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Failure {
    /// Which.
    pub obligation: Obligation,
    /// Instructions executed before.
    pub steps: u64,
    /// Why, for people.
    pub explanation: Explanation,
}

/// An object that a violation is about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ObjectReport {
    /// Its variable, or its number.
    pub name: String,
    /// Kind.
    pub kind: ObjectKind,
    /// Size in bytes.
    pub size: u64,
    /// Where the pointer points, from the object's first byte.
    pub offset: i64,
    /// How many bytes are accessed there; 0 if it is not an access.
    pub accessed: u64,
    /// May it not be written?
    pub constant: bool,
    /// Where it was allocated or declared.
    pub allocated: Option<Place>,
    /// How and where its life ended.
    pub ended: Option<(End, Option<Place>)>,
}

/// Why a check failed.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Explanation {
    /// The reason, in one sentence; empty if there is nothing to add to the obligation's text.
    pub sentence: String,
    /// The object it is about.
    pub object: Option<ObjectReport>,
    /// The calls that lead there, the innermost first, with their variables.
    pub stack: Vec<FrameReport>,
}

/// A source variable with its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shown {
    /// Which.
    pub var: Var,
    /// Its name in the source.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// An activation in a report, inlined ones included.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FrameReport {
    /// The function in the source.
    pub func: String,
    /// Where it is.
    pub place: Option<Place>,
    /// Is it a model of a library function?
    #[serde(default)]
    pub model: bool,
    /// Its variables with known values, in the order in which they appeared.
    pub vars: Vec<Shown>,
}

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
pub enum ObjectKind {
    /// A global.
    Global,
    /// A local variable, or a piece of the stack.
    Stack,
    /// From `malloc` and its like.
    Heap,
}

/// How an object's life ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
pub enum End {
    /// By `free`.
    Freed,
    /// Its scope was left.
    Scope,
    /// Its function returned.
    Returned,
}

impl fmt::Display for ObjectReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            ObjectKind::Global => "global",
            ObjectKind::Stack => "local",
            ObjectKind::Heap => "heap object",
        };
        let bytes = if self.size == 1 { "byte" } else { "bytes" };
        match self.name.starts_with('`') {
            true => write!(f, "{} is a {kind} of {} {bytes}", self.name, self.size)?,
            false => write!(f, "{} has {} {bytes}", self.name, self.size)?,
        }
        if let Some(place) = &self.allocated {
            let verb = match self.kind {
                ObjectKind::Heap => "allocated",
                ObjectKind::Global | ObjectKind::Stack => "declared",
            };
            write!(f, ", {verb} at {}", short(place))?;
        }
        if let Some((end, place)) = &self.ended {
            let (what, word) = match end {
                End::Freed => ("freed", "at"),
                End::Scope => ("out of scope", "since"),
                End::Returned => ("dead since its function returned", "at"),
            };
            write!(f, ", {what}")?;
            if let Some(place) = place {
                write!(f, " {word} {}", short(place))?;
            }
        }
        Ok(())
    }
}

/// A place, without a column that is not known.
pub fn short(place: &Place) -> String {
    match place.col {
        0 => format!("{}:{}", place.file, place.line),
        _ => place.to_string(),
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.sentence.is_empty() {
            writeln!(f, "{}", self.sentence)?;
        }
        if let Some(object) = &self.object {
            writeln!(f, "  {object}")?;
        }
        for (index, frame) in self.stack.iter().enumerate() {
            let word = if index == 0 { "in" } else { "called from" };
            write!(f, "  {word} {}", frame.func)?;
            if let Some(place) = &frame.place {
                write!(f, " at {place}")?;
            }
            if !frame.vars.is_empty() {
                let vars: Vec<String> = frame
                    .vars
                    .iter()
                    .map(|shown| format!("{} = {}", shown.name, shown.value))
                    .collect();
                write!(f, ": {}", vars.join(", "))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
