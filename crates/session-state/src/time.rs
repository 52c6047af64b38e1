//! Points in time as the store writes them: UTC, to the second, given by the caller.

use std::time::{Duration, SystemTime};

/// A point in time in whole seconds since 1970-01-01T00:00:00Z. The store never reads a clock.
///
/// ```
/// use std::time::{Duration, SystemTime};
///
/// use hook_session_state::Time;
///
/// let then = SystemTime::UNIX_EPOCH + Duration::from_secs(1_787_043_903);
/// assert_eq!(Time::from(then).stamp(), "2026-08-18 09:05:03");
/// ```
///
/// Years 0 to 9999 are written with four digits; anything outside is moved to the nearest of these ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time(i64);

/// Seconds of a day.
const DAY: i64 = 86_400;
/// `0000-01-01T00:00:00Z`.
const FIRST: i64 = -62_167_219_200;
/// `9999-12-31T23:59:59Z`.
const LAST: i64 = 253_402_300_799;

impl Time {
    /// The time this many seconds after the start of 1970, UTC.
    pub fn from_unix(seconds: i64) -> Self {
        Self(seconds.clamp(FIRST, LAST))
    }

    /// Seconds since the start of 1970, UTC.
    pub fn unix(self) -> i64 {
        self.0
    }

    /// `2026-08-18 09:05:03`, as in `session.json` and STATUS.txt.
    pub fn stamp(self) -> String {
        let c = self.civil();
        format!("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", c.year, c.month, c.day, c.hour, c.minute, c.second)
    }

    /// `Aug 18 2026 09:05`, as in the title of the handoff note.
    pub fn title(self) -> String {
        let c = self.civil();
        format!("{} {:02} {:04} {:02}:{:02}", c.month_name(), c.day, c.year, c.hour, c.minute)
    }

    /// `20260818T090503Z`, fit for a file name.
    pub(crate) fn compact(self) -> String {
        let c = self.civil();
        format!("{:04}{:02}{:02}T{:02}{:02}{:02}Z", c.year, c.month, c.day, c.hour, c.minute, c.second)
    }

    /// The calendar fields, by Howard Hinnant's days-to-civil algorithm: eras of 400 years that begin on the first of March.
    fn civil(self) -> Civil {
        let days = self.0.div_euclid(DAY) + 719_468;
        let second = self.0.rem_euclid(DAY);
        let era = days.div_euclid(146_097);
        let day_of_era = days.rem_euclid(146_097);
        let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let march_month = (5 * day_of_year + 2) / 153;
        let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
        Civil {
            year: year_of_era + era * 400 + i64::from(month <= 2),
            month,
            day: day_of_year - (153 * march_month + 2) / 5 + 1,
            hour: second / 3_600,
            minute: second / 60 % 60,
            second: second % 60,
        }
    }
}

impl From<SystemTime> for Time {
    fn from(time: SystemTime) -> Self {
        let seconds = |span: Duration| i64::try_from(span.as_secs()).unwrap_or(i64::MAX);
        Self::from_unix(match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(since) => seconds(since),
            // A part of a second before a moment belongs to the second that ends there.
            Err(before) => {
                let before = before.duration();
                -seconds(before) - i64::from(before.subsec_nanos() > 0)
            }
        })
    }
}

/// A date and time of day in the proleptic Gregorian calendar.
struct Civil {
    year: i64,
    month: i64,
    day: i64,
    hour: i64,
    minute: i64,
    second: i64,
}

impl Civil {
    fn month_name(&self) -> &'static str {
        const NAMES: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
        usize::try_from(self.month - 1).ok().and_then(|index| NAMES.get(index)).copied().unwrap_or("Dec")
    }
}
