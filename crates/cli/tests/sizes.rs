//! Counterexamples with objects of any size are replayed: small ones are asked for.

use std::path::Path;
use std::process::Command;

fn verify(name: &str, source: &str, options: &[&str]) -> String {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("sizes-{name}.c"));
    std::fs::write(&file, source).expect("the program is written");
    let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
        .arg("verify")
        .args(options)
        .arg(&file)
        .output()
        .expect("selkie runs");
    String::from_utf8(output.stdout).expect("the report is text")
}

/// The program's verdict with the claim, for both data models and a few encodings.
#[track_caller]
fn always(name: &str, source: &str, claim: &str, expected: &str) {
    let define = format!("CLAIM={claim}");
    for model in ["LP64", "ILP32"] {
        for switch in [&[][..], &["--vc", "dataflow"], &["--alloc", "relative"]] {
            let options = [&["--data-model", model, "--define", &define], switch].concat();
            let report = verify(name, source, &options);
            let last = report.lines().last().unwrap_or_default();
            assert_eq!(
                last,
                format!("RESULT: {expected}"),
                "{options:?} {claim}\n{report}"
            );
            assert!(!report.contains("did not replay"), "{options:?}\n{report}");
        }
    }
}

#[test]
fn two_objects_of_chosen_size() {
    let source = "#include <stdlib.h>
extern unsigned sk_nondet_uint(void);
int main(void) {
    unsigned a = sk_nondet_uint(), b = sk_nondet_uint();
    char *p = malloc(a), *q = malloc(b);
    if (a > 10 && b > 20 && (CLAIM)) q[a] = 2;
    free(p);
    free(q);
    return 0;
}
";
    always("two", source, "1", "false(valid-deref)");
    always("two", source, "a<b", "true");
}

#[test]
fn a_copy_of_any_length() {
    let source = "#include <stdlib.h>
#include <string.h>
extern void sk_assert(_Bool);
extern size_t sk_nondet_size_t(void);
int main(void) {
    size_t n = sk_nondet_size_t();
    char *p = malloc(n), *q = malloc(n);
    if (n > 5) {
        memset(p, 1, n);
        memcpy(q, p, n);
        sk_assert(CLAIM);
    }
    free(p);
    free(q);
    return 0;
}
";
    always("copy", source, "q[n-1]==2", "false(assert)");
    always("copy", source, "q[n-1]==1", "true");
}

#[test]
fn objects_that_have_to_be_large_lie_where_they_fit() {
    let source = "#include <stdlib.h>
extern void sk_assert(_Bool);
extern unsigned sk_nondet_uint(void);
int main(void) {
    unsigned n = sk_nondet_uint(), m = sk_nondet_uint();
    if (n < 100000000 || m < 100000000) return 0;
    char *p = malloc(n), *q = malloc(m);
    p[n - 1] = 7;
    q[m - 1] = 7;
    sk_assert(CLAIM);
    free(p);
    free(q);
    return 0;
}
";
    always("large", source, "p[n-1]!=q[m-1]", "false(assert)");
    always("large", source, "p[n-1]==q[m-1]", "true");
}

/// What fills gigabytes costs the pages that it looks at.
#[test]
fn copies_that_have_to_be_large_are_replayed() {
    let source = "#include <stdlib.h>
#include <string.h>
extern unsigned long sk_nondet_ulong(void);
extern void sk_assert(_Bool);
int main(void) {
    unsigned long n = sk_nondet_ulong();
    if (n < 3000000000 || n > 5000000000) return 0;
    char *p = malloc(n), *q = malloc(n);
    memset(p, 1, n);
    p[n / 2] = 2;
    memcpy(q, p, n);
    sk_assert(CLAIM);
    free(p);
    free(q);
    return 0;
}
";
    for (claim, expected) in [
        ("q[n-1]==2", "false(assert)"),
        ("q[n/2]==1", "false(assert)"),
        ("q[n/2]==2", "true"),
    ] {
        let define = format!("CLAIM={claim}");
        let report = verify("forced", source, &["--define", &define]);
        let last = report.lines().last().unwrap_or_default();
        assert_eq!(last, format!("RESULT: {expected}"), "{claim}\n{report}");
    }
}

/// No machine has such an object, whatever a proof says about it.
#[test]
fn objects_of_more_than_half_of_the_address_space() {
    let source = "#include <stdlib.h>
extern void sk_assert(_Bool);
int main(void) {
    char *p = malloc(0x7fffffffu + BEYOND);
    p[0] = 1;
    sk_assert(p[0] != 1);
    return 0;
}
";
    let model = ["--data-model", "ILP32"];
    let beyond = [&model[..], &["--define", "BEYOND=2"]].concat();
    let report = verify("half", source, &beyond);
    assert!(!report.contains("RESULT: false"), "{report}");
    let within = [&model[..], &["--define", "BEYOND=0"]].concat();
    let report = verify("half", source, &within);
    assert!(report.ends_with("RESULT: false(assert)\n"), "{report}");
}
