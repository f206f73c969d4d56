//! Brings every task of a list to phase Pure, and compares the time with clang's:
//! `tasks [--no-clang] [--only ID] TASKS.csv`
//!
//! For each task: load, lower, purify, and look whether the module is wellformed after each. At
//! the end: how many succeeded, which kinds of `unsupported` obligations are left, which functions
//! have neither a body nor a model, and the processor time from the end of clang to Pure beside that of `clang-22 -O2 -c` on the same files
//! (Linux only: the numbers come from `/proc`).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use frontend::{DataModel, Options};
use ir::syntax::{Module, Phase};

/// A row of the list.
struct Task {
    id: String,
    options: Options,
    flags: Vec<String>,
}

/// Sums over all tasks.
#[derive(Default)]
struct Sums {
    tasks: u32,
    pure: u32,
    failed: Vec<String>,
    /// Kind of construct: obligations, tasks.
    unsupported: BTreeMap<String, (u32, u32)>,
    /// Functions without a body, by name: tasks.
    missing: BTreeMap<String, u32>,
    stages: BTreeMap<String, Duration>,
    ours: f64,
    theirs: f64,
    insts: usize,
}

fn main() -> ExitCode {
    let (mut list, mut only, mut clang) = (None, None, true);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--no-clang" => clang = false,
            "--only" => only = args.next(),
            _ => list = Some(PathBuf::from(arg)),
        }
    }
    let Some(list) = list else {
        eprintln!("tasks [--no-clang] [--only ID] TASKS.csv");
        return ExitCode::from(1);
    };
    let mut sums = Sums::default();
    for task in read(&list) {
        if only.as_ref().is_some_and(|id| *id != task.id) {
            continue;
        }
        sums.tasks += 1;
        if let Err(why) = bring(&task, &mut sums) {
            println!("{}: {why}", task.id);
            sums.failed.push(task.id.clone());
        }
        if clang {
            compile(&task, &mut sums);
        }
    }
    println!("{} of {} tasks are Pure", sums.pure, sums.tasks);
    println!("{} instructions in Pure", sums.insts);
    for (kind, (obligations, tasks)) in &sums.unsupported {
        println!("{obligations:6} obligations in {tasks:4} tasks: {kind}");
    }
    let mut missing: Vec<(&String, &u32)> = sums.missing.iter().collect();
    missing.sort_by_key(|&(name, tasks)| (std::cmp::Reverse(*tasks), name));
    println!("{} functions have no body and no model:", missing.len());
    for (name, tasks) in missing {
        println!("{tasks:6} tasks: {name}");
    }
    for (stage, time) in &sums.stages {
        println!("{:8.2} s wall  {stage}", time.as_secs_f64());
    }
    println!(
        "{:8.2} s of processor time from the end of clang to Pure",
        sums.ours
    );
    if clang {
        println!(
            "{:8.2} s of processor time for clang-22 -O2 -c",
            sums.theirs
        );
    }
    ExitCode::from(u8::from(!sums.failed.is_empty()))
}

/// From files to Pure.
fn bring(task: &Task, sums: &mut Sums) -> Result<(), String> {
    let start = processor().0;
    let mut stage = |name: &str, time: Duration| {
        *sums.stages.entry(name.to_owned()).or_default() += time;
    };
    let mut module = frontend::load_observed(&task.options, &mut |name, time| stage(name, time))
        .map_err(|error| error.to_string())?;
    let config = passes::pass::Config {
        checks: task.options.checks.clone(),
        extern_mode: passes::pass::ExternMode::Pure,
        ..passes::pass::Config::default()
    };
    for (name, list) in [
        ("lower", passes::pipeline::LOWER),
        ("purify", passes::pipeline::PURIFY),
    ] {
        let begin = Instant::now();
        passes::pass::run(list, &mut module, &config, &mut |_, _| {})
            .map_err(|error| error.to_string())?;
        stage(name, begin.elapsed());
    }
    sums.ours += processor().0 - start;
    if module.phase != Phase::Pure {
        return Err(format!("the phase is {}", module.phase));
    }
    ir::wellformed::check(&module)
        .map_err(|complaints| ir::wellformed::explain(&complaints).to_string())?;
    sums.pure += 1;
    count(&module, sums);
    Ok(())
}

/// Counts the `unsupported` obligations that some instruction still checks.
fn count(module: &Module, sums: &mut Sums) {
    let mut kinds: BTreeMap<String, u32> = BTreeMap::new();
    let mut seen = std::collections::BTreeSet::new();
    for body in module.funcs.values().filter_map(|func| func.body.as_ref()) {
        for (_, inst) in body.insts_in_order() {
            sums.insts += 1;
            if let ir::syntax::Op::Check(obligation, _) = body.insts[inst].op {
                let data = &module.obligations[obligation];
                if data.check == checks::registry::CheckId::Unsupported && seen.insert(obligation) {
                    *kinds.entry(data.text.clone()).or_default() += 1;
                }
            }
        }
    }
    for note in &module.notes {
        let name = note
            .strip_prefix("function ")
            .and_then(|rest| rest.split_once(" has no body"));
        if let Some((name, _)) = name {
            *sums.missing.entry(name.to_owned()).or_default() += 1;
        }
    }
    for (kind, obligations) in kinds {
        // What stands in brackets is a name; assembly has thousands.
        let kind = match kind.find("inline assembly") {
            Some(_) => "unsupported: inline assembly".to_owned(),
            None => kind,
        };
        let sum = sums.unsupported.entry(kind).or_default();
        sum.0 += obligations;
        sum.1 += 1;
    }
}

/// Clang's own optimiser and code generator, on the same files.
fn compile(task: &Task, sums: &mut Sums) {
    let before = processor().1;
    for file in &task.options.files {
        if !file.extension().is_some_and(|ext| ext == "c" || ext == "i") {
            continue;
        }
        let status = Command::new("clang-22")
            .args(&task.flags)
            .args(["-O2", "-c", "-o", "/dev/null"])
            .arg(file)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        assert!(status.is_ok(), "clang-22 runs");
    }
    sums.theirs += processor().1 - before;
}

/// Seconds that this process and its finished children have run.
fn processor() -> (f64, f64) {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<f64> = stat
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .map(|word| word.parse().unwrap_or(0.0))
        .collect();
    let ticks = |index: usize| fields.get(index).copied().unwrap_or(0.0) / 100.0;
    (ticks(11) + ticks(12), ticks(13) + ticks(14))
}

/// The tasks of a list.
fn read(list: &Path) -> Vec<Task> {
    let folder = list.parent().unwrap_or(Path::new("."));
    let mut reader = csv::Reader::from_path(list).expect("the list can be read");
    let headers = reader.headers().expect("the list has a header").clone();
    let mut tasks = Vec::new();
    for row in reader.records() {
        let row = row.expect("a row");
        let get = |name: &str| {
            let column = headers.iter().position(|header| header == name);
            column.and_then(|column| row.get(column)).unwrap_or("")
        };
        let words = |text: &str, separator: char| -> Vec<String> {
            text.split(separator)
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect()
        };
        let files = words(get("files"), ';');
        let mut options = Options::new(files.iter().map(|file| folder.join(file)));
        options.cflags = words(get("cflags"), ' ');
        options.includes = words(get("include_dirs"), ';')
            .iter()
            .map(|dir| folder.join(dir))
            .collect();
        options.defines = words(get("defines"), ';');
        if get("data_model") == "ILP32" {
            options.data_model = DataModel::Ilp32;
        }
        let property = get("property");
        let check = match property {
            "valid-memsafety" => "memsafety",
            "valid-memcleanup" => "cleanup",
            "no-overflow" => "overflow",
            "assert" => "assert",
            "valid-deref" => "deref",
            "valid-free" => "free",
            "valid-memtrack" => "leak",
            "no-div-by-zero" => "div",
            _ => "reach",
        };
        let checks = checks::registry::expand(check).expect("a check");
        options.checks = checks.into_iter().collect();
        let mut flags = options.cflags.clone();
        for dir in &options.includes {
            flags.push("-I".to_owned());
            flags.push(dir.display().to_string());
        }
        flags.extend(options.defines.iter().map(|define| format!("-D{define}")));
        tasks.push(Task {
            id: get("id").to_owned(),
            options,
            flags,
        });
    }
    tasks
}
