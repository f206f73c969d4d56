//! Each row of the table of rules: its examples, and that what it does is right for all values of the variables.

use std::collections::HashMap;

use terms::memory::rules::Rule;
use terms::memory::{Expr, Kind, Sort, Techniques};

use crate::concrete::{Bits, World, next};

fn rows() -> Vec<Rule<Bits>> {
    Rule::READ.into_iter().chain(Rule::WRITE).collect()
}

/// The variables that a text names, with how many bits they have.
fn variables(text: &str) -> Vec<(&'static str, u32)> {
    let all = [
        ("x", 4),
        ("y", 4),
        ("z", 4),
        ("i", 3),
        ("j", 3),
        ("t", 2),
        ("c", 1),
        ("d", 1),
        ("e", 1),
    ];
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
    let named = all.into_iter().filter(|(name, _)| words.contains(name));
    named.collect()
}

/// Up to so many bits of offsets and conditions, all values are tried; as many of those with more.
const MOST: u32 = 9;

/// Two expressions mean the same for the values of offsets and conditions, with some bytes.
pub fn compare(world: &mut World, text: &str, before: Expr, after: Expr) {
    let variables = variables(text);
    let total: u32 = variables.iter().map(|(_, bits)| bits).sum();
    let probes: Vec<Expr> = match world.theory().sort(before) {
        Sort::Scalar(_) => Vec::new(),
        Sort::Pointer => panic!("{text}: no rule is about pointers"),
        // A memory is what is read from it.
        Sort::Memory => (0..16u64)
            .flat_map(|at| (1..4).map(move |base| (at, base)))
            .map(|(at, base)| world.parse(&format!("(ptr {base} (_ bv{at} 4))")))
            .collect(),
    };
    let bytes = world.bytes(total.into());
    let few = total <= MOST;
    for number in 0..1u64 << total.min(MOST) {
        let mut state = number;
        let mut rest = if few { number } else { next(&mut state) };
        let mut values = HashMap::new();
        for (name, bits) in &variables {
            values.insert((*name).to_owned(), rest & ((1 << bits) - 1));
            rest >>= bits;
        }
        values.insert("u".into(), next(&mut state));
        values.insert("v".into(), next(&mut state));
        let model = world.with(&bytes, &values);
        if probes.is_empty() {
            let (a, b) = (world.value(&model, before), world.value(&model, after));
            assert_eq!(a, b, "{text}: {values:?}");
        }
        for &at in &probes {
            let [a, b] = [before, after].map(|memory| {
                let read = world.exprs.make(Kind::Read {
                    memory,
                    at,
                    width: 1,
                });
                world.value(&model, read)
            });
            assert_eq!(a, b, "{text}: {values:?}");
        }
    }
}

#[test]
fn every_rule_does_what_its_row_says_and_is_right() {
    let mut names: Vec<&str> = Vec::new();
    for rule in rows() {
        let Rule {
            name,
            applies,
            ignores,
            apply,
        } = rule;
        assert!(!names.contains(&name), "two rules are called {name}");
        names.push(name);
        assert!(
            !applies.is_empty() && !ignores.is_empty(),
            "{name} has no examples"
        );
        for text in applies {
            let mut world = World::new(4, Techniques::default());
            let before = world.parse(text);
            let changed = apply(&mut world.theory(), before);
            let (after, _) = changed.unwrap_or_else(|| panic!("{name} leaves {text} alone"));
            assert_ne!(before, after, "{name}: {text}");
            compare(&mut world, text, before, after);
        }
        for text in ignores {
            let mut world = World::new(4, Techniques::default());
            let before = world.parse(text);
            let changed = apply(&mut world.theory(), before);
            assert!(changed.is_none(), "{name} changes {text}");
        }
    }
}

#[test]
fn every_read_among_the_examples_is_taken_away() {
    for techniques in all_techniques() {
        for rule in rows() {
            for text in rule.applies.iter().chain(rule.ignores) {
                let mut world = World::new(4, techniques);
                let before = world.parse(text);
                if world.theory().sort(before) == Sort::Memory {
                    continue;
                }
                let mut reader = terms::memory::read::reader();
                let value = world.theory().scalar(&mut reader, before);
                let after = world.exprs.make(Kind::Scalar(value));
                compare(&mut world, text, before, after);
            }
        }
    }
}

/// Every combination.
pub fn all_techniques() -> [Techniques; 4] {
    [(true, true), (true, false), (false, true), (false, false)]
        .map(|(ranges, maps)| Techniques { ranges, maps })
}

#[test]
fn what_is_printed_is_read_again() {
    for rule in rows() {
        for text in rule.applies.iter().chain(rule.ignores) {
            let mut world = World::new(4, Techniques::default());
            let expr = world.parse(text);
            let printed = world.theory().print(expr);
            assert_eq!(world.parse(&printed), expr, "{text}: {printed}");
        }
    }
    // The widths of the thesis: bytes, and words of 32 and 64 bits.
    for (bits, bytes) in [(32, 4), (64, 8)] {
        let mut world = World::new(bits, Techniques::default());
        let word = format!("(_ bv7 {})", bytes * 8);
        let text = format!(
            "(read (memcpy (memset (write (write m (ptr 8 x) {bytes} {word}) (ptr 8 y) 1 u) (ptr 8 y) z u) \
             (ite c (ptr 8 x) (ptr 16 y)) k (ptr 8 x) y) (ptr 8 x) {bytes})"
        );
        let expr = world.parse(&text);
        assert_eq!(world.theory().sort(expr), Sort::Scalar(bytes));
        let printed = world.theory().print(expr);
        assert_eq!(world.parse(&printed), expr);
    }
}

#[test]
fn what_has_the_wrong_sort_is_refused() {
    let mut world = World::new(4, Techniques::default());
    for text in [
        "(read (ptr 1 x) m 1)",
        "(read m m 1)",
        "(write m (ptr 1 x) 2 u)",
        "(write m (ptr 1 u) 1 u)",
        "(write m (ptr 1 x) 1 x)",
        "(memset m (ptr 1 x) u u)",
        "(memcpy m (ptr 1 x) u (ptr 1 x) y)",
        "(ite x u v)",
        "(ite c u m)",
        "(store-map m 1)",
        "(store-map m 1 (x 1 u))",
        "(read m (ptr 1 x))",
        "(ptr 1 x) m",
        "(read m (ptr 1 x) 1",
    ] {
        let World { bits, exprs, names } = &mut world;
        let mut theory = terms::memory::Theory {
            exprs,
            scalars: bits,
        };
        assert!(theory.parse(text, names).is_err(), "{text} is accepted");
    }
}
