//! Where objects and functions lie.
//!
//! ```text
//!   0            nothing: null and its neighbours, a page
//!   FUNCTIONS    one address for each function, 16 apart; nothing is stored there
//!   OBJECTS      objects, each after the last with a gap; an address is not used twice
//! ```
//!
//! A trace may ask for addresses; from the first such demand on, every new object is checked
//! against the live ones. When the address space is used up (which takes a 32-bit machine and a
//! very long run), gaps between live objects are used again.

use super::{Fault, Memory, live_objects};

/// Address of the first function: no address of a 64-bit machine fits 32 bits.
const fn first_function(pointer_bits: u32) -> u64 {
    match pointer_bits {
        64 => 0x1_0040_1000,
        _ => 0x1000,
    }
}

/// Bytes between functions.
const FUNCTION_STEP: u64 = 16;

/// Bytes that stay free before each object.
const GAP: u64 = 16;

#[derive(Clone, Debug)]
pub(super) struct Places {
    /// Where the next object goes at the earliest.
    next: u64,
    /// First and last address for objects.
    range: (u64, u64),
    functions: usize,
    /// Have addresses been demanded or used again, so that overlaps are possible?
    crowded: bool,
}

impl Places {
    pub(super) fn new(pointer_bits: u32, functions: usize) -> Places {
        let range = match pointer_bits {
            ..=16 => (0x100, 0xff00),
            17..=32 => (0x4000_0000, 0xffff_0000),
            _ => (0x5000_1000_0000, 0x7fff_ffff_ffff_0000),
        };
        Places {
            next: range.0,
            range,
            functions,
            crowded: false,
        }
    }
}

/// The address of a function.
pub(crate) fn function_address(pointer_bits: u32, index: usize) -> u64 {
    first_function(pointer_bits) + FUNCTION_STEP * index as u64
}

impl Memory {
    /// The function at an address.
    pub fn function_at(&self, address: u64) -> Option<usize> {
        let distance = address.checked_sub(first_function(self.pointer_bits))?;
        let index = (distance / FUNCTION_STEP) as usize;
        let exact = distance % FUNCTION_STEP == 0 && index < self.places.functions;
        exact.then_some(index)
    }

    pub(super) fn choose_address(
        &mut self,
        size: u64,
        align: u64,
        demanded: Option<u64>,
    ) -> Result<u64, Fault> {
        let align = align.max(1);
        if let Some(address) = demanded {
            self.check_demanded(address, size, align)?;
            self.places.crowded = true;
            return Ok(address);
        }
        // Differences of pointers have a sign.
        if size > self.top() / 2 {
            let why = "no object takes more than half of the address space";
            return Err(Fault::Full(format!("an object of {size} bytes: {why}")));
        }
        let (start, end) = self.places.range;
        let fits = |from: u64| {
            let base = from.checked_next_multiple_of(align)?;
            (base.checked_add(size)? <= end).then_some(base)
        };
        let full = || Fault::Full("the address space is used up".to_string());
        let mut base = match fits(self.places.next) {
            Some(base) => base,
            None => {
                self.places.crowded = true;
                fits(start).ok_or_else(full)?
            }
        };
        while self.places.crowded {
            let Some(after) = self.obstacle(base, size) else {
                break;
            };
            base = fits(after.saturating_add(GAP)).ok_or_else(full)?;
        }
        self.places.next = (base + size).saturating_add(GAP);
        Ok(base)
    }

    /// The end of a live object that overlaps or touches the range, if there is one.
    fn obstacle(&mut self, base: u64, size: u64) -> Option<u64> {
        let objects = &self.objects;
        let map = self.by_address.get_or_insert_with(|| live_objects(objects));
        let (_, &number) = map.range(..=base.saturating_add(size)).next_back()?;
        let other = &objects[number as usize];
        let end = other.base + other.size;
        (end >= base).then_some(end)
    }

    /// The last address.
    fn top(&self) -> u64 {
        match self.pointer_bits {
            64.. => u64::MAX,
            bits => (1 << bits) - 1,
        }
    }

    fn check_demanded(&mut self, address: u64, size: u64, align: u64) -> Result<(), Fault> {
        let top = self.top();
        let misplaced = |why: String| {
            Err(Fault::Misplaced(format!(
                "an object of {size} bytes cannot be at {address:#x}: {why}"
            )))
        };
        if address == 0 {
            return misplaced("that is null".to_string());
        }
        if address % align != 0 {
            return misplaced(format!("it is aligned to {align}"));
        }
        // Differences of pointers have a sign.
        if size > top / 2 {
            return misplaced("no object takes more than half of the address space".to_string());
        }
        // The address one past the end must exist too.
        if address > top || top - address < size {
            return misplaced("it would leave the address space".to_string());
        }
        let functions_end = function_address(self.pointer_bits, self.places.functions);
        if address < functions_end && address + size > first_function(self.pointer_bits) {
            return misplaced("functions are there".to_string());
        }
        self.check_vacant(address, size)
    }

    /// May another object have come to lie where a dead one was?
    pub(super) fn is_crowded(&self) -> bool {
        self.places.crowded
    }

    /// No live object may overlap the range.
    pub(super) fn check_vacant(&mut self, base: u64, size: u64) -> Result<(), Fault> {
        let objects = &self.objects;
        let map = self.by_address.get_or_insert_with(|| live_objects(objects));
        let below = map.range(..base.saturating_add(size.max(1))).next_back();
        let Some((_, &number)) = below else {
            return Ok(());
        };
        let other = &objects[number as usize];
        if other.base == base || other.base + other.size > base {
            return Err(Fault::Misplaced(format!(
                "an object of {size} bytes cannot be at {base:#x}: a live object of {} bytes is at {:#x}",
                other.size, other.base
            )));
        }
        Ok(())
    }
}
