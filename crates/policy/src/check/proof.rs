//! `proof`: the person confirms the work with a short prompt, and nobody else does.

use hook_protocol::event::Body;
use hook_protocol::host::OWN_DIR;
use hook_protocol::own_path;
use hook_shell::programs::agents;
use serde::{Deserialize, Serialize};

use super::forward_motion::has_phrase;
use super::track::PROOF;
use super::word::{self, Speaker};
use super::written::{audit, proof, put, session_changes};
use super::{Question, Step};
use crate::call::places;
use crate::finding::Finding;
use crate::plan_file;
use crate::profile::Settings;

/// Settings of `proof`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Proof {
    /// Phrases that confirm, in lower case.
    pub phrases: Vec<String>,
    /// A prompt of more words is talk about the work and confirms nothing.
    pub most_words: usize,
}

impl Default for Proof {
    fn default() -> Self {
        let phrases = ["verified", "approve", "approved", "lgtm", "looks good", "ship it", "i confirm", "confirmed"];
        Self { phrases: phrases.map(str::to_owned).to_vec(), most_words: 8 }
    }
}

/// The longest prompt that can confirm, in bytes.
const MOST_BYTES: usize = 4 << 10;

/// Words that turn a confirmation into something else.
const DOUBTS: &[&str] = &[
    "not", "don't", "dont", "doesn't", "isn't", "can't", "cannot", "never", "no", "nope", "yet", "until", "unless",
    "if", "when", "once", "before", "after", "but", "except", "almost", "nearly", "wait", "should", "would", "could",
    "make", "please", "fix", "add", "change", "plan", "then", "how", "what", "why", "was", "say", "write", "get", "be",
    "whether", "find", "check", "ask", "tell", "show", "mark", "set", "let", "let's", "who", "where", "which",
    "explain", "review", "run", "search", "look", "list", "open", "need", "needs", "want", "wants",
];

/// Characters of a question, a quotation, a list, a mark-up or code.
const QUOTES: &[char] = &[
    '?', '=', '$', '<', '>', '`', '/', '"', '|', '[', ']', '{', '}', '#', '*', '\u{201c}', '\u{201d}', '\u{201e}',
    '\u{ab}', '\u{bb}', '\u{2039}', '\u{203a}',
];

/// Words of whoever speaks in a text that is no person's.
const SPEAKERS: &[&str] = &[
    "agent", "agents", "subagent", "system", "assistant", "bot", "hook", "task", "teammate", "workflow", "tool", "fwd",
    "fw", "forwarded", "from", "re", "quote", "user", "human",
];

/// Words that give somebody's words again.
const REPORTS: &[&str] =
    &["says", "said", "reports", "reported", "wrote", "writes", "replied", "answered", "forwarded", "quoted", "told"];

/// Words with which a person speaks of what they did themselves.
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
    fn ask(&self, question: &Question<'_>) -> Option<Finding> {
        let Body::UserPromptSubmit(submit) = &question.event.body else { return None };
        let prompt = submit.prompt.as_ref()?.as_str();
        if !self.confirms(&prompt) {
            return None;
        }
        let speaker = word::speaker(question, &prompt);
        if matches!(speaker, Speaker::Other | Speaker::Program) {
            return None;
        }
        // An approval of something else, such as a plan, is no proof of work that does not exist yet.
        let places = places(question.event, question.facts);
        let changed = session_changes(question.facts);
        let clients = format!("{}/{OWN_DIR}/", places.project.trim_end_matches('/'));
        let is_plan = |path: &str| path.rsplit('/').next() == Some(plan_file::FILE);
        let has_work = changed.iter().any(|path| !is_plan(path) && !path.starts_with(&clients));
        if !has_work && proof(question.facts).is_none() {
            return None;
        }
        if speaker == Speaker::Session {
            let notice = format!(
                "{} Confirm with other words, or run `hookbin proof verify` at a terminal.",
                word::SAID_BY_SESSION
            );
            return Some(Finding { notice: Some(notice), ..Finding::default() });
        }
        let epoch = question.facts.now().epoch;
        let said = concat!(
            "The person has confirmed the work; ",
            own_path!(".proof-status"),
            " says verified until source files change."
        );
        Some(
            Finding::advice(said).with([
                put(PROOF, &format!("verified|{epoch}")),
                audit(question.facts, "proof_verified", "by a prompt"),
            ]),
        )
    }

    fn share(&self, settings: &mut Settings) {
        settings.proof = Some(self.clone());
    }
}

impl Proof {
    /// Whether a prompt is the person's word for the work.
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
            && !words.iter().any(|word| DOUBTS.contains(word) || word.ends_with("n't"))
            && self.phrases.iter().any(|phrase| has_phrase(prompt, phrase))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_short_word_confirms() {
        let proof = Proof::default();
        for prompt in
            ["verified", "LGTM!", "Looks good, ship it.", "yes, approved", "i tested it: verified", "ok looks good"]
        {
            assert!(proof.confirms(&prompt.to_lowercase()), "{prompt}");
        }
        for prompt in [
            "not verified",
            "looks good?",
            "is it verified?",
            "isn't verified",
            "approved if tests pass",
            "looks good but rename x",
            "ship it after you fix the test",
            "add a verified column",
            "please get it approved",
            "unapproved",
            "go on",
            "",
            "the page of the shop that shows the cart of the customer looks good to me and my colleagues",
        ] {
            assert!(!proof.confirms(prompt), "{prompt}");
        }
    }
}
