//! Numbers by name, for tables that the compiler makes.

const SLOTS: usize = 2048;
const NONE: u16 = u16::MAX;

/// Which numbers each of `NAMES` names has. It keeps no name, so that a look-up reads a few bytes: what is found under a name may
/// belong to another one, and the caller compares.
pub struct Index<const NAMES: usize> {
    slots: [u16; SLOTS],
    entries: [Entry; NAMES],
    len: usize,
}

#[derive(Clone, Copy)]
struct Entry {
    /// What of the hash the slot does not tell.
    tag: u16,
    number: u16,
    next: u16,
}

impl<const NAMES: usize> Index<NAMES> {
    /// An index without names. More than 65,534 of them are an error of the build.
    pub const EMPTY: Self = {
        assert!(NAMES < NONE as usize);
        Self { slots: [NONE; SLOTS], entries: [Entry { tag: 0, number: 0, next: NONE }; NAMES], len: 0 }
    };

    /// Adds a name, of which the last number added is found first.
    ///
    /// # Panics
    ///
    /// If it holds all its names, or the number is above 65,534; in a constant, an error of the build.
    #[expect(
        clippy::indexing_slicing,
        clippy::cast_possible_truncation,
        reason = "the compiler runs it, and an index that is too large is an error of the build"
    )]
    pub const fn add(&mut self, name: &str, number: usize) {
        assert!(number < NONE as usize);
        let (slot, tag) = hash(name);
        self.entries[self.len] = Entry { tag, number: number as u16, next: self.slots[slot] };
        self.slots[slot] = self.len as u16;
        self.len += 1;
    }

    /// The numbers that a name may have.
    pub fn find(&self, name: &str) -> impl Iterator<Item = usize> {
        let (slot, tag) = hash(name);
        let mut at = self.slots.get(slot).copied().unwrap_or(NONE);
        let chain = std::iter::from_fn(move || {
            let entry = self.entries.get(usize::from(at))?;
            at = entry.next;
            Some(entry)
        });
        chain.filter(move |entry| entry.tag == tag).map(|entry| usize::from(entry.number))
    }
}

/// The slot of a name, and its tag.
#[expect(clippy::indexing_slicing, reason = "the index is below the length")]
#[expect(clippy::cast_possible_truncation, reason = "the rest of the hash is not needed")]
const fn hash(name: &str) -> (usize, u16) {
    let bytes = name.as_bytes();
    let mut hash: u32 = 5381;
    let mut at = 0;
    while at < bytes.len() {
        hash = hash.wrapping_mul(33) ^ bytes[at] as u32;
        at += 1;
    }
    (hash as usize % SLOTS, (hash >> 11) as u16)
}
