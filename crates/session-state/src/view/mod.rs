//! The files that people and other programs read, made from a session's activity: `session.json`, STATUS.txt and the handoff note.
//!
//! They are copies. What the store knows it reads from its documents, never from these; only the handoff note of an earlier
//! session is read back, by [`Handoff::parse`], as data.

mod handoff;
mod line;
mod session;
mod status;

pub use handoff::{Handoff, HandoffText, handoff_md, handoff_md_with};
pub use line::one_line;
pub use session::session_json;
pub use status::status_txt;
