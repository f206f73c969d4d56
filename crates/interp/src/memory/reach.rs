//! What can be reached: leaks, what unknown code may change, and records that can be dropped.
//!
//! A pointer in memory leads to the object of its provenance. Bytes that are no whole pointer lead
//! by address, as they would when a pointer is loaded from them: pointers that were copied as
//! integers still count. Every offset is looked at, for packed structures.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use super::chunk::pointee_of;
use super::{Memory, ObjectKind, PAGE, RECORD, Store, live_objects};

impl Memory {
    /// Numbers of the live objects that a set of objects leads to, itself included, in ascending
    /// order. `enter` says which objects' contents are followed.
    pub fn closure(
        &self,
        roots: impl IntoIterator<Item = u32>,
        enter: impl Fn(&super::Object) -> bool,
    ) -> Vec<u32> {
        let map = self.address_map();
        let mut seen = vec![false; self.objects.len()];
        let mut work: Vec<u32> = Vec::new();
        let visit = |number: u32, seen: &mut Vec<bool>, work: &mut Vec<u32>| {
            let index = number as usize;
            if number != 0 && self.objects[index].alive && !seen[index] {
                seen[index] = true;
                work.push(number);
            }
        };
        for root in roots {
            visit(root, &mut seen, &mut work);
        }
        while let Some(number) = work.pop() {
            if enter(&self.objects[number as usize]) {
                self.pointees(number, &map, |target| visit(target, &mut seen, &mut work));
            }
        }
        let reached = seen.iter().enumerate().filter(|&(_, &seen)| seen);
        reached.map(|(number, _)| number as u32).collect()
    }

    /// Is every live heap object reachable from a live global or stack object? Considers only
    /// objects that `sees` accepts.
    pub fn all_tracked(&self, sees: impl Fn(&super::Object) -> bool) -> bool {
        let roots: Vec<u32> = self
            .live()
            .filter(|&number| {
                let object = &self.objects[number as usize];
                object.kind != ObjectKind::Heap && sees(object)
            })
            .collect();
        let reached = self.closure(roots, &sees);
        let count = |numbers: &mut dyn Iterator<Item = u32>| {
            numbers
                .filter(|&number| {
                    let object = &self.objects[number as usize];
                    object.kind == ObjectKind::Heap && sees(object)
                })
                .count()
        };
        count(&mut reached.into_iter()) == count(&mut self.live())
    }

    /// A live heap object that no live global or stack object leads to, for messages.
    pub fn untracked(&self) -> Option<u32> {
        let roots: Vec<u32> = self
            .live()
            .filter(|&number| self.objects[number as usize].kind != ObjectKind::Heap)
            .collect();
        let reached = self.closure(roots, |_| true);
        let mut lost = self.live().filter(|number| {
            self.objects[*number as usize].kind == ObjectKind::Heap
                && reached.binary_search(number).is_err()
        });
        lost.next()
    }

    /// Does a live global or stack object, or one of these, lead to an object?
    pub(crate) fn is_led_to(&self, number: u32, besides: &[u32]) -> bool {
        let own = self
            .live()
            .filter(|&root| self.objects[root as usize].kind != ObjectKind::Heap);
        let roots: Vec<u32> = own.chain(besides.iter().copied()).collect();
        self.closure(roots, |_| true).binary_search(&number).is_ok()
    }

    /// The live objects.
    pub fn live(&self) -> impl Iterator<Item = u32> + '_ {
        let all = self.objects.iter().enumerate();
        all.filter(|(_, object)| object.alive)
            .map(|(number, _)| number as u32)
    }

    /// The objects that pointers in an object's bytes lead to.
    fn pointees(&self, number: u32, map: &BTreeMap<u64, u32>, mut found: impl FnMut(u32)) {
        let width = (self.pointer_bits / 8) as usize;
        let object = &self.objects[number as usize];
        if object.size < width as u64 {
            return;
        }
        match &object.store {
            Store::Gone => {}
            Store::Flat(_) => self.scan(number, 0..object.size, width, map, &mut found),
            Store::Pages(pages) => {
                // Bytes of absent pages are all the same or were never looked at; only listed ones
                // could be a pointer, which a trace would have to contrive.
                let mut numbers: Vec<u64> = pages.own.keys().copied().collect();
                numbers.sort_unstable();
                for page in numbers {
                    let start = (page * PAGE).saturating_sub(width as u64 - 1);
                    let end = ((page + 1) * PAGE + width as u64 - 1).min(object.size);
                    self.scan(number, start..end, width, map, &mut found);
                }
            }
        }
    }

    /// The live objects by address.
    fn address_map(&self) -> Cow<'_, BTreeMap<u64, u32>> {
        match &self.by_address {
            Some(map) => Cow::Borrowed(map),
            None => Cow::Owned(live_objects(&self.objects)),
        }
    }

    /// Looks for pointers at every offset whose bytes all lie in a range.
    fn scan(
        &self,
        number: u32,
        range: Range<u64>,
        width: usize,
        map: &BTreeMap<u64, u32>,
        found: &mut impl FnMut(u32),
    ) {
        let (Some((&low, _)), Some((_, &last))) = (map.first_key_value(), map.last_key_value())
        else {
            return;
        };
        let last = &self.objects[last as usize];
        let high = last.base + last.size;
        let shift = 64 - 8 * width as u32;
        // The last `width` bytes, newest on top, and their provenance.
        let mut word = 0u64;
        let mut words = [0u32; 8];
        for offset in range.clone() {
            let Some((byte, provenance)) = self.peek(number, offset) else {
                return;
            };
            word = word >> 8 | u64::from(byte) << 56;
            words.copy_within(1.., 0);
            words[7] = provenance;
            if offset + 1 - range.start < width as u64 {
                continue;
            }
            let target = pointee_of(&words[8 - width..]);
            if target != 0 {
                found(target);
                continue;
            }
            let address = word >> shift;
            if address < low || address > high {
                continue;
            }
            if let Some((&base, &candidate)) = map.range(..=address).next_back() {
                if address - base < self.objects[candidate as usize].size {
                    found(candidate);
                }
            }
        }
    }

    /// Would dropping unreachable records pay?
    #[inline]
    pub fn wants_collection(&self) -> bool {
        self.objects.len() - self.free.len() > self.collect_at
    }

    /// Drops the records of dead objects that no pointer names: neither one of `roots` (numbers,
    /// or anything that might be one) nor one in memory.
    pub fn collect(&mut self, roots: impl IntoIterator<Item = u64>) {
        let mut keep: Vec<bool> = self.objects.iter().map(|object| object.alive).collect();
        keep[0] = true;
        for root in roots {
            if let Some(slot) = usize::try_from(root).ok().and_then(|n| keep.get_mut(n)) {
                *slot = true;
            }
        }
        for object in &self.objects {
            object.store.each_provenance(|word| {
                if let Some(slot) = keep.get_mut((word >> 3) as usize) {
                    *slot = true;
                }
            });
        }
        let mut vacant = vec![false; self.objects.len()];
        for &number in &self.free {
            vacant[number as usize] = true;
        }
        for number in (0..self.objects.len()).rev() {
            if !keep[number] && !vacant[number] {
                self.free.push(number as u32);
                self.used -= RECORD;
                let object = &mut self.objects[number];
                object.size = 0;
                object.origin = super::Origin::default();
            }
        }
        let kept = self.objects.len() - self.free.len();
        self.collect_at = (2 * kept).max(1 << 16);
    }
}

impl Store {
    fn each_provenance(&self, mut visit: impl FnMut(u32)) {
        let mut each = |chunk: &super::Chunk| {
            if let Some(words) = &chunk.provenance {
                words.iter().copied().for_each(&mut visit);
            }
        };
        match self {
            Store::Gone => {}
            Store::Flat(chunk) => each(chunk),
            #[allow(
                clippy::iter_over_hash_type,
                reason = "marks do not depend on the order"
            )]
            Store::Pages(pages) => {
                for chunk in pages.own.values() {
                    each(chunk);
                }
            }
        }
    }
}
