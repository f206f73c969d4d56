//! The command that verifies a task, as it is run and as a person can paste it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::hash::Hasher;
use crate::options::Options;
use crate::property::Told;
use crate::task::Task;

/// Options that the runner gives itself; a second one after `--` would contradict it.
const OURS: &[&str] = &[
    "--timeout",
    "--memory-limit",
    "--data-model",
    "--prp",
    "--check",
    "--json",
];

/// Makes the commands of all tasks.
pub struct Commands {
    verifier: PathBuf,
    timeout: String,
    memory_limit: String,
    /// The cores that a task has for itself, if tasks share the machine.
    cores: Option<usize>,
    verify_options: Vec<String>,
    /// Files that say which property is meant, by the property's name.
    property_files: BTreeMap<&'static str, PathBuf>,
}

impl Commands {
    /// Prepares the commands: property files that no task list brings are written to `folder`.
    pub fn new(
        options: &Options,
        verifier: &Path,
        tasks: &[Task],
        folder: &Path,
    ) -> io::Result<Commands> {
        let mut property_files = BTreeMap::new();
        for task in tasks {
            let property = &task.property;
            let wanted = property.told == Told::PropertyFile && task.property_file.is_none();
            if wanted && !property_files.contains_key(property.name) {
                let file = folder.join(property.name).with_extension("prp");
                fs::write(&file, property.file_lines().join("\n") + "\n")?;
                property_files.insert(property.name, file);
            }
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Commands {
            verifier: verifier.to_owned(),
            timeout: options.timeout.to_string(),
            memory_limit: options.memory_limit.to_string(),
            cores: (options.jobs > 1).then(|| (cores / options.jobs).max(1)),
            verify_options: options.verify_options.clone(),
            property_files,
        })
    }

    /// The program.
    pub fn verifier(&self) -> &Path {
        &self.verifier
    }

    /// Its arguments; `report` is where it may say more than a line.
    pub fn arguments(&self, task: &Task, report: &Path) -> Vec<OsString> {
        let property = match self.property_file(task) {
            Some(file) => vec!["--prp".into(), file.into()],
            None => check_option(task),
        };
        let report = ["--json".into(), report.into()];
        self.assemble(task, property, report.into_iter().collect())
    }

    /// The command as a line for bash. A property file that exists during a run only is written in place.
    pub fn line(&self, task: &Task) -> String {
        let mut words = vec![quote(self.verifier.as_os_str())];
        let marker = OsString::from("\0property file");
        let property = match self.property_file(task) {
            Some(_) if task.property_file.is_none() => vec!["--prp".into(), marker.clone()],
            Some(file) => vec!["--prp".into(), file.into()],
            None => check_option(task),
        };
        for argument in self.assemble(task, property, Vec::new()) {
            if argument == marker {
                let lines = task.property.file_lines();
                let quoted: Vec<String> = lines.iter().map(|l| quote(OsStr::new(l))).collect();
                words.push(format!("<(printf '%s\\n' {})", quoted.join(" ")));
            } else {
                words.push(quote(&argument));
            }
        }
        words.join(" ")
    }

    /// Names the task and everything that its result depends on but the verifier itself, so that results of
    /// different questions are not mixed.
    pub fn key(&self, task: &Task) -> String {
        let mut hasher = Hasher::default();
        hasher.text(&task.id);
        hasher.text(&task.expected.to_string());
        hasher.text(task.property.name);
        hasher.text(task.subproperty.as_deref().unwrap_or(""));
        for argument in self.assemble(task, check_option(task), Vec::new()) {
            hasher.text(&argument.to_string_lossy());
        }
        format!("{:016x}", hasher.finish())
    }

    fn property_file<'a>(&'a self, task: &'a Task) -> Option<&'a Path> {
        let own = task.property_file.as_deref();
        own.or_else(|| {
            let ours = self.property_files.get(task.property.name);
            ours.map(PathBuf::as_path)
        })
    }

    fn assemble(
        &self,
        task: &Task,
        property: Vec<OsString>,
        report: Vec<OsString>,
    ) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = vec!["verify".into()];
        arguments.extend(["--data-model".into(), task.data_model.to_string().into()]);
        if !task.cflags.is_empty() {
            // In one word, for the value begins with a dash.
            arguments.push(format!("--cflags={}", task.cflags).into());
        }
        for folder in &task.include_dirs {
            arguments.extend(["--include".into(), folder.into()]);
        }
        for define in &task.defines {
            arguments.extend(["--define".into(), define.into()]);
        }
        arguments.extend(property);
        if !mentions(&self.verify_options, "--extern") {
            // SV-COMP's convention: a function without a body returns any value and changes nothing.
            arguments.extend(["--extern".into(), "pure".into()]);
        }
        arguments.extend(["--timeout".into(), self.timeout.clone().into()]);
        arguments.extend(["--memory-limit".into(), self.memory_limit.clone().into()]);
        if let Some(cores) = self.cores
            && !mentions(&self.verify_options, "--jobs")
        {
            arguments.extend(["--jobs".into(), cores.to_string().into()]);
        }
        arguments.extend(report);
        arguments.extend(self.verify_options.iter().map(OsString::from));
        for file in &task.files {
            let dashed = file.as_os_str().as_encoded_bytes().starts_with(b"-");
            arguments.push(if dashed {
                Path::new(".").join(file).into()
            } else {
                file.into()
            });
        }
        arguments
    }
}

/// The first option after `--` that the runner gives itself.
pub fn contradiction(verify_options: &[String]) -> Option<&'static str> {
    let given = |ours: &&&str| mentions(verify_options, ours);
    OURS.iter().find(given).copied()
}

fn mentions(verify_options: &[String], name: &str) -> bool {
    verify_options.iter().any(|option| {
        let rest = option.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    })
}

fn check_option(task: &Task) -> Vec<OsString> {
    let names: Vec<&str> = task
        .property
        .checks
        .iter()
        .map(|check| check.name())
        .collect();
    vec!["--check".into(), names.join(",").into()]
}

/// A word as a shell reads it back.
fn quote(word: &OsStr) -> String {
    let text = word.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+:,@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.into_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::{contradiction, quote};

    #[test]
    fn words_survive_a_shell() {
        for (word, expected) in [
            ("a/b-1.c", "a/b-1.c"),
            ("", "''"),
            ("-m32 -w", "'-m32 -w'"),
            ("it's", "'it'\\''s'"),
            ("X=\"y\"", "'X=\"y\"'"),
        ] {
            assert_eq!(quote(OsStr::new(word)), expected);
        }
    }

    #[test]
    fn contradictions_are_found() {
        let options = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
        assert_eq!(contradiction(&options(&["--engine", "bmc"])), None);
        assert_eq!(contradiction(&options(&["--checks-off"])), None);
        assert_eq!(contradiction(&options(&["--timeout=3"])), Some("--timeout"));
        assert_eq!(
            contradiction(&options(&["-x", "--check", "div"])),
            Some("--check")
        );
    }
}
