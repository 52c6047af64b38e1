//! `handoff`: an agent's answer is validated, checked, and leads to the next agent.
//!
//! A block at the agent's own stop makes that agent go on, and nobody else. So only what sends the same agent back is answered
//! there; who is next is kept, and the parent is told when the agent's call returns, at the next prompt, or before it stops.

use hook_protocol::event::{Body, Event, EventName};
use hook_protocol::native::NativeTool;
use hook_protocol::own_path;
use hook_protocol::raw::{Fields, Raw, Text};
use hook_protocol::tool::{AgentResult, ToolInput};
use serde::{Deserialize, Serialize};

use super::style::Style;
use super::suite::Suite;
use super::{CheckContext, Step};
use crate::call::places;
use crate::effect::{Effect, FileChange, ProjectFile};
use crate::facts::Facts;
use crate::finding::Finding;
use crate::handoff::{Change, Gate, Hop, Names, Next, Roster, Routing, Waiting, file_name, next, remarks};
use crate::template::on_one_line;

/// Settings of `handoff`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct HandoffRules {
    /// Agents that work can be handed to, beside those that the project's own files define.
    pub registry: Vec<String>,
    /// The word that asks for the checkpoint.
    pub token: String,
    /// The agent that validates a finished phase.
    pub validator: String,
    /// The agent to which finished implementation returns.
    pub hub: String,
    /// Handoffs that may follow one prompt.
    pub hops: u32,
    /// How often work may go straight back to the agent that it came from.
    pub returns: u32,
    /// How often an agent is sent back for the same reason.
    pub retries: u32,
    /// Seconds for which an answer that was seen at the agent's stop counts as seen when its call returns.
    pub seen_seconds: u32,
    /// What a handoff does to the parent.
    pub on_handoff: Style,
    /// What a failed checkpoint does to the agent; `allow` runs none.
    pub on_checkpoint: Style,
    /// What an answer that says that work is left does to the agent.
    pub on_unfinished: Style,
    /// What the name of an unknown agent does.
    pub on_unknown: Style,
    /// The text log of decisions.
    pub file: String,
    /// The checkpoint's commands.
    pub checkpoint: Suite,
}

impl Default for HandoffRules {
    fn default() -> Self {
        Self {
            registry: Vec::new(),
            token: "COLLECTIVE_HANDOFF_READY".to_owned(),
            validator: "tdd-validation-agent".to_owned(),
            hub: "task-orchestrator".to_owned(),
            hops: 10,
            returns: 0,
            retries: 3,
            seen_seconds: 3_600,
            on_handoff: Style::Block,
            on_checkpoint: Style::Block,
            on_unfinished: Style::Block,
            on_unknown: Style::Warn,
            file: "test-driven-handoff.log".to_owned(),
            checkpoint: Suite::default(),
        }
    }
}

/// The check's name in profiles. What a checkpoint comes to belongs to the handler that asked it.
pub(crate) const NAME: &str = "handoff";

/// The directory of the file that says who is next, and its name.
pub(super) const NEXT_ACTION: (&str, &str) = (own_path!("handoff"), "NEXT_ACTION.json");

/// An agent's answer.
struct Answer {
    /// Its name as the host spells it.
    agent: String,
    /// The host's id of the agent, or a stand-in where it gives none.
    id: String,
    output: String,
    /// It came back to the parent; else the agent itself is about to end.
    with_parent: bool,
}

/// Longest answer that is looked at, in bytes: its end. What is handed on stands there.
const LOOKED_AT: usize = 1 << 20;

/// The end of an answer.
fn end_of(mut output: String) -> String {
    let excess = output.len().saturating_sub(LOOKED_AT);
    let start = (excess..output.len()).find(|at| output.is_char_boundary(*at)).unwrap_or(excess);
    if excess > 0 {
        output.drain(..start);
    }
    output
}

/// Every agent that is known here: the profile's, and those of the files of the project and the user.
pub(super) fn roster(registry: &[String], facts: &dyn Facts) -> Roster {
    let mut roster = Roster::new(registry);
    let agents = format!("{}/agents", facts.host().dir);
    let own = facts.home().map(|home| format!("{home}/{agents}"));
    for dir in [Some(agents), own].into_iter().flatten() {
        // The host looks into the directories below as well.
        let names = |dir: &str| facts.project_dir_names(dir).unwrap_or_default();
        let below = |name: &String| {
            if name.contains('.') {
                vec![name.clone()]
            } else {
                names(&format!("{dir}/{name}")).iter().map(|file| format!("{name}/{file}")).collect()
            }
        };
        for path in names(&dir).iter().flat_map(below).filter(|path| path.strip_suffix(".md").is_some()).take(200) {
            let text = facts.project_file(&format!("{dir}/{path}")).unwrap_or_default();
            roster = roster.with_file(path.rsplit('/').next().unwrap_or(&path), &text);
        }
    }
    roster
}

impl Step for HandoffRules {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let event = ctx.event;
        let routing = || ctx.facts.routing();
        match &event.body {
            Body::UserPromptSubmit(submit) => {
                let prompt = submit.prompt.as_ref().map(Text::as_str).unwrap_or_default();
                // The host's own notice of an agent that ended is no word of the user.
                let own = prompt.trim_start().starts_with("<task-notification>");
                let mut finding = self.told(event, routing().waiting).unwrap_or_default();
                finding.effects.extend((!own).then_some(Effect::Routing(Change::Prompted)));
                Some(finding)
            }
            Body::Stop(_) if !event.stop_hook_active() => {
                let waiting = routing().waiting;
                if waiting.iter().any(|waiting| waiting.block) { self.told(event, waiting) } else { None }
            }
            Body::SubagentStart(_) => Some(started(event, ctx.facts)),
            Body::SubagentStop(_) => Some(self.answered(ctx, stopped(event, ctx.facts)?, &routing())),
            Body::PostToolUse(_) => {
                let answer = returned(event)?;
                let routing = routing();
                if !routing.has_handled(&answer.id, ctx.facts.now().epoch, self.seen_seconds) {
                    return Some(self.answered(ctx, answer, &routing));
                }
                let about = routing.waiting.into_iter().filter(|waiting| waiting.agent_id == answer.id).collect();
                self.told(event, about)
            }
            _ => None,
        }
    }

    fn seconds(&self, event: &EventName<'_>) -> u32 {
        let waits = matches!(event, EventName::SubagentStop | EventName::PostToolUse);
        if waits { self.checkpoint.seconds() } else { 0 }
    }
}

impl HandoffRules {
    /// Tells the parent what waited.
    fn told(&self, event: &Event<'_>, waiting: Vec<Waiting>) -> Option<Finding> {
        if waiting.is_empty() {
            return None;
        }
        let block = waiting.iter().any(|waiting| waiting.block);
        // Of several agents that say the same, it is said once.
        let mut texts: Vec<&str> = Vec::new();
        for waiting in &waiting {
            if !texts.contains(&waiting.text.as_str()) {
                texts.push(&waiting.text);
            }
        }
        let text = texts.join("\n\n");
        let prompt = matches!(event.body, Body::UserPromptSubmit(_));
        let finding = match self.on_handoff {
            // A prompt is never refused for it: the model reads it beside the prompt.
            Style::Block if prompt || !block => Finding::advice(text),
            style => style.finding(event, text),
        };
        let agents = waiting.into_iter().map(|waiting| waiting.agent_id).collect();
        Some(finding.with([Effect::Routing(Change::Told(agents))]))
    }

    /// Rules 1 to 7 for one answer.
    fn answered(&self, ctx: &CheckContext<'_>, answer: Answer, routing: &Routing) -> Finding {
        if answer.output.trim().is_empty() {
            return Finding::default().with(seen(&answer, ctx.facts));
        }
        let names = Names { token: &self.token, validator: &self.validator, hub: &self.hub };
        let mut log: Vec<Effect> = remarks(&answer.agent, &answer.output)
            .iter()
            .map(|remark| self.line(ctx.facts, &format!("VALIDATE: {}: {remark}", answer.agent)))
            .collect();
        let passed = self.routed(ctx, &answer, routing, &names);
        if self.on_checkpoint == Style::Allow || !names.wants_checkpoint(&answer.agent, &answer.output) {
            return after(log, passed);
        }
        let root = places(ctx.event, ctx.facts).project;
        let (dir, steps) = self.checkpoint.steps(ctx.facts, &root);
        if steps.is_empty() {
            log.push(self.line(ctx.facts, &format!("CHECKPOINT: {}: no tests and no build found", answer.agent)));
            return after(log, passed);
        }
        let gate = Gate {
            dir,
            steps,
            fresh_seconds: self.checkpoint.fresh_seconds,
            log: self.file.clone(),
            failed: Box::new(self.sent_back(ctx, &answer, routing)),
            unable: Box::new(self.cannot_be_run(ctx, &answer)),
            passed: Box::new(passed),
            agent: answer.agent,
        };
        log.push(Effect::Gate(Box::new(gate)));
        Finding::default().with(log)
    }

    /// What a failed checkpoint says. Its reason follows behind.
    fn sent_back(&self, ctx: &CheckContext<'_>, answer: &Answer, routing: &Routing) -> Finding {
        let agent = &answer.agent;
        let key = format!("{} checkpoint", answer.id);
        let tries = routing.blocks(&key);
        let log = format!("{}/checkpoint-{}.log", ctx.facts.state_dir(), file_name(agent));
        let failed = format!("The checkpoint of {agent} failed. The whole output is in {log}.");
        if answer.with_parent {
            let text = format!(
                "{failed} Next step: use the {agent} subagent again to mend it; nothing is handed on before it passes."
            );
            return self.on_checkpoint.finding(ctx.event, text).with(seen(answer, ctx.facts));
        }
        if tries < self.retries {
            let text = format!("{failed} Next step: mend it yourself, then end with {} again.", self.token);
            return self.on_checkpoint.finding(ctx.event, text).with([Effect::Routing(Change::Blocked(key))]);
        }
        let text = format!("{failed} It was sent back {tries} times and ended without passing; nothing is handed on.");
        let waiting = Waiting {
            agent_id: answer.id.clone(),
            from: agent.clone(),
            to: None,
            text,
            block: self.on_checkpoint == Style::Block,
        };
        Finding::default().with(seen(answer, ctx.facts)).with([Effect::Routing(Change::Wait(waiting))])
    }

    /// What is said where a program of the checkpoint is not installed: the agent cannot mend that, so the parent hears of it.
    fn cannot_be_run(&self, ctx: &CheckContext<'_>, answer: &Answer) -> Finding {
        let text = format!(
            "The checkpoint of {} could not be run, so its work is not tested and nothing is handed on. Tell the user: install what is \
             missing, or name other commands in {} under [change.test-driven-handoff.handoff.checkpoint] (`test`, \
             `build`, `install = false`).",
            answer.agent,
            own_path!("hookbin.toml")
        );
        self.leave(ctx, answer, None, text, self.on_checkpoint == Style::Block)
    }

    /// Rules 3 to 7, once the checkpoint is passed or not asked for.
    fn routed(&self, ctx: &CheckContext<'_>, answer: &Answer, routing: &Routing, names: &Names<'_>) -> Finding {
        let facts = ctx.facts;
        let agent = &answer.agent;
        let known = roster(&self.registry, facts);
        match next(agent, &answer.output, names, &known) {
            Next::Nothing => Finding::default().with(seen(answer, facts)),
            Next::GoOn => {
                let key = format!("{} unfinished", answer.id);
                if routing.blocks(&key) >= self.retries || answer.with_parent && self.on_unfinished == Style::Block {
                    let text = format!("{agent} ended although its answer says that work is left.");
                    return self.leave(ctx, answer, None, text, false);
                }
                let text = format!("Your answer says that work is left. Go on, {agent}, and end when it is done.");
                let log = self.line(facts, &format!("RETRY: {agent} says that work is left"));
                self.on_unfinished.finding(ctx.event, text).with([log, Effect::Routing(Change::Blocked(key))])
            }
            Next::Unknown { name, nearest } => {
                let meant = nearest.map(|nearest| format!(" Did it mean {nearest}?")).unwrap_or_default();
                let agents = format!("{}/agents", facts.host().dir);
                let text =
                    format!("{agent} hands work to `{name}`, but no file in {agents} defines that agent.{meant}");
                let log = self.line(facts, &format!("WARN: {text}"));
                let waits = match self.on_unknown {
                    Style::Allow => Finding::default().with(seen(answer, facts)),
                    style => self.leave(ctx, answer, None, text, style == Style::Block),
                };
                waits.with([log])
            }
            Next::Route { to, why } => {
                let from = agent.to_lowercase();
                let waits = |waiting: &Waiting| {
                    waiting.to.as_deref() == Some(to.as_str()) && waiting.from.eq_ignore_ascii_case(&from)
                };
                // Agents that work side by side hand over to the same one, which has not started yet: that is one handoff.
                let again = routing.waiting.iter().any(waits);
                let circle = if again { None } else { routing.circles(&from, &to, self.hops, self.returns) };
                if let Some(circle) = circle {
                    let text = format!(
                        "{agent} hands work to {to}, but {circle}. Decide yourself how to go on, or ask the user."
                    );
                    let log = self.line(facts, &format!("LOOP: {agent} -> {to}: {circle}"));
                    return self.leave(ctx, answer, None, text, false).with([log]);
                }
                let defined = if known.knows(&to) {
                    ""
                } else {
                    " No file defines that agent: if the host does not know it, go on yourself."
                };
                let name = known.spelled(&to).unwrap_or(&to);
                let why = on_one_line(&why);
                let text = format!(
                    "HANDOFF: use the {name} subagent next (tool Agent, subagent_type \"{name}\"): {why}.{defined}"
                );
                let log = self.line(facts, &format!("HANDOFF: {agent} -> {to}: {why}"));
                let hop = Effect::Routing(Change::Hop(Hop { from, to: to.clone() }));
                let file = next_action(agent, &to, &why, facts);
                self.leave(ctx, answer, Some(to), text, true).with([log, hop, file])
            }
        }
    }

    /// Words for the parent: said at once where it is the parent that reads the answer, else kept for it.
    fn leave(&self, ctx: &CheckContext<'_>, answer: &Answer, to: Option<String>, text: String, block: bool) -> Finding {
        let waiting = Waiting { agent_id: answer.id.clone(), from: answer.agent.clone(), to, text, block };
        let seen = seen(answer, ctx.facts);
        if answer.with_parent {
            return self.told(ctx.event, vec![waiting]).unwrap_or_default().with(seen);
        }
        Finding::default().with(seen).with([Effect::Routing(Change::Wait(waiting))])
    }

    fn line(&self, facts: &dyn Facts, text: &str) -> Effect {
        Effect::Line { file: self.file.clone(), line: format!("[{}] {text}", facts.now().stamp) }
    }
}

/// The finding behind these effects.
fn after(log: Vec<Effect>, mut finding: Finding) -> Finding {
    finding.effects.splice(0..0, log);
    finding
}

/// The answer counts as seen.
fn seen(answer: &Answer, facts: &dyn Facts) -> Vec<Effect> {
    let epoch = facts.now().epoch;
    vec![Effect::Routing(Change::Handled { agent_id: answer.id.clone(), epoch })]
}

/// An agent starts: the file that asks for it has done its work.
fn started(event: &Event<'_>, facts: &dyn Facts) -> Finding {
    let agent = event.agent_type().unwrap_or_default().to_lowercase();
    let (dir, name) = NEXT_ACTION;
    let asked = facts
        .project_file(&format!("{dir}/{name}"))
        .and_then(|text| Fields::parse(&text).ok()?.get_str("agent").map(|agent| agent.to_lowercase()));
    let gone = ProjectFile { dir: dir.to_owned(), name: name.to_owned(), change: FileChange::Remove };
    let gone = (asked.as_deref() == Some(agent.as_str())).then_some(Effect::File(gone));
    Finding::default().with([Effect::Routing(Change::Started(agent))]).with(gone)
}

/// The file that says who is next: `agent`, `from`, `reason`, `created_at`.
fn next_action(from: &str, to: &str, why: &str, facts: &dyn Facts) -> Effect {
    let mut fields = Fields::new();
    let stamp = iso(facts);
    for (key, value) in [("agent", to), ("from", from), ("reason", why), ("created_at", stamp.as_str())] {
        fields.set(key.to_owned(), Raw::from(Text::from(value.to_owned())));
    }
    let (dir, name) = NEXT_ACTION;
    let text = format!("{}\n", fields.to_json());
    Effect::File(ProjectFile { dir: dir.to_owned(), name: name.to_owned(), change: FileChange::Put(text) })
}

/// The moment as ISO 8601.
pub(super) fn iso(facts: &dyn Facts) -> String {
    format!("{}Z", facts.now().stamp.replace(' ', "T"))
}

/// The answer of an agent that is about to end. The one that compacts has no name and is none.
fn stopped(event: &Event<'_>, facts: &dyn Facts) -> Option<Answer> {
    let agent = event.agent_type().filter(|agent| !agent.trim().is_empty())?.into_owned();
    let sent = event.last_assistant_message().map(std::borrow::Cow::into_owned);
    let from_transcript = || {
        let Body::SubagentStop(stop) = &event.body else { return None };
        facts.last_answer(&stop.agent_transcript_path.as_ref()?.as_str())
    };
    let output = sent.filter(|text| !text.trim().is_empty()).or_else(from_transcript).unwrap_or_default();
    let id = event.common.agent_id.as_ref().map(|id| id.as_str().into_owned());
    Some(Answer {
        id: id.unwrap_or_else(|| format!("name {agent}")),
        agent,
        output: end_of(output),
        with_parent: false,
    })
}

/// The answer of an agent whose call has returned to its parent. One that was only started has none yet.
fn returned(event: &Event<'_>) -> Option<Answer> {
    let tool = event.tool().filter(|tool| tool.native() == Some(NativeTool::Agent))?;
    let ToolInput::Agent(input) = tool.parsed() else { return None };
    let Body::PostToolUse(after) = &event.body else { return None };
    let result = AgentResult::from_raw(after.tool_response.as_ref()?)?;
    if !result.is_complete() {
        return None;
    }
    let agent = input.subagent_type.as_ref().map(|kind| kind.as_str().into_owned()).unwrap_or_default();
    let agent = if agent.is_empty() { "general-purpose".to_owned() } else { agent };
    let id = result.agent_id.as_ref().map_or_else(|| format!("name {agent}"), |id| id.as_str().into_owned());
    Some(Answer { id, output: end_of(result.text()), agent, with_parent: true })
}
