//! From the lines of a transcript back to the events that a hook was started for while they were written.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};

use super::{Block, Line, LineKind, SYNTHETIC, text_of};
use crate::error::ParseError;
use crate::event::{
    Body, Common, CompactTrigger, Event, PostCompact, PostToolUse, PostToolUseFailure, PreCompact, PreToolUse,
    SessionEnd, SessionSource, SessionStart, Stop, SubagentStart, SubagentStop, UserPromptSubmit,
};
use crate::permission::PermissionMode;
use crate::raw::{Raw, Text};

/// Calls without a result that are waited for; beyond these the oldest is taken to have none.
const CALLS: usize = 1_000;
/// Agents of one file that are told apart; beyond these the one that is silent for longest has ended.
const AGENTS: usize = 1_000;

/// What became of a call, as far as its result tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Fate {
    /// There is no result, as after an interruption or in a transcript that was cut off.
    #[default]
    Unknown,
    /// It ran.
    Ran,
    /// It ran and failed.
    Failed,
    /// A hook refused it.
    RefusedByHook,
    /// The user refused it.
    RefusedByPerson,
    /// A permission rule of the host refused it, or there was nobody to ask.
    RefusedByClient,
}

impl Fate {
    /// The word for messages and JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Ran => "ran",
            Self::Failed => "failed",
            Self::RefusedByHook => "refused by a hook",
            Self::RefusedByPerson => "refused by the user",
            Self::RefusedByClient => "refused by the host",
        }
    }

    /// Whether the call was carried out.
    pub fn has_run(self) -> bool {
        matches!(self, Self::Ran | Self::Failed)
    }
}

/// One event of the past.
#[derive(Debug, Clone, PartialEq)]
pub struct Past {
    /// The event, as a hook would have got it. The transcript doesn't hold everything: effort, durations and background tasks are
    /// missing.
    pub event: Event<'static>,
    /// When, in RFC 3339; `None` where no line before has said it.
    pub time: Option<String>,
    /// The branch that was checked out.
    pub branch: Option<String>,
    /// What became of the call; on `PreToolUse` only.
    pub fate: Fate,
}

/// Reads the lines of one transcript in order and gives the events that they tell of.
///
/// - A call's `PreToolUse` comes together with its result, so that calls of one message follow each other as the host
///   carries them out, and a call that was never handed to a hook (a tool that doesn't exist, an input that doesn't fit) gives
///   none. Calls that start an agent come at once, before what the agent does.
/// - A turn's `Stop` comes with the line after it, since nothing in the turn's own last line says that no hook went on.
/// - `SessionStart` comes with the first message, `SessionEnd` from [`PastEvents::finish`].
///
/// Keeps no more than the calls that wait for their results.
#[derive(Debug, Default)]
pub struct PastEvents {
    threads: BTreeMap<String, Thread>,
    calls: VecDeque<Call>,
    mode: Option<PermissionMode<'static>>,
    time: Option<String>,
    branch: Option<String>,
    last: Option<Common<'static>>,
    /// Lines of threads so far.
    lines: u64,
}

/// The main conversation or one agent.
#[derive(Debug, Default)]
struct Thread {
    /// Whether the turn's last answer leaves nothing to wait for.
    ends: bool,
    /// The turn was continued by a stop hook.
    continued: bool,
    said: Option<String>,
    common: Common<'static>,
    /// Which line was its last.
    spoke: u64,
}

#[derive(Debug)]
struct Call {
    id: String,
    pre: Past,
    /// Its `PreToolUse` was given already.
    given: bool,
}

impl PastEvents {
    /// Before the first line.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads the next line. Only a line that isn't one whole JSON object fails, and reading goes on behind it. `None` for a
    /// line that isn't one of a transcript's messages: newer clients write kinds that tell nothing of an event.
    pub fn add(&mut self, text: &str) -> Result<Option<Vec<Past>>, ParseError> {
        let line = Line::parse(text)?;
        let known = matches!(line.kind, Some(LineKind::Assistant | LineKind::User | LineKind::System));
        if !known || line.session_id.is_none() && line.uuid.is_none() {
            return Ok(None);
        }
        if let Some(time) = &line.timestamp {
            self.time = Some(time.as_str().into_owned());
        }
        if let Some(branch) = line.git_branch.as_ref().filter(|branch| !branch.is_empty()) {
            self.branch = Some(branch.as_str().into_owned());
        }
        if let Some(mode) = &line.permission_mode {
            self.mode = Some(Cow::<str>::Owned(mode.as_str().to_owned()).into());
        }
        let mut out = Vec::new();
        match line.kind {
            Some(LineKind::Assistant) => self.answer(&line, &mut out),
            Some(LineKind::User) => self.input(&line, &mut out),
            _ if line.is_compact_boundary() => self.compacted(&line, &mut out),
            _ => {}
        }
        Ok(Some(out))
    }

    /// The file has ended.
    pub fn finish(&mut self) -> Vec<Past> {
        let mut out = Vec::new();
        self.drop_calls(&mut out);
        let agents: Vec<String> = self.threads.keys().rev().cloned().collect();
        for key in agents {
            self.stop(&key, &mut out);
        }
        // The transcript of an agent ends without the session.
        if self.threads.contains_key("")
            && let Some(common) = self.last.take()
        {
            let common = Common { permission_mode: None, ..common };
            out.push(self.past(common, SessionEnd::default()));
        }
        out
    }

    fn past(&self, common: Common<'static>, body: impl Into<Body<'static>>) -> Past {
        let event = Event { common, body: body.into(), ..Event::default() };
        Past { event, time: self.time.clone(), branch: self.branch.clone(), fate: Fate::Unknown }
    }

    /// The thread of a line, begun with it if it is new; its key is the agent, empty for the main conversation.
    fn enter(&mut self, line: &Line<'_>, out: &mut Vec<Past>) -> String {
        let agent = line.agent_id.as_ref().map(|id| id.as_str().into_owned());
        let agent = agent.or_else(|| (line.is_sidechain == Some(true)).then(|| "sidechain".to_owned()));
        let key = agent.clone().unwrap_or_default();
        let own = |text: &Option<Text<'_>>| text.clone().map(Text::into_owned);
        let common = Common {
            session_id: own(&line.session_id),
            cwd: own(&line.cwd),
            permission_mode: self.mode.clone(),
            agent_id: agent.map(Into::into),
            ..Common::default()
        };
        self.last = Some(Common { agent_id: None, ..common.clone() });
        let is_new = !self.threads.contains_key(&key);
        if is_new && self.threads.len() >= AGENTS {
            let agents = self.threads.iter().filter(|(key, _)| !key.is_empty());
            let silent = agents.min_by_key(|(_, thread)| thread.spoke).map(|(key, _)| key.clone());
            if let Some(silent) = silent {
                self.stop(&silent, out);
                self.threads.remove(&silent);
            }
        }
        if is_new {
            let quiet = Common { permission_mode: None, ..common.clone() };
            out.push(if key.is_empty() {
                let source =
                    if line.is_compact_summary == Some(true) { SessionSource::Compact } else { SessionSource::Startup };
                self.past(quiet, SessionStart { source: Some(source), ..SessionStart::default() })
            } else {
                self.past(quiet, SubagentStart::default())
            });
        }
        self.lines += 1;
        let thread = self.threads.entry(key.clone()).or_default();
        (thread.common, thread.spoke) = (common, self.lines);
        key
    }

    fn answer(&mut self, line: &Line<'_>, out: &mut Vec<Past>) {
        let Some(message) = line.message() else { return };
        if message.model.as_ref().is_some_and(|model| model == SYNTHETIC) {
            return;
        }
        let key = self.enter(line, out);
        let blocks = message.blocks();
        let calls = blocks.iter().any(|block| matches!(block, Block::ToolUse { .. }));
        let texts = blocks.iter().any(|block| matches!(block, Block::Text(_)));
        let reason = message.stop_reason.as_ref().and_then(|reason| reason.value());
        if let Some(thread) = self.threads.get_mut(&key) {
            thread.said = message.text().or_else(|| thread.said.take());
            thread.ends = match reason {
                Some(reason) => reason == "end_turn" || reason == "stop_sequence",
                None => texts && !calls,
            };
        }
        for block in blocks {
            let Block::ToolUse { id, name, input } = block else { continue };
            let starts_agent = name == "Agent" || name == "Task";
            let common = self.threads.get(&key).map(|thread| thread.common.clone()).unwrap_or_default();
            let body = PreToolUse {
                tool_name: Some(name.into_owned()),
                tool_input: Some(input.into_owned()),
                tool_use_id: Some(id.clone().into_owned()),
                ..PreToolUse::default()
            };
            let pre = self.past(common, body);
            if starts_agent {
                out.push(pre.clone());
            }
            self.calls.push_back(Call { id: id.as_str().into_owned(), pre, given: starts_agent });
        }
        while self.calls.len() > CALLS {
            out.extend(self.calls.pop_front().filter(|call| !call.given).map(|call| call.pre));
        }
    }

    fn input(&mut self, line: &Line<'_>, out: &mut Vec<Past>) {
        let Some(message) = line.message() else { return };
        let blocks = message.blocks();
        let results = blocks.iter().any(|block| matches!(block, Block::ToolResult { .. }));
        if results {
            self.enter(line, out);
            for block in blocks {
                if let Block::ToolResult { tool_use_id, content, is_error } = block {
                    self.result(&tool_use_id.as_str(), &content, is_error, line, out);
                }
            }
            return;
        }
        let text = message.text().unwrap_or_default();
        let key = self.enter(line, out);
        if line.is_compact_summary == Some(true) {
            return;
        }
        if text.starts_with("[Request interrupted by user") {
            // Nothing but the calls' beginning was seen by a hook then.
            self.drop_calls(out);
            if let Some(thread) = self.threads.get_mut(&key) {
                thread.ends = false;
            }
            return;
        }
        if text.starts_with("Stop hook feedback") {
            self.stop(&key, out);
            if let Some(thread) = self.threads.get_mut(&key) {
                thread.continued = true;
            }
            return;
        }
        if line.is_meta == Some(true) || text.starts_with("<local-command-") || !key.is_empty() {
            return;
        }
        self.drop_calls(out);
        self.stop(&key, out);
        let prompt = command_of(&text).unwrap_or(text);
        if let Some(thread) = self.threads.get_mut(&key) {
            thread.continued = false;
            let common = thread.common.clone();
            out.push(
                self.past(common, UserPromptSubmit { prompt: Some(prompt.into()), ..UserPromptSubmit::default() }),
            );
        }
    }

    fn result(&mut self, id: &str, content: &Raw<'_>, is_error: bool, line: &Line<'_>, out: &mut Vec<Past>) {
        let Some(at) = self.calls.iter().position(|call| call.id == id) else { return };
        let Some(Call { mut pre, given, .. }) = self.calls.remove(at) else { return };
        let said = text_of(content).unwrap_or_default();
        if is_error && said.contains("<tool_use_error>") {
            return;
        }
        pre.fate = fate(&said, is_error, line);
        let fate = pre.fate;
        let Past { event, .. } = &pre;
        let Body::PreToolUse(call) = &event.body else { return };
        let (tool_name, tool_input, tool_use_id) =
            (call.tool_name.clone(), call.tool_input.clone(), call.tool_use_id.clone());
        let common = event.common.clone();
        let body: Option<Body<'static>> = match fate {
            Fate::Ran => {
                let response = line.tool_use_result.clone().unwrap_or_else(|| content.clone()).into_owned();
                let tool_response = Some(response);
                Some(PostToolUse { tool_name, tool_input, tool_response, tool_use_id, ..PostToolUse::default() }.into())
            }
            Fate::Failed => {
                let error = Some(said.into());
                Some(
                    PostToolUseFailure { tool_name, tool_input, tool_use_id, error, ..PostToolUseFailure::default() }
                        .into(),
                )
            }
            _ => None,
        };
        if !given {
            out.push(pre);
        }
        out.extend(body.map(|body| self.past(common, body)));
    }

    fn compacted(&mut self, line: &Line<'_>, out: &mut Vec<Past>) {
        let key = self.enter(line, out);
        let common = self.threads.get(&key).map(|thread| thread.common.clone()).unwrap_or_default();
        let common = Common { permission_mode: None, ..common };
        let trigger = || {
            Some(match line.compact_trigger().as_deref() {
                Some("manual") => CompactTrigger::Manual,
                _ => CompactTrigger::Auto,
            })
        };
        out.push(self.past(common.clone(), PreCompact { trigger: trigger(), ..PreCompact::default() }));
        let source = Some(SessionSource::Compact);
        out.push(self.past(common.clone(), SessionStart { source, ..SessionStart::default() }));
        out.push(self.past(common, PostCompact { trigger: trigger(), ..PostCompact::default() }));
    }

    /// Calls that will get no result any more.
    fn drop_calls(&mut self, out: &mut Vec<Past>) {
        out.extend(self.calls.drain(..).filter(|call| !call.given).map(|call| call.pre));
    }

    /// Ends the turn of a thread, if it is at its end.
    fn stop(&mut self, key: &str, out: &mut Vec<Past>) {
        let Some(thread) = self.threads.get_mut(key).filter(|thread| thread.ends) else { return };
        thread.ends = false;
        let common = thread.common.clone();
        let last_assistant_message = thread.said.take().map(Into::into);
        let stop_hook_active = Some(thread.continued);
        out.push(if key.is_empty() {
            self.past(common, Stop { stop_hook_active, last_assistant_message, ..Stop::default() })
        } else {
            let body = SubagentStop { stop_hook_active, last_assistant_message, ..SubagentStop::default() };
            self.past(common, body)
        });
    }
}

/// What became of a call, by the words of the host's results.
fn fate(said: &str, is_error: bool, line: &Line<'_>) -> Fate {
    if !is_error {
        return Fate::Ran;
    }
    let words =
        line.tool_use_result.as_ref().and_then(|result| result.as_str().map(Cow::into_owned)).unwrap_or_default();
    let begins =
        |start: &str| said.starts_with(start) || words.strip_prefix("Error: ").is_some_and(|it| it.starts_with(start));
    if begins("PreToolUse:") && said.contains("hook error") || begins("Blocked by hook") {
        Fate::RefusedByHook
    } else if begins("The user doesn't want to") || words == "User rejected tool use" {
        Fate::RefusedByPerson
    } else if begins("Permission to use") || begins("Claude requested permissions") {
        Fate::RefusedByClient
    } else if begins("[Request interrupted by user") {
        Fate::Unknown
    } else {
        Fate::Failed
    }
}

/// The prompt of a slash command, which the transcript holds taken apart: `/name args`.
fn command_of(text: &str) -> Option<String> {
    let between = |open: &str, close: &str| Some(text.split_once(open)?.1.split_once(close)?.0.trim());
    if !text.trim_start().starts_with("<command-") {
        return None;
    }
    let name = between("<command-name>", "</command-name>")?;
    let args = between("<command-args>", "</command-args>").unwrap_or_default();
    Some(format!("{name} {args}").trim_end().to_owned())
}
