//! Facts about and changes of the one signed state: breaker, safemode, research, requirements, loop, learnings.
//!
//! The caller keeps it (`hook-session-state` does), verifies it at every read, and says what is wrong with it. What it says is then
//! the last state that can be believed, so a check never has to know.

/// What is remembered. The default is a fresh session: nothing asked, nothing looked at, nothing tripped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct State {
    /// What is wrong with the state's files, in one sentence for people.
    pub trouble: Option<String>,
    /// The directory was moved or copied since the state was signed, in one sentence for people.
    pub moved: Option<String>,
    /// The circuit breaker.
    pub breaker: Breaker,
    /// Whether the marker file of safemode is there.
    pub marker: bool,
    /// Whether safemode was switched on by command and not off again.
    pub safemode: bool,
    /// The class of the last request; absent before the first.
    pub class: Option<Class>,
    /// Hashes of the words of the task.
    pub words: Vec<u32>,
    /// Trigger words of the last prompt that had any.
    pub triggers: Vec<String>,
    /// What was asked for by name.
    pub requested: Vec<String>,
    /// What of that is done.
    pub satisfied: Vec<String>,
    /// The categories that were looked at.
    pub research: Vec<Evidence>,
    /// Edits so far.
    pub edits: u64,
    /// Different files edited.
    pub unique_files: u64,
    /// The loop, if one runs.
    pub looping: Option<Loop>,
    /// Refusals that are remembered.
    pub blocks: u64,
    /// Why gates of the discipline only warn; absent where they refuse.
    pub halted: Option<String>,
    /// What was learned, oldest first.
    pub learnings: Vec<Learning>,
}

/// The circuit breaker as it stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Breaker {
    /// Failures in a row.
    pub failures: u32,
    /// Tripped.
    pub tripped: bool,
    /// Since when.
    pub tripped_at: Option<String>,
    /// The last error.
    pub last_error: Option<String>,
    /// How often each kind of failure was seen.
    pub signatures: Vec<(String, u32)>,
}

/// What a category was satisfied by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The category.
    pub category: String,
    /// The tool.
    pub tool: String,
    /// When.
    pub at: String,
}

/// A loop that runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Loop {
    /// What it is about.
    pub task: String,
    /// Rounds so far.
    pub iteration: u32,
    /// Rounds after which it ends.
    pub max: u32,
    /// What must hold at its end, and whether the user says that it does.
    pub criteria: Vec<(String, bool)>,
}

/// One learning.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Learning {
    /// `correction`, `impatience`, `repetition`, `repeated_failure`.
    pub kind: String,
    /// The words, or the signature of the failure.
    pub pattern: String,
    /// When.
    pub at: String,
}

/// The class of a request. `sane`'s task is `Task` or `BigTask`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Neither asks nor tells: an approval, a command of the host.
    Passthrough,
    /// Wants an answer.
    Question,
    /// Wants work.
    Task,
    /// Wants much work.
    BigTask,
}

impl Class {
    /// Its name in state and logs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Passthrough => "passthrough",
            Self::Question => "question",
            Self::Task => "task",
            Self::BigTask => "big_task",
        }
    }

    /// The class of this name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Passthrough, Self::Question, Self::Task, Self::BigTask].into_iter().find(|class| class.as_str() == name)
    }

    /// Whether it wants work.
    pub const fn is_task(self) -> bool {
        matches!(self, Self::Task | Self::BigTask)
    }
}

/// A change of the state, or something that goes with one. Times, process ids and redaction are the caller's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Nothing but a repair: put what can be believed back, and say so.
    Mend,
    /// A session begins; its own sections are forgotten and a loop that runs is archived.
    Begin,
    /// A prompt was classified.
    Prompt(Prompt),
    /// A call is over.
    Acted(Acted),
    /// A call was refused.
    Blocked {
        /// What refused.
        signature: String,
        /// The tool.
        tool: String,
        /// Equal refusals in a row after which gates of the discipline only warn; 0 for never.
        halt_after: u32,
    },
    /// The user resets the breaker.
    ResetBreaker,
    /// The user switches safemode.
    Safemode {
        /// Switched on.
        on: bool,
        /// Whether the marker file is to be there then.
        marker: bool,
    },
    /// The user makes gates refuse again.
    ResetBlocks,
    /// The user forgets the research.
    ResetResearch,
    /// The user starts a loop.
    LoopStart {
        /// What it is about.
        task: String,
        /// What must hold at its end.
        criteria: Vec<String>,
        /// Rounds after which it ends.
        max: u32,
    },
    /// The user says that a criterion holds, counted from 1.
    LoopCheck {
        /// Its number.
        number: usize,
    },
    /// The user ends the loop.
    LoopCancel,
    /// The agent finished a round.
    LoopIterate,
    /// A line of JSON in a log of the project's `.claude` directory; the caller adds time and process id.
    Log {
        /// A plain file name.
        file: String,
        /// Its members.
        members: Vec<(&'static str, Member)>,
    },
    /// A line that says which state was signed last goes to a file, or to a program as its last argument.
    Anchor {
        /// An absolute path.
        file: Option<String>,
        /// A program and its arguments.
        command: Vec<String>,
    },
}

/// A value of a log line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Member {
    /// Text.
    Text(String),
    /// Texts.
    Texts(Vec<String>),
    /// A number.
    Number(u64),
    /// Yes or no.
    Bool(bool),
}

/// A classified prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// Its class. A passthrough leaves the class of the request before.
    pub class: Class,
    /// Hashes of its words; empty where they do not replace those of the task before.
    pub words: Vec<u32>,
    /// It begins another task: the research for the one before does not count for it.
    pub new_task: bool,
    /// What it asks for by name.
    pub requested: Vec<String>,
    /// Older requirements do not count any more.
    pub fresh: bool,
    /// Its trigger words.
    pub triggers: Vec<String>,
    /// What to learn from it: kind and words.
    pub learned: Vec<(&'static str, String)>,
    /// Its first characters, for what is learned.
    pub beginning: String,
}

/// A finished call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acted {
    /// The host's id of the call: one that is delivered twice is counted once.
    pub call: Option<String>,
    /// The tool.
    pub tool: String,
    /// Its file, or the beginning of its command.
    pub summary: String,
    /// How it went.
    pub went: Went,
    /// Files that it edited.
    pub edited: Vec<String>,
    /// Categories that it satisfies.
    pub researched: Vec<String>,
    /// It ran in a subagent.
    pub in_subagent: bool,
    /// Requirements that it satisfies.
    pub satisfied: Vec<&'static str>,
    /// When the breaker trips.
    pub limits: Limits,
}

/// How a call went, as far as the breaker counts it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Went {
    /// It succeeded.
    Well,
    /// It failed.
    Failed {
        /// The kind of failure.
        signature: &'static str,
        /// What was said.
        error: String,
    },
    /// It succeeded or failed in a way that the breaker does not count; whether it succeeded.
    Uncounted(bool),
}

/// When the breaker trips and what it forgets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Failures in a row that trip it.
    pub threshold: u32,
    /// Failures of one kind that trip it.
    pub same: u32,
    /// Successes in a row after which each kind counts one less; 0 for never.
    pub forget_after: u32,
}
