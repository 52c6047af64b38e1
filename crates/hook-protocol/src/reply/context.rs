//! The length limit of texts for the model and the user.

use std::borrow::Cow;

/// Longest `additionalContext`, `systemMessage`, `initialUserMessage` or plain stdout that the host passes on whole, in
/// UTF-16 code units (the length of a JavaScript string). A longer one goes to a file, and the model gets its path and a
/// preview. The reason of a deny has no such limit.
pub const CONTEXT_LIMIT: usize = 10_000;

/// Longest `classifierContext`, in UTF-16 code units, shared by all hooks of one call.
pub const CLASSIFIER_LIMIT: usize = 2_000;

/// Cuts `text` to at most `limit` UTF-16 code units and says at its end how many were cut.
///
/// The cut is at a character boundary. A limit too small for the note gives the start of the text alone. Text within the
/// limit is returned as it is, without being counted when its bytes already fit.
///
/// ```
/// use hook_protocol::reply::{CONTEXT_LIMIT, clip_context};
///
/// assert_eq!(clip_context("short", CONTEXT_LIMIT), "short");
/// let clipped = clip_context(&"x".repeat(20_000), CONTEXT_LIMIT).into_owned();
/// assert_eq!(clipped.len(), CONTEXT_LIMIT);
/// assert!(clipped.ends_with(" characters cut]"));
/// ```
pub fn clip_context(text: &str, limit: usize) -> Cow<'_, str> {
    // Every UTF-16 unit takes at least one byte of UTF-8.
    if text.len() <= limit {
        return Cow::Borrowed(text);
    }
    let total: usize = text.chars().map(char::len_utf16).sum();
    if total <= limit {
        return Cow::Borrowed(text);
    }
    // The number cut has at most as many digits as the total, so a note for the total is never too short.
    let room = limit.saturating_sub(note(total).len());
    let (kept, units) = prefix(text, room);
    if room == 0 {
        return Cow::Borrowed(prefix(text, limit).0);
    }
    let mut clipped = String::with_capacity(limit + 8);
    clipped.push_str(kept);
    clipped.push_str(&note(total - units));
    Cow::Owned(clipped)
}

/// The note at the end of a clipped text; ASCII, so that its bytes are its UTF-16 units.
fn note(cut: usize) -> String {
    format!("\n[{cut} characters cut]")
}

/// The longest start of `text` of at most `room` UTF-16 units, and its length in them.
fn prefix(text: &str, room: usize) -> (&str, usize) {
    let mut units = 0;
    for (at, character) in text.char_indices() {
        if units + character.len_utf16() > room {
            return (text.get(..at).unwrap_or_default(), units);
        }
        units += character.len_utf16();
    }
    (text, units)
}
