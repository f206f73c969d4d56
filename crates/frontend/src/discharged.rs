//! Obligations that LLVM has taken away because they hold.
//!
//! A branch to `selkie.fail(id)` whose condition folds is gone, and so is one whose block is never executed.
//! The first is proved, the second not reached: a difference that only a look at the blocks tells. So the
//! module is kept as it was, gets a mark in front of each branch that has vanished, and goes through the
//! same passes. A mark that is still there stood in a block that is, too. Without passes, nothing but
//! constant conditions vanishes, and a check that holds takes the place of the branch.

use std::collections::BTreeSet;

use ir::syntax::Standing;

use crate::error::Error;
use crate::ffi::{Attr, Builder, Module, Opcode, Val, ValKind};
use crate::instrument::helpers::Helpers;
use crate::instrument::{PREFIX, Table, ubsan};
use crate::options::{OptLevel, Options};
use crate::{passes, trim};

/// The functions whose calls are obligations; the last argument is the number.
const GUARDS: [&str; 6] = [
    "selkie.fail",
    "selkie.check",
    "selkie.deref",
    "selkie.freeable",
    "selkie.disjoint",
    "selkie.memhavoc",
];

/// Without passes: constant conditions in front of failures become checks that hold.
pub fn keep_constants<'c>(module: &mut Module<'c>, helpers: &Helpers<'c>) {
    mark(module, helpers, |branch, _| {
        let condition = branch.branch_condition();
        condition.is_some_and(|condition| condition.value_kind() == ValKind::Int)
    });
}

/// Finds out which obligations of the table have vanished because they hold. `before` is the module as it
/// was before the passes; without it, all that have vanished hold, reached or not.
pub fn judge<'c>(
    table: &mut Table<'c>,
    after: &Module<'c>,
    before: Option<Module<'c>>,
    helpers: &Helpers<'c>,
    options: &Options,
    roots: &[&str],
) -> Result<(), Error> {
    let present = numbers(&after.functions(), &GUARDS);
    let rows = 0..table.rows.len() as u32;
    let vanished: BTreeSet<u32> = rows.filter(|number| !present.contains(number)).collect();
    if vanished.is_empty() {
        return Ok(());
    }
    let held = match before {
        None => vanished,
        Some(mut twin) => {
            if !mark(&mut twin, helpers, |_, number| vanished.contains(&number)) {
                return Ok(());
            }
            passes::run(&mut twin, helpers, options, OptLevel::Full)?;
            let roots: Vec<String> = roots.iter().map(|root| format!("{PREFIX}{root}")).collect();
            let roots: Vec<&str> = roots.iter().map(String::as_str).collect();
            let mut funcs = trim::reachable(&twin, &roots);
            funcs.retain(|value| value.value_kind() == ValKind::Function);
            let marks = numbers(&funcs, &["selkie.check"]);
            marks.intersection(&vanished).copied().collect()
        }
    };
    for number in held {
        let row = &mut table.rows[number as usize];
        let stated = row.check.is_claim();
        if row.standing == Standing::Plain && !stated {
            row.standing = Standing::Held;
        }
    }
    Ok(())
}

/// The numbers in calls of guards.
fn numbers(funcs: &[Val<'_>], guards: &[&str]) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    for func in funcs {
        for inst in func
            .blocks()
            .into_iter()
            .flat_map(|block| block.instructions())
        {
            let Some(callee) = inst.called_function() else {
                continue;
            };
            if guards.contains(&callee.name().as_str())
                && let Some(number) = inst.args().last().and_then(|arg| arg.as_u64())
            {
                found.insert(number as u32);
            }
        }
    }
    found
}

/// Puts a check that holds in front of each branch to a failure that is wanted; was there any?
fn mark<'c>(
    module: &mut Module<'c>,
    helpers: &Helpers<'c>,
    wanted: impl Fn(Val<'c>, u32) -> bool,
) -> bool {
    let ctx = module.context();
    let builder = Builder::new(ctx);
    let nomerge = Attr::plain(ctx, Attr::kind_named("nomerge"));
    let always = Val::int(helpers.bool, 1);
    let mut any = false;
    for func in module.functions() {
        let mut fails = Vec::new();
        for inst in func
            .blocks()
            .into_iter()
            .flat_map(|block| block.instructions())
        {
            let callee = inst.called_function();
            if callee.is_some_and(|callee| callee.name() == "selkie.fail")
                && let Some(number) = inst.args().first().and_then(|arg| arg.as_u64())
            {
                fails.push((inst, number as u32));
            }
        }
        if fails.is_empty() {
            continue;
        }
        let preds = ubsan::predecessors(func);
        for (fail, number) in fails {
            let entered = preds.get(&fail.block()).map_or(&[][..], Vec::as_slice);
            for pred in entered {
                let branch = pred.terminator().expect("a block ends");
                if branch.opcode() != Some(Opcode::LLVMBr) || !wanted(branch, number) {
                    continue;
                }
                let params = [helpers.bool, helpers.id];
                let (ty, check) =
                    helpers.get(module, "check", "selkie.check", helpers.void, &params);
                builder.before(branch);
                builder.at(fail.location());
                let id = Val::int(helpers.id, u64::from(number));
                let call = builder.call(ty, check, &[always, id]);
                call.add_attribute(u32::MAX, nomerge);
                any = true;
            }
        }
    }
    any
}
