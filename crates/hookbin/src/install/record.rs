//! The note that an installation keeps beside its executable, and the one line of configuration that it writes and takes back.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use toml_edit::{Array, DocumentMut, value};

use super::files::{self, Change};
use super::place::Place;

/// What an installation has to know later: to be undone exactly, and to see that its executable is still the one it placed.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Record {
    version: u32,
    /// The version that was installed.
    #[serde(default)]
    pub(crate) hookbin: String,
    /// SHA-256 of the executable.
    #[serde(default)]
    pub(crate) executable: String,
    /// The whole configuration before; `None` when there was none.
    #[serde(default)]
    before: Option<String>,
    /// The whole configuration after; `None` when it was left alone.
    #[serde(default)]
    after: Option<String>,
    /// Folders that were missing, outermost first.
    #[serde(default)]
    made: Vec<PathBuf>,
}

const VERSION: u32 = 2;

fn path(place: &Place) -> PathBuf {
    place.own.join("install.json")
}

impl Record {
    /// The note of an earlier installation.
    pub(crate) fn read(place: &Place) -> anyhow::Result<Option<Self>> {
        let path = path(place);
        let Some(text) = files::read(&path)? else { return Ok(None) };
        let record =
            serde_json::from_str(&text).with_context(|| format!("{} is damaged; remove it", path.display()))?;
        Ok(Some(record))
    }

    /// The note of this installation. What an earlier one knew of the time before it stays known.
    pub(super) fn new(
        place: &Place,
        config: Option<&Change>,
        executable: String,
        made: Vec<PathBuf>,
    ) -> anyhow::Result<Self> {
        let earlier = Self::read(place)?.unwrap_or_default();
        let mut record = Self {
            version: VERSION,
            hookbin: env!("CARGO_PKG_VERSION").to_owned(),
            executable,
            made: earlier.made.into_iter().chain(made).collect(),
            before: earlier.before,
            after: earlier.after,
        };
        if let Some(config) = config {
            if record.after.is_none() || record.after != config.before {
                record.before.clone_from(&config.before);
            }
            record.after.clone_from(&config.after);
        }
        Ok(record)
    }

    pub(super) fn write(&self, place: &Place) -> anyhow::Result<Change> {
        let change =
            Change { path: path(place), before: files::read(&path(place))?, after: Some(serde_json::to_string(self)?) };
        files::replace(&change.path, change.after.as_deref().unwrap_or_default(), 0o600)?;
        Ok(change)
    }

    pub(super) fn remove(place: &Place) -> anyhow::Result<()> {
        files::remove(&path(place))
    }

    /// How the configuration becomes what it was. A file that was edited since keeps those edits and loses only our line.
    pub(super) fn revert(&self, place: &Place) -> anyhow::Result<Option<Change>> {
        let Some(written) = &self.after else { return Ok(None) };
        let Some(now) = files::read(&place.config)? else { return Ok(None) };
        let after = if now == *written {
            self.before.clone()
        } else {
            let reverted = without_profiles(&now, self.before.as_deref())
                .with_context(|| format!("cannot take the profile out of {}; correct it", place.config.display()))?;
            Some(reverted)
        };
        Ok(Some(Change { path: place.config.clone(), before: Some(now), after }))
    }

    /// Removes the folders that were made, as far as they are empty again.
    pub(super) fn remove_folders(&self, place: &Place) {
        let near = |folder: &Path| {
            place.folders().chain([place.settings.as_path(), &place.config]).any(|path| path.starts_with(folder))
        };
        for folder in self.made.iter().rev().filter(|folder| near(folder)) {
            // One with something in it stays, and that is right.
            let _ = std::fs::remove_dir(folder);
        }
    }
}

/// The text of the configuration with `profile` set to `names`; everything else stays byte for byte.
pub(super) fn with_profiles(before: Option<&str>, names: &[String]) -> anyhow::Result<String> {
    let mut document: DocumentMut = before.unwrap_or_default().parse()?;
    let wanted: Array = names.iter().map(String::as_str).collect();
    let same = match document.get("profile").and_then(toml_edit::Item::as_value) {
        Some(toml_edit::Value::String(name)) => names == [name.value().as_str()],
        Some(toml_edit::Value::Array(present)) => {
            present.iter().map(toml_edit::Value::as_str).eq(names.iter().map(|name| Some(name.as_str())))
        }
        _ => false,
    };
    if same {
        return Ok(before.unwrap_or_default().to_owned());
    }
    match document.get_mut("profile").and_then(toml_edit::Item::as_value_mut) {
        // White space and a comment after the value belong to the line and stay.
        Some(present) => {
            let decor = present.decor().clone();
            *present = toml_edit::Value::Array(wanted);
            *present.decor_mut() = decor;
        }
        None if before.is_none_or(str::is_empty) => {
            document.insert("profile", value(wanted));
        }
        None => {
            // A key has to stand before the first table, so the line goes to the very top.
            return Ok(format!("profile = {wanted}\n{}", before.unwrap_or_default()));
        }
    }
    Ok(document.to_string())
}

fn without_profiles(now: &str, before: Option<&str>) -> anyhow::Result<String> {
    let mut document: DocumentMut = now.parse()?;
    let earlier: DocumentMut = before.unwrap_or_default().parse()?;
    match earlier.get("profile") {
        Some(item) => {
            document.insert("profile", item.clone());
        }
        None => {
            document.remove("profile");
        }
    }
    Ok(document.to_string())
}
