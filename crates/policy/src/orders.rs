//! What sessions of a project have ordered as prompts or typed into terminals, so that none of it passes for the user's word.

pub use hook_shell::resolve::told::Piece;
use serde::{Deserialize, Serialize};

/// Most texts that are kept; the oldest go.
const MOST: usize = 64;

/// Longest text that is kept, in bytes. No word of the user is as long.
pub(crate) const LONGEST: usize = 240;

/// How long a text that nobody could read counts as any text, in seconds. What is typed arrives at once, but may wait for the end of a turn.
pub const UNREAD_FOR: i64 = 3600;

/// What a project remembers of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Orders {
    /// Texts, put into one form.
    pub texts: Vec<String>,
    /// A line that was typed and not sent yet.
    pub open: String,
    /// Where it stands, in the words of the call.
    pub place: String,
    /// When a text was ordered or typed that could not be read, in seconds since 1970.
    pub unread: Option<i64>,
    /// Sessions that have typed into terminals.
    pub typists: Vec<String>,
    /// When one of them did so last, in seconds since 1970.
    pub typed: Option<i64>,
}

/// What a call adds.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// It orders a prompt; `None` where its text is not known.
    Ordered(Option<String>),
    /// It types.
    Typed {
        /// Where, in the words of the call.
        place: String,
        /// What, in order.
        pieces: Vec<Piece>,
        /// By which session.
        session: String,
    },
}

impl Orders {
    /// Whether a prompt may be one of these texts at this moment.
    pub fn may_be(&self, prompt: &str, now: i64) -> bool {
        let prompt = one_form(prompt);
        self.is_unread(now) || self.texts.contains(&prompt) || one_form(&self.open) == prompt
    }

    /// Whether something was ordered or typed that nobody could read, not long ago.
    pub fn is_unread(&self, now: i64) -> bool {
        self.unread.is_some_and(|at| now.saturating_sub(at) < UNREAD_FOR)
    }

    /// Whether a session typed into a terminal not long ago.
    pub fn types(&self, now: i64) -> bool {
        self.typed.is_some_and(|at| now.saturating_sub(at) < UNREAD_FOR)
    }

    /// Whether this session has typed into a terminal.
    pub fn has_typed(&self, session: &str) -> bool {
        self.typists.iter().any(|known| known == session)
    }

    /// What lines come to be when these pieces follow what stands at the place.
    pub fn lines(&self, place: &str, pieces: &[Piece]) -> Vec<String> {
        let mut lines = Vec::new();
        let mut open = if place == self.place { self.open.clone() } else { String::new() };
        for piece in pieces {
            match piece {
                Piece::Text(text) => open.push_str(text),
                Piece::Clear => open.clear(),
                Piece::Send => lines.push(std::mem::take(&mut open)),
                Piece::Unread => {}
            }
        }
        lines.push(open);
        lines
    }

    /// Adds what a call has done.
    pub fn apply(&mut self, change: &Change, now: i64) {
        match change {
            Change::Ordered(Some(text)) => self.keep(text),
            Change::Ordered(None) => self.unread = Some(now),
            Change::Typed { place, pieces, session } => {
                // Two names may be one place, so a line that goes on elsewhere is one that nobody can read.
                let leaves = !self.open.trim().is_empty() && *place != self.place;
                if leaves || pieces.contains(&Piece::Unread) {
                    self.unread = Some(now);
                }
                let mut lines = self.lines(place, pieces);
                self.open = lines.pop().unwrap_or_default().chars().take(LONGEST).collect();
                self.place.clone_from(place);
                for line in &lines {
                    self.keep(line);
                }
                self.typed = Some(now);
                self.typists.retain(|known| known != session);
                self.typists.push(session.clone());
                let more = self.typists.len().saturating_sub(MOST);
                self.typists.drain(..more);
            }
        }
    }

    fn keep(&mut self, text: &str) {
        if text.len() > LONGEST {
            return;
        }
        let text = one_form(text);
        if text.is_empty() {
            return;
        }
        self.texts.retain(|known| *known != text);
        self.texts.push(text);
        let more = self.texts.len().saturating_sub(MOST);
        self.texts.drain(..more);
    }
}

/// A text in the form in which texts are compared: small letters, one blank between words, no marks at their ends.
pub fn one_form(text: &str) -> String {
    const MARKS: &[char] = &['.', ',', '!', ';', ':', '\'', '"', '\u{2019}', '(', ')'];
    let lower = text.to_lowercase();
    let words = lower.split_whitespace().map(|word| word.trim_matches(MARKS)).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}
