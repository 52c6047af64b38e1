//! The guard against destruction and leaked secrets, which every profile has.

use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox};

const PROFILES: [&str; 6] = ["standard", "spf", "guardrails", "collective", "sane", "claude-os"];

fn call(sandbox: &Sandbox, tool: &str, input: &Value) -> Ran {
    let event = json!({
        "session_id": "one", "cwd": sandbox.project(), "hook_event_name": "PreToolUse", "tool_name": tool,
        "tool_input": input, "tool_use_id": "toolu_1",
    });
    sandbox.hook(&["PreToolUse"], event.to_string().as_bytes())
}

#[test]
fn every_profile_judges_what_goes_through_native_tools_and_those_of_servers() {
    for profile in PROFILES {
        let sandbox = Sandbox::with_profile(profile);
        for tool in ["mcp__gate__spf_bash", "spf_bash", "Bash"] {
            let ran = call(&sandbox, tool, &json!({"command": "rm -rf /", "approved": true}));
            assert_eq!(ran.decision().as_deref(), Some("deny"), "{profile} {tool}: {ran:?}");
        }
        for tool in ["mcp__gate__spf_read", "spf_read", "Read"] {
            let ran = call(&sandbox, tool, &json!({"file_path": "~/.ssh/id_ed25519", "approved": true}));
            assert_eq!(ran.decision().as_deref(), Some("deny"), "{profile} {tool}: {ran:?}");
        }
    }
}

#[test]
fn spf_judges_the_tools_that_it_sends_work_to_and_spares_their_harmless_calls() {
    let sandbox = Sandbox::with_profile("spf");
    let cases = [
        ("spf_bash", json!({"command": "git push --force origin main"}), true),
        ("spf_bash", json!({"command": "git push origin feature"}), false),
        ("spf_bash", json!({"command": "ls"}), false),
        ("spf_read", json!({"file_path": ".env"}), true),
        ("spf_read", json!({"file_path": ".env.example"}), false),
        ("spf_write", json!({"file_path": "/etc/passwd", "content": "x"}), true),
        ("spf_write", json!({"file_path": "src/a.rs", "content": "x"}), false),
        ("spf_edit", json!({"file_path": "~/.bashrc", "old_string": "a", "new_string": "b"}), true),
    ];
    for (tool, input, stopped) in cases {
        let ran = call(&sandbox, &format!("mcp__gate__{tool}"), &input);
        assert_eq!(ran.decision().is_some(), stopped, "{tool} {input}: {ran:?}");
    }
    // A native tool is refused in the document's words, whatever it is asked to do.
    for profile in ["spf", "standard,spf", "spf,standard"] {
        let ran = call(&Sandbox::with_profile(profile), "Bash", &json!({"command": "rm -rf /"}));
        assert!(ran.reason().contains("BLOCKED: Native Bash disabled. Use spf_bash with approved=true"), "{ran:?}");
    }
}

#[test]
fn sane_asks_the_guard_first_and_counts_no_failure() {
    let sandbox = Sandbox::with_profile("sane");
    for _ in 0..6 {
        let ran = call(&sandbox, "Bash", &json!({"command": "rm -rf /"}));
        assert!(ran.reason().contains("(rule "), "{ran:?}");
    }
    let status: Value = serde_json::from_str(&sandbox.cli(&["status", "--json"]).stdout).unwrap();
    assert_eq!(status["signed"]["breaker_tripped"], json!(false));
    assert_eq!(status["signed"]["failures"], json!(0));
}

#[test]
fn a_setting_gives_the_bare_document_and_own_protection_stays() {
    for profile in ["standard", "spf", "guardrails"] {
        let sandbox = Sandbox::with_profile(profile);
        let config = format!("profile = [\"{profile}\"]\n[change.guard.guard]\nenabled = false\n");
        sandbox.write(".claude/hookbin.toml", &config);
        let ran = call(&sandbox, "mcp__gate__spf_read", &json!({"file_path": "/srv/app/.env"}));
        assert_eq!(ran.decision(), None, "{profile}: {ran:?}");
        let own = call(&sandbox, "mcp__gate__spf_bash", &json!({"command": "rm -rf .claude"}));
        assert_eq!(own.decision().as_deref(), Some("deny"), "{profile}: {own:?}");
    }
}

#[test]
fn a_call_that_cannot_be_read_is_asked_about_wherever_the_guard_is_on() {
    let cut_off = b"{\"hook_event_name\":\"PreToolUse\"";
    for profile in ["sane", "collective", "claude-os"] {
        let sandbox = Sandbox::with_profile(profile);
        assert_eq!(sandbox.hook(&["PreToolUse"], cut_off).decision().as_deref(), Some("ask"), "{profile}");
    }
    let sandbox = Sandbox::with_profile("sane");
    sandbox.write(".claude/hookbin.toml", "profile = [\"sane\"]\n[change.guard.guard]\nenabled = false\n");
    assert_eq!(sandbox.hook(&["PreToolUse"], cut_off).decision(), None);
}

#[test]
fn install_shows_the_guard_of_every_profile_and_says_where_it_is_off() {
    for profile in PROFILES {
        let sandbox = Sandbox::new();
        let ran = sandbox.cli(&["install", "--profile", profile]);
        assert_eq!(ran.stdout.matches("(rule ").count(), 3, "{profile}: {ran:?}");
        assert!(!ran.stdout.contains("research comes before"), "{ran:?}");
    }
    let sandbox = Sandbox::new();
    sandbox.write(".claude/hookbin.toml", "profile = [\"sane\"]\n[change.guard.guard]\nenabled = false\n");
    let ran = sandbox.cli(&["install"]);
    assert!(ran.stdout.contains("profile sane has the guard turned off"), "{ran:?}");
}
