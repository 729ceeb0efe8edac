//! `rigmark calibrate`: a server beside itself. What differs between the two is this host's noise, and from it follows what
//! true differences it can show.

use std::time::{SystemTime, UNIX_EPOCH};

use rigmark_stats::detectable;
use rigmark_stats::spread::mean_and_sd;
use rigmark_stats::summary::ScenarioSummary;
use rigmark_stats::verdict::BLOCKS_FOR_VERDICT;
use serde_json::json;

use super::args::{CalibrateArgs, RunArgs};
use super::output::{Align, Tone, paint};
use super::run::{Measured, measure, spec};
use super::{CliError, Env, Exit};
use crate::host::calibration;
use crate::protocol::facts::{HostCalibration, Smallest};
use crate::protocol::journal::{Plan, RunStatus};
use crate::protocol::spec::JudgedBy;
use crate::runner::summary::Collected;

/// What the table and the stored calibration speak of.
const BLOCKS: [u32; 5] = [5, 7, 10, 20, 40];
const LABELS: [&str; 2] = ["a", "b"];

pub async fn run(args: &CalibrateArgs, env: &Env) -> Result<Exit, CliError> {
    if args.blocks < BLOCKS_FOR_VERDICT {
        let message = format!(
            "{} blocks say too little about noise; take {BLOCKS_FOR_VERDICT} or more.",
            args.blocks
        );
        return Err(CliError::usage("blocks", message));
    }
    let assets = env.assets()?;
    let asked = spec::ask(&as_run(args), &assets, env)?;
    let server = asked.spec.entries[0].server.clone();
    let Measured { result, run, out, .. } = measure(asked, assets, env, "rigmark calibrate", None, None).await?;
    if result.status == RunStatus::Cancelled {
        return Err(CliError::new(
            Exit::Interrupted,
            "interrupted",
            "Interrupted; nothing was stored.",
        ));
    }
    let kept = format!("every record is in {}", out.display());
    let failed = |why: String| CliError::failed("not-calibrated", format!("{why} Nothing was stored; {kept}."));
    if let Some(error) = &result.error {
        return Err(failed(error.message.clone()));
    }
    let summary = match run.summary() {
        Some(Ok(mut summary)) if !summary.scenarios.is_empty() => summary.scenarios.swap_remove(0),
        Some(Err(error)) => return Err(failed(format!("{error}."))),
        _ => return Err(failed("The run had no plan.".to_owned())),
    };
    let plan = run
        .plan
        .as_ref()
        .ok_or_else(|| failed("The run had no plan.".to_owned()))?;
    let (metric, logs) = log_ratios(&run, plan, &summary);
    let noise = Noise::of(&logs, args.blocks).map_err(failed)?;
    let facts = crate::host::facts_with(env.assets().ok().as_ref(), env.state.root());
    let stored = HostCalibration {
        measured_wall_us: SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_micros() as u64,
        server,
        scenario: summary.scenario.clone(),
        metric,
        blocks: logs.len() as u64,
        duration_s: plan.trials.first().map_or(0.0, |t| t.duration_s),
        sd_log_ratio: noise.sd,
        smallest: noise.smallest,
        fingerprint: calibration::fingerprint(&facts),
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
        "stored": path,
        "out": out,
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
        title: Some("Calibration: a server beside itself".to_owned()),
        ..RunArgs::default()
    }
}

/// ln(b ÷ a) of each block that has both, in order of the blocks, of what the scenario is judged by.
fn log_ratios(run: &Collected, plan: &Plan, summary: &ScenarioSummary) -> (JudgedBy, Vec<f64>) {
    let metric = metric(summary);
    let key = |label: &str| plan.entries.iter().find(|e| e.label == label).map(|e| e.key.as_str());
    let of = |block: u32, label: &str| {
        let same = |t: &&crate::protocol::journal::Trial| t.block == block && Some(t.entry_key.as_str()) == key(label);
        run.trials.iter().find(same).and_then(|t| observed(t, metric))
    };
    let last = plan.trials.iter().map(|t| t.block).max().unwrap_or(0);
    let ratio = |block| Some((of(block, LABELS[1])? / of(block, LABELS[0])?).ln());
    (
        metric,
        (0..=last).filter_map(ratio).filter(|log| log.is_finite()).collect(),
    )
}

/// Of a trial that counts.
fn observed(trial: &crate::protocol::journal::Trial, metric: JudgedBy) -> Option<f64> {
    let result = trial
        .result
        .as_ref()
        .filter(|_| trial.status == crate::protocol::result::TrialStatus::Valid)?;
    match metric {
        JudgedBy::RequestsPerS => Some(result.requests_per_s),
        JudgedBy::P99Us => {
            let percentiles = &result.latency.as_ref()?.percentiles;
            percentiles.iter().find(|p| p.p == 99.0).map(|p| p.us)
        }
        JudgedBy::CpuUsPerRequest => {
            let cpu_us = trial.resources.as_ref()?.server_cpu_us?;
            Some(cpu_us as f64 / result.requests as f64)
        }
    }
}

fn metric(summary: &ScenarioSummary) -> JudgedBy {
    use rigmark_stats::summary::Metric;
    match summary.metric {
        Metric::RequestsPerS => JudgedBy::RequestsPerS,
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
                "Only {n} of {asked} blocks have two trials that count, and it takes {BLOCKS_FOR_VERDICT}; the trials' reasons say why."
            ));
        }
        let sd = mean_and_sd(logs).map(|(_, sd)| sd).filter(|sd| *sd > 0.0);
        let sd = sd.ok_or("All blocks gave the very same ratio, which no measurement does; look at the trials.")?;
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
    use rigmark_stats::summary::Verdict;
    let told = summary
        .entries
        .iter()
        .find(|e| matches!(e.verdict, Some(Verdict::Faster | Verdict::Slower)))?;
    let ratio = told.ratio.map_or_else(String::new, |r| {
        format!(" (ratio {:.4}, {:.4} to {:.4})", r.estimate, r.low, r.high)
    });
    Some(format!(
        "This host showed a difference of a server from itself{ratio}. One calibration in twenty does so by chance; if the next one does too, do not believe small differences here: `rigmark doctor` says what to mend."
    ))
}

fn print(env: &Env, stored: &HostCalibration, itself: Option<String>) {
    let what = match stored.metric {
        JudgedBy::RequestsPerS => "requests a second",
        JudgedBy::P99Us => "p99 latency",
        JudgedBy::CpuUsPerRequest => "processor time a request",
    };
    env.out.line("");
    env.out.line(&format!(
        "{} beside itself, {}, {what}: the log-ratio of a block has a standard deviation of {:.2} %.",
        stored.server,
        stored.scenario,
        stored.sd_log_ratio * 100.0
    ));
    let columns = [("BLOCKS", Align::Right), ("LEAST DIFFERENCE %", Align::Right)];
    let row = |s: &Smallest| vec![s.blocks.to_string(), format!("{:.1}", s.difference * 100.0)];
    env.out
        .table(&columns, &stored.smallest.iter().map(row).collect::<Vec<_>>());
    env.out.line(&format!(
        "A true difference of so much gets a verdict in 4 of 5 runs with blocks of {} s, two servers and one look.",
        stored.duration_s
    ));
    env.out.line(&match itself {
        Some(sentence) => paint(Tone::Warn, &sentence),
        None => "No difference of the server from itself was shown.".to_owned(),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(Noise::of(&[0.0; 6], 6).unwrap_err().contains("very same"));
        assert!(Noise::of(&[], 5).is_err());
    }
}
