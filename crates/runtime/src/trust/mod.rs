//! What a user trusts of a project: that its programs run, and its configuration by content.
//!
//! A repository of a stranger brings a `hookbin.toml` like any other file. Until a user has seen it (`hookbin trust`) it can only make
//! answers stricter. The record lies in the user's state directory, one file a project, with the content that was trusted: when the file
//! changes, that content stays in force.

pub mod consent;
pub mod granted;
pub mod named;
pub mod outside;
pub mod package;
pub mod redefined;
pub mod strangers;

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::Error;
use crate::error::{Context as _, bail};
use crate::event::plain::one_line;
use crate::project::Project;
use crate::project::places;
use crate::system::System;
use crate::system::account;
use crate::system::files::{self, hexadecimal};

/// Largest configuration of a project that is read, in bytes. Whoever fills it decides how long reading it takes.
pub const MAX_PROJECT_BYTES: u64 = 256 << 10;

/// Largest record: a content of that size, in which every byte may be escaped.
const MAX_RECORD_BYTES: u64 = 8 * MAX_PROJECT_BYTES;

/// Schema version of the record. The first one does not know which directory it was.
const VERSION: u32 = 2;

/// How far the configuration of a project counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Standing {
    /// It has none, or one that would count no further if it were trusted.
    #[default]
    Plain,
    /// The content is the one that the user trusts.
    Trusted,
    /// It has changed since; the content that was trusted is in force.
    Changed,
    /// Nobody has trusted it, so only what is stricter counts.
    Untrusted,
}

impl Standing {
    /// What a user is told once a session, and by `status` and `doctor`.
    pub fn said(self) -> Option<&'static str> {
        match self {
            Self::Plain | Self::Trusted => None,
            Self::Changed => Some(
                "hookbin: .claude/hookbin.toml has changed since you trusted it; what you trusted stays in force. \
                 `hookbin trust` shows what is new.",
            ),
            Self::Untrusted => Some(
                "hookbin: .claude/hookbin.toml is not trusted, so only what makes it stricter counts. \
                 `hookbin trust` shows what it asks for.",
            ),
        }
    }
}

/// What a user trusts of one project.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Record {
    version: u32,
    /// The project's directory.
    project: String,
    /// When it was trusted (RFC 3339).
    pub at: String,
    /// Its programs may run: tests, linters, checkpoints.
    pub programs: bool,
    /// The directory that the user saw under the project's path.
    #[serde(rename = "folder", default, skip_serializing_if = "Option::is_none")]
    dir: Option<Dir>,
    /// Programs that the profile in force names, by a path that leads out of the directory.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<String>,
    /// Its configuration, if it had one.
    pub config: Option<Content>,
}

/// What a user agrees to.
#[derive(Debug, Default)]
pub struct Agreed {
    /// The project's programs may run.
    pub programs: bool,
    /// So may these outside of it.
    pub outside: Vec<String>,
    /// This is its configuration, if it has one.
    pub config: Option<String>,
}

/// What tells a directory from another one under its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dir {
    inode: u64,
    /// When it was made, in nanoseconds since 1970, where the system says it.
    born: Option<u64>,
}

impl Dir {
    /// The directory at this path.
    #[cfg(unix)]
    pub fn of(path: &Path) -> Option<Self> {
        let metadata = path.metadata().ok()?;
        Some(Self { inode: std::os::unix::fs::MetadataExt::ino(&metadata), born: born(path, &metadata) })
    }

    /// Elsewhere directories have no number.
    #[cfg(not(unix))]
    pub fn of(_: &Path) -> Option<Self> {
        None
    }

    /// What it is called where only one machine has to tell it.
    pub fn number(self) -> u64 {
        self.inode
    }

    /// Both as bytes, in which no other directory has the same.
    pub fn bytes(self) -> Vec<u8> {
        [self.inode, self.born.unwrap_or_default()].iter().flat_map(|part| part.to_le_bytes()).collect()
    }

    /// Whether the path still leads to this directory.
    pub fn is_at(self, path: &Path) -> bool {
        let same = |found: Self| {
            let born = self.born.zip(found.born).is_none_or(|(then, now)| then == now);
            born && found.inode == self.inode
        };
        Self::of(path).is_none_or(same)
    }
}

/// When a directory was made. The standard library does not ask for it on every system that knows it.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn born(path: &Path, _: &std::fs::Metadata) -> Option<u64> {
    use rustix::fs::{AtFlags, CWD, StatxFlags, statx};

    let seen = statx(CWD, path, AtFlags::empty(), StatxFlags::BTIME).ok()?;
    let is_known = seen.stx_mask & StatxFlags::BTIME.bits() != 0;
    let seconds = u64::try_from(seen.stx_btime.tv_sec).ok().filter(|_| is_known)?;
    seconds.checked_mul(1_000_000_000)?.checked_add(u64::from(seen.stx_btime.tv_nsec))
}

#[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
fn born(_: &Path, metadata: &std::fs::Metadata) -> Option<u64> {
    let since = metadata.created().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    u64::try_from(since.as_nanos()).ok()
}

/// A configuration as it was trusted.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Content {
    /// SHA-256 over the project's path, a zero byte and the text.
    sha256: String,
    /// The text.
    pub text: String,
}

impl Record {
    fn new(project: &Project, agreed: Agreed, system: &System) -> Self {
        let Agreed { programs, outside, config } = agreed;
        let config = config.map(|text| Content { sha256: hash(project.root(), &text), text });
        // To the last digit: what changed a moment before it was seen was seen as well.
        let at = system.now.to_rfc3339_opts(chrono::SecondsFormat::Nanos, true);
        let dir = Dir::of(project.root());
        Self { version: VERSION, project: named(project), at, programs, dir, outside, config }
    }

    /// When the user last let the project's programs run.
    pub fn seen(&self) -> Option<SystemTime> {
        Some(chrono::DateTime::parse_from_rfc3339(&self.at).ok()?.into()).filter(|_| self.programs)
    }

    /// The content that was trusted, if the record is one of this project and whole.
    pub fn text(&self, project: &Project) -> Option<&str> {
        let content = self.config.as_ref()?;
        (content.sha256 == hash(project.root(), &content.text)).then_some(content.text.as_str())
    }
}

/// The project's path as the record has it, for people.
fn named(project: &Project) -> String {
    project.root().to_string_lossy().into_owned()
}

fn hash(root: &Path, text: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(root.as_os_str().as_encoded_bytes());
    hash.update([0]);
    hash.update(text);
    hexadecimal(&hash.finalize())
}

/// The record of a project, whether it is there or not.
pub fn place(project: &Project, system: &System) -> Option<PathBuf> {
    Some(system.state_dir()?.join("trusted").join(places::name_of(project)? + ".json"))
}

/// What the user trusts of the project; nothing where the record is not theirs. Programs are those of the directory that they saw:
/// another one under its path is another clone.
pub fn read(project: &Project, system: &System) -> Option<Record> {
    let path = place(project, system)?;
    let text = account::text_of_person(&path, MAX_RECORD_BYTES, system)?;
    if account::why_others_on_the_way(&path, system).is_some() {
        return None;
    }
    let mut record: Record = serde_json::from_str(&text).ok()?;
    record.programs &= record.dir.is_none_or(|dir| dir.is_at(project.root()));
    ((1..=VERSION).contains(&record.version) && record.project == named(project)).then_some(record)
}

/// Whether there is a record that others may have put there.
pub fn is_doubted(project: &Project, system: &System) -> bool {
    place(project, system).is_some_and(|path| account::why_others_on_the_way(&path, system).is_some())
}

/// Keeps what the user trusts.
pub fn keep(project: &Project, agreed: Agreed, system: &System) -> Result<(), Error> {
    write(&Record::new(project, agreed, system), project, system)
}

/// Keeps in other surroundings what the user trusts in these.
pub fn carry(project: &Project, system: &System, other: &System) -> Result<(), Error> {
    read(project, system).map_or(Ok(()), |record| write(&record, project, other))
}

fn write(record: &Record, project: &Project, system: &System) -> Result<(), Error> {
    let path = place(project, system).context("there is no home directory to keep it in; set HOME")?;
    let dir = path.parent().context("the record has no directory")?;
    files::make_dir(dir, true)?;
    if let Some(why) = account::why_others_on_the_way(dir, system) {
        bail!("what you trust would not count: {why}; make it yours alone (chmod go-w, chown)");
    }
    files::replace(path.as_path(), &serde_json::to_string_pretty(record).map_err(Error::other)?, 0o600)
}

/// Keeps that the user wrote this configuration themselves, by a command: as far as they trusted what stood there before, or nothing did.
pub fn follow(before: Option<&str>, after: Option<&str>, project: &Project, system: &System) -> Result<(), Error> {
    let known = read(project, system);
    let trusted = known.as_ref().and_then(|record| record.text(project));
    if before.is_some() && before != trusted {
        return Ok(());
    }
    let (programs, outside) = known.map(|record| (record.programs, record.outside)).unwrap_or_default();
    keep(project, Agreed { programs, outside, config: after.map(str::to_owned) }, system)
}

/// The compiled configurations of a project, or of all.
pub fn compiled(project: Option<&Project>, system: &System) -> Vec<PathBuf> {
    let Some(state) = system.state_dir() else { return Vec::new() };
    let name = project.and_then(places::name_of).unwrap_or_default();
    let files = std::fs::read_dir(state.join("compiled")).into_iter().flatten().flatten();
    let is_its = |path: &PathBuf| path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(&name));
    files.map(|entry| entry.path()).filter(is_its).collect()
}

/// Takes the trust back. True if there was any.
pub fn forget(project: &Project, system: &System) -> Result<bool, Error> {
    let Some(path) = place(project, system) else { return Ok(false) };
    let was_there = path.exists();
    files::remove(path.as_path())?;
    Ok(was_there)
}

/// Whether the user lets the project's own programs run.
pub fn runs(project: &Project, system: &System) -> bool {
    read(project, system).is_some_and(|record| record.programs)
}

/// One thing of a configuration that counts only where the user trusts it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wish {
    /// What it is about.
    pub kind: Wants,
    /// What is shown of it: one line, of bounded length, with nothing in it that steers a terminal.
    pub text: String,
    /// All of it, so that two are not the same for what is shown of them.
    whole: String,
}

impl Wish {
    fn new(kind: Wants, text: String) -> Self {
        Self { kind, text: one_line(&text, WIDTH), whole: text }
    }
}

/// What a part of a configuration is about, in the order in which a user is shown it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wants {
    /// A refusal or question that goes.
    Loosens,
    /// A program that starts.
    Runs,
    /// A file that is read.
    Reads,
    /// What leaves the machine.
    Exports,
    /// Anything else.
    Changes,
}

impl Wants {
    /// The word that a user is shown.
    pub fn word(self) -> &'static str {
        match self {
            Self::Loosens => "loosens",
            Self::Runs => "runs",
            Self::Reads => "reads",
            Self::Exports => "exports",
            Self::Changes => "changes",
        }
    }
}

/// The widest line of a wish, in characters.
const WIDTH: usize = 240;

/// The widest part of a list that stands on one line.
const PART: usize = 140;

const RUNNING: &[&str] = &["command", "anchor", "checkpoint", "test-run", "lint", "append_to"];
const READING: &[&str] =
    &["files", "core", "roots", "roles", "memory", "tasks", "manifest", "documents", "list", "briefing"];
const EXPORTING: &[&str] = &["env", "export"];

/// Keys with the one value that never makes a guard look at less, or answer less strictly. Whatever else is set may.
const STRICTER: &[(&str, &str)] =
    &[("enabled", "true"), ("severity", "\"deny\""), ("on_error", "\"deny\""), ("on_unreadable", "\"deny\"")];

/// What of a configuration counts only where it is trusted. Profiles are no part of it: they stand beside those of the user.
pub fn wishes(text: &str) -> Vec<Wish> {
    let Ok(table) = toml::from_str::<toml::Table>(text.strip_prefix('\u{feff}').unwrap_or(text)) else {
        return vec![Wish::new(Wants::Loosens, "it is no valid TOML; `hookbin config check` says where".to_owned())];
    };
    let mut found = Vec::new();
    for (key, value) in &table {
        match (key.as_str(), value) {
            ("profile" | "hookbin", _) => {}
            ("rule", toml::Value::Array(rules)) => rules.iter().for_each(|value| rule(value, &mut found)),
            ("handler", toml::Value::Array(handlers)) => {
                for one in handlers {
                    walk("handler", one, &mut found);
                }
            }
            _ => walk(key, value, &mut found),
        }
    }
    found.sort_by_key(|wish| wish.kind);
    found
}

fn rule(value: &toml::Value, found: &mut Vec<Wish>) {
    let text = |key| value.get(key).and_then(toml::Value::as_str);
    let (id, then) = (one_line(text("id").unwrap_or("?"), PART / 2), text("then").unwrap_or("?"));
    let about = || value.get("program").or_else(|| value.get("tool")).map_or_else(|| vec![String::new()], parts);
    match then {
        "deny" | "ask" => {}
        "allow" => {
            found.extend(about().into_iter().map(|part| Wish::new(Wants::Loosens, format!("rule {id} allows {part}"))));
        }
        "rewrite" => {
            let into = one_line(text("suggest").unwrap_or_default(), PART / 2);
            let say = |part| Wish::new(Wants::Runs, format!("rule {id} turns {part} into {into:?}"));
            found.extend(about().into_iter().map(say));
        }
        _ => found.push(Wish::new(Wants::Loosens, format!("rule {id}: {then}"))),
    }
}

fn walk(way: &str, value: &toml::Value, found: &mut Vec<Wish>) {
    match value {
        toml::Value::Table(table) => {
            for (key, value) in table {
                walk(&format!("{way}.{key}"), value, found);
            }
            return;
        }
        toml::Value::Array(items) if items.iter().any(toml::Value::is_table) => {
            for (index, item) in items.iter().enumerate() {
                walk(&format!("{way}[{index}]"), item, found);
            }
            return;
        }
        _ => {}
    }
    let names = way.split(['.', '[']);
    let is_stricter =
        STRICTER.iter().any(|(key, strict)| way.rsplit('.').next() == Some(key) && value.to_string() == *strict);
    if is_stricter && way.starts_with("change.") && way.ends_with(".severity") {
        return;
    }
    let kind = [(RUNNING, Wants::Runs), (READING, Wants::Reads), (EXPORTING, Wants::Exports)];
    let kind = kind.into_iter().find(|(words, _)| names.clone().any(|name| words.contains(&name)));
    let other = if is_stricter { Wants::Changes } else { Wants::Loosens };
    let kind = kind.map_or(other, |(_, kind)| kind);
    // The end of a key says what it sets.
    let way = one_line(way, PART / 2);
    found.extend(parts(value).into_iter().map(|part| Wish::new(kind, format!("{way} = {part}"))));
}

/// A value as it is shown, each part on one line. A list that is too long for one goes on in further ones: nothing of it is left out.
fn parts(value: &toml::Value) -> Vec<String> {
    let text = value.to_string();
    let items = match value {
        toml::Value::Array(items) if text.chars().count() > PART => items,
        _ => return vec![text],
    };
    let mut lines = vec![String::new()];
    for item in items {
        let item = item.to_string();
        match lines.last_mut() {
            Some(line) if line.is_empty() => *line = item,
            Some(line) if line.chars().count() + item.chars().count() < PART => *line += &format!(", {item}"),
            _ => lines.push(item),
        }
    }
    let of = lines.len();
    lines.into_iter().enumerate().map(|(index, line)| format!("[{line}] (part {} of {of})", index + 1)).collect()
}
