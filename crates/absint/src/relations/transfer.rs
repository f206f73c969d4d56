//! What instructions and conditions say of how numbers compare.
//!
//! An operation on bit-vectors is one on ideal numbers where its exact result, perhaps a whole turn further, stays inside of the type. Only
//! then is there something to say.

use std::rc::Rc;

use ir::syntax::{
    BinaryOp, CastOp, CompareOp, InstData, Op, Operand, OverflowOp, Target, Type, Value,
};

use super::{Lit, Relations, Shape, views};
use crate::domains::Int;
use crate::domains::compare::{Asks, asks};
use crate::domains::view::{View, between, limits, range};
use crate::state::{Program, State};
use crate::value::Val;

/// So many numbers are compared with what a choice yields.
const MAX_PARTNERS: usize = 8;

/// `r = a + sign * b`, by an instruction.
struct Sum<'a> {
    result: Value,
    a: &'a Operand,
    b: &'a Operand,
    op: BinaryOp,
}

impl Program<'_> {
    fn int_of(&self, state: &State, value: Value) -> Option<Int> {
        match self.body.values.get(value)?.ty {
            Type::Int(2..=64) => self.value(state, value).as_int().copied(),
            Type::Int(_) | Type::Float(_) | Type::Ptr | Type::Mem(_) => None,
        }
    }

    fn followed(&self, operand: &Operand) -> Option<Value> {
        let value = operand.as_value()?;
        matches!(self.body.values[value].ty, Type::Int(2..=64)).then_some(value)
    }

    /// Changes the relations of a state beside its intervals.
    fn relations(&self, state: &mut State, change: impl FnOnce(&State, &mut Relations)) {
        let mut relations = std::mem::take(&mut state.relations);
        change(state, Rc::make_mut(&mut relations));
        state.relations = relations;
    }

    /// What an instruction's result has to do with its operands.
    pub(crate) fn relate(&self, state: &mut State, data: &InstData) {
        let (Some(shape), Some(&result)) = (self.shape, data.results.first()) else {
            return;
        };
        if !matches!(self.body.values[result].ty, Type::Int(2..=64)) {
            return;
        }
        match &data.op {
            Op::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                let op = *op;
                self.sum(state, shape, &Sum { result, a, b, op });
            }
            Op::Binary(BinaryOp::UDiv, a, b) => {
                // What is divided by nothing is all ones.
                let by = self.operand(state, b);
                if by.as_int().is_some_and(|by| by.umin > 0) {
                    self.no_more(state, shape, result, a, 0);
                }
            }
            Op::Binary(BinaryOp::LShr, a, _) => self.no_more(state, shape, result, a, 0),
            Op::Binary(BinaryOp::And, a, b) => {
                self.no_more(state, shape, result, a, 0);
                self.no_more(state, shape, result, b, 0);
            }
            Op::Binary(BinaryOp::URem, a, b) => {
                self.no_more(state, shape, result, a, 0);
                let by = self.operand(state, b);
                if by.as_int().is_some_and(|by| by.umin > 0) {
                    self.no_more(state, shape, result, b, -1);
                }
            }
            Op::Copy(a) => self.equal(state, shape, result, a, &[View::Signed, View::Unsigned]),
            Op::Cast(op, a, _) => {
                let Some(from) = self.followed(a).and_then(|from| self.int_of(state, from)) else {
                    return;
                };
                let width = match self.body.values[result].ty {
                    Type::Int(width) => width,
                    Type::Float(_) | Type::Ptr | Type::Mem(_) => return,
                };
                let fits = |view| {
                    let ((low, high), (least, most)) = (range(&from, view), limits(width, view));
                    low >= least && high <= most
                };
                match op {
                    CastOp::ZExt => self.equal(state, shape, result, a, &[View::Unsigned]),
                    CastOp::SExt => self.equal(state, shape, result, a, &[View::Signed]),
                    CastOp::Trunc => {
                        for view in [View::Signed, View::Unsigned] {
                            if fits(view) {
                                self.equal(state, shape, result, a, &[view]);
                            }
                        }
                    }
                    CastOp::FToS
                    | CastOp::FToU
                    | CastOp::SToF
                    | CastOp::UToF
                    | CastOp::FToF
                    | CastOp::Bits
                    | CastOp::PtrToInt
                    | CastOp::IntToPtr => {}
                }
            }
            Op::Select(cond, yes, no) => self.choice(state, shape, result, cond, yes, no),
            _ => {} // Says nothing of differences.
        }
    }

    fn equal(
        &self,
        state: &mut State,
        shape: &dyn Shape,
        result: Value,
        a: &Operand,
        in_views: &[View],
    ) {
        let Some(a) = self.followed(a) else { return };
        self.relations(state, |state, relations| {
            let ranges = |value| self.int_of(state, value);
            for &view in in_views {
                let (r, a) = (Lit::new(result, view), Lit::new(a, view));
                relations.add(r, a, 0, shape, &ranges);
                relations.add(a, r, 0, shape, &ranges);
            }
        });
    }

    /// The result is at most the operand and so much, unsigned.
    fn no_more(&self, state: &mut State, shape: &dyn Shape, result: Value, a: &Operand, by: i128) {
        let Some(a) = self.followed(a) else { return };
        self.relations(state, |state, relations| {
            let ranges = |value| self.int_of(state, value);
            let view = View::Unsigned;
            relations.add(
                Lit::new(result, view),
                Lit::new(a, view),
                by,
                shape,
                &ranges,
            );
        });
    }

    fn sum(&self, state: &mut State, shape: &dyn Shape, sum: &Sum<'_>) {
        let (Val::Int(x), Val::Int(y)) = (self.operand(state, sum.a), self.operand(state, sum.b))
        else {
            return;
        };
        let minus = sum.op == BinaryOp::Sub;
        let turn = 1i128 << x.width;
        let (first, second) = (self.followed(sum.a), self.followed(sum.b));
        for view in [View::Signed, View::Unsigned] {
            let ((la, ha), (mut lb, mut hb)) = (range(&x, view), range(&y, view));
            if minus {
                (lb, hb) = (-hb, -lb);
            }
            let (mut low, mut high) = (la + lb, ha + hb);
            if minus && let (Some(a), Some(b)) = (first, second) {
                // How they compare says more than their bounds.
                let ranges = |value| self.int_of(state, value);
                let (a, b) = (Lit::new(a, view), Lit::new(b, view));
                if let Some(bound) = state.relations.bound(a, b, &ranges) {
                    high = high.min(bound);
                }
                if let Some(bound) = state.relations.bound(b, a, &ranges) {
                    low = low.max(-bound);
                }
            }
            let (least, most) = limits(x.width, view);
            let test = match (minus, view) {
                (false, View::Signed) => OverflowOp::SAdd,
                (false, View::Unsigned) => OverflowOp::UAdd,
                (true, View::Signed) => OverflowOp::SSub,
                (true, View::Unsigned) => OverflowOp::USub,
            };
            let exact = state.exact.contains(&(test, sum.a.clone(), sum.b.clone()));
            let by = match exact {
                true => Some(0),
                false => [0, -turn, turn]
                    .into_iter()
                    .find(|by| low + by >= least && high + by <= most),
            };
            let Some(by) = by else { continue };
            if let Some(bounds) = between(low + by, high + by, x.width, view)
                && let Some(known) = self.int_of(state, sum.result)
                && let Some(both) = known.meet(&bounds)
                && both != known
            {
                state.vals.insert(sum.result, Val::Int(both));
            }
            self.relations(state, |state, relations| {
                let ranges = |value| self.int_of(state, value);
                let r = Lit::new(sum.result, view);
                if let Some(a) = first {
                    let a = Lit::new(a, view);
                    relations.add(r, a, hb + by, shape, &ranges);
                    relations.add(a, r, -(lb + by), shape, &ranges);
                }
                if let Some(b) = second {
                    let b = Lit::new(b, view);
                    let b = if minus { b.flipped() } else { b };
                    relations.add(r, b, ha + by, shape, &ranges);
                    relations.add(b, r, -(la + by), shape, &ranges);
                }
            });
        }
    }

    /// A bound of an operand less a literal.
    fn less(&self, state: &State, operand: &Operand, view: View, other: Lit) -> Option<i128> {
        let ranges = |value| self.int_of(state, value);
        match self.followed(operand) {
            Some(value) => state.relations.bound(Lit::new(value, view), other, &ranges),
            None => {
                let x = *self.operand(state, operand).as_int()?;
                let down = state.relations.at_most(other.flipped(), &ranges)?;
                Some(range(&x, view).1 + down)
            }
        }
    }

    /// A bound of a literal less an operand.
    fn more(&self, state: &State, operand: &Operand, view: View, other: Lit) -> Option<i128> {
        let ranges = |value| self.int_of(state, value);
        match self.followed(operand) {
            Some(value) => state.relations.bound(other, Lit::new(value, view), &ranges),
            None => {
                let x = *self.operand(state, operand).as_int()?;
                let up = state.relations.at_most(other, &ranges)?;
                Some(up - range(&x, view).0)
            }
        }
    }

    fn choice(
        &self,
        state: &mut State,
        shape: &dyn Shape,
        result: Value,
        cond: &Operand,
        yes: &Operand,
        no: &Operand,
    ) {
        let mut sides: Vec<(State, &Operand)> = Vec::new();
        for (outcome, operand) in [(true, yes), (false, no)] {
            let mut side = State {
                vals: state.vals.clone(),
                relations: Rc::clone(&state.relations),
                ..State::default()
            };
            if self.assume(&mut side, cond, outcome) {
                sides.push((side, operand));
            }
        }
        let mut partners: Vec<Value> = Vec::new();
        let mut note = |value: Value| {
            if value != result && !partners.contains(&value) && partners.len() < MAX_PARTNERS {
                partners.push(value);
            }
        };
        for operand in [yes, no] {
            if let Some(value) = self.followed(operand) {
                note(value);
            }
        }
        for operand in [yes, no] {
            if let Some(value) = self.followed(operand) {
                for view in [View::Signed, View::Unsigned] {
                    for (to, _) in state.relations.from(Lit::new(value, view)) {
                        note(to.value);
                    }
                }
            }
        }
        let mut found = Vec::new();
        for partner in partners {
            for view in [View::Signed, View::Unsigned] {
                let (r, z) = (Lit::new(result, view), Lit::new(partner, view));
                let below: Option<Vec<i128>> = sides
                    .iter()
                    .map(|(side, operand)| self.less(side, operand, view, z))
                    .collect();
                let above: Option<Vec<i128>> = sides
                    .iter()
                    .map(|(side, operand)| self.more(side, operand, view, z))
                    .collect();
                if let Some(bound) = below.and_then(|bounds| bounds.into_iter().max()) {
                    found.push((r, z, bound));
                }
                if let Some(bound) = above.and_then(|bounds| bounds.into_iter().max()) {
                    found.push((z, r, bound));
                }
            }
        }
        self.relations(state, |state, relations| {
            let ranges = |value| self.int_of(state, value);
            for (a, b, c) in found {
                relations.add(a, b, c, shape, &ranges);
            }
        });
    }

    /// What a comparison yields by how its operands compare.
    pub(crate) fn related(
        &self,
        state: &State,
        op: CompareOp,
        a: &Operand,
        b: &Operand,
    ) -> Option<bool> {
        self.shape?;
        let (a, b) = (self.followed(a)?, self.followed(b)?);
        if !state.relations.speaks_of(a) || !state.relations.speaks_of(b) {
            return None;
        }
        let ranges = |value| self.int_of(state, value);
        let bound = |a: Value, b: Value, view: View| {
            state
                .relations
                .bound(Lit::new(a, view), Lit::new(b, view), &ranges)
                .unwrap_or(i128::MAX)
        };
        let ordered = |a: Value, b: Value, view: View, less: i128| {
            if bound(a, b, view) <= -less {
                return Some(true);
            }
            (bound(b, a, view) < less).then_some(false)
        };
        let equal = || {
            for view in [View::Signed, View::Unsigned] {
                let (up, down) = (bound(a, b, view), bound(b, a, view));
                if up < 0 || down < 0 {
                    return Some(false);
                }
                if up == 0 && down == 0 {
                    return Some(true);
                }
            }
            None
        };
        match asks(op)? {
            Asks::Equal => equal(),
            Asks::Different => equal().map(|equal| !equal),
            Asks::Less(view) => ordered(a, b, view, 1),
            Asks::AtMost(view) => ordered(a, b, view, 0),
        }
    }

    /// Takes over a comparison that holds; `false` if it cannot.
    pub(crate) fn assume_related(
        &self,
        state: &mut State,
        op: CompareOp,
        a: &Operand,
        b: &Operand,
        work: &mut Vec<(Operand, Val)>,
    ) -> bool {
        let (Some(shape), Some(a), Some(b)) = (self.shape, self.followed(a), self.followed(b))
        else {
            return true;
        };
        let mut new: Vec<(Value, Value, View, i128)> = Vec::new();
        match asks(op) {
            Some(Asks::Less(view)) => new.push((a, b, view, -1)),
            Some(Asks::AtMost(view)) => new.push((a, b, view, 0)),
            Some(Asks::Equal) => {
                for view in [View::Signed, View::Unsigned] {
                    new.push((a, b, view, 0));
                    new.push((b, a, view, 0));
                }
            }
            Some(Asks::Different) => {
                for view in [View::Signed, View::Unsigned] {
                    for (a, b) in [(a, b), (b, a)] {
                        let ranges = |value| self.int_of(state, value);
                        let (x, y) = (Lit::new(a, view), Lit::new(b, view));
                        if state.relations.bound(x, y, &ranges) == Some(0) {
                            new.push((a, b, view, -1));
                        }
                    }
                }
            }
            None => {}
        }
        let mut possible = true;
        for (a, b, view, c) in new {
            let (x, y) = (Lit::new(a, view), Lit::new(b, view));
            self.relations(state, |state, relations| {
                let ranges = |value| self.int_of(state, value);
                let back = relations.bound(y, x, &ranges);
                possible &= back.is_none_or(|back| back + c >= 0);
                relations.add(x, y, c, shape, &ranges);
            });
            possible &= self.spread(state, a, work) && self.spread(state, b, work);
        }
        possible
    }

    /// The intervals of numbers that a number is compared to, by its own.
    pub(crate) fn spread(
        &self,
        state: &State,
        value: Value,
        work: &mut Vec<(Operand, Val)>,
    ) -> bool {
        if self.shape.is_none() || !state.relations.speaks_of(value) {
            return true;
        }
        let ranges = |value| self.int_of(state, value);
        for view in [View::Signed, View::Unsigned] {
            for lit in [Lit::new(value, view), Lit::new(value, view).flipped()] {
                let Some(most) = super::most(lit, &ranges) else {
                    continue;
                };
                // `-lit - -u <= c` is `u - lit <= c`.
                for (away, c) in state.relations.from(lit.flipped()) {
                    let u = away.flipped();
                    let Some(known) = ranges(u.value) else {
                        continue;
                    };
                    let bound = most + c;
                    if super::most(u, &ranges).is_some_and(|known| known <= bound) {
                        continue;
                    }
                    let (least, greatest) = limits(known.width, u.view);
                    let bounds = match u.negated {
                        true => between(-bound, greatest, known.width, u.view),
                        false => between(least, bound, known.width, u.view),
                    };
                    match bounds {
                        Some(bounds) => work.push((u.value.into(), Val::Int(bounds))),
                        None => return false,
                    }
                }
            }
        }
        true
    }

    /// The relations where an edge of the graph leads: parameters are what their arguments were. `args` are the arguments' values.
    pub(crate) fn cross_relations(
        &self,
        state: &State,
        target: &Target,
        args: &[(Value, Val)],
        stays: impl Fn(Value) -> bool,
    ) -> Rc<Relations> {
        let Some(shape) = self.shape else {
            return Rc::default();
        };
        let params = &self.body.blocks[target.block].params;
        let names = self.body.values.len();
        // A parameter gets a name of its own while its old value is still around.
        let fresh = |index: usize| Value::from_index(names + index);
        let mut of_param: Vec<(usize, Value)> = Vec::new();
        for (index, arg) in target.args.iter().enumerate() {
            let Some(value) = self.followed(arg) else {
                continue;
            };
            let mut same = target.args.iter().filter(|other| *other == arg);
            let twice = same.next().is_some() && same.next().is_some();
            if state.relations.speaks_of(value) || stays(value) || twice {
                of_param.push((index, value));
            }
        }
        if state.relations.is_empty() && of_param.is_empty() {
            return Rc::default();
        }
        let mut relations = (*state.relations).clone();
        let ranges = |value: Value| match value.index().checked_sub(names) {
            Some(index) => {
                let known = args.iter().find(|(param, _)| *param == params[index]);
                known.and_then(|(_, val)| val.as_int().copied())
            }
            None => self.int_of(state, value),
        };
        for (index, value) in of_param {
            for lit in views(value, &ranges) {
                let param = Lit {
                    value: fresh(index),
                    ..lit
                };
                relations.add(param, lit, 0, shape, &ranges);
                relations.add(lit, param, 0, shape, &ranges);
            }
        }
        let keeps = |value: Value| value.index() >= names || stays(value);
        relations.keep(keeps, shape, &ranges);
        let name = |value: Value| match value.index().checked_sub(names) {
            Some(index) => params[index],
            None => value,
        };
        Rc::new(relations.renamed(name))
    }

    /// The relations where two states meet.
    pub(crate) fn join_relations(&self, a: &State, b: &State, joined: &State) -> Rc<Relations> {
        let Some(shape) = self.shape else {
            return Rc::default();
        };
        let (mine, yours) = (|value| self.int_of(a, value), |value| self.int_of(b, value));
        let ranges = |value| self.int_of(joined, value);
        let mut moved: Vec<Value> = joined
            .vals
            .keys()
            .copied()
            .filter(|&value| {
                let (x, y) = (mine(value), yours(value));
                x.is_some() && x != y
            })
            .collect();
        moved.sort_unstable();
        Rc::new(Relations::join(
            (&a.relations, &mine),
            (&b.relations, &yours),
            &moved,
            shape,
            &ranges,
        ))
    }

    /// The relations of an old state that a new one keeps.
    pub(crate) fn widen_relations(&self, old: &State, new: &State) -> Rc<Relations> {
        let ranges = |value| self.int_of(new, value);
        Rc::new(old.relations.widen(&new.relations, &ranges))
    }

    /// Does what the second says of how numbers compare hold in the first?
    pub(crate) fn relations_within(&self, a: &State, b: &State) -> bool {
        let ranges = |value| self.int_of(a, value);
        Rc::ptr_eq(&a.relations, &b.relations) || a.relations.is_within(&b.relations, &ranges)
    }
}
