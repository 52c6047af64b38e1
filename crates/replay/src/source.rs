//! The events of many transcripts in the order of their times, one line of each in memory.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::fs::File;
use std::io::{BufRead, BufReader, Read as _};

use chrono::DateTime;
use hook_protocol::transcript::{Past, PastEvents};

use super::Seen;
use super::input::Transcript;
use hook_runtime::system::open;

/// Longest line that is read, in bytes. The host's longest hold a picture or a large result.
const LONGEST: u64 = 16 << 20;
/// Files that are open at once. Sessions follow each other, so that few overlap.
const OPEN: usize = 128;

/// Lines of a file, each as text, with a bound on what is kept.
pub(super) struct Lines<R> {
    reader: R,
    bytes: Vec<u8>,
    text: String,
    first: bool,
    /// Bytes so far.
    pub(super) read: u64,
}

/// One step of reading.
pub(super) enum Read<'l> {
    /// A line that is not empty.
    Line(&'l str),
    /// The last one, without its end: whoever wrote it may not have been done.
    Open(&'l str),
    /// A line that was too long.
    TooLong,
    End,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, bytes: Vec::new(), text: String::new(), first: true, read: 0 }
    }

    pub(super) fn next(&mut self) -> std::io::Result<Read<'_>> {
        loop {
            self.bytes.clear();
            let got = (&mut self.reader).take(LONGEST).read_until(b'\n', &mut self.bytes)? as u64;
            self.read += got;
            if got == 0 {
                return Ok(Read::End);
            }
            let whole = self.bytes.last() == Some(&b'\n');
            if !whole && got == LONGEST {
                self.skip_line()?;
                self.bytes = Vec::new();
                return Ok(Read::TooLong);
            }
            let mut bytes = self.bytes.as_slice();
            if std::mem::take(&mut self.first) {
                bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            }
            let bytes = bytes.trim_ascii();
            if bytes.is_empty() {
                continue;
            }
            self.text.clear();
            self.text.push_str(&String::from_utf8_lossy(bytes));
            return Ok(if whole { Read::Line(&self.text) } else { Read::Open(&self.text) });
        }
    }

    fn skip_line(&mut self) -> std::io::Result<()> {
        loop {
            let block = self.reader.fill_buf()?;
            if block.is_empty() {
                return Ok(());
            }
            let end = block.iter().position(|byte| *byte == b'\n');
            let used = end.map_or(block.len(), |at| at + 1);
            self.reader.consume(used);
            self.read += used as u64;
            if end.is_some() {
                return Ok(());
            }
        }
    }
}

/// A time in microseconds since 1970.
pub(super) fn micros_of(text: &str) -> Option<i64> {
    DateTime::parse_from_rfc3339(text).ok().map(|time| time.timestamp_micros())
}

/// What was left out of the files read so far.
#[derive(Debug, Default)]
pub(super) struct Left {
    pub(super) lines: u64,
    /// Lines of kinds that tell of no event.
    pub(super) other_lines: u64,
    /// Lines that are not one JSON object, by file.
    pub(super) damaged: u64,
    /// Last lines that were not written to their end.
    pub(super) cut_off: u64,
    pub(super) too_long: u64,
    /// What is to be said about single files.
    pub(super) notes: Vec<String>,
}

/// An open transcript.
struct Stream {
    file: Transcript,
    lines: Lines<BufReader<File>>,
    events: PastEvents,
    waiting: VecDeque<Past>,
    micros: i64,
    known_lines: u64,
    ended: bool,
}

/// All transcripts, merged.
pub(super) struct Merged {
    /// Not open yet, the earliest last.
    files: Vec<Transcript>,
    streams: Vec<Option<Stream>>,
    /// The next event of each open stream.
    heap: BinaryHeap<Reverse<(i64, usize)>>,
    open: usize,
    bytes: u64,
    pub(super) left: Left,
}

impl Merged {
    /// `files` in the order of their beginnings.
    pub(super) fn open(mut files: Vec<Transcript>) -> Self {
        files.reverse();
        Self { files, streams: Vec::new(), heap: BinaryHeap::new(), open: 0, bytes: 0, left: Left::default() }
    }

    /// Bytes read so far.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn next(&mut self) -> Option<Seen> {
        loop {
            self.begin_due();
            let Some(Reverse((micros, at))) = self.heap.pop() else {
                // Files without an event were begun and are done; the next ones may have some.
                if self.files.is_empty() {
                    return None;
                }
                continue;
            };
            let past = self.streams.get_mut(at).and_then(Option::as_mut).and_then(|stream| stream.waiting.pop_front());
            self.advance(at);
            if let Some(past) = past {
                return Some(Seen { past, micros, live: None, whole: true, root: None });
            }
        }
    }

    /// Begins every file whose first line is not later than the next event.
    fn begin_due(&mut self) {
        while let Some(file) = self.files.last() {
            let due = self.heap.peek().is_none_or(|Reverse((next, _))| file.begin <= *next);
            if !due || self.open >= OPEN && !self.heap.is_empty() {
                return;
            }
            let Some(file) = self.files.pop() else { return };
            match open::foreign(&file.path) {
                Ok(opened) => {
                    let micros = file.begin;
                    self.open += 1;
                    let lines = Lines::new(BufReader::with_capacity(64 << 10, opened));
                    self.streams.push(Some(Stream {
                        file,
                        lines,
                        events: PastEvents::new(),
                        waiting: VecDeque::new(),
                        micros,
                        known_lines: 0,
                        ended: false,
                    }));
                    self.advance(self.streams.len() - 1);
                }
                Err(error) => self.left.notes.push(format!("{}: {error}", file.path.display())),
            }
        }
    }

    /// Reads on until the stream has its next event, and enters that; a stream without one is done.
    fn advance(&mut self, at: usize) {
        let Some(slot) = self.streams.get_mut(at) else { return };
        let Some(stream) = slot else { return };
        let before = stream.lines.read;
        stream.fill(&mut self.left);
        self.bytes += stream.lines.read - before;
        if let Some(next) = stream.waiting.front() {
            let time = next.time.as_deref().and_then(micros_of).unwrap_or(stream.micros);
            stream.micros = stream.micros.max(time);
            self.heap.push(Reverse((stream.micros, at)));
        } else {
            if stream.known_lines == 0 {
                self.left.notes.push(format!(
                    "{}: no line in it is one of a transcript or an audit log; is it another tool's?",
                    stream.file.path.display()
                ));
            }
            *slot = None;
            self.open -= 1;
        }
    }
}

impl Stream {
    fn fill(&mut self, left: &mut Left) {
        while self.waiting.is_empty() && !self.ended {
            let (text, open) = match self.lines.next() {
                Ok(Read::Line(text)) => (text, false),
                Ok(Read::Open(text)) => (text, true),
                Ok(Read::TooLong) => {
                    left.lines += 1;
                    left.too_long += 1;
                    continue;
                }
                ended => {
                    if let Err(error) = ended {
                        left.notes.push(format!("{}: {error}; the rest is left out", self.file.path.display()));
                    }
                    self.ended = true;
                    self.waiting.extend(self.events.finish());
                    return;
                }
            };
            left.lines += 1;
            match self.events.add(text) {
                Ok(Some(past)) => {
                    self.known_lines += 1;
                    self.waiting.extend(past);
                }
                Ok(None) => left.other_lines += 1,
                Err(_) if open => left.cut_off += 1,
                Err(_) => left.damaged += 1,
            }
        }
    }
}
