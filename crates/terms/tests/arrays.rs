//! Values of arrays: canonical forms, and evaluation of many versions.

use base::Bv;
use terms::{ArrayValue, Evaluator, Level, Model, Sort, Terms, Value};

fn bv(value: u64, width: u32) -> Value {
    Value::Bv(Bv::from_u64(value, width))
}

#[test]
fn arrays_that_agree_everywhere_are_equal() {
    let mut terms = Terms::new();
    let sort = terms.array_sort(Sort::BitVec(1), Sort::BitVec(8));
    let covered = ArrayValue::new(
        &terms,
        sort,
        bv(7, 8),
        [(bv(0, 1), bv(3, 8)), (bv(1, 1), bv(5, 8))],
    );
    let partly = ArrayValue::new(&terms, sort, bv(5, 8), [(bv(0, 1), bv(3, 8))]);
    let other = ArrayValue::new(&terms, sort, bv(3, 8), [(bv(1, 1), bv(5, 8))]);
    assert_eq!(covered, partly);
    assert_eq!(partly, other);
    assert_ne!(partly, ArrayValue::new(&terms, sort, bv(5, 8), []));
}

#[test]
fn small_arrays_are_canonical_whatever_the_order_of_writes() {
    let mut terms = Terms::new();
    let sort = terms.array_sort(Sort::BitVec(2), Sort::BitVec(2));
    for contents in 0..256u64 {
        let element = |index: u64| contents >> (2 * index) & 3;
        let mut arrays = Vec::new();
        for default in 0..4 {
            for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
                let entries = order.map(|index| (bv(index, 2), bv(element(index), 2)));
                arrays.push(ArrayValue::new(&terms, sort, bv(default, 2), entries));
            }
        }
        assert!(
            arrays.windows(2).all(|pair| pair[0] == pair[1]),
            "{contents:#x}"
        );
        for index in 0..4 {
            assert_eq!(arrays[0].get(&bv(index, 2)), &bv(element(index), 2));
        }
    }
}

#[test]
fn every_version_of_an_array_keeps_its_elements() {
    let mut terms = Terms::with_level(Level::Off);
    let sort = terms.array_sort(Sort::BitVec(8), Sort::BitVec(8));
    let mut versions = vec![terms.var("a", sort)];
    for step in 0..200u64 {
        let (index, value) = (terms.bv_u64(step * 37 % 16, 8), terms.bv_u64(step + 1, 8));
        let older = versions[(step * 7 % (versions.len() as u64)) as usize];
        versions.push(terms.store(older, index, value));
    }
    let mut reads = Vec::new();
    for (place, &version) in versions.iter().enumerate() {
        let index = terms.bv_u64(place as u64 * 11 % 16, 8);
        reads.push(terms.select(version, index));
    }
    // All at once, in an order that jumps between versions, and each by itself.
    let model = Model::new();
    let mut together = Evaluator::new(&terms, &model);
    for step in 0..reads.len() {
        let read = reads[step * 89 % reads.len()];
        assert_eq!(together.eval(read), terms.eval(&model, read));
    }
    for &version in versions.iter().rev() {
        assert_eq!(together.eval(version), terms.eval(&model, version));
    }
}

#[test]
fn a_long_chain_of_stores_is_evaluated_without_copying_it() {
    let mut terms = Terms::with_level(Level::Off);
    let sort = terms.array_sort(Sort::BitVec(32), Sort::BitVec(8));
    let mut array = terms.var("a", sort);
    let mut sum = terms.bv_u64(0, 8);
    for step in 0..100_000u64 {
        let (index, value) = (terms.bv_u64(step, 32), terms.bv_u64(step, 8));
        array = terms.store(array, index, value);
        let read = terms.select(array, index);
        sum = terms.add(sum, read);
    }
    let expected = (0..100_000u64).fold(0u8, |sum, step| sum.wrapping_add(step as u8));
    assert_eq!(terms.eval(&Model::new(), sum), bv(u64::from(expected), 8));
}
