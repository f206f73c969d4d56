//! Writes tasks: sources, and a task list with their verdicts.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fs, thread};

use anyhow::{Context, Result};

use crate::csmith::{Change, Ending, INCLUDE, Planted, Program};
use crate::native::{self, Build, DataModel, INPUTS, Leaks, Outcome};
use crate::plants::{Detection, PLANTS, Plant};
use crate::random::Random;

/// A task with its verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// Its id, and its file's name without the ending.
    pub id: String,
    /// The program.
    pub text: String,
    /// What is asked.
    pub property: &'static str,
    /// The part of it that is violated, if any.
    pub subproperty: &'static str,
    /// Does it hold?
    pub holds: bool,
    /// Sizes of types.
    pub data_model: DataModel,
    /// What kind of task it is.
    pub category: &'static str,
}

/// Writes `count` tasks into a folder. The seed decides what they are, `jobs` how many are made at a time.
pub fn generate(count: usize, seed: u64, out: &Path, jobs: usize) -> Result<()> {
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    let mut tasks = Vec::new();
    let mut number = 0;
    while tasks.len() < count {
        // Each program gives about four tasks; what is too much is thrown away.
        let batch = ((count - tasks.len()) / 4 + 1) as u64;
        tasks.extend(
            programs(seed, number..number + batch, jobs)?
                .into_iter()
                .flatten(),
        );
        number += batch;
    }
    tasks.truncate(count);
    for task in &tasks {
        let file = out.join(&task.id).with_extension("c");
        fs::write(&file, &task.text).with_context(|| format!("cannot write {}", file.display()))?;
    }
    list(&tasks, &out.join("tasks.csv"))
}

/// The tasks of some programs, in order.
fn programs(seed: u64, numbers: std::ops::Range<u64>, jobs: usize) -> Result<Vec<Vec<Task>>> {
    let next = AtomicU64::new(numbers.start);
    let worker = || -> Result<Vec<(u64, Vec<Task>)>> {
        let mut made = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end {
                return Ok(made);
            }
            made.push((number, tasks_of(seed, number)?));
        }
    };
    let mut made = Vec::new();
    thread::scope(|scope| -> Result<()> {
        let workers: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(worker)).collect();
        for worker in workers {
            made.extend(worker.join().expect("a worker does not panic")?);
        }
        Ok(())
    })?;
    made.sort_by_key(|(number, _)| *number);
    Ok(made.into_iter().map(|(_, tasks)| tasks).collect())
}

/// The tasks that one program gives; none if it cannot be used.
pub fn tasks_of(seed: u64, number: u64) -> Result<Vec<Task>> {
    let mut random = Random::new(seed, number);
    let folder = tempfile::tempdir().context("cannot make a folder for native runs")?;
    let Ok(program) = Program::generate(random.next(), folder.path()) else {
        return Ok(Vec::new());
    };
    let data_model = if number % 4 == 3 {
        DataModel::Ilp32
    } else {
        DataModel::Lp64
    };
    // A program is asked as csmith wrote it, or for every input: then its values are not known.
    let perturbed = match program.variables() {
        0 => None,
        _ if number % 2 == 0 => None,
        count => Some(random.below(count)),
    };
    let Some(sums) = checksums(&program, perturbed, data_model, folder.path())? else {
        return Ok(Vec::new());
    };
    let category = if perturbed.is_some() {
        "input"
    } else {
        "fixed"
    };
    let name = format!("{seed}-{number:04}");
    let with = |ending| {
        program.text(&Change {
            perturbed,
            planted: None,
            ending,
        })
    };
    let task = |suffix: &str, text, property, holds, category| Task {
        id: format!("{name}-{suffix}"),
        text,
        property,
        subproperty: "",
        holds,
        data_model,
        category,
    };
    let mut off = sums;
    let wrong = random.below(off.len());
    off[wrong] ^= 1 << random.below(32);
    let mut tasks = vec![
        task(
            "sum",
            with(Ending::Compare(sums)),
            "unreach-call",
            true,
            category,
        ),
        task(
            "off",
            with(Ending::Compare(off)),
            "unreach-call",
            false,
            category,
        ),
    ];
    // The sanitizers were silent for every input.
    if number % 5 == 0 {
        let property = if number % 2 == 0 {
            "no-overflow"
        } else {
            "valid-memsafety"
        };
        tasks.push(task("clean", with(Ending::Silent), property, true, "clean"));
    }
    for turn in 0..2 {
        let plant = &PLANTS[(2 * number as usize + turn) % PLANTS.len()];
        let planted = planted(
            &program,
            plant,
            perturbed,
            data_model,
            folder.path(),
            &mut random,
        )?;
        if let Some((text, holds)) = planted {
            let mut task = task(plant.name, text, plant.property, holds, "planted");
            if !holds {
                task.subproperty = plant.subproperty;
            }
            tasks.push(task);
        }
    }
    Ok(tasks)
}

/// The checksum for each input, if all runs are clean and an optimising compiler agrees.
fn checksums(
    program: &Program,
    perturbed: Option<usize>,
    data_model: DataModel,
    folder: &Path,
) -> Result<Option<[u32; 4]>> {
    let text = program.text(&Change {
        perturbed,
        planted: None,
        ending: Ending::Print,
    });
    let sanitized = native::compile(folder, &text, data_model, Build::Sanitized)?;
    let optimised = native::compile(folder, &text, data_model, Build::Optimised)?;
    let mut sums = [0; INPUTS as usize];
    for (input, sum) in (0..).zip(&mut sums) {
        let outcome = native::run(&sanitized, input, Leaks::Lost)?;
        let Outcome::Clean(printed) = &outcome else {
            return Ok(None);
        };
        if native::run(&optimised, input, Leaks::Lost)? != outcome {
            return Ok(None);
        }
        let number = printed.trim().strip_prefix("checksum ");
        let Some(value) = number.and_then(|number| u32::from_str_radix(number, 16).ok()) else {
            return Ok(None);
        };
        *sum = value;
    }
    Ok(Some(sums))
}

/// The program with planted code, and whether the property holds; nothing if that is not known.
fn planted(
    program: &Program,
    plant: &Plant,
    perturbed: Option<usize>,
    data_model: DataModel,
    folder: &Path,
    random: &mut Random,
) -> Result<Option<(String, bool)>> {
    let variable = (program.variables() > 0).then(|| random.below(program.variables()));
    let mask = *random.pick(&[0, 1, 1, 3]);
    // Behind the last function is the end of `main`, which is always reached.
    let place = random.below(program.functions() + 1);
    let text = program.text(&Change {
        perturbed,
        planted: Some(Planted {
            code: plant.code,
            place,
            variable,
            mask,
        }),
        ending: Ending::Silent,
    });
    let violation = match plant.subproperty {
        "" => plant.property,
        part => part,
    };
    let leaks = match violation {
        "valid-memcleanup" => Leaks::Any,
        _ => Leaks::Lost,
    };
    let binary = native::compile(folder, &text, data_model, Build::Sanitized)?;
    let mut violated = false;
    for input in 0..INPUTS {
        match native::run(&binary, input, leaks)? {
            Outcome::Clean(_) => {}
            Outcome::Report(property) if property == violation => violated = true,
            Outcome::Report(_) | Outcome::Strange(_) => return Ok(None),
        }
    }
    let known = violated || plant.detection == Detection::Exact;
    Ok(known.then_some((text, !violated)))
}

/// Writes the task list.
fn list(tasks: &[Task], path: &Path) -> Result<()> {
    let mut table =
        csv::Writer::from_path(path).with_context(|| format!("cannot write {}", path.display()))?;
    table.write_record([
        "id",
        "files",
        "data_model",
        "cflags",
        "include_dirs",
        "defines",
        "property",
        "subproperty",
        "expected",
        "suite",
        "category",
    ])?;
    for task in tasks {
        table.write_record([
            task.id.as_str(),
            &format!("{}.c", task.id),
            task.data_model.name(),
            "-w",
            INCLUDE,
            "",
            task.property,
            task.subproperty,
            if task.holds { "true" } else { "false" },
            "random",
            task.category,
        ])?;
    }
    table.flush()?;
    Ok(())
}
