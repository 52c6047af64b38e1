//! The built-in profiles, by the names that this crate and the command line use.

pub use hook_policy::profile::{DEFAULT, builtin as raw, builtin_text as text};

/// Names of the profiles that a user can choose, in the order of the documentation.
pub fn names() -> Vec<&'static str> {
    hook_policy::profile::NAMES.to_vec()
}
