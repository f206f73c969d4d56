//! Scopes that clang writes no markers for: of variables whose declaration a jump passes over, and of
//! compound literals.
//!
//! Clang marks the life of a variable by `llvm.lifetime.start` where its declaration is executed and
//! `llvm.lifetime.end` where its block is left, but not if a `goto` or `switch` may enter the block
//! behind the declaration. Then the debug locations tell: every instruction knows the block of the
//! source that it belongs to. Where execution comes into the variable's block its life begins, and
//! where execution leaves the block it ends.
//!
//! | object | its block |
//! |---|---|
//! | a variable with a debug declaration | says the declaration |
//! | a compound literal | the innermost block that has all of its uses |
//! | a variable whose declaration is dead code | says clang's tree ([`crate::ast`]); if that is not clear, its life *may* begin and end with each block around all of its uses |
//!
//! What may happen is chosen by `selkie.maybe.start` and `selkie.maybe.end`; no violation rests on that alone.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ffi::{Block, Meta, Opcode, RecordKind, Val};

use super::deref::has_lifetime;
use super::{Instrumenter, Origin, Scope, ubsan};

/// Clang's name for the object of a compound literal.
pub(super) const LITERAL: &str = ".compoundliteral";

/// Marks the lives of a function's variables that have no markers.
pub fn mark<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>) {
    if scope.origin != Origin::Source || scope.func.subprogram().is_none() {
        return;
    }
    let Some(&entry) = scope.func.blocks().first() else {
        return;
    };
    let candidates: Vec<Val<'c>> = entry
        .instructions()
        .into_iter()
        .filter(|inst| {
            inst.opcode() == Some(Opcode::LLVMAlloca)
                && inst.operand(0).is_constant()
                && inst.is_used()
                // In C++ the variable that is returned may be the result itself.
                && inst.name() != "retval"
                && !has_lifetime(*inst)
        })
        .collect();
    if candidates.is_empty() {
        return;
    }
    let declared = declarations(scope.func);
    for variable in candidates {
        let (chain, sure) = match declared.get(&variable) {
            Some(&description) => {
                let parent = description.parent(work.module.context());
                (
                    parent.map_or(Vec::new(), |parent| enclosing(work, parent)),
                    true,
                )
            }
            None if variable.name().starts_with(LITERAL) => (common_scopes(work, variable), true),
            None if is_named(variable) => {
                let chain = common_scopes(work, variable);
                match block_of(work, scope, variable, &chain) {
                    Some(index) => (chain[index..].to_vec(), true),
                    None => (chain, false),
                }
            }
            None => continue,
        };
        // The last one is the function itself, with which everything ends.
        let inner = chain.len().saturating_sub(1);
        for &block in chain[..inner].iter().take(if sure { 1 } else { inner }) {
            mark_block(work, scope, variable, block, sure);
        }
    }
}

/// Which of the scopes is the block of a variable, as clang's tree tells.
fn block_of<'c>(
    work: &mut Instrumenter<'_, 'c>,
    scope: &Scope<'c>,
    variable: Val<'c>,
    chain: &[Meta<'c>],
) -> Option<usize> {
    let name = variable.name();
    let tree = work.tree(&scope.name)?;
    let ctx = work.module.context();
    let places: Vec<Option<(u32, u32)>> = chain.iter().map(|scope| scope.begin(ctx)).collect();
    let mut found: Vec<usize> = tree
        .variables
        .iter()
        // LLVM adds a number where a name is taken.
        .filter(|known| {
            name.strip_prefix(known.name.as_str())
                .is_some_and(|rest| rest.chars().all(|letter| letter.is_ascii_digit()))
        })
        .filter_map(|known| match known.block {
            Some(place) => places.iter().position(|begin| *begin == Some(place)),
            None => chain.len().checked_sub(1),
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    match found[..] {
        [one] => Some(one),
        _ => None, // Several of this name, or none where its uses are.
    }
}

/// The variables of the source that live in local objects.
fn declarations<'c>(func: Val<'c>) -> FxHashMap<Val<'c>, Meta<'c>> {
    let mut found = FxHashMap::default();
    for block in func.blocks() {
        for inst in block.instructions() {
            for record in inst.records() {
                if record.kind() != RecordKind::Declare {
                    continue;
                }
                if let (Some(value), Some(variable)) = (record.value(), record.variable()) {
                    found.insert(value, variable);
                }
            }
        }
    }
    found
}

/// Is it a variable of the source or a compound literal? Clang's own have other names.
fn is_named(variable: Val<'_>) -> bool {
    let name = variable.name();
    let word = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    name.starts_with(LITERAL)
        || !name.is_empty()
            && !name.contains(['.', '-'])
            && !matches!(
                word,
                "tmp" | "retval" | "saved_stack" | "coerce" | "indirect"
            )
}

/// A scope of the source and those around it, up to the function.
fn enclosing<'c>(work: &Instrumenter<'_, 'c>, scope: Meta<'c>) -> Vec<Meta<'c>> {
    let mut chain = vec![scope];
    let mut next = scope.parent(work.module.context());
    while let Some(scope) = next {
        chain.push(scope);
        if scope.is_subprogram() {
            break;
        }
        next = scope.parent(work.module.context());
    }
    chain
}

/// The scopes around all uses of a variable, the innermost first.
fn common_scopes<'c>(work: &Instrumenter<'_, 'c>, variable: Val<'c>) -> Vec<Meta<'c>> {
    let mut common: Option<Vec<Meta<'c>>> = None;
    let mut list = variable.users();
    while let Some(user) = list.pop() {
        if user.opcode() == Some(Opcode::LLVMGetElementPtr) {
            list.extend(user.users());
        }
        let Some(scope) = user.location().and_then(Meta::scope) else {
            continue;
        };
        let chain = enclosing(work, scope);
        common = Some(match common {
            Some(before) => before
                .into_iter()
                .filter(|scope| chain.contains(scope))
                .collect(),
            None => chain,
        });
    }
    common.unwrap_or_default()
}

/// Where execution stands with respect to a block of the source: at instructions with a location.
struct Course<'c> {
    blocks: Vec<Block<'c>>,
    /// For each block, the places at which that is known.
    known: FxHashMap<Block<'c>, Vec<(Val<'c>, bool)>>,
}

impl<'c> Course<'c> {
    fn new(work: &Instrumenter<'_, 'c>, func: Val<'c>, within: Meta<'c>) -> Course<'c> {
        let mut inside: FxHashMap<Meta<'c>, bool> = FxHashMap::default();
        let mut is_inside = |location: Meta<'c>| {
            let scope = location.scope()?;
            Some(
                *inside
                    .entry(scope)
                    .or_insert_with(|| enclosing(work, scope).contains(&within)),
            )
        };
        let mut known = FxHashMap::default();
        for block in func.blocks() {
            let mut places: Vec<(Val<'c>, bool)> = Vec::new();
            for inst in block.instructions() {
                if inst.opcode() == Some(Opcode::LLVMPHI) || is_marker(inst) {
                    continue;
                }
                let labels = inst.records().into_iter();
                let labels = labels
                    .filter(|record| record.kind() == RecordKind::Other)
                    .filter_map(|record| record.location());
                for location in labels.chain(inst.location()) {
                    if let Some(inside) = is_inside(location) {
                        places.push((inst, inside));
                    }
                }
            }
            // A block of the source is entered again by a jump only.
            let first = places.iter().position(|&(_, inside)| inside);
            let last = places.iter().rposition(|&(_, inside)| inside);
            if let (Some(first), Some(last)) = (first, last) {
                places[first..last]
                    .iter_mut()
                    .for_each(|place| place.1 = true);
            }
            known.insert(block, places);
        }
        Course {
            blocks: func.blocks(),
            known,
        }
    }

    /// Is execution inside where a block of instructions begins?
    fn at_start(&self, block: Block<'c>, ends: &FxHashMap<Block<'c>, bool>) -> bool {
        match self.known[&block].first() {
            Some(&(_, inside)) => inside,
            None => ends.get(&block).copied().unwrap_or(false),
        }
    }

    /// Is it inside where they end? Without a location that is as it was before.
    fn at_ends(&self, preds: &FxHashMap<Block<'c>, Vec<Block<'c>>>) -> FxHashMap<Block<'c>, bool> {
        let mut ends: FxHashMap<Block<'c>, bool> = FxHashMap::default();
        for &block in &self.blocks {
            if let Some(&(_, inside)) = self.known[&block].last() {
                ends.insert(block, inside);
            }
        }
        loop {
            let mut changed = false;
            for &block in &self.blocks {
                if ends.contains_key(&block) {
                    continue;
                }
                let before = preds.get(&block).into_iter().flatten();
                let mut known = before.filter_map(|pred| ends.get(pred).copied());
                if let Some(first) = known.next() {
                    let inside = known.fold(first, |all, inside| all && inside);
                    ends.insert(block, inside);
                    changed = true;
                }
            }
            if !changed {
                return ends;
            }
        }
    }
}

fn is_marker(inst: Val<'_>) -> bool {
    inst.called_function()
        .is_some_and(|callee| callee.name().starts_with("llvm.lifetime."))
}

/// Begins and ends a life with a block of the source.
fn mark_block<'c>(
    work: &mut Instrumenter<'_, 'c>,
    scope: &Scope<'c>,
    variable: Val<'c>,
    within: Meta<'c>,
    sure: bool,
) {
    let preds = ubsan::predecessors(scope.func);
    let course = Course::new(work, scope.func, within);
    let ends = course.at_ends(&preds);
    let blocks = scope.func.blocks();
    let entered_from_outside: FxHashSet<Block<'c>> = blocks
        .iter()
        .flat_map(|block| {
            block
                .successors()
                .into_iter()
                .map(move |next| (*block, next))
        })
        .filter(|(block, next)| {
            !ends.get(block).copied().unwrap_or(false) && course.at_start(*next, &ends)
        })
        .map(|(_, next)| next)
        .collect();
    // Clang writes blocks in the order of the source: who falls from one case into the next goes on, and jumps back nowhere.
    let order: FxHashMap<Block<'c>, usize> = blocks.iter().copied().zip(0..).collect();
    for &block in &blocks {
        // Inside of a block of instructions.
        let places = &course.known[&block];
        for pair in places.windows(2) {
            if pair[0].1 != pair[1].1 {
                work.builder.before(pair[1].0);
                act(work, variable, pair[1].1, sure);
            }
        }
        // On the way to another one.
        let end = block.terminator().expect("a block ends");
        let before = ends.get(&block).copied().unwrap_or(false);
        let targets = end.successors();
        for (index, next) in targets.iter().enumerate() {
            let after = course.at_start(*next, &ends);
            // `continue` in an endless loop goes straight to the beginning of its body.
            let back = order[next] <= order[&block];
            let again =
                back && before && after && entered_from_outside.contains(next) && !has_label(*next);
            if before == after && !again {
                continue;
            }
            if targets.len() == 1 {
                work.builder.before(end);
            } else if end.opcode() == Some(Opcode::LLVMIndirectBr) {
                work.table.note(format!(
                    "a variable of {} past whose declaration a computed goto leads lives until the function ends",
                    scope.name
                ));
                continue;
            } else {
                let edge = split(work, block, end, index as u32, *next);
                work.builder.before(edge);
            }
            work.builder.at(end.location());
            if again {
                act(work, variable, false, sure);
                act(work, variable, true, sure);
            } else {
                act(work, variable, after, sure);
            }
        }
    }
}

/// Does it begin with a label of the source?
fn has_label(block: Block<'_>) -> bool {
    block.first().is_some_and(|inst| {
        let mut records = inst.records().into_iter();
        records.any(|record| record.kind() == RecordKind::Other)
    })
}

/// The life begins or ends here.
fn act<'c>(work: &mut Instrumenter<'_, 'c>, variable: Val<'c>, begins: bool, sure: bool) {
    let word = if begins { "start" } else { "end" };
    if sure {
        let ptr = work.helpers.ptr;
        let marker = work
            .module
            .intrinsic(&format!("llvm.lifetime.{word}"), &[ptr]);
        work.builder
            .call(marker.content_type(), marker, &[variable]);
    } else {
        work.call_maybe(word, variable);
    }
}

/// A block on the edge, of which the only instruction is returned: a jump.
fn split<'c>(
    work: &mut Instrumenter<'_, 'c>,
    from: Block<'c>,
    end: Val<'c>,
    index: u32,
    to: Block<'c>,
) -> Val<'c> {
    let edge = work.builder.new_block(from.function());
    work.builder.at_end(edge);
    work.builder.at(end.location());
    let jump = work.builder.br(to);
    end.set_successor(index, edge);
    for phi in to.instructions() {
        if phi.opcode() != Some(Opcode::LLVMPHI) {
            break;
        }
        work.builder.before(phi);
        let new = work.builder.phi(phi.ty());
        let mut replaced = false;
        for (value, block) in phi.incoming() {
            let moved = block == from && !replaced;
            replaced |= moved;
            new.add_incoming(value, if moved { edge } else { block });
        }
        phi.replace_with(new);
        phi.erase();
    }
    jump
}
