//! `redirect`: refuses a call and names the tool to use instead.

use serde::{Deserialize, Serialize};

use super::offer::is_offered;
use super::{CheckContext, Step};
use crate::finding::Finding;
use crate::profile::WithoutServer;
use crate::template::Values;

/// What a refusal adds until the session has used such a tool: a declared server may be dead.
const UNUSED: &str = "\nIf you have no such tool, its server is not connected: ask the user to look at /mcp.";
/// What it adds where no server for it is declared.
const UNDECLARED: &str =
    "\nNo server with such tools is declared: ask the user to add one, or to set `without_server = \"pass\"`.";

/// Settings of `redirect`. Which tools it serves is said by its handler.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Redirect {
    /// The reason that the model reads; a template.
    pub message: String,
    /// The tools of a server that stand in; `*` stands for any text. Without any, the call is refused whatever servers there are.
    #[serde(default)]
    pub tools: Vec<String>,
}

impl Step for Redirect {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let (settings, facts) = (ctx.settings, ctx.facts);
        let tools = &self.tools;
        let mut reason = Values::new(ctx).fill(&self.message);
        if !tools.is_empty() && !facts.has_used(&tools.iter().collect::<Vec<_>>()) {
            let is_offered = is_offered(&settings.servers, tools.iter(), ctx);
            if !is_offered && settings.without_server == WithoutServer::Pass {
                return None;
            }
            reason.push_str(if is_offered { UNUSED } else { UNDECLARED });
        }
        Some(Finding::refusal(reason))
    }

    fn unreadable(&self, _stamp: &str) -> Option<Finding> {
        Some(Finding::refusal(self.message.clone()))
    }
}
