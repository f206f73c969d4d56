//! Contents against bytes: whatever is written, joined and widened, what is read of real bytes lies in what is read of their description.

use golden::rng::Rng;
use ir::syntax::{Global, Module, Type};

use super::{Cell, Contents, Rest};
use crate::domains::{Int, Thresholds, mask};
use crate::value::Val;

const SIZE: u64 = 16;
const WIDTHS: [u32; 4] = [8, 16, 32, 64];

/// A module with a global of 16 bytes of which the first eight are numbers and the others are zero.
fn module() -> Module {
    let text = "module pure ptr64\nentry @start\nglobal @g size 16 align 8 = bytes \"\\01\\02\\03\\04\\05\\06\\07\\08\" zero 8\nfn @start() {\nb0:\n    return\n}\n";
    ir::text::read(text).unwrap_or_else(|error| panic!("{error}"))
}

#[derive(Clone, Debug)]
struct Real([u8; SIZE as usize]);

impl Real {
    fn read(&self, at: u64, bytes: u64) -> u64 {
        (0..bytes).fold(0, |all, byte| {
            all | u64::from(self.0[(at + byte) as usize]) << (8 * byte)
        })
    }

    fn write(&mut self, at: u64, bytes: u64, value: u64) {
        for byte in 0..bytes {
            self.0[(at + byte) as usize] = (value >> (8 * byte)) as u8;
        }
    }
}

/// Some numbers with this one among them.
fn around(rng: &mut Rng, value: u64, width: u32) -> Int {
    let one = Int::constant(value, width);
    match rng.below(4) {
        0 => Int::top(width),
        1 => one.join(&Int::constant(rng.next_u64() & mask(width), width)),
        _ => one,
    }
}

/// An offset for so many bytes, and some offsets with it among them, all inside.
fn place(rng: &mut Rng, bytes: u64) -> (u64, Int) {
    let last = SIZE - bytes;
    let step = if rng.one_in(3) { 1 } else { bytes };
    let mut any = || rng.below(last / step + 1) * step;
    let (at, other) = (any(), any());
    let offsets = match rng.below(3) {
        0 => Int::constant(at, 64),
        1 => Int::constant(at, 64).join(&Int::constant(other, 64)),
        _ => Int::between(at.min(other), at.max(other), 64).expect("a range"),
    };
    (at, offsets)
}

/// What is read of the bytes lies in what is read of the description.
fn check(module: &Module, rng: &mut Rng, real: &Real, known: &Contents, what: &str) {
    let lies = |at: u64, offsets: &Int, width: u32| {
        let value = real.read(at, u64::from(width / 8));
        match known.read(module, offsets, SIZE, Type::Int(width)) {
            Val::Int(set) => assert!(
                set.contains(value),
                "after {what}: {value:#x} of {width} bits at {at} of {offsets:?} is not in {set:?}\n{real:?}\n{known:?}"
            ),
            Val::Ptr(_) => panic!("after {what}: numbers are read as a pointer: {known:?}"),
            Val::Any => {}
        }
    };
    for width in WIDTHS {
        let bytes = u64::from(width / 8);
        for at in 0..=SIZE - bytes {
            lies(at, &Int::constant(at, 64), width);
        }
        let (at, offsets) = place(rng, bytes);
        lies(at, &offsets, width);
    }
}

/// Something happens to the bytes and to their description.
fn happen(module: &Module, rng: &mut Rng, real: &mut Real, known: &mut Contents) -> String {
    let width = *rng.pick(&WIDTHS);
    let bytes = u64::from(width / 8);
    let value = match rng.below(3) {
        0 => 0,
        1 => rng.below(200),
        _ => rng.next_u64() & mask(width),
    };
    let val = Val::Int(around(rng, value, width));
    let (at, offsets) = place(rng, bytes);
    match rng.below(5) {
        0 | 1 => {
            real.write(at, bytes, value);
            let cell = Cell {
                ty: Type::Int(width),
                bytes,
                val,
                same: None,
            };
            known.write_at(at, cell);
            format!("a write of {width} bits at {at}")
        }
        2 | 3 => {
            if rng.one_in(2) {
                real.write(at, bytes, value);
            }
            known.join_at(module, &offsets, SIZE, Type::Int(width), &val);
            format!("a write of {width} bits at one of {offsets:?}, perhaps")
        }
        _ => {
            let len = 1 + rng.below(SIZE);
            let from = rng.below(SIZE - len + 1);
            let byte = if rng.one_in(2) { 0 } else { rng.below(256) };
            real.0[from as usize..(from + len) as usize].fill(byte as u8);
            let stretch = (!rng.one_in(4)).then_some((from, len));
            let set = Val::Int(around(rng, byte, 8));
            known.fill(module, stretch, SIZE, &set);
            format!("{len} bytes from {from} filled")
        }
    }
}

/// Of how many words something is known.
fn words(module: &Module, known: &Contents) -> usize {
    let word = |at: u64| known.read(module, &Int::constant(at, 64), SIZE, Type::Int(32));
    let said = |at: &u64| word(*at).as_int().is_some_and(|x| !x.is_top());
    [0, 4, 8, 12].iter().filter(|&at| said(at)).count()
}

fn fresh(rng: &mut Rng) -> (Real, Contents) {
    let rest = match rng.below(3) {
        0 => Rest::Any,
        1 => Rest::Zero,
        _ => Rest::Init(Global::from_index(0)),
    };
    let mut real = Real([0; SIZE as usize]);
    match rest {
        Rest::Any => real.0.fill_with(|| rng.below(256) as u8),
        Rest::Init(_) => real.0[..8].copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8]),
        Rest::Zero | Rest::Elems(..) => {}
    }
    let known = Contents {
        rest,
        ..Contents::any()
    };
    (real, known)
}

#[test]
fn what_is_known_of_bytes_is_true_of_them() {
    let module = module();
    let mut said = 0;
    for seed in 0..1500 {
        let mut rng = Rng::new(seed);
        let (mut one, mut known) = fresh(&mut rng);
        for _ in 0..8 {
            let what = happen(&module, &mut rng, &mut one, &mut known);
            check(&module, &mut rng, &one, &known, &what);
            said += words(&module, &known);
        }
    }
    assert!(said > 2000, "something is known {said} times only");
}

#[test]
fn joins_and_widenings_are_above_both_sides() {
    let module = module();
    let thresholds = Thresholds::new([(100, 32)].into_iter());
    let mut said = 0;
    for seed in 0..1500 {
        let mut rng = Rng::new(seed ^ 0x9e37);
        let mut sides: Vec<(Real, Contents)> = Vec::new();
        let first = fresh(&mut rng);
        for _ in 0..2 {
            // Often they have a past in common.
            let (mut real, mut known) = match rng.one_in(3) {
                true => fresh(&mut rng),
                false => first.clone(),
            };
            for _ in 0..rng.below(5) {
                happen(&module, &mut rng, &mut real, &mut known);
            }
            sides.push((real, known));
        }
        let [(one, a), (two, b)] = sides.as_slice() else {
            unreachable!("there are two");
        };
        let join = a.join(b, &module, SIZE);
        let wide = a.widen(&join, &module, SIZE, &thresholds);
        for (name, above) in [("join", &join), ("widening", &wide)] {
            check(&module, &mut rng, one, above, name);
            check(&module, &mut rng, two, above, name);
        }
        assert_eq!(a.join(a, &module, SIZE), *a, "a join with itself");
        said += words(&module, &join);
    }
    // Most pasts are too different.
    assert!(said > 50, "joins say something {said} times only");
}
