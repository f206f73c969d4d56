//! Limits of a check, and how another thread stops one.
//!
//! A [`Watch`] is what a running solver polls: a deadline, a memory limit and a flag. The first reason to stop is
//! kept, because a solver that was stopped only says "unknown". Memory is that of the whole process (its resident
//! set), as the operating system sees it: an engine runs in a process of its own.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::answer::Reason;

/// What one check may cost; nothing is limited by default.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Limits {
    /// The time for each check.
    pub time: Option<Duration>,
    /// The memory of this process, in bytes (for a child process: of that one).
    pub memory: Option<u64>,
}

/// Stops the running check of a solver, from any thread; stays set until [`Interrupt::clear`].
#[derive(Clone, Default, Debug)]
pub struct Interrupt {
    flag: Arc<AtomicBool>,
}

impl Interrupt {
    /// Makes the running check, and every later one, answer `Unknown(Interrupted)` soon.
    pub fn set(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Allows checks again.
    pub fn clear(&self) {
        self.flag.store(false, Ordering::Relaxed);
    }

    /// Whether checks are to stop.
    pub fn is_set(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }
}

/// How many polls pass between two looks at the clock.
const CLOCK_EVERY: u32 = 16;

/// How much time passes between two looks at the memory.
const MEMORY_EVERY: Duration = Duration::from_millis(20);

/// What a running check polls.
#[derive(Debug)]
pub(crate) struct Watch {
    interrupt: Interrupt,
    memory: Cell<Option<u64>>,
    deadline: Cell<Option<Instant>>,
    polls: Cell<u32>,
    next_memory: Cell<Instant>,
    stopped: Cell<Option<Stop>>,
}

/// Why a check was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    Time,
    Memory,
    Interrupt,
}

impl From<Stop> for Reason {
    fn from(stop: Stop) -> Reason {
        match stop {
            Stop::Time => Reason::Timeout,
            Stop::Memory => Reason::Memory,
            Stop::Interrupt => Reason::Interrupted,
        }
    }
}

impl Watch {
    pub(crate) fn new(interrupt: Interrupt) -> Watch {
        Watch {
            interrupt,
            memory: Cell::new(None),
            deadline: Cell::new(None),
            polls: Cell::new(0),
            next_memory: Cell::new(Instant::now()),
            stopped: Cell::new(None),
        }
    }

    /// The clock of a check starts.
    pub(crate) fn start(&self, limits: Limits) {
        let now = Instant::now();
        self.deadline
            .set(limits.time.and_then(|time| now.checked_add(time)));
        self.memory.set(limits.memory);
        self.polls.set(0);
        self.next_memory.set(now);
        self.stopped.set(None);
    }

    /// Whether the check must stop now; cheap enough for a solver's inner loop.
    pub(crate) fn must_stop(&self) -> bool {
        if self.stopped.get().is_some() {
            return true;
        }
        if self.interrupt.is_set() {
            self.stopped.set(Some(Stop::Interrupt));
            return true;
        }
        let polls = self.polls.get();
        self.polls.set(polls.wrapping_add(1));
        if polls % CLOCK_EVERY != 0
            || (self.deadline.get().is_none() && self.memory.get().is_none())
        {
            return false;
        }
        self.must_stop_now()
    }

    /// As [`Watch::must_stop`], but always looks at the clock.
    pub(crate) fn must_stop_now(&self) -> bool {
        if self.stopped.get().is_some() {
            return true;
        }
        if self.interrupt.is_set() {
            self.stopped.set(Some(Stop::Interrupt));
            return true;
        }
        let now = Instant::now();
        if self.deadline.get().is_some_and(|deadline| now >= deadline) {
            self.stopped.set(Some(Stop::Time));
        } else if let Some(limit) = self.memory.get()
            && now >= self.next_memory.get()
        {
            self.next_memory.set(now + MEMORY_EVERY);
            if resident_memory().is_some_and(|used| used > limit) {
                self.stopped.set(Some(Stop::Memory));
            }
        }
        self.stopped.get().is_some()
    }

    /// The first reason that a poll gave since the start.
    pub(crate) fn stopped(&self) -> Option<Stop> {
        self.stopped.get()
    }

    /// The time that is left, or `None` without a limit.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.deadline
            .get()
            .map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }
}

/// The resident memory of this process in bytes, where the system tells it.
pub fn resident_memory() -> Option<u64> {
    memory_of("/proc/self/statm")
}

/// The resident memory that a `statm` file of Linux tells, in bytes.
pub(crate) fn memory_of(statm: &str) -> Option<u64> {
    let text = std::fs::read_to_string(statm).ok()?;
    let pages: u64 = text.split_ascii_whitespace().nth(1)?.parse().ok()?;
    // Linux on x86-64 and on AArch64 as Debian ships it.
    Some(pages * 4096)
}
