//! Time and memory limits of the whole process, kept by a thread that always gets the last word; the
//! same thread says what is going on: a line on a terminal, a heartbeat elsewhere.

use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::args::VerifyArgs;

/// Violations that were replayed so far: property and what is printed of them.
pub type Found = Arc<Mutex<Vec<(String, String)>>>;

/// What is being done.
pub type Status = Arc<Mutex<String>>;

/// Whoever holds it prints the result; it is never given back.
pub static LAST_WORD: Mutex<()> = Mutex::new(());

/// How often limits are looked at.
const TICK: Duration = Duration::from_millis(20);
/// How often the line on a terminal changes.
const LINE: Duration = Duration::from_millis(200);
/// How often a heartbeat is printed elsewhere.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// Ends the process when a limit is reached; what was found until then is said.
pub fn watch(start: Instant, args: &VerifyArgs, found: Found, status: Status) {
    let deadline = Duration::try_from_secs_f64(args.timeout)
        .ok()
        .and_then(|time| start.checked_add(time));
    let memory = args
        .memory_limit
        .map(|megabytes| megabytes << 20)
        .or_else(most_memory);
    let quiet = args.quiet;
    std::thread::spawn(move || {
        let mut said = Instant::now();
        loop {
            std::thread::sleep(TICK);
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                end(&found, &status, quiet, ("timeout", "time"), 124);
            }
            let used = solve::limits::resident_memory();
            if let (Some(most), Some(used)) = (memory, used)
                && used > most
            {
                end(&found, &status, quiet, ("memory", "memory"), 12);
            }
            if !quiet {
                say(start, &mut said, &status);
            }
        }
    });
}

fn say(start: Instant, said: &mut Instant, status: &Status) {
    let terminal = std::io::stderr().is_terminal();
    let pause = if terminal { LINE } else { HEARTBEAT };
    if said.elapsed() < pause {
        return;
    }
    let Ok(_word) = LAST_WORD.try_lock() else {
        return;
    };
    *said = Instant::now();
    let text = status.lock().map(|text| text.clone()).unwrap_or_default();
    let seconds = start.elapsed().as_secs_f64();
    let mut out = std::io::stderr().lock();
    let _ = if terminal {
        write!(out, "\r\x1b[K{seconds:.1} s: {text}")
    } else {
        writeln!(out, "selkie: {seconds:.0} s: {text}")
    };
    let _ = out.flush();
}

/// Removes the line from a terminal.
pub fn clear_line() {
    if std::io::stderr().is_terminal() {
        let mut out = std::io::stderr().lock();
        let _ = write!(out, "\r\x1b[K");
        let _ = out.flush();
    }
}

fn end(found: &Found, status: &Status, quiet: bool, reason: (&str, &str), code: i32) -> ! {
    let _last_word = LAST_WORD.lock();
    clear_line();
    let mut out = std::io::stdout().lock();
    let found = found.lock().map(|list| list.clone()).unwrap_or_default();
    if !quiet {
        for (_, text) in &found {
            let _ = write!(out, "{text}");
        }
        let doing = status.lock().map(|text| text.clone()).unwrap_or_default();
        let _ = writeln!(out, "note: the {} limit was reached in {doing}", reason.1);
    }
    let code = match found.first() {
        Some((property, _)) => {
            let _ = writeln!(out, "RESULT: false({property})");
            10
        }
        None => {
            let _ = writeln!(out, "RESULT: unknown({})", reason.0);
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
