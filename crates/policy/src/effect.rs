//! Effects: what a finding asks the caller to do after the decision, as data.

use serde::{Deserialize, Serialize};

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
    /// Append an `export` to the file that the client names in `CLAUDE_ENV_FILE`, if it names one (W13).
    Export {
        /// Variable name.
        name: String,
        /// Its value, unquoted; the caller quotes it for the shell.
        value: String,
    },
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
