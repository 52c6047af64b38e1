//! `xtask/order.txt`: what hook processes run and read, the most used first.

use std::fmt::{self, Display};

use anyhow::{Context, Result, bail};

/// One thing that the linker can place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Entry {
    /// A function with the tables of its jumps, or a static, by its path.
    Named(String),
    /// A constant without a name, by a number made from what it holds.
    Constant(u64),
    /// A member of an archive or a start-up object of the C library, both with `*` for what differs between systems.
    Member { archive: String, object: String },
}

impl Display for Entry {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(path) => write!(out, "{path}"),
            Self::Constant(hash) => write!(out, "={hash:016x}"),
            Self::Member { archive, object } => write!(out, "@{archive} {object}"),
        }
    }
}

const HEAD: &str = "\
# What hook processes run and read, the most used first. `cargo xtask build` puts it side by side in the executable, so that a
# hook touches few pages. Written by `cargo xtask order`; a name that is no longer there does no harm.
# A bare line is a function or a static, `=` a constant by the hash of what it holds, `@` a part of the C library.
";

/// Another compiler splits and names functions otherwise, so the list says which one it is for.
const COMPILER: &str = "# Made with ";

pub(crate) fn print(entries: &[Entry], compiler: &str) -> String {
    let lines: Vec<String> = entries.iter().map(Entry::to_string).collect();
    format!("{HEAD}{COMPILER}{compiler}\n{}\n", lines.join("\n"))
}

/// The compiler that the list was made with.
pub(crate) fn compiler(text: &str) -> Option<&str> {
    text.lines().take_while(|line| line.starts_with('#')).find_map(|line| line.strip_prefix(COMPILER))
}

pub(crate) fn parse(text: &str) -> Result<Vec<Entry>> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| entry(line).with_context(|| format!("the line `{line}`"))).collect()
}

pub(crate) fn entry(line: &str) -> Result<Entry> {
    if let Some(hash) = line.strip_prefix('=') {
        return Ok(Entry::Constant(u64::from_str_radix(hash, 16).context("`=` is followed by 16 hexadecimal digits")?));
    }
    let Some(member) = line.strip_prefix('@') else { return Ok(Entry::Named(line.to_owned())) };
    let Some((archive, object)) = member.split_once(' ') else { bail!("`@` is followed by an archive and an object") };
    Ok(Entry::Member { archive: archive.to_owned(), object: object.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let entries = vec![
            Entry::Named("<alloc::vec::Vec<u8> as core::clone::Clone>::clone".into()),
            Entry::Constant(0x0123_4567_89ab_cdef),
            Entry::Member { archive: "libc.a".into(), object: "memmove-*.o".into() },
        ];
        let text = print(&entries, "rustc 1.95.0 (x)");
        assert_eq!(parse(&text).unwrap(), entries);
        assert_eq!(compiler(&text), Some("rustc 1.95.0 (x)"));
        assert!(parse("=xyz").is_err());
        assert!(parse("@libc.a").is_err());
    }
}
