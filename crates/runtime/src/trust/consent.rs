//! Whether a program that runs code of the project may be started: a linter, tests, a checkpoint.
//!
//! Two things have to hold. The user trusts the directory (`hookbin trust`), since a clone brings what such a program runs. And nothing
//! that says what it runs has changed in a session since the user said so: an agent that may edit files could otherwise write a script
//! and have it started here, past the host's question and its sandbox. The user has seen a change when they run `hookbin trust` after
//! it. That a later session begins says nothing, since agents begin sessions as well.
//!
//! A change is seen in two ways. What calls name as changed is kept beside the trust of the project. Whatever else changed while a session
//! went on shows in the time at which the file changed last, which no program sets at will.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::Metadata;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use hook_policy::{LOADED_DIRS, Outcome};
use hook_session_state::{Kind, SessionDocument};

use crate::event::effects;
use crate::event::record;
use crate::event::run::Run;
use crate::facts::section;
use crate::facts::tree::SKIPPED;
use crate::programs::git;
use crate::project::Project;
use crate::system::way;
use crate::trust;
use crate::trust::named::{self, Named};
use crate::trust::outside;
use crate::trust::package;
use crate::trust::redefined::{self, Spans};

/// Names of files that say what linters, tests and builds run, or hold code that these run first. `*` stands for any text.
const NAMES: &[&str] = &[
    // JavaScript
    "package.json", ".npmrc", ".nycrc*", ".taprc*", ".swcrc*", ".lintstagedrc*", "lint-staged.config.*", "lefthook.y*",
    ".lefthook.y*", "ava.config.*", "tsconfig*.json", ".yarnrc*", ".pnp.*", "bunfig.toml", "deno.json*", ".eslintrc*",
    "eslint.config.*", ".prettierrc*", "prettier.config.*", ".stylelintrc*", "stylelint.config.*", "biome.json*",
    "babel.config.*", ".babelrc*", "jest.config.*", "jest.setup.*", "vitest.config.*", "vitest.setup.*",
    "vitest.workspace.*", "vite.config.*", "rollup.config.*", "webpack.config.*", "karma.conf.*",
    "playwright.config.*", "cypress.config.*", ".mocharc*", "postcss.config.*", "tailwind.config.*", "next.config.*",
    "turbo.json", "nx.json", // Python
    "conftest.py", "pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "noxfile.py", "pytest.ini", ".pytest.ini",
    "pytest.toml", ".pytest.toml", "ruff.toml", ".ruff.toml", "mypy.ini", ".mypy.ini", ".flake8", ".pylintrc",
    "pylintrc", "sitecustomize.py", "usercustomize.py", "manage.py", "pyvenv.cfg", // Rust, Go, C
    "Cargo.toml", "build.rs", "rust-toolchain*", "go.work", ".golangci.*", "CMakeLists.txt", "configure",
    "meson.build", // Runners of tasks
    "Makefile", "makefile", "GNUmakefile", "*.mk", "justfile", "Justfile", "Taskfile.*", "mise.toml", ".mise.toml",
    "mise.*.toml", ".mise.*.toml", ".tool-versions", ".pre-commit-config.yaml",
    // Ruby, PHP, Java, .NET, others
    "Gemfile", "Rakefile", "*.gemspec", ".rspec", ".rubocop*", "composer.json", "phpunit.xml*", "phpstan.*",
    "build.gradle*", "settings.gradle*", "gradle.properties", "gradlew*", "mvnw*", "pom.xml", "*.csproj",
    "Directory.Build.*", "build.sbt", "mix.exs", "Package.swift", "WORKSPACE*", "MODULE.bazel", "BUILD*",
];

/// What counts in such directories by the time of its change: the programs, and what they load first. The rest is written while they run.
const INSIDE: &[&str] = &[
    ".venv/bin/*", ".venv/*.cfg", ".venv/lib/*/site-packages/*", "venv/bin/*", "venv/*.cfg",
    "venv/lib/*/site-packages/*", "node_modules/.bin/*", "vendor/bin/*", ".cargo/*", ".mvn/*", ".mise/config*",
    "mise/config*", ".config/mise.*", ".config/mise/*", ".config/nextest.toml", ".mvn/wrapper/*", ".yarn/releases/*",
    ".yarn/plugins/*", "gradle/wrapper/*",
];

/// Directories below each other that are looked through for such files, and the entries that are looked at.
const MOST_LEVELS: usize = 16;
const MOST_ENTRIES: usize = 200_000;

/// How far it is followed what a file names that a definition names.
const MOST_NAMED_LEVELS: usize = 4;

/// Hidden directories that are not looked through: git's own, an environment of which [`INSIDE`] says what counts, and what builds fill.
const PASSED_OVER: &[&str] = &[
    ".git", ".venv", ".cache", ".gradle", ".mypy_cache", ".next", ".nox", ".nuxt", ".output", ".pytest_cache",
    ".ruff_cache", ".svelte-kit", ".tox",
];

/// Where the host puts working trees of other sessions.
const OTHER_TREES: &str = ".claude/worktrees";

/// Why a program of the project is not started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Barred {
    /// Nobody has said that it may.
    Untrusted,
    /// This file says what it runs, and changed in a session since the user looked.
    Changed(String),
    /// So many of them changed that they are not all remembered.
    Many,
    /// Whether one changed cannot be seen, for this reason.
    Unseen(String),
    /// It lies outside of the project by this path, and the user has not agreed to it.
    Outside(String),
    /// What the session changed before is not known any more: its document is gone or damaged.
    Lost,
}

impl Barred {
    /// What the user and the model are told: what was not started, and the way out.
    pub fn words(&self, name: &str) -> String {
        match self {
            Self::Untrusted => format!(
                "{name} was not started, because this directory's programs are not trusted; run `hookbin trust` at your terminal"
            ),
            Self::Lost => format!(
                "{name} was not started, because the record of what this session changed is gone; look at the changes, then run \
                 `hookbin trust` at your terminal"
            ),
            Self::Outside(path) => format!(
                "{name} was not started, because {path} lies outside of this directory and you have not agreed to it; look at it, then \
                 run `hookbin trust` at your terminal"
            ),
            Self::Changed(file) => format!(
                "{name} was not started, because a session changed {file} and you have not looked since; look at it, then run \
                 `hookbin trust` at your terminal"
            ),
            Self::Many => format!(
                "{name} was not started, because sessions changed more of what programs load than is remembered; look at the changes, \
                 then run `hookbin trust` at your terminal"
            ),
            Self::Unseen(why) => format!(
                "{name} was not started, because {why}, so that a change of this session could lie there; run it at your terminal"
            ),
        }
    }

    /// Tells the user once a session.
    pub fn tell(&self, name: &str, project: &Project, run: &Run<'_>, outcome: &mut Outcome<'_>) {
        let kind = match self {
            Self::Untrusted => "notice programs untrusted",
            Self::Changed(_) => "notice programs changed",
            Self::Many => "notice programs many",
            Self::Unseen(_) => "notice programs unseen",
            Self::Outside(_) => "notice programs outside",
            Self::Lost => "notice programs lost",
        };
        let store = effects::store(run, project);
        let is_first = || {
            let mut locked = store.lock()?;
            let loaded = locked.session(&run.session)?;
            let first = locked.first_time(&run.session, Kind::Event, kind)?;
            if first {
                locked.save(&loaded.value)?;
            }
            Ok::<bool, hook_session_state::Error>(first)
        };
        // Where nothing can be remembered, it is said each time.
        if is_first().unwrap_or(true) {
            outcome.notices.push(format!("hookbin: {}.", self.words(name)));
        }
    }
}

/// Whether a program may look at one file, whose own directory may say what it runs.
pub fn given_for(file: &Path, program: &Path, dir: &Path, project: &Project, run: &Run<'_>) -> Result<Spans, Barred> {
    if is_of_others(file.parent().into_iter(), project.root(), run) {
        return Err(Barred::Untrusted);
    }
    given(Some(program), dir, project.root(), project, run)
}

/// Whether one of these directories lies in a repository in `around` that came from somebody else and that nobody trusts.
fn is_of_others<'p>(mut dirs: impl Iterator<Item = &'p Path>, around: &Path, run: &Run<'_>) -> bool {
    let is_foreign = |nested: PathBuf| !trust::runs(&Project::at(nested), run.system);
    dirs.any(|dir| git::nested(dir, around).is_some_and(is_foreign))
}

/// Whether the user lets programs of the working tree `root` run.
pub fn is_trusted(root: &Path, project: &Project, run: &Run<'_>) -> bool {
    let record = trust::read(project, run.system);
    are_trusted(std::iter::once(root), root, project, record.as_ref(), run)
}

/// The same of these directories in it, where `record` is what the user trusts of the project.
fn are_trusted<'p>(
    dirs: impl Iterator<Item = &'p Path>,
    root: &Path,
    project: &Project,
    record: Option<&trust::Record>,
    run: &Run<'_>,
) -> bool {
    let is_inside = root.starts_with(project.root());
    let trusted = if is_inside || git::other_trees(project.root()).contains(&root.to_owned()) {
        record.is_some_and(|record| record.programs)
    } else {
        trust::runs(&Project::at(root), run.system)
    };
    trusted && !is_of_others(dirs, if is_inside { project.root() } else { root }, run)
}

/// Whether a program may run code of the project in `dir`, which lies in the working tree `root`.
pub fn given(
    program: Option<&Path>,
    dir: &Path,
    root: &Path,
    project: &Project,
    run: &Run<'_>,
) -> Result<Spans, Barred> {
    let record = trust::read(project, run.system);
    let dirs = program.and_then(Path::parent).into_iter().chain([dir]);
    if !are_trusted(dirs, root, project, record.as_ref(), run) {
        return Err(Barred::Untrusted);
    }
    if let Some(path) = program.and_then(|own| outside::unseen(own, root, project, record.as_ref(), run.system)) {
        return Err(Barred::Outside(path));
    }
    let seen = record.as_ref().and_then(trust::Record::seen);
    // A document that cannot be read may have held what bars.
    let document = effects::store(run, project).read_session(&run.session).map_err(|_| Barred::Lost)?;
    let lost = match &document {
        Some(document) => lost(document),
        None => record::has_begun(run, project).then(SystemTime::now),
    };
    if lost.is_some_and(|lost| seen.is_none_or(|seen| seen <= lost)) {
        return Err(Barred::Lost);
    }
    let known = redefined::read(project, run.system).map_err(|_| Barred::Lost)?;
    if known.is_full(seen) {
        return Err(Barred::Many);
    }
    if let Some(file) = known.since(seen, root) {
        return Err(Barred::Changed(file));
    }
    // A session that begins with this event has changed nothing yet.
    let begun = document.as_ref().and_then(begun).or(lost).unwrap_or_else(SystemTime::now);
    let spans = Spans::from(begun).and(known.others(run.session.as_str()), seen);
    changed(program, dir, root, &spans).map_or(Ok(spans), Err)
}

/// When the session's document was made, if it is the first one of the session.
fn begun(document: &SessionDocument) -> Option<SystemTime> {
    moment(document.section_raw(section::BEGUN)?.trim())
}

/// When the session's document was made in the place of one that is gone.
fn lost(document: &SessionDocument) -> Option<SystemTime> {
    moment(document.section_raw(section::BEGUN)?.trim().strip_prefix(LOST)?)
}

fn moment(millis: &str) -> Option<SystemTime> {
    redefined::moment(millis.parse().ok()?)
}

/// What the moment of such a document begins with, which makes it a number below zero.
const LOST: char = '-';

/// The section of a session's document that is made now where there was none, or a damaged one.
pub fn begins_for(run: &Run<'_>, project: &Project, damaged: bool) -> String {
    let is_lost = !redefined::is_start(&run.event.body) && (damaged || record::has_begun(run, project));
    if is_lost { format!("{LOST}{}", begins()) } else { begins() }
}

/// This moment. The clock is the machine's, as it is for files.
fn begins() -> String {
    redefined::now().to_string()
}

/// Whether a path of the project says what is run.
pub fn defines(inside: &Path) -> bool {
    let is_named = || inside.file_name().and_then(|name| name.to_str()).is_some_and(is_named);
    inside.iter().any(|part| part.to_str().is_some_and(|part| LOADED_DIRS.contains(&part))) || is_named()
}

fn is_named(name: &str) -> bool {
    NAMES.iter().any(|pattern| fits(pattern, name))
}

/// Whether a name is the pattern's, in which one `*` stands for any text.
fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => name == pattern,
        Some((before, behind)) => {
            name.len() >= before.len() + behind.len() && name.starts_with(before) && name.ends_with(behind)
        }
    }
}

/// Why a program may not be started: a file that says what is run has changed in these times, or that cannot be seen.
pub fn changed(program: Option<&Path>, dir: &Path, root: &Path, spans: &Spans) -> Option<Barred> {
    let shown = |path: &Path| path.strip_prefix(root).unwrap_or(path).display().to_string();
    let mut look = Look::new(spans, Some(root));
    let found = program.filter(|program| program.starts_with(root)).and_then(|own| on_the_way(own, root, spans));
    let found = found.or_else(|| package::of(program?).iter().find_map(|package| look.whole(package)));
    let found = found.or_else(|| {
        // The directories that count most come first, so that a large project does not hide them.
        let above = dir.ancestors().take_while(|above| above.starts_with(root)).find_map(|above| look.here(above));
        above.or_else(|| look.below(root))
    });
    let unseen = look.unseen;
    found.map(|found| Barred::Changed(shown(&found))).or_else(|| unseen.map(|unseen| Barred::Unseen(unseen.said(root))))
}

/// What has changed of a program and of the directories and links of the project on the way to it. What is moved keeps the times of all that
/// lies in it, but not its own; a directory changes as well when something is put into it.
fn on_the_way(program: &Path, root: &Path, spans: &Spans) -> Option<PathBuf> {
    if is_newer(program, spans) {
        return Some(program.to_owned());
    }
    let real = std::fs::canonicalize(root).ok()?;
    let is_inside = |step: &Path| step.starts_with(&real) && step != real;
    let mut steps = way::steps(program)?.into_iter();
    let (step, _) = steps.find(|(step, metadata)| is_inside(step) && is_after(metadata, spans))?;
    Some(root.join(step.strip_prefix(&real).ok()?))
}

/// A checkpoint has put the project's dependencies in place. What changed by that is not the agent's doing, unless what says which they
/// are changed at the same time.
pub fn installed(project: &Project, run: &Run<'_>) {
    let root = project.root();
    let keep = || {
        let store = effects::store(run, project);
        let mut locked = store.lock().ok()?;
        let mut document = locked.session(&run.session).ok()?.value;
        let spans = Spans::from(begun(&document)?);
        let mut look = Look::new(&spans, None);
        if look.below(root).is_none() && look.unseen.is_none() {
            document.set_section_raw(section::BEGUN, &begins()).ok()?;
            locked.save(&document).ok()?;
            redefined::forget_so_far(run, &mut locked).ok()?;
        }
        Some(())
    };
    // Without it the next program is barred, and the user told.
    let _ = keep();
}

/// Looking for changed files within limits.
struct Look<'a> {
    spans: &'a Spans,
    left: usize,
    /// The project, where what installations put in place and what definitions name counts as well.
    root: Option<&'a Path>,
    /// Files that have been looked through for what they name.
    followed: BTreeSet<PathBuf>,
    /// Where it could not look.
    unseen: Option<Unseen>,
}

/// What could not be looked at.
enum Unseen {
    /// This directory cannot be read.
    Closed(PathBuf),
    /// This directory lies below too many others.
    Deep(PathBuf),
    /// There is more than anybody waits for.
    Many,
}

impl Unseen {
    fn said(&self, root: &Path) -> String {
        let shown = |path: &Path| path.strip_prefix(root).unwrap_or(path).display().to_string();
        match self {
            Self::Closed(dir) => format!("{} cannot be read", shown(dir)),
            Self::Deep(dir) => format!("{} lies more than {MOST_LEVELS} directories deep", shown(dir)),
            Self::Many => format!("the project holds more than {MOST_ENTRIES} files"),
        }
    }
}

impl<'a> Look<'a> {
    fn new(spans: &'a Spans, root: Option<&'a Path>) -> Self {
        Self { spans, left: MOST_ENTRIES, root, followed: BTreeSet::new(), unseen: None }
    }

    /// In one directory.
    fn here(&mut self, dir: &Path) -> Option<PathBuf> {
        let entries = self.entries(dir);
        self.among(dir, &entries)
    }

    fn among(&mut self, dir: &Path, entries: &[Entry]) -> Option<PathBuf> {
        let named: Vec<_> =
            entries.iter().filter(|entry| is_named(&entry.name)).map(|entry| dir.join(&entry.file)).collect();
        let inside = if self.root.is_some() { INSIDE } else { &[] };
        let found = named
            .iter()
            .find_map(|path| if is_newer(path, self.spans) { Some(path.clone()) } else { self.among_named(path, 0) });
        found.or_else(|| {
            inside.iter().find_map(|pattern| {
                let parts: Vec<&str> = pattern.split('/').collect();
                // Most directories hold none of these, and that has been read already.
                let is_there = entries.iter().any(|entry| Some(entry.name.as_str()) == parts.first().copied());
                if is_there { self.matching(dir, &parts) } else { None }
            })
        })
    }

    /// In a directory and those below it, level by level.
    fn below(&mut self, root: &Path) -> Option<PathBuf> {
        let mut level = vec![root.to_owned()];
        for _ in 0..MOST_LEVELS {
            let mut next = Vec::new();
            for dir in level {
                let entries = self.entries(&dir);
                if let Some(found) = self.among(&dir, &entries) {
                    return Some(found);
                }
                let looked = |entry: &&Entry| {
                    let is_passed = [SKIPPED, PASSED_OVER].iter().any(|names| names.contains(&entry.name.as_str()));
                    entry.is_dir && !is_passed
                };
                let further = entries.iter().filter(looked).map(|entry| dir.join(&entry.file));
                next.extend(further.filter(|dir| !dir.ends_with(OTHER_TREES)));
            }
            level = next;
        }
        if let Some(dir) = level.into_iter().next() {
            self.unseen.get_or_insert(Unseen::Deep(dir));
        }
        None
    }

    /// Anywhere in the directory of a package, but for what its language compiles while it runs.
    fn whole(&mut self, package: &Path) -> Option<PathBuf> {
        let mut level = vec![package.to_owned()];
        for _ in 0..MOST_LEVELS {
            let mut next = Vec::new();
            for dir in level {
                for entry in self.entries(&dir) {
                    let path = dir.join(&entry.file);
                    if !entry.is_dir && is_newer(&path, self.spans) {
                        return Some(path);
                    }
                    if entry.is_dir && entry.name != "__pycache__" {
                        next.push(path);
                    }
                }
            }
            level = next;
        }
        None
    }

    /// Among the files of the project that a definition names as what is run or loaded, and those that these load in turn.
    fn among_named(&mut self, definition: &Path, level: usize) -> Option<PathBuf> {
        let root = self.root?;
        if level > MOST_NAMED_LEVELS || !self.followed.insert(definition.to_owned()) {
            return None;
        }
        for Named { path, whole } in named::by(definition, root, level > 0) {
            let Some(left) = self.left.checked_sub(1) else {
                self.unseen.get_or_insert(Unseen::Many);
                return None;
            };
            self.left = left;
            let found = match path.is_dir() {
                true if whole => self.whole(&path),
                true => None,
                false if is_newer(&path, self.spans) => Some(path),
                false => self.among_named(&path, level + 1),
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn matching(&mut self, dir: &Path, parts: &[&str]) -> Option<PathBuf> {
        let (part, rest) = parts.split_first()?;
        if !part.contains('*') {
            return self.matching_entry(&dir.join(part), rest);
        }
        let entries = self.entries(dir).into_iter().filter(|entry| fits(part, &entry.name));
        entries.into_iter().find_map(|entry| self.matching_entry(&dir.join(entry.file), rest))
    }

    fn matching_entry(&mut self, path: &Path, rest: &[&str]) -> Option<PathBuf> {
        if !rest.is_empty() {
            return self.matching(path, rest);
        }
        // A directory changes whenever something is put into it, also by what runs.
        (!path.is_dir() && is_newer(path, self.spans)).then(|| path.to_owned())
    }

    fn entries(&mut self, dir: &Path) -> Vec<Entry> {
        let mut found = Vec::new();
        let entries = match std::fs::read_dir(dir) {
            Ok(entries) => entries,
            Err(error) => {
                // What is gone, or was no directory, holds nothing.
                if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) {
                    self.unseen.get_or_insert_with(|| Unseen::Closed(dir.to_owned()));
                }
                return found;
            }
        };
        for entry in entries {
            let Some(left) = self.left.checked_sub(1) else {
                self.unseen.get_or_insert(Unseen::Many);
                break;
            };
            self.left = left;
            let Ok(entry) = entry else {
                self.unseen.get_or_insert_with(|| Unseen::Closed(dir.to_owned()));
                break;
            };
            let file = entry.file_name();
            let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
            found.push(Entry { name: file.to_string_lossy().into_owned(), file, is_dir });
        }
        found
    }
}

/// What stands in a directory.
struct Entry {
    file: OsString,
    /// The same as text.
    name: String,
    /// A directory, and no link to one.
    is_dir: bool,
}

/// Whether a file, or what a link leads to, has changed in these times.
fn is_newer(path: &Path, spans: &Spans) -> bool {
    let newer = |metadata: std::io::Result<Metadata>| metadata.is_ok_and(|metadata| is_after(&metadata, spans));
    newer(path.symlink_metadata()) || newer(path.metadata())
}

fn is_after(metadata: &Metadata, spans: &Spans) -> bool {
    changed_at(metadata).is_none_or(|at| spans.hold(at))
}

/// When content, name or mode changed last. Unlike the time of the content alone, no program sets it.
#[cfg(unix)]
fn changed_at(metadata: &Metadata) -> Option<SystemTime> {
    use std::os::unix::fs::MetadataExt;

    let seconds = Duration::from_secs(u64::try_from(metadata.ctime()).ok()?);
    let nanos = Duration::from_nanos(u64::try_from(metadata.ctime_nsec()).ok()?);
    SystemTime::UNIX_EPOCH.checked_add(seconds + nanos)
}

/// When the content changed last.
#[cfg(not(unix))]
fn changed_at(metadata: &Metadata) -> Option<SystemTime> {
    metadata.modified().ok()
}
