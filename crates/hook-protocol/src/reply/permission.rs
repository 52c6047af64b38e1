//! Replies to the permission prompt and to the refusal of auto mode.

use serde_json::value::RawValue;

use super::error::ReplyError;
use super::read::{self, Source};
use super::universal::Universal;
use super::write::Document;
use super::{Answer, append};

/// What `PermissionRequest` answers in place of the user.
#[derive(Debug, Clone)]
pub enum PermissionDecision {
    /// The call runs; the settings' deny and ask rules still apply.
    Allow {
        /// The whole new tool input, an object; it replaces the old one.
        updated_input: Option<Box<RawValue>>,
        /// Permission updates to make: those that the event suggests, or the text of a
        /// [`PermissionUpdate`](crate::permission::PermissionUpdate).
        updated_permissions: Vec<Box<RawValue>>,
    },
    /// The call is refused.
    Deny {
        /// Text for the model.
        message: Option<String>,
        /// Ends the run as well.
        interrupt: bool,
    },
}

/// Answer to `PermissionRequest`. Without a decision the prompt is shown. Exit code 2 has no effect on this event.
#[derive(Debug, Clone, Default)]
pub struct PermissionRequest {
    /// The answer in place of the user.
    pub decision: Option<PermissionDecision>,
    /// Fields that all events share.
    pub notice: Universal,
}

impl Answer for PermissionRequest {
    const EVENT: &'static str = "PermissionRequest";

    fn write(&self, document: &mut Document) {
        self.notice.write(document);
        let Some(decision) = &self.decision else { return };
        document.specific().object("decision", |fields| match decision {
            PermissionDecision::Allow { updated_input, updated_permissions } => {
                fields.text("behavior", "allow");
                fields.raw("updatedInput", updated_input.as_deref());
                fields.raws("updatedPermissions", updated_permissions);
            }
            PermissionDecision::Deny { message, interrupt } => {
                fields.text("behavior", "deny");
                fields.optional("message", message.as_deref());
                fields.switch("interrupt", *interrupt);
            }
        });
    }

    fn read(source: &Source<'_>) -> Result<Self, ReplyError> {
        let notice = Universal::read(source)?;
        let Some(decision) = source.members("decision")? else {
            return if source.has_specific() {
                Err(ReplyError::Missing { field: "decision" })
            } else {
                Ok(Self { decision: None, notice })
            };
        };
        let behavior =
            read::text(decision.get("behavior"), "behavior")?.ok_or(ReplyError::Missing { field: "behavior" })?;
        let decision = match behavior.as_str() {
            "allow" => PermissionDecision::Allow {
                updated_input: read::object(decision.get("updatedInput"), "updatedInput")?,
                updated_permissions: read::objects(decision.get("updatedPermissions"), "updatedPermissions")?,
            },
            "deny" => PermissionDecision::Deny {
                message: read::text(decision.get("message"), "message")?,
                interrupt: read::boolean(decision.get("interrupt"), "interrupt")?.unwrap_or_default(),
            },
            _ => return Err(ReplyError::Value { field: "behavior", value: behavior, allowed: "allow, deny" }),
        };
        Ok(Self { decision: Some(decision), notice })
    }

    fn refuse(&mut self, text: &str) -> bool {
        match &mut self.decision {
            Some(PermissionDecision::Deny { message, .. }) => append(message.get_or_insert_default(), text),
            decision => {
                *decision = Some(PermissionDecision::Deny { message: Some(text.to_owned()), interrupt: false });
            }
        }
        true
    }

    keeps!(message);
}

/// Answer to `PermissionDenied`, the refusal of auto mode.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PermissionDenied {
    /// Tells the model that it may try again.
    pub retry: bool,
    /// Fields that all events share.
    pub notice: Universal,
}

impl Answer for PermissionDenied {
    const EVENT: &'static str = "PermissionDenied";

    fn write(&self, document: &mut Document) {
        self.notice.write(document);
        document.specific().switch("retry", self.retry);
    }

    fn read(source: &Source<'_>) -> Result<Self, ReplyError> {
        Ok(Self { retry: source.switch("retry")?, notice: Universal::read(source)? })
    }

    keeps!(message);
}
