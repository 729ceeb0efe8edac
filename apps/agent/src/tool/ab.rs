//! ApacheBench: closed loop, HTTP/1.0, one thread. It prints nothing while it runs.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::job::url;
use super::output::{ParseError, ToolOutput};
use super::profile::{Profile, RequestHead};
use super::support::{NO_SEARCH, plain_http, supported, unsupported};
use super::{Tool, ToolCommand, ToolError, ToolJob};
use crate::parser;
use crate::program::{ask_version, find, install, missing};
use crate::protocol::catalogue::CatalogueTool;
use crate::protocol::http::{HttpLoad, Method};
use crate::protocol::result::ToolResult;
use crate::protocol::spec::{Load, Scenario, ToolName};
use crate::workload::http::{body, bytes, has_body};
use crate::workload::{payload, timeout_s};

/// More requests a second than any host can complete: the time is to end the trial, not the count.
const MOST_REQUESTS_PER_S: u64 = 500_000;
const MOST_REQUESTS: u64 = 100_000_000;
/// What ab reserves for each request that it may make, so the count cannot simply be huge.
const REQUEST_BYTES: u64 = 32;
/// ab has 8,192 bytes for a head, of which its own lines take some.
const MOST_HEAD_BYTES: usize = 8000;

pub const PROFILE: Profile = Profile {
    // It asks `apr_time_now`.
    wall_clock: |_| true,
    // Its percentiles cannot be added up, and who did not ask for slices shall not lose them.
    slices_by_default: false,
    http_1_0: true,
    head: RequestHead {
        own: "User-Agent: ApacheBench/2.3\r\nAccept: */*\r\n",
        host_last: true,
        body: ["Content-length", "Content-type"],
        ..RequestHead::BARE
    },
    ..Profile::COMMON
};

pub struct Ab {
    program: Option<PathBuf>,
}

impl Ab {
    pub fn new() -> Self {
        Self {
            program: find("RIGMARK_AB", &[], "ab"),
        }
    }
}

impl Default for Ab {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for Ab {
    fn name(&self) -> ToolName {
        ToolName::Ab
    }

    fn probe(&self) -> CatalogueTool {
        let Some(program) = &self.program else {
            let (reason, fix) = missing("RIGMARK_AB", "ab", install("apache2-utils", "httpd"));
            return unsupported(self.name(), &reason, fix);
        };
        match ask_version(program, &["-V"]).and_then(|text| parser::ab::version(&text)) {
            Some(version) => supported(self.name(), version),
            None => unsupported(
                self.name(),
                "ab is installed but does not start.",
                format!("{} -V", program.display()),
            ),
        }
    }

    fn supports(&self, scenario: &Scenario) -> Result<(), String> {
        plain_http("ab", &PROFILE, scenario)?;
        if let Some(http) = &scenario.http {
            own_request(http)?;
        }
        match scenario.load {
            Load::Count {
                requests, connections, ..
            } if requests < u64::from(connections) => {
                Err("ab makes no more connections than requests; give it as many requests.".to_owned())
            }
            Load::Closed { .. } | Load::Count { .. } => Ok(()),
            Load::Knee { .. } => Err(NO_SEARCH.to_owned()),
            Load::Rate { .. } => Err("ab has no fixed rate: each connection waits for its response.".to_owned()),
        }
    }

    fn counts_whole_seconds(&self) -> bool {
        true
    }

    fn shortest_slice_s(&self) -> Option<f64> {
        Some(0.5)
    }

    /// It counts whole seconds, so a slice is a count that takes about as long.
    fn slice_load(&self, whole: &Load, slice_s: f64, requests_per_s: Option<f64>) -> Option<Load> {
        let connections = whole.connections();
        Some(Load::Count {
            requests: ((requests_per_s? * slice_s).round() as u64).clamp(u64::from(connections), MOST_REQUESTS),
            connections,
            keep_alive: whole.keep_alive(),
        })
    }

    fn command(&self, job: &ToolJob<'_>) -> Result<ToolCommand, ToolError> {
        let program = self
            .program
            .as_ref()
            .ok_or_else(|| ToolError::NotInstalled("ab", install("apache2-utils", "httpd")))?;
        self.supports(job.scenario)
            .map_err(|why| ToolError::Unsupported("ab", why))?;
        let (connections, keep_alive) = (job.scenario.load.connections(), job.scenario.load.keep_alive());
        let percentiles = job.work_dir.join("percentiles.csv");
        // `-n` stands after `-t`, because `-t` sets it to 50000.
        let seconds = self.duration_s(job.duration_s) as u64;
        let requests = most_requests(seconds, memory_bytes());
        let mut argv: Vec<OsString> = vec![program.into(), "-q".into(), "-r".into()];
        let mut numbers = vec![("-c", u64::from(connections)), ("-s", timeout_s(job.patience_s))];
        match job.scenario.load {
            Load::Count { requests, .. } => numbers.push(("-n", requests)),
            _ => numbers.extend([("-t", seconds), ("-n", requests)]),
        }
        for (flag, value) in numbers {
            argv.extend([flag.into(), value.to_string().into()]);
        }
        if keep_alive {
            argv.push("-k".into());
        }
        if let Some(content_type) = payload::content_type(job.scenario) {
            // It sends one body only.
            for file in payload::write(job.scenario, job.work_dir, 1)? {
                argv.extend(["-p".into(), file.into(), "-T".into(), content_type.into()]);
            }
        }
        if let Some(http) = &job.scenario.http {
            // Without it ab counts each response that is not as long as its first one as failed, with it what was cut off as
            // right.
            if lengths_may_differ(http) {
                argv.push("-l".into());
            }
            argv.extend(request_arguments(http, job.work_dir)?);
        }
        argv.extend(["-e".into(), percentiles.clone().into(), url(job).into()]);
        Ok(ToolCommand {
            argv,
            env: Vec::new(),
            files: vec![("percentiles.csv".to_owned(), percentiles)],
        })
    }

    fn parse(&self, _scenario: &Scenario, output: &ToolOutput) -> Result<ToolResult, ParseError> {
        parser::ab::parse(output)
    }

    fn threads(&self, _scenario: &Scenario, _cpus: usize) -> Option<u32> {
        Some(1)
    }
}

/// At most a quarter of the host's memory is reserved for them.
fn most_requests(seconds: u64, memory_bytes: Option<u64>) -> u64 {
    let affordable = memory_bytes.map_or(MOST_REQUESTS, |bytes| bytes / 4 / REQUEST_BYTES);
    (seconds * MOST_REQUESTS_PER_S).min(MOST_REQUESTS).min(affordable)
}

fn memory_bytes() -> Option<u64> {
    // SAFETY: sysconf touches no memory of ours.
    let number = |name| u64::try_from(unsafe { libc::sysconf(name) }).ok();
    number(libc::_SC_PHYS_PAGES)?.checked_mul(number(libc::_SC_PAGESIZE)?)
}

/// Of the bodies of right responses: as the file expects them, or as the baseline answers but for what it names.
fn lengths_may_differ(http: &HttpLoad) -> bool {
    match http.requests.first().and_then(|request| request.expect.as_ref()) {
        Some(expect) => expect.body_sha256.is_none(),
        None => http.same_but_for.as_ref().is_some_and(|same| !same.fields.is_empty()),
    }
}

/// It sends one and the same request.
fn own_request(http: &HttpLoad) -> Result<(), String> {
    let head_bytes = |request| bytes(request, "127.0.0.1:65535", true).1;
    match http.requests.as_slice() {
        [one] if head_bytes(one) > MOST_HEAD_BYTES => Err(format!(
            "ab takes a head of at most {MOST_HEAD_BYTES} bytes, and this request's has {}; loadgen, which is built in, takes it.",
            head_bytes(one)
        )),
        [one] if matches!(one.method, Method::Get | Method::Post | Method::Put) => {
            let bodiless = one.method != Method::Get && !has_body(one);
            let with_body = one.method == Method::Get && has_body(one);
            match bodiless || with_body {
                true => {
                    Err("ab sends a body with POST and PUT, and none with GET; loadgen has no such limit.".to_owned())
                }
                false => Ok(()),
            }
        }
        [one] => Err(format!(
            "ab sends no {}; loadgen, wrk, autocannon and k6 do.",
            one.method.as_str()
        )),
        many => Err(format!(
            "ab sends one request again and again, and this file has {}; loadgen, wrk, autocannon and k6 mix them.",
            many.len()
        )),
    }
}

fn request_arguments(http: &HttpLoad, work_dir: &Path) -> std::io::Result<Vec<OsString>> {
    let mut argv: Vec<OsString> = Vec::new();
    let Some(request) = http.requests.first() else {
        return Ok(argv);
    };
    if has_body(request) {
        let file = work_dir.join("body-0");
        std::fs::write(&file, body(request))?;
        let flag = if request.method == Method::Put { "-u" } else { "-p" };
        argv.extend([flag.into(), file.into()]);
    }
    for (name, value) in &request.headers {
        // It writes the line of the content type itself.
        match name.as_str() {
            "content-type" if has_body(request) => argv.extend(["-T".into(), value.into()]),
            _ => argv.extend(["-H".into(), format!("{name}: {value}").into()]),
        }
    }
    Ok(argv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn own(http: Value) -> HttpLoad {
        serde_json::from_value(http).unwrap()
    }

    #[test]
    fn lengths_differ_only_where_the_scenario_lets_bodies_differ() {
        let of = |expect: Option<Value>, same: Option<Value>| {
            let mut request = json!({ "weight": 1, "method": "GET", "path": "/" });
            if let Some(expect) = expect {
                request["expect"] = expect;
            }
            let mut http = json!({ "requests": [request] });
            if let Some(same) = same {
                http["same_but_for"] = same;
            }
            lengths_may_differ(&own(http))
        };
        assert!(!of(None, None));
        assert!(!of(None, Some(json!({ "headers": ["etag"] }))));
        assert!(of(None, Some(json!({ "fields": ["/at"] }))));
        assert!(of(Some(json!({ "status": 200 })), None));
        let exact = json!({ "body_sha256": "0".repeat(64) });
        assert!(!of(Some(exact), None));
    }

    #[test]
    fn a_head_that_ab_has_no_room_for_is_refused() {
        let with = |bytes: usize| {
            let headers: serde_json::Map<String, Value> = (0..bytes / 1000)
                .map(|n| (format!("x-{n}"), Value::from("a".repeat(1000))))
                .collect();
            own_request(&own(json!({
                "requests": [{ "weight": 1, "method": "GET", "path": "/", "headers": headers }]
            })))
        };
        assert_eq!(with(7000), Ok(()));
        let refused = with(8000).unwrap_err();
        assert!(
            refused.starts_with("ab takes a head of at most 8000 bytes"),
            "{refused}"
        );
    }

    #[test]
    fn a_small_host_is_asked_for_fewer_requests() {
        assert_eq!(most_requests(10, None), 5_000_000);
        assert_eq!(most_requests(10, Some(16 << 30)), 5_000_000);
        assert_eq!(most_requests(3600, Some(1 << 40)), 100_000_000);
        assert_eq!(most_requests(3600, Some(1 << 30)), (1 << 28) / 32);
        assert!(memory_bytes().is_some_and(|bytes| bytes > 1 << 24));
    }

    #[test]
    fn it_loads_for_whole_seconds_and_says_so() {
        let ab = Ab::new();
        assert_eq!([0.2, 1.0, 1.5].map(|s| ab.duration_s(s)), [1.0, 1.0, 2.0]);
    }

    #[test]
    fn a_slice_is_a_count_that_takes_about_as_long() {
        let whole = Load::Closed {
            connections: 50,
            keep_alive: true,
        };
        let count = |rate: Option<f64>| match Ab::new().slice_load(&whole, 0.5, rate) {
            Some(Load::Count {
                requests,
                connections: 50,
                keep_alive: true,
            }) => Some(requests),
            None => None,
            other => panic!("{other:?}"),
        };
        assert_eq!(count(Some(80_001.0)), Some(40_001));
        // It makes no more connections than requests.
        assert_eq!(count(Some(12.0)), Some(50));
        // Nobody knows how fast the server is.
        assert_eq!(count(None), None);
    }
}
