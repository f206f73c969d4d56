//! Every mutant of the list turns a test red.

use std::path::Path;

use xtask::mutants::{Copy, Fate};

#[test]
#[ignore = "long: builds a copy of the verifier, and runs its tests once for each mutant"]
fn no_mutant_lives() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let copy = Copy::new(&root.canonicalize().expect("the checkout")).expect("a copy");
    assert_eq!(copy.test(None).expect("the tests run"), Fate::Lives);
    let mut living = Vec::new();
    for (number, mutant) in copy.mutants.iter().enumerate() {
        if copy.test(Some(number)).expect("the tests run") == Fate::Lives {
            living.push(format!("{}: {}", mutant.file, mutant.what));
        }
    }
    assert!(living.is_empty(), "{living:#?}");
}
