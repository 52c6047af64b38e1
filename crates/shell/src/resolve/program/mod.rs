//! What single programs do: files, git, network, system. Each reports actions; none has an opinion.

mod copies;
mod files;
mod git;
mod git_fetch;
mod git_index;
mod git_own;
mod guarded;
mod handed_out;
mod machine;
mod mount;
mod net;
mod others;
mod process;
mod rights;
mod secret_env;
mod system;
mod windows;
mod write;

pub(super) use self::files::takes_rights;
pub use self::git::GLOBAL as GIT_OPTIONS;
pub(super) use self::git::OWN_COMMANDS;
pub(super) use self::net::hands_out_secrets;
pub(super) use self::process::{by_port, of_project};

use crate::programs::{self, Invocation, Tool, Trait, agents};
use std::rc::Rc;

use super::Interp;
use super::action::Kind;
use super::exec::Call;
use super::links::{is_written_as_dir, name_at};
use super::state::Data;
use super::taint::{TAINT_SECRET, UNKNOWN, is_placeholder, taint_of};
use crate::options::Options;
use crate::path::{Place, is_unknown};

impl Interp<'_> {
    /// A program that none of the other modules knows.
    pub(super) fn program(&mut self, of: &Invocation<'_>, call: &Call) -> Data {
        let Invocation { program, name, args } = *of;
        let help = args.iter().any(|arg| matches!(arg.as_str(), "--help" | "--version"));
        if help
            && !matches!(
                program.tool,
                Tool::Curl | Tool::Wget | Tool::Git | Tool::Find | Tool::Dd | Tool::Ssh | Tool::Scp | Tool::Remove
            )
        {
            return Data::from(UNKNOWN.to_string());
        }
        if program.tool == Tool::Rmdir && self.windows(of, call) {
            return Data::from("");
        }
        if let Some(printed) = self.files(of, call) {
            return printed;
        }
        if let Some(printed) = self.net(of, call) {
            return printed;
        }
        if program.tool == Tool::Git || name.starts_with("git-") && name.len() > 4 {
            return self.git(of, call);
        }
        if program.tool == Tool::SshKeygen {
            self.unlocks_key(of, call);
        }
        if self.windows(of, call) || self.system(of, call) || self.machine(of, call) {
            return Data::from("");
        }
        if let Some(list) = self.own_located(of) {
            return list;
        }
        self.client_output(of, call);
        self.own_replaced(of, call);
        if !of.is(Trait::Silent) && name != self.places.layout.program {
            if !self.only_looks {
                self.may_write(args, call);
            }
            for arg in args {
                self.reads_argument(arg, call);
            }
            if !self.known_to_take_data(name) {
                self.tails(args, call);
            }
        }
        // What an unknown program prints is its own, but it keeps where its input came from.
        let carried: String = [super::taint::TAINT_NETWORK, super::taint::TAINT_DECODED, TAINT_SECRET]
            .into_iter()
            .filter(|mark| call.stdin.contains(*mark))
            // What it could read because it stands in a substitution is most likely left alone.
            .filter(|_| !Rc::ptr_eq(&call.stdin, &self.inherited_input))
            .collect();
        if !carried.is_empty() {
            return Data::from(carried);
        }
        if names_cache(of) {
            return format!("{}/.cache/{name}", self.places.home).into();
        }
        Data::from(if prints_settings(of) { UNKNOWN.to_string() } else { taint_of("x") })
    }

    /// Programs whose arguments are text, patterns or names, and never a command.
    fn known_to_take_data(&self, name: &str) -> bool {
        programs::is(name, Trait::TakesText) || agents::PROMPTED.contains(&name) || name == self.places.layout.program
    }

    /// An argument that may name a file: alone, after `@`, `=`, `file://`.
    fn reads_argument(&mut self, arg: &str, call: &Call) {
        if arg.len() > 4096 || arg.is_empty() {
            return;
        }
        // A text with blanks is a sentence or a command, unless it is written as a path.
        if arg.contains(' ') && !arg.starts_with(['/', '.', '~', '@']) {
            return;
        }
        let stripped = arg.strip_prefix("file://").unwrap_or(arg).trim_start_matches('@');
        let value = stripped.split_once('=').map(|(_, value)| value.trim_start_matches('@'));
        for path in std::iter::once(stripped).chain(value) {
            if !path.starts_with('-') && !path.is_empty() && !path.contains("://") {
                self.reads(path, call);
            }
        }
    }

    /// The content of a file that is copied: what is known of it, or that it is a secret.
    fn copied(&self, path: &str) -> Data {
        match self.content(path) {
            Some(content) => content,
            None if self.is_secret_path(path) => Data::from(TAINT_SECRET.to_string()),
            None => Data::from(UNKNOWN.to_string()),
        }
    }

    fn copy_content(&mut self, sources: &[&str], target: &str, call: &Call) {
        for source in sources {
            let typed = matches!(*source, "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0");
            let content = if typed { Rc::clone(&call.stdin) } else { self.copied(source) };
            let inside = name_at(source, target, true);
            if content.contains(TAINT_SECRET)
                && !self.is_secret_path(if is_written_as_dir(target) { &inside } else { target })
            {
                self.act_at(Kind::SecretCopy, None, super::shown(target), call.span);
            }
            self.variables_placed(target, &content, call.span);
            if content.contains(is_placeholder) || typed || self.content(source).is_some() {
                if content.chars().all(|c| c == UNKNOWN) {
                    continue;
                }
                self.store(target, &content);
                self.store(&inside, &content);
            }
        }
    }

    fn is_remote(path: &str) -> bool {
        let Some((host, _)) = path.split_once(':') else { return false };
        path.starts_with("rsync://")
            || (host.len() > 1 && !host.contains('/') && !host.starts_with('-') && !host.contains(is_unknown))
    }

    pub(super) fn sends_secret(&mut self, path: &str, call: &Call) {
        let whole = !self.state.remote && path.starts_with(['/', '~', '.']) && self.holds_home(path);
        if whole
            || self.is_secret_path(path)
            || self.content(path).is_some_and(|content| content.contains(TAINT_SECRET))
        {
            self.act_at(Kind::SecretSend, None, super::shown(path), call.span);
        }
    }

    /// Whether all of a home directory, with its keys, lies at a path.
    fn holds_home(&self, path: &str) -> bool {
        matches!(self.place_of(path), Place::Home | Place::Root) || path.trim_end_matches('/') == "/root"
    }

    /// Runs the line that an option gives.
    fn option_line(&mut self, options: &Options<'_>, names: &[&str], call: &Call) {
        for line in options.values(names) {
            let line = line.strip_prefix("exec=").unwrap_or(line);
            let inner = Call { stdin: Rc::clone(&call.stdin), span: call.span };
            self.subshell(|interp| interp.run_text(line, &inner));
        }
    }
}

/// Whether a program that installs says where its cache lies: `yarn cache dir`, `go env GOCACHE`, `npm config get cache`.
fn names_cache(of: &Invocation<'_>) -> bool {
    let words: Vec<&str> = of.args.iter().map(String::as_str).collect();
    of.is(Trait::Installs)
        && matches!(
            words.as_slice(),
            ["cache", "dir"]
                | ["env", "GOCACHE" | "GOMODCACHE"]
                | ["config", "get", "cache"]
                | ["store", "path"]
                | ["config", "cache-dir"]
                | ["--cache"]
        )
}

/// Whether a program prints settings that a shell is meant to run, as `ssh-agent -s` and `pyenv init -` do.
fn prints_settings(of: &Invocation<'_>) -> bool {
    const WORDS: &[&str] = &[
        "init", "hook", "shellenv", "activate", "completion", "completions", "env", "docker-env", "shell-init",
        "export", "podman-env", "shell.bash",
    ];
    let Invocation { program, args, .. } = *of;
    matches!(program.tool, Tool::PrintsSettings) || args.iter().take(3).any(|arg| WORDS.contains(&arg.as_str()))
}
