//! The user-wide installation on a hook run: where it records, and when a project's own entry answers instead.

use std::path::{Path, PathBuf};

use hook_protocol::settings::edit::{FoundEntry, find, runs_hookbin};
use hook_protocol::settings::{self, Effect};

use crate::host::Host;
use crate::install::sha256;
use crate::open;
use crate::process::is_executable;
use crate::project::Project;
use crate::settings::{PROJECT_COMMAND, is_shared, obstacle};

/// Largest settings file that a hook run reads, in bytes. A larger one is taken for one without an entry of ours.
const MAX_SETTINGS_BYTES: u64 = 4 << 20;

/// The folder of vouchers beside the user-wide executable.
pub(crate) const VOUCHERS: &str = "projects";

/// What the client puts in for the folder that it was started in.
pub(crate) const PROJECT_DIR: &str = "${CLAUDE_PROJECT_DIR}";

/// The project as the user-wide entry serves it: one in which the person installed keeps its records, any other has them in a folder
/// of its own under the person's state folder, so that nothing is written into a project that never asked for it.
pub(crate) fn served(project: Project, host: &Host) -> Project {
    if is_vouched_for(&project, host) {
        return project;
    }
    match records(&project, host) {
        Some(folder) => project.recorded_in(folder),
        None => project,
    }
}

/// The same for commands that look at records: the user-wide folder counts only if something was recorded there.
pub(crate) fn where_recorded(project: Project, host: &Host) -> Project {
    if project.executable().exists() {
        return project;
    }
    match records(&project, host).filter(|folder| folder.is_dir()) {
        Some(folder) => project.recorded_in(folder),
        None => project,
    }
}

/// The folder of a project's records under the person's state folder.
fn records(project: &Project, host: &Host) -> Option<PathBuf> {
    Some(host.state_folder()?.join("projects").join(name_of(project)?))
}

/// The folders in which the person's own commands leave marks: that they uninstalled or paused the guard, in a project or everywhere.
pub(crate) fn mark_folders(project: Option<&Project>, host: &Host) -> Vec<PathBuf> {
    project.and_then(|project| records(project, host)).into_iter().chain(host.state_folder()).collect()
}

/// The file in which an installation vouches for a project's own executable.
pub(crate) fn voucher(project: &Project, host: &Host) -> Option<PathBuf> {
    Some(host.data_folder()?.join(VOUCHERS).join(name_of(project)?))
}

/// What a voucher says about an executable: enough to see that another one took its place.
pub(crate) fn vouched(executable: &Path) -> Option<String> {
    let metadata = executable.symlink_metadata().ok().filter(std::fs::Metadata::is_file)?;
    let modified = metadata.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some(format!("{} {}\n", metadata.len(), modified.as_nanos()))
}

/// Whether the project's executable is still the one that this person installed there.
fn is_vouched_for(project: &Project, host: &Host) -> bool {
    let said = voucher(project, host).and_then(|path| read(&path));
    said.is_some() && said == vouched(&project.executable())
}

/// A name for a project that begins with the project's own, for people, and ends with a hash of the whole path, so that two projects
/// of one name stay apart.
fn name_of(project: &Project) -> Option<String> {
    let root = project.root();
    let name: String =
        root.file_name()?.to_string_lossy().chars().filter(char::is_ascii_alphanumeric).take(32).collect();
    let hash = sha256(root.as_os_str().as_encoded_bytes());
    Some(format!("{name}-{}", hash.get(..16)?))
}

/// Whether the client, started in this folder, runs an entry of the project's own for this event. It reads the settings of the folder
/// it was started in and of no other, and drops a file whole for one fault, so anything but a clear yes is a no: answering twice is
/// harmless, and not answering would leave the call unguarded. For the same reason this way is given only to an executable that the
/// person installed there: a project that came from elsewhere can bring settings and a program of that name with it.
pub(crate) fn project_answers(event: &str, host: &Host) -> bool {
    let Some(root) = host.var("CLAUDE_PROJECT_DIR").map(PathBuf::from) else { return false };
    let project = Project::at(&root);
    if !is_vouched_for(&project, host) {
        return false;
    }
    ["settings.json", "settings.local.json"].iter().any(|name| {
        let Some(text) = read(&root.join(".claude").join(name)) else { return false };
        // Most projects have no entry of ours; they pay for no parsing.
        text.contains("hookbin") && answers(&text, event, &root)
    })
}

fn answers(text: &str, event: &str, root: &Path) -> bool {
    let own = |entry: &FoundEntry| entry.event == event && answers_every_call(entry) && starts(entry, root);
    settings::inspect(text).iter().all(|problem| problem.effect == Effect::Ignored)
        && find(text, &runs_hookbin).is_ok_and(|found| found.iter().any(own))
}

/// Whether an entry is of exactly the form that an installation writes, so that what it says counts.
fn answers_every_call(entry: &FoundEntry) -> bool {
    matches!(entry.matcher.as_deref(), None | Some("" | "*")) && obstacle(entry).is_none()
}

/// Whether the entry starts the project's own executable for its event. Only the two forms that installations write are read; the
/// shared one takes the project's own before any other.
fn starts(entry: &FoundEntry, root: &Path) -> bool {
    let args = entry.args.as_deref().unwrap_or_default();
    let is_direct = entry.command.as_deref() == Some(PROJECT_COMMAND)
        && matches!(args, [hook, event] if hook == "hook" && *event == entry.event);
    (is_direct || is_shared(entry)) && is_executable(&Project::at(root).executable())
}

fn read(path: &Path) -> Option<String> {
    open::text(path, MAX_SETTINGS_BYTES)
}
