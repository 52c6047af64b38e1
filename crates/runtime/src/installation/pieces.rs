//! In which pieces an executable is written, so that a hook process keeps little of it in memory.
//!
//! Linux keeps a file in memory in folios as large as the writes that made it, and maps whole folios when a process touches one byte.
//! Written in one piece, a hook process maps nearly the whole executable. So what hooks do not run is written in small pieces, and
//! the section that `cargo xtask build` puts their code into in large ones, which saves page faults. The figures are in
//! `benches/README.md`.

use std::ops::Range;

/// What the kernel maps around a fault in any file.
const SMALL: usize = 64 << 10;
/// A folio begins at a multiple of its size; with larger ones less of the section can be covered.
const LARGE: usize = 256 << 10;

/// The section of what hooks run; an executable that was linked otherwise has none.
const HOT: &[u8] = b".text.hot\0";

/// Cuts the bytes of an executable for writing. What is not linked for it stays whole.
pub fn of(executable: &[u8]) -> Vec<&[u8]> {
    let Some(hot) = hot(executable) else { return vec![executable] };
    let mut pieces = Vec::new();
    let mut rest = executable;
    let mut at = 0;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(length(at, &hot).min(rest.len()));
        pieces.push(piece);
        rest = after;
        at += piece.len();
    }
    pieces
}

/// The length of the piece at this place: a large one where most of it is what hooks run.
fn length(at: usize, hot: &Range<usize>) -> usize {
    let end = at + LARGE;
    let shared = hot.end.min(end).saturating_sub(hot.start.max(at));
    if at.is_multiple_of(LARGE) && shared >= LARGE / 4 * 3 { LARGE } else { SMALL }
}

/// Where [`HOT`] lies in a file of the form ELF64, little endian.
fn hot(file: &[u8]) -> Option<Range<usize>> {
    if file.get(..6)? != b"\x7fELF\x02\x01" {
        return None;
    }
    let number = |at: usize, bytes: usize| -> Option<usize> {
        let field = file.get(at..at.checked_add(bytes)?)?;
        usize::try_from(field.iter().rev().fold(0_u64, |sum, byte| (sum << 8) | u64::from(*byte))).ok()
    };
    let [table, size, count, names] = [number(0x28, 8)?, number(0x3a, 2)?, number(0x3c, 2)?, number(0x3e, 2)?];
    let header = |index: usize| table.checked_add(index.checked_mul(size)?);
    let place = |header: usize| Some((number(header.checked_add(0x18)?, 8)?, number(header.checked_add(0x20)?, 8)?));
    let (texts, _) = place(header(names)?)?;
    let is_hot = |header: usize| {
        let name = texts.checked_add(number(header, 4)?)?;
        (file.get(name..name.checked_add(HOT.len())?)? == HOT).then_some(header)
    };
    let found = (0..count).find_map(|index| is_hot(header(index)?))?;
    let (start, bytes) = place(found)?;
    Some(start..start.checked_add(bytes)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An executable of this length whose second section is named so and lies there.
    fn elf(length: usize, name: &[u8], hot: Range<usize>) -> Vec<u8> {
        let mut file = vec![0; length];
        file[..6].copy_from_slice(b"\x7fELF\x02\x01");
        let mut put = |at: usize, bytes: &[u8]| file[at..at + bytes.len()].copy_from_slice(bytes);
        let (table, texts) = (0x100, 0x200);
        put(0x28, &(table as u64).to_le_bytes());
        put(0x3a, &64_u16.to_le_bytes());
        put(0x3c, &2_u16.to_le_bytes());
        put(table + 0x18, &(texts as u64).to_le_bytes());
        put(table + 64, &1_u32.to_le_bytes());
        put(table + 64 + 0x18, &(hot.start as u64).to_le_bytes());
        put(table + 64 + 0x20, &(hot.len() as u64).to_le_bytes());
        put(texts + 1, name);
        file
    }

    #[test]
    fn what_hooks_run_is_written_in_large_pieces_and_the_rest_in_small_ones() {
        // From the middle of the second large piece to the end of the fourth.
        let file = elf(2 << 20, b".text.hot\0", LARGE + LARGE / 2..4 * LARGE);
        let pieces = of(&file);
        assert_eq!(pieces.concat(), file);
        let lengths: Vec<usize> = pieces.iter().map(|piece| piece.len()).collect();
        let small = LARGE / SMALL;
        assert_eq!(lengths.iter().filter(|length| **length == LARGE).count(), 2);
        assert_eq!(lengths.iter().position(|length| *length == LARGE), Some(2 * small));
        assert_eq!(lengths.len(), 2 + 6 * small);
    }

    #[test]
    fn another_file_is_written_as_it_is() {
        for file in [
            elf(1 << 20, b".text\0", 0..LARGE),
            b"#!/bin/sh\n".to_vec(),
            elf(1 << 20, b".text.hot\0", 0..1)[..0x120].to_vec(),
        ] {
            assert_eq!(of(&file), [file.as_slice()]);
        }
        assert!(of(&[]).concat().is_empty());
    }

    #[test]
    fn numbers_that_lie_do_no_harm() {
        let file = elf(1 << 20, b".text.hot\0", usize::MAX / 2..usize::MAX / 2 + 5);
        assert_eq!(of(&file).concat(), file);
        let mut file = elf(1 << 10, b".text.hot\0", 0..1);
        file[0x28..0x30].fill(0xff);
        assert_eq!(of(&file), [file.as_slice()]);
    }
}
