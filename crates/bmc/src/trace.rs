//! From a model to the choices of one execution.

use std::collections::BTreeMap;

use encode::eval::{Choice, Chosen, Vc};
use encode::memory::Unknown;
use results::trace::{Event, Trace};
use terms::{Evaluator, Model, Term, Value};

/// Reads the choices before an instance that its execution makes.
pub struct Reader<'a, 'v> {
    vc: &'v Vc<'a>,
    values: Evaluator<'v>,
}

impl<'a, 'v> Reader<'a, 'v> {
    /// For a model of the evaluation's terms.
    pub fn new(vc: &'v Vc<'a>, model: &'v Model) -> Self {
        Reader {
            vc,
            values: Evaluator::new(vc.world.terms, model),
        }
    }

    /// Does the Boolean term hold?
    pub fn holds(&mut self, term: Term) -> bool {
        self.values.eval(term).expect_bool()
    }

    /// The events of the execution, from the first `count` choices.
    pub fn trace(&mut self, count: usize) -> Trace {
        let vc = self.vc;
        let mut events = Vec::new();
        for Choice { reached, what, .. } in &vc.choices[..count] {
            if !self.holds(*reached) {
                continue;
            }
            events.push(match *what {
                Chosen::Value(term) => Event::Value(self.bits(term)),
                Chosen::Object(object, unknown) => {
                    let size = self.number(vc.world.objects[object].size);
                    Event::Object {
                        address: self.number(vc.world.objects[object].base),
                        bytes: unknown.map_or_else(Vec::new, |unknown| self.bytes(unknown, size)),
                    }
                }
                Chosen::Bytes(unknown) => Event::Bytes(self.bytes(unknown, None)),
                Chosen::Clobber(number) => {
                    let mut changes = Vec::new();
                    for &(object, unknown) in &vc.clobbers[number as usize] {
                        if object == encode::pointer::NOWHERE {
                            changes.extend(self.unknown_bytes(unknown));
                            continue;
                        }
                        let base = self.number(vc.world.objects[object].base).unwrap_or(0);
                        let size = self.number(vc.world.objects[object].size).unwrap_or(0);
                        let bytes = self.bytes(unknown, Some(size));
                        changes.extend(
                            bytes
                                .iter()
                                .filter(|(at, _)| *at < size)
                                .map(|(at, byte)| (base + at, *byte)),
                        );
                    }
                    Event::Clobber(changes)
                }
            });
        }
        Trace { events }
    }

    /// What memory that belongs to no object holds at the start.
    pub fn unknown(&mut self) -> Option<interp::choices::Fill> {
        let unknown = self.vc.unknown_memory?;
        let bytes = self.unknown_bytes(unknown);
        Some(interp::choices::Fill::listed(&bytes))
    }

    /// The bytes of memory that belongs to no object, by address, wherever it was read.
    fn unknown_bytes(&mut self, unknown: Unknown) -> Vec<(u64, u8)> {
        let vc = self.vc;
        let mut found: BTreeMap<u64, u8> = self.bytes(unknown, None).into_iter().collect();
        let contents = &vc.world.unknowns[unknown];
        for &(at, len) in &vc.unknown_reads {
            if let (Some(at), Some(len)) = (self.number(at), self.number(len)) {
                let terms = &*vc.world.terms;
                let list = contents.read_back_range(terms, &mut self.values, (at, len));
                for (address, byte) in list {
                    found.entry(address).or_insert(byte);
                }
            }
        }
        // An address in an object that can be found by it is that object's.
        let mut taken = Vec::new();
        for &object in &vc.world.exposed {
            let info = &vc.world.objects[object];
            if let (Some(base), Some(size)) = (self.number(info.base), self.number(info.size)) {
                taken.push((base, size));
            }
        }
        found.retain(|&address, _| {
            let own = |&(base, size): &(u64, u64)| address.wrapping_sub(base) < size;
            address >= 4096 && !taken.iter().any(own)
        });
        found.into_iter().collect()
    }

    /// Addresses and unknown bytes of globals.
    pub fn globals(&mut self) -> Vec<interp::config::GlobalChoice> {
        let vc = self.vc;
        let mut list = Vec::new();
        for (global, &object) in vc.world.global_objects.iter() {
            let bytes = match vc.world.global_unknown(global) {
                Some(unknown) => self.bytes(unknown, None),
                None => Vec::new(),
            };
            let address = self.number(vc.world.objects[object].base);
            list.push(interp::config::GlobalChoice {
                global,
                address,
                bytes,
            });
        }
        list
    }

    /// The bits that a scalar is.
    pub(crate) fn bits(&mut self, term: Term) -> base::Bv {
        match self.values.eval(term) {
            Value::Bool(value) => base::Bv::from_u64(value.into(), 1),
            Value::Bv(bits) => bits,
            other => unreachable!("a choice is a bit-vector, not {other:?}"),
        }
    }

    /// The number that a bit-vector is, if it is not too wide.
    pub fn number(&mut self, term: Term) -> Option<u64> {
        self.bits(term).to_u64()
    }

    /// The bytes of unknown contents that the evaluation looked at, by offset; of an array whose
    /// elements are not 0 by default, as many as the object has.
    pub fn bytes(&mut self, unknown: Unknown, size: Option<u64>) -> Vec<(u64, u8)> {
        let contents = &self.vc.world.unknowns[unknown];
        contents
            .read_back(&mut self.values, size)
            .into_iter()
            .collect()
    }
}
