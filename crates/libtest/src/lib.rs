//! Tests of the C side, `lib/`: the headers, and the models of library functions. Not shipped.
//!
//! Models are compiled natively under other names (`model_strlen` for `strlen`), with
//! `lib/tests/native_primitives.c` as their primitives, and run beside the real library by the C
//! programs in `lib/tests/`.

#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Sizes of pointers and `long`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Bits {
    /// The data model LP64.
    Sixtyfour,
    /// The data model ILP32.
    Thirtytwo,
}

impl Bits {
    /// Both data models.
    pub const ALL: [Bits; 2] = [Bits::Sixtyfour, Bits::Thirtytwo];

    /// Clang's option.
    pub fn flag(self) -> &'static str {
        match self {
            Bits::Sixtyfour => "-m64",
            Bits::Thirtytwo => "-m32",
        }
    }
}

/// What provides a symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The file's name under `lib/models/`.
    pub file: String,
    /// Function or object.
    pub kind: Kind,
}

/// What a symbol names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A function.
    Function,
    /// An object.
    Data,
}

/// The folder `lib/` of the source tree.
pub fn lib_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../lib")
        .canonicalize()
        .expect("lib/ is part of the source tree")
}

/// The files under a folder of `lib/` whose names end so, sorted.
pub fn files(folder: &str, suffix: &str) -> Vec<String> {
    let entries =
        std::fs::read_dir(lib_dir().join(folder)).expect("the folder is part of the source tree");
    let mut names: Vec<String> = entries
        .map(|entry| {
            entry
                .expect("the folder can be read")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .filter(|name| name.ends_with(suffix))
        .collect();
    names.sort();
    names
}

/// `lib/models/INDEX`, by symbol.
pub fn index() -> BTreeMap<String, Entry> {
    let text = std::fs::read_to_string(lib_dir().join("models/INDEX"))
        .expect("the index is part of the source tree");
    text.lines()
        .map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let kind = if words.get(2) == Some(&"data") {
                Kind::Data
            } else {
                Kind::Function
            };
            (
                words[0].to_owned(),
                Entry {
                    file: words[1].to_owned(),
                    kind,
                },
            )
        })
        .collect()
}

/// A program of LLVM 22.
pub fn llvm(name: &str) -> Command {
    let installed = Path::new("/usr/lib/llvm-22/bin").join(name);
    if installed.exists() {
        return Command::new(installed);
    }
    Command::new(format!("{name}-22"))
}

/// Runs a command; panics with its words unless it succeeds.
pub fn run(command: &mut Command) -> Output {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// Objects of the models and their native primitives, for one data model.
pub struct Native {
    folder: tempfile::TempDir,
    bits: Bits,
}

/// Flags for arithmetic as the IR has it, also on x87, and for models without a library below them.
const MODEL_FLAGS: [&str; 9] = [
    "-std=gnu11",
    "-O0",
    "-g",
    "-ffreestanding",
    "-fno-builtin",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-ffp-contract=off",
    "-Werror",
];
const NATIVE_FLAGS: [&str; 3] = ["-msse2", "-mfpmath=sse", "-fno-pie"];

impl Native {
    /// Compiles all models, as one translation unit, under other names.
    pub fn new(bits: Bits) -> Native {
        let folder = tempfile::tempdir().expect("the temporary folder is writable");
        let symbols = index();
        let mut renamed = String::from("#define __selkie_run_atexit model___selkie_run_atexit\n");
        for symbol in symbols.keys() {
            renamed.push_str(&format!("#define {symbol} model_{symbol}\n"));
        }
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("the temporary folder is writable");
            path
        };
        let rename = write("rename.h", &renamed);
        let all = write("all.c", &all_models());
        let lib = lib_dir();
        run(llvm("clang")
            .args([bits.flag(), "-c", "-o"])
            .arg(folder.path().join("models.o"))
            .args(MODEL_FLAGS)
            .args(NATIVE_FLAGS)
            .arg("-I")
            .arg(lib.join("include"))
            .arg("-include")
            .arg(rename)
            .arg(all));
        run(llvm("clang")
            .args([
                bits.flag(),
                "-O1",
                "-g",
                "-Wall",
                "-Werror",
                "-fno-builtin",
                "-c",
                "-o",
            ])
            .arg(folder.path().join("primitives.o"))
            .args(NATIVE_FLAGS)
            .arg(lib.join("tests/native_primitives.c")));
        Native { folder, bits }
    }

    /// Compiles and runs a program of `lib/tests/`; yields the functions that it says it covers.
    pub fn test(&self, program: &str) -> Vec<String> {
        let binary = self.folder.path().join(program);
        run(llvm("clang")
            .args([
                self.bits.flag(),
                "-O1",
                "-g",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-fno-builtin",
                "-no-pie",
                "-o",
            ])
            .arg(&binary)
            .args(NATIVE_FLAGS)
            .arg(lib_dir().join("tests").join(format!("{program}.c")))
            .arg(self.folder.path().join("models.o"))
            .arg(self.folder.path().join("primitives.o"))
            .arg("-lm"));
        let output = run(&mut Command::new(&binary));
        let text = String::from_utf8_lossy(&output.stdout);
        text.lines()
            .filter_map(|line| line.strip_prefix("covers "))
            .map(str::to_owned)
            .collect()
    }
}

/// A file that includes all models.
pub fn all_models() -> String {
    let lib = lib_dir();
    files("models", ".c")
        .iter()
        .map(|file| format!("#include \"{}\"\n", lib.join("models").join(file).display()))
        .collect()
}
