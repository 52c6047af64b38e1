//! The file outside the project that holds its key, and beside it the last document that was signed with it.
//!
//! Key and last document are one file, so that nobody can drop the counter and keep the key.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::document::MAX_DOCUMENT_BYTES;
use crate::error::Error;
use crate::sign::{Key, Verdict, hex, unhex, verify};
use crate::sys::{Content, Dir};
use crate::text::Text;

const HEAD: &str = "hookbin-key";
const SECRET_BYTES: usize = 32;

/// What was found in the key store's place.
#[derive(Debug)]
pub(super) enum KeyStore {
    /// Nothing.
    Missing,
    /// A key, and what was signed last.
    Good(Good),
    /// Others can read it.
    Loose,
    /// It is there and cannot be read, and why.
    Unreadable(String),
    /// It is no key store, or not what was written.
    Damaged,
}

/// A key that can be used.
#[derive(Debug)]
pub(super) struct Good {
    pub(super) key: Key,
    /// The key's line up to the project's directory, as it stands in the file.
    line: String,
    /// The directory of the project that it was written for; a version that did not say so leaves it out.
    pub(super) project: Option<PathBuf>,
    /// The last signed document and its counter.
    pub(super) last: Option<(String, u64)>,
}

impl KeyStore {
    pub(super) fn read(path: &Path) -> Self {
        let meta = match fs::symlink_metadata(path) {
            Ok(meta) => meta,
            Err(error) if error.kind() == ErrorKind::NotFound => return Self::Missing,
            Err(error) => return Self::Unreadable(error.to_string()),
        };
        if is_loose(&meta) {
            return Self::Loose;
        }
        let Some((dir, name)) = split(path) else { return Self::Unreadable("it has no name".to_owned()) };
        let content = Dir::open(dir).and_then(|handle| handle.read(name, 2 * MAX_DOCUMENT_BYTES));
        match content {
            Ok(Content::Bytes(bytes)) => String::from_utf8(bytes).ok().and_then(|text| Good::parse(&text)),
            Ok(Content::Missing) => return Self::Missing,
            Ok(Content::Odd(reason)) => return Self::Unreadable(reason.to_owned()),
            Err(error) => return Self::Unreadable(error.to_string()),
        }
        .map_or(Self::Damaged, Self::Good)
    }
}

impl Good {
    /// A new key.
    pub(super) fn fresh() -> Result<Self, std::io::Error> {
        let mut bytes = [0_u8; SECRET_BYTES + 8];
        getrandom::fill(&mut bytes).map_err(std::io::Error::from)?;
        let digits = hex(&bytes);
        let (name, secret) = digits.split_at(16);
        Self::of_line(&format!("{HEAD} 1 {name} {secret}")).ok_or_else(|| std::io::Error::other("no key could be made"))
    }

    fn of_line(line: &str) -> Option<Self> {
        let rest = line.strip_prefix(HEAD)?.strip_prefix(" 1 ")?;
        let (name, rest) = rest.split_once(' ')?;
        // In digits, so that a path of any bytes is one word.
        let (secret, project) = match rest.split_once(' ') {
            Some((secret, digits)) => {
                let at = digits.len().checked_sub(PROOF_DIGITS)?;
                let (digits, proof) = digits.split_at_checked(at)?;
                if proof_of(secret, digits) != proof {
                    return None;
                }
                (secret, Some(path_of(&unhex(digits).filter(|bytes| !bytes.is_empty())?)?))
            }
            None => (rest, None),
        };
        let line = format!("{HEAD} 1 {name} {secret}");
        let is_hex = |text: &str| text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let plain = name.len() == 16 && secret.len() == 2 * SECRET_BYTES && is_hex(name) && is_hex(secret);
        let key = Key::new(name, secret).filter(|_| plain)?;
        Some(Self { key, line, project, last: None })
    }

    fn parse(text: &str) -> Option<Self> {
        let (line, last) = text.split_once('\n')?;
        let good = Self::of_line(line)?;
        if last.is_empty() {
            return Some(good);
        }
        match verify(last, std::slice::from_ref(&good.key), 0) {
            // To the byte what signing wrote: one more blank is a sign that somebody was here.
            Verdict::Valid { counter } if last.ends_with("}\n") => {
                Some(Self { last: Some((last.to_owned(), counter)), ..good })
            }
            _ => None,
        }
    }

    /// Writes the key store of this project with this document as the last one.
    pub(super) fn write(&self, path: &Path, project: &Path, last: &str) -> Result<(), Error> {
        let (dir, name) =
            split(path).ok_or_else(|| Error::io("write", path)(std::io::Error::other("it has no name")))?;
        let handle = match Dir::open(dir) {
            Err(error) if error.kind() == ErrorKind::NotFound => Dir::create(dir).and_then(|()| Dir::open(dir)),
            opened => opened,
        };
        let handle = handle.map_err(Error::io("open", dir))?;
        let digits = hex(project.as_os_str().as_encoded_bytes());
        let proof = proof_of(self.line.rsplit(' ').next().unwrap_or_default(), &digits);
        let text = Text::from(format!("{} {digits}{proof}\n{last}", self.line));
        handle.replace(name, &mut text.slices(), None).map_err(Error::io("write", path))
    }
}

/// Digits behind the directory that show that nobody changed it.
const PROOF_DIGITS: usize = 16;

fn proof_of(secret: &str, digits: &str) -> String {
    let mut proof = hex(&Sha256::digest(format!("{secret} {digits}")));
    proof.truncate(PROOF_DIGITS);
    proof
}

/// Removes the key store of a directory that is no more.
pub(super) fn remove(path: &Path) -> Result<(), Error> {
    let Some((dir, name)) = split(path) else { return Ok(()) };
    Dir::open(dir).and_then(|handle| handle.remove(name)).map_err(Error::io("remove", path))
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems know bytes that are no path")]
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt as _;
    Some(PathBuf::from(std::ffi::OsStr::from_bytes(bytes)))
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(bytes).ok().map(PathBuf::from)
}

/// The key store of the project in this directory: a name made from its path, because one key a project keeps a document of one project
/// from passing for another's.
pub(super) fn place(dir: &Path, project: &Path) -> PathBuf {
    let digest = Sha256::digest(project.as_os_str().as_encoded_bytes());
    let name = hex(digest.get(..12).unwrap_or(&digest));
    dir.join(format!("{name}.key"))
}

fn split(path: &Path) -> Option<(&Path, &str)> {
    Some((path.parent()?, path.file_name()?.to_str()?))
}

#[cfg(unix)]
fn is_loose(meta: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    meta.is_file() && meta.permissions().mode() & 0o077 != 0
}

#[cfg(not(unix))]
fn is_loose(_meta: &fs::Metadata) -> bool {
    false
}
