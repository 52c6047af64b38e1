//! What calls of a session changed, by their text, among the files that linters, tests and builds load.
//!
//! Whole packages are too large to look through each time a linter starts. A call that names one of their files as what it changes is
//! remembered with its moment, and bars as a file does that a tool wrote.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use hook_policy::LOADED_FOLDERS;
use hook_session_state::{Error, SessionDocument};

use crate::section;

/// Most files that are remembered. The last ones matter: what came before, the person may have seen.
const MOST: usize = 100;

/// Keeps in the session's document that a call changed these.
pub(crate) fn note(files: &[String], document: &mut SessionDocument) -> Result<bool, Error> {
    if files.is_empty() {
        return Ok(false);
    }
    let mut all = known(document);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let now = u64::try_from(now.as_millis()).unwrap_or(u64::MAX);
    for file in files {
        all.retain(|(known, _)| known != file);
        all.push((file.clone(), now));
    }
    all.drain(..all.len().saturating_sub(MOST));
    document.set_section_raw(section::ALTERED, &section::text(&all))?;
    Ok(true)
}

fn known(document: &SessionDocument) -> Vec<(String, u64)> {
    section::read(document.section_raw(section::ALTERED))
}

/// One that programs in `root` may load, and that changed after the person looked last.
pub(crate) fn since(seen: Option<SystemTime>, document: &SessionDocument, root: &Path) -> Option<String> {
    let real = std::fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
    let is_news = |millis: u64| {
        let at = SystemTime::UNIX_EPOCH.checked_add(Duration::from_millis(millis));
        seen.is_none_or(|seen| at.is_none_or(|at| at > seen))
    };
    let (file, _) = known(document).into_iter().rev().find(|(file, millis)| {
        let base = base(Path::new(file));
        let counts = [root, real.as_path()].iter().any(|root| base.starts_with(root) || root.starts_with(&base));
        counts && is_news(*millis)
    })?;
    let path = Path::new(&file);
    let inside = path.strip_prefix(root).or_else(|_| path.strip_prefix(&real)).unwrap_or(path);
    Some(inside.display().to_string())
}

/// The folder in which such files lie. What lies above a project is loaded as well, such as the packages of a whole workspace.
fn base(file: &Path) -> PathBuf {
    let is_loaded =
        |part: &std::path::Component<'_>| part.as_os_str().to_str().is_some_and(|part| LOADED_FOLDERS.contains(&part));
    file.components().take_while(|part| !is_loaded(part)).collect()
}
