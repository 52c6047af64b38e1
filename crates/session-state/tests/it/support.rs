//! A store in a directory of its own, and short ways to use one.

use std::path::PathBuf;

use hook_session_state::{Kind, Locked, SessionDocument, SessionId, Store};
use tempfile::TempDir;

/// A store in a temporary directory that goes away with it.
pub(crate) struct Home {
    dir: TempDir,
    pub(crate) store: Store,
}

impl Home {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::new(dir.path().join("state"));
        Self { dir, store }
    }

    /// A path beside the store's directory.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// A path in the store's directory.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.store.dir().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Puts a file into the store's directory.
    pub(crate) fn put(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    /// Every name in the store's directory and the directory of its sessions, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let list = |dir: PathBuf, prefix: &str| -> Vec<String> {
            let entries = std::fs::read_dir(dir).into_iter().flatten();
            entries.map(|entry| format!("{prefix}{}", entry.unwrap().file_name().into_string().unwrap())).collect()
        };
        let mut names = list(self.store.dir().to_path_buf(), "");
        names.extend(list(self.path("sessions"), "sessions/"));
        names.retain(|name| name != "sessions");
        names.sort();
        names
    }

    pub(crate) fn document(&self, id: &SessionId) -> SessionDocument {
        self.store.read_session(id).unwrap().unwrap()
    }
}

pub(crate) fn session(name: &str) -> SessionId {
    SessionId::from_raw(name)
}

/// One tool call that read a file, as a caller counts it. Says whether the call was counted.
pub(crate) fn read_file(locked: &mut Locked<'_>, id: &SessionId, call: &str, file: &str) -> bool {
    let mut document = locked.session(id).unwrap().value;
    if !locked.first_time(id, Kind::Event, call).unwrap() {
        return false;
    }
    document.activity_mut().action_count += 1;
    if locked.first_time(id, Kind::Read, file).unwrap() {
        document.activity_mut().files_read.push(file);
    }
    locked.save(&document).unwrap();
    true
}
