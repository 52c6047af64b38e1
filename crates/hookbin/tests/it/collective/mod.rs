//! Profile `collective` through the executable: context, handoffs, checkpoints, figures. A file a subject.

mod checkpoint;
mod closed;
mod context;
mod handoff;
mod metrics;

use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox};

const SESSION: &str = "00000000-0000-4000-8000-00000000000c";
const TOKEN: &str = "COLLECTIVE_HANDOFF_READY";
const ROUTING_LOG: &str = ".claude/hookbin/state/test-driven-handoff.log";

/// A project under the profile, and the events of one session in it.
struct Team {
    sandbox: Sandbox,
    path: String,
    now: String,
}

impl Team {
    fn new() -> Self {
        Self::with("")
    }

    /// With more in the project's configuration.
    fn with(config: &str) -> Self {
        let sandbox = Sandbox::new();
        sandbox.write(".claude/hookbin.toml", &format!("profile = [\"collective\"]\n{config}"));
        Self { sandbox, path: String::new(), now: "2026-03-01T10:00:00Z".to_owned() }
    }

    /// One event with these fields.
    fn event(&self, name: &str, fields: &Value) -> Ran {
        let mut event = json!({
            "session_id": SESSION, "transcript_path": "", "cwd": self.sandbox.project(), "hook_event_name": name,
        });
        event.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let env = [("PATH", self.path.as_str()), ("HOOKBIN_NOW", self.now.as_str())];
        let ran = self.sandbox.hook_with(&[name], event.to_string().as_bytes(), &env);
        assert_ne!(ran.code, Some(1), "{ran:?}");
        ran
    }

    fn prompt(&self, text: &str) -> Ran {
        self.event("UserPromptSubmit", &json!({"prompt": text}))
    }

    fn starts(&self, agent: &str, id: &str) -> Ran {
        self.event("SubagentStart", &json!({"agent_type": agent, "agent_id": id}))
    }

    /// The agent is about to end with this answer.
    fn ends(&self, agent: &str, id: &str, answer: &str) -> Ran {
        self.event(
            "SubagentStop",
            &json!({"agent_type": agent, "agent_id": id, "stop_hook_active": false, "last_assistant_message": answer}),
        )
    }

    /// The agent's call returns to the parent.
    fn returns(&self, agent: &str, id: &str, answer: &str) -> Ran {
        self.event(
            "PostToolUse",
            &json!({
                "tool_name": "Agent", "tool_use_id": format!("toolu_{id}"), "duration_ms": 5,
                "tool_input": {"description": "work", "prompt": "work", "subagent_type": agent},
                "tool_response": {"status": "completed", "agentId": id, "content": [{"type": "text", "text": answer}]},
            }),
        )
    }

    fn stops(&self) -> Ran {
        self.event("Stop", &json!({"stop_hook_active": false, "last_assistant_message": "I am done."}))
    }

    fn bash(&self, command: &str) -> Ran {
        self.event(
            "PreToolUse",
            &json!({"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "toolu_b"}),
        )
    }
}

/// The reason of a block; empty where there is none.
fn blocked(ran: &Ran) -> String {
    if ran.stdout.is_empty() {
        return String::new();
    }
    let json = ran.json();
    match json.get("decision").and_then(Value::as_str) {
        Some("block") => json["reason"].as_str().unwrap().to_owned(),
        None => String::new(),
        Some(other) => panic!("Claude Code knows no decision `{other}`: {ran:?}"),
    }
}

/// The message to the user; empty where there is none.
fn notice(ran: &Ran) -> String {
    if ran.stdout.is_empty() {
        return String::new();
    }
    ran.json().get("systemMessage").and_then(Value::as_str).unwrap_or_default().to_owned()
}
