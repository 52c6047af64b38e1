//! The four tiers, their thresholds and shares, and the number of tokens the formula finds best for the analysis.

use std::fmt;

/// The number of tokens the formula takes as the effective context window (`W_eff`).
pub const W_EFF: u64 = 40_000;

/// The smallest complexity a prompt can have.
pub const FLOOR: u64 = 50;

/// How much thought a prompt gets, from its complexity C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// C below 500: 40 % analysis, 60 % building.
    Simple,
    /// C from 500 to 1,999: 60 % analysis, 40 % building.
    Light,
    /// C from 2,000 to 9,999: 75 % analysis, 25 % building.
    Medium,
    /// C of 10,000 and more: 95 % analysis, 5 % building.
    Critical,
}

impl Tier {
    /// All tiers, lowest first.
    pub const ALL: [Self; 4] = [Self::Simple, Self::Light, Self::Medium, Self::Critical];

    /// The tier in which complexity `c` falls.
    pub const fn of(c: u64) -> Self {
        match c {
            0..500 => Self::Simple,
            500..2_000 => Self::Light,
            2_000..10_000 => Self::Medium,
            _ => Self::Critical,
        }
    }

    /// The tier's name in capital letters, as the reference card spells it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Simple => "SIMPLE",
            Self::Light => "LIGHT",
            Self::Medium => "MEDIUM",
            Self::Critical => "CRITICAL",
        }
    }

    /// The tier with this name, in any case.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tier| tier.as_str().eq_ignore_ascii_case(name))
    }

    /// The share of the effort that goes into analysis, in percent.
    pub const fn analyze(self) -> u8 {
        match self {
            Self::Simple => 40,
            Self::Light => 60,
            Self::Medium => 75,
            Self::Critical => 95,
        }
    }

    /// The share of the effort that goes into building, in percent; `analyze` and `build` add up to 100.
    pub const fn build(self) -> u8 {
        100 - self.analyze()
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The best number of tokens for the analysis of a prompt of complexity `c`: `int(40000 × (1 − 1 / ln(c + e)))`.
///
/// Zero for `c` = 0; grows with `c`, ever more slowly, and stays below [`W_EFF`].
///
/// ```
/// assert_eq!(hook_complexity::a_optimal(500), 33_569);
/// ```
pub fn a_optimal(c: u64) -> u64 {
    whole(real(W_EFF) * (1.0 - 1.0 / (real(c) + std::f64::consts::E).ln()))
}

/// A whole number as a real one.
#[allow(
    clippy::cast_precision_loss,
    reason = "scores stay far below 2^53; above it a rounded value is what the formula means"
)]
pub(crate) fn real(n: u64) -> f64 {
    n as f64
}

/// The formula's `int()`: cuts the fraction off.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the values are not negative, and `as` saturates at the ends"
)]
pub(crate) fn whole(x: f64) -> u64 {
    x as u64
}
