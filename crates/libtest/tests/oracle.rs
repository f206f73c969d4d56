//! The interpreter against the native library, on random inputs: a native program asks the library
//! and prints a program that claims the answers; the interpreter executes it with the models.

use frontend::{DataModel, Options};
use interp::{Bindings, Config, Outcome};
use libtest::{Bits, lib_dir, llvm, run};

#[track_caller]
fn check(bits: Bits, data_model: DataModel) {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let oracle = folder.path().join("oracle");
    run(llvm("clang")
        .args([bits.flag(), "-O0", "-Wall", "-Werror", "-fno-builtin", "-o"])
        .arg(&oracle)
        .args(["-msse2", "-mfpmath=sse"])
        .arg(lib_dir().join("tests/oracle.c"))
        .arg("-lm"));
    let program = folder.path().join("claims.c");
    let output = run(&mut std::process::Command::new(&oracle));
    std::fs::write(&program, &output.stdout).expect("the temporary folder is writable");
    let mut options = Options::new([&program]);
    options.data_model = data_model;
    let module = frontend::load(&options).unwrap_or_else(|error| panic!("{error}"));
    let outcome = interp::run(
        &module,
        &Config::default(),
        Bindings::new(&mut interp::choices::Zeros),
    )
    .outcome;
    match outcome {
        Outcome::Returned(_) => {}
        Outcome::Violated(failure) => {
            let place = module.obligations[failure.obligation].place;
            let line = place.map_or(0, |place| module.places[place].place.line as usize);
            let text = String::from_utf8_lossy(&output.stdout);
            let claim = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
            panic!("violated {}: {claim}", failure.obligation);
        }
        other => panic!("{other}"),
    }
}

#[test]
fn interpreter_agrees_with_the_library_64() {
    check(Bits::Sixtyfour, DataModel::Lp64);
}

#[test]
fn interpreter_agrees_with_the_library_32() {
    check(Bits::Thirtytwo, DataModel::Ilp32);
}
