//! Where a run's wall time went. Steps come one after another, so their times add up.

use std::sync::Mutex;
use std::time::Duration;

use crate::protocol::journal::{PhaseName, TimeSpent};

#[derive(Debug, Default)]
pub struct Stopwatch(Mutex<TimeSpent>);

impl Stopwatch {
    pub fn phase(&self, phase: PhaseName, took: Duration) {
        let mut spent = self.0.lock().expect("no writer panics");
        let part = match phase {
            PhaseName::Build => &mut spent.building_us,
            PhaseName::Start | PhaseName::CleanUp => &mut spent.starting_us,
            PhaseName::Verify | PhaseName::VerifyAfter => &mut spent.verifying_us,
            PhaseName::WarmUp => &mut spent.warm_up_us,
            // Of these only what the tool measured is counted, and not what its start took.
            PhaseName::Preflight | PhaseName::Measure => return,
        };
        *part += took.as_micros() as u64;
    }

    pub fn measured(&self, us: u64) {
        self.0.lock().expect("no writer panics").measuring_us += us;
    }

    pub fn waited(&self, took: Duration) {
        self.0.lock().expect("no writer panics").waiting_us += took.as_micros() as u64;
    }

    /// Of a run that took so long in all.
    pub fn of(&self, total: Duration) -> TimeSpent {
        let spent = *self.0.lock().expect("no writer panics");
        let total_us = total.as_micros() as u64;
        let known = spent.measuring_us
            + spent.warm_up_us
            + spent.verifying_us
            + spent.building_us
            + spent.starting_us
            + spent.waiting_us;
        TimeSpent {
            total_us,
            other_us: total_us.saturating_sub(known),
            ..spent
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_add_up_to_the_whole() {
        let watch = Stopwatch::default();
        let s = Duration::from_secs;
        watch.phase(PhaseName::Start, s(1));
        watch.phase(PhaseName::CleanUp, s(1));
        watch.phase(PhaseName::Measure, s(9));
        watch.measured(7_000_000);
        watch.waited(s(2));
        let spent = watch.of(s(15));
        assert_eq!(
            (spent.starting_us, spent.measuring_us, spent.waiting_us),
            (2_000_000, 7_000_000, 2_000_000)
        );
        assert_eq!((spent.total_us, spent.other_us), (15_000_000, 4_000_000));
    }
}
