//! The spool taken into the registry: every record once, whoever does it and whenever it is killed.
//!
//! How far a reader has come stands in the same database as what it took in, and changes in the same transaction. So nothing is
//! missed or counted twice when it is killed, and a record that comes a second time by another way is known by its id.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use super::event::RegistryEvent;
use super::model::Applied;
use super::spool::{MAX_LINE_BYTES, Part, Spool, records};
use super::sql::{Database, Row as _, Value, forget_records};
use super::sqlite::{Sqlite, SqliteRegistry};
use crate::error::Error;

/// Bytes of the spool that one transaction takes in.
const BATCH_BYTES: usize = 512 << 10;

/// The reader that folds.
const FOLD: &str = "fold";
/// Not a reader: the highest number of a finished part.
const ROTATED: &str = "rotated";

/// How long a finished part stays at least, for a writer that had it open when it was finished. A hook lives for seconds.
const GRACE: Duration = Duration::from_secs(600);
/// How long a finished part stays at most.
const OLDEST: Duration = Duration::from_secs(30 * 86_400);
/// For how long a registry has to know the ids of records, in milliseconds: longer than any part stays that could bring them again.
pub const IDS_MILLIS: i64 = 60 * 86_400_000;

/// How large the spool becomes.
#[derive(Clone, Copy, Debug)]
pub struct SpoolLimits {
    /// The size at which the file that is appended to becomes a finished part.
    pub part_bytes: u64,
    /// How much stays of what was taken in, so that the registry can be rebuilt and servers can be sent what they missed.
    pub kept_bytes: u64,
}

impl Default for SpoolLimits {
    fn default() -> Self {
        Self { part_bytes: 4 << 20, kept_bytes: 64 << 20 }
    }
}

/// What folding did.
#[derive(Clone, Debug, Default)]
pub struct Folded {
    /// What was applied.
    pub applied: Applied,
    /// Lines that hold no record of this version.
    pub unreadable: usize,
    /// Whether nothing is left to fold.
    pub complete: bool,
}

/// Records for a server, and how far its reader has come when they have arrived.
#[derive(Debug, Default)]
pub struct Shipment {
    /// The records, oldest first.
    pub events: Vec<RegistryEvent>,
    /// Lines that hold no record of this version.
    pub unreadable: usize,
    marks: Vec<Mark>,
}

/// How far a reader has come in one part of the spool.
#[derive(Clone, Debug, Default)]
struct Mark {
    generation: u64,
    bytes: u64,
    head: String,
}

impl Shipment {
    /// Whether everything has been sent.
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }
}

impl SqliteRegistry {
    /// Takes the spool in. `now` is milliseconds since 1970; `most` bounds how many bytes are taken in, for whoever has little time.
    /// Finished parts beyond the limits are removed once they are taken in; for each server that had not been sent all of one, this
    /// is remembered until [`Self::dropped`] is asked.
    pub fn fold(&mut self, spool: &Spool, limits: SpoolLimits, now: i64, most: Option<usize>) -> Result<Folded, Error> {
        let mut folded = Folded::default();
        let mut left = most.unwrap_or(usize::MAX);
        while !folded.complete && left > 0 {
            let batch = left.clamp(MAX_LINE_BYTES + 1, BATCH_BYTES);
            let (events, taken) = self.fold_some(spool, limits, now, batch, &mut folded)?;
            left = left.saturating_sub(taken);
            folded.applied.new += events.new;
            folded.applied.repeated += events.repeated;
            folded.applied.warnings.extend(events.warnings);
        }
        Ok(folded)
    }

    fn fold_some(
        &mut self,
        spool: &Spool,
        limits: SpoolLimits,
        now: i64,
        most: usize,
        folded: &mut Folded,
    ) -> Result<(Applied, usize), Error> {
        self.transaction(|database| {
            let read = read(database, spool, FOLD, most)?;
            let mut applied = Applied::default();
            for event in &read.shipment.events {
                super::sql::apply(database, event, &mut applied)?;
            }
            advance(database, FOLD, &read.shipment.marks)?;
            folded.unreadable += read.shipment.unreadable;
            folded.complete = read.complete;
            if read.complete {
                tidy(database, spool, limits, now, &read)?;
            }
            Ok((applied, read.taken))
        })
    }

    /// The next records that this server has not been sent, in at most about half a megabyte of the spool.
    pub fn next_shipment(&mut self, spool: &Spool, server: &str) -> Result<Shipment, Error> {
        let consumer = consumer(server);
        self.transaction(|database| {
            // So that what is removed before it was ever sent is remembered.
            advance(database, &consumer, &[Mark::default()])?;
            Ok(read(database, spool, &consumer, BATCH_BYTES)?.shipment)
        })
    }

    /// Remembers that these records have arrived at the server. Without it they are sent again.
    pub fn shipped(&mut self, server: &str, shipment: &Shipment) -> Result<(), Error> {
        self.transaction(|database| advance(database, &consumer(server), &shipment.marks))
    }

    /// How many bytes of the spool were removed before this server had them, since the last time this was asked.
    pub fn dropped(&mut self, server: &str) -> Result<u64, Error> {
        let consumer = consumer(server);
        self.transaction(|database| {
            let rows =
                database.rows("SELECT bytes FROM spool_dropped WHERE consumer = $1", &[consumer.as_str().into()])?;
            database.run("DELETE FROM spool_dropped WHERE consumer = $1", &[consumer.as_str().into()])?;
            Ok(rows.iter().map(|row| unsigned(row.int(0))).sum())
        })
    }
}

fn consumer(server: &str) -> String {
    format!("server {server}")
}

/// What was read of the spool.
struct ReadParts {
    shipment: Shipment,
    parts: Vec<Part>,
    taken: usize,
    /// Whether all of it was read.
    complete: bool,
    rotated: u64,
}

/// Reads on where this reader stands. The transaction keeps others from rotating meanwhile.
fn read(database: &mut Sqlite, spool: &Spool, consumer: &str, most: usize) -> Result<ReadParts, Error> {
    let rotated = progress(database, ROTATED)?.get(&0).map_or(0, |mark| mark.bytes);
    let known = progress(database, consumer)?;
    let mut read =
        ReadParts { shipment: Shipment::default(), parts: spool.parts(rotated)?, taken: 0, complete: true, rotated };
    for part in &read.parts {
        let known = known.get(&part.generation);
        if known.is_some_and(|known| known.bytes == part.bytes && part.is_finished()) {
            continue;
        }
        let head = part.head()?;
        // A file that is shorter than what was read of it, or begins otherwise, is another one.
        let same = known.filter(|known| known.bytes <= part.bytes && head.starts_with(&known.head));
        let mut from = same.map_or(0, |known| known.bytes);
        while from < part.bytes {
            let left = most.saturating_sub(read.taken);
            if left == 0 {
                read.complete = false;
                return Ok(read);
            }
            let (bytes, to) = part.lines(from, left.max(MAX_LINE_BYTES + 1))?;
            if to == from {
                break;
            }
            let (events, unreadable) = records(&bytes);
            read.shipment.events.extend(events);
            read.shipment.unreadable += unreadable;
            read.shipment.marks.push(Mark { generation: part.generation, bytes: to, head: head.clone() });
            read.taken += bytes.len();
            from = to;
        }
    }
    Ok(read)
}

/// Where a reader stands, by the number of the part.
fn progress(database: &mut Sqlite, consumer: &str) -> Result<BTreeMap<u64, Mark>, Error> {
    let sql = "SELECT generation, bytes, head FROM spool_progress WHERE consumer = $1";
    let mark =
        |row: &Vec<Value>| Mark { generation: unsigned(row.int(0)), bytes: unsigned(row.int(1)), head: row.text(2) };
    Ok(database.rows(sql, &[consumer.into()])?.iter().map(mark).map(|mark| (mark.generation, mark)).collect())
}

fn advance(database: &mut Sqlite, consumer: &str, marks: &[Mark]) -> Result<(), Error> {
    for mark in marks {
        database.run(
            "INSERT INTO spool_progress (consumer, generation, bytes, head) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (consumer, generation) DO UPDATE SET bytes = $3, head = $4",
            &[consumer.into(), signed(mark.generation).into(), signed(mark.bytes).into(), (&mark.head).into()],
        )?;
    }
    Ok(())
}

/// Finishes the part that is appended to if it is large, and removes finished ones beyond the limits. Everything was taken in.
fn tidy(database: &mut Sqlite, spool: &Spool, limits: SpoolLimits, now: i64, read: &ReadParts) -> Result<(), Error> {
    let Some((current, finished)) = read.parts.split_last() else { return Ok(()) };
    let clock = SystemTime::UNIX_EPOCH + Duration::from_millis(now.try_into().unwrap_or(0));
    let age = |part: &Part| clock.duration_since(part.modified).unwrap_or_default();
    let is_current = !current.is_finished();
    let finished = if is_current { finished } else { read.parts.as_slice() };
    let mut kept: u64 = finished.iter().map(|part| part.bytes).sum();
    let mut highest = read.rotated.max(finished.last().map_or(0, |part| part.generation));
    for part in finished {
        let over = kept > limits.kept_bytes || age(part) > OLDEST;
        if !over || age(part) < GRACE {
            break;
        }
        remove(database, part)?;
        kept -= part.bytes;
    }
    if is_current && current.bytes >= limits.part_bytes {
        spool.rotate(current.generation)?;
        highest = current.generation;
        forget_records(database, now.saturating_sub(IDS_MILLIS))?;
    }
    if highest > read.rotated {
        advance(database, ROTATED, &[Mark { bytes: highest, ..Mark::default() }])?;
    }
    Ok(())
}

/// Removes a finished part. Where a server has not been sent all of it, that is remembered.
fn remove(database: &mut Sqlite, part: &Part) -> Result<(), Error> {
    let number = signed(part.generation);
    database.run(
        "INSERT INTO spool_dropped (consumer, generation, bytes) \
         SELECT c.consumer, $1, $2 - COALESCE(p.bytes, 0) \
         FROM (SELECT DISTINCT consumer FROM spool_progress WHERE consumer LIKE 'server %') c \
         LEFT JOIN spool_progress p ON p.consumer = c.consumer AND p.generation = $1 \
         WHERE COALESCE(p.bytes, 0) < $2 \
         ON CONFLICT (consumer, generation) DO NOTHING",
        &[number.into(), signed(part.bytes).into()],
    )?;
    database.run("DELETE FROM spool_progress WHERE generation = $1 AND generation > 0", &[number.into()])?;
    match std::fs::remove_file(&part.path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::io("remove", &part.path)(error)),
        _ => Ok(()),
    }
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}
