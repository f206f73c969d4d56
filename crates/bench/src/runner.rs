//! The run itself: workers that take tasks one after the other, and one thread that writes down what they find.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::answer::{self, Details, Verdict};
use crate::command::Commands;
use crate::compare;
use crate::hardware;
use crate::html;
use crate::judge;
use crate::options::Options;
use crate::process::{self, End, Limits, Stop};
use crate::progress::{Progress, Style};
use crate::record::{self, Keep, Measured, Record, Table};
use crate::report::{self, Report};
use crate::select::{self, Plan};
use crate::summary;
use crate::task::Task;
use crate::text;
use host::ffi::{self, Interrupts};
use host::process_tree::Watcher;

/// How often the memory of tasks is looked at, at most.
const MEMORY_PAUSE: Duration = Duration::from_millis(10);

/// All answers are right or unknown.
const EXIT_FINE: i32 = 0;
/// The command or a list is wrong.
const EXIT_USAGE: i32 = 1;
/// The runner itself failed.
const EXIT_INTERNAL: i32 = 6;
/// Some answer is wrong.
const EXIT_WRONG: i32 = 10;
/// A signal ended the run; its number is added.
const EXIT_SIGNAL: i32 = 128;

/// Why there is no result, with the exit code.
pub struct Failure {
    /// The exit code.
    pub code: i32,
    /// For people.
    pub message: String,
}

impl Failure {
    fn usage(message: impl Into<String>) -> Failure {
        Failure {
            code: EXIT_USAGE,
            message: message.into(),
        }
    }

    fn internal(what: &str, error: &io::Error) -> Failure {
        Failure {
            code: EXIT_INTERNAL,
            message: format!("{what}: {error}"),
        }
    }
}

/// Runs, and returns the exit code.
pub fn run(options: &Options, verifier: &Path) -> Result<i32, Failure> {
    let Plan {
        tasks,
        notes,
        old,
        verifier,
    } = select::plan(options, verifier).map_err(Failure::usage)?;
    let say = |line: &str| {
        if !options.quiet {
            // A closed standard error must not stop a run.
            let _ = writeln!(io::stderr(), "bench: {line}");
        }
    };
    notes.iter().for_each(|note| say(note));
    let folder = tempfile::Builder::new()
        .prefix("selkie-bench-")
        .tempdir()
        .map_err(|error| Failure::internal("temporary folder", &error))?;
    let commands = Commands::new(options, &verifier, &tasks, folder.path())
        .map_err(|error| Failure::internal("property files", &error))?;
    let lines: Vec<String> = tasks.iter().map(|task| commands.line(task)).collect();
    if options.dry_run {
        let mut out = io::stdout().lock();
        for line in &lines {
            // The reader may have seen enough.
            let _ = writeln!(out, "{line}");
        }
        return Ok(EXIT_FINE);
    }
    let machine = hardware::look();
    let wanted = options.memory_limit.saturating_mul(options.jobs as u64);
    if machine.memory_mb > 0 && wanted > machine.memory_mb {
        let has = machine.memory_mb;
        say(&format!(
            "warning: tasks may take {wanted} MB at a time, this machine has {has} MB"
        ));
    }
    let (mut table, before) = open_table(options, &tasks, &commands, &say)?;
    let style = match options.quiet {
        true => Style::Silent,
        false => Style::of_stderr(),
    };
    let started = Instant::now();
    let mut results: BTreeMap<usize, Record> = before;
    let known: Vec<Record> = results.values().cloned().collect();
    let mut progress = Progress::new(style, tasks.len(), &known);
    let open: Vec<usize> = (0..tasks.len())
        .filter(|index| !results.contains_key(index))
        .collect();
    let interrupts = Interrupts::listen();
    let work = Work {
        tasks: &tasks,
        open: &open,
        commands: &commands,
        folder: folder.path(),
        limits: limits(options),
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        interrupts: &interrupts,
    };
    let outcome = work.all(options.jobs, &mut progress, |index, record| {
        if let Some(table) = &mut table {
            table.append(&record)?;
        }
        results.insert(index, record);
        Ok(())
    });
    progress.clear();
    outcome?;
    let signal = interrupts.signal();
    drop(interrupts);
    let complete = results.len() == tasks.len();
    let (indices, records): (Vec<usize>, Vec<Record>) = results.into_iter().unzip();
    if let Some(table) = table.filter(|_| complete) {
        table
            .finish(&records)
            .map_err(|error| Failure::internal("--csv", &error))?;
    }
    let old_name = options
        .compare
        .as_deref()
        .map(|path| path.display().to_string());
    let comparison = old_name
        .zip(old)
        .map(|(name, old)| compare::compare(&name, &old, &records));
    let report = Report {
        options,
        verifier: commands.verifier().to_owned(),
        commands: indices.iter().map(|index| lines[*index].clone()).collect(),
        planned: tasks.len(),
        summary: summary::summarize(&records),
        comparison,
        elapsed: started.elapsed(),
        machine,
        records,
    };
    write_reports(options, &report)?;
    Ok(match signal {
        Some(signal) if !complete => {
            match &options.csv {
                Some(path) => {
                    let path = path.display();
                    say(&format!(
                        "interrupted; --csv {path} --resume goes on from here"
                    ));
                }
                None => say("interrupted; with --csv, --resume could go on from here"),
            }
            EXIT_SIGNAL + signal
        }
        _ if report.summary.total.wrong() > 0 => EXIT_WRONG,
        _ => EXIT_FINE,
    })
}

/// The table of results, and what it holds of the tasks already, by their place in the list.
fn open_table(
    options: &Options,
    tasks: &[Task],
    commands: &Commands,
    say: &dyn Fn(&str),
) -> Result<(Option<Table>, BTreeMap<usize, Record>), Failure> {
    let Some(path) = &options.csv else {
        return Ok((None, BTreeMap::new()));
    };
    let fail = |reason: &str| Failure::usage(format!("--csv {}: {reason}", path.display()));
    let keep = match options.resume {
        true => Keep::Rows,
        false => Keep::Nothing,
    };
    let modified = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
    let last_result = modified(path);
    let (table, records) = Table::open(path, keep).map_err(|reason| fail(&reason))?;
    let places: BTreeMap<&str, usize> = tasks
        .iter()
        .enumerate()
        .map(|(index, task)| (task.id.as_str(), index))
        .collect();
    let mut results = BTreeMap::new();
    for record in records {
        let id = &record.id;
        let Some(index) = places.get(id.as_str()) else {
            let reason =
                format!("holds `{id}`, which is not among the tasks; start anew without --resume");
            return Err(fail(&reason));
        };
        if record.key != commands.key(&tasks[*index]) {
            let reason = format!(
                "holds `{id}` with other options or another verdict; start anew without --resume"
            );
            return Err(fail(&reason));
        }
        results.insert(*index, record);
    }
    let newer = modified(commands.verifier()).zip(last_result);
    if !results.is_empty() && newer.is_some_and(|(verifier, result)| verifier > result) {
        say("warning: the verifier is newer than the results it is resumed with");
    }
    Ok((Some(table), results))
}

fn limits(options: &Options) -> Limits {
    // The verifier keeps its own limits, and a solver that it stops at them costs it an engine, not the
    // answer; ours are a little wider, so that it has the chance.
    Limits {
        wall: Duration::from_secs_f64(options.timeout + options.grace),
        memory: options.memory_limit.saturating_mul(1_100_000),
    }
}

/// Writes the files, and the text to standard output unless a file went there.
fn write_reports(options: &Options, report: &Report<'_>) -> Result<(), Failure> {
    let mut to_stdout = None;
    let mut write = |name: &str, path: &Path, content: String| {
        if path.as_os_str() == "-" {
            to_stdout = Some(content);
            return Ok(());
        }
        record::replace(path, content.as_bytes()).map_err(|error| Failure::internal(name, &error))
    };
    if let Some(path) = &options.json {
        write("--json", path, report::to_json(report))?;
    }
    if let Some(path) = &options.html {
        write("--html", path, html::render(report))?;
    }
    let text = text::render(report);
    // A reader that has seen enough is no failure.
    let _ = match to_stdout {
        None => io::stdout().write_all(text.as_bytes()),
        Some(content) => {
            let _ = io::stderr().write_all(text.as_bytes());
            io::stdout().write_all(content.as_bytes())
        }
    };
    Ok(())
}

/// What the workers share.
struct Work<'a> {
    tasks: &'a [Task],
    /// The tasks to run, by their place in the list.
    open: &'a [usize],
    commands: &'a Commands,
    folder: &'a Path,
    limits: Limits,
    /// The next entry of `open`.
    next: AtomicUsize,
    /// Set when a worker or the table failed.
    stop: AtomicBool,
    interrupts: &'a Interrupts,
}

/// What a worker sends: a result and its place, or why none can be had.
type Message = Result<(usize, Record), Failure>;

impl Work<'_> {
    /// Runs all tasks, and gives each result to `keep` as it comes.
    fn all(
        &self,
        jobs: usize,
        progress: &mut Progress,
        mut keep: impl FnMut(usize, Record) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let watcher = Watcher::start(MEMORY_PAUSE);
        let mut failure = None;
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for _ in 0..jobs.min(self.open.len()) {
                let sender = sender.clone();
                let watcher = &watcher;
                scope.spawn(move || self.worker(watcher, &sender));
            }
            drop(sender);
            loop {
                match receiver.recv_timeout(Duration::from_millis(100)) {
                    Ok(Ok((index, record))) => {
                        progress.add(&record);
                        if let Err(error) = keep(index, record) {
                            self.stop.store(true, Ordering::SeqCst);
                            failure.get_or_insert(Failure::internal("--csv", &error));
                        }
                    }
                    Ok(Err(reason)) => {
                        self.stop.store(true, Ordering::SeqCst);
                        failure.get_or_insert(reason);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                progress.show();
            }
        });
        failure.map_or(Ok(()), Err)
    }

    fn stopping(&self) -> bool {
        self.stop.load(Ordering::SeqCst) || self.interrupts.signal().is_some()
    }

    fn worker(&self, watcher: &Watcher, sender: &Sender<Message>) {
        while !self.stopping() {
            let turn = self.next.fetch_add(1, Ordering::SeqCst);
            let Some(index) = self.open.get(turn) else {
                return;
            };
            let message = match self.one(*index, watcher) {
                Ok(None) => return,
                Ok(Some(record)) => Ok((*index, record)),
                Err(failure) => Err(failure),
            };
            if sender.send(message).is_err() {
                return;
            }
        }
    }

    /// Runs a task; none if the run was interrupted meanwhile.
    fn one(&self, index: usize, watcher: &Watcher) -> Result<Option<Record>, Failure> {
        let task = &self.tasks[index];
        // A verifier that is killed leaves its temporary files behind: here they are found.
        let folder = self.folder.join(index.to_string());
        fs::create_dir(&folder).map_err(|error| Failure::internal("temporary folder", &error))?;
        let report = folder.join("report.json");
        let mut command = Command::new(self.commands.verifier());
        command
            .args(self.commands.arguments(task, &report))
            .env("TMPDIR", &folder);
        let result = process::run(&mut command, self.limits, watcher, &|| self.stopping());
        let record = match result {
            Ok(outcome) if outcome.end == End::Stopped(Stop::Interrupted) => None,
            Ok(outcome) => {
                let verdict = answer::verdict(&outcome);
                let details = answer::details(&report, &verdict, &outcome);
                let measured = Measured {
                    wall_s: outcome.wall.as_secs_f64(),
                    cpu_s: outcome.cpu.as_secs_f64(),
                    memory_mb: outcome.peak_memory as f64 / 1e6,
                };
                Some(self.record(task, verdict, measured, details))
            }
            Err(error) if is_about_the_program(&error) => {
                let program = self.commands.verifier().display();
                return Err(Failure::usage(format!("cannot run {program}: {error}")));
            }
            Err(error) => {
                let verdict = Verdict::Error(format!("not started: {error}"));
                let measured = Measured {
                    wall_s: 0.0,
                    cpu_s: 0.0,
                    memory_mb: 0.0,
                };
                Some(self.record(task, verdict, measured, Details::default()))
            }
        };
        // What cannot be removed now goes with the folder above.
        let _ = fs::remove_dir_all(&folder);
        Ok(record)
    }

    fn record(
        &self,
        task: &Task,
        verdict: Verdict,
        measured: Measured,
        details: Details,
    ) -> Record {
        let (judgement, reason) = judge::judge(task, &verdict);
        let one_line = |text: &str| text.replace(char::is_control, " ");
        Record {
            id: task.id.clone(),
            suite: one_line(&task.suite),
            category: one_line(&task.category),
            property: task.property.name.to_owned(),
            subproperty: task.subproperty.clone().unwrap_or_default(),
            expected: task.expected,
            verdict,
            judgement,
            reason,
            measured,
            engine: details.engine,
            evidence: details.evidence,
            stages: details.stages,
            message: details.message,
            key: self.commands.key(task),
        }
    }
}

/// Would every other task fail in the same way?
fn is_about_the_program(error: &io::Error) -> bool {
    let kind = error.kind();
    ffi::is_no_program(error)
        || matches!(
            kind,
            io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied
        )
}
