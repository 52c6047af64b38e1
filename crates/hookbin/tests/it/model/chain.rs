//! A log whose records name their predecessor, appended to by many processes under the lock of a file that is never renamed, and rotated.

use super::{Moment, explore};

/// The changing calls of a record, in order.
pub(super) const STEPS: &[&str] =
    &["openat2 chain.head", "flock chain.head", "openat2 audit.jsonl", "write audit.jsonl", "pwrite64 chain.head"];

/// Ways to break the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Broken {
    Nothing,
    /// The lock is that of the log itself, which rotation moves away.
    LocksTheLog,
    /// The end of the log is looked for before the lock is taken.
    LooksEarly,
    /// The chain head is written before the record.
    ChainHeadFirst,
    /// Old files go before the chain head no longer vouches for them.
    PrunesEarly,
    /// The end is what the chain head says, without a look at the log.
    TrustsTheChainHead,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Line {
    Record {
        number: u8,
        previous: u8,
        writer: u8,
    },
    /// The beginning of a line, without its end.
    Torn,
}

/// The file and what the next writer closes: a torn line becomes a line of its own.
type Lines = Vec<Line>;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Writer {
    at: u8,
    /// The file that it has open, as its place among the files.
    open: usize,
    /// The end that it saw: the newest number, and whether the log was full.
    end: u8,
    full: bool,
    alive: bool,
    done: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Chain {
    broken: Broken,
    writers: Vec<Writer>,
    /// Who holds the lock of `chain.head`; with [`Broken::LocksTheLog`] that of each file.
    holders: Vec<Option<usize>>,
    /// All files in the order in which they were made; the last one has the log's name.
    files: Vec<Lines>,
    /// Files that were removed, from the oldest on.
    pruned: usize,
    /// What the chain head says: the newest number, and the first that it vouches for.
    newest: u8,
    first: u8,
    crashes: u8,
    /// Records of a file that is full.
    most: usize,
}

const DONE: u8 = 100;

impl Chain {
    fn new(broken: Broken, writers: usize, before: u8, crashes: u8) -> Self {
        let writer = Writer { at: 0, open: 0, end: 0, full: false, alive: true, done: false };
        let record = |number| Line::Record { number, previous: number - 1, writer: 200 + number };
        Self {
            broken,
            writers: vec![writer; writers],
            holders: vec![None],
            files: vec![(1..=before).map(record).collect()],
            pruned: 0,
            newest: before,
            first: 1,
            crashes,
            most: 2,
        }
    }

    fn step(&self, who: usize) -> Option<Self> {
        let mut next = self.clone();
        next.append(who).then_some(next)
    }

    /// The lock that a writer takes: the one of the head, or of the file that it has open.
    fn lock_of(&self, who: usize) -> usize {
        if self.broken == Broken::LocksTheLog { self.writers[who].open } else { 0 }
    }

    /// The newest record that any file has.
    fn last(&self) -> u8 {
        let records = self.files.iter().flatten().filter_map(|line| match line {
            Line::Record { number, .. } => Some(*number),
            Line::Torn => None,
        });
        records.max().unwrap_or(0)
    }

    fn look(&mut self, who: usize) {
        let last = if self.broken == Broken::TrustsTheChainHead { self.newest } else { self.last().max(self.newest) };
        let open = self.writers[who].open;
        let full = self.files[open].len() >= self.most;
        (self.writers[who].end, self.writers[who].full) = (last, full);
    }

    fn append(&mut self, who: usize) -> bool {
        let number = self.writers[who].end + 1;
        let prunes = |chain: &mut Self| {
            // One old file stays.
            if chain.files.len() > 2 {
                chain.pruned = chain.files.len() - 2;
            }
        };
        match self.writers[who].at {
            // openat: of the head; with the broken lock, of the log.
            0 => {
                self.writers[who].open = self.files.len() - 1;
                if self.broken == Broken::LooksEarly {
                    self.look(who);
                }
            }
            // flock
            1 => {
                let lock = self.lock_of(who);
                if self.holders[lock].is_some() {
                    return false;
                }
                self.holders[lock] = Some(who);
            }
            // openat audit.jsonl: what has the name now.
            2 => {
                if self.broken != Broken::LocksTheLog {
                    self.writers[who].open = self.files.len() - 1;
                }
                if self.broken != Broken::LooksEarly {
                    self.look(who);
                }
            }
            // A full log gets another name, and a new one is made.
            3 => {
                if self.writers[who].full {
                    self.files.push(Lines::new());
                    self.holders.push(None);
                    self.writers[who].open = self.files.len() - 1;
                }
            }
            4 if self.broken == Broken::ChainHeadFirst => self.newest = self.newest.max(number),
            4 if self.broken == Broken::PrunesEarly && self.writers[who].full => prunes(self),
            4 => {}
            // write: one call, which a kill can cut.
            5 => {
                let open = self.writers[who].open;
                let record =
                    Line::Record { number, previous: self.writers[who].end, writer: u8::try_from(who).unwrap() };
                self.files[open].push(record);
            }
            // pwrite64: the chain head, with what it vouches for from now on.
            6 => {
                self.newest = self.newest.max(number);
                if self.writers[who].full && self.files.len() > 2 {
                    let kept = self.files[self.files.len() - 2..].iter().flatten();
                    let first = kept.filter_map(|line| match line {
                        Line::Record { number, .. } => Some(*number),
                        Line::Torn => None,
                    });
                    self.first = first.min().unwrap_or(number).max(self.first);
                }
            }
            7 => {
                if self.writers[who].full {
                    prunes(self);
                }
            }
            _ => {
                self.unlock(who);
                (self.writers[who].at, self.writers[who].done) = (DONE, true);
                return true;
            }
        }
        self.writers[who].at += 1;
        true
    }

    fn unlock(&mut self, who: usize) {
        for holder in &mut self.holders {
            *holder = holder.filter(|holder| *holder != who);
        }
    }

    /// The process is killed, before its next step or in the middle of its write.
    fn crashes(&self, who: usize) -> Vec<Self> {
        let mut before = self.clone();
        before.crashes -= 1;
        before.unlock(who);
        before.writers[who].alive = false;
        if self.writers[who].at != 5 {
            return vec![before];
        }
        let mut within = before.clone();
        within.files[self.writers[who].open].push(Line::Torn);
        vec![before, within]
    }

    /// What `log verify` says: the numbers follow each other from the first that the chain head vouches for to the newest.
    fn verify(&self) -> Result<(), String> {
        let mut last: Option<u8> = None;
        for line in self.files[self.pruned..].iter().flatten() {
            let Line::Record { number, previous, .. } = line else { continue };
            match last {
                None if *number > self.first => {
                    return Err(format!("records {} to {} are missing", self.first, number - 1));
                }
                Some(last) if (*number, *previous) != (last + 1, last) => {
                    return Err(format!("record {number} after {last}, it names {previous}"));
                }
                _ => {}
            }
            last = Some(*number);
        }
        if self.newest > last.unwrap_or(0) {
            return Err(format!("the newest records are missing: {} of {}", last.unwrap_or(0), self.newest));
        }
        Ok(())
    }
}

impl Moment for Chain {
    fn next(&self) -> Vec<Self> {
        let running = |who: &usize| self.writers[*who].alive && !self.writers[*who].done;
        let all: Vec<usize> = (0..self.writers.len()).filter(running).collect();
        let mut next: Vec<Self> = all.iter().filter_map(|who| self.step(*who)).collect();
        if self.crashes > 0 {
            next.extend(all.iter().flat_map(|who| self.crashes(*who)));
        }
        next
    }

    fn check(&self, is_end: bool) -> Result<(), String> {
        // Whoever verifies takes the lock, so it sees what is there while nobody holds it.
        if self.holders.iter().all(Option::is_none) {
            self.verify()?;
        }
        let times = |who: usize| {
            let lines = self.files.iter().flatten();
            lines.filter(|line| matches!(line, Line::Record { writer, .. } if usize::from(*writer) == who)).count()
        };
        for (who, writer) in self.writers.iter().enumerate() {
            let there = times(who);
            if there > 1 || writer.done && there != 1 {
                return Err(format!("the record of writer {who} is there {there} times"));
            }
            if is_end && writer.alive && !writer.done {
                return Err(format!("writer {who} waits for ever"));
            }
        }
        Ok(())
    }
}

#[test]
fn no_order_of_steps_and_no_crash_breaks_the_chain() {
    let mut moments = 0;
    // A log that is nearly full or full, so that one writer or each of them rotates it.
    for (writers, before, crashes) in [(2, 0, 2), (2, 1, 2), (3, 1, 2), (3, 2, 1), (4, 1, 1)] {
        moments += explore(Chain::new(Broken::Nothing, writers, before, crashes)).unwrap();
    }
    println!("{moments} moments");
    assert!(moments > 1_000, "only {moments} moments");
}

#[test]
fn a_broken_protocol_is_found() {
    for (broken, writers, before, crashes) in [
        (Broken::LocksTheLog, 2, 2, 0),
        (Broken::LooksEarly, 2, 0, 0),
        (Broken::ChainHeadFirst, 2, 0, 1),
        (Broken::PrunesEarly, 4, 2, 1),
        (Broken::TrustsTheChainHead, 2, 0, 1),
    ] {
        assert!(explore(Chain::new(broken, writers, before, crashes)).is_err(), "{broken:?} was not found");
    }
}
