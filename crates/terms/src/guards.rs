//! Guards: Booleans as decision diagrams, as far as they are small.
//!
//! Where paths meet, conditions pile up that are the same in other words, or that never hold: that a position is 2 is a
//! disjunction over all ways that lead there, and whoever asks for the character at the position asks whether it is 2 and 3.
//! Rules that look at two levels do not see that; a solver does, for every question anew. So a Boolean that is made of
//! connectives carries a binary decision diagram over its atoms, in the order in which these were made, which for a program
//! is the order in which it looked at its inputs. A comparison with a constant is a diagram over the bits of what is compared,
//! so that all that is said of a character fits together. Equal diagrams are equal Booleans: the one that was there first stays.
//!
//! Diagrams may be exponential, so there is a budget for each operation and one for all: whoever exceeds the first is an
//! atom for what is made of it, and when the second is used up nothing more is done. Both count steps, not time.
//!
//! A reference is twice the number of a node, plus one if it is negated (complement edges, as in K. Brace, R. Rudell and
//! R. Bryant's package of 1990): then negation costs nothing, and the high edge of a node is never negated.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use crate::arena::{Draft, Term, Terms};
use crate::op::Op;
use crate::sort::Sort;

/// The most steps of one operation.
const STEPS: u32 = 1000;
/// The steps that there are from the start.
const START: u64 = 300_000;
/// The steps that each Boolean brings along.
const EACH: u64 = 64;
/// The widest terms whose comparisons with constants are looked into.
const WIDEST: u32 = 32;
/// How deep connectives are looked into that were made without a diagram.
const DEEPEST: usize = 16;
/// The most nodes of all diagrams.
const MOST_NODES: usize = 1 << 22;
/// The places of the cache, a power of two.
const CACHE: usize = 1 << 14;

/// A diagram.
type Ref = u32;
const TRUE: Ref = 0;
const FALSE: Ref = 1;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    var: u32,
    high: Ref,
    low: Ref,
}

/// The diagrams of an arena.
pub(crate) struct Guards {
    nodes: Vec<Node>,
    unique: HashMap<Node, Ref, FxBuildHasher>,
    cache: Vec<(Ref, Ref, Ref)>,
    /// The diagrams of terms.
    refs: HashMap<Term, Ref, FxBuildHasher>,
    /// The first term with a diagram.
    terms: HashMap<Ref, Term, FxBuildHasher>,
    variables: u32,
    /// The first of the variables that are a term's bits.
    bits: HashMap<Term, u32, FxBuildHasher>,
    /// The steps left for this operation, and for all.
    steps: u32,
    left: u64,
    /// The diagram of the draft that was looked at last.
    pending: Option<(Draft, Ref)>,
}

impl Guards {
    pub(crate) fn new() -> Guards {
        Guards {
            // The constant; no variable comes before it.
            nodes: vec![Node {
                var: u32::MAX,
                high: TRUE,
                low: TRUE,
            }],
            unique: HashMap::default(),
            cache: Vec::new(),
            refs: HashMap::default(),
            terms: HashMap::default(),
            variables: 0,
            bits: HashMap::default(),
            steps: 0,
            left: START,
            pending: None,
        }
    }

    fn node(&mut self, var: u32, high: Ref, low: Ref) -> Option<Ref> {
        if high == low {
            return Some(high);
        }
        let negated = high & 1;
        let node = Node {
            var,
            high: high ^ negated,
            low: low ^ negated,
        };
        if let Some(&known) = self.unique.get(&node) {
            return Some(known ^ negated);
        }
        if self.nodes.len() >= MOST_NODES {
            return None;
        }
        let made = (self.nodes.len() as u32) << 1;
        self.nodes.push(node);
        self.unique.insert(node, made);
        Some(made ^ negated)
    }

    /// What is left of a diagram if the variable holds, and if it does not; no variable of it comes before.
    fn cofactors(&self, f: Ref, var: u32) -> (Ref, Ref) {
        let node = self.nodes[(f >> 1) as usize];
        if node.var != var {
            return (f, f);
        }
        (node.high ^ (f & 1), node.low ^ (f & 1))
    }

    /// The conjunction, unless it takes too many steps. Variables ascend on the way down, and the budget bounds the depth.
    fn and(&mut self, f: Ref, g: Ref) -> Option<Ref> {
        if f == FALSE || g == FALSE || f == g ^ 1 {
            return Some(FALSE);
        }
        if f == TRUE || f == g {
            return Some(g);
        }
        if g == TRUE {
            return Some(f);
        }
        let (f, g) = (f.min(g), f.max(g));
        let place = (f.wrapping_mul(0x9e37_79b1) ^ g.wrapping_mul(0x85eb_ca6b)) as usize;
        let place = (place ^ place >> 15) & (CACHE - 1);
        if self.cache.is_empty() {
            self.cache = vec![(TRUE, TRUE, TRUE); CACHE];
        }
        let (a, b, known) = self.cache[place];
        if (a, b) == (f, g) {
            return Some(known);
        }
        self.steps = self.steps.checked_sub(1)?;
        let top = |f: Ref| self.nodes[(f >> 1) as usize].var;
        let var = top(f).min(top(g));
        let ((f1, f0), (g1, g0)) = (self.cofactors(f, var), self.cofactors(g, var));
        let high = self.and(f1, g1)?;
        let low = self.and(f0, g0)?;
        let result = self.node(var, high, low)?;
        self.cache[place] = (f, g, result);
        Some(result)
    }

    fn new_variables(&mut self, count: u32) -> u32 {
        let first = self.variables;
        self.variables += count;
        first
    }

    /// Whether the number with these bits, the highest first, is below a constant.
    fn below(&mut self, bits: u32, width: u32, constant: u64) -> Option<Ref> {
        let mut result = FALSE;
        for i in 0..width {
            let var = bits + width - 1 - i;
            result = match constant >> i & 1 {
                0 => self.node(var, FALSE, result)?,
                _ => self.node(var, result, TRUE)?,
            };
        }
        Some(result)
    }

    fn or(&mut self, f: Ref, g: Ref) -> Option<Ref> {
        self.and(f ^ 1, g ^ 1).map(|neither| neither ^ 1)
    }

    fn ite(&mut self, c: Ref, f: Ref, g: Ref) -> Option<Ref> {
        let (yes, no) = (self.and(c, f)?, self.and(c ^ 1, g)?);
        self.or(yes, no)
    }

    /// Whether there are steps left, and how many there are for one operation.
    fn begin(&mut self) -> bool {
        self.left += EACH;
        self.steps = STEPS;
        self.left > u64::from(STEPS)
    }

    fn end(&mut self) {
        self.left -= u64::from(STEPS - self.steps);
    }

    fn note(&mut self, t: Term, diagram: Ref) {
        self.refs.insert(t, diagram);
        self.terms.entry(diagram).or_insert(t);
    }
}

impl Terms {
    /// The diagram of a Boolean; what has none is an atom from now on.
    fn diagram(&mut self, t: Term) -> Option<Ref> {
        let (t, negated) = match self.un(t, Op::Not) {
            Some(inner) => (inner, 1),
            None => (t, 0),
        };
        if let Some(value) = self.as_bool(t) {
            return Some(if value { TRUE } else { FALSE } ^ negated);
        }
        let guards = &mut self.guards;
        if let Some(&known) = guards.refs.get(&t) {
            return Some(known ^ negated);
        }
        let made = match self.range_diagram(t) {
            Some(range) => range,
            None => {
                let var = self.guards.new_variables(1);
                self.guards.node(var, TRUE, FALSE)?
            }
        };
        self.guards.note(t, made);
        Some(made ^ negated)
    }

    /// The diagram of a comparison with a constant, over the bits of what is compared.
    fn range_diagram(&mut self, t: Term) -> Option<Ref> {
        let [a, b, _] = self.raw_args(t);
        let op = self.op(t);
        if !matches!(op, Op::Eq | Op::Ult | Op::Slt) {
            return None;
        }
        let width = self.sort(a).bv_width().filter(|&width| width <= WIDEST)?;
        let most = u64::MAX >> (64 - width);
        let least_signed = 1u64 << (width - 1);
        let (y, low, high) = match (op, self.as_u64(a), self.as_u64(b)) {
            (Op::Eq, None, Some(k)) => (a, k, k),
            (Op::Ult, None, Some(k)) if k > 0 => (a, 0, k - 1),
            (Op::Ult, Some(k), None) if k < most => (b, k + 1, most),
            (Op::Slt, None, Some(k)) if k != least_signed => {
                (a, least_signed, k.wrapping_sub(1) & most)
            }
            (Op::Slt, Some(k), None) if k != least_signed - 1 => {
                (b, k.wrapping_add(1) & most, least_signed - 1)
            }
            _ => return None,
        };
        // From `low` up to `high`, perhaps through zero; and so for a summand.
        let (x, offset) = match self.bin(y, Op::Add) {
            Some((x, k)) => match self.as_u64(k) {
                Some(k) => (x, k),
                None => (y, 0),
            },
            None => (y, 0),
        };
        let (low, high) = (
            low.wrapping_sub(offset) & most,
            high.wrapping_sub(offset) & most,
        );
        let bits = match self.guards.bits.get(&x) {
            Some(&bits) => bits,
            None => {
                let bits = self.guards.new_variables(width);
                self.guards.bits.insert(x, bits);
                bits
            }
        };
        let below_low = self.guards.below(bits, width, low)?;
        let up_to_high = match high == most {
            true => TRUE,
            false => self.guards.below(bits, width, high + 1)?,
        };
        if low <= high {
            self.guards.and(below_low ^ 1, up_to_high)
        } else {
            self.guards.or(below_low ^ 1, up_to_high)
        }
    }

    /// The diagram of a Boolean as it is needed for others: connectives that were made without one get theirs now.
    fn full_diagram(&mut self, t: Term) -> Option<Ref> {
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            let inner = self.un(top, Op::Not).unwrap_or(top);
            let connective = matches!(self.op(inner), Op::And | Op::Or | Op::Xor)
                || matches!(self.op(inner), Op::Ite | Op::Eq)
                    && self.sort(self.raw_args(inner)[1]) == Sort::Bool;
            if !connective || self.guards.refs.contains_key(&inner) || stack.len() > DEEPEST {
                stack.pop();
                continue;
            }
            let draft = self.draft(inner);
            let arity = draft.op.arity().unwrap_or(0);
            let missing = draft.args[..arity].iter().copied().find(|&arg| {
                let arg = self.un(arg, Op::Not).unwrap_or(arg);
                matches!(self.op(arg), Op::And | Op::Or | Op::Xor | Op::Ite)
                    && !self.guards.refs.contains_key(&arg)
            });
            match missing {
                Some(arg) if stack.len() < DEEPEST => stack.push(arg),
                _ => {
                    stack.pop();
                    if let Some(diagram) = self.diagram_of(&draft) {
                        self.guards.note(inner, diagram);
                    } else if stack.is_empty() {
                        break;
                    } else {
                        return None;
                    }
                }
            }
        }
        self.diagram(t)
    }

    /// The diagram of a connective that is about to be made.
    fn diagram_of(&mut self, draft: &Draft) -> Option<Ref> {
        let [a, b, c] = draft.args;
        let (f, g) = (self.diagram(a)?, self.diagram(b)?);
        match draft.op {
            Op::And => self.guards.and(f, g),
            Op::Or => self.guards.or(f, g),
            Op::Xor => self.guards.ite(f, g ^ 1, g),
            Op::Eq => self.guards.ite(f, g, g ^ 1),
            Op::Ite => {
                let h = self.diagram(c)?;
                self.guards.ite(f, g, h)
            }
            _ => None,
        }
    }

    /// The same, after its arguments have been looked into.
    fn looked_into(&mut self, draft: &Draft) -> Option<Ref> {
        let arity = draft.op.arity()?;
        for &arg in &draft.args[..arity] {
            self.full_diagram(arg)?;
        }
        self.diagram_of(draft)
    }

    /// A Boolean that there is already and that is the same as the draft; otherwise the diagram is kept for the draft.
    pub(crate) fn same_guard(&mut self, draft: &Draft) -> Option<Term> {
        self.guards.pending = None;
        if draft.sort != Sort::Bool
            || draft.op == Op::Eq && self.sort(draft.args[0]) != Sort::Bool
            || !self.guards.begin()
        {
            return None;
        }
        let diagram = self.looked_into(draft);
        self.guards.end();
        let diagram = diagram?;
        match diagram {
            TRUE => return Some(self.tru()),
            FALSE => return Some(self.fls()),
            _ => {}
        }
        if let Some(&known) = self.guards.terms.get(&diagram) {
            return Some(known);
        }
        if let Some(&known) = self.guards.terms.get(&(diagram ^ 1)) {
            return Some(self.not(known));
        }
        self.guards.pending = Some((*draft, diagram));
        None
    }

    /// The draft became this term.
    #[inline]
    pub(crate) fn note_guard(&mut self, draft: &Draft, t: Term) {
        if draft.sort == Sort::Bool
            && let Some((pending, diagram)) = self.guards.pending.take()
            && pending == *draft
        {
            self.guards.note(t, diagram);
        }
    }

    /// Whether a Boolean holds, or fails, wherever another one does, as far as small diagrams tell.
    pub fn guard_decides(&mut self, known: Term, asked: Term) -> Option<bool> {
        if !self.guards.begin() {
            return None;
        }
        let diagrams = (self.diagram(known), self.diagram(asked));
        let (Some(f), Some(g)) = diagrams else {
            return None;
        };
        let both = self.guards.and(f, g);
        let without = self.guards.and(f, g ^ 1);
        self.guards.end();
        match (both, without) {
            (Some(FALSE), _) => Some(false),
            (_, Some(FALSE)) => Some(true),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use base::Bv;

    use crate::arena::{Level, Terms};
    use crate::sort::Sort;
    use crate::value::{Model, Value};

    /// Every two comparisons of a number of three bits, or of a sum with a constant, with constants.
    #[test]
    fn what_two_comparisons_say_together_is_found_and_right() {
        let width = 3;
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::BitVec(width));
        let constants: Vec<_> = (0..8).map(|value| terms.bv_u64(value, width)).collect();
        let mut literals = Vec::new();
        for offset in [0, 3, 6] {
            let y = terms.add(x, constants[offset]);
            for &k in &constants {
                let atoms = [
                    terms.eq(y, k),
                    terms.ult(y, k),
                    terms.ult(k, y),
                    terms.slt(y, k),
                    terms.slt(k, y),
                ];
                literals.extend(atoms);
                literals.extend(atoms.map(|atom| terms.not(atom)));
            }
        }
        literals.sort_unstable();
        literals.dedup();
        let models: Vec<Model> = (0..8)
            .map(|value| {
                let mut model = Model::new();
                model.set(&terms, x, Value::Bv(Bv::from_u64(value, width)));
                model
            })
            .collect();
        for &a in &literals {
            for &b in &literals {
                let both = terms.and(a, b);
                let mut ever = false;
                for model in &models {
                    let expected = terms.eval_bool(model, a) && terms.eval_bool(model, b);
                    let (left, right) = (terms.to_smt(a), terms.to_smt(b));
                    assert_eq!(terms.eval_bool(model, both), expected, "{left} and {right}");
                    ever |= expected;
                }
                assert_eq!(terms.as_bool(both) == Some(false), !ever);
                let decided = models.iter().filter(|model| terms.eval_bool(model, a));
                let values: Vec<bool> = decided.map(|model| terms.eval_bool(model, b)).collect();
                let known = terms.guard_decides(a, b);
                if let Some(known) = known {
                    assert!(values.iter().all(|&value| value == known));
                }
                let all_same = values.iter().all(|value| Some(value) == values.first());
                assert_eq!(known.is_some(), all_same);
            }
        }
    }

    #[test]
    fn equal_conditions_in_other_words_are_one_term() {
        let mut terms = Terms::new();
        let [p, q, r] = ["p", "q", "r"].map(|name| terms.var(name, Sort::Bool));
        let (pq, pr) = (terms.and(p, q), terms.and(p, r));
        let first = terms.or(pq, pr);
        let qr = terms.or(q, r);
        let second = terms.and(p, qr);
        assert_eq!(first, second);
        assert_eq!(terms.level(), Level::Full);
    }
}
