//! Many rules, kept so that a decision looks at those that can fit only: they lie in encoded buckets by the program that they are
//! about, and a bucket is decoded when a call runs a program of it.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::user::UserRule;

/// Buckets. With ten thousand rules each holds forty.
const BUCKETS: u32 = 256;

/// Rules, in the order of their files.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RuleBook {
    /// Rules that are not about programs of certain names.
    general: Vec<Placed>,
    /// Rules by the bucket of their program's name.
    buckets: Vec<Bytes>,
    count: u32,
}

/// A rule and its place in the order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Placed {
    order: u32,
    rule: UserRule,
}

impl RuleBook {
    /// Files the rules. A rule that cannot be encoded is kept among the general ones.
    pub fn new(rules: Vec<UserRule>) -> Self {
        let mut general = Vec::new();
        let mut filed: Vec<Vec<Placed>> = vec![Vec::new(); BUCKETS as usize];
        let count = u32::try_from(rules.len()).unwrap_or(u32::MAX);
        for (order, rule) in (0..count).zip(rules) {
            let named =
                !rule.program.0.is_empty() && rule.program.0.iter().all(|program| !program.contains(['*', '?']));
            let placed = Placed { order, rule };
            if !named {
                general.push(placed);
                continue;
            }
            let places: BTreeSet<usize> = placed.rule.program.0.iter().map(|program| bucket(program)).collect();
            for place in places {
                if let Some(bucket) = filed.get_mut(place) {
                    bucket.push(placed.clone());
                }
            }
        }
        let mut buckets = Vec::new();
        for rules in filed {
            match postcard::to_allocvec(&rules) {
                Ok(bytes) if !rules.is_empty() => buckets.push(Bytes(bytes)),
                Ok(_) => buckets.push(Bytes::default()),
                Err(_) => {
                    general.extend(rules);
                    buckets.push(Bytes::default());
                }
            }
        }
        if buckets.iter().all(|bucket| bucket.0.is_empty()) {
            buckets.clear();
        }
        Self { general, buckets, count }
    }

    /// How many rules there are.
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The rules that can fit a call which runs these programs, in order.
    pub fn candidates<'p>(&self, programs: impl Iterator<Item = &'p str>) -> Vec<UserRule> {
        let mut placed = self.general.clone();
        if !self.buckets.is_empty() {
            let places: BTreeSet<usize> = programs.map(bucket).collect();
            for bytes in
                places.into_iter().filter_map(|place| self.buckets.get(place)).filter(|bytes| !bytes.0.is_empty())
            {
                placed.extend(postcard::from_bytes::<Vec<Placed>>(&bytes.0).unwrap_or_default());
            }
        }
        placed.sort_by_key(|placed| placed.order);
        placed.dedup_by_key(|placed| placed.order);
        placed.into_iter().map(|placed| placed.rule).collect()
    }
}

/// The bucket of a program's name (FNV-1a).
fn bucket(program: &str) -> usize {
    let hash = program.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    (hash % BUCKETS) as usize
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
