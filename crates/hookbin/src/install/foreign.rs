//! What is found in the place of our own files and was not made by us: a clone may bring it. It is moved aside, never believed, never
//! deleted.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::Done;
use super::ignored::is_tracked;
use hook_runtime::installation::Record;
use hook_runtime::installation::user;
use hook_runtime::installation::{Place, Scope};
use hook_runtime::project::places;
use hook_runtime::project::{EXECUTABLE, IGNORE};
use hook_runtime::system::System;
use hook_runtime::system::files;

/// The directory of everything that is ours in a project.
const OWN: &str = ".claude/hookbin";

/// The directory of copies of the settings.
const BACKUPS: &str = "backup";

/// What is not ours in a project's own directory: all of it where git tracks any of it, or where no installation of this user is known
/// and anything but the executable lies there. A log and sessions of a stranger would be believed like one's own. `running` is the
/// executable that installs; the same bytes are not a stranger's, wherever they come from.
pub(super) fn found(place: &Place, running: &[u8], system: &System) -> Vec<PathBuf> {
    let Some(project) = &place.project else { return Vec::new() };
    let own = project.root().join(OWN);
    // It may have been cut short.
    let is_ignore = |name: &OsString| {
        files::read(place.spot(&own.join(name))).is_ok_and(|text| text.is_none_or(|text| IGNORE.starts_with(&text)))
    };
    let is_foreign = |name: &OsString| {
        // What an installation that was killed leaves: unfinished files go anyway, copies of settings are believed by nobody.
        let is_ours = name.to_str().is_some_and(files::is_temporary)
            || name == ".gitignore" && is_ignore(name)
            || name == BACKUPS
            || name == EXECUTABLE && files::holds(&place.spot(&own.join(name)), running);
        !is_ours
    };
    let is_brought = || !is_known(place, system) && files::names(place.spot(&own)).iter().any(is_foreign);
    let is_there = own.symlink_metadata().is_ok();
    if is_there && (is_tracked(project.root(), Path::new(OWN), system) || is_brought()) {
        vec![own]
    } else {
        Vec::new()
    }
}

/// Whether the user's own records know of an installation in this project, past or present.
fn is_known(place: &Place, system: &System) -> bool {
    let Some(project) = &place.project else { return true };
    let scopes = [Scope::Local, Scope::Project];
    let notes =
        || scopes.into_iter().filter_map(|scope| places::note(scope, project, system)).filter(|note| note.exists());
    let marks = scopes.into_iter().map(|scope| places::uninstalled_mark(scope, Some(project), system));
    let known = marks.chain([user::voucher(project, system)]).flatten();
    // Without a place for records of the user's own nothing can be known.
    system.state_dir().is_none()
        || notes().any(|note| Record::is_of(&note, project))
        || notes().next().is_none() && { known }.any(|path| path.exists())
}

/// Moves it aside.
pub(super) fn set_aside(place: &Place, running: &[u8], system: &System, done: &mut Done) -> anyhow::Result<()> {
    for path in found(place, running, system) {
        let aside = files::set_aside(&place.spot(&path))?;
        if let Some(project) = &place.project {
            project.look_again();
        }
        done.changed = true;
        done.say(format!(
            "moved {} to {}: it was not made by an installation of yours",
            path.display(),
            aside.display()
        ));
    }
    Ok(())
}
