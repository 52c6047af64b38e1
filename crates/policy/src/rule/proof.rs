//! The proof of a rule: its examples are decided by the rule alone, as a call would be.

use hook_protocol::native::NativeTool;
use hook_protocol::own_path;
use std::borrow::Cow;

use hook_protocol::event::{Body, Event, EventName, PreToolUse, UserPromptSubmit};
use hook_protocol::matcher::Matcher;

use super::allow_coverage::covers;
use super::user::{Subject, Then, UserRule, When};
use crate::call;
use crate::facts::Facts;
use crate::moment::Moment;

/// Facts of no session: examples are judged by what they say.
pub(crate) struct NoFacts;

impl Facts for NoFacts {
    fn now(&self) -> Moment {
        Moment::from_epoch(0)
    }

    fn state_dir(&self) -> Cow<'_, str> {
        Cow::Borrowed(concat!("/project/", own_path!("hookbin/state")))
    }

    fn home(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed("/home/user"))
    }

    fn project(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed("/project"))
    }
}

/// The example of the rule that does not do what it should, with its key and in words; `None` if all do.
pub(crate) fn unproven(rule: &UserRule) -> Option<(&'static str, String)> {
    // Without its examples: they are many, and each try would copy all of them.
    let alone =
        UserRule { should_match: Vec::new(), should_not_match: Vec::new(), when: When::default(), ..rule.clone() };
    let wrong =
        |examples: &[String], wanted: bool| examples.iter().find(|example| fits(&alone, example) != wanted).cloned();
    let id = &rule.id;
    let silent = wrong(&rule.should_match, true);
    if let Some(example) = silent {
        return Some(("should_match", format!("rule `{id}` does not match its example {example:?}")));
    }
    let example = wrong(&rule.should_not_match, false)?;
    Some(("should_not_match", format!("rule `{id}` matches {example:?}, which it should not match")))
}

/// Whether a rule without conditions over the session fits an example.
fn fits(alone: &UserRule, example: &str) -> bool {
    let event = example_event(alone, example);
    let report = call::report(&event, &NoFacts);
    let here = UserRule { event: event.name().as_str().to_owned(), ..alone.clone() };
    let subject = Subject { event: &event, report: &report, facts: &NoFacts };
    here.fit(&subject).is_some_and(|fit| alone.then != Then::Allow || covers(&[fit], &subject))
}

/// The call or prompt that an example of the rule stands for: a command, the path of a file tool, or a prompt.
pub(crate) fn example_event(rule: &UserRule, example: &str) -> Event<'static> {
    if rule.event == EventName::UserPromptSubmit.as_str() {
        let prompt = UserPromptSubmit { prompt: Some(example.to_owned().into()), ..UserPromptSubmit::default() };
        return Event { body: Body::UserPromptSubmit(prompt), ..Event::default() };
    }
    let matcher = Matcher::parse(&rule.tool);
    let shell = rule.tool.is_empty() && rule.path.0.is_empty()
        || NativeTool::command_names().any(|shell| !rule.tool.is_empty() && matcher.matches(shell));
    let call = if shell {
        PreToolUse::bash(example)
    } else {
        let first =
            rule.tool.split(['|', ',']).next().map_or("Write", |tool| if tool.is_empty() { "Write" } else { tool });
        if rule.path.0.is_empty() && (!rule.text.0.is_empty() || rule.matches.is_some()) {
            PreToolUse::file_call(first, "/project/file", Some(example))
        } else {
            PreToolUse::file_call(first, example, None)
        }
    };
    Event { body: call.into(), ..Event::default() }
}
