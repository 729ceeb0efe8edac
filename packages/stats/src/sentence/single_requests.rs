//! Single requests in a closed loop: sentences with times and without ranks.

use super::number::time;
use super::{tidy, unranked};
use crate::figures::Figures;
use crate::input::ScenarioInput;
use crate::unranked::unranked as why_unranked;

/// Why nobody is ranked.
pub const NOT_RANKED: &str = "single requests in a closed loop: not ranked";

/// The times of all, then who has none and why.
#[must_use]
pub fn scenario(scenario: &ScenarioInput, figures: &[Figures<'_>]) -> String {
    let timed = times(scenario, figures);
    let mut sentences = Vec::new();
    if !timed.is_empty() {
        sentences.push(format!("Median time to the first byte: {}.", timed.join(", ")));
    }
    let others = figures.iter().filter(|f| why_unranked(scenario, f).is_some());
    sentences.extend(others.map(|f| entry(scenario, f)));
    sentences.push("Single requests in a closed loop are not ranked.".to_owned());
    sentences.join(" ")
}

/// `epoll 80 µs` of each entry that has a time.
pub(super) fn times(scenario: &ScenarioInput, figures: &[Figures<'_>]) -> Vec<String> {
    figures
        .iter()
        .filter(|f| why_unranked(scenario, f).is_none())
        .filter_map(|f| Some(format!("{} {}", f.label, time(f.metric?.median))))
        .collect()
}

/// One entry with its time alone.
#[must_use]
pub fn entry(scenario: &ScenarioInput, figures: &Figures<'_>) -> String {
    let name = &figures.label;
    match (why_unranked(scenario, figures), figures.metric) {
        (None, Some(found)) => format!(
            "{name}: {} to the first byte, the median of single requests; not ranked.",
            time(found.median)
        ),
        (why, _) => {
            let words = why.map_or_else(String::new, |why| unranked::words(&why, scenario, figures));
            // Reasons are text from elsewhere: a sentence stays on one line.
            let words = tidy(&words);
            let words = words.trim_end_matches(['.', '。']);
            format!("{name} has no time to the first byte that counts: {words}.")
        }
    }
}
