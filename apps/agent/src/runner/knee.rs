//! What a search for a rate means for its trial. Pure.

use super::judge::Judgement;
use super::text::reason;
use crate::protocol::result::{KneeEnd, KneeSearch, Resources, ToolResult, TrialStatus};

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
        ..of
    }
}

/// Of a search without a rate there is no result; how it went is in the reason and in the tool's own output.
pub fn kept(result: ToolResult) -> Option<ToolResult> {
    let rate = result.knee.as_ref().is_none_or(KneeSearch::has_rate);
    rate.then_some(result)
}

pub fn check(knee: &KneeSearch, judgement: &mut Judgement) {
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
        KneeEnd::Found => judgement.labels.push(reason(
            "knee",
            &format!(
                "{rate} requests/s is the highest rate that kept p99 within {bound_ms} ms, known to 5 %, after {} steps from {first} a second on; the other figures are those of its last step.",
                knee.steps.len()
            ),
        )),
        KneeEnd::AboveMost => judgement.labels.push(reason(
            "knee-above-most",
            &format!("{rate} requests/s is the highest rate that was tried, and it kept p99 within {bound_ms} ms: the knee is above it."),
        )),
        KneeEnd::BelowStart => refuse(
            judgement,
            "knee-below-start",
            &format!("Even the first rate of {first} requests/s did not hold with p99 within {bound_ms} ms and at most 0.1 % lost ({shown}); begin at a lower one."),
        ),
        KneeEnd::Unconfirmed => refuse(
            judgement,
            "knee-unconfirmed",
            &format!("No rate held with p99 within {bound_ms} ms and at most 0.1 % lost for longer than a step (at {rate} requests/s {shown}): this host is too noisy for that bound."),
        ),
    }
}

/// It is the reason that tables show, so it is the first.
fn refuse(judgement: &mut Judgement, code: &str, message: &str) {
    judgement.status = TrialStatus::Invalid;
    judgement.reasons = vec![reason(code, message)];
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::result::KneeStep;

    fn judged(end: KneeEnd) -> (TrialStatus, Vec<(String, String)>, usize) {
        let step = KneeStep {
            rate_per_s: 1000,
            duration_s: 1.0,
            p99_us: Some(3210.0),
            lost_ratio: Some(0.0125),
            held: false,
        };
        let search = KneeSearch {
            end,
            p99_bound_us: 1500,
            steps: vec![step.clone(), step],
        };
        let mut judgement = Judgement {
            status: TrialStatus::Invalid,
            reasons: vec![reason("errors", "Many requests failed.")],
            labels: Vec::new(),
            limit: None,
        };
        if search.has_rate() {
            (judgement.status, judgement.reasons) = (TrialStatus::Valid, Vec::new());
        }
        check(&search, &mut judgement);
        let told = judgement.reasons.iter().chain(&judgement.labels);
        let told = told.map(|r| (r.code.clone(), r.message.clone())).collect();
        (judgement.status, told, judgement.labels.len())
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
    fn a_rate_has_a_label_that_says_how_far_it_goes() {
        for (end, code) in [(KneeEnd::Found, "knee"), (KneeEnd::AboveMost, "knee-above-most")] {
            let (status, told, labels) = judged(end);
            assert_eq!((status, told[0].0.as_str(), labels), (TrialStatus::Valid, code, 1));
        }
    }
}
