//! `selkie run`: the program reads and writes the host's streams, and its exit code is the
//! command's.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn program(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the program is written");
    path
}

/// Exit code, output and messages of a program with this input.
fn run(args: &[&str], file: &Path, input: &str) -> (Option<i32>, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_selkie"))
        .arg("run")
        .args(args)
        .arg(file)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("selkie runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    (
        output.status.code(),
        String::from_utf8_lossy(&output.stdout).into_owned(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    )
}

#[test]
fn streams_are_the_hosts_and_the_exit_code_is_mains() {
    let file = program(
        "run-streams.c",
        "#include <stdio.h>
         #include <stdlib.h>
         static void bye(void) { puts(\"bye\"); }
         int main(void) {
             int n;
             char word[20];
             atexit(bye);
             while (scanf(\"%d %19s\", &n, word) == 2) {
                 printf(\"%s %d\\n\", word, n * n);
                 fprintf(stderr, \"%d read\\n\", n);
                 if (n == 3)
                     exit(n);
             }
             return n;
         }",
    );
    let (code, out, err) = run(&[], &file, "2 two 5 five");
    assert_eq!(code, Some(5), "{err}");
    assert_eq!(out, "two 4\nfive 25\nbye\n");
    assert_eq!(err, "2 read\n5 read\n");
    let (code, out, _) = run(&[], &file, "3 three 4 four");
    assert_eq!((code, out.as_str()), (Some(3), "three 9\nbye\n"));
}

#[test]
fn a_violated_obligation_ends_the_run() {
    let file = program(
        "run-violated.c",
        "#include <stdio.h>
         int main(void) {
             int x = getchar();
             printf(\"%d\\n\", 100 / (x - 'a'));
             return 300;
         }",
    );
    let (code, out, err) = run(&[], &file, "b");
    assert_eq!((code, out.as_str()), (Some(300 % 256), "100\n"), "{err}");
    let (code, out, err) = run(&[], &file, "a");
    assert_eq!((code, out.as_str()), (Some(10), ""));
    assert!(err.contains("[main.div.1] division by zero"), "{err}");
}

#[test]
fn aborts_and_inputs() {
    let file = program(
        "run-abort.c",
        "#include <selkie.h>
         #include <stdlib.h>
         int main(void) {
             int x = sk_nondet_int();
             if (x == 7)
                 abort();
             return x;
         }",
    );
    assert_eq!(run(&[], &file, "").0, Some(0));
    assert_eq!(run(&["--inputs", "9"], &file, "").0, Some(9));
    assert_eq!(run(&["--inputs", "7"], &file, "").0, Some(134));
}
