//! The files that documents name in a project's `.claude` directory, as effects change them.

use std::path::{Path, PathBuf};

use hook_policy::effect::{Effect, StatusFileEdit};
use hook_session_state::{Error, Locked, Notes};

use crate::event::run::Run;
use crate::facts::MAX_FILE_BYTES;
use crate::facts::evidence;
use crate::project::Project;
use crate::system::open::Beneath;

/// The directory of these files.
pub fn dir(root: &Path) -> PathBuf {
    root.join(".claude")
}

/// The text of one of them; `None` where there is none that can be read.
pub fn read(root: &Path, file: &str) -> Option<String> {
    // What a link leads to is somebody else's.
    Beneath::new(root).text(&dir(root).join(file), MAX_FILE_BYTES)
}

/// Carries out the notes among the effects.
pub(crate) fn carry_out(
    effects: &[Effect],
    project: &Project,
    locked: &mut Locked<'_>,
    run: &Run<'_>,
) -> Result<(), Error> {
    let system = run.system;
    let mut wanted =
        effects.iter().filter_map(|effect| if let Effect::StatusFile(note) = effect { Some(note) } else { None });
    let Some(first) = wanted.next() else { return Ok(()) };
    let root = project.files();
    let all: Vec<&StatusFileEdit> = std::iter::once(first).chain(wanted).collect();
    // Nothing of a replay outlives it.
    for note in all.iter().filter(|_| run.may.outlives) {
        match note {
            StatusFileEdit::Put { file, text } => evidence::keep(locked, root, file, Some(&plain(text)), system)?,
            StatusFileEdit::Remove { file } => evidence::keep(locked, root, file, None, system)?,
            _ => {}
        }
    }
    let mut notes = locked.notes_below(root, &dir(root))?;
    all.into_iter().try_for_each(|note| apply(note, &mut notes, system.now.timestamp()))
}

/// Invariant 14: what goes into a file may have come from anywhere.
fn plain(text: &str) -> String {
    hook_audit_log::redact(text).into_owned()
}

fn apply(note: &StatusFileEdit, notes: &mut Notes<'_, '_>, epoch: i64) -> Result<(), Error> {
    match note {
        StatusFileEdit::Put { file, text } => notes.put(file, &plain(text)),
        StatusFileEdit::Add { file, line } => notes.add(file, &plain(line)),
        StatusFileEdit::Remove { file } => notes.remove(file),
        StatusFileEdit::Trim { file, lines } => notes.trim(file, *lines),
        StatusFileEdit::Strike { gate, path } => notes.strike(gate, &plain(path), epoch).map(drop),
        StatusFileEdit::Expire { gate, before } => notes.expire(gate, *before),
        StatusFileEdit::Forgive { gate, path } => notes.forgive(gate, &plain(path), epoch).map(drop),
    }
}
