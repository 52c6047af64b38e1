//! The user's word where an organisation starts the guard.

use std::ffi::OsString;
use std::path::Path;

use chrono::{DateTime, Utc};
use hook_protocol::host::{CLAUDE_CODE, Host};
use hook_runtime::allowance::{self, Span};
use hook_runtime::event::args::HookArgs;
use hook_runtime::event::run::hook;
use hook_runtime::project::Project;
use hook_runtime::system::System;
use serde_json::json;

fn now() -> DateTime<Utc> {
    DateTime::from_timestamp(1_772_359_200, 0).unwrap()
}

/// A host whose organisation's settings are this file.
fn host(managed: &Path) -> &'static Host {
    let mut host = CLAUDE_CODE.clone();
    host.settings.managed = Box::leak(managed.to_str().unwrap().to_owned().into_boxed_str());
    Box::leak(Box::new(host))
}

#[test]
fn no_word_lifts_what_the_organisation_has_set() {
    let place = tempfile::tempdir().unwrap();
    let (home, root) = (place.path().join("home"), place.path().join("home/project"));
    std::fs::create_dir_all(&root).unwrap();
    let managed = place.path().join("managed-settings.json");
    let host = host(&managed);
    let system = || {
        let home = OsString::from(&home);
        System::new(move |name| (name == "HOME").then(|| home.clone()), now(), Some(root.clone())).of_host(host)
    };
    let event = json!({
        "hook_event_name": "PreToolUse", "session_id": "s1", "cwd": root, "tool_name": "Bash",
        "tool_input": {"command": "git push --force origin main"},
    });
    let args = HookArgs { project: Some(root.clone()), ..HookArgs::default() };
    let ask = || hook(&args, event.to_string().as_bytes(), &system());
    let project = Project::at(&root);

    let refused = ask();
    assert_eq!(refused.code, 2, "{refused:?}");
    let named = refused.stdout.split_once("hookbin allow ").unwrap().1.get(..4).unwrap().to_owned();
    let refusal = allowance::refusal(&named, &project).unwrap();
    allowance::allow(&refusal, Span::For(600), &project, &system()).unwrap();
    assert_eq!(ask().code, 0);
    allowance::begin_pause(600, &project, &system()).unwrap();
    assert_eq!(ask().code, 0);

    let entry = json!({"type": "command", "command": "/usr/local/bin/hookbin", "args": ["hook", "PreToolUse"]});
    let settings = json!({"hooks": {"PreToolUse": [{"hooks": [entry]}]}});
    std::fs::write(&managed, settings.to_string()).unwrap();
    let refused = ask();
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(!refused.stdout.contains("hookbin allow"), "{refused:?}");
    let error = allowance::begin_pause(600, &project, &system()).unwrap_err();
    assert!(error.is_wrong_use() && error.to_string().contains("organisation"), "{error}");
    assert!(allowance::allow(&refusal, Span::Once, &project, &system()).is_err());
    // Settings of theirs that have nothing to do with the guard change nothing.
    std::fs::write(&managed, json!({"permissions": {"deny": ["WebFetch"]}}).to_string()).unwrap();
    assert_eq!(ask().code, 0);
}
