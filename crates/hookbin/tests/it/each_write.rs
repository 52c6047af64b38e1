//! Installing, uninstalling and the vault, stopped at each of their writing system calls in turn: killed there, or with no space left
//! on the disk from there on.

use std::process::{Command, Stdio};

use nix::libc;
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use crate::sandbox::{Sandbox, tree};
use crate::vault::Client;

/// What happens at the chosen call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// The process is killed before the call.
    Kill,
    /// This call and every later one finds the disk full.
    DiskFull,
}

/// How a run ended.
#[derive(Debug, PartialEq, Eq)]
enum Ended {
    Killed,
    Exited(i32),
}

/// The calls that change what is on the disk.
fn writes(number: u64) -> bool {
    let calls = [
        libc::SYS_write,
        libc::SYS_writev,
        libc::SYS_pwrite64,
        libc::SYS_copy_file_range,
        libc::SYS_sendfile,
        libc::SYS_ftruncate,
        libc::SYS_mkdir,
        libc::SYS_mkdirat,
        libc::SYS_rename,
        libc::SYS_renameat,
        libc::SYS_renameat2,
        libc::SYS_link,
        libc::SYS_linkat,
        libc::SYS_symlink,
        libc::SYS_symlinkat,
        libc::SYS_unlink,
        libc::SYS_unlinkat,
        libc::SYS_rmdir,
        libc::SYS_chmod,
        libc::SYS_fchmod,
        libc::SYS_fchmodat,
        libc::SYS_fchown,
        libc::SYS_fsync,
        libc::SYS_fdatasync,
    ];
    calls.iter().any(|call| u64::try_from(*call) == Ok(number))
}

/// Whether a full disk refuses the call; taking away needs no space.
fn needs_space(number: u64) -> bool {
    let calls =
        [libc::SYS_unlink, libc::SYS_unlinkat, libc::SYS_rmdir, libc::SYS_chmod, libc::SYS_fchmod, libc::SYS_fchmodat];
    writes(number) && !calls.iter().any(|call| u64::try_from(*call) == Ok(number))
}

/// Runs `command` with `fault` at its writing call number `at`, from 1. `None` if it has fewer.
#[expect(clippy::zombie_processes, reason = "it is waited for by its number")]
fn run_with(command: &Command, fault: Fault, at: usize) -> Option<Ended> {
    // The shell stops itself, so that the run is followed from its first call on.
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", "kill -STOP $$; exec \"$0\" \"$@\""]).arg(command.get_program()).args(command.get_args());
    shell.env_clear().envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell.current_dir(command.get_current_dir().unwrap());
    let child = shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let id = Pid::from_raw(i32::try_from(child.id()).unwrap());
    assert!(matches!(waitpid(id, Some(WaitPidFlag::WUNTRACED)), Ok(WaitStatus::Stopped(..))));
    ptrace::seize(id, Options::PTRACE_O_TRACESYSGOOD | Options::PTRACE_O_EXITKILL).unwrap();
    kill(id, Signal::SIGCONT).unwrap();
    let (mut entering, mut started, mut met, mut refuse) = (true, false, 0, false);
    loop {
        let signal = match waitpid(id, None).unwrap() {
            WaitStatus::Exited(_, code) => return (met >= at).then_some(Ended::Exited(code)),
            WaitStatus::Signaled(..) => return Some(Ended::Killed),
            WaitStatus::PtraceSyscall(_) => {
                let mut registers = ptrace::getregs(id).unwrap();
                let number = registers.orig_rax;
                if entering && started && writes(number) {
                    met += 1;
                    if fault == Fault::Kill && met == at {
                        kill(id, Signal::SIGKILL).unwrap();
                        continue;
                    }
                    if fault == Fault::DiskFull && met >= at && needs_space(number) {
                        registers.orig_rax = u64::MAX;
                        ptrace::setregs(id, registers).unwrap();
                        refuse = true;
                    }
                } else if !entering {
                    started |= i64::try_from(number) == Ok(libc::SYS_execve) && registers.rax == 0;
                    if std::mem::take(&mut refuse) {
                        registers.rax = (-i64::from(libc::ENOSPC)).cast_unsigned();
                        ptrace::setregs(id, registers).unwrap();
                    }
                }
                entering = !entering;
                None
            }
            WaitStatus::Stopped(_, Signal::SIGCONT | Signal::SIGSTOP) | WaitStatus::PtraceEvent(..) => None,
            WaitStatus::Stopped(_, signal) => Some(signal),
            _ => None,
        };
        // A process that was just killed is gone.
        let _ = ptrace::syscall(id, signal);
    }
}

const BEFORE: &str = "{\n  \"model\": \"x\"\n}\n";

/// The command at each of its writing calls: the settings are the old or the new, and the next runs put everything right.
fn settings_are_old_or_new(fault: Fault, verb: &str) {
    let args: &[&str] = if verb == "install" { &["install", "--profile", "spf"] } else { &["uninstall"] };
    let mut seen = [false; 2];
    let fresh = || {
        let sandbox = Sandbox::new();
        sandbox.write(".claude/settings.json", BEFORE);
        sandbox
    };
    let with_entry = || {
        let sandbox = fresh();
        assert_eq!(sandbox.cli(&["install", "--profile", "spf"]).code, Some(0));
        sandbox
    };
    let installed = with_entry().read(".claude/settings.json");
    for at in 1.. {
        let sandbox = if verb == "install" { fresh() } else { with_entry() };
        let Some(ended) = run_with(&sandbox.command(args), fault, at) else {
            assert!(at > 10, "only {at} writes were seen");
            break;
        };
        let now = sandbox.read(".claude/settings.json");
        assert!(now == BEFORE || now == installed, "{fault:?} {verb} at {at}: {now}");
        seen[usize::from(now == installed)] = true;
        match fault {
            Fault::Kill => assert_eq!(ended, Ended::Killed, "{verb} at {at}"),
            Fault::DiskFull => assert_ne!(ended, Ended::Killed, "{verb} at {at}"),
        }
        assert_eq!(sandbox.cli(&["install", "--profile", "spf"]).code, Some(0), "{fault:?} {verb} at {at}");
        assert_eq!(sandbox.read(".claude/settings.json"), installed, "{fault:?} {verb} at {at}");
        assert_eq!(sandbox.cli(&["uninstall", "--purge"]).code, Some(0), "{fault:?} {verb} at {at}");
        assert_eq!(sandbox.read(".claude/settings.json"), BEFORE, "{fault:?} {verb} at {at}");
        assert_eq!(tree(&sandbox.project()), [sandbox.path(".claude/settings.json")], "{fault:?} {verb} at {at}");
    }
    assert_eq!(seen, [true; 2], "only one of the two states was ever seen");
}

#[test]
fn installing_killed_at_each_write() {
    settings_are_old_or_new(Fault::Kill, "install");
}

#[test]
fn installing_with_a_full_disk_at_each_write() {
    settings_are_old_or_new(Fault::DiskFull, "install");
}

#[test]
fn uninstalling_killed_at_each_write() {
    settings_are_old_or_new(Fault::Kill, "uninstall");
}

#[test]
fn uninstalling_with_a_full_disk_at_each_write() {
    settings_are_old_or_new(Fault::DiskFull, "uninstall");
}

/// The vault's one foreign file, the client's state, is the old or the new; the next run finishes, and removing gives all back.
fn vault(fault: Fault) {
    let whole = Client::installed();
    let staged = whole.state();
    for at in 1.. {
        let client = Client::new();
        let before = client.state();
        let Some(ended) = run_with(&client.command(&[]), fault, at) else {
            assert!(at > 40, "only {at} writes were seen");
            break;
        };
        let now = client.state();
        assert!(now == before || same_but_paths(&now, &staged, &client, &whole), "{fault:?} at {at}: {now}");
        assert_eq!(ended == Ended::Killed, fault == Fault::Kill, "at {at}: {ended:?}");
        let ran = client.install(&[]);
        assert_eq!(ran.code, Some(0), "{fault:?} at {at}: {ran:?}");
        let ran = client.verify();
        assert_eq!(ran.code, Some(0), "{fault:?} at {at}: {ran:?}");
        assert_eq!(client.sandbox.cli(&["vault", "remove"]).code, Some(0), "{fault:?} at {at}");
        assert_eq!(client.state(), before, "{fault:?} at {at}");
    }
}

/// Two sandboxes lie at different places.
fn same_but_paths(text: &str, other: &str, here: &Client, there: &Client) -> bool {
    let (here, there) = (here.sandbox.home(), there.sandbox.home());
    text.replace(here.to_str().unwrap(), "") == other.replace(there.to_str().unwrap(), "")
}

#[test]
fn the_vault_killed_at_each_write() {
    vault(Fault::Kill);
}

#[test]
fn the_vault_with_a_full_disk_at_each_write() {
    vault(Fault::DiskFull);
}
