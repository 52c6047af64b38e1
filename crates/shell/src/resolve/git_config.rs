//! Git's settings that run something, whichever way they come: by a command, by a variable, by a file that is written.

use super::action::Kind;
use super::exec::{Call, base_name};
use super::stands_in::takes_program;
use super::taint::is_literal;
use super::{Interp, shown};
use crate::path::{Place, Places, in_other_home};
use crate::programs::{self, Tool, Trait};
use crate::syntax::Span;

/// How a setting comes to run something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// Its value is a command.
    Command,
    /// The same, where a bare word of yes and no is one as well.
    Switch,
    /// Its value is a directory of hooks.
    Hooks,
    /// Its value is a command if it begins with an exclamation mark.
    Bang,
    /// Its value is a file of more settings.
    Include,
    /// Its value is a directory that every new repository takes its hooks from.
    Template,
    /// Its value, or its name, is an address, which may be a command.
    Address,
    /// Its value lets addresses be commands.
    Allow,
    /// Its value is the directory that commands change.
    Tree,
    /// Its value is what every push does, which may overwrite or remove branches.
    Push,
    /// A yes makes every push overwrite and remove branches.
    Mirror,
}

impl How {
    /// Whether the value is a line that a shell runs.
    pub(super) fn is_command(self, value: &str) -> bool {
        match self {
            Self::Command | Self::Switch | Self::Hooks => true,
            Self::Bang => value.starts_with('!'),
            Self::Include | Self::Template | Self::Address | Self::Allow | Self::Tree | Self::Push | Self::Mirror => {
                false
            }
        }
    }
}

/// The settings, in small letters: the section, `*` for whatever stands between, and the name.
const KEYS: &[(&str, How)] = &[
    ("core.fsmonitor", How::Switch),
    ("core.hookspath", How::Hooks),
    ("core.worktree", How::Tree),
    ("core.sshcommand", How::Command),
    ("core.editor", How::Command),
    ("core.pager", How::Command),
    ("core.askpass", How::Command),
    ("core.gitproxy", How::Command),
    ("core.alternaterefscommand", How::Command),
    ("sequence.editor", How::Command),
    ("interactive.difffilter", How::Command),
    ("pager.*", How::Switch),
    ("alias.*", How::Bang),
    ("filter.*.clean", How::Command),
    ("filter.*.smudge", How::Command),
    ("filter.*.process", How::Command),
    ("diff.external", How::Command),
    ("diff.*.command", How::Command),
    ("diff.*.textconv", How::Command),
    ("merge.*.driver", How::Command),
    ("mergetool.*.cmd", How::Command),
    ("mergetool.*.path", How::Command),
    ("difftool.*.cmd", How::Command),
    ("difftool.*.path", How::Command),
    ("guitool.*.cmd", How::Command),
    ("browser.*.cmd", How::Command),
    ("browser.*.path", How::Command),
    ("man.*.cmd", How::Command),
    ("man.*.path", How::Command),
    ("man.viewer", How::Command),
    ("help.browser", How::Command),
    ("web.browser", How::Command),
    ("instaweb.httpd", How::Command),
    ("hook.*.command", How::Command),
    ("tar.*.command", How::Command),
    ("trailer.*.command", How::Command),
    ("trailer.*.cmd", How::Command),
    ("lfs.customtransfer.*.path", How::Command),
    ("gpg.program", How::Command),
    ("gpg.*.program", How::Command),
    ("gpg.ssh.defaultkeycommand", How::Command),
    ("credential.helper", How::Command),
    ("credential.*.helper", How::Command),
    ("remote.*.uploadpack", How::Command),
    ("remote.*.receivepack", How::Command),
    ("remote.*.vcs", How::Command),
    ("remote.*.push", How::Push),
    ("remote.*.mirror", How::Mirror),
    ("remote.*.url", How::Address),
    ("remote.*.pushurl", How::Address),
    ("submodule.*.url", How::Address),
    ("submodule.*.update", How::Bang),
    ("url.*.insteadof", How::Address),
    ("url.*.pushinsteadof", How::Address),
    ("protocol.ext.allow", How::Allow),
    ("protocol.allow", How::Allow),
    ("uploadpack.packobjectshook", How::Command),
    ("sendemail.smtpserver", How::Command),
    ("sendemail.sendmailcmd", How::Command),
    ("sendemail.*.sendmailcmd", How::Command),
    ("sendemail.tocmd", How::Command),
    ("sendemail.cccmd", How::Command),
    ("sendemail.headercmd", How::Command),
    ("imap.tunnel", How::Command),
    ("include.path", How::Include),
    ("includeif.*.path", How::Include),
    ("init.templatedir", How::Template),
];

/// How the setting of this name, in small letters, comes to run something.
pub(super) fn how(key: &str) -> Option<How> {
    let fits = |pattern: &str| match pattern.split_once('*') {
        None => pattern == key,
        Some((before, after)) => {
            let rest = key.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
            rest.is_some_and(|middle| !middle.is_empty())
        }
    };
    KEYS.iter().find(|(pattern, _)| fits(pattern)).map(|(_, how)| *how)
}

/// Whether a setting of git, by its full name in small letters, makes git run something that is not git's own.
pub fn setting_runs(key: &str, value: &str) -> bool {
    let is_switch =
        matches!(value.to_ascii_lowercase().as_str(), "" | "true" | "false" | "yes" | "no" | "on" | "off" | "0" | "1");
    match how(key) {
        None | Some(How::Template | How::Push | How::Mirror) => false,
        Some(How::Switch) => !is_switch,
        Some(How::Bang) => value.starts_with('!'),
        Some(How::Address) => value.contains("::"),
        Some(How::Command | How::Hooks | How::Include | How::Allow | How::Tree) => true,
    }
}

/// Whether settings of a section of this name may be among them.
pub(super) fn is_section(name: &str) -> bool {
    let first = name.split('.').next().unwrap_or(name);
    !is_literal(name)
        || KEYS.iter().any(|(key, _)| key.split('.').next().is_some_and(|own| own.eq_ignore_ascii_case(first)))
}

/// The same of a name whose section is not known.
fn how_by_name(name: &str) -> Option<How> {
    let last = |pattern: &'static str| pattern.rsplit('.').next().unwrap_or_default();
    // Those of a name that says nothing alone run something only by their value.
    let plain = |how: &How| !matches!(how, How::Address | How::Allow | How::Bang);
    KEYS.iter().find(|(pattern, how)| last(pattern) == name && plain(how)).map(|(_, how)| *how)
}

/// Whether a setting runs something that not everybody has. `place` says where a path lies.
pub(super) fn runs(key: &str, how: How, value: &str, place: &dyn Fn(&str) -> Place) -> bool {
    let value = value.trim();
    let is_no = matches!(value.to_ascii_lowercase().as_str(), "" | "false" | "no" | "off" | "0" | "never");
    let is_yes = matches!(value.to_ascii_lowercase().as_str(), "true" | "yes" | "on" | "1");
    match how {
        How::Command => !is_no && !is_well_known(value),
        How::Switch if key == "core.fsmonitor" => !(is_no || is_yes || value == "rs-git-fsmonitor"),
        How::Switch => !(is_no || is_yes || is_well_known(value)),
        How::Hooks => !(is_no || matches!(place(value), Place::InProject) && is_dir_of_hooks(value)),
        How::Bang => value.starts_with('!') && !is_well_known(value),
        // The user's own further settings lie in the home directory; those of a repository came with it.
        How::Include => !value.starts_with(['/', '~']) || !matches!(place(value), Place::Dotfiles | Place::Outside),
        How::Template => !is_no && !matches!(place(value), Place::Dotfiles | Place::Outside | Place::System),
        How::Address => is_command_address(value) || is_command_address(key.strip_prefix("url.").unwrap_or_default()),
        How::Allow | How::Mirror => !is_no,
        // It begins at the repository's own directory, so one step up leads where the shell stands at the most.
        How::Tree => {
            !is_no && (!matches!(place(value), Place::InProject | Place::Project) || value.matches("..").count() > 1)
        }
        How::Push => !is_literal(value) || value.starts_with(['+', ':']),
    }
}

/// Whether an address is the command that brings what it stands for.
pub(super) fn is_command_address(address: &str) -> bool {
    address.split_once("::").is_some_and(|(helper, _)| {
        !helper.is_empty() && helper.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '+'))
    })
}

/// Whether a directory in the project is called as directories of hooks are.
fn is_dir_of_hooks(path: &str) -> bool {
    !path.contains("/tmp")
        && path.split('/').any(|part| {
            let part = part.to_ascii_lowercase();
            part.contains("hook") || part.contains("husky") || part.contains("lefthook")
        })
}

/// Whether a setting names a program by itself, as editors, pagers and helpers are set: no path, no shell, nothing put together.
fn is_well_known(value: &str) -> bool {
    // What git itself puts in is nobody's text.
    const PUT_IN: &[&str] =
        &["$LOCAL", "$REMOTE", "$MERGED", "$BASE", "$BACKUP", "${LOCAL}", "${REMOTE}", "${MERGED}", "${BASE}"];
    let mut cleaned = value.to_owned();
    for name in PUT_IN {
        cleaned = cleaned.replace(name, "");
    }
    let bare = cleaned.strip_prefix('!');
    let line = bare.unwrap_or(&cleaned).trim();
    let first = line.split_whitespace().next().unwrap_or_default();
    let joined = line.contains([';', '|', '&', '$', '`', '<', '>', '\n', '(']);
    let name = base_name(first);
    let installed = ["/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].iter().any(|dir| first.starts_with(dir));
    let shell = programs::is(&name, Trait::RunsAnything);
    // A command of one's own is a shell's line.
    let command = bare.is_some()
        && !matches!(programs::tool(&name), Tool::Git | Tool::Gh | Tool::Glab | Tool::Aws | Tool::Gcloud | Tool::Az);
    !joined && !shell && !command && (!first.contains('/') || installed)
}

/// A file by which git decides what it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GitFile {
    /// Settings.
    Settings,
    /// Attributes, which say which filter a file goes through.
    Attributes,
}

/// Which of these the absolute path is. A file of attributes that the repository shares is none.
pub(super) fn file(path: &str, places: &Places) -> Option<GitFile> {
    if let Some(rest) = places.in_home(path).or_else(|| in_other_home(path)) {
        match rest {
            ".gitconfig" | ".config/git/config" => return Some(GitFile::Settings),
            ".gitattributes" | ".config/git/attributes" => return Some(GitFile::Attributes),
            _ => {}
        }
    }
    if path == "/etc/gitconfig" {
        return Some(GitFile::Settings);
    }
    // The last one, since modules and working trees lie in the directory of their repository.
    let (at, end) = path.match_indices("/.git/").last().map(|(at, found)| (at, at + found.len())).or_else(|| {
        // A repository without a working tree.
        path.match_indices(".git/").last().map(|(at, found)| (at, at + found.len()))
    })?;
    let _ = at;
    let rest = path.get(end..)?;
    let own = |rest: &str| match rest {
        "config" | "config.worktree" => Some(GitFile::Settings),
        "info/attributes" => Some(GitFile::Attributes),
        _ => None,
    };
    own(rest).or_else(|| {
        let inner = rest.strip_prefix("modules/").or_else(|| rest.strip_prefix("worktrees/"))?;
        let (dir, name) = inner.rsplit_once('/')?;
        match dir.strip_suffix("/info") {
            Some(_) if name == "attributes" => Some(GitFile::Attributes),
            _ => own(name),
        }
    })
}

/// What a text does that is written into such a file, from the least to the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Does {
    /// Git runs nothing because of it.
    Nothing,
    /// Repositories come from elsewhere.
    Redirects,
    /// It may make git run something: of a text that is not known nobody can tell, and some programs are set by many.
    MayRun,
    /// It makes git run something that is nobody's but its writer's.
    Runs,
}

/// What a text does that is written into a file of this kind.
pub(super) fn written(file: GitFile, text: &str, place: &dyn Fn(&str) -> Place) -> Does {
    if !is_literal(text) {
        return Does::MayRun;
    }
    match file {
        GitFile::Settings => settings_do(text, place),
        GitFile::Attributes => {
            let calls = text.lines().any(|line| {
                let mut words = line.split_whitespace();
                let is_comment = words.next().is_none_or(|pattern| pattern.starts_with('#'));
                !is_comment && words.any(calls_filter)
            });
            if calls { Does::Runs } else { Does::Nothing }
        }
    }
}

/// Whether an attribute sends a file through a program that git does not have itself.
fn calls_filter(attribute: &str) -> bool {
    let Some((name, value)) = attribute.split_once('=') else { return false };
    match name {
        "filter" => value != "lfs",
        "merge" => !matches!(value, "union" | "ours" | "binary" | "text" | "lfs"),
        "diff" => {
            const OWN: &[&str] = &[
                "ada", "bash", "bibtex", "cpp", "csharp", "css", "dts", "elixir", "fortran", "fountain", "golang",
                "html", "ini", "java", "kotlin", "markdown", "matlab", "objc", "pascal", "perl", "php", "python", "r",
                "ruby", "rust", "scheme", "tex", "lfs",
            ];
            !OWN.contains(&value)
        }
        _ => false,
    }
}

/// What the settings in a text do. A text that begins in the middle of a section, as an edit does, is judged by the names alone; a
/// line that is no whole setting could be a part of any.
fn settings_do(text: &str, place: &dyn Fn(&str) -> Place) -> Does {
    let joined = text.replace("\\\r\n", " ").replace("\\\n", " ");
    let mut section: Option<String> = None;
    let mut header_open = false;
    let mut worst = Does::Nothing;
    for line in joined.lines() {
        let mut line = line.trim();
        if let Some(rest) = line.strip_prefix('[') {
            let Some((header, rest)) = end_of_header(rest) else { return worst.max(Does::MayRun) };
            section = Some(header);
            header_open = true;
            line = rest.trim();
        }
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        header_open = false;
        worst = worst.max(setting_does(section.as_deref(), line, place));
    }
    // The settings that follow in the file now belong to that section.
    let takes_over = header_open
        && section.is_some_and(|section| {
            KEYS.iter().any(|(key, _)| key.starts_with(section.split('.').next().unwrap_or(&section)))
        });
    if takes_over { worst.max(Does::MayRun) } else { worst }
}

/// What one line of a section does.
fn setting_does(section: Option<&str>, line: &str, place: &dyn Fn(&str) -> Place) -> Does {
    let (name, value) = line.split_once('=').map_or((line, None), |(name, value)| (name, Some(value)));
    let name = name.trim().to_ascii_lowercase();
    let is_name = (section.is_some() || name.len() > 1)
        && !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    // Without a value a setting is a yes, and in the middle of a section it may be half a line.
    let Some(value) = value.filter(|_| is_name).or_else(|| (is_name && section.is_some()).then_some("true")) else {
        return Does::MayRun;
    };
    let value = unquoted(value);
    let key = section.map(|section| format!("{section}.{name}"));
    if key.as_deref().is_some_and(|key| redirects(key, &value)) {
        return Does::Redirects;
    }
    let how = key.as_deref().map_or_else(|| how_by_name(&name), how);
    let bang = section.is_none() && value.starts_with('!');
    let flagged = bang || how.is_some_and(|how| runs(key.as_deref().unwrap_or(&name), how, &value, place));
    if !flagged {
        return Does::Nothing;
    }
    // In the middle of a section, a name that says nothing alone may be any setting's.
    let certain = section.is_some() || bang || !matches!(name.as_str(), "path" | "command" | "cmd" | "program");
    if certain && is_own_text(how.unwrap_or(How::Bang), &value, place) { Does::Runs } else { Does::MayRun }
}

/// Whether what a setting runs is nobody's but its writer's: no program that is installed, no directory of hooks of the user, and no
/// pipe of programs that everybody has.
fn is_own_text(how: How, value: &str, place: &dyn Fn(&str) -> Place) -> bool {
    let value = value.trim();
    match how {
        How::Command | How::Switch | How::Bang => {
            let piped = value.contains('|') && value.split('|').all(|piece| is_well_known(piece.trim()));
            let plain = !value.contains([';', '|', '&', '$', '`', '<', '>', '\n', '(', '!']);
            let first = value.split_whitespace().next().unwrap_or_default();
            let shell = programs::is(&base_name(first), Trait::RunsAnything);
            let installed = first.starts_with('/') && matches!(place(first), Place::System | Place::Outside);
            let known = piped || plain && !shell && installed;
            !known
        }
        How::Hooks => !matches!(place(value), Place::Dotfiles | Place::Outside | Place::InProject),
        How::Include => matches!(place(value), Place::Temp | Place::InProject | Place::Project | Place::ProjectParent),
        How::Allow | How::Address => true,
        How::Template | How::Tree | How::Push | How::Mirror => false,
    }
}

/// Whether a setting makes git fetch from another host than it is told: `url.NEW.insteadOf OLD`, or a proxy.
pub(super) fn redirects(key: &str, value: &str) -> bool {
    if value.trim().is_empty() {
        return false;
    }
    let instead = key.strip_prefix("url.").and_then(|rest| rest.strip_suffix(".insteadof"));
    if let Some(new) = instead {
        // A short name for an address has no host.
        return host(value).is_some_and(|old| host(new) != Some(old));
    }
    let of_address = key.strip_prefix("http.").and_then(|rest| rest.strip_suffix("proxy"));
    let of_address = of_address.is_some_and(|address| address.is_empty() || address.ends_with('.'));
    of_address || matches!(key, "https.proxy" | "core.gitproxy")
}

/// Whether a setting makes git take any certificate: `http.sslVerify false`, for every host or for one.
pub(super) fn unverified(key: &str, value: &str) -> bool {
    let of_host = key.strip_prefix("http.").and_then(|rest| rest.strip_suffix("sslverify"));
    of_host.is_some_and(|host| host.is_empty() || host.ends_with('.')) && matches!(value, "false" | "no" | "off" | "0")
}

/// The host of an address: `https://host/path`, `git@host:path`.
fn host(address: &str) -> Option<&str> {
    let rest = match address.split_once("://") {
        Some((_, rest)) => rest,
        None => address.split_once('@').map(|(_, rest)| rest)?,
    };
    let end = rest.find(['/', ':']).unwrap_or(rest.len());
    let host = rest.get(..end)?;
    Some(host.rsplit_once('@').map_or(host, |(_, host)| host)).filter(|host| !host.is_empty())
}

/// The name of a section as settings have it in front of theirs, and what follows its bracket.
fn end_of_header(text: &str) -> Option<(String, &str)> {
    let mut quoted = false;
    let mut escaped = false;
    let mut name = String::new();
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => {
                escaped = false;
                name.push(c);
            }
            '\\' if quoted => escaped = true,
            '"' => {
                quoted = !quoted;
                if quoted {
                    name = format!("{}.", name.trim());
                }
            }
            ']' if !quoted => return Some((name.trim().to_ascii_lowercase(), text.get(at + 1..)?)),
            c => name.push(c),
        }
    }
    None
}

/// A value as git reads it: without quotes, escapes and the comment behind it.
fn unquoted(value: &str) -> String {
    let mut out = String::new();
    let (mut quoted, mut escaped) = (false, false);
    for c in value.trim().chars() {
        match c {
            _ if escaped => {
                escaped = false;
                out.push(c);
            }
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            '#' | ';' if !quoted => break,
            c => out.push(c),
        }
    }
    out.trim().to_owned()
}

impl Interp<'_> {
    /// The setting of git that this line makes runs something that not everybody has.
    pub(super) fn is_running_setting(&self, key: &str, value: &str) -> bool {
        how(key).is_some_and(|how| runs(key, how, value, &|path| self.place_of(path)))
    }

    /// Reports a text that is written into a file by which git decides what it runs, if it makes git run something.
    pub(super) fn git_file_written(&mut self, path: &str, text: &str, span: Span) {
        self.git_text_follows = false;
        for (place, absolute) in self.places_of(path) {
            let Some(file) = file(&absolute, self.places) else { continue };
            let kind = match written(file, text, &|path| self.place_of(path)) {
                Does::Nothing => continue,
                Does::Redirects => Kind::PackageSource,
                Does::MayRun => Kind::GitRuns,
                Does::Runs => Kind::GitFileRuns,
            };
            self.act_at(kind, Some(place), shown(&absolute), span);
        }
    }

    /// Reports a name that becomes a link: what it leads to is what git reads, or what runs instead of a program of the system.
    pub(super) fn linked_to(&mut self, path: &str, call: &Call) {
        for (place, absolute) in self.places_seen(path, false) {
            if file(&absolute, self.places).is_some() {
                self.act_at(Kind::GitRuns, Some(place), shown(&absolute), call.span);
            }
            if takes_program(&absolute, true, self.places) {
                self.act_at(Kind::SystemSetting, Some(place), shown(&absolute), call.span);
            }
            self.linked_for_later(place, &absolute, call);
        }
    }
}
