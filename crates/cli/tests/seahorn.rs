//! Programs written for SeaHorn, in C and C++, with its header and with declarations of their own.

use std::path::Path;
use std::process::Command;

/// Verifies a program at every `--opt`; the last line of each report.
fn results(file: &str, source: &str, options: &[&str]) -> Vec<String> {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("seahorn-{file}"));
    std::fs::write(&path, source).expect("the program is written");
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lib/include");
    let run = |opt: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
            .args(["verify", "--opt", opt, "--include"])
            .arg(&include)
            .args(options)
            .arg(&path)
            .output()
            .expect("selkie runs");
        let report = String::from_utf8_lossy(&output.stdout).into_owned();
        report.lines().last().unwrap_or("").to_owned()
    };
    ["0", "1", "2"].map(run).to_vec()
}

fn all(result: &str) -> Vec<String> {
    vec![format!("RESULT: {result}"); 3]
}

#[test]
fn own_declarations_in_cpp_do_not_clash() {
    let own = r#"
extern "C" {
extern void memhavoc(void *, unsigned);
extern char *nd_ptr();
extern int nd_int();
}
"#;
    let program = |before: &str, after: &str| {
        format!(
            "{before}\n#include <seahorn/seahorn.h>\n{after}
int main() {{
    int x = nd_int(), y = x;
    memhavoc(&y, sizeof y);
    if (nd_ptr()) sassert(x != 7 || y != 9);
}}
"
        )
    };
    for (file, source) in [
        ("none.cpp", program("", "")),
        ("before.cpp", program(own, "")),
        ("after.cpp", program("", own)),
        ("mangled.cpp", program("int nd_int();", "")),
    ] {
        assert_eq!(
            results(file, &source, &[]),
            all("false(unreach-call)"),
            "{file}"
        );
    }
}

#[test]
fn templates_that_nothing_needs_go() {
    let source = r#"
#include <seahorn/seahorn.h>
template <class T> struct List {
    T *p;
    size_t n;
    List(size_t n) : p(new T[n]), n(n) {}
    ~List() { delete[] p; }
    T &at(size_t i) { return p[i]; }
    void clear() { for (size_t i = 0; i < n; i++) p[i] = T(); }
};
template <class T> T twice(T x) { return x + x; }
inline int unused(int x) { List<int> list(3); list.clear(); return twice(x); }
template struct List<long>;
int main() {
    List<int> list(4);
    size_t i = nd_size_t();
    assume(i < 4);
    list.at(i) = 3;
    sassert(list.at(i) == 3);
    memhavoc(&i, sizeof i);
    return 0;
}
"#;
    assert_eq!(results("templates.cpp", source, &[]), all("true"));
    let wrong = source.replace("i < 4", "i < 5");
    assert_eq!(
        results("outside.cpp", &wrong, &[]),
        all("false(valid-deref)")
    );
}

#[test]
fn tracking_is_off_until_it_is_on() {
    let source = |claim: &str| {
        format!(
            "#include <seahorn/seahorn.h>
#include <stdlib.h>
int main(void) {{
    char *p = malloc(8), *q = malloc(8);
    p[0] = 1;
    sassert(!sea_is_modified(p));
    sea_tracking_on();
    size_t n = nd_size_t();
    assume(n <= 8);
    memhavoc(p + n, 8 - n);
    sassert(!sea_is_modified(p));
    q[nd_bool()] = 2;
    sea_tracking_off();
    p[1] = 3;
    sassert({claim});
    return 0;
}}
"
        )
    };
    let holds = source("sea_is_modified(q) && !sea_is_modified(p)");
    assert_eq!(results("tracking.c", &holds, &[]), all("true"));
    let fails = source("sea_is_modified(p)");
    assert_eq!(
        results("untracked.c", &fails, &[]),
        all("false(unreach-call)")
    );
}

#[test]
fn memhavoc_checks_its_bounds_and_cuts_nothing_off() {
    let source = |statement: &str, claim: &str| {
        format!(
            "#include <seahorn/seahorn.h>
int main(void) {{
    char a[4] = {{0}};
    {statement}
    sassert({claim});
    return 0;
}}
"
        )
    };
    let null = source("memhavoc(0, 8); memhavoc(a + 4, 0);", "a[3] == 0");
    assert_eq!(results("null.c", &null, &[]), all("true"));
    let beyond = source("memhavoc(a, 5);", "1");
    assert_eq!(results("beyond.c", &beyond, &[]), all("false(valid-deref)"));
    // What follows is reached, and the bytes that are there have changed.
    for (file, claim) in [("after.c", "0"), ("changed.c", "a[3] == 0")] {
        let source = source("memhavoc(a, 5);", claim);
        assert_eq!(
            results(file, &source, &["--check", "reach"]),
            all("false(unreach-call)"),
            "{file}"
        );
    }
    let questions = source(
        "",
        "sea_is_dereferenceable(a, 0) && sea_is_dereferenceable(a + 4, 0) && sea_is_dereferenceable(0, 0)
         && sea_is_deref(a, 4) && !sea_is_deref(a, 5) && !sea_is_deref(0, 1)",
    );
    assert_eq!(results("questions.c", &questions, &[]), all("true"));
}
