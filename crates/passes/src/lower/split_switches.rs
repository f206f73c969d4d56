//! `switch` becomes two-way branches.
//!
//! Cases with consecutive values and one target are one range. Few ranges are tested one after the
//! other, in the order of the source, ranges with one target together; many are halved by
//! `ult` until few are left, so that n cases cost log n tests on each path.

use base::Bv;
use ir::syntax::{
    BinaryOp, Block, Body, CompareOp, Machine, Module, Op, Operand, Target, Terminator,
};

use crate::edit;
use crate::pass::{Config, Error, Pass};

/// So many ranges are tested one after the other.
const FEW: usize = 4;

/// See the module.
pub struct SplitSwitches;

impl Pass for SplitSwitches {
    fn name(&self) -> &'static str {
        "split-switches"
    }

    fn about(&self) -> &'static str {
        "Replaces switches by two-way branches: in order for few cases, balanced for many."
    }

    fn run(&self, module: &mut Module, _config: &Config) -> Result<(), Error> {
        let machine = module.machine;
        for func in module.funcs.values_mut() {
            if let Some(body) = &mut func.body {
                split_all(body, machine);
            }
        }
        Ok(())
    }
}

/// Values from `low` to `high` (unsigned) go to the target.
struct Range {
    low: Bv,
    high: Bv,
    target: Target,
    /// Position of the first case in the source.
    order: usize,
}

fn split_all(body: &mut Body, machine: Machine) {
    let mut order = Vec::with_capacity(body.blocks.len());
    let original: Vec<Block> = body.blocks.keys().collect();
    let mut changed = false;
    for block in original {
        order.push(block);
        if let Terminator::Switch(value, cases, default) = &body.blocks[block].terminator {
            let (value, default) = (value.clone(), default.clone());
            let ranges = ranges(cases, &default);
            split(body, block, &value, &ranges, &default, machine, &mut order);
            changed = true;
        }
    }
    if changed {
        edit::tidy(body, &order);
    }
}

/// The cases that do not go where the default goes, as ranges in ascending order.
fn ranges(cases: &[(Bv, Target)], default: &Target) -> Vec<Range> {
    let mut sorted: Vec<(usize, &(Bv, Target))> = cases
        .iter()
        .enumerate()
        .filter(|(_, (_, target))| target != default)
        .collect();
    sorted.sort_by(|(_, (a, _)), (_, (b, _))| a.unsigned_cmp(b));
    let mut ranges: Vec<Range> = Vec::new();
    for (order, (value, target)) in sorted {
        if let Some(last) = ranges.last_mut()
            && last.target == *target
            && last.high.add(&Bv::one(value.width())) == *value
        {
            last.high = value.clone();
            last.order = last.order.min(order);
        } else {
            ranges.push(Range {
                low: value.clone(),
                high: value.clone(),
                target: target.clone(),
                order,
            });
        }
    }
    ranges
}

fn split(
    body: &mut Body,
    block: Block,
    value: &Operand,
    ranges: &[Range],
    default: &Target,
    machine: Machine,
    order: &mut Vec<Block>,
) {
    let place = body.blocks[block].place;
    let mut work = vec![(block, ranges)];
    while let Some((at, ranges)) = work.pop() {
        if at != block {
            order.push(at);
        }
        body.blocks[at].place = place;
        if ranges.len() <= FEW {
            test_in_order(body, at, value, ranges, default, machine, order);
            continue;
        }
        let (below, above) = ranges.split_at(ranges.len() / 2);
        let bound = Operand::from(above[0].low.clone());
        let cond = append(
            body,
            at,
            Op::Compare(CompareOp::Ult, value.clone(), bound),
            machine,
        );
        let (left, right) = (body.new_block(&[]), body.new_block(&[]));
        body.blocks[at].terminator =
            Terminator::Branch(cond, Target::new(left), Target::new(right));
        work.push((right, above));
        work.push((left, below));
    }
}

/// Tests target by target, in the order of the source; what is left goes to the default.
fn test_in_order(
    body: &mut Body,
    block: Block,
    value: &Operand,
    ranges: &[Range],
    default: &Target,
    machine: Machine,
    order: &mut Vec<Block>,
) {
    let place = body.blocks[block].place;
    let mut left: Vec<&Range> = ranges.iter().collect();
    left.sort_by_key(|range| range.order);
    let covers_all = covers_all(ranges);
    let mut at = block;
    while !left.is_empty() {
        let target = left[0].target.clone();
        let (now, later): (Vec<&Range>, Vec<&Range>) =
            left.into_iter().partition(|range| range.target == target);
        left = later;
        if left.is_empty() && covers_all {
            body.blocks[at].terminator = Terminator::Jump(target);
            return;
        }
        let mut any = None;
        for range in now {
            let test = test(body, at, value, range, machine);
            any = Some(match any {
                None => test,
                Some(before) => append(body, at, Op::Binary(BinaryOp::Or, before, test), machine),
            });
        }
        let cond = any.expect("each target has a range");
        let otherwise = if left.is_empty() {
            default.clone()
        } else {
            let next = body.new_block(&[]);
            body.blocks[next].place = place;
            order.push(next);
            Target::new(next)
        };
        let next = otherwise.block;
        body.blocks[at].terminator = Terminator::Branch(cond, target, otherwise);
        at = next;
    }
    if ranges.is_empty() {
        body.blocks[block].terminator = Terminator::Jump(default.clone());
    }
}

/// Do the ranges of a switch, in ascending order, leave nothing to the default?
fn covers_all(ranges: &[Range]) -> bool {
    let (Some(first), Some(last)) = (ranges.first(), ranges.last()) else {
        return false;
    };
    let one = Bv::one(first.low.width());
    first.low.is_zero()
        && last.high.is_ones()
        && ranges
            .windows(2)
            .all(|pair| pair[0].high.add(&one) == pair[1].low)
}

/// Is the value in the range?
fn test(
    body: &mut Body,
    block: Block,
    value: &Operand,
    range: &Range,
    machine: Machine,
) -> Operand {
    let op = if range.low == range.high {
        Op::Compare(CompareOp::Eq, value.clone(), range.low.clone().into())
    } else {
        let from_low = if range.low.is_zero() {
            value.clone()
        } else {
            let op = Op::Binary(BinaryOp::Sub, value.clone(), range.low.clone().into());
            append(body, block, op, machine)
        };
        Op::Compare(CompareOp::Ule, from_low, range.high.sub(&range.low).into())
    };
    append(body, block, op, machine)
}

fn append(body: &mut Body, block: Block, op: Op, machine: Machine) -> Operand {
    let place = body.blocks[block].place;
    let inst = body.append(block, op, Vec::new(), place, machine);
    body.insts[inst]
        .result()
        .expect("the operation has one result")
        .into()
}
