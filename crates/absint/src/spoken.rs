//! Facts in the words of the source.

use ir::spoken::{Number, Reading, Sentence};
use ir::syntax::{Block, Body, Const, Operand};

use crate::domains::signed;
use crate::domains::view::View;
use crate::facts::{Atom, Fact, Place, Relation, Sign};
use crate::value::Obj;

fn reading(view: View) -> Reading {
    match view {
        View::Signed => Reading::Signed,
        View::Unsigned => Reading::Unsigned,
    }
}

/// A place as a number, with its width; none for what has no name in any source.
fn number(body: &Body, head: Block, place: Place, reading: Reading) -> Option<(Number, u32)> {
    let width = |ty: ir::syntax::Type| match ty {
        ir::syntax::Type::Int(width) => Some(width),
        ir::syntax::Type::Float(_) | ir::syntax::Type::Ptr | ir::syntax::Type::Mem(_) => None,
    };
    let register = |value: ir::syntax::Value| {
        let width = width(body.values[value].ty)?;
        Some((Number::Register(value, reading), width))
    };
    match place {
        Place::Param(index) => register(body.blocks[head].params[index]),
        Place::Outer(value) => register(value),
        Place::Number(number, width) => Some((Number::Constant(number.into()), width)),
        Place::Cell(_, obj, at, ty) => {
            let base = match obj {
                Obj::Global(global) => Operand::Const(Const::Global(global, 0)),
                Obj::Recent(inst) | Obj::Old(inst) => body.insts[inst].results[0].into(),
            };
            Some((Number::Cell(base, at, reading), width(ty)?))
        }
        Place::Offset(_) | Place::Formula(..) | Place::Ghost(_) | Place::Element(..) => None,
    }
}

fn atom(body: &Body, head: Block, place: Place, atom: Atom) -> Option<Sentence> {
    let at = |place: Place, reading: Reading| {
        number(body, head, place, reading).map(|(number, _)| number)
    };
    let own = |place: Place| at(place, Reading::Own);
    let bounded = |reading: Reading, op: &'static str, bound: i128| {
        let number = at(place, reading)?;
        Some(Sentence::Compare(number, op, Number::Constant(bound)))
    };
    let relation = |relation: Relation, one: Place, other: Place, before: [bool; 2]| {
        let (op, reading) = match relation {
            Relation::Equal => ("==", Reading::Own),
            Relation::Unequal => ("!=", Reading::Own),
            Relation::SignedAtMost => ("<=", Reading::Signed),
            Relation::SignedLess => ("<", Reading::Signed),
            Relation::AtMost => ("<=", Reading::Unsigned),
            Relation::Less => ("<", Reading::Unsigned),
        };
        let number = |place: Place, before: bool| {
            let number = at(place, reading)?;
            Some(match before {
                true => Number::Before(Box::new(number)),
                false => number,
            })
        };
        let (one, other) = (number(one, before[0])?, number(other, before[1])?);
        Some(Sentence::Compare(one, op, other))
    };
    match atom {
        Atom::Is(x) => {
            let (_, width) = number(body, head, place, Reading::Own)?;
            let x = signed(x, width);
            let reading = if x < 0 { Reading::Signed } else { Reading::Own };
            bounded(reading, "==", x.into())
        }
        Atom::AtLeast(x) => bounded(Reading::Unsigned, ">=", x.into()),
        Atom::AtMost(x) => bounded(Reading::Unsigned, "<=", x.into()),
        Atom::SignedAtLeast(x) => bounded(Reading::Signed, ">=", x.into()),
        Atom::SignedAtMost(x) => bounded(Reading::Signed, "<=", x.into()),
        Atom::Bits(mask, bits) => Some(Sentence::Compare(
            Number::And(Box::new(own(place)?), mask.into()),
            "==",
            Number::Constant(bits.into()),
        )),
        Atom::Modulo(step, rest) => Some(Sentence::Compare(
            Number::Rest(Box::new(at(place, Reading::Unsigned)?), step.into()),
            "==",
            Number::Constant(rest.into()),
        )),
        Atom::Compared(how, other) => relation(how, place, other, [false, false]),
        Atom::Since(how) => relation(how, place, place, [false, true]),
        Atom::Before(how) => relation(how, place, place, [true, false]),
        Atom::Grown(times, other, of_other) => {
            let grown = |place: Place, times: i64| {
                let now = own(place)?;
                let by = vec![(1, now.clone()), (-1, Number::Before(Box::new(now)))];
                Some(Number::Sum(vec![(times, Number::Sum(by))]))
            };
            let (one, two) = (grown(place, times)?, grown(other, of_other)?);
            Some(Sentence::Compare(one, "==", two))
        }
        Atom::Linear((sign, view), (other_sign, other_view), other, bound) => {
            let times = |sign: Sign| match sign {
                Sign::Plus => 1,
                Sign::Minus => -1,
            };
            let one = (times(sign), at(place, reading(view))?);
            let two = (times(other_sign), at(other, reading(other_view))?);
            // What is counted stands first.
            let parts = match sign {
                Sign::Plus => vec![one, two],
                Sign::Minus => vec![two, one],
            };
            let bound = Number::Constant(bound.into());
            Some(Sentence::Compare(Number::Sum(parts), "<=", bound))
        }
        Atom::Balance(times, others, total) => {
            let (first, width) = number(body, head, place, Reading::Own)?;
            let mut parts = vec![(times, first)];
            for (times, other) in others.into_iter().filter(|(times, _)| *times != 0) {
                parts.push((times, own(other)?));
            }
            let total = Number::Constant(signed(total, width).into());
            Some(Sentence::Compare(Number::Sum(parts), "==", total))
        }
        Atom::Outside(..) => None,
    }
}

/// What a fact at a head says; none if there are no words for it.
pub fn sentence(body: &Body, head: Block, fact: &Fact) -> Option<Sentence> {
    let mut parts = Vec::new();
    for part in fact {
        let atoms: Option<Vec<Sentence>> = part
            .iter()
            .map(|&(place, said)| atom(body, head, place, said))
            .collect();
        parts.push(Sentence::All(atoms?));
    }
    Some(Sentence::One(parts))
}
