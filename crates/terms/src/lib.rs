//! Hash-consed logic: terms, rewrite rules, evaluator, SMT-LIB.
//!
//! A [`Terms`] arena owns all terms; a [`Term`] is an id into it. Builders on the arena make terms and rewrite them at
//! once, at the arena's [`Level`]. The crate knows nothing of programs and nothing of solvers.
//!
//! ```
//! use terms::{Sort, Terms};
//! let mut terms = Terms::new();
//! let x = terms.var("x", Sort::BitVec(32));
//! let three = terms.bv_u64(3, 32);
//! let y = terms.add(x, three);
//! assert_eq!(terms.sort(y), Sort::BitVec(32));
//! ```
#![forbid(unsafe_code)]

pub mod arena;
mod build;
pub mod cases;
pub mod eval;
pub mod facts;
mod guards;
mod implied;
pub mod memory;
pub mod op;
pub mod products;
pub mod rewrite;
pub mod rules;
pub mod sample;
pub mod smt;
mod softfloat;
pub mod sort;
mod table;
pub mod value;
pub mod values;
mod versions;
pub mod visit;

pub use crate::arena::{FunDecl, Level, Term, Terms};
pub use crate::build::Signedness;
pub use crate::eval::Evaluator;
pub use crate::op::{Fun, Op, Rounding, Symbol};
pub use crate::sort::{FloatSort, Sort};
pub use crate::value::{ArrayValue, FunValue, Model, Value};
