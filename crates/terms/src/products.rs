//! What holds of products with a common factor.
//!
//! A solver multiplies bit by bit, and finds no end of it where a person sees at once that `i * item` is no more than
//! `len * item`. What the person knows are these sentences, which hold for all numbers of a width; those that fit a question are
//! added to it. `no` says that a product does not overflow.
//!
//! ```text
//!   no(y, c) and x ≤ y  ⇒  x * c ≤ y * c  and no(x, c)
//!   no(y, c) and c ≠ 0  ⇒  y ≤ y * c
//!   x * c + y * c  =  (x + y) * c
//! ```
//!
//! The first is the reason for overflow checks, so only factors of a product that is asked about are looked at.

use crate::arena::{Term, Terms};
use crate::op::Op;

/// The most sentences.
const MOST: usize = 64;

/// Two factors, in either order, and what they were found in.
type Pair = (Term, Term, Term);

/// True sentences about the products in a question, if it asks whether one overflows.
pub fn sentences(terms: &mut Terms, question: Term) -> Vec<Term> {
    let (mut products, mut checks, mut sums) = (Vec::new(), Vec::new(), Vec::new());
    for t in terms.post_order(&[question]) {
        let [a, b, _] = terms.raw_args(t);
        match terms.op(t) {
            Op::Mul if !terms.is_const(b) => products.push((a, b, t)),
            Op::Umulo if !terms.is_const(b) => checks.push((a, b, t)),
            Op::Add => sums.push((a, b, t)),
            _ => {}
        }
    }
    if checks.is_empty() {
        return Vec::new();
    }
    let mut list = Vec::new();
    let factors: Vec<Pair> = checks
        .iter()
        .flat_map(|&(a, b, over)| [(a, b, over), (b, a, over)])
        .collect();
    for (a, b, sum) in sums {
        let (left, right) = (terms.bin(a, Op::Mul), terms.bin(b, Op::Mul));
        let (Some(left), Some(right)) = (left, right) else {
            continue;
        };
        let common = [left.0, left.1]
            .into_iter()
            .find(|&c| (c == right.0 || c == right.1) && factors.iter().any(|pair| pair.1 == c));
        let Some(c) = common else { continue };
        let (x, y) = (other(left, c), other(right, c));
        let both = terms.add(x, y);
        let product = terms.mul(both, c);
        if let Some((p, q)) = terms.bin(product, Op::Mul)
            && !terms.is_const(q)
        {
            products.push((p, q, product));
        }
        list.push(terms.eq(sum, product));
    }
    for &(y, c, over) in &factors {
        let fits = terms.not(over);
        let most = terms.mul(y, c);
        let width = terms.width(c);
        let zero = terms.bv_u64(0, width);
        let (is_zero, grows) = (terms.eq(c, zero), terms.ule(y, most));
        let grows = terms.or(is_zero, grows);
        list.push(terms.implies(fits, grows));
        for &(p, q, product) in &products {
            if p != c && q != c || product == most {
                continue;
            }
            let x = other((p, q), c);
            let (less, ordered) = (terms.ule(x, y), terms.ule(product, most));
            let premise = terms.and(fits, less);
            list.push(terms.implies(premise, ordered));
        }
        for &(p, q, others) in &checks {
            if p != c && q != c || others == over {
                continue;
            }
            let x = other((p, q), c);
            let (less, small) = (terms.ule(x, y), terms.not(others));
            let premise = terms.and(fits, less);
            list.push(terms.implies(premise, small));
        }
        if list.len() > MOST {
            break;
        }
    }
    let truth = terms.tru();
    list.retain(|&sentence| sentence != truth);
    list.sort_unstable();
    list.dedup();
    list.truncate(MOST);
    list
}

/// The factor beside this one.
fn other((a, b): (Term, Term), c: Term) -> Term {
    if a == c { b } else { a }
}

#[cfg(test)]
mod tests {
    use base::Bv;

    use super::sentences;
    use crate::arena::Terms;
    use crate::sort::Sort;
    use crate::value::{Model, Value};

    /// All sentences about a question with every shape that is looked for, under all values of four variables of a width.
    #[test]
    fn sentences_hold_for_all_numbers() {
        for width in 1..=3 {
            let mut terms = Terms::new();
            let vars = ["x", "y", "z", "c"].map(|name| terms.var(name, Sort::BitVec(width)));
            let [x, y, z, c] = vars;
            let (xc, cy, zc) = (terms.mul(x, c), terms.mul(c, y), terms.mul(z, c));
            let (sum, cc) = (terms.add(xc, cy), terms.mul(c, c));
            let (first, second) = (terms.umulo(y, c), terms.umulo(c, x));
            let less = [terms.ule(sum, zc), terms.ule(cc, zc), first, second];
            let question = terms.or_all(&less);
            let list = sentences(&mut terms, question);
            assert!(list.len() >= 8 || width == 1, "{} sentences", list.len());
            for values in 0..1u64 << (4 * width) {
                let mut model = Model::new();
                for (place, &var) in vars.iter().enumerate() {
                    let value = values >> (place as u32 * width);
                    let value = Bv::from_u64(value & ((1 << width) - 1), width);
                    model.set(&terms, var, Value::Bv(value));
                }
                for &sentence in &list {
                    let text = terms.to_smt(sentence);
                    assert!(terms.eval_bool(&model, sentence), "{text}");
                }
            }
        }
    }

    #[test]
    fn without_a_check_nothing_is_said() {
        let mut terms = Terms::new();
        let [x, y, c] = ["x", "y", "c"].map(|name| terms.var(name, Sort::BitVec(8)));
        let (xc, yc) = (terms.mul(x, c), terms.mul(y, c));
        let question = terms.ult(xc, yc);
        assert!(sentences(&mut terms, question).is_empty());
    }
}
