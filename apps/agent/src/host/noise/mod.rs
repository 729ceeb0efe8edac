//! How much noise there is on this host: equal pieces of work that should take equal times, and how far they do not.
//!
//! It takes about eight seconds and all cores, so it is done when somebody asks (`rigmark doctor`) and nobody measures, and
//! kept in the state folder for the facts.

mod measure;
mod score;

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

pub use measure::measure;
pub use score::{check, score};

use super::lock::HostLock;
use crate::protocol::facts::HostNoise;
use crate::protocol::journal::HostCounters;
use crate::state::State;

const FILE: &str = "noise.json";

/// What was measured last; `None` when nothing was, or it cannot be read.
pub fn stored(state: &Path) -> Option<HostNoise> {
    serde_json::from_str(&std::fs::read_to_string(state.join(FILE)).ok()?).ok()
}

/// Measures now and keeps it; `counters` reads the host's. `Err` is why not: a run is on, or there is no room for the result.
pub fn refresh(state: &Path, counters: impl Fn() -> HostCounters) -> Result<HostNoise, String> {
    let _lock = HostLock::acquire("rigmark doctor").map_err(|e| format!("The noise was not measured. {e}"))?;
    let unusable = |e| {
        format!(
            "The noise was measured but could not be saved in {} ({e}).",
            state.display()
        )
    };
    // Marked as an agent's: doctor may be the first that keeps something there.
    State::locate(Some(state)).dir("").map_err(|e| e.to_string())?;
    let parts = measure(state, counters);
    let noise = HostNoise {
        measured_wall_us: SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| u64::try_from(since.as_micros()).unwrap_or(0)),
        score: score(&parts),
        parts,
    };
    let temporary = state.join(format!("{FILE}.{}", std::process::id()));
    let text = serde_json::to_string(&noise).expect("numbers and words");
    std::fs::write(&temporary, text)
        .and_then(|()| std::fs::rename(&temporary, state.join(FILE)))
        .map_err(unusable)?;
    Ok(noise)
}
