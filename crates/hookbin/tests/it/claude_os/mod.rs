//! Profile `claude-os` through the executable: the life of a session, its files, and how full its context is. A file a subject.

mod context;
mod life;
mod registry;
mod start;

use std::path::PathBuf;

use chrono::{DateTime, Duration, SecondsFormat, Utc};
use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox, run};

/// The host's own id of the session.
const CLIENT: &str = "00000000-0000-4000-8000-00000000000d";

/// One session under the profile: its surroundings, and what happens in it.
struct Session {
    sandbox: Sandbox,
    env: Vec<(String, String)>,
    now: DateTime<Utc>,
}

impl Session {
    fn new() -> Self {
        Self::with("")
    }

    /// With more in the user's configuration.
    fn with(config: &str) -> Self {
        let sandbox = Sandbox::new();
        sandbox.declare(&["life"]);
        sandbox.write_own(&format!("profile = [\"claude-os\"]\n{config}"));
        Self { sandbox, env: Vec::new(), now: DateTime::from_timestamp(1_780_000_000, 0).unwrap() }
    }

    /// With a variable of whoever starts the session.
    fn env(mut self, name: &str, value: &str) -> Self {
        self.set(name, value);
        self
    }

    fn set(&mut self, name: &str, value: &str) {
        self.env.retain(|(known, _)| known != name);
        self.env.push((name.to_owned(), value.to_owned()));
    }

    fn wait(&mut self, seconds: i64) {
        self.now += Duration::seconds(seconds);
    }

    /// One event with these fields.
    fn event(&self, name: &str, fields: &Value) -> Ran {
        let mut event = json!({
            "session_id": CLIENT, "transcript_path": self.transcript(), "cwd": self.sandbox.project(), "hook_event_name": name,
        });
        event.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        self.bytes(name, event.to_string().as_bytes())
    }

    /// One event with these bytes on stdin. Whatever happens, the session goes on (S4-49).
    fn bytes(&self, name: &str, stdin: &[u8]) -> Ran {
        let now = self.now.to_rfc3339_opts(SecondsFormat::Secs, true);
        let mut env: Vec<(&str, &str)> = self.env.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        env.push(("HOOKBIN_NOW", &now));
        self.sandbox.hook_with(&[name], stdin, &env)
    }

    fn start(&self, source: &str) -> Ran {
        self.event("SessionStart", &json!({"source": source}))
    }

    /// The context that a start gives.
    fn started(&self) -> String {
        self.start("startup").context()
    }

    fn prompt(&self) -> Ran {
        self.event("UserPromptSubmit", &json!({"prompt": "go on"}))
    }

    fn stop(&self) -> Ran {
        self.event("Stop", &json!({"stop_hook_active": false}))
    }

    fn end(&self, reason: &str) -> Ran {
        self.event("SessionEnd", &json!({"reason": reason}))
    }

    fn transcript(&self) -> PathBuf {
        self.sandbox.home().join("transcript.jsonl")
    }

    /// Writes a transcript whose last answer was sent so many tokens.
    fn sent(&self, tokens: u64) {
        self.write_transcript(&[line("user", None), answer(tokens)]);
    }

    fn write_transcript(&self, lines: &[String]) {
        std::fs::write(self.transcript(), lines.join("\n") + "\n").unwrap();
    }

    /// The session as the registry knows it.
    fn row(&self) -> Value {
        self.row_of(CLIENT)
    }

    fn row_of(&self, session: &str) -> Value {
        let ran = self.cli(&["sessions", "show", session, "--json"], "");
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.json()["session"].clone()
    }

    /// A command for people in the session's surroundings.
    fn cli(&self, args: &[&str], stdin: &str) -> Ran {
        let mut command = self.sandbox.command(args);
        command.env("HOOKBIN_NOW", self.now.to_rfc3339_opts(SecondsFormat::Secs, true));
        command.envs(self.env.iter().map(|(name, value)| (name, value)));
        run(command, stdin.as_bytes())
    }
}

/// A line of the main conversation, with the tokens of an answer.
fn line(kind: &str, tokens: Option<u64>) -> String {
    // Two tokens read again, the rest in equal parts from the cache and into it.
    let usage = tokens.map(|tokens| {
        let cached = (tokens - 2) / 2;
        json!({"input_tokens": 2, "output_tokens": 9_000, "cache_creation_input_tokens": tokens - 2 - cached, "cache_read_input_tokens": cached})
    });
    let message = json!({"role": kind, "model": "claude-test-1", "content": "text", "usage": usage});
    json!({"type": kind, "isSidechain": false, "message": message}).to_string()
}

fn answer(tokens: u64) -> String {
    line("assistant", Some(tokens))
}

/// Every text that the model gets, in whichever form.
fn told(ran: &Ran) -> String {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    if !ran.stdout.starts_with('{') {
        return ran.stdout.trim_end().to_owned();
    }
    let json = ran.json();
    let texts = ["/hookSpecificOutput/additionalContext", "/reason"];
    texts.iter().filter_map(|pointer| json.pointer(pointer).and_then(Value::as_str)).collect()
}

/// What the user gets.
fn shown(ran: &Ran) -> String {
    if !ran.stdout.starts_with('{') {
        return String::new();
    }
    ran.json()["systemMessage"].as_str().unwrap_or_default().to_owned()
}
