//! Does the time grow with the size? Generates a C program of so many lines, brings it to phase
//! Pure, and prints the processor time of each stage and the peak of memory (Linux only):
//! `large [--opt N] LINES`

use std::fmt::Write as _;
use std::process::ExitCode;

use frontend::{OptLevel, Options};

fn main() -> ExitCode {
    let (mut lines, mut opt) = (None, 2);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--opt" => opt = args.next().and_then(|text| text.parse().ok()).unwrap_or(2),
            _ => lines = arg.parse::<usize>().ok(),
        }
    }
    let (Some(lines), Some(opt)) = (lines, OptLevel::from_number(opt)) else {
        eprintln!("large [--opt N] LINES");
        return ExitCode::from(1);
    };
    let folder = tempfile::tempdir().expect("a folder for the program");
    let file = folder.path().join("large.c");
    let text = program(lines);
    let count = text.lines().count();
    std::fs::write(&file, text).expect("the program is written");
    let mut options = Options::new([&file]);
    options.opt = opt;
    let mut stages: Vec<(&str, f64)> = Vec::new();
    let mut before = processor();
    let mut over = |name: &'static str| {
        let now = processor();
        stages.push((name, now - before));
        before = now;
    };
    let mut module = frontend::load_observed(&options, &mut |name, _| over(name))
        .unwrap_or_else(|error| panic!("{error}"));
    let config = passes::pass::Config {
        checks: options.checks.clone(),
        ..passes::pass::Config::default()
    };
    for (name, list) in [
        ("lower", passes::pipeline::LOWER),
        ("purify", passes::pipeline::PURIFY),
    ] {
        passes::pass::run(list, &mut module, &config, &mut |_, _| {})
            .unwrap_or_else(|error| panic!("{error}"));
        over(name);
    }
    let insts: usize = module
        .funcs
        .values()
        .filter_map(|func| func.body.as_ref())
        .map(|body| body.insts.len())
        .sum();
    println!("{count} lines, {insts} instructions in Pure");
    for (name, time) in &stages {
        println!("{time:8.2} s  {name}");
    }
    let sum: f64 = stages.iter().skip(1).map(|(_, time)| time).sum();
    println!("{sum:8.2} s  from the end of clang to Pure");
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    println!("peak of memory:{}", peak.unwrap_or(" unknown"));
    ExitCode::SUCCESS
}

/// Seconds that this process, without clang, has run.
fn processor() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|word| word.parse().ok());
    nanoseconds.unwrap_or(0.0) / 1e9
}

/// A program of about so many lines: functions with loops, switches, local and global arrays,
/// structures, calls of earlier ones by name and through a table.
fn program(lines: usize) -> String {
    let funcs = (lines / 25).max(1);
    let mut text =
        String::from("#include <stdlib.h>\nstruct node { int key; struct node *next; };\n");
    for index in 0..funcs {
        let callee = index / 2;
        write!(
            text,
            "static int table{index}[16] = {{1, 2, {index}}};
static int f{index}(int a, struct node *list) {{
    int local[8];
    struct node here = {{a, list}};
    for (int i = 0; i < 8; i++)
        local[i] = table{index}[i] + a;
    for (struct node *n = &here; n; n = n->next) {{
        if (n->key == {index})
            a += 3;
        else
            table{index}[n->key & 15]++;
    }}
    switch (a & 3) {{
    case 0:
        a = local[a & 7];
        break;
    case 1:
        a ^= {index};
        break;
    default:
        a -= 1;
    }}
"
        )
        .expect("a string takes everything");
        if index > 0 {
            writeln!(
                text,
                "    if (a > 100)\n        a = f{callee}(a / 2, &here);"
            )
            .expect("a string takes everything");
        }
        text.push_str("    return a;\n}\n");
    }
    let last = funcs - 1;
    write!(
        text,
        "static int (*const choice[2])(int, struct node *) = {{f0, f{last}}};
int main(int argc, char **argv) {{
    struct node *list = malloc(sizeof *list);
    list->key = argc;
    list->next = 0;
    return choice[argc & 1](argc, list) + f{last}(1, list);
}}
"
    )
    .expect("a string takes everything");
    // The rest of the functions is reached too.
    let mut calls = String::new();
    for index in 0..funcs {
        writeln!(calls, "    sum += f{index}(sum & 7, list);").expect("a string takes everything");
    }
    text.replace(
        "    return choice",
        &format!(
            "    int sum = 0;\n{calls}    if (sum)\n        return sum & 1;\n    return choice"
        ),
    )
}
