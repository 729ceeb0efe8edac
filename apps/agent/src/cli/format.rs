//! Numbers for people.

/// Requests a second: whole and grouped from a hundred on.
pub fn rate(value: f64) -> String {
    if value >= 100.0 {
        grouped(value.round() as u64)
    } else {
        significant(value)
    }
}

/// Three significant digits, without an exponent.
pub fn significant(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    match value.abs() {
        // What is rounded up to ten has the digits of ten.
        v if v >= 999.5 => grouped(v.round() as u64),
        v if v >= 99.95 => format!("{value:.0}"),
        v if v >= 9.995 => format!("{value:.1}"),
        v if v >= 0.9995 => format!("{value:.2}"),
        0.0 => "0".to_owned(),
        v => format!("{value:.*}", (3 - 1 - v.log10().floor() as i32).clamp(3, 9) as usize),
    }
}

/// `1234567` as `1,234,567`.
pub fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `42 s`, `3 min 20 s`, `1 h 05 min`.
pub fn duration(seconds: f64) -> String {
    let s = seconds.round().max(0.0) as u64;
    match s {
        0..60 => format!("{s} s"),
        60..3600 => format!("{} min {:02} s", s / 60, s % 60),
        _ => format!("{} h {:02} min", s / 3600, s % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!(rate(81234.6), "81,235");
        assert_eq!(rate(99.25), "99.2");
        assert_eq!(significant(0.01234), "0.0123");
        assert_eq!(significant(0.5), "0.500");
        assert_eq!(significant(12.34), "12.3");
        assert_eq!(significant(1234.5), "1,235");
        assert_eq!(
            [999.6, 99.96, 9.996, 0.9996].map(significant),
            ["1,000", "100", "10.0", "1.00"]
        );
        assert_eq!(significant(0.0), "0");
        assert_eq!(significant(f64::NAN), "–");
        assert_eq!(grouped(1234567), "1,234,567");
        assert_eq!(grouped(100), "100");
        assert_eq!(duration(42.4), "42 s");
        assert_eq!(duration(200.0), "3 min 20 s");
        assert_eq!(duration(3900.0), "1 h 05 min");
    }
}
