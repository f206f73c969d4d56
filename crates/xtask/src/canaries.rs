//! Canaries: where a native run of a proved program passed, `sk_assert(0)` must not be proved.
//!
//! ```text
//! a program that holds ─ marks at its statements ─ native runs ─▶ the marks that were passed
//!                      └─ sk_assert(0) at one of these ─ verify, any switches ─▶ never `true`
//! ```
//!
//! Native runs are under sanitizers, so that nothing undefined comes before a mark. What they cannot run (functions that only a
//! verifier has) ends them; the marks before that count.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use crate::native::CLANG;
use crate::odd::referee::{run, switches};
use crate::random::Random;

/// Native runs of a program, each with other inputs.
const RUNS: u32 = 8;

/// Marks that a program may have.
const ROOM: usize = 4096;

/// A program that holds, as its test says.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Source {
    /// Its name.
    pub name: String,
    /// The file that gets marks.
    pub text: String,
    /// Files that are compiled with it.
    pub others: Vec<PathBuf>,
    /// Options of both compilers: standard, macros, folders of headers.
    pub flags: Vec<String>,
    /// `LP64` or `ILP32`.
    pub data_model: String,
}

/// A program with a canary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Canary {
    /// Its program.
    pub source: Source,
    /// The line where it sits.
    pub line: usize,
    /// The text with it.
    pub text: String,
}

/// Whom to ask about which programs.
#[derive(Clone, Debug)]
pub struct Flock {
    /// The checkout whose programs are taken.
    pub root: PathBuf,
    /// The verifier.
    pub verifier: PathBuf,
    /// Seconds for each question.
    pub timeout: u32,
    /// Where programs are written, and those that went wrong are kept.
    pub folder: PathBuf,
}

/// What became of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// How many canaries there were.
    pub asked: usize,
    /// Programs without any: nothing could be compiled or run.
    pub silent: Vec<String>,
    /// What was answered `true`, or not at all, with the command.
    pub complaints: Vec<String>,
}

impl Flock {
    /// Asks about at most `count` canaries, of programs in random order: all of a program if there is room for
    /// all, otherwise one of each. `tell` hears of each complaint at once.
    pub fn release(&self, count: usize, seed: u64, tell: &dyn Fn(&str)) -> Result<Summary> {
        let mut random = Random::new(seed, 0);
        let mut left = sources(&self.root)?;
        let mut summary = Summary::default();
        while summary.asked < count && !left.is_empty() {
            let source = left.swap_remove(random.below(left.len()));
            let mut found = canaries(&source, &self.folder)?;
            if found.is_empty() {
                summary.silent.push(source.name);
            } else if count != usize::MAX {
                found = vec![random.pick(&found).clone()];
            }
            for canary in found {
                summary.asked += 1;
                if let Some(line) = ask(
                    &self.verifier,
                    &canary,
                    self.timeout,
                    &self.folder,
                    &mut random,
                )? {
                    tell(&line);
                    summary.complaints.push(line);
                }
            }
        }
        Ok(summary)
    }
}

/// The programs of a checkout that hold: those of the corpus, and those of the manual of checks.
pub fn sources(root: &Path) -> Result<Vec<Source>> {
    let corpus = root.join("tests/corpus");
    let headers = format!("-I{}", root.join("lib/include").display());
    let mut found = BTreeSet::new();
    let mut table =
        csv::Reader::from_path(corpus.join("tasks.csv")).context("the corpus has a list")?;
    let columns = table.headers()?.clone();
    for row in table.records() {
        let row = row?;
        let cell = |name: &str| {
            let at = columns.iter().position(|column| column == name);
            at.and_then(|at| row.get(at)).unwrap_or_default().to_owned()
        };
        if cell("expected") != "true" {
            continue;
        }
        let files = cell("files");
        let mut files = files.split(';').map(|file| corpus.join(file));
        let first = files.next().context("a task has a file")?;
        let mut flags = vec![headers.clone()];
        flags.extend(cell("cflags").split_whitespace().map(str::to_owned));
        let folders = cell("include_dirs");
        flags.extend(
            folders
                .split(';')
                .filter(|folder| !folder.is_empty())
                .map(|folder| format!("-I{}", corpus.join(folder).display())),
        );
        let macros = cell("defines");
        flags.extend(
            macros
                .split(';')
                .filter(|define| !define.is_empty())
                .map(|define| format!("-D{define}")),
        );
        found.insert(Source {
            name: cell("files").replace(['/', ';', '.'], "-"),
            text: fs::read_to_string(&first).with_context(|| format!("no {}", first.display()))?,
            others: files.collect(),
            flags,
            data_model: cell("data_model"),
        });
    }
    for entry in fs::read_dir(root.join("tests/checks")).context("the manual of checks is there")? {
        let path = entry?.path();
        let stem = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let manual = fs::read_to_string(&path).with_context(|| format!("no {}", path.display()))?;
        for (number, part) in manual.split("\n```c").skip(1).enumerate() {
            let code = part.split_once('\n').map_or("", |(_, rest)| rest);
            let code = code.split("\n```").next().unwrap_or_default();
            if !code.contains("// violated: ") {
                found.insert(Source {
                    name: format!("{stem}-{number}"),
                    text: format!("{code}\n"),
                    others: Vec::new(),
                    flags: vec![headers.clone()],
                    data_model: "LP64".to_owned(),
                });
            }
        }
    }
    Ok(found.into_iter().collect())
}

/// A canary for each mark of a program that a native run passed.
pub fn canaries(source: &Source, folder: &Path) -> Result<Vec<Canary>> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut places = places(&source.text);
    places.truncate(ROOM);
    let Some(binary) = compile(source, &mut places, folder)? else {
        return Ok(Vec::new());
    };
    let marks = folder.join("marks");
    fs::write(&marks, vec![0; ROOM]).context("cannot make room for marks")?;
    for mode in 0..RUNS {
        // How it ends does not matter.
        Command::new(&binary)
            .env("CANARY_MARKS", &marks)
            .env("CANARY_MODE", mode.to_string())
            .env(
                "ASAN_OPTIONS",
                "detect_leaks=0:symbolize=0:detect_stack_use_after_return=1",
            )
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .current_dir(folder)
            .status()
            .context("cannot run a compiled program")?;
    }
    let passed = fs::read(&marks).context("the marks are there")?;
    let passed = places.iter().zip(passed).filter(|(_, mark)| *mark != 0);
    Ok(passed
        .map(|(place, _)| Canary {
            source: source.clone(),
            line: source.text[..*place].matches('\n').count() + 1,
            text: format!(
                "void sk_assert(_Bool);\n{}",
                marked(&source.text, &[*place], &|_| "sk_assert(0); ".to_owned())
            ),
        })
        .collect())
}

/// Asks about one canary, with switches at random: the answer, if it is `true` or no answer at all.
pub fn ask(
    verifier: &Path,
    canary: &Canary,
    timeout: u32,
    folder: &Path,
    random: &mut Random,
) -> Result<Option<String>> {
    let file = folder.join(format!("{}-{}.c", canary.source.name, canary.line));
    fs::write(&file, &canary.text).with_context(|| format!("cannot write {}", file.display()))?;
    let mut words = vec!["verify".to_owned(), "--check".to_owned()];
    words.push(
        (*random.pick(&[
            "assert",
            "assert",
            "default",
            "assert,deref",
            "assert,overflow",
        ]))
        .to_owned(),
    );
    words.extend(["--timeout".to_owned(), timeout.to_string()]);
    words.extend(["--data-model".to_owned(), canary.source.data_model.clone()]);
    words.push(format!("--cflags=-w {}", canary.source.flags.join(" ")));
    words.extend(switches(random).into_iter().map(str::to_owned));
    words.push(file.display().to_string());
    words.extend(
        canary
            .source
            .others
            .iter()
            .map(|other| other.display().to_string()),
    );
    let (code, result) = run(verifier, &words)?;
    if result.starts_with("false(") || result.starts_with("unknown") {
        fs::remove_file(&file).with_context(|| format!("cannot remove {}", file.display()))?;
        return Ok(None);
    }
    Ok(Some(format!(
        "{result} (exit {code:?}): selkie {}",
        words.join(" ")
    )))
}

/// Where marks may stand: before statements that begin a line, and after braces that open a body.
fn places(text: &str) -> Vec<usize> {
    let mut places = BTreeSet::new();
    let (mut before, mut depth, mut parens) = (' ', 0i32, 0i32);
    let mut comment = false;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let code = line.split("//").next().unwrap_or_default();
        let word = code.trim_start();
        let indent = code.len() - word.len();
        let outside = comment || word.starts_with('#') || word.trim_end().is_empty();
        comment = (comment || code.contains("/*")) && !code.contains("*/");
        if outside || comment {
            start += line.len();
            continue;
        }
        let statement = matches!(before, ';' | '{' | '}' | ':') && depth > 0 && parens == 0;
        let first = word.chars().next().unwrap_or(' ');
        let keyword = ["else", "case ", "default"]
            .iter()
            .any(|keyword| word.starts_with(keyword));
        if statement && !keyword && (first.is_alphabetic() || "_*(+-".contains(first)) {
            places.insert(start + indent);
        }
        for (at, _) in code.match_indices(") {") {
            places.insert(start + at + 3);
        }
        let count = |letter: char| code.matches(letter).count() as i32;
        depth += count('{') - count('}');
        parens += count('(') - count(')');
        before = code.trim_end().chars().next_back().unwrap_or(before);
        start += line.len();
    }
    places.into_iter().collect()
}

/// The text with something at some places.
fn marked(text: &str, places: &[usize], what: &dyn Fn(usize) -> String) -> String {
    let (mut out, mut from) = (String::new(), 0);
    for (number, place) in places.iter().enumerate() {
        out.push_str(&text[from..*place]);
        out.push_str(&format!(" {}", what(number)));
        from = *place;
    }
    out + &text[from..]
}

/// The program with all marks; places that a compiler does not like are left out. Nothing if it cannot be compiled.
fn compile(source: &Source, places: &mut Vec<usize>, folder: &Path) -> Result<Option<PathBuf>> {
    let (file, binary) = (folder.join("marked.c"), folder.join("marked"));
    let harness = folder.join("harness.c");
    fs::write(&harness, include_str!("canaries/harness.c")).context("cannot write the harness")?;
    // Functions that nobody has end the run.
    let rest = folder.join("rest.c");
    let mut missing = BTreeSet::new();
    for _ in 0..8 {
        let stubs: Vec<String> = missing
            .iter()
            .map(|name| format!("void {name}(void) {{ _exit(0); }}\n"))
            .collect();
        fs::write(&rest, format!("void _exit(int);\n{}", stubs.concat()))
            .context("cannot write stubs")?;
        let text = marked(&source.text, places, &|number| {
            format!("canary_mark({number}); ")
        });
        fs::write(&file, format!("void canary_mark(int);\n{text}"))
            .context("cannot write a program")?;
        let model = if source.data_model == "ILP32" {
            "-m32"
        } else {
            "-m64"
        };
        let output = Command::new(CLANG)
            .args([model, "-w", "-O0", "-g0", "-fno-builtin"])
            .args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"])
            .args(&source.flags)
            .args([&file, &harness, &rest])
            .args(&source.others)
            .arg("-o")
            .arg(&binary)
            .output()
            .with_context(|| format!("cannot run {CLANG} (`./x setup` installs it)"))?;
        if output.status.success() {
            return Ok(Some(binary));
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let bad: BTreeSet<usize> = said
            .lines()
            .filter_map(|line| {
                line.split_once("marked.c:")?
                    .1
                    .split(':')
                    .next()?
                    .parse()
                    .ok()
            })
            .collect();
        // The first line is the harness's.
        let line_of = |place: usize| source.text[..place].matches('\n').count() + 2;
        let kept = (places.len(), missing.len());
        let undefined = said
            .lines()
            .filter_map(|line| line.split_once("undefined reference to `"));
        missing.extend(undefined.map(|(_, name)| name.trim_end_matches('\'').to_owned()));
        places.retain(|place| !bad.contains(&line_of(*place)));
        if (places.len(), missing.len()) == kept {
            return Ok(None);
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::{Source, canaries};

    #[test]
    fn a_canary_sits_where_a_run_passed_and_nowhere_else() {
        let text = "int sk_nondet_int(void);
struct pair { int one; };
static int never(void) { return 1; }
int main(void) {
    int x = sk_nondet_int();
    if (x < -100 && x > -90)
        never();
    while (x > 50000) {
        x--;
    }
    return 0;
}
";
        let source = Source {
            name: "small".to_owned(),
            text: text.to_owned(),
            others: Vec::new(),
            flags: Vec::new(),
            data_model: "LP64".to_owned(),
        };
        let folder = tempfile::tempdir().expect("a folder");
        let found = canaries(&source, folder.path()).expect("it compiles");
        let lines: Vec<usize> = found.iter().map(|canary| canary.line).collect();
        for line in [5, 6, 8, 11] {
            assert!(lines.contains(&line), "{lines:?}");
        }
        for line in [2, 3, 7] {
            assert!(!lines.contains(&line), "{lines:?}");
        }
        assert!(found[0].text.contains("sk_assert(0);"));
    }
}
