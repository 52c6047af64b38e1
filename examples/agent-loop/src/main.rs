//! An agent loop that is not Claude Code and asks `hook-policy` before each tool call: `cargo run -p example-agent-loop`.
//!
//! The loop owns the model, the tools and the session. From this family it takes two things: events to describe a call,
//! and one pure function that decides about it. Effects come back as data; what the loop has no use for it leaves.
#![allow(clippy::print_stdout, reason = "the loop shows what it does")]

use std::borrow::Cow;

use hook_policy::effect::{Effect, Memory};
use hook_policy::profile::{Profile, RawProfile, resolve};
use hook_policy::{Facts, Moment, Outcome, SessionFacts, Verdict, decide};
use hook_protocol::Event;
use serde_json::{Value, json};

const PROFILE: &str = include_str!("../profile.toml");

/// One thing the model wants to do.
struct Call {
    tool: &'static str,
    input: Value,
}

/// What the loop remembers. A program with more sessions than one keeps `hook-session-state` for this.
#[derive(Default)]
struct Session {
    done: SessionFacts,
    epoch: i64,
}

// What this loop does not know (files of a project, an earlier session) it leaves out.
impl Facts for Session {
    fn now(&self) -> Moment {
        Moment { epoch: self.epoch, stamp: format!("second {}", self.epoch) }
    }

    fn state_dir(&self) -> Cow<'_, str> {
        "/var/lib/agent".into()
    }

    fn session(&self) -> SessionFacts {
        self.done.clone()
    }
}

impl Session {
    /// Carries out the effects that this loop knows.
    fn apply(&mut self, outcome: &Outcome<'_>) {
        for effect in &outcome.effects {
            if let Effect::Memory(Memory::Acted(action)) = effect {
                self.done.actions += 1;
                self.done.last_tool = Some(action.tool.clone());
            }
        }
    }
}

fn main() -> anyhow::Result<()> {
    let wishes = [
        Call { tool: "Read", input: json!({"file_path": "/p/notes.txt"}) },
        Call { tool: "index_read", input: json!({"file_path": "/p/notes.txt"}) },
        Call { tool: "Bash", input: json!({"command": "ls"}) },
    ];
    let profile = profile()?;
    let mut session = Session::default();
    for line in run(&profile, &mut session, &wishes)? {
        println!("{line}");
    }
    println!("{} calls done", session.done.actions);
    Ok(())
}

/// The loop's own profile, resolved once; everything that can be wrong with it is said here.
fn profile() -> anyhow::Result<Profile> {
    let raw = RawProfile::parse("profile.toml", PROFILE)?;
    let builtin = |name: &str| (name == "agent").then(|| raw.clone());
    Ok(resolve(&["agent".to_owned()], &[], &builtin, &["agent"])?)
}

/// Runs each call that is not refused; gives the model's view of what happened.
fn run(profile: &Profile, session: &mut Session, calls: &[Call]) -> anyhow::Result<Vec<String>> {
    let mut seen = Vec::new();
    for (number, call) in calls.iter().enumerate() {
        session.epoch += 1;
        let payload = |event: &str| {
            json!({
                "session_id": "loop", "cwd": "/p", "hook_event_name": event, "tool_use_id": format!("call-{number}"),
                "tool_name": call.tool, "tool_input": call.input,
            })
            .to_string()
        };
        let before = payload("PreToolUse");
        let event = Event::parse(&before)?;
        let plan = profile.plan(&event.name());
        let outcome = decide(&event, &plan, &*session);
        session.apply(&outcome);
        // Nobody sits at this loop, so a question is a refusal.
        if matches!(outcome.verdict, Some(Verdict::Deny | Verdict::Ask)) {
            seen.push(format!("{}: refused: {}", call.tool, outcome.reason.unwrap_or_default()));
            continue;
        }
        seen.push(format!("{}: {}", call.tool, act(call)));

        let after = payload("PostToolUse");
        let event = Event::parse(&after)?;
        let plan = profile.plan(&event.name());
        let outcome = decide(&event, &plan, &*session);
        session.apply(&outcome);
    }
    Ok(seen)
}

/// The agent's tools, which do nothing here.
fn act(call: &Call) -> String {
    format!("ran with {}", call.input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_call_does_not_run_and_is_not_counted() {
        let calls = [
            Call { tool: "Read", input: json!({"file_path": "/p/a"}) },
            Call { tool: "Bash", input: json!({"command": "ls"}) },
        ];
        let mut session = Session::default();
        let seen = run(&profile().unwrap(), &mut session, &calls).unwrap();
        assert_eq!(seen[0], "Read: refused: Use the tool `index_read`; plain reads are off.");
        assert_eq!(seen[1], r#"Bash: ran with {"command":"ls"}"#);
        assert_eq!((session.done.actions, session.done.last_tool.as_deref()), (1, Some("Bash")));
    }
}
