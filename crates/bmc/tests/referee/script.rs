//! Choices for an execution, made as the formula asks for them.
//!
//! The formula lists its choices in the order of execution, each with when it is made. Whenever the
//! interpreter asks for one, the next that is made under what was chosen so far is given a value at
//! random, which goes into the model as well: the model is the execution, as the formula sees it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use base::Bv;
use encode::eval::{Chosen, Vc};
use encode::memory::Unknown;
use encode::pointer::{NOWHERE, Object};
use golden::rng::Rng;
use interp::choices::{Choices, Fill, ObjectChoice, Refusal, Seed};
use interp::config::GlobalChoice;
use results::trace::Event;
use terms::{Evaluator, Model, Op, Sort, Term, Terms, Value};

/// See the module.
pub struct Script<'v, 'a> {
    pub vc: &'v Vc<'a>,
    pub model: Model,
    /// The choices that were made, by number.
    pub taken: Vec<usize>,
    /// What unknown contents were filled with, by name.
    pub fills: BTreeMap<String, (Fill, Extent)>,
    /// What memory that belongs to no object holds at the start.
    pub nowhere: Option<Fill>,
    /// Heap objects that were freed, by address: whose place may be taken again.
    pub freed: Rc<RefCell<BTreeSet<u64>>>,
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

/// How much of unknown contents counts.
#[derive(Clone, Debug)]
pub enum Extent {
    /// So many bytes from the start.
    Bytes(u64),
    /// These addresses: of memory that belongs to no object.
    Addresses(Vec<u64>),
}

impl<'v, 'a> Script<'v, 'a> {
    pub fn new(vc: &'v Vc<'a>, seed: u64) -> Script<'v, 'a> {
        let mut script = Script {
            vc,
            model: Model::new(),
            taken: Vec::new(),
            fills: BTreeMap::new(),
            nowhere: None,
            freed: Rc::default(),
            events: Vec::new(),
            placed: Vec::new(),
            vague: false,
            next: 0,
            seed: Seed::new(seed),
            rng: Rng::new(seed ^ 0x5c21),
            address: 0x20_0000,
        };
        script.place_starts();
        if let Some(unknown) = vc.unknown_memory {
            script.nowhere = Some(script.fill_nowhere(unknown));
        }
        script
    }

    /// Memory that belongs to no object gets bytes at the addresses where programs look for it.
    fn fill_nowhere(&mut self, unknown: Unknown) -> Fill {
        let ranges = golden::random::nowhere(self.vc.world.pointer_bits);
        let addresses: Vec<u64> = ranges
            .flat_map(|(first, count)| first..first + count)
            .filter(|&address| address >= 4096)
            .collect();
        let byte = |script: &mut Self, address: u64| (address, script.rng.next_u64() as u8);
        let bytes: Vec<(u64, u8)> = addresses
            .iter()
            .map(|&address| byte(self, address))
            .collect();
        let fill = Fill::listed(&bytes);
        self.fill(unknown, fill.clone(), Extent::Addresses(addresses));
        fill
    }

    pub fn terms(&self) -> &'v Terms {
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
                self.fill(unknown, fill, Extent::Bytes(size));
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
    pub fn place(&mut self, object: Object, size: u64) -> u64 {
        let terms = self.terms();
        let base = self.vc.world.objects[object].base;
        if self.vc.world.is_free() {
            let align = self.alignment(base);
            let address = self.take_again(size, align).unwrap_or_else(|| {
                let gap = self.rng.below(3) * 16;
                let address = (self.address + gap).next_multiple_of(align);
                self.address = address + size.max(1);
                address
            });
            self.put_base(base, address);
        }
        let value = Evaluator::new(terms, &self.model).eval(base);
        let address = value.expect_bv().to_u64().expect("an address fits");
        self.placed.push((object, address, size));
        address
    }

    /// The place of an object that was freed, now and then.
    fn take_again(&mut self, size: u64, align: u64) -> Option<u64> {
        if self.rng.one_in(3) {
            return None;
        }
        let room = |address: u64| {
            let mut there = self.placed.iter().filter(|(_, base, _)| *base == address);
            there.any(|&(_, _, room)| size <= room)
        };
        let fits = |address: &u64| address % align == 0 && room(*address);
        let found = self.freed.borrow().iter().copied().find(fits)?;
        self.freed.borrow_mut().remove(&found);
        Some(found)
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
    pub fn take(&mut self, asked: &str) -> Result<&'v Chosen, Refusal> {
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

    pub fn mismatch<T>(&self, asked: &str) -> Result<T, Refusal> {
        let index = self.taken.last().copied().unwrap_or(0);
        let choice = &self.vc.choices[index];
        Err(Refusal::Mismatch(format!(
            "the execution asks for {asked}, choice {index} is {:?}",
            choice.what
        )))
    }

    pub fn assign(&mut self, term: Term, bits: &Bv) {
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

    /// Unknown contents get these bytes.
    pub fn fill(&mut self, unknown: Unknown, fill: Fill, extent: Extent) {
        let vc = self.vc;
        let data = &vc.world.unknowns[unknown];
        put_contents(self.terms(), &mut self.model, data, &fill, &extent);
        self.fills.insert(data.name().to_owned(), (fill, extent));
    }
}

/// The model of unknown contents: its variables, and its array if there is one.
pub fn put_contents(
    terms: &Terms,
    model: &mut Model,
    data: &encode::memory::UnknownBytes,
    fill: &Fill,
    extent: &Extent,
) {
    let byte = |at| fill.byte(at);
    match extent {
        Extent::Bytes(size) => data.put(terms, model, byte, 0..*size),
        Extent::Addresses(list) => data.put(terms, model, byte, list.iter().copied()),
    }
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
                self.fill(unknown, fill.clone(), Extent::Bytes(size));
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
        self.fill(unknown, fill.clone(), Extent::Bytes(len));
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
            if object == NOWHERE {
                left.remove(&0);
                if let Fill::Listed(bytes) = self.fill_nowhere(unknown) {
                    changes.extend(bytes);
                }
                continue;
            }
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
            self.fill(unknown, fill, Extent::Bytes(size));
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
