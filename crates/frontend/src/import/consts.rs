//! Constants as operands.

use base::Bv;
use ir::syntax::{BinaryOp, CastOp, Const, FloatTy, NondetKind, Operand, Type};

use crate::ffi::{Kind, Opcode, Ty, Val, ValKind};

use super::Importer;
use super::emit::{Operands, one};
use super::function::FuncImporter;

impl<'c> Importer<'_, 'c> {
    /// An integer constant of any width.
    pub fn int_constant(&self, value: Val<'c>) -> Bv {
        let bits = value.ty().int_width().expect("an integer");
        if let Some(number) = value.as_u64() {
            return Bv::from_u64(number, bits);
        }
        // Wider constants have no getter; LLVM writes them as signed decimal numbers.
        let text = value.text();
        let digits = text.split(' ').next_back().unwrap_or("0");
        let magnitude = digits.trim_start_matches('-');
        let bv = Bv::from_digits(magnitude, 10, bits + 1)
            .unwrap_or_else(|error| panic!("the constant {text}: {error:?}"))
            .trunc(bits);
        if digits.starts_with('-') {
            bv.neg()
        } else {
            bv
        }
    }

    /// A floating-point constant, bit by bit.
    pub fn float_constant(&self, value: Val<'c>, float: FloatTy) -> Bv {
        let text = value.text();
        let number = text.split(' ').next_back().unwrap_or("0");
        parse_float(number, float).unwrap_or_else(|| panic!("the constant {text}"))
    }
}

/// The bits of a floating-point number as LLVM writes it: `1.5e+00`, `0x7FF8000000000000` (a
/// double, also for single precision), `0xK…` (x87), `0xL…` (quadruple, low half first), `0xH…`.
pub fn parse_float(text: &str, float: FloatTy) -> Option<Bv> {
    let hex = |digits: &str| u128::from_str_radix(digits, 16).ok();
    let bits = if let Some(digits) = text.strip_prefix("0xK") {
        hex(digits)?
    } else if let Some(digits) = text.strip_prefix("0xL") {
        let value = hex(digits)?;
        value.rotate_left(64)
    } else if let Some(digits) = text.strip_prefix("0xH") {
        hex(digits)?
    } else {
        let double = match text.strip_prefix("0x") {
            Some(digits) => f64::from_bits(u64::from_str_radix(digits, 16).ok()?),
            None => text.parse::<f64>().ok()?,
        };
        match float {
            FloatTy::F64 => u128::from(double.to_bits()),
            FloatTy::F32 => u128::from(single_bits(double)),
            FloatTy::F16 | FloatTy::F80 | FloatTy::F128 => return None,
        }
    };
    Some(Bv::from_u128(bits, float.bits()))
}

/// A double that is exactly a single, NaN payloads included.
fn single_bits(double: f64) -> u32 {
    if double.is_nan() {
        let bits = double.to_bits();
        let sign = (bits >> 63) as u32;
        let fraction = (bits >> 29) as u32 & 0x7f_ffff;
        return sign << 31 | 0x7f80_0000 | fraction;
    }
    (double as f32).to_bits()
}

impl<'c> FuncImporter<'_, '_, 'c> {
    /// The scalars of a constant. Constants nest as deeply as the source writes them.
    pub fn constant(&mut self, value: Val<'c>) -> Operands {
        let ty = value.ty();
        let shape = self.importer.shape(ty);
        if let Some(what) = shape.unsupported.clone() {
            self.unsupported(&what);
            return Operands::new();
        }
        match value.value_kind() {
            ValKind::Int if ty.int_width().is_some() => one(self.importer.int_constant(value)),
            ValKind::Float if !matches!(ty.kind(), Kind::Vector(..)) => {
                one(self.scalar_float(value))
            }
            ValKind::Null => one(Operand::NULL),
            ValKind::Zero => shape.leaves.iter().map(|leaf| zero(leaf.ty)).collect(),
            ValKind::Undef => {
                let types: Vec<Type> = shape.leaves.iter().map(|leaf| leaf.ty).collect();
                self.arbitrary(&types, NondetKind::Undef)
            }
            ValKind::Data | ValKind::Aggregate | ValKind::Int | ValKind::Float => {
                self.elements(value, ty)
            }
            ValKind::Function => {
                let func = self.importer.func(value);
                one(Operand::func(func))
            }
            ValKind::Global => {
                let global = self.importer.global(value);
                if self.importer.is_unknown_size(value) {
                    let name = self.importer.out.globals[global].name.clone();
                    self.unsupported(&format!("the external object {name} of unknown size"));
                }
                one(Operand::global(global))
            }
            ValKind::Alias => {
                let target = self.importer.resolve(value);
                if target == value {
                    self.unsupported("an alias of nothing");
                    return self.arbitrary(&[Type::Ptr], NondetKind::Undef);
                }
                self.constant(target)
            }
            ValKind::BlockAddress => {
                let (_, block) = value.block_address().expect("a block address");
                let bits = self.importer.label_bits(block);
                one(self.cast(CastOp::IntToPtr, bits.into(), Type::Ptr))
            }
            ValKind::Expr => self.expression(value),
            ValKind::IFunc => {
                self.unsupported("a function chosen when the program is loaded (ifunc)");
                self.arbitrary(&[Type::Ptr], NondetKind::Undef)
            }
            ValKind::Argument | ValKind::Instruction | ValKind::Asm | ValKind::Other => {
                self.unsupported("a constant of an unknown kind");
                let types: Vec<Type> = shape.leaves.iter().map(|leaf| leaf.ty).collect();
                self.arbitrary(&types, NondetKind::Undef)
            }
        }
    }

    fn scalar_float(&mut self, value: Val<'c>) -> Operand {
        let float = match self.importer.shape(value.ty()).single() {
            Some(Type::Float(float)) => float,
            other => panic!("a float, not {other:?}"),
        };
        let bits = self.importer.float_constant(value, float);
        Operand::Const(Const::Float(float, bits))
    }

    fn elements(&mut self, value: Val<'c>, ty: Ty<'c>) -> Operands {
        let count = match ty.kind() {
            Kind::Struct(count) | Kind::Vector(_, count) => count,
            Kind::Array(_, count) => count as u32,
            _ => 0,
        };
        let mut operands = Operands::new();
        for index in 0..count {
            let element = value.element(index).expect("a constant has its elements");
            operands.extend(self.constant(element));
        }
        operands
    }

    /// A constant expression, by the instructions it stands for.
    fn expression(&mut self, value: Val<'c>) -> Operands {
        let opcode = value.expr_opcode().expect("an expression");
        let shape = self.importer.shape(value.ty());
        let Some(ty) = shape.single() else {
            self.unsupported("a constant expression of several values");
            let types: Vec<Type> = shape.leaves.iter().map(|leaf| leaf.ty).collect();
            return self.arbitrary(&types, NondetKind::Undef);
        };
        let result = match opcode {
            Opcode::LLVMGetElementPtr => {
                let pointer = self.operand(value.operand(0));
                self.element_pointer(value, pointer)
            }
            Opcode::LLVMPtrToInt | Opcode::LLVMPtrToAddr => {
                let operand = self.operand(value.operand(0));
                self.cast(CastOp::PtrToInt, operand, ty)
            }
            Opcode::LLVMIntToPtr => {
                let operand = self.operand(value.operand(0));
                self.cast(CastOp::IntToPtr, operand, ty)
            }
            Opcode::LLVMTrunc => {
                let operand = self.operand(value.operand(0));
                self.cast(CastOp::Trunc, operand, ty)
            }
            Opcode::LLVMBitCast => {
                let operands = self.operands(value.operand(0));
                let mut results = self.reinterpret(operands, &[ty]);
                results.pop().expect("one scalar")
            }
            Opcode::LLVMAddrSpaceCast => {
                let operand = self.operand(value.operand(0));
                let bits = self.bits_of(operand);
                self.value_of_bits(bits, ty)
            }
            Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMXor | Opcode::LLVMMul => {
                let op = match opcode {
                    Opcode::LLVMAdd => BinaryOp::Add,
                    Opcode::LLVMSub => BinaryOp::Sub,
                    Opcode::LLVMXor => BinaryOp::Xor,
                    _ => BinaryOp::Mul,
                };
                let left = self.operand(value.operand(0));
                let right = self.operand(value.operand(1));
                self.binary(op, left, right)
            }
            other => {
                self.unsupported(&format!("a constant expression {other:?}"));
                self.nondet(ty, NondetKind::Undef)
            }
        };
        one(result)
    }
}

/// The zero of a type.
pub fn zero(ty: Type) -> Operand {
    match ty {
        Type::Int(bits) => Bv::zero(bits).into(),
        Type::Float(float) => Operand::Const(Const::Float(float, Bv::zero(float.bits()))),
        Type::Ptr => Operand::NULL,
        Type::Mem(_) => panic!("no memory in a register of Raw"),
    }
}
