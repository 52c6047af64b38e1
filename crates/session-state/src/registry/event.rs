//! What happened to a session, a worker or a mission, as one record that any registry can apply once.

use std::sync::atomic::{AtomicU32, Ordering};

use serde::{Deserialize, Serialize};

/// Version of the record. A reader skips records of a newer version, counts them, and leaves them where they are.
pub const REGISTRY_EVENT_VERSION: u32 = 1;

/// The longest text that a record keeps, in bytes; longer ones are cut at a character.
pub const MAX_TEXT_BYTES: usize = 4_096;

/// One record of the spool: a change, whose it is, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegistryEvent {
    /// [`REGISTRY_EVENT_VERSION`] of the writer.
    pub v: u32,
    /// A name that no other record has, so that a record delivered twice is applied once.
    pub id: EventId,
    /// Milliseconds since the start of 1970, UTC.
    pub at: i64,
    /// The session. Empty for changes that belong to none, such as that of a mission's execution.
    pub session: String,
    /// What changed.
    pub change: Change,
}

impl RegistryEvent {
    /// A record of this version. Texts longer than [`MAX_TEXT_BYTES`] are cut.
    pub fn new(id: EventId, at: i64, session: &str, mut change: Change) -> Self {
        let mut session = session.to_owned();
        cut(&mut session);
        change.bound();
        Self { v: REGISTRY_EVENT_VERSION, id, at, session, change }
    }

    /// The record in a line of the spool, with its texts bounded; `None` if it is none, or one of a newer version.
    #[cfg(feature = "sqlite")]
    pub(super) fn parse(line: &str) -> Option<Self> {
        let read: Self = serde_json::from_str(line).ok()?;
        let id = EventId::named(&read.id.0);
        (read.v == REGISTRY_EVENT_VERSION).then(|| Self::new(id, read.at, &read.session, read.change))
    }
}

/// The name of a record.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EventId(String);

impl EventId {
    /// A new name, made of the real time in nanoseconds since 1970, the process's id, and a count kept by this process. Give it the
    /// system's clock, not a time set for tests: two records with equal parts count as one.
    pub fn unique(nanos: u64, pid: u32) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        Self(format!("{nanos:016x}-{pid:x}-{count:x}"))
    }

    /// A name that the caller vouches for, such as one derived from another record.
    pub fn named(name: &str) -> Self {
        let mut name = name.to_owned();
        cut(&mut name);
        Self(name)
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What changed. Every change of a session also counts as a sign of life.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Change {
    /// The session began or goes on: its row is made or refreshed, its end is forgotten, it is idle. What is not known here keeps its
    /// stored value. Other open sessions of this machine in the same pane end as `pane_reused`. The execution named by
    /// `mission_execution_id` gets the session's id.
    Started(Box<Start>),
    /// It lives.
    Heartbeat,
    /// It does something else now.
    State(State),
    /// What it says it works on. Empty takes the text back.
    Status(String),
    /// The highest context warning given so far, in percent. 0 begins again.
    Context(u32),
    /// Whether it has told its parent that it is about to end.
    Pinged(bool),
    /// It ended, for this reason.
    Ended(String),
    /// It belongs to this conversation from now on.
    Conversation(String),
    /// A worker was made or changed. What is not known here keeps its stored value.
    Worker(Box<Worker>),
    /// These workers were reported to the conversation.
    Notified {
        /// The conversation.
        conversation: String,
        /// The workers' ids.
        workers: Vec<String>,
    },
    /// The conversation has taken note of these workers.
    Acknowledged {
        /// The conversation.
        conversation: String,
        /// The workers' ids.
        workers: Vec<String>,
    },
    /// An execution of a mission was made or changed. What is not known here keeps its stored value.
    Execution(Box<Execution>),
}

/// What the start of a session knows. `None` is "not said": the stored value stays, and a new row gets the
/// default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Start {
    /// Default `chief`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Default `interactive`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// Default [`SessionType::Interactive`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_type: Option<SessionType>,
    /// The older, finer kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_subtype: Option<String>,
    /// The execution of a mission that this session carries out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mission_execution_id: Option<String>,
    /// The transcript's path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transcript_path: Option<String>,
    /// The host's own id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claude_session_id: Option<String>,
    /// The working directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The pane of the terminal multiplexer, to wake the session by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tmux_pane: Option<String>,
    /// What the session is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The conversation that workers report to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conversation_id: Option<String>,
    /// The session that started this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent_session_id: Option<String>,
    /// The machine's name. Panes and processes are compared only on one machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The host's process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub process: Option<Process>,
}

/// A process, told from a later one with the same id by when it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Process {
    /// Its id.
    pub pid: u32,
    /// When it began, in whatever unit the system counts; compared for equality only.
    pub born: u64,
}

/// The two kinds of session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SessionType {
    /// A user sits at it.
    Interactive,
    /// It carries out a mission.
    Mission,
}

/// What an open session does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum State {
    /// It waits for a prompt.
    Idle,
    /// The model works.
    Active,
    /// A tool runs.
    ToolActive,
}

/// A worker as far as the writer knows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Worker {
    /// Its id.
    pub id: String,
    /// What kind of task it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_type: Option<String>,
    /// Where it stands; a new worker is pending.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<WorkerStatus>,
    /// What it wants attention for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attention_kind: Option<Attention>,
    /// More about that, as JSON text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attention_data_json: Option<String>,
    /// Its result in short.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report_summary: Option<String>,
    /// Whether other workers depend on it, so that it is not reported by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_dependent_children: Option<bool>,
    /// The conversation that it reports to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conversation_id: Option<String>,
    /// When it was done, in milliseconds since 1970; the event's own time for a worker that becomes complete or failed without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<i64>,
}

/// Where a worker stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the words are the documented values")]
#[non_exhaustive]
pub enum WorkerStatus {
    Pending,
    Running,
    AwaitingClarification,
    Complete,
    Failed,
    ClarificationAnswered,
    Snoozed,
    Cancelled,
}

/// What a worker wants attention for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the words are the documented values")]
#[non_exhaustive]
pub enum Attention {
    Result,
    Clarification,
    Alert,
    Followup,
}

/// One execution of a mission as far as the writer knows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Execution {
    /// Its id.
    pub id: String,
    /// The mission's short name; the mission's id follows from it where the mission is in the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mission_slug: Option<String>,
    /// Where it stands; a new execution is running.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<ExecutionStatus>,
    /// The transcript's path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transcript_path: Option<String>,
    /// What came out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_summary: Option<String>,
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_message: Option<String>,
}

/// Where an execution stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the words are the documented values")]
#[non_exhaustive]
pub enum ExecutionStatus {
    Running,
    Completed,
    Failed,
    Timeout,
    Cancelled,
}

impl SessionType {
    /// The word in records and tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Interactive => "interactive",
            Self::Mission => "mission",
        }
    }
}

impl State {
    /// The word in records and tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Active => "active",
            Self::ToolActive => "tool_active",
        }
    }
}

impl WorkerStatus {
    /// The word in records and tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Running => "running",
            Self::AwaitingClarification => "awaiting_clarification",
            Self::Complete => "complete",
            Self::Failed => "failed",
            Self::ClarificationAnswered => "clarification_answered",
            Self::Snoozed => "snoozed",
            Self::Cancelled => "cancelled",
        }
    }
}

impl Attention {
    /// The word in records and tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Result => "result",
            Self::Clarification => "clarification",
            Self::Alert => "alert",
            Self::Followup => "followup",
        }
    }
}

impl ExecutionStatus {
    /// The word in records and tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Timeout => "timeout",
            Self::Cancelled => "cancelled",
        }
    }
}

impl Change {
    /// Cuts every text to what a record keeps.
    fn bound(&mut self) {
        match self {
            Self::Started(start) => start.bound(),
            Self::Worker(worker) => worker.bound(),
            Self::Execution(execution) => execution.bound(),
            Self::Status(text) | Self::Ended(text) | Self::Conversation(text) => cut(text),
            Self::Notified { conversation, workers } | Self::Acknowledged { conversation, workers } => {
                cut(conversation);
                workers.iter_mut().for_each(cut);
            }
            Self::Heartbeat | Self::State(_) | Self::Context(_) | Self::Pinged(_) => {}
        }
    }
}

impl Start {
    fn bound(&mut self) {
        let texts = [
            &mut self.role, &mut self.mode, &mut self.session_subtype, &mut self.mission_execution_id,
            &mut self.transcript_path, &mut self.claude_session_id, &mut self.cwd, &mut self.tmux_pane,
            &mut self.description, &mut self.conversation_id, &mut self.parent_session_id, &mut self.host,
        ];
        texts.into_iter().flatten().for_each(cut);
    }
}

impl Worker {
    fn bound(&mut self) {
        cut(&mut self.id);
        let texts =
            [&mut self.task_type, &mut self.attention_data_json, &mut self.report_summary, &mut self.conversation_id];
        texts.into_iter().flatten().for_each(cut);
    }
}

impl Execution {
    fn bound(&mut self) {
        cut(&mut self.id);
        let texts =
            [&mut self.mission_slug, &mut self.transcript_path, &mut self.output_summary, &mut self.error_message];
        texts.into_iter().flatten().for_each(cut);
    }
}

/// Shortens a text to [`MAX_TEXT_BYTES`]. A zero character, which no database takes as text, becomes the replacement character.
fn cut(text: &mut String) {
    if text.len() > MAX_TEXT_BYTES {
        let end = (0..=MAX_TEXT_BYTES).rev().find(|at| text.is_char_boundary(*at));
        text.truncate(end.unwrap_or(0));
    }
    if text.contains('\0') {
        *text = text.replace('\0', "\u{fffd}");
    }
}
