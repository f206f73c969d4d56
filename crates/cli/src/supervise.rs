//! The process that stands between a user and the work.
//!
//! ```text
//! selkie verify ── worker: front end, engine, solvers
//!      ▲             │  what it does and what it finds, a message each
//!      └── a pipe ───┘
//! ```
//!
//! The worker may run out of time or memory, or crash in foreign code. None of that takes an answer away:
//! whatever was found until then has come through the pipe, and this process always has the last word,
//! in the contract's words. It also keeps the limits, and says what is going on: a line on a terminal, a
//! heartbeat elsewhere.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use host::ffi::{self, Forked, Interrupts};
use host::process_tree::Watcher;
use results::verdict::Stop;
use results::{Ending, Failure, Message, Results, Sink, Violation};

use crate::args::{TraceArg, VerifyArgs};
use crate::report;

/// How often limits are looked at.
const TICK: Duration = Duration::from_millis(20);
/// How often the memory is looked at, at most.
const MEMORY_PAUSE: Duration = Duration::from_millis(100);
/// How often the line on a terminal changes.
const LINE: Duration = Duration::from_millis(200);
/// Violations that come within so short a time are shown together.
const TOGETHER: Duration = Duration::from_millis(150);
/// So long a violation waits for its story.
const STORY: Duration = Duration::from_millis(1500);
/// How long a worker may take to report when it has found all that was asked for.
const PATIENCE: Duration = Duration::from_millis(500);
/// How often a heartbeat is printed elsewhere.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// How a worker speaks to its supervisor: a line for each message.
struct Pipe {
    file: Mutex<File>,
}

impl Sink for Pipe {
    fn tell(&self, message: Message) {
        let mut line = serde_json::to_string(&message).expect("messages are plain data");
        line.push('\n');
        if let Ok(mut file) = self.file.lock() {
            // Nobody listens any more: the supervisor is about to end this process.
            let _ = file.write_all(line.as_bytes());
        }
    }
}

/// What a worker found, how it ended, which always happens, and which violations were printed before.
pub struct Supervised {
    /// What it found.
    pub results: Results,
    /// How it ended.
    pub ending: Ending,
    /// The ids of violations that were printed when they were found.
    pub printed: BTreeSet<String>,
}

/// Does the work in a worker.
pub fn supervise(
    args: &VerifyArgs,
    start: Instant,
    work: impl FnOnce(Arc<dyn Sink>) -> Result<(), Failure>,
) -> Supervised {
    let failed = |error: std::io::Error| {
        let failure = Failure::internal(format!("cannot start a worker: {error}"));
        Supervised {
            results: Results::default(),
            ending: Ending::Failed(failure),
            printed: BTreeSet::new(),
        }
    };
    let (reading, writing) = match ffi::pipe() {
        Ok(ends) => ends,
        Err(error) => return failed(error),
    };
    let worker = match ffi::fork() {
        Ok(Forked::Worker) => {
            drop(reading);
            let pipe = Arc::new(Pipe {
                file: Mutex::new(File::from(writing)),
            });
            let last = match work(Arc::<Pipe>::clone(&pipe)) {
                Ok(()) => Message::Finished,
                Err(failure) => Message::Failed(failure),
            };
            pipe.tell(last);
            ffi::exit_now(0)
        }
        Ok(Forked::Parent(worker)) => worker,
        Err(error) => return failed(error),
    };
    drop(writing);
    let interrupts = Interrupts::listen();
    let messages = listen(File::from(reading));
    let mut supervisor = Supervisor::new(args, start);
    let ending = match supervisor.wait(&messages, &interrupts) {
        Some(ending) => ending,
        None => Ending::Crashed(match worker.wait() {
            Ok(code) => format!("ended with code {code} and without an answer"),
            Err(signal) => format!("was ended by {}", ffi::signal_name(signal)),
        }),
    };
    clear_line();
    worker.kill();
    supervisor.results.end(&ending);
    Supervised {
        results: supervisor.results,
        ending,
        printed: supervisor.printed,
    }
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

struct Supervisor<'a> {
    args: &'a VerifyArgs,
    start: Instant,
    results: Results,
    /// When everything was found that was asked for.
    enough: Option<Instant>,
    said: Instant,
    /// Which violations were printed, and when the last one came.
    printed: BTreeSet<String>,
    found: Instant,
}

impl Supervisor<'_> {
    fn new(args: &VerifyArgs, start: Instant) -> Supervisor<'_> {
        let mut results = Results::default();
        results.doing.push_str("reading the program");
        Supervisor {
            args,
            start,
            results,
            enough: None,
            said: Instant::now(),
            printed: BTreeSet::new(),
            found: Instant::now(),
        }
    }

    /// Takes in what the worker says until it ends or is not given more; none if it is gone.
    fn wait(&mut self, messages: &Receiver<Message>, interrupts: &Interrupts) -> Option<Ending> {
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
                Ok(Message::Finished) => return Some(Ending::Finished),
                Ok(Message::Failed(failure)) => return Some(Ending::Failed(failure)),
                Ok(message) => {
                    if matches!(message, Message::Violation(_)) {
                        self.found = Instant::now();
                    }
                    self.results.take(message);
                    let found = !self.results.outcome.violations.is_empty();
                    if found && self.args.wants_first() {
                        self.enough.get_or_insert_with(Instant::now);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if interrupts.signal().is_some() {
                return Some(Ending::Stopped(Stop::Interruption));
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Some(Ending::Stopped(Stop::Time));
            }
            if self.enough.is_some_and(|since| since.elapsed() > PATIENCE) {
                return Some(Ending::Stopped(Stop::Enough));
            }
            if too_much.load(Ordering::Relaxed) {
                return Some(Ending::Stopped(Stop::Memory));
            }
            self.print_violations();
            self.say();
        }
    }

    /// Prints violations when they were found. Those that come together are shown in the order of the source.
    fn print_violations(&mut self) {
        let violations = &self.results.outcome.violations;
        if self.found.elapsed() < TOGETHER || violations.len() <= self.printed.len() {
            return;
        }
        // A story comes a moment later.
        let untold = |violation: &&Violation| {
            violation.story.is_none() && !self.printed.contains(&violation.claim.id)
        };
        let wanted = self.args.trace() != TraceArg::None;
        if wanted && self.found.elapsed() < STORY && violations.iter().any(|v| untold(&v)) {
            return;
        }
        clear_line();
        report::print_found(self.args, violations, &mut self.printed);
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
        // What it says of loops stands in front.
        let doing = &self.results.doing;
        let text = match (self.results.progress(), doing.split_once(';')) {
            (progress, _) if progress.is_empty() => doing.clone(),
            (progress, Some((doing, _))) => format!("{progress}; {doing}"),
            (progress, None) => format!("{progress}; {doing}"),
        };
        let mut out = std::io::stderr().lock();
        let _ = if terminal {
            write!(out, "\r\x1b[K{seconds:.1} s: {text}")
        } else {
            writeln!(out, "selkie: {seconds:.0} s: {text}")
        };
        let _ = out.flush();
    }
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
