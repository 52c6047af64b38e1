//! `complexity`: what a prompt's score means for the answer to it.

use serde::{Deserialize, Serialize};

use super::{CheckContext, Step};
use crate::effect::{Effect, Memory};
use crate::finding::{Context, Finding};
use crate::template::Values;

/// Settings of `complexity`. The texts are templates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Complexity {
    /// What the model reads from `full_from` on.
    pub full: String,
    /// What it reads below that, from `light_from` on.
    pub light: String,
    /// What it reads below that, as plain text; one line.
    pub status: String,
    /// The score from which the full text is given.
    #[serde(default = "full_from")]
    pub full_from: u64,
    /// The score from which the light text is given.
    #[serde(default = "light_from")]
    pub light_from: u64,
    /// Log file in the state directory.
    pub file: String,
    /// The line in it, after its time stamp.
    pub log: String,
    /// Whether the line gets a time stamp, as every other line of the log has.
    #[serde(default = "yes")]
    pub log_stamp: bool,
}

fn full_from() -> u64 {
    2_000
}

fn light_from() -> u64 {
    500
}

fn yes() -> bool {
    true
}

impl Step for Complexity {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let score = ctx.facts.complexity()?;
        let values = Values::new(ctx);
        let (text, plain) = match score.c {
            c if c >= self.full_from => (&self.full, false),
            c if c >= self.light_from => (&self.light, false),
            _ => (&self.status, true),
        };
        let log = values.fill(&self.log);
        let line = if self.log_stamp { format!("[{}] {log}", ctx.facts.now().stamp) } else { log };
        Some(Finding {
            context: Some(Context { text: values.fill(text), plain }),
            effects: vec![
                Effect::Line { file: self.file.clone(), line },
                Effect::Memory(Memory::Scored { c: score.c, tier: score.tier }),
            ],
            ..Finding::default()
        })
    }
}
