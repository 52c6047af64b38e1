//! What an installation writes beside settings: the executable, and copies of the settings as they were.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use chrono::{DateTime, Utc};
use hook_runtime::installation::pieces;
use hook_runtime::system::files::{Spot, make_dir, remove, replace};
use hook_runtime::system::open::{Beneath, Kind, Rights};

/// Copies of a settings file that are kept.
const BACKUPS: usize = 5;

/// The largest executable that is read to compare it, in bytes.
pub(super) const MOST_EXECUTABLE: u64 = 256 << 20;

/// Puts these bytes there as an executable, unless they are there already. A running older copy goes on undisturbed.
pub(super) fn place_executable(spot: impl Into<Spot>, bytes: &[u8]) -> anyhow::Result<bool> {
    let spot = spot.into();
    let target = &spot.path;
    let dir = target.parent().context("the path has no directory")?;
    let beneath = spot.beneath.clone().unwrap_or_else(|| Beneath::new(dir));
    let is_whole = beneath
        .look(target)
        .is_ok_and(|seen| seen.kind == Kind::File && seen.mode.is_none_or(|mode| mode & 0o777 == 0o755));
    if is_whole && beneath.read(target, MOST_EXECUTABLE).is_ok_and(|present| present == bytes) {
        return Ok(false);
    }
    let pieces = pieces::of(bytes);
    let placed = beneath
        .replace(target, &pieces, Rights { anew: true, ..Rights::installed(0o755) })
        .map_err(|error| spot.why(error));
    placed.with_context(|| format!("cannot place {}", target.display()))?;
    Ok(true)
}

/// Keeps a dated copy of a settings text for its owner alone, and at most [`BACKUPS`] of one name.
pub(super) fn back_up(settings: &Path, text: &str, own: &Spot, now: DateTime<Utc>) -> anyhow::Result<PathBuf> {
    let dir = own.path.join("backup");
    make_dir(own.at(dir.clone()), true)?;
    let prefix = backup_prefix(settings)?;
    let stamp = now.format("%Y%m%d-%H%M%S");
    // The number keeps the order of copies of one second.
    let free = (0..1000)
        .map(|again| dir.join(format!("{prefix}{stamp}.{again:03}")))
        .find(|path| !own.at(path.clone()).exists());
    let backup = free.with_context(|| format!("{} is full of copies of this second", dir.display()))?;
    replace(own.at(backup.clone()), text, 0o600)?;
    let copies = backups(settings, own)?;
    for old in copies.iter().take(copies.len().saturating_sub(BACKUPS)) {
        remove(own.at(old.clone()))?;
    }
    Ok(backup)
}

/// The copies of a settings file, oldest first.
pub(super) fn backups(settings: &Path, own: &Spot) -> anyhow::Result<Vec<PathBuf>> {
    let prefix = backup_prefix(settings)?;
    let dir = own.path.join("backup");
    let beneath = own.beneath.clone().unwrap_or_else(|| Beneath::new(&dir));
    let names = beneath.names(&dir, usize::MAX).unwrap_or_default();
    Ok(names
        .into_iter()
        .filter(|name| name.to_string_lossy().starts_with(&prefix))
        .map(|name| dir.join(name))
        .collect())
}

fn backup_prefix(settings: &Path) -> anyhow::Result<String> {
    Ok(format!("{}-", settings.file_name().context("the path has no name")?.to_string_lossy()))
}
