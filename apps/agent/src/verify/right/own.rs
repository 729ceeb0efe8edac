//! The checks of somebody's own requests. What is right is said by the file; where it says nothing, every entry must answer as the
//! baseline does.

use std::sync::{Arc, Mutex};

use super::super::report::{CheckFault, CheckResult, Checks};
use super::answers::{Answer, Came, Reference};
use super::client::LoadClient;
use super::difference::{Difference, difference};
use super::expectation::unexpected;
use super::http::{crowd, in_a_row};
use super::load::{Effort, LoadRequests};
use super::{Depth, EarliestClose};
use crate::protocol::http::{HttpRequest, SameButFor};
use crate::protocol::spec::Scenario;

/// How often a request is repeated whose response was another one.
const REPEATS: usize = 8;
/// Of a path in a message.
pub const PATH_CHARS: usize = 100;

/// One request of the file, with how its responses are judged.
pub struct OwnRequest {
    pub request: HttpRequest,
    index: usize,
    /// How many there are.
    of: usize,
    same: SameButFor,
    judge: Judge,
}

enum Judge {
    Expected,
    SameAs(Arc<Reference>),
    Recorded(Arc<Recorder>),
    /// Nobody said anything and there is nobody to compare with.
    Answered,
    /// What the file expects is each entry's own business.
    Anything,
}

/// The first response to each request, and how a later one differed.
#[derive(Default)]
pub struct Recorder {
    answers: Mutex<Vec<Option<Answer>>>,
    varies: Mutex<Option<String>>,
}

impl OwnRequest {
    pub fn all(
        scenario: &Scenario,
        reference: Option<&Arc<Reference>>,
        recorder: Option<&Arc<Recorder>>,
    ) -> Vec<Arc<Self>> {
        let Some(http) = &scenario.http else { return Vec::new() };
        let one = |(index, request): (usize, &HttpRequest)| {
            let judge = match (&request.expect, recorder, reference) {
                (Some(_), Some(_), _) => Judge::Anything,
                (Some(_), None, _) => Judge::Expected,
                (None, Some(recorder), _) => Judge::Recorded(recorder.clone()),
                (None, None, Some(reference)) => Judge::SameAs(reference.clone()),
                (None, None, None) => Judge::Answered,
            };
            Arc::new(Self {
                request: request.clone(),
                index,
                of: http.requests.len(),
                same: http.same_but_for.clone().unwrap_or_default(),
                judge,
            })
        };
        http.requests.iter().enumerate().map(one).collect()
    }

    /// `None`: it is right.
    pub fn wrong(&self, came: &Came<'_>) -> Option<Difference> {
        match &self.judge {
            Judge::Expected => unexpected(self.request.expect.as_ref()?, came),
            Judge::SameAs(reference) => {
                let right = reference.answers.get(self.index)?.as_ref()?;
                difference(right, came, &self.same, &reference.label)
            }
            Judge::Recorded(recorder) => {
                let mut answers = recorder.answers.lock().unwrap_or_else(|e| e.into_inner());
                answers.resize(self.of, None);
                match &answers[self.index] {
                    Some(first) => {
                        let found = difference(first, came, &self.same, "an earlier response")?;
                        let mut varies = recorder.varies.lock().unwrap_or_else(|e| e.into_inner());
                        varies.get_or_insert(format!("{}: {}.", self.name(), found.told()));
                        Some(found)
                    }
                    None => {
                        answers[self.index] = Some(Answer::of(came, &self.same, self.of));
                        None
                    }
                }
            }
            Judge::Anything => None,
            Judge::Answered => (!(200..300).contains(&came.status)).then(|| Difference {
                what: format!("status {} came", came.status),
                allowed_by: None,
            }),
        }
    }

    fn name(&self) -> String {
        let path: String = self.request.path.chars().take(PATH_CHARS).collect();
        format!("{} {path}", self.request.method.as_str())
    }

    fn is_compared(&self) -> bool {
        matches!(self.judge, Judge::SameAs(_))
    }
}

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
) {
    if let Some((label, why)) = reference.and_then(|r| Some((&r.label, r.unusable.as_ref()?))) {
        let title = format!("responses can be compared with those of {label}");
        checks.check("reference", &title, |_| Err(CheckFault::new(why.clone())));
        return;
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
}

/// Each request once, then as the load mixes them.
fn draws(checks: &Checks, load: &LoadRequests<'_>, effort: &Effort) -> CheckResult {
    let mut client = LoadClient::new(checks, load, None);
    for index in 0..load.own.len() {
        client.ask(&[load.own_request(index)])?;
    }
    crowd(checks, load, effort)
}

/// What this server answers, for the others to be compared with.
pub fn record(checks: &Checks, scenario: &Scenario, label: &str) -> Result<Reference, String> {
    let recorder = Arc::new(Recorder::default());
    let load = LoadRequests::with(
        scenario,
        checks.server(),
        OwnRequest::all(scenario, None, Some(&recorder)),
    );
    let verdict = draws(checks, &load, &Effort::of(&load, Depth::Full));
    let varies = recorder.varies.lock().unwrap_or_else(|e| e.into_inner()).take();
    let mut answers = recorder.answers.lock().unwrap_or_else(|e| e.into_inner()).clone();
    answers.resize(load.own.len(), None);
    let unusable = match (varies, verdict) {
        (Some(how), _) => Some(format!(
            "{label} does not always answer the same, so nobody's responses can be compared with its own. {how}"
        )),
        (None, Err(fault)) => return Err(fault.message),
        (None, Ok(())) => failure(&load, &answers, label),
    };
    Ok(Reference {
        label: label.to_owned(),
        answers,
        unusable,
    })
}

/// What no load tool counts as a response cannot be what is right.
fn failure(load: &LoadRequests<'_>, answers: &[Option<Answer>], label: &str) -> Option<String> {
    let statuses = answers.iter().map(|answer| answer.as_ref().map(|a| a.status));
    let (index, status) = statuses
        .enumerate()
        .find_map(|(index, status)| Some((index, status.filter(|s| !(200..300).contains(s))?)))?;
    let request = load.own[index].name();
    Some(format!(
        "{label} responds to {request} with status {status}, which load tools count as a failure, so nobody's \
         responses can be compared with its own. Change the request, or make another server the baseline."
    ))
}

/// Is it always another one, or only now and then? Asks the same again.
pub fn how_often(client: &mut LoadClient<'_>, own: &OwnRequest) -> Option<String> {
    if !own.is_compared() {
        return None;
    }
    let mut seen: Vec<Option<Difference>> = Vec::new();
    for _ in 0..REPEATS {
        seen.push(client.once(own.index).ok()?);
    }
    let right = seen.iter().filter(|wrong| wrong.is_none()).count();
    if right > 0 {
        return Some(format!(
            "The same request again was answered right {right} times of {REPEATS}."
        ));
    }
    let mut kinds: Vec<&str> = seen.iter().flatten().map(|d| d.what.as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    (kinds.len() > 1).then(|| "It changes from response to response.".to_owned())
}
