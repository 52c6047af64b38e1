//! `doc-gate`: source files say what they are for, long ones say why, and no stray notes gather in the project.

use serde::{Deserialize, Serialize};

use super::written::Written;
use super::{CheckContext, Step};
use crate::finding::{Context, Finding};
use crate::source::Class;
use hook_shell::texts::marker::{MARKED_FROM, comments, template};

/// Settings of `doc-gate`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct DocGate {
    /// Lines from which on a file without a header is refused; a shorter one, which often only passes names on, gets advice.
    pub header_from: usize,
    /// Lines from which on a file needs a decision marker.
    pub marked_from: usize,
    /// Names, without extension, of Markdown files that belong in the project's directory.
    pub documents: Vec<String>,
}

impl Default for DocGate {
    fn default() -> Self {
        let documents = [
            "CLAUDE", "README", "MASTER_PLAN", "AGENTS", "CHANGELOG", "LICENSE", "CONTRIBUTING", "SECURITY",
            "CODE_OF_CONDUCT",
        ];
        Self { header_from: 5, marked_from: MARKED_FROM, documents: documents.map(str::to_owned).to_vec() }
    }
}

impl Step for DocGate {
    fn looks_at_a_file(&self) -> bool {
        true
    }

    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let written = ctx.written()?;
        match written.class {
            Class::Source => self.source(ctx, written),
            Class::Other => self.note(ctx, written),
            Class::Test | Class::Skipped => None,
        }
    }
}

impl DocGate {
    fn source(&self, ctx: &CheckContext<'_>, written: &Written) -> Option<Finding> {
        let path = written.shown();
        let existing = if written.whole { None } else { Some(ctx.facts.written_file(&written.path)?) };
        let text = existing.as_deref().unwrap_or(&written.text);
        if text.trim().is_empty() {
            return None;
        }
        let said = comments(text, written.extension());
        let lines = text.lines().count();
        let unmarked = lines >= self.marked_from && !said.decision;
        let mut faults = Vec::new();
        if !said.header {
            faults.push(format!("{path} does not begin with a comment that says what it is for."));
        }
        if unmarked {
            faults.push(format!(
                "{path} has {lines} lines and no decision marker. From {} lines on, say why it is done so: a comment with \
                 @decision DEC-COMPONENT-001 and @rationale.",
                self.marked_from
            ));
        }
        if faults.is_empty() {
            return None;
        }
        let fault = faults.join("\n");
        if existing.is_some() || !unmarked && lines < self.header_from {
            return Some(Finding::advice(fault));
        }
        let rule = if said.header { "decision-marker" } else { "header-comment" };
        let mut finding = Finding { rule: Some(rule.to_owned()), ..Finding::refusal(fault) };
        if !said.header {
            let text = format!("Begin the file like this:\n{}", template(written.extension()));
            finding.context = Some(Context { text, plain: false });
        }
        Some(finding)
    }

    /// A new Markdown file right in the project's directory.
    fn note(&self, ctx: &CheckContext<'_>, written: &Written) -> Option<Finding> {
        let name = hook_shell::path::below(&written.path, &written.places.project)?;
        let stem = name.strip_suffix(".md").or_else(|| name.strip_suffix(".MD"))?;
        let known = name.contains('/') || self.documents.iter().any(|known| known.eq_ignore_ascii_case(stem));
        if known || !written.whole || ctx.facts.file_info(&written.path).is_some() {
            return None;
        }
        Some(Finding::advice(format!(
            "{} is a new document in the project's directory. Notes and plans of work belong in an issue or in MASTER_PLAN.md.",
            written.shown()
        )))
    }
}
