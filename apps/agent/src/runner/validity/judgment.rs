//! What the checks of a trial come to.

use crate::protocol::result::{Limit, Reason, TrialStatus};

#[derive(Debug, PartialEq)]
pub struct Judgment {
    pub status: TrialStatus,
    /// Why it does not count; the most telling first: it is the one that tables show.
    pub reasons: Vec<Reason>,
    /// What a reader should see beside its figures.
    pub labels: Vec<Reason>,
    pub limit: Option<Limit>,
}

impl Judgment {
    pub fn valid() -> Self {
        Self {
            status: TrialStatus::Valid,
            reasons: Vec::new(),
            labels: Vec::new(),
            limit: None,
        }
    }

    /// There is no result.
    pub fn failed(reason: Reason) -> Self {
        Self {
            status: TrialStatus::Failed,
            reasons: vec![reason],
            ..Self::valid()
        }
    }

    /// For the most telling reason. A trial that failed stays failed.
    pub fn invalidate(&mut self, reason: Reason) {
        self.reasons.insert(0, reason);
        if self.status == TrialStatus::Valid {
            self.status = TrialStatus::Invalid;
        }
    }
}
