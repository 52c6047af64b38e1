//! A project's plan and branch as checks see them: when the plan is out of date, how old it is, and which branch is a main one.

use std::borrow::Cow;

use hook_policy::repository::{Head, Repository};
use hook_policy::{Facts, FileInfo, Moment, Verdict, decide};
use hook_protocol::event::{Event, EventName};

use crate::support::{Known, resolved};

/// A project with a plan, of whose source files so many percent have changed since.
#[derive(Default)]
struct Project {
    churn: u32,
    /// What the environment of the run says.
    env: &'static [(&'static str, u32)],
    plan_age_days: i64,
    branch: &'static str,
    default_branch: Option<&'static str>,
}

impl Facts for Project {
    fn now(&self) -> Moment {
        Known::default().now()
    }

    fn state_dir(&self) -> Cow<'_, str> {
        Cow::Borrowed("/p/state")
    }

    fn project(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed("/p"))
    }

    fn repository(&self, _dir: &str) -> Option<Repository> {
        let top = Some("/p".to_owned());
        Some(Repository {
            main_top: top.clone(),
            top,
            head: Head::Branch(self.branch.to_owned()),
            default_branch: self.default_branch.map(str::to_owned),
            has_commits: true,
            ..Repository::default()
        })
    }

    fn file_info(&self, path: &str) -> Option<FileInfo> {
        let modified = self.now().epoch - self.plan_age_days * 86_400;
        (path == "MASTER_PLAN.md").then_some(FileInfo { modified, bytes: 10 })
    }

    fn project_file(&self, path: &str) -> Option<String> {
        let modified = self.file_info("MASTER_PLAN.md")?.modified;
        match path {
            "MASTER_PLAN.md" => Some("## Intent\n## Phase 1\n**Status:** planned\n".to_owned()),
            ".claude/.plan-drift" => Some(format!("plan_epoch={modified}\nchurn_percent={}\n", self.churn)),
            _ => None,
        }
    }

    fn number_of_env(&self, name: &str) -> Option<u32> {
        self.env.iter().find(|(known, _)| *known == name).map(|(_, number)| *number)
    }
}

fn asked<T>(
    file: &str,
    step: &str,
    event: &str,
    project: &Project,
    look: impl FnOnce(Option<Verdict>, String) -> T,
) -> T {
    let event = Event::parse(event).unwrap();
    let text = format!("[[handler]]\nname = \"h\"\non = [\"{}\"]\nsteps = [\"{step}\"]\n", event.name().as_str());
    let plan = resolved(&[("x", &text)], &[file]).unwrap().plan(&event.name());
    let outcome = decide(&event, &plan, project);
    look(outcome.verdict, outcome.context.iter().map(|context| context.text.as_str()).collect())
}

#[test]
fn s1_78_a_write_is_refused_from_the_limit_on_wherever_that_of_advice_lies() {
    let content = "x\\n".repeat(40);
    let write = format!(
        r#"{{"hook_event_name":"PreToolUse","cwd":"/p","tool_name":"Write","tool_input":{{"file_path":"/p/src/a.rs","content":"{content}"}}}}"#
    );
    assert_eq!(Event::parse(&write).unwrap().name(), EventName::PreToolUse);
    let verdict = |churn, env| {
        let project = Project { churn, env, plan_age_days: 3, ..Project::default() };
        asked("", "plan-check", &write, &project, |verdict, said| (verdict, said.contains("out of date")))
    };
    assert_eq!(verdict(14, &[]), (None, false));
    assert_eq!(verdict(15, &[]), (None, true));
    assert_eq!(verdict(35, &[]), (Some(Verdict::Deny), false));
    // A stricter limit for the refusal alone, below that of the advice.
    assert_eq!(verdict(9, &[("PLAN_CHURN_DENY", 10)]), (None, false));
    assert_eq!(verdict(10, &[("PLAN_CHURN_DENY", 10)]), (Some(Verdict::Deny), false));
}

#[test]
fn the_age_of_a_plan_is_said_in_days() {
    for (plan_age_days, words) in [(0, "changed 0 days ago"), (1, "changed 1 day ago"), (2, "changed 2 days ago")] {
        let project = Project { plan_age_days, ..Project::default() };
        let start = r#"{"hook_event_name":"SubagentStart","agent_type":"planner"}"#;
        asked("", "subagent", start, &project, |_, said| assert!(said.contains(words), "{said}"));
    }
}

#[test]
fn every_check_means_the_same_main_branches() {
    let write = r#"{"hook_event_name":"PreToolUse","cwd":"/p","tool_name":"Write","tool_input":{"file_path":"/p/src/a.rs","content":"x"}}"#;
    let start = r#"{"hook_event_name":"SessionStart","source":"startup"}"#;
    let prompt = r#"{"hook_event_name":"UserPromptSubmit","prompt":"merge it"}"#;
    for (file, branch, default_branch, is_main) in [
        ("", "main", None, true),
        ("", "Master", None, true),
        ("", "work", Some("main"), false),
        ("", "trunk", Some("trunk"), true),
        ("main_branches = [\"prod\"]\n", "prod", None, true),
        ("main_branches = [\"prod\"]\n", "main", None, false),
    ] {
        let project = Project { branch, default_branch, ..Project::default() };
        let refused = asked(file, "branch-guard", write, &project, |verdict, _| verdict == Some(Verdict::Deny));
        let told = asked(file, "session-init", start, &project, |_, said| said.contains("is checked out"));
        let warned = asked(file, "prompt", prompt, &project, |_, said| said.contains("main branch is checked out"));
        assert_eq!((refused, told, warned), (is_main, is_main, is_main), "{file}{branch} {default_branch:?}");
    }
}
