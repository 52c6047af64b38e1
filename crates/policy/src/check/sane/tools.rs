//! `sanetools`: what a call has to pass before it runs.
//!
//! The order is: blocked paths for every tool; then only calls that change files go on to safemode, circuit breaker, research,
//! size and requirements. Reading, searching and MCP tools pass behind the first, and so do shell commands that change no file.

use hook_protocol::own_path;
use serde::{Deserialize, Serialize};

use super::super::offer::is_offered;
use super::super::{CheckContext, Step};
use super::writes;
use super::{Semantics, change, listed, log, owned, paths, size};
use crate::finding::{Context, Finding};
use crate::profile::Settings;
use crate::sane::{Change, Class, Member, State};
use crate::verdict::Verdict;

/// Settings of `sanetools`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct SaneTools {
    /// What safemode means. Set to `bypass` here or in `saneprompt`, it holds for both.
    pub safemode_semantics: Semantics,
    /// Directories and names that no tool may touch: from the root with a leading `/`, else anywhere.
    pub blocked_paths: Vec<String>,
    /// Names of directories whose content is built; shell commands may write there at any time, and it counts as no edit.
    pub built: Vec<String>,
    /// Categories of research that edits need.
    pub categories: Vec<String>,
    /// Those that a small task needs; empty means the same.
    pub small_task_categories: Vec<String>,
    /// Those of them that are skipped where no server for them is declared.
    pub optional_when_unavailable: Vec<String>,
    /// Lines a file may have, by ending; the first that fits holds.
    pub size: Vec<size::SizeRule>,
    /// Equal refusals in a row after which research and requirements only warn; 0, the default, for never: a gate that opens by knocking is
    /// none.
    pub halt_after: u32,
    /// Requirements that do not hold up edits, because only an edit can fulfil them.
    pub later: Vec<String>,
    /// The log of refusals, in the project's `.claude` directory.
    pub file: String,
}

impl Default for SaneTools {
    fn default() -> Self {
        Self {
            safemode_semantics: Semantics::Document,
            blocked_paths: [paths::SYSTEM, paths::ANYWHERE].concat().into_iter().map(str::to_owned).collect(),
            built: owned(writes::BUILT),
            categories: owned(&["memory", "docs", "web", "github", "local"]),
            small_task_categories: Vec::new(),
            optional_when_unavailable: owned(&["memory", "docs", "github"]),
            size: size::default_rules(),
            halt_after: 0,
            later: owned(&["commit"]),
            file: "sanetools.log".to_owned(),
        }
    }
}

/// Why a call is refused.
struct Refusal {
    signature: String,
    reason: String,
    /// A loop of equal refusals turns this one into a warning.
    soft: bool,
}

impl Step for SaneTools {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let tool = ctx.event.tool()?.canonical_name().to_owned();
        if let Some((path, entry)) = paths::blocked(ctx, &self.blocked_paths) {
            let refusal = Refusal {
                signature: format!("path {entry}"),
                reason: format!("BLOCKED: {path} is a protected path ({entry}). Work on files of the project instead."),
                soft: false,
            };
            return Some(self.refused(&tool, refusal, None));
        }
        let written = writes::written(ctx, &self.built);
        if written.is_empty() {
            return None;
        }
        let state = ctx.facts.sane();
        let mut finding = self.gates(ctx, &tool, &written, &state).unwrap_or_default();
        if let Some(trouble) = &state.trouble {
            if let Some(reason) = &mut finding.reason {
                reason.push_str(&format!(
                    "\nThe signed state was tampered with or lost: {trouble}. What was saved last holds."
                ));
            }
            finding.effects.push(change(Change::Mend));
        }
        (finding != Finding::default()).then_some(finding)
    }

    fn keeps_signed_state(&self) -> bool {
        true
    }

    fn share(&self, settings: &mut Settings) {
        settings.research.clone_from(&self.categories);
        settings.built.clone_from(&self.built);
        settings.later.clone_from(&self.later);
    }

    fn safemode(&mut self) -> Option<&mut Semantics> {
        Some(&mut self.safemode_semantics)
    }
}

impl SaneTools {
    fn gates(&self, ctx: &CheckContext<'_>, tool: &str, written: &[String], state: &State) -> Option<Finding> {
        if self.safemode_semantics.bypasses(state) {
            return None;
        }
        let mut note = None;
        let refusal = self
            .safemode(state)
            .or_else(|| breaker(state))
            .or_else(|| self.research(ctx, state))
            .or_else(|| self.size(ctx, written, &mut note))
            .or_else(|| self.requirements(ctx, state));
        match refusal {
            Some(refusal) => Some(self.refused(tool, refusal, state.halted.as_deref())),
            None => note.map(|text| Finding { context: Some(Context { text, plain: false }), ..Finding::default() }),
        }
    }

    /// The finding of a refusal: the call is refused, or the model is warned where the same refusal came too often.
    fn refused(&self, tool: &str, refusal: Refusal, halted: Option<&str>) -> Finding {
        let members = |blocked| {
            vec![
                ("tool", Member::Text(tool.to_owned())),
                ("blocked", Member::Bool(blocked)),
                ("reason", Member::Text(refusal.signature.clone())),
            ]
        };
        if let Some(halted) = halted.filter(|_| refusal.soft && self.halt_after > 0) {
            let text = format!(
                "WARNING: this edit goes against the rules, and is let through because refusing it again would lead nowhere ({halted}).\n{}",
                refusal.reason
            );
            return Finding {
                context: Some(Context { text, plain: false }),
                effects: vec![log(&self.file, members(false))],
                ..Finding::default()
            };
        }
        let blocked = Change::Blocked {
            signature: refusal.signature.clone(),
            tool: tool.to_owned(),
            halt_after: if refusal.soft { self.halt_after } else { 0 },
        };
        Finding {
            verdict: Some(Verdict::Deny),
            rule: refusal.signature.split(' ').next().map(str::to_owned),
            effects: vec![change(blocked), log(&self.file, members(true))],
            reason: Some(refusal.reason),
            ..Finding::default()
        }
    }

    fn safemode(&self, state: &State) -> Option<Refusal> {
        self.safemode_semantics.refuses(state).then(|| Refusal {
            signature: "safemode".to_owned(),
            reason: "BLOCKED: safemode is on, so nothing may be changed. Reading and searching are allowed. Only the user can end it, by \
                     typing s- as the whole prompt."
                .to_owned(),
            soft: false,
        })
    }

    /// What nothing here can do is not demanded.
    fn is_skipped(&self, ctx: &CheckContext<'_>, name: &String) -> bool {
        self.optional_when_unavailable.contains(name) && !is_available(ctx, name)
    }

    fn research(&self, ctx: &CheckContext<'_>, state: &State) -> Option<Refusal> {
        // A question wants no edits, and is not held up by a gate for them. Before the first prompt the gate stands.
        if state.class == Some(Class::Question) {
            return None;
        }
        let small = state.class == Some(Class::Task) && !self.small_task_categories.is_empty();
        let wanted = if small { &self.small_task_categories } else { &self.categories };
        let is_done = |name: &&String| state.research.iter().any(|done| done.category == **name);
        let open: Vec<&String> = wanted.iter().filter(|name| !is_done(name)).collect();
        if open.is_empty() {
            return None;
        }
        let (skipped, missing): (Vec<&String>, Vec<&String>) =
            open.into_iter().partition(|name| self.is_skipped(ctx, name));
        if missing.is_empty() {
            return None;
        }
        let demanded = wanted.len() - skipped.len();
        let mut reason = format!(
            "BLOCKED: research comes before edits. {} of {demanded} categories are done. Missing:",
            demanded - missing.len()
        );
        for name in &missing {
            reason.push_str(&format!("\n- {name}: {}", way(name)));
        }
        let unavailable: Vec<&str> =
            missing.iter().filter(|name| !is_available(ctx, name)).map(|name| name.as_str()).collect();
        if !unavailable.is_empty() {
            reason.push_str(&format!(
                "\nNo server is declared for {}. The user adds one, or puts this into {} and runs `hookbin trust`:\n\
                 [change.sanetools.sanetools]\noptional_when_unavailable = {unavailable:?}",
                unavailable.join(", "),
                own_path!("hookbin.toml")
            ));
        }
        Some(Refusal {
            signature: format!("research {}", listed(missing.iter().map(|name| name.as_str()))),
            reason,
            soft: true,
        })
    }

    fn size(&self, ctx: &CheckContext<'_>, written: &[String], note: &mut Option<String>) -> Option<Refusal> {
        for (path, size) in size::sizes(ctx, written) {
            let Some(rule) = size::rule(&self.size, &path) else { continue };
            let lines = size.lines;
            if rule.block > 0 && lines > rule.block && !size.shrinks {
                return Some(Refusal {
                    signature: "size".to_owned(),
                    reason: format!(
                        "BLOCKED: {path} would have {lines} lines; the limit is {}. Split it by idea into several files.",
                        rule.block
                    ),
                    soft: false,
                });
            }
            if rule.warn > 0 && lines > rule.warn {
                *note = Some(format!(
                    "WARNING: {path} has {lines} lines after this edit; above {} it should be split, above {} it is refused.",
                    rule.warn, rule.block
                ));
            }
        }
        None
    }

    fn requirements(&self, ctx: &CheckContext<'_>, state: &State) -> Option<Refusal> {
        let held: Vec<&str> = state
            .requested
            .iter()
            .filter(|name| !state.satisfied.contains(name) && !self.later.contains(name))
            .filter(|name| !(*name == "saneloop" && state.looping.is_some()))
            .filter(|name| {
                let done = |category: &String| {
                    state.research.iter().any(|done| done.category == *category) || self.is_skipped(ctx, category)
                };
                !(*name == "research" && self.categories.iter().all(done))
            })
            .map(String::as_str)
            .collect();
        if held.is_empty() {
            return None;
        }
        let ways: Vec<String> = held.iter().map(|name| format!("\n- {name}: {}", way(name))).collect();
        Some(Refusal {
            signature: format!("requirements {}", held.join(", ")),
            reason: format!(
                "BLOCKED: the user asked for {} first. Missing:{}",
                listed(state.requested.iter().map(String::as_str)),
                ways.concat()
            ),
            soft: true,
        })
    }
}

fn breaker(state: &State) -> Option<Refusal> {
    let breaker = &state.breaker;
    breaker.tripped.then(|| {
        let since = breaker.tripped_at.as_deref().map_or_else(String::new, |at| format!(" since {at}"));
        let last = breaker.last_error.as_deref().map_or_else(String::new, |error| {
            format!("\nLast error: {}", crate::template::on_one_line(error.trim()))
        });
        Refusal {
            signature: "breaker".to_owned(),
            reason: format!(
                "BLOCKED: the circuit breaker is tripped{since}: too many failures.{last}\nStop editing. Read the errors, find the cause, and tell \
                 the user what you found. Reading and running tests are allowed. Only the user can close it, by typing: reset breaker."
            ),
            soft: false,
        }
    })
}

/// How a category or requirement is fulfilled.
fn way(name: &str) -> &'static str {
    match name {
        "memory" => "ask the memory server (mcp__memory__*) what is known from earlier work",
        "docs" => "read the documentation (mcp__context7__*, mcp__apple-docs__*)",
        "web" => "search the web (WebSearch, WebFetch)",
        "github" => "look for examples (mcp__github__search_*, mcp__github__get_*)",
        "local" => "look at the code here (Read, Grep, Glob)",
        "saneloop" => "the user starts it with: saneloop start TASK",
        "plan" => "write the plan down (plan mode, a to-do list, or an agent that plans)",
        "research" => "do the research of every category",
        _ => "use a tool that the profile names for it",
    }
}

/// Whether something for this category can be had: its tools are the host's own, or a server for it is declared.
fn is_available(ctx: &CheckContext<'_>, category: &str) -> bool {
    let tools = ctx.settings.research_tools.get(category);
    tools.is_none_or(|tools| is_offered(&[], tools.iter(), ctx))
}
