//! How long the decisions took, exact to a hundredth in bounded memory.

use std::collections::BTreeMap;

/// Durations in microseconds and how often each was seen.
#[derive(Debug, Default)]
pub(super) struct Spent {
    seen: BTreeMap<u64, u64>,
    count: u64,
    total: u64,
    most: u64,
}

impl Spent {
    pub(super) fn add(&mut self, micros: u64) {
        // Three leading digits are kept, so that there are at most 900 different values a power of ten.
        let mut step = 1;
        while micros / step >= 1_000 {
            step *= 10;
        }
        *self.seen.entry(micros / step * step).or_default() += 1;
        self.count += 1;
        self.total = self.total.saturating_add(micros);
        self.most = self.most.max(micros);
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }

    pub(super) fn total(&self) -> u64 {
        self.total
    }

    pub(super) fn most(&self) -> u64 {
        self.most
    }

    /// The duration that this many of a thousand do not exceed.
    pub(super) fn at(&self, per_mille: u64) -> u64 {
        let wanted = (self.count * per_mille).div_ceil(1_000).max(1);
        let mut passed = 0;
        for (micros, times) in &self.seen {
            passed += times;
            if passed >= wanted {
                return *micros;
            }
        }
        self.most
    }

    /// How many lie above `from` and not above `to`.
    pub(super) fn between(&self, from: u64, to: u64) -> u64 {
        use std::ops::Bound::{Excluded, Included};
        if from >= to {
            return 0;
        }
        self.seen.range((Excluded(from), Included(to))).map(|(_, times)| times).sum()
    }
}

/// A duration for a reader: `350 µs`, `1.25 ms`, `2.0 s`.
pub(super) fn in_words(micros: u64) -> String {
    #[allow(clippy::cast_precision_loss, reason = "a few leading digits are shown")]
    let value = micros as f64;
    match micros {
        0..1_000 => format!("{micros} µs"),
        1_000..1_000_000 => format!("{:.2} ms", value / 1e3),
        1_000_000..60_000_000 => format!("{:.1} s", value / 1e6),
        _ => format!("{:.1} min", value / 6e7),
    }
}

#[cfg(test)]
mod tests {
    use super::Spent;

    #[test]
    fn shares_of_a_thousand_are_found() {
        let mut spent = Spent::default();
        (1..=1_000).for_each(|micros| spent.add(micros));
        assert_eq!((spent.at(500), spent.at(950), spent.at(1_000), spent.most()), (500, 950, 1_000, 1_000));
        assert_eq!((spent.between(0, 500), spent.between(500, 2_000), spent.total()), (500, 500, 500_500));
    }
}
