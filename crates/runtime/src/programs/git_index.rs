//! The index of a git repository: which files git tracks, read without starting git.
//!
//! What cannot be read whole is said to be so; nothing is guessed. The format is that of `gitformat-index`, versions 2 to 4.

use std::path::Path;

use crate::programs::git_config;
use crate::system::open::Beneath;

/// Largest index that is read, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// The kinds of an entry, as git names them in its mode.
const KIND: u32 = 0o170_000;
const DIR: u32 = 0o040_000;
const REPOSITORY: u32 = 0o160_000;

/// Bytes of an entry before its id: what git knows of the file's state.
const STATE: usize = 40;
/// Where the mode stands among them.
const MODE: usize = 24;

/// One entry.
pub struct Entry<'i> {
    /// Its path from the top, with `/`; that of a directory ends in one.
    pub path: &'i [u8],
    mode: u32,
    is_skipped: bool,
}

impl Entry<'_> {
    /// Whether it stands for all that lies below a directory.
    pub fn is_dir(&self) -> bool {
        self.mode & KIND == DIR
    }

    /// Whether it is a file or a link that should be there.
    pub fn is_file(&self) -> bool {
        !self.is_skipped && !matches!(self.mode & KIND, DIR | REPOSITORY) && !self.path.is_empty()
    }
}

/// An index that was read to its end.
struct Read {
    entries: u32,
    /// The file beside it that holds the rest.
    shared: Option<String>,
}

/// Shows the entries of an index in the directory of a repository, and says how many there are. `None` where it cannot be read whole: it may
/// then hold anything. `shared` says whether what stands in a second file is shown as well, with what the first has taken out of it.
pub fn each(git_dir: &Path, shared: bool, see: &mut dyn FnMut(&Entry<'_>)) -> Option<u32> {
    let file = git_dir.join("index");
    // Before the first `git add` there is none.
    if file.symlink_metadata().is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound) {
        return Some(0);
    }
    let format = git_config::setting(git_dir, None, "extensions.objectformat");
    let id = if format.as_deref() == Some("sha256") { 32 } else { 20 };
    let beneath = Beneath::new(git_dir);
    let first = walk(&beneath.read(&file, MAX_BYTES).ok()?, id, see)?;
    let Some(name) = first.shared else { return Some(first.entries) };
    if !shared {
        return None;
    }
    let second = walk(&beneath.read(Path::new(&name), MAX_BYTES).ok()?, id, see)?;
    Some(first.entries.saturating_add(second.entries))
}

fn walk(bytes: &[u8], id: usize, see: &mut dyn FnMut(&Entry<'_>)) -> Option<Read> {
    if bytes.get(..4)? != b"DIRC" {
        return None;
    }
    let version = number(bytes, 4)?;
    if !(2..=4).contains(&version) {
        return None;
    }
    let entries = number(bytes, 8)?;
    let mut at: usize = 12;
    let mut path = Vec::new();
    for _ in 0..entries {
        let begin = at;
        let mode = number(bytes, at.checked_add(MODE)?)?;
        at = at.checked_add(STATE + id)?;
        let flags = short(bytes, at)?;
        at += 2;
        let mut is_skipped = false;
        if flags & 0x4000 != 0 {
            is_skipped = short(bytes, at)? & 0x4000 != 0;
            at += 2;
        }
        if version == 4 {
            let (cut, behind) = varying(bytes, at)?;
            at = behind;
            path.truncate(path.len().checked_sub(cut)?);
        } else {
            path.clear();
        }
        let rest = bytes.get(at..)?;
        let length = rest.iter().position(|byte| *byte == 0)?;
        path.extend_from_slice(rest.get(..length)?);
        at += length + 1;
        if version != 4 {
            // Filled up with zeros to a multiple of eight.
            at = begin + (at - begin).next_multiple_of(8);
        }
        see(&Entry { path: &path, mode, is_skipped });
    }
    let end = bytes.len().checked_sub(id)?;
    let mut shared = None;
    while at < end {
        let name = bytes.get(at..at + 4)?;
        let length = usize::try_from(number(bytes, at + 4)?).ok()?;
        let content = bytes.get(at + 8..)?.get(..length)?;
        if name == b"link" {
            let id = content.get(..id)?;
            let is_one = id.iter().any(|byte| *byte != 0);
            shared = is_one.then(|| format!("sharedindex.{}", crate::system::files::hexadecimal(id)));
        }
        at += 8 + length;
    }
    Some(Read { entries, shared })
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

/// A number of varying length, and where it ends.
fn varying(bytes: &[u8], mut at: usize) -> Option<(usize, usize)> {
    let mut byte = *bytes.get(at)?;
    at += 1;
    let mut value = usize::from(byte & 0x7f);
    while byte & 0x80 != 0 {
        byte = *bytes.get(at)?;
        at += 1;
        value = value.checked_add(1)?.checked_mul(128)?.checked_add(usize::from(byte & 0x7f))?;
    }
    Some((value, at))
}
