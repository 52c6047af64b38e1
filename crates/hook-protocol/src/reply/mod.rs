//! What a hook answers: one type an event, written as the host reads it.
//!
//! A reply that an event does not accept can't be built. Four events accept nothing at all (`SessionEnd`, `StopFailure`,
//! `WorktreeRemove`, `InstructionsLoaded`) and have no type:
//!
//! ```compile_fail
//! use hook_protocol::reply::SessionEnd;
//! ```
//!
//! ```compile_fail
//! // The tool has run, so there is no permission to decide about.
//! use hook_protocol::reply::{PostToolUse, PreToolDecision};
//!
//! let reply = PostToolUse { decision: Some(PreToolDecision::Defer), ..PostToolUse::default() };
//! ```
//!
//! ```compile_fail
//! // Compaction takes no context, only plain text.
//! use hook_protocol::reply::PreCompact;
//!
//! let reply = PreCompact { additional_context: Some(String::new()), ..PreCompact::default() };
//! ```
//!
//! ```
//! use hook_protocol::reply::{PreToolUse, Reply};
//!
//! let reply = Reply::PreToolUse(PreToolUse::deny("rm -rf / deletes the system"));
//! assert_eq!(
//!     reply.stdout(),
//!     concat!(
//!         r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","#,
//!         r#""permissionDecisionReason":"rm -rf / deletes the system"}}"#,
//!         "\n",
//!     ),
//! );
//! assert_eq!(reply.exit_code(), hook_protocol::reply::exit_code::BLOCK);
//! ```

use std::borrow::Cow;

/// Methods of [`Answer`] for a reply that keeps what they ask for where most replies do.
macro_rules! keeps {
    ($($method:ident),+) => {
        $(keeps!(@$method);)+
    };
    (@context) => {
        fn context(&mut self) -> Option<&mut Option<String>> {
            Some(&mut self.additional_context)
        }
    };
    (@message) => {
        fn message(&mut self) -> Option<&mut Option<String>> {
            Some(&mut self.notice.system_message)
        }
    };
    (@refuse) => {
        fn refuse(&mut self, text: &str) -> bool {
            super::append(self.block.get_or_insert_default(), text);
            true
        }
    };
    (@plain) => {
        fn plain(&self) -> Option<std::borrow::Cow<'_, str>> {
            self.text.as_deref().map(Into::into)
        }
    };
    (@from_plain) => {
        fn from_plain(text: &str) -> Option<Self> {
            Some(Self { text: Some(text.to_owned()), ..Self::default() })
        }
    };
}

mod context;
mod error;
pub mod exit_code;
mod feedback;
mod permission;
mod prompt;
mod read;
mod session;
mod tool;
mod universal;
mod work;
mod write;

pub use context::{CLASSIFIER_LIMIT, CONTEXT_LIMIT, clip_context};
pub use error::ReplyError;
pub use feedback::{PostToolBatch, PostToolUseFailure, Stop, SubagentStop};
pub use permission::{PermissionDecision, PermissionDenied, PermissionRequest};
pub use prompt::{PostCompact, PreCompact, UserPromptExpansion, UserPromptSubmit};
pub use session::{
    ConfigChange, CwdChanged, DirectoryAdded, FileChanged, ModelSwitchDecision, Notification, PostModelSwitch,
    PreModelSwitch, SessionStart, Setup, SubagentStart,
};
pub use tool::{PostToolUse, PreSkillShellCommand, PreToolDecision, PreToolUse};
pub use universal::{Notice, TerminalCommand, TerminalSequence, Universal};
pub use work::{
    Elicitation, ElicitationAction, ElicitationResult, MessageDisplay, TaskCompleted, TaskCreated, TeammateIdle,
    WorktreeCreate,
};

use crate::members::Members;
use read::{Shape, Source};
use write::Document;

/// What every reply type can do.
trait Answer: Default {
    /// The event's name on the wire.
    const EVENT: &'static str;
    /// Whether the event accepts a `hookSpecificOutput`.
    const SPECIFIC: bool = true;

    /// Sets the JSON fields.
    fn write(&self, document: &mut Document);

    /// Reads the JSON fields.
    fn read(source: &Source<'_>) -> Result<Self, ReplyError>;

    /// The plain text that is printed when no JSON field is set.
    fn plain(&self) -> Option<Cow<'_, str>> {
        None
    }

    /// Reads plain text, where the host delivers it.
    fn from_plain(_text: &str) -> Option<Self> {
        None
    }

    /// Where text for the model goes.
    fn context(&mut self) -> Option<&mut Option<String>> {
        None
    }

    /// Where text for the user goes.
    fn message(&mut self) -> Option<&mut Option<String>> {
        None
    }

    /// Turns the answer into a refusal, where the event has one.
    fn refuse(&mut self, _text: &str) -> bool {
        false
    }

    /// The reason of a refused tool call.
    fn refusal(&self) -> Option<&str> {
        None
    }

    /// What is printed.
    fn stdout(&self) -> String {
        let mut document = Document::new(Self::EVENT);
        self.write(&mut document);
        if !document.is_empty() {
            return document.finish();
        }
        match self.plain() {
            Some(text) if !text.trim().is_empty() => format!("{}\n", text.trim_end()),
            _ => String::new(),
        }
    }
}

/// Declares [`Reply`] and passes each call on to the type of its event.
macro_rules! replies {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// The answer to one event.
        #[derive(Debug, Clone)]
        pub enum Reply {
            $($(#[$doc])* $name($name),)*
        }

        $(impl From<$name> for Reply {
            fn from(reply: $name) -> Self {
                Self::$name(reply)
            }
        })*

        impl Reply {
            /// The names of the events that accept an answer.
            pub const EVENTS: &'static [&'static str] = &[$($name::EVENT,)*];

            /// An answer without any opinion; `None` for an event that accepts nothing, or that is unknown.
            pub fn empty(event: &str) -> Option<Self> {
                match event {
                    $($name::EVENT => Some(Self::$name($name::default())),)*
                    _ => None,
                }
            }

            /// The name of the event that is answered.
            pub fn event(&self) -> &'static str {
                match self {
                    $(Self::$name(_) => $name::EVENT,)*
                }
            }

            /// What goes to stdout: nothing, one line of JSON with its line break, or plain text.
            ///
            /// Nothing is printed without an opinion, and no field is ever `null`. Length limits are the caller's
            /// ([`clip_context`]).
            pub fn stdout(&self) -> String {
                match self {
                    $(Self::$name(reply) => reply.stdout(),)*
                }
            }

            /// The reason of a refused `PreToolUse` call, which goes to stderr as well.
            pub fn refusal(&self) -> Option<&str> {
                match self {
                    $(Self::$name(reply) => reply.refusal(),)*
                }
            }

            fn context(&mut self) -> Option<&mut Option<String>> {
                match self {
                    $(Self::$name(reply) => reply.context(),)*
                }
            }

            fn message(&mut self) -> Option<&mut Option<String>> {
                match self {
                    $(Self::$name(reply) => reply.message(),)*
                }
            }

            /// Refuses or blocks what the event is about, in the event's own form; a second reason is appended to the
            /// first.
            ///
            /// False where the event has no refusal, and then nothing is changed. Think before using it on Stop and
            /// `SubagentStop` (the turn goes on), `PostToolBatch` (the run ends) and `PreCompact` (an automatic compaction
            /// must not be refused).
            #[must_use = "false means that the refusal is not delivered"]
            pub fn refuse(&mut self, reason: &str) -> bool {
                match self {
                    $(Self::$name(reply) => reply.refuse(reason),)*
                }
            }

            fn from_json(event: &str, top: Members<'_>) -> Result<Option<Self>, ReplyError> {
                match event {
                    $($name::EVENT => {
                        let source = Source::new(event, $name::SPECIFIC, top)?;
                        $name::read(&source).map(|reply| Some(Self::$name(reply)))
                    })*
                    _ => Source::new(event, false, top).map(|_| None),
                }
            }

            fn from_plain(event: &str, text: &str) -> Option<Self> {
                match event {
                    $($name::EVENT => $name::from_plain(text).map(Self::$name),)*
                    _ => None,
                }
            }
        }
    };
}

replies! {
    /// Before a tool call.
    PreToolUse,
    /// After a tool call that succeeded.
    PostToolUse,
    /// After a tool call that failed.
    PostToolUseFailure,
    /// After all calls of one message.
    PostToolBatch,
    /// A notification to the user.
    Notification,
    /// A prompt was sent.
    UserPromptSubmit,
    /// A slash command or MCP prompt was typed.
    UserPromptExpansion,
    /// A session starts.
    SessionStart,
    /// The turn ends.
    Stop,
    /// A subagent starts.
    SubagentStart,
    /// A subagent's turn ends.
    SubagentStop,
    /// Before compaction.
    PreCompact,
    /// After compaction.
    PostCompact,
    /// Before another model is used.
    PreModelSwitch,
    /// After another model is used.
    PostModelSwitch,
    /// A permission prompt would be shown.
    PermissionRequest,
    /// Auto mode refused a call.
    PermissionDenied,
    /// The host runs for setup only.
    Setup,
    /// A teammate has nothing to do.
    TeammateIdle,
    /// A task was created.
    TaskCreated,
    /// A task was completed.
    TaskCompleted,
    /// An MCP server asks.
    Elicitation,
    /// An MCP server's question was answered.
    ElicitationResult,
    /// A settings file changed.
    ConfigChange,
    /// A worktree is wanted.
    WorktreeCreate,
    /// The working directory changed.
    CwdChanged,
    /// A watched file changed.
    FileChanged,
    /// A directory was added.
    DirectoryAdded,
    /// A message is shown.
    MessageDisplay,
    /// Before a shell command of a skill.
    PreSkillShellCommand,
}

/// What the host makes of a hook's stdout.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// Nothing was printed.
    Nothing,
    /// Plain text that this event does not deliver to anybody.
    Ignored,
    /// The hook goes on in the background; no decision of it counts.
    Async,
    /// An answer that the event accepts.
    Reply(Reply),
}

impl Reply {
    /// Whether nothing would be printed.
    pub fn is_empty(&self) -> bool {
        self.stdout().is_empty()
    }

    /// The exit code that goes with the answer: [`exit_code::BLOCK`] for a refused `PreToolUse` call, else
    /// [`exit_code::SUCCESS`].
    pub fn exit_code(&self) -> u8 {
        if self.refusal().is_some() { exit_code::BLOCK } else { exit_code::SUCCESS }
    }

    /// Adds text for the model, on a line of its own after what is there.
    ///
    /// False where the event delivers no text to the model, and then nothing is changed. On Stop and `SubagentStop` such a
    /// text makes another turn; on `PreCompact` and `PostCompact` it is plain text; on Notification nobody reads it, so it
    /// counts as not delivered.
    #[must_use = "false means that the text is not delivered"]
    pub fn add_context(&mut self, text: &str) -> bool {
        add(self.context(), text)
    }

    /// Adds a warning to the user, on a line of its own after what is there.
    ///
    /// False where the event discards `systemMessage`, and then nothing is changed.
    #[must_use = "false means that the message is not delivered"]
    pub fn add_system_message(&mut self, text: &str) -> bool {
        add(self.message(), text)
    }

    /// Reads what a hook printed on `event`, by the host's own rules: plain text, JSON, or an error of the hook.
    ///
    /// Unknown keys are ignored; wrong types, unknown decisions and another event's name are errors. For an event that
    /// accepts nothing, or that is unknown, only the shared fields are checked.
    ///
    /// ```
    /// use hook_protocol::reply::{Outcome, Reply};
    ///
    /// let outcome = Reply::parse("PreToolUse", r#"{"decision":"block","reason":"no"}"#)?;
    /// assert!(matches!(outcome, Outcome::Reply(reply) if reply.refusal() == Some("no")));
    ///
    /// // Noise before the JSON makes plain text of it, and the call would run.
    /// assert!(matches!(Reply::parse("PreToolUse", "log\n{\"decision\":\"block\"}")?, Outcome::Ignored));
    /// # Ok::<(), hook_protocol::reply::ReplyError>(())
    /// ```
    pub fn parse(event: &str, stdout: &str) -> Result<Outcome, ReplyError> {
        let reply = match read::shape(stdout)? {
            Shape::Nothing => return Ok(Outcome::Nothing),
            Shape::Async => return Ok(Outcome::Async),
            Shape::Text(text) => Self::from_plain(event, text),
            Shape::Json(top) => Self::from_json(event, top)?,
        };
        Ok(reply.map_or(Outcome::Ignored, Outcome::Reply))
    }
}

fn add(place: Option<&mut Option<String>>, text: &str) -> bool {
    let Some(place) = place else { return false };
    append(place.get_or_insert_default(), text);
    true
}

/// Adds `text` on a line of its own.
fn append(place: &mut String, text: &str) {
    if !place.is_empty() {
        place.push('\n');
    }
    place.push_str(text);
}

/// Whether the host would take `text` for plain text.
fn is_plain(text: &str) -> bool {
    !text.trim_start_matches(|character: char| character.is_whitespace() || character == '\u{feff}').starts_with('{')
}

/// Writes `additionalContext`; it takes in `text` when that can't be printed as plain text. Call it last, because a field
/// set before it rules plain text out.
fn write_context(document: &mut Document, additional: Option<&str>, text: Option<&str>) {
    let text = text.filter(|text| !text.trim().is_empty());
    match (additional, text) {
        (None, Some(text)) if document.is_empty() && is_plain(text) => {}
        (Some(additional), Some(text)) => {
            document.specific().text("additionalContext", &format!("{additional}\n{text}"));
        }
        (additional, text) => document.specific().optional("additionalContext", additional.or(text)),
    }
}
