//! `rigmark calibrate`: an A/A test. What differs between the two is this host's noise, and from it follows what
//! true differences it can show.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use rigmark_stats::figures::Figures;
use rigmark_stats::ratio::log_ratios;
use rigmark_stats::spread::mean_and_sd;
use rigmark_stats::summary::{ScenarioSummary, Verdict};
use rigmark_stats::verdict::BLOCKS_FOR_VERDICT;
use rigmark_stats::{SummaryInput, detectable};
use serde_json::json;

use super::args::{CalibrateArgs, RunArgs};
use super::output::{Align, Tone, paint};
use super::run::{MeasuredRun, measure, spec};
use super::{CliError, Env, Exit};
use crate::host::calibration;
use crate::protocol::facts::{HostCalibration, Smallest};
use crate::protocol::journal::{Plan, RunStatus};
use crate::protocol::spec::JudgedBy;

/// What the table and the stored calibration speak of.
const BLOCKS: [u32; 5] = [5, 7, 10, 20, 40];
const LABELS: [&str; 2] = ["a", "b"];

pub async fn run(args: &CalibrateArgs, env: &Env) -> Result<Exit, CliError> {
    if args.blocks < BLOCKS_FOR_VERDICT {
        let message = format!(
            "{} blocks say too little about noise; use {BLOCKS_FOR_VERDICT} or more.",
            args.blocks
        );
        return Err(CliError::usage("blocks", message));
    }
    let assets = env.assets()?;
    let asked = spec::ask(&as_run(args), &assets, env)?;
    let server = asked.spec.entries[0].server.clone();
    let MeasuredRun { result, run, out, .. } =
        measure(asked, assets, env, "rigmark calibrate", None, args.tune).await?;
    if result.status == RunStatus::Cancelled {
        return Err(CliError::new(
            Exit::Interrupted,
            "interrupted",
            "Interrupted; nothing was stored.",
        ));
    }
    let kept = match &out {
        Some(out) => format!("every record is in {}", out.display()),
        None => "the run never began".to_owned(),
    };
    let failed = |why: String| CliError::failed("not-calibrated", format!("{why} Nothing was stored; {kept}."));
    if let Some(error) = &result.error {
        return Err(failed(error.message.clone()));
    }
    let summary = match run.summary() {
        Some(Ok(mut summary)) if !summary.scenarios.is_empty() => summary.scenarios.swap_remove(0),
        Some(Err(error)) => return Err(failed(format!("{error}."))),
        _ => return Err(failed("The run had no plan.".to_owned())),
    };
    let (Some(plan), Some(environment), Some(input)) = (&run.plan, &run.environment, run.input()) else {
        return Err(failed("The run had no plan.".to_owned()));
    };
    let both = both(plan, &input).map_err(failed)?;
    let logs = log_ratios(&both[1].logs, &both[0].logs);
    if let Some(why) = limited(&both, &input.scenarios[0].tool) {
        return Err(failed(why));
    }
    let noise = Noise::of(&logs, args.blocks).map_err(failed)?;
    if let Some(why) = incomparable(&summary) {
        return Err(failed(why));
    }
    let stored = HostCalibration {
        measured_wall_us: SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_micros() as u64,
        server,
        scenario: summary.scenario.clone(),
        metric: metric(&summary),
        blocks: logs.len() as u64,
        duration_s: plan.trials.first().map_or(0.0, |t| t.duration_s),
        sd_log_ratio: noise.sd,
        smallest: noise.smallest,
        // Of the host as it was meanwhile: a run with --tune is another state of it.
        fingerprint: calibration::fingerprint(&environment.facts),
    };
    env.state.dir("")?;
    let path = calibration::store(env.state.root(), &stored)
        .map_err(|e| failed(format!("The calibration could not be written ({e}).")))?;
    let itself = itself(&summary);
    env.out.object(&json!({
        "calibration": stored,
        "log_ratios": logs,
        "slices": plan.trials.first().map(|t| t.slices),
        "difference_shown": itself.is_some(),
        "summary": summary,
        "stored": path.to_string_lossy(),
        "out": out.as_deref().map(Path::to_string_lossy),
    }));
    print(env, &stored, itself);
    env.out.line(&format!("Stored in {}; {kept}.", path.display()));
    Ok(Exit::Done)
}

/// An ordinary run of two entries that are the same.
fn as_run(args: &CalibrateArgs) -> RunArgs {
    RunArgs {
        servers: LABELS.map(|label| format!("{label}={}", args.server)).to_vec(),
        scenarios: vec![args.scenario.clone()],
        repeats: Some(args.blocks),
        duration: args.duration,
        warmup: args.warmup,
        slice: args.slice,
        seed: args.seed,
        title: Some("Calibration: an A/A test".to_owned()),
        ..RunArgs::default()
    }
}

/// The figures of the two, as the summary has them: trials that do not count and percentiles that do not either are left out.
fn both<'a>(plan: &Plan, input: &'a SummaryInput) -> Result<[Figures<'a>; 2], String> {
    let scenario = input.scenarios.first().ok_or("The run had no scenario.")?;
    let key = |label: &str| plan.entries.iter().find(|e| e.label == label).map(|e| e.key.as_str());
    let of = |label: &str| {
        let key = input.entries.iter().find(|e| Some(e.key.as_str()) == key(label))?;
        Some(Figures::of(input, scenario, &key.key, label.to_owned()))
    };
    let [a, b] = LABELS.map(of);
    a.zip(b)
        .map(|(a, b)| [a, b])
        .ok_or_else(|| "The run had other servers than a and b.".to_owned())
}

/// Where the tool was the bottleneck its noise was measured, and not what differs between two servers.
fn limited(both: &[Figures<'_>; 2], tool: &str) -> Option<String> {
    let [a, b] = both.each_ref().map(|f| f.bound_blocks.len());
    let of = both.each_ref().map(|f| f.logs.len());
    (a + b > 0).then(|| {
        format!(
            "{tool} was the bottleneck for a in {a} of {} blocks and for b in {b} of {}, so the differences are the tool's noise; calibrate with --scenario plaintext-cpu, or with a server that is slower than {tool}.",
            of[0], of[1]
        )
    })
}

/// The one sentence of the summary that says why a could not be compared with b.
fn incomparable(summary: &ScenarioSummary) -> Option<String> {
    let compared = summary.entries.iter().find(|e| e.verdict.is_some());
    let compared_at_all = compared.is_some_and(|e| e.verdict != Some(Verdict::NotComparable));
    (!compared_at_all).then(|| {
        let why = compared.map_or(&summary.sentence, |e| &e.sentence);
        format!("The two could not be compared: {why} `rigmark doctor` says what disturbs this host.")
    })
}

fn metric(summary: &ScenarioSummary) -> JudgedBy {
    use rigmark_stats::summary::Metric;
    match summary.metric {
        // Of what ranks nobody there is no verdict, so it does not come here.
        Metric::RequestsPerS | Metric::FirstByteP50Us => JudgedBy::RequestsPerS,
        Metric::P99Us => JudgedBy::P99Us,
        Metric::CpuUsPerRequest => JudgedBy::CpuUsPerRequest,
    }
}

#[derive(Debug)]
struct Noise {
    sd: f64,
    smallest: Vec<Smallest>,
}

impl Noise {
    /// The error is one sentence.
    fn of(logs: &[f64], asked: u32) -> Result<Self, String> {
        let n = logs.len();
        if n < BLOCKS_FOR_VERDICT as usize {
            return Err(format!(
                "Only {n} of {asked} blocks have two trials that count, and {BLOCKS_FOR_VERDICT} are needed; the trials' reasons say why."
            ));
        }
        let sd = mean_and_sd(logs).map(|(_, sd)| sd).filter(|sd| *sd > 0.0);
        let sd = sd.ok_or("All blocks gave exactly the same ratio, which no measurement does; look at the trials.")?;
        let least = |blocks| {
            let difference = detectable::difference(sd, blocks)?;
            Some(Smallest {
                blocks: u64::from(blocks),
                difference,
            })
        };
        let mut all = BLOCKS.to_vec();
        let own = u32::try_from(n).unwrap_or(u32::MAX);
        if !all.contains(&own) {
            all.push(own);
            all.sort_unstable();
        }
        Ok(Self {
            sd,
            smallest: all.into_iter().filter_map(least).collect(),
        })
    }
}

/// What is to be said when the comparison of a server with itself found a difference.
fn itself(summary: &ScenarioSummary) -> Option<String> {
    let different = summary
        .entries
        .iter()
        .find(|e| matches!(e.verdict, Some(Verdict::Faster | Verdict::Slower)))?;
    let ratio = different.ratio.map_or_else(String::new, |r| {
        format!(" (ratio {:.4}, {:.4} to {:.4})", r.estimate, r.low, r.high)
    });
    Some(format!(
        "This host showed a difference between a server and itself{ratio}. One calibration in twenty does so by chance; if the next one does too, do not trust small differences here: `rigmark doctor` says what to fix."
    ))
}

fn print(env: &Env, stored: &HostCalibration, itself: Option<String>) {
    let what = match stored.metric {
        JudgedBy::RequestsPerS => "requests per second",
        JudgedBy::P99Us => "p99 latency",
        JudgedBy::CpuUsPerRequest => "CPU time per request",
    };
    env.out.line("");
    env.out.line(&format!(
        "A/A test of {}, {}, {what}: the log-ratio of a block has a standard deviation of {:.2} %.",
        stored.server,
        stored.scenario,
        stored.sd_log_ratio * 100.0
    ));
    let columns = [("BLOCKS", Align::Right), ("LEAST DIFFERENCE %", Align::Right)];
    let row = |s: &Smallest| vec![s.blocks.to_string(), format!("{:.1}", s.difference * 100.0)];
    env.out
        .table(&columns, &stored.smallest.iter().map(row).collect::<Vec<_>>());
    env.out.line(&format!(
        "A true difference of this size gets a verdict in 4 of 5 runs with blocks of {} s, two servers and one look.",
        stored.duration_s
    ));
    env.out.line(&match itself {
        Some(sentence) => paint(Tone::Warn, &sentence),
        None => "No difference was shown between the server and itself.".to_owned(),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigmark_stats::summarize;

    /// `a` and `b` at 10,000 requests a second, in seven blocks.
    fn input(limit: impl Fn(&str, u64) -> &'static str) -> SummaryInput {
        let noise = [1.0, 1.02, 0.99, 1.01, 0.98, 1.015, 0.985];
        let trial = |key: &str, block: u64| {
            let turned = if key == "a" { block } else { 3 * block + 1 };
            let rate = 10_000.0 * noise[turned as usize % noise.len()];
            json!({
                "trial_id": format!("{key}{block}"), "entry_key": key, "scenario": "s", "block": block, "status": "valid",
                "reason": null, "limit": limit(key, block), "requests": rate, "requests_per_s": rate, "failures_total": 0,
                "offered": null, "server_cpu_us": null, "server_rss_peak_bytes": null, "bytes_received": null,
                "percentiles": [], "mean_us": null,
            })
        };
        let trials: Vec<_> = (0..7)
            .flat_map(|block| [trial("a", block), trial("b", block)])
            .collect();
        serde_json::from_value(json!({
            "schema": 1, "baseline_key": "a", "failed_verification": [], "trials": trials,
            "entries": [{ "key": "a", "label": "a" }, { "key": "b", "label": "b" }],
            "scenarios": [{ "id": "s", "title": "s", "tool": "loadgen", "load": "closed", "rate_per_s": null }],
        }))
        .unwrap()
    }

    fn figures(input: &SummaryInput) -> [Figures<'_>; 2] {
        LABELS.map(|key| Figures::of(input, &input.scenarios[0], key, key.to_owned()))
    }

    #[test]
    fn the_noise_of_a_tool_at_its_limit_is_no_calibration() {
        let bound = |key: &str, block| {
            if key == "b" && block < 3 {
                "generator-bound"
            } else {
                "server-bound"
            }
        };
        let why = limited(&figures(&input(bound)), "loadgen").unwrap();
        assert!(
            why.starts_with(
                "loadgen was the bottleneck for a in 0 of 7 blocks and for b in 3 of 7, so the differences are the tool's noise"
            ),
            "{why}"
        );
        assert_eq!(limited(&figures(&input(|_, _| "server-bound")), "loadgen"), None);
    }

    #[test]
    fn without_a_verdict_there_is_no_calibration() {
        let why = |input: &SummaryInput| incomparable(&summarize(input).unwrap().scenarios[0]);
        let mut input = input(|_, _| "server-bound");
        assert_eq!(why(&input), None);
        let of_b = input.trials.iter_mut().filter(|t| t.entry_key == "b");
        of_b.for_each(|t| t.requests_per_s = None);
        assert!(why(&input).unwrap().starts_with("The two could not be compared: "));
    }

    #[test]
    fn noise_says_what_it_can_show() {
        let logs = [0.01, -0.01, 0.02, -0.02, 0.0, 0.01, -0.01, 0.0];
        let noise = Noise::of(&logs, 8).unwrap();
        let blocks: Vec<u64> = noise.smallest.iter().map(|s| s.blocks).collect();
        assert_eq!(blocks, [5, 7, 8, 10, 20, 40]);
        assert!(noise.smallest.is_sorted_by(|a, b| a.difference > b.difference));
        assert!((noise.sd - 0.0131).abs() < 1e-4, "{}", noise.sd);
    }

    #[test]
    fn too_few_blocks_and_no_spread_are_no_calibration() {
        assert!(
            Noise::of(&[0.01, 0.02, 0.03, 0.04], 10)
                .unwrap_err()
                .contains("Only 4 of 10 blocks")
        );
        assert!(Noise::of(&[0.0; 6], 6).unwrap_err().contains("exactly the same"));
        assert!(Noise::of(&[], 5).is_err());
    }
}
