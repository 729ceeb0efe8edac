//! Moments for people, in UTC.

/// `2026-11-25 00:48 UTC`, from microseconds since the Unix epoch.
pub fn utc_minute(us: u64) -> String {
    let minutes = us / 60_000_000;
    let (year, month, day) = civil(minutes / 1_440);
    format!(
        "{year:04}-{month:02}-{day:02} {:02}:{:02} UTC",
        minutes / 60 % 24,
        minutes % 60
    )
}

/// `2026-11-25T00:48:07Z` (RFC 3339), from microseconds since the Unix epoch.
pub fn rfc3339(us: u64) -> String {
    let seconds = us / 1_000_000;
    let (year, month, day) = civil(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Microseconds since the Unix epoch of `2026-11-25T00:48:07Z` or `…07.123Z`; the app writes no other form.
pub fn parse(text: &str) -> Option<u64> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let number = |text: &str| {
        text.parse::<u64>()
            .ok()
            .filter(|_| text.bytes().all(|b| b.is_ascii_digit()))
    };
    let numbers = |text: &str, by| text.split(by).map(number).collect::<Option<Vec<u64>>>();
    let (clock, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let micros = number(&format!("{fraction:0<6}")).filter(|_| fraction.len() <= 6)?;
    let (&[year, month, day], &[hour, minute, second]) = (&numbers(date, '-')?[..], &numbers(clock, ':')?[..]) else {
        return None;
    };
    let fits = (1970..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    if !fits || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    Some((((days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second) * 1_000_000 + micros)
}

/// The way back from [`civil`] (`days_from_civil`).
fn days(year: u64, month: u64, day: u64) -> u64 {
    let shifted_year = year - u64::from(month <= 2);
    let (era, of_era) = (shifted_year / 400, shifted_year % 400);
    let shifted = (month + 9) % 12;
    let of_year = (153 * shifted + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Year, month and day of the Gregorian calendar, so many days after 1 January 1970 (H. Hinnant, chrono-compatible low-level
/// date algorithms, `civil_from_days`).
fn civil(days: u64) -> (u64, u64, u64) {
    let z = days + 719_468;
    let era = z / 146_097;
    let of_era = z % 146_097;
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year + era * 400 + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        for text in ["1970-01-01T00:00:00Z", "2000-02-29T23:59:59Z", "2026-11-25T00:48:07Z"] {
            assert_eq!(rfc3339(parse(text).unwrap()), text);
        }
        assert_eq!(parse("1970-01-02T00:00:00.25Z"), Some(86_400_250_000));
        for wrong in [
            "",
            "2026-11-25",
            "2026-11-25T00:48:07",
            "2026-13-25T00:48:07Z",
            "x-1-1T0:0:0Z",
            "1969-12-31T00:00:00Z",
        ] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn known_moments() {
        assert_eq!(utc_minute(0), "1970-01-01 00:00 UTC");
        assert_eq!(utc_minute(951_782_400_000_000), "2000-02-29 00:00 UTC");
        assert_eq!(utc_minute(1_795_212_000_000_000), "2026-11-20 22:00 UTC");
        assert_eq!(rfc3339(1_709_251_199_999_999), "2024-02-29T23:59:59Z");
        assert_eq!(utc_minute(1_709_251_199_999_999), "2024-02-29 23:59 UTC");
    }
}
