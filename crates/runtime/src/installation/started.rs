//! What an entry starts: found out without starting it, and whether it is ours.
//!
//! Doctor is the first thing that a careful user runs in a clone, whose settings and whose programs came from somebody else. So it
//! starts nothing but the executable that runs it, by its content, or one that an installation of the user's has noted outside the
//! project. And `status` says of nothing else that it guards.

use std::ffi::OsString;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::Command;

use hook_protocol::settings::edit::{FoundEntry, command_words};
use hook_protocol::settings::shared_command_with;

use crate::config::settings::{find_executable, is_shared};
use crate::event::args::{APART_MARK, DRY_MARK};
use crate::installation::user::PROJECT_DIR;
use crate::installation::{Place, Record, shell_quote};
use crate::programs::launch::{self, Kind};
use crate::project::{EXECUTABLE, Project};
use crate::system::System;
use crate::system::files;

/// The command of every entry: whatever else stands there is none of ours.
const HOOK: &str = "hook";

/// As much of two files is compared at a time.
const PART: usize = 64 << 10;

/// What an entry starts.
#[derive(Debug)]
pub struct Started {
    /// The executable, by its whole path.
    pub program: PathBuf,
    line: Line,
}

#[derive(Debug)]
enum Line {
    /// It is started itself, with these arguments.
    Direct(Vec<OsString>),
    /// This text of a shell looks for it.
    Shared(String),
}

impl Started {
    /// What an entry starts in the project at `root`; `None` where that cannot be told by its text.
    pub fn of(entry: &FoundEntry, root: &Path, system: &System) -> Option<Self> {
        let text = entry.command.as_deref()?;
        if is_shared(entry) {
            return Some(Self { program: find_executable(root, system)?, line: Line::Shared(text.to_owned()) });
        }
        let (program, args) = match &entry.args {
            Some(args) => (expand(text, root), args.iter().map(|arg| expand(arg, root)).collect()),
            None => by_words(text, root, system)?,
        };
        if args.first().is_none_or(|first: &OsString| first != HOOK) {
            return None;
        }
        let path = PathBuf::from(&program);
        // A bare name is looked for as the host would, but for the project's own directories.
        let is_bare = path.components().count() == 1 && !path.is_absolute();
        let found = if is_bare { launch::find_tool(&[path.to_str()?], Some(root), system)? } else { path };
        found.is_absolute().then_some(Self { program: found, line: Line::Direct(args) })
    }

    /// The entry, ready to start. It keeps what it has to keep in the directory `apart`, or nothing at all.
    ///
    /// # Errors
    ///
    /// When it is no whole path.
    pub fn command(&self, apart: Option<&Path>, system: &System) -> std::io::Result<Command> {
        let more: Vec<OsString> = match apart {
            Some(dir) => vec![APART_MARK.into(), dir.into()],
            None => vec![DRY_MARK.into()],
        };
        match &self.line {
            Line::Direct(args) => {
                let mut command = launch::command(&self.program, Kind::Own, system)?;
                command.args(args).args(more);
                Ok(command)
            }
            Line::Shared(text) => {
                let mut command = launch::command(Path::new("/bin/sh"), Kind::Own, system)?;
                let more: Vec<String> = more.iter().map(|word| shell_quote(&word.to_string_lossy())).collect();
                command.arg("-c").arg(shared_command_with(text, &more.join(" ")).unwrap_or_default());
                Ok(command)
            }
        }
    }

    /// Whether the line looks for the executable itself.
    pub fn is_looked_for(&self) -> bool {
        matches!(self.line, Line::Shared(_))
    }

    /// Whether it is this very executable, or one that an installation of the user's noted outside the project.
    pub fn is_ours(&self, place: &Place, system: &System) -> bool {
        if std::env::current_exe().is_ok_and(|own| is_same(&own, &self.program)) {
            return true;
        }
        let noted = noted(place, system);
        !noted.is_empty() && hash(&self.program).is_some_and(|hash| noted.contains(&hash))
    }

    /// Whether it is a program that the user put where it lies, or agreed to: what no project brings. What tells at a look comes first,
    /// since a status line asks often.
    pub fn is_persons(&self, place: &Place, system: &System) -> bool {
        let is_own = || system.data_dir().is_some_and(|dir| self.program == dir.join(EXECUTABLE));
        let is_outside = |project: &Project| {
            let real = |path: &Path| std::fs::canonicalize(path).ok();
            let (program, root) = (real(&self.program), real(project.root()));
            program.zip(root).is_some_and(|(program, root)| !program.starts_with(root))
        };
        // The line that looks takes nothing from the project.
        let is_found = |project: &Project| self.is_looked_for() && is_outside(project);
        let project = place.project.as_ref();
        is_own() || project.is_some_and(is_found) || self.is_ours(place, system)
    }
}

/// Whether two files hold the same. Of different sizes nothing is read.
fn is_same(one: &Path, other: &Path) -> bool {
    let open = |path: &Path| File::open(path).and_then(|file| Ok((file.metadata()?, file)));
    let (Ok((one, first)), Ok((other, second))) = (open(one), open(other)) else { return false };
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if (one.dev(), one.ino()) == (other.dev(), other.ino()) {
            return true;
        }
    }
    if one.len() != other.len() || !other.is_file() {
        return false;
    }
    let (mut first, mut second) = (BufReader::with_capacity(PART, first), BufReader::with_capacity(PART, second));
    loop {
        let (Ok(a), Ok(b)) = (first.fill_buf(), second.fill_buf()) else { return false };
        let both = a.len().min(b.len());
        if both == 0 {
            return a.len() == b.len();
        }
        if a.get(..both) != b.get(..both) {
            return false;
        }
        first.consume(both);
        second.consume(both);
    }
}

/// The hash of a file's content.
fn hash(file: &Path) -> Option<String> {
    files::hash(File::open(file).ok()?).ok().map(|(hash, _)| hash)
}

/// The hashes that the user's own directories have of the executable of a place.
fn noted(place: &Place, system: &System) -> Vec<String> {
    let dirs = [system.state_dir(), system.data_dir()];
    let is_persons = |path: &Path| dirs.iter().flatten().any(|dir| path.starts_with(dir));
    let of_note = Some(&place.note).filter(|note| is_persons(note)).and_then(|note| Record::at(note).ok().flatten());
    of_note.map(|record| record.executable).into_iter().filter(|hash| !hash.is_empty()).collect()
}

/// A text of an entry as the host expands it. A path need not be Unicode text.
fn expand(text: &str, root: &Path) -> OsString {
    let mut expanded = OsString::new();
    for (index, part) in text.split(PROJECT_DIR).enumerate() {
        if index > 0 {
            expanded.push(root);
        }
        expanded.push(part);
    }
    expanded
}

/// Program and arguments of a plain line of a shell, in which nothing but the program's directory may be a variable.
fn by_words(text: &str, root: &Path, system: &System) -> Option<(OsString, Vec<OsString>)> {
    const TELLING: &[char] = &[';', '&', '|', '<', '>', '`', '\n', '(', ')', '*', '?', '[', '#', '!', '\\', '='];
    if text.contains(TELLING) {
        return None;
    }
    let mut words = command_words(text).into_iter();
    let first = words.next()?;
    let behind = |names: &[&str]| names.iter().find_map(|name| first.strip_prefix(name)?.strip_prefix('/'));
    let program = match (behind(&["$CLAUDE_PROJECT_DIR", PROJECT_DIR]), behind(&["$HOME", "${HOME}", "~"])) {
        (Some(rest), _) => root.join(rest),
        (_, Some(rest)) => system.home()?.join(rest),
        _ => PathBuf::from(&first),
    };
    let args: Vec<OsString> = words.map(OsString::from).collect();
    let has_variable = |text: &OsString| text.to_string_lossy().contains('$');
    let plain = !has_variable(&program.clone().into_os_string()) && !args.iter().any(has_variable);
    plain.then(|| (program.into_os_string(), args))
}
