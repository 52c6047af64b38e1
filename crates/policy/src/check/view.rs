//! `views`: which files that show the session document are rewritten after an event.

use serde::{Deserialize, Serialize};

use super::{CheckContext, Step};
use crate::effect::{Effect, View};
use crate::finding::Finding;

/// Settings of `views`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Views {
    /// The views, in the order of writing.
    pub write: Vec<View>,
    /// On SessionStart, only for these sources; empty means every source (another source leaves the view alone).
    #[serde(default)]
    pub sources: Vec<String>,
}

impl Step for Views {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let source = crate::template::session_source(ctx.event);
        if ctx.event.stop_hook_active()
            || !(self.sources.is_empty() || self.sources.iter().any(|wanted| *wanted == source))
        {
            return None;
        }
        Some(Finding { effects: self.write.iter().copied().map(Effect::View).collect(), ..Finding::default() })
    }
}
