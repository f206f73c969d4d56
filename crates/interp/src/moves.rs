//! Parallel copies as a sequence.
//!
//! A jump assigns all parameters of a block at once, and an argument may be another parameter's
//! old value. Copies are ordered so that each word is read before it is overwritten; a cycle goes
//! through the spare word.

use crate::code::{CONST, Slot, Word};

/// Appends copies to `out` that have the effect of all `copies` at once.
pub(crate) fn sequence(copies: &[(Slot, Word)], spare: Slot, out: &mut Vec<(Slot, Word)>) {
    let mut todo: Vec<(Slot, Word)> = copies
        .iter()
        .copied()
        .filter(|&(to, from)| to != from)
        .collect();
    todo.sort_unstable_by_key(|&(to, _)| to);
    // How many copies still have to read each target.
    let find =
        |todo: &[(Slot, Word)], word: Word| todo.binary_search_by_key(&word, |&(to, _)| to).ok();
    let mut readers = vec![0usize; todo.len()];
    for &(_, from) in &todo {
        if from & CONST == 0 {
            if let Some(index) = find(&todo, from) {
                readers[index] += 1;
            }
        }
    }
    let mut done = vec![false; todo.len()];
    let mut ready: Vec<usize> = (0..todo.len()).filter(|&i| readers[i] == 0).rev().collect();
    let mut next = 0;
    loop {
        while let Some(index) = ready.pop() {
            let (to, from) = todo[index];
            out.push((to, from));
            done[index] = true;
            if from & CONST == 0 {
                if let Some(source) = find(&todo, from) {
                    readers[source] -= 1;
                    if readers[source] == 0 && !done[source] {
                        ready.push(source);
                    }
                }
            }
        }
        // What is left are cycles: save one word, and read it from there.
        while next < todo.len() && done[next] {
            next += 1;
        }
        if next == todo.len() {
            return;
        }
        let saved = todo[next].0;
        out.push((spare, saved));
        let reader = (0..todo.len())
            .find(|&i| !done[i] && todo[i].1 == saved)
            .expect("a word of a cycle is read by the next");
        todo[reader].1 = spare;
        readers[next] -= 1;
        ready.push(next);
    }
}

#[cfg(test)]
mod tests {
    use super::sequence;
    use crate::code::CONST;

    /// Runs the sequence on words 0 to 9 (10 is spare) and prints the words.
    fn check(copies: &[(u32, u32)], expected: [u64; 6]) {
        let mut out = Vec::new();
        sequence(copies, 10, &mut out);
        let mut words: Vec<u64> = (0..11).collect();
        for (to, from) in out {
            words[to as usize] = if from & CONST != 0 {
                u64::from(100 + (from & !CONST))
            } else {
                words[from as usize]
            };
        }
        assert_eq!(words[..6], expected, "{copies:?}");
    }

    #[test]
    fn all_copies_read_the_old_words() {
        check(&[], [0, 1, 2, 3, 4, 5]);
        check(&[(0, 1), (1, 2)], [1, 2, 2, 3, 4, 5]);
        check(&[(1, 0), (2, 1), (0, CONST | 7)], [107, 0, 1, 3, 4, 5]);
        check(&[(0, 1), (1, 0)], [1, 0, 2, 3, 4, 5]);
        check(&[(0, 1), (1, 2), (2, 0), (3, 0)], [1, 2, 0, 0, 4, 5]);
        check(
            &[(0, 1), (1, 0), (2, 3), (3, 2), (4, 4)],
            [1, 0, 3, 2, 4, 5],
        );
    }
}
