//! How large a picture is, from the first bytes of its file: PNG, JPEG, GIF, WebP, BMP.

use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use crate::system::open;

/// Bytes at the beginning that hold the size, except in JPEG.
const HEAD: usize = 32;

/// Segments of a JPEG file that are passed over to find its size.
const MOST_SEGMENTS: usize = 256;

/// Width and height in pixels. `None` for what is no picture of these kinds, or is cut off.
pub fn size(path: &Path) -> Option<(u32, u32)> {
    let mut file = open::foreign(path).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut head = Vec::with_capacity(HEAD);
    file.by_ref().take(HEAD as u64).read_to_end(&mut head).ok()?;
    let at = |from: usize, count: usize| head.get(from..from + count);
    let big = |from: usize| Some(u32::from_be_bytes(at(from, 4)?.try_into().ok()?));
    let small = |from: usize| Some(u32::from(u16::from_le_bytes(at(from, 2)?.try_into().ok()?)));
    if head.starts_with(b"\x89PNG\r\n\x1a\n") {
        return Some((big(16)?, big(20)?));
    }
    if head.starts_with(b"GIF8") {
        return Some((small(6)?, small(8)?));
    }
    if head.starts_with(b"BM") {
        let side = |from: usize| Some(i32::from_le_bytes(at(from, 4)?.try_into().ok()?).unsigned_abs());
        return Some((side(18)?, side(22)?));
    }
    if head.starts_with(b"RIFF") && at(8, 4)? == b"WEBP" {
        let medium = |from: usize| {
            let bytes = at(from, 3)?;
            Some(bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u32::from(*byte)) + 1)
        };
        return match at(12, 4)? {
            b"VP8 " => Some((small(26)? & 0x3fff, small(28)? & 0x3fff)),
            b"VP8L" => {
                let bits = u32::from_le_bytes(at(21, 4)?.try_into().ok()?);
                Some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
            }
            b"VP8X" => Some((medium(24)?, medium(27)?)),
            _ => None,
        };
    }
    if head.starts_with(&[0xff, 0xd8]) { jpeg(&mut file) } else { None }
}

/// Passes over segments to the one that holds the size.
fn jpeg(file: &mut (impl Read + Seek)) -> Option<(u32, u32)> {
    file.seek(SeekFrom::Start(2)).ok()?;
    for _ in 0..MOST_SEGMENTS {
        let mut mark = [0; 4];
        file.read_exact(&mut mark).ok()?;
        let [0xff, kind, high, low] = mark else { return None };
        let length = i64::from(u16::from_be_bytes([high, low]));
        // A frame begins with one of these; C4, C8 and CC are something else.
        if matches!(kind, 0xc0..=0xcf) && !matches!(kind, 0xc4 | 0xc8 | 0xcc) {
            let mut frame = [0; 5];
            file.read_exact(&mut frame).ok()?;
            let [_, y1, y0, x1, x0] = frame;
            return Some((u16::from_be_bytes([x1, x0]).into(), u16::from_be_bytes([y1, y0]).into()));
        }
        file.seek(SeekFrom::Current((length - 2).max(0))).ok()?;
    }
    None
}
