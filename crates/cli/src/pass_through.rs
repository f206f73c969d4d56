//! Options of `verify` on the command line of `bench`.
//!
//! `selkie bench tasks.csv --engine bmc` means `selkie bench tasks.csv -- --engine bmc`: what `bench`
//! does not know and `verify` does is moved behind the `--`, with its value. What neither knows stays
//! where it is, and is an error.

use std::ffi::OsString;

use clap::{Arg, Command};

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
