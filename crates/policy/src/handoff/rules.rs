//! Which rule an agent's answer falls under, and who is next by it, in order.

use super::marker::{completed, has_token, phase_done, subject, unfinished};
use super::roster::Roster;
use super::sentence::handoffs;

/// The names and the mark that the rules speak of.
#[derive(Debug, Clone, Copy)]
pub struct Names<'n> {
    /// The word that asks for the checkpoint.
    pub token: &'n str,
    /// The agent that validates a finished phase; its own answers ask for no checkpoint.
    pub validator: &'n str,
    /// The agent to which implementation returns.
    pub hub: &'n str,
}

/// What follows from an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// Nothing: the agent may end.
    Nothing,
    /// Another agent is next.
    Route {
        /// Its name.
        to: String,
        /// Why, in words for the parent.
        why: String,
    },
    /// The same agent goes on: it says itself that there is work left.
    GoOn,
    /// Work is handed to an agent that nobody knows.
    Unknown {
        /// The name that was used.
        name: String,
        /// The known name nearest to it.
        nearest: Option<String>,
    },
}

impl Names<'_> {
    /// Whether the answer asks for the checkpoint: rule 2.
    pub fn wants_checkpoint(&self, agent: &str, output: &str) -> bool {
        !agent.eq_ignore_ascii_case(self.validator) && has_token(output, self.token)
    }
}

/// Rules 3 to 7, for an answer that passed its checkpoint or asked for none. An agent cannot hand work to itself.
pub fn next(agent: &str, output: &str, names: &Names<'_>, known: &Roster) -> Next {
    let shown = agent;
    let agent = agent.to_lowercase();
    if output.trim().is_empty() {
        return Next::Nothing;
    }
    if agent.contains("orchestrator") && phase_done(output) {
        let what = subject(output).unwrap_or_else(|| "the phase".to_owned());
        return Next::Route { to: names.validator.to_owned(), why: format!("{shown} says that {what} is complete") };
    }
    let asked: Vec<_> = handoffs(output).into_iter().filter(|handoff| handoff.agent != agent).collect();
    let can = |name: &str| known.knows(name) || name == names.hub || name == names.validator;
    if let Some(handoff) = asked.iter().find(|handoff| can(&handoff.agent)) {
        let task = if handoff.task.is_empty() { String::new() } else { format!(" to {}", handoff.task) };
        return Next::Route { to: handoff.agent.clone(), why: format!("{shown} hands over{task}") };
    }
    let unknown = asked
        .first()
        .map(|handoff| Next::Unknown { name: handoff.agent.clone(), nearest: known.nearest(&handoff.agent) });
    if let Some(unknown) = unknown {
        return unknown;
    }
    if agent.contains("implementation") && agent != names.hub {
        if completed(output) {
            return Next::Route { to: names.hub.to_owned(), why: format!("{shown} says that its work is complete") };
        }
        if unfinished(output) {
            return Next::GoOn;
        }
    }
    Next::Nothing
}
