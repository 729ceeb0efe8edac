//! Is the run one that may be done? Names are known and numbers are in range, before anything is spawned.

use std::collections::HashSet;

use thiserror::Error;

use crate::protocol::ranges::{
    DURATION_S, ENTRIES, MAX_TRIALS, PRECISION, REPEATS, SCENARIOS, SEED_MAX, SLICE_S, TIME_LIMIT_S, WARMUP_S,
};
use crate::protocol::spec::{RunSpec, base_id};
use crate::runner::plan::most_blocks;
use crate::runner::plan::stopping::percent;
use crate::server::manifest::is_slug;
use crate::server::nearest::hint;

const LABEL_CHARS: usize = 80;
const TITLE_CHARS: usize = 120;
const REVISION_CHARS: usize = 200;

#[derive(Debug, Clone, PartialEq, Error)]
pub enum Invalid {
    #[error("This agent reads runs of schema 1, and this one has schema {0}; update the agent.")]
    Schema(u32),
    #[error("The run's title has more than {TITLE_CHARS} characters; shorten it.")]
    Title,
    #[error("A run has {least} to {most} servers, and this one has {0}.", least = ENTRIES.start(), most = ENTRIES.end())]
    Entries(usize),
    #[error("A run has {least} to {most} scenarios, and this one has {0}.", least = SCENARIOS.start(), most = SCENARIOS.end())]
    Scenarios(usize),
    #[error("The repeats must be between {least} and {most}, and {0} was asked for.", least = REPEATS.start(), most = REPEATS.end())]
    Repeats(u32),
    #[error("The duration must be between 200 ms and 3600 s (one hour) a trial, and {0} s was asked for.")]
    Duration(f64),
    #[error("The warm-up must be between 0 s and 600 s a trial, and {0} s was asked for.")]
    Warmup(f64),
    #[error("A slice must take between 200 ms and 1 s, or 0 for whole trials, and {0} s was asked for.")]
    Slice(f64),
    #[error("The precision must be between 0.1 % and 50 %, and {} was asked for.", percent(*.0))]
    Precision(f64),
    #[error(
        "A precision needs two servers to compare, and this run has one; name another server, or leave the precision out."
    )]
    NothingToCompare,
    #[error("The limit of {0} blocks needs a precision; give one with --precision.")]
    LimitAlone(u32),
    #[error("The limit of blocks must be between the repeats, {least}, and {most}, and {limit} was asked for.", most = REPEATS.end())]
    Limit { limit: u32, least: u32 },
    #[error("The time limit must be between 1 s and 24 h, and {0} s was asked for.")]
    TimeLimit(f64),
    #[error("The seed must be below 2^53, and {0} was given.")]
    Seed(u64),
    #[error("The label {0:?} must have 1 to {LABEL_CHARS} characters.")]
    Label(String),
    #[error("Two servers have the label {0:?}; give them different ones, as in `--server fast=epoll:workers=4`.")]
    DuplicateLabel(String),
    #[error("The scenario {0} is named twice; name it once and use --repeats.")]
    DuplicateScenario(String),
    #[error("The baseline {name:?} is not one of the servers; {hint}")]
    Baseline { name: String, hint: String },
    #[error("There is no server {name:?}; {hint}")]
    UnknownServer { name: String, hint: String },
    #[error(
        "{0:?} is not a commit, branch or tag that a run may name; write 1 to {REVISION_CHARS} characters that git allows in one."
    )]
    Revision(String),
    #[error("There is no scenario {name:?}; {hint}")]
    UnknownScenario { name: String, hint: String },
    #[error("{0}")]
    Option(String),
    #[error("{0}")]
    Numbers(String),
    #[error("A run holds at most {most} trials, and this one has {trials}; take fewer servers, scenarios or repeats.")]
    TooManyTrials { trials: usize, most: usize },
}

impl Invalid {
    /// For scripts and for the run's `error.code`.
    pub fn code(&self) -> &'static str {
        match self {
            Invalid::UnknownServer { .. } => "unknown-server",
            Invalid::UnknownScenario { .. } => "unknown-scenario",
            Invalid::Option(_) => "option",
            Invalid::Numbers(_) => "scenario-numbers",
            Invalid::Baseline { .. } => "baseline",
            Invalid::Revision(_) => "revision",
            _ => "out-of-range",
        }
    }
}

/// Everything that needs no look at the host but for the names that it has.
pub fn validate(spec: &RunSpec, servers: &[String], scenarios: &[String]) -> Result<(), Invalid> {
    ranges(spec)?;
    labels(spec)?;
    for entry in &spec.entries {
        if !servers.contains(&entry.server) || !is_slug(&entry.server) {
            return Err(Invalid::UnknownServer {
                name: entry.server.clone(),
                hint: hint(&entry.server, servers.iter().map(String::as_str)),
            });
        }
        if let Some(text) = entry.revision.as_ref().filter(|text| !is_revision(text)) {
            return Err(Invalid::Revision(text.clone()));
        }
    }
    let mut seen = HashSet::new();
    for name in &spec.scenarios {
        let base = base_id(name);
        if !scenarios.iter().any(|known| known == base) {
            return Err(Invalid::UnknownScenario {
                name: base.to_owned(),
                hint: hint(base, scenarios.iter().map(String::as_str)),
            });
        }
        if !seen.insert(name) {
            return Err(Invalid::DuplicateScenario(name.clone()));
        }
    }
    Ok(())
}

/// As Reference of packages/protocol: what git allows in a name, and nothing that it takes for an option.
fn is_revision(text: &str) -> bool {
    let odd = |c: char| c.is_control() || c.is_whitespace() || "~^:?*[\\".contains(c);
    (1..=REVISION_CHARS).contains(&text.encode_utf16().count()) && !text.starts_with('-') && !text.contains(odd)
}

/// The numbers alone: what the command line can refuse before it looks for anything.
pub fn ranges(spec: &RunSpec) -> Result<(), Invalid> {
    if spec.schema != 1 {
        return Err(Invalid::Schema(spec.schema));
    }
    if spec.title.chars().count() > TITLE_CHARS {
        return Err(Invalid::Title);
    }
    if !ENTRIES.contains(&spec.entries.len()) {
        return Err(Invalid::Entries(spec.entries.len()));
    }
    if !SCENARIOS.contains(&spec.scenarios.len()) {
        return Err(Invalid::Scenarios(spec.scenarios.len()));
    }
    if !REPEATS.contains(&spec.repeats) {
        return Err(Invalid::Repeats(spec.repeats));
    }
    blocks(spec)?;
    let trials = spec.entries.len() * spec.scenarios.len() * most_blocks(spec) as usize;
    if trials > MAX_TRIALS {
        return Err(Invalid::TooManyTrials {
            trials,
            most: MAX_TRIALS,
        });
    }
    match spec.duration_s {
        Some(duration) if !DURATION_S.contains(&duration) => return Err(Invalid::Duration(duration)),
        _ => {}
    }
    match spec.warmup_s {
        Some(warmup) if !WARMUP_S.contains(&warmup) => return Err(Invalid::Warmup(warmup)),
        _ => {}
    }
    match spec.slice_s {
        Some(slice) if slice != 0.0 && !SLICE_S.contains(&slice) => return Err(Invalid::Slice(slice)),
        _ => {}
    }
    match spec.time_limit_s {
        Some(limit) if !TIME_LIMIT_S.contains(&limit) => return Err(Invalid::TimeLimit(limit)),
        _ => {}
    }
    if spec.seed > SEED_MAX {
        return Err(Invalid::Seed(spec.seed));
    }
    Ok(())
}

fn blocks(spec: &RunSpec) -> Result<(), Invalid> {
    match (spec.precision, spec.max_repeats) {
        (Some(precision), _) if !PRECISION.contains(&precision) => Err(Invalid::Precision(precision)),
        (Some(_), _) if spec.entries.len() < 2 => Err(Invalid::NothingToCompare),
        (None, Some(limit)) => Err(Invalid::LimitAlone(limit)),
        (_, Some(limit)) if !(spec.repeats..=*REPEATS.end()).contains(&limit) => Err(Invalid::Limit {
            limit,
            least: spec.repeats,
        }),
        _ => Ok(()),
    }
}

fn labels(spec: &RunSpec) -> Result<(), Invalid> {
    let mut seen = HashSet::new();
    for entry in &spec.entries {
        if entry.label.is_empty() || entry.label.chars().count() > LABEL_CHARS {
            return Err(Invalid::Label(entry.label.clone()));
        }
        if !seen.insert(&entry.label) {
            return Err(Invalid::DuplicateLabel(entry.label.clone()));
        }
    }
    match &spec.baseline {
        Some(name) if spec.entries.iter().all(|e| e.label != *name) => Err(Invalid::Baseline {
            name: name.clone(),
            hint: hint(name, spec.entries.iter().map(|e| e.label.as_str())),
        }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::spec::EntrySpec;

    fn entry(label: &str, server: &str) -> EntrySpec {
        EntrySpec {
            label: label.into(),
            server: server.into(),
            options: Default::default(),
            revision: None,
        }
    }

    fn spec() -> RunSpec {
        RunSpec {
            schema: 1,
            title: String::new(),
            entries: vec![entry("a", "epoll"), entry("b", "nginx")],
            scenarios: vec!["static-1k-ab".into()],
            repeats: 5,
            duration_s: Some(3.0),
            warmup_s: None,
            baseline: None,
            seed: 1,
            suite: None,
            slice_s: None,
            precision: None,
            max_repeats: None,
            time_limit_s: None,
            tune: None,
        }
    }

    fn check(change: impl FnOnce(&mut RunSpec)) -> String {
        let mut spec = spec();
        change(&mut spec);
        let names = |list: &[&str]| list.iter().map(|s| s.to_string()).collect::<Vec<_>>();
        match validate(
            &spec,
            &names(&["epoll", "nginx"]),
            &names(&["static-1k-ab", "plaintext-k6"]),
        ) {
            Ok(()) => String::new(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn what_the_protocol_refuses_for_its_length_is_refused_here() {
        let text = include_str!("../../../../../packages/protocol/golden/refused/run-spec-too-many-trials.json");
        let refused: serde_json::Value = serde_json::from_str(text).unwrap();
        let spec: RunSpec = serde_json::from_value(refused["value"].clone()).unwrap();
        assert!(matches!(
            ranges(&spec),
            Err(Invalid::TooManyTrials { trials: 1008, .. })
        ));
    }

    #[test]
    fn a_good_one_passes() {
        assert_eq!(check(|_| {}), "");
        assert_eq!(check(|s| s.baseline = Some("b".into())), "");
        assert_eq!(check(|s| s.slice_s = Some(0.0)), "");
        assert_eq!(check(|s| (s.precision, s.max_repeats) = (Some(0.02), Some(5))), "");
    }

    #[test]
    fn each_fault_is_said_with_the_allowed_range_or_the_nearest_name() {
        type Change = Box<dyn FnOnce(&mut RunSpec)>;
        let cases: Vec<(Change, &str)> = vec![
            (Box::new(|s| s.repeats = 0), "between 1 and 100"),
            (Box::new(|s| s.repeats = 101), "between 1 and 100"),
            (
                Box::new(|s| {
                    s.scenarios = (0..6).map(|i| format!("s{i}")).collect();
                    s.repeats = 84;
                }),
                "at most 1000 trials, and this one has 1008",
            ),
            (Box::new(|s| s.duration_s = Some(0.0)), "between 200 ms and 3600 s"),
            (Box::new(|s| s.duration_s = Some(f64::NAN)), "between 200 ms"),
            (Box::new(|s| s.duration_s = Some(1e9)), "between 200 ms"),
            (Box::new(|s| s.warmup_s = Some(-1.0)), "between 0 s and 600 s"),
            (Box::new(|s| s.slice_s = Some(0.1)), "between 200 ms and 1 s, or 0"),
            (Box::new(|s| s.slice_s = Some(f64::NAN)), "between 200 ms and 1 s"),
            (Box::new(|s| s.precision = Some(0.0)), "between 0.1 % and 50 %, and 0 %"),
            (Box::new(|s| s.precision = Some(f64::NAN)), "between 0.1 % and 50 %"),
            (
                Box::new(|s| {
                    s.precision = Some(0.02);
                    s.entries.pop();
                }),
                "name another server",
            ),
            (Box::new(|s| s.max_repeats = Some(20)), "give one with --precision"),
            (
                Box::new(|s| (s.precision, s.max_repeats) = (Some(0.02), Some(4))),
                "between the repeats, 5, and 100, and 4",
            ),
            (
                Box::new(|s| (s.precision, s.max_repeats) = (Some(0.02), Some(101))),
                "between the repeats, 5, and 100",
            ),
            (
                Box::new(|s| {
                    s.scenarios = (0..6).map(|i| format!("s{i}")).collect();
                    (s.precision, s.max_repeats) = (Some(0.02), Some(100));
                }),
                "at most 1000 trials, and this one has 1200",
            ),
            (Box::new(|s| s.seed = 1 << 53), "below 2^53"),
            (Box::new(|s| s.entries.clear()), "1 to 16 servers"),
            (Box::new(|s| s.scenarios.clear()), "1 to 32 scenarios"),
            (Box::new(|s| s.entries[0].server = "epol".into()), "did you mean epoll?"),
            (Box::new(|s| s.entries[0].server = "../epoll".into()), "no server"),
            (
                Box::new(|s| s.scenarios[0] = "static-1k".into()),
                "did you mean static-1k-ab?",
            ),
            (Box::new(|s| s.entries[1].label = "a".into()), "the label \"a\""),
            (Box::new(|s| s.entries[1].label = "x".repeat(81)), "1 to 80"),
            (Box::new(|s| s.baseline = Some("c".into())), "not one of the servers"),
            (Box::new(|s| s.scenarios.push("static-1k-ab".into())), "named twice"),
            (
                Box::new(|s| s.scenarios[0] = "static-1k:connections=2".into()),
                "no scenario \"static-1k\"; did you mean static-1k-ab?",
            ),
        ];
        for (change, expected) in cases {
            let message = check(change);
            assert!(message.contains(expected), "{expected}: {message}");
        }
    }

    #[test]
    fn a_revision_is_what_git_allows_in_a_name() {
        let mut spec = spec();
        let mut checked = |text: &str| {
            spec.entries[0].revision = Some(text.to_owned());
            validate(&spec, &["epoll".into(), "nginx".into()], &["plaintext-k6".into()])
        };
        for good in [
            "origin/main",
            "0123456789abcdef0123456789abcdef01234567",
            "refs/pull/7/head",
            "v1.0",
            "é@x",
        ] {
            assert!(!matches!(checked(good), Err(Invalid::Revision(_))), "{good}");
        }
        let long = "x".repeat(201);
        for bad in [
            "", "-x", "a b", "a\nb", "main~1", "a:b", "a^", "a?", "a*", "a[", "a\\b", &long,
        ] {
            assert_eq!(checked(bad), Err(Invalid::Revision(bad.to_owned())), "{bad}");
        }
    }
}
