//! Texts with placeholders: profile messages, log lines and cards, filled from the event and the facts.

use std::borrow::Cow;

use hook_protocol::event::{Body, Event};

use crate::check::CheckContext;
use crate::facts::Facts;
pub(crate) use hook_shell::texts::on_one_line;

/// Placeholders and what stands for them. Also the list that a profile's texts are checked against.
pub const PLACEHOLDERS: &[(&str, &str)] = &[
    ("tool", "the tool's name as the host sent it, or `unknown`"),
    ("error", "the error of a failed call, at most 200 characters, or `unknown error`"),
    ("result", "`success` or `failure`"),
    ("source", "why the session starts, or `startup`"),
    ("reason", "why the session ends, or `other`"),
    ("stop_state", "`saved`, or `already active` when a block of a hook is what made the agent go on"),
    ("canonical", "the tool's canonical name: `Read` for `mcp__x__spf_read`"),
    ("file", "the file that a call names, or `unknown`"),
    ("file_name", "the last part of that file"),
    ("c", "the prompt's complexity"),
    ("tier", "its tier: SIMPLE, LIGHT, MEDIUM or CRITICAL"),
    ("analyze", "percent of analysis in that tier"),
    ("build", "percent of building in that tier"),
    ("a_optimal", "best number of tokens for the analysis"),
    ("title", "in `command` of a checkpoint: its title"),
    ("content", "in `command` of a checkpoint: its note"),
    ("collection", "in `command` of a checkpoint: its collection"),
    ("tags", "in `command` of a checkpoint: its tags"),
    ("percent", "in `reminders`: percent of the context in use"),
    ("prompt_len", "characters of the prompt"),
    ("stamp", "the moment, `YYYY-MM-DD HH:MM:SS` UTC"),
    ("epoch", "the moment in seconds since 1970"),
    ("state_dir", "the directory of the state files"),
    ("actions", "finished tool calls of this session"),
    ("calls", "the same, with the call of this event"),
    ("reads", "files read in this session"),
    ("writes", "files written in this session"),
    ("last_tool", "the last tool of this session, or `none`"),
    ("mcp_servers", "the MCP servers that are declared here, or `none`"),
];

/// Longest error text in a message, in characters.
const ERROR_LIMIT: usize = 200;

/// The first placeholder of `text` that does not exist. A brace that no lower-case name follows is literal text.
pub(crate) fn unknown_placeholder(text: &str) -> Option<&str> {
    pieces(text).find_map(|piece| match piece {
        Piece::Name(name) if !PLACEHOLDERS.iter().any(|(known, _)| *known == name) => Some(name),
        _ => None,
    })
}

/// Most MCP servers that a text names.
const MCP_NAMES: usize = 20;

/// Where the values come from.
pub(crate) struct Values<'v> {
    event: &'v Event<'v>,
    facts: &'v dyn Facts,
}

impl<'v> Values<'v> {
    pub(crate) fn new(ctx: &CheckContext<'v>) -> Self {
        Self { event: ctx.event, facts: ctx.facts }
    }

    /// `text` with every placeholder filled in.
    pub(crate) fn fill(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + 32);
        for piece in pieces(text) {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Name(name) => {
                    if let Some(value) = self.value(name) {
                        out.push_str(&value);
                    } else {
                        out.push('{');
                        out.push_str(name);
                        out.push('}');
                    }
                }
            }
        }
        out
    }

    fn value(&self, name: &str) -> Option<Cow<'_, str>> {
        Some(match name {
            "tool" => tool_name(self.event).unwrap_or(Cow::Borrowed("unknown")),
            "error" => error_text(self.event),
            "result" => Cow::Borrowed(result(self.event)),
            "source" => session_source(self.event),
            "reason" => end_reason(self.event),
            "stop_state" => Cow::Borrowed(if self.event.stop_hook_active() { "already active" } else { "saved" }),
            "canonical" => canonical(self.event),
            "file" => file(self.event).unwrap_or(Cow::Borrowed("unknown")),
            "file_name" => file_name(self.event),
            "c" | "tier" | "analyze" | "build" | "a_optimal" => return self.complexity(name),
            "prompt_len" => Cow::Owned(prompt_len(self.event).to_string()),
            "stamp" => Cow::Owned(self.facts.now().stamp),
            "epoch" => Cow::Owned(self.facts.now().epoch.to_string()),
            "state_dir" => self.facts.state_dir(),
            "actions" => Cow::Owned(self.facts.session().actions.to_string()),
            "calls" => Cow::Owned(self.calls().to_string()),
            "reads" => Cow::Owned(self.facts.session().reads.to_string()),
            "writes" => Cow::Owned(self.facts.session().writes.to_string()),
            "last_tool" => Cow::Owned(self.facts.session().last_tool.unwrap_or_else(|| "none".to_owned())),
            "mcp_servers" => Cow::Owned(self.mcp_servers()),
            _ => return None,
        })
    }

    /// Facts are from before the event's own effects.
    fn calls(&self) -> u64 {
        let over = matches!(self.event.body, Body::PostToolUse(_) | Body::PostToolUseFailure(_));
        self.facts.session().actions.saturating_add(u64::from(over))
    }

    fn complexity(&self, name: &str) -> Option<Cow<'_, str>> {
        let score = self.facts.complexity()?;
        Some(match name {
            "c" => Cow::Owned(score.c.to_string()),
            "tier" => Cow::Borrowed(score.tier),
            "analyze" => Cow::Owned(score.analyze.to_string()),
            "build" => Cow::Owned(score.build.to_string()),
            _ => Cow::Owned(score.a_optimal.to_string()),
        })
    }

    fn mcp_servers(&self) -> String {
        let declared = self.facts.declared_servers().into_iter().flatten().take(MCP_NAMES);
        // Anybody can choose a name; on one line and short it is no instruction.
        let names: Vec<String> =
            declared.map(|name| name.chars().filter(|c| !c.is_control()).take(64).collect()).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    }
}

/// The tool's name as sent: `tool_name`, else `tool`.
pub(crate) fn tool_name<'e>(event: &'e Event<'_>) -> Option<Cow<'e, str>> {
    match event.tool() {
        Some(tool) if !tool.name.is_empty() => Some(tool.name),
        _ => event.extra.get("tool")?.as_str(),
    }
}

fn canonical<'e>(event: &'e Event<'_>) -> Cow<'e, str> {
    event.tool().map_or(Cow::Borrowed("unknown"), |tool| Cow::Owned(tool.canonical_name().to_owned()))
}

fn file<'e>(event: &'e Event<'_>) -> Option<Cow<'e, str>> {
    event.tool()?.touched_path()
}

/// What stands behind the last separator of either kind.
fn file_name<'e>(event: &'e Event<'_>) -> Cow<'e, str> {
    let name = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    file(event).map_or(Cow::Borrowed("unknown"), |path| Cow::Owned(name(&path)))
}

/// Whether the call went well, by the event's name.
pub(crate) fn result(event: &Event<'_>) -> &'static str {
    if matches!(event.body, Body::PostToolUseFailure(_)) { "failure" } else { "success" }
}

/// Why the session starts; a missing source counts as `startup`.
pub(crate) fn session_source<'e>(event: &'e Event<'_>) -> Cow<'e, str> {
    match &event.body {
        Body::SessionStart(start) => {
            start.source.as_ref().map_or(Cow::Borrowed("startup"), |source| Cow::Borrowed(source.as_str()))
        }
        _ => Cow::Borrowed("startup"),
    }
}

/// Why the session ends; a missing reason counts as `other`.
pub(crate) fn end_reason<'e>(event: &'e Event<'_>) -> Cow<'e, str> {
    match &event.body {
        Body::SessionEnd(end) => {
            end.reason.as_ref().map_or(Cow::Borrowed("other"), |reason| Cow::Borrowed(reason.as_str()))
        }
        _ => Cow::Borrowed("other"),
    }
}

fn prompt_len(event: &Event<'_>) -> usize {
    match &event.body {
        Body::UserPromptSubmit(submit) => submit.prompt.as_ref().map_or(0, |prompt| prompt.as_str().chars().count()),
        _ => 0,
    }
}

fn error_text<'e>(event: &'e Event<'_>) -> Cow<'e, str> {
    let Body::PostToolUseFailure(failure) = &event.body else { return Cow::Borrowed("unknown error") };
    let Some(error) = &failure.error else { return Cow::Borrowed("unknown error") };
    match error.as_str() {
        Cow::Borrowed(text) => Cow::Borrowed(first_chars(text, ERROR_LIMIT)),
        Cow::Owned(text) => Cow::Owned(first_chars(&text, ERROR_LIMIT).to_owned()),
    }
}

/// The first `limit` characters, never cutting one in two.
fn first_chars(text: &str, limit: usize) -> &str {
    text.char_indices().nth(limit).and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

enum Piece<'t> {
    Text(&'t str),
    Name(&'t str),
}

/// Splits a template. Only `{name}` with a lower-case name is a placeholder, so that braces of JSON or shell stay as they are.
fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut searched = 0;
        while let Some(at) = rest.get(searched..).and_then(|tail| tail.find('{')).map(|at| at + searched) {
            let (before, from) = rest.split_at_checked(at)?;
            let inner = from.get(1..).unwrap_or_default();
            let end = inner.find(|c: char| !(c.is_ascii_lowercase() || c == '_'));
            match end {
                Some(end) if end > 0 && inner.get(end..).is_some_and(|tail| tail.starts_with('}')) => {
                    if !before.is_empty() {
                        rest = from;
                        return Some(Piece::Text(before));
                    }
                    let name = inner.get(..end).unwrap_or_default();
                    rest = inner.get(end + 1..).unwrap_or_default();
                    return Some(Piece::Name(name));
                }
                _ => searched = at + 1,
            }
        }
        let text = rest;
        rest = "";
        Some(Piece::Text(text))
    })
}

/// A number with its noun, which has an `s` unless it is one.
pub(crate) fn counted(count: impl std::fmt::Display, noun: &str) -> String {
    let count = count.to_string();
    let plural = if count == "1" { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
