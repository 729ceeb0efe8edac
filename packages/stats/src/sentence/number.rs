//! Numbers in sentences: three significant digits, commas between thousands, always with a unit.

/// A number with three significant digits: `14,000`, `1.23`, `0.0450`; `unknown` for NaN and infinities.
#[must_use]
pub fn figure(value: f64) -> String {
    digits(value, 3)
}

/// A count in full: `14,005`.
#[must_use]
pub fn count(value: f64) -> String {
    if !value.is_finite() || value.abs() >= 1e15 {
        return figure(value);
    }
    if value.fract() == 0.0 {
        group(&format!("{value:.0}"))
    } else {
        group(&format!("{value}"))
    }
}

/// A number of things: `1 block`, `7 blocks`.
#[must_use]
pub fn things(n: u32, thing: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", count(f64::from(n)))
}

/// A ratio. Near 1 it gets as many digits as show that it is not 1, so that no interval seems to touch 1 when it does
/// not.
#[must_use]
pub fn ratio(value: f64) -> String {
    (3..=6)
        .map(|n| digits(value, n))
        .find(|text| text.trim_end_matches('0') != "1.")
        .unwrap_or_else(|| figure(value))
}

/// A share or a difference in percent with two significant digits: `31 %`, `3.1 %`, `0.45 %`.
#[must_use]
pub fn percent(ratio: f64) -> String {
    format!("{} %", digits(ratio * 100.0, if ratio.abs() < 0.995 { 2 } else { 3 }))
}

/// The same rounded up, so that "this much or more" stays true.
#[must_use]
pub fn percent_up(ratio: f64) -> String {
    const STEPS: [f64; 9] = [0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1e3, 1e4, 1e5];
    let value = ratio * 100.0;
    let step = STEPS.iter().find(|step| value < **step * 100.0).unwrap_or(&1e6);
    // What is a whole number of steps but for rounding stays where it is.
    percent((value / step - 1e-9).ceil() * step / 100.0)
}

/// A time given in µs: `870 µs`, `1.23 ms`, `2.50 s`.
#[must_use]
pub fn time(us: f64) -> String {
    if us < 999.5 {
        format!("{} µs", figure(us))
    } else if us < 999_500.0 {
        format!("{} ms", figure(us / 1e3))
    } else {
        format!("{} s", figure(us / 1e6))
    }
}

fn digits(value: f64, significant: usize) -> String {
    if !value.is_finite() {
        return "unknown".to_owned();
    }
    // The exponent after rounding: 9,999 becomes 1.00e4.
    let rounded = format!("{value:.*e}", significant - 1);
    let exponent: i32 = rounded.rsplit_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
    if !(-6..15).contains(&exponent) {
        return rounded;
    }
    let Ok(number) = rounded.parse::<f64>() else {
        return rounded;
    };
    let last = i32::try_from(significant).unwrap_or(3) - 1;
    group(&format!("{number:.*}", usize::try_from(last - exponent).unwrap_or(0)))
}

/// Puts commas between the thousands of the whole part.
fn group(text: &str) -> String {
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let (sign, whole) = whole.strip_prefix('-').map_or(("", whole), |whole| ("-", whole));
    let mut grouped = String::from(sign);
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percents_have_two_digits() {
        assert_eq!(
            [0.31, 0.0312, 0.004_5, 0.999, 1.5, 0.0].map(percent),
            ["31 %", "3.1 %", "0.45 %", "99.9 %", "150 %", "0.0 %"]
        );
        assert_eq!(
            [0.0301, 0.03, 0.0996, 0.000_451, 0.301, 1.501, 123.456].map(percent_up),
            ["3.1 %", "3.0 %", "10 %", "0.046 %", "31 %", "160 %", "13,000 %"]
        );
    }

    #[test]
    fn three_digits_and_commas() {
        let shown = [14_005.2, 999.6, 1.2345, 0.045, 123.4, 1_234_567.0, 0.0, 9.996, -1_234.0].map(figure);
        assert_eq!(
            shown,
            [
                "14,000",
                "1,000",
                "1.23",
                "0.0450",
                "123",
                "1,230,000",
                "0.00",
                "10.0",
                "-1,230"
            ]
        );
        assert_eq!(
            [f64::NAN, f64::INFINITY, 1e300, 1e-300].map(figure),
            ["unknown", "unknown", "1.00e300", "1.00e-300"]
        );
        assert_eq!(
            [5_000.0, 999.0, 12.5, 1e20].map(count),
            ["5,000", "999", "12.5", "1.00e20"]
        );
        assert_eq!(
            [0, 1, 7_000].map(|n| things(n, "block")),
            ["0 blocks", "1 block", "7,000 blocks"]
        );
    }

    #[test]
    fn ratios_near_one_show_their_side() {
        assert_eq!(
            [1.0, 1.004, 1.000_4, 0.999_6, 1.23, 0.05, 1.000_000_1].map(ratio),
            ["1.00", "1.004", "1.0004", "0.9996", "1.23", "0.0500", "1.00"]
        );
    }

    #[test]
    fn times_have_their_unit() {
        let shown = [0.5, 870.0, 999.6, 1_234.0, 999_600.0, 2.5e6].map(time);
        assert_eq!(shown, ["0.500 µs", "870 µs", "1.00 ms", "1.23 ms", "1.00 s", "2.50 s"]);
    }
}
