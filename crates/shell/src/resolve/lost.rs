//! Files whose loss is felt: secrets and state that no repository holds, and files of the user outside the project.

use super::exec::Call;
use super::taint::{GLOB_ANY, GLOB_SET, GLOB_STAR, PROGRAM_OUTPUT, SUBSTITUTED, is_placeholder};
use super::{Entry, Interp, Kind, secret, shown};
use crate::options::Options;
use crate::path::{Place, Places, is_unknown};
use crate::syntax::Span;

/// Directories of tests and of what is built: what lies there is made up, or made again.
const MADE_AGAIN: &[&str] = &[
    "test", "tests", "__tests__", "spec", "e2e", "mocks", "tmp", "temp", "build", "dist", "out", "target",
    "node_modules", "vendor", "venv", ".venv", ".terraform",
];

/// Endings of what programs write for themselves, and write again.
const WRITTEN_AGAIN: &[&str] = &[".log", ".out", ".pid", ".lock", ".tmp"];

/// Options of `cp`, `mv` and `install` that leave alone what is there, ask first, or keep it under another name.
pub(super) const KEEPS_OLD: &[&str] =
    &["-n", "--no-clobber", "-i", "--interactive", "-b", "--backup", "-u", "--update"];

impl Interp<'_> {
    /// What follows from an action because the file that it is done to is one whose loss is felt.
    pub(super) fn loses(&mut self, kind: Kind, place: Place, absolute: &str, target: &str, span: Span) {
        if self.state.container.is_some() {
            return;
        }
        match kind {
            Kind::Delete | Kind::DeleteTree => {
                // What the line itself has made is no loss.
                let near = matches!(place, Place::InProject | Place::Given | Place::Unknown);
                if !near || self.has_made(absolute, target) || lies_among_made(absolute) {
                    return;
                }
                if is_state(absolute) {
                    self.act_at(Kind::StateLost, Some(place), target.to_owned(), span);
                } else if self.is_here(place) && is_irreplaceable(absolute, self) {
                    self.act_at(Kind::SecretLost, Some(place), target.to_owned(), span);
                }
            }
            Kind::Emptied if is_state(absolute) && !self.files.contains_key(absolute) && !lies_among_made(absolute) => {
                self.act_at(Kind::StateLost, Some(place), target.to_owned(), span);
            }
            // What lies on another machine nobody can look at.
            Kind::Overwrite if self.is_outside(place) && self.may_be_there(absolute) => {
                let again = WRITTEN_AGAIN.iter().any(|end| absolute.ends_with(end));
                // What the host's settings may say is judged by what it is.
                if !again && !self.is_settings_of_client(absolute) {
                    self.act_at(Kind::Replaced, Some(place), target.to_owned(), span);
                }
            }
            _ => {}
        }
    }

    /// Reports what a program takes away once it has put it elsewhere. Outside the project that is a removal: where it went, only the
    /// archive or the copy tells.
    pub(super) fn packed_away(&mut self, path: &str, call: &Call) {
        let kind = if self.place_of(path) == Place::Outside { Kind::Delete } else { Kind::Move };
        self.act_on(kind, path, call.span);
    }

    /// Reports that what the user has thrown away can be taken back no longer.
    pub(super) fn empties_trash(&mut self, call: &Call) {
        let target = format!("{}/.local/share/Trash", self.places.home);
        self.act_at(Kind::DeleteListed, Some(Place::Outside), target, call.span);
    }

    /// What else a tree that goes may be: all there is where a command prints nothing, as in `rm -rf $(x)/*`, and a directory of the system
    /// where the line has gone to one on another machine.
    pub(super) fn deletes_more(&mut self, path: &str, span: Span) {
        let all = path.ends_with(GLOB_STAR) && path.contains([SUBSTITUTED, PROGRAM_OUTPUT]);
        if all && self.place_of(&path.replace(is_unknown, "")) == Place::Root {
            self.act_at(Kind::DeleteTree, Some(Place::UnknownAll), shown(path), span);
        }
        let there = self.state.remote && self.state.container.is_none() && !path.starts_with(['/', '~']);
        if there && self.state.cwd().is_some_and(Places::holds_system) {
            let absolute = self.absolute(path).unwrap_or_default();
            self.act_on(Kind::DeleteTree, &absolute, span);
        }
    }

    /// Whether a file lies outside the project on this machine, or beside one of which nobody knows where it lies.
    fn is_outside(&self, place: Place) -> bool {
        let beside = place == Place::Project && self.places.is_project_unknown();
        (beside || place == Place::Outside) && self.is_here(place)
    }

    /// Whether the line itself has written this file.
    fn has_made(&self, absolute: &str, target: &str) -> bool {
        let wrote = |action: &super::Action| action.kind == Kind::Overwrite && action.target == target;
        self.files.contains_key(absolute) || self.report.actions.iter().any(wrote)
    }

    /// Whether there may be a file at a path, that is no directory. What a pattern stands for is there; a name that is only known in part
    /// is most likely a new one.
    fn may_be_there(&self, absolute: &str) -> bool {
        if self.files.contains_key(absolute)
            || self.made.iter().any(|made| crate::path::below(absolute, made).is_some())
        {
            return false;
        }
        if absolute.contains(is_unknown) {
            return false;
        }
        // What is put into a directory may be called as what a pattern stands for, and nothing else need be called so there.
        if absolute.contains([GLOB_STAR, GLOB_ANY, GLOB_SET]) {
            return !self.pours;
        }
        match self.known_files.entry(absolute) {
            Entry::Missing | Entry::Dir => false,
            Entry::Plain | Entry::Link => true,
            Entry::Unknown => !self.pours,
        }
    }

    /// Runs `inner`, in which files are put into directories.
    pub(super) fn pouring(&mut self, pours: bool, inner: impl FnOnce(&mut Self)) {
        let outer = self.pours;
        self.pours |= pours;
        inner(self);
        self.pours = outer;
    }

    /// Reports secrets that a copy or a move puts something else in the place of. What asks first or keeps the old file does not.
    pub(super) fn replaces_secret(&mut self, sources: &[&str], target: &str, options: &Options<'_>, span: Span) {
        if options.has(KEEPS_OLD) || self.state.container.is_some() {
            return;
        }
        for source in sources {
            for name in [target.to_owned(), super::links::name_at(source, target, true)] {
                for (place, absolute) in self.places_of(&name) {
                    let near = matches!(place, Place::InProject | Place::Given) && self.is_here(place);
                    let there = matches!(self.known_files.entry(&absolute), Entry::Plain | Entry::Link);
                    let spared = self.files.contains_key(&absolute) || self.is_tested(&absolute);
                    if near && there && !spared && !lies_among_made(&absolute) && is_irreplaceable(&absolute, self) {
                        self.act_at(Kind::SecretLost, Some(place), shown(&absolute), span);
                    }
                }
            }
        }
    }

    /// Remembers the files that a test asks for: `[ -f .env ] || cp .env.example .env` copies where there is none.
    pub(super) fn tests_for(&mut self, args: &[String]) {
        for pair in args.windows(2) {
            if let [test, path] = pair
                && matches!(test.as_str(), "-e" | "-f" | "-s" | "-r")
                && let Some(absolute) = self.absolute(path)
            {
                self.tested.insert(absolute);
            }
        }
    }

    /// Whether what is followed at the moment depends on a test for this file.
    fn is_tested(&self, absolute: &str) -> bool {
        self.conditional_depth > 0 && self.tested.contains(absolute)
    }
}

/// Whether a file lies in a directory of tests or of what is built.
fn lies_among_made(absolute: &str) -> bool {
    absolute.split('/').any(|part| MADE_AGAIN.contains(&part)) || secret::is_made_up(absolute)
}

/// Whether a file is a secret of which there may be no other copy: no template, no backup, and no settings that are rebuilt.
fn is_irreplaceable(absolute: &str, interp: &Interp<'_>) -> bool {
    const MADE_ANEW: &[&str] = &[".npmrc", ".yarnrc.yml", ".pypirc", "debug.keystore", "settings.php", "wp-config.php"];
    let name = absolute.rsplit('/').next().unwrap_or(absolute);
    secret::is_secret(absolute, interp.places)
        && !MADE_ANEW.contains(&name)
        && !name.ends_with("_history")
        && !name
            .split(['.', '-', '_'])
            .any(|part| matches!(part, "test" | "tests" | "testing" | "ci" | "dummy" | "fake" | "localhost"))
        && !secret::is_copy(name)
}

/// Whether a file is the state of infrastructure, or a database that is called like one in production.
pub(super) fn is_state(absolute: &str) -> bool {
    let name = absolute.rsplit('/').next().unwrap_or(absolute).replace(is_placeholder, "*");
    // Journals lie beside it: `production.sqlite3*`.
    let name = name.trim_end_matches('*');
    let state = name.contains(".tfstate") && !name.ends_with(".lock.info");
    let database = [".db", ".sqlite", ".sqlite3"].iter().any(|end| name.ends_with(end)) && name.contains("prod");
    state || database
}
