//! One process followed through all of its system calls by `ptrace`, with a fault at a chosen one. The kernel lists the calls, so none
//! can be forgotten: one that is in neither list below fails the test that meets it.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::process::Command;

use nix::errno::Errno;
use nix::libc;
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

/// What happens at the chosen call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing; the run is only watched.
    None,
    /// The process is killed before the call.
    KillBefore,
    /// The process is killed after the call.
    KillAfter,
    /// The call is not carried out and returns this error.
    Fails(Errno),
    /// Half of what the call was to write is written.
    Short,
    /// Half of what the call was to write is written, and the process is killed. Not for what is written in place: the kernel looks for a
    /// signal between two pages, and those writes lie within one.
    KillWithin,
    /// This call and every later one that needs space finds the disk full.
    DiskFull,
    /// The call does not come back before a signal arrives.
    Hangs,
    /// The system knows no `openat2`, as older kernels and some filters around containers, and says so with this error.
    NoOpenat2(Errno),
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    Killed,
    Exited(i32),
}

/// A system call of the process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) name: &'static str,
    /// The file that it is about, where that can be told.
    pub(crate) path: String,
    /// It changes something outside the process.
    pub(crate) changes: bool,
}

/// A run that has ended.
#[derive(Debug)]
pub(crate) struct Traced {
    pub(crate) ended: Ended,
    /// The calls of the wanted kind, in order.
    pub(crate) calls: Vec<Call>,
    /// Whether the fault was put in: the run has that many calls, and the fault fits the chosen one.
    pub(crate) hit: bool,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Which calls are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    /// Those that change something outside the process.
    Changing,
    /// Those, and those that look at files; from the moment on at which a hook has set its alarm, which is the first that it does.
    Files,
}

/// What a call is to a process that must not lose anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Changes what is on the disk or what others see.
    Changes,
    /// Changes something if its flags say so.
    Opens,
    /// Looks at files.
    Looks,
    /// Concerns the process alone.
    Own,
}

/// Every call that a run may make, and what it is.
const CALLS: &[(i64, &str, Kind)] = &[
    (libc::SYS_write, "write", Kind::Changes),
    (libc::SYS_writev, "writev", Kind::Changes),
    (libc::SYS_pwrite64, "pwrite64", Kind::Changes),
    (libc::SYS_pwritev, "pwritev", Kind::Changes),
    (libc::SYS_copy_file_range, "copy_file_range", Kind::Changes),
    (libc::SYS_sendfile, "sendfile", Kind::Changes),
    (libc::SYS_ftruncate, "ftruncate", Kind::Changes),
    (libc::SYS_mkdir, "mkdir", Kind::Changes),
    (libc::SYS_mkdirat, "mkdirat", Kind::Changes),
    (libc::SYS_rename, "rename", Kind::Changes),
    (libc::SYS_renameat, "renameat", Kind::Changes),
    (libc::SYS_renameat2, "renameat2", Kind::Changes),
    (libc::SYS_link, "link", Kind::Changes),
    (libc::SYS_linkat, "linkat", Kind::Changes),
    (libc::SYS_symlink, "symlink", Kind::Changes),
    (libc::SYS_symlinkat, "symlinkat", Kind::Changes),
    (libc::SYS_unlink, "unlink", Kind::Changes),
    (libc::SYS_unlinkat, "unlinkat", Kind::Changes),
    (libc::SYS_rmdir, "rmdir", Kind::Changes),
    (libc::SYS_chmod, "chmod", Kind::Changes),
    (libc::SYS_fchmod, "fchmod", Kind::Changes),
    (libc::SYS_fchmodat, "fchmodat", Kind::Changes),
    (libc::SYS_fchown, "fchown", Kind::Changes),
    (libc::SYS_fchownat, "fchownat", Kind::Changes),
    (libc::SYS_utimensat, "utimensat", Kind::Changes),
    (libc::SYS_fallocate, "fallocate", Kind::Changes),
    (libc::SYS_fsync, "fsync", Kind::Changes),
    (libc::SYS_fdatasync, "fdatasync", Kind::Changes),
    (libc::SYS_flock, "flock", Kind::Changes),
    // Leases: the only use of it that matters to others.
    (libc::SYS_fcntl, "fcntl", Kind::Changes),
    (libc::SYS_open, "open", Kind::Opens),
    (libc::SYS_openat, "openat", Kind::Opens),
    (libc::SYS_openat2, "openat2", Kind::Opens),
    (libc::SYS_read, "read", Kind::Looks),
    (libc::SYS_readv, "readv", Kind::Looks),
    (libc::SYS_pread64, "pread64", Kind::Looks),
    (libc::SYS_stat, "stat", Kind::Looks),
    (libc::SYS_lstat, "lstat", Kind::Looks),
    (libc::SYS_fstat, "fstat", Kind::Looks),
    (libc::SYS_newfstatat, "newfstatat", Kind::Looks),
    (libc::SYS_statx, "statx", Kind::Looks),
    (libc::SYS_access, "access", Kind::Looks),
    (libc::SYS_faccessat, "faccessat", Kind::Looks),
    (libc::SYS_faccessat2, "faccessat2", Kind::Looks),
    (libc::SYS_readlink, "readlink", Kind::Looks),
    (libc::SYS_readlinkat, "readlinkat", Kind::Looks),
    (libc::SYS_getdents64, "getdents64", Kind::Looks),
    (libc::SYS_getcwd, "getcwd", Kind::Looks),
    (libc::SYS_lseek, "lseek", Kind::Looks),
    (libc::SYS_statfs, "statfs", Kind::Looks),
    (libc::SYS_fstatfs, "fstatfs", Kind::Looks),
    (libc::SYS_close, "close", Kind::Own),
    (libc::SYS_poll, "poll", Kind::Own),
    (libc::SYS_ppoll, "ppoll", Kind::Own),
    (libc::SYS_ioctl, "ioctl", Kind::Own),
    (libc::SYS_fadvise64, "fadvise64", Kind::Own),
    (libc::SYS_pipe2, "pipe2", Kind::Own),
    (libc::SYS_dup, "dup", Kind::Own),
    (libc::SYS_dup2, "dup2", Kind::Own),
    (libc::SYS_mmap, "mmap", Kind::Own),
    (libc::SYS_munmap, "munmap", Kind::Own),
    (libc::SYS_mremap, "mremap", Kind::Own),
    (libc::SYS_mprotect, "mprotect", Kind::Own),
    (libc::SYS_madvise, "madvise", Kind::Own),
    (libc::SYS_brk, "brk", Kind::Own),
    (libc::SYS_arch_prctl, "arch_prctl", Kind::Own),
    (libc::SYS_prctl, "prctl", Kind::Own),
    (libc::SYS_prlimit64, "prlimit64", Kind::Own),
    (libc::SYS_set_tid_address, "set_tid_address", Kind::Own),
    (libc::SYS_set_robust_list, "set_robust_list", Kind::Own),
    (libc::SYS_rseq, "rseq", Kind::Own),
    (libc::SYS_futex, "futex", Kind::Own),
    (libc::SYS_getrandom, "getrandom", Kind::Own),
    (libc::SYS_sched_yield, "sched_yield", Kind::Own),
    (libc::SYS_sched_getaffinity, "sched_getaffinity", Kind::Own),
    (libc::SYS_nanosleep, "nanosleep", Kind::Own),
    (libc::SYS_clock_nanosleep, "clock_nanosleep", Kind::Own),
    (libc::SYS_clock_gettime, "clock_gettime", Kind::Own),
    (libc::SYS_gettimeofday, "gettimeofday", Kind::Own),
    (libc::SYS_getpid, "getpid", Kind::Own),
    (libc::SYS_gettid, "gettid", Kind::Own),
    (libc::SYS_getppid, "getppid", Kind::Own),
    (libc::SYS_getuid, "getuid", Kind::Own),
    (libc::SYS_geteuid, "geteuid", Kind::Own),
    (libc::SYS_uname, "uname", Kind::Own),
    (libc::SYS_rt_sigaction, "rt_sigaction", Kind::Own),
    (libc::SYS_rt_sigprocmask, "rt_sigprocmask", Kind::Own),
    (libc::SYS_rt_sigreturn, "rt_sigreturn", Kind::Own),
    (libc::SYS_restart_syscall, "restart_syscall", Kind::Own),
    (libc::SYS_sigaltstack, "sigaltstack", Kind::Own),
    (libc::SYS_setitimer, "setitimer", Kind::Own),
    (libc::SYS_execve, "execve", Kind::Own),
    (libc::SYS_exit_group, "exit_group", Kind::Own),
    (libc::SYS_exit, "exit", Kind::Own),
    // What other programs are started and followed with; the programs themselves are not traced.
    (libc::SYS_clone, "clone", Kind::Own),
    (libc::SYS_clone3, "clone3", Kind::Own),
    (libc::SYS_vfork, "vfork", Kind::Own),
    (libc::SYS_wait4, "wait4", Kind::Own),
    (libc::SYS_waitid, "waitid", Kind::Own),
    (libc::SYS_kill, "kill", Kind::Own),
    (libc::SYS_pidfd_open, "pidfd_open", Kind::Own),
    (libc::SYS_pidfd_send_signal, "pidfd_send_signal", Kind::Own),
    (libc::SYS_socketpair, "socketpair", Kind::Own),
    (libc::SYS_recvfrom, "recvfrom", Kind::Own),
    (libc::SYS_recvmsg, "recvmsg", Kind::Own),
];

/// Calls that write bytes, so that they can write fewer than they were asked to.
const WRITES: &[&str] = &["write", "writev", "pwrite64"];

/// Calls that a full disk does not refuse: taking away needs no space, and neither do locks.
const NEED_NO_SPACE: &[&str] = &["unlink", "unlinkat", "rmdir", "chmod", "fchmod", "fchmodat", "flock", "fcntl"];

type Registers = nix::libc::user_regs_struct;

/// The process and its memory.
struct Tracee {
    id: Pid,
    memory: File,
}

impl Tracee {
    /// The text at an address of the process, up to its NUL.
    fn text_at(&self, address: u64) -> String {
        let mut bytes = [0_u8; 256];
        let read = self.memory.read_at(&mut bytes, address).unwrap_or(0);
        let end = bytes[..read].iter().position(|byte| *byte == 0).unwrap_or(read);
        String::from_utf8_lossy(&bytes[..end]).into_owned()
    }

    /// The number at an address of the process; 0 once another image took its place, whose memory this is not.
    fn number_at(&self, address: u64) -> u64 {
        let mut bytes = [0_u8; 8];
        let _ = self.memory.read_exact_at(&mut bytes, address);
        u64::from_ne_bytes(bytes)
    }

    /// What a descriptor leads to.
    fn file(&self, descriptor: u64) -> String {
        let link = std::fs::read_link(format!("/proc/{}/fd/{descriptor}", self.id));
        link.map_or_else(|_| String::new(), |path| path.display().to_string())
    }

    /// The call that the process is about to make. Panics at one that is in no list.
    fn call(&self, registers: &Registers) -> (Call, Kind) {
        let number = registers.orig_rax;
        let known = CALLS.iter().find(|(call, ..)| u64::try_from(*call) == Ok(number));
        let Some((_, name, kind)) = known else {
            panic!("system call {number} is in no list of tracer.rs: say there whether it changes anything");
        };
        let path = match *name {
            "openat" | "openat2" | "newfstatat" | "statx" | "mkdirat" | "unlinkat" | "faccessat" | "faccessat2"
            | "fchmodat" => self.text_at(registers.rsi),
            "open" | "stat" | "lstat" | "mkdir" | "unlink" | "rmdir" | "chmod" | "access" | "readlink" => {
                self.text_at(registers.rdi)
            }
            "rename" | "link" | "symlink" => {
                format!("{} to {}", self.text_at(registers.rdi), self.text_at(registers.rsi))
            }
            "renameat" | "renameat2" | "linkat" => {
                format!("{} to {}", self.text_at(registers.rsi), self.text_at(registers.r10))
            }
            "write" | "writev" | "pwrite64" | "ftruncate" | "flock" | "fcntl" | "fchmod" | "read" | "pread64"
            | "fstat" | "lseek" | "getdents64" => self.file(registers.rdi),
            _ => String::new(),
        };
        let flags = match *name {
            "open" => registers.rsi,
            // They lead the structure that says how.
            "openat2" => self.number_at(registers.rdx),
            _ => registers.rdx,
        };
        let makes = u64::try_from(libc::O_CREAT | libc::O_TRUNC).unwrap();
        let changes = match kind {
            Kind::Changes => *name != "fcntl" || i64::try_from(registers.rsi) == Ok(i64::from(libc::F_SETLEASE)),
            Kind::Opens => flags & makes != 0,
            Kind::Looks | Kind::Own => false,
        };
        (Call { name, path, changes }, *kind)
    }

    /// Changes the call so that it writes half of what it was asked to. False where it writes too little for that.
    fn shorten(&self, name: &str, registers: &mut Registers) -> bool {
        let (base, length) = match name {
            "writev" => {
                // The first part that has a length; others stay unwritten.
                let part = (0..registers.rdx)
                    .map(|part| registers.rsi + 16 * part)
                    .map(|at| (self.number_at(at), self.number_at(at + 8)))
                    .find(|(_, length)| *length > 1);
                let Some(part) = part else { return false };
                part
            }
            _ => (registers.rsi, registers.rdx),
        };
        if length < 2 || !WRITES.contains(&name) {
            return false;
        }
        if name == "writev" {
            registers.orig_rax = u64::try_from(libc::SYS_write).unwrap();
            registers.rsi = base;
        }
        registers.rdx = length / 2;
        ptrace::setregs(self.id, *registers).unwrap();
        true
    }
}

/// Runs `command`, fed with `stdin`, with `fault` at its call number `at` of the wanted kind, from 1.
#[expect(clippy::zombie_processes, reason = "it is waited for by its number")]
pub(crate) fn run(command: &Command, stdin: &[u8], which: Which, fault: Fault, at: usize) -> Traced {
    let [mut input, mut output, mut errors] = [(); 3].map(|()| tempfile::tempfile().unwrap());
    std::io::Write::write_all(&mut input, stdin).unwrap();
    input.seek(SeekFrom::Start(0)).unwrap();
    // The shell stops itself, so that the run is followed from its first call on.
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", "kill -STOP $$; exec \"$0\" \"$@\""]).arg(command.get_program()).args(command.get_args());
    shell.env_clear().envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell.current_dir(command.get_current_dir().unwrap());
    let (to, errors_to) = (output.try_clone().unwrap(), errors.try_clone().unwrap());
    let child = shell.stdin(input).stdout(to).stderr(errors_to).spawn().unwrap();
    let id = Pid::from_raw(i32::try_from(child.id()).unwrap());
    assert!(matches!(waitpid(id, Some(WaitPidFlag::WUNTRACED)), Ok(WaitStatus::Stopped(..))));
    ptrace::seize(id, Options::PTRACE_O_TRACESYSGOOD | Options::PTRACE_O_EXITKILL).unwrap();
    kill(id, Signal::SIGCONT).unwrap();
    let (ended, calls, hit) = follow(id, which, fault, at);
    let [stdout, stderr] = [&mut output, &mut errors].map(|file| {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(0)).unwrap();
        file.read_to_end(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    });
    Traced { ended, calls, hit, stdout, stderr }
}

/// What is to be done when the call returns.
enum After {
    Nothing,
    Kill,
    Return(Errno),
    Restore(Box<Registers>),
}

fn follow(id: Pid, which: Which, fault: Fault, at: usize) -> (Ended, Vec<Call>, bool) {
    let mut tracee: Option<Tracee> = None;
    let (mut calls, mut hit, mut entering, mut after) = (Vec::new(), false, true, After::Nothing);
    let mut looks_count = false;
    loop {
        let signal = match waitpid(id, None).unwrap() {
            WaitStatus::Exited(_, code) => return (Ended::Exited(code), calls, hit),
            WaitStatus::Signaled(..) => return (Ended::Killed, calls, hit),
            WaitStatus::PtraceSyscall(_) => {
                let registers = ptrace::getregs(id).unwrap();
                match &tracee {
                    Some(tracee) if entering => {
                        let (call, kind) = tracee.call(&registers);
                        if let (Fault::NoOpenat2(errno), "openat2") = (fault, call.name) {
                            (hit, after) = inject(tracee, &call, registers, Fault::Fails(errno));
                        }
                        looks_count |= which == Which::Files && call.name == "setitimer";
                        let counts = call.changes || looks_count && matches!(kind, Kind::Looks | Kind::Opens);
                        if counts {
                            calls.push(call);
                            let chosen = calls.len() == at;
                            if chosen || fault == Fault::DiskFull && calls.len() > at {
                                let (was_hit, then) = inject(tracee, calls.last().unwrap(), registers, fault);
                                hit |= was_hit;
                                after = then;
                            }
                        }
                    }
                    None if !entering => {
                        // The program itself begins when the shell has become it.
                        let number = i64::try_from(registers.orig_rax);
                        if number == Ok(libc::SYS_execve) && registers.rax == 0 {
                            tracee = Some(Tracee { id, memory: File::open(format!("/proc/{id}/mem")).unwrap() });
                        }
                    }
                    _ => finish(id, std::mem::replace(&mut after, After::Nothing), registers),
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

/// Puts the fault into a call that is about to be made.
fn inject(tracee: &Tracee, call: &Call, mut registers: Registers, fault: Fault) -> (bool, After) {
    let refuse = |errno| {
        let none = Registers { orig_rax: u64::MAX, ..registers };
        ptrace::setregs(tracee.id, none).unwrap();
        (true, After::Return(errno))
    };
    match fault {
        Fault::None | Fault::NoOpenat2(_) => (false, After::Nothing),
        Fault::KillBefore => {
            kill(tracee.id, Signal::SIGKILL).unwrap();
            (true, After::Nothing)
        }
        Fault::KillAfter => (true, After::Kill),
        Fault::Fails(errno) => refuse(errno),
        // Neither do the pipes to the host, for which the files here stand.
        Fault::DiskFull if NEED_NO_SPACE.contains(&call.name) || call.name == "write" && registers.rdi <= 2 => {
            (true, After::Nothing)
        }
        Fault::DiskFull => refuse(Errno::ENOSPC),
        Fault::Short | Fault::KillWithin => {
            let before = registers;
            let in_place = call.name == "pwrite64" && fault == Fault::KillWithin;
            if in_place || !tracee.shorten(call.name, &mut registers) {
                (false, After::Nothing)
            } else if fault == Fault::Short {
                (true, After::Restore(Box::new(before)))
            } else {
                (true, After::Kill)
            }
        }
        Fault::Hangs => {
            registers.orig_rax = u64::try_from(libc::SYS_pause).unwrap();
            ptrace::setregs(tracee.id, registers).unwrap();
            (true, After::Nothing)
        }
    }
}

/// What remains to be done when the call has returned.
fn finish(id: Pid, after: After, mut registers: Registers) {
    match after {
        After::Nothing => {}
        After::Kill => kill(id, Signal::SIGKILL).unwrap(),
        After::Return(errno) => {
            registers.rax = (-i64::from(errno as i32)).cast_unsigned();
            ptrace::setregs(id, registers).unwrap();
        }
        After::Restore(before) => {
            // A process may rely on every register but the one with the result.
            let result = registers.rax;
            registers = *before;
            registers.rax = result;
            registers.orig_rax = u64::MAX;
            ptrace::setregs(id, registers).unwrap();
        }
    }
}
