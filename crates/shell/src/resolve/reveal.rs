//! Stores of secrets: the commands that print what they keep.

use super::Interp;
use super::action::Kind;
use super::exec::Call;
use super::state::Data;
use super::taint::{TAINT_SECRET, TAINT_STORE, glob};
use crate::programs::Invocation;

impl Interp<'_> {
    /// All variables, printed: what is in them is secret for whoever sends them away, and for all if this line loaded secrets.
    pub(super) fn environment(&mut self, call: &Call) -> Data {
        if self.loaded_secrets {
            self.act_at(Kind::SecretRead, None, "the variables that were loaded".to_owned(), call.span);
        }
        Data::from(TAINT_SECRET.to_string())
    }

    /// The mark of what a program prints, if that is a secret which a store keeps.
    pub(super) fn reveals(of: &Invocation<'_>) -> Option<char> {
        let Invocation { program, args, .. } = *of;
        let stores = program.reveals;
        if stores.is_empty() || args.iter().any(|arg| matches!(arg.as_str(), "--help" | "-h")) {
            return None;
        }
        let operands = of.options().operands;
        let fits = |patterns: &[&str]| args.iter().any(|arg| patterns.iter().any(|pattern| glob(pattern, arg)));
        let named = |words: &[&str]| {
            operands.len() >= words.len() && words.iter().zip(&operands).all(|(pattern, word)| glob(pattern, word))
        };
        let found = stores.iter().find(|store| {
            store.words.iter().any(|words| named(words))
                && (store.needs.is_empty() || fits(store.needs))
                && !fits(store.without)
        })?;
        Some(if found.personal { TAINT_SECRET } else { TAINT_STORE })
    }
}
