//! What holds of the files of `lib/` themselves: they compile without warnings, alone and
//! together, and the index tells the truth.

use std::fmt::Write as _;
use std::path::Path;

use libtest::{Bits, files, lib_dir, llvm, run};

/// Compiles for its messages; there must be none.
fn accept(bits: Bits, file: &Path, more: &[&str]) {
    run(llvm("clang")
        .args([
            bits.flag(),
            "-fsyntax-only",
            "-Wall",
            "-Wextra",
            "-Wpedantic",
            "-Werror",
            "-I",
        ])
        .arg(lib_dir().join("include"))
        .args(more)
        .arg(file));
}

/// The index test compiles for the other data model.
#[test]
fn models_compile_alone() {
    for file in files("models", ".c") {
        accept(
            Bits::Thirtytwo,
            &lib_dir().join("models").join(file),
            &["-std=gnu11", "-ffreestanding", "-fno-builtin"],
        );
    }
}

/// As the front end compiles them, in one translation unit, with and without reads that only
/// obligations want.
#[test]
fn models_compile_together() {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let all = folder.path().join("all.c");
    std::fs::write(&all, libtest::all_models()).expect("the temporary folder is writable");
    for bits in Bits::ALL {
        accept(bits, &all, &["-std=gnu11", "-fno-builtin"]);
        accept(
            bits,
            &all,
            &["-std=gnu11", "-fno-builtin", "-DSELKIE_NO_DEREF"],
        );
    }
}

#[test]
fn headers_compile_alone() {
    for bits in Bits::ALL {
        for header in [
            "selkie.h",
            "svcomp.h",
            "cbmc.h",
            "seahorn/seahorn.h",
            "selkie/model.h",
            "selkie/contracts.h",
            "selkie/cprover.h",
        ] {
            accept(
                bits,
                &lib_dir().join("include").join(header),
                &["-x", "c", "-std=c11"],
            );
        }
        for header in ["selkie.h", "svcomp.h", "cbmc.h"] {
            accept(
                bits,
                &lib_dir().join("include").join(header),
                &["-x", "c++", "-Wno-pedantic"],
            );
        }
    }
}

/// The functions that the contract of the C interface names.
#[test]
fn the_header_has_the_whole_interface() {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let program = folder.path().join("interface.c");
    let mut text = String::from("#include <selkie.h>\nvoid all(char *p) {\n");
    for call in [
        "sk_assert(1)",
        "sk_assume(1)",
        "sk_havoc(p, 1)",
        "sk_is_deref(p, 1)",
        "sk_is_alloc(p)",
        "sk_is_modified(p)",
        "sk_reset_modified(p)",
        "sk_tracking_on()",
        "sk_tracking_off()",
    ] {
        writeln!(text, "    (void)({call});").expect("strings are writable");
    }
    let scalars = [
        ("_Bool", "bool"),
        ("char", "char"),
        ("signed char", "schar"),
        ("unsigned char", "uchar"),
        ("short", "short"),
        ("unsigned short", "ushort"),
        ("int", "int"),
        ("unsigned", "uint"),
        ("long", "long"),
        ("unsigned long", "ulong"),
        ("long long", "longlong"),
        ("unsigned long long", "ulonglong"),
        ("float", "float"),
        ("double", "double"),
        ("long double", "longdouble"),
        ("void *", "pointer"),
    ];
    for (ty, name) in scalars {
        writeln!(
            text,
            "    {{ {ty} (*f)(void) = sk_nondet_{name}; (void)f; }}"
        )
        .expect("strings are writable");
    }
    text.push_str("}\n");
    std::fs::write(&program, text).expect("the temporary folder is writable");
    for bits in Bits::ALL {
        accept(bits, &program, &["-std=c11"]);
    }
}

/// The index as the models' own symbols give it. Definitions are weak, so that a program's own win.
fn computed_index() -> String {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    // Of an object file, `llvm-nm` tells functions from data; of bitcode it does not.
    let object = folder.path().join("model.o");
    let mut lines = Vec::new();
    for file in files("models", ".c") {
        run(llvm("clang")
            .args(["-std=gnu11", "-ffreestanding", "-fno-builtin"])
            .args(["-Wall", "-Wextra", "-Wpedantic", "-Werror"])
            .args(["-c", "-I"])
            .arg(lib_dir().join("include"))
            .arg("-o")
            .arg(&object)
            .arg(lib_dir().join("models").join(&file)));
        let output = run(llvm("llvm-nm").arg("--defined-only").arg(&object));
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [.., kind, symbol] = words.as_slice() else {
                panic!("llvm-nm says {line}")
            };
            match *kind {
                // Called where it is linked in; no reason to link it.
                "W" if *symbol == "__selkie_run_atexit" => {}
                "W" => lines.push(format!("{symbol} {file}\n")),
                // The models' own: no program defines it.
                "D" | "B" if symbol.starts_with("__selkie_") => {
                    lines.push(format!("{symbol} {file} data\n"));
                }
                "V" => lines.push(format!("{symbol} {file} data\n")),
                "t" | "d" | "b" | "r" => {}
                _ => panic!("{file} defines {symbol}, which is neither weak nor static"),
            }
        }
    }
    lines.sort();
    lines.concat()
}

#[test]
fn the_index_is_true() {
    let computed = computed_index();
    let path = lib_dir().join("models/INDEX");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &computed).expect("the source tree is writable");
    }
    let stored = std::fs::read_to_string(&path).expect("the index is part of the source tree");
    let mut symbols: Vec<&str> = computed
        .lines()
        .map(|line| line.split(' ').next().unwrap_or(line))
        .collect();
    symbols.dedup();
    assert_eq!(
        symbols.len(),
        computed.lines().count(),
        "each symbol is in one place"
    );
    assert!(
        stored == computed,
        "lib/models/INDEX is not what the models provide; BLESS=1 rewrites it"
    );
}
