//! Child processes that die with their group, and with us.

use std::io;
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
