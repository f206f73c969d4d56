//! An execution that violates something, as a story: what it was given, which ways it went, what it assigned, and which of that
//! the violation comes from.

use base::Place;
use serde::{Deserialize, Serialize};

/// The story of an execution.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Story {
    /// What happened, in order.
    pub steps: Vec<Step>,
    /// What was chosen from outside, in order.
    pub inputs: Vec<Input>,
    /// Objects that were there in the end.
    pub objects: Vec<Drawn>,
    /// Is it known what the violation comes from? Not for executions that are too long.
    pub sliced: bool,
    /// How many things happened after which no more were kept.
    pub left_out: u64,
}

/// One thing that happened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// Where.
    pub place: Option<Place>,
    /// In which function of the source.
    pub func: String,
    /// How many calls deep: 0 is the entry.
    pub depth: u32,
    /// Does the violation come from it?
    pub matters: bool,
    /// What.
    pub what: What,
}

/// What can happen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// An input, by its index among them.
    Input(usize),
    /// Something has a value now.
    Assign {
        /// The variable, or the part of an object.
        name: String,
        /// Its value.
        value: String,
        /// The object that it lies in, if it is no variable of the function.
        object: Option<String>,
    },
    /// A way was chosen: it goes on there.
    Branch(Option<Place>),
    /// A function of this name was called.
    Call(String),
    /// It returned.
    Return(String),
    /// An object came into being.
    Allocate {
        /// Its name.
        object: String,
        /// Its size in bytes.
        size: u64,
    },
    /// An object was freed.
    Free(String),
    /// From here on nothing leads to this object any more.
    Lost(String),
}

/// Something that was chosen from outside.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Input {
    /// Why it was asked for.
    pub kind: InputKind,
    /// The variable that got it first, if one did.
    pub name: Option<String>,
    /// Where it was asked for.
    pub place: Option<Place>,
    /// Its value, for people.
    pub value: String,
    /// Its bits, if it is a value.
    pub bits: Option<String>,
    /// Its index among the choices of the execution.
    pub event: usize,
}

/// Why an input was asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputKind {
    /// The program asked for it.
    Asked,
    /// Unknown code returned it.
    Returned,
    /// A volatile object held it.
    Volatile,
    /// A variable that was never assigned held it.
    Uninitialised,
    /// Memory that belongs to no object held it.
    Outside,
    /// Bytes of an object that were never written.
    Contents,
}

impl InputKind {
    /// In words.
    pub fn word(self) -> &'static str {
        match self {
            InputKind::Asked => "input",
            InputKind::Returned => "unknown code returns",
            InputKind::Volatile => "a volatile object holds",
            InputKind::Uninitialised => "not initialised",
            InputKind::Outside => "memory of no object holds",
            InputKind::Contents => "never written",
        }
    }
}

/// An object as it was in the end.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Drawn {
    /// Its name.
    pub name: String,
    /// `global`, `local` or `heap`.
    pub kind: String,
    /// Its size in bytes.
    pub size: u64,
    /// Does it still live?
    pub alive: bool,
    /// Where it came from.
    pub place: Option<Place>,
    /// Its first bytes in hexadecimal digits; as many as are worth it.
    pub hex: String,
    /// The same as text, if it is text.
    pub text: Option<String>,
    /// Pointers in it: at which offset, and where they lead.
    pub pointers: Vec<(u64, String)>,
}

impl Story {
    /// The steps that the violation comes from, all of them if that is not known.
    pub fn important(&self) -> impl Iterator<Item = &Step> {
        self.steps
            .iter()
            .filter(|step| step.matters || !self.sliced)
    }
}
