//! The recorder: payloads of a run, scrubbed, and what is new in them against the stored ones.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::place::dashed;
use crate::workspace;

/// The payloads that tests of the libraries use.
const STORED: &str = "crates/hook-protocol/tests/data/payloads";

/// Writes one payload of each kind into the directory and prints how they differ from the stored ones.
pub(crate) fn save(text: &str, dir: &Path) -> Result<()> {
    // A payload with a lone surrogate, which this parser refuses, is left out.
    let parsed =
        text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok().map(|payload| (line, payload)));
    let mut seen = Vec::new();
    let mut kinds: BTreeMap<String, String> = BTreeMap::new();
    for (line, payload) in parsed {
        kinds.entry(kind(&payload)).or_insert_with(|| scrub(line, &payload));
        seen.push(payload);
    }
    fs::create_dir_all(dir).with_context(|| format!("create {}", dir.display()))?;
    for (name, payload) in &kinds {
        let path = dir.join(format!("{name}.json"));
        fs::write(&path, indented(payload)).with_context(|| format!("write {}", path.display()))?;
    }
    eprintln!("{} payloads of {} kinds in {}", seen.len(), kinds.len(), dir.display());
    for line in differences(&fields(&stored()?), &fields(&seen)) {
        eprintln!("{line}");
    }
    Ok(())
}

/// Event, tool or what else tells payloads of one event apart, and the permission mode.
fn kind(payload: &Value) -> String {
    let text = |name: &str| payload.get(name).and_then(Value::as_str);
    let mut name = text("hook_event_name").unwrap_or("unknown").to_owned();
    for part in
        ["tool_name", "source", "reason", "trigger", "permission_mode", "agent_type"].into_iter().filter_map(text)
    {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        if !part.is_empty() && part != "default" && part.len() <= 40 && part.chars().all(is_plain) {
            name.push('.');
            name.push_str(part);
        }
    }
    name
}

fn stored() -> Result<Vec<Value>> {
    let dir = workspace::root().join(STORED);
    let mut found = Vec::new();
    for entry in fs::read_dir(&dir).with_context(|| format!("list {}", dir.display()))? {
        let path = entry.with_context(|| format!("list {}", dir.display()))?.path();
        let text = fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
        // One of them holds a lone surrogate, which this parser refuses.
        found.extend(serde_json::from_str::<Value>(&text));
    }
    Ok(found)
}

/// The payload with the paths and ids of one machine replaced.
///
/// Each id is replaced by a number in order of its first use, so that equal ids stay equal.
fn scrub(line: &str, payload: &Value) -> String {
    let mut text = line.to_owned();
    let dir = |name: &str| payload.get(name).and_then(Value::as_str).map(str::to_owned);
    if let Some(project) = dir("cwd") {
        // `…/project` stands beside `…/home` and `…/tmp`.
        if let Some((root, _)) = project.split_once("/project") {
            text = text.replace(&dashed(&format!("{root}/project")), "-home-user-project");
            for (name, place) in [("project", "/home/user/project"), ("home", "/home/user"), ("tmp", "/tmp")] {
                text = text.replace(&format!("{root}/{name}"), place);
            }
        }
    }
    let mut known: Vec<String> = Vec::new();
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = (0..rest.len()).find(|at| rest.get(*at..).is_some_and(starts_with_uuid)) {
        let (before, found) = rest.split_at(at);
        let (id, after) = found.split_at(UUID);
        let number = known.iter().position(|other| other == id).unwrap_or_else(|| {
            known.push(id.to_owned());
            known.len() - 1
        });
        out.push_str(before);
        out.push_str(&format!("00000000-0000-4000-8000-{:012}", number + 1));
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The same document with a member a line. Its tokens and their order stay as the client wrote them.
fn indented(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let mut depth = 0;
    let mut is_text = false;
    let mut is_escaped = false;
    let mut tokens = json.chars().peekable();
    while let Some(token) = tokens.next() {
        if is_text {
            out.push(token);
            is_text = is_escaped || token != '"';
            is_escaped = !is_escaped && token == '\\';
            continue;
        }
        match token {
            '{' | '[' if tokens.peek().is_some_and(|next| matches!(next, '}' | ']')) => {
                out.push(token);
                out.extend(tokens.next());
            }
            '{' | '[' | ',' => {
                depth += usize::from(token != ',');
                out.push(token);
                out.push('\n');
                out.push_str(&"  ".repeat(depth));
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                out.push('\n');
                out.push_str(&"  ".repeat(depth));
                out.push(token);
            }
            ':' => out.push_str(": "),
            '"' => {
                is_text = true;
                out.push(token);
            }
            other => out.push(other),
        }
    }
    out + "\n"
}

const UUID: usize = 36;

fn starts_with_uuid(text: &str) -> bool {
    text.as_bytes().get(..UUID).is_some_and(|bytes| {
        bytes
            .iter()
            .enumerate()
            .all(|(at, byte)| if matches!(at, 8 | 13 | 18 | 23) { *byte == b'-' } else { byte.is_ascii_hexdigit() })
    })
}

/// Names of the fields by event, those of a tool's input and response left out, which are the tool's own.
fn fields(payloads: &[Value]) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for payload in payloads {
        let event = payload.get("hook_event_name").and_then(Value::as_str).unwrap_or("unknown").to_owned();
        let names = payload.as_object().into_iter().flat_map(|fields| fields.keys().cloned());
        found.entry(event).or_default().extend(names);
    }
    found
}

/// One line for each event or field that is not stored.
fn differences(old: &BTreeMap<String, BTreeSet<String>>, new: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let mut found = Vec::new();
    for (event, names) in new {
        match old.get(event) {
            None => found.push(format!("+ {event}: an event that no stored payload has")),
            Some(known) => found.extend(names.difference(known).map(|name| format!("+ {event}: new field {name}"))),
        }
    }
    found.extend(
        old.keys().filter(|event| !new.contains_key(*event)).map(|event| format!("- {event}: not seen in this run")),
    );
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_member_stands_on_a_line_and_every_token_stays_as_it_was() {
        let line = r#"{"b":"\\\", {[:]} \ud800","a":[1.50,{}],"c":[],"d":{"e":null}}"#;
        let wanted = r#"{
  "b": "\\\", {[:]} \ud800",
  "a": [
    1.50,
    {}
  ],
  "c": [],
  "d": {
    "e": null
  }
}
"#;
        assert_eq!(indented(line), wanted);
    }

    #[test]
    fn paths_and_ids_of_one_machine_are_replaced_and_equal_ids_stay_equal() {
        let payload = json!({
            "session_id": "0b7f9c1e-1111-4222-8333-444444444444",
            "prompt_id": "aaaaaaaa-1111-4222-8333-444444444444",
            "transcript_path": "/t/x-1/home/.claude/projects/-t-x-1-project/0b7f9c1e-1111-4222-8333-444444444444.jsonl",
            "cwd": "/t/x-1/project/sub",
        });
        let scrubbed: Value = serde_json::from_str(&scrub(&payload.to_string(), &payload)).unwrap();
        let expected = json!({
            "session_id": scrubbed["session_id"],
            "prompt_id": scrubbed["prompt_id"],
            "transcript_path": format!("/home/user/.claude/projects/-home-user-project/{}.jsonl", scrubbed["session_id"].as_str().unwrap()),
            "cwd": "/home/user/project/sub",
        });
        assert_eq!(scrubbed, expected);
        assert_ne!(scrubbed["session_id"], scrubbed["prompt_id"]);
        assert!(scrubbed["prompt_id"].as_str().unwrap().starts_with("00000000-0000-4000-8000-"));
    }

    #[test]
    fn a_new_event_and_a_new_field_are_said() {
        let event = |name: &str, field: &str| json!({"hook_event_name": name, field: 1});
        let old = fields(&[event("Stop", "a"), event("Setup", "a")]);
        let new = fields(&[event("Stop", "b"), event("Later", "a")]);
        let lines = differences(&old, &new);
        assert_eq!(lines.len(), 3, "{lines:?}");
        for (line, part) in lines.iter().zip(["+ Later", "+ Stop: new field b", "- Setup"]) {
            assert!(line.starts_with(part), "{line}");
        }
    }
}
