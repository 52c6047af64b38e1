//! Effects: what a finding asks the caller to do after the decision, as data.

use serde::{Deserialize, Serialize};

use crate::discipline::Change;

/// Something to carry out once the decision is made. Nothing in this crate performs one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Change the session document.
    Memory(Memory),
    /// Append one line to a text log of the state folder; the caller rotates and escapes it.
    Line {
        /// File name in the state folder, such as `spf.log`.
        file: String,
        /// The line without its end.
        line: String,
    },
    /// Rewrite a view of the session document.
    View(View),
    /// Keep a checkpoint of a changed file: hand it to a program, or store it where there is none.
    Checkpoint(Checkpoint),
    /// Change the signed state of document S3, or write what goes with it.
    Discipline(Change),
    /// Append an `export` to the file that the client names in `CLAUDE_ENV_FILE`, if it names one (W13).
    Export {
        /// Variable name.
        name: String,
        /// Its value, unquoted; the caller quotes it for the shell.
        value: String,
    },
}

impl Effect {
    /// The name of its kind, used in explanations.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Memory(_) => "memory",
            Self::Line { .. } => "log-line",
            Self::View(_) => "view",
            Self::Checkpoint(_) => "checkpoint",
            Self::Discipline(_) => "discipline",
            Self::Export { .. } => "export",
        }
    }
}

/// A change of the session document. Which fields it touches is documented at `hook-session-state`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Memory {
    /// A session begins: replace what was remembered of it by a fresh start (S0-13, S0-14).
    Start {
        /// `startup`, `clear`, ….
        source: String,
    },
    /// A tool call is over (S0-65 to S0-68).
    Acted(Action),
    /// A prompt was scored.
    Scored {
        /// The score C.
        c: u64,
        /// The tier's name.
        tier: &'static str,
    },
    /// The agent finished a reply (S0-59).
    Stopped,
    /// The session is over (S0-30).
    Ended {
        /// The client's reason.
        reason: String,
    },
}

/// One finished tool call, as the session document counts it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// The tool's canonical name (X28).
    pub tool: String,
    /// `success` or `failure`, from the event's name and nothing else (W9).
    pub result: &'static str,
    /// The file that the call named, if it named one.
    pub file: Option<String>,
    /// How the call touched that file; `None` for a failed call, which touched nothing.
    pub touch: Option<Touch>,
    /// The client's id of the call: the same call delivered twice is counted once.
    pub call: Option<String>,
}

/// How a call touched a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Touch {
    /// Its content was read.
    Read,
    /// Its content was changed.
    Write,
}

/// A note about a changed file, for a store that never changes what it has (S0-75 to S0-79, S0-129).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// The collection, such as `spf_audit`.
    pub collection: String,
    /// Tags, separated by commas.
    pub tags: String,
    /// A title of one line.
    pub title: String,
    /// The note.
    pub content: String,
    /// The program that takes it, relative to the project, and its arguments. It runs detached, and nobody waits for it.
    pub command: Vec<String>,
    /// The variable that switches checkpoints off: unset or exactly `true` means on (S0-76).
    pub switch: String,
    /// The log of the state folder that gets the program's output.
    pub log: String,
    /// How many of its programs may run at a time.
    pub at_once: u8,
}

/// A file that shows part of the session document to people and to other tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum View {
    /// `session.json`.
    #[serde(rename = "session.json")]
    Session,
    /// `STATUS.txt`.
    #[serde(rename = "STATUS.txt")]
    Status,
    /// `handoff.md`.
    #[serde(rename = "handoff.md")]
    Handoff,
}
