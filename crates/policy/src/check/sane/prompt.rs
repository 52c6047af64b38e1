//! `saneprompt`: the user's commands, and what any other prompt asks for.

use hook_protocol::event::Body;
use serde::{Deserialize, Serialize};

use super::super::word::{self, Speaker};
use super::super::{CheckContext, Step};
use super::command::{self, Command};
use super::{Semantics, change, classify, listed, log};
use crate::effect::Effect;
use crate::finding::{Context, Finding};
use crate::profile::Settings;
use crate::sane::{Change, Class, Member, Prompt, State};
use crate::verdict::Verdict;

/// Settings of `saneprompt`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct SanePrompt {
    /// What safemode means. Set to `bypass` here or in `sanetools`, it holds for both.
    pub safemode_semantics: Semantics,
    /// Failures in a row from which a prompt is answered with a warning.
    pub warn_from: u32,
    /// Rounds of a loop.
    pub max_iterations: u32,
    /// Whether another task needs its own research.
    pub new_task_resets: bool,
    /// The log, in the project's `.claude` directory.
    pub file: String,
}

impl Default for SanePrompt {
    fn default() -> Self {
        Self {
            safemode_semantics: Semantics::Document,
            warn_from: 2,
            max_iterations: 20,
            new_task_resets: true,
            file: "saneprompt.log".to_owned(),
        }
    }
}

/// The characters of a prompt that a learning keeps.
const BEGINNING: usize = 100;
/// Corrections among the last five learnings from which the model is warned.
const CORRECTIONS: usize = 3;

impl Step for SanePrompt {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let Body::UserPromptSubmit(submit) = &ctx.event.body else { return None };
        let prompt = submit.prompt.as_ref()?.as_str();
        let speaker = word::speaker(ctx, &prompt);
        if speaker == Speaker::Other {
            return None;
        }
        let state = ctx.facts.sane();
        let mut finding = match command::parse(&prompt) {
            Some(command) if command.changes() && speaker == Speaker::Session => {
                let reason =
                    format!("{} Type the command in an hour, or in a project of its own.", word::SAID_BY_SESSION);
                Finding { verdict: Some(Verdict::Deny), reason: Some(reason), ..Finding::default() }
            }
            // A program gives tasks, and no commands.
            Some(command) if command.changes() && speaker == Speaker::Program => return None,
            Some(command) => self.command(command, &state, ctx.settings),
            None => self.classified(&prompt, &state, ctx.settings),
        };
        if state.trouble.is_some() || state.moved.is_some() {
            finding.effects.insert(0, change(Change::Mend));
        }
        Some(finding)
    }

    fn keeps_signed_state(&self) -> bool {
        true
    }

    fn share(&self, settings: &mut Settings) {
        settings.person_commands = true;
    }

    fn safemode(&mut self) -> Option<&mut Semantics> {
        Some(&mut self.safemode_semantics)
    }
}

impl SanePrompt {
    /// The answer goes to the user; the model never sees the prompt.
    fn command(&self, command: Command, state: &State, settings: &Settings) -> Finding {
        let mut changes = Vec::new();
        let answer = match command {
            Command::SafemodeOn | Command::SafemodeOff => {
                let asked_on = command == Command::SafemodeOn;
                let document = self.safemode_semantics == Semantics::Document;
                // Under the other meaning the marker says that nothing is enforced, and `s+` takes it away.
                let on = asked_on == document;
                changes.push(Change::Safemode { on, marker: on });
                match (asked_on, document) {
                    (true, true) => "Safemode is on: edits are refused until you type s-.",
                    (false, true) => "Safemode is off.",
                    (true, false) => "Safemode is on: the rules are enforced.",
                    (false, false) => {
                        "Safemode is off: nothing is refused until you type s+. Everything is still tracked."
                    }
                }
                .to_owned()
            }
            Command::SafemodeStatus => {
                let said = if self.safemode_semantics.refuses(state) {
                    "Safemode is on: edits are refused. Type s- to end it."
                } else if self.safemode_semantics.bypasses(state) {
                    "Safemode is off: nothing is refused. Type s+ to enforce the rules."
                } else if self.safemode_semantics == Semantics::Bypass {
                    "Safemode is on: the rules are enforced. Type s- to bypass them."
                } else {
                    "Safemode is off. Type s+ to refuse all edits."
                };
                said.to_owned()
            }
            Command::BreakerReset => {
                changes.push(Change::ResetBreaker);
                let was = if state.breaker.tripped { "was tripped" } else { "was not tripped" };
                format!("The circuit breaker is reset; it {was}.")
            }
            Command::BreakerStatus => breaker_status(state, settings.breaker_threshold),
            Command::Research => research_status(state, &settings.research),
            Command::ResearchReset => {
                changes.push(Change::ResetResearch);
                "The research is forgotten; edits need it again.".to_owned()
            }
            Command::BlocksReset => {
                changes.push(Change::ResetBlocks);
                "The list of refusals is empty; all gates refuse again.".to_owned()
            }
            Command::LoopStart { task, criteria } => {
                let answer = format!(
                    "The saneloop is started: {task} (at most {} rounds, {} acceptance criteria).",
                    self.max_iterations,
                    criteria.len()
                );
                changes.push(Change::LoopStart { task, criteria, max: self.max_iterations });
                answer
            }
            Command::LoopStatus => state.looping.as_ref().map_or_else(
                || "No saneloop runs. Start one with: saneloop start TASK".to_owned(),
                super::stop::loop_text,
            ),
            Command::LoopCheck(number) => loop_check(number, state, &mut changes),
            Command::LoopCancel => {
                let answer =
                    if state.looping.is_some() { "The saneloop is ended and archived." } else { "No saneloop runs." };
                changes.push(Change::LoopCancel);
                answer.to_owned()
            }
        };
        let mut effects: Vec<Effect> = changes.into_iter().map(change).collect();
        effects.push(log(&self.file, vec![("type", Member::Text("command".to_owned()))]));
        Finding { verdict: Some(Verdict::Deny), reason: Some(answer), effects, ..Finding::default() }
    }

    fn classified(&self, prompt: &str, state: &State, settings: &Settings) -> Finding {
        let class = classify::class(prompt);
        let learned = if class == Class::Passthrough { Vec::new() } else { classify::frustration(prompt) };
        let (requested, fresh) = if class.is_task() { classify::requirements(prompt) } else { (Vec::new(), false) };
        let triggers = if class.is_task() { classify::triggers(prompt) } else { Vec::new() };
        let subject = if class.is_task() { classify::subject(prompt) } else { Vec::new() };
        let continues = classify::continues(prompt) || subject.iter().any(|word| state.words.contains(word));
        let new_task =
            self.new_task_resets && class.is_task() && !state.words.is_empty() && !subject.is_empty() && !continues;
        let words = if new_task || state.words.is_empty() { subject } else { Vec::new() };
        let (kind, rules) = classify::kind(prompt);
        let mut text = Vec::new();
        if class.is_task() {
            text.push(format!("[SANE] {} ({kind}).", class.as_str()));
            if new_task {
                text.push("This is another task than before, so its research begins again.".to_owned());
            }
            if !requested.is_empty() {
                let (later, first): (Vec<&String>, Vec<&String>) =
                    requested.iter().partition(|name| settings.later.contains(name));
                let names = |all: Vec<&String>| listed(all.iter().map(|name| name.as_str()));
                text.extend((!first.is_empty()).then(|| format!("Edits wait for: {}.", names(first))));
                text.extend((!later.is_empty()).then(|| format!("At the end the user wants: {}.", names(later))));
            }
            if !triggers.is_empty() {
                text.push(trigger_warning(&triggers, &state.triggers));
            }
        }
        if let Some((kind, pattern)) = learned.first() {
            text.push(format!(
                "The user is dissatisfied ({kind}: \"{pattern}\"). Read the prompt again, slowly, before you act."
            ));
        }
        let corrections = state.learnings.iter().rev().take(5).filter(|learning| learning.kind == "correction").count();
        if corrections >= CORRECTIONS {
            text.push(format!("{corrections} of the last 5 remarks were corrections. Ask when something is unclear."));
        }
        let breaker = self.breaker_warning(state, settings.breaker_threshold);
        text.extend(breaker.clone());
        let prompt_change = Prompt {
            class,
            words,
            new_task,
            requested,
            fresh,
            triggers: triggers.clone(),
            learned,
            beginning: prompt.trim().chars().take(BEGINNING).collect(),
        };
        let line = vec![
            ("type", Member::Text(class.as_str().to_owned())),
            ("rules", Member::Texts(if class.is_task() { super::owned(rules) } else { Vec::new() })),
            ("triggers", Member::Texts(triggers)),
        ];
        Finding {
            context: (!text.is_empty()).then(|| Context { text: text.join("\n"), plain: false }),
            notice: breaker,
            effects: vec![change(Change::Prompt(prompt_change)), log(&self.file, line)],
            ..Finding::default()
        }
    }

    /// What a prompt says of a breaker that has tripped or is about to.
    fn breaker_warning(&self, state: &State, threshold: u32) -> Option<String> {
        let breaker = &state.breaker;
        if breaker.tripped {
            let last = breaker.last_error.as_deref().unwrap_or("unknown");
            return Some(format!(
                "The circuit breaker is tripped, so edits are refused. Last error: {last}. Type: reset breaker"
            ));
        }
        (breaker.failures >= self.warn_from)
            .then(|| format!("{} failures in a row; the circuit breaker trips at {threshold}.", breaker.failures))
    }
}

fn breaker_status(state: &State, threshold: u32) -> String {
    let breaker = &state.breaker;
    // A test that passes afterwards ends the row of failures, and closes nothing.
    let mut text = if breaker.tripped {
        let since = breaker.tripped_at.as_deref().unwrap_or("an unknown time");
        format!("Circuit breaker: tripped since {since}, so edits are refused. Type reset breaker to close it.")
    } else {
        format!("Circuit breaker: closed. Failures in a row: {} of {threshold}.", breaker.failures)
    };
    if let Some(error) = &breaker.last_error {
        text.push_str(&format!("\nLast error: {error}"));
    }
    for (name, count) in &breaker.signatures {
        text.push_str(&format!("\n- {name}: {count}"));
    }
    text
}

/// One line a category: done or pending, with tool and time.
fn research_status(state: &State, categories: &[String]) -> String {
    let done = |name: &String| state.research.iter().find(|done| done.category == *name);
    let count = categories.iter().filter(|name| done(name).is_some()).count();
    let mut text = format!("Research: {count}/{}", categories.len());
    for name in categories {
        match done(name) {
            Some(evidence) => text.push_str(&format!("\n- {name}: done ({}, {})", evidence.tool, evidence.at)),
            None => text.push_str(&format!("\n- {name}: pending")),
        }
    }
    text
}

fn loop_check(number: usize, state: &State, changes: &mut Vec<Change>) -> String {
    let Some(looping) = &state.looping else { return "No saneloop runs.".to_owned() };
    match number.checked_sub(1).and_then(|index| looping.criteria.get(index)) {
        None => format!("There are {} acceptance criteria, counted from 1.", looping.criteria.len()),
        Some((text, _)) => {
            changes.push(Change::LoopCheck { number });
            format!("Checked: {text}")
        }
    }
}

fn trigger_warning(now: &[String], before: &[String]) -> String {
    let again: Vec<&str> = now.iter().filter(|word| before.contains(word)).map(String::as_str).collect();
    if again.is_empty() {
        format!("Words of haste: {}. Haste is no reason to leave out a step.", listed(now.iter().map(String::as_str)))
    } else {
        format!(
            "WARNING: words of haste again ({}). The rules hold all the more: no step is left out.",
            again.join(", ")
        )
    }
}
