//! `docs-reminder`: documentation follows development, so a finished task is followed by a reminder, once per set of changes.

use hook_protocol::event::Body;
use hook_protocol::native::NativeTool;
use hook_protocol::raw::Text;
use hook_protocol::tool::{AgentResult, ToolInput};
use serde::{Deserialize, Serialize};

use super::{CheckContext, Step};
use crate::call::places;
use crate::effect::Effect;
use crate::finding::Finding;
use crate::handoff::Change;
use crate::source;

/// Settings of `docs-reminder`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct DocsReminder {
    /// Directories whose sub-directories are modules, relative to the project.
    #[serde(rename = "folders")]
    pub dirs: Vec<String>,
    /// The agent that keeps the documentation.
    pub agent: String,
}

impl Default for DocsReminder {
    fn default() -> Self {
        Self {
            dirs: vec!["modules/custom".to_owned(), "web/modules/custom".to_owned()],
            agent: "semantic-architect-agent".to_owned(),
        }
    }
}

impl Step for DocsReminder {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let event = ctx.event;
        match &event.body {
            Body::PostToolUse(after) => {
                let tool = event.tool()?;
                match tool.parsed() {
                    ToolInput::Agent(input) => {
                        let done = after.tool_response.as_ref().and_then(AgentResult::from_raw);
                        let words = input.description.as_ref().map(Text::as_str).unwrap_or_default();
                        done.is_some_and(|done| done.is_complete()).then(|| self.remind(ctx, &words))?
                    }
                    ToolInput::TaskUpdate(input) => {
                        let done = input.status.as_ref().is_some_and(|status| status.as_str() == "completed");
                        done.then(|| self.remind(ctx, ""))?
                    }
                    _ => self.changed(ctx),
                }
            }
            Body::TaskCompleted(task) => {
                let words = [&task.task_subject, &task.task_description];
                let words: Vec<_> = words.into_iter().flatten().map(Text::as_str).collect();
                self.remind(ctx, &words.join(" ")).map(as_notice)
            }
            Body::UserPromptSubmit(_) => self.remind(ctx, ""),
            Body::Stop(_) if !event.stop_hook_active() => self.remind(ctx, "").map(as_notice),
            _ => None,
        }
    }
}

impl DocsReminder {
    /// Notes the module that a written file belongs to.
    fn changed(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let tool = ctx.event.tool()?;
        if !tool.native().is_some_and(NativeTool::changes_file) {
            return None;
        }
        let places = places(ctx.event, ctx.facts);
        let path = source::absolute(&tool.touched_path()?, &places);
        let inside = hook_shell::path::below(&path, &places.project)?;
        let module = self.dirs.iter().find_map(|dir| {
            let rest = inside.strip_prefix(dir.trim_matches('/'))?.strip_prefix('/')?;
            rest.split_once('/').map(|(module, _)| module)
        })?;
        let plain = !module.is_empty() && module.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let known = ctx.facts.routing().modules.iter().any(|known| known == module);
        (plain && !known).then(|| Finding::default().with([Effect::Routing(Change::Module(module.to_owned()))]))
    }

    /// The reminder, if something is to be reminded of.
    fn remind(&self, ctx: &CheckContext<'_>, words: &str) -> Option<Finding> {
        let routing = ctx.facts.routing();
        let text = if !routing.modules.is_empty() {
            let modules = routing.modules.join(", ");
            format!(
                "Modules have changed: {modules}. Bring their documentation up to date; the {} subagent does that.",
                self.agent
            )
        } else if develops(words) && routing.reminded.as_deref() != Some(words) {
            format!(
                "A development task is finished. If behaviour has changed, bring the documentation up to date; the {} subagent does that.",
                self.agent
            )
        } else {
            return None;
        };
        let words = words.chars().take(300).collect();
        Some(Finding::advice(text).with([Effect::Routing(Change::Reminded(words))]))
    }
}

/// The same for the user, where a text for the model would cost a turn or has no place.
fn as_notice(finding: Finding) -> Finding {
    let notice = finding.context.map(|context| context.text);
    Finding { notice, context: None, ..finding }
}

/// Whether a description speaks of development.
fn develops(words: &str) -> bool {
    let lower = words.to_lowercase();
    let list: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let at = |starts: &[&str]| list.iter().position(|word| starts.iter().any(|start| word.starts_with(start)));
    let then = |first: &str, second: &[&str]| {
        list.iter()
            .position(|word| *word == first)
            .is_some_and(|at| list.get(at + 1..).is_some_and(|rest| rest.iter().any(|word| second.contains(word))))
    };
    at(&["implement", "refactor"]).is_some()
        || list.iter().any(|word| matches!(*word, "create" | "created" | "creates" | "creating"))
        || then("add", &["service", "services", "controller", "controllers"])
        || then("new", &["module", "modules"])
}
