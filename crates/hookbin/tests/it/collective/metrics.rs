//! The figures: what is counted, that nothing is lost, and that reports add up.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{SESSION, TOKEN, Team};
use crate::sandbox::{Turns, crowd};

const DAY: &str = ".claude-collective/metrics/metrics-20260301.json";

impl Team {
    fn call(&self, tool: &str, id: &str, millis: Option<u64>) {
        let mut fields = json!({"tool_name": tool, "tool_input": {}, "tool_response": {}, "tool_use_id": id});
        if let Some(millis) = millis {
            fields["duration_ms"] = json!(millis);
        }
        assert_eq!(self.event("PostToolUse", &fields).stdout, "");
    }

    fn report(&self, args: &[&str]) -> Value {
        let mut all = vec!["metrics", "report", "--json"];
        all.extend(args);
        let ran = self.sandbox.cli(&all);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.json()
    }
}

#[test]
fn a_day_of_any_numbers_is_read_and_a_damaged_one_kept() {
    let team = Team::new();
    team.sandbox
        .write(DAY, r#"{"totals":{"calls":18446744073709551615,"tools":{"Bash":{"calls":18446744073709551615}}}}"#);
    team.call("Bash", "t1", Some(1));
    let report = team.report(&[]);
    assert_eq!(report["totals"]["calls"], json!(u64::MAX), "it does not run over: {report}");
    assert_eq!(report["from"], "2026-03-01", "the file's name says which day it is: {report}");
    for (at, text) in ["{\"date\":", "[]"].iter().enumerate() {
        team.sandbox.write(DAY, text);
        team.call("Bash", &format!("d{at}"), Some(1));
    }
    let dir = team.sandbox.path(".claude-collective/metrics");
    let kept: Vec<String> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().contains(".damaged-"))
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    assert_eq!(kept.len(), 2, "one damaged file took the place of another: {kept:?}");
}

#[test]
fn s2_06_routing_performance_and_research_are_counted() {
    let mut team = Team::new();
    team.prompt("Build it.");
    team.starts("research-agent", "a1");
    team.call("Bash", "t1", Some(120));
    team.now = "2026-03-01T10:00:02Z".to_owned();
    team.ends("research-agent", "a1", "Tests cover it. No errors, 0 failed.");
    team.ends("workflow-agent", "a2", "It failed: error in the parser.\nAsk @research-agent and @drupal-agent.");
    let day = team.sandbox.json(DAY);
    assert_eq!(day["date"], "2026-03-01");
    let at = |pointer: &str| day.pointer(pointer).unwrap_or_else(|| panic!("{pointer} in {day}"));
    assert_eq!(at("/research_metrics/jit_hypothesis/context_load_times/0/context_size"), 9);
    assert_eq!(at("/research_metrics/jit_hypothesis/agent_spawn_times/0/agent"), "research-agent");
    assert_eq!(at("/research_metrics/hub_spoke_hypothesis/routing_accuracy"), &json!([1, 0]));
    assert_eq!(at("/research_metrics/hub_spoke_hypothesis/coordination_overhead/0/coordination_time_ms"), 2000);
    assert_eq!(at("/research_metrics/hub_spoke_hypothesis/peer_communication_violations"), 1);
    assert_eq!(at("/research_metrics/tdd_hypothesis/test_coverage/0/has_tests"), true);
    assert_eq!(at("/research_metrics/tdd_hypothesis/handoff_success_rate"), &json!([1, 0]));
    assert_eq!(at("/performance_metrics/agent_handoffs/1/agent"), "workflow-agent");
    assert_eq!(at("/system_health/error_rate"), 1);
}

#[test]
fn s2_10_every_tool_is_recorded_and_the_flow_goes_on() {
    let team = Team::new();
    for (at, tool) in ["Bash", "Read", "Grep", "mcp__db__query", "Agent", "NoSuchTool"].iter().enumerate() {
        team.call(tool, &format!("t{at}"), None);
    }
    assert_eq!(team.sandbox.json(DAY)["totals"]["calls"], 6);
}

#[test]
fn s2_37_tool_result_and_time_are_the_inputs() {
    let team = Team::new();
    team.call("Bash", "t1", Some(120));
    team.call("Bash", "t1", Some(120));
    team.call("Bash", "t2", Some(80));
    team.call("Read", "t3", None);
    let failed =
        json!({"tool_name": "Bash", "tool_input": {}, "tool_use_id": "t4", "error": "Exit code 1", "duration_ms": 10});
    team.event("PostToolUseFailure", &failed);
    team.bash("rm -rf src");
    team.bash("ls");
    let day = team.sandbox.json(DAY);
    let bash = json!({"calls": 3, "failed": 1, "timed": 3, "millis": 210, "longest": 120});
    assert_eq!(day["totals"]["tools"]["Bash"], bash, "a call that is told twice counts once");
    assert_eq!(day["totals"]["tools"]["Read"], json!({"calls": 1, "failed": 0, "timed": 0, "millis": 0, "longest": 0}));
    assert_eq!(day["totals"]["refused"], 1);
    let first = &day["performance_metrics"]["tool_executions"][0];
    assert_eq!(
        *first,
        json!({"timestamp": "2026-03-01T10:00:00Z", "tool": "Bash", "execution_time_ms": 120, "event": "PostToolUse"})
    );
    assert_eq!(day["performance_metrics"]["directive_violations"][0]["rule"], "delete-tree");
}

#[test]
fn s2_38_snapshots_and_sums_are_stored_and_reports_derived() {
    let mut team = Team::new();
    team.call("Bash", "t1", Some(100));
    team.sandbox.write("package.json", r#"{"scripts":{"test":"x"}}"#);
    team.ends("research-agent", "a1", &format!("Use the workflow-agent subagent to go on. {TOKEN}"));
    team.event("SessionEnd", &json!({"reason": "other"}));
    let dir = ".claude-collective/metrics";
    let snapshot = team.sandbox.json(&format!("{dir}/snapshots/snapshot-20260301-100000.json"));
    assert_eq!((&snapshot["session"], &snapshot["totals"]["calls"]), (&json!(SESSION), &json!(1)));
    team.now = "2026-03-02T10:00:00Z".to_owned();
    team.call("Bash", "t2", Some(300));
    team.call("Read", "t3", Some(5));
    team.event("SessionEnd", &json!({"reason": "other"}));
    let month = team.sandbox.json(&format!("{dir}/aggregations/aggregation-202603.json"));
    assert_eq!((&month["days"], &month["totals"]["calls"]), (&json!(2), &json!(3)));

    let report = team.report(&[]);
    assert_eq!(
        report["totals"]["tools"]["Bash"],
        json!({"calls": 2, "failed": 0, "timed": 2, "millis": 400, "longest": 300})
    );
    assert_eq!((&report["from"], &report["to"]), (&json!("2026-03-01"), &json!("2026-03-02")));
    let goal =
        |name: &str| report["goals"].as_array().unwrap().iter().find(|goal| goal["name"] == name).unwrap().clone();
    assert_eq!(goal("routing compliance")["percent"], 100.0);
    assert_eq!(goal("routing compliance")["confidence"], 0.5, "one sample says little");
    assert_eq!(goal("handoff success")["percent"], 0.0, "its checkpoint had no `npm` to run");
    assert_eq!(team.report(&["--since", "2026-03-02"])["totals"]["calls"], 2);
    let markdown = team.sandbox.cli(&["metrics", "report", "--markdown"]).stdout;
    assert!(markdown.contains("| Bash | 2 | 0 | 200 | 300 |") && markdown.contains("| tool calls | 3 |"), "{markdown}");
    assert_eq!(team.sandbox.cli(&["metrics", "report", "--since", "yesterday"]).code, Some(64));
    assert_eq!(Team::new().report(&[])["totals"]["calls"], 0);
}

#[test]
fn old_days_go_to_the_archive_and_still_count() {
    let mut team = Team::with("[change.collective-metrics.metrics]\nkeep_days = 2\n");
    for day in 1..=5 {
        team.now = format!("2026-02-0{day}T10:00:00Z");
        team.call("Bash", &format!("t{day}"), None);
    }
    team.event("SessionEnd", &json!({"reason": "other"}));
    let dir = ".claude-collective/metrics";
    for day in 1..=3 {
        assert!(team.sandbox.path(&format!("{dir}/archives/2026-02/metrics-2026020{day}.json")).exists(), "{day}");
        assert!(!team.sandbox.path(&format!("{dir}/metrics-2026020{day}.json")).exists(), "{day}");
    }
    assert!(team.sandbox.path(&format!("{dir}/metrics-20260204.json")).exists());
    assert_eq!(team.report(&[])["totals"]["calls"], 5);
}

/// The clock of a machine may be wrong for a while, and the figures of a day are then met again after they were archived.
#[test]
fn a_clock_that_jumps_back_loses_no_archived_figure() {
    let mut team = Team::with("[change.collective-metrics.metrics]\nkeep_days = 1\n");
    let mut calls = 0;
    for round in 0..3 {
        for day in ["2026-02-03", "2027-05-01"] {
            team.now = format!("{day}T10:00:00Z");
            team.call("Bash", &format!("t{round}-{day}"), None);
            team.event("SessionEnd", &json!({"reason": "other"}));
            calls += 1;
        }
    }
    assert_eq!(team.report(&[])["totals"]["calls"], calls);
}

#[test]
fn a_damaged_day_is_kept_beside_the_new_one_and_lists_stay_bounded() {
    let team = Team::new();
    team.sandbox.write(DAY, "{\"date\":");
    for n in 0..120 {
        team.call("Bash", &format!("t{n}"), Some(1));
    }
    let day = team.sandbox.json(DAY);
    assert_eq!(day["totals"]["calls"], 120);
    assert_eq!(day["performance_metrics"]["tool_executions"].as_array().unwrap().len(), 100);
    let aside = crate::sandbox::tree(&team.sandbox.path(".claude-collective/metrics"));
    let aside = aside.iter().find(|path| path.to_string_lossy().contains(".damaged-")).unwrap();
    assert_eq!(std::fs::read_to_string(aside).unwrap(), "{\"date\":");
}

#[test]
fn s2_53_64_processes_of_50_events_lose_none_and_equal_the_audit_log() {
    let _alone = crowd();
    // W18: the host repeats no hook, so waiting for the lock is what an event is saved by.
    let team = Team::new();
    team.prompt("go");
    let turns = Turns::new();
    std::thread::scope(|scope| {
        for process in 0..64 {
            let (team, turns) = (&team, &turns);
            scope.spawn(move || {
                for n in 0..50 {
                    let _turn = turns.wait(process);
                    let tool = ["Bash", "Read", "Write", "Edit"][n % 4];
                    let event = json!({
                        "session_id": format!("session-{}", process % 8), "cwd": team.sandbox.project(), "hook_event_name": "PostToolUse",
                        "tool_name": tool, "tool_input": {}, "tool_response": {}, "tool_use_id": format!("toolu_{process}_{n}"),
                        "duration_ms": 1,
                    });
                    let ran = team.sandbox.hook_with(&["PostToolUse"], event.to_string().as_bytes(), &[("HOOKBIN_NOW", "2026-03-01T10:00:00Z")]);
                    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
                }
            });
        }
    });
    let report = team.report(&[]);
    assert_eq!(report["totals"]["calls"], 3_200);
    let mut recount: BTreeMap<String, u64> = BTreeMap::new();
    let log = std::fs::read_dir(team.sandbox.log()).unwrap().map(|entry| entry.unwrap().path());
    for line in
        log.flat_map(|path| std::fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect::<Vec<_>>())
    {
        let Ok(record) = serde_json::from_str::<Value>(&line) else { continue };
        if record["event"] == "PostToolUse" {
            *recount.entry(record["tool"].as_str().unwrap().to_owned()).or_default() += 1;
        }
    }
    let counted = |tool: &str| report["totals"]["tools"][tool]["calls"].as_u64().unwrap();
    assert_eq!(recount.values().sum::<u64>(), 3_200);
    for (tool, count) in &recount {
        assert_eq!(counted(tool), *count, "{tool}");
    }
}
