//! The guard's own files and commands: the agent may read them and never change them (invariant 13).

use std::borrow::Cow;

use super::action::Kind;
use super::exec::Call;
use super::option::Options;
use super::value::{HOLE, SET, could_match, is_known, is_marker};
use super::{Entry, Files, Interp, shown};
use crate::path::{Place, Places, below, is_unknown};
use crate::syntax::Span;

/// Whether a path belongs to the guard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Own {
    /// It does not.
    No,
    /// It is not known, and may.
    Perhaps,
    /// It does.
    Yes,
    /// A settings file that may start the guard.
    Settings,
}

/// The project's files of the guard: its executable, settings, state and log, and the settings that start it. Those that end in a
/// separator are folders, and all in them belongs to it.
const IN_PROJECT: &[&str] = &[
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".claude/hookbin.toml",
    ".claude/state.json",
    ".claude/state.json.lock",
    ".claude/bypass_active.json",
    ".claude/saneprompt.log",
    ".claude/sanetools.log",
    ".claude/sanetrack.log",
    ".claude/sanestop.log",
    ".claude/compact-recovery.json",
    ".claude/handoff/NEXT_ACTION.json",
    ".claude/sensitive-files.json",
    ".claude/hookbin/",
    ".claude-collective/metrics/",
    "agent-bin/",
];

/// Files in a `.claude` by which the gates of the documents judge.
const EVIDENCE: &[&str] = &[
    ".test-status",
    ".proof-status",
    ".test-gate-strikes",
    ".mock-gate-strikes",
    ".test-gate-cold-warned",
    ".plan-drift",
    ".lint-breaker",
    ".audit-log",
    ".agent-findings",
    ".test-runner.lock",
    ".test-runner.running",
    ".test-runner.last-run",
    ".test-runner.out",
];

/// The same of one session each: these names begin so.
const EVIDENCE_OF_SESSION: &[&str] = &[".session-changes", ".prompt-count-", ".compact-context-", ".surfaced-"];

/// Files of a contained installation, where there is one (S0).
const CONTAINED: &[&str] = &["storage/", "scripts/boot-lmdb5.sh"];

/// What is looked for below a folder that a command searches: the files above, and what lies in their folders.
const FOUND: &[(&str, bool)] = &[
    (".claude", true),
    (".claude/settings.json", false),
    (".claude/settings.local.json", false),
    (".claude/hookbin.toml", false),
    (".claude/.test-status", false),
    (".claude/.proof-status", false),
    (".claude/state.json", false),
    (".claude/bypass_active.json", false),
    (".claude/hookbin", true),
    (".claude/hookbin/hookbin", false),
    (".claude/hookbin/state", true),
    (".claude/hookbin/state/project.json", false),
    (".claude/hookbin/state/sessions", true),
    (".claude/hookbin/state/sessions/a.json", false),
    (".claude/hookbin/log", true),
    (".claude/hookbin/log/audit.jsonl", false),
];

/// The same below a folder that holds the home folder, or part of it.
const FOUND_IN_HOME: &[(&str, bool)] = &[
    (".claude/settings.json", false),
    (".config/hookbin", true),
    (".config/hookbin/hookbin.toml", false),
    (".config/hookbin/projects", true),
    (".local/share/hookbin", true),
    (".local/share/hookbin/hookbin", false),
    (".local/bin/hookbin", false),
    (".cargo/bin/hookbin", false),
    (".local/state/hookbin", true),
    (".local/state/hookbin/projects", true),
    (".local/state/hookbin/keys", true),
];

/// Files of the guard in the home folder.
pub(super) const IN_HOME: &[&str] = &[
    ".claude/hookbin/",
    ".config/hookbin/",
    ".local/state/hookbin/",
    ".local/share/hookbin/",
    ".claude/hookbin.toml",
    ".local/bin/hookbin",
    ".cargo/bin/hookbin",
];

/// Files of the guard that an administrator installs.
const MANAGED: &[&str] = &[
    "/etc/claude-code/",
    "/usr/local/bin/hookbin",
    "/Library/Application Support/ClaudeCode/",
    "C:/ProgramData/ClaudeCode/",
    "C:/Program Files/ClaudeCode/",
];

/// Whether the absolute path belongs to the guard. Case does not count, as on some file systems it does not.
pub(super) fn own(path: &str, places: &Places, files: &dyn Files) -> Own {
    // A session that was started in the home folder has the person's settings for its project's.
    if places.project == places.home && places.in_home(path).is_some_and(is_client_settings) {
        return Own::Settings;
    }
    let patterned = path.contains(is_marker);
    if let Some(rest) = places.below_project(path).or_else(|| below_pattern(path, &places.project, patterned)) {
        // A pattern that fits every folder is not meant for one of them.
        let told = |own: &&&str| own.starts_with('.') || is_told(rest.split('/').next().unwrap_or_default());
        let contained = || files.is_contained() && CONTAINED.iter().filter(told).any(|own| names(rest, own));
        if same(rest, ".claude") || IN_PROJECT.iter().filter(told).any(|own| names(rest, own)) || contained() {
            return Own::Yes;
        }
        if rest.strip_prefix(".claude/").is_some_and(|rest| !rest.is_empty() && rest.chars().all(is_unknown)) {
            return Own::Perhaps;
        }
    }
    if let Some(rest) = places.in_home(path).or_else(|| below_pattern(path, &places.home, patterned)) {
        if is_client_settings(rest) {
            return Own::Settings;
        }
        if IN_HOME.iter().any(|own| names(rest, own)) {
            return Own::Yes;
        }
    }
    if let Some(rest) = below_other_project(path, places)
        && (same(rest, ".claude") || IN_PROJECT.iter().any(|own| names(rest, own)))
    {
        let settings = [".claude/settings.json", ".claude/settings.local.json"].iter().any(|own| names(rest, own));
        return if settings { Own::Settings } else { Own::Yes };
    }
    if files.is_client_settings(path) {
        return Own::Settings;
    }
    // Each working tree of a project has its own evidence, wherever it lies.
    if let Some((_, name)) = path.rsplit_once("/.claude/")
        && (EVIDENCE.iter().any(|own| same(name, own))
            || EVIDENCE_OF_SESSION.iter().chain(&["state.json.tampered-"]).any(|own| name.starts_with(own)))
    {
        return Own::Yes;
    }
    if MANAGED.iter().any(|own| names(path, own)) || files.is_own(path) { Own::Yes } else { elsewhere(path, files) }
}

/// Whether a path in the home folder is one of the settings of the client that count for the person, or their folder.
fn is_client_settings(rest: &str) -> bool {
    [".claude", ".claude/settings.json", ".claude/settings.local.json"].iter().any(|own| same(rest, own))
}

/// What remains of a path below a folder that patterns in it can stand for; of a path without one nothing.
fn below_pattern<'p>(path: &'p str, folder: &str, patterned: bool) -> Option<&'p str> {
    if !patterned || folder.len() < 2 {
        return None;
    }
    let mut rest = path.strip_prefix('/')?;
    for name in folder.strip_prefix('/')?.split('/') {
        let (part, behind) = rest.split_once('/')?;
        // A name that is not known at all may be any other folder as well.
        if !(part.eq_ignore_ascii_case(name) || !part.contains(is_unknown) && could_match(part, name)) {
            return None;
        }
        rest = behind;
    }
    Some(rest).filter(|rest| !rest.is_empty())
}

/// What of another project, or behind a folder that is not known, belongs to the guard there.
fn elsewhere(path: &str, files: &dyn Files) -> Own {
    const OF_HOME: &[&str] = &["/.config/hookbin/", "/.local/share/hookbin/", "/.local/state/hookbin/"];
    let is_known = |folder: &str| !folder.contains(is_unknown);
    if let Some((folder, name)) = path.rsplit_once("/.claude/") {
        if name.starts_with("hookbin/") {
            return Own::Yes;
        }
        if matches!(name, "settings.json" | "settings.local.json") {
            return match is_known(folder) {
                true if files.starts_guard(path) => Own::Settings,
                true => Own::No,
                false => Own::Perhaps,
            };
        }
    }
    let of_home = OF_HOME.iter().find_map(|own| path.find(own));
    let unknown = of_home.and_then(|at| path.get(..at)).is_some_and(|folder| !is_known(folder));
    if unknown || behind_pattern(path) { Own::Perhaps } else { Own::No }
}

/// Whether a path leads to a file as the person's folder of the guard has them, behind a pattern: that may stand for a link to the folder
/// above.
fn behind_pattern(path: &str) -> bool {
    const FILES: &[&str] = &["hookbin/hookbin.toml", "hookbin/hookbin", "hookbin/projects/", "hookbin/keys/"];
    let Some(at) = path.rfind("/hookbin/") else { return false };
    let (folder, rest) = path.split_at_checked(at).unwrap_or_default();
    folder.rsplit('/').next().is_some_and(|name| name.contains(is_marker) && !name.contains(is_unknown))
        && FILES.iter().any(|own| names(rest.trim_start_matches('/'), own))
}

/// What remains of the path below the folder whose project it would belong to: one above the folder that is taken for the project, as
/// the session may have been started there, and any folder where the project is not known.
fn below_other_project<'p>(path: &'p str, places: &Places) -> Option<&'p str> {
    let at = path.find("/.claude")?;
    let (folder, rest) = path.split_at_checked(at)?;
    let above = || folder.is_empty() || below(&places.project, folder).is_some();
    (places.is_project_unknown() || above()).then(|| rest.trim_start_matches('/'))
}

/// Whether the path is the own one, lies in it if that is a folder, or is a pattern that stands for one of the two.
pub(super) fn names(path: &str, own: &str) -> bool {
    let folder = own.strip_suffix('/');
    let mut parts = path.split('/');
    folder.unwrap_or(own).split('/').all(|name| parts.next().is_some_and(|part| same(part, name)))
        && (folder.is_some() || parts.next().is_none())
}

/// Whether enough of a component is written out to tell what it is for.
fn is_told(part: &str) -> bool {
    let mut listed = false;
    let known = part.chars().filter(|c| {
        // What stands between brackets is a choice of letters.
        listed = *c == SET || listed && *c != ']';
        !listed && *c != ']' && !is_marker(*c)
    });
    known.count() >= 3 || !part.contains(is_marker)
}

/// Whether one component of a path is this name, or a pattern that can stand for it.
pub(super) fn same(part: &str, name: &str) -> bool {
    if !part.contains(is_marker) {
        return part.eq_ignore_ascii_case(name);
    }
    // The shell's patterns do not stand for a leading dot.
    if name.starts_with('.') && !part.starts_with('.') && !part.starts_with(is_unknown) {
        return false;
    }
    // Of a name that is not known, enough has to be written out.
    let is_told = !part.contains(is_unknown) || {
        let known = part.chars().filter(|c| !is_marker(*c)).count();
        known >= 5 || part.starts_with('.') && known >= 3
    };
    is_told && could_match(&part.to_ascii_lowercase(), name)
}

/// Whether the absolute path is a folder that holds the guard and no file of it: the `.claude` of the project.
pub(super) fn is_folder(path: &str, places: &Places) -> bool {
    places.below_project(path).is_some_and(|rest| rest == ".claude")
}

/// The guard's paths below `root`, relative to it, and whether each is a folder.
pub(super) fn below_root(root: &str, places: &Places) -> Vec<(String, bool)> {
    let in_home = FOUND_IN_HOME.iter().filter(|_| !places.is_home_unknown()).map(|found| (&places.home, found));
    FOUND
        .iter()
        .map(|found| (&places.project, found))
        .chain(in_home)
        .filter_map(|(folder, (path, is_folder))| {
            let absolute = format!("{}/{path}", folder.trim_end_matches('/'));
            let rest = if root == "/" { absolute.strip_prefix('/') } else { below(&absolute, root) };
            rest.map(|rest| (rest.to_owned(), *is_folder))
        })
        .collect()
}

/// The words of a program that may be paths, and the values of its options.
pub(super) fn named(args: &[String]) -> impl Iterator<Item = &str> {
    let values = args.iter().map(|arg| arg.split_once('=').map_or(arg.as_str(), |(_, value)| value));
    values.filter(|path| !path.is_empty() && !path.starts_with('-') && !path.contains([' ', '\n']))
}

/// Whether an action of this kind changes what it is done to.
pub(super) fn changes(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Delete
            | Kind::DeleteTree
            | Kind::Overwrite
            | Kind::Append
            | Kind::Move
            | Kind::Mode
            | Kind::ModeTree
            | Kind::Mirror
            | Kind::Link
            | Kind::Mount
    )
}

impl Interp<'_> {
    /// Whether the path belongs to the guard, by whichever name.
    pub(super) fn own_path(&self, absolute: &str) -> Own {
        let mut perhaps = Own::No;
        for name in self.names_of(absolute) {
            match own(&name, self.places, self.known_files) {
                // Settings that do not start the guard can still switch it off, so what is written into them must be seen.
                Own::Settings if self.content_follows && !self.known_files.starts_guard(absolute) => {}
                Own::Settings | Own::Yes => return Own::Yes,
                Own::Perhaps => perhaps = Own::Perhaps,
                Own::No => {}
            }
        }
        perhaps
    }

    /// Whether the path is one of the client's settings that count for the person, by whichever name.
    pub(super) fn is_settings_of_client(&self, absolute: &str) -> bool {
        self.names_of(absolute).any(|name| own(&name, self.places, self.known_files) == Own::Settings)
    }

    /// The names of a path: as it is written, as rules know it, as links lead, and as links of the guard's files lead here.
    pub(super) fn names_of<'a>(&'a self, absolute: &'a str) -> impl Iterator<Item = Cow<'a, str>> {
        let real = std::cell::OnceCell::new();
        let mut step = 0;
        std::iter::from_fn(move || {
            let real = || real.get_or_init(|| self.known_files.real_path(absolute)).clone();
            loop {
                step += 1;
                let name = match step {
                    1 => return Some(Cow::Borrowed(absolute)),
                    2 => self.known_as(absolute),
                    3 => real(),
                    4 => real().and_then(|real| self.known_as(&real)),
                    5 => self.linked_name(absolute),
                    6 => real().and_then(|real| self.linked_name(&real)),
                    _ => return None,
                };
                if let Some(name) = name {
                    return Some(Cow::Owned(name));
                }
            }
        })
    }

    /// Reports what an action does to the guard where the text names one of its files and links lead from there elsewhere.
    pub(super) fn own_by_text(&mut self, kind: Kind, path: &str, span: Span) {
        if self.state.remote || self.report.actions.last().is_some_and(|action| action.kind == Kind::Own) {
            return;
        }
        let places = self.places;
        let cwds = std::rc::Rc::clone(&self.state.cwds);
        for cwd in cwds.iter() {
            let absolute = Places::absolute(&self.at_home(path), cwd.as_deref());
            let Some(absolute) = absolute.filter(|path| !path.contains(is_marker)) else { continue };
            if own(&absolute, places, self.known_files) != Own::No && self.real_path(&absolute, None).is_some() {
                let place = places.place(&absolute);
                self.own_action(kind, &absolute, &shown(&absolute), place, span);
            }
        }
    }

    /// Reports what an action does to the guard.
    pub(super) fn own_action(&mut self, kind: Kind, absolute: &str, target: &str, place: Place, span: Span) {
        if !changes(kind) {
            return;
        }
        let patterned = absolute.contains(is_marker);
        let found = match kind {
            // A folder that only a pattern stands for is not removed as a file.
            Kind::Delete if patterned && same_folder(absolute, self.places) => Own::No,
            // The project takes the guard along.
            Kind::Move
                if !patterned && (holds(absolute, &self.places.project) || self.places.may_be_project(absolute)) =>
            {
                Own::Yes
            }
            // So does a folder that the guard's own were moved into.
            Kind::Move | Kind::DeleteTree
                if !patterned && (self.known_files.holds_own(absolute) || self.holds_linked(absolute)) =>
            {
                Own::Yes
            }
            _ => match self.own_path(absolute) {
                Own::No => self.own_above(kind, place, absolute),
                found => found,
            },
        };
        // Without the list of what git ignores here, the guard's files come along with the next commit.
        let found = match found {
            Own::No if kind != Kind::Append && self.is_ignore_list(absolute) => Own::Perhaps,
            found => found,
        };
        match found {
            Own::Yes | Own::Settings => self.act_at(Kind::Own, Some(place), target.to_owned(), span),
            Own::Perhaps => {
                let doubtful = std::mem::replace(&mut self.doubtful, true);
                self.act_at(Kind::Own, Some(place), target.to_owned(), span);
                self.doubtful = doubtful;
            }
            Own::No => {}
        }
    }

    /// Whether the path is the list of what git ignores in the project's `.claude`, and one is there.
    fn is_ignore_list(&self, absolute: &str) -> bool {
        let is_it = |path: &str| self.places.below_project(path).is_some_and(|rest| names(rest, ".claude/.gitignore"));
        is_it(absolute) && self.known_files.entry(absolute) != Entry::Missing
    }

    /// Reports files of the guard among these paths, which a command changes in a way that has no kind of its own.
    pub(super) fn own_paths(&mut self, paths: &[&str], call: &Call) {
        for path in paths {
            for (place, absolute) in self.places_of(path) {
                let target = shown(&absolute);
                self.own_action(Kind::Mode, &absolute, &target, place, call.span);
            }
        }
    }

    /// Reports files of the guard that are put under version control, from where an old state of them comes back unseen. Those that a
    /// team shares are no such files, and what git ignores only comes along by force.
    pub(super) fn own_versioned(&mut self, paths: &[&str], forced: bool, call: &Call) {
        const SHARED: &[&str] = &[".claude/settings.json", ".claude/hookbin.toml"];
        // A branch without it would take away the entry that stands in it.
        const OF_ONE_PERSON: &str = ".claude/settings.local.json";
        let places = self.places;
        let takes = |path: &String| {
            let whole = holds(path, &places.project) || is_folder(path, places);
            let shared = SHARED.iter().any(|file| path.ends_with(file));
            let own = || {
                let own = own(path, places, self.known_files);
                own == Own::Yes || own == Own::Settings && path.ends_with(OF_ONE_PERSON)
            };
            if whole { forced } else { !shared && !path.contains(is_marker) && own() }
        };
        let found: Vec<String> = paths.iter().filter_map(|path| self.absolute(path)).filter(takes).collect();
        for path in found {
            self.act_at(Kind::Own, None, shown(&path), call.span);
        }
    }

    /// Reports a folder that is put in the place of the one that holds the guard's settings: with whatever settings it has.
    pub(super) fn own_folder_replaced(&mut self, sources: &[&str], target: &str, whole: bool, call: &Call) {
        for cwd in std::rc::Rc::clone(&self.state.cwds).iter() {
            let Some(absolute) = Places::absolute(&self.at_home(target), cwd.as_deref()) else { continue };
            // Into a folder that is there things are put, and what they are called is judged elsewhere.
            let poured = whole || sources.iter().any(|source| source.ends_with("/.") || *source == ".");
            let is_there = self.known_files.entry(&absolute) == Entry::Plain && !poured;
            let [_] = sources else { continue };
            if !self.state.remote && !is_there && is_folder(&absolute, self.places) {
                self.act_at(Kind::Own, None, shown(&absolute), call.span);
            }
        }
    }

    /// Reports files of the guard that a program names which is not known to leave them alone.
    pub(super) fn own_named(&mut self, args: &[String], call: &Call) {
        let is_own = |interp: &Self, path: &str| !is_folder(path, interp.places) && interp.own_path(path) == Own::Yes;
        self.ask_where(named(args), is_own, call);
    }

    /// Asks about those of these paths that are the guard's.
    pub(super) fn ask_where<'a>(
        &mut self,
        paths: impl Iterator<Item = &'a str>,
        is_own: impl Fn(&Self, &str) -> bool,
        call: &Call,
    ) {
        let doubtful = std::mem::replace(&mut self.doubtful, true);
        for path in paths {
            for (place, absolute) in self.places_of(path) {
                if is_own(self, &absolute) {
                    self.act_at(Kind::Own, Some(place), shown(&absolute), call.span);
                }
            }
        }
        self.doubtful = doubtful;
    }

    /// The guard's own commands: those that change something are for the person.
    pub(super) fn own_command(&mut self, args: &[String], call: &Call) {
        let words: Vec<&str> = args.iter().map(String::as_str).filter(|arg| !arg.starts_with('-')).collect();
        let has = |option: &str| args.iter().any(|arg| arg.split('=').next() == Some(option));
        // What is not known to show something is the person's, so that a command of a later version is too.
        let shows = match words.as_slice() {
            // Without a command it reads an event, and takes what stands there for the client's word.
            [] => !args.is_empty() || self.doubtful,
            ["config", then, ..] => matches!(*then, "check" | "schema" | "draft"),
            ["doctor", ..] => !has("--fix"),
            ["proof", then, ..] => *then == "show",
            ["sessions", then, ..] => !matches!(*then, "prune" | "worker" | "execution"),
            ["state", then, ..] => matches!(*then, "show" | "verify"),
            ["trust", ..] => has("--show"),
            ["vault", then, ..] => !matches!(*then, "install" | "remove"),
            [first, ..] => SHOWS.contains(first),
        };
        // What they say is wrong with a file shows its lines, a secret's among them.
        if matches!(words.first(), Some(&("config" | "doctor" | "replay"))) {
            for path in words.iter().skip(1) {
                self.reads(path, call);
            }
        }
        if !shows && !args.iter().any(|arg| matches!(arg.as_str(), "--help" | "-h" | "--dry-run")) {
            self.act_at(Kind::Own, None, shown(format!("hookbin {}", args.join(" ")).trim_end()), call.span);
        }
        if words.first() == Some(&"report") {
            const VALUES: &[&str] = &["-o", "--output", "--session", "--since", "--until", "--project"];
            for file in Options::all(args, VALUES).values(&["-o", "--output"]).filter(|file| *file != "-") {
                self.creates(Kind::Overwrite, file, call);
            }
        }
    }

    /// `cargo run … -- uninstall` of the guard's own package, and its tasks.
    pub(super) fn own_build(&mut self, args: &[String], call: &Call) {
        if let Some(at) = args.iter().position(|arg| arg == "--") {
            let (before, after) = args.split_at(at);
            if before.iter().any(|arg| arg == "run" || arg == "r") && before.iter().any(|arg| arg.contains("hookbin")) {
                self.own_command(after.get(1..).unwrap_or_default(), call);
            }
        }
        let words: Vec<&str> = args.iter().map(String::as_str).filter(|arg| !arg.starts_with('-')).collect();
        if matches!(words.as_slice(), ["xtask", "uninstall" | "install", ..])
            || matches!(words.as_slice(), ["uninstall", names @ ..] if names.iter().any(|name| name.contains("hookbin")))
        {
            self.act_at(Kind::Own, None, shown(&format!("cargo {}", args.join(" "))), call.span);
        }
    }

    /// The client itself, started so that the guard does not see what it does.
    pub(super) fn client(&mut self, args: &[String], call: &Call) {
        const VALUES: &[&str] = &[
            "--settings",
            "--setting-sources",
            "--model",
            "--add-dir",
            "--allowedTools",
            "--disallowedTools",
            "--append-system-prompt",
            "--system-prompt",
            "--mcp-config",
            "--permission-mode",
            "--output-format",
            "--input-format",
            "--session-id",
            "--agents",
            "--agent",
        ];
        let options = Options::all(args, VALUES);
        let text = shown(&format!("claude {}", args.join(" ")));
        let helps = args.iter().any(|arg| matches!(arg.as_str(), "--help" | "-h" | "--version" | "-v"));
        if helps {
            return;
        }
        let words = options.operands.as_slice();
        let configures = matches!(words, ["config", "set" | "add" | "remove" | "rm", key, ..] if names_hooks(key));
        // An entry of the guard may stand in each of them, and the last of several options counts.
        let sources = options.values(&["--setting-sources"]).last();
        let has = |sources: &str, source: &str| sources.split(',').any(|part| part.trim() == source);
        let without = options.has(&["--bare", "--safe-mode"])
            || sources.is_some_and(|sources| is_known(sources) && !has(sources, "project"));
        let moved = self.client_moved();
        let simple = self.variable("CLAUDE_CODE_SIMPLE").is_some_and(|value| !matches!(value.as_ref(), "" | "0"));
        let mut severe = configures || without || moved || simple;
        let mut doubtful =
            sources.is_some_and(|sources| !["user", "project", "local"].iter().all(|source| has(sources, source)));
        for settings in options.values(&["--settings"]) {
            let inline = settings.trim_start().starts_with('{').then(|| settings.to_owned());
            match inline.or_else(|| self.content(settings).map(|content| content.to_string())) {
                Some(content) if is_known(&content) => severe |= names_hooks(&content),
                _ => doubtful = true,
            }
        }
        if severe || doubtful {
            let before = self.doubtful;
            self.doubtful |= !severe;
            self.act_at(Kind::Own, None, text, call.span);
            self.doubtful = before;
        }
    }

    /// Whether this line has the client look for the person's settings elsewhere, or the guard for the person's policy.
    fn client_moved(&self) -> bool {
        const FOLDERS: &[(&str, &str)] = &[
            ("CLAUDE_CONFIG_DIR", "/.claude"),
            ("HOME", ""),
            ("XDG_CONFIG_HOME", "/.config"),
            ("XDG_STATE_HOME", "/.local/state"),
            ("XDG_DATA_HOME", "/.local/share"),
        ];
        FOLDERS.iter().any(|(name, usual)| {
            let usual = || format!("{}{usual}", self.places.home);
            let before = self.known_files.folder_variable(name);
            match self.state.vars.contains_key(*name).then(|| self.variable(name)).flatten() {
                // Without a value it lies where it usually does.
                Some(folder) if folder.is_empty() => before.is_some_and(|before| before != usual()),
                Some(folder) => {
                    let folder = self.at_home(folder.trim_end_matches('/')).into_owned();
                    before.map_or_else(|| folder != usual(), |before| folder != before)
                }
                None => self.unset.contains(*name) && before.is_some_and(|before| before != usual()),
            }
        })
    }

    /// Whether this line looks for the guard's processes.
    pub(super) fn seeks_guard(&self) -> bool {
        self.report.runs.iter().any(|run| {
            matches!(run.program.as_str(), "pgrep" | "pidof" | "grep" | "egrep" | "rg" | "awk" | "lsof" | "fuser")
                && run.args.iter().any(|arg| arg.contains("hookbin"))
        })
    }
}

/// Commands of the guard that show something and change nothing of it.
const SHOWS: &[&str] = &[
    "completions",
    "config",
    "explain",
    "help",
    "log",
    "man",
    "metrics",
    "profile",
    "proof",
    "recall",
    "replay",
    "report",
    "score",
    "selftest",
    "sessions",
    "settings",
    "state",
    "status",
    "statusline",
    "vault",
];

/// Whether a key or a settings text is about hooks, whatever escapes it is written with.
fn names_hooks(text: &str) -> bool {
    let plain = hook_protocol::settings::unescaped(text);
    let lower = plain.to_ascii_lowercase();
    lower.contains("disableallhooks") || lower.contains("allowmanagedhooksonly") || lower == "hooks"
}

/// Whether the path is the project's folder or one above it.
fn holds(absolute: &str, project: &str) -> bool {
    absolute == project || below(project, absolute).is_some()
}

/// Whether a pattern stands for the guard's folders and none of its files.
fn same_folder(absolute: &str, places: &Places) -> bool {
    let Some(rest) = places.below_project(absolute) else { return false };
    // In a folder of the guard's own, a pattern is one for its files.
    let told = rest.split(is_marker).next().unwrap_or_default();
    if IN_PROJECT.iter().any(|own| own.ends_with('/') && told.starts_with(own)) {
        return false;
    }
    let in_project = IN_PROJECT.iter().copied().filter(|file| !file.ends_with('/'));
    let mut files = FOUND.iter().filter(|(_, folder)| !folder).map(|(file, _)| *file).chain(in_project);
    let evidence = |name: &str| EVIDENCE.iter().any(|own| same(name, own));
    let files = files.any(|file| names(rest, file))
        || rest
            .rsplit_once('/')
            .is_some_and(|(folder, name)| folder.rsplit('/').next() == Some(".claude") && evidence(name));
    !files && !rest.contains(HOLE)
}
