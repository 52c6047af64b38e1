//! What the tests share: a directory, a clock, and an independent reader of the documented format.

use std::fs;
use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};
use hook_audit_log::{AuditLog, Limits, Record};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

/// 2026-11-28T01:22:30.123456Z plus some seconds.
pub(crate) fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_795_828_950, 123_456_789).unwrap() + TimeDelta::seconds(seconds)
}

pub(crate) struct Trail {
    _root: TempDir,
    pub(crate) dir: PathBuf,
    pub(crate) log: AuditLog,
}

impl Trail {
    pub(crate) fn new() -> Self {
        Self::with(Limits::default())
    }

    pub(crate) fn with(limits: Limits) -> Self {
        let root = tempfile::tempdir().unwrap();
        let dir = root.path().join("log");
        Self { log: AuditLog::new(&dir, limits), dir, _root: root }
    }

    /// Appends records whose `note` is their number.
    pub(crate) fn filled(self, count: u64) -> Self {
        for n in 1..=count {
            let done = self.log.append(&note(n)).unwrap();
            assert_eq!(done.seq, n);
        }
        self
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.dir.join("audit.jsonl")
    }

    pub(crate) fn head(&self) -> PathBuf {
        self.dir.join("chain.head")
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        fs::read_to_string(self.file()).unwrap().lines().map(str::to_owned).collect()
    }

    pub(crate) fn write_lines(&self, lines: &[String]) {
        fs::write(self.file(), joined(lines)).unwrap();
    }
}

pub(crate) fn note(n: u64) -> Record<'static> {
    let seconds = i64::try_from(n).unwrap();
    Record { note: Some(n.to_string().into()), ..Record::new(at(seconds), "PostToolUse") }
}

/// The text of a file of these lines.
pub(crate) fn joined(lines: &[String]) -> String {
    lines.iter().flat_map(|line| [line, "\n"]).collect()
}

pub(crate) fn sha256(text: &str) -> String {
    Sha256::digest(text.as_bytes())
        .iter()
        .flat_map(|b| [b >> 4, b & 15])
        .filter_map(|d| char::from_digit(d.into(), 16))
        .collect()
}

/// Whether a file name is one of the trail's record files.
pub(crate) fn is_record_file(name: &str) -> bool {
    name.starts_with("audit") && name.rsplit_once('.').is_some_and(|(_, extension)| extension == "jsonl")
}

/// Names in a directory, sorted.
pub(crate) fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Every line of the trail in the order of the file names, old files first.
pub(crate) fn all_lines(dir: &Path) -> Vec<String> {
    let mut files: Vec<_> = names(dir).into_iter().filter(|n| n.starts_with("audit-")).collect();
    files.push("audit.jsonl".to_owned());
    let mut lines = Vec::new();
    for file in files {
        let text = fs::read_to_string(dir.join(&file)).unwrap();
        assert!(text.is_empty() || text.ends_with('\n'), "{file} ends in the middle of a line");
        lines.extend(text.lines().map(str::to_owned));
    }
    lines
}

/// Checks numbers, `prev` and `hash` as the documentation describes them, without the crate's own reader.
pub(crate) fn assert_chained(lines: &[String], mut seq: u64, mut prev: String) {
    for line in lines {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        let hashed = line.rsplit_once(",\"hash\":\"").unwrap().0;
        let hash = sha256(hashed);
        assert_eq!(value["seq"], seq, "{line}");
        assert_eq!(value["prev"], prev.as_str(), "{line}");
        assert_eq!(value["hash"], hash.as_str(), "{line}");
        seq += 1;
        prev = hash;
    }
}
