//! Values as people read them.

use base::Bv;
use ir::syntax::{FloatTy, Module, Show, VarData};

use crate::float::soft;
use crate::memory::{Memory, ObjectKind, Pointer};
use crate::value::Value;

/// The name of an object: its variable, global, or number.
pub(crate) fn object_name(module: &Module, memory: &Memory, number: u32) -> String {
    let object = &memory.objects[number as usize];
    if let Some(var) = object.origin.var.and_then(|var| module.vars.get(var)) {
        return format!("`{}`", var.name);
    }
    if let Some(global) = object.origin.global {
        let data = &module.globals[global];
        let name = match data.var.and_then(|var| module.vars.get(var)) {
            Some(var) => &var.name,
            None => &data.name,
        };
        return format!("`{name}`");
    }
    match object.kind {
        ObjectKind::Global => format!("global object {number}"),
        ObjectKind::Stack => format!("stack object {number}"),
        ObjectKind::Heap => format!("heap object {number}"),
    }
}

/// A pointer: `null`, `&x`, `&x + 4`, a function, or its address.
pub(crate) fn pointer(module: &Module, memory: &Memory, pointer: Pointer) -> String {
    if pointer.address == 0 {
        return "null".to_string();
    }
    if let Some(func) = memory.function_at(pointer.address) {
        let name = module.funcs.values().nth(func).map(|data| &data.name[..]);
        return format!("&{}", name.unwrap_or("?"));
    }
    if pointer.object == 0 {
        return format!("{:#x}", pointer.address);
    }
    let name = object_name(module, memory, pointer.object);
    let base = memory.objects[pointer.object as usize].base;
    let name = name.trim_matches('`');
    match pointer.address.wrapping_sub(base) as i64 {
        0 => format!("&{name}"),
        offset if offset < 0 => format!("&{name} - {}", offset.unsigned_abs()),
        offset => format!("&{name} + {offset}"),
    }
}

/// A source variable's value.
pub(crate) fn variable(module: &Module, memory: &Memory, var: &VarData, value: &Value) -> String {
    match value {
        Value::Pointer(target) => pointer(module, memory, *target),
        Value::Int(bv) | Value::Float(_, bv) => {
            let width = bv.width();
            let bits = match u32::try_from(var.bits) {
                Ok(wanted) if wanted > 0 && wanted < width => bv.trunc(wanted),
                Ok(_) | Err(_) => bv.clone(),
            };
            scalar(var.show, &bits)
        }
        Value::Memory(..) => "memory".to_string(),
    }
}

/// Bits, shown as their type wants.
pub(crate) fn scalar(show: Show, bits: &Bv) -> String {
    match show {
        Show::Signed => bits.to_dec_signed(),
        Show::Unsigned => bits.to_dec(),
        Show::Bool if bits.is_zero() => "false".to_string(),
        Show::Bool if bits.is_one() => "true".to_string(),
        Show::Bool => bits.to_dec(),
        Show::Char => match bits.to_i64() {
            Some(code @ 0x20..=0x7e) => {
                let shown = char::from(code as u8);
                format!("{code} {shown:?}")
            }
            Some(_) | None => bits.to_dec_signed(),
        },
        Show::Float => match bits.width() {
            16 => float(FloatTy::F16, bits),
            32 => float(FloatTy::F32, bits),
            64 => float(FloatTy::F64, bits),
            80 => float(FloatTy::F80, bits),
            128 => float(FloatTy::F128, bits),
            _ => format!("{:#x}", bits.low_u64()),
        },
        Show::Pointer if bits.is_zero() => "null".to_string(),
        Show::Pointer => format!("{:#x}", bits.low_u64()),
        Show::Bytes => bytes(bits.width(), |index| {
            bits.words()[index / 8] >> (8 * (index % 8)) as u32
        }),
    }
}

fn bytes(width: u32, byte: impl Fn(usize) -> u64) -> String {
    const MOST: usize = 16;
    let count = width.div_ceil(8) as usize;
    let shown: Vec<String> = (0..count.min(MOST))
        .map(|index| format!("{:02x}", byte(index) as u8))
        .collect();
    let more = if count > MOST { " …" } else { "" };
    format!("{{{}{more}}}", shown.join(" "))
}

/// A float in the shortest form that reads back; the wide ones as doubles.
fn float(ty: FloatTy, bits: &Bv) -> String {
    let word = bits.to_u128().unwrap_or(0);
    match ty {
        FloatTy::F32 => format!("{:?}", f32::from_bits(word as u32)),
        FloatTy::F16 | FloatTy::F64 | FloatTy::F80 | FloatTy::F128 => {
            let double = match ty {
                FloatTy::F64 => word,
                FloatTy::F16 | FloatTy::F32 | FloatTy::F80 | FloatTy::F128 => {
                    soft::convert(ty, FloatTy::F64, word)
                }
            };
            format!("{:?}", f64::from_bits(double as u64))
        }
    }
}
