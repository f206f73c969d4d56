//! A part of the work in a process of its own: an engine beside others.
//!
//! ```text
//! worker ── part: proofs      the Pure program and what is known down,
//!        └─ part: search      a message for each thing found up
//! ```
//!
//! A part is this program again, with the words of the command line and the program in phase Pure; it reads no file. What it finds
//! comes as the same messages that a worker sends to its supervisor ([`crate::supervise`]). A part that crashes takes its own answer with it, and no other.
//! It ends when whoever started it is gone: then its input ends, and the system ends it, for the case that it was stopped.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use checks::registry::CheckId;
use results::fact::fingerprint;
use results::{Failure, Known, Limits, Message, Sink, Task};
use serde::{Deserialize, Serialize};

use crate::args::VerifyArgs;
use crate::engines;
use crate::fault;
use crate::pipeline::Program;
use crate::verify::on_large_stack;

/// The command that is a part. Nobody types it.
pub const COMMAND: &str = "part";

/// What a part is told before the program.
#[derive(Serialize, Deserialize)]
struct Order {
    known: Known,
    monitors: BTreeSet<CheckId>,
    checks: BTreeSet<CheckId>,
    wraps: bool,
    time: Option<Duration>,
    memory: Option<u64>,
    program: String,
    bytes: usize,
}

/// A part at work. It ends when this is dropped.
pub struct Part {
    child: Child,
}

impl Part {
    /// Starts a part of this name. What it says is sent with its number, and nothing where it says no more.
    pub fn start(
        number: usize,
        name: &str,
        task: &Task<'_>,
        checks: &BTreeSet<CheckId>,
        wraps: bool,
        said: Sender<(usize, Option<Message>)>,
    ) -> std::io::Result<Part> {
        let text = task.module.to_string();
        let now = Instant::now();
        let deadline = task.limits.deadline;
        let order = Order {
            known: task.known.clone(),
            monitors: task.monitors.clone(),
            checks: checks.clone(),
            wraps,
            time: deadline.map(|deadline| deadline.saturating_duration_since(now)),
            memory: task.limits.memory,
            program: fingerprint(task.module),
            bytes: text.len(),
        };
        let words = std::env::args_os().skip(1);
        let mut command = Command::new(std::env::current_exe()?);
        command
            .args([COMMAND, name])
            .arg("--")
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        host::ffi::end_with_parent(&mut command);
        let mut child = command.spawn()?;
        let mut input = child.stdin.take().expect("the input is a pipe");
        let output = child.stdout.take().expect("the output is a pipe");
        let head = serde_json::to_string(&order).expect("an order is plain data");
        std::thread::spawn(move || {
            // A part that is gone says so by its silence.
            let _ = writeln!(input, "{head}").and_then(|()| input.write_all(text.as_bytes()));
            for line in BufReader::new(output).lines() {
                // A line that is cut off is the last sign of a part that died.
                let Some(message) = line.ok().and_then(|line| serde_json::from_str(&line).ok())
                else {
                    break;
                };
                if said.send((number, Some(message))).is_err() {
                    return;
                }
            }
            // The pipe stays open until here: its end is the end of the part.
            drop(input);
            let _ = said.send((number, None));
        });
        Ok(Part { child })
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How a part speaks.
struct Output {
    out: Mutex<std::io::Stdout>,
}

impl Sink for Output {
    fn tell(&self, message: Message) {
        let mut line = serde_json::to_string(&message).expect("messages are plain data");
        line.push('\n');
        let Ok(mut out) = self.out.lock() else {
            return;
        };
        if out
            .write_all(line.as_bytes())
            .and_then(|()| out.flush())
            .is_err()
        {
            // Nobody listens any more.
            host::ffi::exit_now(0);
        }
    }
}

/// Is the part of this name, and returns its exit code. The words are those of `verify`.
pub fn serve(name: &str, args: &VerifyArgs) -> Result<u8, Failure> {
    let mut input = BufReader::new(std::io::stdin());
    let mut head = String::new();
    let unread = |error: std::io::Error| Failure::internal(format!("a part has no order: {error}"));
    input.read_line(&mut head).map_err(unread)?;
    let order: Order = serde_json::from_str(&head).map_err(|error| {
        Failure::usage(format!("`selkie {COMMAND}` is for selkie itself: {error}"))
    })?;
    let mut text = vec![0; order.bytes];
    input.read_exact(&mut text).map_err(unread)?;
    std::thread::spawn(move || {
        // Whoever started this process holds the other end as long as it lives.
        let _ = input.read(&mut [0]);
        host::ffi::exit_now(0);
    });
    let start = Instant::now();
    let (name, args) = (name.to_owned(), args.clone());
    let sink: Arc<dyn Sink> = Arc::new(Output {
        out: Mutex::new(std::io::stdout()),
    });
    let done = {
        let sink = Arc::clone(&sink);
        on_large_stack(move || work(&name, &args, &order, &text, start, &sink))
    };
    sink.tell(match done {
        Ok(()) => Message::Finished,
        Err(failure) => Message::Failed(failure),
    });
    // Threads that execute the program are not waited for.
    host::ffi::exit_now(0)
}

fn work(
    name: &str,
    args: &VerifyArgs,
    order: &Order,
    text: &[u8],
    start: Instant,
    sink: &Arc<dyn Sink>,
) -> Result<(), Failure> {
    solve::check_versions().map_err(|error| Failure::internal(error.to_string()))?;
    let text = std::str::from_utf8(text).map_err(|error| Failure::internal(error.to_string()))?;
    let module = ir::text::read(text).map_err(|error| Failure::internal(error.to_string()))?;
    if fingerprint(&module) != order.program {
        return Err(Failure::internal(
            "a part has read another program than it was given",
        ));
    }
    let program = Program::given(module, order.checks.clone(), order.wraps);
    fault::in_part(name, &program, &**sink);
    let engine = engines::part(name, args, &program)?;
    let task = Task {
        module: &program.module,
        known: &order.known,
        monitors: &order.monitors,
        limits: Limits {
            deadline: order.time.and_then(|time| start.checked_add(time)),
            memory: order.memory,
        },
    };
    let outcome = engine
        .run(&task, sink)
        .map_err(|error| Failure::internal(error.to_string()))?;
    sink.tell(Message::Outcome(
        engine.name().to_owned(),
        Box::new(outcome),
    ));
    Ok(())
}

/// The command line of a part: its name, and the words of the command that it is a part of.
#[derive(clap::Args, Clone, Debug)]
pub struct PartArgs {
    /// Which part
    pub name: String,
    /// The words of `selkie`
    #[arg(last = true)]
    pub words: Vec<OsString>,
}
