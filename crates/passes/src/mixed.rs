//! Mixed semantics: a call either fails inside, and then it never returns, or it returns, and then nothing failed.
//!
//! An execution violates at most one obligation, so that a call of a function that can fail has two cases, and a free choice between them:
//!
//! ```text
//!   call f(x)     =>     if * jump f'(x)      f' is a copy of f's body in the entry, and where it would return the execution ends
//!                        call f(x)            all of f's checks are assumptions
//! ```
//!
//! There is one copy for all calls of a function; calls in copies jump to copies. So all checks are in the entry, and no body is copied into it twice.
//! What can be violated stays so, and so does what does not end: a choice that is wrong costs an execution that is covered by the other one.
//! Recursion on the way to a violation becomes a loop of the entry.
//!
//! The idea, and the name, are SeaHorn's (Gurfinkel, Kahsai, Komuravelli and Navas, 2015, figure 2; Wei, Gurfinkel and Chechik before).
//! Models of library functions stay as they are, with their checks: engines know them by their activation. So do functions that a model
//! calls back (comparisons of `qsort`, hooks of `atexit`), and whatever these call: nobody chooses whether such a call fails.

use std::collections::BTreeSet;

use base::Map;
use ir::syntax::{
    Block, Body, Callee, Def, Func, HaltKind, Inst, InstData, Machine, Module, NondetKind, Op,
    Operand, Origin, Phase, Target, Terminator, Type, Value, ValueData,
};

use crate::edit;
use crate::pass::{self, Config, Error, Pass};

/// See the module.
pub struct Mixed;

impl Pass for Mixed {
    fn name(&self) -> &'static str {
        "mixed"
    }

    fn about(&self) -> &'static str {
        "Moves all checks into the entry: a call that fails jumps to a copy, and one that returns has not failed."
    }

    fn run(&self, module: &mut Module, _config: &Config) -> Result<(), Error> {
        pass::expect_phase(self.name(), Phase::Lowered, module)?;
        let no_entry = Error::NoEntry { pass: self.name() };
        let entry = module.entry.ok_or(no_entry)?;
        let fails = failing(module, entry);
        if !fails.values().any(|&fails| fails) {
            return Ok(());
        }
        let Some(body) = module.funcs[entry].body.take() else {
            return Ok(());
        };
        let mut mixer = Mixer {
            fails: &fails,
            copies: Map::filled(None, module.funcs.len()),
            chosen: BTreeSet::new(),
            module,
            body,
        };
        mixer.expand();
        let (mut body, module) = (mixer.body, mixer.module);
        let order = ir::cfg::text_order(&body);
        edit::tidy(&mut body, &order);
        edit::renumber(&mut body);
        module.funcs[entry].body = Some(body);
        for (func, data) in module.funcs.iter_mut() {
            if let (true, Some(body)) = (fails[func], &mut data.body) {
                assume_checks(body);
            }
        }
        Ok(())
    }
}

/// Models, and what can run while one of them does.
fn left_alone(module: &Module) -> Map<Func, bool> {
    let mut found = Map::filled(false, module.funcs.len());
    let models = module.funcs.iter().filter(|(_, data)| data.model);
    let mut work: Vec<Func> = models.map(|(func, _)| func).collect();
    while let Some(func) = work.pop() {
        if std::mem::replace(&mut found[func], true) {
            continue;
        }
        let Some(body) = &module.funcs[func].body else {
            continue;
        };
        work.extend(body.insts_in_order().filter_map(|(_, inst)| {
            match &body.insts[inst].op {
                Op::Call {
                    callee: Callee::Direct(callee),
                    ..
                } => Some(*callee),
                _ => None, // Calls nobody.
            }
        }));
    }
    found
}

/// The functions whose calls can fail: with checks, or with calls of such functions.
fn failing(module: &Module, entry: Func) -> Map<Func, bool> {
    let left_alone = left_alone(module);
    let mut fails = Map::filled(false, module.funcs.len());
    loop {
        let mut changed = false;
        for (func, data) in module.funcs.iter() {
            let Some(body) = &data.body else { continue };
            if func == entry || left_alone[func] || fails[func] {
                continue;
            }
            let can_fail = body
                .insts_in_order()
                .any(|(_, inst)| match &body.insts[inst].op {
                    Op::Check(..) => true,
                    Op::Call {
                        callee: Callee::Direct(callee),
                        ..
                    } => fails[*callee],
                    _ => false, // Does nothing but its own.
                });
            if can_fail {
                fails[func] = true;
                changed = true;
            }
        }
        if !changed {
            return fails;
        }
    }
}

fn assume_checks(body: &mut Body) {
    let insts: Vec<Inst> = body.insts_in_order().map(|(_, inst)| inst).collect();
    for inst in insts {
        if let Op::Check(_, holds) = &body.insts[inst].op {
            body.insts[inst].op = Op::Assume(holds.clone(), Origin::Unchecked);
        }
    }
}

struct Mixer<'a> {
    module: &'a mut Module,
    body: Body,
    fails: &'a Map<Func, bool>,
    /// Where the copy of each function begins.
    copies: Map<Func, Option<Block>>,
    /// Calls that have their choice.
    chosen: BTreeSet<Inst>,
}

impl Mixer<'_> {
    /// Looks at calls block by block; what is copied or split off is looked at later.
    fn expand(&mut self) {
        let mut next = 0;
        while next < self.body.blocks.len() {
            let block = Block::from_index(next);
            next += 1;
            let insts = self.body.blocks[block].insts.iter();
            let found = insts.enumerate().find_map(|(index, &inst)| {
                let Op::Call {
                    callee: Callee::Direct(callee),
                    args,
                    ..
                } = &self.body.insts[inst].op
                else {
                    return None;
                };
                let open = self.fails[*callee] && !self.chosen.contains(&inst);
                open.then(|| (index, *callee, args.clone()))
            });
            if let Some((index, callee, args)) = found {
                self.choose(block, index, callee, args);
            }
        }
    }

    /// The call at this place fails inside, or it returns.
    fn choose(&mut self, block: Block, index: usize, callee: Func, args: Vec<Operand>) {
        let copy = self.copy_of(callee);
        let rest = edit::split_after(&mut self.body, block, index);
        let call = self.body.blocks[block].insts.pop().expect("the call");
        self.chosen.insert(call);
        let place = self.body.insts[call].place;
        let returns = self.body.new_block(&[]);
        self.body.blocks[returns].insts.push(call);
        self.body.blocks[returns].terminator = Terminator::Jump(Target::new(rest));
        self.body.blocks[returns].place = place;
        let choice = Op::Nondet(Type::Int(1), NondetKind::Undef);
        let machine = self.module.machine;
        let choice = self.body.append(block, choice, Vec::new(), place, machine);
        let choice = self.body.insts[choice].results[0];
        self.body.blocks[block].terminator = Terminator::Branch(
            choice.into(),
            Target::with_args(copy, args),
            Target::new(returns),
        );
        self.body.blocks[block].place = place;
    }

    /// Where the copy of a function begins: its parameters are the block's.
    fn copy_of(&mut self, func: Func) -> Block {
        if let Some(block) = self.copies[func] {
            return block;
        }
        let source = self.module.funcs[func].body.clone();
        let source = source.expect("what fails has a body");
        let copy = copy(&mut self.body, &source, self.module.machine);
        self.copies[func] = Some(copy);
        copy
    }
}

/// Copies a body, behind a block that takes its parameters.
fn copy(body: &mut Body, source: &Body, machine: Machine) -> Block {
    let mut values: Map<Value, Option<Value>> = Map::filled(None, source.values.len());
    let mut blocks: Map<Block, Block> = Map::filled(source.entry(), source.blocks.len());
    let begin = body.new_block(&[]);
    let params = |list: &[Value], to: Block, body: &mut Body, values: &mut Map<_, _>| {
        for &param in list {
            let new = body.new_block_param(to, source.values[param].ty);
            values[param] = Some(new);
        }
    };
    params(&source.params, begin, body, &mut values);
    for (block, data) in source.blocks.iter() {
        let to = body.new_block(&[]);
        blocks[block] = to;
        params(&data.params, to, body, &mut values);
        for &inst in &data.insts {
            for &result in &source.insts[inst].results {
                let ty = source.values[result].ty;
                let def = Def::Param(u32::MAX); // Numbered at last.
                values[result] = Some(body.values.push(ValueData { ty, def }));
            }
        }
    }
    let value = |value: Value| values[value].expect("what is read is defined");
    for (block, data) in source.blocks.iter() {
        let to = blocks[block];
        for &inst in &data.insts {
            let InstData {
                results,
                op,
                mems,
                place,
            } = &source.insts[inst];
            let mut op = op.clone();
            // What the copy allocates lives to the end.
            if op == Op::Leave {
                continue;
            }
            op.map_operands(|v| value(v).into());
            let new = body.insts.push(InstData {
                results: results.iter().map(|&v| value(v)).collect(),
                op,
                mems: mems.iter().map(|&v| value(v)).collect(),
                place: *place,
            });
            body.blocks[to].insts.push(new);
        }
        let mut terminator = match &data.terminator {
            Terminator::Return(_) => {
                let never = Op::Assume(Operand::bool(false), Origin::Unchecked);
                body.append(to, never, Vec::new(), data.place, machine);
                Terminator::Halt(HaltKind::Dead)
            }
            other => other.clone(), // With its targets below.
        };
        terminator.map_operands(|v| value(v).into());
        for target in terminator.targets_mut() {
            target.block = blocks[target.block];
        }
        body.blocks[to].terminator = terminator;
        body.blocks[to].place = data.place;
    }
    body.blocks[begin].terminator = Terminator::Jump(Target::new(blocks[source.entry()]));
    begin
}
