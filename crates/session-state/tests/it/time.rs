//! Times against another implementation of the calendar.

use std::time::{Duration, SystemTime};

use chrono::{DateTime, Utc};
use hook_session_state::Time;
use proptest::prelude::*;

proptest! {
    #[test]
    fn every_second_is_written_as_chrono_writes_it(seconds in -62_167_219_200_i64..=253_402_300_799) {
        let time = Time::from_unix(seconds);
        let oracle = DateTime::from_timestamp(seconds, 0).unwrap();
        prop_assert_eq!(time.stamp(), oracle.format("%Y-%m-%d %H:%M:%S").to_string());
        prop_assert_eq!(time.title(), oracle.format("%b %d %Y %H:%M").to_string());
        prop_assert_eq!(time.unix(), seconds);
    }

    #[test]
    fn a_clock_is_read_as_chrono_reads_it(millis in -62_167_219_200_000_i64..=253_402_300_799_000) {
        let span = Duration::from_millis(millis.unsigned_abs());
        let clock = if millis < 0 { SystemTime::UNIX_EPOCH - span } else { SystemTime::UNIX_EPOCH + span };
        prop_assert_eq!(Time::from(clock).unix(), DateTime::<Utc>::from(clock).timestamp());
    }
}

#[test]
fn a_time_beyond_four_digits_of_a_year_is_the_nearest_within() {
    assert_eq!(Time::from_unix(i64::MAX).stamp(), "9999-12-31 23:59:59");
    assert_eq!(Time::from_unix(i64::MIN).stamp(), "0000-01-01 00:00:00");
    assert_eq!(Time::from_unix(0).stamp(), "1970-01-01 00:00:00");
}
