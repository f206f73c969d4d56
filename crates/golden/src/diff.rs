//! Two texts compared line by line, for people.

use std::fmt::Write as _;

/// Above this many pairs of lines no longest common subsequence is looked for.
const MOST_PAIRS: usize = 4_000_000;

/// What to take away (`-`) and to add (`+`) to get from one text to the other; lines that stay
/// have a space in front. Empty if the texts are equal.
pub fn diff(from: &str, to: &str) -> String {
    if from == to {
        return String::new();
    }
    let mut old: Vec<&str> = from.lines().collect();
    let mut new: Vec<&str> = to.lines().collect();
    let same = |pair: &(&&str, &&str)| pair.0 == pair.1;
    let head = old.iter().zip(&new).take_while(same).count();
    let prefix: Vec<&str> = old.drain(..head).collect();
    new.drain(..head);
    let tail = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(same)
        .count();
    let suffix = old.split_off(old.len() - tail);
    new.truncate(new.len() - tail);

    let mut text = String::new();
    let mut line = |mark: char, content: &str| {
        writeln!(text, "{mark} {content}").expect("a string takes everything");
    };
    prefix.iter().for_each(|content| line(' ', content));
    if old.len() * new.len() > MOST_PAIRS {
        old.iter().for_each(|content| line('-', content));
        new.iter().for_each(|content| line('+', content));
    } else {
        let common = common_lengths(&old, &new);
        let (mut i, mut j) = (0, 0);
        while i < old.len() || j < new.len() {
            if i < old.len() && j < new.len() && old[i] == new[j] {
                line(' ', old[i]);
                (i, j) = (i + 1, j + 1);
            } else if j == new.len() || i < old.len() && common[i + 1][j] >= common[i][j + 1] {
                line('-', old[i]);
                i += 1;
            } else {
                line('+', new[j]);
                j += 1;
            }
        }
    }
    suffix.iter().for_each(|content| line(' ', content));
    text
}

/// For each pair of positions, the length of the longest common subsequence from there on.
fn common_lengths(old: &[&str], new: &[&str]) -> Vec<Vec<u32>> {
    let mut common = vec![vec![0; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i][j] = match old[i] == new[j] {
                true => common[i + 1][j + 1] + 1,
                false => common[i + 1][j].max(common[i][j + 1]),
            };
        }
    }
    common
}

#[cfg(test)]
mod tests {
    use super::diff;

    #[test]
    fn only_what_changed_is_marked() {
        assert_eq!(
            diff("a\nb\nc\nd\n", "a\nc\nx\nd\n"),
            "  a\n- b\n  c\n+ x\n  d\n"
        );
        assert_eq!(diff("", "a\n"), "+ a\n");
        assert_eq!(diff("a\n", ""), "- a\n");
        assert_eq!(diff("a\n", "a\n"), "");
    }
}
