//! The memory of process trees, from `/proc`.
//!
//! One thread looks at all running tasks: a look costs a few milliseconds on a machine with many processes,
//! whatever the number of tasks. It sums the resident memory below each supervisor, remembers the peak,
//! and calls the task's handler when the limit is passed. Shared pages count once for each process that
//! has them, so the sum errs on the high side.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Read;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The pause between two looks is at least what the caller says, and so many times as long as a look took, so
/// that looking never takes more than a small share of a core.
const PAUSE_FACTOR: u32 = 12;

/// What is known about the memory of one tree, shared between the thread that looks and the one that runs it.
#[derive(Default)]
pub struct Usage {
    peak: AtomicU64,
}

impl Usage {
    /// The largest sum seen so far, in bytes.
    pub fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }
}

/// A tree that is looked at.
struct Watched {
    usage: Arc<Usage>,
    limit: u64,
    over_limit: Box<dyn Fn() + Send>,
}

/// The thread that looks, and what it looks at.
pub struct Watcher {
    shared: Arc<Shared>,
    thread: Option<thread::JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    watched: Mutex<HashMap<u32, Watched>>,
    changed: Condvar,
    stop: AtomicBool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, HashMap<u32, Watched>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watcher {
    /// Starts the thread. It sleeps while no tree is watched.
    /// There are pauses between two looks, at least that long.
    pub fn start(pause: Duration) -> Watcher {
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        let thread = thread::spawn(move || look_until_stopped(&theirs, pause));
        Watcher {
            shared,
            thread: Some(thread),
        }
    }

    /// Watches everything below a process until [`Watcher::forget`]; `over_limit` is called whenever the
    /// sum is found above `limit` bytes.
    pub fn watch(
        &self,
        root: u32,
        limit: u64,
        over_limit: impl Fn() + Send + 'static,
    ) -> Arc<Usage> {
        let usage = Arc::new(Usage::default());
        let watched = Watched {
            usage: Arc::clone(&usage),
            limit,
            over_limit: Box::new(over_limit),
        };
        self.shared.lock().insert(root, watched);
        self.shared.changed.notify_one();
        usage
    }

    /// Looks no more at that tree.
    pub fn forget(&self, root: u32) {
        self.shared.lock().remove(&root);
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        // Under the lock, so that the thread cannot miss it between its test and its sleep.
        let guard = self.shared.lock();
        self.shared.stop.store(true, Ordering::SeqCst);
        drop(guard);
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            // A panic of that thread has been reported by itself.
            let _ = thread.join();
        }
    }
}

fn look_until_stopped(shared: &Shared, least: Duration) {
    loop {
        let mut watched = shared.lock();
        while watched.is_empty() && !shared.stop.load(Ordering::SeqCst) {
            watched = shared
                .changed
                .wait(watched)
                .unwrap_or_else(PoisonError::into_inner);
        }
        if shared.stop.load(Ordering::SeqCst) {
            return;
        }
        let roots: Vec<u32> = watched.keys().copied().collect();
        drop(watched);
        let before = Instant::now();
        let memory = memory_below(&roots);
        let watched = shared.lock();
        for (root, (sum, highest)) in roots.iter().zip(memory) {
            if let Some(tree) = watched.get(root) {
                tree.usage
                    .peak
                    .fetch_max(sum.max(highest), Ordering::Relaxed);
                if sum > tree.limit {
                    (tree.over_limit)();
                }
            }
        }
        let pause = least.max(before.elapsed() * PAUSE_FACTOR);
        // Woken early by a new tree or by the end; both are rare enough to look again at once.
        let _ = shared.changed.wait_timeout(watched, pause);
    }
}

/// For each root: the resident memory of all its descendants, and the highest that a single one of them
/// ever had, in bytes.
fn memory_below(roots: &[u32]) -> Vec<(u64, u64)> {
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    let mut content = Vec::new();
    let Ok(entries) = fs::read_dir("/proc") else {
        return vec![(0, 0); roots.len()];
    };
    for entry in entries.filter_map(Result::ok) {
        let name = entry.file_name();
        let Some(pid) = read_number(name.as_encoded_bytes()) else {
            continue;
        };
        if read_into(&format!("/proc/{pid}/stat"), &mut content) {
            if let Some(parent) = parent_in_stat(&content) {
                children.entry(parent).or_default().push(pid);
            }
        }
    }
    roots
        .iter()
        .map(|root| {
            let (mut sum, mut highest) = (0, 0);
            let mut work = vec![*root];
            while let Some(process) = work.pop() {
                for child in children.get(&process).into_iter().flatten() {
                    if read_into(&format!("/proc/{child}/status"), &mut content) {
                        sum += status_kilobytes(&content, b"VmRSS:") * 1024;
                        highest = highest.max(status_kilobytes(&content, b"VmHWM:") * 1024);
                    }
                    work.push(*child);
                }
            }
            (sum, highest)
        })
        .collect()
}

fn read_into(path: &str, content: &mut Vec<u8>) -> bool {
    content.clear();
    File::open(path).is_ok_and(|mut file| file.read_to_end(content).is_ok())
}

/// The parent in the text of `/proc/PID/stat`: `1 (name) S 0 …`, where the name may contain anything.
/// Does not allocate and does not panic, for the supervisor calls it.
pub(crate) fn parent_in_stat(stat: &[u8]) -> Option<u32> {
    let end_of_name = stat.iter().rposition(|byte| *byte == b')')?;
    let mut fields = stat.get(end_of_name + 1..)?.split(|byte| *byte == b' ');
    read_number(fields.nth(2)?)
}

/// A number that is the whole text, up to a zero byte. Does not allocate and does not panic.
pub(crate) fn read_number(text: &[u8]) -> Option<u32> {
    let mut number: u32 = 0;
    let mut any = false;
    for byte in text {
        match byte {
            b'0'..=b'9' => {
                let digit = u32::from(byte - b'0');
                number = number.checked_mul(10)?.checked_add(digit)?;
                any = true;
            }
            0 => break,
            _ => return None,
        }
    }
    any.then_some(number)
}

/// The number after a label in the text of `/proc/PID/status`; zero if it is not there (a zombie).
fn status_kilobytes(status: &[u8], label: &[u8]) -> u64 {
    status
        .split(|byte| *byte == b'\n')
        .find_map(|line| line.strip_prefix(label))
        .and_then(|rest| {
            let digits: Vec<u8> = rest.iter().copied().filter(u8::is_ascii_digit).collect();
            read_number(&digits)
        })
        .map_or(0, u64::from)
}

#[cfg(test)]
mod tests {
    use super::{parent_in_stat, read_number, status_kilobytes};

    #[test]
    fn stat_names_may_contain_anything() {
        assert_eq!(parent_in_stat(b"12 (sh) S 7 12 12 0"), Some(7));
        assert_eq!(parent_in_stat(b"12 (a) S 9) (b) R 8 1"), Some(8));
        assert_eq!(parent_in_stat(b"12 (sh"), None);
        assert_eq!(parent_in_stat(b""), None);
    }

    #[test]
    fn numbers_are_whole_texts() {
        assert_eq!(read_number(b"4294967295"), Some(u32::MAX));
        assert_eq!(read_number(b"4294967296"), None);
        assert_eq!(read_number(b"17\0junk"), Some(17));
        assert_eq!(read_number(b"self"), None);
        assert_eq!(read_number(b""), None);
    }

    #[test]
    fn status_lines() {
        let status = b"Name:\tVmRSS: 5\nVmHWM:\t    2048 kB\nVmRSS:\t     512 kB\n";
        assert_eq!(status_kilobytes(status, b"VmRSS:"), 512);
        assert_eq!(status_kilobytes(status, b"VmHWM:"), 2048);
        assert_eq!(status_kilobytes(b"State:\tZ (zombie)\n", b"VmRSS:"), 0);
    }
}
