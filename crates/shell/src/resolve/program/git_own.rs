//! What a repository's own settings make of a command of git.
//!
//! An archive that is unpacked brings them like any other file, so a command that is harmless by its words may be another one there.

use std::rc::Rc;

use crate::options::Options;
use crate::resolve::GitSettings;
use crate::resolve::action::Kind;
use crate::resolve::exec::Call;
use crate::resolve::git_config::{How, how, is_section};
use crate::resolve::{Interp, shown};

/// Commands that none of these settings makes another one.
const PLAIN: &[&str] = &["clone", "config", "help", "init", "rev-parse", "version"];

/// Most directories of one line of which settings are kept.
const MOST_DIRS: usize = 16;

impl Interp<'_> {
    /// The settings of the repository in which git is asked. What they have git run is run once a line, since it may be git again.
    pub(super) fn git_own(&mut self, git_dir: Option<&str>, verb: &str, call: &Call) -> Rc<GitSettings> {
        if self.state.remote || PLAIN.contains(&verb) || self.stands_in_made() {
            return Rc::default();
        }
        let Some(dir) = self.absolute(git_dir.unwrap_or(".")) else { return Rc::default() };
        if let Some((_, own)) = self.git_own.iter().find(|(known, _)| *known == dir) {
            return Rc::clone(own);
        }
        if self.git_own.len() >= MOST_DIRS {
            self.give_up_at(call.span);
            return Rc::default();
        }
        let own = Rc::new(self.known_files.git_settings(&dir));
        self.git_own.push((dir, Rc::clone(&own)));
        if own.unread {
            self.git_act(Kind::GitRuns, "settings of the repository that cannot be read", call);
        }
        for (key, value) in &own.all {
            // A program that everybody has does harm only with arguments.
            let is_run = matches!(how(key), Some(How::Command | How::Switch))
                && (value.trim().contains(' ') || self.is_running_setting(key, value));
            if is_run {
                let line = value.trim_start_matches('!').to_owned();
                self.subshell(|interp| interp.run_text(&line, call));
            }
        }
        own
    }

    /// Reports addresses that are commands, and a working tree that lies elsewhere, where the command uses them.
    pub(super) fn git_own_used(&mut self, own: &GitSettings, verb: &str, args: &[String], call: &Call) {
        if matches!(verb, "fetch" | "pull" | "push" | "ls-remote" | "remote" | "submodule") {
            let is_address =
                |(key, value): &&(String, String)| how(key) == Some(How::Address) && value.starts_with("ext::");
            for (_, value) in own.all.iter().filter(is_address) {
                self.git_addresses(&[value.as_str()], call);
            }
        }
        if let Some(tree) = own.tree.as_ref().filter(|_| changes_tree(verb, args)) {
            self.git_act(Kind::GitRuns, shown(&format!("core.worktree {tree}")), call);
        }
    }

    /// Reports a section that is renamed into one of those whose settings run something.
    pub(super) fn git_section(&mut self, options: &Options<'_>, call: &Call) {
        let operands = &options.operands;
        let new = match operands.first().copied() {
            Some("rename-section") => operands.get(2),
            _ if options.has(&["--rename-section"]) => operands.last(),
            _ => return,
        };
        if let Some(new) = new.filter(|new| is_section(new)) {
            self.git_act(Kind::GitRuns, shown(&format!("section {new}")), call);
        }
    }
}

/// Whether a command of git writes or removes files of the working tree.
fn changes_tree(verb: &str, args: &[String]) -> bool {
    let first = args.first().map_or("", String::as_str);
    match verb {
        "am" | "apply" | "bisect" | "checkout" | "checkout-index" | "cherry-pick" | "clean" | "merge" | "mv"
        | "pull" | "read-tree" | "rebase" | "reset" | "restore" | "revert" | "rm" | "sparse-checkout" | "switch" => {
            true
        }
        "stash" => !matches!(first, "list" | "show" | "drop" | "clear" | "create" | "store"),
        "submodule" => first == "update",
        _ => false,
    }
}

/// The words of `git push` with what settings add to them, if they do. Names of remotes are compared in any case, as the line's own
/// settings do not keep it.
pub(super) fn pushed<'s>(args: &[String], settings: impl Iterator<Item = &'s (String, String)>) -> Option<Vec<String>> {
    let options = Options::all(args, &["-o", "--push-option", "--receive-pack", "--exec", "--repo"]);
    if options.operands.len() > 1 {
        return None;
    }
    let remote = options.operands.first().copied();
    let mut added = Vec::new();
    for (key, value) in settings {
        let Some((name, what)) = key.strip_prefix("remote.").and_then(|rest| rest.rsplit_once('.')) else { continue };
        if remote.is_some_and(|remote| !remote.eq_ignore_ascii_case(name)) {
            continue;
        }
        match what {
            "push" => added.push(value.clone()),
            "mirror" if !crate::resolve::program::git::is_no(value) => added.push("--mirror".to_owned()),
            _ => {}
        }
    }
    let named = remote.is_none().then(|| "origin".to_owned());
    (!added.is_empty()).then(|| args.iter().cloned().chain(named).chain(added).collect())
}
