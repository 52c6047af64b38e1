//! Starting a program for its output: with a time limit, and through files, so that neither side ever waits for the other.

use std::fs::File;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use anyhow::Context as _;

/// How often a waiting loop looks.
const STEP: Duration = Duration::from_micros(200);

/// A program that has ended.
pub(super) struct Ended {
    pub(super) status: ExitStatus,
    pub(super) stdout: String,
    pub(super) stderr: String,
    /// Milliseconds from start to end.
    pub(super) millis: u64,
}

/// Runs to the end and returns what was printed, or `None` when the limit came first; the program is killed then.
///
/// # Errors
///
/// When it cannot be started or waited for, or no file can be made in the temporary directory.
pub(super) fn run(mut command: Command, stdin: &str, limit: Duration) -> anyhow::Result<Option<Ended>> {
    let dir = tempfile::tempdir().context("cannot make a temporary directory")?;
    let path = |name: &str| dir.path().join(name);
    // A file and not a pipe: a program that reads nothing would end this process by a signal.
    std::fs::write(path("stdin"), stdin)?;
    command.stdin(File::open(path("stdin"))?);
    command.stdout(File::create(path("stdout"))?).stderr(File::create(path("stderr"))?);
    let begin = Instant::now();
    let mut child =
        command.spawn().with_context(|| format!("it does not start ({})", command.get_program().display()))?;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if begin.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(STEP);
    };
    let millis = u64::try_from(begin.elapsed().as_millis()).unwrap_or(u64::MAX);
    let read = |name: &str| std::fs::read(path(name)).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(Some(Ended { status, stdout: read("stdout")?, stderr: read("stderr")?, millis }))
}
