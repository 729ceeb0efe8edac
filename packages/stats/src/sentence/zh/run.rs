//! The sentence about a whole run: of one scenario its verdict, of several how often each verdict was given.

use crate::input::SummaryInput;
use crate::sentence::label;
use crate::sentence::run::{Counts, NAMED, counted, of_cost, parts, title};
use crate::summary::ScenarioSummary;

/// The verdict on the run: of what ranks, and how much does not.
#[must_use]
pub fn sentence(input: &SummaryInput, scenarios: &[ScenarioSummary]) -> String {
    let (ranked, singles) = parts(scenarios);
    let n = singles.len();
    match (ranked.as_slice(), singles.as_slice()) {
        (ranked, []) => verdict(input, ranked),
        ([], [only]) => only.sentence_zh.clone(),
        ([], [first, ..]) => format!("{n} 个场景都没有结论。{}：{}", title(input, first), first.sentence_zh),
        (ranked, _) => format!("{}另有 {n} 个场景只发单个请求，不排名。", verdict(input, ranked)),
    }
}

fn verdict(input: &SummaryInput, scenarios: &[&ScenarioSummary]) -> String {
    let baseline = match (scenarios, input.baseline()) {
        ([], _) | (_, None) => return "没有进行任何测量。".to_owned(),
        ([only], _) => return only.sentence_zh.clone(),
        (_, Some(baseline)) => baseline,
    };
    let counts = counted(input, scenarios, baseline);
    if counts.iter().all(|c| c.given() == 0) {
        let shown = scenarios
            .first()
            .map_or(String::new(), |s| format!("{}：{}", title(input, s), s.sentence_zh));
        return format!("{} 个场景都没有结论。{shown}", scenarios.len());
    }
    let named = counts
        .iter()
        .take(NAMED)
        .map(|c| sentence_part(c, &label(input, c.key), scenarios));
    let more = match counts.len().saturating_sub(NAMED) {
        0 => None,
        n => Some(format!("另外比较了 {n} 个参赛项")),
    };
    let all: Vec<String> = named.chain(more).collect();
    format!(
        "在 {} 个场景中与 {} 相比：{}。",
        scenarios.len(),
        label(input, baseline),
        all.join("；")
    )
}

/// `epoll 2 个更快，1 个更慢，1 个没有结论`.
fn sentence_part(counts: &Counts<'_>, name: &str, scenarios: &[&ScenarioSummary]) -> String {
    let none = scenarios.len().saturating_sub(counts.given());
    let (more, less) = if of_cost(scenarios) {
        ("更好", "更差")
    } else {
        ("更快", "更慢")
    };
    let parts: Vec<String> = [
        (counts.faster, more),
        (counts.slower, less),
        (counts.same, "没有显示出差异"),
        (none, "没有结论"),
    ]
    .into_iter()
    .filter(|(n, _)| *n > 0)
    .map(|(n, what)| format!("{n} 个{what}"))
    .collect();
    format!("{name} {}", parts.join("，"))
}
