//! One day's figures: exact totals, and the last entries of every list that `collective` names.
#![allow(clippy::struct_field_names, reason = "`collective` names the members of its file")]

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use hook_policy::effect::Counted;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::MetricsContext;

/// Entries that a list keeps: the last ones. The totals count all.
const LAST: usize = 100;

/// Names of tools and agents that are counted one by one; the rest counts as `other`.
const MOST_NAMES: usize = 200;

/// Agents that are running.
const MOST_RUNNING: usize = 64;

/// The file of one day.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Day {
    /// The day, as `2026-01-31`.
    pub date: String,
    /// Figures for the three hypotheses of the profile.
    pub research_metrics: Research,
    /// How calls and agents went.
    pub performance_metrics: Performance,
    /// How the system did.
    pub system_health: Health,
    /// Sums of the day.
    pub totals: Totals,
    /// Starts of agents that have not ended, in milliseconds since 1970.
    running: BTreeMap<String, i64>,
    /// What a newer version wrote.
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

/// Figures for the three hypotheses of the profile.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Research {
    /// Contexts that are loaded when they are needed.
    pub jit_hypothesis: Jit,
    /// Agents that speak through one in the middle.
    pub hub_spoke_hypothesis: HubSpoke,
    /// Tests before code.
    pub tdd_hypothesis: Tdd,
}

/// Contexts that are loaded when they are needed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Jit {
    context_load_times: Vec<Load>,
    memory_usage: Vec<Value>,
    agent_spawn_times: Vec<Spawn>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Load {
    timestamp: String,
    load_time_ms: u64,
    context_size: u64,
    tool: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Spawn {
    timestamp: String,
    agent: String,
}

/// Work that goes through a hub.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct HubSpoke {
    routing_accuracy: Vec<u8>,
    coordination_overhead: Vec<Coordination>,
    peer_communication_violations: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Coordination {
    timestamp: String,
    coordination_time_ms: u64,
    agent: String,
}

/// Tests before work is handed on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Tdd {
    handoff_success_rate: Vec<u8>,
    integration_defects: Vec<Value>,
    test_coverage: Vec<Coverage>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Coverage {
    timestamp: String,
    coverage: u64,
    has_tests: bool,
    agent: String,
}

/// How calls and agents went.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Performance {
    tool_executions: Vec<Execution>,
    agent_handoffs: Vec<HandedOver>,
    directive_violations: Vec<Violation>,
    quality_gates: Vec<Quality>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Execution {
    timestamp: String,
    tool: String,
    execution_time_ms: Option<u64>,
    event: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct HandedOver {
    timestamp: String,
    agent: String,
    event: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Violation {
    timestamp: String,
    tool: String,
    rule: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Quality {
    timestamp: String,
    agent: String,
    passed: bool,
}

/// How the system did.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Health {
    uptime: u64,
    error_rate: u64,
    response_times: Vec<u64>,
}

/// What happened, every event counted.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Totals {
    /// Finished tool calls, failed ones included.
    pub calls: u64,
    /// Of these, those that failed.
    pub failed: u64,
    /// The same by tool.
    pub tools: BTreeMap<String, Tool>,
    /// Prompts of the user.
    pub prompts: u64,
    /// Their characters.
    pub prompt_chars: u64,
    /// Calls that were refused before they ran.
    pub refused: u64,
    /// Turns by agent.
    pub agents: BTreeMap<String, Agent>,
    /// Answers after which another agent was next.
    pub handoffs: u64,
    /// Checkpoints that passed.
    pub checkpoints_passed: u64,
    /// Checkpoints that failed.
    pub checkpoints_failed: u64,
    /// Lines in which an agent spoke to two others at once.
    pub peer_violations: u64,
    /// Sessions that ended.
    pub sessions_ended: u64,
}

/// The calls of one tool.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Tool {
    /// Finished calls, failed ones included.
    pub calls: u64,
    /// Of these, those that failed.
    pub failed: u64,
    /// Calls whose time is known, their milliseconds, and the longest.
    pub timed: u64,
    /// Milliseconds of the timed calls together.
    pub millis: u64,
    /// Milliseconds of the longest.
    pub longest: u64,
}

/// The turns of one agent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Agent {
    /// Turns that began.
    pub started: u64,
    /// Turns that ended.
    pub ended: u64,
    /// Of these, answers that speak of no error.
    pub clean: u64,
}

fn push<T>(list: &mut Vec<T>, entry: T) {
    list.push(entry);
    let excess = list.len().saturating_sub(LAST);
    list.drain(..excess);
}

/// Adds without running over: the file of a day may hold any number.
fn add(sum: &mut u64, more: impl Into<u64>) {
    *sum = sum.saturating_add(more.into());
}

/// The entry of a name; when there are too many names, that of the rest.
fn entry<'m, T: Default>(map: &'m mut BTreeMap<String, T>, name: &str) -> &'m mut T {
    let room = map.len() < MOST_NAMES || map.contains_key(name);
    map.entry(if room { name.to_owned() } else { "other".to_owned() }).or_default()
}

impl Day {
    /// A day without events.
    pub fn new(now: DateTime<Utc>) -> Self {
        Self { date: now.format("%Y-%m-%d").to_string(), ..Self::default() }
    }

    /// Counts one event.
    pub fn count(&mut self, counted: &Counted, around: &MetricsContext<'_>) {
        let timestamp = around.now.format("%Y-%m-%dT%H:%M:%SZ").to_string();
        let millis = around.now.timestamp_millis();
        if self.date.is_empty() {
            self.date = around.now.format("%Y-%m-%d").to_string();
        }
        match counted {
            Counted::Tool { tool, millis: took, failed, .. } => {
                self.totals.count_tool(tool, *took, *failed);
                if let Some(took) = took.filter(|took| *took > 0) {
                    push(&mut self.system_health.response_times, took);
                }
                add(&mut self.system_health.error_rate, *failed);
                let event = if *failed { "PostToolUseFailure" } else { "PostToolUse" }.to_owned();
                let execution = Execution { timestamp, tool: tool.clone(), execution_time_ms: *took, event };
                push(&mut self.performance_metrics.tool_executions, execution);
            }
            Counted::Prompt { chars } => {
                add(&mut self.totals.prompts, 1_u32);
                self.totals.prompt_chars = self.totals.prompt_chars.saturating_add(*chars);
                let load =
                    Load { timestamp, load_time_ms: around.millis, context_size: *chars, tool: "prompt".to_owned() };
                push(&mut self.research_metrics.jit_hypothesis.context_load_times, load);
            }
            Counted::Start { agent, id } => {
                add(&mut entry(&mut self.totals.agents, agent).started, 1_u32);
                if self.running.len() >= MOST_RUNNING
                    && let Some(oldest) = self.running.iter().min_by_key(|(_, start)| **start).map(|(id, _)| id.clone())
                {
                    self.running.remove(&oldest);
                }
                self.running.extend(id.clone().map(|id| (id, millis)));
                let spawn = Spawn { timestamp, agent: agent.clone() };
                push(&mut self.research_metrics.jit_hypothesis.agent_spawn_times, spawn);
            }
            Counted::Stop { agent, id, clean, tests, peers } => {
                let start = id.as_ref().and_then(|id| self.running.remove(id));
                let took = start.and_then(|start| u64::try_from(millis.saturating_sub(start)).ok());
                self.stopped(timestamp, agent, took, (*clean, *tests, *peers), around);
            }
            Counted::Before { tool } => {
                add(&mut self.totals.refused, 1_u32);
                let rule = around.refused.unwrap_or_default().to_owned();
                push(
                    &mut self.performance_metrics.directive_violations,
                    Violation { timestamp, tool: tool.clone(), rule },
                );
            }
            Counted::End { .. } => add(&mut self.totals.sessions_ended, 1_u32),
        }
    }

    fn stopped(
        &mut self,
        timestamp: String,
        agent: &str,
        took: Option<u64>,
        (clean, tests, peers): (bool, bool, u64),
        around: &MetricsContext<'_>,
    ) {
        let totals = entry(&mut self.totals.agents, agent);
        add(&mut totals.ended, 1_u32);
        add(&mut totals.clean, clean);
        let agent = agent.to_owned();
        let hub = &mut self.research_metrics.hub_spoke_hypothesis;
        push(&mut hub.routing_accuracy, u8::from(clean));
        hub.peer_communication_violations = hub.peer_communication_violations.saturating_add(peers);
        self.totals.peer_violations = self.totals.peer_violations.saturating_add(peers);
        if let Some(took) = took {
            let coordination =
                Coordination { timestamp: timestamp.clone(), coordination_time_ms: took, agent: agent.clone() };
            push(&mut hub.coordination_overhead, coordination);
        }
        let tdd = &mut self.research_metrics.tdd_hypothesis;
        push(&mut tdd.handoff_success_rate, u8::from(clean && around.gate != Some(false)));
        push(
            &mut tdd.test_coverage,
            Coverage { timestamp: timestamp.clone(), coverage: 0, has_tests: tests, agent: agent.clone() },
        );
        if around.routed {
            add(&mut self.totals.handoffs, 1_u32);
        }
        if let Some(passed) = around.gate {
            add(&mut self.totals.checkpoints_passed, passed);
            add(&mut self.totals.checkpoints_failed, !passed);
            push(
                &mut self.performance_metrics.quality_gates,
                Quality { timestamp: timestamp.clone(), agent: agent.clone(), passed },
            );
        }
        add(&mut self.system_health.error_rate, !clean);
        let event = "SubagentStop".to_owned();
        push(&mut self.performance_metrics.agent_handoffs, HandedOver { timestamp, agent, event });
    }
}

impl Totals {
    fn count_tool(&mut self, tool: &str, took: Option<u64>, failed: bool) {
        add(&mut self.calls, 1_u32);
        add(&mut self.failed, failed);
        let tool = entry(&mut self.tools, tool);
        add(&mut tool.calls, 1_u32);
        add(&mut tool.failed, failed);
        if let Some(took) = took {
            add(&mut tool.timed, 1_u32);
            tool.millis = tool.millis.saturating_add(took);
            tool.longest = tool.longest.max(took);
        }
    }

    /// Adds another day's figures.
    pub fn add(&mut self, other: &Self) {
        let pairs = [
            (&mut self.calls, other.calls),
            (&mut self.failed, other.failed),
            (&mut self.prompts, other.prompts),
            (&mut self.prompt_chars, other.prompt_chars),
            (&mut self.refused, other.refused),
            (&mut self.handoffs, other.handoffs),
            (&mut self.checkpoints_passed, other.checkpoints_passed),
            (&mut self.checkpoints_failed, other.checkpoints_failed),
            (&mut self.peer_violations, other.peer_violations),
            (&mut self.sessions_ended, other.sessions_ended),
        ];
        for (sum, more) in pairs {
            *sum = sum.saturating_add(more);
        }
        for (name, more) in &other.tools {
            let tool = entry(&mut self.tools, name);
            tool.calls = tool.calls.saturating_add(more.calls);
            tool.failed = tool.failed.saturating_add(more.failed);
            tool.timed = tool.timed.saturating_add(more.timed);
            tool.millis = tool.millis.saturating_add(more.millis);
            tool.longest = tool.longest.max(more.longest);
        }
        for (name, more) in &other.agents {
            let agent = entry(&mut self.agents, name);
            agent.started = agent.started.saturating_add(more.started);
            agent.ended = agent.ended.saturating_add(more.ended);
            agent.clean = agent.clean.saturating_add(more.clean);
        }
    }
}
