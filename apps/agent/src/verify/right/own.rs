//! The checks of somebody's own requests. What is right is said by the file; where it says nothing, every entry must answer as the
//! baseline does.

use std::sync::Arc;

use super::super::report::{CheckFault, CheckResult, Checks};
use super::client::LoadClient;
use super::closes::EarliestClose;
use super::depth::Depth;
use super::headers::OtherHeaders;
use super::http::{crowd, in_a_row};
use super::load::{Effort, LoadRequests};
use super::own_request::{OwnRequest, Recorder};
use super::responses::{NormalResponse, Reference};
use crate::protocol::spec::Scenario;

/// Must the baseline be asked before this scenario's responses can be judged?
pub fn needs_reference(scenario: &Scenario) -> bool {
    let http = scenario.http.as_ref();
    http.is_some_and(|http| http.requests.iter().any(|request| request.expect.is_none()))
}

pub fn check(
    checks: &mut Checks,
    scenario: &Scenario,
    depth: Depth,
    reference: Option<&Arc<Reference>>,
    seen: &EarliestClose,
) -> Option<OtherHeaders> {
    if let Some((label, why)) = reference.and_then(|r| Some((&r.label, r.unusable.as_ref()?))) {
        let title = format!("responses can be compared with those of {label}");
        checks.check("reference", &title, |_| Err(CheckFault::new(why.clone())));
        return None;
    }
    let load = LoadRequests::with(scenario, checks.server(), OwnRequest::all(scenario, reference, None));
    let effort = Effort::of(&load, depth);
    let verdict = draws(checks, &load, &effort);
    let right = match reference {
        Some(reference) if load.own.iter().any(|own| own.is_compared()) => format!("those of {}", reference.label),
        _ => "as expected".to_owned(),
    };
    let (wrong, tool) = (verdict.is_err(), load.tool.as_str());
    let title = format!(
        "responses as {tool} draws them are {right}: {} were",
        checks.right_count()
    );
    checks.check("body", &title, |_| verdict);
    if !wrong && load.keep_alive && effort.in_a_row > 1 {
        checks.check("keep-alive", "a connection is used again", |c| {
            in_a_row(c, &load, &effort, seen)
        });
    }
    other_headers(&load)
}

/// Of all requests.
pub fn other_headers(load: &LoadRequests<'_>) -> Option<OtherHeaders> {
    let found = load.own.iter().filter_map(|own| own.other_headers());
    found.reduce(|known, more| known.and(&more))
}

/// Each request once, then as the load mixes them.
fn draws(checks: &Checks, load: &LoadRequests<'_>, effort: &Effort) -> CheckResult {
    let mut client = LoadClient::new(checks, load, None);
    for index in 0..load.own.len() {
        client.ask(&[load.own_request(index)])?;
    }
    // A server that serves one connection at a time would keep the others waiting for this one.
    drop(client);
    crowd(checks, load, effort)
}

/// What this server responses, for the others to be compared with.
pub fn record(checks: &Checks, scenario: &Scenario, label: &str) -> Result<Reference, CheckFault> {
    let recorder = Arc::new(Recorder::default());
    let load = LoadRequests::with(
        scenario,
        checks.server(),
        OwnRequest::all(scenario, None, Some(&recorder)),
    );
    let verdict = draws(checks, &load, &Effort::of(&load, Depth::Full));
    let varies = recorder.varies.lock().unwrap_or_else(|e| e.into_inner()).take();
    let mut responses = recorder.responses.lock().unwrap_or_else(|e| e.into_inner()).clone();
    responses.resize(load.own.len(), None);
    let unusable = match (varies, verdict) {
        (Some(how), _) => Some(format!(
            "{label} does not always answer the same, so nobody's responses can be compared with its own. {how}"
        )),
        (None, Err(fault)) => return Err(fault),
        (None, Ok(())) => failure(&load, &responses, label),
    };
    Ok(Reference {
        label: label.to_owned(),
        responses,
        unusable,
    })
}

/// What no load tool counts as a response cannot be what is right.
fn failure(load: &LoadRequests<'_>, responses: &[Option<NormalResponse>], label: &str) -> Option<String> {
    let statuses = responses.iter().map(|response| response.as_ref().map(|a| a.status));
    let (index, status) = statuses
        .enumerate()
        .find_map(|(index, status)| Some((index, status.filter(|s| !(200..300).contains(s))?)))?;
    let request = load.own[index].name();
    Some(format!(
        "{label} responds to {request} with status {status}, which load tools count as a failure, so nobody's \
         responses can be compared with its own. Change the request, or make another server the baseline."
    ))
}
