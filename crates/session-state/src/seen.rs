//! Which calls and files a session has counted: a set of hashes in a file of its own, in which a look-up costs the same few
//! reads however long the session has been going on.
//!
//! The file is a row of tables, level 0 first. Level `i` has `2^(11+i)` slots of eight bytes, little endian, zero for empty, in
//! buckets of 64. A hash belongs to one bucket of each level; it is looked for in all levels, newest first, and goes into the
//! first empty slot of its bucket in the newest. When that bucket is full the file grows by one level, as a hole. So 2 048
//! slots carry about 1 300 entries in one level, and seven levels carry 100 000.
//!
//! Two entries of the same 64-bit hash are one to this set: at 100 000 entries the chance that the next one is taken for known
//! is 5 in 10^15.

use std::fs::File;
use std::io;

use crate::locked::Io;
use crate::sys::{self, Dir};

/// What kind of thing is remembered. Keys of different kinds never meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// An event, by `tool_use_id`: so that one that is delivered twice is counted once.
    Event,
    /// A file that was read, by path.
    Read,
    /// A file that was written, by path.
    Write,
}

/// The hash a membership file knows an entry by: FNV-1a of 64 bits over the kind's byte (1 event, 2 read, 3 write) and the key's
/// bytes, then the finaliser of `MurmurHash3` so that every bit depends on every byte. Zero, the empty slot, becomes one.
pub(crate) fn hash(kind: Kind, key: &str) -> u64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;

    let kind = match kind {
        Kind::Event => 1,
        Kind::Read => 2,
        Kind::Write => 3,
    };
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(PRIME);
    let mut hash = key.bytes().fold(step(OFFSET, kind), step);
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^= hash >> 33;
    hash.max(1)
}

const SLOT: u64 = 8;
const BUCKET_SLOTS: u64 = 64;
const BUCKET: usize = 512;
/// Buckets of level 0.
const FIRST_BUCKETS: u64 = 32;
/// 12 levels carry five million entries in 64 MiB; a session that gets there goes on without remembering more.
const MAX_LEVELS: u32 = 12;

/// An open membership file.
#[derive(Debug)]
pub(crate) struct Seen {
    file: File,
    levels: u32,
}

/// Where a hash is to go, found when it was looked for.
#[derive(Debug)]
pub(crate) enum Place {
    /// It is in the set.
    Known,
    /// Into the slot at this offset, which was empty.
    Empty(u64),
    /// Into a new level.
    Grow,
}

impl Place {
    /// The slot that this place takes.
    pub(crate) fn slot(&self) -> Option<u64> {
        match self {
            Self::Empty(slot) => Some(*slot),
            Self::Known | Self::Grow => None,
        }
    }
}

impl Seen {
    /// Opens the file; `None` where there is none, or none that this library made.
    pub(crate) fn open(handle: &Dir, name: &str) -> io::Result<Option<Self>> {
        let Some(side) = handle.side(name, false)? else { return Ok(None) };
        let levels = (1..=MAX_LEVELS).find(|&levels| size(levels) == side.bytes);
        Ok(levels.filter(|_| side.sound).map(|levels| Self { file: side.file, levels }))
    }

    /// Makes an empty file in place of whatever has the name.
    pub(crate) fn create(handle: &Dir, name: &str) -> io::Result<Self> {
        handle.remove(name)?;
        let Some(side) = handle.side(name, true)? else { return Err(io::ErrorKind::NotFound.into()) };
        side.file.set_len(size(1))?;
        Ok(Self { file: side.file, levels: 1 })
    }

    /// Looks for a hash. Slots in `taken` count as full.
    pub(crate) fn find(&self, hash: u64, taken: &[u64], io: &mut Io) -> io::Result<Place> {
        let mut place = Place::Grow;
        for level in (0..self.levels).rev() {
            let start = bucket(hash, level);
            for (slot, found) in (start..).step_by(8).zip(self.read(start, io)?) {
                if found == hash {
                    return Ok(Place::Known);
                }
                // Slots fill in order, so nothing lies behind an empty one.
                let newest = level + 1 == self.levels;
                if found == 0 && newest && taken.contains(&slot) {
                    continue;
                }
                if found == 0 {
                    if newest {
                        place = Place::Empty(slot);
                    }
                    break;
                }
            }
        }
        Ok(place)
    }

    /// Whether the newest level has this hash: where the last one of an update is, unless the update was cut off.
    pub(crate) fn newest_has(&self, hash: u64, io: &mut Io) -> io::Result<bool> {
        Ok(self.read(bucket(hash, self.levels.saturating_sub(1)), io)?.any(|found| found == hash))
    }

    /// Puts a hash where [`Self::find`] said.
    pub(crate) fn insert(&mut self, hash: u64, place: &Place, io: &mut Io) -> io::Result<()> {
        let slot = match place {
            Place::Known => return Ok(()),
            Place::Empty(slot) => *slot,
            Place::Grow if self.levels == MAX_LEVELS => return Ok(()),
            Place::Grow => {
                self.file.set_len(size(self.levels + 1))?;
                self.levels += 1;
                bucket(hash, self.levels - 1)
            }
        };
        io.writes += 1;
        io.bytes_written += SLOT;
        sys::put(&self.file, &hash.to_le_bytes(), slot)
    }

    fn read(&self, start: u64, io: &mut Io) -> io::Result<impl Iterator<Item = u64>> {
        let mut bytes = [0; BUCKET];
        sys::fill(&self.file, &mut bytes, start)?;
        io.reads += 1;
        io.bytes_read += BUCKET as u64;
        Ok((0..BUCKET / 8).map(move |slot| {
            bytes.get(slot * 8..).and_then(<[u8]>::first_chunk).map_or(0, |slot| u64::from_le_bytes(*slot))
        }))
    }
}

/// The size of a file of this many levels.
fn size(levels: u32) -> u64 {
    FIRST_BUCKETS * BUCKET_SLOTS * SLOT * ((1 << levels) - 1)
}

/// Where the bucket of a hash begins in a level.
fn bucket(hash: u64, level: u32) -> u64 {
    let buckets = FIRST_BUCKETS << level;
    size(level) + hash % buckets * BUCKET as u64
}
