//! Taking reads away: the multi-step rewriter with the rules of [`super::rules`].
//!
//! A read becomes a scalar or an ite of reads, those become scalars, and so on; each read of each version of memory is
//! answered once. What is done is [`Status::Full`] until nothing but a scalar is left, so `a → b → c` is remembered as
//! `a ↦ c`; a memory is never walked as a tree, only along the path that the read takes.

use super::rules::Rule;
use super::{Expr, Kind, Reader, Scalars, Theory};
use crate::rewrite::{Config, Dag, Rewriter, Status};

impl<S: Scalars> Dag for Theory<'_, S> {
    type Node = Expr;

    /// Scalars that are not known yet: pointers and memories are no business of a read.
    fn args(&self, expr: Expr) -> &[Expr] {
        match self.exprs.kind_ref(expr) {
            Kind::Ite(_, args) => args,
            Kind::Join(parts) => self.exprs.parts(*parts),
            Kind::Scalar(_)
            | Kind::Read { .. }
            | Kind::Ptr(..)
            | Kind::Init(_)
            | Kind::Write { .. }
            | Kind::Set { .. }
            | Kind::Copy { .. }
            | Kind::Map { .. } => &[],
        }
    }

    fn rebuild(&mut self, expr: Expr, args: &[Expr]) -> Expr {
        match self.kind(expr) {
            Kind::Ite(condition, _) => self.ite(condition, args[0], args[1]),
            Kind::Join(_) => self.exprs.join(args.to_vec()),
            other => unreachable!("{other:?} has no arguments"),
        }
    }
}

/// Makes scalars of reads.
#[derive(Default)]
pub struct Eliminate;

impl<'a, S: Scalars> Config<Theory<'a, S>> for Eliminate {
    fn should_rewrite(&mut self, theory: &Theory<'a, S>, expr: Expr) -> bool {
        // Ites are looked into where they are what became of a read, never of other sorts.
        matches!(
            theory.kind(expr),
            Kind::Read { .. } | Kind::Join(_) | Kind::Ite(..)
        )
    }

    fn apply(&mut self, theory: &mut Theory<'a, S>, expr: Expr) -> (Expr, Status) {
        for rule in Rule::READ {
            if let Some((result, status)) = (rule.apply)(theory, expr) {
                return (result, status);
            }
        }
        (expr, Status::Done)
    }
}

/// A reader that has answered nothing.
pub fn reader() -> Reader {
    Rewriter::new(Eliminate)
}

impl<S: Scalars> Theory<'_, S> {
    /// So many bytes of a memory at a pointer.
    pub fn read(&mut self, reader: &mut Reader, memory: Expr, at: Expr, width: u32) -> S::Scalar {
        self.exprs.counts.reads += 1;
        let read = self.exprs.make(Kind::Read { memory, at, width });
        self.scalar(reader, read)
    }

    /// What an expression of the sort of scalars is.
    pub fn scalar(&mut self, reader: &mut Reader, expr: Expr) -> S::Scalar {
        let answer = reader.rewrite(self, expr);
        match self.kind(answer) {
            Kind::Scalar(value) => value,
            other => unreachable!("{expr} became {other:?}, which is no scalar"),
        }
    }
}
