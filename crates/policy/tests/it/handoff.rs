//! Handing work on: which sentences do it, in which order the rules count, and what text nobody meant.

use hook_policy::handoff::{Names, Next, Remark, Roster, handoffs, next, remarks};
use serde_json::Value;

/// The fifteen agents of the document (S2-62).
const AGENTS: [&str; 15] = [
    "routing-agent", "drupal-architect", "module-development-agent", "theme-development-agent",
    "configuration-management-agent", "content-migration-agent", "security-compliance-agent",
    "performance-devops-agent", "functional-testing-agent", "unit-testing-agent", "visual-regression-agent",
    "enhanced-project-manager-agent", "research-agent", "workflow-agent", "semantic-architect-agent",
];

const NAMES: Names<'_> =
    Names { token: "COLLECTIVE_HANDOFF_READY", validator: "tdd-validation-agent", hub: "task-orchestrator" };

fn after(agent: &str, output: &str) -> Next {
    next(agent, output, &NAMES, &Roster::new(AGENTS))
}

fn to(agent: &str, output: &str) -> Option<String> {
    match after(agent, output) {
        Next::Route { to, .. } => Some(to),
        _ => None,
    }
}

#[test]
fn s2_18_every_sentence_means_what_a_reader_takes_it_for() {
    let text = include_str!("../data/handoffs.json");
    let cases: Vec<Value> = serde_json::from_str(text).unwrap();
    assert!(cases.len() >= 200);
    let mut wrong = Vec::new();
    for case in &cases {
        let said = case["text"].as_str().unwrap();
        let found = to("workflow-agent", said);
        if found.as_deref() != case["next"].as_str() {
            wrong.push(format!("{}: {said:?} gives {found:?}", case["group"]));
        }
        if let Some(task) = case.get("task").and_then(Value::as_str) {
            let tasks: Vec<String> = handoffs(said).into_iter().map(|handoff| handoff.task).collect();
            assert_eq!(tasks.first().map(String::as_str), Some(task), "{said:?}");
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn s2_17_every_dash_is_a_hyphen_and_every_space_one_space() {
    for dash in ['-', '\u{2010}', '\u{2011}', '\u{2013}', '\u{2014}', '\u{2212}', '\u{ff0d}'] {
        for space in [" ", "  ", "\n", "\u{a0}", "\u{2009}", " \r\n\t"] {
            let said = format!("Use{space}the{space}research{dash}agent{space}subagent{space}to{space}read.");
            assert_eq!(to("workflow-agent", &said).as_deref(), Some("research-agent"), "{said:?}");
        }
    }
}

#[test]
fn s2_19_an_unknown_agent_is_named_with_the_nearest_known_one() {
    let unknown = |name: &str, nearest: Option<&str>| Next::Unknown {
        name: name.to_owned(),
        nearest: nearest.map(str::to_owned),
    };
    // Only an agent that a file defines is one that can be meant.
    let said = "Use the reserch-agent subagent to read.";
    assert_eq!(after("workflow-agent", said), unknown("reserch-agent", None));
    let defined = Roster::new(["research-agent"]).with_file("research-agent.md", "");
    let known = next("workflow-agent", said, &NAMES, &defined);
    assert_eq!(known, unknown("reserch-agent", Some("research-agent")));
    assert_eq!(after("workflow-agent", "Use the zz subagent to read."), unknown("zz", None));
    assert_eq!(after("workflow-agent", "Read it yourself."), Next::Nothing);
}

#[test]
fn the_projects_own_agents_count_and_a_name_twice_counts_once() {
    let matter = "---\nname: \"C-Agent\"\ndescription: x\n---\nname: d-agent\n";
    let files = [("b-agent.md", ""), ("other.md", matter), ("README.md", ""), ("notes.txt", matter), (".md", matter)];
    let roster = Roster::new(["a-agent", "A-Agent", " a-agent ", ""]);
    let roster = files.iter().fold(roster, |roster, (name, text)| roster.with_file(name, text));
    assert_eq!(
        ["a-agent", "B-agent", "c-agent"].map(|name| roster.spelled(name)),
        [Some("a-agent"), Some("b-agent"), Some("C-Agent")]
    );
    assert!(roster.knows("c-agent") && !roster.knows("other") && !roster.knows("d-agent"));
    assert!(roster.knows("A-AGENT") && roster.knows("b-agent") && roster.knows("general-purpose"));
    assert!(!roster.knows("notes") && !roster.knows("readme"));
    let known = next("x", "Use the b-agent subagent to go on.", &NAMES, &roster);
    assert!(matches!(known, Next::Route { to, .. } if to == "b-agent"));
}

#[test]
fn s2_29_the_checkpoint_is_asked_for_by_its_token_alone() {
    let wants = |agent, output| NAMES.wants_checkpoint(agent, output);
    assert!(wants("module-development-agent", "Done.\nCOLLECTIVE_HANDOFF_READY"));
    assert!(wants("x", "**COLLECTIVE_HANDOFF_READY**"));
    for output in
        ["Done, finished, complete and delivered.", "collective_handoff_ready", "COLLECTIVE_HANDOFF_READY_NOT", ""]
    {
        assert!(!wants("module-development-agent", output), "{output:?}");
    }
    assert!(
        !wants("tdd-validation-agent", "COLLECTIVE_HANDOFF_READY"),
        "the validator would ask for its own checkpoint"
    );
}

#[test]
fn s2_33_an_orchestration_status_goes_to_validation() {
    for output in [
        "ORCHESTRATION STATUS: COMPLETED",
        "**Orchestration Status** — completed",
        "Report\n\n## ORCHESTRATION STATUS: Phase 2 COMPLETED\n",
    ] {
        assert_eq!(to("task-orchestrator", output).as_deref(), Some("tdd-validation-agent"), "{output:?}");
    }
    for output in [
        "ORCHESTRATION STATUS: RUNNING", "ORCHESTRATION STATUS: NOT COMPLETED", "STATUS: COMPLETED",
        "ORCHESTRATION STATUS:\nCOMPLETED",
    ] {
        assert_eq!(to("task-orchestrator", output), None, "{output:?}");
    }
    assert_eq!(to("research-agent", "ORCHESTRATION STATUS: COMPLETED"), None, "it is no orchestrator");
}

#[test]
fn s2_34_all_tasks_complete_goes_to_validation() {
    assert_eq!(to("task-orchestrator", "All tasks successfully completed.").as_deref(), Some("tdd-validation-agent"));
    assert_eq!(to("task-orchestrator", "Not all tasks successfully completed."), None);
    assert_eq!(to("task-orchestrator", "All tasks started."), None);
}

#[test]
fn s2_35_a_complete_phase_goes_to_validation_with_its_number() {
    let Next::Route { to, why } = after("enhanced-orchestrator", "PHASE 3 HAS BEEN COMPLETED. Task 7 was hard.") else {
        panic!("no route");
    };
    assert_eq!(to, "tdd-validation-agent");
    assert!(why.contains("PHASE 3"), "{why}");
    let Next::Route { why, .. } = after("orchestrator", "All 12 tasks ran. Phase two has been completed.") else {
        panic!("no route");
    };
    assert!(why.contains("12 tasks"), "{why}");
}

#[test]
fn s2_36_without_a_marker_or_under_deployment_orchestration_goes_on() {
    for output in [
        "Phase 3 is next.",
        "The phase is complete.",
        "PHASE 3 HAS BEEN COMPLETED. Deploying the agents of phase 4.",
        "Active deployments: 2\nALL TASKS SUCCESSFULLY COMPLETED",
        "Phase 3 has not been completed.",
    ] {
        assert_eq!(after("task-orchestrator", output), Next::Nothing, "{output:?}");
    }
}

#[test]
fn the_rules_count_in_the_documents_order() {
    // A finished phase before a handoff, a handoff before finished work, finished work before unfinished.
    let phase = "PHASE 1 HAS BEEN COMPLETED. Use the research-agent subagent to read.";
    assert_eq!(to("task-orchestrator", phase).as_deref(), Some("tdd-validation-agent"));
    let handed = "Everything is done. Use the research-agent subagent to read.";
    assert_eq!(to("component-implementation-agent", handed).as_deref(), Some("research-agent"));
    let done = "The work is finished. Next steps: none.";
    assert_eq!(to("component-implementation-agent", done).as_deref(), Some("task-orchestrator"));
    for output in [
        "80% complete.", "It is in progress.", "Partially completed.", "Remaining work: the form.", "Ready to proceed.",
    ] {
        assert_eq!(after("component-implementation-agent", output), Next::GoOn, "{output:?}");
    }
    assert_eq!(after("research-agent", done), Next::Nothing, "it implements nothing");
    for output in ["It is not complete.", "I looked around.", ""] {
        assert_eq!(after("component-implementation-agent", output), Next::Nothing, "{output:?}");
    }
}

#[test]
fn s2_13_a_token_has_words_a_date_and_a_time() {
    let about = |output: &str| {
        let found = remarks("x", output);
        (found.contains(&Remark::NoToken), found.contains(&Remark::OddToken))
    };
    assert_eq!(about("HANDOFF_READY_20260301_101500"), (false, false));
    assert_eq!(about("Done: `AUTH_VALIDATED_20251231_235959`."), (false, false));
    for odd in [
        "HANDOFF_READY_20261301_101500", "HANDOFF_READY_20260301_241500", "HANDOFF_READY_2026_10",
        "A_READY_NOW_20260301_101500", "HANDOFF_READY_OK_20260301_101500",
    ] {
        assert!(about(odd).1 || about(odd).0, "{odd}");
    }
    assert_eq!(about("HANDOFF_READY_20261301_101500"), (false, true));
    assert_eq!(about("nothing"), (true, false));
}

#[test]
fn s2_14_changes_without_tests_are_remarked() {
    assert!(remarks("x", "I created parser.rs.").contains(&Remark::Untested));
    assert!(!remarks("x", "I created parser.rs and its tests.").contains(&Remark::Untested));
    assert_eq!(remarks("x", " \n"), [Remark::Empty]);
    assert!(remarks("x", "Hello.").contains(&Remark::LowQuality));
    assert!(!remarks("x", "Errors are handled: error.").contains(&Remark::LowQuality));
}

#[test]
fn s2_15_a_contract_names_status_files_or_next_steps() {
    assert!(remarks("x", "Hello.").contains(&Remark::NoContract));
    for output in ["The work is complete.", "Changed files: a.rs", "Next steps: deploy"] {
        assert!(!remarks("x", output).contains(&Remark::NoContract), "{output}");
    }
    assert!(remarks("research-agent", "Hello, done.").contains(&Remark::NoResearch));
    assert!(!remarks("research-agent", "My findings are done.").contains(&Remark::NoResearch));
    assert!(remarks("feature-implementation-agent", "All done.").contains(&Remark::NoWork));
    assert!(!remarks("feature-implementation-agent", "The function is done.").contains(&Remark::NoWork));
}

#[test]
fn text_that_nobody_meant_takes_linear_time() {
    let long = 1 << 17;
    let unit = |unit: &str| unit.repeat(long / unit.len());
    for output in [
        unit("\0"),
        unit("use the "),
        unit("\" "),
        unit(" '"),
        unit("“"),
        unit("["),
        unit("[a]("),
        unit("`"),
        unit("` "),
        unit("not use the research-agent subagent to "),
        unit("- \n"),
        unit("> a\n"),
        unit("```\n"),
        unit("PHASE "),
        unit("100% complete not "),
        unit("A_B_1_"),
        format!("use the {}", unit("a")),
    ] {
        let begin = std::time::Instant::now();
        next("task-orchestrator-implementation", &output, &NAMES, &Roster::new(AGENTS));
        remarks("research-implementation", &output);
        NAMES.wants_checkpoint("x", &output);
        let head: String = output.chars().take(12).collect();
        // Quadratic time would be hours.
        assert!(begin.elapsed().as_secs() < 60, "{head:?} took {:?}", begin.elapsed());
    }
}

#[test]
fn an_agent_is_named_as_the_client_spells_it() {
    let roster = Roster::new(["a-agent"]).with_file("x.md", "---\r\nname: Code_Reviewer\r\n---\r\n");
    assert_eq!(roster.spelled("code_reviewer"), Some("Code_Reviewer"));
    assert_eq!(roster.spelled("explore"), Some("Explore"), "the host's own agents");
    assert_eq!(roster.spelled("A-AGENT"), Some("a-agent"));
    assert_eq!(roster.spelled("b-agent"), None);
    // A plugin's agents are known to the host alone.
    assert!(roster.knows("tools:tester") && !roster.knows(":tester") && !roster.knows("tools:"));
    for name in ["code_reviewer", "**Code_Reviewer**", "`Code_Reviewer`", "tools:tester"] {
        let found = next("x", &format!("Use the {name} subagent to check it."), &NAMES, &roster);
        let plain = name.trim_matches(['*', '`']).to_lowercase();
        assert!(matches!(&found, Next::Route { to, .. } if *to == plain), "{name}: {found:?}");
    }
}
