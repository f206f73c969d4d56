//! Choices for an execution, made as the formula asks for them.
//!
//! The formula lists its choices in the order of execution, each with when it is made. Whenever the
//! interpreter asks for one, the next that is made under what was chosen so far is given a value at
//! random, which goes into the model as well: the model is the execution, as the formula sees it.

use std::collections::BTreeMap;

use base::Bv;
use checks::trace::Event;
use encode::eval::{Chosen, Vc};
use encode::memory::{Piece, Scalar, Unknown};
use encode::pointer::Object;
use golden::rng::Rng;
use interp::choices::{Choices, Fill, ObjectChoice, Refusal, Seed};
use interp::config::GlobalChoice;
use terms::{ArrayValue, Evaluator, Model, Op, Sort, Term, Terms, Value};

/// See the module.
pub struct Script<'v, 'a> {
    pub vc: &'v Vc<'a>,
    pub model: Model,
    /// The choices that were made, by number.
    pub taken: Vec<usize>,
    /// What unknown contents were filled with, by name.
    pub fills: BTreeMap<String, (Fill, u64)>,
    /// The events of the execution, one for each choice.
    pub events: Vec<Event>,
    /// Where objects were placed, and how large they are.
    pub placed: Vec<(Object, u64, u64)>,
    /// Does the formula know less than the execution, so that the model need not fit?
    pub vague: bool,
    next: usize,
    seed: Seed,
    rng: Rng,
    /// With free bases: where the next object goes.
    address: u64,
}

impl<'v, 'a> Script<'v, 'a> {
    pub fn new(vc: &'v Vc<'a>, seed: u64) -> Script<'v, 'a> {
        let mut script = Script {
            vc,
            model: Model::new(),
            taken: Vec::new(),
            fills: BTreeMap::new(),
            events: Vec::new(),
            placed: Vec::new(),
            vague: false,
            next: 0,
            seed: Seed::new(seed),
            rng: Rng::new(seed ^ 0x5c21),
            address: 0x20_0000,
        };
        script.place_starts();
        script
    }

    fn terms(&self) -> &'v Terms {
        let vc: &'v Vc<'a> = self.vc;
        &*vc.world.terms
    }

    /// Where heap and stack begin, if that is anywhere: a multiple of a large power of two.
    fn place_starts(&mut self) {
        let terms = self.terms();
        for index in 0..terms.len() {
            let term = Term::from_index(index);
            let name = terms.var_name(term).unwrap_or("");
            if name.starts_with("heap!") || name.starts_with("stack!") {
                let width = terms.width(term);
                let (unit, range) = if width == 64 { (20, 40) } else { (16, 24) };
                let start = self.rng.below(1 << (range - unit)) << unit;
                let value = Value::Bv(Bv::from_u64(start, width));
                self.model.set(terms, term, value);
            }
        }
        let vc = self.vc;
        for (index, &object) in vc.world.function_objects.values().enumerate() {
            if vc.world.is_free() {
                let address = 0x1000 + 16 * index as u64;
                self.put_base(vc.world.objects[object].base, address);
            }
        }
    }

    /// Addresses and unknown bytes of globals.
    pub fn globals(&mut self) -> Vec<GlobalChoice> {
        let vc = self.vc;
        let mut list = Vec::new();
        for (global, &object) in vc.world.global_objects.iter() {
            let size = vc.world.module.globals[global].size;
            let mut bytes = Vec::new();
            if let Some(unknown) = vc.world.global_unknown(global) {
                let fill = Fill::Seeded(self.rng.next_u64());
                bytes = (0..size).map(|at| (at, fill.byte(at))).collect();
                self.fill(unknown, fill, size);
            }
            let address = Some(self.place(object, size));
            list.push(GlobalChoice {
                global,
                address,
                bytes,
            });
        }
        list
    }

    /// The address of an object; with free bases it gets one now.
    fn place(&mut self, object: Object, size: u64) -> u64 {
        let terms = self.terms();
        let base = self.vc.world.objects[object].base;
        if self.vc.world.is_free() {
            let gap = self.rng.below(3) * 16;
            let address = (self.address + gap).next_multiple_of(self.alignment(base));
            self.address = address + size.max(1);
            self.put_base(base, address);
        }
        let value = Evaluator::new(terms, &self.model).eval(base);
        let address = value.expect_bv().to_u64().expect("an address fits");
        self.placed.push((object, address, size));
        address
    }

    fn alignment(&self, base: Term) -> u64 {
        match self.terms().var_name(base) {
            Some(_) => 1,
            None => 1 << self.terms().width(self.terms().args(base)[1]),
        }
    }

    fn put_base(&mut self, base: Term, address: u64) {
        let terms = self.terms();
        let zeros = self.alignment(base).trailing_zeros();
        let var = match terms.var_name(base) {
            Some(_) => base,
            None => terms.args(base)[0],
        };
        let value = Bv::from_u64(address >> zeros, terms.width(var));
        self.model.set(terms, var, Value::Bv(value));
    }

    /// The next choice that the execution makes.
    fn take(&mut self, asked: &str) -> Result<&'v Chosen, Refusal> {
        let vc = self.vc;
        let mut values = Evaluator::new(self.terms(), &self.model);
        let mut holds = |term: Term| values.eval(term).expect_bool();
        let mut passed = 0;
        for index in self.next..vc.choices.len() {
            let choice = &vc.choices[index];
            while passed < choice.assumptions {
                let assumption = &vc.assumptions[passed];
                if holds(assumption.reached) && !holds(assumption.holds) {
                    let mut gaps = vc.gaps.iter().filter(|(gap, _)| gap.assumptions <= passed);
                    if gaps.any(|(gap, _)| holds(gap.reached) && !holds(gap.holds)) {
                        return Err(Refusal::Exhausted);
                    }
                    return Err(Refusal::Mismatch(format!(
                        "assumption {passed} of the formula fails, and yet the execution goes on and asks for {asked}"
                    )));
                }
                passed += 1;
            }
            if holds(choice.reached) {
                self.next = index + 1;
                self.taken.push(index);
                return Ok(&choice.what);
            }
        }
        Err(Refusal::Exhausted)
    }

    fn mismatch<T>(&self, asked: &str) -> Result<T, Refusal> {
        let index = self.taken.last().copied().unwrap_or(0);
        let choice = &self.vc.choices[index];
        Err(Refusal::Mismatch(format!(
            "the execution asks for {asked}, choice {index} is {:?}",
            choice.what
        )))
    }

    fn assign(&mut self, term: Term, bits: &Bv) {
        let terms = self.terms();
        let (var, bits) = match terms.op(term) {
            // A value of fewer bits than the bytes that it was read from.
            Op::Extract { .. } => {
                let var = terms.args(term)[0];
                (var, bits.zext_or_trunc(terms.width(var)))
            }
            _ => (term, bits.clone()),
        };
        assert!(terms.var_name(var).is_some(), "a choice is a variable");
        let value = match terms.sort(var) {
            Sort::Bool => Value::Bool(!bits.is_zero()),
            _ => Value::Bv(bits),
        };
        self.model.set(terms, var, value);
    }

    /// Unknown contents of that many bytes get these.
    fn fill(&mut self, unknown: Unknown, fill: Fill, size: u64) {
        let vc = self.vc;
        let data = &vc.world.unknowns.list[unknown];
        put_contents(self.terms(), &mut self.model, data, &fill, size);
        self.fills.insert(data.name.clone(), (fill, size));
    }
}

/// The model of unknown contents: its variables, and its array if there is one.
pub fn put_contents(
    terms: &Terms,
    model: &mut Model,
    data: &encode::memory::UnknownBytes,
    fill: &Fill,
    size: u64,
) {
    let pieces: BTreeMap<u64, &Piece> =
        data.pieces.iter().map(|(&at, piece)| (at, piece)).collect();
    for (at, piece) in pieces {
        if let Piece::Byte {
            scalar: Scalar::Bits(var),
            index: 0,
            width,
        } = *piece
            && terms.var_name(var).is_some()
        {
            let bits = number(fill, at, u32::from(width));
            model.set(terms, var, Value::Bv(bits));
        }
    }
    if let Some(array) = data.array {
        let sort = terms.sort(array);
        let Sort::BitVec(index) = terms.array_parts(sort).0 else {
            unreachable!("contents are indexed by numbers")
        };
        let word = u64::from(data.word);
        let entries = (0..size.div_ceil(word)).map(|entry| {
            let bits = number(fill, entry * word, data.word);
            (Value::Bv(Bv::from_u64(entry, index)), Value::Bv(bits))
        });
        let zero = Value::Bv(Bv::zero(data.word * 8));
        let value = ArrayValue::new(terms, sort, zero, entries);
        model.set(terms, array, Value::Array(value.into()));
    }
}

/// The bytes from an offset on as a number, the lowest first.
fn number(fill: &Fill, at: u64, width: u32) -> Bv {
    let bytes = (0..u64::from(width)).rev();
    let number = bytes.fold(0u128, |number, i| {
        number << 8 | u128::from(fill.byte(at.wrapping_add(i)))
    });
    Bv::from_u128(number, width * 8)
}

impl Choices for Script<'_, '_> {
    fn value(&mut self, width: u32) -> Result<Bv, Refusal> {
        let asked = format!("a value of {width} bits");
        let &Chosen::Value(term) = self.take(&asked)? else {
            return self.mismatch(&asked);
        };
        let terms = self.terms();
        let have = match terms.sort(term) {
            Sort::Bool => 1,
            _ => terms.width(term),
        };
        if have != width {
            return self.mismatch(&asked);
        }
        let bits = self.seed.value(width)?;
        self.assign(term, &bits);
        self.events.push(Event::Value(bits.clone()));
        Ok(bits)
    }

    fn object(&mut self, size: u64) -> Result<ObjectChoice, Refusal> {
        let asked = format!("an object of {size} bytes");
        let &Chosen::Object(object, unknown) = self.take(&asked)? else {
            return self.mismatch(&asked);
        };
        let vc = self.vc;
        let term = vc.world.objects[object].size;
        let value = Evaluator::new(self.terms(), &self.model).eval(term);
        if value.expect_bv().to_u64() != Some(size) {
            return Err(Refusal::Mismatch(format!(
                "the object has {size} bytes, and in the formula {value:?}"
            )));
        }
        // A scope that is entered again keeps its address.
        let again = self.taken[..self.taken.len() - 1].iter().any(
            |&index| matches!(vc.choices[index].what, Chosen::Object(other, _) if other == object),
        );
        let address = match again && vc.world.is_free() {
            true => {
                let base = vc.world.objects[object].base;
                let value = Evaluator::new(self.terms(), &self.model).eval(base);
                value.expect_bv().to_u64().expect("an address fits")
            }
            false => self.place(object, size),
        };
        let fill = match unknown {
            Some(unknown) => {
                let fill = Fill::Seeded(self.rng.next_u64());
                self.fill(unknown, fill.clone(), size);
                fill
            }
            None => Fill::Zero,
        };
        self.events.push(Event::Object {
            address: Some(address),
            bytes: (0..size).map(|at| (at, fill.byte(at))).collect(),
        });
        Ok(ObjectChoice {
            address: Some(address),
            fill,
        })
    }

    fn bytes(&mut self, len: u64) -> Result<Fill, Refusal> {
        let asked = format!("{len} bytes");
        let &Chosen::Bytes(unknown) = self.take(&asked)? else {
            return self.mismatch(&asked);
        };
        let fill = Fill::Seeded(self.rng.next_u64());
        self.fill(unknown, fill.clone(), len);
        let bytes = (0..len).map(|at| (at, fill.byte(at))).collect();
        self.events.push(Event::Bytes(bytes));
        Ok(fill)
    }

    fn clobber(&mut self, reach: &[(u64, u64)]) -> Result<Vec<(u64, u8)>, Refusal> {
        let asked = "changes by unknown code";
        let &Chosen::Clobber(number) = self.take(asked)? else {
            return self.mismatch(asked);
        };
        let vc = self.vc;
        let mut left: BTreeMap<u64, u64> = reach.iter().copied().collect();
        let mut changes = Vec::new();
        for &(object, unknown) in &vc.clobbers[number as usize] {
            let info = &vc.world.objects[object];
            let mut values = Evaluator::new(self.terms(), &self.model);
            let base = values.eval(info.base).expect_bv().to_u64();
            let size = values.eval(info.size).expect_bv().to_u64();
            let (base, size) = (base.expect("an address"), size.expect("a size"));
            if left.remove(&base) != Some(size) {
                // The formula lets unknown code change more: what it holds is not known here.
                self.vague = true;
                continue;
            }
            let fill = Fill::Seeded(self.rng.next_u64());
            changes.extend((0..size).map(|at| (base + at, fill.byte(at))));
            self.fill(unknown, fill, size);
        }
        left.retain(|_, size| *size > 0);
        // Bytes that nobody meant as an address may be one: those of the first objects are round, and
        // where addresses are data they are close to others.
        let wild = vc
            .world
            .module
            .globals
            .values()
            .any(|global| global.name == "slots");
        let chance = |base: u64| wild || base & 0xffff == 0;
        self.vague |= left.keys().any(|&base| chance(base));
        left.retain(|&base, _| !chance(base));
        if let Some((base, size)) = left.first_key_value() {
            return Err(Refusal::Mismatch(format!(
                "unknown code changes {size} bytes at {base:#x}, which the formula keeps"
            )));
        }
        self.events.push(Event::Clobber(changes.clone()));
        Ok(changes)
    }
}
