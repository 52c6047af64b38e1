//! The one line of `.claude/hookbin.toml` that an installation writes, and taking it back.

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use toml_edit::{Array, DocumentMut, value};

use super::files;
use crate::project::Project;

/// What an installation changed in the configuration, so that it can be undone exactly.
#[derive(Debug, Serialize, Deserialize)]
struct Record {
    version: u32,
    /// The whole file before; `None` when there was none.
    before: Option<String>,
    /// The whole file after.
    after: String,
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

fn record_path(project: &Project) -> std::path::PathBuf {
    project.own().join("install.json")
}

/// Notes what the file was, unless an earlier installation's note still says it.
pub(super) fn remember(project: &Project, before: Option<&str>, after: &str) -> anyhow::Result<()> {
    let path = record_path(project);
    let earlier: Option<Record> = files::read(&path)?.and_then(|text| serde_json::from_str(&text).ok());
    let original = match earlier {
        Some(record) if Some(record.after.as_str()) == before => record.before,
        _ => before.map(str::to_owned),
    };
    let record = Record { version: 1, before: original, after: after.to_owned() };
    files::replace_own(&path, &serde_json::to_string(&record)?)
}

/// Undoes the change. A file that was edited since keeps those edits and loses only our line.
pub(super) fn revert(project: &Project) -> anyhow::Result<Option<String>> {
    let path = record_path(project);
    let Some(text) = files::read(&path)? else { return Ok(None) };
    let record: Record =
        serde_json::from_str(&text).with_context(|| format!("{} is damaged; remove it", path.display()))?;
    let config = project.config();
    let now = files::read(&config)?;
    let said = match (now, &record.before) {
        (None, _) => None,
        (Some(now), Some(before)) if now == record.after => {
            files::replace(&config, before)?;
            Some(format!("put {} back as it was", config.display()))
        }
        (Some(now), None) if now == record.after => {
            files::remove(&config)?;
            Some(format!("removed {}", config.display()))
        }
        (Some(now), before) => {
            let reverted = without_profiles(&now, before.as_deref())?;
            files::replace(&config, &reverted)?;
            Some(format!("took the profile out of {}, which was edited since", config.display()))
        }
    };
    files::remove(&path)?;
    Ok(said)
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
