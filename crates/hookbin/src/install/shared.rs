//! What several installations of one user or one project share: the executable in the data directory, and what an older form left.

use std::path::{Path, PathBuf};

use super::{Done, Undo};
use hook_runtime::installation::{Place, Scope, copy};
use hook_runtime::installation::{Record, record_path};
use hook_runtime::system::System;
use hook_runtime::system::files::{read, remove};

/// The notes of other installations that start the executable of this place.
pub(super) fn others(place: &Place, system: &System) -> Vec<PathBuf> {
    let mut notes = Vec::new();
    if let Ok(user) = Place::of_user(system)
        && place.scope != Scope::User
        && user.executable == place.executable
        && user.is_registered().unwrap_or(true)
    {
        notes.push(user.note);
    }
    if let Some(dirs) = system.state_dir().and_then(|state| std::fs::read_dir(state.join("projects")).ok()) {
        let both = |dir: std::fs::DirEntry| {
            [Scope::Local, Scope::Project].map(|scope| (scope, dir.path().join(scope.note_name())))
        };
        let mut found = dirs.flatten().flat_map(both).collect::<Vec<_>>();
        found.retain(|(scope, note)| *note != place.note && is_in_use(*scope, note, system));
        let mut found: Vec<PathBuf> = found.into_iter().map(|(_, note)| note).collect();
        found.sort();
        notes.extend(found);
    }
    notes
}

/// Whether the installation that left this note still stands. One whose project is gone or was moved does not.
fn is_in_use(scope: Scope, note: &Path, system: &System) -> bool {
    let Ok(Some(record)) = Record::at(note) else { return note.exists() };
    let place = Place::in_project(scope, Path::new(&record.root), system);
    place.is_ok_and(|place| place.is_registered().unwrap_or(true))
}

/// Whether an installation put the executable there, so that the last one may remove it.
pub(super) fn is_placed(place: &Place, system: &System) -> bool {
    match Record::read(place) {
        Ok(Some(record)) if place.scope != Scope::Project || record.has_placed(place) => record.has_placed(place),
        // A damaged note says nothing; the usual case holds.
        Err(_) => true,
        Ok(_) => {
            let notes = others(place, system);
            !place.executable.exists()
                || notes
                    .iter()
                    .any(|note| Record::at(note).ok().flatten().is_none_or(|record| record.has_placed_at(note)))
        }
    }
}

/// What is left of an installation in the project's own directory that no entry starts any more, as after a change of scope.
pub(super) fn leftover(root: &Path, system: &System) -> anyhow::Result<Option<Place>> {
    let place = Place::in_project(Scope::Project, root, system)?;
    // Settings that cannot be read may start it.
    let is_started = place.is_registered().unwrap_or(true)
        || place.sibling(system).is_some_and(|local| local.starts_projects().unwrap_or(true));
    let is_there = copy(&place).is_some() || record_path(&place).exists();
    Ok((is_there && !is_started).then_some(place))
}

/// The same where no entry starts it.
pub(crate) fn idle_copy(place: &Place, system: &System) -> anyhow::Result<Option<PathBuf>> {
    let Some(copy) = copy(place) else { return Ok(None) };
    let is_started =
        place.starts_projects()? || place.sibling(system).map_or(Ok(false), |other| other.starts_projects())?;
    Ok((!is_started).then_some(copy))
}

/// Removes the project's own copy of the executable where entries started it until now. The note of an earlier version stays, where
/// notes lie now: it knows how the project's configuration was.
pub(super) fn retire(place: &Place, undo: &mut Undo, done: &mut Done, system: &System) -> anyhow::Result<()> {
    let Some(root) = place.project.as_ref().map(hook_runtime::project::Project::root) else { return Ok(()) };
    if let Some(old) = leftover(root, system)? {
        adopt(&old, undo)?;
    }
    if let Some(copy) = idle_copy(place, system)? {
        remove(place.spot(&copy))?;
        done.changed = true;
        done.say(format!("removed {}, which nothing starts any more", copy.display()));
    }
    Ok(())
}

/// Takes the note of an earlier version over to where notes lie now.
pub(super) fn adopt(place: &Place, undo: &mut Undo) -> anyhow::Result<()> {
    let Some(old) = place.old_note.as_ref().filter(|old| **old != place.note) else { return Ok(()) };
    let Some(text) = read(place.spot(old))? else { return Ok(()) };
    if !place.note.exists() {
        let change = super::Change { spot: place.spot(&place.note), before: None, after: Some(text.clone()) };
        super::replace(&change.spot, &text, 0o600)?;
        undo.changes.push(change);
    }
    let gone = super::Change { spot: place.spot(old), before: Some(text), after: None };
    gone.make()?;
    undo.changes.push(gone);
    Ok(())
}
