//! Dates with times and zones as readers of the protocol accept them (spec 1.1). Knows text only; no clock.

/// RFC 3339 with the liberties that readers of the protocol take (spec 1.1).
pub(super) fn is_date_time(text: &str) -> bool {
    parse_date_time(text).is_some()
}

/// Reads the parts of a date and time; `None` where one is missing or out of range.
fn parse_date_time(text: &str) -> Option<()> {
    let mut rest = text;
    let year = digits(&mut rest, 4)?;
    literal(&mut rest, '-')?;
    let month = digits(&mut rest, 2)?;
    literal(&mut rest, '-')?;
    let day = digits(&mut rest, 2)?;
    if day == 0 || day > days_in_month(year, month)? {
        return None;
    }
    let separator = rest.chars().next()?;
    if !matches!(separator, 'T' | 't') && !is_ecmascript_space(separator) {
        return None;
    }
    rest = rest.get(separator.len_utf8()..)?;
    let hour = digits(&mut rest, 2)?;
    literal(&mut rest, ':')?;
    let minute = digits(&mut rest, 2)?;
    literal(&mut rest, ':')?;
    let second = digits(&mut rest, 2)?;
    if let Some(fraction) = rest.strip_prefix('.') {
        let after = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
        if after.len() == fraction.len() {
            return None;
        }
        rest = after;
    }
    let (offset_hours, offset_minutes) = zone(rest)?;
    if hour <= 23 && minute <= 59 && second <= 59 {
        return Some(());
    }
    leap_second(hour, minute, second, offset_hours, offset_minutes).then_some(())
}

/// Second 60 exists at 23:59:60 UTC only.
fn leap_second(
    hour: i32,
    minute: i32,
    second: i32,
    offset_hours: i32,
    offset_minutes: i32,
) -> bool {
    let utc_minute = minute - offset_minutes;
    let utc_hour = hour - offset_hours - i32::from(utc_minute < 0);
    (utc_hour == 23 || utc_hour == -1) && (utc_minute == 59 || utc_minute == -1) && second < 61
}

/// The offset of the zone, hours and minutes both with its sign.
fn zone(text: &str) -> Option<(i32, i32)> {
    if matches!(text, "Z" | "z") {
        return Some((0, 0));
    }
    let (sign, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+')?),
    };
    let hours = digits(&mut rest, 2)?;
    rest = rest.strip_prefix(':').unwrap_or(rest);
    let minutes = if rest.is_empty() && !text.ends_with(':') {
        0
    } else {
        digits(&mut rest, 2)?
    };
    (rest.is_empty() && hours <= 23 && minutes <= 59).then_some((sign * hours, sign * minutes))
}

fn days_in_month(year: i32, month: i32) -> Option<i32> {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => Some(31),
        4 | 6 | 9 | 11 => Some(30),
        2 => Some(if leap { 29 } else { 28 }),
        _ => None,
    }
}

/// The white space of ECMAScript patterns.
fn is_ecmascript_space(c: char) -> bool {
    c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}')
}

/// Takes so many digits from the front.
fn digits(text: &mut &str, count: usize) -> Option<i32> {
    let number = text.get(..count)?;
    if !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    *text = text.get(count..)?;
    number.parse().ok()
}

fn literal(text: &mut &str, expected: char) -> Option<()> {
    *text = text.strip_prefix(expected)?;
    Some(())
}

#[cfg(test)]
mod tests {
    use super::is_date_time;

    #[track_caller]
    fn accepts(texts: &[&str]) {
        for text in texts {
            assert!(is_date_time(text), "{text:?} is refused");
        }
    }

    #[track_caller]
    fn refuses(texts: &[&str]) {
        for text in texts {
            assert!(!is_date_time(text), "{text:?} is accepted");
        }
    }

    #[test]
    fn date_times_need_a_zone_and_a_real_day() {
        accepts(&[
            "2024-02-29T00:00:00Z",
            "2024-06-30t23:59:59.5+05:30",
            "2024-06-30 23:59:60z",
            "2024-06-30T23:59:59-0530",
            "2024-06-30T23:59:59+05",
            "2016-12-31T18:29:60-05:30",
            "2017-01-01T05:29:60+05:30",
        ]);
        refuses(&[
            "2023-02-29T00:00:00Z",
            "2024-06-30T23:59:59",
            "2024-06-30T23:59Z",
            "2024-06-30T24:00:00Z",
            "2024-06-30T22:59:60Z",
            "2024-06-30T23:59:59.Z",
            "2024-06-30T23:59:59+5",
            "2024-06-30T23:59:59+05:",
            "2024-13-01T00:00:00Z",
            "2024-00-01T00:00:00Z",
            "2024-01-00T00:00:00Z",
            "2024-01-01T00:00:00Z ",
            "",
        ]);
    }
}
