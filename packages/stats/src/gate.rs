//! What a run has to hold so that a script may go on: the gate of `--fail-on`. It looks at intervals, never at estimates: a
//! margin counts as passed when the whole interval lies beyond it.

use std::fmt;
use std::str::FromStr;

use crate::sentence::change::Change;
use crate::sentence::list;
use crate::summary::{EntrySummary, Metric, Ratio, ScenarioSummary, Summary, UnrankedCode, Verdict};

/// Margins of 100 % and more mean nothing for a rate.
const LARGEST: f64 = 0.99;

/// Rules, at most one for each subject.
#[derive(Debug, Clone, PartialEq)]
pub struct Gate {
    rules: Vec<Rule>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Rule {
    of: Subject,
    /// A ratio: 0.03 allows 3 %.
    margin: f64,
}

/// Which scenarios a rule is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subject {
    /// All that no other rule is about.
    Any,
    Of(Metric),
}

const SUBJECTS: [(&str, Subject); 4] = [
    ("slower", Subject::Any),
    ("rate", Subject::Of(Metric::RequestsPerS)),
    ("p99", Subject::Of(Metric::P99Us)),
    ("cpu", Subject::Of(Metric::CpuUsPerRequest)),
];

/// An entry that does not pass.
#[derive(Debug, Clone, PartialEq)]
pub struct Unmet {
    pub scenario: String,
    pub entry_key: String,
    pub why: UnmetReason,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum UnmetReason {
    /// The verdict is slower, and the whole interval lies beyond the margin, a ratio such as 0.03.
    Slower { margin: f64 },
    /// Its responses are wrong, so that nothing is known of its speed.
    FailedVerification,
}

/// What became of a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Met,
    NotMet,
    /// Nobody was shown not to pass, and a comparison that the gate is about has no verdict.
    Open,
}

/// Whether there is something to say about a change: a verdict of faster or slower, or wrong responses.
#[must_use]
pub fn changed(summary: &Summary, baseline_key: &str) -> bool {
    compared(summary, baseline_key).any(|(_, entry)| {
        let differs = matches!(entry.verdict, Some(Verdict::Faster | Verdict::Slower));
        differs || entry.unranked_code == Some(UnrankedCode::FailedVerification)
    })
}

fn compared<'a>(
    summary: &'a Summary,
    baseline_key: &'a str,
) -> impl Iterator<Item = (&'a ScenarioSummary, &'a EntrySummary)> {
    let entries = summary
        .scenarios
        .iter()
        .flat_map(|s| s.entries.iter().map(move |e| (s, e)));
    entries.filter(move |(_, e)| e.entry_key != baseline_key)
}

impl Gate {
    /// What became of it, for a check that passes, fails or does neither.
    #[must_use]
    pub fn outcome(&self, summary: &Summary, baseline_key: &str) -> Outcome {
        if !self.unmet(summary, baseline_key).is_empty() {
            return Outcome::NotMet;
        }
        let gated: Vec<&EntrySummary> = compared(summary, baseline_key)
            .filter(|(scenario, _)| self.margin(scenario.metric).is_some())
            .map(|(_, entry)| entry)
            .collect();
        let open = |e: &&EntrySummary| matches!(e.verdict, None | Some(Verdict::NotComparable));
        if gated.is_empty() || gated.iter().any(open) {
            Outcome::Open
        } else {
            Outcome::Met
        }
    }

    /// Who does not pass. Without a verdict nobody is slower. Wrong responses pass under no scenario, also where no rule is about
    /// its metric. A baseline whose responses are wrong holds nobody up.
    #[must_use]
    pub fn unmet(&self, summary: &Summary, baseline_key: &str) -> Vec<Unmet> {
        let of = |(scenario, entry): (&ScenarioSummary, &EntrySummary)| {
            Some(Unmet {
                scenario: scenario.scenario.clone(),
                entry_key: entry.entry_key.clone(),
                why: why(scenario.metric, entry, self.margin(scenario.metric))?,
            })
        };
        compared(summary, baseline_key).filter_map(of).collect()
    }

    fn margin(&self, metric: Metric) -> Option<f64> {
        let rule = |of| self.rules.iter().find(|rule| rule.of == of);
        let rule = rule(Subject::Of(metric)).or_else(|| rule(Subject::Any));
        rule.filter(|_| metric.ranks()).map(|rule| rule.margin)
    }

    /// In one sentence why the gate is not met; `None` when it is. `label` says what an entry is called.
    #[must_use]
    pub fn broken(&self, summary: &Summary, baseline_key: &str, label: impl Fn(&str) -> String) -> Option<String> {
        let base = label(baseline_key);
        let unmet = self.unmet(summary, baseline_key);
        let parts: Vec<String> = unmet.iter().map(|unmet| part(unmet, summary, &base, &label)).collect();
        (!parts.is_empty()).then(|| format!("--fail-on {self} failed: {}.", list(&parts)))
    }
}

/// `in scenario static-1k-ab, head is 3.1 % slower than base (95 % interval 2.2 to 4.0 %)`.
fn part(unmet: &Unmet, summary: &Summary, base: &str, label: &impl Fn(&str) -> String) -> String {
    let (under, name) = (&unmet.scenario, label(&unmet.entry_key));
    let scenario = summary.scenarios.iter().find(|s| s.scenario == unmet.scenario);
    let found = scenario.and_then(|s| Some((s.metric, s.entries.iter().find(|e| e.entry_key == unmet.entry_key)?)));
    match (unmet.why, found) {
        (UnmetReason::Slower { .. }, Some((metric, entry))) => {
            let (name, baseline) = (name.as_str(), base);
            let said = Change {
                metric,
                entry,
                name,
                baseline,
            }
            .sentence();
            format!("in scenario {under}, {}", said.trim_end_matches('.'))
        }
        (UnmetReason::Slower { .. }, None) => format!("in scenario {under}, {name} is slower than {base}"),
        (UnmetReason::FailedVerification, _) => format!("in scenario {under}, {name} gave wrong responses"),
    }
}

fn why(metric: Metric, entry: &EntrySummary, margin: Option<f64>) -> Option<UnmetReason> {
    if entry.unranked_code == Some(UnrankedCode::FailedVerification) {
        return Some(UnmetReason::FailedVerification);
    }
    let margin = margin?;
    let slower = entry.verdict == Some(Verdict::Slower);
    let ratio = entry.ratio.filter(|_| slower)?;
    beyond(metric, &ratio, margin).then_some(UnmetReason::Slower { margin })
}

fn beyond(metric: Metric, ratio: &Ratio, margin: f64) -> bool {
    if metric.more_is_better() {
        ratio.high < 1.0 - margin
    } else {
        ratio.low > 1.0 + margin
    }
}

impl FromStr for Gate {
    type Err = String;

    /// `slower`, `slower:3%`, `p99:10%`, `cpu:2%`, `rate:3%`, or several of them with commas.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut rules: Vec<Rule> = Vec::new();
        for word in text.split(',').map(str::trim) {
            let rule = Rule::from_str(word)?;
            if rules.iter().any(|other| other.of == rule.of) {
                return Err(format!("{word:?} says twice what counts as slower; keep one of them"));
            }
            rules.push(rule);
        }
        Ok(Self { rules })
    }
}

impl FromStr for Rule {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let (name, margin) = word
            .split_once(':')
            .map_or((word, None), |(name, margin)| (name, Some(margin)));
        let known = SUBJECTS.iter().find(|(known, _)| *known == name);
        let (_, of) = known.ok_or_else(|| {
            format!("{word:?} is no rule; write slower, slower:3%, rate:3%, p99:10% or cpu:2%, several with commas")
        })?;
        let margin = margin.map_or(Ok(0.0), |margin| {
            part_of_one(margin).ok_or_else(|| format!("{margin:?} is no margin; write it like 3% or 0.03, at most 99%"))
        })?;
        Ok(Self { of: *of, margin })
    }
}

/// `3%` and `0.03` as 0.03.
fn part_of_one(text: &str) -> Option<f64> {
    let text = text.trim();
    let (number, divisor) = text.strip_suffix('%').map_or((text, 1.0), |n| (n.trim_end(), 100.0));
    let value = number.parse::<f64>().ok()? / divisor;
    (0.0..=LARGEST).contains(&value).then_some(value)
}

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.rules.iter().map(Rule::to_string).collect();
        f.write_str(&words.join(","))
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = SUBJECTS
            .iter()
            .find(|(_, of)| *of == self.of)
            .map_or("", |(name, _)| *name);
        if self.margin == 0.0 {
            return f.write_str(name);
        }
        // 0.07 × 100 is 7.000000000000001.
        write!(f, "{name}:{}%", (self.margin * 1e8).round() / 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{FailedVerification, SummaryInput};
    use crate::summarize;
    use crate::testing::{bind, closed, costed, noisy, other, rated};

    fn broken(gate: &str, input: &SummaryInput) -> Option<String> {
        let gate: Gate = gate.parse().unwrap();
        gate.broken(&summarize(input).unwrap(), "base", str::to_owned)
    }

    /// Ten percent slower, with an interval of 7.7 to 13 %.
    fn slower() -> SummaryInput {
        closed(&[("base", &noisy(100.0, 7)), ("head", &other(90.0, 7))])
    }

    #[test]
    fn the_whole_interval_has_to_lie_beyond_the_margin() {
        for unmet in [
            "slower",
            "slower:3%",
            "slower:0.03",
            "slower:7.5%",
            "rate:3%",
            "p99:3%,slower",
        ] {
            assert!(broken(unmet, &slower()).is_some(), "{unmet}");
        }
        // The estimate is beyond 9 %, the interval is not.
        for met in [
            "slower:8%",
            "slower:9%",
            "slower:50%",
            "p99:3%",
            "cpu",
            "rate:20%,slower",
        ] {
            assert_eq!(broken(met, &slower()), None, "{met}");
        }
        assert_eq!(
            broken("slower:3%", &slower()).unwrap(),
            "--fail-on slower:3% failed: in scenario s, head is 10 % slower than base (95 % interval 7.7 to 13 %)."
        );
    }

    #[test]
    fn more_latency_and_more_processor_time_are_slower() {
        let [base, more, less] = [noisy(100.0, 7), other(112.0, 7), other(88.0, 7)];
        let p99 = |head: &[f64]| rated(&[("base", &base), ("head", head)]);
        let cpu = |head: &[f64]| costed(&[("base", &base), ("head", head)]);
        assert!(broken("slower:3%", &p99(&more)).is_some());
        assert!(broken("p99:3%", &p99(&more)).is_some());
        assert_eq!(broken("cpu:3%", &p99(&more)), None);
        assert!(broken("cpu:3%", &cpu(&more)).is_some());
        assert_eq!(broken("slower", &p99(&less)), None);
        assert_eq!(broken("slower", &cpu(&less)), None);
    }

    #[test]
    fn without_a_verdict_nobody_is_slower() {
        let four = closed(&[("base", &noisy(100.0, 4)), ("head", &other(50.0, 4))]);
        assert_eq!(broken("slower", &four), None);
        let mut bound = slower();
        bind(&mut bound, "head");
        assert_eq!(broken("slower", &bound), None);
    }

    #[test]
    fn wrong_responses_pass_no_gate() {
        let mut input = slower();
        input.failed_verification = vec![FailedVerification {
            entry_key: "head".to_owned(),
            scenario: None,
            reason: "GET / has another body.".to_owned(),
        }];
        assert_eq!(
            broken("slower:50%", &input).unwrap(),
            "--fail-on slower:50% failed: in scenario s, head gave wrong responses."
        );
        input.failed_verification[0].entry_key = "base".to_owned();
        // Who fixes what was wrong is not held up by it.
        assert_eq!(broken("slower", &input), None);
    }

    #[test]
    fn a_gate_without_a_verdict_is_open() {
        let outcome = |gate: &str, input: &SummaryInput| {
            let gate: Gate = gate.parse().unwrap();
            gate.outcome(&summarize(input).unwrap(), "base")
        };
        assert_eq!(outcome("slower", &slower()), Outcome::NotMet);
        assert_eq!(outcome("slower:20%", &slower()), Outcome::Met);
        assert_eq!(outcome("p99", &slower()), Outcome::Open);
        let four = closed(&[("base", &noisy(100.0, 4)), ("head", &other(50.0, 4))]);
        assert_eq!(outcome("slower", &four), Outcome::Open);
        assert_eq!(outcome("slower", &closed(&[("base", &noisy(100.0, 7))])), Outcome::Open);
    }

    #[test]
    fn a_difference_either_way_is_a_change() {
        let of = |level: f64| {
            let input = closed(&[("base", &noisy(100.0, 7)), ("head", &other(level, 7))]);
            changed(&summarize(&input).unwrap(), "base")
        };
        assert_eq!([80.0, 100.0, 120.0].map(of), [true, false, true]);
    }

    #[test]
    fn what_is_typed_comes_back() {
        for text in ["slower", "slower:3%", "slower:7%", "slower:2.5%,p99:10%", "cpu:2%,rate"] {
            assert_eq!(text.parse::<Gate>().unwrap().to_string(), text);
        }
        assert_eq!("slower:0.03".parse::<Gate>().unwrap().to_string(), "slower:3%");
        for wrong in [
            "",
            "faster",
            "slower:",
            "slower:-3%",
            "slower:100%",
            "slower:nan",
            "slower,slower:3%",
            "p99:x",
        ] {
            assert!(wrong.parse::<Gate>().is_err(), "{wrong}");
        }
    }
}
