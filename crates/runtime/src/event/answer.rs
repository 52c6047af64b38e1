//! From an outcome to what the event's own reply type can say.

use hook_policy::{Outcome, Verdict};
use hook_protocol::event::{Event, EventName};
use hook_protocol::host::Host;
use hook_protocol::reply::{self, CONTEXT_LIMIT, PreToolDecision, Reply, clip_context, exit_code};

use crate::event::plain::fit;
use crate::event::run::Printed;

/// Writes `outcome` as the answer of `host` to `event`. `usage` is what was wrong with the arguments; it goes to stderr.
pub fn print(host: &Host, event: &Event<'_>, outcome: &Outcome<'_>, usage: Option<&str>) -> Printed {
    let mut printed = Printed { code: exit_code::SUCCESS, ..Printed::default() };
    if let Some(usage) = usage {
        printed.stderr = format!("hookbin hook: {}\n", fit(usage));
    }
    let name = event.name();
    let mut reply = decided(event, &name, outcome);
    if let Some(reply) = &mut reply {
        add_context(reply, outcome, host.limits.context_chars);
    }
    let notices = outcome.notices.join("\n");
    let notices = fit(&notices);
    if !notices.is_empty() {
        let notices = clip_context(&notices, CONTEXT_LIMIT);
        if !reply.as_mut().is_some_and(|reply| reply.add_system_message(&notices)) {
            // The event discards the message. The log has it; where that is what failed, this is the only place left.
            printed.stderr.push_str(&notices);
            printed.stderr.push('\n');
        }
    }
    let Some(mut reply) = reply else { return printed };
    if let Some(reason) = &outcome.halt {
        halt(&mut reply, reason);
    }
    let written = host.write(&reply);
    if !written.stderr.is_empty() {
        printed.stderr = written.stderr;
    }
    printed.code = written.code;
    if let Reply::PostToolUse(after) = &reply
        && let Some(block) = after.block.as_ref().filter(|_| !outcome.feedback.is_empty())
    {
        // The feedback of linters and of the plan's check goes out with exit code 2 as well.
        printed.stderr = format!("{block}\n");
        printed.code = exit_code::BLOCK;
    }
    printed.stdout = written.stdout;
    printed
}

/// The reply with its verdict in the event's own form.
fn decided(event: &Event<'_>, name: &EventName<'_>, outcome: &Outcome<'_>) -> Option<Reply> {
    let reason = reason(outcome);
    if *name == EventName::PreToolUse {
        let decision = outcome.verdict.map(|verdict| match verdict {
            Verdict::Deny => PreToolDecision::Deny { reason },
            Verdict::Ask => PreToolDecision::Ask { reason: Some(reason) },
            Verdict::Allow => PreToolDecision::Allow { reason: Some(reason) },
        });
        let updated_input = outcome.rewrite.as_ref().and_then(|command| event.tool()?.with_command(command));
        return Some(Reply::PreToolUse(reply::PreToolUse { decision, updated_input, ..reply::PreToolUse::default() }));
    }
    let mut reply = Reply::empty(name.as_str())?;
    let asks = outcome.verdict == Some(Verdict::Ask) && *name == EventName::PreSkillShellCommand;
    if outcome.verdict == Some(Verdict::Deny) {
        let _ = reply.refuse(&reason);
    } else if asks {
        // The host asks nobody about the command of a skill, so the question becomes a refusal.
        let _ = reply.refuse(&format!("{reason}\nA skill cannot ask; a user who wants this can run it in a terminal."));
    }
    for feedback in &outcome.feedback {
        if let Reply::PostToolUse(_) = &reply {
            let _ = reply.refuse(&clip_context(&fit(feedback), CONTEXT_LIMIT));
        }
    }
    Some(reply)
}

/// Ends the turn, on the events whose checks may ask for that.
fn halt(reply: &mut Reply, reason: &str) {
    let notice = match reply {
        Reply::PostToolUse(reply) => &mut reply.notice,
        Reply::SubagentStop(reply) => &mut reply.notice,
        Reply::Stop(reply) => &mut reply.notice,
        Reply::UserPromptSubmit(reply) => &mut reply.notice,
        _ => return,
    };
    notice.stop = Some(clip_context(&fit(reason), CONTEXT_LIMIT).into_owned());
}

fn reason(outcome: &Outcome<'_>) -> String {
    let reason = outcome.reason.clone().unwrap_or_else(|| "refused by the profile".to_owned());
    let whole = match &outcome.suggestion {
        Some(suggestion) => format!("{reason}\n{suggestion}"),
        None => reason,
    };
    fit(&whole).into_owned()
}

/// Contexts as one text of `most` characters; text that asks to be plain goes out plain where nothing else is said.
fn add_context(reply: &mut Reply, outcome: &Outcome<'_>, most: usize) {
    let texts: Vec<&str> = outcome.context.iter().map(|context| context.text.as_str()).collect();
    if texts.is_empty() {
        return;
    }
    let joined = texts.join("\n\n");
    // Whatever file or program it came from, no secret goes to the model with it. Before the cut, which could halve one.
    let joined = hook_audit_log::redact(&joined);
    let joined = fit(&joined);
    let text = clip_context(&joined, most);
    let plain = outcome.notices.is_empty() && outcome.context.iter().all(|context| context.plain);
    match reply {
        Reply::UserPromptSubmit(prompt) if plain => prompt.text = Some(text.into_owned()),
        // An event that delivers no text to the model has nothing to add it to.
        reply => drop(reply.add_context(&text)),
    }
}
