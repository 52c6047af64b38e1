//! The figures of the day: one JSON file a day in `.claude-collective/metrics`, changed under the store's lock, so that no event of any
//! number of processes is lost.

pub mod day;
pub mod report;

use std::path::{Path, PathBuf};

use chrono::{DateTime, Datelike, Utc};
use hook_policy::effect::Counted;
use hook_session_state::{Error, Kind, Locked, SessionId};
use serde::Serialize;

use self::day::{Day, Totals};
use crate::facts::MAX_FILE_BYTES;
use crate::system::open::{self, Beneath};

/// The directory of the figures, in the project.
pub const DIR: &str = ".claude-collective/metrics";

/// Days for which snapshots stay, and how many there are at most.
const SNAPSHOT_DAYS: i64 = 30;
const MOST_SNAPSHOTS: usize = 500;
/// How many monthly sums stay.
const MOST_MONTHS: usize = 4;

/// What else is known of the event that is counted.
#[derive(Debug, Clone, Copy)]
pub struct MetricsContext<'a> {
    /// The moment of the event.
    pub now: DateTime<Utc>,
    /// Its session.
    pub session: &'a SessionId,
    /// The call was refused, and by which rule or handler.
    pub refused: Option<&'a str>,
    /// What a checkpoint of the event came to.
    pub gate: Option<bool>,
    /// Another agent is next.
    pub routed: bool,
    /// Milliseconds of this run so far.
    pub millis: u64,
}

/// Whether the event leaves anything in the figures.
pub fn counts(counted: &Counted, refused: bool) -> bool {
    refused || !matches!(counted, Counted::Before { .. })
}

/// Whether the event is a call that the session's document has to remember, so that it is not counted twice.
pub fn is_known_by_call(counted: &Counted) -> bool {
    matches!(counted, Counted::Tool { call: Some(_), .. })
}

/// Whether the event was not counted before.
pub(crate) fn is_first(counted: &Counted, session: &SessionId, locked: &mut Locked<'_>) -> Result<bool, Error> {
    match counted {
        Counted::Tool { call: Some(call), .. } => locked.first_time(session, Kind::Event, &format!("metric {call}")),
        _ => Ok(true),
    }
}

/// Counts one event.
pub(crate) fn record(
    counted: &Counted,
    root: &Path,
    locked: &mut Locked<'_>,
    around: &MetricsContext<'_>,
) -> Result<(), Error> {
    let dir = root.join(DIR);
    let name = file_of(around.now);
    let mut text = locked.notes_below(root, &dir)?.read(&name)?;
    // A clock that went back meets a day that is archived already: it goes on, and must not be put over the archived one later.
    let archive = if text.is_none() { archive_of(&dir, &name).filter(|archive| is_dir(root, archive)) } else { None };
    if let Some(archive) = &archive {
        text = locked.notes_below(root, archive)?.read(&name)?;
    }
    let mut notes = locked.notes_below(root, &dir)?;
    // They are of this machine: shared, they would stand in the way of each commit and each pull.
    if text.is_none() && Beneath::new(root).look(&dir.join(".gitignore")).is_err() {
        notes.put(".gitignore", "*\n")?;
    }
    let mut day = match text.as_deref().map(serde_json::from_str::<Day>) {
        Some(Ok(day)) => day,
        None => Day::new(around.now),
        // A damaged day is kept beside the one that begins again.
        Some(Err(_)) => {
            let aside = format!("{name}.damaged-{}", around.now.timestamp());
            let numbered = (2..100).map(|number| format!("{aside}-{number}"));
            let free = |name: &String| Beneath::new(root).look(&dir.join(name)).is_err();
            let aside = std::iter::once(aside.clone()).chain(numbered).find(free).unwrap_or(aside);
            notes.put(&aside, text.as_deref().unwrap_or_default())?;
            Day::new(around.now)
        }
    };
    day.count(counted, around);
    let json = serde_json::to_string(&day).unwrap_or_default();
    notes.put(&name, &hook_audit_log::redact(&json))?;
    if let Some(archive) = archive.filter(|_| text.is_some()) {
        locked.notes_below(root, &archive)?.remove(&name)?;
    }
    if let Counted::End { keep_days } = counted {
        close(root, &dir, &day, locked, around, *keep_days)?;
    }
    Ok(())
}

/// The file of a day.
fn file_of(now: DateTime<Utc>) -> String {
    format!("metrics-{}.json", now.format("%Y%m%d"))
}

/// A snapshot of the figures so far.
#[derive(Serialize)]
struct Snapshot<'s> {
    version: u32,
    at: String,
    session: &'s str,
    date: &'s str,
    totals: &'s Totals,
}

/// The sums of a month.
#[derive(Serialize)]
struct Aggregation {
    version: u32,
    month: String,
    days: usize,
    totals: Totals,
}

/// The end of a session: a snapshot, the sums of the month, and what is too old goes.
fn close(
    root: &Path,
    dir: &Path,
    day: &Day,
    locked: &mut Locked<'_>,
    around: &MetricsContext<'_>,
    keep_days: u32,
) -> Result<(), Error> {
    let at = around.now.format("%Y-%m-%dT%H:%M:%SZ").to_string();
    let snapshot = Snapshot { version: 1, at, session: around.session.as_str(), date: &day.date, totals: &day.totals };
    let snapshots = dir.join("snapshots");
    let name = format!("snapshot-{}.json", around.now.format("%Y%m%d-%H%M%S"));
    put(locked, root, &snapshots, &name, &snapshot)?;
    let oldest = (around.now - chrono::Duration::days(SNAPSHOT_DAYS)).format("snapshot-%Y%m%d-%H%M%S").to_string();
    let names = names(root, &snapshots, "snapshot-");
    let excess = names.len().saturating_sub(MOST_SNAPSHOTS);
    let old = names.iter().enumerate().filter(|(at, name)| *at < excess || name.as_str() < oldest.as_str());
    remove(locked, root, &snapshots, old.map(|(_, name)| name.as_str()))?;

    let month = around.now.format("%Y%m").to_string();
    let prefix = format!("metrics-{month}");
    let days: Vec<Day> = names_of_days(root, dir)
        .iter()
        .filter(|name| name.starts_with(&prefix))
        .filter_map(|name| read(root, &dir.join(name)))
        .collect();
    let mut totals = Totals::default();
    for day in &days {
        totals.add(&day.totals);
    }
    let aggregation = Aggregation {
        version: 1,
        month: format!("{:04}-{:02}", around.now.year(), around.now.month()),
        days: days.len(),
        totals,
    };
    let aggregations = dir.join("aggregations");
    put(locked, root, &aggregations, &format!("aggregation-{month}.json"), &aggregation)?;
    let months = self::names(root, &aggregations, "aggregation-");
    let excess = months.len().saturating_sub(MOST_MONTHS);
    remove(locked, root, &aggregations, months.iter().take(excess).map(String::as_str))?;
    archive(root, dir, locked, keep_days)
}

/// Where the file of a day lies when it is archived.
fn archive_of(dir: &Path, name: &str) -> Option<PathBuf> {
    let (year, month) = (name.get(8..12)?, name.get(12..14)?);
    Some(dir.join("archives").join(format!("{year}-{month}")))
}

/// Moves the oldest daily files to `archives/YYYY-MM`.
fn archive(root: &Path, dir: &Path, locked: &mut Locked<'_>, keep_days: u32) -> Result<(), Error> {
    let names = names_of_days(root, dir);
    let excess = names.len().saturating_sub(usize::try_from(keep_days.max(1)).unwrap_or(usize::MAX));
    for name in names.iter().take(excess) {
        let (Some(text), Some(archive)) = (locked.notes_below(root, dir)?.read(name)?, archive_of(dir, name)) else {
            continue;
        };
        locked.notes_below(root, &archive)?.put(name, &text)?;
        locked.notes_below(root, dir)?.remove(name)?;
    }
    Ok(())
}

fn put(locked: &mut Locked<'_>, root: &Path, dir: &Path, name: &str, value: &impl Serialize) -> Result<(), Error> {
    let json = serde_json::to_string_pretty(value).unwrap_or_default();
    locked.notes_below(root, dir)?.put(name, &format!("{}\n", hook_audit_log::redact(&json)))
}

fn remove<'n>(
    locked: &mut Locked<'_>,
    root: &Path,
    dir: &Path,
    names: impl Iterator<Item = &'n str>,
) -> Result<(), Error> {
    for name in names {
        locked.notes_below(root, dir)?.remove(name)?;
    }
    Ok(())
}

/// The names in a directory that begin like this, sorted.
fn names(root: &Path, dir: &Path, start: &str) -> Vec<String> {
    let entries = Beneath::new(root).names(dir, usize::MAX).unwrap_or_default();
    let mut names: Vec<String> = entries
        .into_iter()
        .filter_map(|name| name.into_string().ok())
        .filter(|name| {
            name.starts_with(start) && Path::new(name).extension().is_some_and(|extension| extension == "json")
        })
        .collect();
    names.sort();
    names
}

/// The daily files, oldest first.
fn names_of_days(root: &Path, dir: &Path) -> Vec<String> {
    let is_day = |name: &String| {
        name.len() == "metrics-YYYYMMDD.json".len()
            && name.get(8..16).is_some_and(|date| date.bytes().all(|b| b.is_ascii_digit()))
    };
    names(root, dir, "metrics-").into_iter().filter(is_day).collect()
}

/// A daily file; `None` where it cannot be read.
fn read(root: &Path, path: &Path) -> Option<Day> {
    let mut day: Day = serde_json::from_str(&Beneath::new(root).text(path, MAX_FILE_BYTES)?).ok()?;
    if day.date.is_empty() {
        let digits = path.file_name()?.to_str()?.get(8..16)?.to_owned();
        day.date = format!("{}-{}-{}", digits.get(..4)?, digits.get(4..6)?, digits.get(6..)?);
    }
    Some(day)
}

fn is_dir(root: &Path, path: &Path) -> bool {
    Beneath::new(root).look(path).is_ok_and(|seen| seen.kind == open::Kind::Dir)
}
