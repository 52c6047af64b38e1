//! `conflict-markers`: tells of a written file that still holds the markers of a merge conflict.

use hook_protocol::event::Body;
use serde::{Deserialize, Serialize};

use super::{CheckContext, Step};
use crate::finding::Finding;

/// Settings of `conflict-markers`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct ConflictMarkers {
    /// Endings of files that are not looked at, such as `md` where texts show markers as an example.
    pub skip: Vec<String>,
}

impl Step for ConflictMarkers {
    fn looks_at_a_file(&self) -> bool {
        true
    }

    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let Body::PostToolUse(_) = &ctx.event.body else { return None };
        let written = ctx.written()?;
        if self.skip.iter().any(|ending| ending == written.extension()) {
            return None;
        }
        let line = first_conflict(&written.text_after(ctx.facts)?)?;
        Some(Finding::advice(format!(
            "{} still holds a merge conflict, which begins in line {line}. Resolve it and remove its markers before the file is \
             committed or run.",
            written.shown()
        )))
    }
}

/// The line, from 1, in which the first whole conflict begins: its three markers stand in this order, each at the start of a line.
fn first_conflict(text: &str) -> Option<usize> {
    let (mut begins, mut divided) = (None, false);
    for (number, line) in (1..).zip(text.lines()) {
        if line.starts_with("<<<<<<< ") {
            (begins, divided) = (Some(number), false);
        } else if line == "=======" {
            divided = begins.is_some();
        } else if divided && line.starts_with(">>>>>>> ") {
            return begins;
        }
    }
    None
}
