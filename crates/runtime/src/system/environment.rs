//! Which variables of the environment count.
//!
//! A project can set variables: in the host's settings, by direnv, in a container. So none of those below moves what the user
//! keeps, unless the user's note says so. It lies beside the user's executable; a line `NAME=VALUE` says what the variable is
//! taken to be, and `NAME` alone lets the environment say it. `docs/reference/environment.md` lists all variables.

use std::cell::OnceCell;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::system::account;
use crate::system::open;

/// The name of the note, in the user's directory of data.
pub const NOTE: &str = "environment";

/// Variables that say where a user's things lie.
pub const DIRS: [&str; 5] = ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "CLAUDE_CONFIG_DIR"];

/// Variables that outrank the clock, limits of the configuration, the borders of the project, and where records are sent.
pub const SWITCHES: [&str; 7] = [
    "HOOKBIN_NOW", "HOOKBIN_REGISTRY_URL", "PLAN_CHURN_DENY", "PLAN_CHURN_WARN", "PROJECT_PATH", "SSL_CERT_DIR",
    "SSL_CERT_FILE",
];

/// Where a user's data lies in a home directory, as the XDG specification has it.
pub const DATA: &str = ".local/share";

/// Largest note that is read, in bytes.
const MOST_BYTES: u64 = 16 << 10;

/// What the user's note says of the environment of this process.
pub struct Environment {
    /// Nobody made these surroundings up, so that variables count as far as a note says so.
    is_real: bool,
    /// The directory of the executable, if it is a user's directory of data. In a project it is not theirs, and anywhere else there is none.
    dir: Option<PathBuf>,
    /// The project whose own executable this is.
    project: Option<PathBuf>,
    beside: OnceCell<Option<Note>>,
    at_home: OnceCell<Option<Note>>,
}

/// A note as it was read.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Note {
    lines: Vec<(&'static str, Option<OsString>)>,
    /// Lines that say nothing known.
    pub unknown: Vec<String>,
}

/// What counts of a variable.
pub enum Counts {
    /// This value, whatever the environment says.
    Value(OsString),
    /// What the environment says.
    Environment,
    /// Nothing that the environment says.
    Nothing,
}

impl Environment {
    /// Surroundings that somebody made up, in which every variable is what it was made to be.
    pub fn made_up() -> Self {
        Self { is_real: false, dir: None, project: None, beside: OnceCell::new(), at_home: OnceCell::new() }
    }

    /// The surroundings of an executable.
    pub fn of(mut executable: PathBuf) -> Self {
        executable.pop();
        // By their bytes: every hook asks, and paths are slow to take apart.
        let bytes = executable.as_os_str().as_encoded_bytes();
        let is_projects = bytes.ends_with(b"/.claude/hookbin");
        let is_persons = bytes.ends_with(b"/hookbin") && !is_projects;
        let real = Self { is_real: true, ..Self::made_up() };
        if is_projects {
            executable.pop();
            executable.pop();
            return Self { project: Some(executable), ..real };
        }
        Self { dir: is_persons.then_some(executable), ..real }
    }

    /// Whether nobody made these surroundings up.
    pub fn is_real(&self) -> bool {
        self.is_real
    }

    /// The project whose own executable this is.
    pub fn project(&self) -> Option<&Path> {
        self.project.as_deref()
    }

    fn beside(&self) -> Option<&Note> {
        let read = || Note::read(&self.dir.as_ref()?.join(NOTE));
        self.beside.get_or_init(read).as_ref()
    }

    /// The home directory, as the executable's place and its note say.
    pub fn home(&self) -> Option<PathBuf> {
        if let Some(Counts::Value(home)) = self.beside().and_then(|note| note.counts("HOME")) {
            return Some(PathBuf::from(home));
        }
        let dir = self.dir.as_deref()?;
        let is_usual = dir.as_os_str().as_encoded_bytes().ends_with(b"/.local/share/hookbin");
        is_usual.then(|| dir.ancestors().nth(3)).flatten().map(Path::to_owned)
    }

    /// Whether the environment alone says where home is.
    pub fn leaves_home(&self) -> bool {
        !self.is_real || matches!(self.beside().and_then(|note| note.counts("HOME")), Some(Counts::Environment))
    }

    /// What counts of a variable, in the note beside the executable, else in the one of this home directory.
    pub fn counts(&self, name: &str, home: impl FnOnce() -> Option<PathBuf>) -> Counts {
        if !self.is_real {
            return Counts::Environment;
        }
        let at_home = || {
            let read = || Note::read(&home()?.join(DATA).join("hookbin").join(NOTE));
            // The user's own executable has its note beside it or none.
            self.at_home.get_or_init(|| if self.dir.is_some() { None } else { read() }).as_ref()
        };
        let note = self.beside().or_else(at_home);
        note.and_then(|note| note.counts(name)).unwrap_or(Counts::Nothing)
    }
}

impl Note {
    /// Reads a note, if there is one and the user alone decides what it says.
    pub fn read(path: &Path) -> Option<Self> {
        let file = open::foreign(path).ok()?;
        if account::why_others_around(&file.metadata().ok()?, path.parent()?).is_some() {
            return None;
        }
        Some(Self::parse(&open::text_of(file, MOST_BYTES)?))
    }

    /// A note by its text.
    pub fn parse(text: &str) -> Self {
        let mut note = Self::default();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (name, value) = match line.split_once('=') {
                Some((name, value)) => (name.trim_end(), Some(value.trim_start())),
                None => (line, None),
            };
            let known = DIRS.iter().chain(&SWITCHES).find(|known| **known == name);
            // A directory is a whole path or it is nothing, and a switch is on or it is not there.
            let is_good = value.is_none_or(|value| DIRS.contains(&name) && value.starts_with('/'));
            match known.filter(|_| is_good) {
                Some(known) => note.lines.push((*known, value.map(OsString::from))),
                None => note.unknown.push(line.to_owned()),
            }
        }
        note
    }

    /// The variables that it names.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.lines.iter().map(|(name, _)| *name)
    }

    /// What it says of a variable, if it names it; the last line counts.
    pub fn counts(&self, name: &str) -> Option<Counts> {
        let (_, value) = self.lines.iter().rev().find(|(known, _)| *known == name)?;
        Some(value.clone().map_or(Counts::Environment, Counts::Value))
    }
}
