//! Soundness by execution, on C: generated pointer programs, csmith's programs, and those of the manual.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{Checks, Inputs, Providers, compare, load};

/// Compares the executions of a program; how they ended.
fn check(file: &Path, name: &str, checks: Checks, opt: u32, flags: &[&str]) -> Vec<String> {
    let module = load(file, checks, opt, flags).unwrap_or_else(|error| panic!("{name}: {error}"));
    compare(module, name, checks, Providers::All, &[Inputs::Zeros])
}

#[test]
fn pointer_programs_stay_in_their_regions() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (mut whole, mut all) = (0, Vec::new());
    for seed in 0..50 {
        let file = folder.path().join(format!("p{seed}.c"));
        fs::write(&file, common::programs::program(seed)).expect("a file can be written");
        let checks = match seed % 5 {
            0 => Checks::Leaks,
            _ => Checks::Default,
        };
        let ends = check(
            &file,
            &format!("seed {seed}"),
            checks,
            (seed % 3) as u32,
            &["-w"],
        );
        let ended = |end: &&String| *end == "returned" || end.contains("leak");
        whole += ends.iter().filter(ended).count();
        all.extend(ends);
    }
    assert!(
        whole >= 45,
        "only {whole} programs ran to their end: {all:?}"
    );
}

#[test]
fn a_function_pointer_that_travels_through_a_call_by_pointer_is_found() {
    let source = "typedef int (*code)(int);
      static int one(int x) { return x + 1; } static int two(int x) { return x + 2; }
      static code held;
      static void set(code *where, code what) { *where = what; }
      static code get(code *where) { return *where; }
      static void (*setter)(code *, code) = set; static code (*getter)(code *) = get;
      int main(int argc, char **argv) { setter(&held, argc > 5 ? one : two); return getter(&held)(3) + held(4); }";
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("f.c");
    fs::write(&file, source).expect("a file can be written");
    for opt in 0..3 {
        let ends = check(&file, "travelling code", Checks::Default, opt, &["-w"]);
        assert_eq!(ends, ["returned"]);
    }
}

#[test]
fn random_c_programs_stay_in_their_regions() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for seed in 1..9 {
        let mut csmith = Command::new("csmith");
        let options = ["--max-funcs", "6", "--no-volatiles", "--seed"];
        csmith.args(options).arg(seed.to_string());
        let output = csmith.current_dir(folder.path()).output();
        let output = output.expect("csmith is installed (./x setup)");
        let file = folder.path().join(format!("c{seed}.c"));
        fs::write(&file, output.stdout).expect("a file can be written");
        let flags = ["-w", "-I/usr/include/csmith"];
        check(&file, &format!("csmith {seed}"), Checks::Default, 2, &flags);
    }
}

#[test]
fn the_manuals_programs_stay_in_their_regions() {
    let manual = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/checks");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut pages: Vec<PathBuf> = fs::read_dir(&manual)
        .expect("the manual is there")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    pages.sort();
    let mut count = 0;
    for page in pages {
        let text = fs::read_to_string(&page).expect("a page can be read");
        for (number, part) in text.split("```c\n").skip(1).enumerate() {
            let source = part.split("```").next().expect("a block ends");
            let file = folder.path().join("f.c");
            fs::write(&file, source).expect("a file can be written");
            let name = format!("{} {number}", page.display());
            // Pages may show what does not compile without further options.
            let Ok(module) = load(&file, Checks::Leaks, 2, &["-w"]) else {
                continue;
            };
            let inputs = [Inputs::Zeros, Inputs::Seed(1), Inputs::Seed(2)];
            compare(module, &name, Checks::Leaks, Providers::All, &inputs);
            count += 1;
        }
    }
    assert!(count > 30, "only {count} programs were read");
}
