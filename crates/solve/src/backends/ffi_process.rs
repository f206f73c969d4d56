//! Child processes that die with their group, and with us; and who may write to standard output.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::FromRawFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};

/// Starts a command as the leader of its own process group, to be killed by the system if this process dies.
pub(crate) fn spawn(command: &mut Command) -> io::Result<Child> {
    command.process_group(0);
    // SAFETY: between fork and exec the closure makes one system call and touches no memory of ours.
    unsafe { command.pre_exec(die_with_parent) };
    command.spawn()
}

fn die_with_parent() -> io::Result<()> {
    // SAFETY: sets an attribute of the calling process; the arguments are plain numbers.
    match unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Kills the child and everything that it started in its group, and waits for it.
pub(crate) fn kill_group(child: &mut Child) {
    if let Ok(group) = libc::pid_t::try_from(child.id()) {
        // SAFETY: sends a signal to the group that `spawn` made; the leader has not been waited for, so the
        // number still belongs to it.
        unsafe { libc::killpg(group, libc::SIGKILL) };
    }
    // The child is dead or dying; there is nobody to report a failure to.
    let _ = child.kill();
    let _ = child.wait();
}

/// Takes standard output away from foreign code, which writes warnings to it.
///
/// From now on whatever is written to descriptor 1 (by C++ libraries, and by `println!`) goes to standard error; the
/// returned file is the standard output that the program was started with. To be called once, at the start.
pub fn claim_stdout() -> io::Result<File> {
    io::stdout().flush()?;
    // SAFETY: duplicates a descriptor; a failure is reported by the result.
    let real = unsafe { libc::fcntl(1, libc::F_DUPFD_CLOEXEC, 3) };
    if real < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the descriptor was just made, and nobody else owns it.
    let file = unsafe { File::from_raw_fd(real) };
    // SAFETY: makes descriptor 1 another name of standard error; a failure is reported by the result.
    if unsafe { libc::dup2(2, 1) } < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(file)
}
