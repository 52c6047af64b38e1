//! An agent loop that is not Claude Code, with guard, gates, state and log: `cargo run -p example-agent-loop -- PROJECT RECORDS`.
//!
//! The loop owns the model and the tools. [`Runtime`] decides about each call, by the facts of this machine, and carries out every
//! effect: the session's document, which other processes and the next run find, views, programs, the audit log.
#![allow(clippy::print_stdout, reason = "the loop shows what it does")]

use std::path::Path;

use anyhow::Context as _;
use hook_protocol::{Event, ToolNames};
use hook_runtime::Runtime;
use hook_session_state::{SessionId, Store};
use serde_json::{Value, json};

/// The name of the session.
const SESSION: &str = "loop";

struct Agent {
    runtime: Runtime,
    /// What the tools of this agent are for those who know others.
    names: ToolNames,
    project: String,
}

impl Agent {
    fn new(project: &Path, records: &Path) -> anyhow::Result<Self> {
        Ok(Self {
            runtime: Runtime::from_toml(project, records, "profile.toml", include_str!("../profile.toml"))?,
            names: ToolNames::new().shell("exec").parameter("exec", "cmd", "command").read("read_file"),
            project: project.to_str().context("the project's path is no text")?.to_owned(),
        })
    }

    /// Runs a call unless the policy refuses it; gives what the model is told.
    fn call(&self, id: &str, tool: &str, input: &Value) -> anyhow::Result<String> {
        let payload = json!({"hook_event_name": "PreToolUse", "session_id": SESSION, "cwd": self.project,
            "tool_use_id": id, "tool_name": tool, "tool_input": input});
        let payload = payload.to_string();
        let call = Event::parse_with(&payload, &self.names)?;
        let answer = self.runtime.event(call.clone());
        // Nobody sits at this loop, so a question is a refusal.
        if !answer.lets_run() {
            return Ok(format!("{tool}: refused: {}", answer.reason.unwrap_or_default()));
        }
        // Here the tool would run; with this command, where a rule has a better one.
        let output = format!("ran with {}", answer.command.unwrap_or_else(|| input.to_string()));
        let after = self.runtime.event(call.done(&output));
        let told = [vec![format!("{tool}: {output}")], answer.context, after.feedback, after.context];
        Ok(told.concat().join("\n"))
    }
}

/// How many calls of the session are done, by all processes.
fn calls_done(records: &Path) -> anyhow::Result<u64> {
    let session = Store::new(records.join("state")).read_session(&SessionId::from_raw(SESSION))?;
    Ok(session.map_or(0, |session| session.activity().action_count))
}

fn main() -> anyhow::Result<()> {
    let dir = |at| std::env::args_os().nth(at).map(std::path::PathBuf::from);
    let project = dir(1).unwrap_or_else(|| std::env::temp_dir().join("agent-loop/project"));
    let records = dir(2).unwrap_or_else(|| std::env::temp_dir().join("agent-loop/records"));
    std::fs::create_dir_all(&project)?;
    let agent = Agent::new(&project, &records)?;
    let role_includes = [
        ("read_file", json!({"file_path": "notes.txt"})),
        ("index_read", json!({"file_path": "notes.txt"})),
        ("exec", json!({"cmd": "cd .. && rm -rf etc"})),
    ];
    for (number, (tool, input)) in role_includes.iter().enumerate() {
        println!("{}", agent.call(&format!("{}-{number}", std::process::id()), tool, input)?);
    }
    println!("{} calls done", calls_done(&records)?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use hook_audit_log::{read, verify};

    use super::*;

    #[test]
    fn a_refused_call_does_not_run_and_is_not_counted_and_all_is_written_down() {
        let dir = tempfile::tempdir().unwrap();
        let (project, records) = (dir.path().join("project"), dir.path().join("records"));
        std::fs::create_dir(&project).unwrap();
        let agent = Agent::new(&project, &records).unwrap();
        let told = agent.call("1", "read_file", &json!({"file_path": "a"})).unwrap();
        assert_eq!(told, "read_file: refused: Use the tool `index_read`; plain reads are off.");
        let told = agent.call("2", "exec", &json!({"cmd": "rm -rf /etc"})).unwrap();
        assert!(told.starts_with("exec: refused:") && told.contains("/etc"), "{told}");
        let told = agent.call("3", "exec", &json!({"cmd": "ls"})).unwrap();
        assert_eq!(told, r#"exec: ran with {"cmd":"ls"}"#);

        // Another process finds what was done, and a call that is told of twice counts once.
        let again = Agent::new(&project, &records).unwrap();
        again.call("3", "exec", &json!({"cmd": "ls"})).unwrap();
        assert_eq!(calls_done(&records).unwrap(), 1);
        again.call("4", "exec", &json!({"cmd": "ls"})).unwrap();
        assert_eq!(calls_done(&records).unwrap(), 2);
        let log = records.join("log");
        assert!(verify(&log).unwrap().is_good());
        let verdicts: Vec<_> =
            read(&log).unwrap().filter_map(|entry| entry.unwrap().text("verdict").map(str::to_owned)).collect();
        assert_eq!(verdicts, ["deny", "deny"]);
    }
}
