//! `banner`: a text for the model's context, with what an earlier session left.

use serde::{Deserialize, Serialize};

use super::offer::is_offered;
use super::{CheckContext, Step};
use crate::finding::{Context, Finding};
use crate::profile::WithoutServer;
use crate::template::{Values, session_source};

/// Settings of `banner`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Banner {
    /// The text; a template.
    pub text: String,
    /// Tools of a server that stand in for the host's own; `*` stands for any text.
    #[serde(default)]
    pub tools: Vec<String>,
    /// What follows where a server offers the tools that stand in for the host's own, or these are refused all the same; a template.
    #[serde(default)]
    pub offered: String,
    /// What follows where none does, so that these pass; a template.
    #[serde(default)]
    pub unoffered: String,
    /// What the user is told then, once a session.
    #[serde(default)]
    pub notice: String,
    /// The end; a template.
    #[serde(default)]
    pub closing: String,
    /// Add the summary of the last hand-off note, if there is one that the last start had not seen.
    #[serde(default)]
    pub handoff: bool,
}

impl Step for Banner {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let settings = ctx.settings;
        let is_offered =
            settings.without_server == WithoutServer::Refuse || is_offered(&settings.servers, self.tools.iter(), ctx);
        let middle = if is_offered { &self.offered } else { &self.unoffered };
        let parts = [&self.text, middle, &self.closing].into_iter().filter(|part| !part.is_empty());
        let parts: Vec<String> = parts.map(|part| Values::new(ctx).fill(part)).collect();
        let mut text = parts.join("\n\n");
        if let Some(summary) = self.handoff.then(|| ctx.facts.handoff()).flatten() {
            text.push_str("\n\n");
            text.push_str(&summary);
        }
        let is_new = matches!(session_source(ctx.event).as_ref(), "startup" | "clear");
        let notice = Some(self.notice.clone()).filter(|notice| !is_offered && is_new && !notice.is_empty());
        Some(Finding { context: Some(Context { text, plain: false }), notice, ..Finding::default() })
    }
}
