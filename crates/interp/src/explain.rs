//! Why a check failed, for people.
//!
//! A check's operand is an `i1`; its definition says what was asked. From there we walk back
//! through the connectives to the question that gave the wrong answer, and describe it with the
//! values it had: the object and offset of an access, the operands of an overflow.

use std::collections::BTreeSet;

use base::{Bv, Place};
use ir::syntax::{Access, BinaryOp, CastOp, CompareOp, Const, Op, Operand, OverflowOp, PlaceId};

pub use results::explanation::{Explanation, ObjectReport};

use crate::memory::{End, ObjectKind, Pointer};
use crate::show;
use crate::value::Value;
use crate::view::View;

/// Explains a check that failed with this operand.
pub(crate) fn explain(view: &View<'_>, cond: &Operand) -> Explanation {
    let (sentence, object) = match reason(view, cond) {
        Some((sentence, object)) => (sentence, object),
        None => (String::new(), None),
    };
    Explanation {
        sentence,
        object,
        stack: view.call_stack(),
    }
}

/// An explanation that is a sentence.
pub(crate) fn say(view: &View<'_>, sentence: String) -> Explanation {
    Explanation {
        sentence,
        object: None,
        stack: view.call_stack(),
    }
}

type Reason = (String, Option<ObjectReport>);

/// The question behind a condition, and why its answer is what it is.
fn reason(view: &View<'_>, cond: &Operand) -> Option<Reason> {
    let body = view.module().funcs[view.func()].body.as_ref()?;
    let mut fallback = None;
    let mut seen = BTreeSet::new();
    let mut work = vec![cond.clone()];
    while let Some(operand) = work.pop() {
        let Operand::Value(value) = operand else {
            continue;
        };
        if !seen.insert(value) || seen.len() > 1000 {
            continue;
        }
        let Some(data) = body.def_inst(value) else {
            continue;
        };
        let answer = || truth(view, &Operand::Value(value));
        match &data.op {
            Op::IsDeref { ptr, len, access } if answer() == Some(false) => {
                return deref_reason(view, ptr, len, *access);
            }
            Op::IsFreeable(ptr) if answer() == Some(false) => return free_reason(view, ptr),
            Op::IsDisjoint { left, right, len } if answer() == Some(false) => {
                return overlap_reason(view, left, right, len);
            }
            Op::IsAlive(ptr) if answer() == Some(false) => {
                let pointer = pointer(view, ptr)?;
                return Some(dead_reason(view, pointer));
            }
            Op::AllTracked if answer() == Some(false) => return lost_reason(view),
            Op::AllFreed if answer() == Some(false) => return Some(cleanup_reason(view)),
            Op::Overflow(op, a, b) => {
                fallback = fallback.or_else(|| overflow_reason(view, *op, a, b));
            }
            Op::Compare(op, a, b) => {
                if is_zero_or_one(b) {
                    work.push(a.clone());
                }
                fallback = fallback.or_else(|| compare_reason(view, *op, a, b));
            }
            Op::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                // A false conjunction has a false side; look there first.
                let (first, second) = match (op, truth(view, a)) {
                    (BinaryOp::And, Some(true)) => (b, a),
                    (_, _) => (a, b),
                };
                work.push(second.clone());
                work.push(first.clone());
            }
            Op::Binary(BinaryOp::Xor, a, b) => work.extend([b.clone(), a.clone()]),
            Op::Copy(a) | Op::Cast(CastOp::ZExt | CastOp::SExt | CastOp::Trunc, a, _) => {
                work.push(a.clone());
            }
            Op::Select(cond, a, b) => {
                let chosen = match truth(view, cond) {
                    Some(true) => a,
                    Some(false) | None => b,
                };
                work.extend([cond.clone(), chosen.clone()]);
            }
            _ => {}
        }
    }
    fallback
}

fn is_zero_or_one(operand: &Operand) -> bool {
    match operand {
        Operand::Const(Const::Int(bv)) => bv.is_zero() || bv.is_one(),
        Operand::Const(_) | Operand::Value(_) => false,
    }
}

fn truth(view: &View<'_>, operand: &Operand) -> Option<bool> {
    match view.operand(operand)? {
        Value::Int(bv) if bv.width() == 1 => Some(bv.is_one()),
        Value::Int(_) | Value::Float(..) | Value::Pointer(_) | Value::Memory(..) => None,
    }
}

fn pointer(view: &View<'_>, operand: &Operand) -> Option<Pointer> {
    match view.operand(operand)? {
        Value::Pointer(pointer) => Some(pointer),
        Value::Int(_) | Value::Float(..) | Value::Memory(..) => None,
    }
}

fn number(view: &View<'_>, operand: &Operand) -> Option<Bv> {
    match view.operand(operand)? {
        Value::Int(bv) => Some(bv),
        Value::Float(..) | Value::Pointer(_) | Value::Memory(..) => None,
    }
}

fn place(view: &View<'_>, place: Option<PlaceId>) -> Option<Place> {
    let data = view.module().places.get(place?)?;
    Some(data.place.clone())
}

/// The object of a pointer, dead ones at its address included.
fn object_of(view: &View<'_>, pointer: Pointer) -> Option<u32> {
    if pointer.object != 0 {
        return Some(pointer.object);
    }
    let holds = |number: &u32| {
        let object = &view.memory.objects[*number as usize];
        pointer.address.wrapping_sub(object.base) < object.size
    };
    let live = view.memory.live().find(holds);
    live.or_else(|| view.memory.dead_at(pointer.address))
}

fn report(view: &View<'_>, number: u32, pointer: Pointer) -> ObjectReport {
    let object = &view.memory.objects[number as usize];
    let var = object
        .origin
        .var
        .or_else(|| view.variable_of(number))
        .and_then(|var| view.module().vars.get(var));
    let declared = var.and_then(|var| var.place);
    let name = match var {
        Some(var) => format!("`{}`", var.name),
        None => show::object_name(view.module(), view.memory, number),
    };
    ObjectReport {
        name,
        kind: object.kind,
        size: object.size,
        offset: pointer.address.wrapping_sub(object.base) as i64,
        accessed: 0,
        constant: object.constant,
        allocated: place(view, object.origin.allocated.or(declared)),
        ended: object.origin.ended.map(|(end, at)| (end, place(view, at))),
    }
}

fn deref_reason(view: &View<'_>, ptr: &Operand, len: &Operand, access: Access) -> Option<Reason> {
    let target = pointer(view, ptr)?;
    let len = number(view, len)?.low_u64();
    let what = match (access, len) {
        (Access::Read | Access::Look | Access::Touch | Access::Stray, 1) => {
            "reading 1 byte".to_string()
        }
        (Access::Read | Access::Look | Access::Touch | Access::Stray, len) => {
            format!("reading {len} bytes")
        }
        (Access::Write | Access::Change, 1) => "writing 1 byte".to_string(),
        (Access::Write | Access::Change, len) => format!("writing {len} bytes"),
    };
    Some(match object_of(view, target) {
        None => (format!("{what} through {}", no_object(view, target)), None),
        Some(number) => {
            let report = ObjectReport {
                accessed: len,
                ..report(view, number, target)
            };
            let object = &view.memory.objects[number as usize];
            let at = match report.offset {
                0 => format!("the start of {}", report.name),
                offset => format!("offset {offset} of {}", report.name),
            };
            let past = target.address.wrapping_sub(object.base);
            let why = match report.ended {
                Some((End::Freed, _)) => "which is freed",
                Some((End::Scope, _)) => "which is out of scope",
                Some((End::Returned, _)) => "whose function has returned",
                None if report.offset < 0 => "which is before its start",
                None if past.checked_add(len).is_none_or(|end| end > object.size) => {
                    "which is past its end"
                }
                None => "which is constant",
            };
            (format!("{what} at {at}, {why}"), Some(report))
        }
    })
}

/// What a pointer without an object is.
fn no_object(view: &View<'_>, pointer: Pointer) -> String {
    match pointer.address {
        0 => "a null pointer".to_string(),
        address @ 1..4096 => format!("a null pointer plus {address}"),
        address => match view.memory.function_at(address) {
            Some(_) => format!(
                "the address of function {}",
                show::pointer(view.module(), view.memory, pointer).trim_start_matches('&')
            ),
            None => format!("{address:#x}, where no object is"),
        },
    }
}

fn free_reason(view: &View<'_>, ptr: &Operand) -> Option<Reason> {
    let target = pointer(view, ptr)?;
    let Some(number) = object_of(view, target) else {
        return Some((format!("freeing {}", no_object(view, target)), None));
    };
    let report = report(view, number, target);
    let why = match (&report.ended, report.kind, report.offset) {
        (Some((End::Freed, _)), _, _) => "which is freed already".to_string(),
        (_, ObjectKind::Global, _) => "which is a global".to_string(),
        (_, ObjectKind::Stack, _) => "which is a local".to_string(),
        (_, ObjectKind::Heap, offset) => format!("at offset {offset}, not at its start"),
    };
    Some((format!("freeing {}, {why}", report.name), Some(report)))
}

fn dead_reason(view: &View<'_>, pointer: Pointer) -> Reason {
    match object_of(view, pointer) {
        None => (format!("{} is not alive", no_object(view, pointer)), None),
        Some(number) => {
            let report = report(view, number, pointer);
            (format!("{} is not alive", report.name), Some(report))
        }
    }
}

fn overlap_reason(
    view: &View<'_>,
    left: &Operand,
    right: &Operand,
    len: &Operand,
) -> Option<Reason> {
    let (a, b) = (pointer(view, left)?, pointer(view, right)?);
    let len = number(view, len)?.low_u64();
    let distance = a.address.abs_diff(b.address);
    let report = object_of(view, a).map(|number| report(view, number, a));
    Some((
        format!("two ranges of {len} bytes are only {distance} bytes apart"),
        report,
    ))
}

fn heap_report(view: &View<'_>, number: u32) -> ObjectReport {
    let address = view.memory.objects[number as usize].base;
    let pointer = Pointer {
        address,
        object: number,
    };
    report(view, number, pointer)
}

fn lost_reason(view: &View<'_>) -> Option<Reason> {
    let report = heap_report(view, view.memory.untracked()?);
    let sentence = format!("nothing points to {} any more", report.name);
    Some((sentence, Some(report)))
}

fn cleanup_reason(view: &View<'_>) -> Reason {
    let heap = |number: &u32| view.memory.objects[*number as usize].kind == ObjectKind::Heap;
    let count = view.memory.live().filter(heap).count();
    let word = if count == 1 {
        "object is"
    } else {
        "objects are"
    };
    let first = view.memory.live().find(heap);
    let report = first.map(|number| heap_report(view, number));
    (format!("{count} heap {word} still allocated"), report)
}

fn overflow_reason(view: &View<'_>, op: OverflowOp, a: &Operand, b: &Operand) -> Option<Reason> {
    let (a, b) = (number(view, a)?, number(view, b)?);
    let (sign, signed) = match op {
        OverflowOp::UAdd => ("+", false),
        OverflowOp::SAdd => ("+", true),
        OverflowOp::USub => ("-", false),
        OverflowOp::SSub => ("-", true),
        OverflowOp::UMul => ("*", false),
        OverflowOp::SMul => ("*", true),
    };
    let width = a.width();
    let text = |bv: &Bv| match signed {
        true => bv.to_dec_signed(),
        false => bv.to_dec(),
    };
    let word = if signed { "signed" } else { "unsigned" };
    let right = match text(&b) {
        negative if negative.starts_with('-') => format!("({negative})"),
        other => other,
    };
    Some((
        format!(
            "{} {sign} {right} does not fit {word} {width} bits",
            text(&a)
        ),
        None,
    ))
}

fn compare_reason(view: &View<'_>, op: CompareOp, a: &Operand, b: &Operand) -> Option<Reason> {
    let (sign, signed) = match op {
        CompareOp::Eq => ("==", true),
        CompareOp::Ne => ("!=", true),
        CompareOp::Ult => ("<", false),
        CompareOp::Ule => ("<=", false),
        CompareOp::Slt => ("<", true),
        CompareOp::Sle => ("<=", true),
        CompareOp::FOeq
        | CompareOp::FOlt
        | CompareOp::FOle
        | CompareOp::FOne
        | CompareOp::FOrd
        | CompareOp::FUeq
        | CompareOp::FUlt
        | CompareOp::FUle
        | CompareOp::FUne
        | CompareOp::FUno => return None,
    };
    let text = |operand: &Operand| {
        Some(match view.operand(operand)? {
            Value::Int(bv) if signed => bv.to_dec_signed(),
            Value::Int(bv) => bv.to_dec(),
            Value::Pointer(target) => show::pointer(view.module(), view.memory, target),
            Value::Float(..) | Value::Memory(..) => return None,
        })
    };
    let holds = match (view.operand(a)?, view.operand(b)?) {
        (Value::Int(x), Value::Int(y)) if x.width() == y.width() => match op {
            CompareOp::Eq => x == y,
            CompareOp::Ne => x != y,
            CompareOp::Ult => x.ult(&y),
            CompareOp::Ule => x.ule(&y),
            CompareOp::Slt => x.slt(&y),
            CompareOp::Sle => x.sle(&y),
            _ => return None,
        },
        (_, _) if op == CompareOp::Ne && *b == Operand::NULL => {
            return Some(("the pointer is null".to_owned(), None));
        }
        (_, _) => return Some((format!("{} {sign} {} was asked", text(a)?, text(b)?), None)),
    };
    let word = if holds { "holds" } else { "does not hold" };
    Some((format!("{} {sign} {} {word}", text(a)?, text(b)?), None))
}
