//! `sanestart` and `anchor`: what a session begins with, and lines about the state that are kept elsewhere.

use std::collections::BTreeMap;

use hook_protocol::event::Body;
use serde::{Deserialize, Serialize};

use super::super::{CheckContext, Step};
use super::change;
use crate::finding::{Context, Finding};
use crate::sane::Change;
use crate::template::session_source;

/// Settings of `sanestart`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct SaneStart {
    /// Start sources that begin the session's sections again; every other source keeps them, loops included.
    pub reset_on: Vec<String>,
    /// How many learnings are offered; 0 for none.
    pub learnings: usize,
}

impl Default for SaneStart {
    fn default() -> Self {
        Self { reset_on: super::owned(&["startup", "clear"]), learnings: 5 }
    }
}

/// Settings of `anchor`. With neither it does nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Anchor {
    /// A file that gets the line, by absolute path; best one that the agent's user can only append to.
    pub append_to: Option<String>,
    /// A program that gets the line as its last argument, and its other arguments.
    pub command: Vec<String>,
}

impl Step for SaneStart {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let Body::SessionStart(_) = &ctx.event.body else { return None };
        let state = ctx.facts.sane();
        let source = session_source(ctx.event);
        let begins = self.reset_on.iter().any(|reset| *reset == source);
        let mut text = Vec::new();
        let mut notice = None;
        if state.breaker.tripped {
            let last = state.breaker.last_error.as_deref().unwrap_or("unknown");
            text.push(format!("The circuit breaker is still tripped, so edits are refused. Last error: {last}."));
            notice = Some(
                "The circuit breaker is still tripped from before. Type reset breaker when the cause is found."
                    .to_owned(),
            );
        }
        if let Some(looping) = state.looping.as_ref().filter(|_| !begins) {
            text.push(super::stop::loop_text(looping));
        }
        // The same lesson is told once, with how often it was learned.
        let mut lessons: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for learning in &state.learnings {
            *lessons.entry((&learning.kind, &learning.pattern)).or_default() += 1;
        }
        let mut lessons: Vec<_> = lessons.into_iter().collect();
        lessons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        lessons.truncate(self.learnings);
        if begins && !lessons.is_empty() {
            let lines = lessons.iter().map(|((kind, pattern), count)| format!("\n- {kind}: {pattern} ({count} times)"));
            let lines: String = lines.collect();
            text.push(format!("Learned in earlier sessions:{lines}"));
        }
        let mut effects = Vec::new();
        effects.extend((state.trouble.is_some() || state.moved.is_some()).then(|| change(Change::Mend)));
        effects.extend(begins.then(|| change(Change::Begin)));
        let context = (!text.is_empty()).then(|| Context { text: text.join("\n"), plain: false });
        Some(Finding { context, notice, effects, ..Finding::default() })
    }

    fn keeps_signed_state(&self) -> bool {
        true
    }
}

impl Step for Anchor {
    fn ask(&self, _question: &CheckContext<'_>) -> Option<Finding> {
        if self.append_to.is_none() && self.command.is_empty() {
            return None;
        }
        let anchor = Change::Anchor { file: self.append_to.clone(), command: self.command.clone() };
        Some(Finding { effects: vec![change(anchor)], ..Finding::default() })
    }

    fn keeps_signed_state(&self) -> bool {
        true
    }

    fn command(&self) -> Option<&[String]> {
        Some(&self.command)
    }
}
