//! Sets of small numbers.

/// A set of numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// Adds a number; was it new?
    pub fn insert(&mut self, number: u32) -> bool {
        let (word, bit) = (number as usize / 64, 1u64 << (number % 64));
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        new
    }

    /// Is the number in it?
    pub fn contains(&self, number: u32) -> bool {
        let (word, bit) = (number as usize / 64, 1u64 << (number % 64));
        self.words.get(word).is_some_and(|bits| bits & bit != 0)
    }

    /// In ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(|(word, &bits)| {
            let rest = std::iter::successors(Some(bits), |&bits| Some(bits & bits.wrapping_sub(1)));
            rest.take_while(|&bits| bits != 0)
                .map(move |bits| word as u32 * 64 + bits.trailing_zeros())
        })
    }
}
