//! What stands in cells that are no numbers.

use rigmark_stats::input::Limit;
use rigmark_stats::summary::{EntrySummary, Metric, Verdict};

use crate::protocol::journal::Plan;

pub fn label(plan: &Plan, key: &str) -> String {
    plan.entries
        .iter()
        .find(|e| e.key == key)
        .map_or_else(|| key.to_owned(), |e| e.label.clone())
}

pub fn limit(entry: &EntrySummary) -> &'static str {
    match entry.limit {
        _ if entry.shared_ceiling => "shared ceiling",
        Some(Limit::ServerBound) => "server",
        Some(Limit::GeneratorBound) => "tool",
        Some(Limit::NothingSaturated) => "none",
        None => "–",
    }
}

/// Of what a request costs nobody is faster, so the word is explained there.
pub fn verdict(verdict: Option<Verdict>, metric: Metric) -> &'static str {
    match (verdict, metric) {
        (Some(Verdict::Faster), Metric::CpuUsPerRequest) => "faster: spends less",
        (Some(Verdict::Slower), Metric::CpuUsPerRequest) => "slower: spends more",
        (Some(Verdict::Faster), _) => "faster",
        (Some(Verdict::Slower), _) => "slower",
        (Some(Verdict::NoDifference), _) => "no difference shown",
        (Some(Verdict::NotComparable), _) => "not comparable",
        (None, _) => "–",
    }
}
