//! Text logs of the state directory, within the limits of the profile.

use std::path::PathBuf;

use hook_audit_log::text::TextLog;

use crate::event::run::Run;
use crate::project::Project;

/// Appends one line to the log called `file`, after rotating it if it is due. Returns what went wrong; a log that cannot
/// be rotated still gets its line.
pub fn append(run: &Run<'_>, project: &Project, file: &str, line: &str) -> Vec<String> {
    append_to(run, project, project.state().join(file), line)
}

/// The same for a log that lies elsewhere in the project.
pub fn append_to(run: &Run<'_>, project: &Project, path: PathBuf, line: &str) -> Vec<String> {
    let limits = run.plan.settings.text_log;
    let log = TextLog {
        max_bytes: limits.max_bytes,
        keep_lines: usize::try_from(limits.keep_lines).unwrap_or(usize::MAX),
        lock_wait: run.system.lock_timeout(),
        ..project.text_log(path)
    };
    let rotated = log.rotate_if_needed().map(drop);
    let log = TextLog { lock_wait: run.system.lock_timeout(), ..log };
    [rotated, log.append(line)].into_iter().filter_map(Result::err).map(|error| error.to_string()).collect()
}
