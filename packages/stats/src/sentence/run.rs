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
    let mut told: Vec<String> = counts
        .iter()
        .take(TOLD)
        .map(|c| c.tell(&label(input, c.key), &label(input, baseline), scenarios.len()))
        .collect();
    if counts.len() > TOLD {
        let others = counts.len() - TOLD;
        told.push(format!(
            "{others} more {} compared.",
            if others == 1 { "entry was" } else { "entries were" }
        ));
    }
    told.join(" ")
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

    fn tell(&self, name: &str, baseline: &str, of: usize) -> String {
        let mut parts = Vec::new();
        for (n, what) in [(self.faster, "faster than"), (self.slower, "slower than")] {
            if n > 0 {
                parts.push(format!("{what} {baseline} in {n}"));
            }
        }
        if self.same > 0 {
            parts.push(format!("not shown to differ from {baseline} in {}", self.same));
        }
        let none = of - self.given().min(of);
        if none > 0 {
            parts.push(format!("without a verdict in {none}"));
        }
        format!("Of {of} scenarios, {name} was {}.", list(&parts))
    }
}
