//! System calls: workers, the supervisor of a task, pipes, locks and signals. All `unsafe` of the crate is here.
//!
//! # The supervisor
//!
//! ```text
//! runner ── supervisor ── verifier ── engines, solvers, whatever they start
//!              ▲    ▲────────────────── orphans, however often they forked and whatever session they made
//!  control pipe┘    └ subreaper
//! ```
//!
//! Between the runner and each verifier stands a process of ours that does nothing but wait. It is the
//! *subreaper* of everything below, so no descendant can leave its tree; that makes the tree complete when
//! memory is summed, and CPU time complete when everything in it has been waited for. When the verifier
//! ends, or the control pipe closes, the supervisor kills what is left, level by level, until it has no child.
//! The pipe closes when the runner wants the task to end, and also when the runner dies, of whatever cause.
//!
//! The supervisor is a fork of the runner that never executes another program. The runner has several
//! threads, so between the fork and its end it may only do what a signal handler may: system calls, no
//! allocation, no lock, no panic. Cgroups would give the same with less code, but need rights that a user
//! on a shared machine or in a container often lacks.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

use libc::{c_int, pid_t};

use crate::process_tree::{parent_in_stat, read_number};

/// What the supervisor says when everything is over: four numbers on the status pipe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Report {
    /// How the verifier ended, as `wait` gives it.
    pub wait_status: i32,
    /// From its start to its end.
    pub wall: Duration,
    /// User and system time of the whole tree.
    pub cpu: Duration,
}

impl Report {
    /// The length of a report on the pipe.
    pub const BYTES: usize = 32;

    /// Reads what [`supervise`] wrote.
    pub fn from_bytes(bytes: &[u8; Report::BYTES]) -> Report {
        let number = |index: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[8 * index..8 * index + 8]);
            i64::from_ne_bytes(word)
        };
        Report {
            wait_status: number(0) as i32,
            wall: Duration::from_nanos(number(1).max(0) as u64),
            cpu: Duration::from_micros((number(2) + number(3)).max(0) as u64),
        }
    }
}

/// Puts a supervisor between this process and the command. `control` is the end it reads, `status` the end
/// it writes its [`Report`] to. The child that `spawn` returns is the supervisor.
pub fn put_under_supervision(command: &mut Command, control: &OwnedFd, status: &OwnedFd) {
    let (control, status) = (control.as_raw_fd(), status.as_raw_fd());
    // SAFETY: the closure makes system calls and touches its own stack only, as a closure that runs
    // between fork and exec of a process with threads must; see the module's text.
    unsafe {
        command.pre_exec(move || supervise(control, status));
    }
}

/// Forks: the parent becomes the supervisor and never returns, the child returns and goes on to `exec`.
///
/// # Safety
/// Only to be called between fork and exec.
unsafe fn supervise(control: RawFd, status: RawFd) -> io::Result<()> {
    // SAFETY: all of these are system calls on integers and on locals that outlive them.
    unsafe {
        // A session of its own: a Ctrl-C on the terminal reaches the runner alone, which then decides.
        libc::setsid();
        if libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1 as libc::c_ulong) != 0 {
            return Err(io::Error::last_os_error());
        }
        libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        let supervisor = libc::getpid();
        let started = monotonic_nanoseconds();
        match libc::fork() {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                // Another session, so that a verifier that signals its own group spares its supervisor.
                libc::setsid();
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as libc::c_ulong);
                if libc::getppid() != supervisor {
                    libc::_exit(1);
                }
                prefer_for_oom_killer();
                Ok(())
            }
            verifier => {
                libc::dup2(control, 0);
                libc::dup2(status, 1);
                close_from(2);
                wait_and_kill(verifier, started);
                libc::_exit(0)
            }
        }
    }
}

/// Waits until the verifier ends or the control pipe (file 0) closes, kills the rest, reports to file 1.
///
/// # Safety
/// Only to be called by the supervisor.
unsafe fn wait_and_kill(verifier: pid_t, started: i64) {
    // SAFETY: system calls on integers and on locals that outlive them; `sigset_t` and `siginfo_t` are
    // plain data for which all zeros is a value.
    unsafe {
        let me = libc::getpid();
        let mut children_signals: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut children_signals);
        libc::sigaddset(&mut children_signals, libc::SIGCHLD);
        libc::sigprocmask(libc::SIG_BLOCK, &children_signals, std::ptr::null_mut());
        let signals = libc::signalfd(-1, &children_signals, libc::SFD_NONBLOCK);
        let mut killing = false;
        let mut wait_status: c_int = 0;
        let mut ended = started;
        let mut rounds = 0u32;
        loop {
            // Look before reaping: while the verifier is a zombie its number, and that of its process
            // group, cannot belong to anybody else, so the group can be killed safely.
            let mut info: libc::siginfo_t = std::mem::zeroed();
            let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
            if libc::waitid(libc::P_ALL, 0, &mut info, options) != 0 {
                break; // No child is left.
            }
            let pid = info.si_pid();
            if pid == verifier {
                ended = monotonic_nanoseconds();
                killing = true;
                libc::kill(-verifier, libc::SIGKILL);
                libc::waitpid(verifier, &mut wait_status, 0);
                continue;
            }
            if pid != 0 {
                libc::waitpid(pid, std::ptr::null_mut(), 0);
                continue;
            }
            if killing {
                kill_children(me);
            }
            let mut files = [
                libc::pollfd {
                    fd: signals,
                    events: libc::POLLIN,
                    revents: 0,
                },
                libc::pollfd {
                    fd: 0,
                    events: libc::POLLIN,
                    revents: 0,
                },
            ];
            // While killing, look again soon, for a child may have forked between the look and the kill;
            // later seldom, for what does not die now is stuck in the kernel.
            let (count, timeout) = match (killing, rounds < 400) {
                (false, _) if signals < 0 => (2, 20),
                (false, _) => (2, -1),
                (true, true) => (1, 5),
                (true, false) => (1, 200),
            };
            rounds = rounds.saturating_add(1);
            libc::poll(files.as_mut_ptr(), count, timeout);
            let mut drained = [0u8; 128];
            while libc::read(signals, drained.as_mut_ptr().cast(), drained.len()) > 0 {}
            if !killing && files[1].revents != 0 {
                killing = true;
                rounds = 0;
            }
        }
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage);
        let microseconds = |time: libc::timeval| time.tv_sec * 1_000_000 + time.tv_usec;
        let report: [i64; 4] = [
            i64::from(wait_status),
            ended - started,
            microseconds(usage.ru_utime),
            microseconds(usage.ru_stime),
        ];
        libc::write(1, report.as_ptr().cast(), Report::BYTES);
    }
}

/// Kills every child of a process, and the process group of each that leads one.
///
/// # Safety
/// Only to be called by the supervisor, of itself: its children are not waited for meanwhile, so their
/// numbers cannot pass to other processes.
unsafe fn kill_children(me: pid_t) {
    // `getdents64` fills it with records: 8 bytes inode, 8 bytes offset, 2 bytes length, 1 byte type, name.
    const LENGTH_AT: usize = 16;
    const NAME_AT: usize = 19;
    let mut buffer = [0u8; 4096];
    // SAFETY: system calls that write at most the given length into a local buffer.
    unsafe {
        let folder = libc::open(c"/proc".as_ptr(), libc::O_RDONLY | libc::O_DIRECTORY);
        if folder < 0 {
            return;
        }
        loop {
            let read = libc::syscall(
                libc::SYS_getdents64,
                folder,
                buffer.as_mut_ptr(),
                buffer.len(),
            );
            if read <= 0 {
                break;
            }
            let mut records = buffer.get(..read as usize).unwrap_or(&[]);
            while let Some(&[low, high]) = records.get(LENGTH_AT..LENGTH_AT + 2) {
                let length = usize::from(u16::from_ne_bytes([low, high]));
                let name = records.get(NAME_AT..length).unwrap_or(&[]);
                if let Some(pid) = read_number(name) {
                    let pid = pid as pid_t;
                    if parent_of(pid) == Some(me) {
                        libc::kill(pid, libc::SIGKILL);
                        libc::kill(-pid, libc::SIGKILL);
                    }
                }
                records = match records.get(length..) {
                    Some(rest) if length > 0 => rest,
                    _ => &[],
                };
            }
        }
        libc::close(folder);
    }
}

/// The parent of a process, without allocating.
///
/// # Safety
/// None needed; it is here because it speaks to the system directly.
unsafe fn parent_of(pid: pid_t) -> Option<pid_t> {
    let mut path = [0u8; 32];
    let mut digits = [0u8; 12];
    let mut count = 0;
    let mut rest = pid;
    while rest > 0 {
        *digits.get_mut(count)? = b'0' + (rest % 10) as u8;
        rest /= 10;
        count += 1;
    }
    let name = digits.get(..count)?.iter().rev();
    let text = b"/proc/".iter().chain(name).chain(b"/stat\0");
    for (place, byte) in path.iter_mut().zip(text) {
        *place = *byte;
    }
    let mut content = [0u8; 256];
    // SAFETY: the path ends with a zero byte, as 6 + 12 + 6 bytes are fewer than 32; `read` stays
    // within the buffer.
    let length = unsafe {
        let file = libc::open(path.as_ptr().cast(), libc::O_RDONLY);
        if file < 0 {
            return None;
        }
        let length = libc::read(file, content.as_mut_ptr().cast(), content.len());
        libc::close(file);
        length
    };
    let content = content.get(..usize::try_from(length).ok()?)?;
    parent_in_stat(content).map(|parent| parent as pid_t)
}

/// Lets the kernel's out-of-memory killer choose the task before the runner.
///
/// # Safety
/// None needed, as above.
unsafe fn prefer_for_oom_killer() {
    // SAFETY: the strings are static and end with a zero byte.
    unsafe {
        let file = libc::open(c"/proc/self/oom_score_adj".as_ptr(), libc::O_WRONLY);
        if file >= 0 {
            libc::write(file, c"900".as_ptr().cast(), 3);
            libc::close(file);
        }
    }
}

/// A copy of this process that does the work, so that its end, however it comes, is not ours.
#[derive(Debug)]
pub struct Worker {
    pid: pid_t,
}

/// Which of the two processes goes on after [`fork`].
#[derive(Debug)]
pub enum Forked {
    /// The old one.
    Parent(Worker),
    /// The new one.
    Worker,
}

/// Splits this process in two. The worker dies with its parent, and leaves the terminal's interruptions to it.
/// Fails if there are other threads, whose locks the worker would inherit.
pub fn fork() -> io::Result<Forked> {
    if std::fs::read_dir("/proc/self/task")?.count() != 1 {
        return Err(io::Error::other("only a process with one thread can fork"));
    }
    // SAFETY: the process has one thread, so that nothing in the copy is half done; the rest are system
    // calls on integers.
    unsafe {
        if libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1 as libc::c_ulong) != 0 {
            return Err(io::Error::last_os_error());
        }
        let parent = libc::getpid();
        match libc::fork() {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as libc::c_ulong);
                if libc::getppid() != parent {
                    libc::_exit(1);
                }
                for signal in [libc::SIGINT, libc::SIGTERM] {
                    libc::signal(signal, libc::SIG_IGN);
                }
                prefer_for_oom_killer();
                Ok(Forked::Worker)
            }
            pid => Ok(Forked::Parent(Worker { pid })),
        }
    }
}

impl Worker {
    /// Its number.
    pub fn pid(&self) -> u32 {
        self.pid as u32
    }

    /// Waits until it ends; how, as [`ending`] tells.
    pub fn wait(&self) -> Result<i32, i32> {
        let mut status = 0;
        // SAFETY: a system call that writes to a local.
        while unsafe { libc::waitpid(self.pid, &mut status, 0) } < 0 {
            if io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
                return Err(libc::SIGKILL); // Somebody else has waited for it.
            }
        }
        ending(status)
    }

    /// Kills it and everything that it started, and returns when nothing of that is left.
    pub fn kill(self) {
        // SAFETY: system calls on integers. Children are killed by number before they are waited for, so
        // that no number belongs to somebody else.
        unsafe {
            let me = libc::getpid();
            loop {
                kill_children(me);
                if libc::waitpid(-1, std::ptr::null_mut(), 0) < 0
                    && io::Error::last_os_error().kind() != io::ErrorKind::Interrupted
                {
                    break;
                }
            }
        }
    }
}

/// A process that this command starts is killed when the thread that has started it ends, even if it is stopped then.
pub fn end_with_parent(command: &mut Command) {
    // SAFETY: the closure makes a system call on integers, as a closure that runs between fork and exec of a
    // process with threads may.
    unsafe {
        command.pre_exec(|| {
            match libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as libc::c_ulong) {
                0 => Ok(()),
                _ => Err(io::Error::last_os_error()),
            }
        });
    }
}

/// Ends this process at once: nothing is flushed, dropped or run at exit.
pub fn exit_now(code: u8) -> ! {
    // SAFETY: the call does not return.
    unsafe { libc::_exit(i32::from(code)) }
}

/// Closes all files from this number on.
///
/// # Safety
/// Only to be called by the supervisor, which owns none of them.
unsafe fn close_from(first: RawFd) {
    // SAFETY: the caller owns no file of these numbers.
    unsafe {
        let all = libc::c_uint::MAX;
        if libc::syscall(libc::SYS_close_range, first as libc::c_uint, all, 0) != 0 {
            // Linux before 5.9.
            for file in first..4096 {
                libc::close(file);
            }
        }
    }
}

/// The monotonic clock.
///
/// # Safety
/// None needed, as above.
unsafe fn monotonic_nanoseconds() -> i64 {
    let mut now = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `now` is a valid place to write to.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut now) };
    now.tv_sec * 1_000_000_000 + now.tv_nsec
}

/// A pipe, the end to read from first; both ends close when another program is executed.
pub fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut ends: [RawFd; 2] = [0; 2];
    // SAFETY: the array has room for the two numbers; on success they are open and owned by nobody else.
    unsafe {
        if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) != 0 {
            return Err(io::Error::last_os_error());
        }
        Ok((OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])))
    }
}

/// Waits until one of the files can be read from (or is at its end), at most that long. A file that is not
/// there is never ready; a signal ends the waiting early.
pub fn wait_readable<const N: usize>(
    files: [Option<BorrowedFd<'_>>; N],
    timeout: Duration,
) -> io::Result<[bool; N]> {
    let mut polled = files.map(|file| libc::pollfd {
        // Negative numbers are ignored by the system.
        fd: file.map_or(-1, |file| file.as_raw_fd()),
        events: libc::POLLIN,
        revents: 0,
    });
    // Rounded up, so that waiting for less than a millisecond does not spin.
    let milliseconds = timeout.as_micros().div_ceil(1000).min(60_000) as c_int;
    // SAFETY: the array holds `N` entries and outlives the call; the files are borrowed, hence open.
    let result = unsafe { libc::poll(polled.as_mut_ptr(), N as libc::nfds_t, milliseconds) };
    if result < 0 {
        let error = io::Error::last_os_error();
        return match error.kind() {
            io::ErrorKind::Interrupted => Ok([false; N]),
            _ => Err(error),
        };
    }
    Ok(polled.map(|entry| entry.revents != 0))
}

/// Takes an exclusive lock that ends with the file; false if another process has it.
pub fn try_lock(file: &File) -> io::Result<bool> {
    // SAFETY: a system call on an open file.
    if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } == 0 {
        return Ok(true);
    }
    let error = io::Error::last_os_error();
    match error.kind() {
        io::ErrorKind::WouldBlock => Ok(false),
        _ => Err(error),
    }
}

/// The signal that asked the run to stop, or zero. A signal handler can reach nothing but a global.
static INTERRUPTED: AtomicI32 = AtomicI32::new(0);

/// While it lives, the first SIGINT or SIGTERM asks the run to stop in good order; a second one has its
/// usual effect.
pub struct Interrupts {
    before: [(c_int, libc::sigaction); 2],
}

impl Interrupts {
    /// Begins to listen.
    pub fn listen() -> Interrupts {
        INTERRUPTED.store(0, Ordering::SeqCst);
        let before = [libc::SIGINT, libc::SIGTERM].map(|signal| {
            // SAFETY: `sigaction` is plain data; the handler stores into an atomic and does nothing else.
            unsafe {
                let mut action: libc::sigaction = std::mem::zeroed();
                action.sa_sigaction = note_interruption as extern "C" fn(c_int) as usize;
                action.sa_flags = libc::SA_RESETHAND;
                libc::sigemptyset(&mut action.sa_mask);
                let mut before: libc::sigaction = std::mem::zeroed();
                libc::sigaction(signal, &action, &mut before);
                (signal, before)
            }
        });
        Interrupts { before }
    }

    /// The signal that came, if any.
    pub fn signal(&self) -> Option<i32> {
        Some(INTERRUPTED.load(Ordering::SeqCst)).filter(|signal| *signal != 0)
    }
}

impl Drop for Interrupts {
    fn drop(&mut self) {
        for (signal, before) in &self.before {
            // SAFETY: `before` is what the system gave us.
            unsafe { libc::sigaction(*signal, before, std::ptr::null_mut()) };
        }
    }
}

extern "C" fn note_interruption(signal: c_int) {
    INTERRUPTED.store(signal, Ordering::SeqCst);
}

/// Is a file that was to be executed no program?
pub fn is_no_program(error: &io::Error) -> bool {
    error.raw_os_error() == Some(libc::ENOEXEC)
}

/// How a process ended, from what `wait` gave: its exit code, or the signal that killed it.
pub fn ending(wait_status: i32) -> Result<i32, i32> {
    if libc::WIFEXITED(wait_status) {
        Ok(libc::WEXITSTATUS(wait_status))
    } else {
        Err(libc::WTERMSIG(wait_status))
    }
}

/// The name of a signal that ends programs, `SIGSEGV`.
pub fn signal_name(signal: i32) -> String {
    let name = match signal {
        libc::SIGABRT => "SIGABRT",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGHUP => "SIGHUP",
        libc::SIGILL => "SIGILL",
        libc::SIGINT => "SIGINT",
        libc::SIGKILL => "SIGKILL",
        libc::SIGPIPE => "SIGPIPE",
        libc::SIGQUIT => "SIGQUIT",
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGSYS => "SIGSYS",
        libc::SIGTERM => "SIGTERM",
        libc::SIGTRAP => "SIGTRAP",
        libc::SIGXCPU => "SIGXCPU",
        _ => return format!("signal {signal}"),
    };
    name.to_owned()
}
