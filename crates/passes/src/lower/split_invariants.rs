//! A loop invariant is two obligations: it holds where the loop is entered, and after every round.
//!
//! The front end puts two checks of the same condition where the program states an invariant. Here each is told apart: the loop's head
//! gets a parameter that says whether a round lies behind, and each check holds without more where the other one is meant.
//! Whichever round it is, the condition is checked in it once.
//!
//! What is not such a pair, or in no natural loop, stays as it is: a check that is too strong hides nothing.

use std::collections::BTreeMap;

use checks::registry::{CheckId, invariant};
use ir::cfg::Cfg;
use ir::loops::{Loops, Shape};
use ir::syntax::{
    BinaryOp, Block, Body, Inst, Machine, Module, Obligation, Op, Operand, Type, Value,
};

use crate::edit;
use crate::pass::{Config, Error, Pass};

/// See the module.
pub struct SplitInvariants;

impl Pass for SplitInvariants {
    fn name(&self) -> &'static str {
        "split-invariants"
    }

    fn about(&self) -> &'static str {
        "Tells apart where a loop invariant holds: on entry, and after a round."
    }

    fn run(&self, module: &mut Module, _config: &Config) -> Result<(), Error> {
        let Module {
            funcs,
            obligations,
            machine,
            ..
        } = module;
        let is = |obligation: Obligation, text: &str| {
            let row = &obligations[obligation];
            row.check == CheckId::Invariant && row.text == text
        };
        for body in funcs.values_mut().filter_map(|func| func.body.as_mut()) {
            let pairs = pairs(body, &is);
            if !pairs.is_empty() {
                split(body, &pairs, *machine);
            }
        }
        Ok(())
    }
}

/// Two checks of one condition.
struct Pair {
    block: Block,
    entry: Inst,
    round: Inst,
}

fn pairs(body: &Body, is: &dyn Fn(Obligation, &str) -> bool) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (block, data) in body.blocks.iter() {
        for both in data.insts.windows(2) {
            if let [entry, round] = *both
                && let Op::Check(first, one) = &body.insts[entry].op
                && let Op::Check(second, other) = &body.insts[round].op
                && one == other
                && is(*first, invariant::ENTRY)
                && is(*second, invariant::ROUND)
            {
                pairs.push(Pair {
                    block,
                    entry,
                    round,
                });
            }
        }
    }
    pairs
}

fn split(body: &mut Body, pairs: &[Pair], machine: Machine) {
    let cfg = Cfg::new(body);
    let loops = Loops::new(&cfg);
    // For each head, whether a round lies behind.
    let mut behind: BTreeMap<Block, Value> = BTreeMap::new();
    for pair in pairs {
        let Some(inner) = loops.innermost[pair.block] else {
            continue;
        };
        let data = &loops.loops[inner];
        if data.shape != Shape::Natural {
            continue;
        }
        let header = data.header;
        let later = *behind.entry(header).or_insert_with(|| {
            let inside: Vec<Block> = loops.blocks(inner).to_vec();
            count_rounds(body, header, &inside)
        });
        let place = body.insts[pair.entry].place;
        let mut emit = |op: Op| -> (Inst, Operand) {
            let inst = body.new_inst(op, Vec::new(), place, machine);
            (inst, body.insts[inst].results[0].into())
        };
        let (negation, first) = emit(Op::Binary(BinaryOp::Xor, later.into(), Operand::bool(true)));
        let Op::Check(_, cond) = body.insts[pair.entry].op.clone() else {
            unreachable!("a pair is two checks")
        };
        let mut emit = |op: Op| -> (Inst, Operand) {
            let inst = body.new_inst(op, Vec::new(), place, machine);
            (inst, body.insts[inst].results[0].into())
        };
        let (not_on_entry, on_entry) = emit(Op::Binary(BinaryOp::Or, cond.clone(), later.into()));
        let (not_after, after) = emit(Op::Binary(BinaryOp::Or, cond, first));
        weaken(body, pair.entry, on_entry);
        weaken(body, pair.round, after);
        let insts = &mut body.blocks[pair.block].insts;
        let at = insts.iter().position(|&inst| inst == pair.entry);
        let at = at.expect("the pair stands in its block");
        insts.splice(at..at, [negation, not_on_entry, not_after]);
    }
    edit::tidy_in_place(body);
}

fn weaken(body: &mut Body, check: Inst, cond: Operand) {
    if let Op::Check(_, old) = &mut body.insts[check].op {
        *old = cond;
    }
}

/// Gives a loop's head a parameter: 0 where the loop is entered, 1 after a round.
fn count_rounds(body: &mut Body, header: Block, inside: &[Block]) -> Value {
    let later = body.new_block_param(header, Type::Int(1));
    for from in body.blocks.keys() {
        let round = inside.contains(&from);
        for target in body.blocks[from].terminator.targets_mut() {
            if target.block == header {
                target.args.push(Operand::bool(round));
            }
        }
    }
    later
}
