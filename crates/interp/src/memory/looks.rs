//! Looks at addresses: what another layout of memory may answer differently.

use crate::code::{Look, Word};

use super::chunk::Chunk;
use super::{ANY_MEMORY, Memory, Object, PAGE, Pointer, Store};

impl Memory {
    /// An operation looks at addresses in its operands, whose words `get` yields.
    pub(crate) fn look(&mut self, what: Look, a: Word, b: Word, get: impl Fn(Word) -> u64) {
        let pointer = |word: Word| Pointer {
            address: get(word),
            object: get(word + 1) as u32,
        };
        match what {
            Look::Equality => self.look_compare(pointer(a), pointer(b), false),
            Look::Order => self.look_compare(pointer(a), pointer(b), true),
            Look::Address => self.look_address(pointer(a)),
            Look::Difference => self.look_difference(pointer(a), pointer(b)),
            Look::Bytes => self.look_bytes(pointer(a), get(b)),
        }
    }

    /// Two pointers are compared. Within one object, and with null, layouts agree; that pointers to bytes of
    /// different live objects are not equal they agree on too.
    fn look_compare(&mut self, a: Pointer, b: Pointer, order: bool) {
        let agree = if a.object == b.object {
            let numbers = a.object == 0 && !self.is_function(a) && !self.is_function(b);
            !order || numbers || a.object != 0 && self.is_at_most_past(a) && self.is_at_most_past(b)
        } else if is_null(a) || is_null(b) {
            self.is_at_most_past(if is_null(a) { b } else { a })
        } else {
            !order && self.is_alive_inside(a) && self.is_alive_inside(b) && !self.may_be_one(a, b)
        };
        self.looked |= !agree;
    }

    /// An address becomes a number.
    fn look_address(&mut self, pointer: Pointer) {
        self.looked |= pointer.object != 0 || self.is_function(pointer);
    }

    /// Only the difference of two addresses matters.
    fn look_difference(&mut self, a: Pointer, b: Pointer) {
        let numbers = a.object == 0 && !self.is_function(a) && !self.is_function(b);
        self.looked |= a.object != b.object || a.object == 0 && !numbers;
    }

    /// Bytes are read that may belong to a pointer.
    fn look_bytes(&mut self, pointer: Pointer, len: u64) {
        let Ok((number, offset)) = self.locate(pointer, len, ANY_MEMORY) else {
            return;
        };
        let end = offset + len;
        let holds = |chunk: &Chunk, start: u64| {
            let Some(words) = &chunk.provenance else {
                return false;
            };
            let first = offset.saturating_sub(start).min(words.len() as u64) as usize;
            let last = end.saturating_sub(start).min(words.len() as u64) as usize;
            words[first..last].iter().any(|&word| word != 0)
        };
        self.looked |= match &self.objects[number as usize].store {
            Store::Gone => false,
            Store::Flat(chunk) => holds(chunk, 0),
            // Of those that are not there none holds a pointer.
            Store::Pages(pages) => pages.own.iter().any(|(&page, chunk)| {
                (offset / PAGE..end.div_ceil(PAGE)).contains(&page) && holds(chunk, page * PAGE)
            }),
        };
    }

    /// Constants without a name, as literals are, may lie where their bytes agree.
    fn may_be_one(&self, a: Pointer, b: Pointer) -> bool {
        let (x, y) = (
            &self.objects[a.object as usize],
            &self.objects[b.object as usize],
        );
        let literal = |object: &Object| {
            object.constant && object.origin.global.is_some() && object.origin.var.is_none()
        };
        if !literal(x) || !literal(y) {
            return false;
        }
        let (p, q) = (a.address - x.base, b.address - y.base);
        let before = p.min(q);
        let behind = (x.size - p).min(y.size - q);
        let byte = |pointer: Pointer, at: u64| self.peek(pointer.object, at).map(|(byte, _)| byte);
        (0..before + behind).all(|at| byte(a, p - before + at) == byte(b, q - before + at))
    }

    fn is_function(&self, pointer: Pointer) -> bool {
        self.function_at(pointer.address).is_some()
    }

    fn is_at_most_past(&self, pointer: Pointer) -> bool {
        let object = &self.objects[pointer.object as usize];
        let offset = pointer.address.wrapping_sub(object.base);
        pointer.object != 0 && offset <= object.size || self.is_function(pointer)
    }

    fn is_alive_inside(&self, pointer: Pointer) -> bool {
        let object = &self.objects[pointer.object as usize];
        let offset = pointer.address.wrapping_sub(object.base);
        object.alive && offset < object.size.max(1) || self.is_function(pointer)
    }
}

fn is_null(pointer: Pointer) -> bool {
    pointer.object == 0 && pointer.address == 0
}
