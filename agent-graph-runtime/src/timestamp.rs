//! Times as runs carry them. Knows nothing about runs, and reads no clock.

use core::fmt;
use core::str::FromStr;
#[cfg(feature = "std")]
use std::time::{SystemTime, UNIX_EPOCH};

/// A point in time in milliseconds. Its text form is `YYYY-MM-DDTHH:MM:SS.mmmZ`, as ECMAScript's
/// `toISOString` writes it.
///
/// ```
/// use agent_graph_runtime::Timestamp;
/// let time = Timestamp::from_unix_milliseconds(1_709_164_800_001);
/// assert_eq!(time.to_string(), "2024-02-29T00:00:00.001Z");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// The first and the last millisecond whose year has four digits.
const FIRST: i64 = -62_167_219_200_000;
const LAST: i64 = 253_402_300_799_999;

const DAY: i64 = 86_400_000;

impl Timestamp {
    /// So many milliseconds after the beginning of 1970, UTC; the nearest one whose year has four
    /// digits.
    pub fn from_unix_milliseconds(milliseconds: i64) -> Self {
        Self(milliseconds.clamp(FIRST, LAST))
    }

    /// The milliseconds since the beginning of 1970, UTC.
    pub fn unix_milliseconds(self) -> i64 {
        self.0
    }
}

/// The text is no time of the form `YYYY-MM-DDTHH:MM:SS.mmmZ`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MalformedTimestamp;

impl fmt::Display for MalformedTimestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a time of the form YYYY-MM-DDTHH:MM:SS.mmmZ")
    }
}

impl core::error::Error for MalformedTimestamp {}

impl FromStr for Timestamp {
    type Err = MalformedTimestamp;

    /// Reads exactly the text form, and only times that exist.
    fn from_str(text: &str) -> Result<Self, MalformedTimestamp> {
        let bytes = text.as_bytes();
        let number = |from: usize, to: usize| {
            let digits = bytes.get(from..to).ok_or(MalformedTimestamp)?;
            digits.iter().try_fold(0_i64, |number, digit| match digit {
                b'0'..=b'9' => Ok(number * 10 + i64::from(digit - b'0')),
                _ => Err(MalformedTimestamp),
            })
        };
        let days = days_from_civil(number(0, 4)?, number(5, 7)?, number(8, 10)?);
        let seconds = (number(11, 13)? * 60 + number(14, 16)?) * 60 + number(17, 19)?;
        let time = Self(days * DAY + seconds * 1000 + number(20, 23)?);
        // What is out of range, or written otherwise, comes out as another text.
        if alloc::format!("{time}") == text {
            Ok(time)
        } else {
            Err(MalformedTimestamp)
        }
    }
}

#[cfg(feature = "std")]
impl From<SystemTime> for Timestamp {
    fn from(time: SystemTime) -> Self {
        let milliseconds = match time.duration_since(UNIX_EPOCH) {
            Ok(after) => i64::try_from(after.as_millis()).unwrap_or(LAST),
            Err(before) => {
                let before = before.duration();
                let part = i64::from(before.subsec_nanos() % 1_000_000 != 0);
                i64::try_from(before.as_millis()).map_or(FIRST, |whole| -whole - part)
            }
        };
        Self::from_unix_milliseconds(milliseconds)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = civil_from_days(self.0.div_euclid(DAY));
        let time = self.0.rem_euclid(DAY);
        let (hour, minute) = (time / 3_600_000, time / 60_000 % 60);
        let (second, millisecond) = (time / 1000 % 60, time % 1000);
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millisecond:03}Z"
        )
    }
}

/// Year, month and day of the Gregorian calendar, from days since the beginning of 1970. Counts in
/// years that begin in March, so that the leap day is the last of its year, and in eras of 400 years.
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

/// The reverse of [`civil_from_days`].
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use core::time::Duration;

    use super::*;

    #[test]
    fn the_text_form_is_read_back_and_nothing_else_is() {
        let mut milliseconds = FIRST;
        while milliseconds < LAST {
            let time = Timestamp::from_unix_milliseconds(milliseconds);
            assert_eq!(time.to_string().parse(), Ok(time));
            milliseconds += 12_345_678_901;
        }
        for text in [
            "",
            "2030-01-01",
            "2030-01-01T00:00:00Z",
            "2030-13-01T00:00:00.000Z",
            "2030-00-01T00:00:00.000Z",
            "2030-02-29T00:00:00.000Z",
            "2030-01-01T24:00:00.000Z",
            "2030-01-01T00:60:00.000Z",
            "2030-01-01T00:00:60.000Z",
            "2030-01-01t00:00:00.000Z",
            "2030-01-01T00:00:00.000Z ",
            "+030-01-01T00:00:00.000Z",
            "2030-01-01T00:00:00.0\u{e9}Z",
        ] {
            assert_eq!(text.parse::<Timestamp>(), Err(MalformedTimestamp), "{text}");
        }
    }

    #[test]
    fn known_times_have_their_iso_text() {
        for (milliseconds, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (FIRST, "0000-01-01T00:00:00.000Z"),
            (LAST, "9999-12-31T23:59:59.999Z"),
            (i64::MIN, "0000-01-01T00:00:00.000Z"),
            (i64::MAX, "9999-12-31T23:59:59.999Z"),
        ] {
            let time = Timestamp::from_unix_milliseconds(milliseconds);
            assert_eq!(time.to_string(), text);
        }
    }

    #[test]
    fn days_follow_each_other_through_four_centuries() {
        let length = |year: i64, month: i64| match month {
            2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        let mut expected = (1800, 1, 1);
        for days in -62_091..146_097 {
            assert_eq!(civil_from_days(days), expected);
            let (year, month, day) = expected;
            expected = match (month, day == length(year, month)) {
                (12, true) => (year + 1, 1, 1),
                (_, true) => (year, month + 1, 1),
                (_, false) => (year, month, day + 1),
            };
        }
    }

    #[test]
    fn times_before_1970_are_rounded_down() {
        let time = Timestamp::from(UNIX_EPOCH - Duration::from_nanos(1));
        assert_eq!(time.unix_milliseconds(), -1);
        let time = Timestamp::from(UNIX_EPOCH + Duration::from_nanos(1_999_999));
        assert_eq!(time.unix_milliseconds(), 1);
    }
}
