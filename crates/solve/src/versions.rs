//! Are the linked solvers the ones that this program was written for?
//!
//! Debian's Z3 4.8.12 is on every machine that has LLVM's development files. A wrong search path links it without
//! a word, it answers most queries, and it numbers its operators differently, so that terms read back from it are
//! other terms. So the program asks when it starts.

use crate::backends::ffi_version;

/// The release series of Z3 that the bindings were tested with.
pub const Z3_SERIES: [u32; 2] = [5, 4];

/// The version of Bitwuzla that the bindings belong to.
pub const BITWUZLA_VERSION: &str = "0.8.0";

/// A solver library is not the expected one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "the program is linked to {solver} {found}, not {expected}: run `./x setup` and build again"
)]
pub struct WrongVersion {
    /// The name of the library.
    pub solver: &'static str,
    /// The version that it reports.
    pub found: String,
    /// The version that is needed.
    pub expected: String,
}

/// Checks the versions of the linked solvers; cheap enough for every start of the program.
pub fn check_versions() -> Result<(), WrongVersion> {
    check_z3(ffi_version::z3())?;
    check_bitwuzla(&ffi_version::bitwuzla())
}

fn check_z3(found: [u32; 4]) -> Result<(), WrongVersion> {
    if found[..2] == Z3_SERIES {
        return Ok(());
    }
    let join = |parts: &[u32]| {
        parts
            .iter()
            .map(u32::to_string)
            .collect::<Vec<_>>()
            .join(".")
    };
    Err(WrongVersion {
        solver: "Z3",
        found: join(&found),
        expected: join(&Z3_SERIES),
    })
}

fn check_bitwuzla(found: &str) -> Result<(), WrongVersion> {
    if found == BITWUZLA_VERSION {
        return Ok(());
    }
    Err(WrongVersion {
        solver: "Bitwuzla",
        found: found.to_owned(),
        expected: BITWUZLA_VERSION.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linked_solvers_are_the_expected_ones() {
        assert_eq!(check_versions(), Ok(()));
    }

    #[test]
    fn debians_z3_is_refused() {
        let error = check_z3([4, 8, 12, 0]).expect_err("4.8.12 must not pass");
        assert_eq!(
            error.to_string(),
            "the program is linked to Z3 4.8.12.0, not 5.4: run `./x setup` and build again"
        );
    }

    #[test]
    fn another_bitwuzla_is_refused() {
        assert!(check_bitwuzla("0.7.0").is_err());
    }
}
