//! The resolved form: everything understood, nothing left that can fail.

use std::collections::BTreeMap;
use std::sync::Arc;

use hook_protocol::event::EventName;
use serde::{Deserialize, Serialize};

use super::error::ConfigError;
use crate::check::{Check, Proof, TestRun};
use crate::evidence::Writer;
use crate::rule::{Family, RuleIndex, RuleStore};
use crate::verdict::{FailMode, Unasked};

/// A profile in force: settings and handlers in the order in which they are asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// The profiles that it was made from, in order.
    pub names: Vec<String>,
    /// Settings.
    pub settings: Settings,
    /// Handlers in order.
    pub handlers: Vec<Handler>,
    /// How many rules of a user's own are in force.
    pub custom_rules: usize,
    /// What is wrong with single items, which are left out; everything else holds. A user has to be told.
    pub faults: Vec<ConfigError>,
}

/// What a guard that is on leaves out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unguarded {
    /// Families of rules that are turned off.
    pub families: Vec<&'static str>,
    /// The only tools that are looked at; empty means all.
    pub only_tools: Vec<String>,
}

/// A named group of checks that answer the same events and tools.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Handler {
    /// Its name, unique in the profile.
    pub name: String,
    /// The profile that it comes from.
    pub profile: String,
    /// The part of the documented system that it belongs to, for people.
    pub layer: String,
    /// What it is for, for people.
    pub about: String,
    /// The events that it answers.
    pub on: EventSet,
    /// Tools that it serves; see [`PlannedHandler::serves_tool`]. Empty means all.
    pub tools: Vec<String>,
    /// What to answer if a check fails.
    pub on_error: FailMode,
    /// The file that asked for it, where nobody trusts that file. Only its refusals and questions count then, and it has no effects.
    pub asked_by: Option<String>,
    /// Its checks in order.
    pub checks: Vec<Check>,
}

/// Settings that concern the whole profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Settings {
    /// What PreToolUse answers to a payload that cannot be read.
    pub on_unreadable: FailMode,
    /// The reason given then.
    pub unreadable_reason: String,
    /// What PreToolUse answers at least when the program itself fails; the handlers say more.
    pub on_error: FailMode,
    /// What becomes of a question where the host asks nobody.
    pub ask: Unasked,
    /// Where the session's identity is taken from, in order.
    pub session_ids: Vec<IdSource>,
    /// Names of main branches, in any case; the default branch of the remote `origin` is one as well.
    pub main_branches: Vec<String>,
    /// Names of MCP servers whose tools stand in for the host's own.
    pub servers: Vec<String>,
    /// What becomes of the host's own tools without such a server.
    pub without_server: WithoutServer,
    /// The agent may write `.claude/.proof-status` itself, as the first guardrails document reads by the letter. The gated party then opens its
    /// own gate, so no profile sets it: only a user's configuration does.
    pub agent_proof: bool,
    /// How the project's tests are started, where a handler of the profile does so; the gates that want their result start them too.
    pub tests: Option<TestRun>,
    /// By which words a user confirms the work, where a handler of the profile records that.
    pub proof: Option<Proof>,
    /// Prompts may be commands, where a handler of the profile takes them.
    pub person_commands: bool,
    /// What the program that embeds the host sends as a prompt counts as the user's word. Only a user's own file says so.
    pub sdk_prompts: bool,
    /// The categories of research that edits need, where a handler of the profile asks for them; the user's command shows them.
    pub research: Vec<String>,
    /// The tools for each of them, where a handler of the profile notes research.
    pub research_tools: BTreeMap<String, Vec<String>>,
    /// Names of directories whose content is built, where a handler of the profile gates edits: what shell commands write there is none.
    pub built: Vec<String>,
    /// Requirements of a prompt that hold up no edit, because only an edit can fulfil them.
    pub later: Vec<String>,
    /// The failures in a row that trip the circuit breaker, where a handler of the profile counts them; messages name it.
    pub breaker_threshold: u32,
    /// Bounds of the audit log.
    pub log: LogLimits,
    /// Bounds of each text log.
    pub text_log: TextLogLimits,
    /// How prompts are scored.
    pub complexity: Scoring,
    /// What goes wrong is said on stderr too, not in the log alone.
    pub errors_to_stderr: bool,
    /// Databases that configuration files name as the registry of sessions. Only the user's own file has a say in where it lies, but
    /// none of them is for the agent to write.
    pub registry_databases: Vec<String>,
    /// What the model is told, by event, where the event could not be answered.
    pub fallback: BTreeMap<String, String>,
}

/// What becomes of the host's own tools where no server offers those that stand in for them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum WithoutServer {
    /// They pass until one does.
    #[default]
    Pass,
    /// They are refused all the same.
    Refuse,
}

/// How prompts are scored; the words are those of `hook-complexity`, which this crate does not know.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Scoring {
    /// How the two phrase factors join.
    pub phrase_factors: PhraseFactors,
    /// How the length becomes the base.
    pub base: Base,
    /// Whole words, or anywhere in the text.
    pub matching: Matching,
    /// Count features of the text beside its words.
    pub features: bool,
    /// A short approval takes over the score of the prompt before it.
    pub inherit: bool,
    /// Further signals.
    pub signal: Vec<UserSignal>,
}

/// How the two phrase factors join.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum PhraseFactors {
    /// They multiply, as `spf` says.
    #[default]
    Multiply,
    /// The larger replaces the smaller.
    Replace,
}

/// How the length becomes the base score.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Base {
    /// The real quotient.
    #[default]
    Real,
    /// The quotient cut off.
    Floor,
}

/// How the words of signals are matched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Matching {
    /// Whole words.
    #[default]
    Words,
    /// Anywhere in the text.
    Raw,
}

/// A signal from configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct UserSignal {
    /// Its name.
    pub id: String,
    /// What it stands for.
    pub title: String,
    /// The points it adds.
    pub score: u32,
    /// Phrases of which one is enough; with `regex`, those without which it is not even compiled.
    pub any_of: Vec<String>,
    /// A regular expression.
    pub regex: Option<String>,
}

/// A source of the session's identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum IdSource {
    /// The payload.
    Payload,
    /// The variable `CLAUDE_CODE_SESSION_ID`, which the host sets.
    ClientEnv,
    /// The variable `CLAUDE_SESSION_ID`, which a wrapper may set.
    WrapperEnv,
}

/// Bounds of the audit log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogLimits {
    /// Largest file in bytes.
    pub max_bytes: u64,
    /// Old files that are kept.
    pub keep: u32,
    /// Bound of all files together in bytes.
    pub total_max_bytes: u64,
}

/// Bounds of a text log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextLogLimits {
    /// Largest file in bytes.
    pub max_bytes: u64,
    /// Lines kept when it is larger.
    pub keep_lines: u32,
}

impl Default for LogLimits {
    fn default() -> Self {
        Self { max_bytes: 64 << 20, keep: 16, total_max_bytes: 1 << 30 }
    }
}

impl LogLimits {
    /// Each bound, or the other one where that is larger.
    pub(crate) fn or_more(self, other: Self) -> Self {
        Self {
            max_bytes: self.max_bytes.max(other.max_bytes),
            keep: self.keep.max(other.keep),
            total_max_bytes: self.total_max_bytes.max(other.total_max_bytes),
        }
    }
}

impl Default for TextLogLimits {
    fn default() -> Self {
        Self { max_bytes: 536_870_912, keep_lines: 5_000 }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            on_unreadable: FailMode::None,
            ask: Unasked::Deny,
            unreadable_reason:
                "hookbin cannot read this call, so nobody checked it. Allow it only if you know what it does."
                    .to_owned(),
            on_error: FailMode::None,
            session_ids: vec![IdSource::Payload, IdSource::ClientEnv, IdSource::WrapperEnv],
            main_branches: vec!["main".to_owned(), "master".to_owned()],
            servers: Vec::new(),
            without_server: WithoutServer::default(),
            research_tools: BTreeMap::new(),
            agent_proof: false,
            tests: None,
            proof: None,
            research: Vec::new(),
            built: Vec::new(),
            later: Vec::new(),
            breaker_threshold: 0,
            log: LogLimits::default(),
            text_log: TextLogLimits::default(),
            complexity: Scoring::default(),
            errors_to_stderr: false,
            person_commands: false,
            sdk_prompts: false,
            registry_databases: Vec::new(),
            fallback: BTreeMap::new(),
        }
    }
}

/// A set of event names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct EventSet(u64);

impl Settings {
    /// Who may write the proof of work besides hookbin.
    pub(crate) fn proof_writer(&self) -> Writer {
        if self.agent_proof { Writer::Agent } else { Writer::Nobody }
    }
}

impl EventSet {
    /// The set with `event` added; an event without an index is left out.
    #[must_use]
    pub fn with(self, event: &EventName<'_>) -> Self {
        event.index().map_or(self, |index| Self(self.0 | 1 << index))
    }

    /// Whether `event` is in the set.
    pub fn contains(self, event: &EventName<'_>) -> bool {
        event.index().is_some_and(|index| self.0 >> index & 1 == 1)
    }

    /// The events in the set, in the protocol's order.
    pub fn iter(self) -> impl Iterator<Item = EventName<'static>> {
        EventName::ALL.iter().filter(move |event| self.contains(event)).cloned()
    }
}

/// What a profile does on one event: the small part of it that a hook run needs, fit to be stored and read back quickly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Plan {
    /// Settings.
    pub settings: Settings,
    /// Handlers that serve the event, in order.
    pub handlers: Vec<PlannedHandler>,
}

/// A handler as a plan holds it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PlannedHandler {
    /// Its name.
    pub name: String,
    /// Tools that it serves. Empty means all.
    pub tools: Vec<String>,
    /// What to answer if a check fails.
    pub on_error: FailMode,
    /// The file that asked for it, where nobody trusts that file. Only its refusals and questions count then, and it has no effects.
    pub asked_by: Option<String>,
    /// Its checks in order.
    pub checks: Vec<Check>,
}

impl PlannedHandler {
    /// Whether the handler serves a tool of this name. A pattern is a whole name in which `*` stands for any run of characters.
    pub fn serves_tool(&self, tool: &str) -> bool {
        self.tools.is_empty() || self.tools.iter().any(|pattern| glob(pattern, tool))
    }
}

/// Whether `text` matches `pattern`, where `*` stands for any run of characters. Pieces between stars are found from the left;
/// the last must end the text.
fn glob(pattern: &str, text: &str) -> bool {
    let Some((head, mut rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut text) = text.strip_prefix(head) else { return false };
    while let Some((middle, tail)) = rest.split_once('*') {
        let Some(at) = text.find(middle) else { return false };
        text = text.get(at + middle.len()..).unwrap_or_default();
        rest = tail;
    }
    text.len() >= rest.len() && text.ends_with(rest)
}

impl Profile {
    /// What the profile does on `event`.
    pub fn plan(&self, event: &EventName<'_>) -> Plan {
        self.plan_of(|handler| handler.on.contains(event))
    }

    /// A plan of the one handler called `name`, and the events that it answers. Whoever asks for a handler by name means it for any
    /// tool.
    pub fn plan_of_handler(&self, name: &str) -> Option<(Plan, EventSet)> {
        let handler = self.handlers.iter().find(|handler| handler.name == name)?;
        let mut plan = self.plan_of(|candidate| candidate.name == name);
        plan.handlers.iter_mut().for_each(|handler| handler.tools.clear());
        Some((plan, handler.on))
    }

    /// Every event that some handler answers.
    pub fn events(&self) -> EventSet {
        EventSet(self.handlers.iter().fold(0, |all, handler| all | handler.on.0))
    }

    /// What the guard against destruction and leaks does not look at here; `None` where it is turned off altogether. The guard's own
    /// protection is no part of it.
    pub fn guarded(&self) -> Option<Unguarded> {
        let all: Vec<&'static str> =
            Family::ALL.iter().filter(|family| **family != Family::SelfProtection).map(|f| f.as_str()).collect();
        let before_calls = self.handlers.iter().filter(|handler| handler.on.contains(&EventName::PreToolUse));
        let checks = before_calls.flat_map(|handler| handler.checks.iter().map(move |check| (handler, check.step())));
        let mut looked_at: Vec<(&Handler, Vec<&'static str>)> = checks
            .map(|(handler, step)| (handler, all.iter().copied().filter(|family| step.looks_at(family)).collect()))
            .collect();
        looked_at.retain(|(_, families)| !families.is_empty());
        if looked_at.is_empty() {
            return None;
        }
        let by_any = |family: &&'static str| looked_at.iter().any(|(_, families)| families.contains(family));
        let of_all_tools = looked_at.iter().any(|(handler, _)| handler.tools.is_empty());
        let tools = looked_at.iter().flat_map(|(handler, _)| handler.tools.iter().cloned()).collect();
        Some(Unguarded {
            families: all.iter().filter(|family| !by_any(family)).copied().collect(),
            only_tools: if of_all_tools { Vec::new() } else { tools },
        })
    }

    /// Whether something in it starts programs of the project: its tests, linters and checkpoints.
    pub fn starts_programs(&self) -> bool {
        self.handlers.iter().flat_map(|handler| &handler.checks).any(|check| check.step().starts_programs())
    }

    /// Programs that its settings name, as they are written there.
    pub fn programs(&self) -> impl Iterator<Item = &str> {
        let checks = self.handlers.iter().flat_map(|handler| &handler.checks);
        checks.filter_map(|check| check.step().command()?.first()).map(String::as_str)
    }

    /// Seconds that programs may take which the answer to `event` waits for, beyond what every answer has.
    pub fn seconds(&self, event: &EventName<'_>) -> u32 {
        let handlers = self.handlers.iter().filter(|handler| handler.on.contains(event));
        handlers.flat_map(|handler| &handler.checks).fold(0, |sum, check| check.seconds(event).saturating_add(sum))
    }

    fn plan_of(&self, serves: impl Fn(&Handler) -> bool) -> Plan {
        let handlers = self.handlers.iter().filter(|handler| serves(handler));
        let planned = |handler: &Handler| PlannedHandler {
            name: handler.name.clone(),
            tools: handler.tools.clone(),
            on_error: handler.on_error,
            asked_by: handler.asked_by.clone(),
            checks: handler.checks.clone(),
        };
        Plan { settings: self.settings.clone(), handlers: handlers.map(planned).collect() }
    }
}

impl Plan {
    /// Takes the user's rules out, if they are many, for a caller who keeps them where a part can be read. Until they are attached again,
    /// calls are answered as where rules cannot be read. The plans of one profile have the same rules.
    pub fn detach_rules(&mut self) -> Option<Vec<u8>> {
        self.rules().find_map(RuleIndex::detach)
    }

    /// Says where rules lie that were taken out.
    pub fn attach_rules(&mut self, store: &Arc<dyn RuleStore>) {
        self.rules().for_each(|rules| rules.attach(store));
    }

    fn rules(&mut self) -> impl Iterator<Item = &mut RuleIndex> {
        let checks = self.handlers.iter_mut().flat_map(|handler| &mut handler.checks);
        checks.filter_map(|check| check.step_mut().custom_rules())
    }

    /// What PreToolUse answers when the program itself fails: the strictest fail mode of the handlers that it would have asked.
    pub fn on_error(&self) -> FailMode {
        self.handlers.iter().fold(self.settings.on_error, |mode, handler| mode.join(handler.on_error))
    }
}
