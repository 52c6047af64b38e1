//! A filter over numbers: it says of most that none of them is meant, without a look at the store.

use std::borrow::Cow;

use super::key::fingerprint;

/// Three bits a number (a Bloom filter), and the fingerprint of all at the end of its bytes.
#[derive(Default)]
pub(super) struct Filter<'b> {
    bits: Cow<'b, [u8]>,
    mask: u64,
}

/// Bits for each number. One of some hundred others then passes.
const BITS: usize = 16;

impl<'b> Filter<'b> {
    /// The bytes of a filter that these numbers pass; none if there are none.
    pub(super) fn of(keys: &[u64]) -> Vec<u8> {
        if keys.is_empty() {
            return Vec::new();
        }
        let mut bits = vec![0_u8; (keys.len() * BITS).next_power_of_two() / 8];
        let mask = mask(&bits);
        for bit in keys.iter().flat_map(|key| places(*key, mask)) {
            if let Some(byte) = usize::try_from(bit / 8).ok().and_then(|place| bits.get_mut(place)) {
                *byte |= 1 << (bit % 8);
            }
        }
        let print = fingerprint(&bits, 0);
        bits.extend(print.to_le_bytes());
        bits
    }

    /// The filter of these bytes; `None` if they are not whole.
    pub(super) fn from_bytes(mut bytes: Cow<'b, [u8]>) -> Option<Self> {
        let (bits, print) = bytes.split_last_chunk::<8>()?;
        if !bits.len().is_power_of_two() || fingerprint(bits, 0) != u64::from_le_bytes(*print) {
            return None;
        }
        let (length, mask) = (bits.len(), mask(bits));
        match &mut bytes {
            Cow::Owned(bytes) => bytes.truncate(length),
            Cow::Borrowed(bytes) => *bytes = bytes.get(..length)?,
        }
        Some(Self { bits: bytes, mask })
    }

    /// Whether the number may be one of those that the filter was made of. Of those it always says so.
    pub(super) fn may_hold(&self, key: u64) -> bool {
        let is_set = |bit: &u64| {
            let byte = usize::try_from(bit / 8).ok().and_then(|place| self.bits.get(place));
            byte.is_some_and(|byte| byte >> (bit % 8) & 1 == 1)
        };
        places(key, self.mask).iter().all(is_set)
    }
}

fn mask(bits: &[u8]) -> u64 {
    (bits.len() as u64 * 8).wrapping_sub(1)
}

fn places(key: u64, mask: u64) -> [u64; 3] {
    [key & mask, key >> 21 & mask, key >> 42 & mask]
}
