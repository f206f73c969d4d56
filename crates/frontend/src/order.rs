//! The order of a function's blocks.

use rustc_hash::FxHashSet;

use crate::ffi::{Block, Val};

/// The blocks that can be reached, each before those it dominates.
pub fn reverse_postorder<'c>(func: Val<'c>) -> Vec<Block<'c>> {
    let Some(&entry) = func.blocks().first() else {
        return Vec::new();
    };
    let mut seen = FxHashSet::from_iter([entry]);
    let mut order = Vec::new();
    let mut stack = vec![(entry, entry.successors().into_iter())];
    while let Some((block, successors)) = stack.last_mut() {
        match successors.next() {
            Some(next) => {
                if seen.insert(next) {
                    stack.push((next, next.successors().into_iter()));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
