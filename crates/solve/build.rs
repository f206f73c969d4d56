//! Links CaDiCaL, and makes the right libz3 the one that is linked and found.
//!
//! Bitwuzla's crate links everything but its SAT solver. The whole archive is taken, because it stands before
//! Bitwuzla on the link line, and not every linker looks back.
//!
//! Z3 comes as a shared library in `.deps`. A link to it in this crate's output folder is on the search path of every
//! crate that uses this one, and cargo tells the loader about that folder when it runs tests. Executables that
//! are started without cargo need a run path, which each crate has to ask for itself: this one for its tests, `cli` for
//! the program.

use std::path::Path;
use std::{env, fs, io};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-lib=static:-bundle,+whole-archive=cadical");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let library = root.join(".deps/z3/lib");
    println!("cargo:rustc-link-arg=-Wl,-rpath,{}", library.display());
    println!(
        "cargo:rerun-if-changed={}",
        library.join("libz3.so").display()
    );
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    println!("cargo:rustc-link-search=native={out}");
    if let Err(error) = link_all(&library, Path::new(&out)) {
        println!("cargo::error=Z3 is not in .deps ({error}): run ./x setup");
    }
}

fn link_all(library: &Path, out: &Path) -> io::Result<()> {
    for name in ["libz3.so", "libz3.so.5.4"] {
        let source = fs::canonicalize(library.join(name))?;
        let link = out.join(name);
        match fs::remove_file(&link) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
        std::os::unix::fs::symlink(source, link)?;
    }
    Ok(())
}
