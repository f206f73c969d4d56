//! The table that finds equal nodes.
//!
//! It holds ids, nothing else: what is equal is up to the caller. With millions of nodes every look-up misses the
//! caches, so the table is made for few misses. A slot is a word with the id and 32 bits of the hash; the slots that can
//! hold an entry lie next to each other (linear probing), so that finding out that a node is new costs one miss, and a
//! node is looked at only if all 32 bits agree. The hash's leading bits are the place, so growing reads and writes in
//! order and needs no node.
//!
//! ```text
//!   slot   [ hash : 32 ][ id + 1 : 32 ]     zero if free
//!   place  leading bits of the hash
//! ```

/// A set of ids by hash.
pub(crate) struct Table {
    slots: Vec<u64>,
    /// The number of slots is 2^bits.
    bits: u32,
    len: usize,
}

const LEAST_BITS: u32 = 10;

impl Table {
    pub(crate) fn new() -> Table {
        Table {
            slots: vec![0; 1 << LEAST_BITS],
            bits: LEAST_BITS,
            len: 0,
        }
    }

    /// The bytes that it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.slots.len() * size_of::<u64>()
    }

    /// The id with this hash that is the one.
    #[inline]
    pub(crate) fn find(&self, hash: u32, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut place = self.place(hash);
        loop {
            let slot = self.slots[place & mask];
            if slot == 0 {
                return None;
            }
            if (slot >> 32) as u32 == hash && is_it(slot as u32 - 1) {
                return Some(slot as u32 - 1);
            }
            place += 1;
        }
    }

    /// Adds an id that is not there.
    #[inline]
    pub(crate) fn insert(&mut self, hash: u32, id: u32) {
        // Three quarters full is the most: beyond, the runs get long.
        if self.len >= self.slots.len() / 4 * 3 {
            self.grow(self.bits + 1);
        }
        self.put(u64::from(hash) << 32 | u64::from(id + 1));
        self.len += 1;
    }

    /// Makes room for this many more ids.
    pub(crate) fn reserve(&mut self, additional: usize) {
        let mut bits = self.bits;
        while self.len + additional > (1 << bits) / 4 * 3 {
            bits += 1;
        }
        if bits > self.bits {
            self.grow(bits);
        }
    }

    #[inline]
    fn place(&self, hash: u32) -> usize {
        (hash >> (32 - self.bits)) as usize
    }

    #[inline]
    fn put(&mut self, slot: u64) {
        let mask = self.slots.len() - 1;
        let mut place = self.place((slot >> 32) as u32);
        while self.slots[place & mask] != 0 {
            place += 1;
        }
        self.slots[place & mask] = slot;
    }

    fn grow(&mut self, bits: u32) {
        assert!(bits <= 32, "too many terms");
        let old = std::mem::replace(&mut self.slots, vec![0; 1 << bits]);
        self.bits = bits;
        for slot in old {
            if slot != 0 {
                self.put(slot);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn what_was_put_in_is_found_and_nothing_else() {
        let mut table = Table::new();
        // A bad hash, so that runs are long and wrap around at the end.
        let hash = |id: u32| u32::MAX - id % 3000 * 7;
        for id in 0..20_000 {
            assert_eq!(table.find(hash(id), |other| other == id), None);
            table.insert(hash(id), id);
        }
        for id in 0..20_000 {
            assert_eq!(table.find(hash(id), |other| other == id), Some(id));
        }
        assert_eq!(table.find(hash(1), |other| other == 20_001), None);
    }
}
