//! What a registry says: rows as readers get them, and how ages and addresses are written.

use serde::Serialize;

use super::event::Process;

/// A session as the registry knows it. Times are milliseconds since 1970, UTC.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Session {
    /// Its id.
    pub session_id: String,
    /// Its role.
    pub role: String,
    /// Its mode.
    pub mode: String,
    /// `interactive` or `mission`.
    pub session_type: String,
    /// The older, finer kind.
    pub session_subtype: Option<String>,
    /// The execution that it carries out.
    pub mission_execution_id: Option<String>,
    /// When it first began.
    pub started_at: i64,
    /// Its last sign of life.
    pub last_seen_at: i64,
    /// When it ended.
    pub ended_at: Option<i64>,
    /// Why: a reason of the host, or `pane_reused` or `lost`.
    pub end_reason: Option<String>,
    /// The transcript's path.
    pub transcript_path: Option<String>,
    /// The host's own id.
    pub claude_session_id: Option<String>,
    /// The working directory.
    pub cwd: Option<String>,
    /// The pane to wake it by.
    pub tmux_pane: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// What it says it works on.
    pub status_text: Option<String>,
    /// `idle`, `active`, `tool_active` or `ended`.
    pub current_state: String,
    /// Whether it has told its parent that it is about to end.
    pub has_pinged: bool,
    /// When its row was made.
    pub created_at: i64,
    /// When its row last changed.
    pub updated_at: i64,
    /// The conversation that workers report to.
    pub conversation_id: Option<String>,
    /// The session that started it.
    pub parent_session_id: Option<String>,
    /// The highest context warning given so far, in percent.
    pub context_warning_level: i64,
    /// The machine it runs on.
    pub host: Option<String>,
    /// The host's process on that machine.
    pub process: Option<Process>,
    /// How many records were applied to it.
    pub event_count: i64,
}

/// Which sessions are wanted. The default is every open one.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Ended ones too.
    pub ended: bool,
    /// Only those of this conversation.
    pub conversation: Option<String>,
}

/// What a name of a session led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// No session's id begins like this.
    None,
    /// The session of this id, or the only one whose id begins like this.
    One(Box<Session>),
    /// The ids of several, in order; at most 20.
    Many(Vec<String>),
}

/// What was applied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// Records that were new.
    pub new: usize,
    /// Records that had been applied before.
    pub repeated: usize,
    /// What a user may want to know, such as the execution of a mission that is in no table.
    pub warnings: Vec<String>,
}

/// Which sessions count as lost: what is `None` is not asked.
#[derive(Clone, Default)]
pub struct Lost<'a> {
    /// Those without a sign of life since this time.
    pub silent_since: Option<i64>,
    /// Those whose process is gone.
    pub process_gone: Option<ProcessGone<'a>>,
}

/// How to know which processes of a machine are gone.
#[derive(Clone, Copy)]
pub struct ProcessGone<'a> {
    /// The machine. Sessions of another are not asked about.
    pub host: &'a str,
    /// Whether this process is gone.
    pub is_gone: &'a dyn Fn(Process) -> bool,
}

/// A worker that is done, as it is reported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FinishedWorker {
    /// Its id.
    pub id: String,
    /// What kind of task it had.
    pub task_type: Option<String>,
    /// Its result in short.
    pub report_summary: Option<String>,
    /// When it was done.
    pub completed_at: i64,
}

/// The workers of a conversation that have a result, each list with the oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Finished {
    /// Never reported to the conversation.
    pub fresh: Vec<FinishedWorker>,
    /// Reported, and not acknowledged.
    pub waiting: Vec<FinishedWorker>,
}

/// Somebody who can be written to. Addresses are kept in their normal form; see [`normal_phone`] and [`normal_email`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contact {
    /// The id.
    pub id: String,
    /// The name.
    pub name: String,
    /// The telephone number.
    pub phone: Option<String>,
    /// The e-mail address.
    pub email: Option<String>,
    /// The tags, which replace those of before.
    pub tags: Vec<String>,
}

/// A telephone number as its digits, with `+` where it is international: `+49 (30) 1234` and `0049-30-1234` are `+49301234`. `None` if
/// there is no digit in it, or a letter.
pub fn normal_phone(text: &str) -> Option<String> {
    let text = text.trim();
    if text.chars().any(char::is_alphabetic) {
        return None;
    }
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let (international, digits) = match digits.strip_prefix("00") {
        Some(rest) if !text.starts_with('+') => (true, rest),
        _ => (text.starts_with('+'), digits.as_str()),
    };
    (!digits.is_empty()).then(|| if international { format!("+{digits}") } else { digits.to_owned() })
}

/// An e-mail address in lower case. `None` if there is no `@` with something on both sides.
pub fn normal_email(text: &str) -> Option<String> {
    let (name, domain) = text.trim().rsplit_once('@')?;
    (!name.is_empty() && !domain.is_empty()).then(|| text.trim().to_lowercase())
}

/// How long ago something was, in short: `just now` below a minute, then `5m`, `3h`, `1d`, and from two days on with a warning sign.
/// A time in the future counts as now.
pub fn age(millis: i64) -> String {
    const MINUTE: i64 = 60_000;
    const HOUR: i64 = 60 * MINUTE;
    const DAY: i64 = 24 * HOUR;
    match millis {
        _ if millis < MINUTE => "just now".to_owned(),
        _ if millis < HOUR => format!("{}m", millis / MINUTE),
        _ if millis < DAY => format!("{}h", millis / HOUR),
        _ if millis < 2 * DAY => format!("{}d", millis / DAY),
        _ => format!("{}d \u{26a0}", millis / DAY),
    }
}
