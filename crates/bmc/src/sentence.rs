//! Sentences about a loop's states that somebody else has found, and those who find them.
//!
//! A sentence is text, because it outlives the terms of the evaluation that it was found in. It is a guess like those by
//! template: nothing rests on how it was found.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Instant;

use encode::eval::arbitrary::{Place, Point};
use encode::eval::{Instance, Val, Vc};
use encode::world::World;
use ir::syntax::{Block, Func};
use results::Sink;
use terms::smt::Reader;
use terms::{Sort, Term};

use crate::slot::{Slot, read};

/// What a sentence is about.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Part {
    /// A scalar of the state.
    Slot(Slot),
    /// A variable of the evaluation from before the loop, by its name. In another evaluation it may be another one.
    Variable(String),
}

/// A sentence about the states in which a loop's head is entered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sentence {
    /// Which head, and which time that the loop is entered from outside.
    pub place: Place,
    /// What `x0`, `x1` … stand for.
    pub parts: Vec<Part>,
    /// The sorts that they have.
    pub sorts: Vec<Sort>,
    /// A Boolean term in SMT-LIB.
    pub text: String,
}

impl Sentence {
    /// What it says of a state; nothing if the state does not have these parts.
    pub fn claim(&self, world: &mut World<'_>, values: &[Val]) -> Option<Term> {
        let mut arguments = Vec::with_capacity(self.parts.len());
        for (part, &sort) in self.parts.iter().zip(&self.sorts) {
            let term = match part {
                Part::Slot(slot) => read(world, values, *slot)?,
                Part::Variable(name) => world.terms.find_var(name)?,
            };
            if world.terms.sort(term) != sort {
                return None;
            }
            arguments.push(term);
        }
        let mut reader = Reader::new(world.terms, "sentence", &self.text);
        for (index, &argument) in arguments.iter().enumerate() {
            reader.define(&format!("x{index}"), argument);
        }
        reader.only_term().ok()
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { func, point, .. } = self.place;
        match point {
            Point::Head(head) => write!(f, "{func} {head}: {} with", self.text)?,
            Point::Block(block) => write!(f, "{func} {block}, no head: {} with", self.text)?,
            Point::Entry => write!(f, "{func} begins: {} with", self.text)?,
            Point::Exit => write!(f, "{func} ends: {} with", self.text)?,
        }
        for (index, part) in self.parts.iter().enumerate() {
            match part {
                Part::Slot(slot) => write!(f, " x{index} = {slot:?}")?,
                Part::Variable(name) => write!(f, " x{index} = {name}")?,
            }
        }
        Ok(())
    }
}

/// What an inventor found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Invented {
    /// Sentences that should do for a proof: some that are quickly shown, and then more.
    Sentences(Vec<Vec<Sentence>>),
    /// Something fails if loops go round so often, and calls nest so deep.
    Rounds(BTreeMap<(Func, Block), u32>, u32),
    /// Nothing, and why.
    Nothing(String),
}

/// Finds sentences about the states of loops.
pub trait Inventor: Send + Sync {
    /// Who is named when what it found makes a proof.
    fn name(&self) -> &'static str;

    /// The part of the time that is left that it may take.
    fn share(&self) -> f64;

    /// Does it want every block to be a cut point, and not only the heads of loops?
    fn every_block(&self) -> bool {
        false
    }

    /// Looks for what shows that these instances hold. The evaluation has its fragments [told
    /// apart](encode::eval::arbitrary::Plan::apart), and no cuts. So many attempts were made before, whose sentences did not
    /// do; how many were made now is told as well.
    fn invent(
        &self,
        vc: &mut Vc<'_>,
        asked: &[Instance],
        tried: usize,
        until: Instant,
        sink: &dyn Sink,
    ) -> (Invented, usize);
}
