//! Loops become copies of their bodies.
//!
//! A loop with bound k may take its back edges k times each time it is entered: its blocks are
//! there k+1 times, the back edges of one copy lead to the next, those of the last to a block
//! where the obligation `unwind` fails. `while (i < 3) …` is complete with bound 3.
//!
//! ```text
//!        b1 ⟲            b1 → b1' → b1'' → (check unwind, 0)
//!        ↓               ↓    ↓     ↓
//!        b2              b2 ←─┴─────┘
//! ```
//!
//! The body is loop-closed first (`loop_closed.rs`), then loops are copied from
//! the inside out; what is in the inner loop is copied with the outer one. The result has the size
//! that the bounds say, and the work is proportional to it. Loops that can be entered in their
//! middle are refused: which of their blocks begins a round would be an arbitrary choice.

use checks::registry::CheckId;
use std::collections::HashMap;

use base::Map;
use ir::cfg::Cfg;
use ir::loop_names::{self, NamedLoop};
use ir::loops::{Loop, Loops, Shape};
use ir::syntax::{
    Block, BlockData, Body, Func, HaltKind, InstData, Module, Obligation, ObligationData, Op,
    Operand, Phase, PlaceId, Target, Terminator, Value, ValueData,
};

use crate::edit::{self, Obligations};
use crate::loop_closed::close_loops;
use crate::pass::{self, Config, Error, Pass};
use crate::simplify::{self, AfterFailure};

/// See the module.
pub struct Unroll;

impl Pass for Unroll {
    fn name(&self) -> &'static str {
        "unroll"
    }

    fn about(&self) -> &'static str {
        "Copies loops up to their bounds; an obligation guards each back edge that is cut."
    }

    fn run(&self, module: &mut Module, config: &Config) -> Result<(), Error> {
        pass::expect_phase(self.name(), Phase::Pure, module)?;
        let mut obligations = Obligations::new(module);
        let mut budget = config.bounds.max_insts;
        for func in module.funcs.keys() {
            let Some(mut body) = module.funcs[func].body.take() else {
                continue;
            };
            let result = unroll(module, func, &mut body, config, &mut obligations, budget);
            budget = budget.saturating_sub(body.insts.len());
            module.funcs[func].body = Some(body);
            result?;
        }
        declare(module);
        Ok(())
    }
}

/// The loop that an obligation `unwind` guards.
pub fn guarded_loop(obligation: &ObligationData) -> Option<&str> {
    let (name, _) = obligation
        .text
        .strip_prefix("loop ")?
        .split_once(" takes no more than ")?;
    (obligation.check == CheckId::Unwind).then_some(name)
}

/// Declares the module Unrolled if neither loops nor calls are left.
pub(crate) fn declare(module: &mut Module) {
    let unrolled = module
        .funcs
        .values()
        .filter_map(|func| func.body.as_ref())
        .all(|body| {
            let calls = body
                .insts_in_order()
                .any(|(_, inst)| matches!(body.insts[inst].op, Op::Call { .. }));
            !calls && Cfg::new(body).retreating_edge().is_none()
        });
    if unrolled {
        module.phase = Phase::Unrolled;
    }
}

fn unroll(
    module: &mut Module,
    func: Func,
    body: &mut Body,
    config: &Config,
    obligations: &mut Obligations,
    max_insts: usize,
) -> Result<(), Error> {
    edit::tidy_in_place(body);
    let loops = Loops::new(&Cfg::new(body));
    if loops.loops.is_empty() {
        return Ok(());
    }
    let name = module.funcs[func].name.clone();
    let irregular = loops
        .loops
        .values()
        .find(|data| data.shape == Shape::Irreducible);
    if let Some(data) = irregular {
        return Err(Error::Irreducible {
            pass: Unroll.name(),
            func: name,
            block: data.header,
        });
    }
    leave_entry_alone(body, &loops);
    let loops = Loops::new(&Cfg::new(body));
    let named = loop_names::of_body(module, func, body, &loops);
    close_loops(body, &loops);
    let mut blocks: Map<Loop, Vec<Block>> = loops
        .loops
        .keys()
        .map(|id| loops.blocks(id).to_vec())
        .collect();
    let bounds = &config.bounds;
    let plan: Vec<(NamedLoop, u32, Obligation)> = named
        .into_iter()
        .map(|named| {
            let own = bounds.unwind_set.get(&named.name);
            let bound = own.copied().unwrap_or(bounds.unwind);
            let text = format!("loop {} takes no more than {}", named.name, rounds(bound));
            let obligation = obligations.add(module, &name, CheckId::Unwind, text, named.place);
            (named, bound, obligation)
        })
        .collect();
    // Inner loops have greater numbers.
    for (id, data) in loops.loops.iter().rev() {
        let (named, bound, obligation) = plan
            .iter()
            .find(|(named, ..)| named.header == data.header)
            .expect("every loop has a name");
        let mut copier = Copier {
            body,
            header: data.header,
            blocks: std::mem::take(&mut blocks[id]),
            obligation: *obligation,
            place: named.place,
            max_insts,
        };
        let new = copier.copy_loop(*bound)?;
        let outer = std::iter::successors(data.parent, |&inner| loops.loops[inner].parent);
        for outer in outer {
            blocks[outer].extend(&new);
        }
    }
    let order = ir::cfg::text_order(body);
    edit::tidy(body, &order);
    simplify::simplify(body, AfterFailure::of(config), module.machine.pointer_bits);
    edit::renumber(body);
    Ok(())
}

/// If the entry begins a loop, moves it behind a new entry.
fn leave_entry_alone(body: &mut Body, loops: &Loops) {
    if loops.with_header(body.entry()).is_none() {
        return;
    }
    let entry = body.new_block(&[]);
    body.blocks[entry].terminator = Terminator::Jump(Target::new(body.entry()));
    let others = body.blocks.keys().filter(|&block| block != entry);
    let order: Vec<Block> = std::iter::once(entry).chain(others).collect();
    edit::tidy(body, &order);
}

fn rounds(bound: u32) -> String {
    match bound {
        1 => "1 round".to_owned(),
        _ => format!("{bound} rounds"),
    }
}

/// Copies one loop, whose inner loops are gone.
struct Copier<'a> {
    body: &'a mut Body,
    header: Block,
    blocks: Vec<Block>,
    obligation: Obligation,
    place: Option<PlaceId>,
    max_insts: usize,
}

impl Copier<'_> {
    /// Unrolls the loop; returns the blocks of the copies.
    fn copy_loop(&mut self, bound: u32) -> Result<Vec<Block>, Error> {
        let mut index: Map<Block, Option<u32>> = Map::filled(None, self.body.blocks.len());
        for (position, &block) in (0..).zip(&self.blocks) {
            index[block] = Some(position);
        }
        let original = self.blocks.clone();
        let mut added: Vec<Block> = Vec::new();
        let mut first_header = None;
        // All copies are made from the original before its back edges are redirected.
        for _ in 0..bound {
            let copy = self.copy_once(&index)?;
            let header = copy[self.index_of_header(&index)];
            match first_header {
                None => first_header = Some(header),
                Some(_) => {
                    let previous = added.len() - original.len();
                    self.redirect(&added[previous..], header, Args::Keep);
                }
            }
            added.extend(copy);
        }
        let cut = self.cut_block();
        match first_header {
            None => self.redirect(&original, cut, Args::Drop),
            Some(header) => {
                self.redirect(&added[added.len() - original.len()..], cut, Args::Drop);
                self.redirect(&original, header, Args::Keep);
            }
        }
        Ok(added)
    }

    fn index_of_header(&self, index: &Map<Block, Option<u32>>) -> usize {
        index[self.header].expect("the header is in its loop") as usize
    }

    /// One more copy of the loop's blocks, in their order; its back edges still lead to the
    /// original header.
    fn copy_once(&mut self, index: &Map<Block, Option<u32>>) -> Result<Vec<Block>, Error> {
        let mut blocks = Vec::with_capacity(self.blocks.len());
        let mut values: HashMap<Value, Value> = HashMap::new();
        for &block in &self.blocks {
            blocks.push(self.body.new_block(&[]));
            let data = &self.body.blocks[block];
            let params = data.params.iter().copied();
            let results = data
                .insts
                .iter()
                .flat_map(|&inst| self.body.insts[inst].results.iter().copied());
            let defined: Vec<Value> = params.chain(results).collect();
            for value in defined {
                let ValueData { ty, def } = self.body.values[value].clone();
                values.insert(value, self.body.values.push(ValueData { ty, def }));
            }
        }
        let value = |value: Value| values.get(&value).copied().unwrap_or(value);
        for (&block, &to) in self.blocks.iter().zip(&blocks) {
            let data = self.body.blocks[block].clone();
            let mut insts = Vec::with_capacity(data.insts.len());
            for &inst in &data.insts {
                let mut copy: InstData = self.body.insts[inst].clone();
                copy.op.map_operands(|v| value(v).into());
                copy.mems.iter_mut().for_each(|mem| *mem = value(*mem));
                copy.results.iter_mut().for_each(|v| *v = value(*v));
                insts.push(self.body.insts.push(copy));
            }
            let mut terminator = data.terminator;
            terminator.map_operands(|v| value(v).into());
            for target in terminator.targets_mut() {
                if target.block != self.header
                    && let Some(Some(position)) = index.get(target.block)
                {
                    target.block = blocks[*position as usize];
                }
            }
            self.body.blocks[to] = BlockData {
                params: data.params.iter().map(|&param| value(param)).collect(),
                insts,
                terminator,
                place: data.place,
            };
        }
        if self.body.insts.len() > self.max_insts {
            return Err(Error::TooLarge {
                pass: Unroll.name(),
                limit: self.max_insts,
            });
        }
        Ok(blocks)
    }

    /// Lets the back edges of a copy lead somewhere else.
    fn redirect(&mut self, copy: &[Block], to: Block, args: Args) {
        for &block in copy {
            for target in self.body.blocks[block].terminator.targets_mut() {
                if target.block == self.header {
                    target.block = to;
                    if args == Args::Drop {
                        target.args.clear();
                    }
                }
            }
        }
    }

    /// The block where the obligation fails.
    fn cut_block(&mut self) -> Block {
        let cut = self.body.new_block(&[]);
        let check = self.body.insts.push(InstData {
            results: Vec::new(),
            op: Op::Check(self.obligation, Operand::bool(false)),
            mems: Vec::new(),
            place: self.place,
        });
        self.body.blocks[cut].insts.push(check);
        self.body.blocks[cut].terminator = Terminator::Halt(HaltKind::Dead);
        cut
    }
}

/// What becomes of the arguments of an edge that is redirected.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Args {
    Keep,
    Drop,
}
