//! Effects: what a finding asks the caller to do after the decision, as data.

use serde::{Deserialize, Serialize};

use crate::entry;
use crate::evidence::Touched;
use crate::handoff::{self, Gate};
use crate::orders;
use crate::registry;
use crate::sane::Change;

/// Something to carry out once the decision is made. Nothing in this crate performs one.
///
/// New effects come with new checks, and whoever does not know one leaves it. What an effect consists of is complete: whoever carries it
/// out does not compile when it grows.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Effect {
    /// Change the session document.
    Memory(Memory),
    /// Append one line to a text log of the state directory; the caller rotates and escapes it.
    Line {
        /// File name in the state directory, such as `spf.log`.
        file: String,
        /// The line without its end.
        line: String,
    },
    /// Rewrite a view of the session document.
    View(View),
    /// Keep a checkpoint of a changed file: hand it to a program, or store it where there is none.
    Checkpoint(Checkpoint),
    /// Change the signed state, or write what goes with it.
    Sane(Change),
    /// Append an `export` to the file that the host names in `CLAUDE_ENV_FILE`, if it names one.
    Export {
        /// Variable name.
        name: String,
        /// Its value, unquoted; the caller quotes it for the shell.
        value: String,
    },
    /// Change a file that a document names, in the project's `.claude` directory.
    StatusFile(StatusFileEdit),
    /// Run a linter on a file and give what it finds back to the model.
    Lint(Lint),
    /// Start the project's tests; nobody waits for them.
    Test(Test),
    /// Change what is remembered of the session's agents.
    Routing(handoff::Change),
    /// Carry out a checkpoint; what it comes to is part of the answer.
    Gate(Box<Gate>),
    /// Give a file that a document names another content, or take it away.
    File(ProjectFile),
    /// Count what happened in the figures of the day.
    Metric(Counted),
    /// Keep in mind what became of the guard's own entry, and tell the user.
    Entry(entry::Change),
    /// Remember what a session has ordered as a prompt or typed into a terminal.
    Order(orders::Change),
    /// Tell the registry of sessions, and remember in the session what matters to its later events.
    Registry(registry::Change),
    /// Remember that a call may have written status files, which then prove nothing.
    Touched(Touched),
    /// Remember whether the proof gate's question is the last one that the user was asked.
    Asked(bool),
}

impl Effect {
    /// The name of its kind, used in explanations.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Memory(_) => "memory",
            Self::Line { .. } => "log-line",
            Self::View(_) => "view",
            Self::Checkpoint(_) => "checkpoint",
            Self::Sane(_) => "signed-state",
            Self::Export { .. } => "export",
            Self::StatusFile(_) => "note",
            Self::Lint(_) => "lint",
            Self::Test(_) => "test",
            Self::Routing(_) => "routing",
            Self::Gate(_) => "checkpoint-run",
            Self::File(_) => "file",
            Self::Metric(_) => "metric",
            Self::Entry(_) => "entry",
            Self::Order(_) => "order",
            Self::Registry(_) => "registry",
            Self::Touched(_) => "touched",
            Self::Asked(_) => "asked",
        }
    }
}

/// A change of the session document. Which fields it touches is documented at `hook-session-state`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Memory {
    /// A session begins: replace what was remembered of it by a fresh start.
    Start {
        /// `startup`, `clear`, ….
        source: String,
    },
    /// A tool call is over.
    Acted(Action),
    /// A prompt was scored.
    Scored {
        /// The score C.
        c: u64,
        /// The tier's name.
        tier: &'static str,
    },
    /// The agent finished a reply.
    Stopped,
    /// The session is over.
    Ended {
        /// The host's reason.
        reason: String,
    },
}

/// One finished tool call, as the session document counts it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// The tool's canonical name.
    pub tool: String,
    /// `success` or `failure`, from the event's name and nothing else.
    pub result: &'static str,
    /// The file that the call named, if it named one.
    pub file: Option<String>,
    /// How the call touched that file; `None` for a failed call, which touched nothing.
    pub touch: Option<Touch>,
    /// Files in [`LOADED_DIRS`](crate::LOADED_DIRS) that the call changes by its text without being a tool for files.
    pub altered: Vec<String>,
    /// The host's id of the call: the same call delivered twice is counted once.
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

/// A note about a changed file, for a store that never changes what it has.
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
    /// The variable that switches checkpoints off: unset or exactly `true` means on.
    pub switch: String,
    /// The log of the state directory that gets the program's output.
    pub log: String,
    /// How many of its programs may run at a time.
    pub at_once: u8,
}

/// A file that shows part of the session document to people and to other tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

/// A change of a file that a document names, such as `.proof-status`. Every `file` is a plain name in the project's `.claude` directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatusFileEdit {
    /// Give the file this content.
    Put {
        /// Its name.
        file: String,
        /// All of it.
        text: String,
    },
    /// Append a line; the caller keeps it one line.
    Add {
        /// Its name.
        file: String,
        /// The line without its end.
        line: String,
    },
    /// Remove the file, if it is there.
    Remove {
        /// Its name.
        file: String,
    },
    /// Keep the last lines only.
    Trim {
        /// Its name.
        file: String,
        /// How many.
        lines: usize,
    },
    /// One more strike of a gate, earned by a path.
    Strike {
        /// The gate, such as `mock-gate`.
        gate: &'static str,
        /// The file that was written.
        path: String,
    },
    /// Forget all strikes of a gate if the last one is older than this epoch.
    Expire {
        /// The gate.
        gate: &'static str,
        /// Seconds since 1970-01-01 00:00:00 UTC.
        before: i64,
    },
    /// Take back the strikes that a path has earned.
    Forgive {
        /// The gate.
        gate: &'static str,
        /// The file that was written well.
        path: String,
    },
}

/// A linter to run on one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lint {
    /// The linter's name, for messages.
    pub name: String,
    /// The program and its arguments. A program without a slash is looked for in `node_modules/.bin`, then along the search path.
    pub command: Vec<String>,
    /// The file that was written, absolute.
    pub file: String,
    /// The directory it runs in; absolute.
    pub dir: String,
    /// Milliseconds after which the linter is ended, and counts as having found nothing.
    pub limit_ms: u32,
    /// Failures in a row after which linting rests.
    pub failures: u32,
    /// Seconds for which it rests.
    pub rest_seconds: u32,
}

/// Tests to run by themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Test {
    /// The runner's name, for messages.
    pub name: String,
    /// The program and its arguments; looked for like a linter's.
    pub command: Vec<String>,
    /// The directory they run in; absolute.
    pub dir: String,
    /// The directory whose `.claude/.test-status` they write; absolute.
    pub root: String,
    /// Seconds after the last change at which they start.
    pub debounce_seconds: u32,
    /// Seconds between the end of one run and the start of the next.
    pub pause_seconds: u32,
    /// Seconds after which they are ended.
    pub limit_seconds: u32,
}

/// A file that a document names, in a directory of the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectFile {
    /// The directory, relative to the project, such as `.claude/handoff`.
    pub dir: String,
    /// The name in it.
    pub name: String,
    /// What becomes of it.
    pub change: FileChange,
}

/// What becomes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileChange {
    /// It has this content from now on.
    Put(String),
    /// It goes, if it is there.
    Remove,
    /// It is of no use and gets another name, so that it is neither read again nor lost.
    SetAside,
}

/// Something that the figures of the day count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Counted {
    /// A finished tool call.
    Tool {
        /// The tool's canonical name.
        tool: String,
        /// The host's id of the call, so that the same call is counted once.
        call: Option<String>,
        /// How long it took, if the host says so.
        millis: Option<u64>,
        /// It failed.
        failed: bool,
    },
    /// A prompt, of this many characters.
    Prompt {
        /// Characters.
        chars: u64,
    },
    /// An agent starts.
    Start {
        /// Its name.
        agent: String,
        /// The host's id of the agent.
        id: Option<String>,
    },
    /// An agent ends.
    Stop {
        /// Its name.
        agent: String,
        /// The host's id of the agent.
        id: Option<String>,
        /// Its answer speaks of no error.
        clean: bool,
        /// Its answer speaks of tests.
        tests: bool,
        /// Lines in which it speaks to two agents at once.
        peers: u64,
    },
    /// A call is about to run. It counts only if this event refuses it.
    Before {
        /// The tool's canonical name.
        tool: String,
    },
    /// The session is over: the figures so far are kept as a snapshot, and old files go.
    End {
        /// Daily files that stay; older ones go to the archive.
        keep_days: u32,
    },
}
