//! What a session and its agents are told at their start, and what survives a compaction.

use serde_json::{Value, json};

use super::{Team, notice};

const RECOVERY: &str = ".claude/compact-recovery.json";

fn starts(team: &Team, source: &str) -> crate::sandbox::Ran {
    team.event("SessionStart", &json!({"source": source}))
}

#[test]
fn s2_01_the_profile_has_the_documents_eight_hooks() {
    let team = Team::new();
    let shown = team.sandbox.cli(&["profile", "show", "collective"]).stdout;
    for hook in [
        "load-behavioral-system", "block-destructive-commands", "block-sensitive-files", "collective-metrics",
        "semantic-docs-update", "test-driven-handoff", "pre-compact-state", "subagent-context-inject",
    ] {
        assert!(shown.contains(hook), "{hook} is missing:\n{shown}");
    }
}

#[test]
fn s2_20_installed_entries_match_by_text_or_match_all() {
    let team = Team::new();
    let printed = team.sandbox.cli(&["settings", "--profile", "collective"]).stdout;
    let json: Value = serde_json::from_str(&printed).unwrap();
    let hooks = json.get("hooks").unwrap_or(&json).as_object().unwrap();
    for event in ["SessionStart", "PreToolUse", "PostToolUse", "PreCompact", "SubagentStart", "SubagentStop"] {
        for group in hooks[event].as_array().unwrap() {
            assert!(group.get("matcher").is_none_or(Value::is_string), "{event}: {group}");
        }
    }
    // A checkpoint has 150 seconds, and the host has to wait for it.
    for event in ["SubagentStop", "PostToolUse"] {
        let timeout = hooks[event][0]["hooks"][0]["timeout"].as_u64().unwrap();
        assert!(timeout > 150, "{event}: {timeout}");
    }
    assert_eq!(hooks["PreToolUse"][0]["hooks"][0]["timeout"], 10);
}

#[test]
fn s2_02_index_and_decision_are_given_in_this_order() {
    let team = Team::new();
    team.sandbox.write(".claude-collective/INDEX.md", "The index.\n");
    team.sandbox.write(".claude-collective/DECISION.md", "The decision.\n");
    let context = starts(&team, "startup").context();
    let (index, decision) = (context.find("The index.").unwrap(), context.find("The decision.").unwrap());
    assert!(index < decision, "{context}");
    assert!(!context.contains("Left out"), "{context}");
}

#[test]
fn s2_21_every_source_gets_them() {
    for source in ["startup", "resume", "clear", "compact", "fork", "another"] {
        let team = Team::new();
        team.sandbox.write(".claude-collective/INDEX.md", "The index.\n");
        assert!(starts(&team, source).context().contains("The index."), "{source}");
    }
}

#[test]
fn more_than_ten_thousand_characters_are_cut_at_a_line_and_named() {
    let team = Team::new();
    let index: String = (0..500).fold(String::new(), |text, n| text + &format!("index line {n} ünïcode\n"));
    team.sandbox.write(".claude-collective/INDEX.md", &index);
    team.sandbox.write(".claude-collective/DECISION.md", "The decision.\n");
    team.sandbox.write(RECOVERY, r#"{"saved_at":"2026-03-01T09:00:00Z","active_agent":"research-agent"}"#);
    let context = starts(&team, "compact").context();
    assert!(context.chars().count() <= 10_000, "{}", context.chars().count());
    assert!(context.contains("index line 0 ") && !context.contains("index line 499"));
    let last = context.lines().rfind(|line| line.starts_with("index line")).unwrap();
    assert!(last.ends_with("ünïcode"), "a line was cut: {last}");
    assert!(context.contains("Left out for want of room"), "{context}");
    for named in [".claude-collective/INDEX.md (", ".claude-collective/DECISION.md (1 of 1 lines)"] {
        assert!(context.contains(named), "{named} is not named");
    }
    assert!(context.contains("Active agent: research-agent"), "what is small and important stays");
}

#[test]
fn s2_57_a_compaction_saves_what_would_be_lost() {
    let team = Team::new();
    assert_eq!(team.event("PreCompact", &json!({"trigger": "auto"})).stdout, "");
    let saved = team.sandbox.json(RECOVERY);
    assert_eq!(saved["saved_at"], "2026-03-01T10:00:00Z");
    assert_eq!(saved["version"], "2.1.0");
}

#[test]
fn s2_58_agent_tasks_handoff_and_time_are_saved() {
    let team = Team::new();
    let tasks = json!({"tasks": [
        {"id": 1, "title": "Old", "status": "done", "details": "x"},
        {"id": "2.1", "title": "Parse\nthe input", "status": "in-progress", "details": "x"},
        {"id": 3, "title": "Next", "status": "pending"},
    ]});
    team.sandbox.write(".taskmaster/tasks/tasks.json", &tasks.to_string());
    team.starts("research-agent", "a1");
    team.ends("research-agent", "a1", "Use the unit-testing-agent subagent to test the parser.");
    team.starts("drupal-architect", "a2");
    team.event("PreCompact", &json!({"trigger": "manual"}));
    let saved = team.sandbox.json(RECOVERY);
    assert_eq!(saved["active_agent"], "drupal-architect");
    assert_eq!(saved["current_task"], json!([{"id": "2.1", "title": "Parse the input", "status": "in-progress"}]));
    assert_eq!(saved["handoff_state"]["agent"], "unit-testing-agent");
    assert_eq!(saved["handoff_state"]["from"], "research-agent");
    assert_eq!(saved["saved_at"], "2026-03-01T10:00:00Z");
    // Without a running agent it is the one that is asked for.
    team.ends("drupal-architect", "a2", "Looked around.");
    team.event("PreCompact", &json!({"trigger": "manual"}));
    assert_eq!(team.sandbox.json(RECOVERY)["active_agent"], "unit-testing-agent");
}

#[test]
fn s2_59_the_next_start_reads_it() {
    let team = Team::new();
    team.sandbox.write(
        ".taskmaster/tasks/tasks.json",
        r#"{"master":{"tasks":[{"id":7,"title":"Cache","status":"in-progress"}]}}"#,
    );
    team.starts("research-agent", "a1");
    team.event("PreCompact", &json!({"trigger": "auto"}));
    let context = starts(&team, "compact").context();
    for part in ["research-agent", "Task 7: Cache (in-progress)", "2026-03-01T10:00:00Z", "recorded data"] {
        assert!(context.contains(part), "{part} is missing:\n{context}");
    }
}

#[test]
fn s2_03_recovery_is_shown_once_and_the_file_goes() {
    let team = Team::new();
    team.starts("research-agent", "a1");
    team.event("PreCompact", &json!({"trigger": "auto"}));
    assert!(starts(&team, "compact").context().contains("research-agent"));
    assert!(!team.sandbox.path(RECOVERY).exists());
    assert_eq!(starts(&team, "resume").stdout, "");
}

#[test]
fn s2_60_the_recovery_file_is_removed_only_after_it_was_given() {
    // A file that is of no use is kept under another name, and said so.
    for (text, why) in [
        ("{\"saved_at\":\"2026-03-01T09:00:00Z\",\"active_ag", "damaged"),
        ("", "damaged"),
        ("[1]", "damaged"),
        ("{\"active_agent\":\"x-agent\",\"project\":\"/somewhere/else\"}", "another project (/somewhere/else)"),
    ] {
        let team = Team::new();
        team.sandbox.write(RECOVERY, text);
        let ran = starts(&team, "compact");
        assert!(notice(&ran).contains(why), "{text:?}: {ran:?}");
        assert!(!ran.stdout.contains("x-agent"), "{ran:?}");
        assert!(!team.sandbox.path(RECOVERY).exists(), "{text:?}");
        let aside = crate::sandbox::tree(&team.sandbox.path(".claude"))
            .into_iter()
            .find(|path| path.to_string_lossy().contains("compact-recovery.json.damaged-"))
            .unwrap_or_else(|| panic!("{text:?} is lost"));
        assert_eq!(std::fs::read_to_string(aside).unwrap(), text);
    }
}

#[test]
fn of_two_sessions_in_a_project_each_gets_its_own_state_back() {
    let mut team = Team::new();
    let other = "00000000-0000-4000-8000-0000000000ff";
    let of = |name: &str, fields: Value| {
        let mut fields = fields;
        fields["session_id"] = json!(other);
        (name.to_owned(), fields)
    };
    team.starts("research-agent", "a1");
    team.event("PreCompact", &json!({"trigger": "auto"}));
    // While one compacts, another starts: it leaves the file alone.
    let (name, start) = of("SessionStart", json!({"source": "startup"}));
    assert_eq!(team.event(&name, &start).stdout, "");
    assert!(starts(&team, "compact").context().contains("Active agent: research-agent"));
    // Both compact at once: the file is the last one's, and each session still gets what is its own.
    team.starts("drupal-architect", "a2");
    team.event("PreCompact", &json!({"trigger": "auto"}));
    let (name, agent) = of("SubagentStart", json!({"agent_type": "workflow-agent", "agent_id": "b1"}));
    team.event(&name, &agent);
    let (name, compacts) = of("PreCompact", json!({"trigger": "auto"}));
    team.event(&name, &compacts);
    assert!(starts(&team, "compact").context().contains("Active agent: drupal-architect"));
    let (name, start) = of("SessionStart", json!({"source": "compact"}));
    assert!(team.event(&name, &start).context().contains("Active agent: workflow-agent"));
    // What a session left over long ago is for whoever starts next.
    team.event("PreCompact", &json!({"trigger": "auto"}));
    "2026-03-01T11:00:00Z".clone_into(&mut team.now);
    let (name, start) = of("SessionStart", json!({"source": "startup"}));
    assert!(team.event(&name, &start).context().contains("Active agent: drupal-architect"));
    assert!(!team.sandbox.path(RECOVERY).exists());
}

#[test]
fn a_plugins_agent_is_known_and_an_unknown_one_is_warned_of_once() {
    let team = Team::new();
    assert_eq!(notice(&team.starts("review-tools:checker", "a1")), "");
    assert!(notice(&team.starts("chekcer", "a2")).contains("No file in .claude/agents defines the agent chekcer"));
    for id in ["a3", "a4"] {
        assert_eq!(notice(&team.starts("chekcer", id)), "", "it was said");
    }
    assert!(notice(&team.starts("another", "a5")).contains("another"));
    team.sandbox.write(".claude/agents/review/deep.md", "---\nname: deep-agent\n---\n");
    assert_eq!(notice(&team.starts("deep-agent", "a6")), "", "Claude Code looks into directories as well");
}

#[test]
fn s2_64_agents_that_start_later_get_it_too() {
    let team = Team::new();
    team.starts("research-agent", "a1");
    team.event("PreCompact", &json!({"trigger": "auto"}));
    starts(&team, "compact");
    for id in ["a2", "a3"] {
        assert!(team.starts("unit-testing-agent", id).context().contains("Active agent: research-agent"));
    }
}

#[test]
fn s2_61_known_agents_pass_without_a_word() {
    let team = Team::new();
    team.sandbox.write(".claude/agents/own.md", "---\nname: our-agent\n---\nWork.\n");
    for agent in ["our-agent", "general-purpose", "Explore", "unknown", "mock-anything", ""] {
        assert_eq!(notice(&team.starts(agent, "a1")), "", "{agent}");
    }
}

#[test]
fn s2_62_the_registry_has_the_documents_fifteen_names() {
    let team = Team::new();
    let names = "routing-agent drupal-architect module-development-agent theme-development-agent \
                 configuration-management-agent content-migration-agent security-compliance-agent performance-devops-agent \
                 functional-testing-agent unit-testing-agent visual-regression-agent enhanced-project-manager-agent research-agent \
                 workflow-agent semantic-architect-agent";
    let names: Vec<&str> = names.split_whitespace().collect();
    assert_eq!(names.len(), 15);
    for name in names {
        assert_eq!(notice(&team.starts(name, "a1")), "", "{name}");
    }
}

#[test]
fn s2_63_an_unknown_name_is_warned_about_and_goes_on() {
    let team = Team::new();
    team.sandbox.write("composer.json", r#"{"require":{"drupal/core":"^10.3"}}"#);
    let ran = team.starts("reserch\nagent", "a1");
    assert_eq!(ran.code, Some(0));
    assert!(!notice(&ran).contains("Did it mean"), "no file defines the nearest: {ran:?}");
    assert!(ran.context().contains("^10.3"), "the agent is still told what it should know");
    let log = team.sandbox.read(".claude/hookbin/state/subagent-context.log");
    assert_eq!(log.lines().count(), 1, "{log}");
    assert!(log.starts_with("[2026-03-01 10:00:00] WARN: "), "{log}");
    team.sandbox.write(".claude/agents/research-agent.md", "---\nname: research-agent\n---\n");
    let ran = team.starts("reserch-agent", "a2");
    assert!(notice(&ran).contains("Did it mean research-agent?"), "{ran:?}");
}

#[test]
fn s2_65_an_agent_with_a_memory_is_told_where_it_is() {
    let team = Team::new();
    team.sandbox.write(".claude/agent-memory/research-agent/MEMORY.md", "x");
    team.sandbox.write(".claude/secret/MEMORY.md", "x");
    let context = team.starts("research-agent", "a1").context();
    assert!(context.contains(".claude/agent-memory/research-agent/MEMORY.md"), "{context}");
    assert_eq!(team.starts("workflow-agent", "a2").stdout, "");
    assert!(!team.starts("../secret", "a3").stdout.contains("MEMORY.md"));
}

#[test]
fn s2_66_versions_come_from_the_manifests() {
    for (file, text, want) in [
        ("composer.json", r#"{"require":{"drupal/core-recommended":"~11.1"}}"#, "Drupal version: ~11.1"),
        (
            "composer.json",
            r#"{"require":{"drupal/core-recommended":"~11.1","drupal/core":"^10.2"}}"#,
            "Drupal version: ^10.2 (composer.json)",
        ),
        (
            "package.json",
            r#"{"engines":{"node":">=20"},"devDependencies":{"vitest":"^3.0"}}"#,
            "Node version: >=20, vitest ^3.0",
        ),
        (
            "Cargo.toml",
            "[package]\nname='a'\nrust-version='1.89'\nedition='2024'\n",
            "Rust version: 1.89, edition: 2024",
        ),
        (
            "pyproject.toml",
            "[project]\nrequires-python = '>=3.11'\ndependencies = ['Django>=5']\n",
            "Python version: >=3.11, Django>=5",
        ),
        ("go.mod", "module a\n\ngo 1.24\n", "Go version: 1.24"),
    ] {
        let team = Team::new();
        team.sandbox.write(file, text);
        let context = team.starts("research-agent", "a1").context();
        assert!(context.contains(want), "{file}: {context}");
    }
    for broken in ["", "{", "[]", "null", "\0\0", "{\"require\":[1]}", "{\"require\":{\"drupal/core\":7}}"] {
        let team = Team::new();
        team.sandbox.write("composer.json", broken);
        assert_eq!(team.starts("research-agent", "a1").stdout, "", "{broken:?}");
    }
}

#[test]
fn s2_07_documentation_is_reminded_of_once_after_modules_changed() {
    let team = Team::new();
    let write = |path: &str, id: &str| {
        let path = team.sandbox.path(path);
        team.event(
            "PostToolUse",
            &json!({"tool_name": "Write", "tool_input": {"file_path": path, "content": "x"}, "tool_response": {}, "tool_use_id": id}),
        )
    };
    for (path, id) in [
        ("web/modules/custom/my_shop/src/Cart.php", "t1"),
        ("modules/custom/blog/blog.module", "t2"),
        ("modules/custom/blog/blog.info.yml", "t3"),
        ("web/modules/contrib/views/views.module", "t4"),
        ("src/custom/other/a.php", "t5"),
    ] {
        assert_eq!(write(path, id).stdout, "", "{path}");
    }
    let told = team.returns("module-development-agent", "a1", "Looked at it.").context();
    assert!(told.contains("my_shop, blog") && told.contains("semantic-architect-agent"), "{told}");
    assert!(!told.contains("views") && !told.contains("other"), "{told}");
    assert_eq!(team.returns("module-development-agent", "a2", "Looked again.").stdout, "", "it was reminded already");
    write("modules/custom/news/news.module", "t6");
    assert!(notice(&team.stops()).contains("news"), "a text for the model would cost a turn here");
    assert_eq!(team.prompt("go on").stdout, "");
}

#[test]
fn a_finished_development_task_reminds_without_modules_too() {
    let team = Team::new();
    let done = |subject: &str| {
        team.event("TaskCompleted", &json!({"task_id": "1", "task_subject": subject, "task_description": ""}))
    };
    for subject in
        ["Implement the cart", "Refactor the parser", "Add a mail service", "Create a form", "A new shop module"]
    {
        assert!(notice(&done(subject)).contains("semantic-architect-agent"), "{subject}");
        assert_eq!(done(subject).stdout, "", "{subject}: it was reminded already");
    }
    for subject in ["Read the logs", "Recreate nothing", "Answer a question about services", "Address the mail"] {
        assert_eq!(done(subject).stdout, "", "{subject}");
    }
}
