//! The program's own claims: assertions, assumptions, calls of the error function.
//!
//! `assert(c)` compiles to a branch to `__assert_fail`. Where the pattern is plain it becomes a
//! call `selkie.check(c, id)`, so that an assertion that always holds can be told from one that
//! is never reached. The functions of the other tools ([`crate::names`]) become the same calls.

use checks::registry::{CheckId, WhenOff, invariant};
use ir::syntax::Standing;
use rustc_hash::FxHashMap;

use crate::ffi::{Block, IntPredicate, Opcode, Val, ValKind};
use crate::names::{self, Claim};

use super::{Instrumenter, Scope, cover, ubsan};

/// Converts all claims of a function.
pub fn convert<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>) {
    if is_named_error(work, &scope.name) {
        entered(work, scope);
    }
    let mut preds = None;
    for block in scope.func.blocks() {
        for inst in block.instructions() {
            let Some(callee) = inst.called_function() else {
                continue;
            };
            let name = callee.name();
            let Some(claim) = claim(work, callee, &name) else {
                continue;
            };
            // The user's own definition wins, but a call of the error function is what the
            // property `unreach-call` is about, with or without a body.
            if !callee.is_declaration() && claim != Claim::Reach {
                continue;
            }
            match claim {
                Claim::AssertFail => {
                    let preds = preds.get_or_insert_with(|| ubsan::predecessors(scope.func));
                    assert_fail(work, scope, inst, preds);
                }
                Claim::Assert(index) => {
                    let text = claim_text(inst, &name);
                    call_with_condition(work, scope, inst, index, CheckId::Assert, &text);
                }
                Claim::Invariant => invariant(work, scope, inst),
                Claim::Cover => {
                    if let (Some(condition), true) = (condition(work, inst, 0), work.options.cover)
                    {
                        cover::goal(work, scope, inst, condition);
                    }
                    discard(inst);
                }
                Claim::AssertIf => assert_if(work, scope, inst),
                Claim::Assume(index) => {
                    if let Some(condition) = condition(work, inst, index) {
                        work.builder.before(inst);
                        work.call_assume(condition);
                        discard(inst);
                    }
                }
                Claim::AssumeNot(index) => {
                    if let Some(condition) = condition(work, inst, index) {
                        work.builder.before(inst);
                        let negated = negate(work, condition);
                        work.call_assume(negated);
                        discard(inst);
                    }
                }
                Claim::Reach => reach(work, scope, inst, &name),
                Claim::Named => named(work, scope, inst),
            }
        }
    }
}

/// What a call claims. A property that names error functions of its own means those and no others.
fn claim<'c>(work: &Instrumenter<'_, 'c>, callee: Val<'c>, name: &str) -> Option<Claim> {
    if is_named_error(work, name) {
        // With a body, every way into it is one: see `entered`.
        return callee.is_declaration().then_some(Claim::Reach);
    }
    let claim = names::claim(name)?;
    let errors = &work.options.error_functions;
    let usual = |name: &String| names::claim(name) == Some(Claim::Reach);
    let meant = errors.is_empty() || errors.iter().any(usual);
    (claim != Claim::Reach || meant).then_some(claim)
}

/// Is it an error function that only the property knows?
fn is_named_error(work: &Instrumenter<'_, '_>, name: &str) -> bool {
    work.options
        .error_functions
        .iter()
        .any(|error| names::is_symbol_of(name, error) && names::claim(error) != Some(Claim::Reach))
}

/// The body of an error function begins with the violation, however it was called.
fn entered<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>) {
    let mut blocks = scope.func.blocks().into_iter();
    let Some(first) = blocks.next().and_then(|block| block.first()) else {
        return;
    };
    let placed = scope
        .func
        .blocks()
        .into_iter()
        .flat_map(|block| block.instructions())
        .find(|inst| inst.location().is_some())
        .unwrap_or(first);
    if work.options.has(CheckId::Reach) {
        let text = format!("call of {}", scope.name);
        let number = work
            .table
            .add(&scope.name, CheckId::Reach, text, placed.location());
        work.builder.before(first);
        work.builder.at(placed.location());
        let never = Val::int(work.helpers.bool, 0);
        work.call_check(never, number);
    }
}

/// An argument as a condition: `!= 0`.
fn condition<'c>(work: &Instrumenter<'_, 'c>, call: Val<'c>, index: usize) -> Option<Val<'c>> {
    let value = *call.args().get(index)?;
    let ty = value.ty();
    work.builder.before(call);
    match ty.kind() {
        crate::ffi::Kind::Int(1) => Some(value),
        crate::ffi::Kind::Int(_) | crate::ffi::Kind::Ptr(_) => {
            let zero = Val::zero(ty);
            Some(work.builder.compare(IntPredicate::LLVMIntNE, value, zero))
        }
        _ => None,
    }
}

fn negate<'c>(work: &Instrumenter<'_, 'c>, condition: Val<'c>) -> Val<'c> {
    let one = Val::int(work.helpers.bool, 1);
    work.builder.binary(Opcode::LLVMXor, condition, one)
}

/// Removes a call whose result nobody can need.
fn discard(call: Val<'_>) {
    if call.is_used() {
        call.replace_with(Val::zero(call.ty()));
    }
    call.erase();
}

fn call_with_condition<'c>(
    work: &mut Instrumenter<'_, 'c>,
    scope: &Scope<'c>,
    inst: Val<'c>,
    index: usize,
    check: CheckId,
    text: &str,
) {
    let Some(condition) = condition(work, inst, index) else {
        return;
    };
    if work.options.has(check) {
        let number = work.table.add(&scope.name, check, text, inst.location());
        work.builder.before(inst);
        work.call_check(condition, number);
    } else if work.options.has(CheckId::Cleanup) {
        // Whoever does not check it still ends there, with what is allocated.
        work.builder.before(inst);
        work.call_end(condition);
    }
    discard(inst);
}

/// `sk_invariant(c)`: one check for all rounds. Which loop it speaks of is not asked: the bitcode need not tell, a loop that is
/// always left in its first round is none there.
fn invariant<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>, inst: Val<'c>) {
    let Some(condition) = condition(work, inst, 0) else {
        return;
    };
    if work.options.has(CheckId::Invariant) {
        let place = inst.location();
        let text = invariant::TEXT;
        let number = work.table.add(&scope.name, CheckId::Invariant, text, place);
        work.builder.before(inst);
        work.call_check(condition, number);
    }
    discard(inst);
}

/// `__selkie_check(condition, "check", "text")`, which models write.
fn named<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>, inst: Val<'c>) {
    let args = inst.args();
    let text_at = |index: usize| args.get(index).and_then(|&arg| string_constant(arg));
    let (Some(name), Some(text)) = (text_at(1), text_at(2)) else {
        return;
    };
    let (check, text) = match CheckId::named(&name) {
        Some(check) => (check, text),
        None => {
            let text = format!("unsupported: there is no check `{name}`");
            (CheckId::Unsupported, text)
        }
    };
    let always = check.check().when_off == WhenOff::Keep;
    if always || work.options.has(check) {
        if let Some(condition) = condition(work, inst, 0) {
            let number = work.table.add(&scope.name, check, text, inst.location());
            work.builder.before(inst);
            work.call_check(condition, number);
        }
    }
    discard(inst);
}

/// `__VERIFIER_assert_if(a, c)`: a implies c.
fn assert_if<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>, inst: Val<'c>) {
    let (Some(given), Some(claimed)) = (condition(work, inst, 0), condition(work, inst, 1)) else {
        return;
    };
    if work.options.has(CheckId::Assert) {
        work.builder.before(inst);
        let not_given = negate(work, given);
        let holds = work.builder.binary(Opcode::LLVMOr, not_given, claimed);
        let number = work
            .table
            .add(&scope.name, CheckId::Assert, "assertion", inst.location());
        work.call_check(holds, number);
    }
    discard(inst);
}

/// A call of the error function.
fn reach<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>, inst: Val<'c>, name: &str) {
    if work.options.has(CheckId::Reach) {
        let text = format!("call of {name}");
        let number = work
            .table
            .add(&scope.name, CheckId::Reach, text, inst.location());
        work.builder.before(inst);
        let never = Val::int(work.helpers.bool, 0);
        work.call_check(never, number);
        mark_condition(work, scope, inst.block(), number);
    }
}

/// `if (c) reach_error();` claims something about c wherever that is looked at: in front of the branches
/// that lead to the call stands a check that holds.
fn mark_condition<'c>(
    work: &mut Instrumenter<'_, 'c>,
    scope: &Scope<'c>,
    block: Block<'c>,
    number: u32,
) {
    let preds = ubsan::predecessors(scope.func);
    let mut seen = vec![block];
    let mut branches = Vec::new();
    let mut next = 0;
    while let Some(&block) = seen.get(next) {
        next += 1;
        let entered = preds.get(&block).map_or(&[][..], Vec::as_slice);
        if entered.is_empty() {
            // On some way nothing is looked at.
            return;
        }
        for &pred in entered {
            let end = pred.terminator().expect("a block ends");
            if end.successors().len() > 1 {
                branches.push(end);
            } else if !seen.contains(&pred) {
                seen.push(pred);
            }
        }
    }
    branches.dedup();
    for branch in branches.clone() {
        let block = branch.block();
        let targets = branch.successors();
        let leads = |target: &&Block<'c>| !seen.contains(target);
        if let ([next], Some(_)) = (
            targets.iter().filter(leads).collect::<Vec<_>>().as_slice(),
            branch.branch_condition(),
        ) {
            mark_alternatives(work, block, **next, &preds, number);
        }
    }
    for branch in branches {
        work.builder.before(branch);
        work.builder.at(branch.location());
        let always = Val::int(work.helpers.bool, 1);
        work.call_check(always, number);
    }
    work.table.rows[number as usize].standing = Standing::Claim;
}

/// What an assertion says: the string among its arguments, if there is one.
fn claim_text(inst: Val<'_>, name: &str) -> String {
    for arg in inst.args() {
        if let Some(text) = string_constant(arg) {
            return format!("assertion {text}");
        }
    }
    match name {
        "__assert_fail" | "__assert_rtn" | "__assert" => "assertion".to_owned(),
        _ => name.to_owned(),
    }
}

/// The text of a string literal.
pub fn string_constant(value: Val<'_>) -> Option<String> {
    if value.value_kind() != ValKind::Global || !value.is_global_constant() {
        return None;
    }
    let init = value.initializer()?;
    if init.value_kind() == ValKind::Zero {
        return Some(String::new());
    }
    let bytes = init.data()?;
    let end = bytes.iter().position(|&byte| byte == 0)?;
    Some(String::from_utf8_lossy(&bytes[..end]).into_owned())
}

/// A call of `__assert_fail`, entered by the branch of an `assert`.
fn assert_fail<'c>(
    work: &mut Instrumenter<'_, 'c>,
    scope: &Scope<'c>,
    call: Val<'c>,
    preds: &FxHashMap<Block<'c>, Vec<Block<'c>>>,
) {
    if !work.options.has(CheckId::Assert) {
        return;
    }
    let block = call.block();
    let text = claim_text(call, "__assert_fail");
    let number = work
        .table
        .add(&scope.name, CheckId::Assert, text, call.location());
    let entered: &[Block<'c>] = preds.get(&block).map_or(&[], Vec::as_slice);
    // Nothing but the call may stand in the block: what it computes first would be lost.
    if block.first() == Some(call) {
        if let [pred] = entered {
            let branch = pred.terminator().expect("a block ends");
            if let Some(condition) = branch.branch_condition() {
                let targets = branch.successors();
                let (condition, next) = match (targets[0] == block, targets[1] == block) {
                    (false, true) => (condition, targets[0]),
                    (true, false) => {
                        work.builder.before(branch);
                        (negate(work, condition), targets[1])
                    }
                    (true, true) | (false, false) => {
                        fail_at(work, call, number);
                        return;
                    }
                };
                work.builder.before(branch);
                work.builder.at(call.location());
                work.call_check(condition, number);
                work.builder.at(branch.location());
                work.builder.br(next);
                branch.erase();
                mark_alternatives(work, *pred, next, preds, number);
                return;
            }
        }
        let switches = |pred: &Block<'c>| {
            let end = pred.terminator().expect("a block ends");
            end.successors().len() > 1 && end.branch_condition().is_none()
        };
        if entered.iter().any(switches) {
            mark_condition(work, scope, block, number);
        }
        mark_passed(work, block, entered, call, number);
    }
    fail_at(work, call, number);
}

/// `assert(a || b)`: where a holds, b is not looked at, but the assertion is. In front of the branches that go round the last one to
/// where it goes on stands a check that holds.
fn mark_alternatives<'c>(
    work: &mut Instrumenter<'_, 'c>,
    last: Block<'c>,
    next: Block<'c>,
    preds: &FxHashMap<Block<'c>, Vec<Block<'c>>>,
    number: u32,
) {
    let mut block = last;
    while let Some([pred]) = preds.get(&block).map(Vec::as_slice) {
        let branch = pred.terminator().expect("a block ends");
        let around = branch.successors();
        if branch.branch_condition().is_none() || !around.contains(&next) || *pred == last {
            return;
        }
        work.builder.before(branch);
        work.builder.at(branch.location());
        let always = Val::int(work.helpers.bool, 1);
        work.call_check(always, number);
        block = *pred;
    }
}

/// The assertion fails here.
fn fail_at<'c>(work: &mut Instrumenter<'_, 'c>, call: Val<'c>, number: u32) {
    work.builder.before(call);
    work.call_fail(number);
}

/// Several branches lead to the failure: `assert(a && b)`. The edges on which the assertion has
/// passed get a check that holds, so that it counts as reached.
fn mark_passed<'c>(
    work: &mut Instrumenter<'_, 'c>,
    block: Block<'c>,
    entered: &[Block<'c>],
    call: Val<'c>,
    number: u32,
) {
    let mut passes = Vec::new();
    for pred in entered {
        let branch = pred.terminator().expect("a block ends");
        if branch.branch_condition().is_none() {
            return;
        }
        for (index, target) in branch.successors().into_iter().enumerate() {
            if target != block && !entered.contains(&target) {
                passes.push((branch, index as u32, target));
            }
        }
    }
    let starts_with_phi = |target: Block<'c>| {
        target
            .first()
            .is_some_and(|inst| inst.opcode() == Some(Opcode::LLVMPHI))
    };
    if passes.iter().any(|&(_, _, target)| starts_with_phi(target)) {
        return;
    }
    let func = block.function();
    for (branch, index, target) in passes {
        let edge = work.builder.new_block(func);
        work.builder.at_end(edge);
        work.builder.at(call.location());
        let always = Val::int(work.helpers.bool, 1);
        work.call_check(always, number);
        work.builder.br(target);
        branch.set_successor(index, edge);
    }
}
