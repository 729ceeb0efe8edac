//! The sentence about a whole run: of one scenario its verdict, of several how often each verdict was given.

use super::{label, list, tidy};
use crate::input::SummaryInput;
use crate::sentence::number::things;
use crate::summary::{ScenarioSummary, Verdict};

/// Entries that are told one by one.
const TOLD: usize = 3;

/// The verdict on the run.
#[must_use]
pub fn sentence(input: &SummaryInput, scenarios: &[ScenarioSummary]) -> String {
    let baseline = match (scenarios, input.baseline()) {
        ([], _) | (_, None) => return "Nothing was measured.".to_owned(),
        ([only], _) => return only.sentence.clone(),
        (_, Some(baseline)) => baseline,
    };
    let mut counts: Vec<Counts<'_>> = input
        .entries
        .iter()
        .filter(|e| e.key != baseline)
        .map(|e| Counts::of(scenarios, &e.key))
        .collect();
    if counts.iter().all(|c| c.given() == 0) {
        let first = scenarios.iter().zip(&input.scenarios).next();
        let said = first.map_or(String::new(), |(s, of)| format!(" {}: {}", tidy(&of.title), s.sentence));
        let all = things(u32::try_from(scenarios.len()).unwrap_or(u32::MAX), "scenario");
        return format!("There is no verdict in any of {all}.{said}");
    }
    // The entry with the most to say comes first; the order of the run decides between equals.
    counts.sort_by_key(|c| (std::cmp::Reverse(c.faster), std::cmp::Reverse(c.given())));
    let told = counts
        .iter()
        .take(TOLD)
        .map(|c| c.tell(&label(input, c.key), scenarios.len()));
    let more = match counts.len().saturating_sub(TOLD) {
        0 => None,
        1 => Some("1 more entry was compared".to_owned()),
        n => Some(format!("{n} more entries were compared")),
    };
    let all: Vec<String> = told.chain(more).collect();
    format!(
        "Against {} in {} scenarios: {}.",
        label(input, baseline),
        scenarios.len(),
        all.join("; ")
    )
}

/// How often an entry got each verdict.
struct Counts<'a> {
    key: &'a str,
    faster: usize,
    slower: usize,
    same: usize,
}

impl<'a> Counts<'a> {
    fn of(scenarios: &[ScenarioSummary], key: &'a str) -> Self {
        let all = scenarios.iter().flat_map(|s| &s.entries).filter(|e| e.entry_key == key);
        let verdicts: Vec<Verdict> = all.filter_map(|e| e.verdict).collect();
        let count = |wanted| verdicts.iter().filter(|v| **v == wanted).count();
        Self {
            key,
            faster: count(Verdict::Faster),
            slower: count(Verdict::Slower),
            same: count(Verdict::NoDifference),
        }
    }

    fn given(&self) -> usize {
        self.faster + self.slower + self.same
    }

    /// `epoll was faster in 2, slower in 1 and without a verdict in 1`.
    fn tell(&self, name: &str, of: usize) -> String {
        let none = of.saturating_sub(self.given());
        let parts: Vec<String> = [
            (self.faster, "faster"),
            (self.slower, "slower"),
            (self.same, "not shown to differ"),
            (none, "without a verdict"),
        ]
        .into_iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, what)| format!("{what} in {n}"))
        .collect();
        format!("{name} was {}", list(&parts))
    }
}
