//! `sanestop` and `saneloop`: what is left when the agent stops, and the rounds of a loop. Neither blocks a stop.

use hook_protocol::event::Body;
use serde::{Deserialize, Serialize};

use super::super::{CheckContext, Step};
use super::{change, listed, log};
use crate::finding::Finding;
use crate::sane::{Change, Loop, Member};

/// Settings of `sanestop`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct SaneStop {
    /// Edits from which the user is reminded.
    pub edits: u64,
    /// Different files from which the user is reminded.
    pub files: u64,
    /// The log, in the project's `.claude` directory.
    pub file: String,
}

impl Default for SaneStop {
    fn default() -> Self {
        Self { edits: 3, files: 2, file: "sanestop.log".to_owned() }
    }
}

/// Settings of `saneloop`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct SaneLoop {
    /// Percent of the rounds from which the user is told.
    pub warn_percent: u32,
    /// Percent of the rounds from which the user is told urgently.
    pub critical_percent: u32,
}

impl Default for SaneLoop {
    fn default() -> Self {
        Self { warn_percent: 70, critical_percent: 90 }
    }
}

impl Step for SaneStop {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        if !matches!(ctx.event.body, Body::Stop(_)) || ctx.event.stop_hook_active() {
            return None;
        }
        let state = ctx.facts.sane();
        let mut said = Vec::new();
        if state.edits > 0 {
            said.push(format!(
                "This session: {} edits in {} files, {} categories of research, {} refusals.",
                state.edits,
                state.unique_files,
                state.research.len(),
                state.blocks
            ));
        }
        if state.edits >= self.edits || state.unique_files >= self.files {
            said.push("Check before you go on: tests run, result looked at, changes committed.".to_owned());
        }
        let open: Vec<&str> =
            state.requested.iter().filter(|name| !state.satisfied.contains(name)).map(String::as_str).collect();
        if !open.is_empty() {
            said.push(format!("Still asked for: {}.", open.join(", ")));
        }
        if state.breaker.tripped {
            said.push("The circuit breaker is tripped; type reset breaker when the cause is found.".to_owned());
        }
        if let Some(halted) = &state.halted {
            said.push(format!(
                "The gates for research and requirements only warn now, after {halted}. Type reset blocks to put them in force again."
            ));
        }
        let line = vec![
            ("edits", Member::Number(state.edits)),
            ("unique_files", Member::Number(state.unique_files)),
            ("research_done", Member::Number(state.research.len() as u64)),
            ("failures", Member::Number(u64::from(state.breaker.failures))),
            ("blocks", Member::Number(state.blocks)),
            ("halted", Member::Bool(state.halted.is_some())),
        ];
        let mut effects = vec![log(&self.file, line)];
        effects.extend((state.trouble.is_some() || state.moved.is_some()).then(|| change(Change::Mend)));
        Some(Finding { notice: (!said.is_empty()).then(|| said.join("\n")), effects, ..Finding::default() })
    }

    fn keeps_signed_state(&self) -> bool {
        true
    }
}

impl Step for SaneLoop {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        if !matches!(ctx.event.body, Body::Stop(_)) || ctx.event.stop_hook_active() {
            return None;
        }
        let mut looping = ctx.facts.sane().looping?;
        looping.iteration = looping.iteration.saturating_add(1);
        let percent = u64::from(looping.iteration) * 100 / u64::from(looping.max.max(1));
        let open = looping.criteria.iter().filter(|(_, checked)| !checked).map(|(text, _)| text.as_str());
        let round = format!("saneloop: round {} of {}", looping.iteration, looping.max);
        let notice = if looping.iteration >= looping.max {
            Some(format!("{round}, the last one. The loop is ended. Not fulfilled: {}.", listed(open)))
        } else if percent >= u64::from(self.critical_percent) {
            Some(format!("{round}: almost over. Not fulfilled: {}.", listed(open)))
        } else if percent >= u64::from(self.warn_percent) {
            Some(format!("{round}. Not fulfilled: {}.", listed(open)))
        } else {
            None
        };
        Some(Finding { notice, effects: vec![change(Change::LoopIterate)], ..Finding::default() })
    }

    fn keeps_signed_state(&self) -> bool {
        true
    }
}

/// A loop for people and for the model.
pub(super) fn loop_text(looping: &Loop) -> String {
    let mut text = format!("saneloop: {} (round {} of {})", looping.task, looping.iteration, looping.max);
    for (number, (criterion, checked)) in looping.criteria.iter().enumerate() {
        let mark = if *checked { "x" } else { " " };
        text.push_str(&format!("\n{}. [{mark}] {criterion}", number + 1));
    }
    text
}
