//! Folders above the guard's own files: what is done to all of one is done to them, and what is put into one by names that nobody sees
//! may be put in their place.

use super::Interp;
use super::action::Kind;
use super::exec::Call;
use super::option::Options;
use super::own::{IN_HOME, Own, same};
use super::shown;
use crate::path::{Place, below};

impl Interp<'_> {
    /// What an action on a folder does to files of the guard below it.
    pub(super) fn own_above(&self, kind: Kind, place: Place, absolute: &str) -> Own {
        let found = match kind {
            // No file lies there that could be written: what comes is put into the folder, under its own names.
            Kind::Overwrite | Kind::Append => Own::Perhaps,
            Kind::ModeTree | Kind::Mirror | Kind::Move | Kind::Mount => Own::Yes,
            _ => return Own::No,
        };
        if self.is_above_own(place, absolute) { found } else { Own::No }
    }

    /// Whether a folder outside the project holds files of the guard, and others beside them.
    fn is_above_own(&self, place: Place, absolute: &str) -> bool {
        let home = &self.places.home;
        let leads = |name: &str| match self.places.in_home(name) {
            Some(rest) => IN_HOME.iter().any(|own| leads_to(rest, own)),
            None => name == home || name != "/" && below(home, name).is_some(),
        };
        match place {
            Place::Home if self.places.is_home_unknown() => true,
            Place::Home | Place::HomeDot => self.names_of(absolute).any(|name| leads(&name)),
            // A file of the guard itself is no folder above it.
            Place::Outside => self.known_files.holds_own(absolute) && self.own_path(absolute) == Own::No,
            _ => false,
        }
    }

    /// The same of a path as it is written.
    pub(super) fn stands_above_own(&self, path: &str) -> bool {
        let found = self.places_of(path);
        found.iter().any(|(place, absolute)| self.is_here(*place) && self.is_above_own(*place, absolute))
    }

    /// Reports that files which nobody names are put into a folder.
    pub(super) fn own_poured(&mut self, folder: &str, call: &Call) {
        for (place, absolute) in self.places_of(folder) {
            if self.is_here(place) {
                self.own_action(Kind::Append, &absolute, &shown(&absolute), place, call.span);
            }
        }
    }

    /// Reports the files of a working tree that a command of git puts in place of those that lie there. In the project that is how
    /// everybody works; elsewhere it matters where the guard's files lie.
    pub(super) fn git_pours(&mut self, tree: &str, verb: &str, args: &[String], call: &Call) {
        let Some(paths) = poured(verb, args) else { return };
        let here = [tree];
        let paths = if paths.is_empty() { here.as_slice() } else { paths.as_slice() };
        for path in paths {
            let places = self.places;
            let outside = self.places_of(path).into_iter().filter(|(_, absolute)| {
                places.project == places.home || *absolute != places.project && places.below_project(absolute).is_none()
            });
            for (place, absolute) in outside.collect::<Vec<_>>() {
                if self.is_here(place) && !self.stands_in_made() {
                    self.own_action(Kind::Append, &absolute, &shown(&absolute), place, call.span);
                }
            }
        }
    }
}

/// Whether the path, as it stands below the home folder, is a folder on the way to the guard's, or a pattern that stands for one.
pub(super) fn leads_to(rest: &str, own: &str) -> bool {
    let mut names = own.trim_end_matches('/').split('/');
    rest.split('/').all(|part| names.next().is_some_and(|name| same(part, name))) && names.next().is_some()
}

/// The paths that a command of git takes from elsewhere; none stand for the whole working tree. `None` if it leaves that alone.
fn poured<'a>(verb: &str, args: &'a [String]) -> Option<Vec<&'a str>> {
    let first = args.first().map_or("", String::as_str);
    let has = |names: &[&str]| args.iter().any(|arg| names.contains(&arg.as_str()));
    let whole = match verb {
        "pull" | "merge" | "rebase" | "cherry-pick" | "revert" | "am" | "apply" | "bisect" | "checkout-index"
        | "sparse-checkout" => true,
        "stash" => matches!(first, "pop" | "apply" | "branch"),
        "reset" => has(&["--hard", "--merge", "--keep"]),
        "read-tree" => has(&["-u"]),
        "submodule" => first == "update",
        "restore" => !has(&["--staged", "-S"]) || has(&["--worktree", "-W"]),
        // A new branch begins with what lies there.
        "checkout" | "switch" => {
            let options = Options::all(args, &["-b", "-B", "-c", "-C", "--create", "--orphan"]);
            !options.operands.is_empty() || options.has(&["-f", "--force", "--discard-changes"])
        }
        _ => false,
    };
    let named = match verb {
        "restore" => Options::all(args, &["-s", "--source", "--conflict"]).operands,
        "checkout" => args.iter().map(String::as_str).skip_while(|arg| *arg != "--").skip(1).collect(),
        _ => Vec::new(),
    };
    whole.then_some(named)
}
