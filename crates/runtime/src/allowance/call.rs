//! What makes two calls the same.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::event::run::Run;
use crate::trust::Dir;

/// Digits of which none looks like another (Crockford's base 32).
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Characters of the short name that a user types.
const SHORT: usize = 4;

/// Bytes of the hash that count. Another call with the same ones would have to be searched for among 2^120.
const BYTES: usize = 15;

/// One call of a tool, told from every other: the same tool with the same input, in the same directory of the same project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call(String);

impl Call {
    /// The call of an event, if it has one that can be told from others.
    pub(super) fn of(run: &Run<'_>) -> Option<Self> {
        let tool = run.event.tool()?;
        let input = tool.identity()?;
        let root = run.project.as_ref()?.root();
        // Another clone under the same path is another project. It also keeps a reader of the log from guessing at secrets.
        let dir = Dir::of(root).map(Dir::bytes).unwrap_or_default();
        let cwd = run.event.common.cwd.as_ref().map(|cwd| cwd.as_str()).unwrap_or_default();
        let mut hash = Sha256::new();
        for part in [
            root.as_os_str().as_encoded_bytes(),
            dir.as_slice(),
            cwd.as_bytes(),
            tool.name.as_bytes(),
            input.as_bytes(),
        ] {
            // With its length, so that no part can pass for the end of another.
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        Some(Self(spelled(hash.finalize().get(..BYTES)?)))
    }

    /// A call by its whole name, as a record has it.
    pub(super) fn from_record(text: &str) -> Option<Self> {
        let is_digit = |byte: u8| DIGITS.contains(&byte);
        (text.len() == BYTES * 8 / 5 && text.bytes().all(is_digit)).then(|| Self(text.to_owned()))
    }

    /// The short name, which a user types.
    pub fn id(&self) -> &str {
        self.0.get(..SHORT).unwrap_or(&self.0)
    }

    /// The whole name.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether this is what a user typed: the whole name or a beginning of it, in any case, with letters for the digits that they look like.
    pub(super) fn is_meant(&self, typed: &str) -> bool {
        let typed = typed.to_ascii_uppercase().replace('O', "0").replace(['I', 'L'], "1");
        typed.len() >= SHORT && self.0.starts_with(&typed)
    }
}

/// Five bits a digit.
fn spelled(bytes: &[u8]) -> String {
    let bit = |at: usize| bytes.get(at / 8).is_some_and(|byte| byte >> (7 - at % 8) & 1 == 1);
    let digit = |digit: usize| (0..5).fold(0, |value, at| value * 2 + usize::from(bit(digit * 5 + at)));
    (0..bytes.len() * 8 / 5).filter_map(|at| DIGITS.get(digit(at))).map(|byte| char::from(*byte)).collect()
}
