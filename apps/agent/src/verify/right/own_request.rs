//! One of somebody's own requests, and whether a response to it is right.

use std::sync::{Arc, Mutex};

use super::difference::{Difference, difference};
use super::expectation::unexpected;
use super::headers::OtherHeaders;
use super::responses::{Came, NormalResponse, Reference};
use crate::protocol::http::{HttpRequest, SameButFor};
use crate::protocol::spec::Scenario;

/// Of a path in a message.
pub const PATH_CHARS: usize = 100;

/// One request of the file, with how its responses are judged.
pub struct OwnRequest {
    pub request: HttpRequest,
    pub index: usize,
    /// How many there are.
    of: usize,
    same: SameButFor,
    judge: Judge,
    /// Of all responses that were compared.
    other_headers: Mutex<Option<OtherHeaders>>,
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
    pub responses: Mutex<Vec<Option<NormalResponse>>>,
    pub varies: Mutex<Option<String>>,
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
                other_headers: Mutex::default(),
            })
        };
        http.requests.iter().enumerate().map(one).collect()
    }

    /// `None`: it is right.
    pub fn wrong(&self, came: &Came<'_>) -> Option<Difference> {
        match &self.judge {
            Judge::Expected => unexpected(self.request.expect.as_ref()?, came),
            Judge::SameAs(reference) => {
                let right = reference.responses.get(self.index)?.as_ref()?;
                let got = NormalResponse::keeping(came, &self.same, usize::MAX);
                if let Some(found) = OtherHeaders::between(&right.headers, &got.headers, &reference.label) {
                    let mut known = self.other_headers.lock().unwrap_or_else(|e| e.into_inner());
                    *known = Some(known.take().map_or_else(|| found.clone(), |known| known.and(&found)));
                }
                difference(right, &got, &self.same, &reference.label)
            }
            Judge::Recorded(recorder) => {
                let mut responses = recorder.responses.lock().unwrap_or_else(|e| e.into_inner());
                responses.resize(self.of, None);
                match &responses[self.index] {
                    Some(first) => {
                        let got = NormalResponse::keeping(came, &self.same, usize::MAX);
                        let found = difference(first, &got, &self.same, "an earlier response")?;
                        let mut varies = recorder.varies.lock().unwrap_or_else(|e| e.into_inner());
                        varies.get_or_insert(format!("{}: {}.", self.name(), found.told()));
                        Some(found)
                    }
                    None => {
                        responses[self.index] = Some(NormalResponse::of(came, &self.same, self.of));
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

    pub fn name(&self) -> String {
        let path: String = self.request.path.chars().take(PATH_CHARS).collect();
        format!("{} {path}", self.request.method.as_str())
    }

    /// Headers that only this server sends, or only the other.
    pub fn other_headers(&self) -> Option<OtherHeaders> {
        self.other_headers.lock().unwrap_or_else(|e| e.into_inner()).clone()
    }

    pub fn is_compared(&self) -> bool {
        matches!(self.judge, Judge::SameAs(_))
    }
}
