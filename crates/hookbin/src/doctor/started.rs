//! What an entry starts: found out without starting it, and whether it is ours.
//!
//! Doctor is the first thing that a careful person runs in a clone, whose settings and whose programs came from somebody else. So it
//! starts nothing but the executable that runs it, by its content, or one that an installation of the person's has noted outside the
//! project.

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use hook_protocol::settings::edit::{FoundEntry, command_words};

use crate::args::{APART_MARK, DRY_MARK};
use crate::host::Host;
use crate::install::{self, Place, Record, shell_quote};
use crate::launch::{self, Kind};
use crate::settings::{find_executable, is_shared};
use crate::user::{self, PROJECT_DIR};

/// The command of every entry: whatever else stands there is none of ours.
const HOOK: &str = "hook";

/// What an entry starts.
#[derive(Debug)]
pub(super) struct Started {
    /// The executable, by its whole path.
    pub(super) program: PathBuf,
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
    pub(super) fn of(entry: &FoundEntry, root: &Path, host: &Host) -> Option<Self> {
        let text = entry.command.as_deref()?;
        if is_shared(entry) {
            return Some(Self { program: find_executable(root, host)?, line: Line::Shared(text.to_owned()) });
        }
        let (program, args) = match &entry.args {
            Some(args) => (expand(text, root), args.iter().map(|arg| expand(arg, root)).collect()),
            None => by_words(text, root, host)?,
        };
        if args.first().is_none_or(|first: &OsString| first != HOOK) {
            return None;
        }
        let path = PathBuf::from(&program);
        // A bare name is looked for as the client would, but for the project's own folders.
        let is_bare = path.components().count() == 1 && !path.is_absolute();
        let found = if is_bare { launch::find_tool(&[path.to_str()?], Some(root), host)? } else { path };
        found.is_absolute().then_some(Self { program: found, line: Line::Direct(args) })
    }

    /// The entry, ready to start. It keeps what it has to keep in the folder `apart`, or nothing at all.
    ///
    /// # Errors
    ///
    /// When it is no whole path.
    pub(super) fn command(&self, apart: Option<&Path>, host: &Host) -> std::io::Result<Command> {
        let more: Vec<OsString> = match apart {
            Some(folder) => vec![APART_MARK.into(), folder.into()],
            None => vec![DRY_MARK.into()],
        };
        match &self.line {
            Line::Direct(args) => {
                let mut command = launch::command(&self.program, Kind::Own, host)?;
                command.args(args).args(more);
                Ok(command)
            }
            Line::Shared(text) => {
                let mut command = launch::command(Path::new("/bin/sh"), Kind::Own, host)?;
                let more: Vec<String> = more.iter().map(|word| shell_quote(&word.to_string_lossy())).collect();
                command.arg("-c").arg(text.replacen(";; esac;", &format!(" {};; esac;", more.join(" ")), 1));
                Ok(command)
            }
        }
    }

    /// Whether the line looks for the executable itself.
    pub(super) fn is_looked_for(&self) -> bool {
        matches!(self.line, Line::Shared(_))
    }

    /// Whether it is this very executable, or one that an installation of the person's noted outside the project.
    pub(super) fn is_ours(&self, place: &Place, host: &Host) -> bool {
        let Some(hash) = hash(&self.program) else { return false };
        let own = std::env::current_exe().ok().and_then(|own| self::hash(&own));
        own.as_ref() == Some(&hash) || noted(place, host).contains(&hash)
    }
}

/// The hash of a file's content.
fn hash(file: &Path) -> Option<String> {
    install::hash(File::open(file).ok()?).ok().map(|(hash, _)| hash)
}

/// The hashes that the person's own folders have of the executable of a place.
fn noted(place: &Place, host: &Host) -> Vec<String> {
    let folders = [host.state_folder(), host.data_folder()];
    let is_persons = |path: &Path| folders.iter().flatten().any(|folder| path.starts_with(folder));
    let of_note = Some(&place.note).filter(|note| is_persons(note)).and_then(|note| Record::at(note).ok().flatten());
    let of_voucher = place.project.as_ref().and_then(|project| user::vouched_hash(project, host));
    of_note.map(|record| record.executable).into_iter().chain(of_voucher).filter(|hash| !hash.is_empty()).collect()
}

/// A text of an entry as the client expands it. A path need not be Unicode text.
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

/// Program and arguments of a plain line of a shell, in which nothing but the program's folder may be a variable.
fn by_words(text: &str, root: &Path, host: &Host) -> Option<(OsString, Vec<OsString>)> {
    const TELLING: &[char] = &[';', '&', '|', '<', '>', '`', '\n', '(', ')', '*', '?', '[', '#', '!', '\\', '='];
    if text.contains(TELLING) {
        return None;
    }
    let mut words = command_words(text).into_iter();
    let first = words.next()?;
    let behind = |names: &[&str]| names.iter().find_map(|name| first.strip_prefix(name)?.strip_prefix('/'));
    let program = match (behind(&["$CLAUDE_PROJECT_DIR", PROJECT_DIR]), behind(&["$HOME", "${HOME}", "~"])) {
        (Some(rest), _) => root.join(rest),
        (_, Some(rest)) => host.home()?.join(rest),
        _ => PathBuf::from(&first),
    };
    let args: Vec<OsString> = words.map(OsString::from).collect();
    let has_variable = |text: &OsString| text.to_string_lossy().contains('$');
    let plain = !has_variable(&program.clone().into_os_string()) && !args.iter().any(has_variable);
    plain.then(|| (program.into_os_string(), args))
}
