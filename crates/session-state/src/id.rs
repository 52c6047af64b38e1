//! Session ids: where they come from, and how they become file names.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::sign::hex;

/// The longest id, in bytes.
const MAX: usize = 64;
/// What begins the suffix of an id that was changed: not followed by hexadecimal digits in any id a client is known to make.
const MARK: &str = "-x";
/// Hexadecimal digits of the suffix.
const DIGITS: usize = 16;

/// A session id that is safe as a file name: 1 to 64 characters of `A-Z a-z 0-9 _ -`.
///
/// Two different raw ids never give the same one, up to a collision of 64 bits of SHA-256. On a file system that ignores case, ids
/// that differ in case alone share a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionId(String);

/// One place a session id may come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdSource {
    /// The event's own `session_id`.
    Stdin,
    /// The environment variable of this name.
    Env(&'static str),
}

impl SessionId {
    /// Makes an id of any text.
    ///
    /// Text that already is one stays as it is. In other text each foreign character becomes `_`, the rest is cut to fit, and
    /// `-x` with 16 digits of its SHA-256 is appended; the same happens to text that ends like that already. Empty text becomes
    /// `default`.
    pub fn from_raw(raw: &str) -> Self {
        if raw.is_empty() {
            return Self("default".to_owned());
        }
        if raw.len() <= MAX && raw.bytes().all(plain) && !ends_in_suffix(raw) {
            return Self(raw.to_owned());
        }
        let digest = Sha256::digest(raw.as_bytes());
        let mut id: String = raw
            .chars()
            .take(MAX - MARK.len() - DIGITS)
            .map(|c| if u8::try_from(c).is_ok_and(plain) { c } else { '_' })
            .collect();
        id.push_str(MARK);
        id.push_str(&hex(digest.get(..DIGITS / 2).unwrap_or(&digest)));
        Self(id)
    }

    /// The id from the first source in `order` that has one; `default` where none has. Never the process id.
    pub fn resolve(order: &[IdSource], stdin: Option<&str>, env: impl Fn(&str) -> Option<String>) -> Self {
        for source in order {
            let found = match source {
                IdSource::Stdin => stdin.map(str::to_owned),
                IdSource::Env(name) => env(name),
            };
            if let Some(raw) = found.filter(|raw| !raw.is_empty()) {
                return Self::from_raw(&raw);
            }
        }
        Self::from_raw("")
    }

    /// The id of the session whose file has this stem; `None` where no id gives it.
    pub(crate) fn from_file_stem(stem: &str) -> Option<Self> {
        (!stem.is_empty() && stem.len() <= MAX && stem.bytes().all(plain)).then(|| Self(stem.to_owned()))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// Whether this plain text looks like an id that was changed. Only such text could be mistaken for one.
fn ends_in_suffix(raw: &str) -> bool {
    let Some((_, digits)) = raw.rsplit_once(MARK) else { return false };
    digits.len() == DIGITS && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}
