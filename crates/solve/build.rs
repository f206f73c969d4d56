//! Links CaDiCaL, and tells the tests of this crate where libz3 is.
//!
//! Bitwuzla's crate links everything but its SAT solver. The whole archive is taken, because it stands before
//! Bitwuzla on the link line, and not every linker looks back.

use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-lib=static:-bundle,+whole-archive=cadical");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    println!(
        "cargo:rustc-link-arg=-Wl,-rpath,{}",
        root.join(".deps/z3/lib").display()
    );
}
