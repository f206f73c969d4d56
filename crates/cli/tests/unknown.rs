//! Pointers that unknown code returns, and memory that no object of the program owns.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Verifies a program; standard output.
fn verify(name: &str, source: &str, options: &[&str]) -> String {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("unknown-{name}.c"));
    std::fs::write(&file, source).expect("the program is written");
    let include: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lib/include");
    let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
        .arg("verify")
        .arg("--include")
        .arg(include)
        .args(options)
        .arg(&file)
        .output()
        .expect("selkie runs");
    String::from_utf8(output.stdout).expect("the report is text")
}

/// The last line of the report.
fn result(report: &str) -> &str {
    report.lines().last().unwrap_or("")
}

#[test]
fn what_follows_a_write_through_an_unknown_pointer_is_not_proved_away() {
    let source = "#include <selkie.h>
struct dev { int on; };
extern struct dev *find_dev(int);
int main(void) {
    struct dev *d = find_dev(1);
    if (!d) return 0;
    d->on = 1;
    sk_assert(d->on == 2);
}
";
    for opt in ["0", "1", "2"] {
        for mode in ["havoc", "pure"] {
            let options = ["--check", "assert", "--opt", opt, "--extern", mode];
            let report = verify(&format!("write-{opt}-{mode}"), source, &options);
            assert_ne!(result(&report), "RESULT: true", "{report}");
        }
    }
}
