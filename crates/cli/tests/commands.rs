//! The contracts of the command line: exit codes, the result line, and one clear sentence for bad input.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("commands")
        .join(name);
    fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

fn selkie(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_selkie"))
        .args(args)
        .output()
        .expect("selkie runs")
}

fn last_line(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .last()
        .unwrap_or("")
        .to_owned()
}

fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) -> String {
    let file = folder.join(name);
    fs::write(&file, text).expect("the file can be written");
    file.to_str().expect("a plain path").to_owned()
}

/// Verifies files and expects an error of this code, said in a sentence that has these words.
#[track_caller]
fn refused(args: &[&str], code: i32, words: &str) {
    let output = selkie(&[&["verify"], args].concat());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args:?}\n{stderr}");
    assert!(
        stderr.contains(words),
        "{args:?}: `{words}` is not in\n{stderr}"
    );
    assert!(!stderr.contains("panicked"), "{stderr}");
}

#[test]
fn verdicts_have_their_line_and_exit_code() {
    let folder = scratch("verdicts");
    let cases = [
        ("true.c", "int main(void) { return 0; }", "RESULT: true", 0),
        (
            "false.c",
            "#include <assert.h>\nint main(void) { assert(0); }",
            "RESULT: false(assert)",
            10,
        ),
        (
            "asm.c",
            "int main(void) { int x; __asm__(\"call f\" : \"=r\"(x)); return x; }",
            "RESULT: unknown(unsupported)",
            3,
        ),
    ];
    for (name, text, line, code) in cases {
        let file = write(&folder, name, text);
        let output = selkie(&["verify", &file]);
        assert_eq!(
            last_line(&output),
            line,
            "{name}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert_eq!(output.status.code(), Some(code), "{name}");
    }
}

#[test]
fn a_loop_without_end_is_named_when_time_is_up() {
    let folder = scratch("endless");
    let text = "#include <assert.h>\nextern unsigned sk_nondet_uint(void);\nint main(void) {\n  unsigned n = sk_nondet_uint(), i = 0;\n  while (i < n) i++;\n  assert(i <= n);\n}\n";
    let file = write(&folder, "endless.c", text);
    let verify = ["verify", "--engine", "bmc"];
    let output = selkie(&[&verify[..], &["--timeout", "3", &file]].concat());
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(124), "{said}");
    assert!(said.contains("main.loop.1"), "{said}");
    let fixed = selkie(&[&verify[..], &["--unwind", "4", &file]].concat());
    let said = String::from_utf8_lossy(&fixed.stdout).into_owned();
    assert_eq!(fixed.status.code(), Some(5), "{said}");
    assert!(said.contains("PROVED-BOUNDED(4)"), "{said}");
    assert!(said.contains("--unwind-set main.loop.1="), "{said}");
    assert_eq!(last_line(&fixed), "RESULT: unknown(bounded)");
}

#[test]
fn bad_input_gets_a_sentence_and_a_code() {
    let folder = scratch("bad");
    let main = write(&folder, "main.c", "int main(void) { return 0; }");
    refused(&["no-such-file.c"], 2, "no-such-file.c");
    refused(&[folder.to_str().expect("a plain path")], 2, "");
    refused(&[&write(&folder, "empty.c", "")], 2, "main");
    refused(&[&write(&folder, "empty.bc", "")], 2, "empty.bc");
    refused(
        &[&write(
            &folder,
            "random.bc",
            [7u8, 1, 200, 3, 99, 0, 255, 12],
        )],
        2,
        "random.bc",
    );
    refused(
        &[&write(&folder, "broken.ll", "define i32 @main( {")],
        2,
        "broken.ll",
    );
    refused(
        &[&write(&folder, "broken.c", "int main(void) { return }")],
        2,
        "broken.c",
    );
    refused(
        &[&write(
            &folder,
            "missing.c",
            "#include <no/such/header.h>\nint main(void) {}",
        )],
        2,
        "no/such/header.h",
    );
    refused(
        &[
            &main,
            &write(&folder, "second.c", "int main(void) { return 1; }"),
        ],
        2,
        "main",
    );
    refused(
        &[&write(&folder, "nomain.c", "int f(void) { return 1; }")],
        2,
        "main",
    );
    refused(&["--entry", "nobody", &main], 1, "nobody");
    refused(&["--check", "nonsense", &main], 1, "nonsense");
    refused(&["--unwind", "many", &main], 1, "many");
    refused(&["--unwind-set", "main.loop.9=3", &main], 1, "main.loop.9");
    let both = ["--calls", "mixed", "--after-failure", "continue", &main];
    refused(&both, 1, "contradict");
    refused(&["--engine", "steam", &main], 1, "invalid value");
    refused(&["--json", "no/such/folder/f.json", &main], 1, "f.json");
    refused(&["--solver", "cvc5", &main], 1, "smtlib:cvc5");
    refused(
        &["--solver", "smtlib:no-such-program", &main],
        1,
        "no-such-program",
    );
    refused(&["--timeout=-1", &main], 1, "--timeout");
    refused(&["--timeout", "inf", &main], 1, "--timeout");
    refused(&["--no-such-option", &main], 1, "--no-such-option");
    refused(
        &[&write(&folder, "bad.ir", "module raw ptr64\nfn @f( {")],
        2,
        "bad.ir:2",
    );
}

#[test]
fn limits_may_be_as_large_as_one_likes() {
    let folder = scratch("limits");
    let main = write(&folder, "main.c", "int main(void) { return 0; }");
    for options in [
        ["--timeout", "1e20"],
        ["--timeout", "1e300"],
        ["--timeout", "18446744073709551615"],
        ["--memory-limit", "18446744073709551615"],
        ["--unwind", "4294967295"],
        ["--depth", "4294967295"],
    ] {
        let output = selkie(&["verify", options[0], options[1], &main]);
        assert_eq!(last_line(&output), "RESULT: true", "{options:?}");
    }
}

#[test]
fn a_truncated_module_is_refused() {
    let folder = scratch("truncated");
    let main = write(&folder, "main.c", "int main(void) { return 0; }");
    let whole = folder.join("whole.bc");
    let clang = Command::new("clang-22")
        .args(["-c", "-emit-llvm", "-o"])
        .arg(&whole)
        .arg(&main)
        .status();
    assert!(clang.expect("clang runs").success());
    let bytes = fs::read(&whole).expect("bitcode");
    refused(
        &[&write(&folder, "half.bc", &bytes[..bytes.len() / 2])],
        2,
        "half.bc",
    );
    let output = selkie(&["verify", whole.to_str().expect("a plain path")]);
    assert_eq!(
        last_line(&output),
        "RESULT: true",
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn every_stage_can_be_saved_and_is_an_input_again() {
    let folder = scratch("save");
    let text = "#include <assert.h>\nextern int sk_nondet_int(void);\nint a[4];\nint main(void) {\n  int x = sk_nondet_int() & 3;\n  a[x] = 7;\n  assert(a[1] == 0);\n}\n";
    let file = write(&folder, "save.c", text);
    let stages = folder.join("stages");
    let output = selkie(&[
        "verify",
        "--save",
        stages.to_str().expect("a plain path"),
        &file,
    ]);
    assert_eq!(last_line(&output), "RESULT: false(assert)");
    for stage in ["raw", "lowered", "pure"] {
        let dump = stages.join(stage).with_extension("ir");
        let output = selkie(&["verify", dump.to_str().expect("a plain path")]);
        assert_eq!(
            last_line(&output),
            "RESULT: false(assert)",
            "{stage}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn the_report_for_programs_is_complete() {
    let folder = scratch("json");
    let file = write(
        &folder,
        "f.c",
        "extern int sk_nondet_int(void);\nint main(void) { return 10 / sk_nondet_int(); }\n",
    );
    let report = folder.join("f.json");
    let output = selkie(&[
        "verify",
        "--json",
        report.to_str().expect("a plain path"),
        &file,
    ]);
    assert_eq!(output.status.code(), Some(10));
    let text = fs::read_to_string(&report).expect("a report");
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(value["schema_version"], 1);
    assert_eq!(value["verdict"], "false(no-div-by-zero)");
    assert_eq!(value["violations"][0]["obligation"], "main.div.1");
    assert_eq!(
        value["violations"][0]["trace"].as_array().map(Vec::len),
        Some(1)
    );
    assert!(
        value["ledger"]
            .as_array()
            .is_some_and(|entries| !entries.is_empty())
    );
    let output = selkie(&[
        "verify",
        "--json",
        report.to_str().expect("a plain path"),
        "no-such-file.c",
    ]);
    assert_eq!(output.status.code(), Some(2));
    let text = fs::read_to_string(&report).expect("a report");
    assert!(text.contains("error(input)"), "{text}");
}

#[test]
fn list_and_explain_say_what_there_is() {
    let folder = scratch("list");
    let file = write(
        &folder,
        "f.c",
        "extern int sk_nondet_int(void);\nint a[4];\nint main(void) {\n  int s = 0;\n  for (int i = 0; i < sk_nondet_int(); i++) s += a[i & 3];\n  return s;\n}\n",
    );
    let show = |what: &str| {
        let output = selkie(&["list", "--show", what, &file]);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert!(
        show("loops").starts_with("main.loop.1 "),
        "{}",
        show("loops")
    );
    assert!(
        show("obligations").contains("main.overflow."),
        "{}",
        show("obligations")
    );
    assert!(
        show("functions")
            .lines()
            .any(|line| line.starts_with("main ")),
        "{}",
        show("functions")
    );
    assert!(
        show("regions")
            .lines()
            .any(|line| line.starts_with("r0 ") && line.contains(".r0")),
        "{}",
        show("regions")
    );
    let all = selkie(&["explain"]);
    assert!(String::from_utf8_lossy(&all.stdout).contains("overflow"));
    let one = selkie(&["explain", "overflow"]);
    assert!(String::from_utf8_lossy(&one.stdout).contains("CWE-190"));
    assert_eq!(selkie(&["explain", "nonsense"]).status.code(), Some(1));
    for (word, part) in [
        ("PROVED-BOUNDED(7)", "--unwind"),
        ("UNKNOWN(precondition: p: string)", "--param"),
        ("unknown", "layout"),
        ("invariant", "sk_invariant"),
    ] {
        let one = selkie(&["explain", word]);
        let text = String::from_utf8(one.stdout).expect("text");
        assert!(text.contains(part), "{word}: {text}");
    }
    let model = selkie(&["explain", "--model", "strcpy"]);
    assert!(String::from_utf8_lossy(&model.stdout).contains("strcpy("));
    assert_eq!(
        selkie(&["explain", "--model", "nonsense"]).status.code(),
        Some(1)
    );
}

#[test]
fn run_prints_what_the_program_prints_and_meets_what_it_violates() {
    let folder = scratch("run");
    let file = write(
        &folder,
        "hello.c",
        "#include <stdio.h>\nint main(void) { printf(\"%d %s\\n\", 42, \"ok\"); return 0; }\n",
    );
    let output = selkie(&["run", &file]);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "42 ok\n",
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let file = write(
        &folder,
        "bad.c",
        "extern int sk_nondet_int(void);\nint main(void) { int a[2] = {0}; return a[sk_nondet_int()]; }\n",
    );
    assert_eq!(
        selkie(&["run", "--inputs", "1", &file]).status.code(),
        Some(0)
    );
    let output = selkie(&["run", "--inputs", "2", &file]);
    assert_eq!(
        output.status.code(),
        Some(10),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(String::from_utf8_lossy(&output.stderr).contains("[main.deref.1]"));
}

#[test]
fn smt_solves_files_and_says_where_they_are_wrong() {
    let folder = scratch("smt");
    let text = "(set-logic QF_BV)\n(declare-const x (_ BitVec 8))\n(assert (= (bvmul x x) #x31))\n(check-sat)\n(assert (bvult x #x07))\n(assert (bvult #x07 x))\n(check-sat)\n";
    let file = write(&folder, "two.smt2", text);
    for solver in ["bitwuzla", "z3"] {
        let output = selkie(&["smt", "--solver", solver, &file]);
        assert_eq!(
            String::from_utf8_lossy(&output.stdout),
            "sat\nunsat\n",
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let file = write(
        &folder,
        "bad.smt2",
        "(set-logic QF_BV)\n(assert (nonsense))\n",
    );
    let output = selkie(&["smt", &file]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("bad.smt2:2:"), "{said}");
}
