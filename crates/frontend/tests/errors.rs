//! Bad input: the right kind of error and one clear sentence.

mod common;

use common::Program;
use frontend::{Error, ErrorKind};

fn fails(program: &Program) -> Error {
    match frontend::load(&program.options) {
        Err(error) => {
            assert!(!error.message.is_empty());
            assert!(!error.message.ends_with('.'), "{error}");
            error
        }
        Ok(_) => panic!("the program loads"),
    }
}

/// Checks the kind, the exit code and a part of the message.
fn check(program: &Program, kind: ErrorKind, exit_code: u8, part: &str) {
    let error = fails(program);
    assert_eq!(error.kind, kind, "{error}");
    assert_eq!(error.exit_code(), exit_code);
    assert!(error.message.contains(part), "{error}");
}

fn bytes(name: &str, bytes: &[u8]) -> Program {
    let program = Program::text(name, "");
    std::fs::write(&program.options.files[0], bytes).expect("the file is written");
    program
}

/// Bytes that look random and are always the same.
fn noise(count: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    (0..count)
        .map(|_| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 56) as u8
        })
        .collect()
}

/// A small program's bitcode.
fn bitcode() -> Vec<u8> {
    let program = Program::text("good.c", "int main(void) { return 0; }");
    let output = std::process::Command::new("clang-22")
        .args(["-c", "-emit-llvm", "-o", "-"])
        .arg(&program.options.files[0])
        .output()
        .expect("clang-22 runs");
    assert!(output.status.success());
    output.stdout
}

#[test]
fn a_file_must_be_there() {
    let mut program = Program::text("f.c", "");
    program.options.files[0].set_file_name("missing.c");
    check(&program, ErrorKind::Input, 2, "missing.c: no such file");
}

#[test]
fn a_folder_is_no_file() {
    let mut program = Program::text("f.c", "");
    program.options.files[0].set_file_name("folder.c");
    std::fs::create_dir(&program.options.files[0]).expect("the folder is made");
    check(&program, ErrorKind::Input, 2, "folder.c: is a directory");
}

#[test]
fn the_name_must_tell_the_language() {
    let program = Program::text("f.txt", "int main(void) { return 0; }");
    check(&program, ErrorKind::Input, 2, "f.txt: not a .c");
}

#[test]
fn no_file_is_a_usage_error() {
    let mut program = Program::text("f.c", "");
    program.options.files.clear();
    check(&program, ErrorKind::Usage, 1, "no input files");
}

#[test]
fn clangs_own_words_tell_what_does_not_compile() {
    let program = Program::text("f.c", "int main(void) { return x; }");
    check(
        &program,
        ErrorKind::Input,
        2,
        "f.c:1:25: error: use of undeclared identifier 'x'",
    );
    let program = Program::text("f.c", "#include \"missing.h\"\n");
    check(&program, ErrorKind::Input, 2, "'missing.h' file not found");
    check(&bytes("f.c", &noise(2000)), ErrorKind::Input, 2, "error: ");
}

#[test]
fn bitcode_must_be_whole() {
    let good = bitcode();
    assert!(frontend::load(&bytes("good.bc", &good).options).is_ok());
    for part in [4, good.len() / 3, good.len() / 2, good.len() - 8] {
        check(
            &bytes("part.bc", &good[..part]),
            ErrorKind::Input,
            2,
            "part.bc: ",
        );
    }
    check(
        &bytes("empty.bc", &[]),
        ErrorKind::Input,
        2,
        "empty.bc: the file is empty",
    );
    check(
        &bytes("noise.bc", &noise(5000)),
        ErrorKind::Input,
        2,
        "noise.bc",
    );
    check(
        &bytes("noise.ll", &noise(5000)),
        ErrorKind::Input,
        2,
        "noise.ll",
    );
}

#[test]
fn changed_bitcode_is_an_error_or_a_program() {
    let good = bitcode();
    let places = noise(300);
    for round in 0..25 {
        let mut changed = good.clone();
        for pair in places[round * 12..round * 12 + 12].chunks(2) {
            let at = (usize::from(pair[0]) * 256 + usize::from(pair[1])) % changed.len();
            changed[at] ^= 1 << (pair[0] & 7);
        }
        let program = bytes("changed.bc", &changed);
        if let Err(error) = frontend::load(&program.options) {
            assert_eq!(error.kind, ErrorKind::Input, "{error}");
        }
    }
}

#[test]
fn a_program_has_one_entry() {
    let main = "int main(void) { return 0; }";
    let mut program = Program::text("one.c", main);
    program.and_text("two.c", main);
    check(
        &program,
        ErrorKind::Input,
        2,
        "two.c: Linking globals named 'main'",
    );
    let program = Program::text("f.c", "int f(void) { return 0; }");
    check(&program, ErrorKind::Input, 2, "no function main");
    check(
        &Program::text("f.c", ""),
        ErrorKind::Input,
        2,
        "no function main",
    );
    let mut program = Program::text("f.c", main);
    program.options.entry = "start".to_owned();
    check(&program, ErrorKind::Usage, 1, "no function start");
    let mut program = Program::text("f.c", "int f(int); int main(void) { return f(1); }");
    program.options.entry = "f".to_owned();
    check(&program, ErrorKind::Usage, 1, "no function f with a body");
}

#[test]
fn files_must_be_for_one_machine() {
    let mut program = Program::text("f.c", "int f(void); int main(void) { return f(); }");
    program.and_text(
        "g.ll",
        "target datalayout = \"e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i128:128-f64:32:64-f80:32-n8:16:32-S128\"\n\
         target triple = \"i386-pc-linux-gnu\"\n\
         define i32 @f() { ret i32 0 }\n",
    );
    check(
        &program,
        ErrorKind::Input,
        2,
        "g.ll: compiled for another machine",
    );
    let program = Program::text(
        "f.ll",
        "target datalayout = \"E-m:e-i64:64-n32:64\"\ndefine i32 @main() { ret i32 0 }\n",
    );
    check(&program, ErrorKind::Input, 2, "little endian");
}

#[test]
fn a_line_may_be_ten_megabytes_long() {
    let mut text = String::from("int main(void) { const char *s = \"");
    text.push_str(&"x".repeat(10_000_000));
    text.push_str("\"; return s[0] == 'y'; }");
    let module = Program::text("f.c", &text).raw();
    assert!(
        module
            .globals
            .values()
            .any(|global| global.size == 10_000_001)
    );
    let text = format!("int main(void) {{ return 0; }} {}", "}".repeat(10_000_000));
    check(
        &Program::text("f.c", &text),
        ErrorKind::Input,
        2,
        "extraneous closing brace",
    );
}
