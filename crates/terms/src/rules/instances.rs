//! Rules as pairs of terms: what the tests of this crate evaluate and what solvers prove.
//!
//! [`instances`] reads every example of every rule at one width into an arena that rewrites nothing, applies the rule
//! once, and returns both sides. That the sides are equal under every assignment is what the rule claims.

use crate::arena::{Level, Term, Terms};
use crate::op::Op;
use crate::rules::{Rule, all};
use crate::smt::Reader;
use crate::sort::{FloatSort, Sort};

/// A rule at work: the two sides have to be equal under every assignment.
pub struct Instance {
    /// The rule.
    pub rule: &'static Rule,
    /// The example's text.
    pub example: &'static str,
    /// The example.
    pub before: Term,
    /// What the rule makes of it.
    pub after: Term,
}

/// The width to which an example is tried first, and at which every `applies` example must apply.
pub const USUAL_WIDTH: u32 = 8;

/// The floating-point format that goes with a width: small ones for small widths.
pub fn float_sort(width: u32) -> FloatSort {
    match width {
        1 => FloatSort::new(2, 3),
        2 => FloatSort::new(2, 4),
        3 => FloatSort::new(3, 3),
        4 => FloatSort::new(3, 4),
        32 => FloatSort::F32,
        64 => FloatSort::F64,
        _ => FloatSort::new(3, 5),
    }
}

/// Both sides of every `applies` example that the rule changes at this width. The arena must be at level 0.
pub fn instances(terms: &mut Terms, width: u32) -> Vec<Instance> {
    let mut found = Vec::new();
    for rule in all() {
        for example in rule.applies {
            let Some(before) = read(terms, example, width) else {
                continue;
            };
            let Some(after) = terms.apply_rule(rule, before) else {
                continue;
            };
            found.push(Instance {
                rule,
                example,
                before,
                after,
            });
        }
    }
    found
}

/// The example at this width, if it makes sense there. Constant subterms are folded, the term itself is not.
pub fn read(terms: &mut Terms, example: &str, width: u32) -> Option<Term> {
    assert!(
        terms.level() == Level::Off,
        "examples are read as they are written"
    );
    let text = fill_in(example, width)?;
    let bits = Sort::BitVec(width);
    let array = terms.array_sort(bits, bits);
    let float = float_sort(width);
    let mut names: Vec<(String, Term)> = Vec::new();
    let sorts: [(&[&str], Sort); 6] = [
        (&["x", "y", "z", "u", "i", "j"], bits),
        (&["t"], Sort::BitVec(1)),
        (&["p", "q", "r", "s"], Sort::Bool),
        (&["a", "b"], array),
        (&["f", "g", "h"], Sort::Float(float)),
        (&["m", "n"], Sort::Int),
    ];
    for (group, sort) in sorts {
        for name in group {
            names.push((
                (*name).to_string(),
                terms.var(&format!("{name}.{width}"), sort),
            ));
        }
    }
    names.push((
        "image".into(),
        terms.var(&format!("image.{width}"), Sort::BitVec(float.width())),
    ));
    let named = [
        ("zero", base::Bv::zero(width)),
        ("one", base::Bv::one(width)),
        ("ones", base::Bv::ones(width)),
        ("min", base::Bv::int_min(width)),
        ("max", base::Bv::int_max(width)),
    ];
    for (name, value) in named {
        names.push((name.into(), terms.bv(value)));
    }
    for value in 2..10 {
        names.push((format!("k{value}"), terms.bv_u64(value, width)));
    }
    let mut reader = Reader::new(terms, "example", &text);
    for (name, t) in &names {
        reader.define(name, *t);
    }
    let t = reader.only_term().ok()?;
    Some(fold_below(terms, t))
}

/// Replaces `{w}`, `{2w-1}`, `{e+1}` and the like; `{image}` is a bit-vector of the float's width. Nothing if a number is negative.
fn fill_in(example: &str, width: u32) -> Option<String> {
    let float = float_sort(width);
    let mut text = String::new();
    let mut rest = example;
    while let Some((before, after)) = rest.split_once('{') {
        let (expression, after) = after.split_once('}').expect("a brace is closed");
        text.push_str(before);
        rest = after;
        if expression == "image" {
            text.push_str("image");
            continue;
        }
        let letter = expression
            .find(['w', 'e', 's'])
            .expect("an expression names w, e or s");
        let factor: i64 = if letter == 0 {
            1
        } else {
            expression[..letter].parse().expect("a factor")
        };
        let base = match &expression[letter..=letter] {
            "w" => width,
            "e" => float.exp,
            _ => float.sig,
        };
        let offset = &expression[letter + 1..];
        let offset: i64 = if offset.is_empty() {
            0
        } else {
            offset.parse().expect("an offset")
        };
        let value = factor * i64::from(base) + offset;
        text.push_str(&u32::try_from(value).ok()?.to_string());
    }
    text.push_str(rest);
    Some(text)
}

/// The term with constant arguments folded, bottom up, but its own operator kept.
fn fold_below(terms: &mut Terms, t: Term) -> Term {
    let fold = all()
        .into_iter()
        .find(|rule| rule.name == "fold")
        .expect("folding is a rule");
    let mut map = crate::visit::Substitution::default();
    for part in terms.post_order(&[t]) {
        if part == t || terms.args(part).is_empty() {
            continue;
        }
        let part_now = terms.substitute(part, &map);
        let foldable = !matches!(terms.op(part_now), Op::Select | Op::Store | Op::ConstArray);
        if let Some(value) = foldable.then(|| terms.apply_rule(fold, part_now)).flatten() {
            map.insert(part, value);
        }
    }
    let args: Vec<Term> = terms.args(t).to_vec();
    let args = terms.substitute_all(&args, &map);
    terms.rebuild(t, &args)
}
