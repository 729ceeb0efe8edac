//! The sentence about a whole run: of one scenario its verdict, of several how often each verdict was given.

use super::{label, list, tidy};
use crate::input::SummaryInput;
use crate::sentence::number::things;
use crate::summary::{Metric, ScenarioSummary, Verdict};

/// Entries that are named one by one.
pub(super) const NAMED: usize = 3;

/// The verdict on the run: of what ranks, and how much does not.
#[must_use]
pub fn sentence(input: &SummaryInput, scenarios: &[ScenarioSummary]) -> String {
    let (ranked, singles) = parts(scenarios);
    let n = things(u32::try_from(singles.len()).unwrap_or(u32::MAX), "scenario");
    match (ranked.as_slice(), singles.as_slice()) {
        (ranked, []) => verdict(input, ranked),
        ([], [only]) => only.sentence.clone(),
        ([], [first, ..]) => format!(
            "There is no verdict in any of {n}. {}: {}",
            title(input, first),
            first.sentence
        ),
        (ranked, _) => format!("{} Not ranked: {n} of single requests.", verdict(input, ranked)),
    }
}

/// The scenarios that rank, and those that do not.
pub(super) fn parts(scenarios: &[ScenarioSummary]) -> (Vec<&ScenarioSummary>, Vec<&ScenarioSummary>) {
    scenarios.iter().partition(|s| s.metric.ranks())
}

pub(super) fn title(input: &SummaryInput, of: &ScenarioSummary) -> String {
    let scenario = input.scenarios.iter().find(|s| s.id == of.scenario);
    tidy(scenario.map_or("", |s| &s.title))
}

fn verdict(input: &SummaryInput, scenarios: &[&ScenarioSummary]) -> String {
    let baseline = match (scenarios, input.baseline()) {
        ([], _) | (_, None) => return "Nothing was measured.".to_owned(),
        ([only], _) => return only.sentence.clone(),
        (_, Some(baseline)) => baseline,
    };
    let counts = counted(input, scenarios, baseline);
    if counts.iter().all(|c| c.given() == 0) {
        let shown = scenarios
            .first()
            .map_or(String::new(), |s| format!(" {}: {}", title(input, s), s.sentence));
        let all = things(u32::try_from(scenarios.len()).unwrap_or(u32::MAX), "scenario");
        return format!("There is no verdict in any of {all}.{shown}");
    }
    let named = counts
        .iter()
        .take(NAMED)
        .map(|c| c.sentence_part(&label(input, c.key), scenarios));
    let more = match counts.len().saturating_sub(NAMED) {
        0 => None,
        1 => Some("1 more entry was compared".to_owned()),
        n => Some(format!("{n} more entries were compared")),
    };
    let all: Vec<String> = named.chain(more).collect();
    format!(
        "Against {} in {} scenarios: {}.",
        label(input, baseline),
        scenarios.len(),
        all.join("; ")
    )
}

/// How often an entry got each verdict.
pub(super) struct Counts<'a> {
    pub key: &'a str,
    pub faster: usize,
    pub slower: usize,
    pub same: usize,
}

/// Of each entry but the baseline. The one with the most to say comes first; the order of the run decides between equals.
pub(super) fn counted<'a>(input: &'a SummaryInput, scenarios: &[&ScenarioSummary], baseline: &str) -> Vec<Counts<'a>> {
    let others = input.entries.iter().filter(|e| e.key != baseline);
    let mut counts: Vec<Counts<'_>> = others.map(|e| Counts::of(scenarios, &e.key)).collect();
    counts.sort_by_key(|c| (std::cmp::Reverse(c.faster), std::cmp::Reverse(c.given())));
    counts
}

/// Processor time is spent: less of it is better and nothing is faster.
pub(super) fn of_cost(scenarios: &[&ScenarioSummary]) -> bool {
    scenarios.iter().any(|s| s.metric == Metric::CpuUsPerRequest)
}

impl<'a> Counts<'a> {
    fn of(scenarios: &[&ScenarioSummary], key: &'a str) -> Self {
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

    pub fn given(&self) -> usize {
        self.faster + self.slower + self.same
    }

    /// `epoll was faster in 2, slower in 1 and without a verdict in 1`.
    fn sentence_part(&self, name: &str, scenarios: &[&ScenarioSummary]) -> String {
        let none = scenarios.len().saturating_sub(self.given());
        let (more, less) = if of_cost(scenarios) {
            ("better", "worse")
        } else {
            ("faster", "slower")
        };
        let parts: Vec<String> = [
            (self.faster, more),
            (self.slower, less),
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
