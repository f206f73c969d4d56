//! Guards: Booleans as decision diagrams, as far as they are small.
//!
//! Where paths meet, conditions pile up that are the same in other words, or that never hold: that a position is 2 is a
//! disjunction over all ways that lead there, and whoever asks for the character at the position asks whether it is 2 and 3.
//! Rules that look at two levels do not see that; a solver does, for every question anew. So a Boolean that is made of
//! connectives carries a decision diagram over its atoms, in the order in which these were made, which for a program
//! is the order in which it looked at its inputs. Equal diagrams are equal Booleans: the one that was there first stays.
//!
//! What is compared with constants is one variable, whatever its width, and a node has an edge for each interval of its values:
//!
//! ```text
//!   c < 32 or c = 34:   c ─ 0…31 ─▶ true,  32…33 ─▶ false,  34 ─▶ true,  35… ─▶ false
//! ```
//!
//! so that all that is said of a character fits together, and a node is a character, not a bit of it. (Interval decision
//! diagrams are those of K. Strehl and L. Thiele, 1998.)
//!
//! Diagrams may be exponential, so there is a budget for each operation and one for all: whoever exceeds the first is an
//! atom for what is made of it, and when the second is used up nothing more is done. Both count steps, not time.
//!
//! A reference is twice the number of a node, plus one if it is negated (complement edges, as in K. Brace, R. Rudell and
//! R. Bryant's package of 1990): then negation costs nothing, and the first edge of a node is never negated.

use std::collections::HashMap;
use std::hash::Hasher as _;

use rustc_hash::{FxBuildHasher, FxHasher};

use crate::arena::{Draft, Term, Terms};
use crate::op::Op;
use crate::sort::Sort;

/// The most steps of one operation.
const STEPS: u32 = 20_000;
/// The steps that there are from the start.
const START: u64 = 5_000_000;
/// The steps that each Boolean brings along.
const EACH: u64 = 256;
/// The widest terms whose comparisons with constants are looked into.
const WIDEST: u32 = 32;
/// How deep connectives are looked into that were made without a diagram.
const DEEPEST: usize = 16;
/// How many variables a diagram may ask for one after the other.
const LONGEST: u32 = 2000;
/// The most edges of all diagrams.
const MOST_EDGES: usize = 1 << 24;
/// The places of the cache, a power of two.
const CACHE: usize = 1 << 16;

/// A diagram.
type Ref = u32;
const TRUE: Ref = 0;
const FALSE: Ref = 1;

/// The greatest value to which it leads, and where to. Values lie behind those of the edge before.
type Edge = (u32, Ref);
/// The greatest value of a last edge, however wide the variable is.
const END: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Node {
    var: u32,
    /// Where its edges are.
    first: u32,
    count: u32,
    /// The next node with the same hash, 0 if there is none.
    next: u32,
}

/// The diagrams of an arena.
pub(crate) struct Guards {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// The first node with a hash.
    unique: HashMap<u64, u32, FxBuildHasher>,
    cache: Vec<(Ref, Ref, Ref)>,
    /// The edges of nodes that are being made.
    open: Vec<Edge>,
    /// The diagrams of terms.
    refs: HashMap<Term, Ref, FxBuildHasher>,
    /// The first term with a diagram.
    terms: HashMap<Ref, Term, FxBuildHasher>,
    variables: u32,
    /// The variables that are terms of bits.
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
                first: 0,
                count: 0,
                next: 0,
            }],
            edges: Vec::new(),
            unique: HashMap::default(),
            cache: Vec::new(),
            open: Vec::new(),
            refs: HashMap::default(),
            terms: HashMap::default(),
            variables: 0,
            bits: HashMap::default(),
            steps: 0,
            left: START,
            pending: None,
        }
    }

    /// Adds an edge to the node that is being made, whose edges begin at `base`.
    fn edge(&mut self, base: usize, last: u32, to: Ref) {
        match self.open[base..].last_mut() {
            Some(before) if before.1 == to => before.0 = last,
            _ => self.open.push((last, to)),
        }
    }

    /// The node with the edges that were added since `base`.
    fn node(&mut self, var: u32, base: usize) -> Option<Ref> {
        debug_assert_eq!(self.open.last().map(|edge| edge.0), Some(END));
        let (_, first) = self.open[base];
        if self.open.len() == base + 1 {
            self.open.truncate(base);
            return Some(first);
        }
        let negated = first & 1;
        let mut hasher = FxHasher::default();
        hasher.write_u32(var);
        for edge in &mut self.open[base..] {
            edge.1 ^= negated;
            hasher.write_u64(u64::from(edge.0) << 32 | u64::from(edge.1));
        }
        let hash = hasher.finish();
        let begin = self.unique.get(&hash).copied().unwrap_or(0);
        let mut at = begin;
        while at != 0 {
            let node = self.nodes[at as usize];
            let edges = node.first as usize..(node.first + node.count) as usize;
            if node.var == var && self.edges[edges] == self.open[base..] {
                self.open.truncate(base);
                return Some(at << 1 ^ negated);
            }
            at = node.next;
        }
        let count = self.open.len() - base;
        if self.edges.len() + count > MOST_EDGES {
            self.open.truncate(base);
            return None;
        }
        let made = self.nodes.len() as u32;
        self.nodes.push(Node {
            var,
            first: self.edges.len() as u32,
            count: count as u32,
            next: begin,
        });
        self.edges.extend_from_slice(&self.open[base..]);
        self.open.truncate(base);
        self.unique.insert(hash, made);
        Some(made << 1 ^ negated)
    }

    /// An edge of a diagram by its number, if the variable is the first that it asks for; else the only one there is.
    fn edge_of(&self, f: Ref, var: u32, number: u32) -> Edge {
        let node = self.nodes[(f >> 1) as usize];
        if node.var != var {
            return (END, f);
        }
        let (last, to) = self.edges[(node.first + number) as usize];
        (last, to ^ (f & 1))
    }

    /// The conjunction, unless it takes too many steps.
    fn and(&mut self, f: Ref, g: Ref) -> Option<Ref> {
        let base = self.open.len();
        let result = self.and_below(f, g, 0);
        self.open.truncate(base);
        result
    }

    /// Variables ascend on the way down, and their number is bounded.
    fn and_below(&mut self, f: Ref, g: Ref, depth: u32) -> Option<Ref> {
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
        if depth == LONGEST {
            return None;
        }
        let top = |f: Ref| self.nodes[(f >> 1) as usize].var;
        let var = top(f).min(top(g));
        let base = self.open.len();
        let (mut i, mut j) = (0, 0);
        loop {
            self.steps = self.steps.checked_sub(1)?;
            let ((left, f1), (right, g1)) = (self.edge_of(f, var, i), self.edge_of(g, var, j));
            let both = self.and_below(f1, g1, depth + 1)?;
            let last = left.min(right);
            self.edge(base, last, both);
            if last == END {
                break;
            }
            i += u32::from(left == last);
            j += u32::from(right == last);
        }
        let result = self.node(var, base)?;
        self.cache[place] = (f, g, result);
        Some(result)
    }

    fn new_variable(&mut self) -> u32 {
        self.variables += 1;
        self.variables - 1
    }

    /// Whether a variable lies in a range of values; `most` is the greatest that it has.
    fn range(&mut self, var: u32, low: u32, high: u32, most: u32) -> Option<Ref> {
        let base = self.open.len();
        if low > 0 {
            self.edge(base, low - 1, FALSE);
        }
        if high < most {
            self.edge(base, high, TRUE);
            self.edge(base, END, FALSE);
        } else {
            self.edge(base, END, TRUE);
        }
        self.node(var, base)
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
                let var = self.guards.new_variable();
                self.guards.range(var, 1, 1, 1)?
            }
        };
        self.guards.note(t, made);
        Some(made ^ negated)
    }

    /// The diagram of a comparison with a constant.
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
        let var = match self.guards.bits.get(&x) {
            Some(&var) => var,
            None => {
                let var = self.guards.new_variable();
                self.guards.bits.insert(x, var);
                var
            }
        };
        let (low, high, most) = (low as u32, high as u32, most as u32);
        if low <= high {
            self.guards.range(var, low, high, most)
        } else {
            // All but those between.
            let between = self.guards.range(var, high + 1, low - 1, most)?;
            Some(between ^ 1)
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
