//! What the checks of a trial come to.

use crate::protocol::result::{Limit, Reason, TrialStatus};

#[derive(Debug, PartialEq)]
pub struct Judgement {
    pub status: TrialStatus,
    /// Why it does not count; the most telling first.
    pub reasons: Vec<Reason>,
    /// What a reader should see beside its figures.
    pub labels: Vec<Reason>,
    pub limit: Option<Limit>,
}
