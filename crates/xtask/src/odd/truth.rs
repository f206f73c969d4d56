//! What a program does for every input: it is run natively, once for each sequence of choices, under sanitizers.
//!
//! The text of a program has parts between `#ifdef ORACLE` and `#else` or `#endif` that only the native run sees: there an input
//! is a choice among a few values, and so is whatever C leaves arbitrary (a result that no `return` gives). What sanitizers
//! do not look at (lanes of vectors, variables whose scope a `goto` entered in the middle) is looked at by the program itself.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::native::{CLANG, DataModel, first_property};

/// How long all runs of a program may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// What one run did.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Run {
    /// It came to its end, with this result.
    Result(u32),
    /// It ended before, by `exit`, `abort`, or an assumption.
    Ended,
    /// It violated this property.
    Violated(String),
}

/// Compiles and runs programs, in a folder of its own.
#[derive(Debug)]
pub struct Oracle {
    folder: PathBuf,
    harness: [PathBuf; 2],
}

impl Oracle {
    /// An oracle that may write into this folder.
    pub fn new(folder: &Path) -> Result<Self> {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let source = folder.join("oracle.c");
        fs::write(&source, include_str!("oracle.c")).context("cannot write the harness")?;
        let mut harness = [folder.join("oracle-64.o"), folder.join("oracle-32.o")];
        for (object, model) in harness.iter_mut().zip([DataModel::Lp64, DataModel::Ilp32]) {
            compile(&[model.flag(), "-O1", "-w", "-c"], &[&source], object)?;
        }
        Ok(Oracle {
            folder: folder.to_owned(),
            harness,
        })
    }

    /// Every run of a program; nothing if there are too many, or one that sanitizers cannot judge.
    pub fn runs(&self, text: &str, model: DataModel) -> Result<Option<Vec<Run>>> {
        let (source, binary) = (self.folder.join("native.c"), self.folder.join("native"));
        fs::write(&source, text).context("cannot write a program")?;
        let harness = match model {
            DataModel::Lp64 => &self.harness[0],
            DataModel::Ilp32 => &self.harness[1],
        };
        let options = [
            model.flag(),
            "-w",
            "-O0",
            "-DORACLE",
            "-msse2",
            "-mfpmath=sse",
            "-fsanitize=address,undefined",
            // Pointers that leave an array are the address sanitizer's, once they are used.
            "-fno-sanitize=alignment,null,pointer-overflow,bounds,object-size,function,vla-bound",
            "-fno-sanitize-recover=all",
        ];
        compile(&options, &[&source, harness], &binary)?;
        let Some(said) = execute(&binary, &self.folder.join("native.out"))? else {
            return Ok(None);
        };
        let mut lines: Vec<&str> = said.lines().collect();
        if lines.pop() != Some("all") {
            return Ok(None);
        }
        Ok(lines.into_iter().map(run).collect())
    }
}

/// The different runs.
pub fn distinct(runs: &[Run]) -> BTreeSet<Run> {
    runs.iter().cloned().collect()
}

/// The program as a verifier sees it: without the oracle's parts.
pub fn without_oracle(text: &str) -> String {
    let mut kept = String::new();
    // For each open condition: is it the oracle's, and is this part of it kept?
    let mut open: Vec<(bool, bool)> = Vec::new();
    for line in text.lines() {
        let word = line.trim_start();
        if word.starts_with("#if") {
            let oracle = word == "#ifdef ORACLE";
            open.push((oracle, !oracle));
            if oracle {
                continue;
            }
        } else if word.starts_with("#else") {
            if let Some((true, keep)) = open.last_mut() {
                *keep = true;
                continue;
            }
        } else if word.starts_with("#endif") && open.pop().is_some_and(|(oracle, _)| oracle) {
            continue;
        }
        if open.iter().all(|(_, keep)| *keep) {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

fn compile(options: &[&str], sources: &[&Path], out: &Path) -> Result<()> {
    let output = Command::new(CLANG)
        .args(options)
        .args(sources)
        .arg("-o")
        .arg(out)
        .output()
        .with_context(|| format!("cannot run {CLANG} (`./x setup` installs it)"))?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

/// What the driver printed, if it came to an end.
fn execute(binary: &Path, out: &Path) -> Result<Option<String>> {
    let file = fs::File::create(out).context("cannot keep what a program says")?;
    let mut child = Command::new(binary)
        .env(
            "ASAN_OPTIONS",
            "detect_leaks=0:detect_stack_use_after_return=1:symbolize=0:allocator_may_return_null=1:handle_abort=0",
        )
        .env("UBSAN_OPTIONS", "symbolize=0")
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(Stdio::null())
        .spawn()
        .context("cannot run a compiled program")?;
    let started = Instant::now();
    while child.try_wait()?.is_none() {
        if started.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(Some(String::from_utf8_lossy(&fs::read(out)?).into_owned()))
}

/// One line of the driver.
fn run(line: &str) -> Option<Run> {
    const ABORTED: u32 = 6;
    let cells: Vec<&str> = line.splitn(5, '\t').collect();
    let [status, finished, result, said, report] = cells[..] else {
        return None;
    };
    let status: u32 = status.parse().ok()?;
    if !report.is_empty() {
        return first_property(report).map(|name| Run::Violated(name.to_owned()));
    }
    match said {
        "" => {}
        "ended" => return Some(Run::Ended),
        other => return Some(Run::Violated(other.to_owned())),
    }
    let (signal, code) = (status & 0x7f, status >> 8);
    match (signal, code, finished) {
        (0, 99, _) => None,
        (0, _, "1") => result.parse().ok().map(Run::Result),
        (0, ..) => Some(Run::Ended),
        (ABORTED, ..) => Some(Run::Ended),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Oracle, Run, without_oracle};
    use crate::native::DataModel;

    #[test]
    fn every_sequence_of_choices_is_run() {
        let folder = tempfile::tempdir().expect("a folder");
        let oracle = Oracle::new(folder.path()).expect("the harness compiles");
        let text = "unsigned oracle_choose(unsigned); void oracle_result(unsigned);
            int main(void) {
                unsigned a = oracle_choose(3), b = a ? oracle_choose(2) : 7;
                if (a == 2 && b) return 4 / (int)(a - 2);
                if (a == 2) __builtin_abort();
                oracle_result(10 * a + b);
            }";
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            let runs = oracle.runs(text, model).expect("it compiles");
            let wanted = vec![
                Run::Result(7),
                Run::Result(10),
                Run::Result(11),
                Run::Ended,
                Run::Violated("no-div-by-zero".to_owned()),
            ];
            assert_eq!(runs, Some(wanted));
        }
    }

    #[test]
    fn the_oracles_parts_are_taken_out() {
        let text = "a\n#ifdef ORACLE\nb\n#ifdef X\nc\n#endif\n#else\nd\n#endif\n#if 1\ne\n#else\nf\n#endif\n";
        assert_eq!(without_oracle(text), "a\nd\n#if 1\ne\n#else\nf\n#endif\n");
    }
}
