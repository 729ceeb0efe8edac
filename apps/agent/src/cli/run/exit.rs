//! What a run's exit code says of it.

use crate::cli::Exit;
use crate::protocol::journal::{RunResult, RunStatus};

/// Done where at least one trial counts: what did not count has its reason in the table.
pub fn of(result: &RunResult) -> Exit {
    match result.status {
        RunStatus::Cancelled => Exit::Interrupted,
        RunStatus::Succeeded if result.trials_valid > 0 => Exit::Done,
        _ => Exit::Failed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of two trials, so many of which count.
    fn result(status: RunStatus, valid: u64) -> RunResult {
        RunResult {
            status,
            error: None,
            trials_valid: valid,
            trials_invalid: 2 - valid,
            time: None,
        }
    }

    #[test]
    fn it_is_0_where_a_trial_counts_and_1_where_none_does() {
        for (status, valid, expected) in [
            (RunStatus::Succeeded, 2, Exit::Done),
            (RunStatus::Succeeded, 1, Exit::Done),
            (RunStatus::Succeeded, 0, Exit::Failed),
            (RunStatus::Failed, 0, Exit::Failed),
        ] {
            assert_eq!(of(&result(status, valid)), expected, "{status:?} {valid}");
        }
    }

    #[test]
    fn one_that_was_cancelled_or_failed_is_not_done_whatever_counts() {
        for (status, expected) in [
            (RunStatus::Cancelled, Exit::Interrupted),
            (RunStatus::Failed, Exit::Failed),
        ] {
            assert_eq!(of(&result(status, 2)), expected);
        }
    }
}
