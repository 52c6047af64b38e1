//! Text logs of the state folder, within the limits of the profile.

use hook_audit_log::text::TextLog;

use crate::project::Project;
use crate::run::Run;

/// Appends one line to the log called `file`, after rotating it if it is due (S0-62, S0-63). Returns what went wrong; a log that cannot
/// be rotated still gets its line.
pub(crate) fn append(run: &Run<'_>, project: &Project, file: &str, line: &str) -> Vec<String> {
    let limits = run.plan.settings.text_log;
    let log = TextLog {
        max_bytes: limits.max_bytes,
        keep_lines: usize::try_from(limits.keep_lines).unwrap_or(usize::MAX),
        lock_wait: run.host.patience(),
        ..TextLog::new(project.state().join(file))
    };
    let rotated = log.rotate_if_needed().map(drop);
    let log = TextLog { lock_wait: run.host.patience(), ..log };
    [rotated, log.append(line)].into_iter().filter_map(Result::err).map(|error| error.to_string()).collect()
}
