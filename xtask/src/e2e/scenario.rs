//! Scenarios as data: what the model asks for, which profile is installed, and what must be true afterwards.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use hook_protocol::event::EventName;
use serde::Deserialize;
use serde_json::Value;

use crate::workspace;

/// One file of `xtask/e2e/scenarios`.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scenario {
    /// The file's name without its ending.
    #[serde(skip)]
    pub(crate) name: String,
    #[serde(skip)]
    text: String,
    /// The claim that holds when the scenario does, in one sentence.
    pub(crate) about: String,
    /// Part of the smoke run in `ci`.
    #[serde(default)]
    pub(crate) smoke: bool,
    /// Why it is not run yet; said beside the name.
    pub(crate) skip: Option<String>,
    /// The oldest client that it was seen to hold with, where that is not every client.
    pub(crate) since: Option<String>,
    /// The newest client that it was seen to hold with.
    pub(crate) until: Option<String>,
    /// What `hookbin install --profile` gets; absent: nothing of ours is installed.
    pub(crate) profile: Option<String>,
    /// Further arguments of `hookbin install`. With `--user` it is installed for the user, else into the project.
    #[serde(default)]
    pub(crate) install: Vec<String>,
    /// The project is a stranger's clone, which nobody has trusted.
    #[serde(default)]
    pub(crate) stranger: bool,
    /// Files that are removed after the installation. `~/` is the home directory.
    #[serde(default)]
    pub(crate) remove: Vec<String>,
    /// Files that lie elsewhere after the installation: where they were, and where they are then. `~/` is the home directory.
    #[serde(default, rename = "move")]
    pub(crate) moves: BTreeMap<String, String>,
    /// Files of the project before anything runs.
    #[serde(default)]
    pub(crate) files: BTreeMap<String, String>,
    /// The project's settings before the installation.
    pub(crate) settings: Option<Value>,
    /// Settings of the client's user.
    pub(crate) user_settings: Option<Value>,
    /// Whether the harness's MCP server is declared, under the name `spf`.
    #[serde(default)]
    pub(crate) mcp: bool,
    /// Variables of the client beside those that every run gets.
    #[serde(default)]
    pub(crate) env: BTreeMap<String, String>,
    /// Starts of the client, one after the other in the same project.
    #[serde(rename = "run")]
    pub(crate) runs: Vec<Run>,
    /// Scripts of subagents.
    #[serde(default, rename = "agent")]
    pub(crate) agents: Vec<Agent>,
    #[serde(default)]
    pub(crate) expect: Expect,
}

impl Scenario {
    /// The scenario with `@PROJECT@`, `@HARNESS@` (this program), `@REWRITE@` (its rewriting hook) and `@EVENTS@` (the names of all
    /// events, quoted) filled in.
    pub(crate) fn at(&self, project: &Path, harness: &Path, drop_keys: bool) -> Result<Self> {
        let harness = format!("{} e2e-helper", harness.display());
        let rewrite = format!("{harness} rewrite{}", if drop_keys { " --drop-keys" } else { "" });
        let text = self.text.replace("@PROJECT@", &project.display().to_string());
        let events = EventName::ALL.map(|event| format!("'{event}'")).join(", ");
        let text = text.replace("@HARNESS@", &harness).replace("@REWRITE@", &rewrite).replace("@EVENTS@", &events);
        let filled: Self = toml::from_str(&text).with_context(|| format!("fill in {}", self.name))?;
        Ok(Self { name: self.name.clone(), text, ..filled })
    }
}

/// One start of the client.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Run {
    /// What the user types. More than one: given over standard input, each after the answer to the one before.
    #[serde(default)]
    pub(crate) prompts: Vec<String>,
    /// Arguments of the client; `@SESSION@` is the session of the run before.
    #[serde(default)]
    pub(crate) args: Vec<String>,
    /// What the model answers in the main thread, in order. After the last it says `done`.
    #[serde(default, rename = "turn")]
    pub(crate) turns: Vec<Turn>,
    /// The exit code of the client.
    #[serde(default)]
    pub(crate) exit: i32,
    /// Seconds until the run is ended and has failed.
    #[serde(default = "default_timeout")]
    pub(crate) timeout: u64,
    /// What the user does in a shell before the client starts.
    #[serde(default)]
    pub(crate) before: Vec<String>,
    /// What the user does in another terminal while the client runs, one after the other.
    #[serde(default)]
    pub(crate) meanwhile: Vec<Step>,
    /// In a pseudo-terminal: what is waited for on the screen, and what is typed then.
    #[serde(default)]
    pub(crate) keys: Vec<Key>,
    /// Lines and columns of that terminal.
    #[serde(default = "default_screen")]
    pub(crate) screen: (u16, u16),
}

/// What a user does beside the client.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    /// The file of the project that has to be there first; the model makes it when it comes to that.
    pub(crate) when: String,
    /// What is typed into the shell then.
    pub(crate) run: String,
}

/// One step of a user at the terminal.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Key {
    /// Text that has to stand on the screen.
    pub(crate) wait: String,
    /// Seconds until it is typed: a dialog takes no keys at first, lest one be meant for what stood there before.
    #[serde(default)]
    pub(crate) after: f64,
    /// What is typed then.
    pub(crate) send: String,
}

/// One answer of the model.
#[derive(Deserialize, Clone, Debug, Default)]
#[serde(deny_unknown_fields)]
pub(crate) struct Turn {
    #[serde(default)]
    pub(crate) say: String,
    #[serde(default)]
    pub(crate) call: Vec<Call>,
    /// An HTTP status instead of an answer.
    pub(crate) status: Option<u16>,
    /// The size that the conversation is said to have; default 1,000.
    pub(crate) tokens: Option<u64>,
}

/// A tool that the model asks for.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Call {
    pub(crate) tool: String,
    #[serde(default)]
    pub(crate) input: Value,
}

/// The script of a subagent: used where `marker` stands in the first message of a conversation.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Agent {
    pub(crate) marker: String,
    #[serde(rename = "turn")]
    pub(crate) turns: Vec<Turn>,
}

/// What must be true afterwards. Paths are relative to the project.
#[derive(Deserialize, Clone, Debug, Default)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expect {
    /// Files that are there.
    #[serde(default)]
    pub(crate) files: Vec<String>,
    /// Files that are not.
    #[serde(default)]
    pub(crate) no_files: Vec<String>,
    /// Text that a file holds.
    #[serde(default)]
    pub(crate) contains: BTreeMap<String, Vec<String>>,
    /// The whole text of a file.
    #[serde(default)]
    pub(crate) equals: BTreeMap<String, String>,
    /// Text that stands in a message the model was sent.
    #[serde(default)]
    pub(crate) told: Vec<String>,
    /// Text that stands in none.
    #[serde(default)]
    pub(crate) not_told: Vec<String>,
    /// Text that the client printed, in a line of its stream or on the screen.
    #[serde(default)]
    pub(crate) shown: Vec<String>,
    /// On how many lines of all runs together a text was printed; on a screen, as many as stood there at once.
    #[serde(default)]
    pub(crate) shown_times: BTreeMap<String, usize>,
    /// Text that it did not print.
    #[serde(default)]
    pub(crate) not_shown: Vec<String>,
    /// How many requests of the main thread the model got, over all runs.
    pub(crate) requests: Option<usize>,
    /// Records that the audit log holds; every given field must be equal.
    #[serde(default)]
    pub(crate) log: Vec<Count>,
    /// The same for the payloads of the events, which the harness's own hook saw.
    #[serde(default)]
    pub(crate) seen: Vec<Count>,
    /// Values in the document of the last session.
    #[serde(default)]
    pub(crate) state: BTreeMap<String, Value>,
}

/// Records that have these values at these JSON pointers (a name without `/` is a key of the record).
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Count {
    #[serde(rename = "match")]
    pub(crate) fields: BTreeMap<String, Value>,
    /// How many; absent: at least one.
    pub(crate) is: Option<usize>,
}

fn default_timeout() -> u64 {
    60
}

fn default_screen() -> (u16, u16) {
    (50, 140)
}

/// The directory of the scenarios, the pinned version and the planted faults.
pub(crate) fn dir() -> std::path::PathBuf {
    workspace::root().join("xtask/e2e")
}

/// Every scenario, in order of name.
pub(crate) fn all() -> Result<Vec<Scenario>> {
    let dir = dir().join("scenarios");
    let mut found = Vec::new();
    for entry in fs::read_dir(&dir).with_context(|| format!("list {}", dir.display()))? {
        let path = entry.with_context(|| format!("list {}", dir.display()))?.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            found.push(read(&path)?);
        }
    }
    ensure!(!found.is_empty(), "no scenario in {}", dir.display());
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

pub(crate) fn read(path: &Path) -> Result<Scenario> {
    let text = fs::read_to_string(path).with_context(|| format!("read {}", path.display()))?;
    let mut scenario: Scenario = toml::from_str(&text).with_context(|| format!("read {}", path.display()))?;
    scenario.text = text;
    scenario.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    if scenario.runs.is_empty() {
        bail!("{} has no `[[run]]`", path.display());
    }
    if let Some(run) = scenario.runs.iter().find(|run| run.prompts.is_empty() == run.keys.is_empty()) {
        bail!("{}: a run has either prompts or keys; one has {} prompts", path.display(), run.prompts.len());
    }
    Ok(scenario)
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_scenario_can_be_read_and_claims_something() {
        let scenarios = super::all().unwrap();
        for scenario in &scenarios {
            let expect = format!("{:?}", scenario.expect);
            assert_ne!(expect, format!("{:?}", super::Expect::default()), "{} expects nothing", scenario.name);
            assert!(scenario.about.len() > 10, "{}", scenario.name);
        }
        assert_eq!(scenarios.iter().filter(|scenario| scenario.smoke).count(), 3, "the smoke run has three");
    }
}
