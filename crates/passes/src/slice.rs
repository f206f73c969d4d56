//! Slices: what chosen obligations depend on.
//!
//! [`slice`] keeps of a Pure module the checks of the chosen obligations, all assumptions, what unknown code sees, and what these depend
//! on. Everything else goes: other checks, computations, branches, loops, calls and whole regions.
//!
//! - *Data*: the operands of what is kept; a block's parameter brings its arguments and the branches that
//!   decide between them; results and parameters of functions are followed through all calls.
//! - *Control*: a branch is kept if something that is kept runs or does not run by its decision, that is, if it
//!   post-dominates one of the targets, and not the branch (Ferrante, Ottenstein and Warren, 1987). Another
//!   branch becomes a jump to where its ways meet again. That a function returns counts as kept.
//! - *Memory*: by region. If one instruction that is kept touches a region, all that touch it are kept, in all
//!   functions between which calls hand it on. So versions follow each other as before.
//!
//! An execution of the program up to a chosen check has a counterpart in the slice that makes the same choices
//! where they are kept, and comes to the same check with the same condition. The slice has more executions than
//! that: it does not end where the program violates another obligation, stays in a loop that was dropped, or
//! leaves by a call that was. So what holds on the slice holds of the program, and a violation on the slice has to be
//! replayed on the program.
//!
//! A loop that nothing leaves has no place where its ways meet: its branches are kept.

use base::Map;
use ir::callgraph::CallGraph;
use ir::cfg::Cfg;
use ir::dominators::PostDominators;
use ir::syntax::{
    Block, Body, Callee, Const, Def, Func, HaltKind, Inst, InstData, Module, Obligation, Op,
    Operand, Region, Target, Terminator, Type, Value,
};

use crate::edit::{self, Edge};

/// What these obligations depend on. The module is in phase Pure or later; its tables stay as they are.
pub fn slice(module: &Module, chosen: &[Obligation]) -> Module {
    let Some(entry) = module.entry else {
        return module.clone();
    };
    let mut marker = Marker::new(module, entry);
    marker.seed(chosen);
    marker.follow();
    let mut sliced = module.clone();
    for (func, data) in sliced.funcs.iter_mut() {
        let Some(body) = &mut data.body else { continue };
        if marker.marks[func].entered || func == entry {
            marker.cut(func, body);
            let order = ir::cfg::text_order(body);
            edit::tidy(body, &order);
        } else {
            data.body = None;
            data.params.retain(|ty| !ty.is_mem());
            data.results.retain(|ty| !ty.is_mem());
        }
    }
    sliced
}

/// What is kept of a function.
#[derive(Clone, Default)]
struct Marks {
    /// Is it called by something that is kept?
    entered: bool,
    insts: Map<Inst, bool>,
    /// Parameters of the function and of blocks.
    values: Map<Value, bool>,
    /// Blocks whose branch is kept.
    branches: Map<Block, bool>,
    regions: Map<Region, bool>,
    /// Results that are no memories.
    results: Vec<bool>,
    /// Where each instruction stands, if it can be reached.
    home: Map<Inst, Option<Block>>,
    /// The branches that decide whether a block runs.
    deciding: Map<Block, Vec<Block>>,
    /// Where a branch's ways meet again.
    meeting: Map<Block, Option<Block>>,
    edges: Map<Block, Vec<Edge>>,
    callers: Vec<(Func, Inst)>,
}

/// What is to be kept.
enum Work {
    Inst(Func, Inst),
    Operand(Func, Operand),
    Branch(Func, Block),
    /// Whatever decides whether the block runs.
    Deciding(Func, Block),
    Region(Func, Region),
    Enter(Func),
}

struct Marker<'m> {
    module: &'m Module,
    entry: Func,
    reached: Map<Func, bool>,
    marks: Map<Func, Marks>,
    work: Vec<Work>,
}

impl<'m> Marker<'m> {
    fn new(module: &'m Module, entry: Func) -> Marker<'m> {
        let reached = CallGraph::new(module).reachable_from(entry);
        let mut marks: Map<Func, Marks> = module
            .funcs
            .values()
            .map(|data| match &data.body {
                Some(body) => Marks::new(body, data.results.len()),
                None => Marks::default(),
            })
            .collect();
        for caller in module.funcs.keys().filter(|&func| reached[func]) {
            let Some(body) = &module.funcs[caller].body else {
                continue;
            };
            for (_, inst) in body.insts_in_order() {
                let here = marks[caller].home[inst].is_some();
                if let (Some((callee, _)), true) = (call_of(&body.insts[inst]), here) {
                    marks[callee].callers.push((caller, inst));
                }
            }
        }
        Marker {
            module,
            entry,
            reached,
            marks,
            work: Vec::new(),
        }
    }

    /// The checks, the assumptions, what unknown code sees, and the branches of loops that nothing leaves.
    fn seed(&mut self, chosen: &[Obligation]) {
        for (func, data) in self.module.funcs.iter() {
            let Some(body) = &data.body else { continue };
            if !self.reached[func] {
                continue;
            }
            for (_, inst) in body.insts_in_order() {
                let wanted = match &body.insts[inst].op {
                    // What unknown code has seen, pointers from there may mean, whatever they are used for.
                    Op::Assume(..) | Op::Clobber(_) | Op::Show(_) => true,
                    Op::Check(obligation, _) => chosen.contains(obligation),
                    _ => false, // Kept if something else needs it.
                };
                if wanted && self.marks[func].home[inst].is_some() {
                    self.work.push(Work::Inst(func, inst));
                }
            }
            let endless = endless(body).into_iter();
            self.work
                .extend(endless.map(|block| Work::Branch(func, block)));
        }
    }

    fn follow(&mut self) {
        while let Some(work) = self.work.pop() {
            match work {
                Work::Inst(func, inst) => self.mark_inst(func, inst),
                Work::Operand(func, Operand::Value(value)) => self.mark_value(func, value),
                Work::Operand(_, Operand::Const(_)) => {}
                Work::Branch(func, block) => {
                    let terminator = &self.module.body(func).blocks[block].terminator;
                    if let Terminator::Branch(cond, ..) = terminator
                        && !std::mem::replace(&mut self.marks[func].branches[block], true)
                    {
                        self.work.push(Work::Operand(func, cond.clone()));
                        self.work.push(Work::Deciding(func, block));
                        self.work.push(Work::Enter(func));
                    }
                }
                Work::Deciding(func, block) => {
                    let deciding = self.marks[func].deciding[block].iter();
                    let branches = deciding.map(|&branch| Work::Branch(func, branch));
                    self.work.extend(branches);
                }
                Work::Region(func, region) => self.mark_region(func, region),
                Work::Enter(func) => self.enter(func),
            }
        }
    }

    /// All calls of the function are kept, and it returns if it did.
    fn enter(&mut self, func: Func) {
        if func == self.entry || std::mem::replace(&mut self.marks[func].entered, true) {
            return;
        }
        for (block, data) in self.module.body(func).blocks.iter() {
            if let Terminator::Return(_) = data.terminator {
                self.work.push(Work::Deciding(func, block));
            }
        }
        let callers = self.marks[func].callers.iter();
        let calls = callers.map(|&(caller, inst)| Work::Inst(caller, inst));
        self.work.extend(calls);
    }

    fn mark_inst(&mut self, func: Func, inst: Inst) {
        let Some(home) = self.marks[func].home[inst] else {
            return;
        };
        if std::mem::replace(&mut self.marks[func].insts[inst], true) {
            return;
        }
        self.work.push(Work::Enter(func));
        self.work.push(Work::Deciding(func, home));
        let body = self.module.body(func);
        let data = &body.insts[inst];
        if let Some((callee, bound)) = call_of(data) {
            // Arguments are kept if parameters are.
            self.work.push(Work::Enter(callee));
            let params = self.module.body(callee).params.iter();
            for (&param, arg) in params.zip(args_of(data)) {
                if self.marks[callee].values[param] {
                    self.work.push(Work::Operand(func, arg.clone()));
                }
            }
            for &(inner, outer) in bound {
                if self.marks[callee].regions[inner] {
                    self.work.push(Work::Region(func, outer));
                }
            }
            return;
        }
        for operand in data.op.operands() {
            self.work.push(Work::Operand(func, operand.clone()));
        }
        if !is_partial(&data.op) {
            for region in regions_of(body, data) {
                self.work.push(Work::Region(func, region));
            }
        }
    }

    fn mark_value(&mut self, func: Func, value: Value) {
        let body = self.module.body(func);
        if let Type::Mem(region) = body.values[value].ty {
            self.work.push(Work::Region(func, region));
            return;
        }
        match body.values[value].def {
            Def::Param(index) => {
                if !std::mem::replace(&mut self.marks[func].values[value], true) {
                    for index_of_call in 0..self.marks[func].callers.len() {
                        let (caller, inst) = self.marks[func].callers[index_of_call];
                        let data = &self.module.body(caller).insts[inst];
                        let arg = args_of(data)[index as usize].clone();
                        self.work.push(Work::Operand(caller, arg));
                    }
                }
            }
            Def::BlockParam(block, index) => {
                if !std::mem::replace(&mut self.marks[func].values[value], true) {
                    self.mark_edges(func, block, Some(index as usize));
                }
            }
            Def::Result(inst, index) => {
                self.work.push(Work::Inst(func, inst));
                if let Some((callee, _)) = call_of(&body.insts[inst]) {
                    self.mark_result(callee, index as usize);
                }
            }
        }
    }

    fn mark_result(&mut self, func: Func, index: usize) {
        if std::mem::replace(&mut self.marks[func].results[index], true) {
            return;
        }
        for (block, data) in self.module.body(func).blocks.iter() {
            if let Terminator::Return(operands) = &data.terminator {
                self.work.push(Work::Operand(func, operands[index].clone()));
                self.work.push(Work::Deciding(func, block));
            }
        }
    }

    /// What decides which edge into a block is taken, and what the edges bring for a parameter.
    fn mark_edges(&mut self, func: Func, block: Block, index: Option<usize>) {
        for edge in &self.marks[func].edges[block] {
            let terminator = &self.module.body(func).blocks[edge.from].terminator;
            if let Some(index) = index {
                let arg = terminator.targets()[edge.slot].args[index].clone();
                self.work.push(Work::Operand(func, arg));
            }
            self.work.push(Work::Branch(func, edge.from));
            self.work.push(Work::Deciding(func, edge.from));
        }
    }

    fn mark_region(&mut self, func: Func, region: Region) {
        if std::mem::replace(&mut self.marks[func].regions[region], true) {
            return;
        }
        let body = self.module.body(func);
        for (_, inst) in body.insts_in_order() {
            let data = &body.insts[inst];
            if !regions_of(body, data).any(|touched| touched == region) {
                continue;
            }
            self.work.push(Work::Inst(func, inst));
            if let Some((callee, bound)) = call_of(data) {
                for &(inner, outer) in bound {
                    if outer == region {
                        self.work.push(Work::Region(callee, inner));
                    }
                }
            }
        }
        for (block, data) in body.blocks.iter() {
            let mut types = data.params.iter().map(|&param| body.values[param].ty);
            if types.any(|ty| ty == Type::Mem(region)) {
                self.mark_edges(func, block, None);
            }
        }
        for &(caller, inst) in &self.marks[func].callers {
            let (_, bound) = call_of(&self.module.body(caller).insts[inst]).expect("a call");
            for &(inner, outer) in bound {
                if inner == region {
                    self.work.push(Work::Region(caller, outer));
                }
            }
        }
    }

    /// Leaves of the body what is marked.
    fn cut(&self, func: Func, body: &mut Body) {
        let marks = &self.marks[func];
        let whole = self.module.body(func);
        // The first version of each region stands for those that nobody looks at.
        let mut first: Map<Region, Option<Value>> = Map::filled(None, body.regions.len());
        for (value, region) in whole.mem_params() {
            first[region] = Some(value);
        }
        for (_, inst) in whole.insts_in_order() {
            if let Op::NewRegion(region) = whole.insts[inst].op {
                first[region] = whole.insts[inst].result();
            }
        }
        let kept = |value: Value| match whole.values[value].ty {
            Type::Mem(region) => marks.regions[region],
            Type::Int(_) | Type::Float(_) | Type::Ptr => marks.values[value],
        };
        let version = |value: Value| match whole.values[value].ty {
            Type::Mem(region) if !marks.regions[region] => {
                first[region].expect("a region comes in or is made")
            }
            Type::Mem(_) | Type::Int(_) | Type::Float(_) | Type::Ptr => value,
        };
        for (inst, data) in body.insts.iter_mut() {
            if !marks.insts[inst] {
                continue;
            }
            if is_partial(&data.op) {
                data.mems.retain(|&mem| kept(mem));
                let is_kept = |&result: &Value| !whole.values[result].ty.is_mem() || kept(result);
                data.results.retain(is_kept);
            } else if let Some((callee, _)) = call_of(data) {
                let params = &self.module.body(callee).params;
                let theirs = &self.marks[callee];
                if let Op::Call { args, .. } = &mut data.op {
                    for (arg, &param) in args.iter_mut().zip(params) {
                        if !theirs.values[param] {
                            *arg = dummy(whole.type_of(arg));
                        }
                    }
                }
                for mem in &mut data.mems {
                    *mem = version(*mem);
                }
            }
        }
        for (block, data) in body.blocks.iter_mut() {
            data.insts.retain(|&inst| {
                marks.insts[inst] || matches!(whole.insts[inst].op, Op::NewRegion(_))
            });
            data.params.retain(|&param| kept(param));
            data.terminator =
                match std::mem::replace(&mut data.terminator, Terminator::Halt(HaltKind::Exit)) {
                    Terminator::Branch(..) if !marks.branches[block] => {
                        match marks.meeting[block] {
                            Some(meeting) => {
                                let params = &whole.blocks[meeting].params;
                                assert!(
                                    !params.iter().any(|&param| kept(param)),
                                    "{block} does not decide about {meeting}"
                                );
                                Terminator::Jump(Target::new(meeting))
                            }
                            None => Terminator::Halt(HaltKind::Exit),
                        }
                    }
                    // What ended the execution before may be gone.
                    Terminator::Halt(_) => Terminator::Halt(HaltKind::Exit),
                    Terminator::Return(mut operands) => {
                        for (index, operand) in operands.iter_mut().enumerate() {
                            match whole.type_of(operand) {
                                Type::Mem(_) => {
                                    let value = operand.as_value().expect("a memory is a value");
                                    *operand = version(value).into();
                                }
                                ty if !marks.results[index] => *operand = dummy(ty),
                                Type::Int(_) | Type::Float(_) | Type::Ptr => {}
                            }
                        }
                        Terminator::Return(operands)
                    }
                    mut other => {
                        for target in other.targets_mut() {
                            let params = &whole.blocks[target.block].params;
                            let mut index = 0;
                            target.args.retain(|_| {
                                index += 1;
                                kept(params[index - 1])
                            });
                        }
                        other
                    }
                };
        }
    }
}

impl Marks {
    fn new(body: &Body, results: usize) -> Marks {
        let cfg = Cfg::new(body);
        let post = PostDominators::new(&cfg);
        let mut marks = Marks {
            entered: false,
            insts: Map::filled(false, body.insts.len()),
            values: Map::filled(false, body.values.len()),
            branches: Map::filled(false, body.blocks.len()),
            regions: Map::filled(false, body.regions.len()),
            results: vec![false; results],
            home: Map::filled(None, body.insts.len()),
            deciding: Map::filled(Vec::new(), body.blocks.len()),
            meeting: Map::filled(None, body.blocks.len()),
            edges: edit::edges_into(body),
            callers: Vec::new(),
        };
        for edges in marks.edges.values_mut() {
            edges.retain(|edge| cfg.is_reachable(edge.from));
        }
        for &block in cfg.reverse_post_order() {
            for &inst in &body.blocks[block].insts {
                marks.home[inst] = Some(block);
            }
            let meeting = post.immediate(block);
            marks.meeting[block] = meeting;
            if cfg.successors(block).len() < 2 {
                continue;
            }
            for &target in cfg.successors(block) {
                let mut decided = Some(target);
                while let Some(next) = decided
                    && decided != meeting
                {
                    if marks.deciding[next].last() != Some(&block) {
                        marks.deciding[next].push(block);
                    }
                    decided = post.immediate(next);
                }
            }
        }
        marks
    }
}

/// The reachable blocks from which no end of the function or of the program is reached.
fn endless(body: &Body) -> Vec<Block> {
    let cfg = Cfg::new(body);
    let mut ends = Map::filled(false, body.blocks.len());
    let mut work: Vec<Block> = body
        .blocks
        .keys()
        .filter(|&block| cfg.successors(block).is_empty())
        .collect();
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut ends[block], true) {
            work.extend(cfg.predecessors(block));
        }
    }
    let order = cfg.reverse_post_order().iter().copied();
    order.filter(|&block| !ends[block]).collect()
}

/// Operations on the stack mean the same for each of their memories alone.
fn is_partial(op: &Op) -> bool {
    matches!(op, Op::StackSave | Op::StackRestore(_) | Op::Leave)
}

/// The regions of all memories that an instruction takes or yields.
fn regions_of<'a>(body: &'a Body, data: &'a InstData) -> impl Iterator<Item = Region> + 'a {
    let versions = data.mems.iter().chain(&data.results);
    versions.filter_map(|&value| match body.values[value].ty {
        Type::Mem(region) => Some(region),
        Type::Int(_) | Type::Float(_) | Type::Ptr => None,
    })
}

/// The function that an instruction calls, and how its regions are bound.
fn call_of(data: &InstData) -> Option<(Func, &[(Region, Region)])> {
    match &data.op {
        Op::Call {
            callee: Callee::Direct(callee),
            regions,
            ..
        } => Some((*callee, regions)),
        _ => None, // No call, or none of phase Pure.
    }
}

fn args_of(data: &InstData) -> &[Operand] {
    match &data.op {
        Op::Call { args, .. } => args,
        _ => &[], // No call.
    }
}

/// Something of the type, which nobody looks at.
fn dummy(ty: Type) -> Operand {
    match ty {
        Type::Int(width) => Operand::Const(Const::Int(base::Bv::zero(width))),
        Type::Float(float) => Operand::Const(Const::Float(float, base::Bv::zero(float.bits()))),
        Type::Ptr => Operand::Const(Const::Null),
        Type::Mem(region) => unreachable!("memories of {region} have a first version"),
    }
}
