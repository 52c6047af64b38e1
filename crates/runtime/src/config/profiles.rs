//! The profiles that are compiled into the executable.

use hook_policy::profile::RawProfile;

/// A built-in profile: its name and its text.
struct Builtin {
    name: &'static str,
    text: &'static str,
    /// A part that other profiles share, not one that a person chooses.
    part: bool,
}

const BUILTIN: &[Builtin] = &[
    Builtin { name: "standard", text: include_str!("../../profiles/standard.toml"), part: false },
    Builtin { name: "spf", text: include_str!("../../profiles/spf.toml"), part: false },
    Builtin { name: "guardrails", text: include_str!("../../profiles/guardrails.toml"), part: false },
    Builtin { name: "collective", text: include_str!("../../profiles/collective.toml"), part: false },
    Builtin { name: "sane", text: include_str!("../../profiles/sane.toml"), part: false },
    Builtin { name: "claude-os", text: include_str!("../../profiles/claude-os.toml"), part: false },
    Builtin { name: "base", text: include_str!("../../profiles/base.toml"), part: true },
];

/// The profile in force where nobody chose one.
pub const DEFAULT: &str = "standard";

/// Names of the profiles that a person can choose, in the order of the documentation.
pub fn names() -> Vec<&'static str> {
    BUILTIN.iter().filter(|builtin| !builtin.part).map(|builtin| builtin.name).collect()
}

/// The text of the profile called `name`.
pub fn text(name: &str) -> Option<&'static str> {
    BUILTIN.iter().find(|builtin| builtin.name == name).map(|builtin| builtin.text)
}

/// The raw form of the profile called `name`. A test reads every one of them, so none has a fault.
pub fn raw(name: &str) -> Option<RawProfile> {
    text(name).map(|text| RawProfile::parse(name, text))
}
