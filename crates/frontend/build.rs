//! Compiles the models of library functions, once for each data model, so that no program has to
//! wait for it. A model that does not compile is left out, with a warning; a test of this crate
//! then fails.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "src/flags.rs"]
mod flags;

fn main() {
    let manifest = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let lib = manifest.join("../../lib");
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it"));
    println!("cargo:rerun-if-changed={}", lib.join("models").display());
    println!("cargo:rerun-if-changed={}", lib.join("include").display());
    println!("cargo:rerun-if-changed=src/flags.rs");

    let index = std::fs::read_to_string(lib.join("models/INDEX")).unwrap_or_default();
    let mut files: Vec<String> = index
        .lines()
        .filter_map(|line| line.split_whitespace().nth(1))
        .map(str::to_owned)
        .collect();
    files.sort();
    files.dedup();

    let mut table = String::from("/// File, bitcode for LP64, bitcode for ILP32.\n");
    table.push_str("pub const MODELS: &[(&str, &[u8], &[u8])] = &[\n");
    let mut broken = Vec::new();
    for file in &files {
        let wide = compile(&lib, file, "-m64", &out.join(format!("{file}.64.bc")));
        let narrow = compile(&lib, file, "-m32", &out.join(format!("{file}.32.bc")));
        if let (true, true) = (wide, narrow) {
            writeln!(
                table,
                "    ({file:?}, include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{file}.64.bc\")), \
                 include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{file}.32.bc\"))),"
            )
            .expect("a string takes everything");
        } else {
            println!("cargo:warning=the model {file} does not compile");
            broken.push(file);
        }
    }
    table.push_str("];\n");
    writeln!(
        table,
        "/// Models that did not compile.\n#[cfg(test)]\npub const BROKEN: &[&str] = &{broken:?};"
    )
    .expect("a string takes everything");
    writeln!(
        table,
        "/// One line for each symbol: its name and file.\npub const INDEX: &str = {index:?};"
    )
    .expect("a string takes everything");
    std::fs::write(out.join("models.rs"), table).expect("the build folder can be written");
}

/// Compiles a model; false if that fails.
fn compile(lib: &Path, file: &str, machine: &str, out: &Path) -> bool {
    let lib = lib.canonicalize().unwrap_or_else(|_| lib.to_owned());
    for program in flags::PROGRAMS {
        let status = Command::new(program)
            .args(flags::COMMON)
            .args(flags::MODEL)
            .arg(machine)
            .arg(format!("-ffile-prefix-map={}=lib", lib.display()))
            .arg("-isystem")
            .arg(lib.join("include"))
            .args(["-c", "-emit-llvm", "-o"])
            .arg(out)
            .arg(lib.join("models").join(file))
            .status();
        match status {
            Ok(status) => return status.success(),
            Err(_) => continue,
        }
    }
    false
}
