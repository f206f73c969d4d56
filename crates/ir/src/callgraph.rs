//! Who calls whom, and which functions call each other in circles.
//!
//! A direct call names its callee. An indirect one may reach every function whose address is
//! taken somewhere in the module: as an operand, or in a global's initial contents. The points-to
//! analysis knows better; this is what holds without it.

use base::Map;

use crate::graph::components;
use crate::syntax::{Callee, Const, Func, InitPiece, Inst, Module, Op, Operand};

/// The call graph of a module.
#[derive(Clone, Debug)]
pub struct CallGraph {
    /// For each function, whom it calls by name, each once, in order.
    pub callees: Map<Func, Vec<Func>>,
    /// For each function, who calls it by name, each once, in order.
    pub callers: Map<Func, Vec<Func>>,
    /// For each function, its indirect calls.
    pub indirect: Map<Func, Vec<Inst>>,
    /// The functions whose address is taken, in order.
    pub address_taken: Vec<Func>,
    /// The strongly connected components: callees before callers.
    pub components: Vec<Vec<Func>>,
    /// For each function, the number of its component.
    pub component_of: Map<Func, usize>,
}

impl CallGraph {
    /// The call graph of a module.
    pub fn new(module: &Module) -> CallGraph {
        let count = module.funcs.len();
        let mut callees: Map<Func, Vec<Func>> = Map::filled(Vec::new(), count);
        let mut callers: Map<Func, Vec<Func>> = Map::filled(Vec::new(), count);
        let mut indirect: Map<Func, Vec<Inst>> = Map::filled(Vec::new(), count);
        let mut taken = Map::filled(false, count);
        let mut take = |constant: &Const| {
            if let Const::Func(func) = constant {
                taken[*func] = true;
            }
        };
        for global in module.globals.values() {
            for piece in &global.init {
                if let InitPiece::Pointer(constant) = piece {
                    take(constant);
                }
            }
        }
        for (func, data) in module.funcs.iter() {
            let Some(body) = &data.body else { continue };
            for (_, inst) in body.insts_in_order() {
                let op = &body.insts[inst].op;
                for operand in op.operands() {
                    if let Operand::Const(constant) = operand {
                        take(constant);
                    }
                }
                if let Op::Call { callee, .. } = op {
                    match callee {
                        Callee::Direct(callee) => callees[func].push(*callee),
                        Callee::Indirect(_) => indirect[func].push(inst),
                    }
                }
            }
            for block in body.blocks.values() {
                for operand in block.terminator.operands() {
                    if let Operand::Const(constant) = operand {
                        take(constant);
                    }
                }
            }
        }
        for (func, list) in callees.iter_mut() {
            list.sort_unstable();
            list.dedup();
            for &callee in list.iter() {
                callers[callee].push(func);
            }
        }
        let address_taken: Vec<Func> = taken.keys().filter(|&func| taken[func]).collect();
        let found = find_components(&callees, &indirect, &address_taken);
        let mut component_of = Map::filled(0, count);
        for (number, members) in found.iter().enumerate() {
            for &member in members {
                component_of[member] = number;
            }
        }
        CallGraph {
            callees,
            callers,
            indirect,
            address_taken,
            components: found,
            component_of,
        }
    }

    /// Can the function call itself, directly or through others?
    pub fn is_recursive(&self, func: Func) -> bool {
        let alone = self.components[self.component_of[func]].len() == 1;
        let calls_pointer = !self.indirect[func].is_empty();
        !alone
            || self.callees[func].binary_search(&func).is_ok()
            || calls_pointer && self.address_taken.binary_search(&func).is_ok()
    }

    /// The functions that a function may call, indirect calls included, in order.
    pub fn may_call(&self, func: Func) -> Vec<Func> {
        let mut list = self.callees[func].clone();
        if !self.indirect[func].is_empty() {
            list.extend(&self.address_taken);
            list.sort_unstable();
            list.dedup();
        }
        list
    }

    /// For each function, whether it can be reached from this one by calls.
    pub fn reachable_from(&self, start: Func) -> Map<Func, bool> {
        let mut reached = Map::filled(false, self.callees.len());
        let mut any_pointer = false;
        let mut work = vec![start];
        reached[start] = true;
        while let Some(func) = work.pop() {
            let mut enter = |callee: Func| {
                if !std::mem::replace(&mut reached[callee], true) {
                    work.push(callee);
                }
            };
            self.callees[func].iter().copied().for_each(&mut enter);
            if !self.indirect[func].is_empty() && !std::mem::replace(&mut any_pointer, true) {
                self.address_taken.iter().copied().for_each(&mut enter);
            }
        }
        reached
    }
}

/// The components; indirect calls lead through one more node to all functions whose address is
/// taken, so that the graph stays linear in the program.
fn find_components(
    callees: &Map<Func, Vec<Func>>,
    indirect: &Map<Func, Vec<Inst>>,
    address_taken: &[Func],
) -> Vec<Vec<Func>> {
    let pointer = callees.len() as u32;
    let successors = |node: u32| {
        let (list, through_pointer) = if node == pointer {
            (address_taken, false)
        } else {
            let func = Func::from_index(node as usize);
            (&callees[func][..], !indirect[func].is_empty())
        };
        let numbers = list.iter().map(|func| func.index() as u32);
        numbers.chain(through_pointer.then_some(pointer))
    };
    let mut found = Vec::new();
    for members in components(callees.len() + 1, successors) {
        let members = members.into_iter().filter(|&member| member != pointer);
        let mut members: Vec<Func> = members
            .map(|node| Func::from_index(node as usize))
            .collect();
        members.sort_unstable();
        if !members.is_empty() {
            found.push(members);
        }
    }
    found
}
