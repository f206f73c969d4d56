//! Whose claim an assumption is.
//!
//! All assumptions mean the same: an execution in which one does not hold does not count. But who looks at a
//! verdict asks which of them it rests on. An invariant that an engine found is a claim that has to be proved;
//! what the program assumes is the user's word.

use base::id;

use crate::syntax::Obligation;

id! {
    /// Something that an engine claims of the program.
    Fact, "k"
}

/// Whose claim it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub enum Origin {
    /// The program's own: `sk_assume` and its other names.
    #[default]
    Program,
    /// What a model of a library function, or of the environment, says of the world.
    Model,
    /// It stands for a check that is off: the offending operation is assumed not to happen.
    Unchecked,
    /// An invariant, said by an engine. It removes no execution, if the engine is right.
    Fact(Fact),
}

/// What an engine claims, and on which condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FactData {
    /// The engine's name: letters, digits and dashes.
    pub engine: String,
    /// The claim is about executions in which these hold as well.
    pub rests: Vec<Ground>,
}

/// What a fact rests on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Ground {
    /// The obligation was not violated so far.
    Obligation(Obligation),
    /// An earlier fact.
    Fact(Fact),
}
