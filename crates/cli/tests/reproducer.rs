//! A reproducer is built by ordinary compilers, and the program fails natively where it was said to.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn folder() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// Writes a program, has its violation reproduced, and returns the names of both files.
fn reproducer(name: &str, source: &str, options: &[&str]) -> (String, String) {
    let file = format!("reproducer-{name}.c");
    std::fs::write(folder().join(&file), source).expect("the program is written");
    let out = format!("reproducer-{name}-inputs.c");
    let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
        .args(["verify", "--reproducer", &out])
        .args(options)
        .arg(&file)
        .current_dir(folder())
        .output()
        .expect("selkie runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(10), "{said}");
    (file, out)
}

/// Builds both files and runs what comes out.
fn run(compiler: &str, sanitizers: &str, files: &(String, String)) -> Output {
    let program: PathBuf = folder().join(format!("{}.{compiler}", files.1));
    let output = Command::new(compiler)
        .args(["-g", "-w", sanitizers, "-fno-sanitize-recover=all", "-o"])
        .arg(&program)
        .args([&files.1, &files.0])
        .current_dir(folder())
        .output()
        .expect("the compiler runs");
    assert!(
        output.status.success(),
        "{compiler}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Command::new(program).output().expect("the program runs")
}

#[track_caller]
fn fails(name: &str, source: &str, options: &[&str], part: &str) {
    let files = reproducer(name, source, options);
    for compiler in ["clang-22", "gcc"] {
        let output = run(compiler, "-fsanitize=address,undefined", &files);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            !output.status.success(),
            "{name} with {compiler} does not fail"
        );
        assert!(
            said.contains(part),
            "{name} with {compiler}: {part}\n{said}"
        );
    }
}

#[test]
fn sanitizers_show_the_fault_at_its_line() {
    let heap = "#include <stdlib.h>
extern int sk_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    int n = sk_nondet_int();
    unsigned char c = __VERIFIER_nondet_uchar();
    if (n < 1 || n > 100 || c != 200) return 0;
    char *room = malloc(n);
    if (n * 2 == 84)
        room[n] = 1;
    free(room);
    return 0;
}
";
    fails(
        "heap",
        heap,
        &["--check", "memsafety"],
        "reproducer-heap.c:10",
    );
    let overflow = "extern long __VERIFIER_nondet_long(void);
int main(void) {
    long a = __VERIFIER_nondet_long();
    long b = __VERIFIER_nondet_long();
    if (a < 1000 || b < 77) return 0;
    long sum = a + b;
    return sum > 0;
}
";
    fails(
        "overflow",
        overflow,
        &["--check", "overflow"],
        "reproducer-overflow.c:6",
    );
}

#[test]
fn claims_fail_as_well() {
    let claim = "extern int sk_nondet_int(void);
extern double sk_nondet_double(void);
void sk_assume(_Bool);
void sk_assert(_Bool);
int rate(void);
int main(void) {
    int n = sk_nondet_int();
    sk_assume(n > 40);
    double d = sk_nondet_double();
    int r = rate();
    if (r != 7) return 0;
    sk_assert(n != 42 || d != 2.5);
    return 0;
}
";
    fails(
        "claim",
        claim,
        &["--check", "assert", "--extern", "pure"],
        "sk_assert: violated",
    );
}

#[test]
fn what_cannot_be_reproduced_is_said() {
    let file = folder().join("reproducer-none.c");
    std::fs::write(
        &file,
        "int f(int *p) { return *p; } int main(void) { return 0; }\n",
    )
    .expect("written");
    let selkie = |options: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_selkie"))
            .arg("verify")
            .args(options)
            .arg(&file)
            .output()
            .expect("selkie runs")
    };
    let output = selkie(&["--reproducer", "-"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("#error \"no violation was found\""), "{said}");
    let output = selkie(&["--reproducer", "-", "--entry", "f"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("--reproducer needs a program with `main`"),
        "{said}"
    );
}

/// Memory that is filled, macros that ask, and what this execution never asks.
#[test]
fn memory_and_macros_are_given_as_well() {
    let source = "extern void sk_havoc(void *, unsigned long);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
#define ASK() __VERIFIER_nondet_uint()
struct request { int id; char name[8]; };
int main(void) {
    struct request r;
    int a[4] = {0};
    sk_havoc(&r, sizeof r);
    unsigned i = ASK(), k = ASK();
    if (k == 1000)
        return __VERIFIER_nondet_long() == 3;
    if (r.id == 17 && r.name[2] == 'k' && i > k)
        a[i] = 1;
    return a[0];
}
";
    fails(
        "filled",
        source,
        &["--check", "deref"],
        "reproducer-filled.c:14",
    );
}
