//! `word`: nobody but the user says the user's word. A call that would say it to a session is refused, and what else it orders or
//! types is remembered, so that it confirms nothing when it comes back as a prompt.

use hook_protocol::event::PromptSource;
use serde::{Deserialize, Serialize};

use super::sane::command;
use super::{CheckContext, Step};
use crate::effect::Effect;
use crate::finding::Finding;
use crate::orders::{Change, LONGEST, Orders, Piece};
use crate::profile::Settings;
use hook_shell::resolve::{Run, is_literal, shown, told};

/// `word` has no settings.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Word {}

/// Whose word a prompt is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Speaker {
    /// The user typed it, as far as anybody can tell.
    Person,
    /// The program that embeds the host.
    Program,
    /// A session of this project ordered or typed the same text, or one that nobody could read.
    Session,
    /// Somebody else: the host, a schedule, a loop, an agent.
    Other,
}

/// Who says the prompt of an event. Whether a session has ordered it is looked up for words of the user only.
pub(super) fn speaker(ctx: &CheckContext<'_>, prompt: &str) -> Speaker {
    let by_person = match ctx.event.prompt_source() {
        PromptSource::User => true,
        PromptSource::Sdk => ctx.settings.sdk_prompts,
        _ => return Speaker::Other,
    };
    if ctx.event.in_subagent() || prompt.trim_start().starts_with("<task-notification>") {
        return Speaker::Other;
    }
    if !by_person {
        return Speaker::Program;
    }
    let is_ordered = || ctx.facts.orders().may_be(prompt, ctx.facts.now().epoch);
    if may_be_word(ctx.settings, prompt) && is_ordered() { Speaker::Session } else { Speaker::Person }
}

/// What the user is told when a prompt does not count because a session may have said it.
pub(super) const SAID_BY_SESSION: &str = "hookbin does not take this prompt for your word: a session of this project has ordered or typed the \
     same text, or one that \
     could not be read.";

/// Whether a text is one that a check of this profile takes for the user's word, if the moment is right for it.
fn may_be_word(settings: &Settings, text: &str) -> bool {
    settings.proof.as_ref().is_some_and(|proof| proof.is_yes(text)) || is_word(settings, text)
}

/// Whether it does so at any moment.
fn is_word(settings: &Settings, text: &str) -> bool {
    let confirms = || settings.proof.as_ref().is_some_and(|proof| proof.confirms(text));
    let commands = || settings.person_commands && command::parse(text).is_some_and(|command| command.changes());
    confirms() || commands()
}

impl Step for Word {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let tool = ctx.event.tool()?;
        let mut found = Found { settings: ctx.settings, ctx, word: None, changes: Vec::new(), orders: None };
        if let Some(told) = tool.told() {
            if told.typed {
                let pieces = told.texts.iter().flat_map(|texts| told::keys(texts)).collect();
                found.typed(tool.name.to_string(), pieces);
                // A tool may press one key after the other, or several texts that are each a line.
                told.texts.iter().for_each(|texts| found.ordered_each(texts));
            } else {
                for texts in &told.texts {
                    for text in texts {
                        found.ordered(text);
                    }
                }
            }
        }
        // What another server is told is no prompt, as far as anybody knows. Where it comes back as one, the session has said it.
        for text in tool.messages().into_iter().filter(|text| may_be_word(ctx.settings, text)) {
            found.changes.push(Change::Ordered(Some(text)));
        }
        for run in &ctx.report().runs {
            found.run(run);
        }
        if let Some(word) = found.word {
            let said = shown(word.trim());
            let reason = format!("`{said}` is the user's word, which no session says to itself or to another one.");
            return Some(Finding::refusal(reason));
        }
        let effects: Vec<Effect> = found.changes.into_iter().map(Effect::Order).collect();
        (!effects.is_empty()).then(|| Finding { effects, ..Finding::default() })
    }

    fn is_firm(&self) -> bool {
        true
    }
}

/// What a call says.
struct Found<'q> {
    settings: &'q Settings,
    ctx: &'q CheckContext<'q>,
    word: Option<String>,
    changes: Vec<Change>,
    /// What is remembered, with what this call has added.
    orders: Option<Orders>,
}

impl Found<'_> {
    fn look(&mut self, text: &str) {
        let counts = || may_be_word(self.settings, text) && self.ctx.facts.asked();
        if self.word.is_none() && (is_word(self.settings, text) || counts()) {
            self.word = Some(text.to_owned());
        }
    }

    /// A prompt that comes later, or to another session.
    fn ordered(&mut self, text: &str) {
        if is_literal(text) {
            self.look(text);
            // What is too long to be a word costs no change of state.
            if text.len() <= LONGEST {
                self.changes.push(Change::Ordered(Some(text.to_owned())));
            }
        } else {
            self.changes.push(Change::Ordered(None));
        }
    }

    fn ordered_each(&mut self, texts: &[String]) {
        for text in texts.iter().filter(|text| is_literal(text)) {
            self.look(text);
        }
    }

    fn typed(&mut self, place: String, pieces: Vec<Piece>) {
        if pieces.is_empty() {
            return;
        }
        let mut orders = self.orders.take().unwrap_or_else(|| self.ctx.facts.orders());
        for line in orders.lines(&place, &pieces) {
            self.look(&line);
        }
        let change = Change::Typed { place, pieces, session: self.ctx.facts.session_name().into_owned() };
        orders.apply(&change, self.ctx.facts.now().epoch);
        self.orders = Some(orders);
        self.changes.push(change);
    }

    fn run(&mut self, run: &Run) {
        if let Some(prompts) = run.prompts() {
            // A prompt that is put together from several words is one text.
            prompts.texts.iter().for_each(|text| self.ordered(text));
            if prompts.unread {
                self.changes.push(Change::Ordered(None));
            }
        }
        if let Some(typed) = told::typed(run) {
            typed.alone.iter().for_each(|text| self.look(text));
            self.typed(typed.place, typed.pieces);
        }
    }
}
