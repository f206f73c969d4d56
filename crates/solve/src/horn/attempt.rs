//! Ways of solving a system, one after the other.
//!
//! Spacer generalises well over integers and badly over bit-vectors, so numbers are integers first ([`crate::ints`]), and bit-vectors,
//! exactly, at last. Whatever the way: an invariant is checked against the original clauses, and a derivation gets values in them.

use std::time::{Duration, Instant};

use terms::Terms;

use super::reduce::reduce;
use super::{HornAnswer, HornOptions, Settings, System, concretise, confirm, solve_horn};
use crate::answer::{Reason, SolveError};
use crate::backends::spacer::{self, Claim};
use crate::ints::{Wraps, to_ints};

/// What numbers are in clauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ints {
    /// Integers, and a query asks whether anything wraps.
    Ideal,
    /// Integers, with the wrapping of bit-vectors written out.
    Math,
    /// Bit-vectors.
    Bv,
}

impl Ints {
    /// What becomes of results that leave their range.
    pub fn wraps(self) -> Wraps {
        match self {
            Ints::Ideal => Wraps::Never,
            Ints::Math | Ints::Bv => Wraps::Modulo,
        }
    }
}

/// One way of asking Spacer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// What numbers are.
    pub ints: Ints,
    /// How it searches.
    pub settings: Settings,
}

/// What is tried when nobody chooses: integers that do not wrap, and integers, guided and not, and bit-vectors.
pub const ATTEMPTS: &[Attempt] = &[
    Attempt {
        ints: Ints::Ideal,
        settings: Settings::GUIDED,
    },
    Attempt {
        ints: Ints::Ideal,
        settings: Settings::PLAIN,
    },
    Attempt {
        ints: Ints::Math,
        settings: Settings::GUIDED,
    },
    Attempt {
        ints: Ints::Math,
        settings: Settings::PLAIN,
    },
    Attempt {
        ints: Ints::Bv,
        settings: Settings::PLAIN,
    },
];

/// The attempts in which numbers are this, of those that are tried when nobody chooses.
pub const fn attempts(ints: Option<Ints>) -> &'static [Attempt] {
    match ints {
        None => ATTEMPTS,
        Some(Ints::Ideal) => ATTEMPTS.split_at(2).0,
        Some(Ints::Math) => ATTEMPTS.split_at(2).1.split_at(2).0,
        Some(Ints::Bv) => ATTEMPTS.split_at(4).1,
    }
}

/// Tries one attempt after the other, each with its part of the time that is left. The last reason is that of the answer.
pub fn solve_in_turn(
    terms: &mut Terms,
    system: &System,
    attempts: &[Attempt],
    options: &HornOptions,
) -> Result<HornAnswer, SolveError> {
    let until = options.limits.time.map(|time| Instant::now() + time);
    let mut last = Reason::Timeout;
    for (index, attempt) in attempts.iter().enumerate() {
        let mut own = options.clone();
        own.settings = attempt.settings;
        if let Some(until) = until {
            let left = until.saturating_duration_since(Instant::now());
            if left < Duration::from_millis(10) {
                break;
            }
            own.limits.time = Some(left / (attempts.len() - index) as u32);
        }
        let answer = match attempt.ints {
            Ints::Bv => solve_horn(terms, system, &own)?,
            ints @ (Ints::Ideal | Ints::Math) => {
                solve_over_ints(terms, system, ints.wraps(), &own)?
            }
        };
        match answer {
            HornAnswer::Unknown(reason @ Reason::Interrupted) => {
                return Ok(HornAnswer::Unknown(reason));
            }
            HornAnswer::Unknown(reason) => last = reason,
            answer @ (HornAnswer::Safe(_) | HornAnswer::Unsafe(_)) => return Ok(answer),
        }
    }
    Ok(HornAnswer::Unknown(last))
}

/// Solves a system over bit-vectors as one over integers. What the original does not confirm is unknown.
pub fn solve_over_ints(
    terms: &mut Terms,
    system: &System,
    wraps: Wraps,
    options: &HornOptions,
) -> Result<HornAnswer, SolveError> {
    let incomplete = |why: &str| Ok(HornAnswer::Unknown(Reason::Incomplete(why.to_owned())));
    let reduced = reduce(terms, system);
    let Some(math) = to_ints(terms, &reduced.system, wraps) else {
        return incomplete("numbers are integers already");
    };
    match spacer::ask(terms, &math.system, options)? {
        Claim::Unknown(reason) => Ok(HornAnswer::Unknown(reason)),
        Claim::Safe(found) => {
            // In few words first: it is often enough, and the whole takes longer.
            let simple = math.back_simply(terms, &found);
            let simple = reduced.invariants(terms, &simple);
            let mut part = options.clone();
            part.limits.time = options.limits.time.map(|time| time / 3);
            if let answer @ HornAnswer::Safe(_) = confirm(terms, system, simple, &part)? {
                return Ok(answer);
            }
            let invariants = math.back(terms, &found);
            let invariants = reduced.invariants(terms, &invariants);
            confirm(terms, system, invariants, options)
        }
        Claim::Unsafe(clauses) if clauses.iter().any(|&clause| math.is_about_wraps(clause)) => {
            incomplete("numbers wrap")
        }
        Claim::Unsafe(clauses) => {
            let clauses = reduced.numbers(&clauses);
            concretise(terms, system, &clauses, options)
        }
    }
}
