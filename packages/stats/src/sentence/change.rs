//! A ratio to the baseline as the change that it is: `head is 3.1 % slower than base (95 % interval 2.2 to 4.0 %).` For
//! whoever changed a server and asks what that did.

use super::number::{percent, ratio as times};
use super::tidy;
use crate::summary::{BoundSide, EntrySummary, Metric, Ratio, Verdict};

/// An entry that is not the baseline, and what both are called.
#[derive(Debug, Clone, Copy)]
pub struct Change<'a> {
    pub metric: Metric,
    pub entry: &'a EntrySummary,
    pub name: &'a str,
    pub baseline: &'a str,
}

impl Change<'_> {
    /// One sentence. Where the ratio is a bound, or there is no verdict from an interval, it is the entry's own.
    #[must_use]
    pub fn sentence(&self) -> String {
        let (name, base) = (tidy(self.name), tidy(self.baseline));
        match (self.entry.ratio, self.entry.verdict, self.entry.ratio_bound) {
            (Some(ratio), Some(Verdict::Faster | Verdict::Slower), None) => self.shown(&ratio, &name, &base),
            (Some(ratio), Some(Verdict::NoDifference), None) => format!(
                "No difference was shown between {name} and {base}: {} {} (95 % interval {} to {}).",
                match self.metric {
                    Metric::RequestsPerS => "requests per second differ by",
                    Metric::P99Us | Metric::FirstByteP50Us => "latency differs by",
                    Metric::CpuUsPerRequest => "CPU time per request differs by",
                },
                signed(ratio.estimate),
                number(&signed(ratio.low)),
                signed(ratio.high)
            ),
            _ => self.entry.sentence.clone(),
        }
    }

    /// For a cell: `−3.1 % (−4.0 to −2.2 %)`; `None` without a ratio. Of a bound only the end that is known.
    #[must_use]
    pub fn cell(&self) -> Option<String> {
        let ratio = self.entry.ratio?;
        let (low, high) = (signed(ratio.low), signed(ratio.high));
        Some(match self.entry.ratio_bound {
            None => format!("{} ({} to {high})", signed(ratio.estimate), number(&low)),
            Some(BoundSide::AtLeast) => format!("≥ {} ({low} or more)", signed(ratio.estimate)),
            Some(BoundSide::AtMost) => format!("≤ {} ({high} or less)", signed(ratio.estimate)),
        })
    }

    fn shown(&self, ratio: &Ratio, name: &str, base: &str) -> String {
        let (amount, interval) = size(ratio);
        match (self.metric, ratio.estimate > 1.0) {
            (Metric::RequestsPerS, true) if ratio.estimate >= FACTOR => {
                format!("{name} is {amount} as fast as {base} (95 % interval {interval}).")
            }
            (Metric::RequestsPerS, more) => {
                let word = if more { "faster" } else { "slower" };
                format!("{name} is {amount} {word} than {base} (95 % interval {interval}).")
            }
            (Metric::P99Us | Metric::FirstByteP50Us, more) => format!(
                "{name} is {} than {base}: its p99 latency is {amount} (95 % interval {interval}).",
                if more { "slower" } else { "faster" },
                amount = grown(&amount, more, ratio, ["higher", "lower", "as high"]),
            ),
            (Metric::CpuUsPerRequest, more) => format!(
                "{name} costs {} than {base}: it spends {amount} CPU time per request (95 % interval {interval}).",
                if more { "more" } else { "less" },
                amount = grown(&amount, more, ratio, ["more", "less", "as much"]),
            ),
        }
    }
}

/// From here on a difference is said as a factor.
const FACTOR: f64 = 2.0;

/// `3.1 %` and `2.2 to 4.0 %`, both without a sign; `2.50 ×` and `2.40 to 2.61 ×` from a factor of two on.
fn size(ratio: &Ratio) -> (String, String) {
    if ratio.estimate >= FACTOR {
        let interval = format!("{} to {} ×", times(ratio.low), times(ratio.high));
        return (format!("{} ×", times(ratio.estimate)), interval);
    }
    let (near, far) = if ratio.estimate > 1.0 {
        (ratio.low - 1.0, ratio.high - 1.0)
    } else {
        (1.0 - ratio.high, 1.0 - ratio.low)
    };
    let interval = format!("{} to {}", number(&percent(near)), percent(far));
    (percent((ratio.estimate - 1.0).abs()), interval)
}

/// `12 % higher`, `8.0 % lower`, `2.50 × as high`.
fn grown(amount: &str, more: bool, ratio: &Ratio, [up, down, factor]: [&str; 3]) -> String {
    match (more, ratio.estimate >= FACTOR) {
        (_, true) => format!("{amount} {factor}"),
        (true, false) => format!("{amount} {up}"),
        (false, false) => format!("{amount} {down}"),
    }
}

/// `+3.1 %`, `−0.45 %`, `0 %`.
fn signed(ratio: f64) -> String {
    let change = ratio - 1.0;
    if change == 0.0 {
        return "0 %".to_owned();
    }
    let sign = if change > 0.0 { '+' } else { '−' };
    format!("{sign}{}", percent(change.abs()))
}

/// Without its ` %`, where the unit stands at the end.
fn number(percent: &str) -> String {
    percent.trim_end_matches(" %").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{about, bind, closed, costed, noisy, other, rated};

    fn said(metric: Metric, entry: &EntrySummary) -> String {
        let (name, baseline) = ("head", "base");
        let change = Change {
            metric,
            entry,
            name,
            baseline,
        };
        change.sentence()
    }

    fn rate(level: f64) -> EntrySummary {
        about(
            &closed(&[("base", &noisy(100.0, 7)), ("head", &other(level, 7))]),
            "head",
        )
    }

    #[test]
    fn requests_per_second() {
        assert_eq!(
            said(Metric::RequestsPerS, &rate(90.0)),
            "head is 10 % slower than base (95 % interval 7.7 to 13 %)."
        );
        assert_eq!(
            said(Metric::RequestsPerS, &rate(120.0)),
            "head is 20 % faster than base (95 % interval 17 to 23 %)."
        );
        assert_eq!(
            said(Metric::RequestsPerS, &rate(250.0)),
            "head is 2.50 × as fast as base (95 % interval 2.43 to 2.56 ×)."
        );
        assert_eq!(
            said(Metric::RequestsPerS, &rate(100.0)),
            "No difference was shown between head and base: requests per second differ by −0.14 % (95 % interval −2.8 to +2.6 %)."
        );
    }

    #[test]
    fn latency_and_processor_time() {
        let rates = [noisy(100.0, 7), other(112.0, 7)];
        assert_eq!(
            said(
                Metric::P99Us,
                &about(&rated(&[("base", &rates[0]), ("head", &rates[1])]), "head")
            ),
            "head is slower than base: its p99 latency is 12 % higher (95 % interval 8.9 to 15 %)."
        );
        let costs = [noisy(100.0, 7), other(90.0, 7)];
        assert_eq!(
            said(
                Metric::CpuUsPerRequest,
                &about(&costed(&[("base", &costs[0]), ("head", &costs[1])]), "head")
            ),
            "head costs less than base: it spends 10 % less CPU time per request (95 % interval 7.7 to 13 %)."
        );
    }

    #[test]
    fn a_bound_and_a_missing_verdict_are_said_as_everywhere() {
        let mut input = closed(&[("base", &noisy(100.0, 7)), ("head", &other(120.0, 7))]);
        bind(&mut input, "head");
        let entry = about(&input, "head");
        assert_eq!(said(Metric::RequestsPerS, &entry), entry.sentence);
        let change = Change {
            metric: Metric::RequestsPerS,
            entry: &entry,
            name: "head",
            baseline: "base",
        };
        assert_eq!(change.cell().as_deref(), Some("≥ +20 % (+17 % or more)"));
        let four = about(
            &closed(&[("base", &noisy(100.0, 4)), ("head", &other(120.0, 4))]),
            "head",
        );
        assert_eq!(said(Metric::RequestsPerS, &four), four.sentence);
    }
}
