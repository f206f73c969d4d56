//! A child process that is spoken to in SMT-LIB.
//!
//! One thread writes, one reads, so that neither side can block the other; the one that asks waits with a clock and
//! can always kill. What was sent and what came back can be kept in a file that is itself a script: answers are comments.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::answer::Reason;
use crate::backends::ffi_process;
use crate::backends::smtlib_read::{Sexp, SexpReader};
use crate::limits::{Limits, Watch, memory_of};

/// How often a waiting question looks at the clock and at the memory.
const POLL: Duration = Duration::from_millis(2);

/// How much of the program's complaints is kept.
const COMPLAINT: usize = 4096;

/// A running program.
pub(super) struct Process {
    child: Child,
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Vec<u8>>,
    complaint: Arc<Mutex<Vec<u8>>>,
    reader: SexpReader,
    dialogue: Option<File>,
}

impl Process {
    pub(super) fn start(words: &[String], dialogue: Option<&Path>) -> Result<Process, String> {
        let (program, arguments) = words.split_first().ok_or("an empty command")?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = ffi_process::spawn(&mut command)
            .map_err(|error| format!("cannot start `{program}`: {error}"))?;
        let mut stdin = child.stdin.take().expect("standard input is a pipe");
        let stdout = child.stdout.take().expect("standard output is a pipe");
        let stderr = child.stderr.take().expect("standard error is a pipe");
        let (input, to_write) = channel::<Vec<u8>>();
        // The threads end when the pipes do, that is at the latest when the process has been killed.
        std::thread::spawn(move || {
            for bytes in to_write {
                if stdin
                    .write_all(&bytes)
                    .and_then(|()| stdin.flush())
                    .is_err()
                {
                    break;
                }
            }
        });
        // Bounded: a program that never stops talking is held back, not collected.
        let (sender, output) = sync_channel(16);
        std::thread::spawn(move || read_all(stdout, &sender));
        let complaint = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&complaint);
        std::thread::spawn(move || keep_end(stderr, &kept));
        let dialogue = match dialogue {
            None => None,
            Some(path) => {
                let file = File::options().create(true).append(true).open(path);
                Some(file.map_err(|error| format!("cannot write {}: {error}", path.display()))?)
            }
        };
        Ok(Process {
            child,
            input: Some(input),
            output,
            complaint,
            reader: SexpReader::default(),
            dialogue,
        })
    }

    /// Queues text for the program.
    pub(super) fn send(&mut self, text: &str) -> Result<(), String> {
        if let Some(file) = &mut self.dialogue {
            file.write_all(text.as_bytes())
                .map_err(|error| format!("cannot write the dialogue: {error}"))?;
        }
        let input = self.input.as_ref().ok_or("the program's input is closed")?;
        input
            .send(text.as_bytes().to_vec())
            .map_err(|_| self.epitaph())
    }

    /// Waits for the next s-expression within the limits.
    pub(super) fn receive(&mut self, watch: &Watch, limits: Limits) -> Result<Sexp, Reason> {
        let statm = format!("/proc/{}/statm", self.child.id());
        loop {
            if let Some(sexp) = self.reader.next() {
                if let Some(file) = &mut self.dialogue {
                    // The answer is only a remark; failing to note it changes nothing.
                    let _ = writeln!(file, "; {}", sexp.excerpt());
                }
                return Ok(sexp);
            }
            match self.output.recv_timeout(POLL) {
                Ok(bytes) => self
                    .reader
                    .feed(&String::from_utf8_lossy(&bytes))
                    .map_err(Reason::Error)?,
                Err(RecvTimeoutError::Disconnected) => return Err(Reason::Error(self.epitaph())),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if watch.must_stop_now() {
                return Err(watch.stopped().map_or(Reason::Interrupted, Reason::from));
            }
            if let (Some(limit), Some(used)) = (limits.memory, memory_of(&statm))
                && used > limit
            {
                return Err(Reason::Memory);
            }
        }
    }

    /// What can be said about a program that stopped talking.
    fn epitaph(&mut self) -> String {
        // A program that closed its output may still be on its way out.
        for _ in 0..50 {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    std::thread::sleep(POLL);
                    let complaint = self
                        .complaint
                        .lock()
                        .map(|bytes| bytes.clone())
                        .unwrap_or_default();
                    let complaint = String::from_utf8_lossy(&complaint)
                        .trim()
                        .replace('\n', " ");
                    return match complaint.is_empty() {
                        true => format!("the program ended ({status})"),
                        false => format!("the program ended ({status}): {complaint}"),
                    };
                }
                Ok(None) => std::thread::sleep(POLL),
                Err(error) => return format!("the program is lost: {error}"),
            }
        }
        "the program closed its output".to_owned()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.input = None;
        ffi_process::kill_group(&mut self.child);
    }
}

fn read_all(mut from: impl Read, to: &SyncSender<Vec<u8>>) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(count) = from.read(&mut buffer) {
        if count == 0 || to.send(buffer[..count].to_vec()).is_err() {
            return;
        }
    }
}

fn keep_end(mut from: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut buffer = vec![0; 1 << 12];
    while let Ok(count) = from.read(&mut buffer) {
        if count == 0 {
            return;
        }
        if let Ok(mut kept) = kept.lock() {
            kept.extend_from_slice(&buffer[..count]);
            let surplus = kept.len().saturating_sub(COMPLAINT);
            kept.drain(..surplus);
        }
    }
}
