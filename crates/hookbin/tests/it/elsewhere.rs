//! What is not where it is expected: the guard's directories that the user has moved, and members that a payload names twice.

use serde_json::json;

use crate::sandbox::{Ran, Sandbox};

fn bash(sandbox: &Sandbox, command: &str, env: &[(&str, &str)]) -> Ran {
    let event = json!({
        "session_id": "00000000-0000-4000-8000-0000000000e1", "transcript_path": "", "cwd": sandbox.project(),
        "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "t", "tool_input": {"command": command},
    });
    sandbox.hook_with(&["PreToolUse"], event.to_string().as_bytes(), env)
}

#[test]
fn dirs_that_the_person_moved_are_protected_like_the_usual_ones() {
    let sandbox = Sandbox::new();
    let base = sandbox.home().join("moved");
    let base = base.to_str().unwrap();
    let client = format!("{base}/client");
    std::fs::create_dir_all(&client).unwrap();
    std::fs::write(format!("{client}/settings.json"), "{\"hooks\": \"hookbin hook\"}").unwrap();
    let variables = ["XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"];
    let moved: Vec<(&str, &str)> =
        variables.iter().map(|name| (*name, base)).chain([("CLAUDE_CONFIG_DIR", client.as_str())]).collect();
    let names: Vec<&str> = moved.iter().map(|(name, _)| *name).collect();
    sandbox.note_environment(&names.join("\n"));
    for command in [
        format!("rm {base}/hookbin/keys/project.key"),
        format!("echo x > {base}/hookbin/hookbin.toml"),
        format!("cp other {base}/hookbin/hookbin"),
        format!("cd {base} && python3 -c 'open(\"hookbin/keys/a\", \"w\")'"),
        format!("echo '{{\"disableAllHooks\": true}}' > {client}/settings.json"),
    ] {
        let ran = bash(&sandbox, &command, &moved);
        assert!(ran.reason().contains("the guard itself"), "{command}: {ran:?}");
        assert_eq!(ran.decision().as_deref(), Some("deny"), "{command}");
    }
    // Without the variables these are directories like any others, and beside them too.
    let plain = bash(&sandbox, &format!("echo x > {base}/hookbin/hookbin.toml"), &[]);
    assert_eq!(plain.decision(), None, "{plain:?}");
    let beside = bash(&sandbox, &format!("echo x > {base}/hookbinary.toml"), &moved);
    assert_eq!(beside.decision(), None, "{beside:?}");
}

/// The host reads JSON as JavaScript does: of two members with one name, the last counts.
#[test]
fn of_members_with_one_name_the_last_counts() {
    let sandbox = Sandbox::new();
    let decision = |members: &str| {
        let cwd = sandbox.project();
        let event = format!(
            r#"{{"session_id":"00000000-0000-4000-8000-0000000000e2","cwd":{:?},"hook_event_name":"PreToolUse",{members}}}"#,
            cwd.to_str().unwrap()
        );
        sandbox.hook(&["PreToolUse"], event.as_bytes()).decision()
    };
    let (bad, good) = (r#"{"command":"rm -rf /"}"#, r#"{"command":"ls"}"#);
    for (members, wanted) in [
        (format!(r#""tool_name":"Bash","tool_input":{good},"tool_input":{bad}"#), Some("deny")),
        (format!(r#""tool_name":"Bash","tool_input":{bad},"tool_input":{good}"#), None),
        (r#""tool_name":"Bash","tool_input":{"command":"ls","command":"rm -rf /"}"#.to_owned(), Some("deny")),
        (r#""tool_name":"Bash","tool_input":{"command":"ls","\u0063ommand":"rm -rf /"}"#.to_owned(), Some("deny")),
        (format!(r#""tool_name":"Read","tool_name":"Bash","tool_input":{bad}"#), Some("deny")),
    ] {
        assert_eq!(decision(&members).as_deref(), wanted, "{members}");
    }
}
