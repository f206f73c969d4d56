//! Clauses for somebody else: they are handed out instead of being solved.

use std::time::Instant;

use bmc::sentence::{Invented, Inventor};
use encode::eval::{Instance, Vc};
use results::Sink;
use solve::horn::attempt::Ints;
use solve::ints::to_ints;

use crate::clauses::{Step, Track, clauses};
use crate::engine::CHC;

/// Hands out the clauses that would be solved.
pub struct Emitter {
    /// What numbers are in them.
    pub ints: Ints,
    /// Where they begin and end.
    pub step: Step,
    /// What their predicates speak of.
    pub track: Track,
    /// Gets them in SMT-LIB, or the reason why there are none.
    pub give: Box<dyn Fn(Result<String, String>) + Send + Sync>,
}

impl Inventor for Emitter {
    fn name(&self) -> &'static str {
        CHC
    }

    fn share(&self) -> f64 {
        0.6
    }

    fn every_block(&self) -> bool {
        self.step == Step::Small
    }

    fn invent(
        &self,
        vc: &mut Vc<'_>,
        asked: &[Instance],
        _tried: usize,
        _until: Instant,
        _sink: &dyn Sink,
    ) -> (Invented, usize) {
        let text = clauses(vc, asked, self.track).and_then(|clauses| {
            let terms = &mut *vc.world.terms;
            match self.ints {
                Ints::Bv => Ok(solve::horn::to_smt(terms, &clauses.system)),
                Ints::Ideal | Ints::Math => {
                    match to_ints(terms, &clauses.system, self.ints.wraps()) {
                        Some(math) => Ok(solve::horn::to_smt(terms, &math.system)),
                        None => Err("there are integers in the clauses already".to_owned()),
                    }
                }
            }
        });
        (self.give)(text);
        (Invented::Nothing("clauses were handed out".to_owned()), 1)
    }
}
