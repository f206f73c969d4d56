//! Damaged SMT-LIB: whatever stands in a file, the reader answers with terms or with a place, and never falls over.

use terms::sample::{Random, Theory, build};
use terms::smt::{Script, Writer};
use terms::{Level, Sort, Terms};

const WORDS: &[&str] = &[
    "(",
    ")",
    "let",
    "!",
    "_",
    "as",
    "const",
    "ite",
    "=",
    "and",
    "not",
    "=>",
    "distinct",
    "bvadd",
    "bvult",
    "concat",
    "extract",
    "zero_extend",
    "sign_extend",
    "rotate_left",
    "repeat",
    "select",
    "store",
    "fp",
    "fp.add",
    "fp.to_sbv",
    "to_fp",
    "fp.min",
    "RNE",
    "RTZ",
    "Array",
    "BitVec",
    "FloatingPoint",
    "Int",
    "Bool",
    "#b1",
    "#x0f",
    "0",
    "1",
    "7",
    "99999999999",
    "1.5",
    "x",
    "y",
    "p",
    "a",
    "f",
    "m",
    "div",
    "mod",
    "bv2nat",
    "int2bv",
    "bv7",
    "NaN",
    "+oo",
    "|x|",
    ":named",
    "\"s\"",
    "declare-const",
    "declare-fun",
    "define-fun",
    "assert",
    "push",
    "pop",
    "check-sat",
    "get-value",
    "bvcomp",
    "bvsmod",
    "abs",
    "-",
    "<=",
    "fp.isNaN",
    "fp.rem",
];

/// The text cut into parentheses, words and spaces.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    for word in text
        .replace('(', " ( ")
        .replace(')', " ) ")
        .split_whitespace()
    {
        tokens.push(word.to_string());
    }
    tokens
}

fn damage(random: &mut Random, tokens: &mut Vec<String>) {
    for _ in 0..=random.below(4) {
        let at = random.below(tokens.len());
        match random.below(6) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, WORDS[random.below(WORDS.len())].to_string()),
            2 => {
                let other = random.below(tokens.len());
                tokens.swap(at, other);
            }
            3 => {
                let copy = tokens[random.below(tokens.len())].clone();
                tokens[at] = copy;
            }
            4 => {
                let word = &mut tokens[at];
                let cut = random.below(word.len() + 1);
                if word.is_char_boundary(cut) {
                    word.truncate(cut);
                }
            }
            _ => tokens[at] = WORDS[random.below(WORDS.len())].to_string(),
        }
        if tokens.is_empty() {
            tokens.push("(".to_string());
        }
    }
}

#[test]
fn damaged_scripts_are_read_or_refused() {
    let mut random = Random::new(21);
    let (mut read, mut refused) = (0, 0);
    for round in 0..4_000 {
        let theory = [Theory::Bits, Theory::Arrays, Theory::Floats, Theory::Ints][round % 4];
        let width = 1 + random.below(12) as u32;
        let mut terms = Terms::with_level(Level::Off);
        let steps = random.steps(12);
        let sample = build(&mut terms, theory, width, &steps);
        let goals: Vec<_> = sample
            .made
            .iter()
            .copied()
            .filter(|&t| terms.sort(t) == Sort::Bool)
            .collect();
        let mut tokens = tokens(&Writer::script(&terms, "ALL", &goals));
        damage(&mut random, &mut tokens);
        let text = tokens.join(if random.below(4) == 0 { "\n" } else { " " });
        let mut arena = Terms::with_level(Level::ALL[random.below(4)]);
        match Script::read(&mut arena, "damaged.smt2", &text) {
            Ok(_) => read += 1,
            Err(error) => {
                refused += 1;
                let lines = text.lines().count() as u32;
                assert!(
                    error.place.line >= 1 && error.place.line <= lines.max(1),
                    "{error}\n{text}"
                );
                assert!(
                    error.place.col >= 1 && !error.message.is_empty(),
                    "{error}\n{text}"
                );
            }
        }
    }
    assert!(
        read > 100 && refused > 1000,
        "{read} read, {refused} refused"
    );
}

#[test]
fn damaged_bytes_are_read_or_refused() {
    let mut random = Random::new(22);
    let text = "(set-logic ALL)\n(declare-const |a b| (Array (_ BitVec 8) Float32)) ; é\n(declare-fun g (Int) Bool)\n\
                (define-fun h ((n Int)) Int (+ n 1))\n(assert (! (g (h 2)) :named q))\n(check-sat-assuming ((not q)))\n\
                (assert (= (select |a b| #x01) ((_ to_fp 8 24) RNE (- 0.25))))\n(echo \"a\"\"b\")(get-value ((h 3)))(exit)\n";
    for _ in 0..20_000 {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => drop(bytes.remove(at)),
                1 => bytes[at] = random.word() as u8,
                _ => bytes.insert(at, b"()|\"#_:;.-0"[random.below(11)]),
            }
        }
        let damaged = String::from_utf8_lossy(&bytes);
        let mut terms = Terms::new();
        let _ = Script::read(&mut terms, "damaged.smt2", &damaged);
    }
}
