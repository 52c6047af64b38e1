//! How many lines a file would have after a call, and how many it may have.

use hook_protocol::tool::{EditInput, ToolInput};
use serde::{Deserialize, Serialize};

use super::super::CheckContext;
use hook_shell::programs::Tool;
use hook_shell::resolve::Kind;

/// Limits for files with these endings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SizeRule {
    /// Endings without their dot; none means every other file.
    #[serde(default)]
    pub endings: Vec<String>,
    /// Lines above which it is warned of; 0 for never.
    pub warn: u64,
    /// Lines above which the call is refused; 0 for never.
    pub block: u64,
}

pub(super) fn default_rules() -> Vec<SizeRule> {
    let rule = |endings: &[&str], warn, block| SizeRule {
        endings: endings.iter().map(|ending| (*ending).to_owned()).collect(),
        warn,
        block,
    };
    vec![
        rule(&["md", "markdown", "mdx", "rst", "adoc"], 1_000, 1_500),
        // Data that programs write and nobody reads line by line.
        rule(&["json", "jsonl", "ndjson", "csv", "tsv", "lock", "svg", "snap", "log", "ipynb", "po", "geojson"], 0, 0),
        rule(&[], 500, 800),
    ]
}

/// What a file would grow to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) lines: u64,
    /// It has fewer lines than before: the way out of a file that is too long.
    pub(super) shrinks: bool,
}

/// The rule for a path.
pub(super) fn rule<'r>(rules: &'r [SizeRule], path: &str) -> Option<&'r SizeRule> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
    let named = rules.iter().find(|rule| rule.endings.contains(&ending));
    named.or_else(|| rules.iter().find(|rule| rule.endings.is_empty()))
}

/// Lines as an editor counts them: a last one without its end counts too.
fn lines(text: &str) -> u64 {
    text.lines().count() as u64
}

/// The files that the call writes whose size afterwards is known.
pub(super) fn sizes(ctx: &CheckContext<'_>, written: &[String]) -> Vec<(String, Size)> {
    let Some(tool) = ctx.event.tool() else { return Vec::new() };
    let path = || written.first().cloned();
    let before = |path: &str| ctx.facts.line_count(path).unwrap_or(0);
    match tool.parsed_as_native() {
        ToolInput::Write(input) => {
            let content = input.content.as_ref().map(|content| content.as_str()).unwrap_or_default();
            let count = lines(&content);
            path()
                .map(|path| (path.clone(), Size { lines: count, shrinks: count < before(&path) }))
                .into_iter()
                .collect()
        }
        ToolInput::Edit(input) => {
            let edited = path().map(|path| {
                let size = after_edit(ctx, &path, &input);
                (path, size)
            });
            edited.into_iter().collect()
        }
        _ if tool.command().is_some() => by_shell(ctx, &before),
        _ => Vec::new(),
    }
}

/// The file after the edit where its text can be had; else its lines, those taken out and those put in.
fn after_edit(ctx: &CheckContext<'_>, path: &str, input: &EditInput<'_>) -> Size {
    let own = (input.old_string.as_ref(), input.new_string.as_ref(), input.replace_all == Some(true));
    let steps = input
        .edits
        .iter()
        .flatten()
        .map(|step| (step.old_string.as_ref(), step.new_string.as_ref(), step.replace_all == Some(true)));
    let steps =
        std::iter::once(own).chain(steps).filter_map(|(old, new, all)| Some((old?.as_str(), new?.as_str(), all)));
    if let Some(mut text) = ctx.facts.written_file(path) {
        let before = lines(&text);
        for (old, new, all) in steps {
            if old.is_empty() {
                text.push_str(&new);
            } else {
                text = if all { text.replace(&*old, &new) } else { text.replacen(&*old, &new, 1) };
            }
        }
        let after = lines(&text);
        return Size { lines: after, shrinks: after < before };
    }
    let before = ctx.facts.line_count(path).unwrap_or(0);
    let (taken, put) = steps.fold((0, 0), |(taken, put), (old, new, _)| (taken + lines(&old), put + lines(&new)));
    let after = (before + put).saturating_sub(taken);
    Size { lines: after, shrinks: after < before }
}

/// Here-documents and other known input that `cat` and `tee` write into a file.
fn by_shell(ctx: &CheckContext<'_>, before: &dyn Fn(&str) -> u64) -> Vec<(String, Size)> {
    let report = ctx.report();
    let mut found = Vec::new();
    for run in report.runs.iter().filter(|run| matches!(run.tool(), Tool::Cat | Tool::Tee)) {
        let Some(text) = run.stdin.as_deref() else { continue };
        let targets = report.actions.iter().filter(|action| {
            matches!(action.kind, Kind::Overwrite | Kind::Append)
                && !action.remote
                && action.span.start <= run.span.end
                && run.span.start <= action.span.end
        });
        for action in targets {
            let old = before(&action.target);
            let added = lines(text);
            let count = if action.kind == Kind::Append { old + added } else { added };
            found.push((action.target.clone(), Size { lines: count, shrinks: count < old }));
        }
    }
    found
}
