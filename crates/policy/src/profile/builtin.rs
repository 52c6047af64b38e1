//! The profiles that are compiled in.

use super::RawProfile;

/// Names of the built-in profiles that a user can choose, in the order of the documentation.
pub const NAMES: &[&str] = &["standard", "spf", "guardrails", "collective", "sane", "claude-os"];

/// The profile in force where nobody chose one.
pub const DEFAULT: &str = "standard";

/// The text of the built-in profile called `name`: one of [`NAMES`], or `base`, which all of them extend.
pub fn builtin_text(name: &str) -> Option<&'static str> {
    Some(match name {
        "standard" => include_str!("../../profiles/standard.toml"),
        "spf" => include_str!("../../profiles/spf.toml"),
        "guardrails" => include_str!("../../profiles/guardrails.toml"),
        "collective" => include_str!("../../profiles/collective.toml"),
        "sane" => include_str!("../../profiles/sane.toml"),
        "claude-os" => include_str!("../../profiles/claude-os.toml"),
        "base" => include_str!("../../profiles/base.toml"),
        _ => return None,
    })
}

/// The raw form of the built-in profile called `name`, as [`resolve`](super::resolve) and
/// [`resolve_strict`](super::resolve_strict) ask for it.
///
/// ```
/// use hook_policy::profile::{NAMES, builtin, resolve_strict};
///
/// let profile = resolve_strict(&["standard".to_owned()], &[], &builtin, NAMES)?;
/// assert_eq!(profile.names, ["standard"]);
/// # Ok::<(), hook_policy::profile::Faults>(())
/// ```
pub fn builtin(name: &str) -> Option<RawProfile> {
    builtin_text(name).map(|text| RawProfile::parse(name, text))
}
