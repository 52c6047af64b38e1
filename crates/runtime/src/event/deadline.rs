//! The deadline of one hook run, and the marks by which a run that missed it is answered.
//!
//! The entry installed in a settings file has a time limit of [`crate::config::settings::TIMEOUT_SECONDS`]; past it the host ends the
//! process and goes on as if there were no hook. So the run ends itself well before: a timer of the kernel replaces it by a fresh
//! process of the same executable, which reads no payload and refuses a call ("the last answer").

use std::ffi::CStr;

use hook_protocol::event::EventName;

/// Milliseconds of an ordinary run, from the start of the process.
pub const MILLIS: u16 = 5_000;

/// Milliseconds from the start of the process in which it may wait for locks.
pub const WAIT_MILLIS: u16 = 4_500;

/// Milliseconds from the start of the process in which programs that the answer waits for have to end.
pub const PROGRAM_MILLIS: u16 = 4_000;

/// Milliseconds of the run that answers for one that was late.
pub const LATE_MILLIS: u16 = 3_000;

/// Longest wait for the end of stdin. What has arrived by then is taken for all.
pub const STDIN_MILLIS: u16 = 2_500;

/// The argument after `hook` that marks a run that answers for one that was late.
pub const LATE_MARK: &str = "--late";

/// [`LATE_MARK`] for the system call.
pub const LATE_MARK_C: &CStr = c"--late";

/// The running executable, whatever its name is by now.
pub const OWN_EXECUTABLE: &CStr = c"/proc/self/exe";

/// The last answer of a call that could not be checked: it is compiled in and reads nothing, and exit code 2 beside it refuses.
pub const LAST_ANSWER: &str =
    "hookbin could not check this call before its deadline, so it is refused. `hookbin doctor` looks for the cause.\n";

/// Whether an event asks whether something may run, so that what cannot be checked is refused: a tool call, and a command in the text of a
/// skill.
pub fn is_guarded(event: &EventName<'_>) -> bool {
    matches!(event, EventName::PreToolUse | EventName::PreSkillShellCommand)
}

/// Whether a run that cannot answer has to refuse, by the event that its entry was installed for: one of those that are guarded, in the
/// words of any client. A name that may be one of a handler, and none at all, may mean that event too; other events have names in capitals.
pub fn refuses(subject: Option<&[u8]>) -> bool {
    let Some(subject) = subject else { return true };
    let name = std::str::from_utf8(subject).unwrap_or_default();
    let event = EventName::from(name);
    is_guarded(&event)
        || EventName::in_other_words(name).is_some()
        || event.index().is_none() && !name.starts_with(|first: char| first.is_ascii_uppercase())
}
