//! What a host cannot do is said in another way, or on another event. One table for all hosts: see [`hook_protocol::host::Limits`].
//!
//! | the host | what becomes of it |
//! | --- | --- |
//! | asks nobody | a question is a refusal, or passes where the setting `ask` says so |
//! | runs no other arguments | a rewrite is a refusal that names the command |
//! | brings no text on this event | the text waits for the next event that can |
//! | does not mark continued turns | the session remembers that its last stop was refused |

use hook_policy::{Context, Outcome, Suggestion, Unasked, Verdict};
use hook_protocol::event::{Body, Event};
use hook_protocol::host::Limits;
use hook_session_state::Error;
use serde::{Deserialize, Serialize};

use crate::event::effects;
use crate::event::run::Run;
use crate::facts::section;

/// Most texts that wait in one session.
const MOST: usize = 16;

/// What a session keeps for later events.
#[derive(Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Waiting {
    /// Texts for the model.
    context: Vec<String>,
    /// The last stop was refused, so that the turn goes on because of that.
    continued: bool,
}

/// Says what the host cannot do in a way that it can.
pub(super) fn fit(outcome: &mut Outcome<'_>, limits: &Limits, unasked: Unasked) {
    if !limits.rewrites
        && let Some(command) = outcome.rewrite.take()
    {
        outcome.verdict = Some(Verdict::Deny);
        outcome.reason.get_or_insert_with(|| "this command has to be changed before it runs".to_owned());
        outcome.suggestion = Some(Suggestion::Instead(command));
    }
    if !limits.asks && outcome.verdict == Some(Verdict::Ask) {
        let reason = outcome.reason.take().unwrap_or_default();
        if unasked == Unasked::Pass {
            outcome.verdict = None;
            outcome.suggestion = None;
            outcome.notices.push(format!("hookbin let a call pass that it would ask about: {reason}"));
        } else {
            outcome.verdict = Some(Verdict::Deny);
            outcome.reason =
                Some(format!("{reason}. Nobody can be asked here; a user who wants this runs it in a terminal"));
        }
    }
}

/// Marks the stop of a turn that goes on because the last one was refused, where the host does not say so.
pub(super) fn mark_continued(run: &mut Run<'_>) {
    if run.limits().marks_continued_turns || !is_stop(&run.event) || !waiting(run).continued {
        return;
    }
    match &mut run.event.body {
        Body::Stop(stop) => stop.stop_hook_active = Some(true),
        Body::SubagentStop(stop) => stop.stop_hook_active = Some(true),
        _ => {}
    }
}

/// Keeps for later events what this one cannot say, and says what waits. Returns what could not be done.
pub(super) fn carry_over(run: &Run<'_>, outcome: &mut Outcome<'_>) -> Option<String> {
    let limits = run.limits();
    if limits.marks_continued_turns && limits.context_on.is_none() {
        return None;
    }
    let before = waiting(run);
    let mut after = Waiting { context: before.context.clone(), continued: before.continued };
    if let Some(takes) = limits.context_on {
        if takes(&run.event.name()) {
            let waited = std::mem::take(&mut after.context);
            outcome.context.splice(0..0, waited.into_iter().map(|text| Context { text, plain: false }));
        } else {
            let texts = outcome.context.drain(..).map(|context| context.text);
            after.context.extend(texts);
            after.context.dedup();
            let excess = after.context.len().saturating_sub(MOST);
            after.context.drain(..excess);
        }
    }
    if !limits.marks_continued_turns {
        match run.event.body {
            Body::Stop(_) | Body::SubagentStop(_) => after.continued = outcome.verdict == Some(Verdict::Deny),
            Body::UserPromptSubmit(_) | Body::SessionStart(_) => after.continued = false,
            _ => {}
        }
    }
    if after == before {
        return None;
    }
    keep(run, &after).err().map(|error| format!("what Claude Code cannot say now is lost: {error}"))
}

const fn is_stop(event: &Event<'_>) -> bool {
    matches!(event.body, Body::Stop(_) | Body::SubagentStop(_))
}

fn waiting(run: &Run<'_>) -> Waiting {
    let Some(project) = &run.project else { return Waiting::default() };
    let document = effects::store(run, project).read_session(&run.session).ok().flatten();
    section::read(document.as_ref().and_then(|document| document.section_raw(section::WAITING)))
}

fn keep(run: &Run<'_>, waiting: &Waiting) -> Result<(), Error> {
    let Some(project) = &run.project else { return Ok(()) };
    let store = effects::store(run, project);
    let mut locked = store.lock()?;
    let mut document = locked.session(&run.session)?.value;
    document.set_section_raw(section::WAITING, &section::text(waiting))?;
    locked.save(&document)
}
