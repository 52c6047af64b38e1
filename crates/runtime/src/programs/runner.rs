//! The project's tests, run by a process of their own after changes.
//!
//! The hook that asks for them writes a ticket into `.test-runner.lock` and starts this executable again, detached. That process
//! waits until no newer ticket has come for a moment, and until the run before it has ended: a run that sees a newer ticket gives
//! up by itself. So one run at a time is on, it always follows the last change, and no process ends another's.
//!
//! What is recorded follows from the runner's exit status. Its output tells only how many tests failed.

use std::fs::TryLockError;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hook_policy::Outcome;
use hook_policy::effect::Test;
use hook_session_state::{Notes, Store};

use crate::Error;
use crate::event::effects;
use crate::event::run::Run;
use crate::facts::evidence;
use crate::facts::notes;
use crate::programs::launch::{self, Kind};
use crate::programs::process::{self, Bounds, End, Ended};
use crate::project::{self, Project};
use crate::system::System;
use crate::system::open::Beneath;
use crate::trust::consent;
use crate::trust::redefined::Spans;

/// The command of the executable that runs tests.
pub const COMMAND: &str = "run-tests";

/// The newest request: a token that no other request has.
const TICKET: &str = ".test-runner.lock";
/// Locked while tests run.
const RUNNING: &str = ".test-runner.running";
/// When the last run ended.
const LAST: &str = ".test-runner.last-run";
/// The end of the last run's output.
const OUTPUT: &str = ".test-runner.out";
/// The result, `result|fail_count|epoch`.
const STATUS: &str = ".test-status";
/// What is shown at the next prompt.
const FINDINGS: &str = ".agent-findings";
const AUDIT: &str = ".audit-log";

/// Lines of the output that are kept.
const KEPT_LINES: usize = 30;
/// Bytes of the output that are looked at.
const MOST_OUTPUT: usize = 4 << 20;
/// How long a run waits for the one before it to give up.
const MOST_WAIT: Duration = Duration::from_secs(20);

/// Asks for a run. From now on until it has ended the status says `running`, so that an older pass does not count.
pub fn start(test: &Test, project: &Project, run: &Run<'_>, outcome: &mut Outcome<'_>) -> Result<(), Error> {
    let root = Path::new(&test.root);
    let dir = Path::new(&test.dir);
    let name = test.command.first().map_or("", String::as_str);
    let program = launch::find(name, dir, root, run.system);
    let given = program.as_deref().map(|program| consent::given(Some(program), dir, root, project, run));
    let now = run.system.now.timestamp();
    let token = format!("{now}.{}", std::process::id());
    let store = effects::store(run, project);
    let request = || {
        let mut locked = store.lock()?;
        // Whatever is written below, an older pass counts no longer.
        evidence::keep(&mut locked, root, STATUS, None, run.system)?;
        let mut notes = locked.notes_below(root, &notes::dir(root))?;
        // A working tree that was added has no such file yet. Without it the tests run all the same.
        drop(project::ignore_records(root));
        if let Some(Ok(_)) = given {
            notes.put(TICKET, &format!("{token}\n"))?;
            return notes.put(STATUS, &format!("running|0|{now}\n"));
        }
        // Without its runner a project has no evidence, whatever an older run said. A request that still waits runs what has changed by now.
        let known = notes.read(STATUS)?.is_some_and(|status| status.starts_with("error|"));
        notes.put(STATUS, &format!("error|0|{now}\n"))?;
        notes.remove(TICKET)?;
        if let Some(Err(barred)) = &given {
            let said = barred.words(name);
            notes.put(OUTPUT, &format!("{said}\n"))?;
            return if known { Ok(()) } else { notes.add(FINDINGS, &format!("tests|{said}")) };
        }
        let way = "Install it, or name the project's command in .claude/hookbin.toml:";
        let example = "[change.test-runner.test-run]\ncommand = [\"python3\", \"-m\", \"unittest\"]";
        notes.put(OUTPUT, &format!("{name} is not installed, so no test was run. {way}\n{example}\n"))?;
        if known { Ok(()) } else { notes.add(FINDINGS, &format!("tests|{name} is not installed, so no test was run")) }
    };
    request().map_err(Error::new)?;
    let (Some(program), Some(given)) = (program, given) else { return Ok(()) };
    let since = match given {
        Ok(since) => since.text(),
        Err(barred) => {
            barred.tell(name, project, run, outcome);
            return Ok(());
        }
    };
    let cannot = |error| Error::new(format_args!("cannot start the tests: {error}"));
    let mut command = launch::own(run.system).map_err(cannot)?;
    command.arg(COMMAND).arg("--state").arg(project.state());
    command
        .arg("--root")
        .arg(root)
        .arg("--dir")
        .arg(dir)
        .args(["--name", &test.name, "--token", &token, "--since", &since]);
    for (option, seconds) in
        [("--debounce", test.debounce_seconds), ("--pause", test.pause_seconds), ("--limit", test.limit_seconds)]
    {
        command.arg(option).arg(seconds.to_string());
    }
    command.arg("--").arg(program).args(test.command.get(1..).unwrap_or_default()).current_dir(dir);
    process::detach(command).map_err(cannot)
}

/// One request, in the process that carries it out.
pub struct Job {
    /// The directory of the project's state.
    pub state: PathBuf,
    /// The project.
    pub root: PathBuf,
    /// The directory in which the command starts.
    pub dir: PathBuf,
    /// Name of the status file.
    pub name: String,
    /// Tells this request from later ones.
    pub token: String,
    /// Nothing that says what is run may have changed in these times.
    pub since: Spans,
    /// Quiet time before the command starts.
    pub debounce: Duration,
    /// Shortest time between two runs.
    pub pause: Duration,
    /// The longest that the command may run.
    pub limit: Duration,
    /// The command and its arguments.
    pub command: Vec<String>,
}

impl Job {
    /// Waits, runs the tests and records what they came to. False when a newer request took over, or when there is nothing to run.
    pub fn carry_out(&self, system: &System) -> Result<bool, Error> {
        let began = Instant::now();
        std::thread::sleep(self.debounce);
        if !self.is_wanted() {
            return Ok(false);
        }
        let lock = Beneath::new(&self.root).to_lock(&notes::dir(&self.root).join(RUNNING))?;
        let wait_until = Instant::now() + MOST_WAIT;
        loop {
            match lock.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if Instant::now() < wait_until && self.is_wanted() => {
                    std::thread::sleep(Duration::from_millis(50));
                }
                Err(_) => return Ok(false),
            }
        }
        let epoch = |began: Instant| system.now.timestamp() + i64::try_from(began.elapsed().as_secs()).unwrap_or(0);
        self.pause_after_last(epoch(began));
        if !self.is_wanted() {
            return Ok(false);
        }
        let Some((program, args)) = self.command.split_first() else { return Ok(false) };
        let program = Path::new(program);
        // Between the request and this moment the agent went on.
        if let Some(why) = consent::changed(Some(program), &self.dir, &self.root, &self.since) {
            self.give_up(&why, epoch(began))?;
            return Ok(false);
        }
        let mut command = launch::command(program, Kind::Project, system)?;
        // Runners that watch for changes, or colour their output, see from these that nobody looks on.
        command.args(args).current_dir(&self.dir).env("CI", "true").env("NO_COLOR", "1");
        let bounds = Bounds { time: self.limit, bytes: MOST_OUTPUT, errors: true };
        let mut looked = Instant::now();
        let mut wanted = true;
        let ended = process::run(command, bounds, &mut || {
            if looked.elapsed() >= Duration::from_millis(200) {
                looked = Instant::now();
                wanted = self.is_wanted();
            }
            wanted
        })?;
        if matches!(ended.end, End::GivenUp) {
            return Ok(false);
        }
        self.record(&ended, epoch(began), system)?;
        Ok(true)
    }

    /// Where the lock is that other writers of the notes take. Below the user's own directory there is nobody else's link.
    fn store(&self) -> Store {
        let store = Store::new(&self.state);
        if self.state.starts_with(&self.root) { store.below(&self.root) } else { store }
    }

    /// Records that nothing was run.
    fn give_up(&self, why: &consent::Barred, epoch: i64) -> Result<(), Error> {
        let store = self.store();
        let mut locked = store.lock()?;
        let mut notes = locked.notes_below(&self.root, &notes::dir(&self.root))?;
        if notes.read(TICKET)?.is_none_or(|ticket| ticket.trim() != self.token) {
            return Ok(());
        }
        let said = why.words(&self.name);
        notes.put(OUTPUT, &format!("{said}\n"))?;
        notes.put(STATUS, &format!("error|0|{epoch}\n"))?;
        notes.add(FINDINGS, &format!("tests|{said}"))?;
        notes.remove(TICKET)?;
        Ok(())
    }

    /// Whether no newer request has come.
    fn is_wanted(&self) -> bool {
        notes::read(&self.root, TICKET).is_some_and(|ticket| ticket.trim() == self.token)
    }

    /// Leaves the machine some time between two runs. A request that comes meanwhile takes over.
    fn pause_after_last(&self, now: i64) {
        let last = notes::read(&self.root, LAST).and_then(|text| text.trim().parse::<i64>().ok()).unwrap_or(0);
        let since = u64::try_from(now.saturating_sub(last)).unwrap_or(u64::MAX);
        let end = Instant::now() + self.pause.saturating_sub(Duration::from_secs(since));
        while Instant::now() < end && self.is_wanted() {
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn record(&self, ended: &Ended, epoch: i64, system: &System) -> Result<(), Error> {
        let text = hook_audit_log::redact(&ended.text()).into_owned();
        let (result, failures) = match &ended.end {
            End::Exited(status) if status.success() => ("pass", 0),
            End::Exited(status) if ran_nothing(&self.name, status.code()) => ("untested", 0),
            End::Exited(status) if status.code().is_some() => ("fail", failures(&text).max(1)),
            // Ended by a signal or by the limit: nobody knows what the tests would have said.
            _ => ("error", 0),
        };
        let store = self.store();
        let mut locked = store.lock()?;
        let dir = notes::dir(&self.root);
        if locked.notes_below(&self.root, &dir)?.read(TICKET)?.is_none_or(|ticket| ticket.trim() != self.token) {
            return Ok(());
        }
        let status = format!("{result}|{failures}|{epoch}\n");
        evidence::keep(&mut locked, &self.root, STATUS, Some(&status), system)?;
        let mut notes = locked.notes_below(&self.root, &dir)?;
        let lines: Vec<&str> = text.lines().collect();
        let last = lines.get(lines.len().saturating_sub(KEPT_LINES)..).unwrap_or_default().join("\n");
        notes.put(OUTPUT, &format!("{last}\n"))?;
        notes.put(STATUS, &status)?;
        notes.put(LAST, &format!("{epoch}\n"))?;
        notes.remove(TICKET)?;
        self.tell(&mut notes, result, failures, epoch)?;
        Ok(())
    }

    fn tell(
        &self,
        notes: &mut Notes<'_, '_>,
        result: &str,
        failures: u64,
        epoch: i64,
    ) -> Result<(), hook_session_state::Error> {
        let said = match result {
            "pass" | "untested" => return Ok(()),
            "fail" => format!("{}: {failures} failed", self.name),
            _ => format!("{} did not come to a result", self.name),
        };
        let stamp = hook_session_state::Time::from_unix(epoch).stamp().replace(' ', "T");
        notes.add(AUDIT, &format!("{stamp}Z|test_fail|{said}"))?;
        notes.add(FINDINGS, &format!("tests|{said}; .claude/{OUTPUT} shows the end of the run"))
    }
}

/// Whether this exit status says that there was nothing to run: `pytest` has one for that.
fn ran_nothing(name: &str, code: Option<i32>) -> bool {
    name == "pytest" && code == Some(5)
}

/// How many tests failed, as the summaries of the known runners count them; 0 when none of them is found.
fn failures(output: &str) -> u64 {
    let (mut cargo, mut go, mut others) = (0_u64, 0_u64, 0_u64);
    for line in output.lines().map(str::trim) {
        if let Some(summary) = line.strip_prefix("test result:") {
            cargo = cargo.saturating_add(counted(summary));
        } else if line.starts_with("--- FAIL:") {
            go = go.saturating_add(1);
        } else if line.starts_with("Tests:") || line.starts_with("Tests ") || line.contains(" in ") {
            others = others.max(counted(line));
        }
    }
    cargo.max(go).max(others)
}

/// The number before the word `failed`.
fn counted(line: &str) -> u64 {
    let words: Vec<&str> = line
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '='))
        .filter(|word| !word.is_empty())
        .collect();
    let found = words.windows(2).find_map(|pair| match pair {
        [number, "failed"] => number.parse().ok(),
        _ => None,
    });
    found.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_counted_by_summaries_not_by_words() {
        let cargo = "test a ... FAILED\ntest result: FAILED. 3 passed; 2 failed; 0 ignored\nerror: test failed\n\
                     test result: FAILED. 1 passed; 1 failed; 0 ignored\n";
        assert_eq!(failures(cargo), 3);
        assert_eq!(failures("FAILED a.py::b - x\n=== 2 failed, 1 passed in 0.12s ===\n"), 2);
        assert_eq!(failures("FAIL src/a.test.js\nTests:       4 failed, 5 passed, 9 total\n"), 4);
        assert_eq!(failures(" Tests  1 failed | 2 passed (3)\n"), 1);
        assert_eq!(failures("--- FAIL: TestA (0.00s)\n--- FAIL: TestB (0.00s)\nFAIL\n"), 2);
        assert_eq!(failures("ERROR failed FAIL error everywhere\n"), 0);
        assert_eq!(failures("test result: ok. 3 passed; 0 failed; 0 ignored"), 0);
    }
}
