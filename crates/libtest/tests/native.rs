//! Models against the real C library, on random inputs, for both data models; every symbol of the
//! index takes part.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use libtest::{Bits, Native};

/// The models, compiled once for each data model.
fn native(bits: Bits) -> &'static Native {
    static SIXTYFOUR: OnceLock<Native> = OnceLock::new();
    static THIRTYTWO: OnceLock<Native> = OnceLock::new();
    match bits {
        Bits::Sixtyfour => SIXTYFOUR.get_or_init(|| Native::new(bits)),
        Bits::Thirtytwo => THIRTYTWO.get_or_init(|| Native::new(bits)),
    }
}

/// The programs of `lib/tests/`.
fn programs() -> Vec<String> {
    let files = libtest::files("tests", "_test.c");
    files
        .iter()
        .map(|file| file.trim_end_matches(".c").to_owned())
        .collect()
}

fn covered(bits: Bits) -> BTreeSet<String> {
    programs()
        .iter()
        .flat_map(|program| native(bits).test(program))
        .collect()
}

#[track_caller]
fn check(bits: Bits) {
    let covered = covered(bits);
    let index: BTreeSet<String> = libtest::index().into_keys().collect();
    let missing: Vec<&String> = index.difference(&covered).collect();
    assert!(
        missing.is_empty(),
        "no program of lib/tests compares {missing:?}"
    );
    let unknown: Vec<&String> = covered.difference(&index).collect();
    assert!(
        unknown.is_empty(),
        "lib/models/INDEX does not have {unknown:?}"
    );
}

#[test]
fn models_agree_with_the_library_64() {
    check(Bits::Sixtyfour);
}

#[test]
fn models_agree_with_the_library_32() {
    check(Bits::Thirtytwo);
}
