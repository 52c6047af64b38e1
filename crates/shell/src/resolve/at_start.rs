//! Files of a user that say what programs run when they start, and where they fetch packages from.

use super::Interp;
use super::action::Kind;
use super::exec::Call;
use super::shown;
use super::taint::{glob, is_literal};
use crate::path::{Place, Places, in_other_home};
use crate::syntax::Span;

/// Files in a home directory that a program runs, or takes commands from, when it starts; `*` stands for anything, further directories
/// included. What the user's shells and the session start is told apart.
const RUN: &[&str] = &[
    // Editors.
    ".vimrc", ".gvimrc", ".exrc", ".vim/vimrc", ".vim/plugin/*", ".vim/autoload/*", ".vim/after/*", ".vim/ftplugin/*",
    ".config/nvim/*.lua", ".config/nvim/*.vim", ".config/vim/*", ".local/share/nvim/site/*", ".emacs", ".emacs.el",
    ".emacs.d/*.el", ".config/emacs/*.el", ".doom.d/*.el", ".config/doom/*.el", ".spacemacs", ".config/helix/init.scm",
    // Debuggers.
    ".gdbinit", ".config/gdb/*", ".lldbinit", ".lldbinit-*", // Languages.
    ".ipython/profile_*", ".jupyter/jupyter_*config.py", ".pythonrc", ".pythonrc.py", ".pythonstartup*", ".pdbrc",
    ".irbrc", ".pryrc", ".config/irb/irbrc", ".config/pry/pryrc", ".Rprofile", ".julia/config/startup.jl", ".ghci",
    ".iex.exs", ".sbclrc", ".clisprc*", ".guile", ".config/xonsh/*", ".xonshrc", ".perldb", ".noderc", ".erlang",
    // Clients of databases.
    ".psqlrc", ".sqliterc", ".mongorc.js", ".mongoshrc.js", ".mongosh/*.js", ".duckdbrc",
    // Terminals, windows and what else starts programs.
    ".tmux.conf", ".config/tmux/*.conf", ".screenrc", ".config/i3/config", ".i3/config", ".config/sway/config",
    ".config/hypr/*.conf", ".config/awesome/*.lua", ".config/bspwm/bspwmrc", ".config/sxhkd/sxhkdrc",
    ".config/qtile/config.py", ".hammerspoon/*.lua", ".mailcap", ".config/direnv/direnvrc", ".direnvrc",
    ".config/direnv/lib/*", ".config/fish/functions/*", ".config/elvish/rc.elv", ".elvish/rc.elv",
    // Hooks that new repositories get.
    ".git-templates/hooks/*", ".git-template/hooks/*", ".config/git/hooks/*", ".config/git/template/hooks/*",
];

/// Modules that Python loads in every program of its directory.
const OF_PYTHON: &[&str] = &["sitecustomize.py", "usercustomize.py"];

/// Files in a home directory that say where packages come from, and what is started on the way.
const SOURCES: &[&str] = &[
    ".config/pip/pip.conf",
    ".pip/pip.conf",
    "Library/Application Support/pip/pip.conf",
    "*pip/pip.ini",
    ".config/uv/uv.toml",
    ".condarc",
    ".conda/condarc",
    ".mambarc",
    ".config/conda/condarc",
    ".yarnrc",
    ".bunfig.toml",
    ".config/.bunfig.toml",
    ".config/pnpm/rc",
    ".config/pnpm/config.yaml",
    "Library/Preferences/pnpm/rc",
    ".bundle/config",
    ".gemrc",
    ".config/gem/gemrc",
    ".cargo/config",
    ".cargo/config.toml",
    ".gradle/init.gradle",
    ".gradle/init.gradle.kts",
    ".gradle/init.d/*",
    ".m2/extensions.xml",
    ".m2/toolchains.xml",
    ".mavenrc",
    ".config/go/env",
    "Library/Application Support/go/env",
    ".composer/config.json",
    ".config/composer/config.json",
    ".nuget/NuGet/NuGet.Config",
    ".config/NuGet/NuGet.Config",
    ".sbt/repositories",
    ".sbt/*.sbt",
    ".luarocks/config*",
    ".cpan/CPAN/MyConfig.pm",
    ".hex/hex.config",
    ".config/nix/nix.conf",
    ".config/containers/registries.conf",
];

/// Directories whose files the system or a session starts: in a home directory, and for all.
const SERVICES: &[&str] =
    &[".config/systemd/user/*", ".local/share/systemd/user/*", ".config/autostart/*", "Library/LaunchAgents/*"];
const SERVICES_FOR_ALL: &[&str] = &[
    "/etc/systemd/system/*", "/etc/systemd/user/*", "/lib/systemd/system/*", "/usr/lib/systemd/system/*",
    "/Library/LaunchAgents/*", "/Library/LaunchDaemons/*", "/etc/cron.*/*", "/etc/init.d/*", "/etc/rc?.d/*",
    "/etc/xdg/autostart/*", "/etc/profile.d/*",
];

/// Names of settings in `.npmrc` and `.yarnrc.yml` by which packages come from elsewhere, or something is run.
const OF_NPM: &[&str] = &[
    "registry", "@*:registry", "npmregistryserver", "proxy", "https-proxy", "http-proxy", "httpproxy", "httpsproxy",
    "script-shell", "node-options", "globalconfig", "userconfig", "init-module", "git", "yarnpath",
];

/// What remains of a path in a home directory that is no project.
fn at_home<'p>(path: &'p str, places: &Places) -> Option<&'p str> {
    let rest = places.in_home(path).or_else(|| in_other_home(path));
    rest.filter(|_| !places.in_project(path))
}

impl Interp<'_> {
    /// Reports a file that is written, and that a program runs when it starts or asks where packages come from.
    pub(super) fn written_for_later(&mut self, place: Place, absolute: &str, target: &str, span: Span) {
        if self.places.in_project(absolute) || matches!(place, Place::Temp | Place::Cache) {
            return;
        }
        let fits = |patterns: &[&str]| {
            at_home(absolute, self.places).is_some_and(|rest| patterns.iter().any(|pattern| glob(pattern, rest)))
        };
        if fits(RUN) || of_python(absolute) {
            self.act_at(Kind::ProgramStart, Some(place), target.to_owned(), span);
        }
        if fits(SOURCES) {
            self.act_at(Kind::PackageSource, Some(place), target.to_owned(), span);
        }
    }

    /// Reports a link in a directory whose files are started.
    pub(super) fn linked_for_later(&mut self, place: Place, absolute: &str, call: &Call) {
        let of_person =
            at_home(absolute, self.places).is_some_and(|rest| SERVICES.iter().any(|pattern| glob(pattern, rest)));
        if of_person || SERVICES_FOR_ALL.iter().any(|pattern| glob(pattern, absolute)) {
            self.act_at(Kind::ProgramStart, Some(place), shown(absolute), call.span);
        }
    }

    /// Reports a link to a temporary file in the place of one that is started or read at a start: whoever may write there says what
    /// starts.
    pub(super) fn linked_to_temp(&mut self, source: &str, path: &str, call: &Call) {
        if !matches!(self.place_of(source), Place::Temp | Place::TempRoot) {
            return;
        }
        for (place, absolute) in self.places_seen(path, false) {
            let service =
                at_home(&absolute, self.places).is_some_and(|rest| SERVICES.iter().any(|pattern| glob(pattern, rest)));
            if !service && super::secret::starts_by_itself(&absolute, self.places) {
                self.act_at(Kind::Persist, Some(place), shown(&absolute), call.span);
            }
            self.written_for_later(place, &absolute, &shown(&absolute), call.span);
        }
    }

    /// Reports a line for `.npmrc` or `.yarnrc.yml` of the user that says where packages come from.
    pub(super) fn npm_setting_written(&mut self, path: &str, text: &str, span: Span) {
        let name = path.rsplit('/').next().unwrap_or(path);
        if !matches!(name, ".npmrc" | ".yarnrc.yml") || !is_literal(text) {
            return;
        }
        for (place, absolute) in self.places_of(path) {
            if at_home(&absolute, self.places).is_some_and(|rest| rest == name) && self.has_npm_source(text) {
                self.act_at(Kind::PackageSource, Some(place), shown(&absolute), span);
            }
        }
    }

    fn has_npm_source(&self, text: &str) -> bool {
        text.lines().filter_map(|line| line.split_once(['=', ':'].as_slice()).map(|pair| (line, pair))).any(
            |(line, (name, value))| {
                // The name of a scope's registry has a colon itself.
                let (name, value) = match line.split_once('=') {
                    Some(pair) if line.starts_with('@') => pair,
                    _ => (name, value),
                };
                let (name, value) = (name.trim().to_ascii_lowercase(), value.trim().trim_matches(['"', '\'']));
                // Where programs are put is a common setting, but not one that anybody can write to.
                let shared = name == "prefix" && matches!(self.place_of(value), Place::Temp | Place::TempRoot);
                !value.is_empty() && (shared || OF_NPM.iter().any(|pattern| glob(pattern, &name)))
            },
        )
    }
}

/// Whether Python loads a file in every program: `*.pth` and its like, beside installed packages.
fn of_python(path: &str) -> bool {
    let Some((dir, name)) = path.rsplit_once('/') else { return false };
    let beside = ["/site-packages", "/dist-packages"].iter().any(|end| dir.ends_with(end));
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    beside && (ending == "pth" || OF_PYTHON.contains(&name))
}
