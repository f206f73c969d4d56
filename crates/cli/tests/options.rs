//! Options do what they say, or are refused with a sentence.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn program(name: &str, source: &str) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("options-{name}.c"));
    std::fs::write(&file, source).expect("the program is written");
    file
}

/// Verifies a program; what is given to it on standard input may be nothing.
fn selkie(file: &Path, options: &[&str], input: &str) -> Output {
    let include: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lib/include");
    let mut child = Command::new(env!("CARGO_BIN_EXE_selkie"))
        .args(["verify", "--include"])
        .arg(include)
        .args(options)
        .arg(file)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("selkie runs");
    let mut pipe = child.stdin.take().expect("a pipe");
    // Whoever reads nothing has closed it.
    let _ = std::io::Write::write_all(&mut pipe, input.as_bytes());
    drop(pipe);
    child.wait_with_output().expect("selkie ends")
}

/// The report of a program that can be read.
fn verify(name: &str, source: &str, options: &[&str]) -> String {
    let output = selkie(&program(name, source), options, "");
    String::from_utf8(output.stdout).expect("the report is text")
}

#[track_caller]
fn result(report: &str, expected: &str) {
    let last = report.lines().last().unwrap_or_default();
    assert_eq!(last, format!("RESULT: {expected}"), "{report}");
}

#[test]
fn a_property_names_the_function_that_must_not_be_called() {
    let file = program(
        "errors",
        "extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
static void mine(int k) { (void)k; }
static void (*hook)(int) = mine;
static void unused(void) {}
extern void outside(void);
extern void far(void);
static void (*table[])(void) = {far, unused};
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 3) reach_error();
    if (x == 5) hook(x);
    if (x == 7) outside();
    if (x == 9) table[0]();
    return 0;
}
",
    );
    // The file is a pipe, which can be read once; an overflow that is not checked makes the program
    // be loaded twice.
    let ask = |name: &str, opt: &str| {
        let property = format!("CHECK( init(main()), LTL(G ! call({name}())) )\n");
        let options = ["--prp", "/dev/stdin", "--opt", opt, "--json", "-"];
        let output = selkie(&file, &options, &property);
        // It stands alone on standard output.
        let text = String::from_utf8(output.stdout).expect("the report is text");
        let report: serde_json::Value =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let people = String::from_utf8_lossy(&output.stderr);
        assert!(people.contains("RESULT: "), "{people}");
        (report["verdict"].to_string(), report.to_string())
    };
    for opt in ["0", "1", "2"] {
        for (name, obligation) in [
            ("reach_error", "main.reach.1"),
            ("mine", "mine.reach.1"),
            ("outside", "main.reach.1"),
        ] {
            let (verdict, report) = ask(name, opt);
            assert_eq!(verdict, "\"false(unreach-call)\"", "{name} {report}");
            assert!(report.contains(obligation), "{name} {report}");
            assert!(report.contains(&format!("what must not be called: {name}")));
        }
        // Through a table, where only its address is known.
        let (verdict, report) = ask("far", opt);
        assert_eq!(verdict, "\"false(unreach-call)\"", "{report}");
        for name in ["unused", "nobody"] {
            let (verdict, report) = ask(name, opt);
            assert_eq!(verdict, "\"true\"", "{name} {report}");
        }
    }
}

const SIZES: &str = "extern void sk_assert(_Bool);
int main(void) { sk_assert(sizeof(long) == 8); return 0; }
";

#[test]
fn flags_that_choose_sizes_are_followed_or_contradicted() {
    let wide = verify("sizes", SIZES, &["--cflags=-m64"]);
    result(&wide, "true");
    assert!(wide.contains("data model LP64"), "{wide}");
    for options in [
        &["--cflags=-m32"][..],
        &["--cflags=-m32", "--data-model", "ILP32"],
    ] {
        let narrow = verify("sizes", SIZES, options);
        result(&narrow, "false(assert)");
        assert!(narrow.contains("data model ILP32"), "{narrow}");
    }
    let both = verify("sizes", SIZES, &["--cflags=-m32", "--data-model", "LP64"]);
    result(&both, "error(usage)");
}

#[test]
fn flags_that_cannot_be_followed_are_refused() {
    for flag in [
        "--target=i686-linux-gnu",
        "-target aarch64-linux-gnu",
        "-ftrapv",
        "-ffast-math",
        "-Ofast",
        "-fshort-wchar",
        "-fsanitize=undefined",
        "-Xclang -ffast-math",
        "-E",
    ] {
        let file = program("refused", SIZES);
        let output = selkie(&file, &[&format!("--cflags={flag}")], "");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{flag}: {errors}");
        assert!(errors.contains("is not supported: "), "{flag}: {errors}");
    }
    let usual = "--cflags=-O2 -g -Wall -DX=1 -c -std=gnu11 -fPIC";
    let usual = verify("usual", SIZES, &[usual]);
    result(&usual, "true");
    assert!(usual.contains("compiled with -std=gnu11\n"), "{usual}");
}

#[test]
fn arithmetic_wraps_if_that_is_said() {
    let source = "extern int sk_nondet_int(void);
extern void sk_assert(_Bool);
int main(void) {
    int x = sk_nondet_int();
    int y = x + 1;
    sk_assert(CLAIM);
    return 0;
}
";
    result(
        &verify("wraps", source, &["--define", "CLAIM=1"]),
        "false(no-overflow)",
    );
    for flag in ["--cflags=-fwrapv", "--cflags=-fno-strict-overflow"] {
        let holds = verify(
            "wraps",
            source,
            &[flag, "--define", "CLAIM=y>x||x==0x7fffffff"],
        );
        result(&holds, "true");
        assert!(
            holds.contains("signed arithmetic wraps, as --cflags says"),
            "{holds}"
        );
        let fails = verify("wraps", source, &[flag, "--define", "CLAIM=y>x"]);
        result(&fails, "false(assert)");
    }
}

#[test]
fn plain_characters_may_be_unsigned() {
    let source = "extern void sk_assert(_Bool);
int main(void) { char c = 200; sk_assert(c > 0); return 0; }
";
    result(&verify("char", source, &[]), "false(assert)");
    let unsigned = verify("char", source, &["--cflags=-funsigned-char"]);
    result(&unsigned, "true");
    assert!(
        unsigned.contains("compiled with -funsigned-char"),
        "{unsigned}"
    );
}

#[test]
fn functions_that_nothing_declares_are_those_of_the_library() {
    let source = "extern void sk_assert(_Bool);
int main() {
    char *p = malloc(4);
    strcpy(p, TEXT);
    sk_assert(strlen(p) == 3);
    sk_assert(sqrt(4.0) == 2.0);
    free(p);
    return 0;
}
";
    for standard in [
        "-std=gnu89",
        "-std=c89",
        "-std=gnu11 -Wno-implicit-function-declaration",
    ] {
        let flags = format!("--cflags={standard}");
        for opt in ["0", "2"] {
            let fits = [&flags, "--opt", opt, "--define", "TEXT=\"abc\""];
            let fits = verify("implicit", source, &fits);
            result(&fits, "true");
            assert!(fits.contains("models: sqrt, strcpy, strlen"), "{fits}");
            let long = [&flags, "--opt", opt, "--define", "TEXT=\"abcd\""];
            result(&verify("implicit", source, &long), "false(valid-deref)");
        }
    }
}

#[test]
fn bounds_hold_for_every_loop() {
    let source = "#include <string.h>
extern void sk_assert(_Bool);
static int down(int n) { return n == 0 ? 0 : 1 + down(n - 1); }
int main(void) {
    int s = 0;
    for (int i = 0; i < 10; i++) s += i;
    sk_assert(s == 45);
    char b[20];
    strcpy(b, \"hello world\");
    sk_assert(strlen(b) == 11);
    sk_assert(down(6) == 6);
    return 0;
}
";
    for opt in ["0", "2"] {
        let ask = |name: &str, options: &[&str]| {
            verify(name, source, &[&["--opt", opt], options].concat())
        };
        for (options, bounded) in [
            (&[][..], false),
            (&["--unwind", "12"], false),
            (&["--unwind", "3"], true),
            (&["--unwind", "10"], true),
            (&["--unwind-set", "main.loop.1=4"], true),
            (&["--unwind-set", "main.loop.1=10"], false),
            (&["--unwind-set", "text_length.loop.1=4"], true),
            (&["--depth", "5"], true),
            (&["--depth", "6"], false),
        ] {
            let report = ask("bounds", options);
            result(&report, if bounded { "unknown(bounded)" } else { "true" });
        }
        let report = ask("bounds", &["--unwind", "3"]);
        assert!(
            report.contains("main.loop.1 was unrolled 3 times"),
            "{report}"
        );
    }
}

#[test]
fn bounds_hold_for_loops_that_are_entered_in_the_middle() {
    let source = "extern void sk_assert(_Bool);
extern int sk_nondet_int(void);
int main(void) {
    int i = 0, n = 10;
    switch (sk_nondet_int() & 1) {
    case 1:
        while (i < n) {
            i++;
    case 0:
            i += 2;
        }
    }
    sk_assert(i >= 0);
    return 0;
}
";
    result(&verify("middle", source, &["--unwind", "20"]), "true");
    result(
        &verify("middle", source, &["--unwind", "1"]),
        "unknown(bounded)",
    );
    let one = verify("middle", source, &["--unwind-set", "main.loop.1=1"]);
    result(&one, "unknown(bounded)");
}
