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
use std::process::{Child, Command, Stdio};

use crate::error::Error;
use crate::flags;
use crate::options::{DataModel, Options};

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
fn is_c(file: &Path) -> bool {
    matches!(
        file.extension().and_then(|text| text.to_str()),
        Some("c" | "i")
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

/// A clang at work on one file.
pub struct Job {
    file: PathBuf,
    command: Command,
    child: Child,
}

/// Starts clang on a file. The jobs of several files run side by side.
pub fn start(file: &Path, options: &Options, lib: Option<&Path>) -> Result<Job, Error> {
    let shown = file.display();
    let about = std::fs::metadata(file)
        .map_err(|error| Error::input(format!("{shown}: {}", plain(&error))))?;
    if about.is_dir() {
        return Err(Error::input(format!("{shown}: is a directory")));
    }
    let mut command;
    match language(file)? {
        Language::Source => {
            command = Command::new(program());
            source_arguments(&mut command, options, lib);
            // Names tell variables from what clang makes for itself.
            command.arg("-fno-discard-value-names");
            if is_c(file) {
                // A local structure that is returned is another object than the caller's.
                command.arg("-fno-elide-constructors");
            }
            command.args(["-c", "-emit-llvm", "-o", "-"]);
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
    command.arg(file);
    let child = spawn(&mut command)?;
    Ok(Job {
        file: file.to_owned(),
        command,
        child,
    })
}

/// Clang's tree of the functions whose names contain a name, as JSON; none if it fails.
pub fn tree(file: &Path, options: &Options, lib: Option<&Path>, name: &str) -> Option<Vec<u8>> {
    if language(file).ok()? != Language::Source {
        return Some(Vec::new());
    }
    let mut command = Command::new(program());
    source_arguments(&mut command, options, lib);
    command.args(["-fsyntax-only", "-Xclang", "-ast-dump=json", "-Xclang"]);
    command.arg(format!("-ast-dump-filter={name}")).arg(file);
    let output = spawn(&mut command).ok()?.wait_with_output().ok()?;
    output.status.success().then_some(output.stdout)
}

fn source_arguments(command: &mut Command, options: &Options, lib: Option<&Path>) {
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

/// What clang says about library functions whose types it is not to know.
const OLD: [&[u8]; 2] = [
    b"error: conflicting types for",
    b"error: incompatible integer to pointer conversion",
];

impl Job {
    /// Starts again, and waits for bitcode in which functions of the library that nothing declares have
    /// the types that clang knows.
    pub fn finish_knowing(mut self) -> Result<Vec<u8>, Error> {
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.child = spawn(self.command.arg("-fbuiltin"))?;
        self.finish()
    }

    /// Waits for the bitcode.
    pub fn finish(mut self) -> Result<Vec<u8>, Error> {
        let shown = self.file.display().to_string();
        let wait = |child: Child| {
            child
                .wait_with_output()
                .map_err(|error| Error::tool(format!("clang-22 on {shown}: {}", plain(&error))))
        };
        let mut output = wait(self.child)?;
        // Old C calls `memcpy` first and declares it later, or never: only with its own knowledge of
        // the function does clang accept that.
        let old = OLD.iter().any(|text| contains(&output.stderr, text));
        if !output.status.success() && old {
            let knowing = wait(spawn(self.command.arg("-fbuiltin"))?)?;
            if knowing.status.success() {
                output = knowing;
            }
        }
        if output.status.success() && !output.stdout.is_empty() {
            return Ok(output.stdout);
        }
        let text = String::from_utf8_lossy(&output.stderr);
        let text = text.trim_end();
        // A crash prints a stack and asks for a bug report; the user needs neither.
        if output.status.code().is_none() || text.contains("PLEASE submit a bug report") {
            let message = match language(&self.file)? {
                Language::Source => format!("{shown}: clang-22 crashed on it"),
                Language::Bitcode => format!("{shown}: not readable as LLVM bitcode"),
            };
            return Err(Error::input(message));
        }
        if text.is_empty() {
            return Err(Error::input(format!("{shown}: does not compile")));
        }
        match language(&self.file)? {
            Language::Source => Err(Error::input(first_error(text))),
            // `/usr/lib/llvm-22/bin/opt: FILE: error: …`, then the line itself.
            Language::Bitcode => {
                let line = text.lines().next().unwrap_or_default();
                let line = line.split_once("opt: ").map_or(line, |(_, rest)| rest);
                Err(Error::input(line))
            }
        }
    }
}

/// Clang's first error with what it shows of the source, and how many there are besides.
fn first_error(text: &str) -> String {
    let is_error = |line: &&str| line.contains(": error: ") || line.contains(": fatal error: ");
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.ends_with(" generated."))
        .collect();
    let places: Vec<usize> = (0..lines.len())
        .filter(|&index| is_error(&lines[index]))
        .collect();
    let end = places.get(1).copied().unwrap_or(lines.len());
    let mut message = lines[..end].join("\n");
    match places.len() {
        0 | 1 => {}
        2 => message.push_str("\nand 1 more error"),
        more => message.push_str(&format!("\nand {} more errors", more - 1)),
    }
    message
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// An I/O error in a few lower-case words.
pub fn plain(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string().to_lowercase(),
    }
}
