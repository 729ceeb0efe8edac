//! The bounds of a scenario file, as `packages/protocol/src/http-load.ts` states them.

use std::ops::RangeInclusive;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::super::ScenarioError;
use super::place::At;
use crate::protocol::http::{Expectation, HttpLoad, HttpRequest, SameButFor};
use crate::protocol::ranges::{CONNECTIONS, DURATION_S, IN_FLIGHT, RATE_PER_S, WARMUP_S};
use crate::protocol::spec::{Load, Scenario};
use crate::text::listed;
use crate::tool;

/// What the whole load may take in a plan, which is one record of at most 256 KiB.
pub const MOST_LOAD_BYTES: usize = 128 << 10;
const MOST_REQUESTS: usize = 64;
const MOST_WEIGHT: u32 = 1000;
const MOST_HEADERS: usize = 32;
const MOST_VALUE_CHARS: usize = 1000;
const MOST_NAMED: usize = 50;
/// What the tools write themselves: they frame the request and hold the connection.
const OF_THE_TOOL: [&str; 8] = [
    "connection",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "te",
    "transfer-encoding",
    "upgrade",
];

type Checked = Result<(), ScenarioError>;

pub fn scenario(s: &Scenario, at: At<'_>) -> Checked {
    let Some(http) = &s.http else { return Ok(()) };
    chars(s.title.chars().count(), 1, 200).map_err(|p| at(&["title"], format!("the title has {p}")))?;
    chars(s.summary.chars().count(), 0, 2000).map_err(|p| at(&["summary"], format!("the summary has {p}")))?;
    whole(s.load.connections(), CONNECTIONS).map_err(|p| at(&["connections"], format!("connections is {p}")))?;
    whole(s.in_flight.unwrap_or(1), IN_FLIGHT).map_err(|p| at(&["in_flight"], format!("in_flight is {p}")))?;
    if let Load::Rate { rate_per_s, .. } = s.load {
        whole(rate_per_s, RATE_PER_S).map_err(|p| at(&["rate"], format!("rate is {p}")))?;
    }
    if !DURATION_S.contains(&s.duration_s) {
        return Err(at(
            &["duration"],
            "the duration must be between 200ms and 3600s.".to_owned(),
        ));
    }
    if !WARMUP_S.contains(&s.warmup_s) {
        return Err(at(&["warmup"], "the warm-up must be between 0s and 600s.".to_owned()));
    }
    if !tool::profile(s.tool).takes_own_requests {
        let able: Vec<String> = tool::that_take_own_requests()
            .map(|name| name.as_str().to_owned())
            .collect();
        let problem = format!(
            "{} cannot send a scenario file's own requests; {} can.",
            s.tool.as_str(),
            listed(&able)
        );
        return Err(at(&["tool"], problem));
    }
    if http.script.is_some() && !tool::profile(s.tool).runs_scripts {
        return Err(at(&["tool"], "only k6 runs a script; write tool = \"k6\".".to_owned()));
    }
    requests(http, at)?;
    if let Some(same) = &http.same_but_for {
        named(same, at)?;
    }
    let bytes = serde_json::to_vec(s).map_or(usize::MAX, |json| json.len());
    if bytes > MOST_LOAD_BYTES {
        let problem = format!(
            "its requests take {} KiB together, and {} KiB is the most: the whole load stands in the run's plan, which is one record; shorten the bodies or the script.",
            bytes >> 10,
            MOST_LOAD_BYTES >> 10
        );
        return Err(at(&[], problem));
    }
    Ok(())
}

fn requests(http: &HttpLoad, at: At<'_>) -> Checked {
    let count = http.requests.len();
    if !(1..=MOST_REQUESTS).contains(&count) {
        let problem = format!("it has {count} requests; 1 to {MOST_REQUESTS} are allowed.");
        return Err(at(&["request"], problem));
    }
    for (index, request) in http.requests.iter().enumerate() {
        let number = index.to_string();
        // Where there is one request, its keys may stand at the top; what is not found there is the file as a whole.
        let inside = |key: &[&str], problem: String| {
            let nested = at(&[&["request", number.as_str()][..], key].concat(), problem.clone());
            let unplaced = matches!(&nested, ScenarioError::WrongFile { at: place, .. } if place.is_empty());
            if unplaced { at(key, problem) } else { nested }
        };
        one(request, &inside)?;
    }
    Ok(())
}

fn one(request: &HttpRequest, at: At<'_>) -> Checked {
    whole(request.weight, 1..=MOST_WEIGHT).map_err(|p| at(&["weight"], format!("weight is {p}")))?;
    if request.path.starts_with('/') && !request.path.is_ascii() {
        let problem = format!(
            "the path {:?} may have only ASCII: write other characters as %XX, such as %C3%A9 for é.",
            request.path
        );
        return Err(at(&["path"], problem));
    }
    let printable = |c: char| ('!'..='~').contains(&c);
    if !request.path.starts_with('/') || request.path.len() > 1000 || !request.path.chars().all(printable) {
        let problem = format!(
            "the path {:?} must begin with / and have no spaces, at most 1000 characters; the host is not part of it.",
            request.path
        );
        return Err(at(&["path"], problem));
    }
    if request.headers.len() > MOST_HEADERS {
        return Err(at(&["headers"], format!("at most {MOST_HEADERS} headers are allowed.")));
    }
    for (name, value) in &request.headers {
        if OF_THE_TOOL.contains(&name.as_str()) {
            let problem = format!("the tool writes the header {name} itself; leave it out.");
            return Err(at(&["headers"], problem));
        }
        header(name, value).map_err(|problem| at(&["headers"], problem))?;
    }
    let decoded = request.body_base64.as_ref().map(|text| STANDARD.decode(text));
    if matches!(decoded, Some(Err(_))) {
        return Err(at(&["body_base64"], "it is not base64.".to_owned()));
    }
    match &request.expect {
        Some(expect) => expectation(expect, at),
        None => Ok(()),
    }
}

fn expectation(expect: &Expectation, at: At<'_>) -> Checked {
    if *expect == Expectation::default() {
        let problem =
            "it expects nothing; name a status, headers, body_sha256 or json, or leave expect out.".to_owned();
        return Err(at(&["expect"], problem));
    }
    if let Some(status) = expect.status.filter(|status| !(200..300).contains(status)) {
        let problem = format!(
            "a status from 200 to 299 can be expected, not {status}: load tools count every other one as a failure."
        );
        return Err(at(&["expect", "status"], problem));
    }
    for (name, value) in &expect.headers {
        header(name, value).map_err(|problem| at(&["expect", "headers"], problem))?;
    }
    let hexadecimal = |hash: &String| hash.len() == 64 && hash.bytes().all(|b| b.is_ascii_hexdigit());
    if expect.body_sha256.as_ref().is_some_and(|hash| !hexadecimal(hash)) {
        let problem = "body_sha256 must be 64 hexadecimal digits, as sha256sum prints them.".to_owned();
        return Err(at(&["expect", "body_sha256"], problem));
    }
    if expect.json.len() > MOST_NAMED {
        return Err(at(
            &["expect", "json"],
            format!("at most {MOST_NAMED} values are allowed."),
        ));
    }
    for pointer in expect.json.keys() {
        is_pointer(pointer).map_err(|problem| at(&["expect", "json"], problem))?;
    }
    Ok(())
}

fn named(same: &SameButFor, at: At<'_>) -> Checked {
    if same.headers.len() > MOST_NAMED || same.fields.len() > MOST_NAMED {
        let problem = format!("at most {MOST_NAMED} headers and as many fields may differ.");
        return Err(at(&["same_but_for"], problem));
    }
    for name in &same.headers {
        header(name, "").map_err(|problem| at(&["same_but_for", "headers"], problem))?;
    }
    for pointer in &same.fields {
        is_pointer(pointer).map_err(|problem| at(&["same_but_for", "fields"], problem))?;
    }
    Ok(())
}

fn is_pointer(text: &str) -> Result<(), String> {
    match text.starts_with('/') && text.len() <= 200 {
        true => Ok(()),
        false => Err(format!(
            "{text:?} is no JSON Pointer; write it like \"/user/id\", at most 200 characters."
        )),
    }
}

fn header(name: &str, value: &str) -> Result<(), String> {
    let token = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
    if name.is_empty() || name.len() > 100 || !name.bytes().all(token) {
        return Err(format!("{name:?} is not the name of a header."));
    }
    let text = |c: char| (' '..='~').contains(&c);
    if value.len() > MOST_VALUE_CHARS || !value.chars().all(text) || value.trim() != value {
        return Err(format!(
            "the header {name} must be printable ASCII without spaces around it, at most {MOST_VALUE_CHARS} characters."
        ));
    }
    Ok(())
}

fn whole(number: u32, allowed: RangeInclusive<u32>) -> Result<(), String> {
    let (least, most) = (allowed.start(), allowed.end());
    match allowed.contains(&number) {
        true => Ok(()),
        false => Err(format!("{number}; it must be from {least} to {most}.")),
    }
}

fn chars(count: usize, least: usize, most: usize) -> Result<(), String> {
    match (least..=most).contains(&count) {
        true => Ok(()),
        false => Err(format!("{count} characters; {least} to {most} are allowed.")),
    }
}
