//! The answers of older documents as settings: `allow`, `block`, `warn` and `fail`, put into what the host really takes.

use hook_protocol::event::{Body, Event};
use serde::{Deserialize, Serialize};

use crate::finding::Finding;

/// How a check answers when it has something to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// Not at all.
    Allow,
    /// What the event is about is blocked, with the reason.
    Block,
    /// A text: for the model where that costs no turn, else for the user. The work goes on.
    Warn,
    /// The whole turn ends, and the user reads why.
    Fail,
}

impl Style {
    /// The answer to this event. A text at a stop would make the same agent go on, so a warning there is for the user.
    pub(super) fn finding(self, event: &Event<'_>, text: String) -> Finding {
        let at_stop = matches!(event.body, Body::SubagentStop(_) | Body::Stop(_));
        match self {
            Self::Allow => Finding::default(),
            Self::Block => Finding::refusal(text),
            Self::Warn if at_stop => Finding { notice: Some(text), ..Finding::default() },
            Self::Warn => Finding::advice(text),
            Self::Fail => Finding { halt: Some(text), ..Finding::default() },
        }
    }
}
