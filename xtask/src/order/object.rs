//! What the sections of an object file hold, by names that outlive a build: another compiler, another directory, another function beside it.

use std::collections::HashMap;

use anyhow::{Context, Result};
use object::read::elf::{ElfFile64, ElfSection64};
use object::{Endianness, Object as _, ObjectSection as _, ObjectSymbol as _, RelocationTarget, SectionIndex};

use super::list::Entry;

/// A section of code or constants that can be placed by itself.
pub(crate) struct Section {
    /// Its name in the object file, which differs from build to build.
    pub(crate) name: String,
    pub(crate) entry: Entry,
    pub(crate) is_code: bool,
    pub(crate) bytes: u64,
}

/// Prefixes that the compiler puts before the name of what a section holds. The longer ones come first.
const NAMED: &[(&str, bool)] = &[
    (".text.unlikely.", true),
    (".text.", true),
    (".rodata..Lswitch.table.", false),
    (".rodata.unlikely.", false),
    (".rodata.", false),
];

/// Constants without a name of their own: texts, tables of texts, tables of functions.
const ANONYMOUS: &str = ".rodata..Lanon.";

type File<'data> = ElfFile64<'data, Endianness>;

/// The sections of an object file that the compiler wrote one function or constant each.
pub(crate) fn sections(bytes: &[u8]) -> Result<Vec<Section>> {
    let file = File::parse(bytes).context("read the object file")?;
    let contents = contents(&file)?;
    let mut found = Vec::new();
    for section in file.sections() {
        let Ok(name) = section.name() else { continue };
        let (entry, is_code) = match contents.get(&section.index()) {
            Some(hash) => (Entry::Constant(*hash), false),
            None => match named(name) {
                Some((symbol, is_code)) => (Entry::Named(symbol), is_code),
                None => continue,
            },
        };
        found.push(Section { name: name.to_owned(), entry, is_code, bytes: section.size() });
    }
    Ok(found)
}

/// What a section is named after, without what the compiler adds to keep two builds apart.
fn named(section: &str) -> Option<(String, bool)> {
    let (symbol, is_code) =
        NAMED.iter().find_map(|(prefix, is_code)| Some((section.strip_prefix(prefix)?, *is_code)))?;
    Some((plain(symbol)?, is_code))
}

/// The path of a Rust symbol; `None` for other names, such as `cst16` and `str1.1`, which the linker merges.
fn plain(symbol: &str) -> Option<String> {
    match rustc_demangle::try_demangle(symbol) {
        Ok(path) => Some(format!("{path:#}")),
        Err(_) => (symbol == "main").then(|| symbol.to_owned()),
    }
}

/// Rounds in which a constant learns what the constants that it points to hold.
const ROUNDS: usize = 2;

/// What the anonymous constants hold, as a number. Their names are counted through the program and change with every edit.
fn contents(file: &File<'_>) -> Result<HashMap<SectionIndex, u64>> {
    let is_anonymous =
        |section: &ElfSection64<'_, '_, Endianness>| section.name().is_ok_and(|name| name.starts_with(ANONYMOUS));
    let mut hashes = HashMap::new();
    for section in file.sections().filter(is_anonymous) {
        hashes.insert(section.index(), hash(SEED, section.data().context("read a constant")?));
    }
    for _ in 0..ROUNDS {
        let mut next = HashMap::with_capacity(hashes.len());
        for section in file.sections().filter(is_anonymous) {
            let mut value = hash(SEED, section.data().context("read a constant")?);
            for (offset, relocation) in section.relocations() {
                value = hash(value, &offset.to_le_bytes());
                value = hash(value, &relocation.addend().to_le_bytes());
                value = hash(value, &target(file, relocation.target(), &hashes));
            }
            next.insert(section.index(), value);
        }
        hashes = next;
    }
    Ok(hashes)
}

/// What a constant points to: another constant by what it holds, everything else by its name.
fn target(file: &File<'_>, target: RelocationTarget, hashes: &HashMap<SectionIndex, u64>) -> Vec<u8> {
    let RelocationTarget::Symbol(index) = target else { return Vec::new() };
    let Ok(symbol) = file.symbol_by_index(index) else { return Vec::new() };
    if let Some(hash) = symbol.section_index().and_then(|section| hashes.get(&section)) {
        return hash.to_le_bytes().to_vec();
    }
    symbol.name().ok().and_then(plain).unwrap_or_default().into_bytes()
}

const SEED: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a, which any language can repeat.
pub(crate) fn hash(seed: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(seed, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The number of a whole text.
pub(crate) fn hash_of(text: &[u8]) -> u64 {
    hash(SEED, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_what_differs_from_build_to_build() {
        let v0 = ".text._RNvNtCs5XzddumkZeM_11hook_policy5check3ask";
        assert_eq!(named(v0), Some(("hook_policy::check::ask".to_owned(), true)));
        let other = ".text.unlikely._RNvNtCsaaaaaaaaaaa_11hook_policy5check3ask";
        assert_eq!(named(other), named(v0));
        let table = ".rodata..Lswitch.table._RNvNtCs5XzddumkZeM_11hook_policy5check3ask";
        assert_eq!(named(table), Some(("hook_policy::check::ask".to_owned(), false)));
        let old = ".text._ZN11hook_policy5check3ask17h0123456789abcdefE";
        assert_eq!(named(old), named(v0));
        for merged in [".rodata.cst16", ".rodata.str1.1", ".rodata", ".text", ".data.rel.ro"] {
            assert_eq!(named(merged), None, "{merged}");
        }
        assert_eq!(named(".text.main"), Some(("main".to_owned(), true)));
    }

    #[test]
    fn the_number_is_that_of_fnv_1a() {
        // The first and the last of the short texts that its authors publish values for.
        assert_eq!(hash_of(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash_of(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
