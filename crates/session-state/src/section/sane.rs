//! The sections of the signed document beside the breaker: requirements, research, edits, loop, enforcement, log, learnings.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// How many actions are kept.
const MAX_ACTIONS: usize = 20;
/// How many refusals are kept.
const MAX_BLOCKS: usize = 10;
/// How many loops that are over are kept.
const MAX_PAST_LOOPS: usize = 10;
/// How many learnings are kept.
const MAX_LEARNINGS: usize = 50;
/// How many files are listed; with more, one that left the list counts as new again.
const MAX_FILES: usize = 200;

/// A part of the signed document.
pub trait Section: Default + Serialize + for<'de> Deserialize<'de> {
    /// Its name in the document.
    const NAME: &'static str;
}

macro_rules! sections {
    ($($name:literal $section:ty),* $(,)?) => {
        $(impl Section for $section { const NAME: &'static str = $name; })*

        /// The value of a section of which nothing is stored; `None` for a name that is no section.
        pub(crate) fn default_value(name: &str) -> Option<Value> {
            match name {
                $($name => serde_json::to_value(<$section>::default()).ok(),)*
                _ => None,
            }
        }

        /// The names of the sections, in the order of the document's description.
        pub const SECTIONS: &[&str] = &[$($name),*];
    };
}

sections! {
    "circuit_breaker" super::breaker::Breaker,
    "requirements" Requirements,
    "research" Research,
    "edits" Edits,
    "saneloop" Saneloop,
    "enforcement" Enforcement,
    "action_log" ActionLog,
    "learnings" Learnings,
    "safemode" Safemode,
}

/// The sections that belong to one session. The others are the project's.
pub(crate) const OF_SESSION: [&str; 6] = ["requirements", "research", "edits", "saneloop", "enforcement", "action_log"];

/// What the user asked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Requirements {
    /// Asked for by name: `saneloop`, `commit`, `plan`, `research`.
    pub requested: Vec<String>,
    /// Those of them that are done.
    pub satisfied: Vec<String>,
    /// The last request is a task.
    pub is_task: bool,
    /// It is a big one.
    pub is_big_task: bool,
    /// Its class; absent before the first prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Hashes of its words, never the words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<u32>,
    /// Trigger words of the last prompt that had any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub triggers: Vec<String>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

impl Requirements {
    /// Adds requirements; after `fresh` ones nothing older counts.
    pub fn request(&mut self, names: &[String], fresh: bool) {
        if fresh {
            self.requested.clear();
            self.satisfied.clear();
        }
        for name in names {
            if !self.requested.contains(name) {
                self.requested.push(name.clone());
            }
        }
    }

    /// Notes that a requirement is done, if it was asked for.
    pub fn satisfy(&mut self, name: &str) {
        if self.requested.iter().any(|asked| asked == name) && !self.satisfied.iter().any(|done| done == name) {
            self.satisfied.push(name.to_owned());
        }
    }
}

/// Which categories were looked at. Further ones come from configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Research(pub BTreeMap<String, Option<Evidence>>);

impl Default for Research {
    fn default() -> Self {
        Self(["memory", "docs", "web", "github", "local"].map(|name| (name.to_owned(), None)).into())
    }
}

impl Research {
    /// Notes evidence. What an agent of its own found stays when the main thread finds the same later, never the reverse.
    pub fn done(&mut self, category: &str, evidence: Evidence) {
        let known = self.0.entry(category.to_owned()).or_default();
        if known.as_ref().is_none_or(|known| evidence.via_task && !known.via_task) {
            *known = Some(evidence);
        }
    }
}

/// What satisfied a category.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Evidence {
    /// When.
    pub completed_at: String,
    /// By which tool.
    pub tool: String,
    /// In a subagent.
    pub via_task: bool,
}

/// What was edited.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Edits {
    /// How many edits.
    pub count: u64,
    /// The files, the last 200.
    pub unique_files: Vec<String>,
    /// The file of the last one.
    pub last_file: Option<String>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

impl Edits {
    /// Counts an edit.
    pub fn edited(&mut self, file: &str) {
        self.count = self.count.saturating_add(1);
        self.last_file = Some(file.to_owned());
        if !self.unique_files.iter().any(|known| known == file) {
            self.unique_files.push(file.to_owned());
            keep_last(&mut self.unique_files, MAX_FILES);
        }
    }
}

/// A loop with acceptance criteria.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Saneloop {
    /// Whether one runs.
    pub active: bool,
    /// What it is about.
    pub task: Option<String>,
    /// Rounds so far.
    pub iteration: u32,
    /// Rounds after which it ends.
    pub max_iterations: u32,
    /// What must hold at its end.
    pub acceptance_criteria: Vec<Criterion>,
    /// When it was started.
    pub started_at: Option<String>,
    /// Loops that are over, the last ten.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub archive: Vec<PastLoop>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// One acceptance criterion.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Criterion {
    /// What must hold.
    pub text: String,
    /// The user says that it does.
    pub checked: bool,
}

/// A loop that is over.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PastLoop {
    /// What it was about.
    pub task: Option<String>,
    /// When it was over.
    pub ended_at: String,
    /// Why: `done`, `max`, `cancelled`, `session`.
    pub why: String,
    /// Rounds that it took.
    pub iteration: u32,
    /// Criteria that did not hold.
    pub open: Vec<String>,
}

impl Default for Saneloop {
    fn default() -> Self {
        Self {
            active: false,
            task: None,
            iteration: 0,
            max_iterations: 20,
            acceptance_criteria: Vec::new(),
            started_at: None,
            archive: Vec::new(),
            rest: Map::new(),
        }
    }
}

impl Saneloop {
    /// Starts a loop; one that runs is archived.
    pub fn start(&mut self, task: &str, criteria: &[String], max_iterations: u32, at: &str) {
        self.end("cancelled", at);
        self.active = true;
        self.task = Some(task.to_owned());
        self.max_iterations = max_iterations;
        self.acceptance_criteria =
            criteria.iter().map(|text| Criterion { text: text.clone(), checked: false }).collect();
        self.started_at = Some(at.to_owned());
    }

    /// One more round; the last one ends the loop.
    pub fn iterate(&mut self, at: &str) {
        if !self.active {
            return;
        }
        self.iteration = self.iteration.saturating_add(1);
        if self.iteration >= self.max_iterations {
            self.end("max", at);
        }
    }

    /// Checks the criterion of this number, counted from 1. When all are checked the loop is done.
    pub fn check(&mut self, number: usize, at: &str) {
        if let Some(criterion) = number.checked_sub(1).and_then(|index| self.acceptance_criteria.get_mut(index)) {
            criterion.checked = true;
        }
        if self.active && self.acceptance_criteria.iter().all(|criterion| criterion.checked) {
            self.end("done", at);
        }
    }

    /// Archives a running loop, which is never resumed.
    pub fn end(&mut self, why: &str, at: &str) {
        if !self.active {
            return;
        }
        let open = self.acceptance_criteria.iter().filter(|criterion| !criterion.checked);
        self.archive.push(PastLoop {
            task: self.task.clone(),
            ended_at: at.to_owned(),
            why: why.to_owned(),
            iteration: self.iteration,
            open: open.map(|criterion| criterion.text.clone()).collect(),
        });
        keep_last(&mut self.archive, MAX_PAST_LOOPS);
        *self = Self {
            archive: std::mem::take(&mut self.archive),
            rest: std::mem::take(&mut self.rest),
            max_iterations: self.max_iterations,
            ..Self::default()
        };
    }
}

/// What was refused, and whether the same refusal came so often that it only warns.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Enforcement {
    /// The last ten refusals.
    pub blocks: Vec<Block>,
    /// Whether gates of the discipline only warn.
    pub halted: bool,
    /// Since when.
    pub halted_at: Option<String>,
    /// Why.
    pub halted_reason: Option<String>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// One refusal.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Block {
    /// What refused.
    pub signature: String,
    /// Which tool.
    pub tool: String,
    /// When.
    pub at: String,
}

impl Enforcement {
    /// Keeps a refusal. `halt_after` equal ones in a row stop a loop of refusals; 0 for never.
    pub fn blocked(&mut self, signature: &str, tool: &str, at: &str, halt_after: u32) {
        self.blocks.push(Block { signature: signature.to_owned(), tool: tool.to_owned(), at: at.to_owned() });
        keep_last(&mut self.blocks, MAX_BLOCKS);
        let alike = self.blocks.iter().rev().take_while(|block| block.signature == signature).count();
        if halt_after > 0 && !self.halted && alike >= halt_after as usize {
            self.halted = true;
            self.halted_at = Some(at.to_owned());
            self.halted_reason = Some(format!("{alike} refusals in a row: {signature}"));
        }
    }
}

/// The last 20 actions, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ActionLog(pub Vec<LoggedAction>);

/// One action.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LoggedAction {
    /// The tool.
    pub tool: String,
    /// When it was over.
    pub timestamp: String,
    /// Whether it succeeded.
    pub success: bool,
    /// How it failed.
    pub error_sig: Option<String>,
    /// Its file, or the beginning of its command.
    pub input_summary: String,
    /// The host's name for the call, by which one that is delivered twice is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
}

impl ActionLog {
    /// Adds an action; the oldest goes.
    pub fn push(&mut self, action: LoggedAction) {
        self.0.push(action);
        keep_last(&mut self.0, MAX_ACTIONS);
    }

    /// Whether this call is one of them.
    pub fn knows(&self, call: &str) -> bool {
        self.0.iter().any(|action| action.call.as_deref() == Some(call))
    }
}

/// What is to be remembered for later sessions, the last 50.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Learnings(pub Vec<Learning>);

/// One learning.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Learning {
    /// `correction`, `impatience`, `repetition` or `repeated_failure`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What was seen: words of the prompt, or the signature of the failure.
    pub pattern: String,
    /// The last three tools before it.
    pub tools: Vec<String>,
    /// The beginning of the prompt or error, redacted by the caller.
    pub text: String,
    /// When.
    pub at: String,
}

impl Learnings {
    /// Adds a learning; the oldest goes.
    pub fn push(&mut self, learning: Learning) {
        self.0.push(learning);
        keep_last(&mut self.0, MAX_LEARNINGS);
    }
}

/// Whether safemode was switched on by command. Kept here beside the marker file, so that removing that file lifts nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Safemode {
    /// On.
    pub active: bool,
    /// Since when.
    pub since: Option<String>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

impl Safemode {
    /// Switches it.
    pub fn switch(&mut self, active: bool, at: &str) {
        self.active = active;
        self.since = active.then(|| at.to_owned());
    }
}

fn keep_last<T>(list: &mut Vec<T>, most: usize) {
    let excess = list.len().saturating_sub(most);
    list.drain(..excess);
}
