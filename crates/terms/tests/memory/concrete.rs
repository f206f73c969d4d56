//! What expressions of the theory mean: bytes of objects. Written apart from the rules.

use std::collections::{BTreeMap, HashMap};

use base::Bv;
use terms::memory::text::Names;
use terms::memory::{Base, Expr, Kind, Memories, Scalars, Techniques, Theory};
use terms::{ArrayValue, Model, Sort, Term, Terms, Value};

/// Scalars that are terms of whole bytes; what was in memory at first is an array for each memory and object.
pub struct Bits {
    pub terms: Terms,
    pub bits: u32,
    pub sizes: BTreeMap<Base, u64>,
}

impl Bits {
    pub fn new(bits: u32) -> Bits {
        Bits {
            terms: Terms::new(),
            bits,
            sizes: BTreeMap::new(),
        }
    }

    /// What an object held at first.
    pub fn array(&mut self, memory: u32, base: Base) -> Term {
        let sort = self
            .terms
            .array_sort(Sort::BitVec(self.bits), Sort::BitVec(8));
        self.terms.var(&format!("m{memory}.{base}"), sort)
    }
}

impl Scalars for Bits {
    type Scalar = Term;

    fn terms(&mut self) -> &mut Terms {
        &mut self.terms
    }

    fn pointer_bits(&self) -> u32 {
        self.bits
    }

    fn choose(&mut self, condition: Term, a: Term, b: Term) -> Term {
        self.terms.ite(condition, a, b)
    }

    fn part(&mut self, scalar: Term, _: u32, from: u32, count: u32) -> Term {
        let low = from * 8;
        self.terms.extract(scalar, low + count * 8 - 1, low)
    }

    fn byte(&mut self, scalar: Term, width: u32, number: Term) -> Term {
        let mut byte = self.terms.bv_u64(0, 8);
        for i in 0..width {
            let bits = self.terms.width(number);
            let here = self.terms.bv_u64(i.into(), bits);
            let met = self.terms.eq(number, here);
            let value = self.terms.extract(scalar, i * 8 + 7, i * 8);
            byte = self.terms.ite(met, value, byte);
        }
        byte
    }

    fn join(&mut self, parts: &[(Term, u32)]) -> Term {
        let mut parts = parts.iter();
        let mut bits = parts.next().expect("at least one byte").0;
        for &(part, _) in parts {
            bits = self.terms.concat(part, bits);
        }
        bits
    }

    fn filled(&mut self, byte: Term, width: u32) -> Term {
        let parts = vec![(byte, 1); width as usize];
        self.join(&parts)
    }

    fn initial(&mut self, memory: u32, base: Base, offset: Term, width: u32) -> Term {
        let array = self.array(memory, base);
        let mut parts = Vec::new();
        for i in 0..width {
            let step = self.terms.bv_u64(i.into(), self.bits);
            let at = self.terms.add(offset, step);
            parts.push((self.terms.select(array, at), 1));
        }
        self.join(&parts)
    }

    fn size(&self, base: Base) -> Option<u64> {
        self.sizes.get(&base).copied()
    }
}

/// A theory over bits, with its expressions.
pub struct World {
    pub bits: Bits,
    pub exprs: Memories<Term>,
    pub names: Names,
}

impl World {
    /// Offsets of so many bits, with the names that examples use.
    pub fn new(bits: u32, techniques: Techniques) -> World {
        let mut world = World {
            bits: Bits::new(bits),
            exprs: Memories::new(techniques),
            names: Names::default(),
        };
        let terms = &mut world.bits.terms;
        let mut term = |name: &str, sort: Sort| {
            let t = terms.var(name, sort);
            world.names.terms.insert(name.to_owned(), t);
            t
        };
        for name in ["x", "y", "z"] {
            term(name, Sort::BitVec(bits));
        }
        for name in ["i", "j"] {
            term(name, Sort::BitVec(bits - 1));
        }
        term("t", Sort::BitVec(bits - 2));
        for name in ["c", "d", "e"] {
            term(name, Sort::Bool);
        }
        let (u, v) = (term("u", Sort::BitVec(8)), term("v", Sort::BitVec(8)));
        let (uv, vv) = (terms.concat(u, v), terms.concat(v, v));
        world.names.terms.insert("uv".into(), uv);
        world.names.terms.insert("vv".into(), vv);
        for (number, name) in ["m", "k"].into_iter().enumerate() {
            let init = world.exprs.make(Kind::Init(number as u32));
            world.names.exprs.insert(name.into(), init);
        }
        world
    }

    pub fn theory(&mut self) -> Theory<'_, Bits> {
        Theory {
            exprs: &mut self.exprs,
            scalars: &mut self.bits,
        }
    }

    /// An expression as it is written.
    pub fn parse(&mut self, text: &str) -> Expr {
        let World { bits, exprs, names } = self;
        let mut theory = Theory {
            exprs,
            scalars: bits,
        };
        let parsed = theory.parse(text, names);
        parsed.unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    /// What an expression of the sort of scalars or pointers means in a model, as numbers.
    pub fn value(&mut self, model: &Model, expr: Expr) -> Vec<u64> {
        match self.exprs.kind(expr) {
            Kind::Scalar(value) => {
                let Value::Bv(bits) = self.bits.terms.eval(model, value) else {
                    panic!("scalars are bits")
                };
                let bytes = bits.width() / 8;
                (0..bytes)
                    .map(|i| bits.extract(i * 8 + 7, i * 8).low_u64())
                    .collect()
            }
            Kind::Join(parts) => {
                let parts = self.exprs.parts(parts).to_vec();
                let parts = parts.into_iter();
                parts.flat_map(|part| self.value(model, part)).collect()
            }
            Kind::Read { memory, at, width } => {
                let at = self.value(model, at);
                (0..u64::from(width))
                    .map(|i| self.byte(model, memory, at[0], self.wrap(at[1] + i)))
                    .collect()
            }
            Kind::Ptr(base, offset) => vec![base.into(), self.number(model, offset)],
            Kind::Ite(condition, [a, b]) => match self.bits.terms.eval_bool(model, condition) {
                true => self.value(model, a),
                false => self.value(model, b),
            },
            other => panic!("{other:?} is a memory"),
        }
    }

    fn number(&self, model: &Model, t: Term) -> u64 {
        self.bits.terms.eval(model, t).expect_bv().low_u64()
    }

    fn wrap(&self, offset: u64) -> u64 {
        offset & (u64::MAX >> (64 - self.bits.bits))
    }

    /// A byte of a memory.
    fn byte(&mut self, model: &Model, memory: Expr, base: u64, offset: u64) -> u64 {
        let inside = |this: &World, at: &[u64], len: u64| {
            let distance = this.wrap(offset.wrapping_sub(at[1]));
            (at[0] == base && distance < len).then_some(distance)
        };
        match self.exprs.kind(memory) {
            Kind::Init(number) => {
                let array = self.bits.array(number, base as Base);
                let index = Value::Bv(Bv::from_u64(offset, self.bits.bits));
                match self.bits.terms.eval(model, array) {
                    Value::Array(array) => array.get(&index).expect_bv().low_u64(),
                    other => panic!("{other:?} is no array"),
                }
            }
            Kind::Write {
                memory,
                at,
                value,
                width,
            } => {
                let at = self.value(model, at);
                match inside(self, &at, width.into()) {
                    Some(distance) => {
                        let bits = self.bits.terms.eval(model, value);
                        let low = distance as u32 * 8;
                        bits.expect_bv().extract(low + 7, low).low_u64()
                    }
                    None => self.byte(model, memory, base, offset),
                }
            }
            Kind::Set {
                memory,
                at,
                len,
                byte,
            } => {
                let (at, len) = (self.value(model, at), self.number(model, len));
                match inside(self, &at, len) {
                    Some(_) => self.number(model, byte),
                    None => self.byte(model, memory, base, offset),
                }
            }
            Kind::Copy {
                memory,
                at,
                len,
                source,
                from,
            } => {
                let (at, len) = (self.value(model, at), self.number(model, len));
                match inside(self, &at, len) {
                    Some(distance) => {
                        let from = self.value(model, from);
                        let there = self.wrap(from[1] + distance);
                        self.byte(model, source, from[0], there)
                    }
                    None => self.byte(model, memory, base, offset),
                }
            }
            Kind::Map {
                memory,
                base: its,
                list,
            } => {
                let entries = self.exprs.entries(list);
                let met = entries.into_iter().find_map(|entry| {
                    let at = [its.into(), entry.offset];
                    Some((entry, inside(self, &at, entry.width.into())?))
                });
                match met {
                    Some((entry, distance)) => {
                        let bits = self.bits.terms.eval(model, entry.value);
                        let low = distance as u32 * 8;
                        bits.expect_bv().extract(low + 7, low).low_u64()
                    }
                    None => self.byte(model, memory, base, offset),
                }
            }
            Kind::Ite(condition, [a, b]) => match self.bits.terms.eval_bool(model, condition) {
                true => self.byte(model, a, base, offset),
                false => self.byte(model, b, base, offset),
            },
            other => panic!("{other:?} is no memory"),
        }
    }

    /// A model with these values of the named terms that are variables, over a model of the bytes.
    pub fn with(&self, bytes: &Model, values: &HashMap<String, u64>) -> Model {
        let mut model = bytes.clone();
        for (name, &t) in &self.names.terms {
            if self.bits.terms.var_name(t).is_none() {
                continue;
            }
            let number = values.get(name).copied().unwrap_or(0);
            let value = match self.bits.terms.sort(t) {
                Sort::Bool => Value::Bool(number & 1 == 1),
                Sort::BitVec(width) => {
                    Value::Bv(Bv::from_u64(number & (u64::MAX >> (64 - width)), width))
                }
                other => panic!("{other:?}"),
            };
            model.set(&self.bits.terms, t, value);
        }
        model
    }

    /// Any bytes in memory at first.
    pub fn bytes(&mut self, seed: u64) -> Model {
        let mut model = Model::new();
        for memory in 0..2 {
            for base in 1..6 {
                let array = self.bits.array(memory, base);
                let sort = self.bits.terms.sort(array);
                let mut state = seed ^ (u64::from(memory) << 32) ^ u64::from(base);
                let entries = (0..1u64 << self.bits.bits.min(5)).map(|at| {
                    let byte = next(&mut state) & 255;
                    let index = Value::Bv(Bv::from_u64(at, self.bits.bits));
                    (index, Value::Bv(Bv::from_u64(byte, 8)))
                });
                let entries: Vec<_> = entries.collect();
                let zero = Value::Bv(Bv::from_u64(0, 8));
                let value = ArrayValue::new(&self.bits.terms, sort, zero, entries);
                model.set(&self.bits.terms, array, Value::Array(value.into()));
            }
        }
        model
    }
}

/// The next number of a sequence that looks random.
pub fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
