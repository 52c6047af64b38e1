//! What the host makes of a settings file: which faults cost one entry, and which the whole file.

use std::fmt;

use serde_json::value::RawValue;

use super::known::{self, Fit};
use super::text::{Lines, Text};
use crate::event::EventName;
use crate::members::{Member, Members};

/// The events on which a handler with an `if` is ever run.
const EVENTS_WITH_IF: [&str; 6] = [
    "PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied", "PreSkillShellCommand",
];

/// What a fault costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// The host drops the whole file, hooks and permissions, and goes on; 2.1.332 says so, with `-p` on stderr only.
    FileDropped,
    /// The file is read, but no hook of it runs, nor any of a file with less precedence.
    HooksOff,
    /// Only this entry is dropped.
    EntryDropped,
    /// The host passes over it.
    Ignored,
}

/// One fault of a settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Line of the file, counted from 1.
    pub line: usize,
    /// What it costs.
    pub effect: Effect,
    /// What is wrong and what to do.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let effect = match self.effect {
            Effect::FileDropped => "the whole file is dropped",
            Effect::HooksOff => "hooks are off",
            Effect::EntryDropped => "this entry is dropped",
            Effect::Ignored => "this is ignored",
        };
        write!(formatter, "line {}: {}; {effect}", self.line, self.message)
    }
}

/// Finds what the host would drop or ignore in a settings file, in the order of the text.
///
/// Rests on what client 2.1.332 was seen to do: any malformed entry under `PreToolUse` or `PermissionRequest` costs the whole
/// file, elsewhere only itself, and so does a setting of another kind than the host expects. Where nothing was observed (`hooks` that
/// is no object) the worse is assumed. An empty list means that nothing is known for which the host would drop something
/// ([`is_surely_read`] says more); it does not mean that a command exists or that its matcher ever matches.
///
/// ```
/// use hook_protocol::settings::{Effect, inspect};
///
/// let problems = inspect("{\n  \"hooks\": { \"PreToolUse\": [\"./guard.sh\"] } // mine\n}\n");
/// assert_eq!(problems.len(), 2);
/// assert_eq!(problems[0].line, 2);
/// assert!(problems.iter().all(|problem| problem.effect == Effect::FileDropped));
/// ```
pub fn inspect(text: &str) -> Vec<Problem> {
    let text = Text::new(text);
    let mut report = Report { text: &text, found: Vec::new() };
    if let Some(at) = text.relaxed_at {
        report.at(at, Effect::FileDropped, "comment or trailing comma; settings must be plain JSON, so remove it");
    }
    match serde_json::from_str::<&RawValue>(&text.plain) {
        Ok(root) => report.root(root),
        Err(_) if text.plain.trim().is_empty() => {
            report.at(0, Effect::FileDropped, "the file is empty; write {} into it, or delete it");
        }
        Err(error) => report.at(
            text.offset_of_line(error.line()),
            Effect::FileDropped,
            format!("not JSON ({error}); correct it, because Claude Code reads nothing of the file"),
        ),
    }
    report.finish()
}

/// Whether the host was seen to read a file of this form, and all of it: there is no fault, and no setting, entry or value about which
/// nothing is known. For what would be lost if the host dropped the file, this is the question, not [`inspect`].
///
/// ```
/// use hook_protocol::settings::{inspect, is_surely_read};
///
/// assert!(is_surely_read(r#"{"permissions": {"allow": ["Bash(ls)"]}}"#));
/// let new = r#"{"settingOfTomorrow": 1}"#;
/// assert!(inspect(new).is_empty() && !is_surely_read(new));
/// ```
pub fn is_surely_read(text: &str) -> bool {
    const ENTRY: &[&str] = &["matcher", "hooks"];
    const LOOKED_AT: &[&str] = &["type", "command", "args", "timeout", "onFailure"];
    let is_hook_known = |hook: &&RawValue| {
        Members::parse(hook.get()).is_ok_and(|members| {
            let is_known = |member: &Member<'_>| {
                let name = member.name();
                LOOKED_AT.contains(&name.as_ref()) || known::member(known::HOOK, &name, member.value) == Fit::Fits
            };
            members.0.iter().all(is_known)
        })
    };
    let is_entry_known = |entry: &&RawValue| {
        Members::parse(entry.get()).is_ok_and(|members| {
            let hooks = members.get("hooks").and_then(|hooks| serde_json::from_str::<Vec<&RawValue>>(hooks.get()).ok());
            members.0.iter().all(|member| ENTRY.contains(&member.name().as_ref()))
                && hooks.is_some_and(|hooks| hooks.iter().all(is_hook_known))
        })
    };
    let is_event_known = |event: &Member<'_>| {
        serde_json::from_str::<Vec<&RawValue>>(event.value.get())
            .is_ok_and(|entries| entries.iter().all(is_entry_known))
    };
    let is_known = |member: &Member<'_>| match member.name().as_ref() {
        "hooks" => Members::parse(member.value.get()).is_ok_and(|events| events.0.iter().all(is_event_known)),
        name => known::member(known::FILE, name, member.value) == Fit::Fits,
    };
    let plain = Text::new(text).plain;
    inspect(text).is_empty() && Members::parse(&plain).is_ok_and(|members| members.0.iter().all(is_known))
}

/// The value of a switch at the top of a settings file, such as `disableAllHooks` or `allowManagedHooksOnly`; `None` when
/// it is not there, is neither true nor false, or when the file can't be read as JSON.
///
/// An explicit false in a file with more precedence wins over a true below, so all three answers count.
pub fn flag(text: &str, name: &str) -> Option<bool> {
    let text = Text::new(text);
    if text.relaxed_at.is_some() {
        return None;
    }
    let value = Members::parse(&text.plain).ok()?.get(name)?;
    serde_json::from_str(value.get()).ok()
}

/// The plugins that a settings file switches on or off (`enabledPlugins`), each as `NAME@MARKETPLACE`, in the order of the text;
/// empty when the file says nothing about any, or can't be read as JSON.
///
/// ```
/// use hook_protocol::settings::plugins;
///
/// let text = r#"{"enabledPlugins": {"a@here": true, "b@there": false}}"#;
/// assert_eq!(plugins(text), [("a@here".to_owned(), true), ("b@there".to_owned(), false)]);
/// ```
pub fn plugins(text: &str) -> Vec<(String, bool)> {
    let text = Text::new(text);
    if text.relaxed_at.is_some() {
        return Vec::new();
    }
    let Some(named) = Members::parse(&text.plain).ok().and_then(|members| members.get("enabledPlugins")) else {
        return Vec::new();
    };
    let Ok(members) = Members::parse(named.get()) else { return Vec::new() };
    members.0.iter().map(|member| (member.name().into_owned(), member.value.get() == "true")).collect()
}

/// Whether the user trusts a directory, by the host's own file of state (`.claude.json`); `None` when nothing is recorded
/// about it, or when the file can't be read as JSON. Until then the host runs no hook of the directory's settings.
pub fn trusts(client_state: &str, dir: &str) -> Option<bool> {
    let value = ["projects", dir, "hasTrustDialogAccepted"]
        .iter()
        .try_fold(client_state, |text, key| Members::parse(text).ok()?.get(key).map(RawValue::get))?;
    serde_json::from_str(value).ok()
}

/// The faults found so far, with the offset of each.
struct Report<'t> {
    text: &'t Text<'t>,
    found: Vec<(usize, Effect, String)>,
}

impl Report<'_> {
    fn at(&mut self, at: usize, effect: Effect, message: impl Into<String>) {
        self.found.push((at, effect, message.into()));
    }

    /// Sorts the faults and turns offsets into lines, all in one pass over the text.
    fn finish(mut self) -> Vec<Problem> {
        self.found.sort_by_key(|(at, _, _)| *at);
        let mut lines = Lines::new(self.text);
        let number = |(at, effect, message)| Problem { line: lines.at(at), effect, message };
        self.found.into_iter().map(number).collect()
    }

    fn on(&mut self, part: &RawValue, effect: Effect, message: impl Into<String>) {
        self.at(self.text.span(part).start, effect, message);
    }

    fn root(&mut self, root: &RawValue) {
        let Ok(root_members) = Members::parse(root.get()) else {
            return self.on(root, Effect::FileDropped, "the file must hold one object");
        };
        let mut hooks = None;
        for (at, member) in root_members.0.iter().enumerate() {
            // Of settings that stand twice the last one counts.
            let is_last = |name: &str| !root_members.0.iter().skip(at + 1).any(|later| later.name() == name);
            if let Fit::Wrong { name, must } = known::member(known::FILE, &member.name(), member.value)
                && is_last(&member.name())
            {
                self.on(member.key, Effect::FileDropped, format!("\"{name}\" must be {must}"));
            }
        }
        for member in &root_members.0 {
            match (member.name().as_ref(), member.value.get()) {
                ("disableAllHooks", "true") => {
                    self.on(member.key, Effect::HooksOff, "disableAllHooks is true; remove it or set it to false");
                }
                ("allowManagedHooksOnly", "true") => {
                    self.on(
                        member.key,
                        Effect::HooksOff,
                        "allowManagedHooksOnly is true; in managed settings it stops all other hooks",
                    );
                }
                ("hooks", _) => {
                    if let Some(earlier) = hooks.replace(*member) {
                        self.repeated(earlier, "hooks");
                    }
                }
                _ => {}
            }
        }
        if let Some(hooks) = hooks {
            self.hooks(hooks.value);
        }
    }

    fn repeated(&mut self, earlier: Member<'_>, name: &str) {
        self.on(earlier.key, Effect::Ignored, format!("\"{name}\" stands twice; the last one counts, so join them"));
    }

    fn hooks(&mut self, hooks: &RawValue) {
        let Ok(events) = Members::parse(hooks.get()) else {
            return self.on(hooks, Effect::FileDropped, "\"hooks\" must be an object from event names to lists");
        };
        let mut last: std::collections::HashMap<String, Member<'_>> = std::collections::HashMap::new();
        for member in &events.0 {
            let name = member.name();
            if let Some(earlier) = last.insert(name.clone().into_owned(), *member) {
                self.repeated(earlier, &name);
            }
            if EventName::from(name.as_ref()).index().is_some() {
                self.event(&name, member.value);
            } else {
                self.on(member.key, Effect::Ignored, format!("no event is named \"{name}\"; correct the name"));
            }
        }
    }

    fn event(&mut self, event: &str, value: &RawValue) {
        let strict = matches!(event, "PreToolUse" | "PermissionRequest");
        let effect = if strict { Effect::FileDropped } else { Effect::EntryDropped };
        let Ok(groups) = serde_json::from_str::<Vec<&RawValue>>(value.get()) else {
            return self.on(value, effect, format!("{event} must be a list of objects with a \"hooks\" list"));
        };
        for group in groups {
            let Ok(members) = Members::parse(group.get()) else {
                self.on(group, effect, format!("{event}: an entry must be an object with a \"hooks\" list"));
                continue;
            };
            if let Some(matcher) = members.get("matcher").filter(|matcher| !is_string(matcher)) {
                self.on(matcher, effect, format!("{event}: \"matcher\" must be a string; leave it out to match all"));
            }
            let Some(hooks) = members.get("hooks") else {
                self.on(group, effect, format!("{event}: an entry must have a \"hooks\" list"));
                continue;
            };
            match serde_json::from_str::<Vec<&RawValue>>(hooks.get()) {
                Ok(handlers) => handlers.into_iter().for_each(|handler| self.handler(event, effect, handler)),
                Err(_) => self.on(hooks, effect, format!("{event}: \"hooks\" must be a list")),
            }
        }
    }

    fn handler(&mut self, event: &str, effect: Effect, handler: &RawValue) {
        let Ok(members) = Members::parse(handler.get()) else {
            return self.on(handler, effect, format!("{event}: a hook must be an object with a \"type\""));
        };
        let kind = members.get("type").and_then(|value| serde_json::from_str::<String>(value.get()).ok());
        let needed: &[&str] = match kind.as_deref() {
            Some("command") => &["command"],
            Some("http") => &["url"],
            Some("mcp_tool") => &["server", "tool"],
            Some("prompt" | "agent") => &["prompt"],
            _ => {
                let message = format!("{event}: \"type\" must be command, http, mcp_tool, prompt or agent");
                return self.on(handler, effect, message);
            }
        };
        for name in needed {
            if !members.get(name).is_some_and(is_string) {
                self.on(handler, effect, format!("{event}: \"{name}\" is missing or no string"));
            }
        }
        if let Some(args) = members.get("args")
            && serde_json::from_str::<Vec<&RawValue>>(args.get()).map_or(true, |args| !args.into_iter().all(is_string))
        {
            self.on(args, effect, format!("{event}: \"args\" must be a list of strings"));
        }
        if let Some(timeout) = members.get("timeout")
            && !serde_json::from_str::<f64>(timeout.get()).is_ok_and(|seconds| seconds > 0.0)
        {
            self.on(timeout, effect, format!("{event}: \"timeout\" must be a number of seconds above 0"));
        }
        if let Some(on_failure) = members.get("onFailure")
            && !matches!(on_failure.get(), "\"block\"" | "\"continue\"")
        {
            self.on(on_failure, effect, format!("{event}: \"onFailure\" must be \"block\" or \"continue\""));
        }
        for (name, _) in known::HOOK {
            let fit = members.get(name).map(|value| (value, known::member(known::HOOK, name, value)));
            if let Some((value, Fit::Wrong { name, must })) = fit {
                self.on(value, effect, format!("{event}: \"{name}\" must be {must}"));
            }
        }
        if let Some(rule) = members.get("if")
            && !EVENTS_WITH_IF.contains(&event)
        {
            self.on(rule, Effect::Ignored, format!("{event}: a hook with \"if\" never runs on this event; remove it"));
        }
    }
}

fn is_string(value: &RawValue) -> bool {
    value.get().starts_with('"')
}
