//! `cargo xtask corpus` asked about hooks whose answers are known, and the form of the project's own corpus.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::source::{files, no_problems};

/// A directory with a hook in it, and the labelled commands that it is asked about.
struct Setting {
    dir: TempDir,
}

/// Answers by a word in the command; says what it was given in the directory of its first argument.
const HOOK: &str = r#"#!/bin/sh
input=$(cat)
pwd > "$1/cwd"; env > "$1/env"; printf '%s' "$input" > "$1/payload"; [ -d .git ] && git rev-parse HEAD > "$1/head"
say() { printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"%s","permissionDecisionReason":"x"}}\n' "$1"; }
case "$input" in
  *say-exit-two*) echo refused >&2; exit 2;;
  *say-deny*) say deny;;
  *say-ask*) say ask;;
  *say-allow*) say allow;;
  *say-block*) echo '{"decision":"block","reason":"old form"}';;
  *say-deny-and-fail*) say deny; exit 1;;
  *say-other-event*) echo '{"hookSpecificOutput":{"hookEventName":"Stop","permissionDecision":"deny"}}';;
  *say-fail*) echo BLOCKED; echo 'cannot think' >&2; exit 1;;
  *say-die*) kill -9 $$;;
  *say-noise*) echo 'log line'; say deny;;
  *say-hang*) sleep 30; say deny;;
esac
"#;

impl Setting {
    fn new(cases: &[(&str, &str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let setting = Self { dir };
        fs::write(setting.path("hook.sh"), HOOK).unwrap();
        let lines: Vec<String> = cases
            .iter()
            .enumerate()
            .map(|(index, (kind, expect, command))| {
                let (tier, contested) = kind.split_once('!').map_or((*kind, false), |(tier, _)| (tier, true));
                let category = if tier == "benign" { "benign" } else { "fs" };
                let tier = if tier == "domain" { "domain" } else { "core" };
                serde_json::json!({
                    "id": format!("case{index}"), "source": "test", "license": "MIT", "command": command, "expect": expect,
                    "category": category, "topic": "fs", "form": "plain", "tier": tier, "contested": contested,
                })
                .to_string()
            })
            .collect();
        fs::write(setting.path("cases.jsonl"), lines.join("\n") + "\n").unwrap();
        setting
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn run(&self, options: &[&str]) -> Output {
        self.run_on("cases.jsonl", options)
    }

    fn run_on(&self, cases: &str, options: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.arg("corpus").arg(self.path(cases)).arg("--scratch").arg(self.dir.path()).args(options);
        command.args(["--", "sh"]).arg(self.path("hook.sh")).arg(self.dir.path());
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", self.dir.path());
        command.env("SECRET", "must not reach the hook").output().unwrap()
    }

    fn json(&self, options: &[&str]) -> Value {
        let output = self.run(&[options, &["--json"]].concat());
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }
}

/// What was answered to each case, in the order of the cases; `as labelled` for those that are no misses.
fn answers(document: &Value, cases: usize) -> Vec<String> {
    let misses = document["misses"].as_array().unwrap();
    let got = |index: usize| {
        let id = format!("case{index}");
        let miss = misses.iter().find(|miss| miss["id"] == id.as_str());
        miss.map_or("as labelled".to_owned(), |miss| miss["got"].as_str().unwrap().to_owned())
    };
    (0..cases).map(got).collect()
}

#[test]
fn answers_are_read_as_the_client_reads_them() {
    let cases = [
        ("core", "deny", "say-exit-two"),
        ("core", "deny", "say-deny"),
        ("core", "deny", "say-block"),
        ("core", "deny", "say-deny-and-fail"),
        ("core", "ask", "say-ask"),
        ("core", "allow", "say-allow"),
        ("core", "allow", "say-nothing"),
        // Refusals that refuse nothing.
        ("core", "deny", "say-fail"),
        ("core", "deny", "say-die"),
        ("core", "deny", "say-other-event"),
        ("core", "deny", "say-hang"),
        ("core", "deny", "say-noise"),
        ("core", "deny", "say-ask"),
        ("core", "deny", "say-allow"),
        ("core", "allow", "say-deny"),
        ("core", "allow", "say-ask"),
        ("core", "ask", "say-nothing"),
    ];
    let document = Setting::new(&cases).json(&["--timeout", "1"]);
    let mut expected = vec!["as labelled"; 7];
    expected.extend(["failed"; 4]);
    expected.extend(["none", "ask", "allow", "deny", "ask", "none"]);
    assert_eq!(answers(&document, cases.len()), expected, "{document:#}");
    assert_eq!(document["allowed"], serde_json::json!(["case13"]));
    assert_eq!(document["failed"], 4);
    // The worst first: an approval of what has to be refused.
    assert_eq!(document["misses"][0]["id"], "case13");
    let how = document["misses"].as_array().unwrap().iter().find(|miss| miss["id"] == "case7").unwrap();
    assert!(how["failure"].as_str().unwrap().ends_with("cannot think"), "{how}");
}

#[test]
fn counts_are_by_group_and_contested_cases_stand_apart() {
    let cases = [
        ("core", "deny", "say-deny 1"),
        ("core", "deny", "say-deny 2"),
        ("core", "deny", "say-ask 3"),
        ("core", "deny", "say-nothing 4"),
        ("core!", "deny", "say-nothing 5"),
        ("domain", "deny", "say-ask 6"),
        ("benign", "allow", "say-ask 7"),
        ("benign", "allow", "say-nothing 8"),
    ];
    let setting = Setting::new(&cases);
    let document = setting.json(&[]);
    let group = |by: &str, name: &str, expect: &str, contested: bool| {
        let groups = document["groups"].as_array().unwrap();
        let is_it = |it: &&Value| {
            it["by"] == by && it["name"] == name && it["expect"] == expect && it["contested"] == contested
        };
        groups.iter().find(is_it).unwrap().clone()
    };
    let core = group("tier", "core", "deny", false);
    assert_eq!([&core["cases"], &core["deny"], &core["ask"], &core["none"]], [4, 2, 1, 1]);
    assert_eq!([core["flagged"].as_f64(), core["denied"].as_f64()], [Some(75.0), Some(50.0)]);
    assert_eq!(group("tier", "core", "deny", true)["cases"], 1);
    assert_eq!(group("category", "benign", "allow", false)["flagged"], 50.0);

    let text = String::from_utf8(setting.run(&["--misses"]).stdout).unwrap();
    let row = text.lines().find(|line| line.starts_with("core ")).unwrap();
    assert_eq!(
        row.split_whitespace().collect::<Vec<_>>(),
        ["core", "deny", "4", "2", "1", "0", "1", "0", "75.0", "50.0"]
    );
    assert!(text.contains("contested, by topic"), "{text}");
    assert!(text.contains("case3   deny -> none    say-nothing 4"), "{text}");
    let plain = String::from_utf8(setting.run(&[]).stdout).unwrap();
    assert!(!plain.contains("say-nothing"), "misses are listed on request only: {plain}");

    let only = |options: &[&str]| setting.json(options)["cases"].as_u64().unwrap();
    assert_eq!([only(&["--tier", "domain"]), only(&["--only", "say-ask [67]"]), only(&["--topic", "fs"])], [1, 2, 8]);
    let unknown = setting.run(&["--tier", "outer"]);
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("core, domain"), "{unknown:?}");
}

#[test]
fn a_case_can_be_a_call_of_any_tool_and_stand_for_a_kind() {
    let setting = Setting::new(&[]);
    let case = |id: &str, tool: &str, input: Value| {
        serde_json::json!({
            "id": id, "source": "test", "tool": tool, "input": input, "expect": "deny", "category": "fs", "kind": id, "tier": "core",
        })
        .to_string()
    };
    let path = serde_json::json!({ "file_path": "@HOME@/say-deny", "content": "é\n" });
    let lines = [case("home-file", "Write", path), case("other", "Skill", serde_json::json!({ "skill": "x" }))];
    fs::write(setting.path("cases.jsonl"), lines.join("\n")).unwrap();

    let document = setting.json(&["--kind", "home-file"]);
    assert_eq!((&document["cases"], &document["failed"]), (&1.into(), &0.into()));
    assert!(document["misses"].as_array().unwrap().is_empty(), "{document:#}");
    let payload: Value = serde_json::from_str(&setting.read("payload")).unwrap();
    assert_eq!(payload["tool_name"], "Write");
    assert_eq!(payload["tool_input"]["content"], "é\n");
    let file = payload["tool_input"]["file_path"].as_str().unwrap();
    assert!(file.starts_with('/') && file.ends_with("/home/user/say-deny"), "{file}");

    let text = String::from_utf8(setting.run(&["--misses"]).stdout).unwrap();
    assert!(text.contains(r#"deny -> none    [other]  Skill {"skill":"x"}"#), "{text}");
    fs::write(setting.path("cases.jsonl"), lines[1].replace("\"input\"", "\"inputs\"")).unwrap();
    let neither = setting.run(&[]);
    assert!(String::from_utf8_lossy(&neither.stderr).contains("neither a command nor an input"), "{neither:?}");
}

#[test]
fn what_is_required_decides_the_exit_code() {
    let code = |cases: &[(&str, &str, &str)], require: &str| {
        Setting::new(cases).run(&["--require", require]).status.code().unwrap()
    };
    let good = [("core", "deny", "say-deny"), ("core", "deny", "say-ask"), ("benign", "allow", "say-nothing")];
    assert_eq!(code(&good, "core-flagged=100,core-denied=50,false-denied=0,flagged=0,benign=0"), 0);
    assert_eq!(code(&good, "core-denied=51"), 4);
    // Nothing to measure is no success.
    assert_eq!(code(&good, "domain-flagged=0"), 4);
    let asks = [("benign", "allow", "say-ask"), ("core", "allow", "say-nothing")];
    assert_eq!([code(&asks, "benign=99"), code(&asks, "flagged=50"), code(&asks, "false-denied=0")], [4, 0, 0]);
    // An approval of what has to be refused, and a hook that fails, are never good enough.
    assert_eq!(code(&[("core", "deny", "say-allow"), ("core", "ask", "say-ask")], "ask-flagged=100"), 4);
    assert_eq!(code(&[("core", "allow", "say-fail")], "flagged=0"), 4);
    assert_eq!(Setting::new(&[("core", "deny", "say-nothing")]).run(&[]).status.code(), Some(0));
    assert_eq!(Setting::new(&good).run(&["--require", "core-flaged=1"]).status.code(), Some(2));
}

#[test]
fn the_hook_sees_a_call_in_a_project_and_no_command_runs() {
    let dir = tempfile::tempdir().unwrap();
    let marker = dir.path().join("ran");
    let command = format!("touch '{}'; touch @HOME@/x @PROJECT@/y; echo \"é\" \\\n", marker.display());
    let setting = Setting::new(&[("core", "allow", &command)]);
    assert_eq!(setting.json(&[])["failed"], 0);

    assert!(!marker.exists(), "the command was run");
    let payload: Value = serde_json::from_str(&setting.read("payload")).unwrap();
    let project = payload["cwd"].as_str().unwrap();
    let home = Path::new(project).parent().unwrap().to_str().unwrap();
    assert_eq!(payload["hook_event_name"], "PreToolUse");
    assert_eq!(payload["tool_name"], "Bash");
    let sent = payload["tool_input"]["command"].as_str().unwrap();
    assert!(sent.ends_with(&format!("touch {home}/x {project}/y; echo \"é\" \\\n")), "{sent}");
    assert!(payload["session_id"].as_str().is_some_and(|id| id.len() == 36));
    assert_eq!(setting.read("cwd").trim(), project);
    assert_eq!(setting.read("head").trim().len(), 40, "the project has a commit");

    // `PWD`, `OLDPWD`, `SHLVL` and `_` are the shell's own.
    let env = setting.read("env");
    let own = ["PWD", "OLDPWD", "SHLVL", "_"];
    let mut names: Vec<&str> = env.lines().filter_map(|line| line.split_once('=')).map(|(name, _)| name).collect();
    names.retain(|name| !own.contains(name));
    names.sort_unstable();
    assert_eq!(names, ["HOME", "LANG", "PATH"]);
    assert!(env.contains(&format!("HOME={home}\n")), "{env}");
    assert!(!Path::new(project).exists(), "the project is left behind");
}

#[test]
fn a_wrong_file_is_named_with_its_line() {
    let setting = Setting::new(&[("core", "deny", "say-deny"), ("core", "deny", "say-ask")]);
    let good = setting.read("cases.jsonl");
    let complaint = |text: String| {
        fs::write(setting.path("cases.jsonl"), text).unwrap();
        let output = setting.run(&[]);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(complaint(good.replacen("\"deny\"", "\"maybe\"", 1)).contains("cases.jsonl:1 is no case"));
    assert!(complaint(good.replace("case1", "case0")).contains("cases.jsonl:2 has the id case0 of line 1"));
    assert!(complaint(String::new()).contains("no case of"));
}

/// The project's own corpus, its lines by file.
const OWN: &str = "crates/policy/tests/data/corpus/";

/// What is wrong with a case that stands in `file`.
fn faults(file: &str, case: &toml::Table) -> Vec<String> {
    let text = |key: &str| case.get(key).and_then(toml::Value::as_str).unwrap_or_default();
    let fits = match file {
        "core-deny.toml" => text("tier") == "core" && text("expect") == "deny",
        "ask.toml" => text("tier") == "core" && text("expect") == "ask",
        "core-allow.toml" => text("tier") == "core" && text("expect") == "allow",
        _ => text("tier") == "domain",
    };
    let complete = ["command", "category", "why"].iter().all(|key| !text(key).is_empty());
    let checks = [
        (fits, format!("a case of this tier and label does not belong into {file}")),
        (complete, "a field is missing".to_owned()),
    ];
    checks
        .into_iter()
        .filter(|(good, _)| !good)
        .map(|(_, fault)| format!("{file}: {}: {fault}", text("command")))
        .collect()
}

#[test]
fn the_projects_own_corpus_is_well_formed() {
    #[derive(serde::Deserialize)]
    struct Cases {
        case: Vec<toml::Table>,
    }
    let mut problems = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for file in files(OWN) {
        let Some(name) = file.path.strip_prefix(OWN).filter(|name| *name != "README.md") else { continue };
        let cases: Cases = toml::from_str(&file.text).unwrap_or_else(|error| panic!("{name}: {error}"));
        for case in cases.case {
            problems.extend(faults(name, &case));
            if !seen.insert(case["command"].to_string()) {
                problems.push(format!("{name}: {}: stands there twice", case["command"]));
            }
        }
    }
    assert!(seen.len() >= 500, "only {} cases", seen.len());
    no_problems(&problems, "The form of a case stands in crates/policy/tests/data/corpus/README.md.");

    let planted = toml::toml! { command = "ls" expect = "allow" tier = "core" };
    assert_eq!(faults("core-deny.toml", &planted).len(), 2);
}

#[test]
fn cases_in_toml_are_asked_about_too() {
    let setting = Setting::new(&[("core", "deny", "say-deny")]);
    let cases = "[[case]]\ncommand = \"say-deny\"\nexpect = \"deny\"\ncategory = \"fs\"\ntier = \"core\"\n\n\
                 [[case]]\ncommand = \"say-ask\"\nexpect = \"deny\"\ncategory = \"fs\"\ntier = \"core\"\n";
    fs::write(setting.path("cases.toml"), cases).unwrap();
    let output = setting.run_on("cases.toml", &["--json"]);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["cases"], 2, "{document}");
}
