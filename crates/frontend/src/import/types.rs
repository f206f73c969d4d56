//! LLVM's types as lists of scalars with their places in memory.

use std::rc::Rc;

use ir::syntax::{FloatTy, Type};

use crate::ffi::{Kind, Ty};

use super::Importer;

/// A register of this many scalars is not taken apart.
const MOST_LEAVES: usize = 1 << 16;

/// A scalar in an aggregate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// Its type.
    pub ty: Type,
    /// Where it lies in memory, in bytes from the start.
    pub offset: u64,
}

/// How a type is taken apart.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Shape {
    /// The scalars in order. A type that is not supported has none.
    pub leaves: Vec<Leaf>,
    /// Width of the lanes of a vector whose lanes are no whole bytes: it lies in memory as one
    /// integer, lane 0 lowest.
    pub packed: Option<u32>,
    /// The reason if the type is not supported.
    pub unsupported: Option<String>,
}

impl Shape {
    fn scalar(ty: Type) -> Shape {
        Shape {
            leaves: vec![Leaf { ty, offset: 0 }],
            packed: None,
            unsupported: None,
        }
    }

    fn unsupported(what: String) -> Shape {
        Shape {
            leaves: Vec::new(),
            packed: None,
            unsupported: Some(what),
        }
    }

    /// The only scalar, if there is exactly one.
    pub fn single(&self) -> Option<Type> {
        match self.leaves.as_slice() {
            [leaf] => Some(leaf.ty),
            _ => None,
        }
    }
}

impl<'c> Importer<'_, 'c> {
    /// How a type is taken apart.
    pub fn shape(&mut self, ty: Ty<'c>) -> Rc<Shape> {
        if let Some(shape) = self.shapes.get(&ty) {
            return shape.clone();
        }
        let shape = Rc::new(self.make_shape(ty));
        self.shapes.insert(ty, shape.clone());
        shape
    }

    // Types nest as deeply as the source writes them, which clang limits.
    fn make_shape(&mut self, ty: Ty<'c>) -> Shape {
        match ty.kind() {
            Kind::Void | Kind::Metadata | Kind::Label => Shape::default(),
            Kind::Half => Shape::scalar(Type::Float(FloatTy::F16)),
            Kind::Float => Shape::scalar(Type::Float(FloatTy::F32)),
            Kind::Double => Shape::scalar(Type::Float(FloatTy::F64)),
            Kind::Fp80 => Shape::scalar(Type::Float(FloatTy::F80)),
            Kind::Fp128 => Shape::scalar(Type::Float(FloatTy::F128)),
            Kind::Int(bits) => Shape::scalar(Type::Int(bits)),
            Kind::Ptr(0) => Shape::scalar(Type::Ptr),
            Kind::Ptr(space) => Shape::unsupported(format!("address space {space}")),
            Kind::Struct(count) => {
                let mut shape = Shape::default();
                for index in 0..count {
                    let field = ty.field(index);
                    let offset = self.layout.offset(ty, index);
                    let inner = self.shape(field);
                    if !shape.append(&inner, offset) {
                        return shape.or_too_large(ty);
                    }
                }
                shape
            }
            Kind::Array(element, count) => {
                let step = self.layout.size(element);
                self.repeat(ty, element, count, step)
            }
            Kind::Vector(element, count) => {
                let Some(bits) = self.lane_bits(element) else {
                    return Shape::unsupported(format!("type {}", ty.text()));
                };
                let mut shape = self.repeat(ty, element, u64::from(count), u64::from(bits) / 8);
                if bits % 8 != 0 {
                    shape.packed = Some(bits);
                }
                shape
            }
            Kind::Function | Kind::Other => Shape::unsupported(format!("type {}", ty.text())),
        }
    }

    fn lane_bits(&mut self, element: Ty<'c>) -> Option<u32> {
        let shape = self.shape(element);
        shape.single()?.bits(self.machine())
    }

    fn repeat(&mut self, ty: Ty<'c>, element: Ty<'c>, count: u64, step: u64) -> Shape {
        let inner = self.shape(element);
        let total = (inner.leaves.len() as u64).saturating_mul(count);
        if total > MOST_LEAVES as u64 {
            return Shape::unsupported(format!("type {} in a register", ty.text()));
        }
        let mut shape = Shape::default();
        for index in 0..count {
            if !shape.append(&inner, index * step) {
                return shape.or_too_large(ty);
            }
        }
        shape
    }
}

impl Shape {
    /// Adds the scalars of a part; false if they cannot be.
    fn append(&mut self, part: &Shape, offset: u64) -> bool {
        if let Some(what) = &part.unsupported {
            *self = Shape::unsupported(what.clone());
            return false;
        }
        if part.packed.is_some() || self.leaves.len() + part.leaves.len() > MOST_LEAVES {
            self.leaves.clear();
            return false;
        }
        self.leaves.extend(part.leaves.iter().map(|leaf| Leaf {
            ty: leaf.ty,
            offset: leaf.offset + offset,
        }));
        true
    }

    fn or_too_large(self, ty: Ty<'_>) -> Shape {
        if self.unsupported.is_some() {
            self
        } else {
            Shape::unsupported(format!("type {} in a register", ty.text()))
        }
    }
}
