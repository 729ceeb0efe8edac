//! What is read from the text of one argument.

use clap::ArgGroup;

use crate::protocol::spec::Workload;
use crate::session::client::{ClientError, base_of};

/// Said even where the key is not there yet. Whether plain HTTP will do is not known before all of it is read.
pub fn parse_address(text: &str) -> Result<String, String> {
    match base_of(text, true) {
        Err(error @ ClientError::Address(_)) => Err(error.to_string()),
        _ => Ok(text.to_owned()),
    }
}

pub fn parse_workload(text: &str) -> Result<Workload, String> {
    serde_json::from_value(serde_json::Value::String(text.to_owned()))
        .map_err(|_| "the workloads are plaintext, static, json-sum, ws-echo, upload and http".to_owned())
}

/// `2%` or `0.02`.
pub fn parse_part(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let (number, divisor) = text.strip_suffix('%').map_or((text, 1.0), |n| (n.trim_end(), 100.0));
    match number.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value / divisor),
        _ => Err(format!("{text:?} is not a fraction; write it like 2% or 0.02")),
    }
}

/// Seconds from `10s`, `500ms`, `2m` or a bare number of seconds.
pub fn parse_duration(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let (number, factor) = if let Some(n) = text.strip_suffix("ms") {
        (n, 0.001)
    } else if let Some(n) = text.strip_suffix('s') {
        (n, 1.0)
    } else if let Some(n) = text.strip_suffix('m') {
        (n, 60.0)
    } else {
        (text, 1.0)
    };
    let wrong = || format!("{text:?} is not a length of time; write it like 10s, 500ms or 2m");
    let value: f64 = number.trim().parse().map_err(|_| wrong())?;
    if !value.is_finite() || value < 0.0 {
        return Err(wrong());
    }
    Ok(value * factor)
}

/// One of the two is needed, and the refusal names both; where they exclude each other, the arguments say it.
pub fn one_of(name: &'static str, arguments: [&'static str; 2]) -> ArgGroup {
    ArgGroup::new(name).args(arguments).required(true).multiple(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts() {
        assert_eq!(parse_part("2%"), Ok(0.02));
        assert_eq!(parse_part("0.5 %"), Ok(0.005));
        assert_eq!(parse_part("0.02"), Ok(0.02));
        for wrong in ["", "%", "nan", "two", "2 percent"] {
            assert!(parse_part(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn durations() {
        assert_eq!(parse_duration("10s"), Ok(10.0));
        assert_eq!(parse_duration("500ms"), Ok(0.5));
        assert_eq!(parse_duration("2m"), Ok(120.0));
        assert_eq!(parse_duration("3"), Ok(3.0));
        for wrong in ["", "s", "-3s", "inf", "nan", "ten", "1h"] {
            assert!(parse_duration(wrong).is_err(), "{wrong}");
        }
    }
}
