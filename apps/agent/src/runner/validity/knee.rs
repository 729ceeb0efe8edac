//! What a search for a rate means for its trial. Pure.

use rigmark_stats::percentile::P99_MAY_LOSE;

use crate::protocol::result::{KneeEnd, KneeSearch, KneeStep, Limit, Reason, Resources, ToolResult};
use crate::runner::validity::bottleneck::SATURATED;
use crate::runner::validity::judgment::Judgment;
use crate::text::reason;

const BELOW_START: &str = "knee-below-start";
const UNCONFIRMED: &str = "knee-unconfirmed";

/// The search was carried out and found no rate: a result about the server on this host, although there is no number.
pub fn found_none(reasons: &[Reason]) -> bool {
    matches!(reasons, [only] if [BELOW_START, UNCONFIRMED].contains(&only.code.as_str()))
}

/// The counters are of all steps and the requests of the last one: a quotient of the two would be nobody's.
pub fn resources(result: Option<&ToolResult>, of: Resources) -> Resources {
    if result.is_none_or(|r| r.knee.is_none()) {
        return of;
    }
    Resources {
        server_cpu_us: None,
        tool_cpu_us: None,
        server_context_switches: None,
        loopback_bytes: None,
        energy_uj: None,
        counters: Default::default(),
        ..of
    }
}

/// Of a search without a rate there is no result; how it went is in the reason and in the tool's own output.
pub fn kept(result: ToolResult) -> Option<ToolResult> {
    let rate = result.knee.as_ref().is_none_or(KneeSearch::has_rate);
    rate.then_some(result)
}

/// What the server used in each step, from its CPU time at the begin and after each of them. The last may have been missed,
/// because the tool ended with it: `after` is it then. With any other number of readings nobody can say whose they are.
pub fn server_cores(search: &mut KneeSearch, cpu_us: &[Option<u64>], after: Option<u64>) {
    let steps = search.steps.len();
    let last = (cpu_us.len() == steps).then_some(after);
    let readings: Vec<Option<u64>> = cpu_us.iter().copied().chain(last).collect();
    if readings.len() != steps + 1 {
        return;
    }
    for (step, edges) in search.steps.iter_mut().zip(readings.windows(2)) {
        let cpu_us = edges[0].zip(edges[1]).and_then(|(before, now)| now.checked_sub(before));
        step.server_cores = cpu_us.map(|us| us as f64 / 1e6 / step.duration_s);
    }
}

/// Who was the bottleneck of the rate that was found: whoever made the lowest rate above it fail. Where the search was not
/// let higher, that was nobody's, and the rate is a bound like that of a tool at its limit.
pub fn limit(search: &KneeSearch, server_cpus: f64) -> Option<Limit> {
    match search.end {
        KneeEnd::BelowStart | KneeEnd::Unconfirmed => None,
        KneeEnd::AboveMost => Some(Limit::GeneratorBound),
        KneeEnd::Found => {
            let failed = failed(search);
            let full = |s: &&KneeStep| s.server_cores.is_some_and(|cores| cores >= SATURATED * server_cpus);
            if failed.iter().any(|step| is_tools(step, server_cpus)) {
                Some(Limit::GeneratorBound)
            } else if failed.iter().any(full) {
                Some(Limit::ServerBound)
            } else {
                let known = failed.iter().all(|s| s.server_cores.is_some()) && !failed.is_empty();
                known.then_some(Limit::NothingSaturated)
            }
        }
    }
}

/// The steps that failed at the lowest rate above the one that was found. A rate that failed once and then held did not fail:
/// that was a pause.
fn failed(search: &KneeSearch) -> Vec<&KneeStep> {
    let found = search.steps.last().map_or(0, |s| s.rate_per_s);
    let last_held = |rate| {
        search
            .steps
            .iter()
            .rfind(|s| s.rate_per_s == rate)
            .is_some_and(|s| s.held)
    };
    let above = || {
        let steps = search.steps.iter();
        steps.filter(|s| !s.held && s.rate_per_s > found && !last_held(s.rate_per_s))
    };
    let lowest = above().map(|s| s.rate_per_s).min();
    above().filter(|s| Some(s.rate_per_s) == lowest).collect()
}

/// Moments were missed though the server had cores left, or nobody knows whether it had.
fn is_tools(step: &KneeStep, server_cpus: f64) -> bool {
    let missed = step.unsent_ratio.is_some_and(|unsent| unsent > P99_MAY_LOSE);
    missed && step.server_cores.is_none_or(|cores| cores < SATURATED * server_cpus)
}

/// Labels and reasons; who was the bottleneck is the result.
pub fn check(knee: &KneeSearch, server_cpus: f64, judgment: &mut Judgment) -> Option<Limit> {
    let limit = limit(knee, server_cpus);
    let bound_ms = f64::from(knee.p99_bound_us) / 1e3;
    let first = knee.steps.first().map_or(0, |s| s.rate_per_s);
    let last = knee.steps.last();
    let rate = last.map_or(0, |s| s.rate_per_s);
    let shown = last.map_or_else(String::new, |s| {
        let p99 = s.p99_us.map(|us| format!("p99 was {:.3} ms", us / 1e3));
        let lost = s.lost_ratio.map(|lost| format!("{:.2} % were lost", lost * 100.0));
        [p99, lost].into_iter().flatten().collect::<Vec<_>>().join(", ")
    });
    match knee.end {
        KneeEnd::Found => judgment.labels.push(reason(
            "knee",
            &format!(
                "{rate} requests/s is the highest rate that kept p99 within {bound_ms} ms, known to 5 %, after {} steps from {first} a second on; the other figures are those of its last step.",
                knee.steps.len()
            ),
        )),
        KneeEnd::AboveMost => judgment.labels.push(reason(
            "knee-above-most",
            &format!("{rate} requests/s is the highest rate that was tried, and it kept p99 within {bound_ms} ms: the knee is above it."),
        )),
        KneeEnd::BelowStart => refuse(
            judgment,
            BELOW_START,
            &format!("Even the first rate of {first} requests/s did not hold with p99 within {bound_ms} ms and at most 0.1 % lost ({shown}); begin at a lower one."),
        ),
        KneeEnd::Unconfirmed => refuse(
            judgment,
            UNCONFIRMED,
            &format!("No rate held with p99 within {bound_ms} ms and at most 0.1 % lost for longer than a step (at {rate} requests/s {shown}): this host is too noisy for that bound."),
        ),
    }
    if let (KneeEnd::Found, Some(Limit::GeneratorBound)) = (knee.end, limit) {
        judgment
            .labels
            .extend(failed(knee).into_iter().find(|s| is_tools(s, server_cpus)).map(missed));
    }
    limit
}

fn missed(step: &KneeStep) -> Reason {
    let cores = step.server_cores.map_or_else(
        || "what the server used is not known".to_owned(),
        |cores| format!("the server used {cores:.2} cores"),
    );
    reason(
        "knee-tool-bound",
        &format!(
            "At {} requests/s the tool sent {:.2} % late or not at all, and {cores}: the knee is at least the rate that was found.",
            step.rate_per_s,
            step.unsent_ratio.unwrap_or_default() * 100.0
        ),
    )
}

/// What the host did meanwhile stays beside it: then nobody knows whether the server would have held a rate.
fn refuse(judgment: &mut Judgment, code: &str, message: &str) {
    judgment.invalidate(reason(code, message));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::result::TrialStatus;

    fn judged(end: KneeEnd) -> (TrialStatus, Vec<(String, String)>, usize) {
        judged_beside(Vec::new(), end)
    }

    fn judged_beside(reasons: Vec<Reason>, end: KneeEnd) -> (TrialStatus, Vec<(String, String)>, usize) {
        let step = KneeStep {
            rate_per_s: 1000,
            duration_s: 1.0,
            p99_us: Some(3210.0),
            lost_ratio: Some(0.0125),
            unsent_ratio: Some(0.0),
            server_cores: None,
            held: false,
        };
        let search = KneeSearch {
            end,
            p99_bound_us: 1500,
            steps: vec![step.clone(), step],
        };
        let mut judgment = Judgment {
            status: TrialStatus::Valid,
            reasons,
            labels: Vec::new(),
            limit: None,
        };
        check(&search, 1.0, &mut judgment);
        let told = judgment.reasons.iter().chain(&judgment.labels);
        let told = told.map(|r| (r.code.clone(), r.message.clone())).collect();
        (judgment.status, told, judgment.labels.len())
    }

    #[test]
    fn without_a_rate_the_one_reason_is_that() {
        let (status, told, labels) = judged(KneeEnd::BelowStart);
        assert_eq!((status, told.len(), labels), (TrialStatus::Invalid, 1, 0));
        assert_eq!(told[0].0, "knee-below-start");
        assert_eq!(
            told[0].1,
            "Even the first rate of 1000 requests/s did not hold with p99 within 1.5 ms and at most 0.1 % lost (p99 was 3.210 ms, 1.25 % were lost); begin at a lower one."
        );
        assert_eq!(judged(KneeEnd::Unconfirmed).1[0].0, "knee-unconfirmed");
    }

    #[test]
    fn what_the_host_did_stays_beside_it_and_then_it_is_no_answer() {
        let (status, told, _) = judged_beside(vec![reason("throttled", "")], KneeEnd::BelowStart);
        let codes: Vec<&str> = told.iter().map(|(code, _)| code.as_str()).collect();
        assert_eq!((status, codes), (TrialStatus::Invalid, vec![BELOW_START, "throttled"]));
        let reasons: Vec<Reason> = told.iter().map(|(code, message)| reason(code, message)).collect();
        assert!(!found_none(&reasons));
    }

    #[test]
    fn a_search_without_a_rate_is_told_from_a_trial_that_failed() {
        let none = |codes: &[&str]| found_none(&codes.iter().map(|code| reason(code, "")).collect::<Vec<_>>());
        assert!(none(&[BELOW_START]) && none(&[UNCONFIRMED]));
        assert!(!none(&[]) && !none(&["errors"]) && !none(&["verification", BELOW_START]));
    }

    fn step(rate_per_s: u32, held: bool, unsent_ratio: f64, server_cores: Option<f64>) -> KneeStep {
        KneeStep {
            rate_per_s,
            duration_s: 1.0,
            p99_us: Some(900.0),
            lost_ratio: Some(0.0),
            unsent_ratio: Some(unsent_ratio),
            server_cores,
            held,
        }
    }

    /// 8,000 a second held, and 16,000 before it and 8,400 did not, the latter with this.
    fn found(unsent_ratio: f64, server_cores: Option<f64>) -> KneeSearch {
        KneeSearch {
            end: KneeEnd::Found,
            p99_bound_us: 1000,
            steps: vec![
                step(8000, true, 0.0, Some(0.4)),
                step(16_000, false, 0.5, Some(0.99)),
                step(8400, false, unsent_ratio, server_cores),
                step(8000, true, 0.0, Some(0.4)),
            ],
        }
    }

    #[test]
    fn who_made_the_lowest_rate_above_fail_was_the_limit() {
        let of = |unsent, cores| limit(&found(unsent, cores), 1.0);
        assert_eq!(of(0.2, Some(0.95)), Some(Limit::ServerBound));
        assert_eq!(of(0.2, Some(0.5)), Some(Limit::GeneratorBound));
        assert_eq!(of(0.2, None), Some(Limit::GeneratorBound));
        // The server's own latency: it waited for something.
        assert_eq!(of(0.0005, Some(0.5)), Some(Limit::NothingSaturated));
        assert_eq!(of(0.0, None), None);
        // Of more cores than that.
        assert_eq!(limit(&found(0.2, Some(0.95)), 2.0), Some(Limit::GeneratorBound));
    }

    #[test]
    fn a_pause_at_a_rate_that_then_held_limits_nothing() {
        let mut search = found(0.0, Some(0.95));
        search.steps.insert(0, step(8200, false, 0.4, Some(0.1)));
        search.steps.insert(1, step(8200, true, 0.0, Some(0.4)));
        assert_eq!(limit(&search, 1.0), Some(Limit::ServerBound));
    }

    #[test]
    fn a_search_that_was_not_let_higher_gives_a_bound() {
        let above = KneeSearch {
            end: KneeEnd::AboveMost,
            ..found(0.0, Some(0.5))
        };
        assert_eq!(limit(&above, 1.0), Some(Limit::GeneratorBound));
        let none = KneeSearch {
            end: KneeEnd::Unconfirmed,
            ..above
        };
        assert_eq!(limit(&none, 1.0), None);
    }

    #[test]
    fn each_step_has_the_cores_that_the_server_used_meanwhile() {
        let cores = |readings: &[u64], after: u64| {
            let mut search = found(0.0, None);
            search.steps.iter_mut().for_each(|s| s.server_cores = None);
            let readings: Vec<Option<u64>> = readings.iter().map(|us| Some(*us)).collect();
            server_cores(&mut search, &readings, Some(after));
            search.steps.iter().map(|s| s.server_cores).collect::<Vec<_>>()
        };
        let wanted = [Some(0.5), Some(1.0), Some(0.75), Some(0.25)];
        assert_eq!(
            cores(&[100_000, 600_000, 1_600_000, 2_350_000, 2_600_000], 9_999_999),
            wanted
        );
        assert_eq!(cores(&[100_000, 600_000, 1_600_000, 2_350_000], 2_600_000), wanted);
        // One was missed: whose is the rest?
        assert_eq!(cores(&[100_000, 600_000, 2_350_000], 2_600_000), [None; 4]);
        // A counter that goes back is no time.
        assert_eq!(cores(&[100_000, 50_000, 1_050_000, 1_800_000, 2_050_000], 0)[0], None);
    }

    #[test]
    fn a_rate_has_a_label_that_says_how_far_it_goes() {
        for (end, code) in [(KneeEnd::Found, "knee"), (KneeEnd::AboveMost, "knee-above-most")] {
            let (status, told, labels) = judged(end);
            assert_eq!((status, told[0].0.as_str(), labels), (TrialStatus::Valid, code, 1));
        }
    }
}
