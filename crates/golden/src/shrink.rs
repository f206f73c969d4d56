//! Makes a failing program small: what is left when nothing more can go.
//!
//! Changes are tried from coarse to fine, over and over: a function becomes one that returns
//! zeros, a branch a jump, a jump the end, runs of instructions go (what used their results gets zeros, or the
//! memory version before), unreachable blocks go, records and places go. A change stays if the
//! module is still wellformed and still fails. Nothing here knows what failing means.

use std::collections::HashMap;

use base::{Bv, Map};
use ir::cfg::Cfg;
use ir::syntax::{
    Block, Body, Const, Func, HaltKind, Inst, Module, Op, Operand, Terminator, Type, Value,
};
use ir::wellformed;

/// The smallest module that was found for which `fails` holds as it does for this one.
pub fn shrink(module: &Module, mut fails: impl FnMut(&Module) -> bool) -> Module {
    let mut best = module.clone();
    loop {
        let mut attempt = Attempt {
            best: &mut best,
            fails: &mut fails,
            progress: false,
        };
        attempt.drop_details();
        for func in module.funcs.keys() {
            attempt.empty_function(func);
            attempt.straighten(func);
            attempt.drop_instructions(func);
            attempt.drop_unreachable(func);
            attempt.merge_blocks(func);
        }
        if !attempt.progress {
            ir::tidy::tidy(&mut best);
            return best;
        }
    }
}

struct Attempt<'a> {
    best: &'a mut Module,
    fails: &'a mut dyn FnMut(&Module) -> bool,
    progress: bool,
}

impl Attempt<'_> {
    /// Keeps the change if the module still fails.
    fn try_change(&mut self, change: impl FnOnce(&mut Module) -> Option<()>) -> bool {
        let mut module = self.best.clone();
        let changed = change(&mut module).is_some() && module != *self.best;
        let keep = changed && wellformed::check(&module).is_ok() && (self.fails)(&module);
        if keep {
            *self.best = module;
            self.progress = true;
        }
        keep
    }

    /// Without places, notes and records of variables.
    fn drop_details(&mut self) {
        self.try_change(|module| {
            module.notes.clear();
            for func in module.funcs.values_mut() {
                let Some(body) = &mut func.body else { continue };
                for inst in body.insts.values_mut() {
                    inst.place = None;
                }
                for region in body.regions.values_mut() {
                    region.facts.sites = None;
                }
                let insts = &body.insts;
                for block in body.blocks.values_mut() {
                    block.place = None;
                    let is_record = |inst: Inst| matches!(insts[inst].op, Op::Debug { .. });
                    block.insts.retain(|&inst| !is_record(inst));
                }
            }
            Some(())
        });
    }

    /// Only the end, which returns zeros or ends the program.
    fn empty_function(&mut self, func: Func) {
        self.try_change(|module| {
            let data = &mut module.funcs[func];
            let results: Option<Vec<Operand>> = data.results.iter().map(|&ty| zero(ty)).collect();
            let body = data.body.as_mut()?;
            let terminator = match results {
                Some(results) => Terminator::Return(results),
                None => Terminator::Halt(HaltKind::Dead),
            };
            let mut empty = Body::new(&data.params);
            let block = empty.new_block(&[]);
            empty.blocks[block].terminator = terminator;
            empty.regions = body.regions.clone();
            *body = empty;
            Some(())
        });
    }

    /// Returns instead of jumps, jumps instead of branches.
    fn straighten(&mut self, func: Func) {
        let Some(body) = &self.best.funcs[func].body else {
            return;
        };
        for block in body.blocks.keys().collect::<Vec<Block>>() {
            let body = self.best.body(func);
            let targets = body.blocks[block].terminator.targets();
            let jumps = targets.into_iter().cloned().map(Terminator::Jump);
            let results = self.best.funcs[func].results.iter().map(|&ty| zero(ty));
            let results: Option<Vec<Operand>> = results.collect();
            let ends = results.map(Terminator::Return).into_iter();
            for simpler in ends.chain(jumps).collect::<Vec<Terminator>>() {
                let changed = self.try_change(|module| {
                    module.body_mut(func).blocks[block].terminator = simpler;
                    Some(())
                });
                if changed {
                    break;
                }
            }
        }
    }

    /// Without runs of instructions, long runs first.
    fn drop_instructions(&mut self, func: Func) {
        let count = |module: &Module| match &module.funcs[func].body {
            Some(body) => body.insts_in_order().count(),
            None => 0,
        };
        let mut run = count(self.best).max(1);
        while run > 0 {
            let mut start = 0;
            while start < count(self.best) {
                let dropped = self.try_change(|module| {
                    let body = module.body_mut(func);
                    let insts = body.insts_in_order().map(|(_, inst)| inst);
                    let gone: Vec<Inst> = insts.skip(start).take(run).collect();
                    drop_insts(body, &gone)
                });
                if !dropped {
                    start += run;
                }
            }
            run /= 2;
        }
    }

    /// Blocks that follow each other in any case become one.
    fn merge_blocks(&mut self, func: Func) {
        self.try_change(|module| {
            let body = module.funcs[func].body.as_mut()?;
            let cfg = Cfg::new(body);
            for &block in cfg.reverse_post_order() {
                // A block that was merged into an earlier one has no way on any more.
                while let Terminator::Jump(target) = body.blocks[block].terminator.clone() {
                    let only = cfg.predecessors(target.block).len() == 1;
                    if !only || target.block == block || target.block == body.entry() {
                        break;
                    }
                    let dead = Terminator::Halt(HaltKind::Dead);
                    let next = &mut body.blocks[target.block];
                    let params = std::mem::take(&mut next.params);
                    let insts = std::mem::take(&mut next.insts);
                    let end = std::mem::replace(&mut next.terminator, dead);
                    body.blocks[block].insts.extend(insts);
                    body.blocks[block].terminator = end;
                    let instead = params.into_iter().zip(target.args).collect();
                    replace(body, &instead)?;
                }
            }
            Some(())
        });
        self.drop_unreachable(func);
    }

    /// Without the blocks that are not reached.
    fn drop_unreachable(&mut self, func: Func) {
        self.try_change(|module| {
            let body = module.funcs[func].body.as_mut()?;
            let cfg = Cfg::new(body);
            let mut next = 0;
            let number: Map<Block, Option<Block>> = body
                .blocks
                .keys()
                .map(|block| {
                    let reached = cfg.is_reachable(block);
                    next += usize::from(reached);
                    reached.then(|| Block::from_index(next - 1))
                })
                .collect();
            let blocks = std::mem::take(&mut body.blocks);
            for (index, mut data) in blocks.into_iter().enumerate() {
                if number[Block::from_index(index)].is_none() {
                    continue;
                }
                for target in data.terminator.targets_mut() {
                    target.block = number[target.block].expect("it is reached from here");
                }
                body.blocks.push(data);
            }
            ir::tidy::tidy_body(body);
            Some(())
        });
    }
}

/// The constant that stands for anything; memories have none.
fn zero(ty: Type) -> Option<Operand> {
    match ty {
        Type::Int(width) => Some(Bv::zero(width).into()),
        Type::Float(float) => Some(Operand::float(float, 0)),
        Type::Ptr => Some(Operand::Const(Const::Null)),
        Type::Mem(_) => None,
    }
}

/// Takes instructions out, unless something needs a memory that only they make.
fn drop_insts(body: &mut Body, gone: &[Inst]) -> Option<()> {
    let mut instead: HashMap<Value, Operand> = HashMap::new();
    for &inst in gone {
        let data = &body.insts[inst];
        for &result in &data.results {
            let ty = body.values[result].ty;
            let operand = match zero(ty) {
                Some(operand) => operand,
                None => {
                    let same = data.mems.iter().find(|&&mem| body.values[mem].ty == ty)?;
                    let before = instead.get(same).cloned();
                    before.unwrap_or(Operand::Value(*same))
                }
            };
            instead.insert(result, operand);
        }
    }
    for block in body.blocks.values_mut() {
        block.insts.retain(|inst| !gone.contains(inst));
    }
    replace(body, &instead)
}

/// Replaces values everywhere, unless a constant would have to be a memory.
fn replace(body: &mut Body, instead: &HashMap<Value, Operand>) -> Option<()> {
    let map = |value| {
        instead
            .get(&value)
            .cloned()
            .unwrap_or(Operand::Value(value))
    };
    for block in body.blocks.values_mut() {
        block.terminator.map_operands(map);
    }
    for inst in body.insts.values_mut() {
        inst.op.map_operands(map);
        for mem in &mut inst.mems {
            *mem = map(*mem).as_value()?;
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use ir::cfg::Cfg;
    use ir::syntax::Module;
    use ir::text::display_block;

    use super::shrink;
    use crate::random::{self, Options};

    /// Does a block of `@main` that can be reached contain the text?
    fn reaches(module: &Module, text: &str) -> bool {
        let main = module.func_named("main").expect("it is there");
        let body = module.body(main);
        let cfg = Cfg::new(body);
        let blocks = cfg.reverse_post_order().iter();
        let mut blocks = blocks.map(|&block| display_block(module, body, block).to_string());
        blocks.any(|block| block.contains(text))
    }

    #[test]
    fn what_matters_is_left() {
        let mut seen = 0;
        for seed in 0..40 {
            let module = random::module(&Options::new(seed, 150));
            let fails = |module: &Module| reaches(module, "= mem_compare");
            if !fails(&module) {
                continue;
            }
            seen += 1;
            let small = shrink(&module, fails);
            let text = ir::text::display_functions(&small).to_string();
            let insts = text.lines().filter(|line| line.starts_with("    ")).count();
            // The comparison, and an end for each function.
            assert_eq!(insts, 1 + small.funcs.len(), "{text}");
            assert_eq!(ir::text::read(&small.to_string()), Ok(small));
        }
        assert!(seen > 5, "{seen}");
    }

    #[test]
    fn memories_are_bridged() {
        let module = ir::text::read(
            "fn @f(v0: mem r0) -> mem r0 {\nregion r0\nb0:\n    v1 = store.i8 null, 1 in v0\n    \
             v2 = mem_set null, 1, 7 in v1\n    v3 = store.i8 null, 3 in v2\n    return v3\n}\n",
        )
        .expect("is read");
        let small = shrink(&module, |module| module.to_string().contains("mem_set"));
        assert_eq!(
            ir::text::display_functions(&small).to_string(),
            "fn @f(v0: mem r0) -> mem r0 {\nregion r0\nb0:\n    v2 = mem_set null, 1, 7 in v0\n    \
             return v2\n}\n"
        );
    }
}
