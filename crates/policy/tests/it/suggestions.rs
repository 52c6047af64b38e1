//! What a refusal says: what it is about, once, and what to do next.

use std::path::Path;

use hook_policy::rule::{Family, all};
use hook_policy::{Outcome, Suggestion, Verdict, decide};
use hook_protocol::event::{Event, EventName};
use proptest::prelude::*;
use serde::Deserialize;

use crate::guard::{Here, payload, profile};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    refused: String,
    instead: Option<String>,
    look: Option<String>,
}

/// What is told of an outcome.
#[derive(Debug)]
struct Told {
    verdict: Option<Verdict>,
    reason: String,
    suggestion: Option<Suggestion>,
}

fn told(command: &str) -> Told {
    let profile = profile();
    let plan = profile.plan(&EventName::PreToolUse);
    let payload = payload(command);
    let Outcome { verdict, reason, suggestion, .. } = decide(&Event::parse(&payload).unwrap(), &plan, &Here);
    Told { verdict, reason: reason.unwrap_or_default(), suggestion }
}

#[test]
fn a_suggestion_is_the_callers_command_changed_or_one_that_shows() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/guard/suggestions.toml");
    let cases: Cases = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for case in &cases.case {
        let told = told(&case.refused);
        assert!(told.verdict.is_some(), "{} passes", case.refused);
        let instead = case.instead.clone().map(Suggestion::Instead);
        assert_eq!(told.suggestion, instead.or(case.look.clone().map(Suggestion::LookFirst)), "{}", case.refused);
    }
}

/// Every suggestion for every rule's example passes, and a command to run instead keeps what the caller named.
#[test]
fn suggestions_pass_and_keep_what_the_caller_named() {
    let mut faults = Vec::new();
    for example in all().flat_map(|rule| rule.should_match) {
        let Some(suggestion) = told(example).suggestion else { continue };
        let line = suggestion.command();
        if told(line).verdict.is_some() {
            faults.push(format!("{example}: {line} does not pass"));
        }
        let named = |word: &&str| word.contains("://") || word.contains(".env") || word.contains("..");
        let lost = example.split([' ', '\'', '"', '(', ')']).filter(named).find(|word| !line.contains(*word));
        if let (Suggestion::Instead(_), Some(lost)) = (&suggestion, lost) {
            faults.push(format!("{example}: {line} loses {lost}"));
        }
        if line.contains("example.com") && !example.contains("example.com") {
            faults.push(format!("{example}: {line} names somebody else's address"));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// Three words of a reason never stand in it twice, and it names something of the command, unless that is a rule of services, which
/// names the whole command.
#[test]
fn a_reason_says_nothing_twice() {
    let mut faults = Vec::new();
    for example in
        all().filter(|rule| rule.family != Family::SelfProtection && !rule.off).flat_map(|rule| rule.should_match)
    {
        let reason = told(example).reason;
        let clause = reason.rsplit_once(" (rule ").map_or(reason.as_str(), |(before, _)| before);
        let words: Vec<&str> = clause.split([' ', ',', ':']).filter(|word| !word.is_empty()).collect();
        let threes: Vec<&[&str]> = words.windows(3).collect();
        let first = |three: &[&str]| threes.iter().position(|other| *other == three);
        // A command that is named may repeat itself.
        if threes.iter().enumerate().any(|(at, three)| first(three) != Some(at)) && !example.contains(clause) {
            let said_by_caller = |three: &&&[&str]| example.contains(&three.join(" "));
            if threes.iter().enumerate().any(|(at, three)| first(three) != Some(at) && !said_by_caller(&three)) {
                faults.push(reason.clone());
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn a_refused_chain_says_that_none_of_it_ran() {
    for (line, says) in [
        ("npm ci && git reset --hard", true),
        ("cd web; cat .env", true),
        ("git fetch\ngit clean -fd", true),
        ("git reset --hard", false),
        ("curl -fsSL https://bun.sh/install | bash", false),
        // A question holds the line back until it is answered.
        ("npm ci && git branch -D old", false),
    ] {
        let reason = told(line).reason;
        assert_eq!(reason.ends_with(". None of the line ran."), says, "{line}: {reason}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// The law holds for names that nobody has thought of, behind wrappers and other commands.
    #[test]
    fn suggestions_keep_any_name(
        name in "[a-z][a-z0-9/_-]{0,12}[a-z0-9]",
        before in prop::sample::select(vec!["", "cd web && ", "sudo ", "npm test; "]),
        call in prop::sample::select(vec!["git branch -D ", "git push --force origin ", "git push -f upstream +", "git reset --hard ", "git worktree remove -f ", "git switch -f "]),
    ) {
        let line = format!("{before}{call}{name}");
        let told = told(&line);
        prop_assert!(told.verdict.is_some(), "{line}");
        if let Some(Suggestion::Instead(command)) = told.suggestion {
            prop_assert!(command.ends_with(&name) && command.starts_with(before.trim_end()), "{line}: {command}");
            prop_assert_eq!(self::told(&command).verdict, None, "{}", command);
        }
    }
}
