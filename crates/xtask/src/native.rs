//! Native runs: what a program does on this machine, and what the sanitizers say about it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use anyhow::{Context, Result, bail};

use crate::csmith::INCLUDE;

/// The compiler that Selkie is built for; its sanitizers come with it.
pub(crate) const CLANG: &str = "/usr/lib/llvm-22/bin/clang";

/// How long a run may take. These programs take milliseconds, or forever.
const PATIENCE: Duration = Duration::from_secs(10);

/// How many values the input has.
pub const INPUTS: u32 = 4;

/// The other side of what the programs call: the input comes from the environment.
const HARNESS: &str = "\
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
unsigned __VERIFIER_nondet_uint(void) { return (unsigned)strtoul(getenv(\"PLANTED_INPUT\"), 0, 10); }
void reach_error(void) { fputs(\"reach_error\\n\", stderr); _exit(70); }
";

/// Sizes of types, as task lists call them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DataModel {
    /// 64-bit `long` and pointers.
    Lp64,
    /// 32-bit `long` and pointers.
    Ilp32,
}

impl DataModel {
    /// Its name in task lists.
    pub fn name(self) -> &'static str {
        match self {
            DataModel::Lp64 => "LP64",
            DataModel::Ilp32 => "ILP32",
        }
    }

    pub(crate) fn flag(self) -> &'static str {
        match self {
            DataModel::Lp64 => "-m64",
            DataModel::Ilp32 => "-m32",
        }
    }
}

/// How a program is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Build {
    /// Address, leak and undefined-behaviour sanitizers; nothing is optimised.
    Sanitized,
    /// Optimised: a second opinion on what the program means.
    Optimised,
}

/// What blocks count as leaked at the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaks {
    /// Those that nothing points to.
    Lost,
    /// All.
    Any,
}

/// What a run did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It ended, having printed this.
    Clean(String),
    /// A sanitizer stopped it: the property that it saw violated.
    Report(&'static str),
    /// It did not end, or ended in some other way.
    Strange(String),
}

/// Compiles a program into a folder, or says why not.
pub fn compile(folder: &Path, text: &str, model: DataModel, build: Build) -> Result<PathBuf> {
    let (source, harness) = (folder.join("native.c"), folder.join("harness.c"));
    let binary = folder.join(match build {
        Build::Sanitized => "sanitized",
        Build::Optimised => "optimised",
    });
    fs::write(&source, text).context("cannot write a program")?;
    fs::write(&harness, HARNESS).context("cannot write the harness")?;
    let mut command = Command::new(CLANG);
    command.args([model.flag(), "-w", "-I", INCLUDE, "-msse2", "-mfpmath=sse"]);
    match build {
        Build::Sanitized => command.args([
            "-O0",
            "-fsanitize=address,undefined,float-cast-overflow",
            // Packed structures are meant to be misaligned, and a null pointer is the address sanitizer's.
            "-fno-sanitize=alignment,null,pointer-overflow",
            "-fno-sanitize-recover=all",
        ]),
        Build::Optimised => command.args(["-O2"]),
    };
    let output = command
        .args([&source, &harness])
        .arg("-o")
        .arg(&binary)
        .output()
        .with_context(|| format!("cannot run {CLANG} (`./x setup` installs it)"))?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(binary)
}

/// Runs a compiled program with one input.
pub fn run(binary: &Path, input: u32, leaks: Leaks) -> Result<Outcome> {
    let (standard, error) = (binary.with_extension("out"), binary.with_extension("err"));
    let file = |path: &Path| fs::File::create(path).context("cannot keep what a program says");
    let mut child = Command::new(binary)
        .env("PLANTED_INPUT", input.to_string())
        .env(
            "ASAN_OPTIONS",
            "detect_leaks=1:detect_stack_use_after_return=1",
        )
        .env(
            "LSAN_OPTIONS",
            match leaks {
                Leaks::Lost => "",
                Leaks::Any => "use_globals=0:use_stacks=0:use_registers=0:use_tls=0",
            },
        )
        .stdin(Stdio::null())
        .stdout(file(&standard)?)
        .stderr(file(&error)?)
        .spawn()
        .context("cannot run a compiled program")?;
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if started.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Ok(Outcome::Strange("does not end".to_owned()));
        }
        thread::sleep(Duration::from_millis(1));
    };
    let said = String::from_utf8_lossy(&fs::read(&error)?).into_owned();
    Ok(match reported(&said, leaks) {
        Some(property) => Outcome::Report(property),
        None if status.success() => {
            Outcome::Clean(String::from_utf8_lossy(&fs::read(&standard)?).into_owned())
        }
        None => Outcome::Strange(format!("{status}: {said}")),
    })
}

/// The property that the first report of a sanitizer is about, or a leak.
fn reported(said: &str, leaks: Leaks) -> Option<&'static str> {
    first_property(said).or_else(|| {
        said.contains("ERROR: LeakSanitizer: detected memory leaks")
            .then_some(match leaks {
                Leaks::Lost => "valid-memtrack",
                Leaks::Any => "valid-memcleanup",
            })
    })
}

/// The property that the first report of a sanitizer is about.
pub(crate) fn first_property(said: &str) -> Option<&'static str> {
    const UNDEFINED: &[(&str, &str)] = &[
        ("signed integer overflow", "no-overflow"),
        ("negation of", "no-overflow"),
        ("division by zero", "no-div-by-zero"),
        // After the one by zero: what is left of divisions is the smallest number by minus one.
        ("division of", "no-overflow"),
        ("shift exponent", "no-shift"),
        ("left shift of", "no-shift"),
        (
            "is outside the range of representable values",
            "no-float-cast",
        ),
        ("out of bounds for type", "bounds"),
        ("unreachable program point", "no-unreachable"),
    ];
    const ADDRESS: &[(&str, &str)] = &[
        ("attempting double-free", "valid-free"),
        ("attempting free on address", "valid-free"),
        ("param-overlap", "no-overlap"),
        ("buffer-overflow", "valid-deref"),
        ("buffer-underflow", "valid-deref"),
        ("heap-use-after-free", "valid-deref"),
        ("stack-use-after", "valid-deref"),
        ("negative-size-param", "valid-deref"),
        ("SEGV on unknown address", "valid-deref"),
    ];
    let first = |start: &str, table: &[(&str, &'static str)]| {
        let line = said.lines().find(|line| line.contains(start))?;
        table
            .iter()
            .find(|(words, _)| line.contains(words))
            .map(|(_, property)| *property)
    };
    first("runtime error: ", UNDEFINED).or_else(|| first("ERROR: AddressSanitizer: ", ADDRESS))
}

#[cfg(test)]
mod tests {
    use super::{Build, DataModel, Leaks, Outcome, compile, run};

    fn outcome(body: &str, leaks: Leaks) -> Outcome {
        let folder = tempfile::tempdir().expect("a folder");
        let text = format!("#include <stdio.h>\n#include <stdlib.h>\n{body}");
        let binary = compile(folder.path(), &text, DataModel::Lp64, Build::Sanitized);
        run(&binary.expect("it compiles"), 2, leaks).expect("it runs")
    }

    #[test]
    fn the_input_is_read() {
        let body = "unsigned __VERIFIER_nondet_uint(void); int main(void) { printf(\"%u\", __VERIFIER_nondet_uint()); }";
        assert_eq!(outcome(body, Leaks::Lost), Outcome::Clean("2".to_owned()));
    }

    #[test]
    fn a_kept_block_is_no_lost_one() {
        let body = "static int *kept; int main(void) { kept = malloc(4); return 0; }";
        assert_eq!(outcome(body, Leaks::Lost), Outcome::Clean(String::new()));
        assert_eq!(
            outcome(body, Leaks::Any),
            Outcome::Report("valid-memcleanup")
        );
    }

    #[test]
    fn the_one_overflow_of_division_is_told_from_zero() {
        let divide = |by: i32| {
            format!(
                "int main(void) {{ volatile int a = -2147483647 - 1, b = {by}; return a / b; }}"
            )
        };
        assert_eq!(
            outcome(&divide(-1), Leaks::Lost),
            Outcome::Report("no-overflow")
        );
        assert_eq!(
            outcome(&divide(0), Leaks::Lost),
            Outcome::Report("no-div-by-zero")
        );
    }

    #[test]
    fn what_is_not_a_report_is_strange() {
        assert!(matches!(
            outcome("int main(void) { abort(); }", Leaks::Lost),
            Outcome::Strange(_)
        ));
    }
}
