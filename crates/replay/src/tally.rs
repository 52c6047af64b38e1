//! What a policy did over a whole past: verdicts, rules, and groups of alike calls.

use std::collections::{BTreeMap, HashMap, VecDeque};

use hook_audit_log::{clip, redact};
use hook_policy::Verdict;
use hook_protocol::event::{Body, EventName};
use serde::Serialize;

use super::Seen;
use super::recorded::{Live, key};
use super::shape::{Part, shape};
use super::world::Said;

/// Different rules, and groups, that are told apart; the rest is counted together.
const KINDS: usize = 2_000;
/// Examples of each.
const EXAMPLES: usize = 3;
/// Commands of a group that a proposal may be made from.
const COMMANDS: usize = 8;
/// Longest command that is an example in a rule, in characters.
const COMMAND: usize = 200;
/// Calls of logs that wait for the record of their end.
const WAITING: usize = 10_000;

/// Events by verdict.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Verdicts {
    /// All events.
    pub events: Counts,
    /// Of these the tool calls.
    pub calls: Counts,
}

/// Counts by verdict.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Counts {
    /// Refused.
    pub deny: u64,
    /// The user was to be asked.
    pub ask: u64,
    /// Let run without a question.
    pub allow: u64,
    /// Nothing was against it.
    pub none: u64,
}

impl Counts {
    fn add(&mut self, verdict: Option<Verdict>) {
        *match verdict {
            Some(Verdict::Deny) => &mut self.deny,
            Some(Verdict::Ask) => &mut self.ask,
            Some(Verdict::Allow) => &mut self.allow,
            None => &mut self.none,
        } += 1;
    }

    pub(super) fn all(&self) -> u64 {
        self.deny + self.ask + self.allow + self.none
    }
}

impl Verdicts {
    pub(super) fn count(&mut self, verdict: Option<Verdict>, seen: &Seen) {
        self.events.add(verdict);
        if matches!(seen.past.event.body, Body::PreToolUse(_)) {
            self.calls.add(verdict);
        }
    }
}

/// One rule, or one handler without rules, with a verdict.
#[derive(Debug, Clone, Default)]
pub(super) struct RuleCount {
    pub(super) count: u64,
    /// Of these calls, so many ran when it happened.
    pub(super) ran: u64,
    pub(super) examples: Vec<String>,
}

/// Calls that are alike.
#[derive(Debug, Clone, Default)]
pub(super) struct Group {
    pub(super) counts: Counts,
    pub(super) ran: u64,
    pub(super) refused_by_person: u64,
    /// Asked when it happened, and ran.
    pub(super) approved: u64,
    pub(super) example: String,
    /// The program, where there is just one.
    pub(super) part: Option<Part>,
    /// Different commands, those the user refused first; none that holds a secret.
    pub(super) commands: Vec<String>,
    pub(super) refused_commands: Vec<String>,
}

#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) verdicts: Verdicts,
    /// By rule, handler and verdict.
    pub(super) rules: BTreeMap<(String, String, &'static str), RuleCount>,
    pub(super) groups: HashMap<String, Group>,
    /// Verdicts that no group or rule has taken up, because there were too many.
    pub(super) beyond: u64,
    /// Calls of logs: their group, and whether they were asked about.
    waiting: VecDeque<(u64, String, bool)>,
}

impl Tally {
    pub(super) fn add(&mut self, seen: &Seen, said: &Said) {
        self.verdicts.count(said.verdict, seen);
        let subject = subject(seen);
        if let Some(verdict) = said.verdict {
            let check = said.check.clone().unwrap_or_else(|| "fail mode".to_owned());
            let rule = said.rule.clone().unwrap_or_default();
            let name = (rule, check, verdict.as_str());
            if self.rules.len() < KINDS || self.rules.contains_key(&name) {
                let counted = self.rules.entry(name).or_default();
                counted.count += 1;
                counted.ran += u64::from(seen.past.fate.has_run());
                if counted.examples.len() < EXAMPLES && !counted.examples.contains(&subject) {
                    counted.examples.push(subject.clone());
                }
            } else {
                self.beyond += 1;
            }
        }
        match &seen.past.event.body {
            Body::PreToolUse(_) => self.group(seen, said, subject),
            Body::PostToolUse(_) | Body::PostToolUseFailure(_) => self.ended(seen),
            _ => {}
        }
    }

    fn group(&mut self, seen: &Seen, said: &Said, example: String) {
        let Some(tool) = seen.past.event.tool() else { return };
        let shape = shape(&tool, &said.parts);
        if self.groups.len() >= KINDS && !self.groups.contains_key(&shape) {
            self.beyond += 1;
            return;
        }
        let asked = seen.live == Some(Live::Verdict(Some(Verdict::Ask)));
        let fate = seen.past.fate;
        if let (Some(id), false) = (tool.id, fate.has_run()) {
            self.waiting.push_back((key(&[&id.as_str()]), shape.clone(), asked));
            if self.waiting.len() > WAITING {
                self.waiting.pop_front();
            }
        }
        let group = self.groups.entry(shape).or_default();
        group.counts.add(said.verdict);
        group.ran += u64::from(fate.has_run());
        group.approved += u64::from(asked && fate.has_run());
        let refused = fate == hook_protocol::transcript::Fate::RefusedByPerson;
        group.refused_by_person += u64::from(refused);
        if group.example.is_empty() {
            group.example = example;
        }
        if let ([part], Some(command)) = (said.parts.as_slice(), tool.command()) {
            group.part.get_or_insert_with(|| part.clone());
            let command = command.trim();
            let fits = command.chars().count() <= COMMAND && !command.chars().any(char::is_control);
            let list = if refused { &mut group.refused_commands } else { &mut group.commands };
            if fits && list.len() < COMMANDS && !list.iter().any(|known| known == command) && redact(command) == command
            {
                list.push(command.to_owned());
            }
        }
    }

    /// The end of a call whose beginning said nothing of it, as in a log.
    fn ended(&mut self, seen: &Seen) {
        let Some(id) = seen.past.event.tool().and_then(|tool| tool.id.map(|id| key(&[&id.as_str()]))) else { return };
        let Some(at) = self.waiting.iter().rposition(|(known, ..)| *known == id) else { return };
        if let Some((_, shape, asked)) = self.waiting.remove(at)
            && let Some(group) = self.groups.get_mut(&shape)
        {
            group.ran += 1;
            group.approved += u64::from(asked);
        }
    }
}

/// What an event is about, short and without secrets.
pub(super) fn subject(seen: &Seen) -> String {
    let event = &seen.past.event;
    let text = match event.tool() {
        Some(tool) => match tool.command().or_else(|| tool.touched_path()) {
            Some(text) => format!("{}: {text}", tool.name),
            None => tool.name.into_owned(),
        },
        None => match (event.name(), &event.body) {
            (EventName::UserPromptSubmit, Body::UserPromptSubmit(submit)) => {
                let chars = submit.prompt.as_ref().map_or(0, |prompt| prompt.as_str().chars().count());
                format!("a prompt of {chars} characters")
            }
            (name, _) => name.as_str().to_owned(),
        },
    };
    clip(&text.replace(['\n', '\r', '\t'], " "), 300).into_owned()
}
