//! How a process is measured: wall time, and the counts that repeat exactly.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::sandbox::{Launch, open};
use crate::workspace::find_program;

/// What one process costs, apart from time. `None` is "not measured": the tool or the system does not offer it.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Instructions in user space, by callgrind.
    pub(crate) instructions: Option<u64>,
    /// Minor page faults, by the kernel's account of the finished child.
    pub(crate) faults: Option<u64>,
    /// System calls including `execve` and `exit_group`, by strace.
    pub(crate) syscalls: Option<u64>,
    /// Peak resident memory in KiB, by GNU time, whose own 1 MiB is the floor of what it can see.
    pub(crate) peak_kib: Option<u64>,
}

/// The tools of this machine, looked up once.
pub(crate) struct Tools {
    valgrind: Option<PathBuf>,
    strace: Option<PathBuf>,
    time: Option<PathBuf>,
}

/// Each count is taken this often and the least is kept: what a run costs more than that is the machine's doing.
pub(crate) const REPEATS: usize = 3;

impl Tools {
    pub(crate) fn find() -> Self {
        Self { valgrind: find_program("valgrind"), strace: find_program("strace"), time: find_program("time") }
    }

    /// One line for each tool that is missing and the column that therefore stays empty.
    pub(crate) fn missing(&self) -> Vec<&'static str> {
        let mut lines = Vec::new();
        if self.valgrind.is_none() {
            lines.push("instructions are not measured: valgrind is not installed");
        }
        if self.strace.is_none() {
            lines.push("system calls are not measured: strace is not installed");
        }
        if self.time.is_none() {
            lines.push("peak memory is not measured: GNU time is not installed");
        }
        if !cfg!(target_os = "linux") {
            lines.push("page faults are not measured: only Linux tells them of a finished child");
        }
        lines
    }

    /// Counts the program; `payload` gives a fresh payload file for every start.
    pub(crate) fn count(&self, program: &Launch, payload: &mut dyn FnMut() -> Result<PathBuf>) -> Result<Counts> {
        self.count_often(program, payload, REPEATS)
    }

    /// The same with another number of repeats, where many programs are to be counted.
    pub(crate) fn count_often(
        &self,
        program: &Launch,
        payload: &mut dyn FnMut() -> Result<PathBuf>,
        repeats: usize,
    ) -> Result<Counts> {
        let mut least = Counts::default();
        for _ in 0..repeats {
            lower(&mut least.faults, faults(program.command(), &payload()?)?);
            if let Some(valgrind) = &self.valgrind {
                let options = ["--tool=callgrind", "--callgrind-out-file=/dev/null"].map(OsString::from);
                let text = stderr_of(program.under(valgrind, &options), &payload()?)?;
                lower(&mut least.instructions, collected(&text));
            }
            if let Some(strace) = &self.strace {
                let report = payload()?.with_extension("strace");
                let options = ["-f".into(), "-o".into(), report.clone().into_os_string()];
                stderr_of(program.under(strace, &options), &payload()?)?;
                let trace = fs::read(&report).with_context(|| format!("read {}", report.display()))?;
                lower(&mut least.syscalls, calls_in(&String::from_utf8_lossy(&trace)));
            }
            if let Some(time) = &self.time {
                let report = payload()?.with_extension("time");
                let options = ["-f".into(), "%M".into(), "-o".into(), report.clone().into_os_string()];
                stderr_of(program.under(time, &options), &payload()?)?;
                let text = fs::read_to_string(&report).with_context(|| format!("read {}", report.display()))?;
                // After a non-zero status the number stands in the second line.
                lower(&mut least.peak_kib, text.lines().last().and_then(|line| line.trim().parse().ok()));
            }
        }
        Ok(least)
    }
}

/// Spawn to exit, with the payload as standard input and both outputs discarded.
pub(crate) fn wall_time(command: &mut Command, payload: &Path) -> Result<Duration> {
    command.stdin(open(payload)?).stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let status = command.spawn().and_then(|mut child| child.wait());
    let elapsed = start.elapsed();
    status.with_context(|| format!("run {}", command.get_program().display()))?;
    Ok(elapsed)
}

fn lower(least: &mut Option<u64>, value: Option<u64>) {
    *least = match (*least, value) {
        (Some(old), Some(new)) => Some(old.min(new)),
        (old, new) => old.or(new),
    };
}

/// Runs under a tool and returns what the tool says. The exit status is the program's own and was judged before.
fn stderr_of(mut command: Command, payload: &Path) -> Result<String> {
    let output = command.stdin(open(payload)?).output();
    let output = output.with_context(|| format!("run {}", command.get_program().display()))?;
    if output.status.code().is_none() {
        bail!("{} was ended by a signal: {}", command.get_program().display(), output.status);
    }
    Ok(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The minor faults of a child, read after it has ended and before it is reaped, as nothing remembers them later.
fn faults(mut command: Command, payload: &Path) -> Result<Option<u64>> {
    command.stdin(open(payload)?).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().with_context(|| format!("run {}", command.get_program().display()))?;
    let faults = faults_of_ended(&child);
    child.wait().with_context(|| format!("wait for {}", command.get_program().display()))?;
    Ok(faults)
}

#[cfg(unix)]
fn faults_of_ended(child: &Child) -> Option<u64> {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

    let pid = Pid::from_child(child);
    let ended = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
    ended.ok().flatten()?;
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
    minor_faults(&stat)
}

#[cfg(not(unix))]
fn faults_of_ended(_child: &Child) -> Option<u64> {
    None
}

/// The tenth field of `/proc/PID/stat`; the second may hold spaces and ends with the last bracket.
#[cfg(any(unix, test))]
fn minor_faults(stat: &str) -> Option<u64> {
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_whitespace().nth(7)?.parse().ok()
}

/// The number behind `Collected :` in callgrind's last lines.
fn collected(text: &str) -> Option<u64> {
    let (_, rest) = text.rsplit_once("Collected :")?;
    rest.split_whitespace().next()?.parse().ok()
}

/// Calls in a trace: lines such as `123  read(0, …`, without resumed halves, signals and exits.
fn calls_in(trace: &str) -> Option<u64> {
    let is_call = |line: &&str| {
        let call = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
        call.split_once('(').is_some_and(|(name, _)| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        })
    };
    match trace.lines().filter(is_call).count() {
        0 => None,
        count => u64::try_from(count).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_tools_print() {
        let callgrind = "==1== Events    : Ir\n==1== Collected : 60344\n==1== \n==1== I   refs:      60,344\n";
        assert_eq!(collected(callgrind), Some(60_344));
        assert_eq!(collected("valgrind: failed to start tool"), None);

        let strace = "6713  execve(\"./n\", [\"./n\"], 0x7ff /* 0 vars */) = 0\n6713  read(0,  <unfinished ...>\n\
                      6713  <... read resumed>\"(\", 1) = 1\n6713  --- SIGALRM {si_signo=SIGALRM} ---\n\
                      6713  exit_group(0)                     = ?\n6713  +++ exited with 0 +++\n";
        assert_eq!(calls_in(strace), Some(3));
        assert_eq!(calls_in(""), None);

        let stat = "6713 (a (b) c) Z 1 6713 6713 0 -1 4194316 54 0 0 0 0 0 0 0 20 0 1 0";
        assert_eq!(minor_faults(stat), Some(54));
    }

    #[test]
    fn a_missing_value_never_lowers_a_count() {
        let mut least = None;
        for value in [None, Some(5), None, Some(4), Some(9)] {
            lower(&mut least, value);
        }
        assert_eq!(least, Some(4));
    }
}
