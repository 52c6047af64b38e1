//! The guard's files, where code finds them by a pattern or puts their names together.

use super::Interp;
use super::language::{FILES, MODES, TREES, WRITES};
use super::reader::Reader;
use super::token::Token;
use crate::resolve::action::Kind;
use crate::resolve::exec::Call;
use crate::resolve::listed::occurs_in_entry;
use crate::resolve::value::glob;

/// Names of the guard's files, as a pattern of code has to fit one.
const NAMES: &[&str] =
    &[".claude/settings.json", "settings.json", ".claude/settings.local.json", "settings.local.json", "hookbin.toml"];

impl Interp<'_> {
    /// An archive that code unpacks: what it holds is not told, only where it goes.
    pub(super) fn extracts(&mut self, reader: &Reader<'_>, name: &str, (from, to): (usize, usize), call: &Call) {
        if matches!(name, "extractall" | "unpack_archive" | "extract_all" | "extractto") {
            self.code_paths(Kind::Overwrite, &reader.own(from, to), call);
        }
    }

    /// Reports code that changes whatever it finds by a pattern which fits the guard's files.
    pub(super) fn own_in_code(&mut self, reader: &Reader<'_>, call: &Call) {
        let mut finds = false;
        let mut writes = false;
        let mut replaces = false;
        let mut spoils = false;
        let mut made_up = false;
        for (at, token) in reader.tokens.iter().enumerate() {
            match token {
                Token::Word(word) => {
                    let name = word.rsplit(['.', ':', '>']).next().unwrap_or(word).to_ascii_lowercase();
                    let name = name.trim_end_matches(['!', '?']);
                    writes |= [WRITES, FILES, TREES, MODES].iter().any(|names| names.contains(&name))
                        && word.contains(['.', ':', '>']);
                    replaces |= matches!(name, "replace" | "sub" | "gsub" | "replaceall" | "translate");
                    // `glob.glob` passes over what is hidden.
                    let searches = name == "rglob" || name == "glob" && !word.starts_with("glob.");
                    if let Some(Token::Text { text, .. }) = reader.tokens.get(at + 2).filter(|_| searches) {
                        let pattern = text.trim_start_matches("./").trim_start_matches("**/");
                        let deep = name == "rglob" || text.contains("**") || text.contains(".claude");
                        finds |= deep && NAMES.iter().any(|own| glob(pattern, own));
                    }
                }
                Token::Text { text, .. } => {
                    spoils |= occurs_in_entry(text);
                    writes |= matches!(text.as_str(), "w" | "a" | "w+" | "r+" | "wb" | "wt");
                    // A dot was made of a number, and put before it.
                    made_up |= text.starts_with("claude/")
                        && NAMES.iter().any(|own| own.strip_prefix('.').is_some_and(|own| text == own))
                        && matches!(
                            at.checked_sub(1).and_then(|before| reader.tokens.get(before)),
                            Some(Token::Sign('+'))
                        );
                }
                Token::Sign(_) => {}
            }
        }
        if writes && (made_up || finds && (spoils || !replaces)) && self.holds_guard(".") {
            self.act_at(Kind::Own, None, "the guard's files, which code finds".to_owned(), call.span);
        }
    }
}
