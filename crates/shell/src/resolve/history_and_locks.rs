//! History, locks and keys: what forgets them, and what opens them.

use crate::options::{letters, plain_words};
use crate::path::{Place, below, in_other_home};
use crate::programs::{Invocation, Tool};
use crate::resolve::action::Kind;
use crate::resolve::exec::Call;
use crate::resolve::{Interp, secret, shown};

use crate::resolve::secret::is_settings;
use crate::resolve::taint::is_literal;
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

/// Directories that hold keys and little else.
const KEY_DIRS: &[&str] = &[".ssh", ".aws", ".gnupg"];

/// Names without their endings that say what is in a file of data.
const KEY_NAMES: &[&str] = &["credential", "credentials", "secret", "secrets"];

/// Endings of data; source code may be about secrets without holding one.
const DATA: &[&str] = &[
    "", "json", "jsonc", "json5", "yml", "yaml", "toml", "ini", "cfg", "conf", "config", "properties", "env", "xml",
    "csv", "plist", "db", "txt", "gpg", "asc",
];

impl Interp<'_> {
    /// What follows from an action on a file for those that are to be kept.
    pub(in crate::resolve) fn touches_kept(
        &mut self,
        kind: Kind,
        place: Place,
        absolute: &str,
        target: &str,
        span: Span,
    ) {
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
    pub(in crate::resolve) fn clears_history(&mut self, of: &Invocation<'_>, call: &Call) {
        let Invocation { program, args, .. } = *of;
        let has = |wanted: &str| args.iter().any(|arg| arg == wanted);
        let flags = || args.iter().map_while(|arg| letters(arg));
        if program.tool == Tool::History {
            self.history_written(args, call);
        }
        let clears_history = match program.tool {
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
        if clears_history {
            self.act_at(Kind::History, None, shown(&of.text()), call.span);
        }
    }

    /// A variable that makes the shell not remember what is typed.
    pub(in crate::resolve) fn clears_history_by_variable(&mut self, name: &str, value: &str, call: &Call) {
        let clears_history = match name {
            "HISTFILE" => matches!(value, "" | "/dev/null"),
            "HISTSIZE" | "HISTFILESIZE" | "SAVEHIST" => value == "0",
            _ => false,
        };
        if clears_history {
            self.act_at(Kind::History, None, shown(&format!("{name}={value}")), call.span);
        }
    }
}

/// Whether a file lies in a directory of keys, or is called like one that holds credentials.
fn holds_keys(absolute: &str, name: &str) -> bool {
    if secret::is_made_up(absolute) {
        return false;
    }
    if absolute.split('/').rev().skip(1).any(|part| KEY_DIRS.contains(&part)) {
        return true;
    }
    if secret::is_harmless(name) {
        return false;
    }
    let lower = name.to_ascii_lowercase();
    let (stem, ending) = lower.split_once('.').unwrap_or((lower.as_str(), ""));
    KEY_NAMES.contains(&stem) && DATA.contains(&ending.rsplit('.').next().unwrap_or_default())
}

/// What a mode lets people do who do not own the file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Opened {
    /// Others read it, or look into it.
    read: bool,
    /// Others or its group write it.
    write: bool,
}

impl Interp<'_> {
    /// Reports keys that `chmod` opens to others. `mode` is in digits or in letters.
    pub(in crate::resolve) fn opens_keys(&mut self, mode: &str, paths: &[&str], call: &Call) {
        let opened = opened(mode);
        for path in paths {
            let secret = self.is_secret_path(path);
            // A project's settings are readable by all from the start; that all may write them is no habit.
            let reads = opened.read && secret && !(is_settings(path) && self.place_of(path) == Place::InProject);
            if reads || opened.write && (secret || self.guards_login(path)) {
                self.act_at(Kind::KeyOpen, Some(self.place_of(path)), shown(path), call.span);
            }
        }
    }

    /// Reports keys that `chown` gives to somebody else.
    pub(in crate::resolve) fn gives_keys(&mut self, owner: &str, paths: &[&str], call: &Call) {
        let owner = owner.split([':', '.']).next().unwrap_or(owner);
        let own = self.places.home.rsplit('/').next().unwrap_or_default();
        if owner.is_empty() || owner == own || !is_literal(owner) || owner.starts_with(|c: char| c.is_ascii_digit()) {
            return;
        }
        for path in paths {
            let in_home = self.place_of(path) == Place::Dotfiles;
            if in_home && (self.is_secret_path(path) || self.guards_login(path)) {
                self.act_at(Kind::KeyOpen, Some(Place::Dotfiles), shown(path), call.span);
            }
        }
    }

    /// `ssh-keygen -p -N ''`: a key that needs no passphrase any more.
    pub(in crate::resolve) fn unlocks_key(&mut self, of: &Invocation<'_>, call: &Call) {
        let options = of.options();
        if options.has(&["-p"])
            && options.value(&["-N"]) == Some("")
            && let Some(key) = options.value(&["-f"])
        {
            self.act_at(Kind::KeyOpen, Some(self.place_of(key)), shown(key), call.span);
        }
    }

    /// Whether a file says who may log in, or is part of what does.
    fn guards_login(&self, path: &str) -> bool {
        self.absolute(&self.at_home(path)).is_some_and(|path| {
            let rest = self.places.in_home(&path).or_else(|| in_other_home(&path));
            rest.is_some_and(|rest| rest == ".ssh" || rest.starts_with(".ssh/"))
        })
    }
}

fn opened(mode: &str) -> Opened {
    let mut opened = Opened::default();
    if !mode.is_empty() && mode.chars().all(|c| c.is_ascii_digit()) {
        let digit = |from_end: usize| {
            let at = mode.len().checked_sub(from_end)?;
            mode.get(at..=at)?.parse::<u8>().ok()
        };
        let (group, others) = (digit(2).unwrap_or(0), digit(1).unwrap_or(0));
        return Opened { read: others & 4 != 0, write: (group | others) & 2 != 0 };
    }
    for clause in mode.split(',') {
        let Some(at) = clause.find(['+', '=']) else { continue };
        let (who, rights) = clause.split_at(at);
        let others = who.contains(['o', 'a']);
        // Without anybody named, the mask keeps others from writing.
        opened.read |= (others || who.is_empty()) && rights.contains('r');
        opened.write |= (others || who.contains('g')) && rights.contains('w');
    }
    opened
}
