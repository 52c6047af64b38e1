//! What happens beyond a bound: of many values those are kept that a rule may care about, and what cannot be kept is said.

use std::collections::BTreeSet;

use super::action::Kind;
use super::state::Line;
use super::taint::is_placeholder;
use super::{Interp, secret};
use crate::path::{Places, below};
use crate::syntax::Span;

/// Telling values of one list that are kept one by one; beyond, one for each directory.
const MOST_TELLING: usize = 256;
/// Directories of such values.
const MOST_DIRS_TOLD: usize = 512;

/// Words that mean something below some directory, whatever that is: what a rule looks for by name.
const TELLING_PARTS: &[&str] = &[
    "settings", "credentials", "secrets", "keyrings", "keychains", "hooks", "library", "home", "users", "root", "mnt",
    "media", "volumes",
];

impl Interp<'_> {
    /// Says that something lies beyond what is followed, and goes on with the rest.
    pub(super) fn beyond(&mut self, span: Span) {
        if !std::mem::replace(&mut self.said_beyond, true) {
            self.act_at(Kind::Unread, None, "more than is followed".to_owned(), span);
        }
    }

    /// Says so for what the state of the shell had no room for.
    pub(super) fn beyond_state(&mut self, span: Span) {
        if self.state.line.beyond.get() {
            self.beyond(span);
        }
    }

    /// Cuts a list of values: beyond `most`, those stay that a rule may care about. Tells whether any was left out.
    pub(super) fn cut<T: AsRef<str>>(&mut self, values: &mut Vec<T>, most: usize, span: Span) -> bool {
        if values.len() <= most {
            return false;
        }
        if Told::cut(values, most, &self.state.line) {
            self.beyond(span);
        }
        true
    }

    /// Whether a rule may care about a value, wherever it is put in.
    pub(super) fn is_telling_value(&self, value: &str) -> bool {
        self.state.line.is_telling(value)
    }
}

impl Line {
    /// Whether a rule may care about a value. Beyond so many values, that is not looked at any more, which is said.
    fn is_telling(&self, value: &str) -> bool {
        let Some(left) = self.looks.get().checked_sub(1) else {
            self.beyond.set(true);
            return false;
        };
        self.looks.set(left);
        is_telling(value, &self.places)
    }
}

/// The values of a list that were seen, by what makes them different, and how many of them were telling.
#[derive(Default)]
pub(super) struct Told {
    seen: BTreeSet<String>,
    one_by_one: usize,
    /// There were more than are kept.
    full: bool,
}

impl Told {
    /// Leaves out values beyond `most` that are not telling; tells whether telling ones were left out as well.
    pub(super) fn cut<T: AsRef<str>>(values: &mut Vec<T>, most: usize, line: &Line) -> bool {
        let mut told = Self::default();
        let mut index = 0;
        values.retain(|value| {
            index += 1;
            index <= most || told.is_new(value.as_ref(), line)
        });
        told.full
    }

    /// Whether a value is telling, and says something that none before it said.
    pub(super) fn is_new(&mut self, value: &str, line: &Line) -> bool {
        let shape = shape(value);
        if self.seen.contains(&shape) {
            return false;
        }
        let tells = line.is_telling(value);
        let dir = shape
            .rsplit_once('/')
            .filter(|(_, name)| tells && self.one_by_one >= MOST_TELLING && !line.is_telling(name))
            .map(|(dir, _)| format!("{dir}/"));
        self.seen.insert(shape);
        if !tells || dir.is_some_and(|dir| !self.seen.insert(dir)) {
            return false;
        }
        self.one_by_one += 1;
        self.full |= self.one_by_one > MOST_DIRS_TOLD;
        !self.full
    }
}

/// Whether a number means more than its neighbours, as a process, a mode or a level.
fn is_telling_number(value: &str) -> bool {
    matches!(value, "0" | "1") || value.ends_with("77") || value.ends_with("66")
}

/// What is the same for values that only count: numbers as one, and of an address the host.
fn shape(value: &str) -> String {
    if is_telling_number(value) {
        return value.to_owned();
    }
    let value = match value.find("://") {
        Some(at) => {
            let end = value.get(at + 3..).and_then(|rest| rest.find('/')).map_or(value.len(), |end| at + 3 + end);
            value.get(..end).unwrap_or(value)
        }
        None => value,
    };
    let mut out = String::with_capacity(value.len());
    for c in value.chars() {
        if !c.is_ascii_digit() {
            out.push(c);
        } else if !out.ends_with('0') {
            out.push('0');
        }
    }
    out
}

/// Whether a rule may care about a value, alone or as a part of a path or line: it begins like an option or a path from elsewhere,
/// climbs, is hidden, is a pattern or not known, or names a secret, a program that destroys or a directory of the system.
fn is_telling(value: &str, places: &Places) -> bool {
    if value.is_empty() || value.contains(is_placeholder) {
        return true;
    }
    if value.bytes().all(|byte| byte.is_ascii_digit()) {
        return is_telling_number(value);
    }
    let beside = |c: char| c.is_whitespace() || c.is_ascii_punctuation() && !"_-./~+@%:*?[".contains(c);
    value.split(beside).filter(|word| !word.is_empty()).any(|word| is_telling_word(word, places))
}

fn is_telling_word(word: &str, places: &Places) -> bool {
    // What lies in the project is judged by the rest.
    let word = below(word, &places.project).unwrap_or(word);
    if word.starts_with(['/', '~']) || word.contains(['*', '?', '[']) || word.starts_with('-') && word.len() > 1 {
        return true;
    }
    let own_dir =
        |part: &str| [&places.home, &places.project].iter().any(|dir| dir.split('/').any(|of_dir| of_dir == part));
    let part_tells = |part: &str| {
        let hidden = part.starts_with('.') && part.len() > 1 && part != "...";
        let lower = part.to_ascii_lowercase();
        let program = lower.strip_suffix(".exe").unwrap_or(&lower);
        hidden
            || super::exec::is_telling(program, places.layout)
            || TELLING_PARTS.iter().chain(places.layout.words).any(|name| lower.contains(name))
            || Places::is_system_dir(&format!("/{part}"))
            || own_dir(part)
    };
    word.split(['/', ':', '=']).filter(|part| !part.is_empty()).any(part_tells)
        || secret::is_secret(&format!("{}/{word}", places.project), places)
        || word.contains(':') && word.rsplit(':').next().is_some_and(|path| path.starts_with(['/', '~']))
}
