//! One entry in two runs on one host. What differs between two runs is more than the entry: the time of day, where a
//! process lands in memory, who else is busy. No interval of a single run has that in it, so it is taken from the host's
//! history: runs in which the very same build was measured under the same scenario in the same environment.
//!
//! Model: the log of a run's median is its entry's level plus noise of the standard deviation σ, the same for all entries
//! under a scenario on a host. σ is pooled over the entries of the history (one-way analysis of variance, R. A. Fisher,
//! Statistical Methods for Research Workers, 1925, chapter VII), with one degree of freedom less for each. The log of the
//! ratio of two new medians has the standard deviation σ√2, so its interval is d ± t σ√2 with Student's t for these
//! degrees of freedom. Holm's adjustment is over all pairs that are compared together.

use crate::holm;
use crate::math::{ln, positive};
use crate::ratio::{LogRatios, interval};
use crate::sentence;
use crate::summary::{Metric, Ratio, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Medians that differ by rounding alone say nothing about variation.
const NO_SPREAD: f64 = 1e-12;

/// Degrees of freedom that an interval needs: five runs of one unchanged entry give four.
pub const LEAST_DEGREES: u32 = 4;

#[derive(Debug, Clone, Deserialize)]
pub struct BetweenRunsInput {
    pub schema: u32,
    pub pairs: Vec<PairInput>,
    pub history: Vec<HistoryInput>,
}

/// An entry under a scenario in two runs on one host, `b` seen from `a`.
#[derive(Debug, Clone, Deserialize)]
pub struct PairInput {
    pub key: String,
    pub scenario: String,
    /// The host, as `history` calls it.
    pub host: String,
    pub metric: Metric,
    /// Medians of the metric, in its unit.
    pub a: Option<f64>,
    pub b: Option<f64>,
    /// The tool was the bottleneck of one of them, so its median is a bound.
    pub bound: bool,
    /// Whether both runs have the environment of the history.
    pub same_environment: bool,
}

/// Medians of one entry under one scenario, a run each: the same build, host and environment.
#[derive(Debug, Clone, Deserialize)]
pub struct HistoryInput {
    pub scenario: String,
    pub host: String,
    pub medians: Vec<f64>,
}

/// Why two runs have no verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoVerdictBetween {
    /// A metric that ranks nobody.
    NotRanked,
    NoFigure,
    ToolLimit,
    EnvironmentDiffers,
    TooLittleHistory,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BetweenRuns {
    pub schema: u32,
    pub pairs: Vec<PairSummary>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairSummary {
    pub key: String,
    /// Median of `b` ÷ median of `a`; `None` where one is unknown or a bound.
    pub ratio_of_medians: Option<f64>,
    /// The same with the interval that contains the variation between runs; `None` without a verdict.
    pub ratio: Option<Ratio>,
    pub verdict: Option<Verdict>,
    pub code: Option<NoVerdictBetween>,
    /// Runs of the history that the interval rests on; without a verdict the most that one build has.
    pub history_runs: u32,
    /// Why there is no verdict, and what to do; `None` with one.
    pub reason: Option<String>,
    pub reason_zh: Option<String>,
    pub sentence: String,
    pub sentence_zh: String,
}

/// How the medians of unchanged entries vary from run to run.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Variation {
    sd: f64,
    degrees: u32,
    runs: u32,
    /// Of the build with the most.
    most: u32,
}

/// Compares entries between runs. Odd numbers are no errors: they are treated as unknown.
#[must_use]
pub fn between_runs(input: &BetweenRunsInput) -> BetweenRuns {
    // One for all pairs of a scenario on a host.
    let mut variations: BTreeMap<(&str, &str), Option<Variation>> = BTreeMap::new();
    let mut judged: Vec<Result<(LogRatios, Variation), (NoVerdictBetween, u32)>> = Vec::new();
    for pair in &input.pairs {
        let found = variations
            .entry((pair.scenario.as_str(), pair.host.as_str()))
            .or_insert_with(|| variation(pair, &input.history));
        judged.push(judge(pair, *found));
    }
    let p: Vec<f64> = judged.iter().flatten().map(|(sample, _)| sample.p()).collect();
    let mut adjusted = holm::adjust(&p).into_iter();
    let pairs = input
        .pairs
        .iter()
        .zip(&judged)
        .map(|(pair, judged)| {
            let ratio_of_medians = ratio_of(pair);
            let (ratio, code, history_runs) = match judged {
                Ok((sample, variation)) => {
                    let factor = adjusted.next().map_or(1.0, |a| a.factor);
                    let ratio = interval(sample, factor).ok();
                    let code = ratio.is_none().then_some(NoVerdictBetween::TooLittleHistory);
                    (ratio, code, variation.runs)
                }
                Err((code, runs)) => (None, Some(*code), *runs),
            };
            let verdict = ratio.as_ref().map(|ratio| verdict(pair.metric, ratio));
            let mut summary = PairSummary {
                key: pair.key.clone(),
                ratio_of_medians,
                ratio,
                verdict,
                code,
                history_runs,
                reason: None,
                reason_zh: None,
                sentence: String::new(),
                sentence_zh: String::new(),
            };
            summary.reason = code.map(|code| sentence::between_runs::why(code, history_runs));
            summary.reason_zh = code.map(|code| sentence::zh::between_runs::why(code, history_runs));
            summary.sentence = sentence::between_runs::sentence(pair.metric, &summary);
            summary.sentence_zh = sentence::zh::between_runs::sentence(pair.metric, &summary);
            summary
        })
        .collect();
    BetweenRuns { schema: 1, pairs }
}

fn verdict(metric: Metric, ratio: &Ratio) -> Verdict {
    match (ratio.low > 1.0, ratio.high < 1.0) {
        (false, false) => Verdict::NoDifference,
        (above, _) if above == metric.more_is_better() => Verdict::Faster,
        _ => Verdict::Slower,
    }
}

fn ratio_of(pair: &PairInput) -> Option<f64> {
    if pair.bound {
        return None;
    }
    let ratio = positive(pair.b?)? / positive(pair.a?)?;
    positive(ratio)
}

/// The sample that the interval comes from, or why there is none and how many runs there were to take it from.
fn judge(pair: &PairInput, variation: Option<Variation>) -> Result<(LogRatios, Variation), (NoVerdictBetween, u32)> {
    let most = variation.map_or(0, |v| v.most);
    let no = |code| (code, most);
    if !pair.metric.ranks() {
        return Err(no(NoVerdictBetween::NotRanked));
    }
    if pair.bound {
        return Err(no(NoVerdictBetween::ToolLimit));
    }
    let ratio = ratio_of(pair).ok_or(no(NoVerdictBetween::NoFigure))?;
    if !pair.same_environment {
        return Err(no(NoVerdictBetween::EnvironmentDiffers));
    }
    let enough = variation.filter(|v| v.degrees >= LEAST_DEGREES && v.sd > NO_SPREAD);
    let found = enough.ok_or(no(NoVerdictBetween::TooLittleHistory))?;
    let sample = LogRatios {
        n: found.degrees + 1,
        mean: ln(ratio),
        error: found.sd * std::f64::consts::SQRT_2,
    };
    Ok((sample, found))
}

fn variation(pair: &PairInput, history: &[HistoryInput]) -> Option<Variation> {
    let (mut squares, mut degrees, mut runs, mut most) = (0.0, 0, 0, 0);
    let of = |h: &&HistoryInput| h.scenario == pair.scenario && h.host == pair.host;
    for entry in history.iter().filter(of) {
        let logs: Vec<f64> = entry.medians.iter().filter_map(|m| positive(*m)).map(ln).collect();
        let n = u32::try_from(logs.len()).ok()?;
        most = most.max(n);
        let Some(mean) = mean_of(&logs) else { continue };
        squares += logs.iter().map(|log| (log - mean) * (log - mean)).sum::<f64>();
        degrees += n - 1;
        runs += n;
    }
    let sd = (squares / f64::from(degrees.max(1))).sqrt();
    (most > 0 && sd.is_finite()).then_some(Variation {
        sd,
        degrees,
        runs,
        most,
    })
}

/// `None` for fewer than two values: they say nothing about variation.
fn mean_of(logs: &[f64]) -> Option<f64> {
    (logs.len() >= 2).then(|| logs.iter().sum::<f64>() / logs.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(a: f64, b: f64) -> PairInput {
        PairInput {
            key: "k".to_owned(),
            scenario: "s".to_owned(),
            host: "h".to_owned(),
            metric: Metric::RequestsPerS,
            a: Some(a),
            b: Some(b),
            bound: false,
            same_environment: true,
        }
    }

    fn history(medians: &[f64]) -> HistoryInput {
        HistoryInput {
            scenario: "s".to_owned(),
            host: "h".to_owned(),
            medians: medians.to_vec(),
        }
    }

    fn one(pair: PairInput, history: Vec<HistoryInput>) -> PairSummary {
        let input = BetweenRunsInput {
            schema: 1,
            pairs: vec![pair],
            history,
        };
        between_runs(&input).pairs.remove(0)
    }

    /// Standard deviation of the logs 0.02, five runs: t(4) at 97.5 % is 2.776, so the interval is ± 0.0785.
    fn two_percent() -> Vec<HistoryInput> {
        let logs = [-0.02, -0.02, 0.0, 0.02, 0.02];
        vec![history(&logs.map(|l: f64| 1000.0 * l.exp()))]
    }

    #[test]
    fn the_interval_has_the_variation_between_runs_in_it() {
        let found = one(pair(100.0, 120.0), two_percent());
        let ratio = found.ratio.unwrap();
        assert!((ratio.estimate - 1.2).abs() < 1e-9);
        let half = 2.776_445_1 * 0.02 * std::f64::consts::SQRT_2;
        assert!((ratio.low.ln() - (1.2_f64.ln() - half)).abs() < 1e-6, "{ratio:?}");
        assert!((ratio.high.ln() - (1.2_f64.ln() + half)).abs() < 1e-6, "{ratio:?}");
        assert_eq!(
            (found.verdict, found.code, found.history_runs),
            (Some(Verdict::Faster), None, 5)
        );
        assert_eq!(
            one(pair(100.0, 105.0), two_percent()).verdict,
            Some(Verdict::NoDifference)
        );
        assert_eq!(one(pair(100.0, 80.0), two_percent()).verdict, Some(Verdict::Slower));
    }

    #[test]
    fn less_latency_is_faster() {
        let mut slower = pair(100.0, 150.0);
        slower.metric = Metric::P99Us;
        assert_eq!(one(slower, two_percent()).verdict, Some(Verdict::Slower));
    }

    #[test]
    fn sentences_name_what_is_spent_and_the_other_runs() {
        let mut dearer = pair(100.0, 150.0);
        dearer.metric = Metric::CpuUsPerRequest;
        let found = one(dearer, two_percent());
        let says = |text: &str, begin: &str, end: &str| {
            assert!(text.starts_with(begin) && text.ends_with(end), "{text}");
        };
        says(
            &found.sentence,
            "Spends more: 1.50 × the CPU time per request of the other run (",
            ", which includes the variation between 5 other runs on this host).",
        );
        says(
            &found.sentence_zh,
            "花费更多：每个请求的 CPU 时间是另一次运行的 1.50 倍（",
            "，已计入这台主机另外 5 次运行之间的波动）。",
        );
    }

    #[test]
    fn variation_is_pooled_over_entries_and_not_over_scenarios_or_hosts() {
        let three = |level: f64| history(&[level, level * 1.01, level * 0.99]);
        assert_eq!(
            one(pair(1.0, 2.0), vec![three(10.0)]).code,
            Some(NoVerdictBetween::TooLittleHistory)
        );
        let pooled = one(pair(1.0, 2.0), vec![three(10.0), three(500.0)]);
        assert_eq!((pooled.verdict, pooled.history_runs), (Some(Verdict::Faster), 6));
        let (mut scenario, mut host) = (three(500.0), three(500.0));
        scenario.scenario = "another".to_owned();
        host.host = "another".to_owned();
        let alone = one(pair(1.0, 2.0), vec![three(10.0), scenario, host]);
        assert_eq!(alone.code, Some(NoVerdictBetween::TooLittleHistory));
    }

    #[test]
    fn every_obstacle_has_its_code_and_no_interval() {
        let of = |change: fn(&mut PairInput)| {
            let mut changed = pair(100.0, 120.0);
            change(&mut changed);
            let found = one(changed, two_percent());
            assert!(found.ratio.is_none() && found.verdict.is_none() && !found.sentence.is_empty());
            found.code.unwrap()
        };
        assert_eq!(of(|p| p.bound = true), NoVerdictBetween::ToolLimit);
        assert_eq!(of(|p| p.a = None), NoVerdictBetween::NoFigure);
        assert_eq!(of(|p| p.b = Some(f64::NAN)), NoVerdictBetween::NoFigure);
        assert_eq!(of(|p| p.same_environment = false), NoVerdictBetween::EnvironmentDiffers);
        assert_eq!(of(|p| p.metric = Metric::FirstByteP50Us), NoVerdictBetween::NotRanked);
        let still = one(pair(100.0, 120.0), vec![history(&[5.0; 9])]);
        assert_eq!(still.code, Some(NoVerdictBetween::TooLittleHistory));
    }

    #[test]
    fn more_pairs_make_wider_intervals() {
        let input = BetweenRunsInput {
            schema: 1,
            pairs: (0..10).map(|_| pair(100.0, 109.0)).collect(),
            history: two_percent(),
        };
        assert!(
            between_runs(&input)
                .pairs
                .iter()
                .all(|p| p.verdict == Some(Verdict::NoDifference))
        );
        assert_eq!(one(pair(100.0, 109.0), two_percent()).verdict, Some(Verdict::Faster));
    }

    /// Of 2,000 pairs without a difference, drawn as the model says, about 5 of 100 get a verdict.
    #[test]
    fn without_a_difference_one_in_twenty_has_a_verdict() {
        let mut state = 7_u64;
        let mut uniform = move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ((state >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
        };
        // Box and Muller.
        let mut median = move || {
            let (u, v) = (uniform(), uniform());
            1000.0 * (0.03 * (-2.0 * u.ln()).sqrt() * (2.0 * std::f64::consts::PI * v).cos()).exp()
        };
        let wrong = (0..2_000)
            .filter(|_| {
                let past: Vec<f64> = (0..6).map(|_| median()).collect();
                one(pair(median(), median()), vec![history(&past)]).verdict != Some(Verdict::NoDifference)
            })
            .count();
        assert!((70..=130).contains(&wrong), "{wrong} of 2000");
    }
}
