//! `sanetrack`: what came of a call: edits, research, failures, the log of actions.

use hook_protocol::native::NativeTool;
use std::collections::BTreeMap;

use hook_protocol::event::Body;
use serde::{Deserialize, Serialize};

use super::super::{CheckContext, Step};
use super::{change, failure, log, owned, writes};
use crate::finding::{Context, Finding};
use crate::profile::Settings;
use crate::sane::{Acted, Change, Limits, Member, Went};
use hook_shell::options::plain_words;
use hook_shell::programs::Tool;
use hook_shell::resolve::taint::glob;

/// Settings of `sanetrack`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct SaneTrack {
    /// Failures in a row that trip the breaker.
    pub circuit_breaker_threshold: u32,
    /// Failures of one kind that trip it.
    pub same_signature_threshold: u32,
    /// Successes in a row after which each kind counts one failure less; 0 for never.
    pub forget_after: u32,
    /// Tools that satisfy a category of research; `*` stands for anything.
    pub categories: BTreeMap<String, Vec<String>>,
    /// Further tools for a category, beside those.
    pub also: BTreeMap<String, Vec<String>>,
    /// Programs that say "no" by exit code 1, which is no failure.
    pub quiet_exit: Vec<String>,
    /// The log, in the project's `.claude` directory.
    pub file: String,
}

impl Default for SaneTrack {
    fn default() -> Self {
        let tools = |name: &str, tools: &[&str]| (name.to_owned(), owned(tools));
        Self {
            circuit_breaker_threshold: 3,
            same_signature_threshold: 3,
            forget_after: 10,
            categories: [
                tools("memory", &["mcp__memory__*"]),
                tools("docs", &["mcp__context7__*", "mcp__apple-docs__*"]),
                tools("web", &["WebSearch", "WebFetch"]),
                tools("github", &["mcp__github__*"]),
                tools("local", &["Grep", "Glob", "Read"]),
            ]
            .into(),
            also: BTreeMap::new(),
            quiet_exit: owned(failure::QUIET),
            file: "sanetrack.log".to_owned(),
        }
    }
}

/// First words of the names of MCP tools that change something: using one is no research.
const CHANGING: &[&str] = &[
    "create", "update", "delete", "remove", "add", "merge", "push", "fork", "write", "edit", "close", "comment",
    "submit", "assign", "set", "rename", "move", "enable", "disable", "run", "rerun", "cancel", "dismiss", "mark",
    "star", "unstar", "publish", "request",
];

/// The most files of one call that are counted as edits.
const MOST_EDITED: usize = 20;

impl Step for SaneTrack {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let event = ctx.event;
        if !matches!(event.body, Body::PostToolUse(_) | Body::PostToolUseFailure(_)) {
            return None;
        }
        let call = event.tool()?;
        let tool = call.canonical_name().to_owned();
        let went = failure::went(ctx, &tool, &self.quiet_exit);
        let succeeded = match &went {
            Went::Well => true,
            Went::Uncounted(succeeded) => *succeeded,
            Went::Failed { .. } => false,
        };
        let edited = if succeeded {
            writes::written(ctx, &ctx.settings.built).into_iter().take(MOST_EDITED).collect()
        } else {
            Vec::new()
        };
        let researched = if succeeded { self.researched(&call.name, &tool) } else { Vec::new() };
        let mut satisfied = if succeeded { satisfied(ctx, &tool) } else { Vec::new() };
        if !researched.is_empty() {
            let state = ctx.facts.sane();
            let done =
                |name: &String| researched.contains(name) || state.research.iter().any(|done| done.category == *name);
            if self.categories.keys().all(done) {
                satisfied.push("research");
            }
        }
        let limits = Limits {
            threshold: self.circuit_breaker_threshold,
            same: self.same_signature_threshold,
            forget_after: self.forget_after,
        };
        let said = self.said(ctx, &went);
        let result = match &went {
            Went::Failed { signature, .. } => (*signature).to_owned(),
            _ if succeeded => "success".to_owned(),
            _ => "failure".to_owned(),
        };
        let acted = Acted {
            call: call.id.map(|id| id.as_str().into_owned()),
            summary: failure::summary(event),
            went,
            edited,
            researched,
            in_subagent: event.in_subagent(),
            satisfied,
            limits,
            tool: tool.clone(),
        };
        let line = vec![("tool", Member::Text(tool)), ("result", Member::Text(result))];
        Some(Finding {
            notice: said.as_ref().map(|(_, notice)| notice.clone()),
            context: said.map(|(text, _)| Context { text, plain: false }),
            effects: vec![change(Change::Acted(acted)), log(&self.file, line)],
            ..Finding::default()
        })
    }

    fn keeps_signed_state(&self) -> bool {
        true
    }

    fn share(&self, settings: &mut Settings) {
        settings.breaker_threshold = self.circuit_breaker_threshold;
        settings.research_tools.clone_from(&self.categories);
        for (name, tools) in &self.also {
            settings.research_tools.entry(name.clone()).or_default().extend(tools.iter().cloned());
        }
    }
}

impl SaneTrack {
    /// The categories that a tool satisfies: by the name as it was sent, or its one name.
    fn researched(&self, sent: &str, canonical: &str) -> Vec<String> {
        let changes = hook_protocol::canonical::McpName::parse(sent).is_some_and(|name| {
            let first = name.tool.split(['_', '-']).next().unwrap_or_default().to_ascii_lowercase();
            name.server == "github" && CHANGING.contains(&first.as_str())
        });
        let fits = |patterns: &[String]| patterns.iter().any(|pattern| glob(pattern, sent) || glob(pattern, canonical));
        if changes {
            return Vec::new();
        }
        let all = self.categories.iter().chain(&self.also);
        let mut found: Vec<String> = all.filter(|(_, patterns)| fits(patterns)).map(|(name, _)| name.clone()).collect();
        found.dedup();
        found
    }

    /// What the failure that trips the breaker says to the model and to the user.
    fn said(&self, ctx: &CheckContext<'_>, went: &Went) -> Option<(String, String)> {
        let Went::Failed { signature, .. } = went else { return None };
        let breaker = ctx.facts.sane().breaker;
        if breaker.tripped {
            return None;
        }
        let row = breaker.failures.saturating_add(1);
        let same = breaker.signatures.iter().find(|(name, _)| name == signature).map_or(0, |(_, count)| *count) + 1;
        if row < self.circuit_breaker_threshold && same < self.same_signature_threshold {
            return None;
        }
        let why = if row >= self.circuit_breaker_threshold {
            format!("{row} failures in a row, the last of them {signature}")
        } else {
            format!("{same} failures of one kind, {signature}")
        };
        let text = format!(
            "The circuit breaker has tripped: {why}. Edits are refused from now on. Stop, read the errors, find the cause and tell the user. \
             Only the user can close it."
        );
        Some((text, format!("The circuit breaker has tripped: {why}. Type reset breaker to let edits through again.")))
    }
}

/// Requirements that a call fulfils.
fn satisfied(ctx: &CheckContext<'_>, tool: &str) -> Vec<&'static str> {
    let Some(call) = ctx.event.tool() else { return Vec::new() };
    let mut found = Vec::new();
    let text = match tool {
        "ExitPlanMode" | "EnterPlanMode" | "TodoWrite" | "TaskCreate" => {
            found.push("plan");
            return found;
        }
        "Agent" => call.input.get("prompt").and_then(|prompt| prompt.as_str().map(std::borrow::Cow::into_owned)),
        _ if matches!(call.native(), Some(NativeTool::Shell | NativeTool::PowerShell)) => {
            let commits = |args: &[String]| plain_words(args).next().is_some_and(|arg| arg == "commit");
            if ctx.report().runs.iter().any(|run| run.tool() == Tool::Git && commits(&run.args)) {
                found.push("commit");
            }
            call.command().map(std::borrow::Cow::into_owned)
        }
        _ => None,
    };
    if let Some(text) = text {
        let text = super::words::lowered(&text);
        let words = super::words::words(&text);
        if ["plan", "approach", "strategy"].iter().any(|word| words.contains(word)) {
            found.push("plan");
        }
        if words.contains(&"saneloop") {
            found.push("saneloop");
        }
    }
    found
}
