//! The profiles that are compiled in.

use super::{Faults, Profile, RawProfile, resolve_strict};

/// Names of the built-in profiles that a user can choose, in the order of the documentation.
pub const NAMES: &[&str] = &["standard", "spf", "guardrails", "collective", "sane", "claude-os"];

/// The profile in force where nobody chose one.
pub const DEFAULT: &str = "standard";

/// The texts of all that are compiled in, by name.
const TEXTS: [(&str, &str); 7] = [
    ("standard", include_str!("../../profiles/standard.toml")),
    ("spf", include_str!("../../profiles/spf.toml")),
    ("guardrails", include_str!("../../profiles/guardrails.toml")),
    ("collective", include_str!("../../profiles/collective.toml")),
    ("sane", include_str!("../../profiles/sane.toml")),
    ("claude-os", include_str!("../../profiles/claude-os.toml")),
    ("base", include_str!("../../profiles/base.toml")),
];

/// The text of the built-in profile called `name`: one of [`NAMES`], or `base`, which all of them extend.
pub fn builtin_text(name: &str) -> Option<&'static str> {
    TEXTS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
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

impl Profile {
    /// The built-in profile called `name`, one of [`NAMES`]. Any other name is an error.
    ///
    /// ```
    /// use hook_policy::profile::Profile;
    ///
    /// assert_eq!(Profile::builtin("standard")?.names, ["standard"]);
    /// assert!(Profile::builtin("standrd").unwrap_err().to_string().contains("`standard`"));
    /// # Ok::<(), hook_policy::profile::Faults>(())
    /// ```
    pub fn builtin(name: &str) -> Result<Self, Faults> {
        resolve_strict(&[name.to_owned()], &[], &builtin, NAMES)
    }

    /// The profile of a configuration as a team writes it, in the form of `hookbin.toml`: the built-in profiles that it names, else
    /// [`DEFAULT`], with its changes, handlers and rules. Any fault in it is an error. `file` is what messages call it.
    pub fn from_toml(file: &str, text: &str) -> Result<Self, Faults> {
        let file = RawProfile::parse(file, text);
        let names = file.profiles().map_or_else(|| vec![DEFAULT.to_owned()], <[String]>::to_vec);
        resolve_strict(&names, &[file], &builtin, NAMES)
    }
}
