//! Appending one record: lock, look at the end, write one line, move the chain head.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};

use crate::below::Root;
use crate::chain::{CHAIN_HEAD_LEN, ChainHead, Hash, NO_HASH, NO_TIME, TAIL_MAX, Time, close, push_number, time_of};
use crate::files::{HEAD, LOG};
use crate::os::{self, Mode};
use crate::record::{Record, push_key, push_text};
use crate::{Error, rotate, tail};

/// How large the trail may become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of `audit.jsonl`; a record that would go beyond starts a new file. A single longer record is written all
    /// the same, alone in its file.
    pub max_bytes: u64,
    /// Old files that stay. More than 500 are never kept, because a reader holds all of them open.
    pub keep: usize,
    /// Bytes of all files together; the oldest go first. The current file always stays.
    pub total_max_bytes: u64,
}

impl Default for Limits {
    /// 10 MiB a file, 9 old files, 100 MiB together.
    fn default() -> Self {
        Self { max_bytes: 10 << 20, keep: 9, total_max_bytes: 100 << 20 }
    }
}

/// The audit trail in one directory. Holds no file open: each [`append`](Self::append) opens, locks, writes and closes.
#[derive(Debug, Clone)]
pub struct AuditLog {
    dir: PathBuf,
    root: Option<PathBuf>,
    limits: Limits,
    wait: Duration,
}

/// What happened while a record was appended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Appended {
    /// The record's sequence number, from 1.
    pub seq: u64,
    /// Bytes of its line.
    pub bytes: u64,
    /// The name that the full file got, if the record started a new one.
    pub rotated: Option<String>,
    /// Old files that were removed by [`Limits`].
    pub pruned: usize,
    /// Bytes of a torn line that this record had to close.
    pub after_torn: u64,
    /// First missing sequence number, if lines were cut off before this record; the last is `seq - 1`.
    pub cut_from: Option<u64>,
    /// Whether the chain head was missing or unreadable although there are records.
    pub chain_head_lost: bool,
    /// New names of what stood in the log's place and was not a file of ours.
    pub set_aside: Vec<String>,
    /// Whether the caller's clock was behind the record before.
    pub clock_back: bool,
}

/// Where the next record goes: what the end of the log says.
pub(crate) struct End {
    pub(crate) seq: u64,
    pub(crate) first: u64,
    pub(crate) size: u64,
    pub(crate) time: Time,
    pub(crate) prev: Hash,
    /// The file does not end with a newline.
    pub(crate) open_line: bool,
    pub(crate) after_torn: u64,
    pub(crate) cut_from: Option<u64>,
    pub(crate) chain_head_lost: bool,
}

impl AuditLog {
    /// The trail in `dir`, which is created with mode 0700 when the first record is appended.
    pub fn new(dir: impl Into<PathBuf>, limits: Limits) -> Self {
        Self { dir: dir.into(), root: None, limits, wait: Duration::from_secs(2) }
    }

    /// Refuses the directory where any part of its path behind `root` is a link. What lies above `root` may be reached through links.
    ///
    /// For a trail in a directory that came from elsewhere, such as a clone, `root` is that directory.
    #[must_use]
    pub fn below(mut self, root: impl Into<PathBuf>) -> Self {
        self.root = Some(root.into());
        self
    }

    fn root(&self) -> Root<'_> {
        self.root.as_deref()
    }

    /// How long [`append`](Self::append) waits for other writers; two seconds if not said.
    #[must_use]
    pub fn with_lock_wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Begins the trail, if there is none: makes the directory and a chain head that says when. Whether it did.
    ///
    /// For callers that keep something else beside the trail and write that first: a process that is killed in between leaves a trail
    /// without records, and not the picture of one that was deleted. The first record repeats the time as `since` where it is another
    /// than its own. Costs one system call where there is a trail.
    pub fn begin(&self, time: DateTime<Utc>) -> Result<bool, Error> {
        let path = self.dir.join(HEAD);
        let head = match os::open(self.root(), &path, Mode::CreateNew) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                os::create_dir(self.root(), &self.dir).map_err(|e| Error::io("create the directory", &self.dir, e))?;
                os::open(self.root(), &path, Mode::CreateNew)
            }
            opened => opened,
        };
        let head = match head {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(false),
            head => head.map_err(|e| Error::io("create", &path, e))?,
        };
        if !os::lock(&head, false, self.wait).map_err(|e| Error::io("lock", &path, e))? {
            return Err(Error::Locked { path, waited: self.wait });
        }
        // Another process may have been faster with a record.
        let is_new = read_chain_head(&head).map_err(|e| Error::io("read", &path, e))?.is_none();
        if is_new {
            let start = ChainHead { time: time_of(time), ..ChainHead::START };
            // Behind the end of an empty file is its beginning.
            Write::write_all(&mut &head, &start.to_bytes()).map_err(|e| Error::io("write", &path, e))?;
        }
        Ok(is_new)
    }

    /// Appends one record as one line in one write, under the lock.
    ///
    /// When this returns `Ok`, the line is in the kernel's hands and survives the end of this process, not a power loss: nothing
    /// is synced. When it returns an error, no line was written; of a line that did not fit whole, the part is cut off again.
    pub fn append(&self, record: &Record<'_>) -> Result<Appended, Error> {
        // Redacting, escaping and most of the hashing happen before the lock.
        let mut line = record.body();
        let mut hasher = Sha256::new();
        hasher.update(line.get(1..).unwrap_or_default());

        let mut done = Appended::default();
        let head_path = self.dir.join(HEAD);
        let (head, chain_head) = self.lock_head(&head_path, &mut done)?;

        let path = self.dir.join(LOG);
        let (mut log, aside) = os::open_own(self.root(), &path, Mode::Append, "open the log", self.wait)?;
        done.set_aside.extend(aside);
        let quick = chain_head.and_then(|chain_head| at_chain_head(&log, &chain_head));
        let mut end = if let Some(end) = quick {
            end
        } else {
            if tail::is_foreign(&log, &path)? {
                done.set_aside.extend(os::set_aside(self.root(), &path, true, self.wait)?);
                log = os::open(self.root(), &path, Mode::Append).map_err(|e| Error::io("open the log", &path, e))?;
            }
            let end = tail::survey(self.root(), &self.dir, &log, &path, chain_head)?;
            if chain_head.is_none() && end.seq == 0 {
                // From now on an empty chain head beside records means that somebody emptied it.
                write_chain_head(&head, ChainHead::START).map_err(|e| Error::io("write", &head_path, e))?;
            }
            end
        };

        let seq = end.seq + 1;
        let hash = finish(&mut line, hasher, record, seq, &end, &mut done);
        let length = line.len() as u64 - u64::from(!end.open_line);
        if end.size > 0 && end.size.saturating_add(length) > self.limits.max_bytes.min(self.limits.total_max_bytes) {
            if end.open_line {
                // The torn line is closed in its own file, so that the record can begin the new one.
                log.write_all(b"\n").map_err(|e| Error::io("write", &path, e))?;
                end.open_line = false;
            }
            done.rotated = Some(rotate::move_away(self.root(), &self.dir, &log, end.seq)?);
            log = os::open(self.root(), &path, Mode::Append).map_err(|e| Error::io("open the log", &path, e))?;
            end.size = 0;
        }
        let bytes = line.get(usize::from(!end.open_line)..).unwrap_or_default();
        write_line(&mut log, bytes, &path, end.size)?;

        let size = end.size + bytes.len() as u64;
        let doomed =
            if done.rotated.is_some() { rotate::doomed(&self.dir, &self.limits) } else { rotate::Doomed::default() };
        let first = doomed.first_kept.unwrap_or(if doomed.files.is_empty() { end.first } else { seq }).max(end.first);
        let time = written_time(record, &end);
        // The record stands, so a failure here is no error of this call: the next writer finds the chain head behind the
        // log and mends it.
        let moved = write_chain_head(&head, ChainHead { seq, first, size, time, hash });
        if moved.is_ok() {
            // Only now, so that no kill can leave files missing that the chain head still vouches for.
            done.pruned = rotate::remove(self.root(), &doomed);
        }
        done.seq = seq;
        done.bytes = length;
        Ok(done)
    }

    /// The lock file, locked, and what it says.
    fn lock_head(&self, path: &Path, done: &mut Appended) -> Result<(File, Option<ChainHead>), Error> {
        // As in `os::open_own`: whoever plants in a loop must not hold us.
        for last in [false, false, false, true] {
            let head = self.open_head(path, done)?;
            if !os::lock(&head, false, self.wait).map_err(|e| Error::io("lock", path, e))? {
                return Err(Error::Locked { path: path.to_path_buf(), waited: self.wait });
            }
            match read_chain_head(&head) {
                Ok(chain_head) => return Ok((head, chain_head)),
                // A FIFO can be opened and locked, and not be read at a place.
                Err(_) if !last && os::is_planted(path) => {
                    done.set_aside.extend(os::set_aside(self.root(), path, false, self.wait)?);
                }
                Err(error) => return Err(Error::io("read", path, error)),
            }
        }
        Err(Error::Locked { path: path.to_path_buf(), waited: self.wait })
    }

    fn open_head(&self, path: &Path, done: &mut Appended) -> Result<File, Error> {
        let file = match os::open(self.root(), path, Mode::InPlace) {
            Ok(file) => return Ok(file),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                os::create_dir(self.root(), &self.dir).map_err(|e| Error::io("create the directory", &self.dir, e))?;
                os::open_own(self.root(), path, Mode::InPlace, "open the lock file", self.wait)?
            }
            Err(_) => os::open_own(self.root(), path, Mode::InPlace, "open the lock file", self.wait)?,
        };
        done.set_aside.extend(file.1);
        Ok(file.0)
    }
}

/// Completes the line behind the body; the first byte stays the spare newline.
fn finish(
    line: &mut Vec<u8>,
    mut hasher: Sha256,
    record: &Record<'_>,
    seq: u64,
    end: &End,
    done: &mut Appended,
) -> Hash {
    let from = line.len();
    let time = written_time(record, end);
    let clock = time_of(record.time);
    if clock != time {
        push_key(line, "clock");
        line.push(b'"');
        line.extend_from_slice(&clock);
        line.push(b'"');
        done.clock_back = true;
    }
    if seq == 1 && end.time != NO_TIME && end.time != time {
        push_key(line, "since");
        line.push(b'"');
        line.extend_from_slice(&end.time);
        line.push(b'"');
    }
    if end.after_torn > 0 {
        push_key(line, "after_torn");
        push_number(line, end.after_torn);
        done.after_torn = end.after_torn;
    }
    if let Some(cut_from) = end.cut_from {
        push_key(line, "cut_from");
        push_number(line, cut_from);
        done.cut_from = Some(cut_from);
    }
    if end.chain_head_lost {
        push_key(line, "witness");
        line.extend_from_slice(b"\"lost\"");
        done.chain_head_lost = true;
    }
    if let Some(name) = done.set_aside.first() {
        push_key(line, "set_aside");
        push_text(line, name);
    }
    hasher.update(line.get(from..).unwrap_or_default());
    close(line, hasher, &time, seq, &end.prev)
}

fn written_time(record: &Record<'_>, end: &End) -> Time {
    time_of(record.time).max(end.time)
}

/// The quick answer: the log ends exactly where and how the chain head says. One read, which tells the size too, because
/// it asks for one byte more than there should be.
fn at_chain_head(log: &File, chain_head: &ChainHead) -> Option<End> {
    let mut buffer = [0; TAIL_MAX + 1];
    let expected = u64::min(chain_head.size, TAIL_MAX as u64);
    let read = os::read_at(log, &mut buffer, chain_head.size - expected).ok()?;
    let last = buffer.get(..read)?.strip_suffix(b"\"}\n")?.last_chunk::<64>()?;
    (chain_head.seq > 0 && read as u64 == expected && *last == chain_head.hash).then_some(End {
        seq: chain_head.seq,
        first: chain_head.first,
        size: chain_head.size,
        time: chain_head.time,
        prev: chain_head.hash,
        open_line: false,
        after_torn: 0,
        cut_from: None,
        chain_head_lost: false,
    })
}

impl End {
    /// The end of a log without records.
    pub(crate) const START: Self = Self {
        seq: 0,
        first: 1,
        size: 0,
        time: NO_TIME,
        prev: NO_HASH,
        open_line: false,
        after_torn: 0,
        cut_from: None,
        chain_head_lost: false,
    };
}

/// Writes a line at the end of a file of `old_size` bytes in one write; of a line that does not fit whole the part is cut off again.
pub(crate) fn write_line(log: &mut File, bytes: &[u8], path: &Path, old_size: u64) -> Result<(), Error> {
    // Not `write_all`: a second write could land behind somebody else's line.
    let written = loop {
        match log.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => break other.map_err(|e| Error::io("write", path, e))?,
        }
    };
    if written == bytes.len() {
        return Ok(());
    }
    let restored = log.set_len(old_size).is_ok();
    Err(Error::ShortWrite { path: path.to_path_buf(), written: written as u64, wanted: bytes.len() as u64, restored })
}

pub(crate) fn read_chain_head(head: &File) -> io::Result<Option<ChainHead>> {
    let mut buffer = [0; CHAIN_HEAD_LEN];
    let read = os::read_at(head, &mut buffer, 0)?;
    Ok(buffer.get(..read).and_then(ChainHead::parse))
}

fn write_chain_head(head: &File, chain_head: ChainHead) -> io::Result<()> {
    os::write_at(head, &chain_head.to_bytes(), 0)
}
