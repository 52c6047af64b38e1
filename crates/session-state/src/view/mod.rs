//! Views of a session: the documents' files, made from the session document for people and for other programs (B0.4).
//!
//! Nothing in a view is read back as state. Text that comes from a tool call stands on its own line with its control characters
//! escaped, so that a file's name cannot look like a heading, a line or an instruction of the view.

mod handoff;
mod status;

use crate::section::activity::Activity;
use crate::text::Text;

pub use handoff::{Handoff, handoff_md};
pub use status::status_txt;

/// `session.json` (S0-14): the seven documented members, `last_stop`, `ended` and `end_reason` when they are set, and a total beside
/// a list that shows only its last 200 entries.
pub fn session_json(activity: &Activity) -> Text<'_> {
    let mut out = Text::with_capacity(1_024);
    activity.write(&mut out, false);
    out.push("\n");
    out
}

/// `text` on one line: control characters and line separators escaped.
pub(crate) fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// A bullet list, or one bullet that says that there is nothing.
pub(crate) fn bullets(out: &mut String, entries: &[String], none: &str) {
    if entries.is_empty() {
        out.push_str("- ");
        out.push_str(none);
        out.push('\n');
    }
    for entry in entries {
        out.push_str("- ");
        out.push_str(&one_line(entry));
        out.push('\n');
    }
}
