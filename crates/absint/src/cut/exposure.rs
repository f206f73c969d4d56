//! Where addresses become numbers, and whether anybody can make pointers of numbers again: by the text alone.
//!
//! A number that is a pointer again means an object whose address became a number before, and unknown code reaches such objects. An
//! evaluation knows them because it came by the place where that happened. In a cut program it need not: an earlier round
//! may have been there, and of that one nothing is left but arbitrary numbers.

use ir::syntax::{
    Block, Body, CastOp, Const, InitPiece, Inst, InstData, Module, Op, Operand, Region, Type,
};

use crate::cut::written::base_of;
use crate::value::Obj;

/// Bytes of a region's objects.
#[derive(Clone, Copy, Debug)]
struct Span {
    region: Region,
    /// The object, or (none) any.
    object: Option<Obj>,
    /// From here up to there, or (none) anywhere in the object.
    range: Option<(u64, u64)>,
}

impl Span {
    fn meets(&self, other: &Span) -> bool {
        let apart = |(a, b): ((u64, u64), (u64, u64))| a.1 <= b.0 || b.1 <= a.0;
        self.region == other.region
            && self.object.zip(other.object).is_none_or(|(a, b)| a == b)
            && !self.range.zip(other.range).is_some_and(apart)
    }

    /// Is the other one, if they meet, a part of this one?
    fn covers(&self, other: &Span) -> bool {
        let around = |(a, b): ((u64, u64), (u64, u64))| a.0 <= b.0 && b.1 <= a.1;
        self.range.zip(other.range).is_some_and(around)
    }
}

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Written {
    Pointers,
    Numbers,
}

/// What the text says about addresses as numbers.
pub struct Exposure<'a> {
    module: &'a Module,
    body: &'a Body,
    writes: Vec<(Span, Written)>,
    looks: bool,
}

impl<'a> Exposure<'a> {
    /// Looks at a body.
    pub fn new(module: &'a Module, body: &'a Body) -> Exposure<'a> {
        let mut exposure = Exposure {
            module,
            body,
            writes: initial_pointers(module, body),
            looks: false,
        };
        exposure.looks = exposure.may_look();
        for (_, inst) in body.insts_in_order() {
            let writes = exposure.writes_of(&body.insts[inst]);
            exposure.writes.extend(writes);
        }
        exposure
    }

    /// May a number mean an object, anywhere in the program?
    pub fn looks(&self) -> bool {
        self.looks
    }

    /// May an address become a number in these blocks that somebody can make a pointer of again?
    pub fn is_lost(&self, blocks: &[Block]) -> bool {
        let mut insts = blocks
            .iter()
            .flat_map(|&block| self.body.blocks[block].insts.iter().copied());
        self.looks && insts.any(|inst| self.exposes(inst))
    }

    fn may_look(&self) -> bool {
        let body = self.body;
        let given = body.params.iter();
        let mut given = given.map(|&param| body.values[param].ty);
        let mut insts = body.insts_in_order().map(|(_, inst)| &body.insts[inst]);
        given.any(|ty| ty == Type::Ptr)
            || insts.any(|data| match &data.op {
                // Bytes that were written as numbers, or by nobody, are read as a pointer.
                Op::Load { ty, .. } => *ty == Type::Ptr,
                Op::Nondet(ty, _) => *ty == Type::Ptr,
                Op::Cast(op, ..) => *op == CastOp::IntToPtr,
                Op::Clobber(..) => is_clobber(data),
                Op::Call { .. } | Op::AllTracked => true,
                _ => false, // Makes no pointer of a number.
            })
            || self.may_move_null()
    }

    /// Null plus a number is a number as a pointer.
    fn may_move_null(&self) -> bool {
        let body = self.body;
        let is_null = |operand: &Operand| *operand == Operand::Const(Const::Null);
        let (mut moves, mut carries) = (false, false);
        for (_, inst) in body.insts_in_order() {
            let op = &body.insts[inst].op;
            moves |= matches!(op, Op::Offset(..));
            if let Op::Offset(..) | Op::Select(..) | Op::Copy(_) = op {
                carries |= op.operands().into_iter().any(is_null);
            }
        }
        for data in body.blocks.values() {
            for target in data.terminator.targets() {
                carries |= target.args.iter().any(is_null);
            }
        }
        moves && carries
    }

    fn exposes(&self, inst: Inst) -> bool {
        let data = &self.body.insts[inst];
        match &data.op {
            Op::Cast(op, ..) => *op == CastOp::PtrToInt,
            Op::Load { ty, ptr, .. } => {
                let bytes = ty.bytes(self.module.machine);
                let spans = self.spans(data, ptr, Some(bytes));
                spans.iter().any(|span| self.reads_address(span, *ty))
            }
            Op::MemCopy { .. } | Op::MemCompare { .. } => {
                let mut regions = data.mems.iter().map(|&mem| self.body.values[mem].ty);
                regions.any(|ty| self.holds_pointers(ty))
            }
            Op::Clobber(..) | Op::Show(..) => is_clobber(data),
            Op::Call { .. } | Op::AllTracked => true,
            _ => false, // Makes no number of a pointer.
        }
    }

    /// May what is read be the bytes of pointers, as a number or put together in another way?
    fn reads_address(&self, span: &Span, ty: Type) -> bool {
        let met = self.writes.iter().filter(|(write, _)| write.meets(span));
        let pointers = met.clone().any(|(_, what)| *what == Written::Pointers);
        let mut met = met;
        pointers && (ty != Type::Ptr || !met.all(|(write, _)| write.covers(span)))
    }

    fn holds_pointers(&self, ty: Type) -> bool {
        let mut writes = self.writes.iter();
        writes.any(|(span, what)| *what == Written::Pointers && ty == Type::Mem(span.region))
    }

    fn writes_of(&self, data: &InstData) -> Vec<(Span, Written)> {
        let (ptr, bytes, what) = match &data.op {
            Op::Store { ty, ptr, .. } => {
                let what = match ty {
                    Type::Ptr => Written::Pointers,
                    Type::Int(_) | Type::Float(_) | Type::Mem(_) => Written::Numbers,
                };
                (ptr, Some(ty.bytes(self.module.machine)), what)
            }
            Op::MemSet { dst, len, .. } | Op::MemHavoc { dst, len } => {
                (dst, number(len), Written::Numbers)
            }
            // The bytes of the source are anywhere in there.
            Op::MemCopy { dst, .. } => (dst, None, Written::Pointers),
            _ => return Vec::new(), // Leaves no pointers, or unknown code that looks for itself.
        };
        let spans = self.spans(data, ptr, bytes);
        spans.into_iter().map(|span| (span, what)).collect()
    }

    /// The bytes at an address, in each region that an instruction works in.
    fn spans(&self, data: &InstData, ptr: &Operand, bytes: Option<u64>) -> Vec<Span> {
        let base = base_of(self.body, ptr);
        let at = base.and_then(|(_, at)| at);
        let range = at.zip(bytes).map(|(at, n)| (at, at.saturating_add(n)));
        let object = base.map(|(object, _)| object);
        let types = data.mems.iter().map(|&mem| self.body.values[mem].ty);
        types
            .filter_map(|ty| match ty {
                Type::Mem(region) => Some(Span {
                    region,
                    object,
                    range,
                }),
                Type::Int(_) | Type::Float(_) | Type::Ptr => None,
            })
            .collect()
    }
}

/// Does unknown code get or reach anything?
fn is_clobber(data: &InstData) -> bool {
    !data.mems.is_empty() || !data.op.operands().is_empty()
}

fn number(operand: &Operand) -> Option<u64> {
    match operand {
        Operand::Const(Const::Int(number)) => number.to_u64(),
        Operand::Const(_) | Operand::Value(_) => None,
    }
}

/// The pointers that globals begin with.
fn initial_pointers(module: &Module, body: &Body) -> Vec<(Span, Written)> {
    let bytes = u64::from(module.machine.pointer_bits / 8);
    let mut found = Vec::new();
    for (region, data) in body.regions.iter() {
        for &global in &data.globals {
            let mut at = 0u64;
            for piece in &module.globals[global].init {
                let len = match piece {
                    InitPiece::Bytes(text) => text.len() as u64,
                    InitPiece::Zero(len) | InitPiece::Any(len) => *len,
                    InitPiece::Pointer(_) => bytes,
                };
                let end = at.saturating_add(len);
                if let InitPiece::Pointer(_) = piece {
                    let span = Span {
                        region,
                        object: Some(Obj::Global(global)),
                        range: Some((at, end)),
                    };
                    found.push((span, Written::Pointers));
                }
                at = end;
            }
        }
    }
    found
}
