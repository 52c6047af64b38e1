//! `cargo xtask build`: the executable as it ships, at `dist/hookbin`.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use xshell::{Shell, cmd};

use crate::order::link::{self, Fit, Purpose, Report};
use crate::workspace;

/// Builds and places the executable; returns where it is.
pub(crate) fn run(sh: &Shell) -> Result<PathBuf> {
    let host = workspace::host(sh)?;
    let (built, dir) = compile(sh, &host, Purpose::Place)?;
    let name = executable_name(&host);
    let placed = place(&built, &workspace::root().join("dist"), name)?;
    let bytes = fs::read(&placed).with_context(|| format!("read {}", placed.display()))?;
    let linked = Linked::of(&bytes);
    // Not on stdout, where a caller may print JSON.
    eprintln!("{}: {} KiB, {}", placed.display(), bytes.len() / 1024, linked.describe());
    if let Some(dir) = dir {
        eprintln!("{}", Report::load(&dir)?.describe());
        ensure!(
            linked == Linked::Static,
            "{} is not statically linked; is a `rustflags` setting of cargo in the way?",
            placed.display()
        );
    }
    Ok(placed)
}

/// Whether `xtask/order.txt` fits the last build.
pub(crate) fn fit_of_order(sh: &Shell) -> Result<Fit> {
    if !workspace::host(sh)?.contains("-linux-") {
        return Ok(Fit::Not("the executable is linked as this system does".to_owned()));
    }
    let dir = workspace::target_dir(sh)?.join("xtask").join(Purpose::Place.name());
    Report::load(&dir)?.judge(&workspace::compiler(sh)?)
}

/// Builds an executable whose runs can be traced to sections; returns the directory that holds it and what its link wrote.
pub(crate) fn traced(sh: &Shell) -> Result<PathBuf> {
    let host = workspace::host(sh)?;
    ensure!(
        links_with_lld(sh, &host)?,
        "the map of a linker other than LLD is not read; trace on x86_64 with Rust 1.90 or later"
    );
    let (built, dir) = compile(sh, &host, Purpose::Trace)?;
    // Another build would replace it.
    let dir = dir.context("this system has no static executable")?;
    place(&built, &dir, executable_name(&host))?;
    Ok(dir)
}

fn executable_name(host: &str) -> &'static str {
    if host.contains("windows") { "hookbin.exe" } else { "hookbin" }
}

/// Compiles and links; returns the executable and, where this program stood in for the linker, the directory that it left its report in.
fn compile(sh: &Shell, host: &str, purpose: Purpose) -> Result<(PathBuf, Option<PathBuf>)> {
    let target_dir = workspace::target_dir(sh)?;
    let dir = host.contains("-linux-").then(|| target_dir.join("xtask").join(purpose.name()));
    let linking = dir.as_ref().map(|dir| link::arguments(purpose, dir)).transpose()?.unwrap_or_default();
    let mut cargo = workspace::scrubbed(cmd!(
        sh,
        "cargo rustc --release --locked -p hookbin-cli --bin hookbin --target {host} -- {linking...}"
    ));
    if dir.is_some() {
        // Halves the cost of starting the process. `--target` is explicit because with these flags on the host's own
        // artefacts procedural macros cannot be built. The encoded variable would win over `RUSTFLAGS`.
        // The newer names of symbols tell the types of generic functions, which the list of what hooks run needs.
        let mut flags =
            "-C target-feature=+crt-static -C relocation-model=static -C symbol-mangling-version=v0".to_owned();
        if links_with_lld(sh, host)? {
            // One copy of functions that are alike: a hook process then touches fewer pages of code.
            flags.push_str(&format!(" -C link-arg={}", link::FOLD));
        }
        cargo = cargo.env_remove("CARGO_ENCODED_RUSTFLAGS").env("RUSTFLAGS", flags);
    }
    cargo.run().context("build the executable")?;
    Ok((target_dir.join(host).join("release").join(executable_name(host)), dir))
}

/// Whether the compiler links with its own LLD, as it does for this target from 1.90 on.
fn links_with_lld(sh: &Shell, host: &str) -> Result<bool> {
    if host != "x86_64-unknown-linux-gnu" {
        return Ok(false);
    }
    let version = workspace::compiler(sh)?;
    let minor = version.split('.').nth(1).and_then(|minor| minor.parse::<u32>().ok());
    Ok(version.starts_with("rustc 1.") && minor.is_some_and(|minor| minor >= 90))
}

/// Puts the executable into the directory; returns where it is.
pub(crate) fn place(built: &Path, dir: &Path, name: &str) -> Result<PathBuf> {
    let placed = dir.join(name);
    let from = File::open(built).with_context(|| format!("open {}", built.display()))?;
    let mode = from.metadata().with_context(|| format!("look at {}", built.display()))?.permissions();
    workspace::put(&placed, from, Some(mode))?;
    Ok(placed)
}

/// How an executable gets its libraries, read from its ELF header.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
enum Linked {
    Static,
    StaticPie,
    Dynamic,
    NotElf64,
}

impl Linked {
    fn of(bytes: &[u8]) -> Self {
        Self::read(bytes).unwrap_or(Self::NotElf64)
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        const INTERPRETER: u32 = 3;
        const FIXED_ADDRESS: u16 = 2;
        let number = |at: usize, len: usize| -> Option<u64> {
            let field = bytes.get(at..at.checked_add(len)?)?;
            Some(field.iter().rev().fold(0, |sum, byte| (sum << 8) | u64::from(*byte)))
        };
        // 64 bits, little endian: every system that the static build is for.
        if bytes.get(..6)? != b"\x7fELF\x02\x01" {
            return None;
        }
        let table = usize::try_from(number(0x20, 8)?).ok()?;
        let entry_size = usize::try_from(number(0x36, 2)?).ok()?;
        let entries = usize::try_from(number(0x38, 2)?).ok()?;
        for index in 0..entries {
            let kind = number(table.checked_add(index.checked_mul(entry_size)?)?, 4)?;
            if kind == u64::from(INTERPRETER) {
                return Some(Self::Dynamic);
            }
        }
        Some(if number(0x10, 2)? == u64::from(FIXED_ADDRESS) { Self::Static } else { Self::StaticPie })
    }

    fn describe(self) -> &'static str {
        match self {
            Self::Static => "static, fixed address",
            Self::StaticPie => "static, position independent",
            Self::Dynamic => "dynamically linked",
            Self::NotElf64 => "linked as this system does",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Linked;

    fn elf(kind: u8, segment: u8) -> Vec<u8> {
        let mut bytes = vec![0; 0x40 + 0x38];
        bytes[..6].copy_from_slice(b"\x7fELF\x02\x01");
        bytes[0x10] = kind;
        bytes[0x20] = 0x40;
        bytes[0x36] = 0x38;
        bytes[0x38] = 1;
        bytes[0x40] = segment;
        bytes
    }

    #[test]
    fn tells_how_an_executable_is_linked() {
        assert_eq!(Linked::of(&elf(2, 1)), Linked::Static);
        assert_eq!(Linked::of(&elf(3, 1)), Linked::StaticPie);
        assert_eq!(Linked::of(&elf(3, 3)), Linked::Dynamic);
        assert_eq!(Linked::of(b"#!/bin/sh\n"), Linked::NotElf64);
        assert_eq!(Linked::of(&elf(2, 1)[..0x41]), Linked::NotElf64);
    }
}
