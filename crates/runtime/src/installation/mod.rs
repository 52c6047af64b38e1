//! Where an installation lies, and the note that it leaves.

pub mod pieces;
mod place;
pub mod presence;
mod record;
pub mod started;
pub mod user;

use std::path::PathBuf;

pub use self::place::{Place, Scope, shell_quote};
pub use self::record::{Record, path as record_path, with_profiles};

/// The copy of the executable that an earlier version put into the project.
pub fn copy(place: &Place) -> Option<PathBuf> {
    let copy = place.project.as_ref()?.executable();
    (copy != place.executable && copy.symlink_metadata().is_ok()).then_some(copy)
}
