//! Options of `verify` on the command line of `bench`.
//!
//! `selkie bench tasks.csv --engine bmc` means `selkie bench tasks.csv -- --engine bmc`: what `bench`
//! does not know and `verify` does is moved behind the `--`, with its value. What neither knows stays
//! where it is, and is an error.
//!
//! Flags of a compiler go the same way: `selkie verify -std=c11 f.c` means `selkie verify f.c -- -std=c11`.

use std::ffi::OsString;

use clap::{Arg, Command};

/// How flags of a compiler begin that are understood before the `--` as well.
const FLAGS: [&str; 10] = [
    "-std=",
    "-include",
    "-isystem",
    "-iquote",
    "-W",
    "-O",
    "-f",
    "-m",
    "-pthread",
    "-pedantic",
];

/// Flags whose value is the next word.
const VALUED: [&str; 3] = ["-include", "-isystem", "-iquote"];

/// The commands that read programs.
const READERS: [&str; 5] = ["verify", "run", "list", "horn", "validate-witness"];

/// The command line with flags of a compiler behind `--`, if the command reads a program.
pub fn flags_last(cli: &Command, words: Vec<OsString>) -> Vec<OsString> {
    let command = words.get(1).and_then(|word| word.to_str());
    let command = command.filter(|name| READERS.contains(name));
    let Some(command) = command.and_then(|name| cli.find_subcommand(name)) else {
        return words;
    };
    let mut words = words.into_iter();
    let mut kept: Vec<OsString> = words.by_ref().take(2).collect();
    let mut moved: Vec<OsString> = Vec::new();
    while let Some(word) = words.next() {
        if word == "--" {
            break;
        }
        let text = word.to_string_lossy().into_owned();
        if FLAGS.iter().any(|flag| text.starts_with(flag)) {
            moved.push(word);
            if VALUED.contains(&text.as_str()) {
                moved.extend(words.next());
            }
            continue;
        }
        // The value of an option may look like a flag.
        let alone = text.starts_with("--") && !text.contains('=') || text.len() == 2;
        let valued = alone && find(command, &text).is_some_and(takes_value);
        kept.push(word);
        kept.extend(valued.then(|| words.next()).flatten());
    }
    moved.extend(words);
    if !moved.is_empty() {
        kept.push("--".into());
        kept.extend(moved);
    }
    kept
}

/// The command line with the options of `verify` behind `--`, if the command is `bench`.
pub fn rearrange(cli: &Command, words: Vec<OsString>) -> Vec<OsString> {
    let is_bench = words.get(1).is_some_and(|word| word == "bench");
    let (Some(bench), Some(verify)) = (cli.find_subcommand("bench"), cli.find_subcommand("verify"))
    else {
        return words;
    };
    if !is_bench {
        return words;
    }
    let mut words = words.into_iter();
    let mut kept: Vec<OsString> = words.by_ref().take(2).collect();
    let mut moved: Vec<OsString> = Vec::new();
    while let Some(word) = words.next() {
        if word == "--" {
            break;
        }
        let text = word.to_string_lossy();
        let (name, joined) = match text.split_once('=') {
            Some((name, _)) => (name.to_owned(), true),
            None => (text.into_owned(), false),
        };
        let foreign = find(bench, &name)
            .is_none()
            .then(|| find(verify, &name))
            .flatten();
        let Some(option) = foreign else {
            // The value of an option of `bench` may look like an option.
            let valued = find(bench, &name).is_some_and(takes_value) && !joined;
            kept.push(word);
            kept.extend(valued.then(|| words.next()).flatten());
            continue;
        };
        moved.push(word);
        if takes_value(option) && !joined {
            moved.extend(words.next());
        }
    }
    moved.extend(words);
    if !moved.is_empty() {
        kept.push("--".into());
        kept.extend(moved);
    }
    kept
}

fn find<'c>(command: &'c Command, word: &str) -> Option<&'c Arg> {
    let long = word.strip_prefix("--");
    let short = word
        .strip_prefix('-')
        .and_then(|rest| rest.chars().next())
        .filter(|_| long.is_none());
    command.get_arguments().find(|arg| {
        (long.is_some() && arg.get_long() == long) || (short.is_some() && arg.get_short() == short)
    })
}

fn takes_value(arg: &Arg) -> bool {
    arg.get_action().takes_values()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::args::Cli;

    fn rearranged(line: &str) -> String {
        let words = line.split(' ').map(OsString::from).collect();
        let words = rearrange(&Cli::command(), words);
        let words: Vec<String> = words
            .iter()
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        words.join(" ")
    }

    #[test]
    fn flags_of_a_compiler_move_behind_the_dashes() {
        for (given, meant) in [
            (
                "selkie verify -std=c99 f.c -include a.h -I x",
                "selkie verify f.c -I x -- -std=c99 -include a.h",
            ),
            (
                "selkie verify --cflags -Wall f.c -- -Dx",
                "selkie verify --cflags -Wall f.c -- -Dx",
            ),
            (
                "selkie run f.c --inputs -1 -m32",
                "selkie run f.c --inputs -1 -- -m32",
            ),
            ("selkie smt -m32", "selkie smt -m32"),
        ] {
            let words = given.split(' ').map(OsString::from).collect();
            let words = flags_last(&Cli::command(), words);
            let words: Vec<String> = words
                .iter()
                .map(|word| word.to_string_lossy().into_owned())
                .collect();
            assert_eq!(words.join(" "), meant);
        }
    }

    #[test]
    fn options_of_verify_move_behind_the_dashes() {
        for (given, meant) in [
            (
                "selkie bench t.csv --engine bmc --timeout 10",
                "selkie bench t.csv --timeout 10 -- --engine bmc",
            ),
            (
                "selkie bench --unwind=3 t.csv -j 2 -- --opt 0",
                "selkie bench t.csv -j 2 -- --unwind=3 --opt 0",
            ),
            (
                "selkie bench t.csv --stop-at-first --csv a.csv",
                "selkie bench t.csv --csv a.csv -- --stop-at-first",
            ),
            (
                "selkie bench t.csv --filter --engine",
                "selkie bench t.csv --filter --engine",
            ),
            (
                "selkie bench t.csv --nonsense",
                "selkie bench t.csv --nonsense",
            ),
            (
                "selkie verify f.c --engine bmc",
                "selkie verify f.c --engine bmc",
            ),
        ] {
            assert_eq!(rearranged(given), meant);
        }
    }
}
