//! Profile `sane` through the executable: the story of a session, tampering, many processes, and input that nobody expects.

mod gates;
mod prompt;
mod state;
mod track;

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox};

/// A session in a project under the profile.
struct Story {
    sandbox: Sandbox,
    session: &'static str,
}

const NOW: &str = "2026-08-18T09:05:03Z";

#[allow(clippy::needless_pass_by_value, reason = "a literal at the end of a call reads better without a mark")]
impl Story {
    /// A project that demands all of the research, servers or not.
    fn new() -> Self {
        Self::configured("")
    }

    fn configured(toml: &str) -> Self {
        let table = "[change.sanetools.sanetools]\n";
        let all = format!("{table}optional_when_unavailable = []\n");
        let story = Self::adapting();
        let toml = match toml {
            own if own.contains("optional_when_unavailable") => own.to_owned(),
            own if own.contains(table) => own.replace(table, &all),
            own => format!("{own}\n{all}"),
        };
        story.sandbox.write(".claude/hookbin.toml", &format!("profile = [\"sane\"]\n{toml}"));
        story
    }

    /// A project as the profile finds it.
    fn adapting() -> Self {
        Self { sandbox: Sandbox::with_profile("sane"), session: "one" }
    }

    fn event(&self, name: &str, members: Value) -> Ran {
        let mut event = json!({"session_id": self.session, "cwd": self.sandbox.project(), "hook_event_name": name});
        event.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        self.sandbox.hook_with(&[name], event.to_string().as_bytes(), &[("HOOKBIN_NOW", NOW)])
    }

    fn say(&self, prompt: &str) -> Ran {
        let ran = self.event("UserPromptSubmit", json!({"prompt": prompt}));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran
    }

    /// A command of the user: its answer.
    fn command(&self, prompt: &str) -> String {
        let ran = self.say(prompt);
        let json = ran.json();
        assert_eq!(json["decision"], "block", "{ran:?}");
        json["reason"].as_str().unwrap().to_owned()
    }

    fn pre(&self, tool: &str, input: Value) -> Ran {
        self.event("PreToolUse", json!({"tool_name": tool, "tool_input": input, "tool_use_id": "toolu_pre"}))
    }

    fn passes(&self, tool: &str, input: Value) {
        let ran = self.pre(tool, input.clone());
        assert_eq!((ran.code, ran.decision()), (Some(0), None), "{tool} {input}: {ran:?}");
    }

    fn passes_with_a_warning(&self) {
        let ran = self.pre("Edit", self.edit());
        assert!(ran.code == Some(0) && ran.context().contains("WARNING"), "{ran:?}");
    }

    fn refused(&self, tool: &str, input: Value) -> String {
        let ran = self.pre(tool, input.clone());
        assert_eq!((ran.code, ran.decision().as_deref()), (Some(2), Some("deny")), "{tool} {input}: {ran:?}");
        assert_eq!(ran.stderr.trim_end(), ran.reason());
        ran.reason()
    }

    fn did(&self, tool: &str, input: Value, call: &str) -> Ran {
        let ran = self.event(
            "PostToolUse",
            json!({"tool_name": tool, "tool_input": input, "tool_response": {"stdout": "", "stderr": ""}, "tool_use_id": call}),
        );
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran
    }

    fn failed(&self, tool: &str, input: Value, error: &str, call: &str) -> Ran {
        let ran = self.event(
            "PostToolUseFailure",
            json!({"tool_name": tool, "tool_input": input, "error": error, "is_interrupt": false, "tool_use_id": call}),
        );
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran
    }

    fn trip(&self) {
        for call in ["toolu_t1", "toolu_t2", "toolu_t3"] {
            self.failed("Bash", json!({"command": "x"}), "Exit code 1\nsyntax error near x", call);
        }
        assert_eq!(self.state()["circuit_breaker"]["tripped"], true);
    }

    fn research(&self) {
        for (number, (_, tool)) in TOOLS.iter().enumerate() {
            self.did(tool, json!({"query": "x"}), &format!("toolu_r{number}"));
        }
    }

    fn edit(&self) -> Value {
        json!({"file_path": self.sandbox.path("src/main.rs"), "old_string": "a", "new_string": "b"})
    }

    fn state(&self) -> Value {
        self.sandbox.json(".claude/state.json")
    }

    fn document(&self) -> PathBuf {
        self.sandbox.path(".claude/state.json")
    }

    fn key(&self) -> PathBuf {
        let keys = std::fs::read_dir(self.sandbox.home().join(".local/state/hookbin/keys")).unwrap();
        let mut keys =
            keys.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|it| it == "key"));
        keys.next().unwrap()
    }
}

/// A tool for each category, in the order of the document.
const TOOLS: [(&str, &str); 5] = [
    ("memory", "mcp__memory__search_nodes"),
    ("docs", "mcp__context7__get-library-docs"),
    ("web", "WebSearch"),
    ("github", "mcp__github__search_code"),
    ("local", "Grep"),
];

#[test]
fn s3_01_the_story_of_a_session_task_research_edit_failures_reset() {
    let story = Story::new();
    let told = story.say("Fix the crash in the login module").context();
    // Numbers of rules that nothing explains are for the log.
    assert!(told.contains("task (bug_fix)") && !told.contains('#'), "{told}");
    let reason = story.refused("Edit", story.edit());
    for (category, _) in TOOLS {
        assert!(reason.contains(&format!("- {category}:")), "{reason}");
    }
    story.research();
    story.passes("Edit", story.edit());
    story.did("Edit", story.edit(), "toolu_e1");
    story.trip();
    assert!(story.refused("Edit", story.edit()).contains("reset breaker"));
    // The agent cannot type the command: neither a tool nor a sentence resets it.
    story.say("please reset breaker, thanks");
    story.did("Bash", json!({"command": "echo reset breaker"}), "toolu_b");
    assert!(story.refused("Edit", story.edit()).contains("reset breaker"));
    assert!(story.command("reset breaker").contains("is reset"));
    story.passes("Edit", story.edit());
    let ran = story.event("Stop", json!({}));
    assert_eq!(ran.code, Some(0));
    assert!(ran.json()["systemMessage"].as_str().unwrap().contains("1 edits in 1 files"), "{ran:?}");
}

#[test]
fn s3_04_tracking_and_s3_05_stop_never_hold_anything_up() {
    let story = Story::new();
    story.trip();
    let ran = story.did("Bash", json!({"command": "ls"}), "toolu_x");
    assert!(ran.stdout.is_empty(), "{ran:?}");
    let stop = story.event("Stop", json!({}));
    assert_eq!(stop.code, Some(0));
    assert_eq!(stop.json().get("decision"), None);
}

#[test]
fn s3_05_a_stop_is_never_blocked() {
    let story = Story::new();
    story.say("fix the parser and commit it, plan first");
    let stop = story.event("Stop", json!({}));
    assert_eq!((stop.code, stop.json().get("decision")), (Some(0), None));
    assert!(stop.json()["systemMessage"].as_str().unwrap().contains("Still asked for: commit, plan"));
    assert!(story.event("Stop", json!({"stop_hook_active": true})).stdout.is_empty());
}

#[test]
fn s3_06_and_55_and_58_and_61_all_files_lie_where_the_document_names_them() {
    let story = Story::new();
    story.say("fix the parser");
    story.refused("Edit", story.edit());
    story.did("Read", json!({"file_path": story.sandbox.path("a")}), "toolu_1");
    story.event("Stop", json!({}));
    story.command("s+");
    let dir = std::fs::read_dir(story.sandbox.path(".claude")).unwrap();
    let mut names: Vec<String> = dir.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let expected = [
        // Keeps the others out of the repository.
        ".gitignore", "bypass_active.json", "hookbin", "hookbin.toml", "saneprompt.log", "sanestop.log",
        "sanetools.log", "sanetrack.log", "state.json", "state.json.lock",
    ];
    assert_eq!(names, expected);
    assert!(story.sandbox.log().join("audit.jsonl").exists());
}

#[test]
fn s3_55_each_log_holds_a_line_of_json_for_what_happened() {
    let story = Story::new();
    story.say("just fix the parser");
    story.refused("Edit", story.edit());
    story.failed("Bash", json!({"command": "x"}), "Exit code 127\nx: command not found", "toolu_1");
    story.event("Stop", json!({}));
    let line = |file: &str| -> Value {
        let text = story.sandbox.read(&format!(".claude/{file}"));
        let line: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        assert_eq!(line["timestamp"], NOW);
        assert!(line["pid"].is_u64());
        line
    };
    let prompt = line("saneprompt.log");
    assert_eq!((&prompt["type"], &prompt["triggers"]), (&json!("task"), &json!(["just"])));
    assert_eq!(prompt["rules"], json!(["#3", "#7", "#8"]));
    let tools = line("sanetools.log");
    assert_eq!((&tools["tool"], &tools["blocked"]), (&json!("Edit"), &json!(true)));
    assert!(tools["reason"].as_str().unwrap().contains("memory, docs, web, github, local"));
    assert_eq!(line("sanetrack.log")["result"], "COMMAND_NOT_FOUND");
    let stop = line("sanestop.log");
    assert_eq!((&stop["edits"], &stop["failures"], &stop["blocks"]), (&json!(0), &json!(1), &json!(1)));
}

#[test]
fn s3_58_there_is_one_state_file_with_all_sections() {
    let story = Story::new();
    story.say("fix the parser, plan first");
    story.refused("Edit", story.edit());
    story.research();
    story.did("Edit", story.edit(), "toolu_e");
    story.trip();
    story.command("saneloop start fix it\n- tests pass");
    let state = story.state();
    for section in
        ["circuit_breaker", "requirements", "research", "edits", "saneloop", "enforcement", "action_log", "learnings"]
    {
        assert!(!state[section].is_null(), "{section} in {state}");
    }
}

#[test]
fn s3_61_paths_follow_the_project_and_not_the_working_directory() {
    let story = Story::new();
    std::fs::create_dir_all(story.sandbox.path("deep/er")).unwrap();
    let event = json!({"session_id": "one", "cwd": story.sandbox.path("deep/er"), "hook_event_name": "UserPromptSubmit", "prompt": "s+"});
    story.sandbox.hook(&["UserPromptSubmit"], event.to_string().as_bytes());
    assert!(story.sandbox.path(".claude/bypass_active.json").exists());
    assert!(!story.sandbox.path("deep/er/.claude").exists());
}

#[test]
fn s3_57_exit_codes_are_0_and_2_and_never_1() {
    let story = Story::new();
    let codes: Vec<Option<i32>> = [
        story.pre("Edit", story.edit()),
        story.pre("Read", json!({})),
        story.pre("Edit", json!({})),
        story.pre("", json!(null)),
        story.say("s?"),
        story.event("Stop", json!({})),
        story.did("Bash", json!({"command": 7}), "toolu_1"),
    ]
    .into_iter()
    .map(|ran| ran.code)
    .collect();
    assert_eq!(codes, [2, 0, 2, 0, 0, 0, 0].map(Some));
}

#[test]
fn s3_56_and_60_every_hook_has_its_self_test_and_it_touches_nothing() {
    let story = Story::new();
    story.trip();
    let before = std::fs::read(story.document()).unwrap();
    for (name, least) in [("saneprompt", 26), ("sanetools", 11), ("sanetrack", 8), ("sanestop", 4), ("config", 5)] {
        let ran = story.sandbox.cli(&["selftest", name, "--json"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let cases = ran.json()["cases"].as_array().unwrap().clone();
        assert!(cases.len() >= least, "{name}: {}", cases.len());
        assert!(
            cases
                .iter()
                .all(|case| case["group"] == name && case["name"].as_str().is_some_and(|name| !name.is_empty()))
        );
    }
    let all = story.sandbox.cli(&["selftest", "sane"]);
    assert_eq!(all.code, Some(0));
    assert!(all.stdout.lines().count() >= 54, "{}", all.stdout);
    assert_eq!(std::fs::read(story.document()).unwrap(), before);
}

#[test]
fn s3_60_sx_03_the_self_test_of_everything_passes() {
    let ran = Story::new().sandbox.cli(&["selftest"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for group in ["standard", "spf", "saneprompt", "sanetools", "sanetrack", "sanestop", "config"] {
        assert!(
            ran.stdout.contains(&format!("\n{group}: ")) || ran.stdout.starts_with(&format!("{group}: ")),
            "{group}"
        );
    }
}
