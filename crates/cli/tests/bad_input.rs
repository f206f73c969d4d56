//! Bad input: the contract's exit code, and one clear sentence.

use std::path::Path;
use std::process::Command;

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

/// Runs `selkie verify` in a folder: exit code, last line of the output, messages.
fn verify(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
        .arg("verify")
        .args(args)
        .current_dir(folder)
        .output()
        .expect("selkie runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().unwrap_or_default().to_owned();
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), last, messages)
}

#[test]
fn bad_input_gets_its_exit_code_and_a_sentence() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bad-input");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("the folder of the last run goes");
    }
    std::fs::create_dir_all(folder.join("folder.c")).expect("a folder");
    let write = |name: &str, bytes: &[u8]| {
        std::fs::write(folder.join(name), bytes).expect("the file is written");
    };
    let main = "int main(void) { return 0; }\n";
    write("good.c", main.as_bytes());
    write("again.c", main.as_bytes());
    write("none.c", b"int f(void) { return 0; }\n");
    write("include.c", b"#include \"missing.h\"\n");
    write("errors.c", b"int main(void) { return a + b + c; }\n");
    for name in ["empty.c", "empty.bc", "empty.ll", "empty.ir"] {
        write(name, b"");
    }
    for name in ["noise.c", "noise.bc", "noise.ll", "noise.ir"] {
        write(name, &noise(4000));
    }
    let compiled = Command::new("clang-22")
        .args(["-c", "-emit-llvm", "-o", "good.bc", "good.c"])
        .current_dir(&folder)
        .status()
        .expect("clang-22 runs");
    assert!(compiled.success());
    let whole = std::fs::read(folder.join("good.bc")).expect("the bitcode is there");
    write("half.bc", &whole[..whole.len() / 2]);
    let long = format!("{main}{}", "}".repeat(10_000_000));
    write("long.c", long.as_bytes());

    let cases: &[(&[&str], i32, &str)] = &[
        (&["half.bc"], 2, "half.bc: "),
        (&["noise.bc"], 2, "noise.bc"),
        (&["noise.ll"], 2, "noise.ll"),
        (&["noise.ir"], 2, "noise.ir"),
        (&["noise.c"], 2, "noise.c"),
        (&["empty.c"], 2, "no function main"),
        (&["empty.bc"], 2, "empty.bc: the file is empty"),
        (&["empty.ll"], 2, "empty.ll: the file is empty"),
        (&["empty.ir"], 2, "empty.ir"),
        (&["folder.c"], 2, "folder.c: is a directory"),
        (&["missing.c"], 2, "missing.c: no such file"),
        (&["include.c"], 2, "'missing.h' file not found"),
        (&["errors.c"], 2, "errors.c does not compile"),
        (&["good.c", "again.c"], 2, "named 'main'"),
        (&["none.c"], 2, "no function main"),
        (&["long.c"], 2, "extraneous closing brace"),
        (&["--entry", "start", "good.c"], 1, "no function start"),
        (&["--no-such-option", "good.c"], 1, "--no-such-option"),
        (&["--check", "nothing", "good.c"], 1, "no check `nothing`"),
        (&["--opt", "7", "good.c"], 1, "--opt"),
    ];
    for &(args, code, part) in cases {
        let (actual, last, messages) = verify(&folder, args);
        assert_eq!(actual, Some(code), "{args:?}: {last}\n{messages}");
        assert!(messages.contains(part), "{args:?}: {messages}");
        assert!(messages.starts_with("error: "), "{args:?}: {messages}");
        // Clang's own lines stand as they are, and it gives up after twenty errors.
        let compiled = messages.contains("does not compile");
        let most = if compiled { 70 } else { 8 };
        assert!(messages.lines().count() <= most, "{args:?}: {messages}");
        let result = last.is_empty() || last.starts_with("RESULT: error(");
        assert!(result, "{args:?}: {last}");
    }
    let (code, last, messages) = verify(&folder, &["good.c"]);
    assert_eq!(
        (code, last.as_str()),
        (Some(0), "RESULT: true"),
        "{messages}"
    );
}
