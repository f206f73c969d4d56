//! Tells the `selkie` binary where libz3 is: beside itself once installed, otherwise in the checkout.
//!
//! Link arguments reach only the crate that prints them, so each crate with an executable says this again.

use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    println!("cargo:rustc-link-arg=-Wl,-rpath,$ORIGIN/../lib/selkie");
    println!(
        "cargo:rustc-link-arg=-Wl,-rpath,{}",
        root.join(".deps/z3/lib").display()
    );
}
