//! What a session remembers of its agents: who runs, whose answers were seen, what the parent has still to be told, and how often.
//!
//! It is a plain value: a caller keeps it between events, and changes are applied to it under the caller's lock.

use serde::{Deserialize, Serialize};

/// How many answers that were seen are remembered.
const MAX_HANDLED: usize = 64;
/// How many words for the parent may wait.
const MAX_WAITING: usize = 16;
/// How many counts of blocks are remembered.
const MAX_BLOCKS: usize = 64;
/// How many changed modules are remembered.
const MAX_MODULES: usize = 64;
/// How many unknown agents are remembered.
const MAX_WARNED: usize = 64;
/// How many handoffs since the last prompt are remembered.
const MAX_HOPS: usize = 64;

/// The routing of one session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Routing {
    /// The agent that started last and has not ended.
    pub active: Option<String>,
    /// Answers that were seen at the agent's own stop.
    pub handled: Vec<Handled>,
    /// What the parent has still to be told.
    pub waiting: Vec<Waiting>,
    /// Handoffs since the user's last prompt.
    pub hops: Vec<Hop>,
    /// How often an agent was sent back, by agent and reason.
    pub blocks: Vec<Blocks>,
    /// What the last checkpoint came to.
    pub checked: Option<Checked>,
    /// What a compaction would have lost, as it was given to the session.
    pub recovered: Option<String>,
    /// What the compaction that is under way would lose; it is given to this session at its next start.
    pub saved: Option<String>,
    /// Names of agents that the user was told to be unknown.
    pub warned: Vec<String>,
    /// Modules that have changed since the last reminder of their documentation.
    pub modules: Vec<String>,
    /// The task that the last reminder was about.
    pub reminded: Option<String>,
}

/// An answer that was seen.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Handled {
    /// The host's id of the agent.
    pub agent_id: String,
    /// When, in seconds since 1970.
    pub epoch: i64,
}

/// Words for the parent agent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Waiting {
    /// The host's id of the agent whose answer they are about.
    pub agent_id: String,
    /// Its name.
    pub from: String,
    /// The agent that is next, if there is one.
    pub to: Option<String>,
    /// What the parent reads.
    pub text: String,
    /// It must not go by: where the event allows it, the parent is stopped with it.
    pub block: bool,
}

/// One handoff.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Hop {
    /// The agent that handed over.
    pub from: String,
    /// The agent that is next.
    pub to: String,
}

/// How often an agent was sent back.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Blocks {
    /// Agent and reason.
    pub key: String,
    /// How often.
    pub count: u32,
}

/// What a checkpoint came to, for the content that it looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Checked {
    /// The hash of commands and content.
    pub key: String,
    /// What was wrong; `None` when nothing was.
    pub fault: Option<String>,
    /// It was wrong because a program is not installed.
    pub missing: bool,
    /// When, in seconds since 1970.
    pub epoch: i64,
}

/// One change of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// The user has said something: counts begin again.
    Prompted,
    /// An agent of this name starts; nobody has to be told to start it any more.
    Started(String),
    /// An agent's answer was seen.
    Handled {
        /// The host's id of the agent.
        agent_id: String,
        /// When, in seconds since 1970.
        epoch: i64,
    },
    /// The parent has to be told something; it takes the place of what waited about the same agent.
    Wait(Waiting),
    /// The parent was told what waited about these agents.
    Told(Vec<String>),
    /// An agent was sent back once more, for this agent and reason.
    Blocked(String),
    /// One agent has handed over to another.
    Hop(Hop),
    /// A checkpoint came to this.
    Checked(Checked),
    /// This was given to the session after a compaction.
    Recovered(String),
    /// A compaction begins, which would lose this.
    Saved(String),
    /// The user was told that nobody knows this agent.
    Warned(String),
    /// A module has changed.
    Module(String),
    /// The model was reminded of the documentation, for this task.
    Reminded(String),
}

impl Routing {
    /// Makes one change. Every list stays bounded; the oldest entries go.
    pub fn apply(&mut self, change: &Change) {
        match change {
            Change::Prompted => {
                self.hops.clear();
                self.blocks.clear();
            }
            Change::Started(agent) => {
                self.waiting.retain(|waiting| waiting.to.as_deref() != Some(agent.as_str()));
                self.active = Some(agent.clone());
            }
            Change::Handled { agent_id, epoch } => {
                self.active = None;
                self.handled.retain(|handled| handled.agent_id != *agent_id);
                self.handled.push(Handled { agent_id: agent_id.clone(), epoch: *epoch });
            }
            Change::Wait(waiting) => {
                self.waiting.retain(|other| other.agent_id != waiting.agent_id);
                self.waiting.push(waiting.clone());
            }
            Change::Told(agents) => self.waiting.retain(|waiting| !agents.contains(&waiting.agent_id)),
            Change::Blocked(key) => match self.blocks.iter_mut().find(|blocks| blocks.key == *key) {
                Some(blocks) => blocks.count = blocks.count.saturating_add(1),
                None => self.blocks.push(Blocks { key: key.clone(), count: 1 }),
            },
            Change::Hop(hop) => {
                let same = |waiting: &&Waiting| {
                    waiting.to.as_deref() == Some(hop.to.as_str()) && waiting.from.eq_ignore_ascii_case(&hop.from)
                };
                // Agents that work side by side hand over to the same one, which has not started yet: that is one handoff.
                if self.waiting.iter().filter(same).count() < 2 {
                    self.hops.push(hop.clone());
                }
            }
            Change::Checked(checked) => self.checked = Some(checked.clone()),
            Change::Recovered(block) => {
                self.recovered = Some(block.clone());
                self.saved = None;
            }
            Change::Saved(block) => self.saved = Some(block.clone()),
            Change::Warned(agent) => self.warned.push(agent.clone()),
            Change::Module(module) => {
                if !self.modules.contains(module) {
                    self.modules.push(module.clone());
                }
            }
            Change::Reminded(task) => {
                self.modules.clear();
                self.reminded = Some(task.clone());
            }
        }
        shorten(&mut self.handled, MAX_HANDLED);
        shorten(&mut self.waiting, MAX_WAITING);
        shorten(&mut self.hops, MAX_HOPS);
        shorten(&mut self.blocks, MAX_BLOCKS);
        shorten(&mut self.modules, MAX_MODULES);
        shorten(&mut self.warned, MAX_WARNED);
    }

    /// Whether the answer of this agent was seen at its own stop, not longer ago than `seconds`.
    pub fn has_handled(&self, agent_id: &str, now: i64, seconds: u32) -> bool {
        let fresh = |epoch: i64| now.saturating_sub(epoch) <= i64::from(seconds);
        self.handled.iter().any(|handled| handled.agent_id == agent_id && fresh(handled.epoch))
    }

    /// How often the agent was sent back for this reason.
    pub fn blocks(&self, key: &str) -> u32 {
        self.blocks.iter().find(|blocks| blocks.key == key).map_or(0, |blocks| blocks.count)
    }

    /// Why a handoff would only go round in circles, if it would: too many since the last prompt, or back to the agent that the
    /// work came from more often than `returns`.
    pub fn circles(&self, from: &str, to: &str, hops: u32, returns: u32) -> Option<String> {
        if self.hops.len() >= usize::try_from(hops).unwrap_or(usize::MAX) {
            return Some(format!("there were {} handoffs since the last prompt", self.hops.len()));
        }
        let back = self.hops.iter().filter(|hop| hop.from == to && hop.to == from).count();
        (back > usize::try_from(returns).unwrap_or(usize::MAX))
            .then(|| format!("{to} handed the work to {from} before"))
    }
}

fn shorten<T>(list: &mut Vec<T>, most: usize) {
    let excess = list.len().saturating_sub(most);
    list.drain(..excess);
}
