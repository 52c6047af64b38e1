//! A moment, as facts tell it.

/// Seconds of a day.
const DAY: i64 = 86_400;

/// `0000-01-01 00:00:00`.
const FIRST: i64 = -62_167_219_200;

/// `9999-12-31 23:59:59`.
const LAST: i64 = 253_402_300_799;

/// A moment in the two spellings that messages need.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Moment {
    /// Seconds since 1970-01-01 00:00:00 UTC.
    pub epoch: i64,
    /// `YYYY-MM-DD HH:MM:SS`, UTC.
    pub stamp: String,
}

impl Moment {
    /// The moment so many seconds after 1970-01-01 00:00:00 UTC; outside the years 0 to 9999 the nearest moment in them.
    ///
    /// ```
    /// use hook_policy::Moment;
    /// assert_eq!(Moment::from_epoch(1_772_359_200).stamp, "2026-03-01 10:00:00");
    /// ```
    pub fn from_epoch(seconds: i64) -> Self {
        let epoch = seconds.clamp(FIRST, LAST);
        let (year, month, day) = civil(epoch.div_euclid(DAY));
        let second = epoch.rem_euclid(DAY);
        let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
        Self { epoch, stamp: format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}") }
    }
}

/// Year, month and day of a day that is counted from 1970-01-01, by Howard Hinnant's algorithm: eras of 400 years that begin on the
/// first of March.
fn civil(day: i64) -> (i64, i64, i64) {
    let days = day + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day_of_year - (153 * march_month + 2) / 5 + 1)
}
