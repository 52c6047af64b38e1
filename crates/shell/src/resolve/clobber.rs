//! Files that a command reads and empties at once: `sort f > f`, `jq . f | sed s/a/b/ > f`, `tr a b < f | tee f`. The shell opens what is
//! written before anything is read, so that nothing is left to read.

use super::action::Kind;
use super::taint::{GLOB_ANY, GLOB_SET, GLOB_STAR, is_literal};
use super::{Entry, Interp, shown};
use crate::path::Place;
use crate::syntax::{ParamOp, Part, Redirect, RedirectOp, Simple, Span, Word};

/// Files and words of one pipeline that are remembered.
const MOST_INPUTS: usize = 64;

/// What the pipeline reads that is followed at the moment.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    /// The shell that follows it runs on another machine. What one of its commands alone reads or writes elsewhere is another file,
    /// whatever it is called.
    remote: bool,
    /// The files.
    files: Vec<String>,
    /// Files of which git shows what the last commit or the index holds.
    committed: Vec<String>,
    /// Words with variables, as they are written: one that is written twice names one file, whatever its value is.
    words: Vec<String>,
}

/// A file that the shell empties when it opens it.
pub(super) struct Emptied {
    path: String,
    /// How it is written, where its name depends on variables.
    word: Option<String>,
}

impl Emptied {
    pub(super) fn of(path: &str, word: &Word) -> Self {
        Self { path: path.to_owned(), word: written(word) }
    }
}

impl Interp<'_> {
    /// Follows a pipeline. Where it ends, what it has read counts for the group or loop around it.
    pub(super) fn with_inputs<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        let fresh = Inputs { remote: self.state.remote, ..Inputs::default() };
        let outer = std::mem::replace(&mut self.inputs, fresh);
        let done = inner(self);
        let read = std::mem::replace(&mut self.inputs, outer);
        if read.remote == self.inputs.remote {
            for file in read.files {
                self.add_input(file);
            }
        }
        done
    }

    /// Follows a substitution: what it reads is read before the shell opens anything for the command around it.
    pub(super) fn without_inputs<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::take(&mut self.inputs);
        let done = inner(self);
        self.inputs = outer;
        done
    }

    fn add_input(&mut self, file: String) {
        if self.inputs.files.len() < MOST_INPUTS && !self.inputs.files.contains(&file) {
            self.inputs.files.push(file);
        }
    }

    /// Remembers a file that is read.
    pub(super) fn reads_input(&mut self, path: &str) {
        if self.state.remote == self.inputs.remote
            && !path.starts_with("/dev/")
            && let Some(file) = self.absolute(path)
        {
            self.add_input(file);
        }
    }

    /// Remembers a file of which git shows what has been committed.
    pub(super) fn shows_committed(&mut self, path: &str) {
        if !self.state.remote && self.inputs.committed.len() < MOST_INPUTS && !self.stands_in_made() {
            let from_top = format!("{}/{path}", self.places.project);
            self.inputs.committed.extend(self.absolute(path).into_iter().chain([from_top]));
        }
    }

    /// Remembers the words of a command that hold variables.
    pub(super) fn spells_inputs(&mut self, simple: &Simple, redirects: &[Redirect]) {
        let read = redirects.iter().filter(|redirect| redirect.op == RedirectOp::In).map(|redirect| &redirect.target);
        for word in simple.words.iter().chain(read) {
            if self.inputs.words.len() < MOST_INPUTS
                && let Some(written) = written(word)
            {
                self.inputs.words.push(written);
            }
        }
    }

    /// Reports files that are emptied, by what the pipeline reads and by what is written into them.
    pub(super) fn empties_inputs(&mut self, emptied: &[Emptied], printed: &str, span: Span) {
        for Emptied { path, word } in emptied {
            self.empties_input(path, word.as_deref(), span);
            self.puts_back(path, word.as_deref(), span);
            let all = path.contains(GLOB_STAR) && matches!(self.place_of(path), Place::Project | Place::ProjectParent);
            let state = || self.absolute(path).is_some_and(|file| super::lost::is_state(&file));
            if all || printed.is_empty() && state() {
                self.act_on(Kind::Emptied, path, span);
            }
        }
    }

    /// `git show HEAD:f > f` is `git checkout HEAD -- f`.
    fn puts_back(&mut self, path: &str, word: Option<&str>, span: Span) {
        let Some(file) = self.absolute(path).filter(|file| self.inputs.committed.contains(file)) else { return };
        let named = |word: &str| self.inputs.words.iter().any(|other| other.ends_with(&format!(":{word}")));
        let there = || matches!(self.known_files.entry(&file), Entry::Plain | Entry::Link);
        if if is_literal(path) { there() } else { word.is_some_and(named) } {
            self.act_at(Kind::GitDiscard, Some(self.place_of(path)), shown(path), span);
        }
    }

    /// The same of one file. `word` is how it is written, where its name depends on variables.
    pub(super) fn empties_input(&mut self, path: &str, word: Option<&str>, span: Span) {
        if self.inputs.files.is_empty() || self.state.remote != self.inputs.remote {
            return;
        }
        let sure = is_literal(path) && !path.contains([GLOB_STAR, GLOB_ANY, GLOB_SET]);
        let twice = || word.is_some_and(|word| self.inputs.words.iter().any(|other| other == word));
        let read = self.absolute(path).is_some_and(|file| self.inputs.files.contains(&file));
        let place = self.place_of(path);
        if read && (sure || twice()) && !matches!(place, Place::Sink | Place::Net | Place::Device) {
            self.act_at(Kind::Clobber, Some(place), shown(path), span);
        }
    }
}

/// A word of variables and plain text as it is written, without its quotes; `None` for one without a variable, or with anything else.
fn written(word: &Word) -> Option<String> {
    fn add(parts: &[Part], out: &mut String) -> Option<bool> {
        let mut varies = false;
        for part in parts {
            match part {
                Part::Literal(text) | Part::Quoted(text) => out.push_str(text),
                Part::Double(inner) => varies |= add(inner, out)?,
                Part::Param(param) if param.op == ParamOp::None && !param.indirect && param.subscript.is_none() => {
                    out.push('$');
                    out.push_str(&param.name);
                    out.push(' ');
                    varies = true;
                }
                _ => return None,
            }
        }
        Some(varies)
    }
    // Most words hold none, and every word of a call is asked.
    if word.parts.iter().all(|part| matches!(part, Part::Literal(_) | Part::Quoted(_))) {
        return None;
    }
    let mut out = String::new();
    add(&word.parts, &mut out)?.then_some(out)
}
