//! Types of C, as debug information tells them: where pointers and integers lie in an object.

use crate::ffi::{Context, Meta};

// DWARF's tags of types.
const TAG_ARRAY: u16 = 0x01;
const TAG_CLASS: u16 = 0x02;
const TAG_ENUM: u16 = 0x04;
const TAG_MEMBER: u16 = 0x0d;
const TAG_POINTER: u16 = 0x0f;
const TAG_REFERENCE: u16 = 0x10;
const TAG_STRUCT: u16 = 0x13;
const TAG_SUBROUTINE: u16 = 0x15;
const TAG_TYPEDEF: u16 = 0x16;
const TAG_UNION: u16 = 0x17;
const TAG_INHERITANCE: u16 = 0x1c;
const TAG_CONST: u16 = 0x26;
const TAG_VOLATILE: u16 = 0x35;
const TAG_RESTRICT: u16 = 0x37;
const TAG_MOVED: u16 = 0x42;
const TAG_ATOMIC: u16 = 0x47;

/// No more scalars of one object are looked at.
const MOST: usize = 256;

/// Types are not nested deeper than this; typedefs count.
const DEEPEST: u32 = 64;

/// A scalar inside an object.
pub struct Leaf<'c> {
    /// At which byte.
    pub offset: u64,
    /// Its name, from that of the object on.
    pub path: String,
    /// What it is.
    pub scalar: Scalar<'c>,
    /// Is it part of a union, in which something else may be?
    pub perhaps: bool,
}

/// What a scalar is.
#[derive(Clone, Copy)]
pub enum Scalar<'c> {
    /// An integer of so many bits.
    Integer(u64, Sign),
    /// A pointer to this type; none for `void`.
    Pointer(Option<Meta<'c>>),
    /// A reference of C++, which leads to one object of the type.
    Reference(Option<Meta<'c>>),
    /// A pointer to a function of this type.
    Code(Meta<'c>),
}

/// Has an integer a sign?
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// It has.
    Signed,
    /// It has not.
    Unsigned,
}

/// A type without names and qualifiers.
pub fn strip<'c>(ctx: &'c Context, ty: Option<Meta<'c>>) -> Option<Meta<'c>> {
    let mut next = ty;
    for _ in 0..DEEPEST {
        let here = next?;
        match here.tag() {
            TAG_TYPEDEF | TAG_CONST | TAG_VOLATILE | TAG_RESTRICT | TAG_ATOMIC => {
                next = here.base_type(ctx);
            }
            _ => return next,
        }
    }
    None
}

/// The size of a type in bytes; 0 if it is not known, as that of `void` and of functions.
pub fn size<'c>(ctx: &'c Context, ty: Option<Meta<'c>>) -> u64 {
    strip(ctx, ty).map_or(0, |ty| ty.bits() / 8)
}

/// How a type is aligned, as far as its parts tell.
pub fn align<'c>(ctx: &'c Context, ty: Option<Meta<'c>>) -> u64 {
    let bytes = size(ctx, ty);
    let mut largest = 1;
    let mut work: Vec<(Option<Meta<'c>>, u32)> = vec![(ty, 0)];
    let mut looks = 0;
    while let Some((ty, depth)) = work.pop() {
        looks += 1;
        let Some(ty) = strip(ctx, ty).filter(|_| depth < DEEPEST && looks < MOST) else {
            continue;
        };
        match ty.tag() {
            TAG_STRUCT | TAG_CLASS | TAG_UNION => {
                let parts = members(ctx, ty).into_iter();
                work.extend(parts.map(|part| (part.base_type(ctx), depth + 1)));
            }
            TAG_ARRAY => work.push((ty.base_type(ctx), depth + 1)),
            _ => {
                let bytes = ty.bits() / 8;
                if bytes.is_power_of_two() {
                    largest = largest.max(bytes.min(16));
                }
            }
        }
    }
    // A packed structure has parts that are aligned better than itself.
    match bytes % largest {
        0 => largest,
        _ => 1,
    }
}

/// Is it a type of characters?
pub fn is_character<'c>(ctx: &'c Context, ty: Option<Meta<'c>>) -> bool {
    let encoding = strip(ctx, ty).and_then(|ty| encoding(ctx, ty));
    matches!(
        encoding.as_deref(),
        Some("DW_ATE_signed_char" | "DW_ATE_unsigned_char" | "DW_ATE_UTF")
    )
}

/// What a type is, if it is a scalar that something can be said of.
pub fn scalar<'c>(ctx: &'c Context, ty: Option<Meta<'c>>) -> Option<Scalar<'c>> {
    let ty = strip(ctx, ty)?;
    match ty.tag() {
        TAG_POINTER => {
            let base = ty.base_type(ctx);
            let inner = strip(ctx, base);
            match inner.filter(|inner| inner.tag() == TAG_SUBROUTINE) {
                Some(code) => Some(Scalar::Code(code)),
                None => Some(Scalar::Pointer(base)),
            }
        }
        TAG_REFERENCE | TAG_MOVED => Some(Scalar::Reference(ty.base_type(ctx))),
        TAG_ENUM => Some(Scalar::Integer(ty.bits(), Sign::Unsigned)),
        _ => {
            let sign = match encoding(ctx, ty)?.as_str() {
                "DW_ATE_signed" | "DW_ATE_signed_char" => Sign::Signed,
                "DW_ATE_unsigned" | "DW_ATE_unsigned_char" | "DW_ATE_boolean" => Sign::Unsigned,
                _ => return None,
            };
            Some(Scalar::Integer(ty.bits(), sign))
        }
    }
}

/// The scalars of an object, in order. Of a union its first member with pointers counts. The name of a structure's member
/// follows the object's after `.`, or after `->` if that is a pointer to it.
pub fn leaves<'c>(
    ctx: &'c Context,
    ty: Option<Meta<'c>>,
    name: &str,
    behind: bool,
) -> Vec<Leaf<'c>> {
    let mut found = Vec::new();
    let mut work = vec![(0, ty, name.to_owned(), behind, 0, false)];
    while let Some((offset, ty, path, behind, depth, perhaps)) = work.pop() {
        if found.len() >= MOST || depth >= DEEPEST {
            break;
        }
        let Some(ty) = strip(ctx, ty) else { continue };
        match ty.tag() {
            TAG_STRUCT | TAG_CLASS | TAG_UNION => {
                let mut parts = members(ctx, ty);
                let perhaps = perhaps || ty.tag() == TAG_UNION && parts.len() > 1;
                if ty.tag() == TAG_UNION {
                    let with = parts
                        .iter()
                        .position(|part| holds_pointers(ctx, part.base_type(ctx)));
                    parts = parts.drain(..).skip(with.unwrap_or(0)).take(1).collect();
                }
                let dot = if behind { "->" } else { "." };
                for part in parts.into_iter().rev() {
                    let bits = part.offset_bits();
                    if bits % 8 != 0 {
                        continue; // A bit-field.
                    }
                    let (path, behind) = match part.name(ctx) {
                        Some(name) => (format!("{path}{dot}{name}"), false),
                        None => (path.clone(), behind),
                    };
                    let ty = part.base_type(ctx);
                    work.push((offset + bits / 8, ty, path, behind, depth + 1, perhaps));
                }
            }
            TAG_ARRAY => {
                let element = ty.base_type(ctx);
                let step = size(ctx, element);
                let count = (ty.bits() / 8).checked_div(step).unwrap_or(0);
                let holds = scalar(ctx, element)
                    .is_none_or(|scalar| !matches!(scalar, Scalar::Integer(..)));
                if !holds {
                    continue;
                }
                let base = if behind { format!("(*{path})") } else { path };
                for index in (0..count.min(MOST as u64)).rev() {
                    let path = format!("{base}[{index}]");
                    work.push((
                        offset + index * step,
                        element,
                        path,
                        false,
                        depth + 1,
                        perhaps,
                    ));
                }
            }
            _ => {
                let path = if behind { format!("*{path}") } else { path };
                let scalar = scalar(ctx, Some(ty));
                found.extend(scalar.map(|scalar| Leaf {
                    offset,
                    path,
                    scalar,
                    perhaps,
                }));
            }
        }
    }
    found
}

/// Does an object of the type hold pointers?
pub fn holds_pointers<'c>(ctx: &'c Context, ty: Option<Meta<'c>>) -> bool {
    let mut work = vec![(ty, 0)];
    let mut looks = 0;
    while let Some((ty, depth)) = work.pop() {
        looks += 1;
        let Some(ty) = strip(ctx, ty).filter(|_| depth < DEEPEST && looks < 4 * MOST) else {
            continue;
        };
        match ty.tag() {
            TAG_POINTER | TAG_REFERENCE | TAG_MOVED => return true,
            TAG_STRUCT | TAG_CLASS | TAG_UNION => {
                let parts = members(ctx, ty).into_iter();
                work.extend(parts.map(|part| (part.base_type(ctx), depth + 1)));
            }
            TAG_ARRAY => work.push((ty.base_type(ctx), depth + 1)),
            _ => {}
        }
    }
    false
}

/// The parts of a structure or union that lie in its objects.
fn members<'c>(ctx: &'c Context, ty: Meta<'c>) -> Vec<Meta<'c>> {
    let parts = ty.members(ctx).into_iter();
    let inside = |part: &Meta<'c>| {
        part.is_type()
            && matches!(part.tag(), TAG_MEMBER | TAG_INHERITANCE)
            && !part.text(ctx).contains("DIFlagStaticMember")
    };
    parts.filter(inside).collect()
}

fn encoding<'c>(ctx: &'c Context, ty: Meta<'c>) -> Option<String> {
    let text = ty.text(ctx);
    let (_, rest) = text.split_once("encoding: ")?;
    rest.split([',', ')']).next().map(str::to_owned)
}
