//! LLVM's intrinsic functions.

use base::Bv;
use ir::syntax::{
    BinaryOp, CastOp, CompareOp, FloatTy, HaltKind, NondetKind, Op, Operand, OverflowOp,
    Terminator, Type, UnaryOp,
};

use crate::ffi::Val;

use super::emit::{Operands, one};
use super::function::FuncImporter;

/// The name without `llvm.` and the types it is overloaded by: `sadd.with.overflow`.
fn base_name(name: &str) -> &str {
    let name = name.strip_prefix("llvm.").unwrap_or(name);
    let mut end = name.len();
    while let Some(dot) = name[..end].rfind('.') {
        let part = &name[dot + 1..end];
        let mut letters = part.chars();
        let first = letters.next();
        let rest = letters.as_str();
        let digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
        let is_type = match first {
            Some('i' | 'f' | 'p') => digits(rest),
            Some('v') => rest.starts_with(|c: char| c.is_ascii_digit()),
            _ => matches!(part, "bf16" | "sl_i32i1s") || part.starts_with("sl_"),
        };
        if !is_type {
            break;
        }
        end = dot;
    }
    &name[..end]
}

impl<'c> FuncImporter<'_, '_, 'c> {
    /// A call of an intrinsic.
    pub fn intrinsic(&mut self, inst: Val<'c>, full: &str) {
        let name = base_name(full);
        if self.integer_intrinsic(inst, name)
            || self.float_intrinsic(inst, name)
            || self.memory_intrinsic(inst, name)
            || self.other_intrinsic(inst, name)
        {
            return;
        }
        self.unsupported(&format!("the intrinsic {full}"));
    }

    fn integer_intrinsic(&mut self, inst: Val<'c>, name: &str) -> bool {
        let overflow = match name {
            "sadd.with.overflow" => Some((BinaryOp::Add, OverflowOp::SAdd)),
            "uadd.with.overflow" => Some((BinaryOp::Add, OverflowOp::UAdd)),
            "ssub.with.overflow" => Some((BinaryOp::Sub, OverflowOp::SSub)),
            "usub.with.overflow" => Some((BinaryOp::Sub, OverflowOp::USub)),
            "smul.with.overflow" => Some((BinaryOp::Mul, OverflowOp::SMul)),
            "umul.with.overflow" => Some((BinaryOp::Mul, OverflowOp::UMul)),
            _ => None,
        };
        if let Some((op, test)) = overflow {
            let left = self.operands(inst.operand(0));
            let right = self.operands(inst.operand(1));
            let mut values = Operands::new();
            let mut flags = Operands::new();
            for (a, b) in left.into_iter().zip(right) {
                values.push(self.binary(op, a.clone(), b.clone()));
                flags.push(self.value(Op::Overflow(test, a, b)));
            }
            values.extend(flags);
            self.define(inst, values);
            return true;
        }
        let unary = match name {
            "ctpop" => Some(UnaryOp::CtPop),
            "ctlz" => Some(UnaryOp::CtLz),
            "cttz" => Some(UnaryOp::CtTz),
            "bswap" => Some(UnaryOp::BSwap),
            "bitreverse" => Some(UnaryOp::BitReverse),
            _ => None,
        };
        if let Some(op) = unary {
            self.lanes1(inst, |work, a| work.value(Op::Unary(op, a)));
            return true;
        }
        match name {
            "smax" | "smin" | "umax" | "umin" => {
                let op = if name.starts_with('s') {
                    CompareOp::Slt
                } else {
                    CompareOp::Ult
                };
                let least = name.ends_with("min");
                self.lanes2(inst, |work, a, b| {
                    let less = work.compare(op, a.clone(), b.clone());
                    if least {
                        work.select(less, a, b)
                    } else {
                        work.select(less, b, a)
                    }
                });
            }
            "abs" => self.lanes1(inst, |work, a| {
                let bits = work.int_bits(&a);
                let zero = Operand::int(0, bits);
                let negative = work.compare(CompareOp::Slt, a.clone(), zero.clone());
                let negated = work.binary(BinaryOp::Sub, zero, a.clone());
                work.select(negative, negated, a)
            }),
            "sadd.sat" => self.saturating(inst, BinaryOp::Add, OverflowOp::SAdd),
            "uadd.sat" => self.saturating(inst, BinaryOp::Add, OverflowOp::UAdd),
            "ssub.sat" => self.saturating(inst, BinaryOp::Sub, OverflowOp::SSub),
            "usub.sat" => self.saturating(inst, BinaryOp::Sub, OverflowOp::USub),
            "sshl.sat" | "ushl.sat" => {
                let signed = name.starts_with('s');
                self.lanes2(inst, |work, a, b| work.saturating_shift(a, b, signed));
            }
            "fshl" | "fshr" => self.funnel_shift(inst, name == "fshl"),
            "scmp" | "ucmp" => self.three_way(inst, name == "scmp"),
            "vector.reduce.add" => self.reduce(inst, BinaryOp::Add),
            "vector.reduce.mul" => self.reduce(inst, BinaryOp::Mul),
            "vector.reduce.and" => self.reduce(inst, BinaryOp::And),
            "vector.reduce.or" => self.reduce(inst, BinaryOp::Or),
            "vector.reduce.xor" => self.reduce(inst, BinaryOp::Xor),
            _ => return false,
        }
        true
    }

    fn int_bits(&self, operand: &Operand) -> u32 {
        match self.type_of(operand) {
            Type::Int(bits) => bits,
            other => panic!("an integer, not {other:?}"),
        }
    }

    fn saturating(&mut self, inst: Val<'c>, op: BinaryOp, test: OverflowOp) {
        self.lanes2(inst, |work, a, b| {
            let bits = work.int_bits(&a);
            let over = work.value(Op::Overflow(test, a.clone(), b.clone()));
            let sum = work.binary(op, a.clone(), b);
            let limit = match test {
                OverflowOp::UAdd => Bv::ones(bits).into(),
                OverflowOp::USub => Bv::zero(bits).into(),
                _ => {
                    // Signed: the limit on the side of the left operand.
                    let negative = work.compare(CompareOp::Slt, a, Operand::int(0, bits));
                    let (low, high) = (Bv::int_min(bits).into(), Bv::int_max(bits).into());
                    work.select(negative, low, high)
                }
            };
            work.select(over, limit, sum)
        });
    }

    fn saturating_shift(&mut self, a: Operand, b: Operand, signed: bool) -> Operand {
        let bits = self.int_bits(&a);
        let shifted = self.binary(BinaryOp::Shl, a.clone(), b.clone());
        let back = if signed {
            BinaryOp::AShr
        } else {
            BinaryOp::LShr
        };
        let restored = self.binary(back, shifted.clone(), b);
        let fits = self.compare(CompareOp::Eq, restored, a.clone());
        let limit = if signed {
            let negative = self.compare(CompareOp::Slt, a, Operand::int(0, bits));
            self.select(negative, Bv::int_min(bits).into(), Bv::int_max(bits).into())
        } else {
            Bv::ones(bits).into()
        };
        self.select(fits, shifted, limit)
    }

    /// `fshl(a, b, n)`: the high half of `a:b << (n mod width)`; `fshr`: the low half of `>>`.
    fn funnel_shift(&mut self, inst: Val<'c>, left: bool) {
        let high = self.operands(inst.operand(0));
        let low = self.operands(inst.operand(1));
        let amounts = self.operands(inst.operand(2));
        let mut results = Operands::new();
        for ((a, b), n) in high.into_iter().zip(low).zip(amounts) {
            let bits = self.int_bits(&a);
            let width = Operand::int(i64::from(bits), bits);
            // A width of 1 bit cannot hold the number 1 = its own width; it wraps to 0.
            let by = if bits == 1 {
                Operand::int(0, 1)
            } else if bits.is_power_of_two() {
                self.binary(BinaryOp::And, n, Operand::int(i64::from(bits) - 1, bits))
            } else {
                self.binary(BinaryOp::URem, n, width.clone())
            };
            let rest = self.binary(BinaryOp::Sub, width, by.clone());
            // A shift by the whole width is 0 in our IR, as needed here for an amount of 0.
            let result = if left {
                let x = self.binary(BinaryOp::Shl, a, by);
                let y = self.binary(BinaryOp::LShr, b, rest);
                self.binary(BinaryOp::Or, x, y)
            } else {
                let x = self.binary(BinaryOp::Shl, a, rest);
                let y = self.binary(BinaryOp::LShr, b, by);
                self.binary(BinaryOp::Or, x, y)
            };
            results.push(result);
        }
        self.define(inst, results);
    }

    fn three_way(&mut self, inst: Val<'c>, signed: bool) {
        let op = if signed {
            CompareOp::Slt
        } else {
            CompareOp::Ult
        };
        let types = self.result_types(inst.ty());
        let bits = match types.first() {
            Some(Type::Int(bits)) => *bits,
            _ => 8,
        };
        self.lanes2(inst, |work, a, b| {
            let less = work.compare(op, a.clone(), b.clone());
            let more = work.compare(op, b, a);
            let more = work.cast(CastOp::ZExt, more, Type::Int(bits));
            work.select(less, Operand::int(-1, bits), more)
        });
    }

    fn reduce(&mut self, inst: Val<'c>, op: BinaryOp) {
        let mut lanes = self.operands(inst.operand(0)).into_iter();
        let mut result = lanes.next().expect("a vector has lanes");
        for lane in lanes {
            result = self.binary(op, result, lane);
        }
        self.define_one(inst, result);
    }

    fn float_intrinsic(&mut self, inst: Val<'c>, name: &str) -> bool {
        let unary = match name {
            "fabs" => Some(UnaryOp::FAbs),
            "sqrt" | "experimental.constrained.sqrt" => Some(UnaryOp::FSqrt),
            "floor" => Some(UnaryOp::FFloor),
            "ceil" => Some(UnaryOp::FCeil),
            "trunc" => Some(UnaryOp::FTrunc),
            "round" => Some(UnaryOp::FRound),
            "rint" | "nearbyint" | "roundeven" => Some(UnaryOp::FRint),
            _ => None,
        };
        if let Some(op) = unary {
            self.lanes1(inst, |work, a| work.value(Op::Unary(op, a)));
            return true;
        }
        match name {
            "minnum" | "minimumnum" => {
                self.lanes2(inst, |work, a, b| {
                    work.value(Op::Binary(BinaryOp::FMin, a, b))
                });
            }
            "maxnum" | "maximumnum" => {
                self.lanes2(inst, |work, a, b| {
                    work.value(Op::Binary(BinaryOp::FMax, a, b))
                });
            }
            "copysign" => self.lanes2(inst, |work, a, b| work.copy_sign(a, b)),
            "fmuladd" => {
                // Contraction is off: two roundings.
                let a = self.operands(inst.operand(0));
                let b = self.operands(inst.operand(1));
                let c = self.operands(inst.operand(2));
                let results = a
                    .into_iter()
                    .zip(b)
                    .zip(c)
                    .map(|((a, b), c)| {
                        let product = self.value(Op::Binary(BinaryOp::FMul, a, b));
                        self.value(Op::Binary(BinaryOp::FAdd, product, c))
                    })
                    .collect();
                self.define(inst, results);
            }
            "is.fpclass" => {
                let mask = inst.operand(1).as_u64().unwrap_or(0) as u32;
                self.lanes1(inst, |work, a| work.float_class(a, mask));
            }
            "lrint" | "llrint" | "lround" | "llround" => {
                let op = if name.ends_with("round") {
                    UnaryOp::FRound
                } else {
                    UnaryOp::FRint
                };
                let types = self.result_types(inst.ty());
                let operands = self.operands(inst.operand(0));
                let results = operands
                    .into_iter()
                    .zip(types)
                    .map(|(operand, ty)| {
                        let whole = self.value(Op::Unary(op, operand));
                        self.cast(CastOp::FToS, whole, ty)
                    })
                    .collect();
                self.define(inst, results);
            }
            "fptosi.sat" | "fptoui.sat" => {
                let types = self.result_types(inst.ty());
                let operands = self.operands(inst.operand(0));
                let signed = name == "fptosi.sat";
                let results = operands
                    .into_iter()
                    .zip(types)
                    .map(|(operand, ty)| self.saturating_cast(operand, ty, signed))
                    .collect();
                self.define(inst, results);
            }
            "canonicalize" | "arithmetic.fence" => {
                let operands = self.operands(inst.operand(0));
                self.define(inst, operands);
            }
            "get.rounding" => self.define_one(inst, Operand::int(1, 32)),
            _ => return false,
        }
        true
    }

    /// The magnitude of one float with the sign of another.
    fn copy_sign(&mut self, magnitude: Operand, sign: Operand) -> Operand {
        let ty = self.type_of(&magnitude);
        let from = self.type_of(&sign);
        let sign = self.bits_of(sign);
        let bits = self.bits_of(magnitude);
        let width = self.int_bits(&bits);
        let sign_width = self.int_bits(&sign);
        debug_assert_eq!(ty, from);
        debug_assert_eq!(width, sign_width);
        let top = Bv::int_min(width);
        let low = self.binary(BinaryOp::And, bits, top.not().into());
        let high = self.binary(BinaryOp::And, sign, top.into());
        let joined = self.binary(BinaryOp::Or, low, high);
        self.value_of_bits(joined, ty)
    }

    /// Bits of the mask: signalling NaN, quiet NaN, then from minus infinity to plus infinity:
    /// infinite, normal, subnormal, zero, zero, subnormal, normal, infinite.
    fn float_class(&mut self, value: Operand, mask: u32) -> Operand {
        let float = match self.type_of(&value) {
            Type::Float(float) => float,
            other => panic!("a float, not {other:?}"),
        };
        if float == FloatTy::F80 {
            return self.float_class_x87(value, mask);
        }
        let (exponent_bits, fraction_bits) = match float {
            FloatTy::F16 => (5, 10),
            FloatTy::F32 => (8, 23),
            FloatTy::F64 => (11, 52),
            FloatTy::F80 | FloatTy::F128 => (15, 112),
        };
        let bits = self.bits_of(value);
        let width = float.bits();
        let zero: Operand = Bv::zero(width).into();
        let amount = Operand::int(i64::from(fraction_bits), width);
        let shifted = self.binary(BinaryOp::LShr, bits.clone(), amount);
        let exponent_mask = Operand::int((1 << exponent_bits) - 1, width);
        let exponent = self.binary(BinaryOp::And, shifted, exponent_mask.clone());
        let fraction_mask: Operand = Bv::one(width)
            .shl_by(fraction_bits)
            .sub(&Bv::one(width))
            .into();
        let fraction = self.binary(BinaryOp::And, bits.clone(), fraction_mask);
        let negative = self.compare(CompareOp::Slt, bits.clone(), zero.clone());
        let all = self.compare(CompareOp::Eq, exponent.clone(), exponent_mask);
        let none = self.compare(CompareOp::Eq, exponent, zero.clone());
        let empty = self.compare(CompareOp::Eq, fraction.clone(), zero.clone());
        let quiet_bit = Bv::one(width).shl_by(fraction_bits - 1);
        let quiet = self.binary(BinaryOp::And, fraction, quiet_bit.into());
        let quiet = self.compare(CompareOp::Ne, quiet, zero);
        self.classes(
            mask,
            &Classes {
                negative,
                all,
                none,
                empty,
                quiet,
            },
        )
    }

    /// x87: the integer bit lies between exponent and fraction.
    fn float_class_x87(&mut self, value: Operand, mask: u32) -> Operand {
        let bits = self.bits_of(value);
        let zero: Operand = Bv::zero(80).into();
        let shifted = self.binary(BinaryOp::LShr, bits.clone(), Operand::int(64, 80));
        let exponent_mask = Operand::int(0x7fff, 80);
        let exponent = self.binary(BinaryOp::And, shifted, exponent_mask.clone());
        let fraction_mask: Operand = Bv::one(80).shl_by(63).sub(&Bv::one(80)).into();
        let fraction = self.binary(BinaryOp::And, bits.clone(), fraction_mask);
        let negative = self.compare(CompareOp::Slt, bits, zero.clone());
        let all = self.compare(CompareOp::Eq, exponent.clone(), exponent_mask);
        let none = self.compare(CompareOp::Eq, exponent, zero.clone());
        let empty = self.compare(CompareOp::Eq, fraction.clone(), zero.clone());
        let quiet = self.binary(BinaryOp::And, fraction, Bv::one(80).shl_by(62).into());
        let quiet = self.compare(CompareOp::Ne, quiet, zero);
        self.classes(
            mask,
            &Classes {
                negative,
                all,
                none,
                empty,
                quiet,
            },
        )
    }

    fn classes(&mut self, mask: u32, about: &Classes) -> Operand {
        let mut result = Operand::bool(false);
        for bit in 0..10 {
            if mask >> bit & 1 == 0 {
                continue;
            }
            let and = |work: &mut Self, a: Operand, b: Operand| work.binary(BinaryOp::And, a, b);
            let not_empty = self.not(about.empty.clone());
            let mut class = match bit {
                0 => {
                    let signalling = self.not(about.quiet.clone());
                    let nan = and(self, about.all.clone(), not_empty);
                    and(self, nan, signalling)
                }
                1 => {
                    let nan = and(self, about.all.clone(), not_empty);
                    and(self, nan, about.quiet.clone())
                }
                2 | 9 => and(self, about.all.clone(), about.empty.clone()),
                3 | 8 => {
                    let not_all = self.not(about.all.clone());
                    let not_none = self.not(about.none.clone());
                    and(self, not_all, not_none)
                }
                4 | 7 => and(self, about.none.clone(), not_empty),
                _ => and(self, about.none.clone(), about.empty.clone()),
            };
            if (2..=5).contains(&bit) {
                class = and(self, class, about.negative.clone());
            } else if bit >= 6 {
                let positive = self.not(about.negative.clone());
                class = and(self, class, positive);
            }
            result = self.binary(BinaryOp::Or, class, result);
        }
        result
    }

    /// A conversion that stays at the limits; NaN becomes 0.
    fn saturating_cast(&mut self, value: Operand, ty: Type, signed: bool) -> Operand {
        let (float, bits) = match (self.type_of(&value), ty) {
            (Type::Float(float), Type::Int(bits)) => (float, bits),
            other => panic!("a float to an integer, not {other:?}"),
        };
        // Limits as floats, converted by the IR itself: the least and greatest integers, of
        // which the greatest may round up to a power of two that no longer fits.
        let (low, high) = if signed {
            (Bv::int_min(bits), Bv::int_max(bits))
        } else {
            (Bv::zero(bits), Bv::ones(bits))
        };
        let to_float = if signed { CastOp::SToF } else { CastOp::UToF };
        let to_int = if signed { CastOp::FToS } else { CastOp::FToU };
        let float_ty = Type::Float(float);
        let low_float = self.value(Op::Cast(to_float, low.clone().into(), float_ty));
        let high_float = self.value(Op::Cast(to_float, high.clone().into(), float_ty));
        let plain = self.value(Op::Cast(to_int, value.clone(), ty));
        let too_low = self.compare(CompareOp::FOlt, value.clone(), low_float);
        let too_high = self.compare(CompareOp::FOle, high_float, value.clone());
        let nan = self.compare(CompareOp::FUno, value.clone(), value);
        let result = self.select(too_high, high.into(), plain);
        let result = self.select(too_low, low.into(), result);
        self.select(nan, Operand::int(0, bits), result)
    }

    fn memory_intrinsic(&mut self, inst: Val<'c>, name: &str) -> bool {
        match name {
            "memcpy" | "memmove" | "memcpy.inline" => {
                let dst = self.operand(inst.operand(0));
                let src = self.operand(inst.operand(1));
                let len = self.length(inst.operand(2));
                if !self.is_zero(&len) {
                    match inst.operand(3).as_u64() {
                        Some(1) => self.copy_volatile(inst, dst, src, len),
                        _ => self.write(dst.clone(), Op::MemCopy { dst, src, len }),
                    }
                }
            }
            "memset" | "memset.inline" => {
                let dst = self.operand(inst.operand(0));
                let byte = self.operand(inst.operand(1));
                let len = self.length(inst.operand(2));
                if !self.is_zero(&len) {
                    self.write(dst.clone(), Op::MemSet { dst, byte, len });
                }
            }
            "lifetime.start" => self.lifetime_start(inst),
            "lifetime.end" => {
                let pointer = inst.operand(inst.args().len() as u32 - 1);
                let pointer = self.operand(pointer);
                self.act(Op::LifetimeEnd(pointer));
            }
            "stacksave" => {
                let token = self.value(Op::StackSave);
                let pointer = self.cast(CastOp::IntToPtr, token, Type::Ptr);
                self.define_one(inst, pointer);
            }
            "stackrestore" => {
                let pointer = self.operand(inst.operand(0));
                let ty = self.importer.size_type();
                let token = self.cast(CastOp::PtrToInt, pointer, ty);
                self.act(Op::StackRestore(token));
            }
            "va_start" => {
                let list = self.operand(inst.operand(0));
                self.va_start(list);
            }
            "va_copy" => {
                let to = self.operand(inst.operand(0));
                let from = self.operand(inst.operand(1));
                self.va_copy(to, from);
            }
            "va_end" => {}
            "objectsize" => {
                let unknown = if inst.operand(1).as_u64() == Some(1) {
                    0
                } else {
                    -1
                };
                let types = self.result_types(inst.ty());
                let bits = match types.first() {
                    Some(Type::Int(bits)) => *bits,
                    _ => 64,
                };
                self.define_one(inst, Operand::int(unknown, bits));
            }
            _ => return false,
        }
        true
    }

    /// A byte count of pointer width.
    pub fn length(&mut self, value: Val<'c>) -> Operand {
        let len = self.operand(value);
        let bits = self.importer.pointer_bits();
        self.resize(len, bits, CastOp::ZExt)
    }

    fn other_intrinsic(&mut self, inst: Val<'c>, name: &str) -> bool {
        match name {
            "expect"
            | "expect.with.probability"
            | "annotation"
            | "ptr.annotation"
            | "threadlocal.address"
            | "ssa.copy"
            | "launder.invariant.group"
            | "strip.invariant.group"
            | "preserve.static.offset" => {
                let operands = self.operands(inst.operand(0));
                self.define(inst, operands);
            }
            "assume"
            | "var.annotation"
            | "prefetch"
            | "donothing"
            | "sideeffect"
            | "pseudoprobe"
            | "experimental.noalias.scope.decl"
            | "invariant.end"
            | "dbg.declare"
            | "dbg.value"
            | "dbg.label"
            | "dbg.assign"
            | "clear_cache"
            | "fake.use" => {}
            "invariant.start" => self.define_one(inst, Operand::NULL),
            "is.constant" => self.define_one(inst, Operand::bool(false)),
            "trap" | "ubsantrap" => {
                self.cleanup_check();
                self.end(Terminator::Halt(HaltKind::Abort));
                self.dead = true;
            }
            "debugtrap" => {
                self.unsupported("a breakpoint (__builtin_debugtrap)");
            }
            "returnaddress" | "frameaddress" | "addressofreturnaddress" | "sponentry" => {
                self.importer
                    .note("addresses of frames and of code are arbitrary");
                let types = self.result_types(inst.ty());
                let results = self.arbitrary(&types, NondetKind::Extern);
                self.define(inst, results);
            }
            "readcyclecounter" | "readsteadycounter" => {
                let types = self.result_types(inst.ty());
                let results = self.arbitrary(&types, NondetKind::Extern);
                self.define(inst, results);
            }
            "load.relative" => return false,
            "ptrmask" => {
                let pointer = self.operand(inst.operand(0));
                let mask = self.operand(inst.operand(1));
                let ty = self.importer.size_type();
                let address = self.cast(CastOp::PtrToInt, pointer.clone(), ty);
                let masked = self.binary(BinaryOp::And, address.clone(), mask);
                let step = self.binary(BinaryOp::Sub, masked, address);
                let result = self.offset(pointer, step);
                self.define(inst, one(result));
            }
            _ => return false,
        }
        true
    }
}

/// What is known about a float's fields.
struct Classes {
    negative: Operand,
    /// The exponent is all ones.
    all: Operand,
    /// The exponent is zero.
    none: Operand,
    /// The fraction is zero.
    empty: Operand,
    /// The highest bit of the fraction is set.
    quiet: Operand,
}

#[cfg(test)]
mod tests {
    use super::base_name;

    #[test]
    fn types_are_cut_off_names() {
        assert_eq!(
            base_name("llvm.sadd.with.overflow.i32"),
            "sadd.with.overflow"
        );
        assert_eq!(base_name("llvm.memcpy.p0.p0.i64"), "memcpy");
        assert_eq!(base_name("llvm.fma.v4f32"), "fma");
        assert_eq!(base_name("llvm.is.fpclass.f80"), "is.fpclass");
        assert_eq!(base_name("llvm.trap"), "trap");
        assert_eq!(base_name("llvm.lifetime.start.p0"), "lifetime.start");
    }
}
