//! A document that is changed under a lock, by writing into the file that was replaced last and exchanging the two names; and the set of
//! calls that were counted already, in a file beside it.

use super::{Moment, explore};

/// The changing calls of an update, in order.
pub(super) const STEPS: &[&str] = &[
    "openat lock",
    "flock lock",
    "fcntl .document.json.spare",
    "writev .document.json.spare",
    "renameat2 .document.json.spare to document.json",
    "pwrite64 document.seen",
];

/// Ways to break the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Broken {
    Nothing,
    /// The document is read before the lock is taken.
    ReadsEarly,
    /// The lock is given back before the names are exchanged.
    UnlocksEarly,
    /// The replaced file is written into although somebody reads it.
    NoLease,
    /// The document is written where it lies.
    InPlace,
    /// The set of calls is written before the document.
    SetFirst,
    /// What the document carries for the set is not put there by the next update.
    ForgetsCarried,
}

/// What half of a document says: which calls were counted, one bit each, and how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Half {
    calls: u8,
    total: u8,
}

const NOTHING: Half = Half { calls: 0, total: 0 };

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct File {
    first: Half,
    second: Half,
}

/// A process that counts one call, or one that reads.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Process {
    at: u8,
    /// What it read: the calls of the document.
    read: Half,
    /// The file that it has open.
    open: Option<usize>,
    /// The call that it counts. Two processes may deliver the same one.
    call: u8,
    reader: bool,
    alive: bool,
    /// It has come to its end, and somebody may rely on that.
    done: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Exchange {
    broken: Broken,
    processes: Vec<Process>,
    holder: Option<usize>,
    files: [File; 2],
    /// The file under the document's name; the other one is the spare.
    document: usize,
    /// The file that is held against readers, and by whom.
    lease: Option<(usize, usize)>,
    /// The calls in the set.
    set: u8,
    crashes: u8,
}

const END: u8 = 100;

impl Exchange {
    fn new(broken: Broken, calls: &[u8], readers: usize, crashes: u8) -> Self {
        let process =
            |call: u8, reader| Process { at: 0, read: NOTHING, open: None, call, reader, alive: true, done: false };
        let empty = File { first: NOTHING, second: NOTHING };
        let mut processes: Vec<Process> = calls.iter().map(|call| process(*call, false)).collect();
        processes.extend((0..readers).map(|_| process(0, true)));
        Self {
            broken,
            processes,
            holder: None,
            files: [empty.clone(), empty],
            document: 0,
            lease: None,
            set: 0,
            crashes,
        }
    }

    fn is_open_elsewhere(&self, file: usize, who: usize) -> bool {
        self.processes.iter().enumerate().any(|(number, process)| number != who && process.open == Some(file))
    }

    /// The next step of a process; `None` while it has to wait.
    fn step(&self, who: usize) -> Option<Self> {
        let mut next = self.clone();
        if self.processes[who].reader { next.read(who) } else { next.update(who) }.then_some(next)
    }

    /// A program that knows nothing of locks: opens the name, reads one half, then the other.
    fn read(&mut self, who: usize) -> bool {
        let me = &mut self.processes[who];
        match me.at {
            0 => {
                // Opening waits for a lease to be given back.
                if self.lease.is_some_and(|(file, _)| file == self.document) {
                    return false;
                }
                me.open = Some(self.document);
            }
            1 => me.read = self.files[me.open.unwrap()].first,
            _ => {
                let second = self.files[me.open.unwrap()].second;
                // What it found stays with it, for the check.
                me.at = if second == me.read { END } else { END + 1 };
                me.open = None;
                me.done = true;
                return true;
            }
        }
        me.at += 1;
        true
    }

    fn update(&mut self, who: usize) -> bool {
        let spare = if self.broken == Broken::InPlace { self.document } else { 1 - self.document };
        let early = self.broken == Broken::ReadsEarly;
        let call = self.processes[who].call;
        let read = self.processes[who].read;
        let new = Half { calls: read.calls | call, total: read.total + 1 };
        match self.processes[who].at {
            0 if early => self.processes[who].read = self.files[self.document].first,
            // openat, flock
            1 => {
                if self.holder.is_some() {
                    return false;
                }
                self.holder = Some(who);
            }
            // The document says what the set may lack; what the set has is known.
            2 => {
                if !early {
                    self.processes[who].read = self.files[self.document].first;
                }
                if self.broken != Broken::ForgetsCarried {
                    self.set |= self.files[self.document].first.calls;
                }
                if self.set & call != 0 {
                    // Counted before: nothing to do.
                    self.holder = None;
                    self.finish(who);
                    return true;
                }
            }
            3 if self.broken == Broken::SetFirst => self.set |= call,
            // fcntl: the lease is given for a file that nobody has open; another file is made otherwise.
            4 => {
                if self.broken != Broken::NoLease && self.broken != Broken::InPlace {
                    if self.is_open_elsewhere(spare, who) {
                        // Instead of waiting a fresh file is written; here it is enough that the reader goes on first.
                        return false;
                    }
                    self.lease = Some((spare, who));
                }
            }
            // writev: a kill leaves half of it.
            5 => self.files[spare].first = new,
            6 => self.files[spare].second = new,
            7 => self.lease = None,
            8 if self.broken == Broken::UnlocksEarly => self.holder = None,
            // renameat2
            9 if self.broken != Broken::InPlace => self.document = 1 - self.document,
            // A step of the broken protocols only.
            0 | 3 | 8 | 9 => {}
            // pwrite64
            10 => self.set |= call,
            _ => {
                if self.holder == Some(who) {
                    self.holder = None;
                }
                self.finish(who);
                return true;
            }
        }
        self.processes[who].at += 1;
        true
    }

    fn finish(&mut self, who: usize) {
        let me = &mut self.processes[who];
        (me.at, me.done) = (END, true);
    }

    /// The process is killed: the kernel gives back what it held.
    fn crash(&self, who: usize) -> Self {
        let mut next = self.clone();
        next.crashes -= 1;
        next.holder = next.holder.filter(|holder| *holder != who);
        next.lease = next.lease.filter(|(_, holder)| *holder != who);
        (next.processes[who].alive, next.processes[who].open) = (false, None);
        next
    }
}

impl Moment for Exchange {
    fn next(&self) -> Vec<Self> {
        let running = |who: &usize| self.processes[*who].alive && !self.processes[*who].done;
        let all: Vec<usize> = (0..self.processes.len()).filter(running).collect();
        let mut next: Vec<Self> = all.iter().filter_map(|who| self.step(*who)).collect();
        if self.crashes > 0 {
            next.extend(all.iter().map(|who| self.crash(*who)));
        }
        next
    }

    fn check(&self, is_end: bool) -> Result<(), String> {
        let document = &self.files[self.document];
        if document.first != document.second {
            return Err("the document is torn".to_owned());
        }
        if self.processes.iter().any(|process| process.reader && process.at == END + 1) {
            return Err("a reader found half a document".to_owned());
        }
        if u32::from(document.first.total) != document.first.calls.count_ones() {
            return Err("a call is counted twice".to_owned());
        }
        for process in self.processes.iter().filter(|process| process.done && !process.reader) {
            if document.first.calls & process.call == 0 {
                return Err(format!("call {} is lost", process.call));
            }
        }
        if is_end {
            if let Some(waiting) = self.processes.iter().find(|process| process.alive && !process.done) {
                return Err(format!("{waiting:?} waits for ever"));
            }
            // What is known as counted is counted: else the next delivery would be passed over, and the call lost.
            if self.set & !document.first.calls != 0 {
                return Err("a call is in the set and not in the document".to_owned());
            }
        }
        Ok(())
    }
}

#[test]
fn no_order_of_steps_and_no_crash_loses_an_update_or_shows_half_of_one() {
    let mut moments = 0;
    // Two and three writers with different calls, the same call twice, and a reader; up to two crashes.
    for (calls, readers, crashes) in
        [(&[1, 2][..], 1, 2), (&[1, 1], 1, 2), (&[1, 2, 4], 0, 2), (&[1, 2, 1], 1, 1), (&[1, 2], 2, 1)]
    {
        moments += explore(Exchange::new(Broken::Nothing, calls, readers, crashes)).unwrap();
    }
    println!("{moments} moments");
    assert!(moments > 10_000, "only {moments} moments");
}

#[test]
fn a_broken_protocol_is_found() {
    for (broken, calls, readers, crashes) in [
        (Broken::ReadsEarly, &[1, 2][..], 0, 0),
        (Broken::UnlocksEarly, &[1, 2], 0, 0),
        (Broken::NoLease, &[1, 2], 1, 0),
        (Broken::InPlace, &[1], 1, 1),
        (Broken::SetFirst, &[1, 1], 0, 1),
        (Broken::ForgetsCarried, &[1, 1], 0, 1),
    ] {
        assert!(explore(Exchange::new(broken, calls, readers, crashes)).is_err(), "{broken:?} was not found");
    }
}
