//! Agents that a command starts: where this guard does not see what they do, the user is asked.

use super::Interp;
use super::exec::Call;
use super::shown;
use super::taint::is_literal;
use crate::Kind;
use crate::layout::DirVariable;
use crate::options::plain_words;
use crate::path::below;
use crate::programs::agents::{
    CLIENT, FREE, FREE_OF, NAMES, NO_SESSION, PACKAGE, PACKAGE_PART, SCRIPTS, SIMPLE, TYPED,
};
use crate::programs::{Invocation, Tool};

/// Names of what is newest.
const NEWEST: &[&str] = &["latest", "stable", "next", ""];

impl Interp<'_> {
    /// An agent without a guard, or an old client that does not know the guard's settings.
    pub(super) fn child_agent(&mut self, of: &Invocation<'_>, call: &Call) {
        let Invocation { program, name, args } = *of;
        let free = match program.tool {
            _ if CLIENT.contains(&name) => self.is_child_unguarded(args) || installs_other(args),
            _ if NAMES.contains(&name) => {
                let given = |arg: &String| {
                    let option = arg.split_once('=').map_or(arg.as_str(), |(option, _)| option);
                    let of_one =
                        |(names, options): &(&[&str], &[&str])| names.contains(&name) && options.contains(&option);
                    FREE.contains(&option) || FREE_OF.iter().any(of_one)
                };
                args.iter().any(given)
                    || args
                        .windows(2)
                        .any(|pair| matches!(pair, [option, value] if option == "--approval-mode" && value == "yolo"))
            }
            Tool::Npm | Tool::Bun | Tool::Npx | Tool::Deno | Tool::VersionManager
                if args.iter().any(|arg| names_other(arg)) =>
            {
                true
            }
            Tool::Node | Tool::Bun | Tool::Deno => {
                self.client_as_script(args, call);
                false
            }
            _ => false,
        };
        if free && !self.state.remote {
            self.ask_own(shown(&of.text()), call);
        }
    }

    /// The host, started as the script that it is: `node …/cli.js --bare`.
    fn client_as_script(&mut self, args: &[String], call: &Call) {
        let is_client = |arg: &String| {
            let path = arg.strip_prefix("npm:").unwrap_or(arg);
            let within = path.contains(PACKAGE) || path.contains(PACKAGE_PART);
            let name = path.rsplit('/').next().unwrap_or(path);
            !path.starts_with('-') && path.contains('/') && (within || SCRIPTS.contains(&name))
        };
        let Some(at) = args.iter().position(is_client) else { return };
        // What stands in front are the interpreter's own options.
        let before = args.get(..at).unwrap_or_default();
        if before.iter().all(|arg| arg.starts_with('-') || matches!(arg.as_str(), "run" | "x")) {
            let args = args.get(at + 1..).unwrap_or_default();
            let client = Invocation::new(TYPED, args);
            self.child_agent(&client, call);
            self.client(&client, call);
        }
    }

    /// Whether a session of the host starts that asks nobody, or in a directory whose settings do not start the guard.
    fn is_child_unguarded(&self, args: &[String]) -> bool {
        let informs = args.iter().any(|arg| matches!(arg.as_str(), "--help" | "-h" | "--version" | "-v"));
        let other = args.first().is_some_and(|arg| NO_SESSION.contains(&arg.as_str()));
        if informs || other {
            return false;
        }
        let mode = |pair: &[String]| matches!(pair, [option, mode] if option == "--permission-mode" && mode == "bypassPermissions");
        let bypasses =
            args.iter().any(|arg| FREE.contains(&arg.as_str()) || arg == "--permission-mode=bypassPermissions")
                || args.windows(2).any(mode);
        let project = &self.places.project;
        let elsewhere =
            |cwd: &Option<String>| cwd.as_ref().is_none_or(|cwd| cwd != project && below(cwd, project).is_none());
        let went = self.state.cwds.iter().any(elsewhere)
            && self.state.cwds.iter().flatten().all(|cwd| *cwd != self.places.cwd);
        let renamed = self.places.layout.project_variables.iter().any(|name| {
            self.state.vars.contains_key(*name) && self.variable(name).is_some_and(|dir| *dir != **project)
        });
        bypasses || went || renamed
    }

    /// The host itself, started so that the guard does not see what it does.
    pub(super) fn client(&mut self, of: &Invocation<'_>, call: &Call) {
        let args = of.args;
        let options = of.options();
        let text = shown(&format!("{TYPED} {}", args.join(" ")));
        let helps = args.iter().any(|arg| matches!(arg.as_str(), "--help" | "-h" | "--version" | "-v"));
        if helps {
            return;
        }
        let words = options.operands.as_slice();
        let configures = matches!(words, ["config", "set" | "add" | "remove" | "rm", key, ..] if (self.places.layout.names_hooks)(key));
        // An entry of the guard may stand in each of them, and the last of several options counts.
        let sources = options.values(&["--setting-sources"]).last();
        let has = |sources: &str, source: &str| sources.split(',').any(|part| part.trim() == source);
        let without = options.has(&["--bare", "--safe-mode"])
            || sources.is_some_and(|sources| is_literal(sources) && !has(sources, "project"));
        let moved = self.client_moved();
        let simple = self.variable(SIMPLE).is_some_and(|value| !matches!(value.as_ref(), "" | "0"));
        let mut severe = configures || without || moved || simple;
        let mut speculative =
            sources.is_some_and(|sources| !["user", "project", "local"].iter().all(|source| has(sources, source)));
        for settings in options.values(&["--settings"]) {
            let inline = settings.trim_start().starts_with('{').then(|| settings.to_owned());
            match inline.or_else(|| self.content(settings).map(|content| content.to_string())) {
                Some(content) if is_literal(&content) => severe |= (self.places.layout.names_hooks)(&content),
                _ => speculative = true,
            }
        }
        if severe || speculative {
            let before = self.speculative;
            self.speculative |= !severe;
            self.act_at(Kind::Guard, None, text, call.span);
            self.speculative = before;
        }
    }

    /// Whether this line has the host look for the user's settings elsewhere, or the guard for the user's policy.
    fn client_moved(&self) -> bool {
        self.places.layout.dir_variables.iter().any(|DirVariable { name, usual }| {
            let usual = || format!("{}{usual}", self.places.home);
            let before = self.known_files.dir_variable(name);
            match self.state.vars.contains_key(*name).then(|| self.variable(name)).flatten() {
                // Without a value it lies where it usually does.
                Some(dir) if dir.is_empty() => before.is_some_and(|before| before != usual()),
                Some(dir) => {
                    let dir = self.at_home(dir.trim_end_matches('/')).into_owned();
                    before.map_or_else(|| dir != usual(), |before| dir != before)
                }
                None => self.unset.contains(*name) && before.is_some_and(|before| before != usual()),
            }
        })
    }
}

/// Whether a word names another version of the host than the newest.
fn names_other(arg: &str) -> bool {
    let at = arg.find(PACKAGE);
    let version = at.and_then(|at| arg.get(at + PACKAGE.len()..)).and_then(|rest| rest.strip_prefix('@'));
    version.is_some_and(|version| !NEWEST.contains(&version))
}

/// `install 1.0.0`: another version of the host than the newest.
fn installs_other(args: &[String]) -> bool {
    let mut words = plain_words(args).map(String::as_str);
    words.next() == Some("install") && words.next().is_some_and(|version| !NEWEST.contains(&version))
}
