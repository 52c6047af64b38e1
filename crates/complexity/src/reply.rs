//! Tells a reply that approves earlier work ("yes", "go on") from a request of its own.

use crate::text::{char_at, phrase_end};

/// How an approval at the beginning may go on and still be one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lead {
    /// With anything: "yes add the tests too".
    Words,
    /// Only after a punctuation mark or at the end: "ok, go on" but not "ok button is grey".
    Clause,
}

use Lead::{Clause, Words};

/// Approvals, longer ones before their own beginnings.
const APPROVALS: &[(&str, Lead)] = &[
    // English
    ("yes please", Words),
    ("yes", Words),
    ("yep", Words),
    ("yeah", Words),
    ("yup", Words),
    ("y", Clause),
    ("go ahead", Words),
    ("go on", Words),
    ("go for it", Words),
    ("go", Clause),
    ("keep going", Words),
    ("carry on", Words),
    ("continue with", Words),
    ("continue", Clause),
    ("proceed", Words),
    ("please do", Words),
    ("please continue", Words),
    ("please proceed", Words),
    ("please", Clause),
    ("do it", Clause),
    ("do that", Clause),
    ("do both", Clause),
    ("do so", Clause),
    ("do all", Clause),
    ("make it so", Clause),
    ("ship it", Clause),
    ("sounds good", Clause),
    ("looks good to me", Clause),
    ("looks good", Clause),
    ("lgtm", Clause),
    ("that works", Clause),
    ("that's right", Clause),
    ("that's fine", Clause),
    ("all of them", Clause),
    ("both", Clause),
    ("okay", Clause),
    ("ok", Clause),
    ("k", Clause),
    ("sure", Clause),
    ("fine", Clause),
    ("great", Clause),
    ("perfect", Clause),
    ("good", Clause),
    ("nice", Clause),
    ("right", Clause),
    ("correct", Clause),
    ("exactly", Clause),
    ("agreed", Clause),
    ("approved", Clause),
    ("approve", Clause),
    ("accepted", Clause),
    ("next", Clause),
    ("resume", Clause),
    ("retry", Clause),
    ("try again", Clause),
    ("try that", Clause),
    ("thanks", Clause),
    ("thank you", Clause),
    // German
    ("ja bitte", Words),
    ("ja", Words),
    ("jep", Words),
    ("genau", Clause),
    ("weiter", Clause),
    ("mach weiter", Words),
    ("mach das", Clause),
    ("mach es", Clause),
    ("leg los", Words),
    ("los", Clause),
    ("passt", Clause),
    ("gerne", Clause),
    ("gern", Clause),
    ("einverstanden", Clause),
    ("in ordnung", Clause),
    ("bitte", Clause),
    // French
    ("oui", Words),
    ("ouais", Words),
    ("d'accord", Clause),
    ("d’accord", Clause),
    ("vas-y", Words),
    ("allez-y", Words),
    ("continuez", Clause),
    ("c'est bon", Clause),
    ("c’est bon", Clause),
    ("parfait", Clause),
    ("s'il te plaît", Clause),
    ("s'il vous plaît", Clause),
    // Spanish, Portuguese, Italian
    ("sí", Words),
    ("si", Clause),
    ("sim", Words),
    ("sì", Words),
    ("vale", Clause),
    ("adelante", Clause),
    ("continúa", Clause),
    ("sigue", Clause),
    ("hazlo", Clause),
    ("de acuerdo", Clause),
    ("perfecto", Clause),
    ("claro", Clause),
    ("por favor", Clause),
    ("va bene", Clause),
    // Russian
    ("да", Words),
    ("давай", Clause),
    ("продолжай", Clause),
    ("хорошо", Clause),
    ("верно", Clause),
    // Chinese
    ("是的", Clause),
    ("是", Clause),
    ("好的", Clause),
    ("好", Clause),
    ("可以", Clause),
    ("继续", Clause),
    ("繼續", Clause),
    ("行", Clause),
    ("对", Clause),
    ("對", Clause),
    ("没问题", Clause),
    ("同意", Clause),
    ("做吧", Clause),
    // Japanese
    ("はい", Clause),
    ("お願いします", Clause),
    ("続けて", Clause),
    ("続けてください", Clause),
    ("いいです", Clause),
    ("いいよ", Clause),
    ("了解", Clause),
    // Korean
    ("네", Clause),
    ("예", Clause),
    ("응", Clause),
    ("계속", Clause),
    ("계속해", Clause),
    ("좋아", Clause),
    // Signs
    ("👍", Clause),
    ("✅", Clause),
    ("👌", Clause),
    ("🚀", Clause),
];

/// Words before the thing that a choice names.
const CHOICES: &[&str] =
    &["option", "choice", "plan", "variant", "the first one", "the second one", "the third one", "the last one"];

/// The longest text that is a choice among offered options, in bytes.
const CHOICE: usize = 24;

/// True when the user's words begin with an approval, or are one choice among offered options.
///
/// Only the approvals that it begins with are read, so nearly every prompt costs the same, whatever its length.
pub(crate) fn approves(own: &str) -> bool {
    let text = own.trim();
    if is_choice(text) {
        return true;
    }
    let mut at = 0;
    loop {
        let Some((end, lead)) = approval(text, at) else { return false };
        let Some(next) = char_at(text, end) else { return true };
        if lead == Words || ends_clause(next) {
            return true;
        }
        // "ok go on": a weak approval may lead to another one.
        let blank = text.get(end..).map_or(end, |rest| end + rest.len() - rest.trim_start().len());
        if blank == end {
            return false;
        }
        at = blank;
    }
}

/// The longest approval at `at` that ends where a word ends.
fn approval(text: &str, at: usize) -> Option<(usize, Lead)> {
    APPROVALS
        .iter()
        .filter_map(|&(words, lead)| Some((phrase_end(text, at, words)?, lead)))
        .filter(|&(end, _)| {
            char_at(text, end).is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '\'' | '’'))
        })
        .max_by_key(|&(end, _)| end)
}

fn ends_clause(c: char) -> bool {
    matches!(
        c,
        ',' | '.' | '!' | ';' | ':' | '…' | '\n' | '，' | '。' | '！' | '、' | '；' | '\u{FE0F}' | '🏻'
            ..='🏿' | '–' | '—'
    ) || (c != ' ' && !c.is_alphanumeric() && !c.is_ascii())
}

/// "2", "b)", "option 3", "1 and 3".
fn is_choice(text: &str) -> bool {
    if text.is_empty() || text.len() > CHOICE {
        return false;
    }
    let rest = CHOICES.iter().find_map(|choice| phrase_end(text, 0, choice)).and_then(|end| text.get(end..));
    let named = rest.is_some();
    let mut items = 0;
    for word in
        rest.unwrap_or(text).split(|c: char| c.is_whitespace() || matches!(c, ',' | '.' | ')' | '(' | '&' | '+' | '#'))
    {
        if word.is_empty() || word.eq_ignore_ascii_case("and") || word == "und" || word == "y" || word == "et" {
            continue;
        }
        let digits = word.len() <= 2 && word.bytes().all(|b| b.is_ascii_digit());
        let letter = word.len() == 1 && word.bytes().all(|b| matches!(b.to_ascii_lowercase(), b'a'..=b'h'));
        if !digits && !letter {
            return false;
        }
        items += 1;
    }
    items > 0 || named
}
