//! An agent loop that is not Claude Code, with policy, state and log: `cargo run -p example-agent-loop -- FOLDER`.
//!
//! The loop owns the model and the tools. `hook-policy` decides about each call, `hook-session-state` remembers what was done, also for
//! other processes and the next run, and `hook-audit-log` writes down what was decided. Effects come back as data; what the loop has no
//! use for it leaves.
#![allow(clippy::print_stdout, reason = "the loop shows what it does")]

use std::borrow::Cow;
use std::path::Path;

use chrono::{DateTime, Utc};
use hook_audit_log::{AuditLog, Limits, Record};
use hook_policy::effect::{Effect, Memory};
use hook_policy::profile::{Profile, RawProfile, resolve_strict};
use hook_policy::{Facts, Moment, SessionFacts, Verdict, decide};
use hook_protocol::Event;
use hook_session_state::{Kind, SessionId, Store};
use serde_json::{Value, json};

/// What the policy may know. What this loop does not know (files, an earlier answer of git) it leaves out.
struct Known {
    now: DateTime<Utc>,
    state: String,
    done: SessionFacts,
}

impl Facts for Known {
    fn now(&self) -> Moment {
        Moment::from_epoch(self.now.timestamp())
    }
    fn state_dir(&self) -> Cow<'_, str> {
        self.state.as_str().into()
    }
    fn project(&self) -> Option<Cow<'_, str>> {
        Some("/p".into())
    }
    // What is not answered never weakens the guard: an unknown home is a home all the same. Links it cannot see without `real_path`.
    fn home(&self) -> Option<Cow<'_, str>> {
        Some("/home/agent".into())
    }
    fn session(&self) -> SessionFacts {
        self.done.clone()
    }
}

struct Agent {
    profile: Profile,
    store: Store,
    log: AuditLog,
    session: SessionId,
}

impl Agent {
    fn new(folder: &Path) -> anyhow::Result<Self> {
        let raw = RawProfile::parse("profile.toml", include_str!("../profile.toml"));
        let builtin = |name: &str| (name == "agent").then(|| raw.clone());
        Ok(Self {
            profile: resolve_strict(&["agent".to_owned()], &[], &builtin, &["agent"])?,
            store: Store::new(folder.join("state")),
            log: AuditLog::new(folder.join("log"), Limits::default()),
            session: SessionId::from_raw("loop"),
        })
    }

    /// Runs a call unless the policy refuses it; gives what the model is told.
    fn call(&self, id: &str, tool: &str, input: &Value) -> anyhow::Result<String> {
        // Nobody sits at this loop, so a question is a refusal.
        if let Some((Verdict::Deny | Verdict::Ask, reason)) = self.event("PreToolUse", id, tool, input)? {
            return Ok(format!("{tool}: refused: {reason}"));
        }
        let told = format!("{tool}: ran with {input}"); // Here the tool would run.
        self.event("PostToolUse", id, tool, input)?;
        Ok(told)
    }

    /// Decides about one event, carries out what follows and writes it down; gives the verdict and the reason.
    fn event(&self, name: &str, id: &str, tool: &str, input: &Value) -> anyhow::Result<Option<(Verdict, String)>> {
        let payload =
            json!({"hook_event_name": name, "cwd": "/p", "tool_use_id": id, "tool_name": tool, "tool_input": input});
        let payload = payload.to_string();
        let event = Event::parse(&payload)?;
        let (now, mut locked) = (Utc::now(), self.store.lock()?);
        let mut session = locked.session(&self.session)?.value;
        let done = SessionFacts { actions: session.activity().action_count, ..SessionFacts::default() };
        let known = Known { now, state: self.store.folder().display().to_string(), done };
        let plan = self.profile.plan(&event.name());
        let outcome = decide(&event, &plan, &known);
        for effect in &outcome.effects {
            // A call whose end is told twice is counted once.
            if let Effect::Memory(Memory::Acted(_)) = effect
                && locked.first_time(&self.session, Kind::Event, id)?
            {
                session.activity_mut().action_count += 1;
                locked.save(&session)?;
            }
        }
        self.log.append(&Record {
            tool: Some(tool.into()),
            verdict: outcome.verdict.map(|verdict| verdict.as_str().into()),
            reason: outcome.reason.as_deref().map(Into::into),
            command: input.get("command").and_then(Value::as_str).map(Into::into),
            ..Record::new(now, name)
        })?;
        Ok(outcome.verdict.map(|verdict| (verdict, outcome.reason.unwrap_or_default())))
    }
}

fn main() -> anyhow::Result<()> {
    let folder = std::env::args_os().nth(1).map_or_else(|| std::env::temp_dir().join("agent-loop"), Into::into);
    let agent = Agent::new(&folder)?;
    let wishes = [
        ("Read", json!({"file_path": "/p/notes.txt"})),
        ("index_read", json!({"file_path": "/p/notes.txt"})),
        ("Bash", json!({"command": "cd .. && rm -rf etc"})),
    ];
    for (number, (tool, input)) in wishes.iter().enumerate() {
        println!("{}", agent.call(&format!("{}-{number}", Utc::now().timestamp_micros()), tool, input)?);
    }
    let session = agent.store.read_session(&agent.session)?;
    println!("{} calls done", session.map_or(0, |session| session.activity().action_count));
    Ok(())
}

#[cfg(test)]
mod tests {
    use hook_audit_log::{read, verify};

    use super::*;

    #[test]
    fn a_refused_call_does_not_run_and_is_not_counted_and_all_is_written_down() {
        let folder = tempfile::tempdir().unwrap();
        let agent = Agent::new(folder.path()).unwrap();
        let told = agent.call("1", "Read", &json!({"file_path": "/p/a"})).unwrap();
        assert_eq!(told, "Read: refused: Use the tool `index_read`; plain reads are off.");
        let told = agent.call("2", "Bash", &json!({"command": "cd .. && rm -rf etc"})).unwrap();
        assert!(told.starts_with("Bash: refused:") && told.contains("/etc"), "{told}");
        let told = agent.call("3", "Bash", &json!({"command": "ls"})).unwrap();
        assert_eq!(told, r#"Bash: ran with {"command":"ls"}"#);

        // Another process finds what was done.
        let again = Agent::new(folder.path()).unwrap();
        let session = again.store.read_session(&again.session).unwrap().unwrap();
        assert_eq!(session.activity().action_count, 1);
        assert!(verify(&folder.path().join("log")).unwrap().is_good());
        let verdicts: Vec<_> = read(&folder.path().join("log"))
            .unwrap()
            .map(|entry| entry.unwrap().text("verdict").map(str::to_owned))
            .collect();
        assert_eq!(verdicts, [Some("deny".to_owned()), Some("deny".to_owned()), None, None]);
    }
}
