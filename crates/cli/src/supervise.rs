//! The process that stands between a user and the work.
//!
//! ```text
//! selkie verify ── worker: front end, engine, solvers
//!      ▲             │  what it does, what it found, and at the end what is to be said
//!      └── a pipe ───┘
//! ```
//!
//! The worker may run out of time or memory, or crash in foreign code. None of that takes an answer away:
//! whatever was found until then has come through the pipe, and this process always has the last word,
//! in the contract's words. It also keeps the limits, and says what is going on: a line on a terminal, a
//! heartbeat elsewhere.

use std::fs::File;
use std::io::{BufRead, BufReader, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use host::ffi::{self, Forked, Interrupts};
use host::process_tree::Watcher;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::args::VerifyArgs;
use crate::failure::Failure;
use crate::report;

/// How often limits are looked at.
const TICK: Duration = Duration::from_millis(20);
/// How often the memory is looked at, at most.
const MEMORY_PAUSE: Duration = Duration::from_millis(100);
/// How often the line on a terminal changes.
const LINE: Duration = Duration::from_millis(200);
/// How long a worker may take to report when it has found all that was asked for.
const PATIENCE: Duration = Duration::from_millis(500);
/// How often a heartbeat is printed elsewhere.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// What a worker says.
#[derive(Serialize, Deserialize, Debug)]
enum Message {
    /// What it is doing.
    Doing(Doing),
    /// What every verdict of this program rests on.
    Ledger(Vec<String>),
    /// A violation that was replayed.
    Found(Found),
    /// Everything; nothing comes after it.
    End(Ending),
}

/// What is being done.
#[derive(Serialize, Deserialize, Default, Debug)]
pub struct Doing {
    /// In a few words.
    pub what: String,
    /// The bounds that were reached, for people.
    pub bounds: String,
    /// For programs.
    pub json: Value,
}

/// A violation, as it is reported.
#[derive(Serialize, Deserialize, Debug)]
pub struct Found {
    /// The violated property.
    pub property: String,
    /// For people.
    pub text: String,
    /// For programs.
    pub json: Value,
}

/// What is to be said at the end.
#[derive(Serialize, Deserialize, Default, Debug)]
pub struct Ending {
    /// For standard output, the result line included.
    pub output: String,
    /// For standard error.
    pub errors: String,
    /// For the file of `--json`.
    pub json: Value,
    /// The exit code.
    pub code: u8,
    /// Could the work not be done? Then what was found before still counts.
    pub failed: bool,
}

/// How a worker speaks to its supervisor.
#[derive(Clone)]
pub struct Teller {
    pipe: Arc<Mutex<File>>,
}

impl Teller {
    fn send(&self, message: &Message) {
        let mut line = serde_json::to_string(message).expect("messages are plain data");
        line.push('\n');
        if let Ok(mut pipe) = self.pipe.lock() {
            // Nobody listens any more: the supervisor is about to end this process.
            let _ = pipe.write_all(line.as_bytes());
        }
    }

    /// Says what is being done.
    pub fn doing(&self, doing: Doing) {
        self.send(&Message::Doing(doing));
    }

    /// Says what every verdict rests on.
    pub fn ledger(&self, entries: Vec<String>) {
        self.send(&Message::Ledger(entries));
    }

    /// Hands over a violation, which is then safe.
    pub fn found(&self, found: Found) {
        self.send(&Message::Found(found));
    }
}

/// Does the work in a worker and sees to it that there is an answer; returns the exit code.
pub fn supervise(
    args: &VerifyArgs,
    start: Instant,
    work: impl FnOnce(Teller) -> Ending,
) -> Result<u8, Failure> {
    let fail = |error: std::io::Error| Failure::internal(format!("cannot start a worker: {error}"));
    let (reading, writing) = ffi::pipe().map_err(fail)?;
    let worker = match ffi::fork().map_err(fail)? {
        Forked::Worker => {
            drop(reading);
            let teller = Teller {
                pipe: Arc::new(Mutex::new(File::from(writing))),
            };
            let ending = work(teller.clone());
            let code = ending.code;
            teller.send(&Message::End(ending));
            ffi::exit_now(code)
        }
        Forked::Parent(worker) => worker,
    };
    drop(writing);
    let interrupts = Interrupts::listen();
    let messages = listen(File::from(reading));
    let mut supervisor = Supervisor::new(args, start);
    let end = supervisor.wait(&messages, &interrupts);
    clear_line();
    let ending = match end {
        End::Said(ending) => supervisor.said(ending),
        End::Stopped(stop) => supervisor.stopped(stop),
        End::Silence => supervisor.crashed(worker.wait()),
    };
    worker.kill();
    Ok(say_ending(args, &ending))
}

/// Reads what the worker says until it says no more.
fn listen(pipe: File) -> Receiver<Message> {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(pipe).lines() {
            // A line that is cut off is the last sign of a worker that died.
            let Some(message) = line.ok().and_then(|line| serde_json::from_str(&line).ok()) else {
                return;
            };
            if send.send(message).is_err() {
                return;
            }
        }
    });
    receive
}

/// Why no more is heard of a worker.
enum End {
    /// It has said everything.
    Said(Ending),
    /// It was not given more.
    Stopped(Stop),
    /// It is gone.
    Silence,
}

/// What ends a worker from outside.
#[derive(Clone, Copy)]
enum Stop {
    Time,
    Memory,
    Interruption,
    /// The worker does not come to an end with what it has found.
    Enough,
}

struct Supervisor<'a> {
    args: &'a VerifyArgs,
    start: Instant,
    doing: Doing,
    ledger: Vec<String>,
    found: Vec<Found>,
    /// When everything was found that was asked for.
    enough: Option<Instant>,
    said: Instant,
}

impl Supervisor<'_> {
    fn new(args: &VerifyArgs, start: Instant) -> Supervisor<'_> {
        Supervisor {
            args,
            start,
            doing: Doing {
                what: "reading the program".to_owned(),
                ..Doing::default()
            },
            ledger: Vec::new(),
            found: Vec::new(),
            enough: None,
            said: Instant::now(),
        }
    }

    fn wait(&mut self, messages: &Receiver<Message>, interrupts: &Interrupts) -> End {
        let deadline = self
            .args
            .time()
            .and_then(|time| self.start.checked_add(time));
        let memory = self.args.memory_bytes();
        let too_much = Arc::new(AtomicBool::new(false));
        let watcher = Watcher::start(MEMORY_PAUSE);
        if let Some(limit) = memory.or_else(most_memory) {
            let too_much = Arc::clone(&too_much);
            let set = move || too_much.store(true, Ordering::Relaxed);
            watcher.watch(std::process::id(), limit, set);
        }
        loop {
            match messages.recv_timeout(TICK) {
                Ok(Message::Doing(doing)) => self.doing = doing,
                Ok(Message::Ledger(entries)) => self.ledger = entries,
                Ok(Message::Found(found)) => {
                    self.found.push(found);
                    if self.args.wants_first() {
                        self.enough.get_or_insert_with(Instant::now);
                    }
                }
                Ok(Message::End(ending)) => return End::Said(ending),
                Err(RecvTimeoutError::Disconnected) => return End::Silence,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if interrupts.signal().is_some() {
                return End::Stopped(Stop::Interruption);
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return End::Stopped(Stop::Time);
            }
            if self.enough.is_some_and(|since| since.elapsed() > PATIENCE) {
                return End::Stopped(Stop::Enough);
            }
            if too_much.load(Ordering::Relaxed) {
                return End::Stopped(Stop::Memory);
            }
            self.say();
        }
    }

    /// Says what is going on, now and then.
    fn say(&mut self) {
        let terminal = std::io::stderr().is_terminal();
        let pause = if terminal { LINE } else { HEARTBEAT };
        if self.args.quiet || self.said.elapsed() < pause {
            return;
        }
        self.said = Instant::now();
        let seconds = self.start.elapsed().as_secs_f64();
        let mut out = std::io::stderr().lock();
        let _ = if terminal {
            write!(out, "\r\x1b[K{seconds:.1} s: {}", self.doing.what)
        } else {
            writeln!(out, "selkie: {seconds:.0} s: {}", self.doing.what)
        };
        let _ = out.flush();
    }

    /// What a worker said, unless it failed after it had found something.
    fn said(&self, ending: Ending) -> Ending {
        if !ending.failed || self.found.is_empty() {
            return ending;
        }
        let note = format!(
            "note: what was not found yet is not known: {}",
            ending.errors
        );
        self.without_report("error(internal)", 6, note, ending.errors)
    }

    /// What there is to say when a limit was reached.
    fn stopped(&self, stop: Stop) -> Ending {
        let (reason, code, what) = match stop {
            Stop::Time => ("timeout", 124, "the time limit was reached"),
            Stop::Memory => ("memory", 12, "the memory limit was reached"),
            Stop::Interruption | Stop::Enough => ("interrupted", 5, "interrupted"),
        };
        let note = match stop {
            Stop::Enough => String::new(),
            Stop::Time | Stop::Memory | Stop::Interruption => {
                format!("{}note: {what} in {}\n", self.doing.bounds, self.doing.what)
            }
        };
        self.without_report(&format!("unknown({reason})"), code, note, String::new())
    }

    /// What there is to say when the worker died.
    fn crashed(&self, how: Result<i32, i32>) -> Ending {
        let how = match how {
            Ok(code) => format!("ended with code {code} and without an answer"),
            Err(signal) => format!("was ended by {}", ffi::signal_name(signal)),
        };
        let error = format!("error: the engine {how} in {}\n", self.doing.what);
        self.without_report("error(internal)", 6, String::new(), error)
    }

    /// The violations that are known count; otherwise there is this verdict.
    fn without_report(&self, verdict: &str, code: u8, note: String, errors: String) -> Ending {
        let (verdict, code) = match self.found.first() {
            Some(first) => (format!("false({})", first.property), 10),
            None => (verdict.to_owned(), code),
        };
        let mut output = String::new();
        if !self.args.quiet {
            output.extend(self.found.iter().map(|found| found.text.as_str()));
            output.push_str(&note);
            let ledger = self.ledger.iter().map(String::as_str);
            output.push_str(&report::text::rests_on(ledger));
        }
        output.push_str(&format!("RESULT: {verdict}\n"));
        let violations: Vec<Value> = self.found.iter().map(|found| found.json.clone()).collect();
        let reason = format!("{note}{errors}");
        let reason = reason.trim().lines().last().unwrap_or_default();
        let json = report::json::unfinished(
            &verdict,
            reason,
            &violations,
            &self.doing.json,
            &self.ledger,
        );
        Ending {
            output,
            errors,
            json,
            code,
            failed: false,
        }
    }
}

/// What is said when a worker ends so after it has found this.
#[cfg(test)]
pub fn said_after(args: &VerifyArgs, found: Vec<Found>, ending: Ending) -> Ending {
    let supervisor = Supervisor {
        found,
        ..Supervisor::new(args, Instant::now())
    };
    supervisor.said(ending)
}

/// Says it; returns the exit code.
pub fn say_ending(args: &VerifyArgs, ending: &Ending) -> u8 {
    let mut out = std::io::stdout().lock();
    let mut written = Ok(());
    if let Some(file) = &args.json {
        let text = format!("{:#}\n", ending.json);
        if file == Path::new("-") {
            // It is alone there; people read the other stream.
            let _ = out.write_all(text.as_bytes());
            let _ = out.flush();
            let _ = std::io::stderr().write_all(ending.errors.as_bytes());
            let _ = std::io::stderr().write_all(ending.output.as_bytes());
            return ending.code;
        } else {
            written = std::fs::write(file, text).map_err(|error| (file, error));
        }
    }
    let _ = std::io::stderr().write_all(ending.errors.as_bytes());
    if let Err((file, error)) = written {
        // What was found is said all the same.
        eprintln!("error: {}: {error}", file.display());
    }
    // Nobody may be listening; the exit code still tells.
    let _ = out.write_all(ending.output.as_bytes());
    let _ = out.flush();
    ending.code
}

/// Removes the line from a terminal.
fn clear_line() {
    if std::io::stderr().is_terminal() {
        let mut out = std::io::stderr().lock();
        let _ = write!(out, "\r\x1b[K");
        let _ = out.flush();
    }
}

/// Four fifths of what the machine has left, so that it is us who give up, and not the machine.
fn most_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024 / 5 * 4)
}
