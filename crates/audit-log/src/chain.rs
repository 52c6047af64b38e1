//! The chain: what a line's end looks like, what is hashed, and the chain head of the newest record.

use chrono::{DateTime, Datelike, TimeDelta, Timelike, Utc};
use sha2::{Digest, Sha256};

/// The longest end of a line, newline included: `,"time":"…","seq":N,"prev":"…","hash":"…"}\n`.
pub(crate) const TAIL_MAX: usize = 209;
/// Sequence numbers have at most this many digits; a longer one is not ours.
const SEQ_DIGITS: usize = 15;
/// A chain head fills exactly this many bytes, so that it is overwritten in place by one write.
pub(crate) const CHAIN_HEAD_LEN: usize = 256;

/// A SHA-256 as 64 lower-case hexadecimal digits, the form in which it stands in the line.
pub(crate) type Hash = [u8; 64];
/// An RFC 3339 time in UTC with microseconds, `2026-11-28T01:22:30.123456Z`; sorts as bytes.
pub(crate) type Time = [u8; 27];

/// `prev` of the very first record.
pub(crate) const NO_HASH: Hash = [b'0'; 64];
/// Earlier than every time that can be written.
pub(crate) const NO_TIME: Time = *b"0000-01-01T00:00:00.000000Z";

/// What the end of a line says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) seq: u64,
    pub(crate) time: Time,
    pub(crate) prev: Hash,
    pub(crate) hash: Hash,
    /// Bytes behind the hashed part: from the comma before `"hash"` to the closing brace.
    pub(crate) unhashed: usize,
}

impl Link {
    /// Reads the end of a line (without its newline); `None` if no record ends like this. The start may be missing.
    pub(crate) fn parse(line: &[u8]) -> Option<Self> {
        let rest = line.strip_suffix(b"\"}")?;
        let (rest, hash) = rest.split_last_chunk::<64>()?;
        let hashed = rest.strip_suffix(b",\"hash\":\"")?;
        let rest = hashed.strip_suffix(b"\"")?;
        let (rest, prev) = rest.split_last_chunk::<64>()?;
        let rest = rest.strip_suffix(b",\"prev\":\"")?;
        let digits = rest.iter().rev().take(SEQ_DIGITS + 1).take_while(|b| b.is_ascii_digit()).count();
        let (rest, number) = rest.split_at_checked(rest.len() - digits)?;
        let seq = number_of(number)?;
        let rest = rest.strip_suffix(b"\",\"seq\":")?;
        let (rest, time) = rest.split_last_chunk::<27>()?;
        rest.strip_suffix(b",\"time\":\"")?;
        (is_hash(hash) && is_hash(prev) && is_time(time)).then_some(Self {
            seq,
            time: *time,
            prev: *prev,
            hash: *hash,
            unhashed: line.len() - hashed.len(),
        })
    }

    /// Whether the line (without its newline) carries the hash of its own bytes.
    pub(crate) fn holds(&self, line: &[u8]) -> bool {
        line.get(..line.len().saturating_sub(self.unhashed)).is_some_and(|hashed| hash_of(hashed) == self.hash)
    }
}

/// Writes the end of a line behind its body and returns the line's hash. `hasher` has seen all of `line` so far.
pub(crate) fn close(line: &mut Vec<u8>, mut hasher: Sha256, time: &Time, seq: u64, prev: &Hash) -> Hash {
    let from = line.len();
    line.extend_from_slice(b",\"time\":\"");
    line.extend_from_slice(time);
    line.extend_from_slice(b"\",\"seq\":");
    push_number(line, seq);
    line.extend_from_slice(b",\"prev\":\"");
    line.extend_from_slice(prev);
    line.push(b'"');
    hasher.update(line.get(from..).unwrap_or_default());
    let hash = hex(&hasher.finalize().into());
    line.extend_from_slice(b",\"hash\":\"");
    line.extend_from_slice(&hash);
    line.extend_from_slice(b"\"}\n");
    hash
}

/// What `chain.head` says about the newest record.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChainHead {
    /// Sequence number of the newest record; 0 before the first.
    pub(crate) seq: u64,
    /// The oldest sequence number that was not pruned.
    pub(crate) first: u64,
    /// Size of `audit.jsonl` after the newest record.
    pub(crate) size: u64,
    pub(crate) time: Time,
    pub(crate) hash: Hash,
}

impl ChainHead {
    /// The chain head of a log without records.
    pub(crate) const START: Self = Self { seq: 0, first: 1, size: 0, time: NO_TIME, hash: NO_HASH };

    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(b"{\"v\":1,\"seq\":")?;
        let (seq, rest) = leading_number(rest)?;
        let (first, rest) = leading_number(rest.strip_prefix(b",\"first\":")?)?;
        let (size, rest) = leading_number(rest.strip_prefix(b",\"size\":")?)?;
        let (time, rest) = rest.strip_prefix(b",\"time\":\"")?.split_first_chunk::<27>()?;
        let (hash, rest) = rest.strip_prefix(b"\",\"hash\":\"")?.split_first_chunk::<64>()?;
        let rest = rest.strip_prefix(b"\"}")?;
        let whole = bytes.len() == CHAIN_HEAD_LEN && rest.last() == Some(&b'\n');
        (whole && is_time(time) && is_hash(hash)).then_some(Self { seq, first, size, time: *time, hash: *hash })
    }

    /// One JSON object, padded with spaces to [`CHAIN_HEAD_LEN`] bytes, a newline last.
    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let mut out = Vec::with_capacity(CHAIN_HEAD_LEN);
        out.extend_from_slice(b"{\"v\":1,\"seq\":");
        push_number(&mut out, self.seq);
        out.extend_from_slice(b",\"first\":");
        push_number(&mut out, self.first);
        out.extend_from_slice(b",\"size\":");
        push_number(&mut out, self.size);
        out.extend_from_slice(b",\"time\":\"");
        out.extend_from_slice(&self.time);
        out.extend_from_slice(b"\",\"hash\":\"");
        out.extend_from_slice(&self.hash);
        out.extend_from_slice(b"\"}");
        out.resize(CHAIN_HEAD_LEN - 1, b' ');
        out.push(b'\n');
        out
    }
}

/// The largest number that can be the trail's own. A forged line with the largest that can be written would leave none for
/// the records after it; the chain head is behind by one after a kill, by what the disk lost after a power loss.
pub(crate) fn last_plausible(chain_head: Option<ChainHead>) -> u64 {
    const LOST: u64 = 1_000_000;
    const UNKNOWN: u64 = 100_000_000_000_000;
    chain_head.map_or(UNKNOWN, |chain_head| chain_head.seq.saturating_add(LOST).min(UNKNOWN))
}

pub(crate) fn hash_of(bytes: &[u8]) -> Hash {
    hex(&Sha256::digest(bytes).into())
}

fn hex(digest: &[u8; 32]) -> Hash {
    const DIGIT: [u8; 16] = *b"0123456789abcdef";
    let mut out = NO_HASH;
    for (pair, byte) in out.chunks_exact_mut(2).zip(digest) {
        let high = DIGIT.get(usize::from(byte >> 4)).copied().unwrap_or_default();
        let low = DIGIT.get(usize::from(byte & 15)).copied().unwrap_or_default();
        pair.copy_from_slice(&[high, low]);
    }
    out
}

fn is_hash(bytes: &[u8; 64]) -> bool {
    bytes.iter().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

pub(crate) fn is_time(bytes: &Time) -> bool {
    bytes.iter().zip(&NO_TIME).all(|(b, form)| if form.is_ascii_digit() { b.is_ascii_digit() } else { b == form })
}

fn number_of(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || digits.len() > SEQ_DIGITS {
        return None;
    }
    digits.iter().try_fold(0_u64, |n, d| Some(n * 10 + u64::from(d.checked_sub(b'0').filter(|d| *d < 10)?)))
}

fn leading_number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let digits = bytes.iter().take_while(|b| b.is_ascii_digit()).count();
    let (number, rest) = bytes.split_at_checked(digits)?;
    Some((number_of(number)?, rest))
}

/// Appends the decimal digits of `n` without the formatting machinery.
pub(crate) fn push_number(out: &mut Vec<u8>, mut n: u64) {
    let from = out.len();
    loop {
        out.push(b'0' + u8::try_from(n % 10).unwrap_or(0));
        n /= 10;
        if n == 0 {
            break;
        }
    }
    out.get_mut(from..).unwrap_or_default().reverse();
}

/// The written form of a time, cut to microseconds. Years outside 0 to 9999 become the nearest that can be written,
/// a leap second the last microsecond before it.
pub(crate) fn time_of(time: DateTime<Utc>) -> Time {
    match time.year() {
        0..=9999 => {}
        ..0 => return NO_TIME,
        _ => return *b"9999-12-31T23:59:59.999999Z",
    }
    let mut out = NO_TIME;
    let year = time.year().unsigned_abs();
    let micros = (time.nanosecond() / 1_000).min(999_999);
    let parts = [
        (year, 0..4),
        (time.month(), 5..7),
        (time.day(), 8..10),
        (time.hour(), 11..13),
        (time.minute(), 14..16),
        (time.second(), 17..19),
        (micros, 20..26),
    ];
    for (mut value, place) in parts {
        for digit in out.get_mut(place).unwrap_or_default().iter_mut().rev() {
            *digit = b'0' + u8::try_from(value % 10).unwrap_or(0);
            value /= 10;
        }
    }
    out
}

/// Back from the written form; the epoch if it says no real date (the 31st of February).
pub(crate) fn time_from(time: &Time) -> DateTime<Utc> {
    let part = |place: std::ops::Range<usize>| {
        time.get(place).unwrap_or_default().iter().fold(0_u32, |n, d| n * 10 + u32::from(d.wrapping_sub(b'0')))
    };
    let date = chrono::NaiveDate::from_ymd_opt(i32::try_from(part(0..4)).unwrap_or(0), part(5..7), part(8..10));
    date.and_then(|d| d.and_hms_opt(part(11..13), part(14..16), part(17..19)))
        .map(|d| d.and_utc() + TimeDelta::microseconds(i64::from(part(20..26))))
        .unwrap_or_default()
}
