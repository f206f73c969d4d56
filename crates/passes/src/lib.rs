//! Passes: from IR to IR, each a file, each in a list that says why it stands where it stands.
//!
//! [`pipeline`] holds the lists, [`pass`] what a pass is and who runs it.
//!
//! | from | to | by |
//! |---|---|---|
//! | Raw | Lowered | [`lower`], [`simplify`], [`prune`] |
//! | Lowered | Lowered | [`mixed`], for those who ask for it |
//! | Lowered | Pure | [`purify`], told by a provider of [`regions`] such as [`split`] |
//! | Pure | Pure | [`nans`]; [`only`], for those who ask for some obligations; [`slice`](mod@slice), for engines that ask for it |
//! | Pure | Unrolled | [`unroll`], [`inline`] |
//! | Unrolled | Unrolled | the five [`forms`] |
//!
//! A pass may leave rubbish for `simplify`, but what it returns is tidy and wellformed. Obligations
//! keep their ids from the front end to the last form; new ones come at the end of the table.
#![forbid(unsafe_code)]

mod edit;
mod fold;
mod footprint;
pub mod forms;
mod handed_over;
pub mod inline;
mod loop_closed;
pub mod lower;
pub mod mixed;
pub mod nans;
pub mod only;
pub mod pass;
pub mod pipeline;
pub mod prune;
pub mod purify;
pub mod regions;
pub mod simplify;
pub mod slice;
pub mod split;
pub mod unroll;
