//! One run of a verifier under limits: nothing it does stops the runner, and nothing of it survives.
//!
//! Standard output and error are read all the time and only their ends kept, so that a flood neither blocks
//! the verifier nor fills memory. The end of the run is what the supervisor says (see `ffi`), not the end of the
//! output: a forgotten grandchild that keeps the pipe open delays nothing.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use host::ffi::{self, Report};
use host::process_tree::Watcher;

/// How much of the end of an output is kept.
const KEPT: usize = 64 * 1024;
/// A verifier that prints more than this is stopped: reading it would disturb the others.
const FLOOD: u64 = 256 * 1024 * 1024;
/// How long the supervisor may take to kill a tree before we stop waiting for it.
const KILL_PATIENCE: Duration = Duration::from_secs(30);
/// How often a run looks whether it is to stop.
const TICK: Duration = Duration::from_millis(100);

/// What a run may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Time on the wall.
    pub wall: Duration,
    /// Resident memory of all processes together, in bytes.
    pub memory: u64,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// By itself, with this exit code.
    Exited(i32),
    /// By this signal, which was not ours.
    Signalled(i32),
    /// Stopped by us, for this reason.
    Stopped(Stop),
    /// Its supervisor died, or could not end it.
    Lost,
}

/// Why a run was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// Its time was over.
    Time,
    /// It had too much memory.
    Memory,
    /// It printed too much.
    Output,
    /// The whole benchmark is to stop.
    Interrupted,
}

/// What a run did and used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// Time on the wall, from start to end of the first process.
    pub wall: Duration,
    /// User and system time of all processes.
    pub cpu: Duration,
    /// The largest resident memory of all processes together that was seen, in bytes.
    pub peak_memory: u64,
    /// The end of standard output.
    pub stdout: String,
    /// The end of standard error.
    pub stderr: String,
}

/// The only writing end of the control pipe: dropping it makes the supervisor kill everything. The first
/// reason is kept.
struct Switch(Mutex<(Option<OwnedFd>, Option<Stop>)>);

impl Switch {
    fn stop(&self, reason: Stop) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.0.take().is_some() {
            state.1 = Some(reason);
        }
    }

    fn reason(&self) -> Option<Stop> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1
    }
}

/// Runs a command. `interrupted` is asked again and again, and true makes the run stop.
pub fn run(
    command: &mut Command,
    limits: Limits,
    watcher: &Watcher,
    interrupted: &dyn Fn() -> bool,
) -> io::Result<Outcome> {
    let (control, keep_control) = ffi::pipe()?;
    let (status, report_to) = ffi::pipe()?;
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    ffi::put_under_supervision(command, &control, &report_to);
    let started = Instant::now();
    let mut supervisor = command.spawn()?;
    drop((control, report_to));
    let switch = Arc::new(Switch(Mutex::new((Some(keep_control), None))));
    let theirs = Arc::clone(&switch);
    let root = supervisor.id();
    let usage = watcher.watch(root, limits.memory, move || theirs.stop(Stop::Memory));
    let mut run = Run {
        stdout: Stream::new(supervisor.stdout.take().map(OwnedFd::from)),
        stderr: Stream::new(supervisor.stderr.take().map(OwnedFd::from)),
        status: Stream::new(Some(status)),
    };
    let ended = run.until_end(started + limits.wall, &switch, interrupted);
    watcher.forget(root);
    reap(supervisor, &run.status);
    ended?;
    let report = <[u8; Report::BYTES]>::try_from(run.status.kept.as_slice()).ok();
    let report = report.map(|bytes| Report::from_bytes(&bytes));
    let end = match report.map(|report| ffi::ending(report.wait_status)) {
        None => End::Lost,
        Some(Ok(code)) => End::Exited(code),
        Some(Err(signal)) => match switch.reason() {
            Some(reason) => End::Stopped(reason),
            None => End::Signalled(signal),
        },
    };
    Ok(Outcome {
        end,
        wall: report.map_or_else(|| started.elapsed(), |report| report.wall),
        cpu: report.map_or(Duration::ZERO, |report| report.cpu),
        peak_memory: usage.peak(),
        stdout: run.stdout.text(),
        stderr: run.stderr.text(),
    })
}

/// The streams of a run.
struct Run {
    stdout: Stream,
    stderr: Stream,
    status: Stream,
}

impl Run {
    /// Reads until the supervisor has reported, stopping the run when it must be.
    fn until_end(
        &mut self,
        deadline: Instant,
        switch: &Switch,
        interrupted: &dyn Fn() -> bool,
    ) -> io::Result<()> {
        let mut stopped_at: Option<Instant> = None;
        while self.status.file.is_some() {
            let now = Instant::now();
            if interrupted() {
                switch.stop(Stop::Interrupted);
            } else if now >= deadline {
                switch.stop(Stop::Time);
            } else if self.stdout.total + self.stderr.total > FLOOD {
                switch.stop(Stop::Output);
            }
            let patience = match switch.reason() {
                None => deadline - now,
                Some(_) => {
                    let waited = now - *stopped_at.get_or_insert(now);
                    if waited > KILL_PATIENCE {
                        return Ok(());
                    }
                    TICK
                }
            };
            self.read_what_is_there(patience.min(TICK))?;
        }
        // All writers are dead, so what is not there now will never be, and what is there ends.
        while self.read_what_is_there(Duration::ZERO)? {}
        Ok(())
    }

    /// Waits a while, reads once from each stream that has something; false if none had.
    fn read_what_is_there(&mut self, patience: Duration) -> io::Result<bool> {
        let streams = [&mut self.stdout, &mut self.stderr, &mut self.status];
        let files = [&streams[0].file, &streams[1].file, &streams[2].file];
        let ready = ffi::wait_readable(files.map(|file| file.as_ref().map(AsFd::as_fd)), patience)?;
        for (stream, ready) in streams.into_iter().zip(ready) {
            if ready {
                stream.read_some()?;
            }
        }
        Ok(ready.contains(&true))
    }
}

/// An output of which only the end is kept.
struct Stream {
    /// None after its end.
    file: Option<File>,
    kept: Vec<u8>,
    total: u64,
}

impl Stream {
    fn new(file: Option<OwnedFd>) -> Stream {
        Stream {
            file: file.map(File::from),
            kept: Vec::new(),
            total: 0,
        }
    }

    fn read_some(&mut self) -> io::Result<()> {
        let Some(file) = &mut self.file else {
            return Ok(());
        };
        let mut chunk = [0; 16 * 1024];
        match file.read(&mut chunk) {
            Ok(0) => self.file = None,
            Ok(count) => {
                self.total += count as u64;
                self.kept.extend_from_slice(&chunk[..count]);
                if self.kept.len() > 2 * KEPT {
                    let surplus = self.kept.len() - KEPT;
                    self.kept.drain(..surplus);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn text(&self) -> String {
        let from = self.kept.len().saturating_sub(KEPT);
        String::from_utf8_lossy(&self.kept[from..]).into_owned()
    }
}

/// Takes the supervisor's own end, if it has come: after a report it is a matter of microseconds.
fn reap(mut supervisor: Child, status: &Stream) {
    if status.file.is_none() {
        // An error would mean that somebody else has reaped it.
        let _ = supervisor.wait();
    }
}
