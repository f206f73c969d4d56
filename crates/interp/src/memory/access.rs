//! Reading and writing, and questions about pointers.
//!
//! The functions of one to eight bytes have a short common path: the pointer has its object, the
//! access lies inside it, the object is small, and its bytes are known. Everything else takes the
//! general path, byte by byte.

use super::chunk::{Chunk, Fresh, pointee_of};
use super::large::LARGE;
use super::{ANY_MEMORY, Fault, Memory, ObjectKind, PAGE, Pointer, Store};

use ir::syntax::Access;

/// What a recorded byte counts against the memory limit.
const OBSERVED: u64 = 24;

impl Memory {
    /// Reads `N` bytes.
    #[inline]
    pub fn load<const N: usize>(
        &mut self,
        pointer: Pointer,
        memory: u32,
    ) -> Result<[u8; N], Fault> {
        let object = &self.objects[pointer.object as usize];
        let offset = pointer.address.wrapping_sub(object.base);
        if offset < object.limit && object.limit - offset >= N as u64 && object.memory == memory {
            if let Store::Flat(chunk) = &object.store {
                if let Some(bytes) = chunk.read::<N>(offset as usize) {
                    return Ok(bytes);
                }
            }
        }
        let mut bytes = [0; N];
        self.load_slow(pointer, memory, &mut bytes)?;
        Ok(bytes)
    }

    /// Reads a pointer of `N` bytes.
    #[inline]
    pub fn load_pointer<const N: usize>(
        &mut self,
        pointer: Pointer,
        memory: u32,
    ) -> Result<Pointer, Fault> {
        let bytes = self.load::<N>(pointer, memory)?;
        let mut word = [0; 8];
        word[..N].copy_from_slice(&bytes);
        let address = u64::from_le_bytes(word);
        let object = &self.objects[pointer.object as usize];
        let offset = pointer.address.wrapping_sub(object.base);
        let pointee = match &object.store {
            Store::Flat(chunk) => chunk.pointee::<N>(offset as usize),
            Store::Pages(_) | Store::Gone => self.pointee_slow(pointer, N),
        };
        Ok(Pointer {
            address,
            object: pointee,
        })
    }

    /// Writes `N` bytes that belong to no pointer.
    #[inline]
    pub fn store<const N: usize>(
        &mut self,
        pointer: Pointer,
        bytes: [u8; N],
        memory: u32,
    ) -> Result<(), Fault> {
        let object = &mut self.objects[pointer.object as usize];
        let offset = pointer.address.wrapping_sub(object.base);
        if offset < object.limit && object.limit - offset >= N as u64 && object.memory == memory {
            if let Store::Flat(chunk) = &mut object.store {
                if chunk.write(offset as usize, bytes) {
                    object.modified = true;
                    return Ok(());
                }
            }
        }
        self.write(pointer, &bytes, memory)
    }

    /// Writes a pointer of `N` bytes.
    #[inline]
    pub fn store_pointer<const N: usize>(
        &mut self,
        pointer: Pointer,
        value: Pointer,
        memory: u32,
    ) -> Result<(), Fault> {
        let mut bytes = [0; N];
        bytes.copy_from_slice(&value.address.to_le_bytes()[..N]);
        self.store(pointer, bytes, memory)?;
        if value.object == 0 {
            return Ok(());
        }
        self.expose(value.object);
        let (number, offset) = self.locate(pointer, N as u64, memory)?;
        let object = &mut self.objects[number as usize];
        if let Store::Flat(chunk) = &mut object.store {
            let first = chunk.provenance.is_none();
            chunk.set_pointee(offset as usize, N, value.object);
            if first {
                let cost = 4 * chunk.bytes.len() as u64;
                self.reserve(cost)?;
            }
            return Ok(());
        }
        for index in 0..N as u64 {
            let word = value.object << 3 | index as u32;
            self.set_provenance(number, offset + index, word)?;
        }
        Ok(())
    }

    /// The object and offset of an access of `len` bytes (at least 1).
    pub(crate) fn locate(
        &mut self,
        pointer: Pointer,
        len: u64,
        memory: u32,
    ) -> Result<(u32, u64), Fault> {
        let Some(number) = self.owner(pointer) else {
            let address = pointer.address;
            return match self.unknown {
                Some(unknown) if self.is_unknown(address) => {
                    let room = self.objects[unknown as usize].size - address;
                    (len <= room)
                        .then_some((unknown, address))
                        .ok_or(Fault::Outside)
                }
                Some(_) | None => Err(Fault::Outside),
            };
        };
        let object = &self.objects[number as usize];
        if object.memory != memory && memory != ANY_MEMORY {
            return Err(Fault::Region(number));
        }
        let offset = pointer.address.wrapping_sub(object.base);
        if object.alive && offset <= object.size && object.size - offset >= len {
            Ok((number, offset))
        } else {
            Err(Fault::Outside)
        }
    }

    #[cold]
    fn load_slow(&mut self, pointer: Pointer, memory: u32, out: &mut [u8]) -> Result<(), Fault> {
        let (number, offset) = self.locate(pointer, out.len() as u64, memory)?;
        self.read_object(number, offset, out, None)
    }

    fn pointee_slow(&mut self, pointer: Pointer, len: usize) -> u32 {
        let mut bytes = [0; 8];
        let mut words = [0; 8];
        match self.locate(pointer, len as u64, ANY_MEMORY) {
            Ok((number, offset)) => {
                let (bytes, words) = (&mut bytes[..len], &mut words[..len]);
                match self.read_object(number, offset, bytes, Some(&mut *words)) {
                    Ok(()) => pointee_of(words),
                    Err(_) => 0,
                }
            }
            Err(_) => 0,
        }
    }

    /// Reads bytes anywhere into `out`.
    pub fn read(&mut self, pointer: Pointer, out: &mut [u8], memory: u32) -> Result<(), Fault> {
        if out.is_empty() {
            return Ok(());
        }
        self.load_slow(pointer, memory, out)
    }

    /// Sets a byte of an object, which is that large.
    pub(crate) fn set_byte(&mut self, number: u32, offset: u64, byte: u8) -> Result<(), Fault> {
        self.for_pieces(number, offset, 1, |chunk, range, _| {
            chunk.bytes[range.start] = byte;
            chunk.mark_written(range);
        })
    }

    /// Writes bytes that belong to no pointer.
    pub fn write(&mut self, pointer: Pointer, bytes: &[u8], memory: u32) -> Result<(), Fault> {
        if bytes.is_empty() {
            return Ok(());
        }
        let (number, offset) = self.locate(pointer, bytes.len() as u64, memory)?;
        self.objects[number as usize].modified = true;
        self.clear_shadow(pointer, bytes.len() as u64);
        self.for_pieces(number, offset, bytes.len() as u64, |chunk, range, done| {
            let source = &bytes[done..done + range.len()];
            chunk.bytes[range.clone()].copy_from_slice(source);
            chunk.mark_written(range);
        })
    }

    /// Sets `len` bytes to one byte.
    pub fn set(&mut self, pointer: Pointer, byte: u8, len: u64, memory: u32) -> Result<(), Fault> {
        if len == 0 {
            return Ok(());
        }
        let (number, offset) = self.locate(pointer, len, memory)?;
        self.objects[number as usize].modified = true;
        self.set_range(number, offset, len, byte)
    }

    /// Copies `len` bytes with their provenance, as if through a buffer. `Ok(false)` if the
    /// source is outside a live object (and the destination is not).
    pub fn copy(
        &mut self,
        dst: Pointer,
        src: Pointer,
        len: u64,
        memories: (u32, u32),
    ) -> Result<bool, Fault> {
        if len == 0 {
            return Ok(true);
        }
        let to = self.locate(dst, len, memories.0)?;
        let from = match self.locate(src, len, memories.1) {
            Ok(from) => from,
            Err(Fault::Outside) => return Ok(false),
            Err(other) => return Err(other),
        };
        if len >= LARGE {
            self.objects[to.0 as usize].modified = true;
            return self.copy_parts(to, from, len).map(|()| true);
        }
        self.reserve_briefly(len.saturating_mul(5))?;
        let mut bytes = std::mem::take(&mut self.scratch);
        let mut words = std::mem::take(&mut self.scratch_provenance);
        bytes.clear();
        bytes.resize(len as usize, 0);
        words.clear();
        let with_provenance = self.has_provenance(from.0);
        if with_provenance {
            words.resize(len as usize, 0);
        }
        let slot = with_provenance.then_some(&mut words[..]);
        let mut result = self.read_object(from.0, from.1, &mut bytes, slot);
        if result.is_ok() {
            self.objects[to.0 as usize].modified = true;
            result = self.put(to.0, to.1, &bytes, &words);
        }
        self.scratch = bytes;
        self.scratch_provenance = words;
        result.map(|()| true)
    }

    /// Writes bytes into an object, which is that large, with their provenance, if there is any.
    pub(super) fn put(
        &mut self,
        number: u32,
        offset: u64,
        bytes: &[u8],
        words: &[u32],
    ) -> Result<(), Fault> {
        let mut grown = 0;
        self.for_pieces(number, offset, bytes.len() as u64, |chunk, range, done| {
            chunk.bytes[range.clone()].copy_from_slice(&bytes[done..done + range.len()]);
            chunk.mark_written(range.clone());
            let words = words.get(done..done + range.len()).unwrap_or(&[]);
            if words.iter().any(|&word| word != 0) {
                let total = chunk.bytes.len();
                let own = chunk.provenance.get_or_insert_with(|| {
                    grown += 4 * total as u64;
                    vec![0; total].into_boxed_slice()
                });
                own[range].copy_from_slice(words);
            }
        })?;
        match grown {
            0 => Ok(()),
            grown => self.reserve(grown),
        }
    }

    /// Compares bytes as `memcmp` does.
    pub fn compare(
        &mut self,
        left: Pointer,
        right: Pointer,
        len: u64,
        memories: (u32, u32),
    ) -> Result<i32, Fault> {
        if len == 0 {
            return Ok(0);
        }
        let left = self.locate(left, len, memories.0)?;
        let right = self.locate(right, len, memories.1)?;
        let mut done = 0;
        while done < len {
            let (mut a, mut b) = ([0; 64], [0; 64]);
            let count = (len - done).min(64) as usize;
            self.read_object(left.0, left.1 + done, &mut a[..count], None)?;
            self.read_object(right.0, right.1 + done, &mut b[..count], None)?;
            match a[..count].cmp(&b[..count]) {
                std::cmp::Ordering::Less => return Ok(-1),
                std::cmp::Ordering::Equal => done += count as u64,
                std::cmp::Ordering::Greater => return Ok(1),
            }
        }
        Ok(0)
    }

    /// May `len` bytes be accessed?
    #[inline]
    pub fn is_deref(
        &mut self,
        pointer: Pointer,
        len: u64,
        access: Access,
        memory: u32,
    ) -> Result<bool, Fault> {
        if access == Access::Stray {
            return Ok(pointer.object == 0);
        }
        let Some(number) = self.owner(pointer) else {
            let memory = match access {
                Access::Read | Access::Write | Access::Stray => false,
                Access::Look | Access::Change => {
                    self.unknown.is_some() && self.is_unknown(pointer.address)
                }
                Access::Touch => len == 0 || self.is_unknown(pointer.address),
            };
            return Ok(memory || self.is_device(pointer.address, len));
        };
        if access == Access::Touch {
            return Ok(true);
        }
        let object = &self.objects[number as usize];
        if object.memory != memory && memory != ANY_MEMORY {
            return Err(Fault::Region(number));
        }
        let offset = pointer.address.wrapping_sub(object.base);
        let inside = object.alive && offset <= object.size && len <= object.size - offset;
        let allowed = match access {
            Access::Read | Access::Look | Access::Touch | Access::Stray => true,
            Access::Write | Access::Change => !object.constant || len == 0,
        };
        Ok(inside && allowed)
    }

    /// Do so many bytes at an address belong to a device?
    pub(super) fn is_device(&self, address: u64, len: u64) -> bool {
        let mut ranges = self.devices.iter();
        ranges.any(|&(first, last)| {
            (first..=last).contains(&address) && (len == 0 || len - 1 <= last - address)
        })
    }

    /// Is the pointer null or the base of a live heap object?
    pub fn is_freeable(&mut self, pointer: Pointer, memory: u32) -> Result<bool, Fault> {
        if pointer.address == 0 {
            return Ok(true);
        }
        let Some(number) = self.owner(pointer) else {
            return Ok(false);
        };
        let object = &self.objects[number as usize];
        if object.memory != memory && memory != ANY_MEMORY {
            return Err(Fault::Region(number));
        }
        Ok(object.alive && object.kind == ObjectKind::Heap && object.base == pointer.address)
    }

    /// Reads bytes of an object, asking its fill for those that nobody wrote.
    pub(super) fn read_object(
        &mut self,
        number: u32,
        offset: u64,
        out: &mut [u8],
        mut words: Option<&mut [u32]>,
    ) -> Result<(), Fault> {
        let object = &mut self.objects[number as usize];
        let fill = std::mem::take(&mut object.fill);
        let event = object.event;
        let mut observed = std::mem::take(&mut self.observed);
        let before = observed.len();
        let mut start = offset;
        let result = self.for_pieces(number, offset, out.len() as u64, |chunk, range, done| {
            start = offset + done as u64;
            let first = range.start;
            let at = |index: usize| start + (index - first) as u64;
            chunk.learn(
                range.clone(),
                |index| fill.byte(at(index)),
                |index, byte| {
                    if let (Some(event), 1..) = (event, byte) {
                        observed.push((event, at(index), byte));
                    }
                },
            );
            out[done..done + range.len()].copy_from_slice(&chunk.bytes[range.clone()]);
            if let (Some(words), Some(own)) = (&mut words, &chunk.provenance) {
                words[done..done + range.len()].copy_from_slice(&own[range]);
            }
        });
        let learned = observed.len() - before;
        self.observed = observed;
        self.objects[number as usize].fill = fill;
        result?;
        match learned {
            0 => Ok(()),
            count => self.reserve(OBSERVED * count as u64),
        }
    }

    /// Calls `visit` with each piece of a range of an object: the chunk, the range in it, and how
    /// many bytes came before. The range is inside the object. Pages are made as needed.
    pub(super) fn for_pieces(
        &mut self,
        number: u32,
        offset: u64,
        len: u64,
        mut visit: impl FnMut(&mut Chunk, std::ops::Range<usize>, usize),
    ) -> Result<(), Fault> {
        let object = &mut self.objects[number as usize];
        let fresh = object.fresh;
        let size = object.size;
        match &mut object.store {
            Store::Gone => return Err(Fault::Outside),
            Store::Flat(chunk) => {
                visit(chunk, offset as usize..(offset + len) as usize, 0);
                return Ok(());
            }
            Store::Pages(_) => {}
        }
        let mut done = 0;
        while done < len {
            let at = offset + done;
            let page = at / PAGE;
            let start = at % PAGE;
            let count = (PAGE - start).min(len - done);
            let Store::Pages(pages) = &self.objects[number as usize].store else {
                return Err(Fault::Outside);
            };
            let room = (size - page * PAGE).min(PAGE) as usize;
            let new = match pages.own.contains_key(&page) {
                true => None,
                false => Some(pages.make(page, room, fresh)),
            };
            if let Some(new) = &new {
                self.reserve(new.cost())?;
            }
            let Store::Pages(pages) = &mut self.objects[number as usize].store else {
                return Err(Fault::Outside);
            };
            pages.own.extend(new.map(|new| (page, new)));
            let Some(chunk) = pages.own.get_mut(&page) else {
                return Err(Fault::Outside);
            };
            visit(
                chunk,
                start as usize..(start + count) as usize,
                done as usize,
            );
            done += count;
        }
        Ok(())
    }

    fn has_provenance(&self, number: u32) -> bool {
        match &self.objects[number as usize].store {
            Store::Gone => false,
            Store::Flat(chunk) => chunk.provenance.is_some(),
            Store::Pages(_) => true,
        }
    }

    fn set_provenance(&mut self, number: u32, offset: u64, word: u32) -> Result<(), Fault> {
        let mut grown = 0;
        self.for_pieces(number, offset, 1, |chunk, range, _| {
            let total = chunk.bytes.len();
            let own = chunk.provenance.get_or_insert_with(|| {
                grown = 4 * total as u64;
                vec![0; total].into_boxed_slice()
            });
            own[range.start] = word;
        })?;
        self.reserve(grown)
    }

    /// Is the byte at an address, which the object has, written and this one?
    pub(crate) fn holds(&self, number: u32, address: u64, byte: u8) -> bool {
        let object = &self.objects[number as usize];
        let offset = address - object.base;
        let held = match &object.store {
            Store::Gone => None,
            Store::Flat(chunk) => chunk.peek(offset as usize),
            Store::Pages(pages) => match pages.own.get(&(offset / PAGE)) {
                Some(chunk) => chunk.peek((offset % PAGE) as usize),
                None => pages.noted(offset / PAGE),
            },
        };
        held == Some(byte)
    }

    /// The value of a byte of a live object, as a read would give it, but not counted as read;
    /// with its provenance word.
    pub(crate) fn peek(&self, number: u32, offset: u64) -> Option<(u8, u32)> {
        let object = &self.objects[number as usize];
        if offset >= object.limit {
            return None;
        }
        let unknown = || match object.fresh {
            Fresh::Zero => 0,
            Fresh::Unknown => object.fill.byte(offset),
        };
        let look = |chunk: &Chunk, index: usize| {
            let byte = chunk.peek(index).unwrap_or_else(unknown);
            let word = chunk.provenance.as_ref().map_or(0, |words| words[index]);
            (byte, word)
        };
        match &object.store {
            Store::Gone => None,
            Store::Flat(chunk) => Some(look(chunk, offset as usize)),
            Store::Pages(pages) => match pages.own.get(&(offset / PAGE)) {
                Some(chunk) => Some(look(chunk, (offset % PAGE) as usize)),
                None => {
                    let noted = pages.noted(offset / PAGE);
                    Some((noted.unwrap_or_else(unknown), 0))
                }
            },
        }
    }
}
