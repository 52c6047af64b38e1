//! What document S4 wants kept and the core rules leave alone: histories of shells, lock files, folders of keys, other people's files
//! (details B4.6).

use super::Interp;
use super::action::Kind;
use super::exec::Call;
use super::expand::shown;
use super::secret;
use crate::options::{letters, plain_words};
use crate::path::{Place, below, in_other_home};
use crate::programs::{Invocation, Tool};
use crate::syntax::Span;

/// Files in which shells keep what was typed.
const HISTORIES: &[&str] = &[
    ".bash_history", ".zsh_history", ".zhistory", ".histfile", ".sh_history", ".ksh_history", ".history",
    "fish_history",
];

/// Files that package managers write, and nobody by hand.
const LOCKS: &[&str] = &[
    "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb", "deno.lock",
    "gemfile.lock", "poetry.lock", "pdm.lock", "uv.lock", "pipfile.lock", "conda-lock.yml", "pixi.lock", "cargo.lock",
    "composer.lock", "go.sum", "mix.lock", "pubspec.lock", "podfile.lock", "cartfile.resolved", "package.resolved",
    "packages.lock.json", "gradle.lockfile", "flake.lock", "stack.yaml.lock", ".terraform.lock.hcl",
];

/// Folders that hold keys and little else.
const KEY_FOLDERS: &[&str] = &[".ssh", ".aws", ".gnupg"];

/// Names without their endings that say what is in a file of data.
const KEY_NAMES: &[&str] = &["credential", "credentials", "secret", "secrets"];

/// Endings of data; source code may be about secrets without holding one.
const DATA: &[&str] = &[
    "", "json", "jsonc", "json5", "yml", "yaml", "toml", "ini", "cfg", "conf", "config", "properties", "env", "xml",
    "csv", "plist", "db", "txt", "gpg", "asc",
];

impl Interp<'_> {
    /// What follows from an action on a file for those that are to be kept.
    pub(super) fn touches_kept(&mut self, kind: Kind, place: Place, absolute: &str, target: &str, span: Span) {
        let written = matches!(kind, Kind::Overwrite | Kind::Append);
        let lost = matches!(kind, Kind::Delete | Kind::DeleteTree);
        if !written && !lost && !matches!(kind, Kind::Move | Kind::Link) || matches!(place, Place::Temp | Place::Cache)
        {
            return;
        }
        let name = absolute.rsplit('/').next().unwrap_or(absolute);
        // A line that is added is what a history is for.
        if kind != Kind::Append && HISTORIES.contains(&name) {
            self.act_at(Kind::History, Some(place), target.to_owned(), span);
        }
        if written && LOCKS.iter().any(|lock| name.eq_ignore_ascii_case(lock)) {
            self.act_at(Kind::LockWrite, Some(place), target.to_owned(), span);
        }
        if written && !(kind == Kind::Append && name == "known_hosts") && holds_keys(absolute, name) {
            self.act_at(Kind::KeyWrite, Some(place), target.to_owned(), span);
        }
        let ours = below(absolute, &self.places.home).is_some() || below(absolute, &self.places.project).is_some();
        if lost && !ours && in_other_home(absolute).is_some() {
            self.act_at(Kind::OthersDelete, Some(place), target.to_owned(), span);
        }
    }

    /// `history -w FILE`: the lines of the shell's memory, which `history -s` adds to, are written into a file.
    fn history_written(&mut self, args: &[String], call: &Call) {
        let Some(at) = args.iter().position(|arg| arg.starts_with('-') && arg.contains(['w', 'a'])) else { return };
        let file = plain_words(args.get(at + 1..).unwrap_or_default()).next().cloned();
        let set = || self.state.vars.get("HISTFILE").and_then(|var| var.values.first()).map(ToString::to_string);
        // Into such a file it is written anyhow, when the shell ends.
        if let Some(file) = file.or_else(set).filter(|file| !file.ends_with("_history")) {
            self.written_file(&file, true, call.span);
        }
    }

    /// A command that makes the shell forget what was typed, or not remember it.
    pub(super) fn forgets(&mut self, of: &Invocation<'_>, call: &Call) {
        let Invocation { program, args, .. } = *of;
        let has = |wanted: &str| args.iter().any(|arg| arg == wanted);
        let flags = || args.iter().map_while(|arg| letters(arg));
        if program.tool == Tool::History {
            self.history_written(args, call);
        }
        let forgets = match program.tool {
            // `history clear` and `history delete` are those of fish.
            Tool::History => {
                flags().any(|arg| arg.contains(['c', 'd']))
                    || matches!(args.first().map(String::as_str), Some("clear" | "clear-session" | "delete"))
            }
            Tool::Set => args.windows(2).any(|pair| matches!(pair, [option, of] if option == "+o" && of == "history")),
            Tool::Shopt => flags().any(|arg| arg.contains('u')) && has("history"),
            Tool::Unset => has("HISTFILE"),
            Tool::Env => {
                has("--unset=HISTFILE")
                    || has("-uHISTFILE")
                    || args.windows(2).any(
                        |pair| matches!(pair, [option, of] if matches!(option.as_str(), "-u" | "--unset") && of == "HISTFILE"),
                    )
            }
            Tool::ClearHistory => true,
            _ => false,
        };
        if forgets {
            self.act_at(Kind::History, None, shown(&of.text()), call.span);
        }
    }

    /// A variable that makes the shell not remember what is typed.
    pub(super) fn forgets_by_variable(&mut self, name: &str, value: &str, call: &Call) {
        let forgets = match name {
            "HISTFILE" => matches!(value, "" | "/dev/null"),
            "HISTSIZE" | "HISTFILESIZE" | "SAVEHIST" => value == "0",
            _ => false,
        };
        if forgets {
            self.act_at(Kind::History, None, shown(&format!("{name}={value}")), call.span);
        }
    }
}

/// Whether a file lies in a folder of keys, or is called like one that holds credentials.
fn holds_keys(absolute: &str, name: &str) -> bool {
    if secret::is_made_up(absolute) {
        return false;
    }
    if absolute.split('/').rev().skip(1).any(|part| KEY_FOLDERS.contains(&part)) {
        return true;
    }
    if secret::is_harmless(name) {
        return false;
    }
    let lower = name.to_ascii_lowercase();
    let (stem, ending) = lower.split_once('.').unwrap_or((lower.as_str(), ""));
    KEY_NAMES.contains(&stem) && DATA.contains(&ending.rsplit('.').next().unwrap_or_default())
}
