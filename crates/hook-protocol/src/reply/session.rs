//! Replies to the life of a session: its start, its subagents, its model, its directories and settings.

use super::error::ReplyError;
use super::read::{Decision, Source};
use super::universal::{Notice, TerminalSequence, Universal};
use super::write::Document;
use super::{Answer, append, write_context};

/// Answer to `SessionStart`. Nothing blocks this event, and ending the turn has no effect on it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionStart {
    /// Text for the model of the main thread; subagents don't see it.
    pub additional_context: Option<String>,
    /// Plain stdout, which reaches the model like context. When JSON has to be sent as well, or when the text begins with
    /// a brace and would be taken for JSON, it is appended to `additionalContext`.
    pub text: Option<String>,
    /// A turn of its own before the prompt, with `-p`. At most [`CONTEXT_LIMIT`](super::CONTEXT_LIMIT).
    pub initial_user_message: Option<String>,
    /// Title of the session; ignored after clear and compact.
    pub session_title: Option<String>,
    /// Files whose changes fire `FileChanged`.
    pub watch_paths: Option<Vec<String>>,
    /// Reads the skills again.
    pub reload_skills: bool,
    /// Fields that all events share.
    pub notice: Notice,
}

impl Answer for SessionStart {
    const EVENT: &'static str = "SessionStart";

    fn write(&self, document: &mut Document) {
        self.notice.write(document);
        let mut specific = document.specific();
        specific.optional("initialUserMessage", self.initial_user_message.as_deref());
        specific.optional("sessionTitle", self.session_title.as_deref());
        specific.list("watchPaths", self.watch_paths.as_deref());
        specific.switch("reloadSkills", self.reload_skills);
        write_context(document, self.additional_context.as_deref(), self.text.as_deref());
    }

    fn read(source: &Source<'_>) -> Result<Self, ReplyError> {
        Ok(Self {
            additional_context: source.text("additionalContext")?,
            text: None,
            initial_user_message: source.text("initialUserMessage")?,
            session_title: source.text("sessionTitle")?,
            watch_paths: source.list("watchPaths")?,
            reload_skills: source.switch("reloadSkills")?,
            notice: Notice::read(source)?,
        })
    }

    keeps!(context, message, plain, from_plain);
}

/// Answer to Setup. The host's types accept context here; in the host seen it did not reach the model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Setup {
    /// Text for the model.
    pub additional_context: Option<String>,
    /// Fields that all events share.
    pub notice: Universal,
}

/// Answer to `SubagentStart`. It can't stop the subagent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SubagentStart {
    /// Text for the subagent.
    pub additional_context: Option<String>,
    /// Fields that all events share.
    pub notice: Universal,
}

/// The two replies that are no more than text for whoever starts.
macro_rules! telling {
    ($name:ident) => {
        impl Answer for $name {
            const EVENT: &'static str = stringify!($name);

            fn write(&self, document: &mut Document) {
                self.notice.write(document);
                document.specific().optional("additionalContext", self.additional_context.as_deref());
            }

            fn read(source: &Source<'_>) -> Result<Self, ReplyError> {
                Ok(Self { additional_context: source.text("additionalContext")?, notice: Universal::read(source)? })
            }

            keeps!(context, message);
        }
    };
}

telling!(Setup);
telling!(SubagentStart);

/// What `PreModelSwitch` decides about the new model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelSwitchDecision {
    /// The switch is made.
    Allow,
    /// The model stays; the user reads the reason.
    Deny {
        /// Text for the user.
        reason: String,
    },
    /// The user is asked.
    Ask {
        /// Text for the user.
        reason: Option<String>,
    },
}

/// Answer to `PreModelSwitch`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PreModelSwitch {
    /// The decision about the switch.
    pub decision: Option<ModelSwitchDecision>,
    /// Fields that all events share.
    pub notice: Universal,
}

impl Answer for PreModelSwitch {
    const EVENT: &'static str = "PreModelSwitch";

    fn write(&self, document: &mut Document) {
        self.notice.write(document);
        let (word, reason) = match &self.decision {
            None => return,
            Some(ModelSwitchDecision::Allow) => ("allow", None),
            Some(ModelSwitchDecision::Deny { reason }) => ("deny", Some(reason.as_str())),
            Some(ModelSwitchDecision::Ask { reason }) => ("ask", reason.as_deref()),
        };
        let mut specific = document.specific();
        specific.text("permissionDecision", word);
        specific.optional("permissionDecisionReason", reason);
    }

    fn read(source: &Source<'_>) -> Result<Self, ReplyError> {
        let reason = source.text("permissionDecisionReason")?;
        let decision = match source.text("permissionDecision")? {
            Some(word) => Some(match word.as_str() {
                "allow" => ModelSwitchDecision::Allow,
                "deny" => ModelSwitchDecision::Deny { reason: reason.unwrap_or_default() },
                "ask" => ModelSwitchDecision::Ask { reason },
                _ => {
                    let (field, allowed) = ("permissionDecision", "allow, deny, ask");
                    return Err(ReplyError::Value { field, value: word, allowed });
                }
            }),
            None if source.decision()? == Some(Decision::Block) => {
                Some(ModelSwitchDecision::Deny { reason: source.top_text("reason")?.unwrap_or_default() })
            }
            None => None,
        };
        Ok(Self { decision, notice: Universal::read(source)? })
    }

    fn refuse(&mut self, text: &str) -> bool {
        match &mut self.decision {
            Some(ModelSwitchDecision::Deny { reason }) => append(reason, text),
            decision => *decision = Some(ModelSwitchDecision::Deny { reason: text.to_owned() }),
        }
        true
    }

    keeps!(message);
}

/// Answer to `PostModelSwitch`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PostModelSwitch {
    /// Text for the model.
    pub additional_context: Option<String>,
    /// Plain stdout, which reaches the model like context; see [`SessionStart::text`].
    pub text: Option<String>,
    /// Fields that all events share.
    pub notice: Universal,
}

impl Answer for PostModelSwitch {
    const EVENT: &'static str = "PostModelSwitch";

    fn write(&self, document: &mut Document) {
        self.notice.write(document);
        write_context(document, self.additional_context.as_deref(), self.text.as_deref());
    }

    fn read(source: &Source<'_>) -> Result<Self, ReplyError> {
        Ok(Self { additional_context: source.text("additionalContext")?, text: None, notice: Universal::read(source)? })
    }

    keeps!(context, message, plain, from_plain);
}

/// Answer to Notification. `systemMessage` and `continue` are discarded there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notification {
    /// Typed by the host; its documentation says that only the terminal signal counts.
    pub additional_context: Option<String>,
    /// A signal to the terminal, in interactive sessions only.
    pub terminal_sequence: Option<TerminalSequence>,
}

impl Answer for Notification {
    const EVENT: &'static str = "Notification";

    fn write(&self, document: &mut Document) {
        document.top().optional("terminalSequence", self.terminal_sequence.as_ref().map(TerminalSequence::as_str));
        document.specific().optional("additionalContext", self.additional_context.as_deref());
    }

    fn read(source: &Source<'_>) -> Result<Self, ReplyError> {
        let Notice { terminal_sequence, .. } = Notice::read(source)?;
        Ok(Self { additional_context: source.text("additionalContext")?, terminal_sequence })
    }
}

/// Answer to `CwdChanged`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CwdChanged {
    /// Files whose changes fire `FileChanged`.
    pub watch_paths: Option<Vec<String>>,
    /// A brief notice to the user.
    pub notice: Notice,
}

/// Answer to `FileChanged`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileChanged {
    /// Files whose changes fire `FileChanged`.
    pub watch_paths: Option<Vec<String>>,
    /// A brief notice to the user.
    pub notice: Notice,
}

/// The two replies that set the list of watched files.
macro_rules! watching {
    ($name:ident) => {
        impl Answer for $name {
            const EVENT: &'static str = stringify!($name);

            fn write(&self, document: &mut Document) {
                self.notice.write(document);
                document.specific().list("watchPaths", self.watch_paths.as_deref());
            }

            fn read(source: &Source<'_>) -> Result<Self, ReplyError> {
                Ok(Self { watch_paths: source.list("watchPaths")?, notice: Notice::read(source)? })
            }

            keeps!(message);
        }
    };
}

watching!(CwdChanged);
watching!(FileChanged);

/// Answer to `DirectoryAdded`: a text that the model reads after `/add-dir`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DirectoryAdded {
    /// Its `system_message` goes to the model.
    pub notice: Notice,
}

impl Answer for DirectoryAdded {
    const EVENT: &'static str = "DirectoryAdded";
    const SPECIFIC: bool = false;

    fn write(&self, document: &mut Document) {
        self.notice.write(document);
    }

    fn read(source: &Source<'_>) -> Result<Self, ReplyError> {
        Ok(Self { notice: Notice::read(source)? })
    }

    keeps!(message);
}

/// Answer to `ConfigChange`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConfigChange {
    /// The change is not taken over, except that of policy settings. Nobody reads the reason.
    pub block: Option<String>,
}

impl Answer for ConfigChange {
    const EVENT: &'static str = "ConfigChange";
    const SPECIFIC: bool = false;

    fn write(&self, document: &mut Document) {
        document.block(self.block.as_deref());
    }

    fn read(source: &Source<'_>) -> Result<Self, ReplyError> {
        Ok(Self { block: source.block()? })
    }

    keeps!(refuse);
}
