//! Soundness by execution, at length: generated pointer programs and csmith's.
//!
//! ```text
//! cargo run --release -p pointers --example soundness -- 0 1000          pointer programs
//! cargo run --release -p pointers --example soundness -- 0 200 csmith    random C programs
//! ```

#[path = "../tests/common/mod.rs"]
mod common;

use std::collections::BTreeMap;
use std::process::Command;

use common::{Checks, Inputs, Providers, load, try_compare};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize| args.get(index).and_then(|text| text.parse::<u64>().ok());
    let (first, count) = (number(0).unwrap_or(0), number(1).unwrap_or(100));
    let csmith = args.get(2).is_some_and(|word| word == "csmith");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut ends: BTreeMap<String, usize> = BTreeMap::new();
    let mut failures = 0;
    for seed in first..first + count {
        let file = folder.path().join("p.c");
        let flags: &[&str] = if csmith {
            let out = Command::new("csmith")
                .current_dir(folder.path())
                .args([
                    "--seed",
                    &seed.to_string(),
                    "--max-funcs",
                    "6",
                    "--no-volatiles",
                ])
                .output()
                .expect("csmith is installed");
            std::fs::write(&file, out.stdout).expect("a file can be written");
            &["-w", "-I/usr/include/csmith"]
        } else {
            let text = common::programs::program(seed);
            std::fs::write(&file, text).expect("a file can be written");
            &["-w"]
        };
        let checks = match seed % 5 {
            0 => Checks::Leaks,
            _ => Checks::Default,
        };
        let result = load(&file, checks, (seed % 3) as u32, flags).and_then(|module| {
            let name = format!("seed {seed}");
            try_compare(module, &name, checks, Providers::All, &[Inputs::Zeros])
        });
        match result {
            Ok(list) => {
                for end in list {
                    let word = end.split([' ', '.', ':']).next().unwrap_or_default();
                    *ends.entry(word.to_owned()).or_default() += 1;
                }
            }
            Err(error) => {
                println!("{}", error.lines().next().unwrap_or_default());
                failures += 1;
            }
        }
    }
    println!("{count} programs, {failures} failures, ends: {ends:?}");
    if failures > 0 {
        std::process::exit(1);
    }
}
