//! `surface`: an audit of decisions when the agent stops: which changed files lack one, and where plan and code differ.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::plan_check::{DRIFT, Drift};
use super::prompt::FINDINGS;
use super::written::{audit, edited, first_stop, note_file, put, session_changes};
use super::{CheckContext, Step};
use crate::call::places;
use crate::effect::StatusFileEdit;
use crate::facts::Facts;
use crate::finding::Finding;
use crate::plan_file::{self, Plan};
use crate::source::{self, Class};
use crate::template::{counted, on_one_line};
use hook_shell::texts::marker;

/// Settings of `surface`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Surface {
    /// Directories whose code is compared with the plan, of those that exist; the whole project if none does.
    #[serde(rename = "folders")]
    pub dirs: Vec<String>,
}

impl Default for Surface {
    fn default() -> Self {
        Self { dirs: ["src", "lib", "app", "pkg", "cmd", "internal"].map(str::to_owned).to_vec() }
    }
}

/// Changed files that are read again at a stop.
const MOST_FILES: usize = 200;

/// The mark of how many changes have been reported.
pub(super) fn reported_file(facts: &dyn Facts) -> String {
    format!(".surfaced-{}", facts.session_name())
}

/// The files that the session has changed, if some have not been reported yet.
pub(super) fn news(facts: &dyn Facts) -> Option<Vec<String>> {
    let changed = session_changes(facts);
    let reported =
        note_file(facts, &reported_file(facts)).and_then(|text| text.trim().parse::<usize>().ok()).unwrap_or(0);
    (changed.len() > reported).then_some(changed)
}

impl Step for Surface {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let facts = ctx.facts;
        if !first_stop(ctx.event) {
            return None;
        }
        let changed = news(facts)?;
        let places = places(ctx.event, facts);
        let sources: Vec<&String> =
            changed.iter().filter(|path| source::classify(path, &places) == Class::Source).collect();
        let reported = put(reported_file(facts), &changed.len().to_string());
        if sources.is_empty() {
            return Some(Finding::default().with([reported]));
        }
        let (mut missing, mut bare) = (Vec::new(), Vec::new());
        for path in sources.iter().rev().take(MOST_FILES) {
            let Some(text) = facts.project_file(path) else { continue };
            let said = marker::comments(&text, path.rsplit_once('.').map_or("", |(_, extension)| extension));
            let shown = on_one_line(source::shown(path, &places));
            if said.decision && !said.rationale {
                bare.push(shown);
            } else if !said.decision && text.lines().count() >= marker::MARKED_FROM {
                missing.push(shown);
            }
        }
        let plan = facts.project_file(plan_file::FILE).map(|text| Plan::parse(&text));
        let in_code = self.ids_in_code(facts);
        let (unplanned, unimplemented) = plan.as_ref().map_or_else(Default::default, |plan| compared(plan, &in_code));
        let count = |list: usize| u32::try_from(list).unwrap_or(u32::MAX);
        let drift = Drift {
            audit_epoch: facts.now().epoch,
            unplanned: count(unplanned.len()),
            unimplemented: count(unimplemented.len()),
            missing: count(missing.len()),
            total: count(in_code.len()),
            changed: count(sources.len()),
            ..Drift::read(facts)
        };
        let mut lines = vec![format!("{} changed", counted(sources.len(), "source file"))];
        let mut say = |what: &str, said: &str, list: &[String]| {
            if !list.is_empty() {
                let first: Vec<&str> = list.iter().take(5).map(String::as_str).collect();
                lines.push(format!("{} {said}: {}", counted(list.len(), what), first.join(", ")));
            }
        };
        say("file", "without a decision marker", &missing);
        say("file", "with a decision but no rationale", &bare);
        say("decision", "only in the code", &unplanned);
        say("decision", "only in the plan", &unimplemented);
        if let Some(plan) = &plan {
            lines.push(format!("plan: {}/{} phases completed", plan.count("completed"), plan.phases()));
        }
        let mut effects = vec![edited(StatusFileEdit::Put { file: DRIFT.to_owned(), text: drift.text() }), reported];
        if !missing.is_empty() || !bare.is_empty() {
            effects.push(audit(facts, "decision_gap", &[missing, bare].concat().join(", ")));
        }
        if !unplanned.is_empty() || !unimplemented.is_empty() {
            let differ = [unplanned, unimplemented].concat().join(", ");
            effects.push(audit(facts, "plan_drift", &differ));
        }
        // The message at a stop is for the user; what the model has to know waits for its next prompt.
        if effects.len() > 2 {
            let line = format!("surface|{}", lines.join(";"));
            effects.push(edited(StatusFileEdit::Add { file: FINDINGS.to_owned(), line }));
        }
        Some(Finding { notice: Some(format!("Decisions: {}.", lines.join("; "))), ..Finding::default() }.with(effects))
    }
}

impl Surface {
    /// The ids that comments of the code name.
    fn ids_in_code(&self, facts: &dyn Facts) -> BTreeSet<String> {
        let dirs: Vec<&str> =
            self.dirs.iter().map(String::as_str).filter(|dir| facts.project_dir_names(dir).is_some()).collect();
        let dirs = if dirs.is_empty() { vec![""] } else { dirs };
        let mut found = BTreeSet::new();
        facts.each_source(&dirs, &mut |path, text| {
            if text.contains("DEC-") {
                let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
                found.extend(marker::comments(text, extension).ids);
            }
        });
        found
    }
}

/// Decisions that only the code has, and that only the plan has and has not given up.
fn compared(plan: &Plan, in_code: &BTreeSet<String>) -> (Vec<String>, Vec<String>) {
    let planned: BTreeSet<&str> = plan.ids().map(|(id, _)| id).collect();
    let unplanned = in_code.iter().filter(|id| !planned.contains(id.as_str())).cloned().collect();
    let open = plan.ids().filter(|(id, gone)| !gone && !in_code.contains(*id));
    (unplanned, open.map(|(id, _)| id.to_owned()).collect())
}
