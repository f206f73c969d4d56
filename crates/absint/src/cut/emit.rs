//! Facts and arbitrary values as instructions.

use std::collections::BTreeMap;

use base::Bv;
use ir::syntax::{
    BinaryOp, Block, Body, CastOp, CompareOp, Def, Machine, NondetKind, Op, Operand, Type, Value,
};

use crate::cut::written::{Sources, Stretch};
use crate::domains::view::View;
use crate::elements;
use crate::facts::{Atom, Fact, Place, Relation, Sign, Version};

/// What facts at a head refer to.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    /// The head.
    pub head: Block,
    /// The machine.
    pub machine: Machine,
    /// Memories to ask for the offsets of pointers.
    pub offsets: &'a BTreeMap<usize, Value>,
    /// What places held when the loop was entered.
    pub first: &'a BTreeMap<Place, Operand>,
    /// The offsets that stand for any, by the size of elements.
    pub ghosts: &'a BTreeMap<u64, Operand>,
}

/// Appends instructions to a block.
pub struct Emit<'a> {
    body: &'a mut Body,
    block: Block,
    machine: Machine,
    ground: Ground<'a>,
    loaded: BTreeMap<(Place, Vec<Operand>), Operand>,
}

fn comparison(relation: Relation) -> CompareOp {
    match relation {
        Relation::Equal => CompareOp::Eq,
        Relation::SignedAtMost => CompareOp::Sle,
        Relation::AtMost => CompareOp::Ule,
        Relation::Unequal => CompareOp::Ne,
        Relation::SignedLess => CompareOp::Slt,
        Relation::Less => CompareOp::Ult,
    }
}

impl<'a> Emit<'a> {
    /// At the end of a block.
    pub fn new(body: &'a mut Body, block: Block, ground: Ground<'a>) -> Emit<'a> {
        Emit {
            body,
            block,
            machine: ground.machine,
            ground,
            loaded: BTreeMap::new(),
        }
    }

    fn append(&mut self, op: Op, memories: Vec<Value>) -> Vec<Value> {
        let inst = self
            .body
            .append(self.block, op, memories, None, self.machine);
        self.body.insts[inst].results.to_vec()
    }

    /// An instruction for its effect.
    pub fn effect(&mut self, op: Op, memories: Vec<Value>) {
        self.append(op, memories);
    }

    /// An instruction for its only result.
    pub fn value(&mut self, op: Op) -> Operand {
        self.append(op, Vec::new())[0].into()
    }

    /// What a place holds, given the head's parameters.
    pub fn place(&mut self, place: Place, params: &[Operand]) -> Operand {
        let key = (place, params.to_vec());
        if let Some(known) = self.loaded.get(&key) {
            return known.clone();
        }
        let found = match place {
            Place::Param(index) => {
                let param = self.body.blocks[self.ground.head].params[index];
                match self.body.values[param].ty {
                    // What is known of a float is said of its bits.
                    Type::Float(float) => {
                        let bits = Type::Int(float.bits());
                        self.value(Op::Cast(CastOp::Bits, params[index].clone(), bits))
                    }
                    Type::Int(_) | Type::Ptr | Type::Mem(_) => params[index].clone(),
                }
            }
            Place::Outer(value) => value.into(),
            Place::Number(number, width) => Bv::from_u64(number, width).into(),
            Place::Ghost(bytes) => self.ground.ghosts[&bytes].clone(),
            Place::Formula(value, by) => {
                let found = self.formula(value, params);
                self.plus(found, by)
            }
            Place::Element(version, obj, ty) => {
                let memory = match version {
                    Version::Param(index) => params[index].as_value(),
                    Version::Outer(value) => Some(value),
                };
                let base = self.address(obj, 0);
                let at = self.ground.ghosts[&ty.bytes(self.machine)].clone();
                let ptr = self.value(Op::Offset(base, at));
                let load = Op::Load {
                    ty,
                    ptr,
                    align: 1,
                    volatile: false,
                };
                self.append(load, vec![memory.expect("a memory is a register")])[0].into()
            }
            Place::Offset(index) => {
                let memory = self.ground.offsets[&index];
                self.append(Op::ObjectOffset(params[index].clone()), vec![memory])[0].into()
            }
            Place::Cell(index, obj, at, ty) => {
                let memory = params[index].as_value().expect("a memory is a register");
                let ptr = self.address(obj, at);
                let load = Op::Load {
                    ty,
                    ptr,
                    align: 1,
                    volatile: false,
                };
                self.append(load, vec![memory])[0].into()
            }
        };
        self.loaded.insert(key, found.clone());
        found
    }

    /// A number, computed anew from these parameters. What it is made of was counted before: it is little.
    fn formula(&mut self, value: Value, params: &[Operand]) -> Operand {
        if let Def::BlockParam(block, index) = self.body.values[value].def
            && block == self.ground.head
        {
            return params[index as usize].clone();
        }
        let Some(mut op) = self
            .body
            .def_inst(value)
            .map(|data| &data.op)
            .filter(|op| elements::arithmetic(op).is_some())
            .cloned()
        else {
            return value.into();
        };
        for operand in op.operands_mut() {
            if let Operand::Value(part) = *operand {
                *operand = self.formula(part, params);
            }
        }
        self.value(op)
    }

    /// A number that is more by a constant.
    pub fn plus(&mut self, number: Operand, by: i64) -> Operand {
        if by == 0 {
            return number;
        }
        let Type::Int(width) = self.body.type_of(&number) else {
            unreachable!("facts are about numbers");
        };
        let by = Operand::int(by, width);
        self.value(Op::Binary(BinaryOp::Add, number, by))
    }

    fn address(&mut self, obj: crate::value::Obj, at: u64) -> Operand {
        match obj {
            crate::value::Obj::Global(global) => {
                Operand::Const(ir::syntax::Const::Global(global, at as i64))
            }
            crate::value::Obj::Recent(inst) | crate::value::Obj::Old(inst) => {
                let base: Operand = self.body.insts[inst].results[0].into();
                if at == 0 {
                    base
                } else {
                    let by = Operand::size(at, self.machine);
                    self.value(Op::Offset(base, by))
                }
            }
        }
    }

    fn compare(&mut self, op: CompareOp, a: Operand, b: Operand) -> Operand {
        self.value(Op::Compare(op, a, b))
    }

    fn atom(&mut self, place: Place, atom: Atom, params: &[Operand]) -> Operand {
        let value = self.place(place, params);
        let width = match self.body.type_of(&value) {
            Type::Int(width) => width,
            Type::Float(_) | Type::Ptr | Type::Mem(_) => unreachable!("facts are about numbers"),
        };
        let number = |x: u64| Operand::from(Bv::from_u64(x, width));
        match atom {
            Atom::Is(x) => self.compare(CompareOp::Eq, value, number(x)),
            Atom::AtLeast(x) => self.compare(CompareOp::Ule, number(x), value),
            Atom::AtMost(x) => self.compare(CompareOp::Ule, value, number(x)),
            Atom::SignedAtLeast(x) => self.compare(CompareOp::Sle, number(x as u64), value),
            Atom::SignedAtMost(x) => self.compare(CompareOp::Sle, value, number(x as u64)),
            Atom::Bits(mask, bits) => {
                let masked = self.value(Op::Binary(BinaryOp::And, value, number(mask)));
                self.compare(CompareOp::Eq, masked, number(bits))
            }
            Atom::Modulo(step, rest) => {
                let left = self.value(Op::Binary(BinaryOp::URem, value, number(step)));
                self.compare(CompareOp::Eq, left, number(rest))
            }
            Atom::Compared(relation, other) => {
                let other = self.place(other, params);
                self.compare(comparison(relation), value, other)
            }
            Atom::Linear(one, two, other, bound) => {
                let other = self.place(other, params);
                self.linear((one, value), (two, other), bound)
            }
            Atom::Balance(times, others, total) => {
                let mut sum = self.value(Op::Binary(BinaryOp::Mul, value, number(times as u64)));
                for (times, other) in others.into_iter().filter(|(times, _)| *times != 0) {
                    let other = self.place(other, params);
                    let part = Op::Binary(BinaryOp::Mul, other, number(times as u64));
                    let part = self.value(part);
                    sum = self.value(Op::Binary(BinaryOp::Add, sum, part));
                }
                self.compare(CompareOp::Eq, sum, number(total))
            }
            Atom::Outside(bytes, size) => {
                let size = self.place(size, params);
                let bytes = Operand::size(bytes, self.machine);
                let small = self.compare(CompareOp::Ult, size.clone(), bytes.clone());
                let last = self.value(Op::Binary(BinaryOp::Sub, size, bytes));
                let behind = self.compare(CompareOp::Ult, last, value);
                self.value(Op::Binary(BinaryOp::Or, small, behind))
            }
            Atom::Since(relation) => {
                let first = self.ground.first[&place].clone();
                self.compare(comparison(relation), value, first)
            }
            Atom::Before(relation) => {
                let first = self.ground.first[&place].clone();
                self.compare(comparison(relation), first, value)
            }
            Atom::Grown(times, other, of_other) => {
                let mut grown = |place: Place, times: i64| {
                    let now = self.place(place, params);
                    let first = self.ground.first[&place].clone();
                    let by = self.value(Op::Binary(BinaryOp::Sub, now, first));
                    self.value(Op::Binary(BinaryOp::Mul, by, number(times as u64)))
                };
                let (a, b) = (grown(place, times), grown(other, of_other));
                self.compare(CompareOp::Eq, a, b)
            }
        }
    }

    /// Is the sum at most the bound? With so many bits that nothing wraps.
    fn linear(
        &mut self,
        one: ((Sign, View), Operand),
        two: ((Sign, View), Operand),
        bound: i64,
    ) -> Operand {
        let width = |emit: &Self, operand: &Operand| match emit.body.type_of(operand) {
            Type::Int(width) => width,
            Type::Float(_) | Type::Ptr | Type::Mem(_) => unreachable!("facts are about numbers"),
        };
        let wide = width(self, &one.1).max(width(self, &two.1)).max(64) + 2;
        let mut part = |((sign, view), operand): ((Sign, View), Operand)| {
            let op = match view {
                View::Signed => CastOp::SExt,
                View::Unsigned => CastOp::ZExt,
            };
            let ideal = self.value(Op::Cast(op, operand, Type::Int(wide)));
            match sign {
                Sign::Plus => ideal,
                Sign::Minus => {
                    let zero = Operand::int(0, wide);
                    self.value(Op::Binary(BinaryOp::Sub, zero, ideal))
                }
            }
        };
        let (a, b) = (part(one), part(two));
        let sum = self.value(Op::Binary(BinaryOp::Add, a, b));
        self.compare(CompareOp::Sle, sum, Operand::int(bound, wide))
    }

    /// Does a fact hold of these parameters?
    pub fn fact(&mut self, fact: &Fact, params: &[Operand]) -> Operand {
        let mut parts = Vec::new();
        for part in fact {
            let atoms: Vec<Operand> = part
                .iter()
                .map(|&(place, atom)| self.atom(place, atom, params))
                .collect();
            parts.push(self.all(BinaryOp::And, atoms, true));
        }
        self.all(BinaryOp::Or, parts, false)
    }

    fn all(&mut self, op: BinaryOp, conditions: Vec<Operand>, empty: bool) -> Operand {
        let mut list = conditions.into_iter();
        let Some(mut all) = list.next() else {
            return Operand::bool(empty);
        };
        for next in list {
            all = self.value(Op::Binary(op, all, next));
        }
        all
    }

    /// Is the choice not this number?
    pub fn is_other(&mut self, choice: &Operand, number: usize) -> Operand {
        let number = Operand::from(Bv::from_u64(number as u64, 32));
        self.compare(CompareOp::Ne, choice.clone(), number)
    }

    /// One of the sources, at any offset if it may have been moved.
    pub fn any_pointer(&mut self, sources: &Sources) -> Operand {
        let mut found: Option<Operand> = None;
        for source in &sources.bases {
            let mut pointer = source.clone();
            if sources.moved {
                let by = self.value(Op::Nondet(self.machine.pointer_int(), NondetKind::Input));
                pointer = self.value(Op::Offset(pointer, by));
            }
            found = Some(match found {
                None => pointer,
                Some(other) => {
                    let choice = self.value(Op::Nondet(Type::BOOL, NondetKind::Input));
                    self.value(Op::Select(choice, pointer, other))
                }
            });
        }
        found.expect("a pointer has a source")
    }

    /// Arbitrary contents in a stretch of memory; the next version. What is there may also have stayed.
    pub fn havoc(&mut self, stretch: &Stretch, memory: Value) -> Value {
        let dst = match stretch.exact {
            Some((at, _)) => self.address(stretch.object, at),
            None => self.address(stretch.object, 0),
        };
        let mut len = match stretch.exact {
            Some((_, ty)) => Operand::size(ty.bytes(self.machine), self.machine),
            None => stretch.size.clone(),
        };
        if stretch.may_stay {
            let stays = self.value(Op::Nondet(Type::BOOL, NondetKind::Input));
            len = self.value(Op::Select(stays, Operand::size(0, self.machine), len));
        }
        *self
            .append(Op::MemHavoc { dst, len }, vec![memory])
            .last()
            .expect("the next version")
    }
}
