//! Time and memory limits of the whole process, kept by a thread that always gets the last word.

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::args::VerifyArgs;

/// Violations that were replayed so far: property and what is printed of them.
pub type Found = Arc<Mutex<Vec<(String, String)>>>;

/// Whoever holds it prints the result; it is never given back.
pub static LAST_WORD: Mutex<()> = Mutex::new(());

/// How often limits are looked at.
const TICK: Duration = Duration::from_millis(20);

/// Ends the process when a limit is reached; what was found until then is said.
pub fn watch(start: Instant, args: &VerifyArgs, found: Found) {
    let deadline = Duration::try_from_secs_f64(args.timeout)
        .ok()
        .and_then(|time| start.checked_add(time));
    let memory = args
        .memory_limit
        .map(|megabytes| megabytes << 20)
        .or_else(most_memory);
    let quiet = args.quiet;
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(TICK);
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                end(&found, quiet, "timeout", 124);
            }
            let used = solve::limits::resident_memory();
            if let (Some(most), Some(used)) = (memory, used)
                && used > most
            {
                end(&found, quiet, "memory", 12);
            }
        }
    });
}

fn end(found: &Found, quiet: bool, reason: &str, code: i32) -> ! {
    let _last_word = LAST_WORD.lock();
    let mut out = std::io::stdout().lock();
    let found = found.lock().map(|list| list.clone()).unwrap_or_default();
    let code = match found.first() {
        Some((property, _)) => {
            if !quiet {
                for (_, text) in &found {
                    let _ = write!(out, "{text}");
                }
            }
            let _ = writeln!(out, "RESULT: false({property})");
            10
        }
        None => {
            let _ = writeln!(out, "RESULT: unknown({reason})");
            code
        }
    };
    let _ = out.flush();
    std::process::exit(code);
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
