//! Reading lines from a file's end and from its start, with bounded memory.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Take};

use crate::os;

const BLOCK: usize = 64 * 1024;
/// A longer line is not kept whole; none of ours is.
const LINE_KEPT: u64 = 1 << 20;

/// Where the last `count` lines of the first `size` bytes begin. What stands behind the last newline counts as a line.
pub(crate) fn start_of_last(file: &File, size: u64, count: usize) -> io::Result<u64> {
    let mut buffer = vec![0; BLOCK];
    let mut end = size;
    let mut left = count;
    if left == 0 {
        return Ok(size);
    }
    while end > 0 {
        let from = end.saturating_sub(BLOCK as u64);
        let block = buffer.get_mut(..usize::try_from(end - from).unwrap_or(BLOCK)).unwrap_or_default();
        let read = os::read_full_at(file, block, from)?;
        for (index, byte) in block.iter().take(read).enumerate().rev() {
            let behind = from + index as u64 + 1;
            // The newline at the very end closes the last line and begins none.
            if *byte == b'\n' && behind < size {
                left -= 1;
                if left == 0 {
                    return Ok(behind);
                }
            }
        }
        end = from;
    }
    Ok(0)
}

/// Whether the first `size` bytes end with a newline; no bytes at all count as such.
pub(crate) fn ends_with_newline(file: &File, size: u64) -> io::Result<bool> {
    let mut byte = [b'\n'];
    if size > 0 {
        os::read_full_at(file, &mut byte, size - 1)?;
    }
    Ok(byte == *b"\n")
}

/// One line without its newline.
pub(crate) struct Line<'b> {
    pub(crate) bytes: &'b [u8],
    /// Bytes of the line in the file, also if it was too long to keep.
    pub(crate) length: u64,
    /// Counted from 1 where reading began.
    pub(crate) number: u64,
}

/// Lines of a part of a file.
#[derive(Debug)]
pub(crate) struct Lines {
    reader: BufReader<Take<File>>,
    buffer: Vec<u8>,
    number: u64,
}

impl Lines {
    pub(crate) fn new(mut file: File, from: u64, to: u64) -> io::Result<Self> {
        file.seek(SeekFrom::Start(from))?;
        let reader = BufReader::with_capacity(BLOCK, file.take(to.saturating_sub(from)));
        Ok(Self { reader, buffer: Vec::new(), number: 0 })
    }

    pub(crate) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        self.buffer.clear();
        let mut length = (&mut self.reader).take(LINE_KEPT).read_until(b'\n', &mut self.buffer)? as u64;
        if length == 0 {
            return Ok(None);
        }
        self.number += 1;
        if self.buffer.last() == Some(&b'\n') {
            self.buffer.pop();
            length -= 1;
        } else if length == LINE_KEPT {
            length += self.skip_line()?;
        }
        Ok(Some(Line { bytes: &self.buffer, length, number: self.number }))
    }

    /// Goes on behind the next newline; how many bytes before it were left out.
    fn skip_line(&mut self) -> io::Result<u64> {
        let mut skipped = 0;
        loop {
            let block = self.reader.fill_buf()?;
            if block.is_empty() {
                return Ok(skipped);
            }
            if let Some(at) = block.iter().position(|b| *b == b'\n') {
                self.reader.consume(at + 1);
                return Ok(skipped + at as u64);
            }
            let all = block.len();
            self.reader.consume(all);
            skipped += all as u64;
        }
    }
}
