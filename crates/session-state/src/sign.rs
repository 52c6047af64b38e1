//! Signed documents: HMAC-SHA-256 over the document's bytes, with the key's name and a counter against going back.
//!
//! A signature shows that whoever wrote the document had the key. It shows nothing about somebody who can read the key: a process of
//! the same user can, unless the key is kept from it by other means.
//!
//! ```
//! use hook_session_state::sign::{Key, Mismatch, open, seal};
//!
//! let key = Key::new("2026a", b"at least sixteen bytes of secret".to_vec());
//! let sealed = seal(r#"{"tripped":true}"#, &key, 7).ok_or("not an object")?;
//! let opened = open(&sealed, &[key.clone()]).map_err(|mismatch| mismatch.to_string())?;
//! assert_eq!((opened.body.as_str(), opened.counter), (r#"{"tripped":true}"#, 7));
//!
//! let edited = sealed.replace("true", "false");
//! assert_eq!(open(&edited, &[key]).unwrap_err(), Mismatch::Edited);
//! # Ok::<(), String>(())
//! ```

use std::fmt;
use std::fmt::Write as _;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

const SCHEME: &str = "hmac-sha256";
const MEMBER: &str = ",\"signature\":\"";

/// A secret with a name. The name stands in the document; the secret never does.
#[derive(Clone)]
pub struct Key {
    id: String,
    secret: Vec<u8>,
}

impl Key {
    /// A key called `id`, in which everything but `A-Z a-z 0-9 _ -` is left out.
    pub fn new(id: &str, secret: Vec<u8>) -> Self {
        Self { id: id.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')).collect(), secret }
    }

    /// The key's name.
    pub fn id(&self) -> &str {
        &self.id
    }

    fn mac(&self, counter: u64, body: &str) -> Option<Hmac<Sha256>> {
        // HMAC takes a key of any length, so this is always there.
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.secret).ok()?;
        mac.update(format!("{SCHEME}\n{}\n{counter}\n", self.id).as_bytes());
        mac.update(body.as_bytes());
        Some(mac)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key").field("id", &self.id).finish_non_exhaustive()
    }
}

/// A document whose signature holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// The JSON object without its signature.
    pub body: String,
    /// The counter that was signed. One below the counter last seen elsewhere means that an old document was put back.
    pub counter: u64,
}

/// Why a document is not what was signed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Mismatch {
    /// There is no signature.
    #[error("it has no signature")]
    Missing,
    /// The signature is not one of this scheme.
    #[error("its signature is not of the form {SCHEME}:KEY:COUNTER:HEX")]
    Malformed,
    /// It was signed with a key that is not here.
    #[error("it was signed with the key `{id}`, which is not here")]
    UnknownKey {
        /// The key's name.
        id: String,
    },
    /// The content is not what was signed.
    #[error("it was changed after it was signed")]
    Edited,
}

/// The JSON object `body` with a signature as its last member; `None` when it is no object.
pub fn seal(body: &str, key: &Key, counter: u64) -> Option<String> {
    let body = body.trim();
    let open = body.strip_prefix('{').and(body.strip_suffix('}'))?.trim_end();
    let mut hex = String::with_capacity(64);
    for byte in key.mac(counter, &format!("{open}}}"))?.finalize().into_bytes() {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    let separator = if open.trim_end().ends_with('{') { &MEMBER[1..] } else { MEMBER };
    Some(format!("{open}{separator}{SCHEME}:{}:{counter}:{hex}\"}}\n", key.id))
}

/// Takes the signature off a document and checks it against the keys.
pub fn open(text: &str, keys: &[Key]) -> Result<Opened, Mismatch> {
    let whole = text.trim_end().strip_suffix("\"}").ok_or(Mismatch::Missing)?;
    let (open, signature) = whole.rsplit_once(&MEMBER[1..]).ok_or(Mismatch::Missing)?;
    let open = open.strip_suffix(',').unwrap_or(open);
    let mut parts = signature.split(':');
    let (Some(SCHEME), Some(id), Some(counter), Some(hex), None) =
        (parts.next(), parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(Mismatch::Malformed);
    };
    let counter: u64 = counter.parse().map_err(|_| Mismatch::Malformed)?;
    let signed = unhex(hex).ok_or(Mismatch::Malformed)?;
    let body = format!("{open}}}");
    let key = keys.iter().find(|key| key.id == id).ok_or_else(|| Mismatch::UnknownKey { id: id.to_owned() })?;
    let mac = key.mac(counter, &body).ok_or(Mismatch::Malformed)?;
    mac.verify_slice(&signed).map_err(|_| Mismatch::Edited)?;
    Ok(Opened { body, counter })
}

fn unhex(hex: &str) -> Option<Vec<u8>> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    let pairs = hex.as_bytes().chunks_exact(2);
    if hex.len() != 64 || !pairs.remainder().is_empty() {
        return None;
    }
    pairs
        .map(|pair| match pair {
            [high, low] => u8::try_from(digit(high)? * 16 + digit(low)?).ok(),
            _ => None,
        })
        .collect()
}
