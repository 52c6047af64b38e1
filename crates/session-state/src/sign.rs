//! Signed documents: HMAC-SHA-256 over a JSON object, with the key's name and a counter inside what is signed.
//!
//! A signed document is the object with four members more: `__ts__`, when it was signed, for people; `__key__`, the name of the
//! key; `__counter__`, which goes up with each signing; and last `__sig__`, the lower-case hexadecimal HMAC of the object without
//! `__sig__`, its members in order and no white space between tokens. So a reader may reformat the file, and changing anything
//! else shows.
//!
//! A signature stops nobody who can read the key, and does not stop an older signed document from being put back: against that
//! the caller remembers a counter elsewhere and asks for at least that one.
//!
//! ```
//! use hook_session_state::sign::{Key, Verdict, sign, verify};
//!
//! let key = Key::new("2026a", "at least sixteen bytes of secret").ok_or("too short")?;
//! let signed = sign(&key, 7, "2026-08-18T09:05:03Z", r#"{"tripped": true}"#)?;
//! assert_eq!(verify(&signed, &[key.clone()], 7), Verdict::Valid { counter: 7 });
//! assert_eq!(verify(&signed.replace("true", "false"), &[key], 7), Verdict::Edited);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::fmt::Write as _;

use hmac::{Hmac, KeyInit, Mac};
use serde_json::value::RawValue;

use crate::error::Error;
use sha2::Sha256;

use crate::json::{self, Key as Name, Object};

const TIME: &str = "__ts__";
const KEY: &str = "__key__";
const COUNTER: &str = "__counter__";
const SIGNATURE: &str = "__sig__";

/// A secret and its name. The name stands in the document; the secret never does, and does not show in `Debug`.
#[derive(Clone)]
pub struct Key {
    name: String,
    secret: Vec<u8>,
}

impl Key {
    /// The fewest bytes that a secret may have.
    pub const MIN_BYTES: usize = 16;

    /// A key; `None` when the secret has fewer than [`Self::MIN_BYTES`] bytes.
    pub fn new(name: impl Into<String>, secret: impl Into<Vec<u8>>) -> Option<Self> {
        let secret = secret.into();
        (secret.len() >= Self::MIN_BYTES).then(|| Self { name: name.into(), secret })
    }

    /// The key's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The code of these bytes, not yet read out. HMAC takes a secret of any length, so this is always there.
    fn mac(&self, bytes: &[u8]) -> Option<Hmac<Sha256>> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.secret).ok()?;
        mac.update(bytes);
        Some(mac)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key").field("name", &self.name).finish_non_exhaustive()
    }
}

/// What a signature says about a document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// Signed with a known key, and unchanged since.
    Valid {
        /// Its counter.
        counter: u64,
    },
    /// There is no signature.
    Missing,
    /// Signed with a key that was not given.
    UnknownKey {
        /// The key's name.
        name: String,
    },
    /// Changed since it was signed, or signed with another secret of that name.
    Edited,
    /// Unchanged, but older than what the caller knows to exist.
    RolledBack {
        /// Its counter.
        counter: u64,
    },
    /// Not a JSON object.
    Damaged,
}

/// The members that signing adds. A document that is to be changed is read without them.
pub(crate) const MEMBERS: [&str; 4] = [TIME, KEY, COUNTER, SIGNATURE];

/// Signs a JSON object. Signature members that it already has are replaced. `time` is when, for people: nothing is decided by it.
/// A text that is no JSON object is an error.
pub fn sign(key: &Key, counter: u64, time: &str, document: &str) -> Result<String, Error> {
    signed(key, counter, time, document).map_err(|reason| Error::Sign { reason })
}

/// The same; the error says why nothing was signed.
pub(crate) fn signed(key: &Key, counter: u64, time: &str, document: &str) -> Result<String, String> {
    let Object(members) = serde_json::from_str(document).map_err(|error| format!("not a JSON object: {error}"))?;
    let mut body = canonical(members.iter().filter(|(name, _)| !MEMBERS.contains(&&*name.0)));
    for (name, value) in [(TIME, time), (KEY, &key.name)] {
        if !body.is_empty() {
            body.push(',');
        }
        json::string(&mut body, name);
        body.push(':');
        json::string(&mut body, value);
    }
    // Writing to a string cannot fail.
    let _ = write!(body, ",\"{COUNTER}\":{counter}");
    let mac = key.mac(format!("{{{body}}}").as_bytes()).ok_or("the key cannot be used")?;
    let digits = hex(&mac.finalize().into_bytes());
    Ok(format!("{{{body},\"{SIGNATURE}\":\"{digits}\"}}\n"))
}

/// Judges a document. `at_least` is the lowest counter that the caller accepts.
pub fn verify(document: &str, keys: &[Key], at_least: u64) -> Verdict {
    let Ok(Object(members)) = serde_json::from_str(document) else { return Verdict::Damaged };
    let Some(signature) = text_of(&members, SIGNATURE) else { return Verdict::Missing };
    let name = text_of(&members, KEY).unwrap_or_default();
    let mut known = keys.iter().filter(|key| key.name == name).peekable();
    if known.peek().is_none() {
        return Verdict::UnknownKey { name };
    }
    let body = canonical(members.iter().filter(|(name, _)| name.0 != SIGNATURE));
    let bytes = format!("{{{body}}}");
    let Some(signed) = unhex(&signature) else { return Verdict::Edited };
    // `verify_slice` compares in constant time.
    let good = known.any(|key| key.mac(bytes.as_bytes()).is_some_and(|mac| mac.verify_slice(&signed).is_ok()));
    let counter = members.iter().rfind(|(name, _)| name.0 == COUNTER);
    let counter = counter.and_then(|(_, value)| serde_json::from_str::<u64>(value.get()).ok());
    match counter {
        Some(counter) if good && counter < at_least => Verdict::RolledBack { counter },
        Some(counter) if good => Verdict::Valid { counter },
        _ => Verdict::Edited,
    }
}

/// The last member of this name, if it is text.
fn text_of(members: &[(Name<'_>, &RawValue)], name: &str) -> Option<String> {
    let (_, value) = members.iter().rfind(|(key, _)| key.0 == name)?;
    serde_json::from_str(value.get()).ok()
}

/// Members joined by commas, in order, without white space between tokens.
fn canonical<'m>(members: impl Iterator<Item = &'m (Name<'m>, &'m RawValue)>) -> String {
    let mut out = String::new();
    for (name, value) in members {
        if !out.is_empty() {
            out.push(',');
        }
        json::string(&mut out, &name.0);
        out.push(':');
        compact(&mut out, value.get());
    }
    out
}

/// Appends JSON without the white space between its tokens: a scan, so nothing depends on how deep the value is.
fn compact(out: &mut String, json: &str) {
    let mut inside = false;
    let mut escaped = false;
    out.extend(json.chars().filter(|c| {
        if inside {
            inside = escaped || *c != '"';
            escaped = !escaped && *c == '\\';
            return true;
        }
        inside = *c == '"';
        !matches!(c, ' ' | '\t' | '\n' | '\r')
    }));
}

/// Lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut digits, byte| {
        // Writing to a string cannot fail.
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

/// The bytes that lower-case hexadecimal digits stand for.
pub(crate) fn unhex(digits: &str) -> Option<Vec<u8>> {
    let nibble = |byte: &u8| char::from(*byte).to_digit(16).filter(|_| !byte.is_ascii_uppercase());
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    let byte = |[high, low]: &[u8; 2]| u8::try_from(nibble(high)? * 16 + nibble(low)?).ok();
    if rest.is_empty() { pairs.iter().map(byte).collect() } else { None }
}
