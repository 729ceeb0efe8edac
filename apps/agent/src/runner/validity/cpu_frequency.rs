//! Did the cores run at one speed? A host that throttled or changed its governor measured something else.

use crate::host::sensor::throttle_words;
use crate::runner::validity::judgment::Judgment;
use crate::sample::Edge;
use crate::text::reason;

/// Below this part of the highest frequency of the window it has dropped.
const DROP: f64 = 0.9;
/// The bits for "now"; the same 16 bits higher stay set until the next start.
const NOW: u64 = 0xf;

/// What the edges of a window's slices and the samples between them tell.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CpuConditions {
    begin: Option<Edge>,
    /// All edges after the first as one, with the worst that each of them told.
    end: Edge,
    pub frequency: Frequency,
}

impl CpuConditions {
    /// The edges of all slices, as they come.
    pub fn see(&mut self, edge: Edge) {
        let Some(begin) = &self.begin else {
            (self.begin, self.end) = (Some(edge.clone()), edge);
            return;
        };
        let end = &mut self.end;
        // Also bits that are set no longer: a slice was slow while they were.
        end.throttle_flags = match (end.throttle_flags, edge.throttle_flags) {
            (Some(before), Some(now)) => Some(before | now),
            (before, now) => before.or(now),
        };
        // Cumulative: the last one that can be read has all that it counted.
        end.throttle_count = edge.throttle_count.or(end.throttle_count);
        end.thermal_pressure = end.thermal_pressure.max(edge.thermal_pressure);
        // The first other one stays, even if it is changed back.
        if end.governor.is_none() || end.governor == begin.governor {
            end.governor = edge.governor.or(end.governor.take());
        }
    }
}

/// Under load: at the edges the cores idle, and may be slow with good reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Frequency {
    highest_khz: u64,
    lowest_since_khz: u64,
}

impl Frequency {
    pub fn see(&mut self, khz: Option<u64>) {
        let Some(khz) = khz else { return };
        if khz >= self.highest_khz {
            *self = Self {
                highest_khz: khz,
                lowest_since_khz: khz,
            };
        } else {
            self.lowest_since_khz = self.lowest_since_khz.min(khz);
        }
    }

    fn dropped(self) -> bool {
        (self.lowest_since_khz as f64) < DROP * self.highest_khz as f64
    }
}

/// `governor` is what the run's environment says: between the windows, and from one trial to the next, nobody looks.
pub fn check(cpu: &CpuConditions, governor: Option<&str>, judgment: &mut Judgment) {
    let CpuConditions { begin, end, frequency } = cpu;
    let begin = begin.as_ref().unwrap_or(end);
    for message in heat(begin, end) {
        judgment.reasons.push(reason("throttled", &message));
    }
    // A moderate pressure may slow the cores, and a heavy one does.
    if begin.thermal_pressure.max(end.thermal_pressure) == Some(1) {
        let message = "The system reported moderate thermal pressure during the trial; let the machine cool.";
        judgment.labels.push(reason("thermal-pressure", message));
    }
    if let Some(message) = governor_changed(governor, begin, end) {
        judgment.reasons.push(reason("governor-changed", &message));
    }
    if frequency.dropped() {
        let message = format!(
            "The cores' frequency fell from {} to {} MHz under load.",
            frequency.highest_khz / 1000,
            frequency.lowest_since_khz / 1000
        );
        judgment.labels.push(reason("frequency-drop", &message));
    }
}

fn governor_changed(of_run: Option<&str>, begin: &Edge, end: &Edge) -> Option<String> {
    let (begin, end) = (begin.governor.as_deref(), end.governor.as_deref());
    if let Some((before, after)) = begin.zip(end).filter(|(before, after)| before != after) {
        return Some(format!(
            "The CPU governor changed from {before} to {after} during the trial."
        ));
    }
    let (run, trial) = of_run.zip(begin.or(end)).filter(|(run, trial)| run != trial)?;
    Some(format!(
        "The CPU governor was {run} when the run began and {trial} in this trial; make sure that nothing sets it during a run."
    ))
}

/// Why the machine slowed itself down between the first edge and the others, as each kind of machine tells it.
fn heat(begin: &Edge, end: &Edge) -> Vec<String> {
    let mut found = Vec::new();
    let (before, after) = (begin.throttle_flags.unwrap_or(0), end.throttle_flags.unwrap_or(0));
    // Set now at an edge, or set at any moment between them. Where the first edge tells nothing, what is remembered may be old.
    let between = begin.throttle_flags.map_or(0, |before| (after & !before) >> 16);
    let throttled = (before | after | between) & NOW;
    if throttled != 0 {
        let message = format!(
            "The board slowed itself down during the trial ({}); use the official power supply, and a fan or a heat sink.",
            throttle_words(throttled).join(", ")
        );
        found.push(message);
    }
    let times = begin
        .throttle_count
        .zip(end.throttle_count)
        .and_then(|(before, after)| after.checked_sub(before));
    if let Some(times) = times.filter(|times| *times > 0) {
        found.push(format!(
            "The processor slowed itself down because of heat {times} times during the trial; give it more cooling."
        ));
    }
    if let Some(level) = begin
        .thermal_pressure
        .max(end.thermal_pressure)
        .filter(|level| *level >= 2)
    {
        let word = ["nominal", "moderate", "heavy", "trapping", "sleeping"]
            .get(level as usize)
            .unwrap_or(&"unknown");
        found.push(format!(
            "The system reported {word} thermal pressure during the trial; let the machine cool."
        ));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::result::TrialStatus;

    fn edge(throttle_flags: u64, governor: &str) -> Edge {
        Edge {
            throttle_flags: Some(throttle_flags),
            governor: Some(governor.to_owned()),
            ..Edge::default()
        }
    }

    fn checked(begin: Edge, end: Edge, khz: &[u64]) -> (Vec<String>, Vec<String>) {
        checked_at(vec![begin, end], khz)
    }

    fn checked_at(edges: Vec<Edge>, khz: &[u64]) -> (Vec<String>, Vec<String>) {
        checked_of(None, edges, khz)
    }

    fn checked_of(of_run: Option<&str>, edges: Vec<Edge>, khz: &[u64]) -> (Vec<String>, Vec<String>) {
        let mut cpu = CpuConditions::default();
        edges.into_iter().for_each(|edge| cpu.see(edge));
        khz.iter().for_each(|khz| cpu.frequency.see(Some(*khz)));
        let mut judgment = Judgment {
            status: TrialStatus::Valid,
            reasons: Vec::new(),
            labels: Vec::new(),
            limit: None,
        };
        check(&cpu, of_run, &mut judgment);
        let messages = |all: Vec<crate::protocol::result::Reason>| all.into_iter().map(|r| r.message).collect();
        (messages(judgment.reasons), messages(judgment.labels))
    }

    #[test]
    fn throttling_now_or_in_between_is_a_reason() {
        for (before, after, words) in [
            (0, 0x5, "under-voltage, throttled"),
            (0x2, 0, "frequency capped"),
            // Over by the end, and only the sticky bit tells.
            (0x1_0000, 0x5_0000, "(throttled)"),
        ] {
            let (reasons, _) = checked(edge(before, "performance"), edge(after, "performance"), &[]);
            assert!(reasons[0].contains(words), "{reasons:?}");
        }
        // Long before this trial.
        let (reasons, _) = checked(edge(0x5_0000, "performance"), edge(0x5_0000, "performance"), &[]);
        assert!(reasons.is_empty(), "{reasons:?}");
    }

    #[test]
    fn heat_is_a_reason_on_x86_and_on_macos_too() {
        let counted = |n| Edge {
            throttle_count: Some(n),
            ..Edge::default()
        };
        assert!(checked(counted(7), counted(7), &[]).0.is_empty());
        assert!(checked(counted(7), counted(9), &[]).0[0].contains("heat 2 times"));
        assert!(checked(Edge::default(), counted(9), &[]).0.is_empty());
        let pressed = |level| Edge {
            thermal_pressure: Some(level),
            ..Edge::default()
        };
        assert_eq!(checked(pressed(0), pressed(0), &[]), (Vec::new(), Vec::new()));
        assert!(checked(pressed(0), pressed(1), &[]).1[0].contains("moderate"));
        assert!(checked(pressed(2), pressed(0), &[]).0[0].contains("heavy"));
    }

    #[test]
    fn another_governor_is_a_reason_and_an_unknown_one_is_not() {
        let (reasons, _) = checked(edge(0, "performance"), edge(0, "powersave"), &[]);
        assert!(reasons[0].contains("from performance to powersave"), "{reasons:?}");
        let (reasons, _) = checked(Edge::default(), edge(0, "powersave"), &[]);
        assert!(reasons.is_empty());
    }

    #[test]
    fn a_governor_that_is_not_the_runs_is_a_reason_in_every_later_trial() {
        let of = |run: Option<&str>, edges: Vec<Edge>| checked_of(run, edges, &[]).0;
        let saving = edge(0, "powersave");
        let found = of(Some("performance"), vec![saving.clone(), saving.clone()]);
        assert!(
            found.len() == 1 && found[0].contains("was performance when the run began and powersave in this trial"),
            "{found:?}"
        );
        assert!(of(Some("powersave"), vec![saving.clone(), saving.clone()]).is_empty());
        // One of them unknown says nothing.
        assert!(of(None, vec![saving.clone(), saving.clone()]).is_empty());
        assert!(of(Some("performance"), vec![Edge::default(), Edge::default()]).is_empty());
        // A change within the trial is told as such, once.
        let found = of(Some("performance"), vec![saving, edge(0, "performance")]);
        assert!(
            found.len() == 1 && found[0].contains("from powersave to performance"),
            "{found:?}"
        );
    }

    #[test]
    fn what_was_so_in_the_middle_of_a_sliced_trial_and_is_over_counts() {
        let between = |middle: Edge, same: Edge| {
            let edges = vec![same.clone(), same.clone(), middle, same.clone(), same];
            checked_at(edges, &[]).0
        };
        // No sticky bit remembers it.
        let found = between(edge(0x4, "performance"), edge(0, "performance"));
        assert!(found.len() == 1 && found[0].contains("(throttled)"), "{found:?}");
        let found = between(edge(0, "powersave"), edge(0, "performance"));
        assert!(
            found.len() == 1 && found[0].contains("from performance to powersave"),
            "{found:?}"
        );
        let pressed = |level| Edge {
            thermal_pressure: Some(level),
            ..Edge::default()
        };
        assert!(between(pressed(3), pressed(0))[0].contains("trapping"));
        // An edge that could not be read hides nothing of the others.
        let found = between(edge(0x4, "powersave"), Edge::default());
        assert!(found.len() == 1 && found[0].contains("(throttled)"), "{found:?}");
        let edges = vec![
            edge(0, "performance"),
            edge(0, "powersave"),
            Edge::default(),
            Edge::default(),
        ];
        assert_eq!(checked_at(edges, &[]).0.len(), 1);
    }

    #[test]
    fn a_heat_counter_that_goes_back_says_nothing() {
        let counted = |n| Edge {
            throttle_count: Some(n),
            ..Edge::default()
        };
        assert!(checked(counted(9), counted(7), &[]).0.is_empty());
    }

    #[test]
    fn a_heat_counter_that_cannot_be_read_any_more_hides_nothing_of_what_it_told() {
        let counted = |throttle_count| Edge {
            throttle_count,
            ..Edge::default()
        };
        let edges = [Some(7), Some(9), None].map(counted).to_vec();
        assert!(checked_at(edges, &[]).0[0].contains("heat 2 times"));
    }

    #[test]
    fn a_frequency_may_climb_and_not_fall() {
        let labels = |khz: &[u64]| checked(Edge::default(), Edge::default(), khz).1;
        assert!(labels(&[]).is_empty());
        assert!(labels(&[600_000, 1_800_000, 1_700_000]).is_empty());
        let fell = labels(&[600_000, 1_800_000, 1_500_000, 1_800_000 - 1]);
        assert!(fell[0].contains("from 1800 to 1500 MHz"), "{fell:?}");
    }
}
