//! Intervals and address range maps.

use terms::memory::{Interval, Kind, Ranges, Techniques};
use terms::{Model, Sort, Terms, Value};

use crate::concrete::{World, next};

/// Every interval of numbers below eight, and the two ends.
fn intervals() -> Vec<Interval> {
    let mut all = vec![Interval::Bottom, Interval::Top];
    for low in 0..8 {
        all.extend((low..8).map(|high| Interval::Range(low, high)));
    }
    all
}

#[test]
fn operations_on_intervals_keep_every_number() {
    for a in intervals() {
        for b in intervals() {
            let (join, meet, sum) = (a.join(b), a.meet(b), a.plus(b));
            for x in 0..8 {
                let (left, right) = (a.contains(x), b.contains(x));
                assert!(join.contains(x) || !left && !right, "{a:?} ⊔ {b:?}");
                assert_eq!(meet.contains(x), left && right, "{a:?} ⊓ {b:?}");
                for y in 0..8 {
                    let both = left && b.contains(y);
                    assert!(sum.contains(x + y) || !both, "{a:?} + {b:?}");
                    let wrapped = sum.modulo(3).contains((x + y) % 8);
                    assert!(wrapped || !both, "{a:?} + {b:?} modulo 8");
                }
            }
            assert!(a.is_in(join) && b.is_in(join) && meet.is_in(a) && meet.is_in(b));
            assert_eq!(join, b.join(a));
            assert_eq!(a.is_in(b), a.join(b) == b);
            assert_eq!(a.is_in(b), a.meet(b) == a);
        }
        assert_eq!(a.plus(Interval::Bottom), Interval::Bottom);
        assert_eq!((a.join(Interval::Bottom), a.meet(Interval::Top)), (a, a));
    }
}

/// The pointer of figure 5.7, with `i` and `j` as conditions `c` and `d`.
const FIGURE: &str =
    "(ite c (ptr 16 (_ bv8 8)) (ptr 8 (bvadd (_ bv16 8) (ite d (_ bv8 8) (_ bv16 8)))))";

#[test]
fn the_map_of_the_thesis() {
    let mut world = World::new(8, Techniques::default());
    let pointer = world.parse(FIGURE);
    let found = world.theory().ranges(pointer);
    let entries = [(8, Interval::Range(24, 32)), (16, Interval::Range(8, 8))];
    assert_eq!(found.entries(), entries);
    let other = world.parse("(ite e (ptr 8 (_ bv0 8)) (ptr 16 (_ bv0 8)))");
    let theirs = world.theory().ranges(other);
    assert!(found.meet(&theirs).is_bottom());
    let joined = found.join(&Ranges::single(8, Interval::Range(8, 16)));
    assert_eq!(joined.within(8), Interval::Range(8, 32));
    assert_eq!(joined.within(3), Interval::Bottom);
    let moved = found.plus(Interval::Range(1, 2));
    assert_eq!(moved.within(16), Interval::Range(9, 10));
}

#[test]
fn maps_say_that_pointers_differ_and_never_that_they_are_equal() {
    use terms::memory::ranges::Extent::Bytes;
    let texts = [
        "(ptr 1 x)",
        "(ptr 1 #x3)",
        "(ptr 2 (concat #b1 i))",
        "(ite c (ptr 1 #x3) (ptr 2 y))",
        "(ite c (ptr 2 (concat #b0 j)) (ptr 3 x))",
        "(ite d (ptr 1 (bvadd x #x1)) (ptr 1 (concat #b00 t)))",
    ];
    let mut world = World::new(4, Techniques::default());
    let pointers: Vec<_> = texts.iter().map(|text| world.parse(text)).collect();
    let mut differ = 0;
    for &p in &pointers {
        for &q in &pointers {
            for width in [1, 3] {
                if !world.theory().apart((p, Bytes(width)), (q, Bytes(1))) {
                    continue;
                }
                differ += 1;
                // No byte of the one is the byte of the other.
                let mut state = differ;
                for _ in 0..500 {
                    let names = ["x", "y", "i", "j", "t", "c", "d"];
                    let values = names.map(|name| (name.to_owned(), next(&mut state)));
                    let model = world.with(&Model::new(), &values.into_iter().collect());
                    let (a, b) = (world.value(&model, p), world.value(&model, q));
                    let met = a[0] == b[0] && (b[1].wrapping_sub(a[1]) & 15) < width;
                    assert!(!met, "{a:?} {b:?}");
                }
            }
        }
    }
    assert!(differ >= 8, "only {differ} pairs are told apart");
    // The same map, and not the same pointer.
    let p = world.parse("(ite c (ptr 1 #x3) (ptr 1 #x5))");
    let q = world.parse("(ite c (ptr 1 #x5) (ptr 1 #x3))");
    assert_eq!(world.theory().ranges(p), world.theory().ranges(q));
    assert!(!world.theory().apart((p, Bytes(1)), (q, Bytes(1))));
    let equal = world.theory().equal(p, q);
    assert_eq!(world.bits.terms.as_bool(equal), Some(false));
}

#[test]
fn a_size_makes_a_range_sharper() {
    use terms::memory::ranges::Extent::Bytes;
    let mut world = World::new(8, Techniques::default());
    let (p, q) = (world.parse("(ptr 1 x)"), world.parse("(ptr 1 (_ bv64 8))"));
    assert!(!world.theory().apart((p, Bytes(1)), (q, Bytes(1))));
    let mut world = World::new(8, Techniques::default());
    world.bits.sizes.insert(1, 32);
    let (p, q) = (world.parse("(ptr 1 x)"), world.parse("(ptr 1 (_ bv64 8))"));
    assert!(world.theory().apart((p, Bytes(1)), (q, Bytes(1))));
    assert_eq!(world.theory().ranges(p).within(1), Interval::Range(0, 31));
}

#[test]
fn a_thousand_nested_ites_are_no_trouble() {
    let mut world = World::new(16, Techniques::default());
    let mut conditions = Vec::new();
    for number in 0..1000 {
        conditions.push(world.bits.terms.var(&format!("g{number}"), Sort::Bool));
    }
    let mut pointers = [0, 1].map(|which| world.parse(&format!("(ptr {} (_ bv0 16))", 1 + which)));
    for (number, condition) in (0u64..).zip(conditions) {
        for (which, pointer) in pointers.iter_mut().enumerate() {
            let offset = world.bits.terms.bv_u64(4 * number + 2 * which as u64, 16);
            let leaf = world.exprs.ptr(3 + (number % 50) as u32, offset);
            *pointer = world.theory().ite(condition, leaf, *pointer);
        }
    }
    let [p, q] = pointers;
    let found = world.theory().ranges(p);
    assert_eq!(found.entries().len(), 51);
    let write = Kind::Write {
        memory: world.parse("m"),
        at: p,
        width: 1,
        value: world.names.terms["u"],
    };
    let memory = world.exprs.make(write);
    let before = world.bits.terms.len();
    let mut reader = terms::memory::read::reader();
    // Of another object, which one look at the map tells.
    let other = world.parse("(ptr 200 x)");
    world.theory().read(&mut reader, memory, other, 1);
    assert!(world.bits.terms.len() < before + 20);
    assert_eq!(world.exprs.counts.skips, 1);
    // Polynomial also where it tells nothing.
    world.theory().read(&mut reader, memory, q, 1);
    assert!(world.bits.terms.len() < before + 200_000);
}

/// Where contents begin anew on one path, the older choice is on the left or on the right.
#[test]
fn choices_that_are_nested_on_the_left_need_no_deep_stack() {
    const LEVELS: u64 = 20_000;
    let mut world = World::new(16, Techniques::default());
    let mut pointer = world.parse("(ptr 1 (_ bv0 16))");
    for number in 1..LEVELS {
        let name = format!("g{number}");
        let condition = world.bits.terms.var(&name, Sort::Bool);
        let offset = world.bits.terms.bv_u64(number, 16);
        let leaf = world.exprs.ptr(1 + (number % 2) as u32, offset);
        pointer = world.theory().ite(condition, pointer, leaf);
    }
    let five = world.bits.terms.bv_u64(5, 16);
    let moved = world.theory().advance(pointer, five);
    let [first, second] = [1, 2].map(|base| world.theory().within(moved, base));
    let (Some((here, offset)), Some((there, _))) = (first, second) else {
        panic!("it may lead into both")
    };
    // All conditions hold: the innermost.
    let mut model = Model::new();
    for number in 1..LEVELS {
        let name = format!("g{number}");
        let condition = world.bits.terms.var(&name, Sort::Bool);
        model.set(&world.bits.terms, condition, Value::Bool(true));
    }
    let terms = &world.bits.terms;
    assert!(terms.eval_bool(&model, here) && !terms.eval_bool(&model, there));
    assert_eq!(terms.eval(&model, offset).expect_bv().low_u64(), 5);
}

#[test]
fn turned_off_only_the_size_changes() {
    let text = "(read (write (write m (ptr 1 (concat #b0 i)) 1 u) (ptr 1 #x9) 1 v) (ptr 1 (concat #b1 j)) 1)";
    let mut sizes = Vec::new();
    for ranges in [true, false] {
        let mut world = World::new(4, Techniques { ranges, maps: true });
        let expr = world.parse(text);
        let mut reader = terms::memory::read::reader();
        let value = world.theory().scalar(&mut reader, expr);
        let after = world.exprs.make(Kind::Scalar(value));
        crate::rows::compare(&mut world, text, expr, after);
        sizes.push((world.exprs.counts.skips, size(&world.bits.terms, value)));
    }
    assert!(
        sizes[0].0 >= sizes[1].0 && sizes[0].1 <= sizes[1].1,
        "{sizes:?}"
    );
}

fn size(terms: &Terms, root: terms::Term) -> usize {
    let mut seen = std::collections::HashSet::new();
    let mut work = vec![root];
    while let Some(t) = work.pop() {
        if seen.insert(t) {
            work.extend(terms.args(t));
        }
    }
    seen.len()
}
