//! A scenario of somebody's own: one TOML file. Every error names the file, the line and the column.

mod check;
mod place;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};
use serde_json::Value;

use super::ScenarioError;
use crate::protocol::http::{Expectation, HttpLoad, HttpRequest, Method, SameButFor, Script};
use crate::protocol::spec::{JudgedBy, Load, Scenario, ToolName, Workload};
use crate::tool;
use check::MOST_LOAD_BYTES;
use place::{At, Place};

const MOST_FILE_BYTES: u64 = 1 << 20;
const CONNECTIONS: u32 = 64;
const DURATION_S: f64 = 10.0;
const WARMUP_S: f64 = 1.0;
/// Where nothing is said of a body. Every tool sends the same.
const CONTENT_TYPE: &str = "application/octet-stream";

/// The JSON Schema of such a file, for editors.
pub const SCHEMA: &str = include_str!("schema.json");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    title: Option<String>,
    summary: Option<String>,
    tool: Option<ToolName>,
    connections: Option<u32>,
    rate: Option<u32>,
    in_flight: Option<u32>,
    duration: Option<Length>,
    warmup: Option<Length>,
    keep_alive: Option<bool>,
    compare: Option<Compare>,
    script: Option<String>,
    method: Option<Method>,
    path: Option<String>,
    headers: Option<BTreeMap<String, String>>,
    body: Option<String>,
    body_file: Option<String>,
    expect: Option<FileExpectation>,
    request: Option<Vec<FileRequest>>,
    same_but_for: Option<SameButFor>,
}

/// What servers are compared by, in the words of `--fail-on`, where it is not what the load itself is for.
#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Compare {
    Cpu,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileRequest {
    weight: Option<u32>,
    method: Option<Method>,
    path: Option<String>,
    headers: Option<BTreeMap<String, String>>,
    body: Option<String>,
    body_file: Option<String>,
    expect: Option<FileExpectation>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileExpectation {
    status: Option<u16>,
    headers: Option<BTreeMap<String, String>>,
    body_sha256: Option<String>,
    json: Option<BTreeMap<String, toml::Value>>,
}

/// `"10s"`, `"500ms"`, `"2m"` or a number of seconds.
struct Length(f64);

impl<'de> Deserialize<'de> for Length {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Seconds;
        impl Visitor<'_> for Seconds {
            type Value = Length;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a length of time such as \"10s\" or \"500ms\"")
            }
            fn visit_i64<E: Error>(self, value: i64) -> Result<Length, E> {
                Ok(Length(value as f64))
            }
            fn visit_f64<E: Error>(self, value: f64) -> Result<Length, E> {
                Ok(Length(value))
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Length, E> {
                let text = text.trim();
                let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0)];
                let found = units
                    .iter()
                    .find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, *factor)));
                let (number, factor) = found.unwrap_or((text, 1.0));
                let seconds = number.trim().parse::<f64>().ok().map(|n| n * factor);
                let seconds = seconds.filter(|s| s.is_finite() && *s >= 0.0);
                seconds.map(Length).ok_or_else(|| {
                    E::custom(format!(
                        "{text:?} is not a length of time; write it like \"10s\" or \"500ms\""
                    ))
                })
            }
        }
        deserializer.deserialize_any(Seconds)
    }
}

/// The id is the file's name without its ending.
pub fn read(path: &Path) -> Result<Scenario, ScenarioError> {
    let unreadable = |source| ScenarioError::ReadFile {
        path: path.to_owned(),
        source,
    };
    let size = std::fs::metadata(path).map_err(unreadable)?.len();
    if size > MOST_FILE_BYTES {
        let problem = format!("it has {size} bytes; a scenario has at most {MOST_FILE_BYTES}.");
        return Err(wrong(path, None, problem));
    }
    let text = std::fs::read_to_string(path).map_err(unreadable)?;
    parse(&text, path)
}

pub fn parse(text: &str, path: &Path) -> Result<Scenario, ScenarioError> {
    let place = Place::of(text);
    let malformed = |error: toml::de::Error| {
        let at = error.span().map(|span| place.line_and_column(span.start));
        let mut message = error.message().trim().replace('\n', ", ");
        if !message.ends_with('.') {
            message.push('.');
        }
        wrong(path, at, message)
    };
    let file: File = toml::from_str(text).map_err(malformed)?;
    let at = |keys: &[&str], problem: String| wrong(path, place.find(keys), problem);
    let scenario = scenario(file, path, &at)?;
    check::scenario(&scenario, &at)?;
    Ok(scenario)
}

fn wrong(path: &Path, at: Option<(usize, usize)>, problem: String) -> ScenarioError {
    ScenarioError::WrongFile {
        path: path.to_owned(),
        at: at.map_or_else(String::new, |(line, column)| format!(":{line}:{column}")),
        problem,
    }
}

fn scenario(file: File, path: &Path, at: At<'_>) -> Result<Scenario, ScenarioError> {
    let id = path
        .file_stem()
        .map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    if !super::check::is_slug(&id) {
        let problem = format!(
            "the file's name is the scenario's: {id:?} must be lower-case letters, digits, dots, dashes and underscores, at most 64; rename the file."
        );
        return Err(at(&[], problem));
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    let single = FileRequest {
        weight: None,
        method: file.method,
        path: file.path,
        headers: file.headers,
        body: file.body,
        body_file: file.body_file,
        expect: file.expect,
    };
    let requests = match (file.request, single.is_empty()) {
        (Some(_), false) => {
            let problem = "requests are given twice, at the top and in [[request]]; keep one of them.".to_owned();
            return Err(at(&["request"], problem));
        }
        (Some(list), true) => {
            let mut requests = Vec::new();
            for (index, asked) in list.into_iter().enumerate() {
                requests.push(request(asked, folder, &["request", &index.to_string()], at)?);
            }
            requests
        }
        (None, false) => vec![request(single, folder, &[], at)?],
        (None, true) => {
            let problem = if file.script.is_some() {
                "a script does not say what is right; name a request that it makes, such as path = \"/\", with which the servers are checked."
            } else {
                "it names no request; write path = \"/\", or one [[request]] for each."
            };
            return Err(at(&["script"], problem.to_owned()));
        }
    };
    let script = file.script.map(|name| script(&name, folder, at)).transpose()?;
    let tool = file.tool.unwrap_or_else(|| tool::for_own_requests(script.is_some()));
    let connections = file.connections.unwrap_or(CONNECTIONS);
    let keep_alive = file.keep_alive.unwrap_or(true);
    let load = match file.rate {
        Some(rate_per_s) => Load::Rate {
            rate_per_s,
            connections,
            keep_alive,
        },
        None => Load::Closed {
            connections,
            keep_alive,
        },
    };
    let http = HttpLoad {
        requests,
        same_but_for: file.same_but_for.map(lower),
        script,
    };
    Ok(Scenario {
        schema: 1,
        title: file
            .title
            .unwrap_or_else(|| title(&id, &http, tool, &load, file.compare)),
        id,
        summary: file.summary.unwrap_or_default(),
        workload: Workload::Http,
        tool,
        path: http.requests[0].path.clone(),
        body_bytes: 0,
        load,
        payload: None,
        in_flight: file.in_flight,
        latency_until: None,
        duration_s: file.duration.map_or(DURATION_S, |l| l.0),
        warmup_s: file.warmup.map_or(WARMUP_S, |l| l.0),
        thresholds: None,
        judged_by: file.compare.map(|Compare::Cpu| JudgedBy::CpuUsPerRequest),
        http: Some(Box::new(http)),
    })
}

impl FileRequest {
    fn is_empty(&self) -> bool {
        self.method.is_none()
            && self.path.is_none()
            && self.headers.is_none()
            && self.body.is_none()
            && self.body_file.is_none()
            && self.expect.is_none()
    }
}

/// "GET /users/7, wrk, 64 connections".
fn title(id: &str, http: &HttpLoad, tool: ToolName, load: &Load, compare: Option<Compare>) -> String {
    let what = match (&http.script, http.requests.as_slice()) {
        (None, [one]) => format!("{} {}", one.method.as_str(), one.path),
        _ => id.to_owned(),
    };
    let what: String = what.chars().take(100).collect();
    let how = match load {
        Load::Rate { rate_per_s, .. } => format!("{rate_per_s} requests a second"),
        _ => match load.connections() {
            1 => "1 connection".to_owned(),
            n => format!("{n} connections"),
        },
    };
    let kept = if load.keep_alive() { "" } else { ", no keep-alive" };
    let by = match compare {
        Some(Compare::Cpu) => ", CPU per request",
        None => "",
    };
    format!("{what}, {}, {how}{kept}{by}", tool.as_str())
}

fn request(asked: FileRequest, folder: &Path, keys: &[&str], at: At<'_>) -> Result<HttpRequest, ScenarioError> {
    let key = |name: &'static str| [keys, &[name]].concat();
    let (mut body, mut body_base64) = (asked.body, None);
    if let Some(name) = asked.body_file {
        if body.is_some() {
            let problem = "the body is given twice, as body and as body_file; keep one of them.".to_owned();
            return Err(at(&key("body_file"), problem));
        }
        let bytes = bytes_of(&name, folder).map_err(|problem| at(&key("body_file"), problem))?;
        match String::from_utf8(bytes) {
            Ok(text) => body = Some(text),
            Err(binary) => body_base64 = Some(STANDARD.encode(binary.as_bytes())),
        }
    }
    let mut headers = lower_names(asked.headers.unwrap_or_default());
    if body.is_some() || body_base64.is_some() {
        headers
            .entry("content-type".to_owned())
            .or_insert_with(|| CONTENT_TYPE.to_owned());
    }
    let method = asked.method.unwrap_or(match body.is_some() || body_base64.is_some() {
        true => Method::Post,
        false => Method::Get,
    });
    let path = asked
        .path
        .ok_or_else(|| at(keys, "a request needs a path, such as path = \"/\".".to_owned()))?;
    let expect = asked.expect.map(|e| expectation(e, keys, at)).transpose()?;
    Ok(HttpRequest {
        weight: asked.weight.unwrap_or(1),
        method,
        path,
        headers,
        body,
        body_base64,
        expect,
    })
}

fn expectation(asked: FileExpectation, keys: &[&str], at: At<'_>) -> Result<Expectation, ScenarioError> {
    let mut json = BTreeMap::new();
    for (pointer, value) in asked.json.unwrap_or_default() {
        let value = match value {
            toml::Value::String(text) => Value::from(text),
            toml::Value::Integer(number) => Value::from(number),
            toml::Value::Float(number) => Value::from(number),
            toml::Value::Boolean(truth) => Value::from(truth),
            _ => {
                let problem = format!("the value at {pointer:?} must be a text, a number, true or false.");
                return Err(at(&[keys, &["expect", "json"]].concat(), problem));
            }
        };
        json.insert(pointer, value);
    }
    Ok(Expectation {
        status: asked.status,
        headers: lower_names(asked.headers.unwrap_or_default()),
        body_sha256: asked.body_sha256.map(|hash| hash.to_ascii_lowercase()),
        json,
    })
}

fn script(name: &str, folder: &Path, at: At<'_>) -> Result<Script, ScenarioError> {
    let bytes = bytes_of(name, folder).map_err(|problem| at(&["script"], problem))?;
    let text = String::from_utf8(bytes).map_err(|_| at(&["script"], format!("{name} is not text.")))?;
    let name = Path::new(name)
        .file_name()
        .map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    Ok(Script { name, text })
}

/// A file beside the scenario's.
fn bytes_of(name: &str, folder: &Path) -> Result<Vec<u8>, String> {
    let path: PathBuf = folder.join(name);
    let size = std::fs::metadata(&path).map_err(|e| format!("{} could not be read ({e}).", path.display()))?;
    if !size.is_file() || size.len() > MOST_LOAD_BYTES as u64 {
        return Err(format!(
            "{} must be a file of at most {} KiB: the whole load stands in the run's plan, which is one record.",
            path.display(),
            MOST_LOAD_BYTES >> 10
        ));
    }
    std::fs::read(&path).map_err(|e| format!("{} could not be read ({e}).", path.display()))
}

fn lower_names(headers: BTreeMap<String, String>) -> BTreeMap<String, String> {
    headers
        .into_iter()
        .map(|(name, value)| (name.to_ascii_lowercase(), value))
        .collect()
}

fn lower(same: SameButFor) -> SameButFor {
    SameButFor {
        headers: same.headers.iter().map(|name| name.to_ascii_lowercase()).collect(),
        fields: same.fields,
    }
}

#[cfg(test)]
mod tests;
