//! `proof`: the user confirms the work with a short prompt, and nobody else does.

use hook_protocol::event::Body;
use hook_protocol::host::OWN_DIR;
use hook_protocol::own_path;
use hook_shell::programs::agents;
use serde::{Deserialize, Serialize};

use super::forward_motion::has_phrase;
use super::track::PROOF;
use super::word::{self, Speaker};
use super::written::{audit, proof, put, session_changes};
use super::{CheckContext, Step};
use crate::call::places;
use crate::effect::Effect;
use crate::finding::Finding;
use crate::plan_file;
use crate::profile::Settings;

/// Settings of `proof`. A list of words is one text, a phrase a comma: every call reads it, and one text costs less than many.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Proof {
    /// Phrases that confirm at any time, in lower case.
    pub phrases: Vec<String>,
    /// A prompt of more words is talk about the work, and none of these phrases confirms in it.
    pub most_words: usize,
    /// Words that turn such a phrase into something else, in lower case, between commas or line ends.
    pub doubts: String,
    /// What says yes where the gate has asked last. `=` before a phrase: it has to stand alone between commas, full stops and line ends.
    pub yes: String,
    /// What may stand beside a yes. A prompt with any other word is no yes.
    pub beside: String,
    /// Beginnings of words by which an answer of the model shows that it has passed the gate's question on.
    pub asks: String,
}

impl Default for Proof {
    fn default() -> Self {
        let words: toml::Table = toml::from_str(include_str!("proof.toml")).unwrap_or_default();
        let list = |name| words.get(name).and_then(toml::Value::as_str).unwrap_or_default().to_owned();
        let [doubts, yes, beside, asks] = ["doubts", "yes", "beside", "asks"].map(list);
        let phrases = listed(&list("phrases")).map(str::to_owned).collect();
        Self { phrases, most_words: 8, doubts, yes, beside, asks }
    }
}

/// The longest prompt that can confirm, in bytes.
const MOST_BYTES: usize = 4 << 10;

/// Characters of a question, a quotation, a list, a mark-up or code.
const QUOTES: &[char] = &[
    '?', '=', '$', '<', '>', '`', '/', '"', '|', '[', ']', '{', '}', '#', '*', '\u{201c}', '\u{201d}', '\u{201e}',
    '\u{ab}', '\u{bb}', '\u{2039}', '\u{203a}',
];

/// Words of whoever speaks in a text that is no user's.
const SPEAKERS: &[&str] = &[
    "agent", "agents", "subagent", "system", "assistant", "bot", "hook", "task", "teammate", "workflow", "tool", "fwd",
    "fw", "forwarded", "from", "re", "quote", "user", "human",
];

/// Words that give somebody's words again.
const REPORTS: &[&str] =
    &["says", "said", "reports", "reported", "wrote", "writes", "replied", "answered", "forwarded", "quoted", "told"];

/// Words with which a user speaks of what they did themselves.
const SELF: &[&str] = &["i", "i've", "we", "we've", "my", "our", "yes", "yep", "yeah", "ok", "okay"];

/// Whether a text, in small letters, gives again what somebody else said: a label in front of it, quotes around it, or words that say so.
fn is_reported(prompt: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !(c.is_alphanumeric() || c == '\''))
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let has = |text: &str, known: &[&str]| words(text).iter().any(|word| known.contains(&word.as_str()));
    let labelled = prompt.lines().filter_map(|line| line.split_once(':')).any(|(label, _)| !has(label, SELF));
    let all = words(prompt);
    let first =
        all.first().is_some_and(|word| SPEAKERS.contains(&word.as_str()) || agents::PROMPTED.contains(&word.as_str()));
    let wrapped = prompt.trim().trim_end_matches(['.', '!']).starts_with('\'');
    labelled || first || wrapped || has(prompt, REPORTS)
}

impl Step for Proof {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        let Body::UserPromptSubmit(submit) = &ctx.event.body else { return None };
        let prompt = submit.prompt.as_ref()?.as_str();
        let speaker = word::speaker(ctx, &prompt);
        if speaker == Speaker::Other {
            return None;
        }
        // Whatever is said now, the gate's question is no longer the last one.
        let asked = ctx.facts.asked();
        let mut finding = self.heard(ctx, &prompt, speaker, asked).unwrap_or_default();
        finding.effects.extend(asked.then_some(Effect::Asked(false)));
        (finding != Finding::default()).then_some(finding)
    }

    fn share(&self, settings: &mut Settings) {
        settings.proof = Some(self.clone());
    }
}

impl Proof {
    /// What follows from a prompt.
    fn heard(&self, ctx: &CheckContext<'_>, prompt: &str, speaker: Speaker, asked: bool) -> Option<Finding> {
        let says_yes = || asked && self.is_yes(prompt) && self.was_passed_on(ctx);
        if speaker == Speaker::Program || !self.confirms(prompt) && !says_yes() {
            return None;
        }
        // An approval of something else, such as a plan, is no proof of work that does not exist yet.
        let places = places(ctx.event, ctx.facts);
        let changed = session_changes(ctx.facts);
        let clients = format!("{}/{OWN_DIR}/", places.project.trim_end_matches('/'));
        let is_plan = |path: &str| path.rsplit('/').next() == Some(plan_file::FILE);
        let has_work = changed.iter().any(|path| !is_plan(path) && !path.starts_with(&clients));
        if !has_work && proof(ctx.facts).is_none() {
            return None;
        }
        if speaker == Speaker::Session {
            let notice = format!(
                "{} Confirm with other words, or run `hookbin proof verify` at a terminal.",
                word::SAID_BY_SESSION
            );
            return Some(Finding { notice: Some(notice), ..Finding::default() });
        }
        let epoch = ctx.facts.now().epoch;
        let said = concat!(
            "The user has confirmed the work; ",
            own_path!(".proof-status"),
            " says verified until source files change."
        );
        Some(
            Finding::advice(said)
                .with([put(PROOF, &format!("verified|{epoch}")), audit(ctx.facts, "proof_verified", "by a prompt")]),
        )
    }

    /// Whether a prompt is the user's word for the work.
    pub(super) fn confirms(&self, prompt: &str) -> bool {
        // No confirmation is long, and this is asked of whatever a command gives to a client.
        if prompt.len() > MOST_BYTES {
            return false;
        }
        let prompt = &prompt.to_lowercase().replace('\u{2019}', "'");
        let words: Vec<&str> =
            prompt.split(|c: char| !(c.is_alphanumeric() || c == '\'')).filter(|word| !word.is_empty()).collect();
        let plain = !prompt.contains(QUOTES) && !prompt.contains(" --") && words.len() <= self.most_words;
        plain
            && !is_reported(prompt)
            && !words.iter().any(|word| word.ends_with("n't") || listed(&self.doubts).any(|doubt| doubt == *word))
            && self.phrases.iter().any(|phrase| has_phrase(prompt, phrase))
    }

    /// Three phrases that answer the gate's question.
    pub(super) fn named(&self) -> Option<String> {
        let yes = listed(&self.yes).take(1).chain(self.phrases.iter().map(String::as_str));
        let named: Vec<String> = yes.take(3).map(|phrase| format!("`{phrase}`")).collect();
        (!named.is_empty()).then(|| named.join(" or "))
    }

    /// Whether a prompt is a yes to the gate's question and nothing else: all of it consists of what is listed, and some of it says yes.
    pub(super) fn is_yes(&self, prompt: &str) -> bool {
        if prompt.len() > MOST_BYTES {
            return false;
        }
        let prompt = prompt.to_lowercase().replace('\u{2019}', "'");
        let mut says_yes = false;
        let known = prompt.split(['.', ',', ';', '!', ':', '\n', '\u{2013}', '\u{2014}']).all(|part| {
            let words = tokens(part);
            let mut rest = words.as_slice();
            while !rest.is_empty() {
                let whole = rest.len() == words.len();
                // The longest phrase first: `works for me` before `works`.
                let yes = listed(&self.yes).filter_map(|phrase| {
                    phrase.strip_prefix('=').map_or(Some(phrase), |alone| {
                        Some(alone).filter(|alone| whole && tokens(alone).len() == words.len())
                    })
                });
                let yes = yes.filter_map(|phrase| begins(rest, phrase)).max().unwrap_or(0);
                let beside = listed(&self.beside).filter_map(|phrase| begins(rest, phrase)).max().unwrap_or(0);
                says_yes |= yes > 0 && yes >= beside;
                match rest.get(yes.max(beside)..).filter(|_| yes.max(beside) > 0) {
                    Some(behind) => rest = behind,
                    None => return false,
                }
            }
            true
        });
        // Dots in a row are a pause to think.
        known && says_yes && !prompt.contains("..")
    }

    /// Whether the model's last answer speaks of what the gate asked. Where nobody knows it, the gate's question is the last one.
    fn was_passed_on(&self, ctx: &CheckContext<'_>) -> bool {
        let path = ctx.event.common.transcript_path.as_ref().map(|path| path.as_str());
        let said = path.and_then(|path| ctx.facts.last_answer(&path)).map(|text| text.to_lowercase());
        said.is_none_or(|said| listed(&self.asks).any(|part| said.contains(part)))
    }
}

/// The phrases of a list.
fn listed(list: &str) -> impl Iterator<Item = &str> {
    list.split([',', '\n']).map(str::trim).filter(|phrase| !phrase.is_empty())
}

/// The words of a text, and as a word of its own each mark that is none of plain writing.
fn tokens(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '\'';
    let mut found = Vec::new();
    for piece in text.split(|c: char| c.is_whitespace() || matches!(c, '-' | '\u{a1}' | '\u{fe0f}')) {
        let mut rest = piece;
        while let Some(first) = rest.chars().next() {
            let end = if is_word(first) { rest.find(|c| !is_word(c)) } else { Some(first.len_utf8()) };
            let (token, behind) = rest.split_at(end.unwrap_or(rest.len()));
            found.push(token);
            rest = behind;
        }
    }
    found
}

/// How many words a phrase is, if a text begins with it.
fn begins(words: &[&str], phrase: &str) -> Option<usize> {
    let phrase = tokens(phrase);
    words.starts_with(&phrase).then_some(phrase.len())
}
