//! `forward-motion`: an answer that ends the work also says where it can go from here.

use serde::{Deserialize, Serialize};

use super::written::first_stop;
use super::{CheckContext, Step};
use crate::finding::Finding;
use crate::verdict::Verdict;

/// Settings of `forward-motion`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct ForwardMotion {
    /// Make the agent go on once, instead of telling the user.
    pub block: bool,
}

/// Phrases that offer a next step.
const OFFERS: &[&str] = &[
    "want me to", "shall i", "let me know", "would you like", "should i", "next step", "what do you think", "ready to",
    "happy to", "i can also", "feel free", "go ahead",
];

/// Words that say that the work is over.
const ENDS: &[&str] = &["done", "finished", "completed", "all set", "that's it", "wrapped up"];

impl Step for ForwardMotion {
    fn ask(&self, ctx: &CheckContext<'_>) -> Option<Finding> {
        if !first_stop(ctx.event) {
            return None;
        }
        let answer = ctx.event.last_assistant_message()?;
        let last = last_paragraph(&answer)?.to_lowercase().replace('\u{2019}', "'");
        let offers = last.contains('?') || OFFERS.iter().any(|phrase| has_phrase(&last, phrase));
        if offers || !ENDS.iter().any(|phrase| has_phrase(&last, phrase)) {
            return None;
        }
        let said = "The answer ends without a way forward. Close with the next step, or ask what to do next.";
        Some(if self.block {
            Finding { verdict: Some(Verdict::Deny), reason: Some(said.to_owned()), ..Finding::default() }
        } else {
            Finding { notice: Some(said.to_owned()), ..Finding::default() }
        })
    }
}

/// The last paragraph that has a word in it.
fn last_paragraph(text: &str) -> Option<&str> {
    let text = text.trim_end();
    let mut end = text.len();
    loop {
        let head = text.get(..end)?;
        let start = head.rfind("\n\n").map_or(0, |at| at + 2);
        let paragraph = text.get(start..end)?;
        if paragraph.contains(char::is_alphanumeric) {
            return Some(paragraph);
        }
        end = start.checked_sub(2)?;
    }
}

/// Whether a text in lower case has the phrase, as whole words.
pub(super) fn has_phrase(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + phrase.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_paragraph_is_the_last_with_words() {
        assert_eq!(last_paragraph("a\n\nb c\n\n---\n"), Some("b c"));
        assert_eq!(last_paragraph("a\nb"), Some("a\nb"));
        assert_eq!(last_paragraph("\n\n--"), None);
        assert_eq!(last_paragraph(""), None);
    }

    #[test]
    fn phrases_are_whole_words() {
        assert!(has_phrase("it is done.", "done") && has_phrase("done", "done"));
        assert!(!has_phrase("abandoned", "done") && !has_phrase("undone", "done"));
    }
}
