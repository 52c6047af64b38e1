//! The note that an installation keeps beside its executable, and the one line of configuration that it writes and takes back.

use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use toml_edit::{Array, Document, Item};

use super::place::{Place, Scope};
use crate::Error;
use crate::error::{Context as _, bail};
use crate::project::Project;
use crate::system::System;
use crate::system::files::{self, Change, Spot};
use crate::trust::Dir;

/// What an installation has to know later: to be undone exactly, and to see that its executable is still the one it placed.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Record {
    version: u32,
    /// The version that was installed.
    #[serde(default)]
    pub hookbin: String,
    /// SHA-256 of the executable.
    #[serde(default)]
    pub executable: String,
    /// The whole configuration as it would be without our line; `None` when there would be none.
    #[serde(default)]
    before: Option<String>,
    /// The whole configuration after; `None` when it was left alone.
    #[serde(default)]
    after: Option<String>,
    /// Directories that were missing, outermost first; those of a project relative to it, so that it can be moved.
    #[serde(default)]
    made: Vec<String>,
    /// Whether an installation placed the executable; otherwise it was there before.
    #[serde(default = "yes")]
    placed: bool,
    /// The project's directory.
    #[serde(default)]
    pub root: String,
    /// Which directory it was; earlier versions did not know.
    #[serde(rename = "folder", default, skip_serializing_if = "Option::is_none")]
    dir: Option<Dir>,
}

const VERSION: u32 = 4;

fn yes() -> bool {
    true
}

/// Where the note of a place lies: where it is written, or where an earlier version left it.
pub fn path(place: &Place) -> PathBuf {
    let old = place.old_note.as_ref().filter(|old| !place.note.exists() && old.exists());
    old.unwrap_or(&place.note).clone()
}

impl Record {
    /// The note of an earlier installation.
    pub fn read(place: &Place) -> Result<Option<Self>, Error> {
        let path = path(place);
        Self::at(place.spot(&path))
    }

    /// Whether a note is there and is of the directory that the project's path leads to: another one under its path is another clone. A
    /// damaged one does not say.
    pub fn is_of(note: &Path, project: &Project) -> bool {
        match Self::at(note) {
            Ok(None) => false,
            Ok(Some(record)) => record.dir.is_none_or(|dir| dir.is_at(project.root())),
            Err(_) => true,
        }
    }

    /// Whether that installation placed the executable of this place. Up to version 3 that of a project lay in the project.
    pub fn has_placed(&self, place: &Place) -> bool {
        self.has_placed_at(Path::new(place.scope.note_name()))
    }

    /// The same of a note by its name.
    pub fn has_placed_at(&self, note: &Path) -> bool {
        self.placed && (self.version > 3 || !note.ends_with(Scope::Project.note_name()))
    }

    /// Whether there is a note; one that is damaged is one.
    pub fn is_there(place: &Place) -> bool {
        !matches!(Self::read(place), Ok(None))
    }

    /// The note in this file.
    pub fn at(spot: impl Into<Spot>) -> Result<Option<Self>, Error> {
        let spot = spot.into();
        let Some(text) = files::read(&spot)? else { return Ok(None) };
        let record = serde_json::from_str(&text).with_context(|| format!("{} is damaged", spot.path.display()))?;
        Ok(Some(record))
    }

    /// The same where the work goes on without it. What is lost with a damaged note is told as a warning.
    pub fn read_or_warn(place: &Place, warnings: &mut Vec<String>) -> Option<Self> {
        Self::read(place).unwrap_or_else(|error| {
            let config = place.config.display();
            warnings.push(format!("{error:#}; how {config} was before an installation is not known any more"));
            None
        })
    }

    /// The note of this installation. What an earlier one knew of the time before it stays known.
    pub fn new(
        place: &Place,
        config: Option<&Change>,
        executable: String,
        placed: bool,
        made: Vec<PathBuf>,
    ) -> Result<Self, Error> {
        // A damaged one was warned about, and this one takes its place.
        let earlier = Self::read(place).ok().flatten().unwrap_or_default();
        let root = place.project.as_ref().map(Project::root);
        let name = |dir: PathBuf| {
            let inside = root.and_then(|root| dir.strip_prefix(root).ok()).unwrap_or(&dir);
            inside.to_str().map(str::to_owned)
        };
        let mut record = Self {
            version: VERSION,
            placed,
            root: root.map(|root| root.to_string_lossy().into_owned()).unwrap_or_default(),
            hookbin: env!("CARGO_PKG_VERSION").to_owned(),
            executable,
            dir: root.and_then(Dir::of),
            made: earlier.made.into_iter().chain(made.into_iter().filter_map(name)).collect(),
            before: earlier.before,
            after: earlier.after,
        };
        if let Some(config) = config {
            record.before = match (&record.after, &config.before) {
                (Some(written), Some(now)) if now == written => record.before,
                // Somebody edited the file since; what it would be without our line is what there was before.
                (Some(written), Some(now)) if value(now)? == value(written)? => {
                    take_back(now, record.before.as_deref())?
                }
                _ => config.before.clone(),
            };
            record.after.clone_from(&config.after);
        }
        Ok(record)
    }

    /// Writes the note of a place.
    pub fn write(&self, place: &Place) -> Result<Change, Error> {
        self.write_to(place.spot(&place.note))
    }

    /// Writes it into this file.
    pub fn write_to(&self, note: Spot) -> Result<Change, Error> {
        let change = Change {
            before: files::read(&note)?,
            spot: note,
            after: Some(serde_json::to_string(self).map_err(Error::other)?),
        };
        files::replace(&change.spot, change.after.as_deref().unwrap_or_default(), 0o600)?;
        Ok(change)
    }

    /// Removes the note, and one that an earlier version left.
    pub fn remove(place: &Place) -> Result<(), Error> {
        place.old_note.iter().chain([&place.note]).try_for_each(|note| files::remove(place.spot(note)))
    }

    /// Leaves the directories that are not empty yet to another installation that made use of them, which removes them with its own.
    pub fn leave_dirs(&self, to: &Path) -> Result<(), Error> {
        let Some(mut other) = Self::at(to)? else { return Ok(()) };
        let root = Path::new(&self.root);
        let is_shared = |name: &&String| Path::new(name).is_absolute() || self.root == other.root;
        let left = self.made.iter().filter(is_shared).filter(|name| root.join(name).is_dir());
        let left: Vec<String> = left.filter(|name| !other.made.contains(name)).cloned().collect();
        if !left.is_empty() {
            other.made.splice(0..0, left);
            other.write_to(to.into())?;
        }
        Ok(())
    }

    /// How the configuration becomes what it was. A file that was edited since keeps those edits and loses only our line; a line that
    /// somebody changed is theirs.
    pub fn revert(&self, place: &Place) -> Result<Option<Change>, Error> {
        let Some(written) = &self.after else { return Ok(None) };
        let Some(now) = files::read(place.spot(&place.config))? else { return Ok(None) };
        let after = if now == *written {
            self.before.clone()
        } else {
            let way = || format!("cannot take the profile out of {}; correct it", place.config.display());
            if value(&now).with_context(way)? != value(written).with_context(way)? {
                return Ok(None);
            }
            take_back(&now, self.before.as_deref()).with_context(way)?
        };
        Ok(Some(Change { spot: place.spot(&place.config), before: Some(now), after }))
    }

    /// Removes the directories that were made, as far as they are empty again.
    pub fn remove_dirs(&self, place: &Place, system: &System) {
        // The user's directory of data was made by a scope that was installed beside this one and is gone.
        let data = system.data_dir();
        let near = |dir: &Path| {
            let ours = place.dirs().chain([place.settings.as_path(), &place.config]).chain(data.as_deref());
            ours.into_iter().any(|path| path.starts_with(dir))
        };
        let root = place.project.as_ref().map(Project::root);
        let made = self.made.iter().rev().map(|name| root.map_or_else(|| PathBuf::from(name), |root| root.join(name)));
        for dir in made.filter(|dir| near(dir)) {
            // One with something in it stays, and that is right.
            files::remove_empty(place.spot(&dir));
        }
    }
}

/// The byte order mark that some editors begin a file with.
const MARK: char = '\u{feff}';

/// The text of the configuration with `profile` set to `names`; everything else stays byte for byte.
pub fn with_profiles(before: Option<&str>, names: &[String]) -> Result<String, Error> {
    let text = before.unwrap_or_default();
    let wanted: Array = names.iter().map(String::as_str).collect();
    let wanted = wanted.to_string();
    let Some(line) = line(text)? else {
        // A key has to stand before the first table, so the line goes to the very top, but for a mark.
        let top = text.len() - text.trim_start_matches(MARK).len();
        let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        return Ok(splice(text, top..top, &format!("profile = {}{end}", wanted.trim())));
    };
    let same = line.names.as_deref() == Some(names);
    Ok(if same { text.to_owned() } else { splice(text, line.value, wanted.trim()) })
}

/// The text without our line, or with the value that the line had before; `None` where nothing is left of a file of ours.
fn take_back(now: &str, before: Option<&str>) -> Result<Option<String>, Error> {
    let Some(line) = line(now)? else { return Ok(Some(now.to_owned())) };
    if let Some(earlier) = value(before.unwrap_or_default())? {
        return Ok(Some(splice(now, line.value, &earlier)));
    }
    let left = splice(now, line.whole, "");
    Ok(Some(left).filter(|left| before.is_some() || !left.trim().is_empty()))
}

/// The value of `profile` as it is written.
fn value(text: &str) -> Result<Option<String>, Error> {
    Ok(line(text)?.and_then(|line| text.get(line.value).map(str::to_owned)))
}

/// The line that names the profiles.
struct Line {
    /// All of it, with its end.
    whole: Range<usize>,
    value: Range<usize>,
    names: Option<Vec<String>>,
}

fn line(text: &str) -> Result<Option<Line>, Error> {
    let plain = text.trim_start_matches(MARK);
    let offset = text.len() - plain.len();
    let document = Document::parse(plain).map_err(Error::other)?;
    let Some((key, item)) = document.get_key_value("profile") else { return Ok(None) };
    let (Some(key), Some(span), Item::Value(found)) = (key.span(), item.span(), item) else {
        bail!("`profile` is no list of names");
    };
    let names = match found {
        // A plain name is left as it is where it says the same.
        toml_edit::Value::String(name) => Some(vec![name.value().clone()]),
        toml_edit::Value::Array(array) => array.iter().map(|name| name.as_str().map(str::to_owned)).collect(),
        _ => None,
    };
    let (value, key) = (span.start + offset..span.end + offset, key.start + offset);
    let start = text.get(offset..key).and_then(|above| above.rfind('\n')).map_or(offset, |at| offset + at + 1);
    let end = text.get(value.end..).and_then(|rest| rest.find('\n')).map_or(text.len(), |at| value.end + at + 1);
    Ok(Some(Line { whole: start..end, value, names }))
}

fn splice(text: &str, span: Range<usize>, with: &str) -> String {
    let part = |range: Range<usize>| text.get(range).unwrap_or_default();
    [part(0..span.start), with, part(span.end..text.len())].concat()
}
