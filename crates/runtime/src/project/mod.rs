//! Which project an event or a command belongs to, and where its files lie.

pub mod places;
pub mod project_files;
pub mod registry;
pub mod registry_place;
pub mod text_log;

use std::cell::{Cell, OnceCell};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use hook_audit_log::text::TextLog;
use hook_audit_log::{AuditLog, Limits};
use hook_session_state::Store;

use crate::system::System;
use crate::system::open::{self, Beneath, Kind, Rights, Seen};

/// The file name of an installed executable.
pub const EXECUTABLE: &str = if cfg!(windows) { "hookbin.exe" } else { "hookbin" };

/// What keeps everything in a project's own directory out of its repository.
pub const IGNORE: &str = "# Everything here is recorded or installed by hookbin.\n*\n";

/// What keeps the files that the documents name in `.claude` out of the repository, itself included. In a repository an old status or
/// state would come back with a checkout, and every change of it would stand in the way of one.
const IGNORE_RECORDS: &str = "# What hookbin records here is of this machine and this moment. Made once; change it as you like.\n\
    /.gitignore\n/.tmp*\n/.test-*\n/.proof-status\n/.mock-gate-*\n/.lint-*\n/.plan-drift\n/.audit-log\n/.agent-findings\n\
    /.session-changes*\n/.prompt-count-*\n/.compact-context-*\n/.surfaced-*\n\
    /state.json*\n/bypass_active.json\n/sane*.log\n/compact-recovery.json\n\
    /settings.local.json\n/handoff/\n";

/// A project and the places of its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    root: PathBuf,
    /// The directory of state and log.
    own: PathBuf,
    /// Where a replay keeps what a session would have left in the project's directory.
    replayed: Option<PathBuf>,
    /// What was found in the place of its own directory; looked at once, because a run asks several times.
    found: Cell<Option<Found>>,
    /// What the user's files about it are called, made once: it takes a hash.
    name: OnceCell<Option<String>>,
}

/// What stands in the place of a project's own directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    Dir,
    /// Nothing, or something that making the directory will complain about.
    Other,
    /// A link. Whoever planted it would get our files written, or theirs believed, where we never meant to.
    Link,
}

impl Project {
    /// The project rooted at `root`, with everything of ours inside it.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        Self { own: root.join(".claude/hookbin"), root, replayed: None, found: Cell::new(None), name: OnceCell::new() }
    }

    /// The same project with its state and log in another directory.
    #[must_use]
    pub fn recorded_in(self, own: PathBuf) -> Self {
        Self { own, found: Cell::new(None), ..self }
    }

    /// The same project for a replay of past sessions: everything that is written goes into `dir`, and what the project itself has
    /// recorded is not read.
    #[must_use]
    pub fn replayed_in(self, dir: &Path) -> Self {
        Self { own: dir.join("own"), replayed: Some(dir.join("files")), found: Cell::new(None), ..self }
    }

    /// Whether everything goes into directories that are thrown away.
    const fn is_replayed(&self) -> bool {
        self.replayed.is_some()
    }

    /// The directory in which the files lie that documents name: the project's own, and in a replay one that is thrown away.
    pub fn files(&self) -> &Path {
        self.replayed.as_deref().unwrap_or(&self.root)
    }

    /// Where a file of the project is read, by path from its root or absolute. A replay reads what it wrote itself, none of what
    /// sessions of today have recorded, and everything else where it lies.
    pub fn readable(&self, path: &Path) -> PathBuf {
        let whole = self.root.join(path);
        let Some((files, inside)) = self.replayed.as_deref().zip(whole.strip_prefix(&self.root).ok()) else {
            return whole;
        };
        let written = files.join(inside);
        if is_recorded(inside) || written.is_file() { written } else { whole }
    }

    /// The project's directory, as one below which nothing leads out.
    pub fn beneath(&self) -> Beneath {
        Beneath::new(&self.root)
    }

    /// The directory that [`Self::files`] names, in the same way.
    pub fn beneath_files(&self) -> Beneath {
        Beneath::new(self.files())
    }

    /// The project's directory where its records lie in it, so that links in the project could lead them astray.
    fn base(&self) -> Option<&Path> {
        Some(self.root.as_path()).filter(|root| !self.is_replayed() && self.own.starts_with(root))
    }

    /// The directory below which the records lie, as one below which nothing leads out: the project's, or one of the user's own.
    pub fn records(&self) -> Beneath {
        Beneath::new(self.base().unwrap_or(&self.own))
    }

    /// Opens a file of the state directory whose lock is what matters. The first event of a project finds no such directory.
    pub fn to_lock(&self, name: &str) -> std::io::Result<std::fs::File> {
        let (records, state) = (self.records(), self.state());
        records.make_dirs(&state, 0o700)?;
        records.to_lock(&state.join(name))
    }

    /// The store of the state.
    pub fn store(&self) -> Store {
        let store = Store::new(self.state());
        match self.base() {
            Some(base) => store.below(base),
            None => store,
        }
    }

    /// An audit log in a directory of the records.
    pub fn trail(&self, dir: &Path, limits: Limits) -> AuditLog {
        let log = AuditLog::new(dir, limits);
        match self.base() {
            Some(base) => log.below(base),
            None => log,
        }
    }

    /// A text log, of the records or of the project's own files.
    pub fn text_log(&self, path: PathBuf) -> TextLog {
        let root = [self.base(), Some(self.files())].into_iter().flatten().find(|root| path.starts_with(root));
        TextLog { root: root.map(Path::to_owned), ..TextLog::new(path) }
    }

    /// Finds the project by the one rule that every command follows: `given`, else `CLAUDE_PROJECT_DIR`, else the nearest directory
    /// above `cwd` that holds `.claude/hookbin.toml` or `.claude/hookbin`, else the git top level, else `cwd`. The variable counts where
    /// `cwd` lies in its directory or in no project, or where this user has used hookbin there. The home directory and the root of the file system are never
    /// a project unless they were given, nor is a directory that is gone; without a project there is no state and no log.
    pub fn find(given: Option<&Path>, cwd: Option<&Path>, system: &System) -> Option<Self> {
        if let Some(given) = given {
            return Some(Self::at(system.absolute_path(given)));
        }
        let home = system.home();
        let not_home = |path: &Path| home.as_deref() != Some(path) && path.parent().is_some();
        let there = |path: &Path| path.is_absolute() && path.is_dir();
        let cwd = cwd.filter(|cwd| there(cwd));
        let holds_home = |dir: &Path| home.as_deref().is_some_and(|home| home != dir && home.starts_with(dir));
        let named = system.project_dir().filter(|dir| there(dir) && !holds_home(dir));
        let is_here = |dir: &Path| cwd.is_none_or(|cwd| lies_in(cwd, dir)) || places::is_known(&Self::at(dir), system);
        let named = match named {
            Some(dir) if is_here(&dir) => return Some(dir).filter(|dir| not_home(dir)).map(Self::at),
            other => other.filter(|dir| not_home(dir)).map(Self::at),
        };
        let Some(start) = cwd.or(system.cwd.as_deref().filter(|cwd| there(cwd))) else { return named };
        let mut git = None;
        for dir in start.ancestors().filter(|dir| not_home(dir)) {
            // An installation for one user leaves no configuration in the project.
            if dir.join(".claude/hookbin.toml").is_file() || dir.join(".claude/hookbin").is_dir() {
                return Some(Self::at(dir));
            }
            if git.is_none() && dir.join(".git").exists() {
                git = Some(dir);
            }
        }
        git.or(Some(start)).filter(|dir| not_home(dir)).map(Self::at).or(named)
    }

    /// What the user's files about it are called, as `make` says the first time.
    pub fn named(&self, make: impl FnOnce() -> Option<String>) -> Option<&str> {
        self.name.get_or_init(make).as_deref()
    }

    /// The project's directory.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The host's directory in the project, where documents name files of their own.
    pub fn documents(&self) -> PathBuf {
        self.files().join(".claude")
    }

    /// The configuration that the project's people write.
    pub fn config(&self) -> PathBuf {
        self.root.join(".claude/hookbin.toml")
    }

    /// The directory of the state and the log.
    pub fn own(&self) -> PathBuf {
        self.own.clone()
    }

    /// Where earlier versions put the executable. Nothing that is written now starts a file there.
    pub fn executable(&self) -> PathBuf {
        self.own().join(EXECUTABLE)
    }

    /// The directory of state and views.
    pub fn state(&self) -> PathBuf {
        self.own().join("state")
    }

    /// Whether the project's own directory is a link, so that nothing in it is ours.
    pub fn is_elsewhere(&self) -> bool {
        self.found() == Found::Link
    }

    /// Whether the directory of state is a link.
    pub fn state_is_elsewhere(&self) -> bool {
        is_link(&self.state())
    }

    /// Whether the directory of the audit log is a link.
    pub fn log_is_elsewhere(&self) -> bool {
        is_link(&self.log())
    }

    fn found(&self) -> Found {
        let look = || match self.own().symlink_metadata() {
            Ok(metadata) if metadata.is_symlink() || self.is_behind_link() => Found::Link,
            Ok(metadata) if metadata.is_dir() => Found::Dir,
            Err(_) if self.is_behind_link() => Found::Link,
            _ => Found::Other,
        };
        let found = self.found.get().unwrap_or_else(look);
        self.found.set(Some(found));
        found
    }

    /// Forgets what stood in the place of its own directory, after it was moved.
    pub fn look_again(&self) {
        self.found.set(None);
    }

    /// Whether a directory between the project's and its own is a link, as `.claude` may be in a clone.
    fn is_behind_link(&self) -> bool {
        let Some(base) = self.base() else { return false };
        self.own.ancestors().skip(1).take_while(|dir| *dir != base).any(is_link)
    }

    /// The directory of the audit log.
    pub fn log(&self) -> PathBuf {
        self.own().join("log")
    }

    /// The page that `hookbin report` writes unless it is told another file.
    pub fn page(&self) -> PathBuf {
        self.own().join("report.html")
    }

    /// [`Self::prepare`], and the `.gitignore` also where the directory was there without it.
    pub fn prepare_whole(&self) -> std::io::Result<()> {
        self.prepare()?;
        ignore_records(&self.root)?;
        let (records, ignore) = (self.records(), self.own().join(".gitignore"));
        match records.look(&ignore) {
            Ok(Seen { kind: Kind::File, .. }) => return Ok(()),
            // What is not ours is moved aside, never followed.
            Ok(_) => records.set_aside(&ignore).map(drop)?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        begin(&records, &ignore, IGNORE)
    }

    /// Makes the project's own directory with its `.gitignore`, if it is missing, so that nothing recorded is ever committed by
    /// accident. A link in its place, or on the way there, is an error.
    pub fn prepare(&self) -> std::io::Result<()> {
        let own = self.own();
        match self.found() {
            Found::Dir => return Ok(()),
            Found::Link => return Err(std::io::Error::other("it is a link to somewhere else; remove the link")),
            Found::Other => {}
        }
        if !own.starts_with(&self.root) || self.is_replayed() {
            return open::private_dir(&own);
        }
        // A project that is gone is not made again.
        let beneath = self.beneath();
        beneath.make_dir(&own, 0o700, false)?;
        begin(&beneath, &own.join(".gitignore"), IGNORE)?;
        ignore_records(&self.root)?;
        self.found.set(Some(Found::Dir));
        Ok(())
    }
}

/// The file that keeps recorded files of a project's `.claude` directory out of the repository.
pub fn records_ignore(root: &Path) -> PathBuf {
    root.join(".claude/.gitignore")
}

/// The most of such a file that is read, in bytes.
const MOST_IGNORE: u64 = 64 << 10;

/// Keeps the recorded files of a `.claude` directory out of the repository. A `.gitignore` that is there already is somebody's own, unless
/// it is one that was cut off in the making; so is a link, whose target is not looked at.
pub fn ignore_records(root: &Path) -> std::io::Result<()> {
    let (beneath, ignore) = (Beneath::new(root), records_ignore(root));
    let is_torn = || beneath.read(&ignore, MOST_IGNORE).is_ok_and(|text| is_begun(&text));
    match beneath.look(&ignore) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        Ok(Seen { kind: Kind::File, .. }) if is_torn() => {}
        Ok(_) => return Ok(()),
        Err(_) => {}
    }
    begin(&beneath, &ignore, IGNORE_RECORDS)
}

/// Makes a file, or ends one that was cut off. A hook that is killed in between leaves the beginning under the name, which is ended
/// later, and nothing under another name that nobody would clear away.
fn begin(beneath: &Beneath, path: &Path, text: &str) -> std::io::Result<()> {
    match beneath.create_new(path) {
        Ok(mut file) => {
            file.write_all(text.as_bytes())?;
            open::set_mode_on(&file, Rights::COMMON.mode)
        }
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            beneath.replace(path, &[text.as_bytes()], Rights::COMMON)
        }
        Err(error) => Err(error),
    }
}

/// Whether the file of [`ignore_records`] has nothing more to do: it is as it was made, and nothing that it keeps out is left.
pub fn ignores_nothing(root: &Path) -> bool {
    let beneath = Beneath::new(root);
    let recorded = |name: &std::ffi::OsString| name != ".gitignore" && is_recorded(&Path::new(".claude").join(name));
    let is_ours = beneath
        .read(&records_ignore(root), MOST_IGNORE)
        .is_ok_and(|text| text == IGNORE_RECORDS.as_bytes() || is_begun(&text));
    is_ours && beneath.names(Path::new(".claude"), usize::MAX).is_ok_and(|names| !names.iter().any(recorded))
}

/// Whether a text is the beginning of the file and no more. What earlier versions made is one, since lines are only added below.
fn is_begun(text: &[u8]) -> bool {
    text.len() < IGNORE_RECORDS.len() && IGNORE_RECORDS.as_bytes().starts_with(text)
}

/// Files below the host's directories that sessions leave behind: evidence, signed state, hand-overs, figures and logs.
fn is_recorded(inside: &Path) -> bool {
    let mut parts = inside.iter().map(|part| part.to_string_lossy());
    match (parts.next().as_deref(), parts.next().as_deref()) {
        (Some(".claude"), Some(name)) => {
            name.starts_with('.')
                || Path::new(name).extension().is_some_and(|extension| extension == "log")
                || ["state.json", "compact-recovery.json", "bypass_active.json", "handoff", "hookbin"].contains(&name)
        }
        (Some(".claude-collective"), Some(name)) => name == "metrics",
        _ => false,
    }
}

/// Whether a path lies in a directory, by its name or by where both really are.
pub fn lies_in(path: &Path, dir: &Path) -> bool {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    path.starts_with(dir) || real(path).zip(real(dir)).is_some_and(|(path, dir)| path.starts_with(dir))
}

fn is_link(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink())
}
