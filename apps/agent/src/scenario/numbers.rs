//! Numbers that a run may set of any scenario: `files-1k-ab:connections=200,duration=5s`. Such a scenario has an id and a title of
//! its own, so its results stand beside those of the plain one and never among them.

use std::ops::RangeInclusive;

use crate::protocol::catalogue::NumberName;
use crate::protocol::ranges::{CONNECTIONS, DURATION_S, IN_FLIGHT, RATE_PER_S};
use crate::protocol::spec::{Load, Scenario, Workload};

/// What was typed after the colon.
#[derive(Debug, Clone, Default, PartialEq)]
struct Numbers {
    connections: Option<u32>,
    duration_s: Option<f64>,
    in_flight: Option<u32>,
    rate: Option<u32>,
}

/// Which numbers may be set of it.
pub fn settable(scenario: &Scenario) -> Vec<NumberName> {
    let rate = matches!(scenario.load, Load::Rate { .. });
    // A script of somebody's own says itself what is under way.
    let many = scenario.script().is_none();
    [
        (true, NumberName::Connections),
        (true, NumberName::Duration),
        (many, NumberName::InFlight),
        (rate, NumberName::Rate),
    ]
    .into_iter()
    .filter_map(|(may, name)| may.then_some(name))
    .collect()
}

/// The scenario that a reference means, with its one canonical id; `None` where there is none of that name. `Err` is one sentence.
pub fn resolve(reference: &str, known: &[Scenario]) -> Result<Option<Scenario>, String> {
    let (base, list) = match reference.split_once(':') {
        Some((base, list)) => (base, Some(list)),
        None => (reference, None),
    };
    let Some(scenario) = known.iter().find(|s| s.id == base) else {
        return Ok(None);
    };
    match list {
        None => Ok(Some(scenario.clone())),
        Some(list) => numbers(list, scenario)
            .map(|numbers| Some(numbers.applied(scenario)))
            .map_err(|what| format!("The scenario {reference} {what}")),
    }
}

/// Does a reference set a duration?
pub fn sets_duration(reference: &str) -> bool {
    let list = reference.split_once(':').map_or("", |(_, list)| list);
    list.split(',').any(|pair| pair.trim_start().starts_with("duration="))
}

/// `Err` ends a sentence about the reference.
fn numbers(list: &str, scenario: &Scenario) -> Result<Numbers, String> {
    let may = settable(scenario);
    let names: Vec<&str> = may.iter().map(|name| name.word()).collect();
    let names = names.join(", ");
    let mut numbers = Numbers::default();
    for pair in list.split(',') {
        let Some((key, value)) = pair.split_once('=') else {
            return Err(format!(
                "has {pair:?} where NAME=NUMBER must stand; what may be set is {names}."
            ));
        };
        let Some(name) = may.iter().find(|name| name.word() == key) else {
            let why = if key == "rate" {
                ", because it has no fixed rate"
            } else {
                ""
            };
            return Err(format!(
                "has no number {key:?} to set{why}; what may be set is {names}."
            ));
        };
        let twice = match name {
            NumberName::Connections => numbers.connections.replace(whole(key, value, CONNECTIONS)?).is_some(),
            NumberName::InFlight => numbers.in_flight.replace(whole(key, value, IN_FLIGHT)?).is_some(),
            NumberName::Rate => numbers.rate.replace(whole(key, value, RATE_PER_S)?).is_some(),
            NumberName::Duration => numbers.duration_s.replace(seconds(value)?).is_some(),
        };
        if twice {
            return Err(format!("sets {key} twice; set it once."));
        }
    }
    Ok(numbers)
}

fn whole(key: &str, value: &str, allowed: RangeInclusive<u32>) -> Result<u32, String> {
    let number = value.parse::<u32>().ok().filter(|n| allowed.contains(n));
    let (least, most) = (allowed.start(), allowed.end());
    number.ok_or_else(|| format!("cannot have {value:?} as {key}; a whole number from {least} to {most} can be set."))
}

fn seconds(value: &str) -> Result<f64, String> {
    let (number, factor) = match value.strip_suffix("ms") {
        Some(number) => (number, 0.001),
        None => match value.strip_suffix('m') {
            Some(number) => (number, 60.0),
            None => (value.strip_suffix('s').unwrap_or(value), 1.0),
        },
    };
    // Thousandths, so that each length has one spelling.
    let given = number
        .parse::<f64>()
        .ok()
        .map(|n| (n * factor * 1000.0).round() / 1000.0);
    let given = given.filter(|s| DURATION_S.contains(s));
    given.ok_or_else(|| format!("cannot last {value:?}; set 200ms to 3600s, such as 5s."))
}

impl NumberName {
    pub fn word(self) -> &'static str {
        match self {
            Self::Connections => "connections",
            Self::Duration => "duration",
            Self::InFlight => "in_flight",
            Self::Rate => "rate",
        }
    }
}

impl Numbers {
    fn applied(&self, plain: &Scenario) -> Scenario {
        let mut set = plain.clone();
        let mut list = Vec::new();
        if let Some(n) = self.connections.filter(|n| *n != plain.load.connections()) {
            let (Load::Closed { connections, .. }
            | Load::Rate { connections, .. }
            | Load::Count { connections, .. }
            | Load::Knee { connections, .. }) = &mut set.load;
            *connections = n;
            list.push(format!("connections={n}"));
            retitle(
                &mut set.title,
                u64::from(plain.load.connections()),
                n,
                &CONNECTION_WORDS,
                |n| format!("{n} connection{}", if n == 1 { "" } else { "s" }),
            );
        }
        if let Some(s) = self.duration_s.filter(|s| *s != plain.duration_s) {
            set.duration_s = s;
            list.push(format!("duration={s}s"));
            set.title.push_str(&format!(", {s} s"));
        }
        if let Some(n) = self.in_flight.filter(|n| *n != plain.in_flight.unwrap_or(1)) {
            set.in_flight = Some(n);
            list.push(format!("in_flight={n}"));
            let old = u64::from(plain.in_flight.unwrap_or(1));
            retitle(&mut set.title, old, n, &[" under way each"], |n| {
                format!("{n} under way each")
            });
        }
        if let (Some(n), Load::Rate { rate_per_s, .. }) = (self.rate, &mut set.load)
            && n != *rate_per_s
        {
            let old = u64::from(std::mem::replace(rate_per_s, n));
            list.push(format!("rate={n}"));
            let what = if plain.workload == Workload::WsEcho {
                "messages"
            } else {
                "requests"
            };
            retitle(&mut set.title, old, n, &RATE_WORDS, |n| format!("{n} {what} a second"));
        }
        if !list.is_empty() {
            set.id = format!("{}:{}", plain.id, list.join(","));
        }
        set
    }
}

const CONNECTION_WORDS: [&str; 2] = [" connections", " connection"];
const RATE_WORDS: [&str; 3] = [" requests a second", " messages a second", " a second"];

/// No title says a number that is not so: it is replaced where it stands, else the new one is added.
fn retitle(title: &mut String, old: u64, new: u32, followers: &[&str], added: impl Fn(u32) -> String) {
    for follower in followers {
        for (old, new) in [
            (old.to_string(), new.to_string()),
            (grouped(old), grouped(u64::from(new))),
        ] {
            let named = format!("{old}{follower}");
            let stands = title.find(&named).filter(|at| {
                let before = title[..*at].chars().next_back();
                before.is_none_or(|c| !c.is_ascii_digit() && c != ',' && c != '.')
            });
            if let Some(at) = stands {
                let follower = match (*follower, new.as_str()) {
                    (" connections", "1") => " connection",
                    (" connection", "1") => " connection",
                    (" connection", _) => " connections",
                    (same, _) => same,
                };
                title.replace_range(at..at + named.len(), &format!("{new}{follower}"));
                return;
            }
        }
    }
    title.push_str(&format!(", {}", added(new)));
}

/// `10,000`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
#[path = "numbers_tests.rs"]
mod tests;
