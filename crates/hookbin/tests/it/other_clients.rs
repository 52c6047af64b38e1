//! What other clients send to the same executable: their recorded payloads (`other_clients.json`), and what their documentation shows.

use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox};

const DANGER: &str = "rm -rf /usr/lib";
const OWN: &str = ".claude/hookbin.toml";

struct Recorded {
    client: String,
    event: String,
    payload: Value,
}

fn recorded() -> Vec<Recorded> {
    let calls: Vec<Value> = serde_json::from_str(include_str!("../data/other_clients.json")).unwrap();
    calls
        .iter()
        .map(|call| {
            let text = |key: &str| call[key].as_str().unwrap().to_owned();
            Recorded { client: text("client"), event: text("event"), payload: call["payload"].clone() }
        })
        .collect()
}

fn hook(sandbox: &Sandbox, event: &str, payload: &Value) -> Ran {
    let project = sandbox.project().display().to_string();
    let payload = payload.to_string().replace("/home/user/project", &project);
    let args: Vec<&str> = [event].into_iter().filter(|event| !event.is_empty()).collect();
    sandbox.hook(&args, payload.as_bytes())
}

fn refused(ran: &Ran, what: &str) {
    assert_eq!((ran.code, ran.decision().as_deref()), (Some(2), Some("deny")), "{what}: {ran:?}");
    assert!(!ran.stderr.trim().is_empty(), "{what}: {ran:?}");
}

/// Puts another text in the place of one member, wherever it stands; tells how often.
fn replace(value: &mut Value, keys: &[&str], with: &dyn Fn(&Value) -> Option<Value>) -> usize {
    match value {
        Value::Object(members) => {
            let mut count = 0;
            for (key, value) in members.iter_mut() {
                let new = if keys.contains(&key.as_str()) { with(value) } else { None };
                count += match new {
                    Some(new) => {
                        *value = new;
                        1
                    }
                    None => replace(value, keys, with),
                };
            }
            count
        }
        Value::Array(items) => items.iter_mut().map(|item| replace(item, keys, with)).sum(),
        _ => 0,
    }
}

#[test]
fn harmless_calls_of_other_clients_pass() {
    let sandbox = Sandbox::new();
    for Recorded { client, event, payload } in recorded() {
        let ran = hook(&sandbox, &event, &payload);
        assert_eq!((ran.code, ran.decision()), (Some(0), None), "{client}: {payload}\n{ran:?}");
    }
}

#[test]
fn the_same_calls_are_refused_when_they_destroy_or_touch_the_guard() {
    let sandbox = Sandbox::new();
    let (mut commands, mut files, mut patches) = (0, 0, 0);
    for Recorded { client, event, payload } in recorded() {
        let text = payload.to_string();
        let mut danger = payload.clone();
        let command = |old: &Value| match old {
            Value::String(old) if !old.contains("*** Begin Patch") => Some(json!(DANGER)),
            Value::Array(_) => Some(json!([DANGER])),
            _ => None,
        };
        if !text.contains("mcp_context") && replace(&mut danger, &["command", "commands"], &command) > 0 {
            commands += 1;
            refused(&hook(&sandbox, &event, &danger), &format!("{client}: {danger}"));
        }
        // The file of the last header, whatever it is called.
        let header = ["*** Add File: ", "*** Update File: ", "*** Delete File: "].iter().rev();
        let last =
            header.filter_map(|header| text.rsplit_once(header)?.1.split_once("\\n")).map(|(path, _)| path).next();
        let patched = last.map_or_else(|| text.clone(), |path| text.replace(path, OWN));
        if text.contains("*** Begin Patch") && !text.contains("<<'EOF'") {
            patches += 1;
            let patched: Value = serde_json::from_str(&patched).unwrap();
            refused(&hook(&sandbox, &event, &patched), &format!("{client}: {patched}"));
            continue;
        }
        let writes = ["content", "file_text", "new_str", "new_text", "new_string", "newString"];
        let mut own = payload.clone();
        let path = |old: &Value| old.is_string().then(|| json!(format!("/home/user/project/{OWN}")));
        let is_write = writes.iter().any(|key| text.contains(&format!("\"{key}\":\""))) && !text.contains("\"todos\"");
        if is_write && replace(&mut own, &["path", "file_path", "filePath"], &path) > 0 {
            files += 1;
            refused(&hook(&sandbox, &event, &own), &format!("{client}: {own}"));
        }
    }
    assert!(commands >= 12 && files >= 10 && patches >= 5, "{commands} commands, {files} files, {patches} patches");
}

/// Clients of which there is only a description.
#[test]
fn calls_that_only_documentation_shows_are_decided() {
    let sandbox = Sandbox::new();
    let project = sandbox.project().display().to_string();
    let (danger, own) = (DANGER, OWN);
    let bad = [
        json!({"hook_event_name": "preToolUse", "cwd": "", "workspace_roots": [project], "tool_name": "Shell", "tool_input": {"command": danger}}),
        json!({"hook_event_name": "preToolUse", "cwd": "", "workspace_roots": [project], "tool_name": "Write", "tool_input": {"file_path": own, "content": "x"}}),
        json!({"hook_event_name": "beforeShellExecution", "command": danger, "cwd": "", "workspace_roots": [project]}),
        json!({"hook_event_name": "beforeMCPExecution", "tool_name": "run", "tool_input": "{\"command\":\"rm -rf /usr/lib\"}", "cwd": project}),
        json!({"event": "PreToolUse", "session_id": "s", "cwd": project, "tool_name": "bash", "tool_input": {"command": danger}}),
        json!({"event": "PreToolUse", "session_id": "s", "cwd": project, "tool_name": "multiedit", "tool_input": {"file_path": own, "edits": []}}),
        json!({"event": "PreToolUse", "working_dir": project, "tool_name": "developer__shell", "tool_input": {"command": danger}}),
        json!({"event": "PreToolUse", "working_dir": project, "tool_name": "write", "tool_input": {"path": own, "content": "x"}}),
        json!({"hook_event_name": "preToolUse", "cwd": project, "tool_name": "execute_bash", "tool_input": {"command": danger}}),
        json!({"hook_event_name": "preToolUse", "cwd": project, "tool_name": "fs_write", "tool_input": {"command": "create", "path": own, "file_text": "x"}}),
        json!({"agent_action_name": "pre_run_command", "tool_info": {"command_line": danger, "cwd": project}}),
        json!({"agent_action_name": "pre_write_code", "tool_info": {"file_path": format!("{project}/{own}"), "edits": [{"old_string": "a", "new_string": "b"}]}}),
        json!({"sessionId": "s", "cwd": project, "toolName": "bash", "toolArgs": "{\"command\":\"rm -rf /usr/lib\"}"}),
    ];
    for payload in bad {
        for event in ["", "PreToolUse"] {
            refused(&hook(&sandbox, event, &payload), &format!("{event} {payload}"));
        }
    }
    let fine = [
        json!({"hook_event_name": "preToolUse", "cwd": "", "workspace_roots": [project], "tool_name": "Shell", "tool_input": {"command": "ls"}}),
        json!({"hook_event_name": "beforeShellExecution", "command": "ls", "cwd": project}),
        json!({"agent_action_name": "pre_read_code", "tool_info": {"file_path": format!("{project}/a.rs")}}),
        json!({"hook_event_name": "postToolUse", "cwd": project, "tool_name": "Shell", "tool_input": {"command": danger}}),
        json!({"hook_event_name": "FutureEvent", "cwd": project, "tool_name": "Shell", "tool_input": {"command": danger}}),
    ];
    for payload in fine {
        let ran = hook(&sandbox, "", &payload);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{payload}: {ran:?}");
    }
}

/// A skill's own command gets Bash's verdict; the host takes nothing but a refusal.
#[test]
fn shell_commands_of_skills_are_decided() {
    let sandbox = Sandbox::new();
    let project = sandbox.project().display().to_string();
    let call = |command: &str| {
        json!({
            "hook_event_name": "PreSkillShellCommand", "session_id": "s", "cwd": project, "tool_name": "Bash",
            "tool_input": {"command": command}, "command_name": "tidy", "command_source": "project", "invoked_by": "user",
        })
    };
    for (command, asks) in [("rm -rf ~", false), ("echo x > .claude/hookbin.toml", false), ("terraform destroy", true)]
    {
        let ran = hook(&sandbox, "PreSkillShellCommand", &call(command));
        assert_eq!((ran.code, ran.decision().as_deref()), (Some(0), Some("deny")), "{command}: {ran:?}");
        assert_eq!(ran.stdout.contains("A skill cannot ask"), asks, "{command}: {ran:?}");
    }
    let ran = hook(&sandbox, "PreSkillShellCommand", &call("git status"));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
}

/// The entry can say which client starts it.
#[test]
fn the_named_client_answers_as_if_it_were_not_named() {
    let sandbox = Sandbox::with_profile("standard");
    let payload = json!({"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": DANGER}});
    let bare = sandbox.hook(&["PreToolUse"], payload.to_string().as_bytes());
    for args in [&["PreToolUse", "--host", "claude-code"], &["PreToolUse", "--host=claude-code", "--user"][..]] {
        let named = sandbox.hook(args, payload.to_string().as_bytes());
        assert_eq!((named.code, &named.stdout, &named.stderr), (bare.code, &bare.stdout, &bare.stderr), "{args:?}");
    }
}

/// A client that this version does not know is judged by what its payload tells; a call that tells nothing is refused.
#[test]
fn a_client_that_nobody_knows_is_judged_by_its_payload() {
    let sandbox = Sandbox::with_profile("standard");
    let args = ["PreToolUse", "--host", "newcomer"];
    let call = |command: &str| json!({"toolName": "bash", "toolArgs": {"command": command}}).to_string();
    refused(&sandbox.hook(&args, call(DANGER).as_bytes()), "danger");
    let harmless = sandbox.hook(&args, call("ls").as_bytes());
    assert_eq!((harmless.code, harmless.stdout.as_str()), (Some(0), ""), "{harmless:?}");
    let log = sandbox.cli(&["log", "tail", "--json"]);
    assert!(log.stdout.contains("unknown host `newcomer`"), "{log:?}");

    for silent in ["{}", "no json", ""] {
        let ran = sandbox.hook(&args, silent.as_bytes());
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{silent}: {ran:?}");
        assert!(ran.stderr.contains("refused"), "{silent}: {ran:?}");
        let after = sandbox.hook(&["PostToolUse", "--host", "newcomer"], silent.as_bytes());
        assert_eq!(
            (after.code, after.stdout.as_str(), after.stderr.as_str()),
            (Some(0), "", ""),
            "{silent}: {after:?}"
        );
    }
}
