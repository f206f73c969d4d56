//! Scalars: types, constants, arithmetic, casts.

use base::Bv;
use ir::syntax::{
    BinaryOp, CastOp, CompareOp, Const, FloatTy, NondetKind, Op, Operand, OverflowOp, Type,
    UnaryOp, Value,
};

use crate::random::func::Gen;
use crate::random::{Floats, Use};

/// Widths, the usual ones several times.
const WIDTHS: &[u32] = &[
    1, 1, 1, 2, 3, 7, 8, 8, 8, 13, 16, 16, 17, 31, 32, 32, 32, 32, 33, 48, 63, 64, 64, 64, 65, 80,
    96, 127, 128, 129,
];

impl Gen<'_> {
    fn any_width(&mut self) -> u32 {
        loop {
            let width = *self.rng.pick(WIDTHS);
            if width <= self.options.max_width {
                return width;
            }
        }
    }

    fn any_float(&mut self) -> Option<FloatTy> {
        match self.options.floats {
            Floats::No => None,
            Floats::Common => Some(*self.rng.pick(&[FloatTy::F32, FloatTy::F64])),
            Floats::All => Some(*self.rng.pick(FloatTy::ALL)),
        }
    }

    /// An integer or float type.
    pub fn any_type(&mut self) -> Type {
        if self.rng.one_in(5) {
            if let Some(float) = self.any_float() {
                return Type::Float(float);
            }
        }
        Type::Int(self.any_width())
    }

    /// A value of the type that is defined here, or a constant.
    pub fn pick(&mut self, ty: Type) -> Operand {
        if !self.values.is_empty() && !self.rng.one_in(6) {
            for _ in 0..24 {
                let (other, value) = *self.rng.pick(&self.values);
                if other == ty {
                    return value.into();
                }
            }
        }
        match self.options.nondet == Use::Yes && self.rng.one_in(4) {
            true => {
                let kind = *self.rng.pick(&[
                    NondetKind::Input,
                    NondetKind::Input,
                    NondetKind::Uninit,
                    NondetKind::Undef,
                ]);
                self.free(ty, kind).into()
            }
            false => self.constant(ty),
        }
    }

    /// A freely chosen value of a scalar type.
    pub fn free(&mut self, ty: Type, kind: NondetKind) -> Value {
        if ty == Type::Float(FloatTy::F80) {
            // Free bits would not be canonical.
            let bits = self.free(Type::Int(33), kind);
            return self.value(Op::Cast(CastOp::SToF, bits.into(), ty));
        }
        let value = self.emit(Op::Nondet(ty, kind)).expect("a value is chosen");
        self.receive(ty, value)
    }

    /// Makes a value that comes from anywhere usable: a NaN is replaced by the usual one.
    pub fn receive(&mut self, ty: Type, value: Value) -> Value {
        match ty {
            Type::Float(float) => {
                let nan = Op::Compare(CompareOp::FUno, value.into(), value.into());
                let nan = self.value(nan);
                let quiet = Operand::float(float, layout(float).quiet_nan());
                self.value(Op::Select(nan.into(), quiet, value.into()))
            }
            Type::Int(_) => {
                self.values.push((ty, value));
                value
            }
            Type::Ptr | Type::Mem(_) => value,
        }
    }

    /// A constant of a scalar type.
    pub fn constant(&mut self, ty: Type) -> Operand {
        match ty {
            Type::Int(width) => {
                let bits = u128::from(self.rng.next_u64()) << 64 | u128::from(self.rng.next_u64());
                match self.rng.below(8) {
                    0 => Bv::zero(width),
                    1 => Bv::one(width),
                    2 => Bv::ones(width),
                    3 => Bv::int_min(width),
                    4 => Bv::int_max(width),
                    5 => Bv::from_u128(bits, 128).sext_or_trunc(width),
                    _ => Bv::from_i64(self.rng.below(21) as i64 - 10, 64).sext_or_trunc(width),
                }
                .into()
            }
            Type::Float(float) => {
                let layout = layout(float);
                let bits = match self.rng.below(8) {
                    0 => 0,
                    1 => layout.sign(),
                    2 => layout.infinity(),
                    3 => layout.quiet_nan(),
                    4 => 1,
                    _ => {
                        let fraction = u128::from(self.rng.next_u64());
                        let negative = self.rng.one_in(2);
                        let exponent = self.rng.below(21);
                        let number = layout.near_one(exponent, fraction);
                        if negative {
                            number | layout.sign()
                        } else {
                            number
                        }
                    }
                };
                Operand::float(float, bits)
            }
            Type::Ptr | Type::Mem(_) => Operand::Const(Const::Null),
        }
    }

    /// A value that is always 1, without being a constant.
    pub fn tautology(&mut self) -> Value {
        let width = self.any_width().max(4);
        let ty = Type::Int(width);
        let any = self.pick(ty);
        let op = match self.rng.below(3) {
            0 => Op::Compare(CompareOp::Eq, any.clone(), any),
            1 => {
                let rest = Op::Binary(BinaryOp::URem, any, Operand::int(5, width));
                let rest = self.value(rest);
                Op::Compare(CompareOp::Ult, rest.into(), Operand::int(5, width))
            }
            _ => {
                let half = Op::Binary(BinaryOp::LShr, any, Operand::int(1, width));
                let half = self.value(half);
                Op::Compare(CompareOp::Sle, Operand::int(0, width), half.into())
            }
        };
        self.value(op)
    }

    /// A computation on scalars.
    pub fn scalar_statement(&mut self) {
        let ty = self.any_type();
        match (self.rng.below(12), ty) {
            (0..5, Type::Int(_)) => {
                let op = loop {
                    let op = *self.rng.pick(BinaryOp::ALL);
                    if !op.is_float() {
                        break op;
                    }
                };
                let (a, b) = (self.pick(ty), self.pick(ty));
                self.value(Op::Binary(op, a, b));
            }
            (0..5, Type::Float(_)) => self.float_arithmetic(ty),
            (5, Type::Int(width)) => {
                let mut ops = vec![UnaryOp::CtPop, UnaryOp::CtLz, UnaryOp::CtTz];
                ops.push(UnaryOp::BitReverse);
                if width % 16 == 0 {
                    ops.push(UnaryOp::BSwap);
                }
                let (op, a) = (*self.rng.pick(&ops), self.pick(ty));
                self.value(Op::Unary(op, a));
            }
            (5, _) => self.float_arithmetic(ty),
            (6..8, _) => {
                let op = loop {
                    let op = *self.rng.pick(CompareOp::ALL);
                    if op.is_float() == matches!(ty, Type::Float(_)) {
                        break op;
                    }
                };
                let (a, b) = (self.pick(ty), self.pick(ty));
                self.value(Op::Compare(op, a, b));
            }
            (8, Type::Int(_)) => {
                let op = *self.rng.pick(OverflowOp::ALL);
                let (a, b) = (self.pick(ty), self.pick(ty));
                self.value(Op::Overflow(op, a, b));
            }
            (9, _) => {
                let (cond, a, b) = (self.pick(Type::BOOL), self.pick(ty), self.pick(ty));
                self.value(Op::Select(cond, a, b));
            }
            (10, _) => {
                let a = self.pick(ty);
                self.value(Op::Copy(a));
            }
            _ => self.cast(ty),
        }
    }

    fn float_arithmetic(&mut self, ty: Type) {
        let Type::Float(_) = ty else { return };
        let (a, b) = (self.pick(ty), self.pick(ty));
        let binary = *self.rng.pick(BinaryOp::ALL);
        let unary = *self.rng.pick(UnaryOp::ALL);
        let op = match (self.rng.below(3), binary.is_float(), unary.is_float()) {
            (0, _, true) => Op::Unary(unary, a),
            (_, true, _) => Op::Binary(binary, a, b),
            (_, false, _) => Op::Binary(BinaryOp::FAdd, a, b),
        };
        let is_extremum = matches!(op, Op::Binary(BinaryOp::FMin | BinaryOp::FMax, ..));
        let mut value = self.emit(op).expect("arithmetic has a result");
        if is_extremum {
            // Which zero is the lesser one is open: make it positive.
            let zero = match ty {
                Type::Float(float) => Operand::float(float, 0),
                Type::Int(_) | Type::Ptr | Type::Mem(_) => Operand::NULL,
            };
            let sum = Op::Binary(BinaryOp::FAdd, value.into(), zero);
            value = self.emit(sum).expect("arithmetic has a result");
        }
        self.receive(ty, value);
    }

    /// A conversion of a value of this type to another one.
    fn cast(&mut self, from: Type) {
        let value = self.pick(from);
        let width = self.any_width();
        let target = self.any_float();
        let sign = self.rng.one_in(2);
        let (op, to) = match (from, target) {
            (Type::Int(own), Some(float)) if self.rng.one_in(3) => {
                let same = float.bits() == own && float != FloatTy::F80;
                let op = match (same && self.rng.one_in(2), sign) {
                    (true, _) => CastOp::Bits,
                    (false, true) => CastOp::SToF,
                    (false, false) => CastOp::UToF,
                };
                (op, Type::Float(float))
            }
            (Type::Int(own), _) if width < own => (CastOp::Trunc, Type::Int(width)),
            (Type::Int(own), _) if width > own => {
                let op = if sign { CastOp::SExt } else { CastOp::ZExt };
                (op, Type::Int(width))
            }
            (Type::Float(own), Some(float)) if own != float && sign => {
                (CastOp::FToF, Type::Float(float))
            }
            (Type::Float(own), _) if self.rng.one_in(2) => (CastOp::Bits, Type::Int(own.bits())),
            (Type::Float(_), _) => {
                let op = if sign { CastOp::FToS } else { CastOp::FToU };
                (op, Type::Int(width))
            }
            (Type::Int(_) | Type::Ptr | Type::Mem(_), _) => return,
        };
        if matches!(to, Type::Int(width) if width > self.options.max_width) {
            return;
        }
        let value = self
            .emit(Op::Cast(op, value, to))
            .expect("a cast has a result");
        self.receive(to, value);
    }
}

/// How a floating-point format lays out its bits.
///
/// ```text
///   sign | exponent | (f80: 1) | fraction
/// ```
struct Layout {
    exponent: u32,
    fraction: u32,
    /// The explicit integer bit of f80, or 0.
    integer: u128,
}

fn layout(float: FloatTy) -> Layout {
    let (exponent, fraction, integer) = match float {
        FloatTy::F16 => (5, 10, 0),
        FloatTy::F32 => (8, 23, 0),
        FloatTy::F64 => (11, 52, 0),
        FloatTy::F80 => (15, 64, 1 << 63),
        FloatTy::F128 => (15, 112, 0),
    };
    Layout {
        exponent,
        fraction,
        integer,
    }
}

impl Layout {
    fn sign(&self) -> u128 {
        1 << (self.exponent + self.fraction)
    }

    fn infinity(&self) -> u128 {
        ((1 << self.exponent) - 1) << self.fraction | self.integer
    }

    fn quiet_nan(&self) -> u128 {
        let top = match self.integer {
            0 => self.fraction - 1,
            _ => self.fraction - 2,
        };
        self.infinity() | 1 << top
    }

    /// A number between 2^-10 and 2^11.
    fn near_one(&self, exponent: u64, fraction: u128) -> u128 {
        let bias = (1u128 << (self.exponent - 1)) - 1;
        let exponent = bias - 10 + u128::from(exponent);
        let mask = match self.integer {
            0 => (1 << self.fraction) - 1,
            integer => integer - 1,
        };
        exponent << self.fraction | self.integer | fraction & mask
    }
}
