//! The ranges that `packages/protocol/src/scenario.ts` states, checked again where the load is made.

use std::ops::RangeInclusive;
use std::path::Path;

use super::ScenarioError;
use super::file::wrong;
use crate::protocol::ranges::{CONNECTIONS, DURATION_S, IN_FLIGHT, RATE_PER_S, WARMUP_S};
use crate::protocol::spec::{Load, Payload, Scenario};
use crate::tool;

pub fn scenario(path: &Path, s: &Scenario) -> Result<(), ScenarioError> {
    named(path, s.schema, &s.id, &s.title, &s.summary)?;
    range(path, "load.connections", s.load.connections(), CONNECTIONS)?;
    if let Load::Rate { rate_per_s, .. } = s.load {
        range(path, "load.rate_per_s", rate_per_s, RATE_PER_S)?;
    }
    if let Load::Count { requests, .. } = s.load {
        range(path, "load.requests", requests, 1..=100_000_000)?;
    }
    knee(path, s)?;
    payload(path, s)?;
    range(path, "in_flight", s.in_flight.unwrap_or(1), IN_FLIGHT)?;
    range(path, "duration_s", s.duration_s, DURATION_S)?;
    range(path, "warmup_s", s.warmup_s, WARMUP_S)?;
    let printable = |c: char| ('!'..='~').contains(&c);
    if !s.path.starts_with('/') || s.path.len() > 201 || !s.path.chars().all(printable) {
        return Err(wrong(
            path,
            "path",
            format!("{:?} is not a printable path that begins with /", s.path),
        ));
    }
    thresholds(path, s)
}

fn knee(path: &Path, s: &Scenario) -> Result<(), ScenarioError> {
    let Load::Knee {
        p99_us,
        start_per_s,
        most_per_s,
        ..
    } = s.load
    else {
        return Ok(());
    };
    if !tool::profile(s.tool).searches {
        return Err(wrong(path, "load.kind", "only loadgen searches for a knee"));
    }
    range(path, "load.p99_us", p99_us, 1..=60_000_000)?;
    range(path, "load.start_per_s", start_per_s, 50..=*RATE_PER_S.end())?;
    range(path, "load.most_per_s", most_per_s, start_per_s..=*RATE_PER_S.end())
}

fn payload(path: &Path, s: &Scenario) -> Result<(), ScenarioError> {
    match s.payload {
        Some(Payload::Numbers { count }) => range(path, "payload.count", count, 0..=100_000),
        Some(Payload::Bytes { bytes }) => range(path, "payload.bytes", bytes, 0..=128 << 20),
        Some(Payload::Text { bytes }) => range(path, "payload.bytes", bytes, 0..=1 << 20),
        Some(Payload::Greeting {}) | None => Ok(()),
    }
}

fn thresholds(path: &Path, s: &Scenario) -> Result<(), ScenarioError> {
    let Some(lines) = &s.thresholds else { return Ok(()) };
    range(path, "thresholds", lines.len(), 0..=10)?;
    if !tool::profile(s.tool).checks_thresholds && !lines.is_empty() {
        return Err(wrong(path, "thresholds", "only k6 checks thresholds"));
    }
    for (i, line) in lines.iter().enumerate() {
        let metric = line.split_once(':').map(|(metric, _)| metric).filter(|m| !m.is_empty());
        if metric.is_none() || line.len() > 200 {
            return Err(wrong(
                path,
                &format!("thresholds[{i}]"),
                format!("{line:?} is not \"metric: expression\""),
            ));
        }
    }
    Ok(())
}

/// What scenarios and suites have in common. The id is the file's name.
pub fn named(path: &Path, schema: u32, id: &str, title: &str, summary: &str) -> Result<(), ScenarioError> {
    range(path, "schema", schema, 1..=1)?;
    if path.file_stem().is_none_or(|stem| stem != id) || !is_slug(id) {
        return Err(wrong(path, "id", format!("{id:?} is not the file's name")));
    }
    range(path, "title", title.chars().count(), 1..=200)?;
    range(path, "summary", summary.chars().count(), 0..=2000)
}

/// The protocol's `Slug`.
pub fn is_slug(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let bytes = text.as_bytes();
    bytes.first().is_some_and(|b| plain(*b))
        && bytes.len() <= 64
        && bytes.iter().all(|b| plain(*b) || matches!(b, b'.' | b'_' | b'-'))
}

pub fn range<T: PartialOrd + std::fmt::Display>(
    path: &Path,
    key: &str,
    value: T,
    allowed: RangeInclusive<T>,
) -> Result<(), ScenarioError> {
    if allowed.contains(&value) {
        return Ok(());
    }
    let problem = format!("{value} is not between {} and {}", allowed.start(), allowed.end());
    Err(wrong(path, key, problem))
}
