//! Calls, jumps and the ends of blocks.

use base::Bv;
use ir::syntax::{Block, Callee, InstData, Op, Terminator, Type};

use super::{Decoder, Wrong, same_types};
use crate::code::{CallSite, Edge, Ins, Slot, SwitchSite, Target, words_of};
use crate::moves;

impl Decoder<'_> {
    pub(super) fn emit_call(&mut self, data: &InstData, mems: &[Slot]) -> Result<(), Wrong> {
        let Op::Call {
            callee,
            args,
            results: result_types,
            ..
        } = &data.op
        else {
            return Err("not a call".to_string());
        };
        let mut words = Vec::new();
        let mut arg_types = Vec::new();
        for arg in args {
            arg_types.push(self.all_words(arg, &mut words)?);
        }
        for (&mem, value) in mems.iter().zip(&data.mems) {
            words.extend(mem..mem + 2);
            arg_types.push(self.type_of_value(*value)?);
        }
        let mut results = Vec::new();
        for &value in &data.results {
            let first = self.slot(value)?;
            results.extend(first..first + words_of(self.type_of_value(value)?));
        }
        let target = match callee {
            Callee::Direct(func) => {
                let callee = self
                    .image
                    .module
                    .funcs
                    .get(*func)
                    .ok_or_else(|| format!("{func} does not exist"))?;
                let mismatch = || format!("the call does not fit the type of @{}", callee.name);
                let variadic = callee.body.is_none();
                let enough = match variadic {
                    true => arg_types.len() >= callee.params.len(),
                    false => arg_types.len() == callee.params.len(),
                };
                if !enough
                    || !same_types(&callee.params, &arg_types[..callee.params.len()])
                    || !same_types(&callee.results, result_types)
                {
                    return Err(mismatch());
                }
                Target::Direct(*func)
            }
            Callee::Indirect(pointer) => Target::Indirect(self.ptr(pointer)?),
        };
        let site = self.code.calls.len() as u32;
        self.code.calls.push(CallSite {
            target,
            args: words,
            arg_types,
            results,
            result_types: result_types.clone(),
        });
        // A stale version must not slip into a callee that never looks at it.
        for &mem in mems {
            self.push(Ins::UseMem { mem });
        }
        self.push(Ins::Call { site });
        Ok(())
    }

    pub(super) fn emit_terminator(&mut self, terminator: &Terminator) -> Result<(), Wrong> {
        let ins = match terminator {
            Terminator::Jump(target) => Ins::Jump {
                edge: self.edge(target)?,
            },
            Terminator::Branch(cond, yes, no) => Ins::Branch {
                cond: self.bool(cond)?,
                yes: self.edge(yes)?,
                no: self.edge(no)?,
            },
            Terminator::Switch(on, cases, default) => {
                let Type::Int(width) = self.type_of(on)? else {
                    return Err("a switch is on an integer".to_string());
                };
                let on = self.word(on)?;
                let mut list: Vec<(Bv, u32)> = Vec::new();
                for (value, target) in cases {
                    if value.width() != width {
                        return Err("a case has another width than the switch".to_string());
                    }
                    list.push((value.clone(), self.edge(target)?));
                }
                // Of equal cases the first counts.
                list.sort_by(|a, b| a.0.cmp(&b.0));
                list.dedup_by(|later, first| later.0 == first.0);
                let small = match width {
                    ..=64 => list
                        .iter()
                        .map(|(bv, edge)| (bv.low_u64(), *edge))
                        .collect(),
                    65.. => Vec::new(),
                };
                let default = self.edge(default)?;
                let site = self.code.switches.len() as u32;
                self.code.switches.push(SwitchSite {
                    width,
                    cases: list,
                    small,
                    default,
                });
                Ins::Switch { on, site }
            }
            Terminator::Return(operands) => {
                let mut words = Vec::new();
                for operand in operands {
                    let ty = self.all_words(operand, &mut words)?;
                    if ty.is_mem() {
                        let mem = words[words.len() - 2];
                        self.push(Ins::UseMem { mem });
                    }
                }
                let start = self.code.returns.len() as u32;
                let count = words.len() as u32;
                self.code.returns.extend(words);
                Ins::Return { start, count }
            }
            Terminator::Halt(kind) => Ins::Halt { kind: *kind },
        };
        self.push(ins);
        Ok(())
    }

    fn edge(&mut self, target: &ir::syntax::Target) -> Result<u32, Wrong> {
        let Some(block) = self.body.blocks.get(target.block) else {
            return Err(format!("{} does not exist", target.block));
        };
        let block_id: Block = target.block;
        if block.params.len() != target.args.len() {
            return Err(format!(
                "{block_id} has {} parameters, but the jump {} arguments",
                block.params.len(),
                target.args.len()
            ));
        }
        let mut copies = Vec::new();
        for (&param, arg) in block.params.iter().zip(&target.args) {
            let ty = self.type_of_value(param)?;
            let to = self.slot(param)?;
            let from = self.typed(arg, ty)?;
            copies.extend((0..words_of(ty)).map(|index| (to + index, from + index)));
        }
        let start = self.code.moves.len() as u32;
        moves::sequence(&copies, self.spare, &mut self.code.moves);
        let count = self.code.moves.len() as u32 - start;
        // For now `pc` is the number of the block.
        self.code.edges.push(Edge {
            pc: block_id.index() as u32,
            start,
            count,
        });
        Ok(self.code.edges.len() as u32 - 1)
    }
}
