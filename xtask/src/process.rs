//! Children with a limit: started in a group of their own, ended by id, and looked for afterwards by a mark in their environment.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// The longest time between two looks of a waiting loop.
const STEP: Duration = Duration::from_millis(10);

/// How long what a client started may outlive it.
const GRACE: Duration = Duration::from_secs(3);

/// The exit code of a shell's command that the user interrupts.
const INTERRUPTED: i32 = 130;

/// A child that has ended, or was ended.
pub(crate) struct Ended {
    pub(crate) status: Option<ExitStatus>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    /// Exit code; `None` when it was ended here or by a signal.
    pub(crate) fn code(&self) -> Option<i32> {
        self.status.and_then(|status| status.code())
    }
}

/// Held while a child is started; [`interrupt`] never gives it back.
static GATE: Mutex<()> = Mutex::new(());

/// Starts a child, unless this process is about to go.
pub(crate) fn gate<T>(start: impl FnOnce() -> T) -> T {
    let _open = GATE.lock().unwrap_or_else(PoisonError::into_inner);
    start()
}

/// Ends every process with this mark, by id.
pub(crate) fn end_now(name: &str, value: &str) {
    for pid in marked(&format!("{name}={value}")) {
        end(pid);
    }
}

/// Ends every process with this mark and this process, and removes the directory: for a run that nobody waits for any more.
pub(crate) fn interrupt(name: &str, value: &str, dir: &Path) -> ! {
    let _shut = GATE.lock().unwrap_or_else(PoisonError::into_inner);
    let mark = format!("{name}={value}");
    let until = Instant::now() + GRACE;
    // A process that is being started while the list is read stands in the next one.
    loop {
        let left = marked(&mark);
        for pid in &left {
            end(*pid);
        }
        let is_gone = fs::remove_dir_all(dir).is_ok() || !dir.exists();
        if (left.is_empty() && is_gone) || Instant::now() >= until {
            std::process::exit(INTERRUPTED);
        }
        thread::sleep(STEP * 5);
    }
}

/// Runs to the end, or to the limit; standard input is empty.
pub(crate) fn run(mut command: Command, limit: Duration) -> Result<Ended> {
    own_group(&mut command);
    run_with_us(command, limit)
}

/// The same, but a key that interrupts this process interrupts the other one as well.
pub(crate) fn run_with_us(mut command: Command, limit: Duration) -> Result<Ended> {
    let name = command.get_program().display().to_string();
    let until = Instant::now() + limit;
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = gate(|| command.spawn()).with_context(|| format!("start {name}"))?;
    let stdout = reader(child.stdout.take());
    let stderr = reader(child.stderr.take());
    let status = wait(&mut child, until)?;
    Ok(Ended { status, stdout: text(stdout), stderr: text(stderr) })
}

/// Waits until the moment given; then the child and its group are killed, and the answer is `None`.
pub(crate) fn wait(child: &mut Child, until: Instant) -> Result<Option<ExitStatus>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().context("wait for a child")? {
            return Ok(Some(status));
        }
        if Instant::now() >= until {
            kill_group(child);
            child.wait().context("wait for a killed child")?;
            return Ok(None);
        }
        // Short at first, because a hook takes a millisecond; longer for what is slow.
        thread::sleep((start.elapsed() / 8).clamp(Duration::from_micros(100), STEP));
    }
}

/// Puts the child into a process group that has its id.
pub(crate) fn own_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Kills a child that was started by [`own_group`], and what is still in its group.
fn kill_group(child: &mut Child) {
    #[cfg(unix)]
    let _ = rustix::process::kill_process_group(rustix::process::Pid::from_child(child), rustix::process::Signal::KILL);
    // It may have ended by itself in the meantime.
    let _ = child.kill();
}

fn reader(pipe: Option<impl Read + Send + 'static>) -> Option<JoinHandle<Vec<u8>>> {
    pipe.map(|mut pipe| {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            // Whatever came before a fault is worth having.
            let _ = pipe.read_to_end(&mut bytes);
            bytes
        })
    })
}

/// What a reader got. A grandchild that keeps the pipe open must not hold the run: it is looked for before this.
fn text(reader: Option<JoinHandle<Vec<u8>>>) -> String {
    let Some(reader) = reader else { return String::new() };
    let until = Instant::now() + GRACE;
    while !reader.is_finished() && Instant::now() < until {
        thread::sleep(STEP);
    }
    if !reader.is_finished() {
        return String::new();
    }
    String::from_utf8_lossy(&reader.join().unwrap_or_default()).into_owned()
}

/// Ends what still carries `NAME=VALUE…` in its environment after a while, by id; says what it was.
///
/// Every process that a run starts inherits the mark, also one that left its group and session.
pub(crate) fn end_leftovers(name: &str, value: &str) -> Vec<String> {
    let until = Instant::now() + GRACE;
    let mark = format!("{name}={value}");
    loop {
        let left = marked(&mark);
        if left.is_empty() {
            return Vec::new();
        }
        if Instant::now() >= until {
            return left.into_iter().map(end).collect();
        }
        thread::sleep(STEP * 5);
    }
}

fn end(pid: u32) -> String {
    let command = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let command = String::from_utf8_lossy(&command).replace('\0', " ");
    #[cfg(unix)]
    if let Some(pid) = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw) {
        // It may be gone by now.
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
    }
    format!("{pid}: {}", command.trim_end())
}

/// Ids of the processes with a variable that begins with this mark; none on a system without `/proc`.
fn marked(mark: &str) -> Vec<u32> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let own = std::process::id();
    let ids = entries.flatten().filter_map(|entry| entry.file_name().to_str().and_then(|name| name.parse().ok()));
    ids.filter(|pid| *pid != own && has_mark(*pid, mark)).collect()
}

fn has_mark(pid: u32, mark: &str) -> bool {
    let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    environment.split(|byte| *byte == 0).any(|variable| variable.starts_with(mark.as_bytes()))
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    fn sh(script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.arg("-c").arg(script).env_clear();
        command
    }

    #[test]
    fn a_child_that_does_not_end_is_ended_and_its_output_kept() {
        let begin = Instant::now();
        let ended = run(sh("echo begun; exec /bin/sleep 60"), Duration::from_millis(300)).unwrap();
        assert!(ended.status.is_none() && begin.elapsed() < Duration::from_secs(30));
        assert_eq!(ended.stdout, "begun\n");
        let ended = run(sh("echo out; echo err >&2; exit 3"), Duration::from_secs(20)).unwrap();
        assert_eq!((ended.code(), ended.stdout.as_str(), ended.stderr.as_str()), (Some(3), "out\n", "err\n"));
    }

    #[test]
    fn what_left_its_session_is_found_by_its_mark() {
        let value = format!("{}-leftover", std::process::id());
        // The shell ends when the child is what it is to be found as.
        let script =
            "/usr/bin/setsid /bin/sleep 60 >/dev/null 2>&1 & until /bin/grep -q sleep /proc/$!/comm; do :; done";
        let mut command = sh(script);
        command.env("E2E_TEST_MARK", &value);
        assert_eq!(run(command, Duration::from_secs(20)).unwrap().code(), Some(0));
        let left = end_leftovers("E2E_TEST_MARK", &value);
        assert!(left.len() == 1 && left[0].contains("sleep 60"), "{left:?}");
        assert!(end_leftovers("E2E_TEST_MARK", &value).is_empty());
    }
}
