//! Verdicts do not depend on how a program becomes logic: the corpus, with every switch.
//!
//! A switch that cannot represent something may say `unknown`; it must never say the opposite.
//! Each switch sees its own sample of the corpus, so that all of them together see most of it.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The switches, alone and in pairs that share code.
const SWITCHES: &[&str] = &[
    "--vc path",
    "--vc dataflow",
    "--memory array",
    "--memory array --word 1",
    "--memory array --word 4",
    "--memory array --word 8",
    "--memory array --vc dataflow",
    "--memory region",
    "--memory region --regions flat --word 4",
    "--memory region --regions dsa --vc path",
    "--memory region --pointers raw",
    "--memory seam",
    "--memory seam --vc dataflow",
    "--memory seam --vc path --no-store-maps",
    "--memory seam --no-ranges --word 4",
    "--memory seam --pointers raw",
    "--memory seam --regions flat --alloc relative",
    "--word 1",
    "--word 4 --vc path",
    "--word 8",
    "--pointers raw",
    "--pointers raw --memory array",
    "--pointers raw --vc dataflow",
    "--alloc relative",
    "--alloc relative --memory array --vc path",
    "--no-coi",
    "--no-simplify",
    "--no-simplify --no-coi --vc dataflow",
    "--regions flat",
    "--regions flat --vc path",
    "--regions dsa",
    "--regions dsa --vc path",
    "--regions ci --vc dataflow",
    "--opt 0",
    "--opt 1",
    "--solver z3",
];

/// Tasks for each switch, and how many of them each has to answer.
const SAMPLE: usize = 10;
const FLOOR: usize = 8;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn every_switch_gives_the_verdicts_of_the_corpus() {
    let mut complaints = Vec::new();
    for (number, switch) in SWITCHES.iter().enumerate() {
        let report = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("parity-{number}.json"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_selkie"));
        command
            .arg("bench")
            .arg(root().join("tests/corpus/tasks.csv"))
            .args(["--jobs", "2", "--timeout", "30", "--quiet"])
            .args(["--sample", &SAMPLE.to_string(), "--seed"])
            .arg(number.to_string())
            .args(["--filter", "tags!~needs-invariant", "--json"])
            .arg(&report)
            .arg("--")
            .args(switch.split(' '));
        let output = command.output().expect("selkie runs");
        let said = String::from_utf8_lossy(&output.stderr);
        let text = std::fs::read_to_string(&report)
            .unwrap_or_else(|_| panic!("{switch}: no report: {said}"));
        let value: Value = serde_json::from_str(&text).expect("the report is JSON");
        let tasks = value["tasks"].as_array().expect("a list of tasks");
        assert_eq!(tasks.len(), SAMPLE, "{switch}: {said}");
        let mut answered = 0;
        for task in tasks {
            let field = |name: &str| task[name].as_str().unwrap_or_default();
            let (result, verdict) = (field("result"), field("verdict"));
            match result {
                "right" => answered += 1,
                "unknown" if verdict.starts_with("unknown") => {}
                _ => complaints.push(format!("{switch}: {}: {result}, {verdict}", field("id"))),
            }
        }
        if answered < FLOOR {
            complaints.push(format!("{switch}: only {answered} of {SAMPLE} answered"));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Each switch, and what it is compared with.
const EFFECTS: &[(&str, &str)] = &[
    ("--vc path", ""),
    ("--vc dataflow", ""),
    ("--memory array", ""),
    ("--memory array --word 1", "--memory array --word 4"),
    ("--memory array --word 8", "--memory array --word 4"),
    ("--memory region", ""),
    ("--memory region", "--memory array"),
    ("--memory seam", ""),
    ("--memory seam", "--memory region"),
    ("--pointers raw", ""),
    ("--alloc relative", ""),
    ("--no-coi", ""),
    ("--no-simplify", ""),
    ("--opt 0", ""),
];

/// Everything that these switches are about: memory at places nobody knows, addresses, a loop, and more than one
/// obligation.
const PROGRAM: &str = "#include <selkie.h>
#include <stdlib.h>
int table[8];
struct pair { char tag; int *to; };
int main(void) {
    unsigned i = sk_nondet_uint(), j = sk_nondet_uint(), n = sk_nondet_uint() % 4;
    int x = sk_nondet_int(), sum = 0;
    struct pair *p = malloc(2 * sizeof *p);
    sk_assume(i < 8 && j < 8);
    p[i & 1].to = &table[j];
    p[j & 1].to = i < j ? &x : &table[i];
    table[i] = 3;
    *p[j & 1].to = 4;
    for (unsigned k = 0; k < n; k++)
        sum += table[k + i / 2] & 15;
    unsigned long address = (unsigned long)p[j & 1].to;
    sk_assert(*(int *)address == 4);
    sk_assert(sum <= 60 && x / 3 != 77);
    free(p);
    return 0;
}
";

/// The questions to the solver, without the lines that tell how they were answered.
fn questions(number: usize, switches: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("parity-saved-{number}"));
    let _ = std::fs::remove_dir_all(&folder);
    let file = folder.with_extension("c");
    std::fs::write(&file, PROGRAM).expect("it is written");
    let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
        .args(["verify", "--engine", "bmc", "--include"])
        .arg(root().join("lib/include"))
        .arg("--save")
        .arg(&folder)
        .args(switches.split_whitespace())
        .arg(&file)
        .output()
        .expect("selkie runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("RESULT: false(assert)"), "{switches}: {said}");
    let entries = std::fs::read_dir(folder.join("queries")).expect("questions are kept");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.retain(|file| !file.to_string_lossy().ends_with(".model.smt2"));
    files.sort();
    let text = |file: &PathBuf| std::fs::read_to_string(file).expect("a text");
    let plain = |text: String| -> String {
        let lines = text.lines().filter(|line| !line.starts_with(';'));
        lines.collect::<Vec<_>>().join("\n")
    };
    files.iter().map(text).map(plain).collect()
}

#[test]
fn every_switch_changes_what_reaches_the_solver() {
    for (number, (switch, other)) in EFFECTS.iter().enumerate() {
        let changed = questions(2 * number, switch);
        assert_ne!(changed, questions(2 * number + 1, other), "{switch}");
    }
    assert_eq!(questions(100, ""), questions(101, ""), "the same twice");
}

/// Pointers that are found in memory, two lists that one function is called with, another object of the heap, and globals.
const REGIONS: &str = "#include <selkie.h>
#include <stdlib.h>
struct node { long value; struct node *next; };
int *kept, counts[4];
__attribute__((noinline)) static struct node *pair(long a, long b) {
    struct node *first = malloc(sizeof *first), *second = malloc(sizeof *second);
    first->value = a; first->next = second;
    second->value = b; second->next = first;
    return first;
}
__attribute__((noinline)) static void bump(struct node *at, unsigned i) {
    if (i & 1)
        at = at->next;
    at->next->value += 10;
}
int main(void) {
    unsigned i = sk_nondet_uint(), j = sk_nondet_uint();
    sk_assume(i < 4 && j < 4);
    kept = malloc(4 * sizeof(int));
    struct node *left = pair(1, 2), *right = pair(3, 4);
    kept[i] = 5;
    counts[j] = 6;
    bump(left, i);
    bump(right, j);
    counts[i]++;
    sk_assert(left->value + left->next->value == 13);
    sk_assert(right->value + right->next->value == 17);
    sk_assert(kept[i] == 5 && counts[j] != 0);
    return 0;
}
";

/// How many terms there are.
fn terms(file: &Path, switches: &str) -> u32 {
    let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
        .args(["verify", "--engine", "bmc", "--certify", "off", "--stats"])
        .arg("--include")
        .arg(root().join("lib/include"))
        .args(switches.split_whitespace())
        .arg(file)
        .output()
        .expect("selkie runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = said + &String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("RESULT: true"), "{switches}: {said}");
    let count = said.split_once(", terms ").and_then(|(_, rest)| {
        let (count, _) = rest.split_once(',')?;
        count.parse().ok()
    });
    count.unwrap_or_else(|| panic!("{switches}: {said}"))
}

#[test]
fn finer_regions_are_fewer_terms_where_a_region_is_one_memory() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("parity-regions.c");
    std::fs::write(&file, REGIONS).expect("it is written");
    let counts = |memory: &str| {
        ["flat", "split", "ci", "dsa"]
            .map(|regions| terms(&file, &format!("--memory {memory} --regions {regions}")))
    };
    let shared = counts("region");
    assert!(
        shared.windows(2).all(|pair| pair[0] > pair[1]),
        "{shared:?}"
    );
    let apart = counts("lambda");
    assert!(apart.iter().all(|&count| count == apart[0]), "{apart:?}");
}
