//! A small hash that is the same on every machine and in every version.
//!
//! It picks samples and marks results with the options they were made with; both outlive a run, so the
//! standard library's hash, which promises nothing across versions, would not do.

/// FNV-1a over 64 bits, with a final mix so that all bits depend on all bytes.
pub(crate) struct Hasher(u64);

impl Default for Hasher {
    fn default() -> Hasher {
        Hasher(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher {
    /// Adds a text and its end, so that `ab`, `c` differs from `a`, `bc`.
    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
        self.bytes(&[0xff]);
    }

    /// Adds a number.
    pub fn number(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    /// The hash of what was added.
    pub fn finish(&self) -> u64 {
        let mut mixed = self.0;
        for factor in [0xff51_afd7_ed55_8ccd_u64, 0xc4ce_b9fe_1a85_ec53] {
            mixed = (mixed ^ (mixed >> 33)).wrapping_mul(factor);
        }
        mixed ^ (mixed >> 33)
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
