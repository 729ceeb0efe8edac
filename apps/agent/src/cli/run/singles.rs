//! Single requests in a closed loop that are timed to the first byte: they have that time and no rank, as on the pages
//! (packages/domain/src/run/first-byte.ts has the same words).

use rigmark_stats::sentence::number;
use rigmark_stats::summary::{EntrySummary, PercentileSummary, ScenarioSummary};
use rigmark_stats::{InputError, Summary, summarise};
use serde_json::{Value, json};

use crate::protocol::journal::Plan;
use crate::protocol::spec::{JudgedBy, LatencyUntil, Load, Scenario};
use crate::runner::summary::Collected;

/// Why it is not ranked.
pub const SINGLE_REQUESTS: &str = "single requests in a closed loop: not ranked";
/// What the pages call the time that stands in place of what ranks.
const FIRST_BYTE: &str = "first_byte_p50_us";

/// At a fixed rate such times rank as others do, and what a request costs the server ranks under any load.
pub fn is_unranked(scenario: &Scenario) -> bool {
    scenario.latency_until == Some(LatencyUntil::FirstByte)
        && scenario.judged_by != Some(JudgedBy::CpuUsPerRequest)
        && matches!(scenario.load, Load::Closed { .. } | Load::Count { .. })
}

fn holds(plan: &Plan, id: &str) -> bool {
    plan.scenarios.iter().any(|s| s.id == id && is_unranked(s))
}

/// The summary of a run as it is shown. What ranks is summed up without the others: these widen no interval, and win
/// nothing for anybody. `None` before there was a plan.
pub fn summary(run: &Collected) -> Option<Result<Summary, InputError>> {
    let plan = run.plan.as_ref()?;
    if !plan.scenarios.iter().any(is_unranked) {
        return run.summary();
    }
    let input = run.input()?;
    let summed = |single: bool| {
        let mut part = input.clone();
        part.scenarios.retain(|s| holds(plan, &s.id) == single);
        part.trials.retain(|t| holds(plan, &t.scenario) == single);
        summarise(&part)
    };
    let both = summed(false).and_then(|ranked| Ok((ranked, summed(true)?)));
    Some(both.map(|(ranked, singles)| together(plan, ranked, singles.scenarios)))
}

/// The summary as `--json` has it: the metric of what is not ranked is the pages' one.
pub fn written(plan: Option<&Plan>, summary: Option<&Summary>) -> Value {
    let mut value = json!(summary);
    let (Some(plan), Some(scenarios)) = (plan, value["scenarios"].as_array_mut()) else {
        return value;
    };
    for scenario in scenarios {
        if scenario["scenario"].as_str().is_some_and(|id| holds(plan, id)) {
            scenario["metric"] = FIRST_BYTE.into();
        }
    }
    value
}

/// Both, in the order of the plan; the verdict of the run is that of what ranks, and says what it leaves out.
fn together(plan: &Plan, mut ranked: Summary, singles: Vec<ScenarioSummary>) -> Summary {
    let (some_rank, n) = (!ranked.scenarios.is_empty(), singles.len());
    let place = |s: &ScenarioSummary| plan.scenarios.iter().position(|p| p.id == s.scenario);
    ranked
        .scenarios
        .extend(singles.into_iter().map(|single| unranked(plan, single)));
    ranked.scenarios.sort_by_key(place);
    if some_rank {
        let scenarios = if n == 1 { "scenario" } else { "scenarios" };
        ranked.sentence = format!("{} Not ranked: {n} {scenarios} of single requests.", ranked.sentence);
        ranked.sentence_zh = format!("{}另有 {n} 个单个请求的场景不排名。", ranked.sentence_zh);
    } else if let Some(first) = ranked.scenarios.first() {
        let title = place(first).map_or("", |at| plan.scenarios[at].title.as_str());
        (ranked.sentence, ranked.sentence_zh) = match n {
            1 => (first.sentence.clone(), first.sentence_zh.clone()),
            _ => (
                format!(
                    "There is no verdict in any of {n} scenarios. {title}: {}",
                    first.sentence
                ),
                format!("{n} 个场景都没有结论。{title}：{}", first.sentence_zh),
            ),
        };
    }
    ranked
}

/// The same scenario by its times to the first byte, in the order of the plan.
fn unranked(plan: &Plan, mut found: ScenarioSummary) -> ScenarioSummary {
    let mut told: Vec<(&str, EntrySummary)> = Vec::new();
    for planned in &plan.entries {
        if let Some(at) = found.entries.iter().position(|e| e.entry_key == planned.key) {
            let label = planned.label.as_str();
            told.push((label, by_its_time(label, found.entries.swap_remove(at))));
        }
    }
    let timed = |e: &EntrySummary| e.unranked_reason.as_deref() == Some(SINGLE_REQUESTS);
    let times: Vec<String> = told
        .iter()
        .filter(|(_, e)| timed(e))
        .filter_map(|(label, e)| Some(format!("{label} {}", number::time(median(e)?))))
        .collect();
    let others = || told.iter().filter(|(_, e)| !timed(e)).map(|(_, e)| e);
    let mut said: Vec<String> = others().map(|e| e.sentence.clone()).collect();
    let mut said_zh: Vec<String> = others().map(|e| e.sentence_zh.clone()).collect();
    if !times.is_empty() {
        said.insert(0, format!("Median time to the first byte: {}.", times.join(", ")));
        said_zh.insert(0, format!("首字节时间的中位数：{}。", times.join("，")));
    }
    said.push("Single requests in a closed loop are not ranked.".to_owned());
    said_zh.push("闭环中的单个请求不排名。".to_owned());
    found.winner_key = None;
    found.no_winner = Some(SINGLE_REQUESTS.to_owned());
    found.no_verdict = None;
    (found.sentence, found.sentence_zh) = (said.join(" "), said_zh.concat());
    found.entries = told.into_iter().map(|(_, entry)| entry).collect();
    found
}

/// An entry with its time alone: nobody is first, and nothing is said that was found for the rate.
fn by_its_time(label: &str, mut entry: EntrySummary) -> EntrySummary {
    let time = median(&entry).map(number::time);
    let none = || {
        let note = p50(&entry).and_then(|p| p.note.as_deref());
        format!("p50 {}", note.unwrap_or("unknown"))
    };
    let told = match (&entry.unranked_reason, &time) {
        (Some(reason), _) => Err(reason.clone()),
        (None, Some(time)) => Ok(time),
        (None, None) => Err(none()),
    };
    (entry.sentence, entry.sentence_zh) = match &told {
        Ok(time) => (
            format!("{label}: {time} to the first byte, the median of single requests; not ranked."),
            format!("{label}：首字节时间 {time}（单个请求的中位数），不排名。"),
        ),
        Err(reason) => {
            let reason = reason.trim_end_matches(['.', '。']);
            (
                format!("{label} has no time to the first byte that counts: {reason}."),
                format!("{label} 没有可用的首字节时间：{reason}。"),
            )
        }
    };
    entry.unranked_reason = Some(told.map_or_else(|reason| reason, |_| SINGLE_REQUESTS.to_owned()));
    (entry.rank, entry.rank_to) = (None, None);
    entry.shared_ceiling = false;
    entry.ratio = None;
    entry.verdict = None;
    entry.effect = None;
    entry.outliers = None;
    entry
}

fn p50(entry: &EntrySummary) -> Option<&PercentileSummary> {
    entry.percentiles.iter().find(|p| p.p == 50.0)
}

fn median(entry: &EntrySummary) -> Option<f64> {
    Some(p50(entry)?.us?.median)
}
