//! Accesses of any width at any offset, by whole words.
//!
//! A representation with words of w bytes is read and written at multiples of w only. An access that
//! lies in one word is a part of it; one that may cross words is cut out of all the words it can
//! touch; a write that does not cover a word keeps the rest of it. So no access is ever taken for
//! another one, whatever the word size; a size that does not suit the accesses costs time only.

use terms::Term;

use crate::util::trailing_zeros;
use crate::world::World;

/// Contents that are made of words.
pub(crate) trait Words {
    /// Bytes in a word.
    fn word(&self) -> u32;
    /// The word at an offset, a multiple of the word's size.
    fn read_word(&self, world: &mut World<'_>, at: Term) -> Term;
    /// Changes the word at an offset if the guard holds; `whole` if all of it is new.
    fn write_word(&mut self, world: &mut World<'_>, guard: Term, at: Term, bits: Term, part: Part);
}

/// How much of a word a write covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// All of it.
    Whole,
    /// Some bytes.
    Some,
}

/// Where an access begins in its first word.
#[derive(Clone, Copy)]
enum Start {
    /// At this byte.
    Known(u32),
    /// At this byte, of pointer width.
    Symbolic(Term),
}

struct Place {
    /// Offset of the first word.
    first: Term,
    start: Start,
    /// How many words may be touched.
    count: u32,
}

fn place(world: &mut World<'_>, offset: Term, width: u32, word: u32) -> Place {
    if let Some(at) = world.terms.as_u64(offset) {
        let inner = (at % u64::from(word)) as u32;
        let first = world.word(at - u64::from(inner));
        return Place {
            first,
            start: Start::Known(inner),
            count: (inner + width).div_ceil(word),
        };
    }
    let zeros = trailing_zeros(world.terms, offset);
    if zeros >= word.trailing_zeros() {
        return Place {
            first: offset,
            start: Start::Known(0),
            count: width.div_ceil(word),
        };
    }
    let low = world.word(u64::from(word) - 1);
    let inner = world.terms.bvand(offset, low);
    let first = world.terms.sub(offset, inner);
    let within = width.is_power_of_two() && width <= word && zeros >= width.trailing_zeros();
    let count = if within {
        1
    } else {
        (width + word - 1).div_ceil(word)
    };
    Place {
        first,
        start: Start::Symbolic(inner),
        count,
    }
}

impl Place {
    fn at(&self, world: &mut World<'_>, number: u32, word: u32) -> Term {
        let step = world.word(u64::from(number) * u64::from(word));
        world.terms.add(self.first, step)
    }
}

/// The bits of all words of an access, lowest first.
fn all_words(world: &mut World<'_>, contents: &impl Words, place: &Place) -> Term {
    let mut bits = None;
    for number in 0..place.count {
        let at = place.at(world, number, contents.word());
        let word = contents.read_word(world, at);
        bits = Some(match bits {
            None => word,
            Some(low) => world.terms.concat(word, low),
        });
    }
    bits.expect("an access touches a word")
}

/// A byte count as a number of bits, in `total` bits.
fn shift_amount(world: &mut World<'_>, inner: Term, total: u32) -> Term {
    let have = world.terms.width(inner);
    let fitted = if have >= total {
        world.terms.trunc(inner, total)
    } else {
        world.terms.zext(inner, total)
    };
    let three = world.terms.bv_u64(3, total);
    world.terms.shl(fitted, three)
}

/// Reads `width` bytes at an offset.
pub(crate) fn read(world: &mut World<'_>, contents: &impl Words, offset: Term, width: u32) -> Term {
    let word = contents.word();
    let place = place(world, offset, width, word);
    let bits = all_words(world, contents, &place);
    match place.start {
        Start::Known(inner) => {
            let low = inner * 8;
            world.terms.extract(bits, low + width * 8 - 1, low)
        }
        Start::Symbolic(inner) => {
            let amount = shift_amount(world, inner, place.count * word * 8);
            let shifted = world.terms.lshr(bits, amount);
            world.terms.trunc(shifted, width * 8)
        }
    }
}

/// Writes `width` bytes at an offset if the guard holds.
pub(crate) fn write(
    world: &mut World<'_>,
    contents: &mut impl Words,
    guard: Term,
    offset: Term,
    bits: Term,
    width: u32,
) {
    let word = contents.word();
    let place = place(world, offset, width, word);
    match place.start {
        Start::Known(inner) => write_known(world, contents, guard, &place, (bits, inner, width)),
        Start::Symbolic(inner) => {
            let total = place.count * word * 8;
            let old = all_words(world, contents, &place);
            let amount = shift_amount(world, inner, total);
            let ones = world.terms.bv_i64(-1, width * 8);
            let ones = world.terms.zext(ones, total);
            let mask = world.terms.shl(ones, amount);
            let wide = world.terms.zext(bits, total);
            let moved = world.terms.shl(wide, amount);
            let keep = world.terms.bvnot(mask);
            let kept = world.terms.bvand(old, keep);
            let new = world.terms.bvor(kept, moved);
            let bytes = world.word(u64::from(width));
            let end = world.terms.add(inner, bytes);
            for number in 0..place.count {
                let at = place.at(world, number, word);
                let low = number * word * 8;
                let part = world.terms.extract(new, low + word * 8 - 1, low);
                let before = world.word(u64::from(number) * u64::from(word));
                let touched = world.terms.ult(before, end);
                let guard = world.terms.and(guard, touched);
                contents.write_word(world, guard, at, part, Part::Some);
            }
        }
    }
}

fn write_known(
    world: &mut World<'_>,
    contents: &mut impl Words,
    guard: Term,
    place: &Place,
    (bits, inner, width): (Term, u32, u32),
) {
    let word = contents.word();
    for number in 0..place.count {
        // Bytes of the access that lie in this word: [from, to) of the access.
        let begin = number * word;
        let from = begin.saturating_sub(inner);
        let to = (begin + word - inner).min(width);
        let part = world.terms.extract(bits, to * 8 - 1, from * 8);
        let at = place.at(world, number, word);
        if to - from == word {
            contents.write_word(world, guard, at, part, Part::Whole);
            continue;
        }
        let old = contents.read_word(world, at);
        let (low, high) = (inner + from - begin, inner + to - begin);
        let mut new = part;
        if low > 0 {
            let below = world.terms.extract(old, low * 8 - 1, 0);
            new = world.terms.concat(new, below);
        }
        if high < word {
            let above = world.terms.extract(old, word * 8 - 1, high * 8);
            new = world.terms.concat(above, new);
        }
        contents.write_word(world, guard, at, new, Part::Some);
    }
}
