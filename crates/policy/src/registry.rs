//! What the registry of sessions is told, and what a session remembers of that between its own events.

use serde::{Deserialize, Serialize};

/// A role or a mode that nobody chose.
pub const DEFAULT_ROLE: &str = "chief";
/// See [`DEFAULT_ROLE`].
pub const DEFAULT_MODE: &str = "interactive";

/// A mode that was given in words that are no name of one.
pub const UNKNOWN_MODE: &str = "unknown";

/// Something that the registry has to know. The caller adds whose it is and when, and passes it on without waiting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// The session begins or goes on. The caller knows its environment: role, mode, pane, mission and the rest.
    Started {
        /// It is a new conversation, not the same one going on.
        fresh: bool,
    },
    /// The session does something else now. Of a refused call or a blocked stop only the sign of life is kept.
    State(State),
    /// What the session says it works on.
    Status(String),
    /// Nobody has set a status, and the model was reminded of it.
    StatusReminded,
    /// The warning that a prompt got, in percent of the level; 0 begins again.
    PromptLevel(u8),
    /// The highest warning that a stop got, in percent of the level; 0 begins again.
    StopLevel(u8),
    /// Whether the session was reminded to tell its parent that it ends.
    Pinged(bool),
    /// The session is over.
    Ended {
        /// The host's reason.
        reason: String,
    },
    /// These workers were reported to the conversation.
    Notified {
        /// The conversation.
        conversation: String,
        /// The workers' ids.
        workers: Vec<String>,
    },
}

impl Change {
    /// Whether the session itself has to remember it for its later events.
    pub const fn concerns_session(&self) -> bool {
        !matches!(self, Self::State(_) | Self::Ended { .. } | Self::Notified { .. })
    }
}

/// The workers of a conversation that have a result, each list with the oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Workers {
    /// Never reported to the conversation.
    pub fresh: Vec<Worker>,
    /// Reported, and not acknowledged.
    pub waiting: Vec<Worker>,
}

/// A worker that is done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Worker {
    /// Its id.
    pub id: String,
    /// What kind of task it had; empty where nobody said.
    pub task: String,
    /// Its result in short; empty where there is none.
    pub summary: String,
    /// How long ago it was done, in words.
    pub age: String,
}

/// What an open session does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It waits for a prompt.
    Idle,
    /// The model works.
    Active,
    /// A tool runs.
    ToolActive,
}

/// What a session remembers of what it told the registry, so that none of its events has to open a database.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Session {
    /// The role, where one was ever given.
    pub role: Option<String>,
    /// The mode, where one was ever given.
    pub mode: Option<String>,
    /// The conversation that workers report to, where one was ever given.
    pub conversation: Option<String>,
    /// When it began, in seconds since 1970; 0 while nothing is known of it.
    pub started: i64,
    /// A status was set.
    pub has_status: bool,
    /// When the model was last reminded to set one, in seconds since 1970.
    pub reminded: i64,
    /// The level of the last warning that a prompt got.
    pub prompt_level: u8,
    /// The highest level of the warnings that stops got.
    pub stop_level: u8,
    /// It was reminded to tell its parent that it ends.
    pub pinged: bool,
    /// Names of a role or a mode in the environment that cannot be one; see [`is_plain_name`]. Not remembered.
    #[serde(skip)]
    pub odd_names: Vec<String>,
}

impl Session {
    /// The mode, or the default one.
    pub fn mode(&self) -> &str {
        self.mode.as_deref().unwrap_or(DEFAULT_MODE)
    }

    /// The role, or the default one.
    pub fn role(&self) -> &str {
        self.role.as_deref().unwrap_or(DEFAULT_ROLE)
    }

    /// The conversation that workers report to: that of a chief is called like the role, any other session has none of itself.
    pub fn conversation(&self) -> Option<&str> {
        self.conversation.as_deref().or_else(|| (self.role() == DEFAULT_ROLE).then_some(DEFAULT_ROLE))
    }

    /// Takes in a change, made at `now` in seconds since 1970.
    pub fn apply(&mut self, change: &Change, now: i64) {
        match change {
            Change::Started { fresh } => {
                // A session that goes on keeps its age and its status; what was said about its context and its end is said again.
                if *fresh || self.started == 0 {
                    self.started = now;
                    self.has_status = false;
                    self.reminded = 0;
                }
                self.prompt_level = 0;
                self.stop_level = 0;
                self.pinged = false;
            }
            Change::Status(text) => self.has_status = !text.is_empty(),
            Change::StatusReminded => self.reminded = now,
            Change::PromptLevel(level) => self.prompt_level = *level,
            Change::StopLevel(level) => self.stop_level = *level,
            Change::Pinged(pinged) => self.pinged = *pinged,
            Change::State(_) | Change::Ended { .. } | Change::Notified { .. } => {}
        }
    }
}

/// Whether a text may be the name of a role or a mode: letters, digits, `_` and `-`, at most 64 of them, so that it leads nowhere as
/// part of a path.
pub fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= 64 && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}
