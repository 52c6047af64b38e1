//! Directories above the guard's own files: what is done to all of one is done to them, and what is put into one by names that nobody sees
//! may be put in their place.

use super::Interp;
use super::action::Kind;
use super::exec::Call;
use super::guard_files::{Own, same};
use super::shown;
use super::taint::{is_literal, is_placeholder};
use crate::options::Options;
use crate::path::{Place, below};

impl Interp<'_> {
    /// What an action on a directory does to files of the guard below it.
    pub(super) fn own_above(&self, kind: Kind, place: Place, absolute: &str) -> Own {
        let found = match kind {
            // No file lies there that could be written: what comes is put into the directory, under its own names.
            Kind::Overwrite | Kind::Append => Own::Perhaps,
            Kind::ModeTree | Kind::Mirror | Kind::Move | Kind::Mount => Own::Yes,
            _ => return Own::No,
        };
        if self.is_above_own(place, absolute) { found } else { Own::No }
    }

    /// Whether a directory outside the project holds files of the guard, and others beside them.
    fn is_above_own(&self, place: Place, absolute: &str) -> bool {
        let home = &self.places.home;
        let leads = |name: &str| match self.places.in_home(name) {
            Some(rest) => self.places.layout.at_home.iter().any(|own| leads_to(rest, own)),
            None => name == home || name != "/" && below(home, name).is_some(),
        };
        match place {
            Place::Home if self.places.is_home_unknown() => true,
            Place::Home | Place::Dotfiles => self.names_of(absolute).any(|name| leads(&name)),
            // A session may be started in a directory of the user's settings.
            Place::Project | Place::InProject if self.places.project != *home => self
                .places
                .in_home(absolute)
                .is_some_and(|rest| self.places.layout.at_home.iter().any(|own| leads_to(rest, own))),
            // A file of the guard itself is no directory above it.
            Place::Outside => self.known_files.holds_own(absolute) && self.own_path(absolute) == Own::No,
            _ => false,
        }
    }

    /// The same of a path as it is written.
    pub(super) fn stands_above_own(&self, path: &str) -> bool {
        let found = self.places_of(path);
        found.iter().any(|(place, absolute)| self.is_here(*place) && self.is_above_own(*place, absolute))
    }

    /// Reports that files which nobody names are put into a directory.
    pub(super) fn own_poured(&mut self, dir: &str, call: &Call) {
        for (place, absolute) in self.places_of(dir) {
            if self.is_here(place) {
                self.own_action(Kind::Append, &absolute, &shown(&absolute), place, call.span);
            }
        }
    }

    /// Reports that a tree is given a second name, file by file: whoever writes to that name writes to the guard's files. Links that
    /// can be seen are followed where they are used, so that those are a question only.
    pub(super) fn own_tree_linked(&mut self, dirs: &[&str], seen: bool, call: &Call) {
        for dir in dirs {
            for (place, absolute) in self.places_of(dir) {
                let holds = self.is_above_own(place, &absolute)
                    || self.own_path(&absolute) == Own::Yes
                    || !self.guard_below(&absolute).is_empty();
                if self.is_here(place) && holds {
                    let before = self.speculative;
                    self.speculative |= seen || !is_literal(&absolute);
                    self.act_at(Kind::Guard, Some(place), shown(&absolute), call.span);
                    self.speculative = before;
                }
            }
        }
    }

    /// Whether a pattern may stand for a directory that the project lies in, or for the project.
    pub(super) fn may_hold_project(&self, path: &str) -> bool {
        let below = format!("{}/{}", self.places.project, self.places.layout.own_dir);
        let leads = |path: &str| leads_to(path.trim_start_matches('/'), below.trim_start_matches('/'));
        path.contains(is_placeholder) && self.absolute(&self.at_home(path)).is_some_and(|path| leads(&path))
    }

    /// Reports the files of a working tree that a command of git takes away, or puts in place of those that lie there. In the project
    /// that is how everybody works; elsewhere it matters where the guard's files lie.
    pub(super) fn git_pours(&mut self, tree: &str, verb: &str, args: &[String], call: &Call) {
        let Some(paths) = poured(verb, args) else { return };
        let here = [tree];
        let paths = if paths.is_empty() { here.as_slice() } else { paths.as_slice() };
        for path in paths {
            self.pours_over(path, call);
        }
    }

    /// Reports that a version control takes files away in a directory, or puts others in their place.
    pub(super) fn pours_over(&mut self, dir: &str, call: &Call) {
        let places = self.places;
        let (project, home) = (&places.project, &places.home);
        for (place, absolute) in self.places_of(dir) {
            let in_project = absolute == *project || places.below_project(&absolute).is_some();
            if !self.is_here(place) || self.stands_in_made() {
                continue;
            }
            if in_project && project != home {
                // The project may be a directory of the user's settings.
                if self.is_above_own(place, &absolute) {
                    self.ask_own(shown(&absolute), call);
                }
                continue;
            }
            let before = self.report.actions.len();
            self.own_action(Kind::Append, &absolute, &shown(&absolute), place, call.span);
            // The guard's files may be links into it.
            if self.report.actions.len() == before && !in_project && self.holds_linked(&absolute) {
                self.ask_own(shown(&absolute), call);
            }
        }
    }
}

/// Whether the path, as it stands below the home directory, is a directory on the way to the guard's, or a pattern that stands for one.
pub(super) fn leads_to(rest: &str, own: &str) -> bool {
    let mut names = own.trim_end_matches('/').split('/');
    rest.split('/').all(|part| names.next().is_some_and(|name| same(part, name))) && names.next().is_some()
}

/// Commands of git that leave the working tree as it is, or are judged by what they do to the files which they name.
const LEAVING: &[&str] = &[
    "add", "annotate", "archive", "blame", "branch", "bugreport", "bundle", "cat-file", "check-attr", "check-ignore",
    "check-ref-format", "cherry", "ci", "clone", "commit", "commit-graph", "commit-tree", "config", "count-objects",
    "credential", "describe", "diff", "diff-files", "diff-index", "diff-tree", "difftool", "fast-export", "fetch",
    "fmt-merge-msg", "for-each-ref", "format-patch", "fsck", "gc", "get-tar-commit-id", "grep", "gui", "hash-object",
    "help", "init", "log", "ls-files", "ls-remote", "ls-tree", "mailinfo", "maintenance", "merge-base", "merge-file",
    "merge-tree", "mktag", "mktree", "name-rev", "notes", "pack-refs", "patch-id", "prune", "push", "range-diff",
    "reflog", "remote", "repack", "request-pull", "rerere", "rev-list", "rev-parse", "send-email", "shortlog", "show",
    "show-branch", "show-index", "show-ref", "stage", "status", "stripspace", "symbolic-ref", "tag", "update-index",
    "update-ref", "var", "verify-commit", "verify-pack", "verify-tag", "version", "whatchanged", "worktree",
    "write-tree",
];

/// The paths that a command of git takes away or puts there; none stand for the whole working tree. `None` if it leaves that alone.
pub(super) fn poured<'a>(verb: &str, args: &'a [String]) -> Option<Vec<&'a str>> {
    let first = args.first().map_or("", String::as_str);
    let has = |names: &[&str]| args.iter().any(|arg| names.contains(&arg.as_str()));
    let leaves = match verb {
        "stash" => matches!(first, "list" | "show" | "create" | "store" | "drop" | "clear"),
        "reset" => !has(&["--hard", "--merge", "--keep"]),
        "read-tree" => !has(&["-u"]),
        "submodule" => first != "update",
        "restore" => has(&["--staged", "-S"]) && !has(&["--worktree", "-W"]),
        "bisect" => matches!(first, "log" | "view" | "visualize" | "terms" | "help"),
        "sparse-checkout" => first == "list",
        "rm" => has(&["--cached", "-n", "--dry-run"]),
        "mv" => has(&["-n", "--dry-run"]),
        "clean" => {
            let options = Options::all(args, &["-e", "--exclude"]);
            !options.has(&["-f", "--force", "-i", "--interactive"]) || options.has(&["-n", "--dry-run"])
        }
        "apply" => has(&["--check", "--stat", "--numstat", "--summary", "--cached"]) && !has(&["--apply", "--index"]),
        "am" | "rebase" => has(&["--show-current-patch"]),
        "lfs" => !matches!(first, "pull" | "checkout" | "migrate"),
        // A new branch begins with what lies there. The first checkout of a bare repository names nothing and brings everything.
        "checkout" | "switch" => {
            let options = Options::all(args, &["-b", "-B", "-c", "-C", "--create", "--orphan"]);
            let makes = options.has(&["-b", "-B", "-c", "-C", "--create"]);
            makes && options.operands.is_empty() && !options.has(&["-f", "--force", "--discard-changes"])
        }
        _ => LEAVING.contains(&verb),
    };
    let named = match verb {
        "restore" => Options::all(args, &["-s", "--source", "--conflict"]).operands,
        "rm" => Options::all(args, &["--pathspec-from-file"]).operands,
        "mv" => Options::all(args, &[]).operands,
        "checkout" => args.iter().map(String::as_str).skip_while(|arg| *arg != "--").skip(1).collect(),
        _ => Vec::new(),
    };
    (!leaves).then_some(named)
}
