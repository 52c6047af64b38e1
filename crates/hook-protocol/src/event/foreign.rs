//! Payloads of other clients: an event that is about to run a tool, in other words and with its members elsewhere.

use std::borrow::Cow;

use super::{Body, Event, EventName, PreToolUse};
use crate::error::ParseError;
use crate::raw::{Fields, Raw, Text};

/// What clients call the moment before a tool runs, in small letters and digits.
const BEFORE_A_TOOL: &[&str] = &[
    "pretooluse", "pretool", "pretoolcall", "beforetool", "beforetooluse", "beforetoolcall", "toolexecutebefore",
    "toolcall", "beforeshellexecution", "beforemcpexecution", "beforereadfile", "beforetabfileread", "premcptoolcall",
    "premcptooluse", "preruncommand", "prewritecode", "prereadcode",
];

/// Members that name the event.
const NAMES: &[&str] = &[
    "hook_event_name", "hookEventName", "event", "hookName", "hook_name", "eventName", "event_name",
    "agent_action_name", "name",
];
/// Members that say where the agent works.
const DIRS: &[&str] = &[
    "working_dir", "workingDir", "working_directory", "workingDirectory", "directory", "workspace_roots",
    "workspaceRoots",
];
/// Members that name the session.
const SESSIONS: &[&str] = &["sessionId", "sessionID", "conversation_id", "conversationId", "taskId", "trajectory_id"];
/// Members that name the tool.
const TOOLS: &[&str] = &["toolName", "tool"];
/// Members that hold its input.
const INPUTS: &[&str] = &["toolInput", "toolArgs", "tool_args", "arguments", "args", "parameters"];
/// Objects that hold the call: where its name and its input stand in them.
const CALLS: &[(&str, &str, &str)] =
    &[("tool_call", "name", "input"), ("toolCall", "name", "input"), ("preToolUse", "toolName", "parameters")];
/// Members of a call that has no tool's name, because the event says what it is.
const BARE: &[&str] = &["command", "command_line", "file_path"];
/// Members of an event that comes after the call.
const RESULTS: &[&str] = &["tool_response", "toolResult", "tool_result", "tool_output", "toolOutput", "error"];

impl EventName<'static> {
    /// The event that a name in another client's words stands for; only the one before a tool runs is known by several.
    ///
    /// ```
    /// use hook_protocol::event::EventName;
    /// assert_eq!(EventName::in_other_words("tool.execute.before"), Some(EventName::PreToolUse));
    /// assert_eq!(EventName::in_other_words("FutureEvent"), None);
    /// ```
    pub fn in_other_words(name: &str) -> Option<Self> {
        let small: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        let small = small.to_ascii_lowercase();
        BEFORE_A_TOOL.contains(&small.as_str()).then_some(Self::PreToolUse)
    }
}

impl<'a> Event<'a> {
    /// Reads one event as [`Event::parse_as`] does, of whatever client it is: what stands elsewhere in another client's payload is put
    /// where this client has it.
    ///
    /// An unknown event is one before a tool where the payload or `expected` says so in any words. Members stay in `extra` as they came.
    ///
    /// ```
    /// use hook_protocol::event::{Event, EventName};
    /// let event = Event::parse_any(r#"{"toolName":"bash","toolArgs":"{\"command\":\"ls\"}","sessionId":"s"}"#, "preToolUse")?;
    /// assert_eq!(event.name(), EventName::PreToolUse);
    /// assert_eq!(event.tool().unwrap().name, "bash");
    /// # Ok::<(), hook_protocol::ParseError>(())
    /// ```
    pub fn parse_any(text: &'a str, expected: &str) -> Result<Self, ParseError> {
        let mut event = Self::parse_as(text, expected)?;
        let sent = match &event.body {
            Body::PreToolUse(_) => None,
            Body::Other(name) => Some(name.clone().into_owned()),
            _ => return Ok(event),
        };
        if let Some(sent) = &sent {
            if !is_before_a_tool(sent, expected, &event.extra) {
                return Ok(event);
            }
            let call = PreToolUse::pick(&mut event.extra);
            event.extra.drop_taken();
            event.body = call.into();
        }
        event.settle(sent.unwrap_or_default());
        Ok(event)
    }

    fn settle(&mut self, mut sent: String) {
        let Body::PreToolUse(call) = &mut self.body else { return };
        if self.common.cwd.as_ref().is_none_or(Text::is_empty)
            && let Some(cwd) = DIRS.iter().find_map(|key| first_text(&self.extra, key))
        {
            self.common.cwd = Some(cwd.into());
        }
        if self.common.session_id.is_none() {
            self.common.session_id = SESSIONS.iter().find_map(|key| first_text(&self.extra, key)).map(Text::from);
        }
        if call.tool_name.is_some() && call.tool_input.is_some() {
            return;
        }
        let extra = &self.extra;
        let named = |key: &&str| extra.get_str(key).map(Cow::into_owned);
        let object = |key: &str| extra.get(key).map(|value| value.clone().into_owned()).filter(Raw::is_object);
        let mut found = CALLS.iter().find_map(|(key, name, input)| {
            let call = object(key)?;
            let name = call.get(name)?.as_str()?.into_owned();
            Some((Some(name), call.get(input).map(Raw::into_owned)))
        });
        // A plugin of a client hands on what the host gives it in two parts.
        found = found.or_else(|| {
            let name = object("input")?.get("tool")?.as_str()?.into_owned();
            Some((Some(name), object("output")?.get("args").map(Raw::into_owned)))
        });
        let (mut name, mut input) = found.unwrap_or_else(|| {
            let input = INPUTS.iter().find_map(|key| extra.get(key)).map(|value| value.clone().into_owned());
            (TOOLS.iter().find_map(named), input)
        });
        if name.is_none() && input.is_none() && call.tool_name.is_none() && call.tool_input.is_none() {
            let info = object("tool_info");
            let holder = info.as_ref().and_then(Raw::object);
            let members = holder.as_ref().unwrap_or(extra);
            if sent.is_empty() {
                sent = NAMES.iter().find_map(named).unwrap_or_default();
            }
            if !sent.is_empty() && BARE.iter().any(|key| members.get(key).is_some()) {
                name = Some(sent);
                input = Some(info.unwrap_or_else(|| extra.to_raw()));
            }
        }
        if call.tool_name.is_none() {
            call.tool_name = name.map(Text::from);
        }
        if call.tool_input.is_none() {
            call.tool_input = input;
        }
    }
}

/// Whether an unknown event is about to run a tool: somebody says so, or nobody says anything and it holds a call without a result.
fn is_before_a_tool(sent: &str, expected: &str, extra: &Fields<'_>) -> bool {
    let says = |name: &str| EventName::from(name) == EventName::PreToolUse || EventName::in_other_words(name).is_some();
    if says(sent) || says(expected) {
        return true;
    }
    let names: Vec<_> = NAMES.iter().filter_map(|key| extra.get_str(key)).collect();
    if names.iter().any(|name| says(name)) {
        return true;
    }
    let silent = sent.is_empty() && expected.is_empty() && names.is_empty();
    let calls =
        || extra.get("toolName").or_else(|| extra.get("tool_name")).is_some_and(|name| name.as_text().is_some());
    let input = || ["tool_input"].iter().chain(INPUTS).any(|key| extra.get(key).is_some());
    silent && calls() && input() && !RESULTS.iter().any(|key| extra.get(key).is_some())
}

/// The text of a member, or the first of its list.
fn first_text(fields: &Fields<'_>, key: &str) -> Option<String> {
    let value = fields.get(key)?;
    let text = match value.items() {
        Some(items) => items.first()?.as_str()?.into_owned(),
        None => value.as_str()?.into_owned(),
    };
    (!text.is_empty()).then_some(text)
}
