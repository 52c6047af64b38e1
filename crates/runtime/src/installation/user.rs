//! The user-wide installation on a hook run: where it records, and when a project's own entry answers instead.

use std::path::{Path, PathBuf};

use hook_protocol::settings;
use hook_protocol::settings::edit::{FoundEntry, find, runs_hookbin};

use crate::config::settings::{Form, MAX_SETTINGS_BYTES, find_executable, is_shared, obstacle};
use crate::event::args::{HookArgs, LOCAL_MARK};
use crate::installation::{Record, Scope};
use crate::programs::launch::is_executable;
use crate::project::places::{name_of, note, records_dir};
use crate::project::{EXECUTABLE, Project, lies_in};
use crate::system::System;
use crate::system::open;

/// The directory of vouchers beside the user-wide executable.
pub const VOUCHERS: &str = "projects";

/// What the host puts in for the directory that it was started in.
pub const PROJECT_DIR: &str = "${CLAUDE_PROJECT_DIR}";

/// The project as the user-wide entry serves it: one in which the user installed keeps its records, any other has them in a directory
/// of its own under the user's state directory, so that nothing is written into a project that never asked for it.
pub fn served(project: Project, system: &System) -> Project {
    if is_installed_in(&project, system) || is_vouched(&project, system) {
        return project;
    }
    match records_dir(&project, system) {
        Some(dir) => project.recorded_in(dir),
        None => project,
    }
}

/// The same for commands that look at records. The project's own directory counts where the user installed there. Anything may lie in it
/// otherwise: a clone can bring records, and an executable with them. Where nothing was recorded elsewhere and no user-wide entry
/// would, what lies in the project was left by an entry that the user does not know by a note.
pub fn where_recorded(project: Project, system: &System) -> Project {
    if is_installed_in(&project, system) || is_vouched(&project, system) {
        return project;
    }
    let is_recorded_in = |dir: &PathBuf| ["state", "log"].iter().any(|name| dir.join(name).is_dir());
    let is_user_wide = || system.data_dir().is_some_and(|own| own.join(Scope::User.note_name()).is_file());
    match records_dir(&project, system).filter(|dir| is_recorded_in(dir) || is_user_wide()) {
        Some(dir) => project.recorded_in(dir),
        None => project,
    }
}

/// The file in which an earlier version vouched for a project's own executable.
pub fn voucher(project: &Project, system: &System) -> Option<PathBuf> {
    Some(system.data_dir()?.join(VOUCHERS).join(name_of(project)?))
}

/// Whether a voucher of an earlier version names the executable that lies in the project, by size and date. It says where that user
/// keeps records, until the next installation leaves a note; it says nothing of what may be started.
pub fn is_vouched(project: &Project, system: &System) -> bool {
    let Some(said) = voucher(project, system).and_then(|path| read(&path)) else { return false };
    let looks = || {
        let metadata = project.executable().symlink_metadata().ok().filter(std::fs::Metadata::is_file)?;
        let modified = metadata.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
        Some([metadata.len().to_string(), modified.as_nanos().to_string()])
    };
    looks().is_some_and(|looks| said.split_ascii_whitespace().take(looks.len()).eq(looks.iter().map(String::as_str)))
}

/// Whether the user installed into settings of this project: their own, or those that its people share.
fn is_installed_in(project: &Project, system: &System) -> bool {
    [Scope::Local, Scope::Project].into_iter().any(|scope| is_installed(scope, project, system))
}

/// The same of one scope.
fn is_installed(scope: Scope, project: &Project, system: &System) -> bool {
    note(scope, project, system).is_some_and(|note| is_there(&note) && Record::is_of(&note, project))
}

/// Whether an entry of another scope answers this event, so that this one would only say everything twice: the user's own entry in
/// the project comes before the project's, and both before the user-wide one. The first in this order pays nothing for the question.
pub fn another_answers(args: &HookArgs, system: &System) -> bool {
    let Some(event) = args.subject.as_deref().filter(|_| !args.local && args.project.is_none()) else { return false };
    local_answers(event, system) || (args.user && project_answers(event, system))
}

/// Whether the host, started in this directory, runs an entry of the user's own settings for this event. The settings alone do not
/// say it, because a project that came from elsewhere can bring some: the user must have installed there.
pub fn local_answers(event: &str, system: &System) -> bool {
    let Some(root) = started_in(system) else { return false };
    let settings = root.join(".claude/settings.local.json");
    // Most projects have no such file, and of those that have one, most no entry of ours; they pay for no reading.
    if !is_there(&settings) || !is_installed(Scope::Local, &Project::at(&root), system) {
        return false;
    }
    let Some(executable) = system.data_dir().map(|dir| dir.join(EXECUTABLE)) else { return false };
    let form = Form::of_local(&executable.to_string_lossy(), cfg!(windows));
    let starts = |entry: &FoundEntry| entry.command == form.command && is_executable(&executable);
    read(&settings).is_some_and(|text| text.contains(LOCAL_MARK) && answers(&text, event, Some(LOCAL_MARK), &starts))
}

/// The directory that the host was started in. A hook runs where the session is, so another project's directory is none that this entry may
/// give way to.
fn started_in(system: &System) -> Option<PathBuf> {
    let root = system.project_dir()?;
    system.cwd.as_deref().is_some_and(|cwd| lies_in(cwd, &root)).then_some(root)
}

/// The cheapest way to ask, for a file that most projects do not have.
#[cfg(unix)]
fn is_there(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::EXISTS).is_ok()
}

#[cfg(not(unix))]
fn is_there(path: &Path) -> bool {
    path.exists()
}

/// Whether the host, started in this directory, runs an entry of the project's own for this event. It reads the settings of the directory
/// it was started in and of no other, and drops a file whole for one fault, so anything but a clear yes is a no: answering twice is
/// harmless, and not answering would leave the call unguarded. For the same reason this way is given only where the user installed: a
/// project that came from elsewhere can bring settings with it.
fn project_answers(event: &str, system: &System) -> bool {
    let Some(root) = started_in(system) else { return false };
    let project = Project::at(&root);
    if !is_installed(Scope::Project, &project, system) {
        return false;
    }
    // The line looks by what the environment says. Only what the user installed may answer for this one.
    let own = system.data_dir().map(|dir| dir.join(EXECUTABLE));
    if own.is_none() || find_executable(&root, system) != own {
        return false;
    }
    ["settings.json", "settings.local.json"].iter().any(|name| {
        let Some(text) = read(&root.join(".claude").join(name)) else { return false };
        // Most projects have no entry of ours; they pay for no parsing.
        text.contains("hookbin") && answers(&text, event, None, &is_shared)
    })
}

/// Whether the host runs an entry for this event that carries this mark and starts what it should.
fn answers(text: &str, event: &str, mark: Option<&str>, starts: &dyn Fn(&FoundEntry) -> bool) -> bool {
    let own = |entry: &FoundEntry| entry.event == event && answers_every_call(entry, mark) && starts(entry);
    settings::is_surely_read(text) && find(text, &runs_hookbin).is_ok_and(|found| found.iter().any(own))
}

/// Whether an entry is of exactly the form that an installation writes, so that what it says counts.
fn answers_every_call(entry: &FoundEntry, mark: Option<&str>) -> bool {
    let marked = entry.args.iter().flatten().any(|arg| Some(arg.as_str()) == mark);
    let is_written = match mark {
        Some(_) => marked && entry.args.as_ref().is_some_and(|args| args.len() == 3),
        None => true,
    };
    matches!(entry.matcher.as_deref(), None | Some("" | "*")) && is_written && obstacle(entry).is_none()
}

fn read(path: &Path) -> Option<String> {
    open::text(path, MAX_SETTINGS_BYTES)
}
