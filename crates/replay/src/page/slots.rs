//! Counts over time in a bounded number of slots, whose width grows with the period.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};

/// Widths of a slot in seconds. Each is a multiple of the one before, so that slots can be joined.
const WIDTHS: &[i64] =
    &[1, 5, 10, 30, 60, 300, 600, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400, 604_800, 2_419_200, 31_449_600];
/// More slots than this are joined.
const MOST: i64 = 96;

/// What one slot counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) events: u64,
    pub(super) denied: u64,
    pub(super) asked: u64,
}

/// The slots, by their number since 1970.
#[derive(Debug, Default)]
pub(super) struct Slots {
    width: usize,
    counts: BTreeMap<i64, Count>,
}

impl Slots {
    pub(super) fn add(&mut self, time: DateTime<Utc>, count: impl FnOnce(&mut Count)) {
        count(self.counts.entry(time.timestamp().div_euclid(self.seconds())).or_default());
        while self.span() > MOST && self.width + 1 < WIDTHS.len() {
            self.join();
        }
    }

    /// The width of a slot in seconds.
    pub(super) fn seconds(&self) -> i64 {
        WIDTHS.get(self.width).copied().unwrap_or(1)
    }

    fn span(&self) -> i64 {
        match (self.counts.first_key_value(), self.counts.last_key_value()) {
            (Some((first, _)), Some((last, _))) => last - first + 1,
            _ => 0,
        }
    }

    fn join(&mut self) {
        let before = self.seconds();
        self.width += 1;
        let times = self.seconds() / before;
        for (slot, count) in std::mem::take(&mut self.counts) {
            let joined = self.counts.entry(slot.div_euclid(times)).or_default();
            joined.events += count.events;
            joined.denied += count.denied;
            joined.asked += count.asked;
        }
    }

    /// Every slot from the first to the last, empty ones too, with the moment at which it begins.
    pub(super) fn all(&self) -> Vec<(DateTime<Utc>, Count)> {
        let Some((first, _)) = self.counts.first_key_value() else { return Vec::new() };
        // Times far beyond any clock would make more slots than a page can show.
        let shown = self.span().min(4 * MOST);
        (*first..first + shown)
            .filter_map(|slot| {
                let begin = DateTime::from_timestamp(slot * self.seconds(), 0)?;
                Some((begin, self.counts.get(&slot).copied().unwrap_or_default()))
            })
            .collect()
    }

    /// The width in words.
    pub(super) fn width_in_words(&self) -> String {
        let (number, unit) = match self.seconds() {
            n @ 0..60 => (n, "second"),
            n @ 60..3_600 => (n / 60, "minute"),
            n @ 3_600..86_400 => (n / 3_600, "hour"),
            n => (n / 86_400, "day"),
        };
        format!("{number} {unit}{}", if number == 1 { "" } else { "s" })
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::{MOST, Slots};

    #[test]
    fn slots_join_and_lose_nothing() {
        for step in [1, 7, 61, 86_000] {
            let mut slots = Slots::default();
            for n in 0..5_000 {
                slots.add(DateTime::from_timestamp(1_700_000_000 + n * step, 0).unwrap_or_default(), |count| {
                    count.events += 1;
                });
            }
            let all = slots.all();
            assert!(all.len() <= usize::try_from(MOST).unwrap_or(0), "{step}: {}", all.len());
            assert_eq!(all.iter().map(|(_, count)| count.events).sum::<u64>(), 5_000, "{step}");
        }
    }
}
