//! Tells the `selkie` binary where libz3 is (beside itself once installed, otherwise in the checkout), and
//! puts the sources of the library models into it, for `selkie explain --model`.
//!
//! Link arguments reach only the crate that prints them, so each crate with an executable says this again.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    println!("cargo:rustc-link-arg=-Wl,-rpath,$ORIGIN/../lib/selkie");
    println!(
        "cargo:rustc-link-arg=-Wl,-rpath,{}",
        root.join(".deps/z3/lib").display()
    );
    models(&root.join("lib/models"));
}

/// Writes a table of the models' sources: file name and text, and the index of symbols.
fn models(folder: &Path) {
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the models are part of the sources")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    let mut table =
        String::from("/// File name and text.\npub const SOURCES: &[(&str, &str)] = &[\n");
    for file in files {
        let name = file
            .file_name()
            .expect("a file has a name")
            .to_string_lossy()
            .into_owned();
        writeln!(table, "    ({name:?}, include_str!({file:?})),")
            .expect("a string takes everything");
    }
    table.push_str("];\n");
    let index = folder.join("INDEX");
    writeln!(
        table,
        "/// Symbol and file, a line each.\npub const INDEX: &str = include_str!({index:?});"
    )
    .expect("a string takes everything");
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it"));
    std::fs::write(out.join("models.rs"), table).expect("the build folder can be written");
}
