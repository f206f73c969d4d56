//! Rules for bodies: definitions, uses, blocks, terminators, regions.

use std::fmt;

use base::Map;

use crate::cfg::Cfg;
use crate::dominators::Dominators;
use crate::syntax::{
    Block, BlockData, Body, Def, FuncData, Global, Inst, Module, Objects, Operand, Phase,
    RegionFacts, Terminator, Type, Value,
};
use crate::text::lexis::Symbol;
use crate::text::{display_inst, display_operand};
use crate::wellformed::{Complaints, check_const, check_type};

/// A body with what its rules need.
pub(super) struct Context<'a> {
    pub module: &'a Module,
    pub func: &'a FuncData,
    pub body: &'a Body,
    /// For each instruction in the text, its block and its number there.
    place: Map<Inst, Option<(Block, u32)>>,
    /// For flow; none if a target is out of range.
    dominators: Option<(Cfg, Dominators)>,
}

/// A point of the body: an instruction of a block, or its end.
#[derive(Clone, Copy)]
pub(super) struct Point {
    block: Block,
    index: u32,
}

pub(super) fn check(module: &Module, func: &FuncData, body: &Body, complaints: &mut Complaints) {
    let at = Symbol(&func.name);
    if body.blocks.is_empty() {
        complaints.add(&at, "its body has no blocks");
        return;
    }
    check_params(func, body, complaints);
    check_regions(module, func, body, complaints);
    let mut context = Context {
        module,
        func,
        body,
        place: Map::filled(None, body.insts.len()),
        dominators: None,
    };
    context.locate(complaints);
    context.check_values(complaints);
    let targets_known = context.check_targets(complaints);
    if targets_known {
        let cfg = Cfg::new(body);
        if let (Phase::Unrolled, Some((from, to))) = (module.phase, cfg.retreating_edge()) {
            complaints.add(&at, format!("{from} jumps back to {to} in phase unrolled"));
        }
        let dominators = Dominators::new(&cfg);
        context.dominators = Some((cfg, dominators));
    }
    for (block, data) in body.blocks.iter() {
        if complaints.is_full() {
            return;
        }
        context.check_block(block, data, complaints);
    }
}

fn check_params(func: &FuncData, body: &Body, complaints: &mut Complaints) {
    let at = Symbol(&func.name);
    let types = body.params.iter().map(|&param| body.values.get(param));
    let types: Vec<Option<Type>> = types.map(|data| data.map(|data| data.ty)).collect();
    let agree = types.len() == func.params.len()
        && types
            .iter()
            .zip(&func.params)
            .all(|(ty, param)| *ty == Some(*param));
    if !agree {
        complaints.add(&at, "the parameters of its body and its signature differ");
    }
    if !body.blocks[body.entry()].params.is_empty() {
        complaints.add(&at, "its first block has parameters");
    }
}

fn check_regions(module: &Module, func: &FuncData, body: &Body, complaints: &mut Complaints) {
    let at = Symbol(&func.name);
    if module.phase < Phase::Pure && !body.regions.is_empty() {
        complaints.add(&at, format!("regions in phase {}", module.phase));
    }
    for (region, data) in body.regions.iter() {
        if data
            .globals
            .iter()
            .any(|&global| !module.globals.contains(global))
        {
            complaints.add(&at, format!("a global of {region} is not in the table"));
        }
        if let Err(message) = check_facts(module, &data.facts) {
            complaints.add(&at, format!("{region}: {message}"));
        }
    }
    let mut globals: Vec<Global> = body
        .regions
        .values()
        .flat_map(|data| data.globals.clone())
        .collect();
    globals.sort_unstable();
    if let Some(pair) = globals.windows(2).find(|pair| pair[0] == pair[1]) {
        complaints.add(&at, format!("{} lives in two regions", pair[0]));
    }
    for ty in func.params.iter().chain(&func.results) {
        let Type::Mem(region) = ty else { continue };
        match body.regions.get(*region) {
            None => complaints.add(&at, format!("{region} is not in the table")),
            Some(data) if data.local => {
                complaints.add(&at, format!("the local {region} is in its signature"));
            }
            Some(_) => {}
        }
    }
}

/// Facts that cannot be true together, or have no meaning.
fn check_facts(module: &Module, facts: &RegionFacts) -> Result<(), String> {
    if !facts.word.is_power_of_two() || facts.word > 16 {
        return Err(format!("{} bytes are no word", facts.word));
    }
    if let Some(ty) = facts.scalar {
        if ty.is_mem() {
            return Err("a memory is no scalar".to_owned());
        }
        if facts.objects != Objects::One || facts.size != Some(ty.bytes(module.machine)) {
            return Err(format!("a scalar {ty} is one object of its size"));
        }
    }
    let sites = facts.sites.iter().flatten();
    match sites.copied().find(|&site| !module.places.contains(site)) {
        Some(site) => Err(format!("the site {site} is not in the table")),
        None => Ok(()),
    }
}

impl Context<'_> {
    /// Notes where each instruction stands.
    fn locate(&mut self, complaints: &mut Complaints) {
        for (block, data) in self.body.blocks.iter() {
            for (index, &inst) in (0..).zip(&data.insts) {
                match self.place.get_mut(inst) {
                    None => complaints.add(
                        self.at(block, None),
                        format!("the instruction {inst} is not in the table"),
                    ),
                    Some(Some(_)) => complaints.add(
                        self.at(block, Some(inst)),
                        "the instruction is in the text twice",
                    ),
                    Some(place) => *place = Some((block, index)),
                }
            }
        }
    }

    /// Every defined value knows its definition.
    fn check_values(&self, complaints: &mut Complaints) {
        let mut check = |values: &[Value], at: &dyn Fn() -> String, def: &dyn Fn(u32) -> Def| {
            for (index, &value) in (0..).zip(values) {
                match self.body.values.get(value) {
                    None => complaints.add(at(), format!("{value} is not in the table")),
                    Some(data) if data.def != def(index) => {
                        complaints.add(at(), format!("the definition of {value} is another"));
                    }
                    Some(data) => {
                        if let Err(message) = self.check_type(data.ty) {
                            complaints.add(at(), message);
                        }
                    }
                }
            }
        };
        let name = || Symbol(&self.func.name).to_string();
        check(&self.body.params, &name, &Def::Param);
        for (block, data) in self.body.blocks.iter() {
            let at = || self.at(block, None).to_string();
            check(&data.params, &at, &|index| Def::BlockParam(block, index));
            for &inst in &data.insts {
                let Some(data) = self.body.insts.get(inst) else {
                    continue;
                };
                let at = || self.at(block, Some(inst)).to_string();
                check(&data.results, &at, &|index| Def::Result(inst, index));
            }
        }
    }

    /// Is it a type of this phase, and its region one of this body?
    pub(super) fn check_type(&self, ty: Type) -> Result<(), String> {
        check_type(self.module.phase, ty)?;
        match ty {
            Type::Mem(region) if !self.body.regions.contains(region) => {
                Err(format!("{region} is not in the table"))
            }
            Type::Mem(_) | Type::Int(_) | Type::Float(_) | Type::Ptr => Ok(()),
        }
    }

    /// Are all targets in the table, and do they agree with their block's parameters?
    fn check_targets(&self, complaints: &mut Complaints) -> bool {
        let mut known = true;
        for (block, data) in self.body.blocks.iter() {
            for target in data.terminator.targets() {
                if !self.body.blocks.contains(target.block) {
                    let message = format!("{} is not in the table", target.block);
                    complaints.add(self.at(block, None), message);
                    known = false;
                    continue;
                }
                let params = &self.body.blocks[target.block].params;
                if target.args.len() != params.len() {
                    let message = format!(
                        "{} takes {} arguments, not {}",
                        target.block,
                        params.len(),
                        target.args.len()
                    );
                    complaints.add(self.at(block, None), message);
                    continue;
                }
                for (arg, &param) in target.args.iter().zip(params) {
                    let wanted = self.body.values.get(param).map(|data| data.ty);
                    if let (Some(ty), Some(wanted)) = (self.type_of(arg), wanted) {
                        if ty != wanted {
                            let target = target.block;
                            let message = format!("{param} of {target} is {wanted}, not {ty}");
                            complaints.add(self.at(block, None), message);
                        }
                    }
                }
            }
        }
        known
    }

    fn check_block(&self, block: Block, data: &BlockData, complaints: &mut Complaints) {
        for (index, &inst) in (0..).zip(&data.insts) {
            let Some(inst_data) = self.body.insts.get(inst) else {
                continue;
            };
            let point = Point { block, index };
            let mut messages = Vec::new();
            for operand in inst_data.op.operands() {
                messages.extend(self.check_operand(operand, point).err());
            }
            for &mem in &inst_data.mems {
                messages.extend(self.check_use(mem, point).err());
            }
            // Types can be asked for only if every use is in order.
            if messages.is_empty() {
                messages.extend(self.check_op(inst_data).err());
            }
            let place = inst_data.place;
            if place.is_some_and(|place| !self.module.places.contains(place)) {
                messages.push("its place is not in the table".to_owned());
            }
            for message in messages {
                complaints.add(self.at(block, Some(inst)), message);
            }
        }
        let end = Point {
            block,
            index: u32::MAX,
        };
        let mut messages = Vec::new();
        for operand in data.terminator.operands() {
            messages.extend(self.check_operand(operand, end).err());
        }
        messages.extend(self.check_terminator(&data.terminator).err());
        if data
            .place
            .is_some_and(|place| !self.module.places.contains(place))
        {
            messages.push("its place is not in the table".to_owned());
        }
        for message in messages {
            complaints.add(self.at(block, None), message);
        }
    }

    fn check_operand(&self, operand: &Operand, point: Point) -> Result<(), String> {
        match operand {
            Operand::Value(value) => self.check_use(*value, point),
            Operand::Const(constant) => check_const(self.module, constant),
        }
    }

    /// Is the value defined on every way to the point?
    fn check_use(&self, value: Value, point: Point) -> Result<(), String> {
        let Some(data) = self.body.values.get(value) else {
            return Err(format!("{value} is not in the table"));
        };
        let undefined = || format!("{value} is not defined");
        let (block, before) = match data.def {
            Def::Param(index) => {
                let defined = self.body.params.get(index as usize) == Some(&value);
                return if defined { Ok(()) } else { Err(undefined()) };
            }
            Def::BlockParam(block, index) => {
                let params = self.body.blocks.get(block).map(|data| &data.params);
                let param = params.and_then(|params| params.get(index as usize));
                if param != Some(&value) {
                    return Err(undefined());
                }
                (block, true)
            }
            Def::Result(inst, index) => {
                let result = self.body.insts.get(inst);
                let result = result.and_then(|data| data.results.get(index as usize));
                let place = self.place.get(inst).copied().flatten();
                let (Some((block, number)), true) = (place, result == Some(&value)) else {
                    return Err(undefined());
                };
                (block, number < point.index)
            }
        };
        let Some((cfg, dominators)) = &self.dominators else {
            return Ok(());
        };
        if !cfg.is_reachable(point.block) {
            return Ok(());
        }
        let dominated = match block == point.block {
            true => before,
            false => dominators.dominates(block, point.block),
        };
        match dominated {
            true => Ok(()),
            false => Err(format!("{value} is not defined on every way here")),
        }
    }

    fn check_terminator(&self, terminator: &Terminator) -> Result<(), String> {
        match terminator {
            Terminator::Jump(_) | Terminator::Halt(_) => Ok(()),
            Terminator::Branch(cond, ..) => self.expect(cond, Type::BOOL),
            Terminator::Switch(value, cases, _) => {
                if self.module.phase > Phase::Raw {
                    return Err(format!("`switch` in phase {}", self.module.phase));
                }
                let Some(Type::Int(width)) = self.type_of(value) else {
                    return Err("`switch` is on integers".to_owned());
                };
                let mut sorted: Vec<_> = cases.iter().map(|(case, _)| case).collect();
                sorted.sort_unstable();
                if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
                    return Err("two cases have the same value".to_owned());
                }
                match sorted.iter().find(|case| case.width() != width) {
                    Some(case) => Err(format!("a case has {} bits, not {width}", case.width())),
                    None => Ok(()),
                }
            }
            Terminator::Return(results) => {
                let wanted = &self.func.results;
                if results.len() != wanted.len() {
                    let message = format!(
                        "the function has {} results, not {}",
                        wanted.len(),
                        results.len()
                    );
                    return Err(message);
                }
                for (result, &ty) in results.iter().zip(wanted) {
                    self.expect(result, ty)?;
                }
                Ok(())
            }
        }
    }

    /// The operand's type, if its value is in the table.
    pub(super) fn type_of(&self, operand: &Operand) -> Option<Type> {
        match operand {
            Operand::Value(value) => self.body.values.get(*value).map(|data| data.ty),
            Operand::Const(constant) => Some(constant.ty()),
        }
    }

    /// Has the operand this type?
    pub(super) fn expect(&self, operand: &Operand, wanted: Type) -> Result<(), String> {
        match self.type_of(operand) {
            Some(ty) if ty != wanted => {
                let operand = display_operand(self.module, operand);
                Err(format!("{operand} is {ty}, not {wanted}"))
            }
            Some(_) | None => Ok(()),
        }
    }

    fn at(&self, block: Block, inst: Option<Inst>) -> impl fmt::Display {
        let name = Symbol(&self.func.name);
        match inst {
            Some(inst) => {
                let inst = display_inst(self.module, self.body, inst);
                format!("{name}, {block}, `{inst}`")
            }
            None => format!("{name}, {block}"),
        }
    }
}
