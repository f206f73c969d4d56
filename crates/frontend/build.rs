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

    let mut table = String::from(
        "/// Bitcode for LP64 and for ILP32.\n\
         pub type Variant = [&'static [u8]; 2];\n\
         /// File, then its bitcode with check `deref` on and off.\n\
         pub const MODELS: &[(&str, Variant, Variant)] = &[\n",
    );
    let mut broken = Vec::new();
    for file in &files {
        let part = |variant: &str, flags: &[&str]| {
            ["64", "32"].iter().try_fold(String::new(), |parts, bits| {
                let name = format!("{file}.{variant}{bits}.bc");
                let machine = format!("-m{bits}");
                compile(&lib, file, &machine, flags, &out.join(&name)).then(|| {
                    format!("{parts}include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}\")), ")
                })
            })
        };
        let checked = part("", &[]);
        // The second variant is another one only where the macro is looked at.
        let unchecked = if looks_at(&lib, file, flags::NO_DEREF) {
            part("plain", &[&format!("-D{}", flags::NO_DEREF)])
        } else {
            checked.clone()
        };
        if let (Some(checked), Some(unchecked)) = (checked, unchecked) {
            writeln!(table, "    ({file:?}, [{checked}], [{unchecked}]),")
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

/// Does a model, or a header of the models that it includes, mention a macro?
fn looks_at(lib: &Path, file: &str, name: &str) -> bool {
    let mut files = vec![file.to_owned()];
    let mut next = 0;
    while let Some(file) = files.get(next) {
        next += 1;
        let text = std::fs::read_to_string(lib.join("models").join(file)).unwrap_or_default();
        if text.contains(name) {
            return true;
        }
        let included = text.lines().filter_map(|line| {
            let rest = line.trim().strip_prefix("#include \"")?;
            rest.strip_suffix('"').map(str::to_owned)
        });
        let new: Vec<String> = included.filter(|name| !files.contains(name)).collect();
        files.extend(new);
    }
    false
}

/// Compiles a model; false if that fails.
fn compile(lib: &Path, file: &str, machine: &str, further: &[&str], out: &Path) -> bool {
    let lib = lib.canonicalize().unwrap_or_else(|_| lib.to_owned());
    for program in flags::PROGRAMS {
        let status = Command::new(program)
            .args(flags::COMMON)
            .args(flags::MODEL)
            .arg(machine)
            .args(further)
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
