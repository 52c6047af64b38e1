//! The one decision: every step of the plan is asked in order, and the findings become one outcome.

use hook_protocol::event::{Event, EventName, PreToolUse};
use hook_protocol::tool::ToolUse;

use crate::call::{knows, unreadable_part};
use crate::check::{Check, CheckContext};
use crate::facts::Facts;
use crate::finding::{Outcome, StepResult, Traced};
use crate::profile::Plan;
use crate::verdict::Verdict;
use hook_shell::syntax::parse;

/// Decides one event by the plan that a profile made for it.
///
/// Steps run in the profile's order. Once the call is refused, steps that could only refuse it again are skipped;
/// steps that observe, remember and inform still run. A call that is refused, asked about or rewritten is not asked about by steps that
/// could only let it run. The strictest verdict wins. A call of a known tool whose command or path is missing, is no text
/// or stands there twice cannot be read, and is answered by the profile's fail mode.
///
/// A command that takes the place of the call's own is judged as well, since the host asks nobody about it again: where it is
/// refused or asked about, that verdict holds and nothing is rewritten. A call that is rewritten is never allowed by the same
/// answer.
pub fn decide<'p>(event: &Event<'_>, plan: &'p Plan, facts: &dyn Facts) -> Outcome<'p> {
    let mut outcome = decide_whole(event, plan, facts);
    if outcome.verdict == Some(Verdict::Deny) && outcome.rule.is_some() && is_chain(event) {
        // A model that reads about one command may take the others for done.
        outcome.reason =
            outcome.reason.map(|reason| format!("{}. None of the line ran.", reason.trim_end_matches('.')));
    }
    outcome
}

/// Whether the call is a line of several commands, one after the other.
fn is_chain(event: &Event<'_>) -> bool {
    let tool = event.tool().filter(|_| event.name() == EventName::PreToolUse);
    tool.and_then(|tool| tool.command()).is_some_and(|line| parse(&line).list.items.len() > 1)
}

fn decide_whole<'p>(event: &Event<'_>, plan: &'p Plan, facts: &dyn Facts) -> Outcome<'p> {
    let mut outcome = decide_as_sent(event, plan, facts);
    let Some(command) = outcome.rewrite.as_deref().filter(|_| outcome.verdict != Some(Verdict::Deny)) else {
        return outcome;
    };
    let rewritten = Event { common: event.common.clone(), body: PreToolUse::bash(command).into(), ..Event::default() };
    let judged = decide_as_sent(&rewritten, plan, facts);
    if judged.verdict >= Some(Verdict::Ask) {
        outcome.rewrite = None;
        if outcome.verdict < Some(Verdict::Ask) {
            // Own protection has nothing against the call as it was sent, which the user may let run.
            outcome.firm = Some(Box::default());
        }
        outcome.verdict = judged.verdict;
        outcome.decided_by = judged.decided_by;
        outcome.rule = judged.rule;
        outcome.reason = judged.reason;
        outcome.suggestion = judged.suggestion;
    } else if outcome.verdict == Some(Verdict::Allow) {
        outcome.verdict = None;
        outcome.decided_by = None;
        outcome.rule = None;
        outcome.reason = None;
    }
    outcome
}

/// Whether a refusal of this event holds something back. Elsewhere it makes the agent go on, or is a text for it, and whoever nobody
/// trusts has no say in that.
fn holds_back(event: &EventName<'_>) -> bool {
    matches!(
        event,
        EventName::PreToolUse
            | EventName::PreSkillShellCommand
            | EventName::PermissionRequest
            | EventName::UserPromptSubmit
            | EventName::UserPromptExpansion
            | EventName::ConfigChange
    )
}

/// Whether a check has a refusal or a question to give that holds something back. All that others could say counts for nothing where
/// nobody trusts who asked for them, so they are not even asked: some have programs started to find their answer.
fn may_hold_back(check: &Check) -> bool {
    check.can_deny() || check.can_only_allow() || check.step().holds_back()
}

/// What is said where rules that could refuse the call cannot be read.
const RULES_LOST: &str = "your custom rules cannot be read, so nobody knows whether one of them forbids this call";

fn decide_as_sent<'p>(event: &Event<'_>, plan: &'p Plan, facts: &dyn Facts) -> Outcome<'p> {
    let ctx = CheckContext::new(event, facts, &plan.settings);
    let tool = event.tool().map(|tool| tool.name);
    let mut outcome = Outcome::default();
    let holds_back = holds_back(&event.name());
    // Whether the refusal comes from those who look at a file.
    let mut gathers = false;
    for handler in &plan.handlers {
        if !handler.tools.is_empty() && !tool.as_deref().is_some_and(|tool| handler.serves_tool(tool)) {
            continue;
        }
        if handler.asked_by.is_some() && !holds_back {
            continue;
        }
        ctx.starts_nothing.set(handler.asked_by.is_some());
        let counts = |check: &&Check| handler.asked_by.is_none() || may_hold_back(check);
        for check in handler.checks.iter().filter(counts) {
            // What stands against a file is told at once, by all who look at it, so that nobody writes it four times.
            let joins = gathers && check.step().looks_at_a_file();
            let refused = outcome.verdict == Some(Verdict::Deny) && check.can_deny() && !joins;
            let doubted = outcome.verdict >= Some(Verdict::Ask) || outcome.rewrite.is_some();
            if refused || doubted && check.can_only_allow() {
                outcome.trace.push(Traced { handler: &handler.name, check: check.name(), said: StepResult::Skipped });
            } else {
                outcome.looked_at |= check.can_deny() && !handler.tools.is_empty();
                for file in 0..ctx.times(check) {
                    ctx.look_at(file);
                    let found = check.ask(&ctx);
                    let found = match &handler.asked_by {
                        Some(file) => found.and_then(|found| found.only_stricter(file)),
                        None => found,
                    };
                    if gathers && check.can_deny() {
                        outcome.demand(&handler.name, check.name(), found);
                    } else {
                        outcome.add(&handler.name, check.name(), found);
                        gathers = outcome.verdict == Some(Verdict::Deny) && check.step().looks_at_a_file();
                    }
                }
            }
            if ctx.rules_lost.take() {
                outcome.faults.push(RULES_LOST.to_owned());
                outcome.overrule(handler.on_error.verdict(), RULES_LOST);
            }
        }
    }
    outcome.firm = (outcome.verdict >= Some(Verdict::Ask)).then(|| Box::new(firm(&ctx, plan, tool.as_deref())));
    // Nobody has checked a call that a guard cannot read.
    let verdict = plan.settings.on_unreadable.verdict();
    let guarded = plan.handlers.iter().flat_map(|handler| &handler.checks).any(|check| check.step().guards());
    if verdict > outcome.verdict
        && guarded
        && let Some(part) = unreadable_part(event)
    {
        outcome.overrule(verdict, &plan.settings.unreadable_reason);
        outcome.faults.push(format!("call not read: {part}"));
    }
    let does_something = || !ctx.report().runs.is_empty() || !ctx.report().actions.is_empty();
    let read = |tool: ToolUse<'_>| knows(&tool) || does_something();
    outcome.looked_at |= outcome.verdict.is_some() || guarded && event.tool().is_some_and(read);
    outcome
}

/// What is said of an event by checks that protect the guard itself.
fn firm<'p>(ctx: &CheckContext<'_>, plan: &'p Plan, tool: Option<&str>) -> Outcome<'p> {
    let mut outcome = Outcome::default();
    ctx.firm.set(true);
    for handler in &plan.handlers {
        let serves = handler.tools.is_empty() || tool.is_some_and(|tool| handler.serves_tool(tool));
        for check in handler.checks.iter().filter(|check| serves && check.step().is_firm()) {
            outcome.add(&handler.name, check.name(), check.ask(ctx));
        }
    }
    outcome
}

/// Decides an event whose payload could not be read: the profile's fail mode where the event can deny a call.
pub fn decide_unreadable(plan: &Plan, can_deny: bool) -> Outcome<'_> {
    let verdict = if can_deny { plan.settings.on_unreadable.verdict() } else { None };
    Outcome { verdict, reason: verdict.map(|_| plan.settings.unreadable_reason.clone()), ..Outcome::default() }
}

/// Decides for handlers that were asked for by name with a payload that could not be read.
///
/// They need no payload to know what they are for: a refusing one refuses with its own words, and an observing one writes its
/// line under its own fallback name.
pub fn decide_named<'p>(plan: &'p Plan, facts: &dyn Facts) -> Outcome<'p> {
    let mut outcome = Outcome::default();
    let stamp = facts.now().stamp;
    for handler in &plan.handlers {
        for check in &handler.checks {
            let Some(finding) = check.step().unreadable(&stamp) else { continue };
            let finding = match &handler.asked_by {
                Some(file) => finding.only_stricter(file),
                None => Some(finding),
            };
            outcome.add(&handler.name, check.name(), finding);
        }
    }
    outcome
}
