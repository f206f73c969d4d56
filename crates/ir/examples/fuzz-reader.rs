//! Reads mangled texts for so many seconds: `cargo run -p ir --example fuzz-reader -- SECONDS [SEED]`.
//!
//! Each round mangles the text of a random program, or a text that was mangled before and made
//! the reader go on in a way not seen so far (by its message without numbers). What can be read is
//! checked by `wellformed`, written, and read again, which must give the same text; none of
//! this may panic. Rounds depend on the seed alone, so that a failure can be had again.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use golden::mangle::mangle;
use golden::random::{self, Options, Use};
use golden::rng::Rng;
use ir::{text, tidy, wellformed};

fn main() {
    let mut args = std::env::args().skip(1);
    let mut number = |default: u64| match args.next() {
        Some(arg) => arg.parse().expect("SECONDS and SEED are numbers"),
        None => default,
    };
    let (seconds, seed) = (number(10), number(1));
    let mut rng = Rng::new(seed);
    let mut corpus: Vec<String> = (0..200).map(|n| program(seed.wrapping_add(n))).collect();
    let mut seen: BTreeMap<String, u64> = BTreeMap::new();
    let start = Instant::now();
    let mut slowest = Duration::ZERO;
    let mut rounds = 0u64;
    while start.elapsed() < Duration::from_secs(seconds) {
        let base = rng.index(corpus.len());
        let other = rng.index(corpus.len());
        let spoiled = mangle(&corpus[base], &corpus[other], &mut rng);
        let before = Instant::now();
        let Ok(answer) = std::panic::catch_unwind(|| try_text(&spoiled)) else {
            println!("seed {seed}, round {rounds}: panic on this text:\n{spoiled}");
            std::process::exit(1);
        };
        slowest = slowest.max(before.elapsed());
        let count = seen.entry(answer).or_default();
        *count += 1;
        if *count == 1 && spoiled.len() < 100_000 {
            corpus.push(spoiled);
        }
        rounds += 1;
    }
    println!(
        "{rounds} texts in {seconds} s, seed {seed}; slowest {} ms; {} kinds of answers:",
        slowest.as_millis(),
        seen.len()
    );
    for (answer, count) in &seen {
        println!("{count:10} {answer}");
    }
}

fn program(seed: u64) -> String {
    let mut options = Options::new(seed, 5 + (seed % 60) as usize);
    options.failures = Use::Yes;
    options.externs = Use::Yes;
    random::module(&options).to_string()
}

/// What became of the text, in words that are the same for similar texts.
fn try_text(spoiled: &str) -> String {
    let mut module = match text::read(spoiled) {
        Ok(module) => module,
        Err(error) => return without_details(&error.message),
    };
    let answer = match wellformed::check(&module) {
        Ok(()) => "wellformed".to_owned(),
        Err(complaints) => {
            let first = complaints.first().expect("there is a complaint");
            format!("read, but {}", without_details(&first.message))
        }
    };
    let written = module.to_string();
    let again = text::read(&written).expect("what was written can be read");
    assert_eq!(again.to_string(), written, "the text came back another");
    tidy::tidy(&mut module);
    if answer == "wellformed" {
        assert_eq!(again, module, "the module came back another");
    }
    answer
}

/// The message without names, numbers and quotations.
fn without_details(message: &str) -> String {
    let mut text = String::new();
    for part in message.split('`').step_by(2) {
        let words = part
            .split(' ')
            .filter(|word| !word.contains(|c: char| c.is_ascii_digit()));
        let words = words.filter(|word| !word.starts_with('@'));
        text.push_str(&words.collect::<Vec<_>>().join(" "));
    }
    text
}
