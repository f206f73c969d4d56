//! Scalars of loops that take few values: states, flags, modes.
//!
//! A state machine's loop keeps that some states do not go together: `state = 3` and `locked = 0`. Which values a scalar has at the head
//! stands in the program: constants that jumps, choices and returns carry to it, or that are stored in its variable. If all that
//! comes there are constants, these are all; if not, they are still those that the program is about.

use std::collections::{BTreeMap, BTreeSet};

use base::Bv;
use encode::eval::Vc;
use encode::eval::arbitrary::Point;
use encode::world::Kind;
use ir::syntax::{
    Block, Body, Callee, Const, Def, Func, Global, Module, Op, Operand, Target, Terminator, Value,
};

use crate::slot::Slot;

/// The most values of a scalar that is a state.
const MOST: usize = 48;

/// What values come from, looked up once for all heads of an evaluation.
#[derive(Default)]
pub(crate) struct Sources {
    /// What jumps carry to a function's blocks.
    arguments: BTreeMap<Func, BTreeMap<Block, Vec<Vec<Operand>>>>,
    /// What is stored in globals, by offset; none before somebody asks.
    stored: Option<BTreeMap<(Global, i64), BTreeSet<Bv>>>,
}

impl Sources {
    /// The few values that a scalar of a head may have, as far as the program names them; none if there are too many or too few.
    pub(crate) fn values(
        &mut self,
        vc: &Vc<'_>,
        (func, point): (Func, Point),
        slot: Slot,
        begin: Option<&Bv>,
    ) -> Option<BTreeSet<Bv>> {
        let module = vc.world.module;
        let mut found = match slot {
            Slot::Value(index) => {
                let (Point::Head(head) | Point::Block(head)) = point else {
                    return None;
                };
                let param = *module.body(func).blocks[head].params.get(index)?;
                self.constants(module, func, param)?
            }
            Slot::Cell { object, offset, .. } => {
                let Kind::Global(global) = vc.world.objects[object].kind else {
                    return None;
                };
                let stored = self.stored.get_or_insert_with(|| stored(module));
                stored.get(&(global, offset as i64))?.clone()
            }
            _ => return None, // Pointers and lives have no constants.
        };
        found.extend(begin.cloned());
        (2..=MOST).contains(&found.len()).then_some(found)
    }

    /// The constants that come to a value, from wherever they are known to come; none if there are too many.
    fn constants(&mut self, module: &Module, func: Func, value: Value) -> Option<BTreeSet<Bv>> {
        let mut found = BTreeSet::new();
        let mut seen: BTreeSet<(Func, Value)> = BTreeSet::new();
        let mut work = vec![(func, Operand::Value(value))];
        while let Some((func, operand)) = work.pop() {
            let value = match operand {
                Operand::Const(Const::Int(constant)) => {
                    found.insert(constant);
                    if found.len() > MOST {
                        return None;
                    }
                    continue;
                }
                Operand::Const(_) => continue,
                Operand::Value(value) => value,
            };
            if !seen.insert((func, value)) {
                continue;
            }
            let body = module.body(func);
            match body.values[value].def {
                Def::Param(_) => {}
                Def::BlockParam(block, index) => {
                    let arguments = self.arguments.entry(func).or_insert_with(|| carried(body));
                    let lists = arguments.get(&block).into_iter().flatten();
                    work.extend(lists.map(|args| (func, args[index as usize].clone())));
                }
                Def::Result(inst, index) => match &body.insts[inst].op {
                    Op::Select(_, a, b) => work.extend([(func, a.clone()), (func, b.clone())]),
                    Op::Copy(a) => work.push((func, a.clone())),
                    Op::Call {
                        callee: Callee::Direct(callee),
                        ..
                    } => {
                        let Some(body) = &module.funcs[*callee].body else {
                            continue;
                        };
                        for block in body.blocks.values() {
                            if let Terminator::Return(operands) = &block.terminator {
                                let operand = operands.get(index as usize);
                                work.extend(operand.map(|operand| (*callee, operand.clone())));
                            }
                        }
                    }
                    _ => {} // Computed: no constant of the program.
                },
            }
        }
        Some(found)
    }
}

/// The arguments of all jumps to each block.
fn carried(body: &Body) -> BTreeMap<Block, Vec<Vec<Operand>>> {
    let mut found: BTreeMap<Block, Vec<Vec<Operand>>> = BTreeMap::new();
    for block in body.blocks.values() {
        let targets: Vec<&Target> = match &block.terminator {
            Terminator::Jump(target) => vec![target],
            Terminator::Branch(_, yes, no) => vec![yes, no],
            Terminator::Switch(..) | Terminator::Return(_) | Terminator::Halt(_) => Vec::new(),
        };
        for target in targets {
            let lists = found.entry(target.block).or_default();
            lists.push(target.args.to_vec());
        }
    }
    found
}

/// The constants that are stored in globals by name.
fn stored(module: &Module) -> BTreeMap<(Global, i64), BTreeSet<Bv>> {
    let mut found: BTreeMap<(Global, i64), BTreeSet<Bv>> = BTreeMap::new();
    for body in module.funcs.values().filter_map(|func| func.body.as_ref()) {
        for (_, inst) in body.insts_in_order() {
            if let Op::Store {
                ptr: Operand::Const(Const::Global(global, offset)),
                value: Operand::Const(Const::Int(value)),
                ..
            } = &body.insts[inst].op
            {
                let values = found.entry((*global, *offset)).or_default();
                values.insert(value.clone());
            }
        }
    }
    found
}
