//! Many rules, filed so that a decision reads those that can fit and no others, also where they lie in a file.
//!
//! The rules of a book lie in one store of bytes: a filter that says which numbers no rule is filed under, a table of slots, the
//! entries of each slot, and the rules. A call's numbers (see [`super::key`]) lead to slots, these to entries, and those to rules.
//! Every part carries its fingerprint, so that a damaged store is noticed and never reads as one without rules.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use hook_protocol::canonical::canonical;
use hook_protocol::event::EventName;
use hook_protocol::matcher::Matcher;
use hook_protocol::tool::ToolUse;
use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::filter::Filter;
use super::index_key::{self, Kind, Kinds, Lookup, fingerprint};
use super::user::{Subject, UserRule};

/// Rules, in the order of their files.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RuleIndex {
    count: u32,
    /// What the rules of each event, and of each tool that they name, are found by.
    found: Vec<Found>,
    /// Two bits for each number, where there are few: most calls then read nothing of the store.
    every: Bytes,
    /// Bytes of the filter in the store; none where no rule needs it.
    filter: u32,
    slots: u32,
    store: Store,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
enum Store {
    Here(Bytes),
    /// So many bytes lie elsewhere and are read when a call needs them.
    Elsewhere(u32, #[serde(skip)] Reader),
}

/// Keeps the rules of a plan that has many, so that a decision reads those that its call can meet.
pub trait RuleStore: Send + Sync {
    /// So many bytes, from this one on, of what [`Plan::detach_rules`](crate::profile::Plan::detach_rules) gave; `None` if they cannot
    /// be read.
    fn read(&self, from: u32, bytes: u32) -> Option<Vec<u8>>;
    /// What was read is not what was stored. The call is answered by the fail mode of its handler.
    fn damaged(&self) {}
}

/// Where the rules are read.
#[derive(Clone, Default)]
struct Reader(Option<Arc<dyn RuleStore>>);

impl fmt::Debug for Reader {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("…")
    }
}

impl PartialEq for Reader {
    /// Rules are the same by what they are, not by where they lie.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Reader {}

/// The kinds of numbers that rules are found by on one event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Found {
    /// The place of the event.
    event: u8,
    /// The tool that the rules are about; empty if they are not about certain ones.
    tool: String,
    kinds: Kinds,
}

/// So many tools are told apart at most.
const TOOLS: usize = 32;

impl Found {
    fn of(mut found: BTreeMap<(u8, String), Kinds>) -> Vec<Self> {
        if found.len() > TOOLS {
            let together = found.into_iter().fold(BTreeMap::new(), |mut together, ((event, _), kinds)| {
                let all: &mut Kinds = together.entry((event, String::new())).or_default();
                *all = all.and(kinds);
                together
            });
            found = together;
        }
        found.into_iter().map(|((event, tool), kinds)| Self { event, tool, kinds }).collect()
    }
}

/// The store cannot be read, so nobody knows which rules fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lost;

/// A rule and its place in the order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Placed {
    order: u32,
    rule: UserRule,
}

/// Where some bytes of the store lie, and their fingerprint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Span {
    from: u32,
    bytes: u32,
    print: u32,
}

impl Span {
    /// Bytes that one takes in the store.
    const SIZE: u32 = 12;

    /// The span of `bytes` at `from`. Bytes of one slot do not pass for those of another: `whose` is in the fingerprint.
    fn of(from: usize, bytes: &[u8], whose: u32) -> Option<Self> {
        let (from, length) = (u32::try_from(from).ok()?, u32::try_from(bytes.len()).ok()?);
        Some(Self { from, bytes: length, print: print(bytes, from, whose) })
    }

    fn is_of(self, bytes: &[u8], whose: u32) -> bool {
        self.print == print(bytes, self.from, whose)
    }

    fn to_bytes(self) -> [u8; Self::SIZE as usize] {
        let mut bytes = [0; Self::SIZE as usize];
        for (place, number) in bytes.chunks_exact_mut(4).zip([self.from, self.bytes, self.print]) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut numbers = bytes.as_chunks::<4>().0.iter().map(|number| u32::from_le_bytes(*number));
        Some(Self { from: numbers.next()?, bytes: numbers.next()?, print: numbers.next()? })
    }
}

fn print(bytes: &[u8], from: u32, whose: u32) -> u32 {
    low(fingerprint(bytes, u64::from(from) << 32 | u64::from(whose)))
}

fn low(bits: u64) -> u32 {
    (bits & 0xffff_ffff) as u32
}

/// Bytes of an entry of a slot: four that tell its number from others of the slot, and where the rule lies.
const ENTRY: u32 = 4 + Span::SIZE;

/// Parts of the store that lie no further apart are read together.
const NEAR: u32 = 4096;

/// A store of so many bytes stays where the book is, since one more read would cost more.
const SMALL: usize = 2048;

/// Bytes of the bits for all numbers. They are read with the book.
const EVERY: usize = 1024;

/// More numbers than these would set so many of the bits that they say nothing.
const FEW: usize = 1024;

/// So many numbers of a call are gathered before those that are there twice are taken out.
const GATHERED: usize = 4096;

impl RuleIndex {
    /// Files the rules. `None` for more than four gigabytes of them, which no configuration file can hold.
    pub fn new(rules: Vec<UserRule>) -> Option<Self> {
        let lookups: Vec<Vec<Lookup>> = rules.iter().map(index_key::lookups).collect();
        let often = Often::of(&lookups);
        let mut found = BTreeMap::new();
        let mut filed: Vec<(Vec<u64>, Vec<u8>)> = Vec::new();
        let mut many: Vec<u64> = Vec::new();
        for ((order, rule), lookups) in (0..).zip(rules).zip(&lookups) {
            let (kind, keys) = often.choose(lookups)?;
            let place = index_key::place_of(&EventName::from(rule.event.as_str()))?;
            let mut note = |tool: &str| {
                let kinds: &mut Kinds = found.entry((place, tool.to_owned())).or_default();
                *kinds = kinds.with(kind);
            };
            // Where every byte is a number, a tool is spared those that no rule for it is found by.
            match Matcher::parse(&rule.tool).names().filter(|_| kind.is_many()) {
                Some(names) => names.iter().for_each(|name| note(canonical(name))),
                None => note(""),
            }
            if kind.is_many() {
                many.extend(&keys);
            }
            filed.push((keys, postcard::to_allocvec(&Placed { order, rule }).ok()?));
        }
        // Rules that are found by the same number lie side by side.
        filed.sort_by(|(one, _), (other, _)| one.cmp(other));
        Self::stored(&filed, &many, Found::of(found))
    }

    fn stored(filed: &[(Vec<u64>, Vec<u8>)], many: &[u64], found: Vec<Found>) -> Option<Self> {
        let count = u32::try_from(filed.len()).ok()?;
        let mut bytes = Filter::of(many);
        let filter = u32::try_from(bytes.len()).ok()?;
        let entries = filed.iter().map(|(keys, _)| keys.len()).sum::<usize>();
        let slots = u32::try_from(entries.next_power_of_two()).ok()?;
        let table = bytes.len() + slots as usize * Span::SIZE as usize;
        let mut slotted: Vec<Vec<u8>> = vec![Vec::new(); slots as usize];
        let mut bodies: Vec<u8> = Vec::new();
        for (keys, body) in filed {
            let span = Span::of(table + entries * ENTRY as usize + bodies.len(), body, 0)?;
            bodies.extend(body);
            for key in keys {
                let slot = slotted.get_mut(slot_of(*key, slots) as usize)?;
                slot.extend(tag_of(*key).to_le_bytes());
                slot.extend(span.to_bytes());
            }
        }
        let mut listed: Vec<u8> = Vec::new();
        for (slot, entries) in (0..).zip(&slotted) {
            bytes.extend(Span::of(table + listed.len(), entries, slot)?.to_bytes());
            listed.extend(entries);
        }
        bytes.extend(listed);
        bytes.extend(bodies);
        u32::try_from(bytes.len()).ok()?;
        let mut every = Bytes::default();
        if bytes.len() > SMALL && entries <= FEW {
            every.0 = vec![0; EVERY];
            for place in filed.iter().flat_map(|(keys, _)| keys).flat_map(|key| bits_of(*key)) {
                if let Some(byte) = every.0.get_mut(place / 8) {
                    *byte |= 1 << (place % 8);
                }
            }
        }
        Some(Self { count, found, every, filter, slots, store: Store::Here(Bytes(bytes)) })
    }

    /// How many rules there are.
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Takes the store out, unless it is small or out already.
    pub(crate) fn detach(&mut self) -> Option<Vec<u8>> {
        let Store::Here(bytes) = &mut self.store else { return None };
        if bytes.0.len() <= SMALL {
            return None;
        }
        let elsewhere = Store::Elsewhere(u32::try_from(bytes.0.len()).ok()?, Reader::default());
        let bytes = std::mem::take(&mut bytes.0);
        self.store = elsewhere;
        Some(bytes)
    }

    /// Says where the store lies, if it is out.
    pub(crate) fn attach(&mut self, store: &Arc<dyn RuleStore>) {
        if let Store::Elsewhere(_, reader) = &mut self.store {
            reader.0 = Some(Arc::clone(store));
        }
    }

    /// The rules that can fit the call, in order, and some others.
    pub(crate) fn candidates(&self, subject: &Subject<'_>) -> Result<Vec<UserRule>, Lost> {
        let found = self.find(subject);
        if let (Err(Lost), Store::Elsewhere(_, Reader(Some(store)))) = (&found, &self.store) {
            store.damaged();
        }
        found
    }

    fn find(&self, subject: &Subject<'_>) -> Result<Vec<UserRule>, Lost> {
        let place = index_key::place(subject.event);
        let tool = subject.event.tool();
        let tool = tool.as_ref().map(ToolUse::canonical_name).unwrap_or_default();
        let here = self
            .found
            .iter()
            .filter(|found| Some(found.event) == place && (found.tool.is_empty() || found.tool == tool));
        let kinds = here.fold(Kinds::default(), |kinds, found| kinds.and(found.kinds));
        self.filed_under(&self.numbers(subject, kinds)?)
    }

    /// The numbers of the call under which a rule may be filed, each by its slot and tag, in the order of the slots.
    fn numbers(&self, subject: &Subject<'_>, kinds: Kinds) -> Result<Vec<(u32, u32)>, Lost> {
        let every = <&[u8; EVERY]>::try_from(self.every.0.as_slice()).ok();
        let mut filter: Option<Filter<'_>> = None;
        let mut may_hold = |key| {
            if filter.is_none() {
                filter = Some(Filter::from_bytes(self.read(0, self.filter).ok()?));
            }
            filter.as_mut()?.may_hold(key)
        };
        let mut is_lost = false;
        let mut numbers = Vec::new();
        let mut limit = GATHERED;
        index_key::of_call(subject, kinds, |kind, key| {
            let is_set =
                |bits: &[u8; EVERY], place: usize| bits.get(place / 8).is_some_and(|byte| byte >> (place % 8) & 1 == 1);
            if every.is_some_and(|bits| !bits_of(key).into_iter().all(|place| is_set(bits, place))) {
                return;
            }
            if kind.is_many() && every.is_none() {
                match may_hold(key).filter(|_| !is_lost) {
                    Some(true) => {}
                    Some(false) => return,
                    None => {
                        is_lost = true;
                        return;
                    }
                }
            }
            numbers.push((slot_of(key, self.slots), tag_of(key)));
            if numbers.len() >= limit {
                numbers.sort_unstable();
                numbers.dedup();
                limit = GATHERED + 2 * numbers.len();
            }
        });
        if is_lost {
            return Err(Lost);
        }
        numbers.sort_unstable();
        numbers.dedup();
        Ok(numbers)
    }

    fn filed_under(&self, numbers: &[(u32, u32)]) -> Result<Vec<UserRule>, Lost> {
        let mut slots: Vec<u32> = numbers.iter().map(|(slot, _)| *slot).collect();
        slots.dedup();
        let mut lists: Vec<(Span, u32)> = Vec::new();
        let in_table = |slot: &u32| (self.filter.saturating_add(slot.saturating_mul(Span::SIZE)), Span::SIZE);
        self.each(slots.iter().map(in_table).collect(), |index, bytes| {
            lists.push((Span::from_bytes(bytes)?, *slots.get(index)?));
            Some(())
        })?;
        lists.sort_unstable();
        let mut bodies: Vec<Span> = Vec::new();
        self.each(lists.iter().map(|(span, _)| (span.from, span.bytes)).collect(), |index, bytes| {
            let (_, slot) = lists.get(index).filter(|(span, slot)| span.is_of(bytes, *slot))?;
            for entry in bytes.chunks(ENTRY as usize) {
                let (tag, span) = entry.split_first_chunk::<4>()?;
                if numbers.binary_search(&(*slot, u32::from_le_bytes(*tag))).is_ok() {
                    bodies.push(Span::from_bytes(span)?);
                }
            }
            Some(())
        })?;
        bodies.sort_unstable();
        bodies.dedup();
        let mut rules: Vec<Placed> = Vec::with_capacity(bodies.len());
        self.each(bodies.iter().map(|span| (span.from, span.bytes)).collect(), |index, bytes| {
            bodies.get(index).filter(|span| span.is_of(bytes, 0))?;
            rules.push(postcard::from_bytes(bytes).ok()?);
            Some(())
        })?;
        rules.sort_by_key(|placed| placed.order);
        Ok(rules.into_iter().map(|placed| placed.rule).collect())
    }

    /// Passes on the bytes of every part, given by place and length in the order of their places, and its index. Parts that lie close
    /// together are read together.
    fn each(&self, parts: Vec<(u32, u32)>, mut pass: impl FnMut(usize, &[u8]) -> Option<()>) -> Result<(), Lost> {
        let mut parts = parts.into_iter().enumerate().peekable();
        while let Some((index, (from, bytes))) = parts.next() {
            let mut together = vec![(index, from, bytes)];
            let mut end = from.saturating_add(bytes);
            while let Some((index, (from, bytes))) = parts.next_if(|(_, (next, _))| *next <= end.saturating_add(NEAR)) {
                together.push((index, from, bytes));
                end = end.max(from.saturating_add(bytes));
            }
            let read = self.read(from, end - from)?;
            for (index, start, bytes) in together {
                let start = (start - from) as usize;
                let part = read.get(start..start + bytes as usize).ok_or(Lost)?;
                pass(index, part).ok_or(Lost)?;
            }
        }
        Ok(())
    }

    /// Bytes of the store. Which there are is known, so that a damaged place asks for none beyond its end.
    fn read(&self, from: u32, bytes: u32) -> Result<Cow<'_, [u8]>, Lost> {
        if bytes == 0 {
            return Ok(Cow::Borrowed(&[]));
        }
        let (start, end) = (from as usize, from as usize + bytes as usize);
        match &self.store {
            Store::Here(all) => all.0.get(start..end).map(Cow::Borrowed).ok_or(Lost),
            Store::Elsewhere(all, Reader(Some(store))) if end <= *all as usize => {
                let read = store.read(from, bytes).ok_or(Lost)?;
                if read.len() == bytes as usize { Ok(Cow::Owned(read)) } else { Err(Lost) }
            }
            Store::Elsewhere(..) => Err(Lost),
        }
    }
}

/// The places of a number among the bits for all numbers.
fn bits_of(key: u64) -> [usize; 2] {
    let place = |number: u32| number as usize % (EVERY * 8);
    [place(low(key)), place(low(key >> 32))]
}

fn slot_of(key: u64, slots: u32) -> u32 {
    low(key) & slots.wrapping_sub(1)
}

fn tag_of(key: u64) -> u32 {
    low(key >> 32)
}

/// How many rules could be found by a number, roughly: numbers share counters.
struct Often(Vec<u32>);

impl Often {
    const COUNTERS: u32 = 1 << 16;

    fn of(lookups: &[Vec<Lookup>]) -> Self {
        let mut often = Self(vec![0; Self::COUNTERS as usize]);
        for key in lookups.iter().flatten().flat_map(|lookup| &lookup.groups).flatten() {
            if let Some(count) = often.0.get_mut(slot_of(*key, Self::COUNTERS) as usize) {
                *count = count.saturating_add(1);
            }
        }
        often
    }

    fn count(&self, key: u64) -> u32 {
        self.0.get(slot_of(key, Self::COUNTERS) as usize).copied().unwrap_or_default()
    }

    /// The lookup that leads to the fewest other rules, and the number of each of its groups that does.
    fn choose(&self, lookups: &[Lookup]) -> Option<(Kind, Vec<u64>)> {
        let chosen = lookups.iter().filter_map(|lookup| {
            let rarest = |group: &Vec<u64>| group.iter().copied().min_by_key(|key| self.count(*key));
            let mut keys: Vec<u64> = lookup.groups.iter().filter_map(rarest).collect();
            let cost = keys.iter().fold(0_u32, |cost, key| cost.saturating_add(self.count(*key)));
            keys.sort_unstable();
            keys.dedup();
            (keys.len() <= lookup.groups.len()).then_some((cost, lookup.kind, keys))
        });
        chosen.min_by_key(|(cost, ..)| *cost).map(|(_, kind, keys)| (kind, keys))
    }
}

impl Default for Store {
    fn default() -> Self {
        Self::Here(Bytes::default())
    }
}

/// Bytes that are stored as such, not one by one.
#[derive(Clone, PartialEq, Eq, Default)]
struct Bytes(Vec<u8>);

impl fmt::Debug for Bytes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} bytes", self.0.len())
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AsBytes;
        impl<'de> Visitor<'de> for AsBytes {
            type Value = Bytes;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("bytes")
            }
            fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }
            fn visit_byte_buf<E: serde::de::Error>(self, bytes: Vec<u8>) -> Result<Bytes, E> {
                Ok(Bytes(bytes))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Bytes, A::Error> {
                let mut bytes = Vec::new();
                while let Some(byte) = sequence.next_element()? {
                    bytes.push(byte);
                }
                if bytes.len() > u32::MAX as usize { Err(A::Error::custom("too many bytes")) } else { Ok(Bytes(bytes)) }
            }
        }
        deserializer.deserialize_bytes(AsBytes)
    }
}
