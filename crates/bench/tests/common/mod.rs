//! A folder with programs, task lists and verifiers that are shell scripts, and ways to run the runner on them.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use clap::Parser;

/// Names the variable that turns a test program into the runner.
const ARGUMENTS: &str = "BENCH_TEST_ARGUMENTS";

/// The command line as `selkie bench` has it.
#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    options: bench::Options,
}

/// To be called by a test named `as_runner` in each test file: if this process was started by
/// [`Bench::command`], it becomes the runner and ends with its exit code.
pub fn become_runner_if_asked() {
    let Some(arguments) = std::env::var_os(ARGUMENTS) else {
        return;
    };
    let arguments = arguments.into_string().expect("tests use plain text");
    // The runner's own verifiers must not become runners.
    let words = std::iter::once("bench").chain(arguments.split('\n'));
    let code = match CommandLine::try_parse_from(words) {
        Ok(line) => bench::run(&line.options, Path::new("selkie")),
        Err(error) => {
            eprintln!("{error}");
            1
        }
    };
    std::process::exit(code);
}

/// A folder for one test.
pub struct Bench {
    folder: tempfile::TempDir,
}

/// A task of a list: id, file, property, subproperty, expected.
pub type Row<'a> = [&'a str; 5];

impl Bench {
    pub fn new() -> Bench {
        let folder = tempfile::tempdir().expect("a folder");
        Bench { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("inside the folder")).expect("a folder");
        fs::write(&path, text).expect("written");
        path
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("it is there")
    }

    /// Writes a verifier: a shell script in which `$file` is the last argument and `$args` all of them.
    pub fn verifier(&self, body: &str) -> PathBuf {
        let text = format!("#!/bin/sh\nargs=\"$*\"\nfor file; do :; done\n{body}\n");
        let path = self.write("verifier.sh", &text);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("made executable");
        path
    }

    /// Writes a list and the files it names.
    pub fn list(&self, rows: &[Row<'_>]) {
        let mut text = String::from(
            "id,suite,category,files,data_model,cflags,include_dirs,defines,property,subproperty,expected\n",
        );
        for [id, file, property, subproperty, expected] in rows {
            self.write(file, "int main(void) { return 0; }\n");
            let category = property.split('-').next().unwrap_or("");
            text.push_str(&format!(
                "{id},own,{category},{file},LP64,,,,{property},{subproperty},{expected}\n"
            ));
        }
        self.write("tasks.csv", &text);
    }

    /// The runner as a process in the folder, with the verifier there.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut words = vec!["--verifier", "./verifier.sh"];
        words.extend(arguments);
        let mut command = Command::new(std::env::current_exe().expect("this test program"));
        command
            .args(["--exact", "as_runner", "--nocapture", "--test-threads=1"])
            .env(ARGUMENTS, words.join("\n"))
            .current_dir(self.folder.path())
            // What a killed runner leaves behind goes with the folder.
            .env("TMPDIR", self.folder.path())
            .stdin(Stdio::null());
        command
    }

    /// Runs the runner to its end.
    pub fn run(&self, arguments: &[&str]) -> Run {
        let output = self.command(arguments).output().expect("the runner starts");
        Run::new(output)
    }

    /// The table of results, each row by column, in the order of the file.
    pub fn table(&self, name: &str) -> Vec<BTreeMap<String, String>> {
        let mut reader = csv::Reader::from_path(self.path(name)).expect("a table");
        let rows = reader.deserialize();
        rows.map(|row| row.expect("a whole row")).collect()
    }

    /// `id result verdict reason` of each row, which must not depend on times.
    pub fn answers(&self, name: &str) -> Vec<String> {
        self.table(name)
            .iter()
            .map(|row| {
                let field = |name: &str| row[name].as_str();
                let (result, verdict) = (field("result"), field("verdict"));
                format!("{} {result} {verdict} {}", field("id"), field("reason"))
                    .trim_end()
                    .to_owned()
            })
            .collect()
    }
}

/// What a run of the runner printed.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    pub fn new(output: Output) -> Run {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("plain text");
        let stdout = text(output.stdout);
        // What the test harness printed before the runner began.
        let ours = stdout.split_once("test as_runner ... ");
        Run {
            code: output.status.code().unwrap_or(-1),
            stdout: ours.map_or(stdout.clone(), |(_, ours)| ours.to_owned()),
            stderr: text(output.stderr),
        }
    }
}

/// The processes whose command line contains a text, for looking at what survived.
pub fn processes_with(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").expect("Linux").filter_map(Result::ok) {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        if line.contains(text) && entry.file_name() != std::process::id().to_string().as_str() {
            found.push(format!("{} {line}", entry.file_name().to_string_lossy()));
        }
    }
    found
}
