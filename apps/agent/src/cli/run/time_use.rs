//! How the run's wall time was spent, and what of it the host spoiled, in two lines under the table.

use crate::cli::format;
use crate::protocol::journal::{TimeSpent, Trial};
use crate::runner::validity::disturbance;

/// `Time: 1 min 25 s, of which 71 % measuring, 12 % warm-up, …`; parts of less than half a percent are not named.
pub fn time(spent: &TimeSpent) -> String {
    let parts = [
        ("measuring", spent.measuring_us),
        ("warm-up", spent.warm_up_us),
        ("verifying", spent.verifying_us),
        ("building", spent.building_us),
        ("starting and stopping servers", spent.starting_us),
        ("waiting for a quieter moment", spent.waiting_us),
        ("other", spent.other_us),
    ];
    let total = spent.total_us.max(1) as f64;
    let share = |us: u64| us as f64 * 100.0 / total;
    let named = parts.iter().filter(|(_, us)| share(*us) >= 0.5);
    let named: Vec<String> = named.map(|(name, us)| format!("{:.0} % {name}", share(*us))).collect();
    let took = format::duration(spent.total_us as f64 / 1e6);
    format!("Time: {took}, of which {}.", named.join(", "))
}

/// What was measured and does not count because of the host; nothing where all of it counts.
pub fn disturbed(trials: &[Trial]) -> Option<String> {
    let rounds = trials.iter().filter_map(|t| t.rounds);
    let (measured, left_out) = rounds.fold((0, 0), |(all, out), r| (all + r.measured, out + r.left_out));
    let spoiled = |t: &&Trial| t.reasons.first().is_some_and(|r| r.code == disturbance::CODE);
    let again = trials.iter().filter(spoiled).count();
    let mut parts = Vec::new();
    if again > 0 {
        parts.push(format!(
            "{again} of {} trials are in blocks that do not count",
            trials.len()
        ));
    }
    if left_out > 0 {
        parts.push(format!(
            "{left_out} of {measured} slices are in rounds that were left out"
        ));
    }
    (!parts.is_empty()).then(|| format!("The host disturbed this run: {}.", parts.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_named_with_their_share_and_tiny_ones_are_not() {
        let spent = TimeSpent {
            total_us: 100_000_000,
            measuring_us: 80_000_000,
            warm_up_us: 19_900_000,
            waiting_us: 100_000,
            ..TimeSpent::default()
        };
        let line = time(&spent);
        assert!(line.ends_with("of which 80 % measuring, 20 % warm-up."), "{line}");
    }

    #[test]
    fn a_run_that_nothing_disturbed_has_no_such_line() {
        assert_eq!(disturbed(&[]), None);
    }
}
