//! `--compdb compile_commands.json`: the files of a project and the flags that each is compiled with.
//!
//! Build systems write the file (CMake with `-DCMAKE_EXPORT_COMPILE_COMMANDS=ON`, Meson, Bear): a list of commands, each with the folder
//! that it is run in. Of a command only what reaches the preprocessor and the compiler counts.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use results::Failure;
use serde::Deserialize;

/// A command of the list.
#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

/// The files of a project with their flags, by their names as seen from here.
pub type Project = BTreeMap<PathBuf, Vec<String>>;

/// Flags that are about what is written, and whether the next word belongs to them.
const WRITTEN: &[(&str, bool)] = &[
    ("-c", false),
    ("-o", true),
    ("-M", false),
    ("-MM", false),
    ("-MD", false),
    ("-MMD", false),
    ("-MP", false),
    ("-MG", false),
    ("-MF", true),
    ("-MT", true),
    ("-MQ", true),
    ("-pipe", false),
];

/// Flags that a folder or file follows, which is looked for where the command is run.
const PLACES: [&str; 7] = [
    "-isystem",
    "-iquote",
    "-idirafter",
    "-imacros",
    "-include",
    "-I",
    "--sysroot",
];

/// Reads the list.
pub fn read(path: &Path) -> Result<Project, Failure> {
    let shown = path.display();
    let wrong = |what: String| Failure::usage(format!("--compdb {shown}: {what}"));
    let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let entries: Vec<Entry> = serde_json::from_str(&text)
        .map_err(|error| wrong(format!("not a list of compile commands: {error}")))?;
    let beside = path.parent().unwrap_or(Path::new(""));
    let mut project = Project::new();
    for entry in entries {
        let directory = beside.join(&entry.directory);
        let words = match (entry.arguments, entry.command) {
            (Some(words), _) => words,
            (None, Some(command)) => crate::pipeline::split_words(&command)
                .map_err(|_| wrong(format!("a quote is not closed in: {command}")))?,
            (None, None) => {
                let file = entry.file.display();
                return Err(wrong(format!(
                    "{file} has neither `command` nor `arguments`"
                )));
            }
        };
        let file = seen_from_here(&directory.join(&entry.file));
        if frontend::clang::language(&file).is_err() {
            continue; // Assembly and others.
        }
        let flags = flags(&words, &directory, &entry.file);
        // Of several commands for a file the first counts.
        project.entry(file).or_insert(flags);
    }
    if project.is_empty() {
        return Err(wrong("no C or C++ file is compiled there".to_owned()));
    }
    Ok(project)
}

/// The name of a file without dots, relative to the current folder if it is inside.
pub fn seen_from_here(path: &Path) -> PathBuf {
    let full = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let here = std::env::current_dir().and_then(fs::canonicalize);
    match here {
        Ok(here) => full
            .strip_prefix(&here)
            .map_or(full.clone(), Path::to_owned),
        Err(_) => full,
    }
}

/// What of a command is for the compiler proper.
fn flags(words: &[String], directory: &Path, file: &Path) -> Vec<String> {
    let mut list = Vec::new();
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        if Path::new(word) == file || directory.join(word) == directory.join(file) {
            continue;
        }
        if let Some((_, valued)) = WRITTEN.iter().find(|(flag, _)| word == flag) {
            if *valued {
                words.next();
            }
            continue;
        }
        if word.starts_with("-o") || word == "--" {
            continue;
        }
        if let Some(flag) = PLACES.iter().find(|flag| word.starts_with(*flag)) {
            let joined = &word[flag.len()..];
            let equals = if joined.starts_with('=') { "=" } else { "" };
            let place = match joined.strip_prefix('=').unwrap_or(joined) {
                "" => words.next().map(String::as_str).unwrap_or(""),
                joined => joined,
            };
            let inside = directory.join(place);
            // A header that `-include` names may stand in a folder of headers.
            let place = match inside.exists() {
                true => inside.to_string_lossy().into_owned(),
                false => place.to_owned(),
            };
            match (equals, joined) {
                ("=", _) => list.push(format!("{flag}={place}")),
                _ => list.extend([(*flag).to_owned(), place]),
            }
            continue;
        }
        list.push(word.clone());
    }
    list
}

#[cfg(test)]
mod tests {
    use super::flags;
    use std::path::Path;

    #[test]
    fn what_is_for_the_compiler_is_kept() {
        let words = "cc -DX=1 -Iinclude -c -o a.o -MD -MF a.d -O2 src/a.c";
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        let kept = flags(&words, Path::new("/nowhere"), Path::new("src/a.c"));
        assert_eq!(kept, ["-DX=1", "-I", "include", "-O2"]);
    }
}
