//! Random programs that use C in odd ways, with verdicts that are known from running them for every input.
//!
//! ```text
//! kinds ─▶ program ─ run natively for every input, under sanitizers ─▶ its results, and what it violates
//!    ├─ "the result is none of the others" true     ├─ "the result is never 7", which occurs   false
//!    ├─ all checks, where no run violates any true  └─ the checks that a run violates          false
//! ```
//!
//! A kind is a file in `odd/kinds` and a line in [`KINDS`]: it writes a function `unsigned NAME(unsigned, unsigned, unsigned)`
//! of three small inputs, and whatever that needs. A program calls one or two of them. What a kind's code does must be decided by
//! its inputs and by what the oracle chooses ([`truth`]); accidents ([`write`]) may stand anywhere in it.

pub mod kinds;
pub mod referee;
pub mod truth;
pub mod write;

use std::collections::BTreeSet;

use anyhow::{Context, Result};

use crate::native::DataModel;
use crate::random::Random;
use kinds::{KINDS, Kind};
use truth::{Oracle, Run, distinct, without_oracle};
use write::{Writer, fill};

/// A program and a question, with the answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// Its name.
    pub id: String,
    /// The program.
    pub text: String,
    /// What is asked, as for `--check`; empty: the checks that are on by default.
    pub checks: String,
    /// Options that the program needs.
    pub options: Vec<&'static str>,
    /// Sizes of types.
    pub data_model: DataModel,
    /// The properties that some run violates: none if it holds.
    pub violated: BTreeSet<String>,
}

/// The checks that are on by default, and their properties.
const CHECKS: &[(&str, &str)] = &[
    ("assert", "assert"),
    ("reach", "unreach-call"),
    ("deref", "valid-deref"),
    ("free", "valid-free"),
    ("overflow", "no-overflow"),
    ("div", "no-div-by-zero"),
    ("shift", "no-shift"),
];

const PROLOGUE: &str = "\
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef ORACLE
unsigned oracle_choose(unsigned limit);
void oracle_says(const char *what);
void oracle_result(unsigned result);
void sk_assert(_Bool condition) { if (!condition) oracle_says(\"assert\"); }
void sk_assume(_Bool condition) { if (!condition) oracle_says(\"ended\"); }
void reach_error(void) { oracle_says(\"unreach-call\"); }
unsigned sk_nondet_uint(void) { return oracle_choose(4); }
static unsigned input(unsigned limit) { return oracle_choose(limit); }
#else
void sk_assert(_Bool condition);
void sk_assume(_Bool condition);
void reach_error(void);
unsigned sk_nondet_uint(void);
static unsigned input(unsigned limit) { $input }
#endif
";

const EPILOGUE: &str = "\
int main(void) {
    unsigned a = input($x), b = input($y), c = input($z), acc = 0;
$calls
#ifdef ORACLE
    oracle_result(acc);
#else
    /* the question */
#endif
    return 0;
}
";

/// What the program of this number is about, first of all.
pub fn kind_of(number: u64) -> &'static Kind {
    &KINDS[(number % KINDS.len() as u64) as usize]
}

/// The tasks that one program gives; none if it cannot be used.
pub fn tasks_of(oracle: &Oracle, seed: u64, number: u64) -> Result<Vec<Task>> {
    let mut random = Random::new(seed, number);
    let kind = kind_of(number);
    let second = (random.below(4) == 0).then(|| random.pick(KINDS));
    let data_model = *random.pick(&[DataModel::Lp64, DataModel::Lp64, DataModel::Ilp32]);
    let mut writer = Writer::new(random);
    let text = program(&mut writer, kind, second);
    let name = format!("{seed}-{number:05}-{}", kind.name);
    let runs = oracle
        .runs(&text, data_model)
        .with_context(|| format!("{name} does not compile:\n{text}"))?;
    let Some(runs) = runs else {
        return Ok(Vec::new());
    };
    let task = |suffix: &str, question: &str, checks: &str, violated: BTreeSet<String>| Task {
        id: format!("{name}-{suffix}"),
        text: without_oracle(&text).replace("/* the question */", question),
        checks: checks.to_owned(),
        options: writer.options.clone(),
        data_model,
        violated,
    };
    Ok(questions(&runs, &mut writer.random, task))
}

/// The whole text, oracle's parts included.
fn program(writer: &mut Writer, kind: &Kind, second: Option<&Kind>) -> String {
    let mut calls = String::new();
    for kind in std::iter::once(kind).chain(second) {
        let part = writer.name("part");
        (kind.write)(writer, &part);
        calls.push_str(&format!("    acc = acc * 7u + {part}(a, b, c);\n"));
    }
    let input = writer.any(&[
        "unsigned v = sk_nondet_uint(); sk_assume(v < limit); return v;",
        "return sk_nondet_uint() % limit;",
        "unsigned v = sk_nondet_uint(); if (v >= limit) v = limit - 1; return v;",
        "unsigned v = sk_nondet_uint(); if (v >= limit) exit(0); return v;",
    ]);
    let prologue = fill(PROLOGUE, &[("input", &input)]);
    let limits = [(); 3].map(|()| writer.any(&["2", "3", "4", "5", "8"]));
    let epilogue = fill(
        EPILOGUE,
        &[
            ("x", &limits[0]),
            ("y", &limits[1]),
            ("z", &limits[2]),
            ("calls", calls.trim_end()),
        ],
    );
    format!("{prologue}{}{epilogue}", writer.top)
}

/// What can be asked, given every run.
fn questions(
    runs: &[Run],
    random: &mut Random,
    task: impl Fn(&str, &str, &str, BTreeSet<String>) -> Task,
) -> Vec<Task> {
    let nothing = BTreeSet::new;
    let violated: BTreeSet<String> = runs
        .iter()
        .filter_map(|run| match run {
            Run::Violated(property) => Some(property.clone()),
            Run::Result(_) | Run::Ended => None,
        })
        .collect();
    let known = |property: &String| CHECKS.iter().any(|(_, name)| name == property);
    if !violated.iter().all(known) {
        return Vec::new();
    }
    let mut tasks = Vec::new();
    if !violated.is_empty() {
        tasks.push(task("all", "", "", violated.clone()));
        let property = random
            .pick(&violated.iter().collect::<Vec<_>>())
            .to_string();
        let check = CHECKS.iter().find(|(_, name)| *name == property);
        let (check, _) = check.expect("it is known");
        tasks.push(task(check, "", check, [property].into()));
    } else {
        tasks.push(task("none", "", "", nothing()));
    }
    let mut results: Vec<u32> = distinct(runs)
        .into_iter()
        .filter_map(|run| match run {
            Run::Result(result) => Some(result),
            Run::Ended | Run::Violated(_) => None,
        })
        .collect();
    if results.is_empty() {
        return tasks;
    }
    // The rarest result is the one that is easily lost.
    let count = |result: u32| {
        runs.iter()
            .filter(|run| **run == Run::Result(result))
            .count()
    };
    results.sort_by_key(|result| (count(*result), *result));
    let one = if random.below(2) == 0 {
        results[0]
    } else {
        *random.pick(&results)
    };
    let asked = |random: &mut Random, text: String| match random.below(3) {
        0 => (
            format!("if (!({text})) reach_error();"),
            "reach",
            "unreach-call",
        ),
        1 => (
            format!("if ({text}) {{}} else sk_assert(0);"),
            "assert",
            "assert",
        ),
        _ => (format!("sk_assert({text});"), "assert", "assert"),
    };
    let (question, check, property) = asked(random, format!("acc != {one}u"));
    tasks.push(task(
        "reached",
        &question,
        check,
        [property.to_owned()].into(),
    ));
    if violated.is_empty() {
        let near = results[0].wrapping_add(1 + random.below(3) as u32);
        let text = if results.len() <= 24 && random.below(3) > 0 {
            let all: Vec<String> = results.iter().map(|r| format!("acc == {r}u")).collect();
            all.join(" || ")
        } else if results.contains(&near) {
            return tasks;
        } else {
            format!("acc != {near}u")
        };
        let (question, check, _) = asked(random, text);
        tasks.push(task("never", &question, check, nothing()));
    }
    tasks
}
