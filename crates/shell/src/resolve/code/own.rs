//! The guard's files, where code finds them by a pattern or puts their names together.

use super::Interp;
use super::language::{FILES, MODES, TREES, WRITES};
use super::reader::{Given, Reader};
use super::token::Token;
use crate::resolve::action::Kind;
use crate::resolve::exec::Call;
use crate::resolve::listed::occurs_in_entry;
use crate::resolve::shown;
use crate::resolve::taint::{activate_globs, glob};

impl Interp<'_> {
    /// An archive that code unpacks: what it holds is not told, only where it goes.
    pub(super) fn extracts(&mut self, reader: &Reader<'_>, name: &str, (from, to): (usize, usize), call: &Call) {
        if matches!(name, "extractall" | "unpack_archive" | "extract_all" | "extractto") {
            self.code_paths(Kind::Overwrite, &reader.own(from, to), call);
        }
    }

    /// Reports code that changes the rights or the owner of a directory above the guard's files: through one that is closed nobody gets.
    pub(super) fn modes_above(
        &mut self,
        reader: &Reader<'_>,
        word: &str,
        (from, to): (usize, usize),
        given: &Given,
        call: &Call,
    ) {
        let mode = if word.to_ascii_lowercase().contains("chmod") {
            mode_of(reader.tokens.get(from..reader.within(from, to)).unwrap_or_default())
        } else {
            None
        };
        let closes = mode.is_some_and(|mode| mode & 0o500 != 0o500);
        let harmless = mode.is_some_and(|mode| mode & 0o522 == 0o500);
        let of = word.rsplit_once('.').and_then(|(of, _)| reader.values.get(of));
        for path in given.texts.iter().chain(&given.joined).chain(of).filter(|path| !path.is_empty()) {
            let path = activate_globs(path);
            if !harmless && self.stands_above_own(&path) || closes && self.holds_guard(&path) {
                self.ask_own(shown(&path), call);
                return;
            }
        }
    }

    /// Reports code that changes whatever it finds by a pattern which fits the guard's files.
    pub(super) fn own_in_code(&mut self, reader: &Reader<'_>, call: &Call) {
        let layout = self.places.layout;
        // As a pattern of code has to fit one.
        let names = || layout.settings.iter().chain(layout.settings_names).chain([&layout.configuration]);
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
                        let deep = name == "rglob" || text.contains("**") || layout.names_client_dir(text);
                        finds |= deep && names().any(|own| glob(pattern, own));
                    }
                }
                Token::Text { text, .. } => {
                    spoils |= occurs_in_entry(text, layout);
                    writes |= matches!(text.as_str(), "w" | "a" | "w+" | "r+" | "wb" | "wt");
                    // A dot was made of a number, and put before it.
                    made_up |= layout.settings.iter().any(|own| own.strip_prefix('.').is_some_and(|own| text == own))
                        && matches!(
                            at.checked_sub(1).and_then(|before| reader.tokens.get(before)),
                            Some(Token::Sign('+'))
                        );
                }
                Token::Sign(_) => {}
            }
        }
        if writes && (made_up || finds && (spoils || !replaces)) && self.holds_guard(".") {
            self.act_at(Kind::Guard, None, "the guard's files, which code finds".to_owned(), call.span);
        }
    }
}

/// The mode among the arguments of a call, where it is written out in octal.
fn mode_of(tokens: &[Token]) -> Option<u32> {
    let mut digits = String::new();
    for token in tokens {
        match token {
            Token::Sign(digit) if digit.is_ascii_digit() => digits.push(*digit),
            // `0o700` is a nought and a word.
            Token::Word(word) if digits == "0" && word.starts_with('o') => digits.push_str(word.get(1..)?),
            _ if digits.starts_with('0') => break,
            _ => digits.clear(),
        }
    }
    if digits.starts_with('0') { u32::from_str_radix(&digits, 8).ok() } else { None }
}
