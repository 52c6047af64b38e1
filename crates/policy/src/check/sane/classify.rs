//! What a prompt is: passthrough, question, task or big task, and what it asks for by name.

use super::words::{
    Sentence, begins, has_phrase, hash, is_task_gerund, is_task_verb, lowered, sentences, wants_work, words,
};
use crate::sane::Class;

/// Prompts that are passed through when they are the whole text.
const APPROVALS: &[&str] = &[
    "y", "yes", "n", "no", "ok", "okay", "done", "continue", "approved", "cancel", "sure", "thanks", "thx", "go",
    "go on",
];

/// Below this many characters a prompt that asks for no work is passed through.
const SHORT: usize = 10;

const QUESTION_WORDS: &[&str] =
    &["what", "where", "when", "why", "how", "which", "who", "whose", "can you explain", "tell me about"];

/// `is this`, `should it`, …
const QUESTION_VERBS: &[&str] = &["does", "is", "are", "do", "should", "could", "would"];
const QUESTION_SUBJECTS: &[&str] = &["this", "it", "the", "that"];

/// Requests that are phrased as questions, when a verb that asks for work follows.
const POLITE: &[&str] = &[
    "can you", "could you", "would you", "will you", "can we", "could we", "what if you", "what if we",
    "why don't you", "why don't we", "why not", "how about you", "how about we", "how about",
];

/// Words that may stand between such a beginning and its verb.
const FILLERS: &[&str] = &[
    "maybe", "please", "just", "also", "now", "perhaps", "possibly", "quickly", "kindly", "then", "simply", "and",
    "go", "ahead",
];

const BIG: &[&str] = &[
    "everything", "all", "entire", "whole", "complete", "full", "rewrite", "overhaul", "redesign", "architecture",
    "system", "framework", "infrastructure", "multiple files", "multiple components", "multiple modules",
];

/// Words with which a prompt goes on with the task before.
const CONTINUES: &[&str] = &[
    "also", "and", "now", "then", "next", "ok", "okay", "yes", "y", "no", "n", "sure", "still", "again", "but",
    "instead", "actually", "continue", "go", "keep", "fix it", "do it", "try",
];

/// The class of a prompt.
pub(super) fn class(prompt: &str) -> Class {
    let text = lowered(prompt);
    let bare = text.trim_end_matches(['.', '!', ',', ' ']);
    if APPROVALS.contains(&bare) || is_client_command(&text) || !text.chars().any(char::is_alphabetic) {
        return Class::Passthrough;
    }
    let sentences = sentences(&text);
    if sentences.iter().any(is_task) {
        let all = words(&text);
        let big = BIG.iter().any(|phrase| has_phrase(&all, phrase));
        return if big { Class::BigTask } else { Class::Task };
    }
    // `go on with the second part` asks nothing: what was asked before still holds.
    let goes_on = !sentences.iter().any(asks) && continues(prompt);
    if goes_on || text.chars().count() < SHORT { Class::Passthrough } else { Class::Question }
}

fn is_client_command(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    first.strip_prefix('/').is_some_and(|name| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ':'))
    })
}

fn is_task(sentence: &Sentence<'_>) -> bool {
    let words = &sentence.words;
    if is_polite_request(words) {
        return true;
    }
    !asks(sentence) && wants_work(words)
}

fn asks(sentence: &Sentence<'_>) -> bool {
    let words = &sentence.words;
    sentence.asks
        || QUESTION_WORDS.iter().any(|phrase| begins(words, phrase))
        || matches!(words.as_slice(), [verb, subject, ..] if QUESTION_VERBS.contains(verb) && QUESTION_SUBJECTS.contains(subject))
}

fn is_polite_request(words: &[&str]) -> bool {
    let leading =
        words.iter().take_while(|word| FILLERS.contains(word) || matches!(**word, "ok" | "hey" | "hi" | "so")).count();
    let words = words.get(leading..).unwrap_or_default();
    POLITE.iter().filter(|phrase| begins(words, phrase)).any(|phrase| {
        let mut rest = words.iter().skip(phrase.split(' ').count()).skip_while(|word| FILLERS.contains(word));
        rest.next().is_some_and(|verb| is_task_verb(verb) || is_task_gerund(verb))
    })
}

/// What kind of task it is, and the rules that it falls under.
pub(super) fn kind(prompt: &str) -> (&'static str, &'static [&'static str]) {
    let text = lowered(prompt);
    let words = words(&text);
    let any = |list: &[&str]| list.iter().any(|phrase| has_phrase(&words, phrase));
    if any(&["fix", "bug", "error", "broken", "failing", "crash"]) {
        ("bug_fix", &["#3", "#7", "#8"])
    } else if any(&["create", "new"]) && any(&["file", "class", "struct", "view", "model"]) {
        ("file_create", &["#1", "#9"])
    } else if any(&["add", "create", "implement", "new", "feature"]) {
        ("new_feature", &["#0", "#2", "#9"])
    } else if any(&["refactor", "reorganize", "restructure", "clean up"]) {
        ("refactor", &["#4", "#10"])
    } else {
        ("general", &["#0", "#5"])
    }
}

/// Words that announce haste.
const TRIGGERS: &[&str] = &["quick", "quickly", "just", "simple", "fast", "easy", "minor", "small"];

/// The words of haste in a prompt.
pub(super) fn triggers(prompt: &str) -> Vec<String> {
    let text = lowered(prompt);
    let words = words(&text);
    TRIGGERS.iter().filter(|word| words.contains(word)).map(|word| (*word).to_owned()).collect()
}

const CORRECTION: &[&str] = &["that's not", "thats not", "i said", "i meant", "i already"];
const IMPATIENCE: &[&str] = &["use your head", "stop rushing", "idiot"];
const REPETITION: &[&str] = &["i just said", "like i said", "as i mentioned", "again"];

/// Signs of frustration: kind and words.
pub(super) fn frustration(prompt: &str) -> Vec<(&'static str, String)> {
    let text = lowered(prompt);
    let words = words(&text);
    let first = |list: &[&'static str]| list.iter().find(|phrase| has_phrase(&words, phrase)).copied();
    let mut found = Vec::new();
    // `no` alone is an answer, and `no problem` is none of it.
    let corrects = words.len() > 1 && words.first() == Some(&"no") && words.get(1) != Some(&"problem");
    if let Some(words) = corrects.then_some("no").or_else(|| first(CORRECTION)) {
        found.push(("correction", words.to_owned()));
    }
    if let Some(words) = first(IMPATIENCE).or_else(|| (words.as_slice() == ["think"]).then_some("think")) {
        found.push(("impatience", words.to_owned()));
    }
    if let Some(words) = first(REPETITION) {
        found.push(("repetition", words.to_owned()));
    }
    found
}

/// What is asked for by name, and whether older requirements end with it.
pub(super) fn requirements(prompt: &str) -> (Vec<String>, bool) {
    let text = lowered(prompt);
    let words = words(&text);
    let any = |list: &[&str]| list.iter().any(|phrase| has_phrase(&words, phrase));
    let mut asked = Vec::new();
    let mut fresh = false;
    // `don't commit` asks for the contrary.
    let negated = |word: &str| {
        let at = words.iter().position(|candidate| *candidate == word);
        at.is_some_and(|at| {
            words
                .get(at.saturating_sub(3)..at)
                .unwrap_or_default()
                .iter()
                .any(|word| matches!(*word, "don't" | "dont" | "not" | "without" | "never" | "no"))
        })
    };
    if words.contains(&"saneloop") && !negated("saneloop") {
        asked.push("saneloop".to_owned());
        fresh = true;
    }
    if words.contains(&"commit") && !negated("commit") {
        asked.push("commit".to_owned());
        fresh = true;
    }
    if any(&["plan first", "plan before", "make a plan", "plan this"]) {
        asked.push("plan".to_owned());
    }
    if any(&["research first", "research this", "research it", "investigate", "look into"]) {
        asked.push("research".to_owned());
    }
    (asked, fresh)
}

/// Hashes of the words that say what a task is about: those with four letters and more that are no verbs of work, and names of files.
pub(super) fn subject(prompt: &str) -> Vec<u32> {
    const MOST: usize = 24;
    const COMMON: &[&str] = &[
        "this", "that", "with", "from", "when", "then", "them", "they", "have", "should", "would", "could", "please",
        "into", "what", "your", "there", "their", "will", "just", "also", "everything", "code", "file", "files",
        "some", "like", "need", "want", "make", "sure",
    ];
    let text = lowered(prompt);
    let mut found: Vec<u32> = words(&text)
        .into_iter()
        .filter(|word| (word.chars().count() > 3 || !word.is_ascii()) && !COMMON.contains(word) && !is_task_verb(word))
        .map(|word| hash(word.strip_suffix('s').unwrap_or(word)))
        .chain(text.split_whitespace().filter_map(file_name).map(hash))
        .collect();
    found.sort_unstable();
    found.dedup();
    found.truncate(MOST);
    found
}

/// The name of a file that stands in a prompt, however short it is.
fn file_name(word: &str) -> Option<&str> {
    let word = word.trim_matches(|c: char| !(c.is_alphanumeric() || matches!(c, '/' | '_')));
    let name = word.rsplit('/').next().unwrap_or(word);
    let inside = name.trim_matches('.').contains('.') || word.trim_matches('/').contains('/');
    (inside && word.len() > 3 && word.contains(char::is_alphabetic)).then_some(word)
}

/// Whether a prompt goes on with what was asked before.
pub(super) fn continues(prompt: &str) -> bool {
    let text = lowered(prompt);
    let words = words(&text);
    CONTINUES.iter().any(|phrase| begins(&words, phrase)) || !frustration(prompt).is_empty()
}
