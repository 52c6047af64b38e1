//! Replies to the events around a tool call.

use serde_json::value::RawValue;

use super::error::ReplyError;
use super::read::{Decision, Source};
use super::universal::Universal;
use super::write::Document;
use super::{Answer, append};

/// What `PreToolUse` decides about the call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PreToolDecision {
    /// The call runs without a prompt; the settings' deny and ask rules still apply. The reason is for the user.
    Allow {
        /// Text for the user.
        reason: Option<String>,
    },
    /// The call is refused; the model reads the reason. It has no length limit.
    Deny {
        /// Text for the model.
        reason: String,
    },
    /// The user is asked, also where a rule would allow. Without anybody to ask (`-p`) this refuses.
    Ask {
        /// Text for the user.
        reason: Option<String>,
    },
    /// The run ends and the call waits for its resumption; only with `-p` and one tool call in the turn.
    Defer,
}

/// Answer to `PreToolUse`. Silence is not approval: without a decision the normal permission flow goes on.
#[derive(Debug, Clone, Default)]
pub struct PreToolUse {
    /// The decision about the call.
    pub decision: Option<PreToolDecision>,
    /// The whole new tool input, an object; it replaces the old one, so every key has to be copied.
    /// Not sent with deny or defer, where the host ignores it.
    pub updated_input: Option<Box<RawValue>>,
    /// Text for the model beside the result of the call, also when it is refused.
    pub additional_context: Option<String>,
    /// Fields that all events share.
    pub notice: Universal,
}

impl PreToolUse {
    /// A refusal that the model reads.
    pub fn deny(reason: impl Into<String>) -> Self {
        Self { decision: Some(PreToolDecision::Deny { reason: reason.into() }), ..Self::default() }
    }

    /// A question to the user.
    pub fn ask(reason: impl Into<String>) -> Self {
        Self { decision: Some(PreToolDecision::Ask { reason: Some(reason.into()) }), ..Self::default() }
    }
}

impl Answer for PreToolUse {
    const EVENT: &'static str = "PreToolUse";

    fn write(&self, document: &mut Document) {
        self.notice.write(document);
        let mut specific = document.specific();
        let (word, reason) = match &self.decision {
            None => (None, None),
            Some(PreToolDecision::Allow { reason }) => (Some("allow"), reason.as_deref()),
            Some(PreToolDecision::Deny { reason }) => (Some("deny"), Some(reason.as_str())),
            Some(PreToolDecision::Ask { reason }) => (Some("ask"), reason.as_deref()),
            Some(PreToolDecision::Defer) => (Some("defer"), None),
        };
        specific.optional("permissionDecision", word);
        specific.optional("permissionDecisionReason", reason);
        if !matches!(self.decision, Some(PreToolDecision::Deny { .. } | PreToolDecision::Defer)) {
            specific.raw("updatedInput", self.updated_input.as_deref());
        }
        specific.optional("additionalContext", self.additional_context.as_deref());
    }

    fn read(source: &Source<'_>) -> Result<Self, ReplyError> {
        let reason = source.text("permissionDecisionReason")?;
        let decision = match source.text("permissionDecision")? {
            Some(word) => Some(match word.as_str() {
                "allow" => PreToolDecision::Allow { reason },
                "deny" => PreToolDecision::Deny { reason: reason.unwrap_or_default() },
                "ask" => PreToolDecision::Ask { reason },
                "defer" => PreToolDecision::Defer,
                _ => {
                    let (field, allowed) = ("permissionDecision", "allow, deny, ask, defer");
                    return Err(ReplyError::Value { field, value: word, allowed });
                }
            }),
            // The old form, which the host still maps.
            None => match source.decision()? {
                Some(Decision::Approve) => Some(PreToolDecision::Allow { reason: source.top_text("reason")? }),
                Some(Decision::Block) => {
                    Some(PreToolDecision::Deny { reason: source.top_text("reason")?.unwrap_or_default() })
                }
                None => None,
            },
        };
        Ok(Self {
            decision,
            updated_input: source.raw_object("updatedInput")?,
            additional_context: source.text("additionalContext")?,
            notice: Universal::read(source)?,
        })
    }

    fn refuse(&mut self, text: &str) -> bool {
        match &mut self.decision {
            Some(PreToolDecision::Deny { reason }) => append(reason, text),
            decision => *decision = Some(PreToolDecision::Deny { reason: text.to_owned() }),
        }
        true
    }

    fn refusal(&self) -> Option<&str> {
        match &self.decision {
            Some(PreToolDecision::Deny { reason }) => Some(reason),
            _ => None,
        }
    }

    keeps!(context, message);
}

/// Answer to `PreSkillShellCommand`: the command of a skill is not run, or it is. A rewrite is refused by the host, and
/// allow adds nothing, so neither can be built.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PreSkillShellCommand {
    /// The command is not run; the text stands in its place.
    pub deny: Option<String>,
    /// Fields that all events share.
    pub notice: Universal,
}

impl Answer for PreSkillShellCommand {
    const EVENT: &'static str = "PreSkillShellCommand";

    fn write(&self, document: &mut Document) {
        self.notice.write(document);
        let mut specific = document.specific();
        specific.optional("permissionDecision", self.deny.as_ref().map(|_| "deny"));
        specific.optional("permissionDecisionReason", self.deny.as_deref());
    }

    fn read(source: &Source<'_>) -> Result<Self, ReplyError> {
        let reason = source.text("permissionDecisionReason")?.unwrap_or_default();
        let deny = match source.text("permissionDecision")?.as_deref() {
            Some("deny" | "ask" | "defer") => Some(reason),
            // Any rewrite refuses.
            Some("allow") | None => source.raw("updatedInput").map(|_| reason),
            Some(word) => {
                let (field, allowed) = ("permissionDecision", "allow, deny, ask, defer");
                return Err(ReplyError::Value { field, value: word.to_owned(), allowed });
            }
        };
        Ok(Self { deny, notice: Universal::read(source)? })
    }

    fn refuse(&mut self, text: &str) -> bool {
        append(self.deny.get_or_insert_default(), text);
        true
    }

    keeps!(message);
}

/// Answer to `PostToolUse`. The tool has run; nothing here undoes it.
#[derive(Debug, Clone, Default)]
pub struct PostToolUse {
    /// Reason for the model, appended to the tool's result as an error of the hook (`decision: block`).
    pub block: Option<String>,
    /// Text for the model.
    pub additional_context: Option<String>,
    /// Text for the classifier of auto mode, at most [`CLASSIFIER_LIMIT`](super::CLASSIFIER_LIMIT).
    pub classifier_context: Option<String>,
    /// What the model sees instead of the result; it must have the shape that the tool's own result has.
    pub updated_tool_output: Option<Box<RawValue>>,
    /// The older form of `updated_tool_output`, for MCP tools only.
    pub updated_mcp_tool_output: Option<Box<RawValue>>,
    /// Fields that all events share.
    pub notice: Universal,
}

impl Answer for PostToolUse {
    const EVENT: &'static str = "PostToolUse";

    fn write(&self, document: &mut Document) {
        self.notice.write(document);
        document.block(self.block.as_deref());
        let mut specific = document.specific();
        specific.optional("additionalContext", self.additional_context.as_deref());
        specific.optional("classifierContext", self.classifier_context.as_deref());
        specific.raw("updatedToolOutput", self.updated_tool_output.as_deref());
        specific.raw("updatedMCPToolOutput", self.updated_mcp_tool_output.as_deref());
    }

    fn read(source: &Source<'_>) -> Result<Self, ReplyError> {
        Ok(Self {
            block: source.block()?,
            additional_context: source.text("additionalContext")?,
            classifier_context: source.text("classifierContext")?,
            updated_tool_output: source.raw("updatedToolOutput"),
            updated_mcp_tool_output: source.raw("updatedMCPToolOutput"),
            notice: Universal::read(source)?,
        })
    }

    keeps!(context, message, refuse);
}
