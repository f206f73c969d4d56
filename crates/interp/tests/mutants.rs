//! What `wellformed` accepts, the interpreter executes: random programs with random changes.

mod common;

use common::run_with;
use golden::random::{self, Options, Use};
use golden::rng::Rng;
use interp::choices::Seed;
use interp::{Config, Outcome};

/// Replaces a few words of the text by other words that occur in it.
fn mutate(text: &str, rng: &mut Rng) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || "_@.".contains(c);
    let mut words: Vec<(usize, &str)> = Vec::new();
    let mut at = 0;
    for part in text.split_inclusive(|c| !is_word(c)) {
        let word = part.trim_end_matches(|c| !is_word(c));
        if !word.is_empty() {
            words.push((at, word));
        }
        at += part.len();
    }
    let mut changed = text.to_string();
    for _ in 0..rng.between(1, 3) {
        let (at, word) = *rng.pick(&words);
        // A word that begins alike stands more often for something that fits.
        let alike = |other: &str| other.as_bytes()[0] == word.as_bytes()[0];
        let mut other = rng.pick(&words).1;
        for _ in 0..50 {
            if alike(other) && other != word {
                break;
            }
            other = rng.pick(&words).1;
        }
        // Earlier changes may have moved the place.
        if changed.get(at..at + word.len()) == Some(word) {
            changed.replace_range(at..at + word.len(), other);
        }
    }
    changed
}

#[test]
fn wellformed_mutants_run() {
    let config = Config {
        step_limit: 100_000,
        memory_limit: 64 << 20,
        ..Config::default()
    };
    let mut rng = Rng::new(7);
    let mut accepted = 0;
    for seed in 0..60 {
        let mut options = Options::new(seed, 60);
        options.failures = Use::Yes;
        options.recursion = Use::Yes;
        let text = random::module(&options).to_string();
        for _ in 0..40 {
            let mutant = mutate(&text, &mut rng);
            let Ok(module) = ir::text::read(&mutant) else {
                continue;
            };
            if ir::wellformed::check(&module).is_err() {
                continue;
            }
            accepted += 1;
            let run = run_with(&module, &config, &mut Seed::new(seed));
            // A change may lead to a block that says it cannot be reached.
            if let Outcome::Error(why) = &run.outcome {
                assert!(why.contains("cannot be reached"), "{why}\n{module}");
            }
        }
    }
    assert!(accepted > 200, "only {accepted} mutants were wellformed");
}
