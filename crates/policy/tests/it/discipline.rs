//! The agreements about git, evidence and temporary files, by the cases of `data/discipline.toml`, and the laws of rewriting.

use std::borrow::Cow;

use hook_policy::effect::{Effect, StatusFileEdit};
use hook_policy::evidence::{Kept, Origin, ProofState, ProofStatus, StatusFile, TestResult, TestStatus, age};
use hook_policy::repository::{Head, Operation, Repository};
use hook_policy::{Facts, Moment, Outcome, StepResult, Verdict, decide};
use hook_protocol::event::{Event, EventName};
use proptest::prelude::*;
use proptest::sample::select;
use serde::Deserialize;

use crate::support::resolved;

const NOW: i64 = 1_772_359_200;

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields, default)]
struct Case {
    #[serde(rename = "req")]
    _req: toml::Value,
    about: String,
    settings: String,
    /// The user's file.
    file: String,
    cwd: String,
    top: String,
    head: String,
    default_branch: Option<String>,
    has_commits: bool,
    operation: String,
    /// Text of the status files; empty for none.
    tests: String,
    proof: String,
    unreadable: String,
    /// Where the status files come from: `session`, `older`, `tracked`, `future`, `call`; behind a `+` what is kept of them: `kept`, `moved`,
    /// `not`; else the proof is recorded.
    origin: String,
    staged: Vec<String>,
    /// Names at the top of the project.
    names: Vec<String>,
    /// Settings of git, `key=value`.
    git: Vec<String>,
    /// The refusal starts the tests.
    starts: Option<bool>,
    /// From the refusal on the proof is pending.
    waits: Option<bool>,
    command: String,
    becomes: Option<String>,
    refused: Option<String>,
    /// The name of the rule that refuses.
    rule: Option<String>,
    /// The user is asked instead.
    asks: bool,
    instead: Option<String>,
    passes: Vec<String>,
    refuses: Vec<String>,
}

impl Default for Case {
    fn default() -> Self {
        Self {
            _req: toml::Value::Boolean(true),
            about: String::new(),
            settings: String::new(),
            file: String::new(),
            cwd: "/p".to_owned(),
            top: "/p".to_owned(),
            head: "feature".to_owned(),
            default_branch: None,
            has_commits: true,
            operation: String::new(),
            tests: "pass|0|NOW".to_owned(),
            proof: "verified|NOW".to_owned(),
            unreadable: String::new(),
            origin: "session".to_owned(),
            staged: Vec::new(),
            names: Vec::new(),
            git: Vec::new(),
            starts: None,
            waits: None,
            command: String::new(),
            becomes: None,
            refused: None,
            rule: None,
            asks: false,
            instead: None,
            passes: Vec::new(),
            refuses: Vec::new(),
        }
    }
}

impl Case {
    /// A status text with its moments filled in.
    fn filled(text: &str) -> String {
        let Some(at) = text.find("NOW") else { return text.to_owned() };
        let offset: String = text[at + 3..].chars().take_while(|c| c.is_ascii_digit() || "+-".contains(*c)).collect();
        let moment = NOW + offset.parse::<i64>().unwrap_or(0);
        format!("{}{moment}{}", &text[..at], &text[at + 3 + offset.len()..])
    }

    fn decides<T>(&self, command: &str, look: impl FnOnce(&Outcome<'_>) -> T) -> T {
        let text = format!(
            "[[handler]]\nname = \"t\"\non = [\"PostToolUse\"]\nsteps = [\"test-run\"]\n\
             [[handler]]\nname = \"p\"\non = [\"UserPromptSubmit\"]\nsteps = [\"proof\"]\n\
             [[handler]]\nname = \"d\"\non = [\"PreToolUse\"]\nsteps = [\"discipline\"]\n[handler.discipline]\n{}\n",
            self.settings
        );
        let profile = resolved(&[("a", &text)], &[&self.file]).unwrap();
        let payload = serde_json::json!({
            "hook_event_name": "PreToolUse", "tool_name": "Bash", "cwd": self.cwd,
            "tool_input": {"command": command, "description": "d", "timeout": 5},
        });
        let payload = payload.to_string();
        let event = Event::parse(&payload).unwrap();
        let plan = profile.plan(&EventName::PreToolUse);
        look(&decide(&event, &plan, self))
    }
}

impl Facts for Case {
    fn now(&self) -> Moment {
        Moment::from_epoch(NOW)
    }

    fn state_dir(&self) -> Cow<'_, str> {
        Cow::Borrowed("/p/.claude/hookbin/state")
    }

    fn home(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed("/home/dev"))
    }

    fn project(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed("/p"))
    }

    fn runs_nothing_else(&self, _programs: &[String]) -> bool {
        true
    }

    fn repository(&self, dir: &str) -> Option<Repository> {
        let lies_in = |top: &str| dir == top || dir.starts_with(&format!("{top}/"));
        let top = [self.top.as_str(), "/wt"].into_iter().find(|top| lies_in(top))?;
        let operation = match self.operation.as_str() {
            "merge" => Some(Operation::Merge),
            "rebase" => Some(Operation::Rebase),
            _ => None,
        };
        Some(Repository {
            top: Some(top.to_owned()),
            main_top: Some(self.top.clone()),
            head: Head::Branch(if top == "/wt" { "wt".to_owned() } else { self.head.clone() }),
            default_branch: self.default_branch.clone(),
            is_worktree: top == "/wt",
            is_submodule: false,
            has_commits: self.has_commits,
            operation,
        })
    }

    fn git_setting(&self, _dir: &str, key: &str) -> Option<String> {
        let set = self.git.iter().find_map(|setting| setting.split_once('=').filter(|(name, _)| *name == key));
        set.map(|(_, value)| value.to_owned())
    }

    fn staged(&self, _dir: &str) -> Option<Vec<String>> {
        Some(self.staged.clone())
    }

    fn status_file(&self, path: &str) -> StatusFile {
        let text = match path.strip_prefix(&self.top) {
            Some("/.claude/.test-status") if !self.unreadable.is_empty() => {
                return StatusFile::Unreadable(self.unreadable.clone());
            }
            Some("/.claude/.test-status") => &self.tests,
            Some("/.claude/.proof-status") => &self.proof,
            _ => "",
        };
        if text.is_empty() { StatusFile::Missing } else { StatusFile::Text(Self::filled(text)) }
    }

    fn origin(&self, _path: &str) -> Origin {
        let began = Some(NOW - 172_800);
        match self.origin.split('+').next() {
            Some("session") => Origin { of_session: true, began, ..Origin::default() },
            Some("older") => Origin { began, ..Origin::default() },
            Some("unknown") => Origin::default(),
            Some("tracked") => Origin { tracked: true, of_session: true, began, ..Origin::default() },
            Some("future") => Origin { future: true, of_session: true, began, ..Origin::default() },
            Some("call") => Origin { by_call: true, of_session: true, began, ..Origin::default() },
            other => panic!("{other:?}"),
        }
    }

    fn kept(&self, path: &str, _text: &str) -> Kept {
        match self.origin.split_once('+').map(|(_, kept)| kept) {
            Some("kept") => Kept::Here,
            Some("moved") => Kept::OtherTree,
            Some("not") => Kept::No,
            // What a user confirmed is recorded.
            _ if path.ends_with("/.proof-status") => Kept::OtherTree,
            _ => Kept::No,
        }
    }

    fn project_dir_names(&self, path: &str) -> Option<Vec<String>> {
        (path == "/p" || path == self.top).then(|| self.names.clone())
    }
}

fn cases() -> Vec<Case> {
    let cases: Cases = toml::from_str(include_str!("../data/discipline.toml")).unwrap();
    cases.case
}

fn starts_tests(effect: &Effect) -> bool {
    matches!(effect, Effect::Test(test) if test.root == "/p" && test.command == ["cargo", "test", "--no-fail-fast"])
}

fn makes_pending(effect: &Effect) -> bool {
    let text = format!("pending|{NOW}\n");
    matches!(effect, Effect::StatusFile(StatusFileEdit::Put { file, text: put }) if file == ".proof-status" && *put == text)
}

#[test]
fn every_case_of_the_agreements_holds() {
    let mut wrong = Vec::new();
    for case in cases() {
        let mut expect = |command: &str, holds: &dyn Fn(&Outcome<'_>) -> bool| {
            case.decides(command, |outcome| {
                if !holds(outcome) {
                    let said = (outcome.verdict, &outcome.reason, &outcome.suggestion, &outcome.rewrite);
                    wrong.push(format!("{} {command:?}: {said:?}", case.about));
                }
            });
        };
        if !case.command.is_empty() {
            expect(&case.command, &|outcome| {
                let reason = outcome.reason.as_deref().unwrap_or_default();
                let instead = outcome.suggestion.as_ref().map(hook_policy::Suggestion::command).unwrap_or_default();
                let strict = if case.asks { Verdict::Ask } else { Verdict::Deny };
                let verdict = case.refused.as_ref().map(|_| strict);
                let question = outcome.effects.contains(&Effect::Asked(true));
                outcome.verdict == verdict
                    // Each refusal has a name, and the proof gate's is a question to the user.
                    && outcome.rule.is_some() == verdict.is_some()
                    && question == (outcome.rule.as_deref() == Some("proof"))
                    && case.rule.as_ref().is_none_or(|rule| outcome.rule.as_ref() == Some(rule))
                    && outcome.rewrite.as_deref() == case.becomes.as_deref()
                    && case.refused.as_ref().is_none_or(|words| reason.contains(words))
                    && case.instead.as_ref().is_none_or(|wanted| instead == wanted)
                    && case.starts.is_none_or(|starts| starts == outcome.effects.iter().any(starts_tests))
                    && case.waits.is_none_or(|waits| waits == outcome.effects.iter().any(makes_pending))
            });
        }
        for line in &case.passes {
            expect(line, &|outcome| outcome.verdict.is_none() && outcome.rewrite.is_none());
        }
        for line in &case.refuses {
            expect(line, &|outcome| outcome.verdict == Some(Verdict::Deny));
        }
    }
    assert!(wrong.is_empty(), "{} lines:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn s1_14_rewrites_and_suggestions_need_no_further_change() {
    for case in cases() {
        let (rewrite, suggestion) = case.decides(&case.command, |outcome| {
            (outcome.rewrite.clone(), outcome.suggestion.as_ref().map(|it| it.command().to_owned()))
        });
        for line in rewrite.iter().chain(&suggestion) {
            case.decides(line, |outcome| {
                assert_eq!((outcome.verdict, &outcome.rewrite), (None, &None), "{line:?} of {:?}", case.command);
            });
        }
    }
}

#[test]
fn s1_27_and_s1_72_after_a_refusal_or_a_change_nobody_approves() {
    let text = "[[handler]]\nname = \"g\"\non = [\"PreToolUse\"]\nsteps = [\"discipline\", \"guard\"]\n[[handler]]\nname = \"r\"\non = [\"PreToolUse\"]\nsteps = [\"auto-review\"]\n";
    let profile = resolved(&[("a", text)], &[]).unwrap();
    let plan = profile.plan(&EventName::PreToolUse);
    let case = Case::default();
    for (line, said) in [
        ("ls", [StepResult::Nothing, StepResult::Nothing, StepResult::Verdict(Verdict::Allow)]),
        ("some-program", [StepResult::Nothing, StepResult::Nothing, StepResult::Nothing]),
        ("git push -f origin main", [StepResult::Verdict(Verdict::Deny), StepResult::Skipped, StepResult::Skipped]),
        ("ls > /tmp/a", [StepResult::Something, StepResult::Nothing, StepResult::Skipped]),
        ("kill -9 -1", [StepResult::Nothing, StepResult::Verdict(Verdict::Deny), StepResult::Skipped]),
    ] {
        let payload = serde_json::json!({
            "hook_event_name": "PreToolUse", "tool_name": "Bash", "cwd": "/p", "tool_input": {"command": line},
        });
        let payload = payload.to_string();
        let event = Event::parse(&payload).unwrap();
        let trace: Vec<StepResult> = decide(&event, &plan, &case).trace.iter().map(|step| step.said).collect();
        assert_eq!(trace, said, "{line}");
    }
}

#[test]
fn a_program_that_may_run_git_is_asked_about() {
    let case = Case { tests: "fail|1|NOW".to_owned(), ..Case::default() };
    case.decides("\"$wrapper\" git commit -m a", |outcome| assert_ne!(outcome.verdict, Some(Verdict::Deny)));
}

#[test]
fn only_commands_of_a_shell_are_looked_at() {
    for payload in [
        r#"{"hook_event_name":"PreToolUse","tool_name":"PowerShell","tool_input":{"command":"git push --force"}}"#,
        r#"{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"/tmp/a","content":"git push --force"}}"#,
        r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}}"#,
    ] {
        let text = "[[handler]]\nname = \"d\"\non = [\"PreToolUse\"]\nsteps = [\"discipline\"]\n";
        let plan = resolved(&[("a", text)], &[]).unwrap().plan(&EventName::PreToolUse);
        let event = Event::parse(payload).unwrap();
        let case = Case::default();
        let outcome = decide(&event, &plan, &case);
        assert_eq!((outcome.verdict, &outcome.rewrite), (None, &None), "{payload}");
    }
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    let named = |name: &str| {
        let text = format!(
            "[[handler]]\nname = \"d\"\non = [\"PreToolUse\"]\nsteps = [\"discipline\"]\n[handler.discipline.severity]\n{name} = \"off\"\n"
        );
        resolved(&[("a", &text)], &[])
    };
    assert!(named("proof").is_ok());
    assert!(named("proofs").is_err_and(|error| error.to_string().contains("`severity` names `proofs`")));
    for settings in ["temp_folders = [\"tmp\"]", "rewrite = \"ask\"", "missing_test_status = \"maybe\"", "unknown = 1"]
    {
        let text = format!(
            "[[handler]]\nname = \"d\"\non = [\"PreToolUse\"]\nsteps = [\"discipline\"]\n[handler.discipline]\n{settings}\n"
        );
        let profile = resolved(&[("a", &text)], &[]);
        assert!(profile.is_err(), "{settings}");
    }
}

#[test]
fn s1_54_status_files_are_read_leniently() {
    let test = |text: &str| TestStatus::parse(text);
    assert_eq!(
        test("fail|3|1707500000\n"),
        TestStatus { result: TestResult::Fail, failed: Some(3), epoch: Some(1_707_500_000) }
    );
    assert_eq!(
        test("pass|1707500000"),
        TestStatus { result: TestResult::Pass, failed: None, epoch: Some(1_707_500_000) }
    );
    assert_eq!(
        test("\u{FEFF}\r\n pass | 0 | 5 \r\n"),
        TestStatus { result: TestResult::Pass, failed: Some(0), epoch: Some(5) }
    );
    assert_eq!(test("pass|-1|x"), TestStatus { result: TestResult::Pass, failed: None, epoch: None });
    assert_eq!(test("").result, TestResult::Other(String::new()));
    assert_eq!(test("passed|0|1").result, TestResult::Other("passed".to_owned()));
    let proof = |text: &str| ProofStatus::parse(text);
    assert_eq!(proof("verified|1707500000"), ProofStatus { state: ProofState::Verified, epoch: Some(1_707_500_000) });
    assert_eq!(proof("pending|").state, ProofState::Pending);
    assert_eq!(proof("Verified").state, ProofState::Verified);
    assert_eq!(proof("unverified|1").state, ProofState::Other("unverified".to_owned()));
    assert_eq!((age(Some(90), 100), age(Some(500), 100), age(None, 100)), (Some(10), Some(0), None));
}

/// Lines that say nothing to the agreements, to stand around one that does.
const AROUND: &[(&str, &str)] = &[
    ("", ""),
    ("echo '--force /tmp/x' && ", ""),
    ("", " ; echo \"a -f > /tmp/b\""),
    ("cd sub && ", " | cat"),
    ("if true; then ", "; fi"),
    ("( ", " )"),
    ("# git push --force > /tmp/a\n", ""),
    ("X='a b' ", " # -f > /tmp/c"),
    ("echo ü€ && ", ""),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever stands around it, only what needs it changes, and afterwards nothing needs it.
    #[test]
    fn s1_40_a_rewrite_changes_nothing_around(
        (line, wanted) in select(vec![
            ("git push -f origin a", "git push --force-with-lease origin a"),
            ("git push origin a --force", "git push origin a --force-with-lease"),
            ("git  push\t'-f' \"origin\" a\\ b", "git  push\t--force-with-lease \"origin\" a\\ b"),
        ]),
        (before, after) in select(AROUND),
    ) {
        let case = Case::default();
        let text = format!("{before}{line}{after}");
        let rewritten = case.decides(&text, |outcome| outcome.rewrite.clone());
        prop_assert_eq!(rewritten.clone(), Some(format!("{before}{wanted}{after}")));
        case.decides(rewritten.as_deref().unwrap_or_default(), |outcome| assert_eq!(outcome.rewrite, None));
    }

    /// A redirection keeps its place; the directory is made first.
    #[test]
    fn s1_38_a_redirection_keeps_its_place((before, after) in select(AROUND)) {
        let case = Case::default();
        let text = format!("{before}make 2> /tmp/log{after}");
        let rewritten = case.decides(&text, |outcome| outcome.rewrite.clone()).unwrap_or_default();
        prop_assert!(rewritten.starts_with("mkdir -p /p/tmp"), "{rewritten}");
        prop_assert!(rewritten.ends_with(&format!("{before}make 2> /p/tmp/log{after}")), "{rewritten}");
    }

    /// No line makes it panic or take long.
    #[test]
    fn any_line_is_answered(line in "(git |push |-f |> |/tmp/|commit |\\$\\(|\\)|'|\"|`|;|&|\\||worktree remove |cd |a|\n|ü){0,30}") {
        Case::default().decides(&line, |outcome| drop(outcome.reason.clone()));
    }
}
