//! Signals from configuration: phrases, or a regular expression behind a gate of phrases.

use std::fmt;
use std::ops::Range;

use crate::text::{char_at, is_word, phrase_end};

/// The highest score a user's signal may add; one alone can lift a prompt into any tier.
pub const MAX_USER_SCORE: u32 = 100_000;

/// The most memory a compiled user pattern may take, in bytes.
#[cfg(feature = "regex")]
const PATTERN_BYTES: usize = 1 << 20;

/// A signal that a user adds to the table. It counts once, as the built-in ones do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserSignal {
    /// Short stable name for explanations and logs.
    pub id: String,
    /// What it stands for.
    pub title: String,
    /// The points it adds, at most [`MAX_USER_SCORE`].
    pub score: u32,
    /// What is looked for.
    pub find: Find,
}

/// What a user's signal looks for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Find {
    /// Any of these phrases in any case, between word boundaries where the phrase itself begins or ends with a letter; white space as a run.
    AnyOf(Vec<String>),
    /// A regular expression. It is compiled when one of `gate` occurs in the prompt (in any case, also inside a word), and for every prompt when
    /// `gate` is empty. Compiling costs more than the rest of the scoring, so a gate is worth having.
    #[cfg(feature = "regex")]
    Regex {
        /// The expression, in the syntax of the crate `regex`; case counts unless it says `(?i)`.
        pattern: String,
        /// Phrases without which the expression isn't even compiled.
        gate: Vec<String>,
    },
}

/// What is wrong with a user's signal.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The signal has no id.
    NoId,
    /// The signal has no phrase, or an empty one, which would be found everywhere.
    EmptyPhrase {
        /// The signal's id.
        id: String,
    },
    /// The score is above [`MAX_USER_SCORE`].
    ScoreTooHigh {
        /// The signal's id.
        id: String,
        /// The score it asks for.
        score: u32,
    },
    /// The expression doesn't compile, or would take more than 1 MiB.
    Pattern {
        /// The signal's id.
        id: String,
        /// What the compiler of the expression says.
        message: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoId => write!(f, "a complexity signal has no id (give it a short name)"),
            Self::EmptyPhrase { id } => {
                write!(f, "complexity signal `{id}` has an empty phrase or none (name at least one word)")
            }
            Self::ScoreTooHigh { id, score } => {
                write!(f, "complexity signal `{id}` scores {score} (at most {MAX_USER_SCORE})")
            }
            Self::Pattern { id, message } => {
                write!(
                    f,
                    "complexity signal `{id}` has a pattern that doesn't compile (correct it, or use phrases): {message}"
                )
            }
        }
    }
}

impl std::error::Error for Error {}

impl UserSignal {
    /// Checks the signal as a configuration command should: the score, the phrases, and that the expression compiles.
    ///
    /// Scoring doesn't need it. There a signal that fails this check never fires, and [`Score::faults`](crate::Score::faults) names it
    /// when the prompt got as far as its fault.
    pub fn check(&self) -> Result<(), Error> {
        self.check_values()?;
        match &self.find {
            Find::AnyOf(_) => Ok(()),
            #[cfg(feature = "regex")]
            Find::Regex { pattern, .. } => compile(&self.id, pattern).map(drop),
        }
    }

    fn check_values(&self) -> Result<(), Error> {
        if self.id.is_empty() {
            return Err(Error::NoId);
        }
        if self.score > MAX_USER_SCORE {
            return Err(Error::ScoreTooHigh { id: self.id.clone(), score: self.score });
        }
        let (phrases, needed) = match &self.find {
            Find::AnyOf(phrases) => (phrases, true),
            #[cfg(feature = "regex")]
            Find::Regex { gate, .. } => (gate, false),
        };
        if needed && phrases.is_empty() || phrases.iter().any(|phrase| phrase.trim().is_empty()) {
            return Err(Error::EmptyPhrase { id: self.id.clone() });
        }
        Ok(())
    }

    /// Where it is found first in a piece of the prompt.
    pub(crate) fn find(&self, text: &str) -> Result<Option<Range<usize>>, Error> {
        self.check_values()?;
        match &self.find {
            Find::AnyOf(phrases) => {
                Ok(phrases.iter().filter_map(|phrase| first(text, phrase.trim(), true)).min_by_key(|span| span.start))
            }
            #[cfg(feature = "regex")]
            Find::Regex { pattern, gate } => {
                if !gate.is_empty() && !gate.iter().any(|phrase| first(text, phrase.trim(), false).is_some()) {
                    return Ok(None);
                }
                Ok(compile(&self.id, pattern)?.find(text).map(|found| found.range()))
            }
        }
    }
}

#[cfg(feature = "regex")]
fn compile(id: &str, pattern: &str) -> Result<regex::Regex, Error> {
    regex::RegexBuilder::new(pattern)
        .size_limit(PATTERN_BYTES)
        .dfa_size_limit(PATTERN_BYTES)
        .build()
        .map_err(|error| Error::Pattern { id: id.to_owned(), message: error.to_string() })
}

/// The first place of a phrase, in whole words or anywhere.
fn first(text: &str, phrase: &str, whole: bool) -> Option<Range<usize>> {
    let mut before = None;
    for (at, c) in text.char_indices() {
        if !(whole && joins(before, phrase.chars().next()))
            && let Some(end) = phrase_end(text, at, phrase)
            && !(whole && joins(phrase.chars().next_back(), char_at(text, end)))
        {
            return Some(at..end);
        }
        before = Some(c);
    }
    None
}

/// True when two neighbours belong to one word: both Latin, or both letters or digits of scripts that put spaces between words.
fn joins(left: Option<char>, right: Option<char>) -> bool {
    let (Some(left), Some(right)) = (left, right) else { return false };
    if is_word(left) || is_word(right) {
        let latin = |c: char| is_word(c) || c.is_ascii_digit();
        return latin(left) && latin(right);
    }
    let spaced = |c: char| {
        c.is_alphanumeric()
            && !matches!(c, '\u{E00}'..='\u{EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{2E80}'..)
    };
    spaced(left) && spaced(right)
}
