//! Verification: walks the whole trail once and names what does not fit.

use std::borrow::Cow;
use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::back::{Line, Lines, ends_with_newline};
use crate::chain::{ChainHead, Hash, Link, NO_HASH, last_plausible};
use crate::files::{Snapshot, snapshot};

/// How every record starts.
const RECORD: &[u8] = b"{\"v\":";

/// Findings that are kept; more are only counted.
const FINDINGS: usize = 1_000;

/// What does not fit, and where. It is shown as a sentence; `file` and `line` (from 1) say where, `seq` names a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "`file` and `line` (from 1) say where; the other members are explained by their finding"
)]
pub enum Finding {
    /// A line was cut short while it was written (power loss, full disk). A note: nobody rewrote anything.
    TornTail { file: String, line: u64, bytes: u64 },
    /// Records are missing in the middle, or at the beginning without having been pruned.
    Gap { from: u64, to: u64 },
    /// A record's bytes do not give its hash, or it is not the record that its successor or the chain head knew.
    Edited { seq: u64, file: String, line: u64 },
    /// A record stands where its number does not belong: repeated, moved, or put in.
    OutOfOrder { seq: u64, file: String, line: u64 },
    /// The newest records are missing: the chain head knows `expected`, the trail ends with `found` (0: with none).
    CutOff { expected: u64, found: u64 },
    /// A line is no record.
    Unreadable { file: String, line: u64 },
    /// There are records but no readable chain head, so nobody can say whether newer ones were cut off.
    ChainHeadMissing,
    /// The chain head was missing when this record was written; the same doubt, at that place.
    ChainHeadLost { seq: u64 },
    /// The chain head is behind by more than the one record that a killed writer leaves. A note: after a power loss it may be.
    ChainHeadBehind { chain_head: u64, newest: u64 },
    /// Something stood in the log's place and was renamed before this record was written. A note.
    SetAside { seq: u64, name: String },
    /// Something that has a name like the trail's files and is none of them.
    Foreign { file: String },
}

impl Finding {
    /// Whether this is only worth knowing and leaves the trail good.
    pub fn is_note(&self) -> bool {
        matches!(self, Self::TornTail { .. } | Self::SetAside { .. } | Self::ChainHeadBehind { .. })
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TornTail { file, line, bytes } => write!(f, "{file}:{line}: a line was torn after {bytes} bytes"),
            Self::Gap { from, to } if from == to => write!(f, "record {from} is missing"),
            Self::Gap { from, to } => write!(f, "records {from} to {to} are missing"),
            Self::Edited { seq, file, line } => write!(f, "{file}:{line}: record {seq} was changed"),
            Self::OutOfOrder { seq, file, line } => {
                write!(f, "{file}:{line}: record {seq} does not belong here, it was repeated, moved or put in")
            }
            Self::CutOff { expected, found } => {
                write!(f, "the newest records are missing: the trail ends with {found}, {expected} were written")
            }
            Self::Unreadable { file, line } => write!(f, "{file}:{line}: this line is no record"),
            Self::ChainHeadMissing => {
                write!(f, "chain.head is missing or unreadable: a cut at the end would not be seen")
            }
            Self::ChainHeadLost { seq } => write!(f, "chain.head was missing before record {seq}"),
            Self::ChainHeadBehind { chain_head, newest } => {
                write!(f, "chain.head knows record {chain_head}, the trail ends with {newest}")
            }
            Self::SetAside { seq, name } => write!(f, "before record {seq} something planted was renamed to {name}"),
            Self::Foreign { file } => write!(f, "{file}: not a file of the trail"),
        }
    }
}

/// The result of [`verify`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// Records whose hash is right and that stand in order.
    pub records: u64,
    /// The record from which on the trail is vouched for: older ones were pruned. 0 without records.
    pub first_seq: u64,
    /// The newest record. 0 without records.
    pub last_seq: u64,
    /// Files of the trail.
    pub files: usize,
    /// Their size together.
    pub bytes: u64,
    /// In the order of the trail; at most 1,000.
    pub findings: Vec<Finding>,
    /// Findings that are only counted.
    pub more_findings: u64,
}

impl Report {
    /// Whether every finding is only a note.
    pub fn is_good(&self) -> bool {
        self.more_findings == 0 && self.findings.iter().all(Finding::is_note)
    }

    fn add(&mut self, finding: Finding) {
        if self.findings.len() < FINDINGS {
            self.findings.push(finding);
        } else if !finding.is_note() {
            self.more_findings += 1;
        }
    }
}

/// Walks all files of the trail in `dir`, oldest first, and checks every hash, the chain, the numbers and the end against the
/// chain head. Memory stays bounded, writers are held up only while the files are opened. A directory that does not exist is an error.
///
/// ```
/// use hook_audit_log::{AuditLog, Limits, Record, verify};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let directory = tempfile::tempdir()?;
/// # let dir = directory.path();
/// AuditLog::new(dir, Limits::default()).append(&Record::now("call").verdict("deny"))?;
/// let file = dir.join("audit.jsonl");
/// std::fs::write(&file, std::fs::read_to_string(&file)?.replace("deny", "allow"))?;
/// let report = verify(dir)?;
/// assert!(!report.is_good());
/// assert_eq!(report.findings[0].to_string(), "audit.jsonl:1: record 1 was changed");
/// # Ok(())
/// # }
/// ```
///
/// The hashes carry no key: whoever may write to the directory can also rewrite the trail from some record on, hashes and chain head
/// included. What is found is every change short of that.
pub fn verify(dir: &Path) -> Result<Report, Error> {
    let Snapshot { parts, chain_head, foreign } = snapshot(dir)?;
    let mut report =
        Report { files: parts.len(), bytes: parts.iter().map(|part| part.size).sum(), ..Report::default() };
    for file in foreign {
        report.add(Finding::Foreign { file });
    }
    let mut walk = Walk { chain_head, ..Walk::default() };
    for part in parts {
        let io = |e| Error::io("read", &dir.join(&part.name), e);
        let ended = ends_with_newline(&part.file, part.size).map_err(io)?;
        let mut lines = Lines::new(part.file, 0, part.size).map_err(io)?;
        while let Some(line) = lines.next().map_err(io)? {
            walk.line(&part.name, &line, &mut report);
        }
        // Only the newest file may end in the middle of a line that nobody has closed yet.
        walk.open_end = (!ended).then_some(part.size);
    }
    walk.end(&mut report);
    Ok(report)
}

/// Members that the writer puts before the tail when something was not as it should be.
#[derive(Default, Deserialize)]
struct Marks<'a> {
    #[serde(default)]
    after_torn: u64,
    cut_from: Option<u64>,
    #[serde(borrow, rename = "witness")]
    chain_head: Option<Cow<'a, str>>,
    #[serde(borrow)]
    set_aside: Option<Cow<'a, str>>,
}

#[derive(Clone)]
struct Place {
    file: String,
    line: u64,
}

/// The walk's memory: the record before, and lines of which what follows tells what they are.
#[derive(Default)]
struct Walk {
    chain_head: Option<ChainHead>,
    before: Option<Before>,
    doubt: Option<Doubt>,
    doubtful: Option<Doubtful>,
    /// Size of the last file, if it ends in the middle of a line.
    open_end: Option<u64>,
}

#[derive(Clone)]
struct Before {
    seq: u64,
    hash: Hash,
    place: Place,
    /// It was reported already, so its successor's wrong `prev` says nothing new.
    edited: bool,
}

/// A line that is no record.
struct Doubtful {
    place: Place,
    bytes: u64,
    /// It may be the start of one.
    is_start: bool,
}

/// A line that does not fit its predecessor: either something happened before it, or it was put in. If the next one fits
/// the predecessor, it was put in.
struct Doubt {
    base: Before,
    /// Whether it was counted as a record.
    counted: bool,
    /// Where among the findings such a line was reported, and what to say if it was put in.
    put_in: Vec<(usize, Finding)>,
}

impl Walk {
    fn line(&mut self, file: &str, row: &Line<'_>, report: &mut Report) {
        let place = Place { file: file.to_owned(), line: row.number };
        let link = Link::parse(row.bytes).filter(|_| row.bytes.starts_with(RECORD));
        let Some(link) = link else {
            self.unreadable(report);
            let is_start = row.bytes.starts_with(RECORD) || RECORD.starts_with(row.bytes);
            self.doubtful = Some(Doubtful { place, bytes: row.length, is_start });
            return;
        };
        let marks = serde_json::from_slice(row.bytes).unwrap_or_default();
        self.close_doubtful(&marks, report);
        if link.holds(row.bytes) {
            self.settle_doubt(link.seq, &link.prev, report);
            self.record(&link, &marks, place, report);
        } else {
            // Its own number may be what was changed.
            let seq = self.before.as_ref().map_or(link.seq, |before| before.seq + 1);
            let put_in = Finding::OutOfOrder { seq: link.seq, file: place.file.clone(), line: place.line };
            self.doubt(put_in, false, report);
            report.add(Finding::Edited { seq, file: place.file.clone(), line: place.line });
            self.before = Some(Before { seq, hash: link.hash, place, edited: true });
            report.first_seq = if report.first_seq == 0 { seq } else { report.first_seq };
            report.last_seq = seq;
        }
    }

    /// Notes that the line which is about to be reported does not fit the one before.
    fn doubt(&mut self, put_in: Finding, counted: bool, report: &Report) {
        let Some(before) = &self.before else { return };
        let put_in = (report.findings.len(), put_in);
        match &mut self.doubt {
            Some(doubt) if !counted && !doubt.counted && doubt.put_in.len() < FINDINGS => doubt.put_in.push(put_in),
            _ => self.doubt = Some(Doubt { base: before.clone(), counted, put_in: vec![put_in] }),
        }
    }

    /// A good record, or the chain head, says which record it follows: if that is the one before the doubt, what stands between was put
    /// in.
    fn settle_doubt(&mut self, seq: u64, prev: &Hash, report: &mut Report) {
        let Some(doubt) = self.doubt.take() else { return };
        if seq != doubt.base.seq + 1 || *prev != doubt.base.hash {
            return;
        }
        for (at, finding) in doubt.put_in {
            if let Some(reported) = report.findings.get_mut(at) {
                *reported = finding;
            }
        }
        report.records -= u64::from(doubt.counted);
        report.last_seq = doubt.base.seq;
        self.before = Some(doubt.base);
    }

    fn record(&mut self, link: &Link, marks: &Marks<'_>, place: Place, report: &mut Report) {
        let seq = link.seq;
        let out_of_order = || Finding::OutOfOrder { seq, file: place.file.clone(), line: place.line };
        if seq > last_plausible(self.chain_head) {
            report.add(out_of_order());
            return;
        }
        match &self.before {
            None => {
                let vouched = self.chain_head.map_or(seq, |chain_head| chain_head.first);
                let from = marks.cut_from.unwrap_or(vouched).min(vouched).max(1);
                if from < seq {
                    report.add(Finding::Gap { from, to: seq - 1 });
                } else if seq == 1 && link.prev != NO_HASH {
                    report.add(out_of_order());
                }
            }
            Some(before) if seq <= before.seq => {
                report.add(out_of_order());
                return;
            }
            Some(before) if seq > before.seq + 1 => {
                let gap = Finding::Gap { from: before.seq + 1, to: seq - 1 };
                self.doubt(out_of_order(), true, report);
                report.add(gap);
            }
            Some(before) if link.prev != before.hash && !before.edited => {
                let Place { file, line } = before.place.clone();
                let edited = Finding::Edited { seq: before.seq, file, line };
                self.doubt(out_of_order(), true, report);
                report.add(edited);
            }
            Some(_) => {}
        }
        if marks.chain_head.is_some() {
            report.add(Finding::ChainHeadLost { seq });
        }
        if let Some(name) = &marks.set_aside {
            report.add(Finding::SetAside { seq, name: name.to_string() });
        }
        report.records += 1;
        report.first_seq = if report.first_seq == 0 { seq } else { report.first_seq };
        report.last_seq = seq;
        self.before = Some(Before { seq, hash: link.hash, place, edited: false });
    }

    /// A line that is no record is torn if it begins like one and the next record says so.
    fn close_doubtful(&mut self, marks: &Marks<'_>, report: &mut Report) {
        match self.doubtful.take() {
            Some(line) if line.is_start && line.bytes > 0 && marks.after_torn == line.bytes => {
                let Place { file, line: number } = line.place;
                report.add(Finding::TornTail { file, line: number, bytes: line.bytes });
            }
            other => {
                self.doubtful = other;
                self.unreadable(report);
            }
        }
    }

    fn unreadable(&mut self, report: &mut Report) {
        if let Some(Doubtful { place: Place { file, line }, .. }) = self.doubtful.take() {
            report.add(Finding::Unreadable { file, line });
        }
    }

    fn end(mut self, report: &mut Report) {
        // A line that ends in the middle is torn, unless the chain head has seen more of it: then its end was cut off.
        let torn = self.open_end.is_some_and(|size| self.chain_head.is_none_or(|chain_head| chain_head.size <= size));
        if let Some(Doubtful { place: Place { file, line }, bytes, .. }) =
            self.doubtful.take_if(|line| torn && line.is_start)
        {
            report.add(Finding::TornTail { file, line, bytes });
        }
        if self.open_end.is_some() && !torn {
            // The missing record says it.
            self.doubtful = None;
        }
        self.unreadable(report);
        if let Some(chain_head) = self.chain_head {
            self.settle_doubt(chain_head.seq + 1, &chain_head.hash, report);
        }
        let newest = report.last_seq;
        let Some(chain_head) = self.chain_head else {
            if newest > 0 {
                report.add(Finding::ChainHeadMissing);
            }
            return;
        };
        match self.before {
            _ if chain_head.seq > newest => {
                report.add(Finding::CutOff { expected: chain_head.seq, found: newest });
            }
            Some(before) if chain_head.seq == newest && chain_head.hash != before.hash && !before.edited => {
                let Place { file, line } = before.place;
                report.add(Finding::Edited { seq: newest, file, line });
            }
            _ if chain_head.seq.saturating_add(1) < newest => {
                report.add(Finding::ChainHeadBehind { chain_head: chain_head.seq, newest });
            }
            _ => {}
        }
    }
}
