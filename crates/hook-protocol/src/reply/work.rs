//! Replies to tasks, teammates, MCP questions, worktrees and displayed messages.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::Answer;
use super::error::ReplyError;
use super::read::Source;
use super::universal::{Notice, Universal};
use super::write::Document;

/// Answer to `TaskCreated`. Ending the turn has no effect on this event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskCreated {
    /// The task is removed; the model reads the reason.
    pub block: Option<String>,
    /// Fields that all events share.
    pub notice: Notice,
}

impl Answer for TaskCreated {
    const EVENT: &'static str = "TaskCreated";
    const SPECIFIC: bool = false;

    fn write(&self, document: &mut Document) {
        self.notice.write(document);
        document.block(self.block.as_deref());
    }

    fn read(source: &Source<'_>) -> Result<Self, ReplyError> {
        Ok(Self { block: source.block()?, notice: Notice::read(source)? })
    }

    keeps!(message, refuse);
}

/// Answer to `TaskCompleted`. By JSON it can only stop the teammate; exit code 2 keeps the task open.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskCompleted {
    /// Fields that all events share.
    pub notice: Universal,
}

/// Answer to `TeammateIdle`. By JSON it can only stop the teammate; exit code 2 keeps it working.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TeammateIdle {
    /// Fields that all events share.
    pub notice: Universal,
}

/// The two replies that have nothing but the shared fields.
macro_rules! notice_only {
    ($name:ident) => {
        impl Answer for $name {
            const EVENT: &'static str = stringify!($name);
            const SPECIFIC: bool = false;

            fn write(&self, document: &mut Document) {
                self.notice.write(document);
            }

            fn read(source: &Source<'_>) -> Result<Self, ReplyError> {
                Ok(Self { notice: Universal::read(source)? })
            }

            keeps!(message);
        }
    };
}

notice_only!(TaskCompleted);
notice_only!(TeammateIdle);

/// What is answered to the question of an MCP server.
#[derive(Debug, Clone)]
pub enum ElicitationAction {
    /// The question is answered.
    Accept {
        /// The answer, an object that fits the requested schema.
        content: Option<Box<RawValue>>,
    },
    /// The question is refused.
    Decline,
    /// The question is closed without an answer.
    Cancel,
}

/// Answer to Elicitation, in place of the user.
#[derive(Debug, Clone, Default)]
pub struct Elicitation {
    /// The answer; without one the user is asked.
    pub action: Option<ElicitationAction>,
}

/// Answer to `ElicitationResult`, in place of what the user answered.
#[derive(Debug, Clone, Default)]
pub struct ElicitationResult {
    /// The new answer; without one the user's stands.
    pub action: Option<ElicitationAction>,
}

/// The two replies that answer an MCP server.
macro_rules! eliciting {
    ($name:ident) => {
        impl Answer for $name {
            const EVENT: &'static str = stringify!($name);

            fn write(&self, document: &mut Document) {
                write_action(document, self.action.as_ref());
            }

            fn read(source: &Source<'_>) -> Result<Self, ReplyError> {
                Ok(Self { action: read_action(source)? })
            }

            fn refuse(&mut self, _text: &str) -> bool {
                self.action = Some(ElicitationAction::Decline);
                true
            }
        }
    };
}

eliciting!(Elicitation);
eliciting!(ElicitationResult);

fn write_action(document: &mut Document, action: Option<&ElicitationAction>) {
    let mut specific = document.specific();
    match action {
        None => {}
        Some(ElicitationAction::Accept { content }) => {
            specific.text("action", "accept");
            specific.raw("content", content.as_deref());
        }
        Some(ElicitationAction::Decline) => specific.text("action", "decline"),
        Some(ElicitationAction::Cancel) => specific.text("action", "cancel"),
    }
}

fn read_action(source: &Source<'_>) -> Result<Option<ElicitationAction>, ReplyError> {
    let content = source.raw_object("content")?;
    let Some(word) = source.text("action")? else { return Ok(None) };
    match word.as_str() {
        "accept" => Ok(Some(ElicitationAction::Accept { content })),
        "decline" => Ok(Some(ElicitationAction::Decline)),
        "cancel" => Ok(Some(ElicitationAction::Cancel)),
        _ => Err(ReplyError::Value { field: "action", value: word, allowed: "accept, decline, cancel" }),
    }
}

/// Answer to `WorktreeCreate`: the path of the worktree that the hook made, as plain text.
///
/// A hook on this event replaces the host's own creation of a worktree. Only http hooks answer with JSON.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WorktreeCreate {
    /// Absolute path of the worktree. One with a line break in it can't be told to the host and is left out.
    pub path: String,
}

impl Answer for WorktreeCreate {
    const EVENT: &'static str = "WorktreeCreate";

    fn write(&self, _document: &mut Document) {}

    fn read(source: &Source<'_>) -> Result<Self, ReplyError> {
        let path = source.text("worktreePath")?;
        if path.is_none() && source.has_specific() {
            return Err(ReplyError::Missing { field: "worktreePath" });
        }
        Ok(Self { path: path.unwrap_or_default() })
    }

    fn plain(&self) -> Option<Cow<'_, str>> {
        (!self.path.contains(['\n', '\r'])).then_some(Cow::Borrowed(self.path.as_str()))
    }

    fn from_plain(text: &str) -> Option<Self> {
        text.lines().map(str::trim).rfind(|line| !line.is_empty()).map(|line| Self { path: line.to_owned() })
    }
}

/// Answer to `MessageDisplay`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MessageDisplay {
    /// What is shown instead of the message, and what `-p` prints as its result. The model's own text stays.
    pub display_content: Option<String>,
}

impl Answer for MessageDisplay {
    const EVENT: &'static str = "MessageDisplay";

    fn write(&self, document: &mut Document) {
        document.specific().optional("displayContent", self.display_content.as_deref());
    }

    fn read(source: &Source<'_>) -> Result<Self, ReplyError> {
        Ok(Self { display_content: source.text("displayContent")? })
    }
}
