//! The verdict algebra: what a check may say, and how several verdicts become one.

use serde::{Deserialize, Serialize};

/// What happens to the call. Having no verdict is `None` of an `Option<Verdict>`: the host goes on as if no hook were there.
///
/// The order is strictness: `Allow < Ask < Deny`, so that `max` is the combination rule: the strictest verdict wins,
/// whatever the order of the checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The call runs without the host's own question. Only a check that proved the call harmless says so.
    Allow,
    /// The user is asked.
    Ask,
    /// The call is refused.
    Deny,
}

impl Verdict {
    /// The word used in messages, logs and `--json` output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// What becomes of a question where the host asks nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Unasked {
    /// The call is refused.
    #[default]
    Deny,
    /// The call runs, and the user is told.
    Pass,
}

/// What to answer when something goes wrong in a place that can deny.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum FailMode {
    /// No answer: the host goes on. The default of everything that only observes.
    #[default]
    None,
    /// The user is asked.
    Ask,
    /// The call is refused.
    Deny,
}

impl FailMode {
    /// The verdict that this fail mode stands for.
    pub const fn verdict(self) -> Option<Verdict> {
        match self {
            Self::None => None,
            Self::Ask => Some(Verdict::Ask),
            Self::Deny => Some(Verdict::Deny),
        }
    }

    /// The stricter of two fail modes.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        if self.verdict() >= other.verdict() { self } else { other }
    }
}
