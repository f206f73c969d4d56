//! The examples of the thesis, and how often things happen.

use terms::Model;
use terms::memory::{Expr, Kind, Techniques};

use crate::concrete::World;

/// A memory after writes to `(base, offset, value)`, grouped.
fn written(world: &mut World, writes: &[(u32, u64, u64)]) -> Expr {
    let mut memory = world.parse("m");
    for &(base, offset, value) in writes {
        let terms = &mut world.bits.terms;
        let (offset, value) = (terms.bv_u64(offset, 8), terms.bv_u64(value, 32));
        let at = world.exprs.ptr(base, offset);
        memory = world.theory().write(memory, at, 4, value);
    }
    memory
}

#[test]
fn the_first_program() {
    for techniques in crate::rows::all_techniques() {
        let mut world = World::new(8, techniques);
        let memory = written(&mut world, &[(8, 0, 4), (16, 0, 21), (16, 8, 42)]);
        let p = world.parse("(ite c (ptr 16 (_ bv0 8)) (ptr 16 (_ bv8 8)))");
        let four = world.bits.terms.bv_u64(4, 32);
        let memory = world.theory().write(memory, p, 4, four);
        let mut reader = terms::memory::read::reader();
        let num = world.parse("(ptr 8 (_ bv0 8))");
        let num = world.theory().read(&mut reader, memory, num, 4);
        assert_eq!(num, four);
        let b = world.parse("(ptr 16 (_ bv8 8))");
        let b = world.theory().read(&mut reader, memory, b, 4);
        let terms = &mut world.bits.terms;
        let (c, old) = (world.names.terms["c"], terms.bv_u64(42, 32));
        let not_c = terms.not(c);
        assert_eq!(b, terms.ite(not_c, four, old));
    }
}

#[test]
fn the_second_program_keeps_three_of_six_writes() {
    let mut world = World::new(8, Techniques::default());
    let writes = [
        (16, 0, 21),
        (8, 0, 4),
        (16, 8, 42),
        (16, 0, 42),
        (8, 0, 8),
        (16, 8, 21),
    ];
    let memory = written(&mut world, &writes);
    let Kind::Map {
        memory: below,
        base: 16,
        ..
    } = world.exprs.kind(memory)
    else {
        panic!(
            "{:?} is no map of the younger object",
            world.exprs.kind(memory)
        )
    };
    let Kind::Map {
        memory: first,
        base: 8,
        ..
    } = world.exprs.kind(below)
    else {
        panic!(
            "{:?} is no map of the older object",
            world.exprs.kind(below)
        )
    };
    assert_eq!(first, world.parse("m"));
    assert_eq!(seen(&mut world, memory), [(0, 42), (8, 21)]);
    assert_eq!(seen(&mut world, below), [(0, 8)]);
}

/// What is seen of a map's scalars, by offset.
fn seen(world: &mut World, map: Expr) -> Vec<(u64, u64)> {
    let Kind::Map { list, .. } = world.exprs.kind(map) else {
        panic!("{map} is no map")
    };
    let mut found = std::collections::BTreeMap::new();
    for entry in world.exprs.entries(list) {
        let value = world.bits.terms.as_u64(entry.value).expect("a constant");
        found.entry(entry.offset).or_insert(value);
    }
    found.into_iter().collect()
}

#[test]
fn techniques_are_counted() {
    let mut world = World::new(8, Techniques::default());
    let memory = written(&mut world, &[(1, 0, 1), (2, 0, 2), (1, 4, 3)]);
    let mut reader = terms::memory::read::reader();
    for text in [
        "(ptr 1 (_ bv0 8))",
        "(ptr 2 (_ bv0 8))",
        "(ptr 3 x)",
        "(ptr 1 x)",
    ] {
        let at = world.parse(text);
        world.theory().read(&mut reader, memory, at, 4);
    }
    let counts = world.exprs.counts;
    assert_eq!((counts.reads, counts.commuted, counts.grouped), (4, 1, 1));
    assert!(
        counts.map_hits >= 1 && counts.map_misses >= 1 && counts.peeled == 1,
        "{counts:?}"
    );
    assert!(counts.skips >= 2 && counts.conditions >= 2, "{counts:?}");
}

#[test]
fn the_choice_between_two_maps_is_a_map() {
    let mut world = World::new(8, Techniques::default());
    let before = written(&mut world, &[(1, 0, 1), (1, 4, 2), (2, 0, 3)]);
    let [left, right] = [(1, 4, 7), (1, 8, 9)].map(|(base, at, value)| {
        let terms = &mut world.bits.terms;
        let (offset, value) = (terms.bv_u64(at, 8), terms.bv_u64(value, 32));
        let at = world.exprs.ptr(base, offset);
        world.theory().write(before, at, 4, value)
    });
    let mut reader = terms::memory::read::reader();
    let c = world.names.terms["c"];
    let both = world.theory().choose(&mut reader, c, left, right);
    assert!(matches!(world.exprs.kind(both), Kind::Map { base: 2, .. }));
    let at = world.parse("(ptr 1 (_ bv4 8))");
    let value = world.theory().read(&mut reader, both, at, 4);
    let terms = &mut world.bits.terms;
    let (seven, two) = (terms.bv_u64(7, 32), terms.bv_u64(2, 32));
    assert_eq!(value, terms.ite(c, seven, two));
}

#[test]
fn many_writes_and_reads_take_close_to_linear_steps() {
    let steps = |count: u64, maps: bool| {
        let mut world = World::new(32, Techniques { ranges: true, maps });
        let mut memory = world.parse("m");
        let mut reader = terms::memory::read::reader();
        for number in 0..count {
            let terms = &mut world.bits.terms;
            let (offset, value) = (terms.bv_u64(4 * number, 32), terms.bv_u64(number, 32));
            let at = world.exprs.ptr(1, offset);
            memory = world.theory().write(memory, at, 4, value);
        }
        for number in 0..count {
            let offset = world.bits.terms.bv_u64(4 * number, 32);
            let at = world.exprs.ptr(1, offset);
            let value = world.theory().read(&mut reader, memory, at, 4);
            assert_eq!(world.bits.terms.as_u64(value), Some(number));
        }
        let counts = world.exprs.counts;
        counts.skips + counts.map_hits + counts.map_misses
    };
    assert_eq!(steps(2000, true), 2000);
    // Without maps, each read is past half of the writes.
    assert!(steps(200, false) > 15_000);
}

#[test]
fn pointers_obey_their_axioms() {
    use std::collections::HashMap;
    let mut world = World::new(4, Techniques::default());
    let texts = [
        "(ptr 1 x)",
        "(ptr 2 x)",
        "(ptr 1 (bvadd x y))",
        "(ite c (ptr 1 y) (ptr 2 #x3))",
        "(ite d (ite c (ptr 3 x) (ptr 1 #x3)) (ptr 2 y))",
    ];
    let pointers: Vec<Expr> = texts.iter().map(|text| world.parse(text)).collect();
    let z = world.names.terms["z"];
    for &p in &pointers {
        for &q in &pointers {
            let mut theory = world.theory();
            let equal = theory.equal(p, q);
            let (less, at_most) = (theory.less(p, q), theory.at_most(p, q));
            let moved = theory.advance(p, z);
            let distance = theory.distance(p, q);
            for seed in 0..400 {
                let mut state = seed;
                let names = ["x", "y", "z", "c", "d"];
                let values: HashMap<String, u64> = names
                    .iter()
                    .map(|name| ((*name).to_owned(), crate::concrete::next(&mut state) & 3))
                    .collect();
                let model = world.with(&Model::new(), &values);
                let (a, b) = (world.value(&model, p), world.value(&model, q));
                let holds = |t| world.bits.terms.eval_bool(&model, t);
                let same = a[0] == b[0];
                assert_eq!(holds(equal), same && a[1] == b[1], "{a:?} = {b:?}");
                assert_eq!(holds(less), same && a[1] < b[1], "{a:?} < {b:?}");
                assert_eq!(holds(at_most), same && a[1] <= b[1], "{a:?} <= {b:?}");
                let further = world.value(&model, moved);
                assert_eq!(further, [a[0], (a[1] + values["z"]) & 15]);
                if let Some(distance) = distance {
                    let bits = world.bits.terms.eval(&model, distance);
                    let expected = a[1].wrapping_sub(b[1]) & 15;
                    assert_eq!(bits.expect_bv().low_u64(), expected);
                }
            }
        }
    }
}

#[test]
fn what_is_not_written_is_as_it_was() {
    for techniques in crate::rows::all_techniques() {
        let mut world = World::new(8, techniques);
        // One write, and two, to the younger object; then one to the older one, which goes behind them.
        for first in [&[(2, 4, 7)][..], &[(2, 4, 7), (2, 0, 7)]] {
            let before = written(&mut world, first);
            let at = world.parse("(ptr 1 (_ bv0 8))");
            let value = world.bits.terms.bv_u64(3, 32);
            let now = world.theory().write(before, at, 4, value);
            assert!(world.theory().holds_same(before, now, 2));
            assert!(world.theory().holds_same(before, now, 3));
            assert!(!world.theory().holds_same(before, now, 1));
            let at = world.parse("(ite c (ptr 2 x) (ptr 4 x))");
            let later = world.theory().write(now, at, 4, value);
            assert!(!world.theory().holds_same(before, later, 2));
            assert!(world.theory().holds_same(before, later, 3));
            let either = world.names.terms["d"];
            let mut reader = terms::memory::read::reader();
            let both = world.theory().choose(&mut reader, either, before, later);
            assert!(world.theory().holds_same(before, both, 3));
            assert!(!world.theory().holds_same(before, both, 2));
        }
    }
}
