//! `lifecycle`: tells the registry what the session does.

use hook_protocol::event::{Body, Event, SessionEndReason, SessionSource};
use serde::{Deserialize, Serialize};

use super::{CheckContext, Step};
use crate::effect::Effect;
use crate::finding::Finding;
use crate::registry::{Change, State};
use crate::template::end_reason;
use hook_shell::resolve::taint::glob;

/// Settings of `lifecycle`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Lifecycle {
    /// Tools by which the model says what it works on; `*` stands for any text.
    pub status_tools: Vec<String>,
    /// Parameters of such a tool that hold the text; the first that is there counts.
    pub status_parameters: Vec<String>,
}

impl Step for Lifecycle {
    /// The states of a session. An event that it does not know changes nothing.
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let change = match &ctx.event.body {
            Body::SessionStart(start) => Change::Started {
                fresh: matches!(start.source, None | Some(SessionSource::Startup | SessionSource::Clear)),
            },
            Body::UserPromptSubmit(_) | Body::PostToolUse(_) | Body::PostToolUseFailure(_) => {
                Change::State(State::Active)
            }
            Body::PreToolUse(_) => Change::State(State::ToolActive),
            Body::Stop(_) | Body::StopFailure(_) => Change::State(State::Idle),
            // Only what was said so far is cleared; the session goes on.
            Body::SessionEnd(end) if end.reason == Some(SessionEndReason::Clear) => return None,
            Body::SessionEnd(_) => Change::Ended { reason: end_reason(ctx.event).into_owned() },
            _ => return None,
        };
        let mut changes = vec![change];
        if matches!(ctx.event.body, Body::SessionStart(_)) {
            // What was said about context and end is said again in a session that goes on (C4 16).
            let known = ctx.facts.registered();
            changes.extend((known.stop_level > 0).then_some(Change::StopLevel(0)));
            changes.extend(known.pinged.then_some(Change::Pinged(false)));
        }
        changes.extend(self.status(ctx.event));
        Some(Finding::default().with(changes.into_iter().map(Effect::Registry)))
    }
}

impl Lifecycle {
    /// The status that the call has set.
    fn status(&self, event: &Event<'_>) -> Option<Change> {
        let tool = event.tool().filter(|_| matches!(event.body, Body::PostToolUse(_)))?;
        if !self.status_tools.iter().any(|pattern| glob(pattern, &tool.name)) {
            return None;
        }
        let fields = tool.input.object()?;
        let text = self.status_parameters.iter().find_map(|name| fields.get_str(name))?;
        Some(Change::Status(text.trim().to_owned()))
    }
}
