//! The shadow of memory: which bits of a byte are not initialised.
//!
//! Only a module with `load_shadow` has one. An object's shadow is a list of runs of equal bytes,
//! so that setting or copying a range costs by the number of runs, not of bytes:
//!
//! ```text
//! offset  0        8            24
//!         |  0x00  |    0xff    |
//! ```

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{ANY_MEMORY, Fault, Memory, Pointer};

/// The shadows of all objects that have one; an object without has zeros.
pub type Shadows = FxHashMap<u32, Shadow>;

/// The shadow of an object.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Shadow {
    /// Start of a run to its end and byte. Between runs there are zeros.
    runs: BTreeMap<u64, (u64, u8)>,
}

impl Shadow {
    /// The byte at an offset.
    pub fn get(&self, offset: u64) -> u8 {
        match self.runs.range(..=offset).next_back() {
            Some((_, &(end, byte))) if offset < end => byte,
            _ => 0,
        }
    }

    /// Sets a range to one byte.
    pub fn set(&mut self, start: u64, end: u64, byte: u8) {
        if start >= end {
            return;
        }
        let inside = self.runs.range(start..end).map(|(&start, _)| start);
        let gone: Vec<u64> = inside.collect();
        let before = self.runs.range(..start).next_back();
        if let Some((&first, &(last, old))) = before.filter(|(_, (last, _))| *last > start) {
            self.runs.insert(first, (start, old));
            if last > end {
                self.runs.insert(end, (last, old));
            }
        }
        for first in gone {
            let (last, old) = self.runs.remove(&first).expect("a run that was found");
            if last > end {
                self.runs.insert(end, (last, old));
            }
        }
        if byte != 0 {
            self.runs.insert(start, (end, byte));
        }
    }

    /// The runs in a range, cut to it: start, end, byte.
    fn within(&self, start: u64, end: u64) -> Vec<(u64, u64, u8)> {
        let first = self.runs.range(..=start).next_back();
        let from = first.map_or(start, |(&first, _)| first);
        self.runs
            .range(from..end)
            .map(|(&first, &(last, byte))| (first.max(start), last.min(end), byte))
            .filter(|(first, last, _)| first < last)
            .collect()
    }
}

impl Memory {
    /// From now on there are shadows.
    pub(crate) fn keep_shadows(&mut self) {
        self.shadows = Some(Shadows::default());
    }

    /// The pointer's object is new: nothing of it is initialised, or all of it.
    pub(crate) fn new_shadow(&mut self, pointer: Pointer, byte: u8) {
        let Some(number) = self.owner(pointer) else {
            return;
        };
        let size = self.objects[number as usize].size;
        if let Some(shadows) = &mut self.shadows {
            let shadow = shadows.entry(number).or_default();
            shadow.runs.clear();
            shadow.set(0, size, byte);
        }
    }

    /// The object has no shadow any more: its number may be another's soon.
    pub(super) fn drop_shadow(&mut self, number: u32) {
        if let Some(shadows) = &mut self.shadows {
            shadows.remove(&number);
        }
    }

    /// All of an object is initialised.
    pub(crate) fn clear_object_shadow(&mut self, number: u32) {
        self.drop_shadow(number);
    }

    /// Some bytes are initialised.
    pub(crate) fn clear_shadow(&mut self, pointer: Pointer, len: u64) {
        if self.shadows.is_none() || len == 0 {
            return;
        }
        if let Ok((number, offset)) = self.locate(pointer, len, ANY_MEMORY) {
            self.set_shadow(number, offset, len, 0);
        }
    }

    fn set_shadow(&mut self, number: u32, offset: u64, len: u64, byte: u8) {
        let shadows = self.shadows.as_mut();
        if let Some(shadow) = shadows.and_then(|shadows| shadows.get_mut(&number)) {
            shadow.set(offset, offset + len, byte);
        } else if let (Some(shadows), true) = (&mut self.shadows, byte != 0) {
            shadows
                .entry(number)
                .or_default()
                .set(offset, offset + len, byte);
        }
    }

    /// A copy is initialised where its source is.
    pub(crate) fn copy_shadow(&mut self, dst: Pointer, src: Pointer, len: u64) {
        if self.shadows.is_none() || len == 0 {
            return;
        }
        let Ok((to, at)) = self.locate(dst, len, ANY_MEMORY) else {
            return;
        };
        let mut runs = Vec::new();
        if let Ok((from, start)) = self.locate(src, len, ANY_MEMORY) {
            let shadows = self.shadows.as_ref();
            if let Some(shadow) = shadows.and_then(|shadows| shadows.get(&from)) {
                runs = shadow.within(start, start + len);
                for (first, last, _) in &mut runs {
                    *first = *first - start + at;
                    *last = *last - start + at;
                }
            }
        }
        self.set_shadow(to, at, len, 0);
        for (first, last, byte) in runs {
            self.set_shadow(to, first, last - first, byte);
        }
    }

    /// Reads the shadow of some bytes; zeros outside a live object.
    pub(crate) fn load_shadow(
        &mut self,
        pointer: Pointer,
        out: &mut [u8],
        memory: u32,
    ) -> Result<(), Fault> {
        out.fill(0);
        let (number, offset) = match self.locate(pointer, out.len() as u64, memory) {
            Err(Fault::Outside) => return Ok(()),
            other => other?,
        };
        let shadows = self.shadows.as_ref();
        if let Some(shadow) = shadows.and_then(|shadows| shadows.get(&number)) {
            for (index, byte) in out.iter_mut().enumerate() {
                *byte = shadow.get(offset + index as u64);
            }
        }
        Ok(())
    }

    /// Writes the shadow of some bytes; nothing outside a live object.
    pub(crate) fn store_shadow(
        &mut self,
        pointer: Pointer,
        bytes: &[u8],
        memory: u32,
    ) -> Result<(), Fault> {
        let (number, offset) = match self.locate(pointer, bytes.len() as u64, memory) {
            Err(Fault::Outside) => return Ok(()),
            other => other?,
        };
        for (index, &byte) in bytes.iter().enumerate() {
            self.set_shadow(number, offset + index as u64, 1, byte);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Shadow;

    /// Runs behave like an array of bytes.
    #[test]
    fn runs_are_bytes() {
        let mut state = 12345u64;
        let mut next = |limit: u64| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) % limit
        };
        for _ in 0..50 {
            let mut shadow = Shadow::default();
            let mut bytes = [0u8; 40];
            for _ in 0..60 {
                let (start, byte) = (next(40), [0, 0xff, 0x0f][next(3) as usize]);
                let end = start + next(41 - start);
                shadow.set(start, end, byte);
                bytes[start as usize..end as usize].fill(byte);
                let seen: Vec<u8> = (0..40).map(|offset| shadow.get(offset)).collect();
                assert_eq!(seen, bytes);
                let (from, to) = (next(20), 20 + next(20));
                let mut part = [0u8; 40];
                for (first, last, byte) in shadow.within(from, to) {
                    part[first as usize..last as usize].fill(byte);
                }
                let (from, to) = (from as usize, to as usize);
                assert_eq!(part[from..to], bytes[from..to]);
                assert!(
                    part[..from]
                        .iter()
                        .chain(&part[to..])
                        .all(|&byte| byte == 0)
                );
            }
        }
    }
}
