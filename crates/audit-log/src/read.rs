//! Reading the trail back: all entries in order, the last few, and counts.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::vec::IntoIter;

use chrono::{DateTime, Utc};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::Error;
use crate::back::{Lines, start_of_last};
use crate::chain::{Link, NO_TIME, Time, is_time, time_from, time_of};
use crate::files::{Part, snapshot};
use crate::os::{self, Mode};

/// Different names of one kind that [`Stats`] counts; the rest is counted together as `(other)`.
const NAMES: usize = 1_000;

/// One record as it stands in the trail.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    raw: String,
    members: Map<String, Value>,
    seq: u64,
    time: DateTime<Utc>,
}

impl Entry {
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let link = Link::parse(bytes)?;
        let raw = std::str::from_utf8(bytes).ok()?;
        let members = serde_json::from_str(raw).ok()?;
        Some(Self { raw: raw.to_owned(), members, seq: link.seq, time: time_from(&link.time) })
    }

    /// The line, without its newline: one JSON object.
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// The sequence number.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// The time, never earlier than that of the entry before.
    pub fn time(&self) -> DateTime<Utc> {
        self.time
    }

    /// A member that is a string: `event`, `tool`, `verdict`, …
    pub fn text(&self, key: &str) -> Option<&str> {
        self.members.get(key).and_then(Value::as_str)
    }

    /// All members, known or not: entries of a newer version keep theirs. What [`Record::with`](crate::Record::with) added is in `extra`.
    ///
    /// ```
    /// use hook_audit_log::{AuditLog, Limits, Record, tail};
    ///
    /// # fn main() -> Result<(), hook_audit_log::Error> {
    /// # let directory = tempfile::tempdir().unwrap();
    /// # let dir = directory.path();
    /// AuditLog::new(dir, Limits::default()).append(&Record::now("call").tool("exec").with("attempt", 2_u64))?;
    /// let last = tail(dir, 1)?;
    /// assert_eq!(last[0].text("tool"), Some("exec"));
    /// assert_eq!(last[0].members()["extra"]["attempt"], 2);
    /// # Ok(())
    /// # }
    /// ```
    pub fn members(&self) -> &Map<String, Value> {
        &self.members
    }
}

/// The entries of a trail, oldest first, as it was when [`read`] was called. Lines that are no record are passed over; [`crate::verify`]
/// names them. After an error the next file is tried.
#[derive(Debug)]
pub struct Reader {
    dir: PathBuf,
    parts: IntoIter<Part>,
    lines: Option<(String, Lines)>,
    passed_over: u64,
}

impl Reader {
    /// How many lines were no record so far: torn, or written by somebody else.
    pub fn passed_over(&self) -> u64 {
        self.passed_over
    }
}

/// Reads the trail in `dir` as a stream: one line in memory at a time, writers are not held up. A directory that does not exist is an error.
pub fn read(dir: &Path) -> Result<Reader, Error> {
    Ok(Reader { dir: dir.to_path_buf(), parts: snapshot(dir)?.parts.into_iter(), lines: None, passed_over: 0 })
}

/// Reads one file of a trail, or a copy of one, wherever it lies. Nothing is locked.
pub fn read_file(path: &Path) -> Result<Reader, Error> {
    let file = os::open(None, path, Mode::Read).map_err(|e| Error::io("open", path, e))?;
    let meta = file.metadata().map_err(|e| Error::io("look at", path, e))?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    // A pipe or a directory has no lines that could be read to their end.
    let parts = if meta.is_file() { vec![Part { name, file, size: meta.len() }] } else { Vec::new() };
    let dir = path.parent().unwrap_or(path).to_path_buf();
    Ok(Reader { dir, parts: parts.into_iter(), lines: None, passed_over: 0 })
}

impl Iterator for Reader {
    type Item = Result<Entry, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (name, lines) = match &mut self.lines {
                Some(open) => open,
                none => {
                    let part = self.parts.next()?;
                    match Lines::new(part.file, 0, part.size) {
                        Ok(lines) => none.insert((part.name, lines)),
                        Err(error) => return Some(Err(Error::io("read", &self.dir.join(part.name), error))),
                    }
                }
            };
            let error = match lines.next() {
                Ok(Some(line)) => {
                    if let Some(entry) = Entry::parse(line.bytes) {
                        return Some(Ok(entry));
                    }
                    self.passed_over += 1;
                    continue;
                }
                Ok(None) => None,
                Err(error) => Some(Error::io("read", &self.dir.join(&*name), error)),
            };
            self.lines = None;
            if error.is_some() {
                return error.map(Err);
            }
        }
    }
}

/// When the trail in `dir` began, by its first record or, before that is written, by [`AuditLog::begin`](crate::AuditLog::begin). `None`
/// where nothing says it, and where the first record was pruned.
pub fn began(dir: &Path) -> Result<Option<DateTime<Utc>>, Error> {
    let snapshot = snapshot(dir)?;
    let chain_head = snapshot.chain_head;
    let mut entries = Reader { dir: dir.to_path_buf(), parts: snapshot.parts.into_iter(), lines: None, passed_over: 0 };
    Ok(match entries.next().transpose()? {
        Some(first) if first.seq() == 1 => {
            let since = first.text("since").and_then(|since| <&Time>::try_from(since.as_bytes()).ok());
            Some(since.filter(|since| is_time(since)).map_or(first.time(), time_from))
        }
        Some(_) => None,
        None => chain_head
            .filter(|chain_head| chain_head.seq == 0 && chain_head.time != NO_TIME)
            .map(|w| time_from(&w.time)),
    })
}

/// The last `count` entries, oldest first. Reads only the end of the newest files. A directory that does not exist is an error.
pub fn tail(dir: &Path, count: usize) -> Result<Vec<Entry>, Error> {
    let mut newest_first = Vec::new();
    for part in snapshot(dir)?.parts.into_iter().rev() {
        let left = count - newest_first.len();
        if left == 0 {
            break;
        }
        let entries = last_of(&part, left).map_err(|e| Error::io("read", &dir.join(&part.name), e))?;
        newest_first.extend(entries.into_iter().rev().take(left));
    }
    newest_first.reverse();
    Ok(newest_first)
}

/// The last entries of one file, at least `count` of them if it has so many.
fn last_of(part: &Part, count: usize) -> io::Result<Vec<Entry>> {
    let mut wanted = count;
    loop {
        let from = start_of_last(&part.file, part.size, wanted)?;
        let mut lines = Lines::new(part.file.try_clone()?, from, part.size)?;
        let mut entries = Vec::new();
        while let Some(line) = lines.next()? {
            entries.extend(Entry::parse(line.bytes));
        }
        if from == 0 || entries.len() >= count {
            return Ok(entries);
        }
        // Some of the lines were no record. Looking twice as far each time keeps the work in proportion to what is read.
        wanted = wanted.saturating_mul(2);
    }
}

/// Counts over a trail. Each `by_` map counts the records that carry the member, by its value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
#[allow(missing_docs, reason = "each `by_` map counts the records that carry the member, by its value")]
pub struct Stats {
    /// How many records there are.
    pub records: u64,
    /// The time of the oldest.
    #[serde(serialize_with = "as_text")]
    pub first_time: Option<DateTime<Utc>>,
    /// The time of the newest.
    #[serde(serialize_with = "as_text")]
    pub last_time: Option<DateTime<Utc>>,
    pub by_event: BTreeMap<String, u64>,
    pub by_verdict: BTreeMap<String, u64>,
    pub by_check: BTreeMap<String, u64>,
    pub by_rule: BTreeMap<String, u64>,
    pub by_tool: BTreeMap<String, u64>,
}

/// The form in which the trail itself has times; chrono's own serde support is not compiled in.
#[allow(clippy::ref_option, reason = "serde gives the field by reference")]
fn as_text<S: Serializer>(time: &Option<DateTime<Utc>>, to: S) -> Result<S::Ok, S::Error> {
    time.map(|time| String::from_utf8_lossy(&time_of(time)).into_owned()).serialize(to)
}

impl Stats {
    /// Counts one more record. At most 1,000 different values of a member are told apart, the others are counted as `(other)`.
    pub fn add(&mut self, entry: &Entry) {
        self.records += 1;
        self.first_time.get_or_insert(entry.time());
        self.last_time = Some(entry.time());
        for (key, counts) in [
            ("event", &mut self.by_event),
            ("verdict", &mut self.by_verdict),
            ("check", &mut self.by_check),
            ("rule", &mut self.by_rule),
            ("tool", &mut self.by_tool),
        ] {
            if let Some(name) = entry.text(key) {
                let known = counts.len() < NAMES || counts.contains_key(name);
                *counts.entry(if known { name } else { "(other)" }.to_owned()).or_default() += 1;
            }
        }
    }
}

/// Counts the records of the trail in `dir`; see [`Stats::add`].
pub fn stats(dir: &Path) -> Result<Stats, Error> {
    let mut stats = Stats::default();
    for entry in read(dir)? {
        stats.add(&entry?);
    }
    Ok(stats)
}
