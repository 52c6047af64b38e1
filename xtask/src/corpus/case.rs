//! Labelled commands and calls, with what a guard should answer: one JSON object a line, or tables `[[case]]` in TOML.

use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// One labelled call. Fields that nothing is counted by are not read.
#[derive(Debug, Deserialize)]
pub(crate) struct Case {
    /// Unique in its file. A case in TOML is called by its number unless it has one.
    #[serde(default)]
    pub(crate) id: String,
    #[serde(default)]
    pub(crate) source: String,
    /// The tool that is called.
    #[serde(default = "bash")]
    pub(crate) tool: String,
    /// The command of a shell call; `@HOME@` and `@PROJECT@` stand for the directories of the run.
    #[serde(default)]
    pub(crate) command: String,
    /// The whole input of any other call, with the same two words.
    pub(crate) input: Option<Map<String, Value>>,
    pub(crate) expect: Expect,
    pub(crate) category: String,
    #[serde(default)]
    pub(crate) topic: String,
    #[serde(default)]
    pub(crate) form: String,
    /// The kind of danger or of ordinary work that it stands for.
    #[serde(default)]
    pub(crate) kind: String,
    pub(crate) tier: String,
    /// The label is a matter of opinion: counted apart.
    #[serde(default)]
    pub(crate) contested: bool,
}

fn bash() -> String {
    "Bash".to_owned()
}

impl Case {
    /// A shell command without a label.
    pub(crate) fn of_command(command: String) -> Self {
        let none = String::new;
        Self {
            id: none(),
            source: none(),
            tool: bash(),
            command,
            input: None,
            expect: Expect::Allow,
            category: none(),
            topic: none(),
            form: none(),
            kind: none(),
            tier: none(),
            contested: false,
        }
    }

    /// The input of the call as JSON.
    pub(crate) fn input(&self) -> String {
        match &self.input {
            Some(input) => Value::Object(input.clone()).to_string(),
            None => serde_json::json!({ "command": self.command }).to_string(),
        }
    }

    /// What is done, for a list: the command, or tool and input.
    pub(crate) fn shown(&self) -> String {
        if self.input.is_none() { self.command.clone() } else { format!("{} {}", self.tool, self.input()) }
    }
}

/// What a guard should answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Expect {
    /// Refuse it.
    Deny,
    /// Ask the user.
    Ask,
    /// Neither refuse nor ask.
    Allow,
}

impl fmt::Display for Expect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Allow => "allow",
        })
    }
}

/// Tables of cases in TOML.
#[derive(Deserialize)]
struct Tables {
    case: Vec<Case>,
}

/// Whether the file holds labelled cases in TOML.
pub(crate) fn is_labelled(path: &Path) -> Result<bool> {
    let text = fs::read_to_string(path).with_context(|| format!("read {}", path.display()))?;
    Ok(toml::from_str::<Tables>(&text).is_ok())
}

/// The cases of a file with the place of each: its line, or its number in TOML.
fn placed(path: &Path, text: &str) -> Result<Vec<(usize, Case)>> {
    if path.extension().is_some_and(|extension| extension == "toml") {
        let tables: Tables = toml::from_str(text).with_context(|| format!("{} holds no cases", path.display()))?;
        let numbered = tables.case.into_iter().enumerate().map(|(index, mut case)| {
            if case.id.is_empty() {
                case.id = (index + 1).to_string();
            }
            (index + 1, case)
        });
        return Ok(numbered.collect());
    }
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let read = |(index, line): (usize, &str)| {
        let at = index + 1;
        let case: Case = serde_json::from_str(line).with_context(|| format!("{}:{at} is no case", path.display()))?;
        ensure!(!case.id.is_empty(), "{}:{at} has no id; give it one", path.display());
        Ok((at, case))
    };
    lines.map(read).collect()
}

/// Reads all cases of a file; two with one id are an error, because a list of misses could not tell them apart.
pub(crate) fn read(path: &Path) -> Result<Vec<Case>> {
    let text = fs::read_to_string(path).with_context(|| format!("read {}", path.display()))?;
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut cases = Vec::new();
    for (at, case) in placed(path, &text)? {
        ensure!(
            case.input.is_some() || !case.command.is_empty(),
            "{}:{at} has neither a command nor an input; give it one",
            path.display()
        );
        let earlier = seen.insert(case.id.clone(), at);
        ensure!(
            earlier.is_none(),
            "{}:{at} has the id {} of line {}; take one out",
            path.display(),
            case.id,
            earlier.unwrap_or_default()
        );
        cases.push(case);
    }
    Ok(cases)
}
