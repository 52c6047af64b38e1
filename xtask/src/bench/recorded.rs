//! The payloads that were recorded from the real client, one of each kind.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::sandbox::Sandbox;
use crate::workspace::root;

/// Events whose tool decides which code runs; of the others one payload is enough.
const BY_TOOL: &[&str] = &["PreToolUse", "PostToolUse"];

/// A longer payload runs the same code more often, and under a tracing tool into its deadline.
const MOST_BYTES: u64 = 16 << 10;

/// Recorded payloads by name, one of each event and, where it matters, tool.
pub(crate) fn of_each_tool() -> Result<BTreeMap<String, String>> {
    read(BY_TOOL)
}

/// Recorded payloads by name, one of each event.
pub(crate) fn of_each_event() -> Result<BTreeMap<String, String>> {
    read(&[])
}

fn read(by_tool: &[&str]) -> Result<BTreeMap<String, String>> {
    let dir = root().join("crates/hook-protocol/tests/data/payloads");
    let mut files = fs::read_dir(&dir)
        .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<PathBuf>, _>>())
        .with_context(|| format!("list {}", dir.display()))?;
    files.sort();
    let mut seen = BTreeSet::new();
    let mut found = BTreeMap::new();
    for file in files {
        let bytes = fs::metadata(&file).with_context(|| format!("look at {}", file.display()))?.len();
        if bytes > MOST_BYTES {
            continue;
        }
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut parts = name.split('.');
        let event = parts.next().unwrap_or_default();
        let tool = parts.next().filter(|_| by_tool.contains(&event)).unwrap_or_default();
        if seen.insert((event.to_owned(), tool.to_owned())) {
            let text = fs::read_to_string(&file).with_context(|| format!("read {}", file.display()))?;
            found.insert(name, text);
        }
    }
    Ok(found)
}

/// The event of a recorded payload.
pub(crate) fn event(name: &str) -> &str {
    name.split('.').next().unwrap_or_default()
}

/// The payload as it would be in this project, with ids of its own: a call that is delivered twice counts once.
pub(crate) fn placed(text: &str, sandbox: &Sandbox, index: usize) -> String {
    let project = sandbox.project.display().to_string();
    text.replace("/home/user/project", &project).replace("toolu_mock000000", &format!("toolu_mock{index:06}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_of_the_client_was_recorded() {
        let events = of_each_event().unwrap();
        for name in hook_protocol::event::EventName::ALL {
            assert!(events.keys().any(|file| event(file) == name.as_str()), "{name}");
        }
        let tools = of_each_tool().unwrap();
        assert!(tools.len() > events.len());
        assert!(tools.keys().any(|name| name.starts_with("PreToolUse.Write")));
    }
}
