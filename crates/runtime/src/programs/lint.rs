//! Running a linter on a file that was written, and resting after failures in a row.

use std::path::Path;
use std::time::Duration;

use hook_policy::effect::Lint;
use hook_policy::{Context, Outcome};
use hook_session_state::Store;

use crate::event::effects;
use crate::event::run::Run;
use crate::facts::notes;
use crate::programs::launch::{self, Kind};
use crate::programs::process::{self, Bounds, End};
use crate::project::Project;
use crate::trust::consent;

/// The file of the breaker: `state|failures|epoch`.
const BREAKER: &str = ".lint-breaker";

/// Bytes of a linter's output that the model gets.
const MOST_OUTPUT: usize = 4 << 10;

/// Whether linting rests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Breaker {
    open: bool,
    failures: u32,
    epoch: i64,
}

impl Breaker {
    /// Reads the file; anything that is not understood is a breaker that never opened.
    fn read(root: &Path) -> Self {
        let read = || {
            let text = notes::read(root, BREAKER)?;
            let mut fields = text.trim().split('|').map(str::trim);
            let state = fields.next()?;
            Some(Self {
                open: state == "open" || state == "half-open",
                failures: fields.next()?.parse().ok()?,
                epoch: fields.next()?.parse().ok()?,
            })
        };
        read().unwrap_or_default()
    }

    fn text(self) -> String {
        format!("{}|{}|{}\n", if self.open { "open" } else { "closed" }, self.failures, self.epoch)
    }
}

/// Lints one file. What the linter says goes back to the model; what could not be done is returned for the log.
pub fn run(lint: &Lint, project: &Project, run: &Run<'_>, outcome: &mut Outcome<'_>) -> Vec<String> {
    let now = run.system.now.timestamp();
    let before = Breaker::read(project.root());
    let rests = i64::from(lint.rest_seconds) - now.saturating_sub(before.epoch).max(0);
    if before.open && rests > 0 {
        let text =
            format!("{} failed {} times in a row, so it rests for {rests} more seconds.", lint.name, before.failures);
        outcome.context.push(Context { text, plain: false });
        return Vec::new();
    }
    let Some((program, args)) = lint.command.split_first() else { return Vec::new() };
    let dir = Path::new(&lint.dir);
    // A linter that is not installed has found nothing.
    let Some(program) = launch::find(program, dir, project.root(), run.system) else { return Vec::new() };
    if let Err(barred) = consent::given_for(Path::new(&lint.file), &program, dir, project, run) {
        barred.tell(&lint.name, project, run, outcome);
        return Vec::new();
    }
    let mut command = match launch::command(&program, Kind::Project, run.system) {
        Ok(command) => command,
        Err(error) => return vec![format!("cannot run {}: {error}", lint.name)],
    };
    command.args(args).current_dir(dir).env("NO_COLOR", "1");
    let time = Duration::from_millis(u64::from(lint.limit_ms)).min(run.system.time_for_programs());
    let ended = match process::run(command, Bounds { time, bytes: MOST_OUTPUT, errors: true }, &mut || true) {
        Ok(ended) => ended,
        Err(error) => return vec![format!("cannot run {}: {error}", lint.name)],
    };
    let mut faults = Vec::new();
    let good = ended.is_good();
    match ended.end {
        End::Exited(_) if good => {}
        End::Exited(_) => {
            let said = hook_audit_log::redact(ended.text().trim()).into_owned();
            let cut = if ended.cut { "[…]\n" } else { "" };
            let file = lint.file.strip_prefix(&format!("{}/", project.root().display())).unwrap_or(&lint.file);
            outcome.feedback.push(format!("{} found faults in {file}:\n{cut}{said}", lint.name));
        }
        End::TimedOut | End::GivenUp => {
            faults.push(format!("{} took longer than {} ms and was ended", lint.name, time.as_millis()));
        }
    }
    let failures = if good { 0 } else { before.failures.saturating_add(1) };
    let after = Breaker { open: failures >= lint.failures.max(1), failures, epoch: now };
    if (after.open, after.failures) != (before.open, before.failures) || after.open {
        faults.extend(record(after, project, run).err());
    }
    faults
}

fn record(breaker: Breaker, project: &Project, run: &Run<'_>) -> Result<(), String> {
    let store: Store = effects::store(run, project);
    let put = || {
        let mut locked = store.lock()?;
        locked.notes_below(project.root(), &notes::dir(project.root()))?.put(BREAKER, &breaker.text())
    };
    put().map_err(|error| error.to_string())
}
