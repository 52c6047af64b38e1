//! Texts, told by their words and never parsed as a whole: what commands hand to services, and what stands in source files.

pub mod http;
pub mod lex;
pub mod marker;
pub mod mock;
pub mod plan;
pub mod query;
pub mod sql;
pub mod throwaway_db;

/// Text that somebody else chose, fit to stand in a message: on one line, without control characters, at most 160 characters.
pub fn on_one_line(text: &str) -> String {
    let plain = |c: char| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c };
    text.chars().take(160).map(plain).collect::<String>().trim().to_owned()
}
