//! Clang as a process: source to bitcode, before any of LLVM's passes.
//!
//! The flags keep promises out of the bitcode that nothing has checked, and make clang write the
//! checks of undefined behaviour that only it can see:
//!
//! - `-O1 -disable-llvm-passes`: plain `-O0` has no lifetime markers and pins `optnone`.
//! - `-fsanitize=… -fno-sanitize-recover=all -fno-sanitize-merge=all`: a branch to a handler call
//!   with place, types and operands, one for each site.
//! - Not `-fwrapv`, which would silence the check of the left operand of `<<`. The flags `nsw`
//!   that clang writes without it are taken away before any pass.
//! - `-ftrivial-auto-var-init=pattern` marks the declarations of uninitialised variables.

use checks::registry::CheckId;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use crate::cache::{Cache, Made, Reads};
use crate::contracts::{self, Rewritten, Said};
use crate::error::Error;
use crate::flags;
use crate::options::{DataModel, Options, Warnings};

/// What a file holds, by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// C or C++ source, preprocessed or not.
    Source,
    /// LLVM's text or bitcode.
    Bitcode,
}

/// The language of a file, by its extension.
pub fn language(file: &Path) -> Result<Language, Error> {
    let extension = file.extension().and_then(|text| text.to_str());
    match extension {
        Some("c" | "i" | "cc" | "cpp" | "cxx" | "C" | "ii") => Ok(Language::Source),
        Some("ll" | "bc") => Ok(Language::Bitcode),
        _ => Err(Error::input(format!(
            "{}: not a .c, .i, .cc, .cpp, .ll or .bc file",
            file.display()
        ))),
    }
}

/// Is it C, not C++?
pub fn is_c(file: &Path) -> bool {
    matches!(
        file.extension().and_then(|text| text.to_str()),
        Some("c" | "i")
    )
}

/// Does it include nothing any more?
fn is_preprocessed(file: &Path) -> bool {
    matches!(
        file.extension().and_then(|text| text.to_str()),
        Some("i" | "ii")
    )
}

/// The arguments that every source file is compiled with, user's files and models alike.
pub fn common_arguments(data_model: DataModel) -> Vec<&'static str> {
    let mut args = flags::COMMON.to_vec();
    if data_model == DataModel::Ilp32 {
        args.push("-m32");
    }
    args
}

/// The program to run.
pub fn program() -> PathBuf {
    let [installed, named] = flags::PROGRAMS.map(Path::new);
    let program = if installed.exists() { installed } else { named };
    program.to_owned()
}

/// Our own arguments are no concern of the user.
const UNUSED: &str = "-Wno-unused-command-line-argument";

/// A clang that is about to work on one file.
struct Job<'f> {
    file: &'f Path,
    command: Command,
    /// What is compiled in place of the file, and its text.
    rewritten: Option<(Rewritten, String)>,
    /// What its contracts say.
    said: Vec<Said>,
}

/// Compiles a file, unless that was done before. If `knowing`, functions of the library that nothing declares have the types
/// that clang knows. Returns the bitcode, what clang had to say about it, and what the file's contracts say.
pub fn compile(
    file: &Path,
    options: &Options,
    lib: Option<&Path>,
    knowing: bool,
) -> Result<(Made, Vec<Said>), Error> {
    let mut job = prepare(file, options, lib)?;
    let said = std::mem::take(&mut job.said);
    if knowing {
        job.command.arg("-fbuiltin");
    }
    Ok((make(job, options)?, said))
}

/// The bitcode of a job, and what clang had to say about it.
fn make(mut job: Job<'_>, options: &Options) -> Result<Made, Error> {
    let file = job.file;
    // The name of a text of ours is another one each time, and the text says whence its lines are.
    let input = job
        .rewritten
        .as_ref()
        .map(|(written, _)| written.path.clone());
    if input.is_none() {
        job.command.arg(file);
    }
    let content = job.rewritten.as_ref().map_or("", |(_, text)| text);
    let content = content.as_bytes();
    let cache = options.cache.as_deref();
    let cache = cache.and_then(|folder| Cache::open(folder).ok());
    let call = cache.and_then(|cache| Some((cache.call(&job.command, content)?, cache)));
    if let Some(path) = input {
        job.command.arg(path);
    }
    let Some((call, cache)) = call else {
        return job.run();
    };
    if let Some(made) = cache.find(&call) {
        return Ok(made);
    }
    let reads = match language(file)? {
        Language::Source if job.rewritten.is_some() => Some(Reads::Nothing),
        Language::Source if is_preprocessed(file) => Some(Reads::Only(file)),
        Language::Source => None,
        Language::Bitcode => Some(Reads::Only(file)),
    };
    if let Some(reads) = reads {
        let made = job.run()?;
        cache.keep(&call, &reads, &made);
        return Ok(made);
    }
    let list = cache.scratch();
    let mut wordy = Command::new(job.command.get_program());
    wordy.args(job.command.get_args());
    wordy.args(["-v", "-MD", "-MF"]).arg(&list.path);
    let output = wait(&mut wordy, file)?;
    // What is refused is refused again, without all these words.
    let told = String::from_utf8_lossy(&output.stderr);
    let Some((folders, warnings)) = told
        .split_once(SEARCHED)
        .filter(|_| output.status.success())
    else {
        return job.run();
    };
    let made = (output.stdout, short_lines(warnings));
    if made.0.is_empty() {
        return job.run();
    }
    cache.keep(&call, &Reads::Listed(&list.path, folders), &made);
    Ok(made)
}

/// The line that ends what clang says about folders.
const SEARCHED: &str = "End of search list.\n";

/// The command for a file, but for the file itself.
fn prepare<'f>(file: &'f Path, options: &Options, lib: Option<&Path>) -> Result<Job<'f>, Error> {
    let shown = file.display();
    let about = std::fs::metadata(file)
        .map_err(|error| Error::input(format!("{shown}: {}", plain(&error))))?;
    if about.is_dir() {
        return Err(Error::input(format!("{shown}: is a directory")));
    }
    let mut command;
    let mut rewritten = None;
    let mut said = Vec::new();
    match language(file)? {
        Language::Source => {
            command = Command::new(program());
            let written = match options.contracts {
                true => contracts::rewrite(file, options, lib)?,
                false => None,
            };
            if let Some((text, contracts)) = written {
                said = contracts;
                rewritten = Some((contracts::keep(&text)?, text));
                let plain = Options {
                    cflags: without_includes(&options.cflags),
                    file_flags: std::iter::once(file)
                        .filter_map(|file| Some((file, options.file_flags.get(file)?)))
                        .map(|(file, flags)| (file.to_owned(), without_includes(flags)))
                        .collect(),
                    ..options.clone()
                };
                source_arguments(&mut command, file, &plain, lib);
                command.args(["-w", "-x", "cpp-output"]);
            } else {
                source_arguments(&mut command, file, options, lib);
                command.args(cprover(file).iter().flatten());
            }
            // Names tell variables from what clang makes for itself.
            command.arg("-fno-discard-value-names");
            if is_c(file) {
                // A local structure that is returned is another object than the caller's.
                command.arg("-fno-elide-constructors");
            }
            command.args(["-c", "-emit-llvm", "-o", "-"]);
            command.args(match options.warnings {
                Warnings::Silent => ["-w", "-fno-color-diagnostics"],
                Warnings::Plain => [UNUSED, "-fno-color-diagnostics"],
                Warnings::Coloured => [UNUSED, "-fcolor-diagnostics"],
            });
        }
        // LLVM's own program reads the bitcode of others first, so that a reader that crashes is
        // not ours. It keeps the module's machine, which clang would change to its own.
        Language::Bitcode => {
            if about.len() == 0 {
                return Err(Error::input(format!("{shown}: the file is empty")));
            }
            command = Command::new(flags::READER);
            command.args(["-passes=verify", "-o", "-"]);
        }
    }
    Ok(Job {
        file,
        command,
        rewritten,
        said,
    })
}

/// A file that uses CBMC's names without declaring them: they are declared for it.
fn cprover(file: &Path) -> Option<[&'static str; 2]> {
    let text = std::fs::read(file).ok()?;
    let text = String::from_utf8_lossy(&text);
    if !text.contains("__CPROVER_") {
        return None;
    }
    let declared = text.match_indices("__CPROVER_").any(|(at, _)| {
        let line = text[..at].rsplit(['\n', ';']).next().unwrap_or("").trim();
        let types = [
            "void",
            "int",
            "_Bool",
            "bool",
            "extern void",
            "extern int",
            "#define",
        ];
        types.contains(&line)
    });
    (!declared).then_some(["-include", "selkie/cprover.h"])
}

/// Flags for a file that was preprocessed: what is included stands there already.
fn without_includes(flags: &[String]) -> Vec<String> {
    let mut list = Vec::new();
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        match flag.as_str() {
            "-include" | "-imacros" => {
                flags.next();
            }
            flag if flag.starts_with("-include") || flag.starts_with("-imacros") => {}
            _ => list.push(flag.clone()),
        }
    }
    list
}

/// What the preprocessor makes of a source file, with the words of contracts as they stand there.
pub fn preprocess(file: &Path, options: &Options, lib: Option<&Path>) -> Result<String, Error> {
    let mut command = Command::new(program());
    source_arguments(&mut command, file, options, lib);
    command.args(["-w", "-E", "-D__SELKIE_CONTRACTS__"]);
    command.args(["-include", "selkie/contracts.h"]);
    command.args(cprover(file).iter().flatten()).arg(file);
    let job = Job {
        file,
        command,
        rewritten: None,
        said: Vec::new(),
    };
    let (text, _) = job.run()?;
    String::from_utf8(text)
        .map_err(|_| Error::input(format!("{}: contracts need UTF-8", file.display())))
}

/// Clang's tree of the functions whose names contain a name, as JSON; none if it fails.
pub fn tree(file: &Path, options: &Options, lib: Option<&Path>, name: &str) -> Option<Vec<u8>> {
    if language(file).ok()? != Language::Source {
        return Some(Vec::new());
    }
    let mut command = Command::new(program());
    source_arguments(&mut command, file, options, lib);
    command.args(["-fsyntax-only", "-Xclang", "-ast-dump=json", "-Xclang"]);
    command.arg(format!("-ast-dump-filter={name}"));
    command.args(cprover(file).iter().flatten()).arg(file);
    let output = spawn(&mut command).ok()?.wait_with_output().ok()?;
    output.status.success().then_some(output.stdout)
}

fn source_arguments(command: &mut Command, file: &Path, options: &Options, lib: Option<&Path>) {
    command.args(options.file_flags.get(file).into_iter().flatten());
    command.args(&options.cflags);
    for dir in &options.includes {
        command.arg("-I").arg(dir);
    }
    for define in &options.defines {
        command.arg(format!("-D{define}"));
    }
    command.args(common_arguments(options.data_model));
    if options.has(CheckId::PointerOverflow) {
        // Clang's check looks at null only if null is no object. What LLVM may do with that is
        // taken away with the other promises.
        command.arg("-fdelete-null-pointer-checks");
    } else {
        command.arg("-fwrapv-pointer");
    }
    let mut chosen: Vec<&str> = options
        .checks
        .iter()
        .flat_map(|check| check.check().sanitizers)
        .copied()
        .collect();
    if options.has(CheckId::Overflow) && !options.has(CheckId::Shift) {
        // `x << n` overflows like `x * 2^n`; with `shift` it is part of that check.
        chosen.push("shift-base");
    }
    if !chosen.is_empty() {
        command.arg(format!("-fsanitize={}", chosen.join(",")));
        command.args(["-fno-sanitize-recover=all", "-fno-sanitize-merge=all"]);
    }
    if let Some(lib) = lib {
        command.arg("-isystem").arg(lib.join("include"));
    }
}

/// Starts a command with its output collected.
pub fn spawn(command: &mut Command) -> Result<Child, Error> {
    let program = command.get_program().to_string_lossy().into_owned();
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| {
            Error::tool(format!(
                "cannot run {program} ({}); install the packages clang-22 and llvm-22",
                plain(&error)
            ))
        })
}

/// Runs a command on a file to its end.
fn wait(command: &mut Command, file: &Path) -> Result<Output, Error> {
    spawn(command)?
        .wait_with_output()
        .map_err(|error| Error::tool(format!("clang-22 on {}: {}", file.display(), plain(&error))))
}

/// What clang says about library functions whose types it is not to know.
const OLD: [&str; 2] = [
    "error: conflicting types for",
    "error: incompatible integer to pointer conversion",
];

impl Job<'_> {
    /// Waits for the bitcode, and for what clang has to say about it.
    fn run(mut self) -> Result<Made, Error> {
        let shown = self.file.display().to_string();
        let mut output = wait(&mut self.command, self.file)?;
        // Old C calls `memcpy` first and declares it later, or never: only with its own knowledge of
        // the function does clang accept that.
        let said = plain_text(&String::from_utf8_lossy(&output.stderr));
        let old = OLD.iter().any(|text| said.contains(text));
        if !output.status.success() && old {
            let knowing = wait(self.command.arg("-fbuiltin"), self.file)?;
            if knowing.status.success() {
                output = knowing;
            }
        }
        if output.status.success() && !output.stdout.is_empty() {
            let warnings = short_lines(&String::from_utf8_lossy(&output.stderr));
            return Ok((output.stdout, warnings));
        }
        let text = String::from_utf8_lossy(&output.stderr);
        let text = text.trim_end();
        // A crash prints a stack and asks for a bug report; the user needs neither.
        if output.status.code().is_none() || text.contains("PLEASE submit a bug report") {
            let message = match language(self.file)? {
                Language::Source => format!("{shown}: clang-22 crashed on it"),
                Language::Bitcode => format!("{shown}: not readable as LLVM bitcode"),
            };
            return Err(Error::input(message));
        }
        if text.is_empty() {
            return Err(Error::input(format!("{shown}: does not compile")));
        }
        match language(self.file)? {
            Language::Source => {
                let text = short_lines(text);
                let text = text.trim_end();
                Err(Error::input(format!("{shown} does not compile:\n{text}")))
            }
            // `/usr/lib/llvm-22/bin/opt: FILE: error: …`, then the line itself.
            Language::Bitcode => {
                let line = text.lines().next().unwrap_or_default();
                let line = line.split_once("opt: ").map_or(line, |(_, rest)| rest);
                Err(Error::input(line))
            }
        }
    }
}

/// What clang says, without how many words that were, and without lines of a length that nobody reads.
fn short_lines(text: &str) -> String {
    const MOST: usize = 400;
    let mut out = String::new();
    let lines = text.lines().filter(|line| !line.ends_with(" generated."));
    for line in lines {
        match line.char_indices().nth(MOST) {
            Some((end, _)) => {
                out.push_str(&line[..end]);
                out.push('…');
            }
            None => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

/// A text without what makes it coloured on a terminal.
pub fn plain_text(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\x1b[") {
        out.push_str(before);
        let end = after.find(|c: char| c.is_ascii_alphabetic());
        rest = end.map_or("", |end| &after[end + 1..]);
    }
    out.push_str(rest);
    out
}

/// An I/O error in a few lower-case words.
pub fn plain(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string().to_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::{plain_text, short_lines};

    #[test]
    fn colours_and_long_lines_are_taken_away() {
        let coloured = "\x1b[1mf.c:1:1: \x1b[0m\x1b[0;1;31merror: \x1b[0mno";
        assert_eq!(plain_text(coloured), "f.c:1:1: error: no");
        assert_eq!(plain_text("as it is"), "as it is");
        let long = format!("{}\n3 errors generated.\n", "}".repeat(1000));
        assert_eq!(short_lines(&long), format!("{}…\n", "}".repeat(400)));
    }
}
