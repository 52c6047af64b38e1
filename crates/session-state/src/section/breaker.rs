//! The circuit breaker as a state machine: failures in, a trip out, and only a reset closes it again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// How long a kept error may be, in characters.
const MAX_ERROR: usize = 200;

/// How many different signatures are counted; what comes on top is counted as [`OTHER`].
const MAX_SIGNATURES: usize = 32;

/// The signature of whatever comes when there are too many others.
const OTHER: &str = "OTHER";

/// When the breaker trips and what it forgets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BreakerLimits {
    /// Failures in a row that trip it.
    pub threshold: u32,
    /// Failures of one signature that trip it, whatever succeeded between them.
    pub same: u32,
    /// Successes in a row after which each signature counts one failure less; 0 for never. Without it three typing errors of a
    /// long day would trip it.
    pub forget_after: u32,
}

impl Default for BreakerLimits {
    fn default() -> Self {
        Self { threshold: 3, same: 3, forget_after: 10 }
    }
}

/// The `circuit_breaker` section. Members that this version does not know are kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Breaker {
    /// Failures since the last success.
    pub failures: u32,
    /// Whether edits are refused until a user resets it.
    pub tripped: bool,
    /// When it tripped.
    pub tripped_at: Option<String>,
    /// The last error, at most 200 characters.
    pub last_error: Option<String>,
    /// How often each kind of failure was seen.
    pub error_signatures: BTreeMap<String, u32>,
    /// Successes since the last failure.
    #[serde(skip_serializing_if = "is_zero")]
    pub successes: u32,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl Breaker {
    /// A breaker that is tripped because nobody knows what state it was in.
    pub fn unknown(why: &str) -> Self {
        Self { tripped: true, last_error: Some(why.chars().take(MAX_ERROR).collect()), ..Self::default() }
    }

    /// Counts a failure. Says whether this one tripped the breaker.
    pub fn failed(&mut self, signature: &str, error: &str, at: &str, limits: BreakerLimits) -> bool {
        self.successes = 0;
        self.failures = self.failures.saturating_add(1);
        self.last_error = Some(error.chars().take(MAX_ERROR).collect());
        let known = self.error_signatures.contains_key(signature) || self.error_signatures.len() < MAX_SIGNATURES;
        let count = self.error_signatures.entry(if known { signature } else { OTHER }.to_owned()).or_default();
        *count = count.saturating_add(1);
        let trips = !self.tripped && (self.failures >= limits.threshold || *count >= limits.same);
        if trips {
            self.tripped = true;
            self.tripped_at = Some(at.to_owned());
        }
        trips
    }

    /// Counts a success: the row of failures ends. A tripped breaker stays tripped, and keeps its last error.
    pub fn succeeded(&mut self, limits: BreakerLimits) {
        self.failures = 0;
        if !self.tripped {
            self.last_error = None;
        }
        self.successes = self.successes.saturating_add(1);
        if limits.forget_after > 0 && self.successes >= limits.forget_after {
            self.successes = 0;
            self.error_signatures.values_mut().for_each(|count| *count = count.saturating_sub(1));
            self.error_signatures.retain(|_, count| *count > 0);
        }
    }

    /// Closes the breaker and forgets all failures. For the user only.
    pub fn reset(&mut self) {
        *self = Self { rest: std::mem::take(&mut self.rest), ..Self::default() };
    }
}
