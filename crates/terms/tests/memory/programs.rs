//! Random sequences of writes, ranges, choices and reads, with every combination of techniques.

use std::collections::HashMap;

use terms::memory::{Base, Expr, Kind, Reader, Techniques};
use terms::{Model, Term};

use crate::concrete::{World, next};
use crate::rows::all_techniques;

/// A random program: expressions as they are written, and as the theory makes them.
struct Program {
    world: World,
    reader: Reader,
    state: u64,
    /// Each version: as written, and as made.
    versions: Vec<(Expr, Expr)>,
    /// Where steps access memory, and how many bytes.
    accesses: Vec<(Expr, Term)>,
}

impl Program {
    fn number(&mut self, below: u64) -> u64 {
        next(&mut self.state) % below
    }

    fn offset(&mut self) -> Term {
        let bits = self.world.bits.bits;
        let name = ["x", "y", "z"][self.number(3) as usize];
        let small = self.number(8);
        let terms = &mut self.world.bits.terms;
        match next(&mut self.state) % 8 {
            0 => self.world.names.terms[name],
            1 => {
                let i = self.world.names.terms["i"];
                let zero = terms.bv_u64(0, 1);
                terms.concat(i, zero)
            }
            2 => {
                let (c, a) = (self.world.names.terms["c"], terms.bv_u64(small, bits));
                let b = terms.bv_u64(small ^ 4, bits);
                terms.ite(c, a, b)
            }
            3 => {
                let t = self.world.names.terms["t"];
                terms.zext(t, bits)
            }
            _ => terms.bv_u64(small, bits),
        }
    }

    fn pointer(&mut self) -> Expr {
        let plain = |this: &mut Program| {
            let base = 1 + this.number(3) as u32;
            let offset = this.offset();
            this.world.exprs.ptr(base, offset)
        };
        let first = plain(self);
        if self.number(4) > 0 {
            return first;
        }
        let second = plain(self);
        let condition = self.condition();
        self.world.theory().ite(condition, first, second)
    }

    fn condition(&mut self) -> Term {
        let name = ["c", "d", "e"][self.number(3) as usize];
        self.world.names.terms[name]
    }

    fn version(&mut self) -> (Expr, Expr) {
        // Mostly the newest.
        let back = if self.number(3) > 0 {
            1
        } else {
            self.versions.len() as u64
        };
        let index = self.versions.len() as u64 - 1 - self.number(back);
        self.versions[index as usize]
    }

    fn value(&mut self, width: u32) -> Term {
        let name = ["u", "v"][self.number(2) as usize];
        let u = self.world.names.terms[name];
        let constant = self.number(256);
        let terms = &mut self.world.bits.terms;
        let low = terms.bv_u64(constant, 8);
        match width {
            1 => u,
            2 => terms.concat(u, low),
            _ => {
                let half = terms.concat(u, low);
                terms.concat(low, half)
            }
        }
    }

    fn accesses(&mut self, at: Expr, len: Term) {
        self.accesses.push((at, len));
    }

    /// Does a pointer of a model have room for so many bytes in its object, if that has a size?
    fn is_inside(&mut self, model: &Model, at: Expr, len: u64) -> bool {
        let at = self.world.value(model, at);
        let size = self.world.bits.sizes.get(&(at[0] as Base));
        size.is_none_or(|&size| at[1] + len <= size)
    }

    fn step(&mut self) {
        let (written, made) = self.version();
        let at = self.pointer();
        let next = match self.number(8) {
            0 => {
                let (len, byte) = (self.offset(), self.value(1));
                self.accesses(at, len);
                let kind = Kind::Set {
                    memory: written,
                    at,
                    len,
                    byte,
                };
                (
                    self.world.exprs.make(kind),
                    self.world.theory().set(made, at, len, byte),
                )
            }
            1 => {
                let (source, its) = self.version();
                let (len, from) = (self.offset(), self.pointer());
                self.accesses(at, len);
                self.accesses(from, len);
                let kind = Kind::Copy {
                    memory: written,
                    at,
                    len,
                    source,
                    from,
                };
                let made = self.world.theory().copy(made, at, len, (its, from));
                (self.world.exprs.make(kind), made)
            }
            2 => {
                let (other, its) = self.version();
                let condition = self.condition();
                let Program { world, reader, .. } = self;
                let kind = Kind::Ite(condition, [written, other]);
                let made = world.theory().choose(reader, condition, made, its);
                (world.exprs.make(kind), made)
            }
            _ => {
                let width = 1 + self.number(3) as u32;
                let value = self.value(width);
                let bits = self.world.bits.bits;
                let len = self.world.bits.terms.bv_u64(width.into(), bits);
                self.accesses(at, len);
                let kind = Kind::Write {
                    memory: written,
                    at,
                    width,
                    value,
                };
                let made = self.world.theory().write(made, at, width, value);
                (self.world.exprs.make(kind), made)
            }
        };
        self.versions.push(next);
    }
}

/// Compares reads with what is written. Where objects have sizes, an execution is followed to its first access that
/// leaves its object: behind it nothing is claimed. Returns how many reads were compared.
fn check(seed: u64, techniques: Techniques, sizes: &[(Base, u64)]) -> u64 {
    let mut world = World::new(4, techniques);
    world.bits.sizes = sizes.iter().copied().collect();
    let start = world.parse("m");
    let mut program = Program {
        world,
        reader: terms::memory::read::reader(),
        state: seed,
        versions: vec![(start, start)],
        accesses: Vec::new(),
    };
    let mut reads = Vec::new();
    for _ in 0..12 {
        program.step();
        let (written, made) = program.version();
        let (at, width) = (program.pointer(), 1 + program.number(3) as u32);
        let Program { world, reader, .. } = &mut program;
        let value = world.theory().read(reader, made, at, width);
        let found = world.exprs.make(Kind::Scalar(value));
        let meant = world.exprs.make(Kind::Read {
            memory: written,
            at,
            width,
        });
        reads.push((meant, found, at, width, program.accesses.len()));
    }
    let mut compared = 0;
    let bytes = program.world.bytes(seed);
    for round in 0..24 {
        let mut values = HashMap::new();
        for name in ["x", "y", "z", "i", "t", "c", "d", "e", "u", "v"] {
            // Small numbers meet more often.
            let number = next(&mut program.state);
            let small = if round % 2 == 0 { number & 7 } else { number };
            values.insert(name.to_owned(), small);
        }
        let model = program.world.with(&bytes, &values);
        let mut followed = 0;
        for &(meant, found, at, width, before) in &reads {
            let all = program.accesses[followed..before].to_vec();
            let inside = all.into_iter().all(|(at, len)| {
                let len = program.world.bits.terms.eval(&model, len);
                program.is_inside(&model, at, len.expect_bv().low_u64())
            });
            if !inside {
                break;
            }
            followed = before;
            if !program.is_inside(&model, at, width.into()) {
                continue;
            }
            compared += 1;
            let world = &mut program.world;
            let (a, b) = (world.value(&model, meant), world.value(&model, found));
            let text = world.theory().print(meant);
            assert_eq!(a, b, "seed {seed}, {techniques:?}: {text}, {values:?}");
        }
    }
    compared
}

/// One object of a size that cuts words, one that hardly cuts, and one whose size is not known.
const SIZES: &[(Base, u64)] = &[(1, 7), (2, 13)];

#[test]
fn accesses_stay_inside_of_objects_of_known_size() {
    let mut compared = 0;
    for seed in 0..150 {
        for techniques in all_techniques() {
            compared += check(seed * 1000 + 23, techniques, SIZES);
        }
    }
    assert!(compared > 20_000, "{compared} reads compared");
}

#[test]
fn reads_of_random_programs_are_right_with_every_technique() {
    for seed in 0..150 {
        for techniques in all_techniques() {
            check(seed * 1000 + 17, techniques, &[]);
        }
    }
}

#[test]
#[ignore = "long: forty times as many programs"]
fn reads_of_many_random_programs_are_right() {
    for seed in 0..6000 {
        for techniques in all_techniques() {
            check(seed * 1000 + 500_009, techniques, &[]);
            check(seed * 1000 + 500_009, techniques, SIZES);
        }
    }
}
