//! What a scenario claims, held against what happened: one line for every claim that does not hold.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::drive;
use super::scenario::{Count, Expect};
use super::stub::{Kind, Sent, texts};

/// What happened, in the forms that claims are about.
pub(crate) struct Evidence<'a> {
    pub(crate) project: &'a Path,
    pub(crate) sent: &'a [Sent],
    /// What the client printed in each run.
    pub(crate) printed: &'a [String],
    pub(crate) log: &'a [Value],
    pub(crate) seen: &'a [Value],
    pub(crate) state: &'a Value,
}

/// The longest text that a message about a claim quotes, in characters.
const QUOTE: usize = 1500;

/// Every claim that does not hold.
pub(crate) fn broken(expect: &Expect, evidence: &Evidence<'_>) -> Vec<String> {
    let mut found = Vec::new();
    files(expect, evidence.project, &mut found);

    let told: Vec<String> = evidence.sent.iter().filter(|sent| sent.kind != Kind::Other).map(messages).collect();
    for text in expect.told.iter().filter(|text| !told.iter().any(|told| told.contains(text.as_str()))) {
        found.push(format!("the model was never told {text:?}; last it was told: {}", last(&told)));
    }
    for text in expect.not_told.iter().filter(|text| told.iter().any(|told| told.contains(text.as_str()))) {
        found.push(format!("the model was told {text:?}"));
    }
    let is_shown = |text: &str| {
        // In a stream of JSON the text is escaped.
        let escaped = Value::from(text).to_string();
        let escaped = escaped.trim_matches('"');
        evidence.printed.iter().any(|printed| printed.contains(text) || printed.contains(escaped))
    };
    for text in expect.shown.iter().filter(|text| !is_shown(text)) {
        found.push(format!("the client did not show {text:?}; it printed: {}", last(evidence.printed)));
    }
    for (text, expected) in &expect.shown_times {
        let escaped = Value::from(text.as_str()).to_string();
        let escaped = escaped.trim_matches('"');
        let on =
            |screen: &str| screen.lines().filter(|line| line.contains(text.as_str()) || line.contains(escaped)).count();
        let of = |printed: &String| printed.split(drive::SCREENS).map(on).max().unwrap_or_default();
        let times: usize = evidence.printed.iter().map(of).sum();
        if times != *expected {
            found.push(format!(
                "the client showed {text:?} on {times} lines, not {expected}; {}",
                last(evidence.printed)
            ));
        }
    }
    for text in expect.not_shown.iter().filter(|text| is_shown(text)) {
        found.push(format!("the client showed {text:?}"));
    }
    if let Some(expected) = expect.requests {
        let count = evidence.sent.iter().filter(|sent| sent.kind == Kind::Main).count();
        if count != expected {
            found.push(format!("the model got {count} requests in the main thread, not {expected}"));
        }
    }
    counts("audit log", &expect.log, evidence.log, &mut found);
    counts("payloads", &expect.seen, evidence.seen, &mut found);
    for (pointer, expected) in &expect.state {
        let value = evidence.state.pointer(pointer);
        if value != Some(expected) {
            found.push(format!("the session's document has {} at {pointer}, not {expected}", shown(value)));
        }
    }
    found
}

fn files(expect: &Expect, project: &Path, found: &mut Vec<String>) {
    for name in expect.files.iter().filter(|name| !project.join(name).exists()) {
        found.push(format!("{name} is not there"));
    }
    for name in expect.no_files.iter().filter(|name| project.join(name).exists()) {
        found.push(format!("{name} is there"));
    }
    for (name, expected) in &expect.contains {
        let text = fs::read_to_string(project.join(name)).unwrap_or_default();
        for part in expected.iter().filter(|part| !text.contains(part.as_str())) {
            found.push(format!("{name} does not hold {part:?}; it holds {:?}", short(&text)));
        }
    }
    for (name, expected) in &expect.equals {
        let text = fs::read_to_string(project.join(name)).unwrap_or_default();
        if text != *expected {
            found.push(format!("{name} is {:?}, not {expected:?}", short(&text)));
        }
    }
}

fn counts(what: &str, expected: &[Count], records: &[Value], found: &mut Vec<String>) {
    for count in expected {
        let matching =
            records.iter().filter(|record| count.fields.iter().all(|(name, value)| has(record, name, value)));
        let number = matching.count();
        let fields = serde_json::to_string(&count.fields).unwrap_or_default();
        match count.is {
            Some(is) if is != number => found.push(format!("{what}: {number} with {fields}, not {is}")),
            None if number == 0 => found.push(format!("{what}: none of {} with {fields}", records.len())),
            _ => {}
        }
    }
}

/// Whether the record has this value. A string that begins with `*` is looked for inside the record's string.
fn has(record: &Value, name: &str, expected: &Value) -> bool {
    let value = if name.starts_with('/') { record.pointer(name) } else { record.get(name) };
    match (value, expected) {
        (Some(Value::String(text)), Value::String(pattern)) if pattern.starts_with('*') => {
            text.contains(pattern.trim_start_matches('*'))
        }
        (value, expected) => value == Some(expected),
    }
}

/// All messages of a request as one text.
fn messages(sent: &Sent) -> String {
    let all = sent.body.get("messages").and_then(Value::as_array).into_iter().flatten();
    all.map(|message| texts(Some(message))).collect::<Vec<_>>().join("\n")
}

fn last(texts: &[String]) -> String {
    let Some(text) = texts.last() else { return "nothing".into() };
    let characters = text.chars().count();
    format!("{:?}", text.chars().skip(characters.saturating_sub(QUOTE)).collect::<String>())
}

fn short(text: &str) -> String {
    text.chars().take(QUOTE).collect()
}

fn shown(value: Option<&Value>) -> String {
    value.map_or_else(|| "nothing".into(), Value::to_string)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The lines for these claims, in TOML, against one request, one log record and one line of output.
    fn lines(claims: &str) -> Vec<String> {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("there"), "text").unwrap();
        let message =
            json!({"role": "user", "content": [{"type": "tool_result", "content": [{"text": "the result"}]}]});
        let sent = [Sent { kind: Kind::Main, path: "/v1/messages".into(), body: json!({"messages": [message]}) }];
        let record = json!({"event": "PreToolUse", "reason": "because (rule a)", "input": {"b": 1}});
        let evidence = Evidence {
            project: dir.path(),
            sent: &sent,
            printed: &[r#"{"result":"a \"word\""}"#.to_owned()],
            log: std::slice::from_ref(&record),
            seen: &[],
            state: &json!({"count": 2}),
        };
        broken(&toml::from_str(claims).unwrap(), &evidence)
    }

    #[test]
    fn what_is_so_breaks_nothing() {
        let claims = r#"
            files = ["there"]
            no_files = ["absent"]
            contains.there = ["ex"]
            equals.there = "text"
            told = ["the result"]
            not_told = ["else"]
            shown = ["a \"word\""]
            not_shown = ["else"]
            shown_times = { "word" = 1, "a \"word\"" = 1, "else" = 0 }
            requests = 1
            log = [{ match = { event = "PreToolUse", reason = "*(rule a)", "/input/b" = 1 }, is = 1 }, { match = { event = "Stop" }, is = 0 }]
            seen = [{ match = { event = "Stop" }, is = 0 }]
            state = { "/count" = 2 }
        "#;
        assert_eq!(lines(claims), [""; 0]);
    }

    #[test]
    fn each_kind_of_claim_breaks_by_itself() {
        for claim in [
            r#"files = ["absent"]"#,
            r#"no_files = ["there"]"#,
            r#"contains.there = ["else"]"#,
            r#"equals.there = "tex""#,
            r#"told = ["else"]"#,
            r#"not_told = ["the result"]"#,
            r#"shown = ["else"]"#,
            r#"not_shown = ["a \"word\""]"#,
            r#"shown_times = { "word" = 2 }"#,
            "requests = 2",
            r#"log = [{ match = { event = "PreToolUse" }, is = 2 }]"#,
            r#"log = [{ match = { event = "PreToolUse", reason = "because" } }]"#,
            r#"log = [{ match = { "/input/b" = 2 } }]"#,
            r#"seen = [{ match = { event = "Stop" } }]"#,
            r#"state = { "/count" = 3 }"#,
            r#"state = { "/other" = 2 }"#,
        ] {
            assert_eq!(lines(claim).len(), 1, "{claim}");
        }
    }
}
