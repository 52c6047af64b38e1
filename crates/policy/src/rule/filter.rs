//! A filter over numbers: it says of most that none of them is meant, without a look at the store.

use std::borrow::Cow;

use super::index_key::fingerprint;

/// Blocks of bits, each with its fingerprint; a number has three bits in one of them (a blocked Bloom filter). Only the blocks that
/// are asked about are checked, since there may be many.
pub(super) struct Filter<'b> {
    bytes: Cow<'b, [u8]>,
    blocks: u64,
    /// Whether a block is known to be whole.
    checked: Vec<bool>,
}

/// Bytes of a block.
const BLOCK: usize = 64;

/// Bytes of bits in it; the fingerprint has the rest.
const BITS: usize = 60;

/// Bits for each number. One of a hundred others then passes.
const EACH: usize = 12;

impl<'b> Filter<'b> {
    /// The bytes of a filter that these numbers pass; none if there are none.
    pub(super) fn of(keys: &[u64]) -> Vec<u8> {
        let blocks = (keys.len() * EACH).div_ceil(BITS * 8);
        let mut bytes = vec![0_u8; blocks * BLOCK];
        for key in keys {
            let block = block_of(*key, blocks as u64) * BLOCK;
            for place in places(*key) {
                if let Some(byte) = bytes.get_mut(block + place / 8) {
                    *byte |= 1 << (place % 8);
                }
            }
        }
        for (index, block) in bytes.chunks_exact_mut(BLOCK).enumerate() {
            if let Some((bits, print)) = block.split_at_mut_checked(BITS) {
                print.copy_from_slice(&print_of(bits, index));
            }
        }
        bytes
    }

    /// The filter of these bytes.
    pub(super) fn from_bytes(bytes: Cow<'b, [u8]>) -> Self {
        let blocks = bytes.len() / BLOCK;
        Self { bytes, blocks: blocks as u64, checked: vec![false; blocks] }
    }

    /// Whether the number may be one of those that the filter was made of; of those it always says so. `None` if the filter is damaged
    /// there.
    pub(super) fn may_hold(&mut self, key: u64) -> Option<bool> {
        let index = block_of(key, self.blocks);
        let block = self.bytes.get(index * BLOCK..(index + 1) * BLOCK)?;
        let checked = self.checked.get_mut(index)?;
        if !*checked {
            let (bits, print) = block.split_at_checked(BITS)?;
            *checked = print_of(bits, index) == print;
            if !*checked {
                return None;
            }
        }
        let is_set = |place: usize| block.get(place / 8).is_some_and(|byte| byte >> (place % 8) & 1 == 1);
        Some(places(key).into_iter().all(is_set))
    }
}

fn print_of(bits: &[u8], index: usize) -> [u8; BLOCK - BITS] {
    let [print @ .., _, _, _, _] = fingerprint(bits, index as u64).to_le_bytes();
    print
}

/// The block of a number among so many, by the upper half of its bits.
fn block_of(key: u64, blocks: u64) -> usize {
    (((key >> 32) * blocks) >> 32) as usize
}

/// The three bits of a number in its block, by the lower half.
fn places(key: u64) -> [usize; 3] {
    [key, key >> 10, key >> 20].map(|bits| ((bits & 0x3ff) as usize * BITS * 8) >> 10)
}
