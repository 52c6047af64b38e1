//! Calls as the host sends them, through the guard: what is refused, what is asked about, and what passes without a word.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

use hook_policy::{Entry, Facts, Moment, Verdict, decide, profile::Profile};
use hook_protocol::event::{Event, EventName};
use serde::Deserialize;

use crate::support::resolved;

/// Calls by what the guard has to say: each a command line, or the tool and its input as JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    /// Refused.
    #[serde(default)]
    deny: Vec<String>,
    /// Asked about.
    #[serde(default)]
    ask: Vec<String>,
    /// Refused or asked about.
    #[serde(default)]
    flag: Vec<String>,
    /// Asked about or passed: ordinary work that may lose something small.
    #[serde(default)]
    soft: Vec<String>,
    /// Passed.
    #[serde(default)]
    pass: Vec<String>,
}

/// Where the calls happen.
pub(crate) struct Here;

impl Facts for Here {
    fn now(&self) -> Moment {
        Moment::from_epoch(0)
    }

    fn state_dir(&self) -> Cow<'_, str> {
        "/home/dev/src/app/.claude/hookbin/state".into()
    }

    fn home(&self) -> Option<Cow<'_, str>> {
        Some("/home/dev".into())
    }

    fn project(&self) -> Option<Cow<'_, str>> {
        Some("/home/dev/src/app".into())
    }
}

/// Where the calls happen, for facts that know something more.
macro_rules! here {
    () => {
        fn now(&self) -> Moment {
            Here.now()
        }

        fn state_dir(&self) -> Cow<'_, str> {
            Here.state_dir()
        }

        fn home(&self) -> Option<Cow<'_, str>> {
            Here.home()
        }

        fn project(&self) -> Option<Cow<'_, str>> {
            Here.project()
        }
    };
}

pub(crate) fn profile() -> Profile {
    let text = "on_unreadable = \"ask\"\nunreadable_reason = \"unreadable\"\n[[handler]]\nname = \"guard\"\non = [\"PreToolUse\"]\nsteps = [\"guard\"]\n";
    resolved(&[("guard", text)], &[]).unwrap()
}

/// A case with its lists written out; see `long.toml` for how they are written.
fn written_out(case: &str) -> String {
    let mut case = case.to_owned();
    // The innermost list first.
    let is_count = |c: char| c == '~' || c.is_ascii_digit();
    while let Some(open) = (0..case.len()).rev().find(|at| {
        case.get(*at..).is_some_and(|rest| rest.strip_prefix("{{").is_some_and(|rest| rest.starts_with(is_count)))
    }) {
        let Some(close) = case[open..].find("}}").map(|close| open + close) else { break };
        let inner = case[open + 2..close].to_owned();
        let digits = inner.trim_start_matches('~');
        let count: usize = digits[..digits.find(|c: char| !c.is_ascii_digit()).unwrap()].parse().unwrap();
        let rest = digits.trim_start_matches(|c: char| c.is_ascii_digit());
        let between = match &rest[..1] {
            "|" => " ",
            "\\" => "\n",
            "," => ",",
            ";" => "",
            other => panic!("{other} in {inner}"),
        };
        let letters = |mut number: usize| {
            let mut word = String::new();
            for _ in 0..3 {
                word.push(char::from(b'p' + u8::try_from(number % 10).unwrap()));
                number /= 10;
            }
            word
        };
        let items: Vec<String> = (0..count)
            .map(|number| rest[1..].replace('#', &number.to_string()).replace('@', &letters(number)))
            .collect();
        case.replace_range(open..close + 2, &items.join(between));
    }
    case
}

/// The payload of a case.
pub(crate) fn payload(case: &str) -> String {
    let head = r#"{"hook_event_name":"PreToolUse","cwd":"/home/dev/src/app","#;
    match case.strip_prefix("{\"") {
        Some(rest) => format!("{head}\"{rest}"),
        None => format!("{head}\"tool_name\":\"Bash\",\"tool_input\":{{\"command\":{}}}}}", serde_json::json!(case)),
    }
}

/// Where the agent may write the proof of work, it may do nothing else to the guard, whatever path stands at the end of it.
#[test]
fn leave_to_write_the_proof_is_leave_for_nothing_else() {
    let text = "[[handler]]\nname = \"own\"\non = [\"PreToolUse\"]\nsteps = [\"guard\"]\nguard.families = [\"own\"]\n";
    let profile = resolved(&[("a", text)], &["agent_proof = true\n"]).unwrap();
    let plan = profile.plan(&EventName::PreToolUse);
    let verdict = |case: &str| decide(&Event::parse(&payload(case)).unwrap(), &plan, &Here).verdict;
    for write in ["echo 'verified|1' > .claude/.proof-status", "cp proof /home/dev/src/app/.claude/.proof-status"] {
        assert_eq!(verdict(write), None, "{write}");
    }
    for other in [
        "hookbin uninstall --project x/.claude/.proof-status",
        "pkill -f /x/.claude/.proof-status hookbin/.claude/.proof-status",
        "echo x > .claude/.test-status",
    ] {
        assert_eq!(verdict(other), Some(Verdict::Deny), "{other}");
    }
}

fn check(file: &str) {
    check_at(file, &Here);
}

/// The verdict on a case at a place.
pub(crate) fn verdict_at(case: &str, facts: &dyn Facts) -> Option<Verdict> {
    let profile = profile();
    decide(&Event::parse(&payload(case)).unwrap(), &profile.plan(&EventName::PreToolUse), facts).verdict
}

fn check_at(file: &str, facts: &dyn Facts) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/guard").join(file);
    let cases: Cases = toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let profile = profile();
    let plan = profile.plan(&EventName::PreToolUse);
    let (deny, ask) = (Some(Verdict::Deny), Some(Verdict::Ask));
    let groups = [
        ("deny", &cases.deny, vec![deny]),
        ("ask", &cases.ask, vec![ask]),
        ("flag", &cases.flag, vec![deny, ask]),
        ("soft", &cases.soft, vec![ask, None]),
        ("pass", &cases.pass, vec![None]),
    ];
    let mut seen = BTreeSet::new();
    let mut wrong = Vec::new();
    for (group, cases, accepted) in groups {
        for case in cases {
            assert!(seen.insert(case), "{file}: {case} stands twice");
            let payload = payload(&match file {
                "long.toml" => written_out(case),
                "powershell.toml" => {
                    serde_json::json!({"tool_name": "PowerShell", "tool_input": {"command": case}}).to_string()
                }
                _ => case.clone(),
            });
            let event = Event::parse(&payload).unwrap();
            let outcome = decide(&event, &plan, facts);
            if !accepted.contains(&outcome.verdict) {
                wrong.push(format!("{group}: {:?} for {case}  {:?}", outcome.verdict, outcome.reason));
            }
        }
    }
    assert!(!seen.is_empty(), "{file} has no case");
    assert!(wrong.is_empty(), "{file}, {} of {}:\n{}", wrong.len(), seen.len(), wrong.join("\n"));
}

#[test]
fn dirs_above_the_guards_own_files_and_what_is_found_in_them() {
    check("own_above.toml");
}

#[test]
fn trees_that_hold_the_guards_files() {
    check("own_trees.toml");
}

#[test]
fn files_whose_loss_is_felt() {
    check("lost.toml");
}

/// A project with a filled `.env`, and files of the user beside it.
struct Filled;

impl Facts for Filled {
    here!();

    fn entry(&self, path: &str) -> Entry {
        match path {
            "/home/dev/src/app/.env" | "/home/dev/Documents/notes.md" | "/home/dev/src/other/f" => Entry::Plain,
            "/home/dev" | "/home/dev/Documents" | "/home/dev/src/app" | "/home/dev/src/other" => Entry::Dir,
            _ => Entry::Missing,
        }
    }
}

#[test]
fn where_packages_come_from_and_what_is_trusted() {
    check("sources.toml");
}

#[test]
fn files_whose_loss_is_felt_where_they_are_there() {
    check_at("lost_there.toml", &Filled);
}

#[test]
fn ways_to_write_a_file_and_ways_to_look_at_one() {
    check("ways_to_write.toml");
}

#[test]
fn the_guards_files_behind_patterns_and_of_other_projects() {
    check("own_elsewhere.toml");
}

#[test]
fn what_keeps_the_client_from_asking() {
    check("own_reach.toml");
}

/// A path of the guard is a question wherever a program is not known to read it or to leave it alone.
#[test]
fn the_guards_files_as_words_of_programs_that_are_known_for_something_else() {
    check("mentioned.toml");
}

/// The project brings a link to a file of the guard under a name that says nothing.
struct Linked;

impl Facts for Linked {
    here!();

    fn real_path(&self, path: &str) -> Option<String> {
        let rest = path.strip_prefix("/home/dev/src/app/notes")?;
        Some(format!("/home/dev/.config/hookbin{rest}"))
    }
}

#[test]
fn a_word_that_is_a_link_to_a_file_of_the_guard_is_that_file() {
    for asked in [
        "lz4 -d x.lz4 notes/projects/x", "pip install --target notes ./pkg", "pip install --target=notes ./pkg",
        "gh repo clone a/b notes", "frobnicate notes", "python3 gen.py --out notes/x",
    ] {
        assert_eq!(verdict_at(asked, &Linked), Some(Verdict::Ask), "{asked}");
    }
    for free in ["ls notes", "cat notes/x", "git log notes", "pip install --target build ./pkg", "frobnicate -n"] {
        assert_eq!(verdict_at(free, &Linked), None, "{free}");
    }
}

#[test]
fn a_second_client_that_need_not_start_the_guard() {
    check("client.toml");
}

/// The account's home directory lies elsewhere than the environment says.
struct TwoHomes;

impl Facts for TwoHomes {
    fn now(&self) -> Moment {
        Here.now()
    }

    fn state_dir(&self) -> Cow<'_, str> {
        Here.state_dir()
    }

    fn home(&self) -> Option<Cow<'_, str>> {
        Some("/srv/elsewhere".into())
    }

    fn other_home(&self) -> Option<Cow<'_, str>> {
        Some("/home/dev".into())
    }

    fn project(&self) -> Option<Cow<'_, str>> {
        Some("/srv/app".into())
    }
}

#[test]
fn the_guards_files_in_the_home_dir_of_the_account_are_its_own_whatever_the_environment_says() {
    let verdict = |command: &str| {
        let event = payload(command).replace("/home/dev/src/app", "/srv/app");
        let profile = profile();
        decide(&Event::parse(&event).unwrap(), &profile.plan(&EventName::PreToolUse), &TwoHomes).verdict
    };
    for home in ["/home/dev", "~"] {
        for refused in [
            "chmod -R 777 HOME/.local",
            "chown -R x HOME/.local",
            "setfacl -R -m u:x:rwx HOME/.config",
            "chattr -R -i HOME/.config",
            "mv HOME/.config x",
            "cp -r x/hookbin HOME/.config",
            "cp HOME/.local/bin/hookbin x",
            "find HOME/.local/bin -name 'hook*' -exec {} trust \\;",
            "find HOME/.config -name hookbin.toml -delete",
            "grep -rl deny HOME/.config | xargs sed -i s/deny/allow/",
            "git -C HOME/.config/hookbin pull",
        ] {
            let command = refused.replace("HOME", home);
            assert_eq!(verdict(&command), Some(Verdict::Deny), "{command}");
        }
        for asked in ["tar xf x.tar -C HOME", "cp -rT x HOME/.config", "cp -r HOME/.local x"] {
            let command = asked.replace("HOME", home);
            assert_eq!(verdict(&command), Some(Verdict::Ask), "{command}");
        }
        for free in ["tar xf x.tar -C HOME/src/x", "cp x HOME/.local/bin", "git -C HOME/.config/nvim pull"] {
            let command = free.replace("HOME", home);
            assert_eq!(verdict(&command), None, "{command}");
        }
    }
}

#[test]
fn the_guards_own_files_and_commands() {
    check("own.toml");
}

/// The same where a command does not name what it takes.
#[test]
fn the_guards_files_are_not_taken_along() {
    check("taken.toml");
}

#[test]
fn powershell_is_followed_like_any_shell() {
    check("powershell.toml");
}

#[test]
fn file_tools_and_calls_that_cannot_be_read() {
    check("tools.toml");
}

#[test]
fn a_call_that_is_made_long_is_no_freer_and_a_long_list_of_ordinary_things_is_free() {
    check("long.toml");
}

/// What other clients and servers call the same acts.
#[test]
fn acts_in_the_shapes_of_other_clients() {
    check("shapes.toml");
}

#[test]
fn system_files_hidden_hooks_and_untracked_files() {
    check("system.toml");
}

#[test]
fn ordinary_work_beside_what_destroys() {
    check("quiet.toml");
}

/// A chain of variables that is too long to follow ends in a question, whatever stands at its end.
#[test]
fn a_long_chain_of_variables_ends_in_a_question() {
    for (links, verdict) in [(500, Verdict::Deny), (2000, Verdict::Ask), (20_000, Verdict::Ask)] {
        for first in ["rm", "'rm -rf ~'"] {
            let chain: Vec<String> = (1..links).map(|link| format!("a{link}=$a{}", link - 1)).collect();
            let rest = if first == "rm" { " -rf ~" } else { "" };
            let line = format!("a0={first}; {}; $a{}{rest}", chain.join("; "), links - 1);
            assert_eq!(verdict_at(&line, &Here), Some(verdict), "{links} links to {first}");
        }
    }
}

#[test]
fn what_git_runs_by_its_settings_is_asked_about_whichever_way_they_come() {
    check("git_config.toml");
}

#[test]
fn what_is_left_behind_for_later_is_told_from_the_projects_own_files() {
    check("for_later.toml");
}

/// The user's machine, where the settings of the user do not start the guard.
struct Elsewhere;

impl Facts for Elsewhere {
    fn now(&self) -> Moment {
        Here.now()
    }

    fn state_dir(&self) -> Cow<'_, str> {
        "/home/dev/src/app/.claude/hookbin/state".into()
    }

    fn home(&self) -> Option<Cow<'_, str>> {
        Some("/home/dev".into())
    }

    fn project(&self) -> Option<Cow<'_, str>> {
        Some("/home/dev/src/app".into())
    }

    fn starts_guard(&self, _path: &str) -> bool {
        false
    }

    fn is_client_settings(&self, path: &str) -> bool {
        path == "/home/dev/moved/settings.json"
    }
}

#[test]
fn settings_of_every_scope_are_protected_whether_or_not_they_start_the_guard() {
    check_at("own_settings.toml", &Elsewhere);
    let moved = |content: &str| {
        serde_json::json!({"tool_name": "Write", "tool_input": {"file_path": "/home/dev/moved/settings.json", "content": content}}).to_string()
    };
    assert_eq!(verdict_at(&moved("{\"hooks\":{\"Stop\":[1]}}"), &Elsewhere), Some(Verdict::Deny));
    assert_eq!(verdict_at(&moved("{\"theme\":\"dark\"}"), &Elsewhere), None);
}
