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

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::error::Error;
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

/// The sanitizers that clang runs for a check.
fn sanitizers(check: &str) -> &'static str {
    match check {
        "overflow" => "signed-integer-overflow",
        "unsigned-overflow" => "unsigned-integer-overflow",
        "div" => "integer-divide-by-zero",
        "shift" => "shift",
        "bounds" => "array-bounds",
        "unreachable" => {
            "unreachable,return,nonnull-attribute,returns-nonnull-attribute,builtin,vla-bound"
        }
        "float-cast" => "float-cast-overflow",
        "align" => "alignment",
        "pointer-overflow" => "pointer-overflow",
        _ => "",
    }
}

/// The arguments that every source file is compiled with, user's files and models alike.
pub fn common_arguments(data_model: DataModel) -> Vec<String> {
    let mut args: Vec<String> = [
        "-O1",
        "-Xclang",
        "-disable-llvm-passes",
        "-g",
        "-fno-builtin",
        "-fno-strict-aliasing",
        "-ffp-contract=off",
        "-fno-delete-null-pointer-checks",
        "-fno-finite-loops",
        "-fno-stack-protector",
        "-fno-threadsafe-statics",
        "-Xclang",
        "-no-enable-noundef-analysis",
        "-ftrivial-auto-var-init=pattern",
        "-D__SELKIE__=1",
        "-U_FORTIFY_SOURCE",
        "-w",
    ]
    .map(str::to_owned)
    .into();
    if data_model == DataModel::Ilp32 {
        args.push("-m32".to_owned());
    }
    args
}

/// The program to run.
fn program() -> PathBuf {
    let installed = Path::new("/usr/lib/llvm-22/bin/clang");
    if installed.exists() {
        return installed.to_owned();
    }
    PathBuf::from("clang-22")
}

/// A clang at work on one file.
pub struct Job {
    file: PathBuf,
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
    let mut command = Command::new(program());
    match language(file)? {
        Language::Source => {
            command.args(&options.cflags);
            for dir in &options.includes {
                command.arg("-I").arg(dir);
            }
            for define in &options.defines {
                command.arg(format!("-D{define}"));
            }
            command.args(common_arguments(options.data_model));
            if !options.has("pointer-overflow") {
                command.arg("-fwrapv-pointer");
            }
            let chosen: Vec<&str> = options
                .checks
                .iter()
                .map(|check| sanitizers(check))
                .filter(|text| !text.is_empty())
                .collect();
            if !chosen.is_empty() {
                command.arg(format!("-fsanitize={}", chosen.join(",")));
                command.args(["-fno-sanitize-recover=all", "-fno-sanitize-merge=all"]);
            }
            if let Some(lib) = lib {
                command.arg("-isystem").arg(lib.join("include"));
            }
        }
        // Clang reads foreign bitcode first, so that a reader that crashes is not ours.
        Language::Bitcode => {
            if about.len() == 0 {
                return Err(Error::input(format!("{shown}: the file is empty")));
            }
            command.args(["-x", "ir", "-w", "-O1", "-Xclang", "-disable-llvm-passes"]);
        }
    }
    command.args(["-c", "-emit-llvm", "-o", "-"]).arg(file);
    let child = spawn(&mut command)?;
    Ok(Job {
        file: file.to_owned(),
        child,
    })
}

/// Starts a command with its output collected.
pub fn spawn(command: &mut Command) -> Result<Child, Error> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| {
            Error::tool(format!(
                "cannot run clang-22 ({}); install the package clang-22",
                plain(&error)
            ))
        })
}

impl Job {
    /// Waits for the bitcode.
    pub fn finish(self) -> Result<Vec<u8>, Error> {
        let shown = self.file.display().to_string();
        let output = self
            .child
            .wait_with_output()
            .map_err(|error| Error::tool(format!("clang-22 on {shown}: {}", plain(&error))))?;
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
        Err(Error::input(text))
    }
}

/// An I/O error in a few lower-case words.
pub fn plain(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string().to_lowercase(),
    }
}
