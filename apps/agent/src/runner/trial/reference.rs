//! What the baseline answers to somebody's own requests, asked once for each scenario before its first trial: entries are measured
//! one after the other, so their responses are compared with what is remembered.

use std::sync::Arc;

use super::real_executor::RealExecutor;
use super::steps::Stop;
use crate::protocol::spec::Scenario;
use crate::runner::outcome::FailureScope;
use crate::runner::standalone_verify;
use crate::verify::Reference;
use crate::verify::right::needs_reference;

impl RealExecutor {
    /// `None` where the scenario itself says what is right. A baseline that does not answer gives way to the next entry.
    pub(super) async fn reference(&self, scenario: &Scenario) -> Result<Option<Arc<Reference>>, Stop> {
        if !needs_reference(scenario) {
            return Ok(None);
        }
        let mut references = self.references.lock().await;
        if let Some(known) = references.get(&scenario.id) {
            return usable(known.clone());
        }
        let mut why = String::new();
        for entry in &self.entries {
            let prepared = &self.prepared_entries[&entry.key];
            let Some(built) = &prepared.built else { continue };
            let (server, options) = (&prepared.server, &prepared.options);
            let asked = standalone_verify::responses(server, built, options, scenario, &entry.label, &self.state).await;
            match asked.map_err(|e| Stop::new(FailureScope::Nothing, "verifier", e))? {
                Ok(reference) => {
                    let reference = Arc::new(reference);
                    references.insert(scenario.id.clone(), reference.clone());
                    return usable(reference);
                }
                Err(failure) if why.is_empty() => why = format!("{}: {failure}", entry.label),
                Err(_) => {}
            }
        }
        let text = format!("No server answered the requests of {}. {why}", scenario.id);
        Err(Stop::new(FailureScope::Scenario, "verification", text.trim()))
    }
}

/// Where nothing can be compared, no load is worth its time.
fn usable(reference: Arc<Reference>) -> Result<Option<Arc<Reference>>, Stop> {
    match &reference.unusable {
        Some(why) => Err(Stop::new(FailureScope::Scenario, "verification", why)),
        None => Ok(Some(reference)),
    }
}
