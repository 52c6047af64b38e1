//! The one sentence that hands work on: "Use the NAME subagent to …".

use super::plain::{BREAK, QUOTED, plain};

/// Longest name of an agent.
const LONGEST_NAME: usize = 64;

/// How many handoffs of one answer are looked at.
const MOST: usize = 50;

/// A handoff that an answer asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handoff {
    /// The agent, in lower case.
    pub agent: String,
    /// What it is asked for: the words behind "to" up to the end of the sentence, at most 200 characters, in lower case.
    pub task: String,
}

/// Every handoff that `output` asks for, in order, at most 50; linear in its length.
///
/// The sentence is found whatever dashes, spaces, emphasis or quotation marks around the name it is written with. What stands in code,
/// in a quotation or in a comment is only spoken of. So is a sentence that says not to, or that only holds if something else does.
///
/// ```
/// use hook_policy::handoff::handoffs;
/// let found = handoffs("Done.\n\nUse the **research\u{2011}agent** subagent to compare the two caches.");
/// assert_eq!(found[0].agent, "research-agent");
/// assert_eq!(found[0].task, "compare the two caches");
/// assert!(handoffs("Never use the research-agent subagent to write code.").is_empty());
/// ```
pub fn handoffs(output: &str) -> Vec<Handoff> {
    let text = plain(output);
    let mut found = Vec::new();
    for (at, _) in text.match_indices("use the ") {
        if found.len() == MOST {
            break;
        }
        let Some((before, rest)) = text.split_at_checked(at) else { continue };
        if let Some(handoff) = read(rest).filter(|_| begins_word(before) && !is_only_spoken_of(before)) {
            found.push(handoff);
        }
    }
    found
}

/// Reads "use the NAME subagent to TASK"; "agent" is the older word for the same.
fn read(text: &str) -> Option<Handoff> {
    let rest = text.strip_prefix("use the ")?;
    let (name, rest) = rest.split_once(' ')?;
    let name = name.trim_matches('_');
    // The host takes more than `collective`'s letters, digits and hyphens: `code_reviewer`, and `PLUGIN:AGENT`.
    let valid = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_' | b':');
    if name.is_empty() || name.len() > LONGEST_NAME || !name.bytes().all(valid) {
        return None;
    }
    let kinds = ["subagent", "sub-agent", "sub agent", "agent"];
    let rest = kinds.iter().find_map(|kind| rest.strip_prefix(kind)?.trim_start_matches('_').strip_prefix(" to"))?;
    if rest.chars().next().is_some_and(is_word) {
        return None;
    }
    let rest = rest.trim_start_matches([':', ' ', '_']);
    let end =
        rest.char_indices().take(400).find(|(at, c)| ends_sentence(rest, *at, *c)).map_or(rest.len(), |(at, _)| at);
    let task = rest.get(..end).unwrap_or_default().trim_matches(|c: char| c.is_whitespace() || c == '_');
    Some(Handoff { agent: name.to_owned(), task: task.chars().take(200).collect() })
}

fn is_word(c: char) -> bool {
    c.is_lowercase() || c.is_uppercase() || c.is_numeric() || c == '_'
}

/// Whether the text ends where a word may begin: not within "because the" and not within "re-use the".
fn begins_word(before: &str) -> bool {
    match before.strip_suffix('-') {
        Some(head) => !head.ends_with("re"),
        None => !before.trim_end_matches('_').chars().next_back().is_some_and(is_word),
    }
}

/// A full stop ends a sentence where a space follows; the marks for quoted text and new items always do.
fn ends_sentence(text: &str, at: usize, c: char) -> bool {
    match c {
        QUOTED | BREAK | '!' | '?' | ';' | '。' | '！' | '？' => true,
        '.' | ':' => text.get(at + 1..).is_none_or(|rest| rest.is_empty() || rest.starts_with([' ', QUOTED, BREAK])),
        _ => false,
    }
}

/// Words before "use" in its clause that take the sentence back.
const REFUSALS: &[&str] = &[
    "not", "never", "cannot", "avoid", "don't", "dont", "didn't", "doesn't", "won't", "can't", "couldn't", "shouldn't",
    "wouldn't", "mustn't", "needn't",
];

/// What turns such a word round again: "do not forget to use …".
const ASSENTS: &[&str] = &["forget to", "hesitate to", "fail to", "not only", "why not"];

/// Words that begin a clause of its own: "it does not fail, so use …".
const CLAUSES: &[&str] =
    &["so", "then", "therefore", "hence", "but", "now", "instead", "please", "and", "thus", "next"];

/// Groups of words right before "use" that only speak of it.
const REPORTS: &[&str] = &[
    "no longer", "instead of having to", "rather than", "how to", "when to", "whether to", "why to", "where to",
    "tried to", "failed to", "unable to", "was able to", "refused to", "decided against", "no need to", "no reason to",
    "used to", "was told to", "were told to", "was asked to", "were asked to", "asked me to", "told me to",
    "asked us to", "told us to", "did", "could have", "would have",
];

/// Longest piece of text before "use" that can change its meaning, in bytes.
const REACH: usize = 200;

/// Whether what stands before "use" in its sentence makes it a refusal, a report or a condition.
fn is_only_spoken_of(before: &str) -> bool {
    let start = before.len().saturating_sub(REACH);
    let start = (start..=before.len()).find(|at| before.is_char_boundary(*at)).unwrap_or(before.len());
    let near = before.get(start..).unwrap_or_default();
    let begin =
        near.char_indices().rev().find(|(at, c)| ends_sentence(near, *at, *c)).map_or(0, |(at, c)| at + c.len_utf8());
    let sentence = near.get(begin..).unwrap_or_default().replace('’', "'");
    let sentence = sentence.trim();
    let ends = |phrases: &[&str]| {
        phrases.iter().any(|phrase| {
            sentence.strip_suffix(phrase).is_some_and(|head| head.is_empty() || head.ends_with([' ', ',', '(']))
        })
    };
    let clause = sentence.rsplit([',', '(']).next().unwrap_or_default();
    // A refusal is heard over five words: "do not under any circumstances use".
    let refused =
        clause.rsplit(' ').take_while(|word| !CLAUSES.contains(word)).take(5).any(|word| REFUSALS.contains(&word));
    let mut opening = sentence.split([' ', ',']).filter(|word| !word.is_empty());
    let first = opening.next();
    // "If you agree, use …", "But if it fails, use …", "Should it fail, use …".
    let conditional = matches!(first, Some("if" | "unless" | "should" | "whenever"))
        || matches!(first, Some("and" | "but" | "or" | "only" | "even" | "then"))
            && matches!(opening.next(), Some("if" | "unless"));
    refused && !ends(ASSENTS) && !sentence.contains("not only") || ends(REPORTS) || conditional
}
