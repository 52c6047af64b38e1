//! Runs the case files of `tests/data/cases`: events in order through the executable, then a look at what it said and kept.
//!
//! A `[[case]]` is `{name, req, profile, files, steps, after}`. A step is `{args, event | raw, env, now, exit, stdout, stderr, …}`;
//! `after` maps files, relative to the project, to what must be true of them. `{project}` and `{state}` stand for the directories.
//! An event has the session, the working directory and an empty transcript unless it says otherwise. What TOML cannot say (`null`)
//! stands there as the text of a JSON document.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    /// The requirements that the case asserts; read by people and by the coverage count.
    #[serde(rename = "req")]
    _req: Value,
    #[serde(default = "standard")]
    profile: String,
    #[serde(default)]
    files: BTreeMap<String, String>,
    steps: Vec<Step>,
    #[serde(default)]
    after: BTreeMap<String, Held>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Step {
    args: Vec<String>,
    event: Option<Value>,
    raw: Option<String>,
    env: BTreeMap<String, String>,
    now: Option<String>,
    exit: i32,
    /// Stdout, whole; a JSON document is compared as such.
    stdout: Option<Value>,
    stderr: Option<String>,
    /// `deny`, `ask`, `allow`, or `none` for an answer without a decision.
    verdict: Option<String>,
    reason_has: Vec<String>,
    context_has: Vec<String>,
    context_lacks: Vec<String>,
    message_has: Vec<String>,
    message_lacks: Vec<String>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Held {
    absent: bool,
    equals: Option<String>,
    json: Option<String>,
    /// Members of a JSON object that must have these values.
    has_members: Option<Value>,
    lacks_members: Vec<String>,
    contains: Vec<String>,
    lacks: Vec<String>,
    lines: Option<Vec<String>>,
    line_count: Option<usize>,
}

/// A value that stands in the file as such, or as the text of a JSON document.
fn read(value: &Value) -> Value {
    match value {
        Value::String(text) => serde_json::from_str(text).unwrap(),
        other => other.clone(),
    }
}

/// An event with what all of them have. A member that is `null` there is none.
fn whole(event: &Value) -> Value {
    let common =
        json!({"session_id": "00000000-0000-4000-8000-00000000000a", "transcript_path": "", "cwd": "{project}"});
    let Value::Object(mut members) = read(event) else { panic!("no object: {event}") };
    for (key, value) in common.as_object().unwrap() {
        match members.get(key) {
            None => drop(members.insert(key.clone(), value.clone())),
            Some(Value::Null) => drop(members.remove(key)),
            Some(_) => {}
        }
    }
    Value::Object(members)
}

fn standard() -> String {
    "standard".to_owned()
}

#[test]
fn every_case_holds() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/cases");
    let mut failed = Vec::new();
    let mut count = 0;
    for path in crate::sandbox::tree(dir.as_ref()) {
        let text = std::fs::read_to_string(&path).unwrap();
        let cases: Cases = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for case in cases.case {
            count += 1;
            let name = format!("{}: {}", path.file_name().unwrap().to_string_lossy(), case.name);
            if let Err(panic) = std::panic::catch_unwind(|| check(&case)) {
                let said = panic.downcast_ref::<String>().cloned().unwrap_or_default();
                failed.push(format!("{name}\n  {said}"));
            }
        }
    }
    assert!(count > 20, "the case files are missing");
    assert!(failed.is_empty(), "{} of {count} cases fail:\n{}", failed.len(), failed.join("\n"));
}

fn check(case: &Case) {
    let sandbox = Sandbox::with_profile(&case.profile);
    let project = sandbox.project().to_string_lossy().into_owned();
    let state = sandbox.state("").to_string_lossy().trim_end_matches('/').to_owned();
    let home = sandbox.home().to_string_lossy().into_owned();
    let fill = |text: &str| text.replace("{project}", &project).replace("{state}", &state).replace("{home}", &home);
    let fill_json = |value: &Value| -> Value { serde_json::from_str(&fill(&value.to_string())).unwrap() };
    for (path, text) in &case.files {
        sandbox.write(path, &fill(text));
    }
    for (index, step) in case.steps.iter().enumerate() {
        let stdin = match (&step.event, &step.raw) {
            (Some(event), _) => fill(&whole(event).to_string()),
            (None, Some(raw)) => fill(raw),
            (None, None) => String::new(),
        };
        let mut env: Vec<(String, String)> = step.env.iter().map(|(name, value)| (name.clone(), fill(value))).collect();
        env.extend(step.now.iter().map(|now| ("HOOKBIN_NOW".to_owned(), now.clone())));
        let env: Vec<(&str, &str)> = env.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let args: Vec<String> = step.args.iter().map(|arg| fill(arg)).collect();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let ran = sandbox.hook_with(&args, stdin.as_bytes(), &env);
        check_step(index + 1, step, &ran, &fill_json, &fill);
        check_rule(&sandbox, step);
    }
    for (path, held) in &case.after {
        check_file(&sandbox, path, held, &fill_json, &fill);
    }
}

/// A refusal or question of a check has a rule's name in the log, so that figures and settings can tell one from another.
fn check_rule(sandbox: &Sandbox, step: &Step) {
    if !matches!(step.verdict.as_deref(), Some("deny" | "ask")) {
        return;
    }
    let log = std::fs::read_to_string(sandbox.log().join("audit.jsonl")).unwrap_or_default();
    let last: Value = log.lines().last().and_then(|line| serde_json::from_str(line).ok()).unwrap_or_default();
    if last.get("check").is_some() && last.get("verdict").is_some() {
        assert!(last.get("rule").is_some(), "no rule: {last}");
    }
}

/// An answer without the line that tells the user how to lift it: the documents know no such line, and its name is of this directory.
fn without_offer(mut answer: Value) -> Value {
    let said = answer["systemMessage"].as_str().unwrap_or_default();
    if said.starts_with("hookbin: to run it anyway, ") && !said.contains('\n') {
        answer.as_object_mut().unwrap().remove("systemMessage");
    }
    answer
}

fn check_step(
    number: usize,
    step: &Step,
    ran: &Ran,
    fill_json: &dyn Fn(&Value) -> Value,
    fill: &dyn Fn(&str) -> String,
) {
    assert_eq!(ran.code, Some(step.exit), "step {number}: exit code of {ran:?}");
    match &step.stdout {
        None => {}
        Some(Value::String(text)) => assert_eq!(ran.stdout.trim_end_matches('\n'), fill(text), "step {number}: stdout"),
        Some(json) => assert_eq!(without_offer(ran.json()), fill_json(json), "step {number}: stdout"),
    }
    if let Some(stderr) = &step.stderr {
        assert_eq!(ran.stderr.trim_end_matches('\n'), fill(stderr), "step {number}: stderr");
    }
    if let Some(verdict) = &step.verdict {
        let said = ran.decision().unwrap_or_else(|| "none".to_owned());
        let reason = ran.reason();
        assert_eq!(
            said,
            *verdict,
            "step {number}: {}{}",
            step.event.as_ref().map_or_else(String::new, Value::to_string),
            ran.stdout
        );
        for needle in &step.reason_has {
            assert!(reason.contains(&fill(needle)), "step {number}: reason lacks {needle:?}: {reason}");
        }
    }
    for needle in &step.context_has {
        assert!(ran.context().contains(&fill(needle)), "step {number}: context lacks {needle:?}:\n{}", ran.context());
    }
    for needle in &step.context_lacks {
        assert!(!ran.stdout.contains(&fill(needle)), "step {number}: stdout holds {needle:?}:\n{}", ran.stdout);
    }
    for needle in &step.message_has {
        let json = ran.json();
        let message = json.get("systemMessage").and_then(Value::as_str).unwrap_or_default();
        assert!(message.contains(&fill(needle)), "step {number}: message lacks {needle:?}: {message}");
    }
    for needle in &step.message_lacks {
        let json = ran.json();
        let message = json.get("systemMessage").and_then(Value::as_str).unwrap_or_default();
        assert!(!message.contains(&fill(needle)), "step {number}: message holds {needle:?}: {message}");
    }
}

fn check_file(
    sandbox: &Sandbox,
    path: &str,
    held: &Held,
    fill_json: &dyn Fn(&Value) -> Value,
    fill: &dyn Fn(&str) -> String,
) {
    if held.absent {
        assert!(!sandbox.path(path).exists(), "{path} exists");
        return;
    }
    let text = sandbox.read(path);
    if let Some(equals) = &held.equals {
        assert_eq!(text, fill(equals), "{path}");
    }
    if let Some(json) = &held.json {
        let wanted: Value = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), fill_json(&wanted), "{path}");
    }
    if let Some(members) = &held.has_members {
        for (key, value) in read(members).as_object().unwrap() {
            let json: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(json.get(key), Some(&fill_json(value)), "{path}: {key} in {text}");
        }
    }
    for key in &held.lacks_members {
        let json: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(json.get(key), None, "{path}: {key} in {text}");
    }
    for needle in &held.contains {
        assert!(text.contains(&fill(needle)), "{path} lacks {needle:?}:\n{text}");
    }
    for needle in &held.lacks {
        assert!(!text.contains(&fill(needle)), "{path} holds {needle:?}:\n{text}");
    }
    if let Some(lines) = &held.lines {
        let lines: Vec<String> = lines.iter().map(|line| fill(line)).collect();
        assert_eq!(text.lines().collect::<Vec<_>>(), lines, "{path}");
    }
    if let Some(count) = held.line_count {
        assert_eq!(text.lines().count(), count, "{path}:\n{text}");
    }
}
