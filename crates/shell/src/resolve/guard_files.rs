//! The guard's own files and commands: the agent may read them and never change them (invariant 13).

use crate::programs::{self, Trait};
use std::borrow::Cow;

use super::action::Kind;
use super::exec::Call;
use super::links::real_path_by;
use super::taint::{GLOB_SET, UNKNOWN, is_placeholder, may_match};
use super::{Entry, Files, Interp, shown};
use crate::layout::{Layout, Shows};
use crate::options::{Options, plain_words};
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

/// Whether the absolute path belongs to the guard. Case does not count, as on some file systems it does not.
pub(super) fn own(path: &str, places: &Places, files: &dyn Files) -> Own {
    // A session that was started in the home directory has the user's settings for its project's.
    let layout = places.layout;
    if places.project == places.home && places.in_home(path).is_some_and(|rest| is_client_settings(rest, layout)) {
        return Own::Settings;
    }
    let patterned = path.contains(is_placeholder);
    if let Some(rest) = places.below_project(path).or_else(|| below_pattern(path, &places.project, patterned)) {
        // A pattern that fits every directory is not meant for one of them.
        let told = |own: &&&str| own.starts_with('.') || is_told(rest.split('/').next().unwrap_or_default());
        // Asking looks at files, so the name comes first.
        let contained = || layout.contained.iter().filter(told).any(|own| names(rest, own)) && files.is_contained();
        let in_project = || layout.in_project.iter().filter(told).any(|own| names(rest, own));
        if same(rest, layout.client_dir) || in_project() || contained() {
            return Own::Yes;
        }
        let in_client_dir = || rest.strip_prefix(layout.client_dir)?.strip_prefix('/');
        if in_client_dir().is_some_and(|rest| !rest.is_empty() && rest.chars().all(is_unknown)) {
            return Own::Perhaps;
        }
    }
    if let Some(rest) = places.in_home(path).or_else(|| below_pattern(path, &places.home, patterned)) {
        if is_client_settings(rest, layout) {
            return Own::Settings;
        }
        if layout.at_home.iter().any(|own| names(rest, own)) {
            return Own::Yes;
        }
    }
    if let Some(rest) = below_other_project(path, places)
        && (same(rest, layout.client_dir) || layout.in_project.iter().any(|own| names(rest, own)))
    {
        let settings = layout.settings.iter().any(|own| names(rest, own));
        return if settings { Own::Settings } else { Own::Yes };
    }
    if files.is_client_settings(path) {
        return Own::Settings;
    }
    // Each working tree of a project has its own evidence, wherever it lies.
    if let Some((_, name)) = layout.split_at_client_dir(path)
        && (layout.evidence.iter().any(|own| same(name, own))
            || layout.evidence_of_session.iter().any(|own| name.starts_with(own)))
    {
        return Own::Yes;
    }
    let managed = layout.managed.iter().any(|own| names(path, own));
    if managed || files.is_own(path) { Own::Yes } else { elsewhere(path, layout, files) }
}

/// Whether a path in the home directory is one of the settings of the host that count for the user, or their directory.
fn is_client_settings(rest: &str, layout: &Layout) -> bool {
    same(rest, layout.client_dir) || layout.settings.iter().any(|own| same(rest, own))
}

/// What remains of a path below a directory that patterns in it can stand for; of a path without one nothing.
fn below_pattern<'p>(path: &'p str, dir: &str, patterned: bool) -> Option<&'p str> {
    if !patterned || dir.len() < 2 {
        return None;
    }
    let mut rest = path.strip_prefix('/')?;
    for name in dir.strip_prefix('/')?.split('/') {
        let (part, behind) = rest.split_once('/')?;
        // A name that is not known at all may be any other directory as well.
        if !(part.eq_ignore_ascii_case(name) || !part.contains(is_unknown) && may_match(part, name)) {
            return None;
        }
        rest = behind;
    }
    Some(rest).filter(|rest| !rest.is_empty())
}

/// What of another project, or behind a directory that is not known, belongs to the guard there.
fn elsewhere(path: &str, layout: &Layout, files: &dyn Files) -> Own {
    let is_known = |dir: &str| !dir.contains(is_unknown);
    if let Some((dir, name)) = layout.split_at_client_dir(path) {
        if name.starts_with(layout.own_part.trim_start_matches('/')) {
            return Own::Yes;
        }
        if layout.settings_names.contains(&name) {
            return match is_known(dir) {
                true if files.starts_guard(path) => Own::Settings,
                true => Own::No,
                false => Own::Perhaps,
            };
        }
    }
    let of_home = layout.home_parts.iter().find_map(|own| path.find(own));
    let unknown = of_home.and_then(|at| path.get(..at)).is_some_and(|dir| !is_known(dir));
    if unknown || behind_pattern(path, layout) { Own::Perhaps } else { Own::No }
}

/// Whether a path leads to a file as the user's directory of the guard has them, behind a pattern: that may stand for a link to the directory
/// above.
fn behind_pattern(path: &str, layout: &Layout) -> bool {
    let Some(at) = path.rfind(layout.own_part) else { return false };
    let (dir, rest) = path.split_at_checked(at).unwrap_or_default();
    dir.rsplit('/').next().is_some_and(|name| name.contains(is_placeholder) && !name.contains(is_unknown))
        && layout.in_own_dirs.iter().any(|own| names(rest.trim_start_matches('/'), own))
}

/// What remains of the path below the directory whose project it would belong to: one above the directory that is taken for the project, as
/// the session may have been started there, and any directory where the project is not known.
fn below_other_project<'p>(path: &'p str, places: &Places) -> Option<&'p str> {
    let at = path.find(places.layout.client_part.trim_end_matches('/'))?;
    let (dir, rest) = path.split_at_checked(at)?;
    let above = || dir.is_empty() || below(&places.project, dir).is_some();
    (places.is_project_unknown() || above()).then(|| rest.trim_start_matches('/'))
}

/// Whether the path is the own one, lies in it if that is a directory, or is a pattern that stands for one of the two.
pub(super) fn names(path: &str, own: &str) -> bool {
    let dir = own.strip_suffix('/');
    let mut parts = path.split('/');
    dir.unwrap_or(own).split('/').all(|name| parts.next().is_some_and(|part| same(part, name)))
        && (dir.is_some() || parts.next().is_none())
}

/// Whether enough of a component is written out to tell what it is for.
fn is_told(part: &str) -> bool {
    let mut listed = false;
    let known = part.chars().filter(|c| {
        // What stands between brackets is a choice of letters.
        listed = *c == GLOB_SET || listed && *c != ']';
        !listed && *c != ']' && !is_placeholder(*c)
    });
    known.count() >= 3 || !part.contains(is_placeholder)
}

/// Whether one component of a path is this name, or a pattern that can stand for it.
pub(super) fn same(part: &str, name: &str) -> bool {
    if !part.contains(is_placeholder) {
        return part.eq_ignore_ascii_case(name);
    }
    // The shell's patterns do not stand for a leading dot.
    if name.starts_with('.') && !part.starts_with('.') && !part.starts_with(is_unknown) {
        return false;
    }
    // Of a name that is not known, enough has to be written out.
    let is_told = !part.contains(is_unknown) || {
        let known = part.chars().filter(|c| !is_placeholder(*c)).count();
        known >= 5 || part.starts_with('.') && known >= 3
    };
    is_told && may_match(&part.to_ascii_lowercase(), name)
}

/// Whether the absolute path is a directory that holds the guard and no file of it: the host's directory of the project.
pub(super) fn is_dir(path: &str, places: &Places) -> bool {
    places.below_project(path).is_some_and(|rest| places.layout.is_client_dir(rest))
}

/// The guard's paths below `root`, relative to it, and whether each is a directory.
pub(super) fn below_root(root: &str, places: &Places) -> Vec<(String, bool)> {
    let in_home =
        places.layout.found_at_home.iter().filter(|_| !places.is_home_unknown()).map(|found| (&places.home, found));
    places
        .layout
        .found
        .iter()
        .map(|found| (&places.project, found))
        .chain(in_home)
        .filter_map(|(dir, (path, is_dir))| {
            let absolute = format!("{}/{path}", dir.trim_end_matches('/'));
            let rest = if root == "/" { absolute.strip_prefix('/') } else { below(&absolute, root) };
            rest.map(|rest| (rest.to_owned(), *is_dir))
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
    /// [`own`] of an absolute path. The last answer is kept: whatever writes a file asks several times about the same path.
    fn own_of(&self, path: &str) -> Own {
        let mut last = self.last_own.borrow_mut();
        match &*last {
            Some((asked, found)) if asked == path => *found,
            _ => last.insert((path.to_owned(), own(path, self.places, self.known_files))).1,
        }
    }

    /// Whether the path belongs to the guard, by whichever name.
    pub(super) fn own_path(&self, absolute: &str) -> Own {
        let mut perhaps = Own::No;
        for name in self.names_of(absolute) {
            match self.own_of(&name) {
                // Settings that do not start the guard can still switch it off, so what is written into them must be seen.
                Own::Settings if self.content_follows && !self.known_files.starts_guard(absolute) => {}
                Own::Settings | Own::Yes => return Own::Yes,
                Own::Perhaps => perhaps = Own::Perhaps,
                Own::No => {}
            }
        }
        perhaps
    }

    /// Whether the path is one of the host's settings that count for the user, by whichever name.
    pub(super) fn is_settings_of_client(&self, absolute: &str) -> bool {
        self.names_of(absolute).any(|name| self.own_of(&name) == Own::Settings)
    }

    /// The names of a path: as it is written, as rules know it, as links lead, and as links of the guard's files lead here.
    pub(super) fn names_of<'a>(&'a self, absolute: &'a str) -> impl Iterator<Item = Cow<'a, str>> {
        let real = std::cell::OnceCell::new();
        let mut step = 0;
        std::iter::from_fn(move || {
            let real = || real.get_or_init(|| real_path_by(self.known_files, absolute)).clone();
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
        if self.state.remote || self.report.actions.last().is_some_and(|action| action.kind == Kind::Guard) {
            return;
        }
        let places = self.places;
        let cwds = std::rc::Rc::clone(&self.state.cwds);
        for cwd in cwds.iter() {
            let absolute = Places::absolute(&self.at_home(path), cwd.as_deref());
            let Some(absolute) = absolute.filter(|path| !path.contains(is_placeholder)) else { continue };
            if self.own_of(&absolute) != Own::No && self.real_path(&absolute, None).is_some() {
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
        let patterned = absolute.contains(is_placeholder);
        let found = match kind {
            // A directory that only a pattern stands for is not removed as a file.
            Kind::Delete if patterned && same_dir(absolute, self.places) => Own::No,
            // The project takes the guard along.
            Kind::Move
                if !patterned && (holds(absolute, &self.places.project) || self.places.may_be_project(absolute)) =>
            {
                Own::Yes
            }
            // So does a directory that the guard's own were moved into.
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
            Own::Yes | Own::Settings => self.act_at(Kind::Guard, Some(place), target.to_owned(), span),
            Own::Perhaps => {
                let speculative = std::mem::replace(&mut self.speculative, true);
                self.act_at(Kind::Guard, Some(place), target.to_owned(), span);
                self.speculative = speculative;
            }
            Own::No => {}
        }
    }

    /// Whether the path is the list of what git ignores in the host's directory of the project, and one is there.
    fn is_ignore_list(&self, absolute: &str) -> bool {
        let layout = self.places.layout;
        let in_dir = |rest: &str| {
            rest.rsplit_once('/').is_some_and(|(dir, name)| same(dir, layout.client_dir) && same(name, ".gitignore"))
        };
        let is_it = |path: &str| self.places.below_project(path).is_some_and(in_dir);
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
        let places = self.places;
        let layout = places.layout;
        let takes = |path: &String| {
            let whole = holds(path, &places.project) || is_dir(path, places);
            let shared = layout.shared.iter().any(|file| path.ends_with(file));
            let own = || {
                let own = own(path, places, self.known_files);
                // A branch without it would take away the entry that stands in it.
                own == Own::Yes || own == Own::Settings && path.ends_with(layout.personal_settings)
            };
            if whole { forced } else { !shared && !path.contains(is_placeholder) && own() }
        };
        let found: Vec<String> = paths.iter().filter_map(|path| self.absolute(path)).filter(takes).collect();
        for path in found {
            self.act_at(Kind::Guard, None, shown(&path), call.span);
        }
    }

    /// Reports a directory that is put in the place of the one that holds the guard's settings: with whatever settings it has.
    pub(super) fn own_dir_replaced(&mut self, sources: &[&str], target: &str, whole: bool, call: &Call) {
        for cwd in std::rc::Rc::clone(&self.state.cwds).iter() {
            let Some(absolute) = Places::absolute(&self.at_home(target), cwd.as_deref()) else { continue };
            // Into a directory that is there things are put, and what they are called is judged elsewhere.
            let poured = whole || sources.iter().any(|source| source.ends_with("/.") || *source == ".");
            let is_there = self.known_files.entry(&absolute) == Entry::Dir && !poured;
            let [_] = sources else { continue };
            if !self.state.remote && !is_there && is_dir(&absolute, self.places) {
                self.act_at(Kind::Guard, None, shown(&absolute), call.span);
            }
        }
    }

    /// Reports files of the guard that a program names which is not known to leave them alone.
    pub(super) fn own_named(&mut self, args: &[String], call: &Call) {
        let is_own = |interp: &Self, path: &str| !is_dir(path, interp.places) && interp.own_path(path) == Own::Yes;
        self.ask_where(named(args), is_own, call);
    }

    /// Asks about those of these paths that are the guard's.
    pub(super) fn ask_where<'a>(
        &mut self,
        paths: impl Iterator<Item = &'a str>,
        is_own: impl Fn(&Self, &str) -> bool,
        call: &Call,
    ) {
        let speculative = std::mem::replace(&mut self.speculative, true);
        for path in paths {
            for (place, absolute) in self.places_of(path) {
                if is_own(self, &absolute) {
                    self.act_at(Kind::Guard, Some(place), shown(&absolute), call.span);
                }
            }
        }
        self.speculative = speculative;
    }

    /// The guard's own commands: those that change something are for the user.
    pub(super) fn own_command(&mut self, args: &[String], call: &Call) {
        let words: Vec<&str> = plain_words(args).map(String::as_str).collect();
        let has = |option: &str| args.iter().any(|arg| arg.split('=').next() == Some(option));
        let layout = self.places.layout;
        let command = words.first().and_then(|word| layout.commands.iter().find(|command| command.name == *word));
        // What is not known to show something is the user's, so that a command of a later version is too.
        let shows = match words.as_slice() {
            // Without a command it reads an event, and takes what stands there for the host's word.
            [] => !args.is_empty() || self.speculative,
            [_, then @ ..] => command.is_some_and(|command| match (command.shows, then.first()) {
                (Shows::Always, _) | (Shows::Verbs(_) | Shows::OtherVerbs(_), None) => true,
                (Shows::Verbs(verbs), Some(then)) => verbs.contains(then),
                (Shows::OtherVerbs(verbs), Some(then)) => !verbs.contains(then),
                (Shows::With(option), _) => has(option),
                (Shows::Without(option), _) => !has(option),
            }),
        };
        // What they say is wrong with a file shows its lines, a secret's among them.
        if command.is_some_and(|command| command.prints_files) {
            for path in words.iter().skip(1) {
                self.reads(path, call);
            }
        }
        if !shows && !args.iter().any(|arg| matches!(arg.as_str(), "--help" | "-h" | "--dry-run")) {
            self.act_at(
                Kind::Guard,
                None,
                shown(format!("{} {}", layout.program, args.join(" ")).trim_end()),
                call.span,
            );
        }
        if let Some(command) = command.filter(|command| !command.writes.is_empty()) {
            for file in Options::all(args, command.values).values(command.writes).filter(|file| *file != "-") {
                self.creates(Kind::Overwrite, file, call);
            }
        }
    }

    /// `cargo run … -- uninstall` of the guard's own package, and its tasks.
    pub(super) fn own_build(&mut self, args: &[String], call: &Call) {
        let layout = self.places.layout;
        if let Some(at) = args.iter().position(|arg| arg == "--") {
            let (before, after) = args.split_at(at);
            if before.iter().any(|arg| arg == "run" || arg == "r") && before.iter().any(|arg| layout.names_program(arg))
            {
                self.own_command(after.get(1..).unwrap_or_default(), call);
            }
        }
        let words: Vec<&str> = plain_words(args).map(String::as_str).collect();
        if matches!(words.as_slice(), ["xtask", "uninstall" | "install", ..])
            || matches!(words.as_slice(), ["uninstall", names @ ..] if names.iter().any(|name| layout.names_program(name)))
        {
            self.act_at(Kind::Guard, None, shown(&format!("cargo {}", args.join(" "))), call.span);
        }
    }

    /// Whether this line looks for the guard's processes.
    pub(super) fn seeks_guard(&self) -> bool {
        self.report.runs.iter().any(|run| {
            programs::is(&run.program, Trait::Seeks) && run.args.iter().any(|arg| self.places.layout.names_program(arg))
        })
    }
}

/// Whether the path is the project's directory or one above it.
fn holds(absolute: &str, project: &str) -> bool {
    absolute == project || below(project, absolute).is_some()
}

/// Whether a pattern stands for the guard's directories and none of its files.
fn same_dir(absolute: &str, places: &Places) -> bool {
    let Some(rest) = places.below_project(absolute) else { return false };
    // In a directory of the guard's own, a pattern is one for its files.
    let told = rest.split(is_placeholder).next().unwrap_or_default();
    let layout = places.layout;
    if layout.in_project.iter().any(|own| own.ends_with('/') && told.starts_with(own)) {
        return false;
    }
    let in_project = layout.in_project.iter().copied().filter(|file| !file.ends_with('/'));
    let mut files = layout.found.iter().filter(|(_, dir)| !dir).map(|(file, _)| *file).chain(in_project);
    let evidence = |name: &str| layout.evidence.iter().any(|own| same(name, own));
    let files = files.any(|file| names(rest, file))
        || rest
            .rsplit_once('/')
            .is_some_and(|(dir, name)| dir.rsplit('/').next() == Some(layout.client_dir) && evidence(name));
    !files && !rest.contains(UNKNOWN)
}
