//! Files that documents name in directories of the project, given another content, taken away or quarantined.

use std::path::Path;

use hook_policy::effect::{FileChange, ProjectFile};
use hook_session_state::{Error, Locked};

/// Makes one change. What is written holds no secret (invariant 14).
pub(crate) fn apply(file: &ProjectFile, root: &Path, locked: &mut Locked<'_>, epoch: i64) -> Result<(), Error> {
    let dir = root.join(&file.dir);
    if !matches!(file.change, FileChange::Put(_)) && !dir.is_dir() {
        return Ok(());
    }
    let mut notes = locked.notes_below(root, &dir)?;
    match &file.change {
        FileChange::Put(text) => notes.put(&file.name, &hook_audit_log::redact(text)),
        FileChange::Remove => notes.remove(&file.name),
        FileChange::SetAside => {
            if let Some(text) = notes.read(&file.name)? {
                notes.put(&format!("{}.damaged-{epoch}", file.name), &text)?;
            }
            notes.remove(&file.name)
        }
    }
}
