//! Zones: differences of two numbers.

use super::{Lit, Shape};

/// The domain.
pub struct Zone;

impl Shape for Zone {
    fn name(&self) -> &'static str {
        "zone"
    }

    fn keeps(&self, a: Lit, b: Lit) -> bool {
        a.negated == b.negated
    }
}
