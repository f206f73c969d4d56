//! Copies every callee into the entry, until no call is left.
//!
//! Calls are expanded from the entry downwards, one copy of the callee's body for each. A chain of
//! activations belongs to each copied block; a function that occurs in it as often as the depth
//! allows is not entered again: there the obligation `recursion` fails instead, one for each call
//! in the source, so that "no bug" never rests on recursion that was cut off.
//!
//! - Regions: the call's binding says which of the caller's regions stand for the callee's; local
//!   regions of the callee become local regions of the caller, made where the callee began.
//! - Stack: `leave` ends the objects of one activation, which no longer exists. The copy marks the
//!   stack where it begins (`stack_save`) and its `leave` becomes `stack_restore`. If all its
//!   objects are in local regions it has no `leave`, and the restoration names no memory: nothing
//!   changes, but the text says where the objects end.
//! - Places: a copied place is a new one that remembers the call (`inlined`).
//!
//! Other functions keep their name, which may be somebody's address, and lose their body.

use checks::registry::CheckId;
use std::collections::BTreeMap;

use base::Map;
use ir::syntax::{
    Block, BlockData, Body, Callee, Def, Func, HaltKind, Inst, InstData, Module, Obligation,
    ObligationData, Op, Operand, Phase, PlaceId, Region, RegionData, Target, Terminator, Type,
    Value, ValueData,
};

use crate::edit::{self, Obligations};
use crate::pass::{self, Config, Error, Pass};
use crate::simplify::{self, AfterFailure};
use crate::unroll;

/// See the module.
pub struct Inline;

/// The function whose activations an obligation `recursion` counts.
pub fn guarded_function(obligation: &ObligationData) -> Option<&str> {
    let (_, name) = obligation.text.split_once(" of ")?;
    let name = name.strip_suffix(" at once")?;
    (obligation.check == CheckId::Recursion).then_some(name)
}

impl Pass for Inline {
    fn name(&self) -> &'static str {
        "inline"
    }

    fn about(&self) -> &'static str {
        "Copies every callee into the entry; an obligation guards recursion that is cut off."
    }

    fn run(&self, module: &mut Module, config: &Config) -> Result<(), Error> {
        pass::expect_phase(self.name(), Phase::Pure, module)?;
        let no_entry = Error::NoEntry { pass: self.name() };
        let entry = module.entry.ok_or(no_entry.clone())?;
        let body = module.funcs[entry].body.clone().ok_or(no_entry)?;
        let mut inliner = Inliner::new(module, entry, body, config);
        inliner.expand()?;
        let mut body = inliner.body;
        let order = ir::cfg::text_order(&body);
        edit::tidy(&mut body, &order);
        simplify::simplify(
            &mut body,
            AfterFailure::of(config),
            module.machine.pointer_bits,
        );
        edit::renumber(&mut body);
        for (func, data) in module.funcs.iter_mut() {
            if func != entry {
                data.body = None;
                data.params.retain(|ty| !ty.is_mem());
                data.results.retain(|ty| !ty.is_mem());
            }
        }
        module.funcs[entry].body = Some(body);
        unroll::declare(module);
        Ok(())
    }
}

/// An activation that was copied: the function, and the activation that called it.
struct Activation {
    func: Func,
    caller: Option<usize>,
}

struct Inliner<'a> {
    module: &'a mut Module,
    body: Body,
    activations: Vec<Activation>,
    /// The activation that each block belongs to.
    owner: Map<Block, usize>,
    /// For each call in the body, the call in the source that it is a copy of.
    origin: BTreeMap<Inst, (Func, Inst)>,
    cuts: BTreeMap<(Func, Inst), Obligation>,
    places: BTreeMap<(PlaceId, PlaceId), PlaceId>,
    obligations: Obligations,
    depth: u32,
    max_insts: usize,
}

/// How a callee's ids are translated in one copy of it.
struct Copy {
    values: Map<Value, Option<Operand>>,
    blocks: Map<Block, Option<Block>>,
    regions: Map<Region, Option<Region>>,
    call_place: Option<PlaceId>,
    /// The mark of the stack, if the callee allocates there.
    mark: Option<Value>,
    rest: Block,
    activation: usize,
}

impl Inliner<'_> {
    fn new<'a>(module: &'a mut Module, entry: Func, body: Body, config: &Config) -> Inliner<'a> {
        let origin = calls(&body).map(|inst| (inst, (entry, inst))).collect();
        Inliner {
            obligations: Obligations::new(module),
            owner: Map::filled(0, body.blocks.len()),
            module,
            body,
            activations: vec![Activation {
                func: entry,
                caller: None,
            }],
            origin,
            cuts: BTreeMap::new(),
            places: BTreeMap::new(),
            depth: config.bounds.depth,
            max_insts: config.bounds.max_insts,
        }
    }

    /// Expands calls block by block; what is copied or split off is looked at later.
    fn expand(&mut self) -> Result<(), Error> {
        let mut next = 0;
        while next < self.body.blocks.len() {
            let block = Block::from_index(next);
            next += 1;
            let insts = &self.body.blocks[block].insts;
            let found = insts
                .iter()
                .position(|&inst| matches!(self.body.insts[inst].op, Op::Call { .. }));
            if let Some(index) = found {
                self.expand_call(block, index);
                if self.body.insts.len() > self.max_insts {
                    return Err(Error::TooLarge {
                        pass: Inline.name(),
                        limit: self.max_insts,
                    });
                }
            }
        }
        Ok(())
    }

    fn expand_call(&mut self, block: Block, index: usize) {
        let inst = self.body.blocks[block].insts[index];
        let Op::Call {
            callee: Callee::Direct(callee),
            args,
            regions,
            ..
        } = self.body.insts[inst].op.clone()
        else {
            unreachable!("Pure modules call functions by name");
        };
        let owner = self.owner[block];
        let rest = edit::split_after(&mut self.body, block, index);
        self.owner.push(owner);
        self.body.blocks[block].insts.pop();
        if self.alive(owner, callee) >= self.depth {
            self.cut(block, inst, callee);
            return;
        }
        let results = std::mem::take(&mut self.body.insts[inst].results);
        self.body.blocks[rest].params = results;
        let mems = self.body.insts[inst].mems.clone();
        let call_place = self.body.insts[inst].place;
        let callee_body = self.module.funcs[callee]
            .body
            .clone()
            .expect("Pure modules call functions with a body");
        self.activations.push(Activation {
            func: callee,
            caller: Some(owner),
        });
        let mut copy = Copy {
            values: Map::filled(None, callee_body.values.len()),
            blocks: Map::filled(None, callee_body.blocks.len()),
            regions: Map::filled(None, callee_body.regions.len()),
            call_place,
            mark: None,
            rest,
            activation: self.activations.len() - 1,
        };
        for (theirs, ours) in regions {
            copy.regions[theirs] = Some(ours);
        }
        let args = args.into_iter().chain(mems.into_iter().map(Operand::Value));
        for (&param, arg) in callee_body.params.iter().zip(args) {
            copy.values[param] = Some(arg);
        }
        self.mark_stack(block, &callee_body, &mut copy);
        self.copy_body(&callee_body, &mut copy);
        let start = copy.blocks[callee_body.entry()].expect("the entry is copied");
        self.body.blocks[block].terminator = Terminator::Jump(Target::new(start));
        self.body.blocks[block].place = call_place;
    }

    /// How many activations of the function are alive in this one.
    fn alive(&self, activation: usize, func: Func) -> u32 {
        let chain = std::iter::successors(Some(activation), |&at| self.activations[at].caller);
        chain
            .filter(|&at| self.activations[at].func == func)
            .count() as u32
    }

    /// Ends the block where recursion would go too deep.
    fn cut(&mut self, block: Block, inst: Inst, callee: Func) {
        let origin = self.origin[&inst];
        let obligation = match self.cuts.get(&origin) {
            Some(&obligation) => obligation,
            None => {
                let (func, call) = origin;
                let place = match &self.module.funcs[func].body {
                    Some(body) => body.insts[call].place,
                    None => None,
                };
                let name = self.module.funcs[func].name.clone();
                let text = format!(
                    "no more than {} of {} at once",
                    activations(self.depth),
                    self.module.funcs[callee].name
                );
                let module = &mut *self.module;
                let new = self
                    .obligations
                    .add(module, &name, CheckId::Recursion, text, place);
                self.cuts.insert(origin, new);
                new
            }
        };
        let check = Op::Check(obligation, Operand::bool(false));
        let place = self.body.insts[inst].place;
        self.body
            .append(block, check, Vec::new(), place, self.module.machine);
        self.body.blocks[block].terminator = Terminator::Halt(HaltKind::Dead);
    }

    /// Marks the stack at the end of the block, if the callee allocates there.
    fn mark_stack(&mut self, block: Block, callee: &Body, copy: &mut Copy) {
        let find = |is: &dyn Fn(&Op) -> bool| {
            let mut insts = callee.insts_in_order().map(|(_, inst)| inst);
            insts.find(|&inst| is(&callee.insts[inst].op))
        };
        let allocates = |op: &Op| {
            matches!(
                op,
                Op::Alloc { kind, .. } if kind.is_stack()
            )
        };
        let leave = find(&|op| *op == Op::Leave);
        if leave.or(find(&allocates)).is_none() {
            return;
        }
        let left = leave.map_or(&[][..], |leave| &callee.insts[leave].mems);
        let left: Vec<Type> = left.iter().map(|&mem| callee.values[mem].ty).collect();
        let mems = callee
            .params
            .iter()
            .filter(|&&param| left.contains(&callee.values[param].ty))
            .filter_map(|&param| copy.values[param].as_ref()?.as_value())
            .collect();
        let place = copy.call_place;
        let machine = self.module.machine;
        let inst = self.body.append(block, Op::StackSave, mems, place, machine);
        copy.mark = self.body.insts[inst].result();
    }

    fn copy_body(&mut self, callee: &Body, copy: &mut Copy) {
        for (region, data) in callee.regions.iter() {
            if data.local {
                copy.regions[region] = Some(self.body.regions.push(RegionData {
                    local: true,
                    facts: data.facts.clone(),
                    ..RegionData::default()
                }));
            }
        }
        for (block, data) in callee.blocks.iter() {
            let params = data.params.iter().copied();
            let results = data
                .insts
                .iter()
                .flat_map(|&inst| callee.insts[inst].results.iter().copied());
            for value in params.chain(results) {
                let ty = copy.ty(callee.values[value].ty);
                let def = Def::Param(u32::MAX);
                let new = self.body.values.push(ValueData { ty, def });
                copy.values[value] = Some(new.into());
            }
            copy.blocks[block] = Some(self.body.blocks.push(BlockData {
                params: Vec::new(),
                insts: Vec::new(),
                terminator: Terminator::Halt(HaltKind::Dead),
                place: None,
            }));
            self.owner.push(copy.activation);
        }
        for (block, data) in callee.blocks.iter() {
            let to = copy.block(block);
            let mut insts: Vec<Inst> = data
                .insts
                .iter()
                .map(|&inst| self.copy_inst(callee, inst, copy))
                .collect();
            let place = data.place.map(|place| self.copy_place(place, copy));
            let last = data.insts.last().map(|&inst| &callee.insts[inst].op);
            let returns = matches!(data.terminator, Terminator::Return(_));
            if let (Some(mark), true) = (copy.mark, returns && last != Some(&Op::Leave)) {
                insts.push(self.body.insts.push(InstData {
                    results: Vec::new(),
                    op: Op::StackRestore(mark.into()),
                    mems: Vec::new(),
                    place,
                }));
            }
            let terminator = match data.terminator.clone() {
                Terminator::Return(operands) => {
                    let args = operands.iter().map(|operand| copy.operand(operand));
                    Terminator::Jump(Target::with_args(copy.rest, args.collect()))
                }
                mut other => {
                    other.map_operands(|value| copy.operand(&value.into()));
                    for target in other.targets_mut() {
                        target.block = copy.block(target.block);
                    }
                    other
                }
            };
            self.body.blocks[to] = BlockData {
                params: data.params.iter().map(|&param| copy.value(param)).collect(),
                insts,
                terminator,
                place,
            };
        }
    }

    fn copy_inst(&mut self, callee: &Body, inst: Inst, copy: &Copy) -> Inst {
        let data = &callee.insts[inst];
        let mut op = data.op.clone();
        op.map_operands(|value| copy.operand(&value.into()));
        match &mut op {
            Op::NewRegion(region) => *region = copy.region(*region),
            Op::Call {
                results, regions, ..
            } => {
                for ty in results {
                    *ty = copy.ty(*ty);
                }
                for (_, ours) in regions {
                    *ours = copy.region(*ours);
                }
            }
            Op::Leave => {
                let mark = copy.mark.expect("the stack was marked");
                op = Op::StackRestore(mark.into());
            }
            _ => {} // No other operation names a region or an activation.
        }
        let place = data.place.map(|place| self.copy_place(place, copy));
        let is_call = matches!(op, Op::Call { .. });
        let new = self.body.insts.push(InstData {
            results: data.results.iter().map(|&v| copy.value(v)).collect(),
            op,
            mems: data.mems.iter().map(|&v| copy.value(v)).collect(),
            place,
        });
        if is_call {
            let func = self.activations[copy.activation].func;
            self.origin.insert(new, (func, inst));
        }
        new
    }

    /// The place as seen through the call.
    fn copy_place(&mut self, place: PlaceId, copy: &Copy) -> PlaceId {
        let Some(call) = copy.call_place else {
            return place;
        };
        // The compiler may have inlined before: the call goes below the last link.
        let mut links = Vec::new();
        let mut known = None;
        let mut next = Some(place);
        while let Some(link) = next {
            known = self.places.get(&(link, call)).copied();
            if known.is_some() {
                break;
            }
            links.push(link);
            next = self.module.places[link].inlined_at;
        }
        let mut below = known.unwrap_or(call);
        for link in links.into_iter().rev() {
            let mut data = self.module.places[link].clone();
            data.inlined_at = Some(below);
            below = self.module.places.push(data);
            self.places.insert((link, call), below);
        }
        below
    }
}

impl Copy {
    fn operand(&self, operand: &Operand) -> Operand {
        match operand {
            Operand::Value(value) => self.values[*value]
                .clone()
                .unwrap_or_else(|| panic!("{value} of the callee is defined")),
            Operand::Const(_) => operand.clone(),
        }
    }

    fn value(&self, value: Value) -> Value {
        self.operand(&value.into())
            .as_value()
            .unwrap_or_else(|| panic!("{value} of the callee is a register"))
    }

    fn block(&self, block: Block) -> Block {
        self.blocks[block].unwrap_or_else(|| panic!("{block} of the callee is copied"))
    }

    fn region(&self, region: Region) -> Region {
        self.regions[region].unwrap_or_else(|| panic!("{region} of the callee is bound"))
    }

    fn ty(&self, ty: Type) -> Type {
        match ty {
            Type::Mem(region) => Type::Mem(self.region(region)),
            Type::Int(_) | Type::Float(_) | Type::Ptr => ty,
        }
    }
}

fn calls(body: &Body) -> impl Iterator<Item = Inst> + '_ {
    body.insts_in_order()
        .map(|(_, inst)| inst)
        .filter(|&inst| matches!(body.insts[inst].op, Op::Call { .. }))
}

fn activations(count: u32) -> String {
    match count {
        1 => "1 activation".to_owned(),
        _ => format!("{count} activations"),
    }
}
