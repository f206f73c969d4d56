//! The sign of a NaN is nobody's promise.
//!
//! Operations of the IR that make a NaN make one image of it. Machines and compilers do as they like: an x86 makes
//! negative ones where no operand is a NaN, and keeps the payload of an operand that is one; a compiler that computes
//! the operation itself makes positive ones, or turns a sign around. So where the program may look at the bits, the
//! result of each operation that is a NaN gets any sign, and the payload of one of its operands, if those are NaNs:
//!
//! ```text
//! v2 = fdiv v0, v1      v3 = fdiv v0, v1
//!                       v4 = nondet.i1 undef
//!                       …
//!                       v2 = select v9, v8, v3
//! ```
//!
//! A *look* is a cast of a float to an integer of the same bits, or a read of memory that floats were written to by
//! anything but a float. From there the pass goes back to the operations: through memory by region, through calls
//! and returns wholesale. A program that looks nowhere stays as it is.

use std::collections::BTreeSet;

use base::{Bv, Map};
use ir::syntax::{
    BinaryOp, Body, Callee, CastOp, CompareOp, Def, FloatTy, Func, Inst, Module, NondetKind, Op,
    Operand, Phase, PlaceId, Region, Terminator, Type, UnaryOp, Value,
};

use crate::edit;
use crate::pass::{self, Config, Error, Pass};

/// See the module.
pub struct Nans;

impl Pass for Nans {
    fn name(&self) -> &'static str {
        "nans"
    }

    fn about(&self) -> &'static str {
        "Chooses the sign of NaNs that operations make, where the program may look at it."
    }

    fn run(&self, module: &mut Module, _config: &Config) -> Result<(), Error> {
        pass::expect_phase(self.name(), Phase::Pure, module)?;
        let mut looks = Looks::new(module);
        if !looks.any {
            return Ok(());
        }
        looks.close(module);
        for func in module.funcs.keys() {
            let Some(mut body) = module.funcs[func].body.take() else {
                continue;
            };
            choose(module, &mut body, &looks.values[func]);
            module.funcs[func].body = Some(body);
        }
        Ok(())
    }
}

/// A region of a function.
type Place = (Func, Region);

/// Where the program looks at the bits of floats.
struct Looks {
    /// Is there one at all?
    any: bool,
    /// Memory whose floats are looked at.
    regions: BTreeSet<Place>,
    /// Memory that is looked at if the first is: copies, and what a call binds.
    links: BTreeSet<(Place, Place)>,
    /// Values of each function whose bits are looked at.
    values: Map<Func, BTreeSet<Value>>,
}

impl Looks {
    fn new(module: &Module) -> Looks {
        let mut looks = Looks {
            any: false,
            regions: BTreeSet::new(),
            links: BTreeSet::new(),
            values: Map::filled(BTreeSet::new(), module.funcs.len()),
        };
        let mut floats = BTreeSet::new();
        for (func, body) in bodies(module) {
            for (_, inst) in body.insts_in_order() {
                looks.note(func, body, inst, &mut floats);
            }
        }
        looks.spread();
        looks.any |= looks.regions.iter().any(|place| floats.contains(place));
        looks
    }

    /// What an instruction looks at, and which memories it links.
    fn note(&mut self, func: Func, body: &Body, inst: Inst, floats: &mut BTreeSet<Place>) {
        let data = &body.insts[inst];
        let place = |index: usize| region(body, data.mems[index]).map(|region| (func, region));
        match &data.op {
            Op::Cast(CastOp::Bits, Operand::Value(value), Type::Int(_)) => {
                self.values[func].insert(*value);
                self.any = true;
            }
            Op::Load { ty, .. } if !matches!(ty, Type::Float(_)) => self.regions.extend(place(0)),
            Op::Store {
                ty: Type::Float(_), ..
            } => floats.extend(place(0)),
            Op::MemCompare { .. } => {
                self.regions.extend(place(0));
                self.regions.extend(place(1));
            }
            Op::MemCopy { .. } => {
                if let (Some(to), Some(from)) = (place(0), place(1)) {
                    self.links.insert((to, from));
                    // What is copied may be a float.
                    if floats.contains(&from) {
                        floats.insert(to);
                    }
                }
            }
            Op::Call {
                callee: Callee::Direct(callee),
                regions,
                ..
            } => {
                for &(inner, outer) in regions {
                    self.links.insert(((*callee, inner), (func, outer)));
                    self.links.insert(((func, outer), (*callee, inner)));
                }
            }
            _ => {}
        }
    }

    /// Follows the links.
    fn spread(&mut self) {
        loop {
            let new: Vec<Place> = self
                .links
                .iter()
                .filter(|(to, from)| self.regions.contains(to) && !self.regions.contains(from))
                .map(|&(_, from)| from)
                .collect();
            if new.is_empty() {
                return;
            }
            self.regions.extend(new);
        }
    }

    /// Goes back from the looks to where the values come from.
    fn close(&mut self, module: &Module) {
        for (func, body) in bodies(module) {
            let seen = outside(body);
            self.values[func].extend(seen);
        }
        loop {
            let before = self.size();
            self.spread();
            for (func, body) in bodies(module) {
                self.close_body(func, body);
            }
            if self.size() == before {
                return;
            }
        }
    }

    fn size(&self) -> usize {
        self.regions.len() + self.values.values().map(BTreeSet::len).sum::<usize>()
    }

    fn close_body(&mut self, func: Func, body: &Body) {
        for (_, inst) in body.insts_in_order() {
            let data = &body.insts[inst];
            if let Op::Store {
                ty: Type::Float(_),
                value: Operand::Value(value),
                ..
            } = &data.op
                && region(body, data.mems[0])
                    .is_some_and(|region| self.regions.contains(&(func, region)))
            {
                self.values[func].insert(*value);
            }
        }
        let mut open: Vec<Value> = self.values[func].iter().copied().collect();
        while let Some(value) = open.pop() {
            let mut from: Vec<&Operand> = Vec::new();
            match body.values[value].def {
                Def::Param(_) => {}
                Def::BlockParam(block, index) => {
                    for data in body.blocks.values() {
                        let targets = data.terminator.targets().into_iter();
                        let here = targets.filter(|target| target.block == block);
                        from.extend(here.map(|target| &target.args[index as usize]));
                    }
                }
                Def::Result(inst, _) => {
                    let data = &body.insts[inst];
                    match &data.op {
                        Op::Select(_, a, b) => from.extend([a, b]),
                        Op::Copy(a) | Op::Unary(UnaryOp::FNeg | UnaryOp::FAbs, a) => from.push(a),
                        // The payload is an operand's.
                        Op::Binary(_, a, b) => from.extend([a, b]),
                        Op::Unary(_, a) | Op::Cast(CastOp::FToF, a, _) => from.push(a),
                        Op::Load { .. } => {
                            if let Some(region) = region(body, data.mems[0]) {
                                self.regions.insert((func, region));
                            }
                        }
                        _ => {}
                    }
                }
            }
            for operand in from {
                if let Operand::Value(next) = operand
                    && matches!(body.values[*next].ty, Type::Float(_))
                    && self.values[func].insert(*next)
                {
                    open.push(*next);
                }
            }
        }
    }
}

fn bodies(module: &Module) -> impl Iterator<Item = (Func, &Body)> {
    let funcs = module.funcs.iter();
    funcs.filter_map(|(func, data)| data.body.as_ref().map(|body| (func, body)))
}

fn region(body: &Body, memory: Value) -> Option<Region> {
    match body.values[memory].ty {
        Type::Mem(region) => Some(region),
        Type::Int(_) | Type::Float(_) | Type::Ptr => None,
    }
}

/// Floats that other functions see.
fn outside(body: &Body) -> Vec<Value> {
    let mut seen = Vec::new();
    let mut add = |operands: &[Operand]| {
        for operand in operands {
            if let Operand::Value(value) = operand
                && matches!(body.values[*value].ty, Type::Float(_))
            {
                seen.push(*value);
            }
        }
    };
    for (_, inst) in body.insts_in_order() {
        if let Op::Call { args, .. } = &body.insts[inst].op {
            add(args);
        }
    }
    for data in body.blocks.values() {
        if let Terminator::Return(results) = &data.terminator {
            add(results);
        }
    }
    seen
}

/// Gives the operations whose bits are looked at their choice.
fn choose(module: &Module, body: &mut Body, looked: &BTreeSet<Value>) {
    let mut changed = false;
    for block in body.blocks.keys() {
        let mut insts = Vec::new();
        for inst in edit::take_insts(body, block) {
            let data = &body.insts[inst];
            let made = data.results.first().copied();
            if let Some(operands) = makes_nan(&data.op)
                && let Some(result) = made.filter(|value| looked.contains(value))
                && let Type::Float(float) = body.values[result].ty
            {
                let place = data.place;
                let op = data.op.clone();
                let mut writer = Writer {
                    module,
                    body,
                    insts: &mut insts,
                    place,
                };
                let (nan, image, plain) = writer.image(op, &operands, float);
                body.insts[inst].op = Op::Select(nan, image, plain);
                changed = true;
            }
            insts.push(inst);
        }
        body.blocks[block].insts = insts;
    }
    if changed {
        edit::tidy_in_place(body);
    }
}

/// The operands of an operation that makes NaNs.
fn makes_nan(op: &Op) -> Option<Vec<Operand>> {
    match op {
        Op::Binary(
            BinaryOp::FAdd
            | BinaryOp::FSub
            | BinaryOp::FMul
            | BinaryOp::FDiv
            | BinaryOp::FRem
            | BinaryOp::FMin
            | BinaryOp::FMax,
            a,
            b,
        ) => Some(vec![a.clone(), b.clone()]),
        Op::Unary(
            UnaryOp::FSqrt
            | UnaryOp::FFloor
            | UnaryOp::FCeil
            | UnaryOp::FTrunc
            | UnaryOp::FRound
            | UnaryOp::FRint,
            a,
        )
        | Op::Cast(CastOp::FToF, a, _) => Some(vec![a.clone()]),
        _ => None, // Integers, or nothing but the sign changes.
    }
}

/// Bits of the fraction.
fn fraction(float: FloatTy) -> u32 {
    match float {
        FloatTy::F16 => 10,
        FloatTy::F32 => 23,
        FloatTy::F64 => 52,
        FloatTy::F80 => 63,
        FloatTy::F128 => 112,
    }
}

/// Writes instructions.
struct Writer<'w> {
    module: &'w Module,
    body: &'w mut Body,
    insts: &'w mut Vec<Inst>,
    place: Option<PlaceId>,
}

impl Writer<'_> {
    fn put(&mut self, op: Op) -> Operand {
        let machine = self.module.machine;
        let inst = self.body.new_inst(op, Vec::new(), self.place, machine);
        self.insts.push(inst);
        self.body.insts[inst].results[0].into()
    }

    /// Whether the operation makes a NaN, the one that is chosen, and what the operation says.
    fn image(
        &mut self,
        op: Op,
        operands: &[Operand],
        float: FloatTy,
    ) -> (Operand, Operand, Operand) {
        let width = float.bits();
        let bits = fraction(float);
        let number = |value: Bv| Operand::Const(ir::syntax::Const::Int(value));
        let plain = self.put(op);
        let nan = self.put(Op::Compare(CompareOp::FUno, plain.clone(), plain.clone()));
        // The fraction, without its first bit, which says that the NaN is quiet.
        let low = (1u128 << (bits - 1)) - 1;
        let payload = number(Bv::from_u128(low, width));
        let mut rest = number(Bv::zero(width));
        let mut before: Option<Operand> = None;
        for operand in operands.iter().rev() {
            let Type::Float(source) = self.body.type_of(operand) else {
                continue;
            };
            let is_nan = self.put(Op::Compare(
                CompareOp::FUno,
                operand.clone(),
                operand.clone(),
            ));
            let from = Type::Int(source.bits());
            let mut own = self.put(Op::Cast(CastOp::Bits, operand.clone(), from));
            let have = fraction(source);
            if have > bits {
                let by = number(Bv::from_u64(u64::from(have - bits), source.bits()));
                own = self.put(Op::Binary(BinaryOp::LShr, own, by));
            }
            own = self.resize(own, source.bits(), width);
            if have < bits {
                let by = number(Bv::from_u64(u64::from(bits - have), width));
                own = self.put(Op::Binary(BinaryOp::Shl, own, by));
            }
            let mut own = self.put(Op::Binary(BinaryOp::And, own, payload.clone()));
            // If both are NaNs, either one's payload is possible.
            if let Some(before) = before {
                let either = self.put(Op::Nondet(Type::Int(1), NondetKind::Undef));
                let both = self.put(Op::Select(either, own.clone(), rest.clone()));
                own = self.put(Op::Select(before, both, own));
            }
            rest = self.put(Op::Select(is_nan.clone(), own, rest));
            before = Some(is_nan);
        }
        // The exponent and the quiet bit, and for x87 the bit between them, which is written there.
        let quiet = ((1u128 << (width - 1)) - 1) & !low;
        let quiet = Bv::from_u128(quiet, width);
        let image = self.put(Op::Binary(BinaryOp::Or, rest, number(quiet)));
        let sign = self.put(Op::Nondet(Type::Int(1), NondetKind::Undef));
        let negative = self.put(Op::Binary(
            BinaryOp::Or,
            image.clone(),
            number(Bv::int_min(width)),
        ));
        let image = self.put(Op::Select(sign, negative, image));
        let image = self.put(Op::Cast(CastOp::Bits, image, Type::Float(float)));
        (nan, image, plain)
    }

    fn resize(&mut self, value: Operand, from: u32, to: u32) -> Operand {
        match from.cmp(&to) {
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Less => self.put(Op::Cast(CastOp::ZExt, value, Type::Int(to))),
            std::cmp::Ordering::Greater => self.put(Op::Cast(CastOp::Trunc, value, Type::Int(to))),
        }
    }
}
