//! How a run ends that could not say so itself.

use crate::journal::{Clock, Sink};
use crate::protocol::journal::{Event, Level, Log, LogSource, Record, RunResult, RunStatus};
use crate::protocol::result::Reason;
use crate::protocol::wire::StreamName;
use crate::spool::{AttemptPhase, AttemptSpool, SpoolError};

/// Ends what a crash left. There is no `result` record: how many trials were valid is not known any more. It has ended also
/// where the disk does not take that.
pub fn close(spool: &AttemptSpool, clock: Clock) -> Result<(), SpoolError> {
    let attempt = spool.attempt();
    if attempt.phase == AttemptPhase::Ended && attempt.ended.is_some() {
        return Ok(());
    }
    let reason = Reason::new(
        "agent-restarted",
        "The agent or its host went down during the run; what was measured until then is kept. Queue the run again.",
    );
    let mut told = Ok(());
    // A damaged stream takes no more records before the control plane has said what it has.
    if !StreamName::ALL.into_iter().any(|stream| spool.status(stream).damaged) {
        let [seq, _] = spool.next_records();
        let record = Record {
            v: crate::protocol::journal::VERSION,
            seq,
            // After a reboot the clock began anew: what ended the run is only known to be after its last record.
            t_us: spool.last_time().unwrap_or_else(clock),
            event: log_of(&reason),
        };
        let line = serde_json::to_string(&record).expect("messages are plain data");
        told = spool.append(StreamName::Journal, seq, &line);
    }
    told.and(spool.set_ended(RunStatus::Failed, Some(reason), 0))
}

/// The result of a run whose code broke.
pub fn panicked(sink: &dyn Sink, what: &str) -> RunResult {
    let reason = Reason::new(
        "agent-panicked",
        format!("The agent broke during the run ({what}); what was measured until then is kept. Please report this."),
    );
    sink.append(log_of(&reason));
    RunResult {
        status: RunStatus::Failed,
        error: Some(reason),
        trials_valid: 0,
        trials_invalid: 0,
        time: None,
    }
}

fn log_of(reason: &Reason) -> Event {
    Event::Log(Log {
        source: LogSource::Agent,
        level: Level::Error,
        entry_key: None,
        trial_id: None,
        line: reason.message.clone(),
    })
}
