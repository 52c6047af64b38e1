//! The user's word in a run.

use std::borrow::Cow;

use hook_audit_log::Value;
use hook_policy::{Finding, Outcome, Verdict};

use super::{Allowed, Call, Kept, PAUSE, Span, pause, place, read};
use crate::event::run::Run;
use crate::installation::presence;
use crate::project::Project;
use crate::system::files;

/// What the user's word came to in a run, for the log.
#[derive(Debug, Default)]
pub struct Word {
    /// The call, where a refusal or question about it can be lifted and was not.
    pub call: Option<Call>,
    /// What was lifted, and why.
    pub lifted: Option<Lifted>,
}

/// A verdict that the user's word lifted.
#[derive(Debug)]
pub struct Lifted {
    /// `pause`, or `allow` and the short name of the call.
    why: String,
    verdict: Option<Verdict>,
    by: String,
}

impl Word {
    /// What the record says for people.
    pub(crate) fn note(&self) -> Option<String> {
        let Lifted { why, verdict, by } = self.lifted.as_ref()?;
        let verdict = verdict.map_or("none", Verdict::as_str);
        Some(format!("{verdict} by {by}, lifted by the user: {why}"))
    }

    /// Members of the record.
    pub(crate) fn extra(&self) -> Vec<(Cow<'_, str>, Value<'_>)> {
        let mut extra = Vec::new();
        extra.extend(self.call.iter().map(|call| (Cow::Borrowed("call"), Value::from(call.text()))));
        if let Some(lifted) = &self.lifted {
            extra.push((Cow::Borrowed("lifted"), Value::from(lifted.why.as_str())));
            extra.push((Cow::Borrowed("would"), Value::from(lifted.verdict.map_or("none", Verdict::as_str))));
            extra.push((Cow::Borrowed("by"), Value::from(lifted.by.as_str())));
        }
        extra
    }
}

/// Lifts a refusal or question as far as the user's word goes, or says what word would. Only what speaks against a call makes it look for
/// a file.
pub(crate) fn heed(run: &Run<'_>, outcome: &mut Outcome<'_>) -> Word {
    let mut word = Word::default();
    let is_liftable = outcome.firm.as_ref().is_some_and(|firm| firm.verdict < outcome.verdict);
    let Some(project) = run.project.as_ref().filter(|_| run.may.heeds && is_liftable) else { return word };
    if presence::is_managed(run.system) {
        return word;
    }
    if let Some(pause) = pause(project, run.system) {
        let end = pause.end();
        word.lifted =
            Some(lift(PAUSE.to_owned(), &format!("hookbin is paused until {end} and let this pass"), outcome));
        return word;
    }
    let Some(call) = Call::of(run) else { return word };
    if take(&call, project, run) {
        let said = format!("hookbin let this pass, as you allowed ({})", call.id());
        word.lifted = Some(lift(format!("allow {}", call.id()), &said, outcome));
        return word;
    }
    // What would be refused or asked about all the same is for no word of the user's.
    if outcome.firm.as_ref().is_some_and(|firm| firm.verdict < Some(Verdict::Ask)) {
        let is_refused = outcome.verdict == Some(Verdict::Deny) || !run.limits().asks;
        outcome.notices.extend(is_refused.then(|| offer(&call, run)));
        word.call = Some(call);
    }
    word
}

/// What the user can do about a refusal.
fn offer(call: &Call, run: &Run<'_>) -> String {
    let typed = run.event.tool().is_some_and(|tool| tool.command().is_some());
    let typed = if typed { "type it after `!`, or " } else { "" };
    format!("hookbin: to run it anyway, {typed}`hookbin allow {}` at a terminal of your own.", call.id())
}

fn lift(why: String, said: &str, outcome: &mut Outcome<'_>) -> Lifted {
    let by = outcome.rule.as_deref().or(outcome.decided_by).unwrap_or("the profile").to_owned();
    let lifted = Lifted { why, verdict: outcome.verdict, by };
    outcome.notices.push(format!("{said}: {}.", lifted.by));
    outcome.lift();
    lifted
}

/// Whether the user lets this call through; once is once, also for two that come at the same moment.
fn take(call: &Call, project: &Project, run: &Run<'_>) -> bool {
    let Some(path) = place(call.text(), project, run.system) else { return false };
    let Some(kept) = read::<Allowed>(&path, run.system) else { return false };
    let said = &kept.said;
    if said.call != *call || !kept.counts(said.span.seconds(), project, run.system) {
        return false;
    }
    match said.span {
        Span::Once => files::take(&path),
        Span::For(_) => true,
        Span::Session => said.session == run.session.as_str(),
    }
}

/// A finding that comes after the decision, without its verdict while there is a pause.
pub(crate) fn ease(finding: Finding, run: &Run<'_>) -> Finding {
    let is_paused = |project| !presence::is_managed(run.system) && pause(project, run.system).is_some();
    let is_lifted =
        finding.verdict >= Some(Verdict::Ask) && run.may.heeds && run.project.as_ref().is_some_and(is_paused);
    if !is_lifted {
        return finding;
    }
    let said = finding.reason.as_deref().and_then(|reason| reason.lines().next()).unwrap_or_default();
    let notice = Some(format!("hookbin is paused and let this pass: {said}"));
    Finding { verdict: None, reason: None, suggestion: None, notice, ..finding }
}

impl Kept<Allowed> {
    /// For `status`: the name of the call, how long, and what it is.
    pub fn line(&self, system: &crate::system::System) -> String {
        let Allowed { call, about, span, .. } = &self.said;
        format!("{}  {}, {} left: {about}", call.id(), span.words(), super::left(self.left(system)))
    }
}
