//! How full a session's context is, in percent of the model's window.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use hook_shell::resolve::taint::glob;

/// Seconds for which a figure of the host's status line counts whatever the transcript says.
const FRESH_SECONDS: i64 = 120;
/// The usual window, in tokens.
const WINDOW: u64 = 200_000;
/// The large window, in tokens; whoever has sent more than the usual one has it.
const LARGE_WINDOW: u64 = 1_000_000;

/// What the caller can tell of a session's context.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContextUse {
    /// What the transcript says.
    pub sent: Sent,
    /// When the transcript was changed last, in seconds since 1970.
    pub changed: Option<i64>,
    /// What the host's status line said last.
    pub shown: Option<Shown>,
}

/// What the last answer of the main conversation was given to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Sent {
    /// There is no answer, or none that can be found within the caller's limits.
    #[default]
    Unknown,
    /// The conversation was compacted, and there is no answer since.
    Compacted,
    /// The size of the context.
    Tokens {
        /// In tokens, without the answer.
        tokens: u64,
        /// The model that answered.
        model: Option<String>,
    },
}

/// A figure that the host's status line was given.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// Percent of the window in use, 0 to 100.
    pub percent: u8,
    /// When, in seconds since 1970.
    pub at: i64,
}

/// How large the windows of models are, in tokens.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Windows {
    /// The window of every model that `models` does not name; 0 is 200,000, or 1,000,000 once more than 200,000 were sent.
    pub tokens: u64,
    /// Windows by model; `*` stands for any text.
    pub models: BTreeMap<String, u64>,
}

/// How full a context is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fullness {
    /// Nobody knows.
    Unknown,
    /// It was emptied by a compaction, and nothing was sent since.
    Emptied,
    /// Percent, 0 to 100.
    Percent(u8),
}

impl ContextUse {
    /// How full the context is at `now`, in seconds since 1970. A figure of the status line wins while it is fresh or newer than the
    /// transcript, but for one from before a compaction.
    pub fn fullness(&self, windows: &Windows, now: i64) -> Fullness {
        if let Some(shown) = self.shown {
            let newer = self.changed.is_none_or(|changed| shown.at >= changed);
            let fresh = (0..FRESH_SECONDS).contains(&now.saturating_sub(shown.at));
            let outdated = self.sent == Sent::Compacted && self.changed.is_some_and(|changed| shown.at <= changed);
            if (newer || fresh) && !outdated {
                return Fullness::Percent(shown.percent.min(100));
            }
        }
        match &self.sent {
            Sent::Unknown => Fullness::Unknown,
            Sent::Compacted => Fullness::Emptied,
            Sent::Tokens { tokens, model } => {
                let window = windows.of(model.as_deref(), *tokens);
                let percent = tokens.saturating_mul(100).checked_div(window).unwrap_or(100);
                Fullness::Percent(u8::try_from(percent.min(100)).unwrap_or(100))
            }
        }
    }
}

impl Windows {
    /// The window of a model that was sent so many tokens.
    fn of(&self, model: Option<&str>, tokens: u64) -> u64 {
        let named = model.and_then(|model| {
            self.models.iter().find(|(pattern, window)| **window > 0 && glob(pattern, model)).map(|(_, window)| *window)
        });
        match named.unwrap_or(self.tokens) {
            0 if tokens > WINDOW => LARGE_WINDOW,
            0 => WINDOW,
            window => window,
        }
    }
}
