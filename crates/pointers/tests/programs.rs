//! Soundness by execution, on C: generated pointer programs.

mod common;

use common::{Checks, Providers, compare, load};

#[test]
fn pointer_programs_stay_in_their_regions() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut whole = 0;
    for seed in 0..50 {
        let file = folder.path().join(format!("p{seed}.c"));
        std::fs::write(&file, common::programs::program(seed)).expect("a file can be written");
        let opt = (seed % 3) as u32;
        let module =
            load(&file, opt, &["-w"]).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let ends = compare(
            module,
            &format!("seed {seed}"),
            Checks::Default,
            Providers::All,
            &[0],
        );
        whole += ends.iter().filter(|end| *end == "returned").count();
    }
    assert!(whole >= 40, "only {whole} programs ran to their end");
}
