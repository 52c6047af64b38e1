//! `metrics`: what the figures of the day count of each event.

use hook_protocol::event::{Body, Event};
use hook_protocol::raw::Text;
use serde::{Deserialize, Serialize};

use super::{CheckContext, Step};
use crate::effect::{Counted, Effect};
use crate::finding::Finding;

/// Settings of `metrics`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Metrics {
    /// Daily files that stay; older ones go to the archive at the end of a session.
    pub keep_days: u32,
}

impl Default for Metrics {
    fn default() -> Self {
        Self { keep_days: 30 }
    }
}

impl Step for Metrics {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let event = ctx.event;
        let counted = match &event.body {
            Body::PreToolUse(_) => Counted::Before { tool: event.tool()?.canonical_name().to_owned() },
            Body::PostToolUse(after) => tool(event, after.duration_ms, false)?,
            Body::PostToolUseFailure(after) => tool(event, after.duration_ms, true)?,
            Body::UserPromptSubmit(submit) => {
                let chars = submit.prompt.as_ref().map_or(0, |prompt| prompt.as_str().chars().count());
                Counted::Prompt { chars: chars as u64 }
            }
            Body::SubagentStart(_) => Counted::Start { agent: agent(event)?, id: id(event) },
            Body::SubagentStop(_) => {
                let answer = event.last_assistant_message().unwrap_or_default();
                Counted::Stop {
                    agent: agent(event)?,
                    id: id(event),
                    clean: !speaks_of_errors(&answer),
                    tests: words(&answer).any(|word| {
                        is_one(word, &["test", "tests", "tested", "spec", "specs", "coverage", "validate", "validated"])
                    }),
                    peers: peers(&answer),
                }
            }
            Body::SessionEnd(_) => Counted::End { keep_days: self.keep_days },
            _ => return None,
        };
        Some(Finding::default().with([Effect::Metric(counted)]))
    }
}

fn tool(event: &Event<'_>, millis: Option<u64>, failed: bool) -> Option<Counted> {
    let tool = event.tool()?;
    let name = tool.canonical_name();
    Some(Counted::Tool {
        tool: if name.is_empty() { "unknown".to_owned() } else { name.chars().take(100).collect() },
        call: tool.id.map(|id| id.as_str().into_owned()),
        millis,
        failed,
    })
}

/// The agent's name; the one that compacts has none and counts for nothing.
fn agent(event: &Event<'_>) -> Option<String> {
    let agent = event.agent_type().filter(|agent| !agent.trim().is_empty())?;
    Some(agent.to_lowercase().chars().take(100).collect())
}

fn id(event: &Event<'_>) -> Option<String> {
    event.common.agent_id.as_ref().map(Text::as_str).map(std::borrow::Cow::into_owned)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

fn is_one(word: &str, of: &[&str]) -> bool {
    of.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Whether an answer speaks of errors that there are: "no errors" and "0 failed" speak of none.
fn speaks_of_errors(answer: &str) -> bool {
    const ERRORS: &[&str] = &[
        "error", "errors", "fail", "fails", "failed", "failing", "failure", "failures", "exception", "exceptions",
        "incomplete", "retry",
    ];
    let mut before = "";
    for word in words(answer) {
        if is_one(word, ERRORS) && !is_one(before, &["no", "0", "zero", "without", "any", "never"]) {
            return true;
        }
        before = word;
    }
    false
}

/// Lines in which two agents are spoken to.
fn peers(answer: &str) -> u64 {
    let mentions = |line: &str| {
        line.split('@')
            .skip(1)
            .filter(|rest| {
                rest.split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_'))
                    .next()
                    .is_some_and(|name| name.ends_with("agent"))
            })
            .count()
    };
    answer.lines().filter(|line| line.contains('@') && mentions(line) >= 2).count() as u64
}
