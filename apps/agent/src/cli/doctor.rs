//! `rigmark doctor`: how fit this host is to measure, and how to fix it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::json;

use super::args::DoctorArgs;
use super::output::{Tone, paint};
use super::{CliError, Env, Exit};
use crate::host;
use crate::protocol::facts::{CheckStatus, DoctorCheck, HostFacts, HostNoise};
use crate::sample;
use crate::spool::{self, SetAside};

/// Fails when a check fails: then nothing can be measured here, or nothing that may be believed.
pub async fn run(args: &DoctorArgs, env: &Env) -> Result<Exit, CliError> {
    if !args.quick {
        env.out
            .note("Measuring this host's noise; this takes about eight seconds (up to 17 where the disk is slow) and all cores (--quick skips it).");
        if let Err(why) = host::noise::refresh(env.state.root(), || sample::sampler().host()) {
            env.out.note(&why);
        }
    }
    let facts = host::facts_with(env.assets().ok().as_ref(), env.state.root());
    let count = |status| facts.checks.iter().filter(|c| c.status == status).count();
    let (failed, warned) = (count(CheckStatus::Fail), count(CheckStatus::Warn));
    // Of the host alone; a run's own has in it the load tools that it used and how it split the cores.
    let fingerprint = host::fingerprint::of_host(&facts, &[], None);
    let set_aside = spool::set_aside(env.state.root());
    env.out.object(&json!({
        "fit": failed == 0, "failed": failed, "warned": warned, "fingerprint": fingerprint, "facts": facts,
        "set_aside": set_aside
    }));
    env.out.line(&about(&facts));
    env.out.line(&format!("fingerprint {fingerprint}"));
    env.out.line("");
    let width = facts.checks.iter().map(|c| c.title.chars().count()).max().unwrap_or(0);
    for check in &facts.checks {
        env.out.line(&describe(check, width));
    }
    if let Some(noise) = &facts.noise {
        env.out.line("");
        env.out.line(&quiet(noise));
    }
    if let Some(kept) = &set_aside {
        env.out.line("");
        env.out.line(&undelivered(kept));
    }
    env.out.line("");
    env.out.line(&verdict(failed, warned));
    Ok(if failed == 0 { Exit::Done } else { Exit::Failed })
}

/// `host: Debian GNU/Linux 12, 6.18.44, x86_64, AMD EPYC, 2 cores, 23.5 GiB, kvm`
fn about(facts: &HostFacts) -> String {
    let cores = facts.cpus_online.map(|n| {
        if n == 1 {
            "1 core".to_owned()
        } else {
            format!("{n} cores")
        }
    });
    let memory = facts
        .memory_bytes
        .map(|b| format!("{:.1} GiB", b as f64 / f64::from(1 << 30)));
    let parts = [
        facts.board.clone(),
        facts.os_name.clone(),
        facts.kernel.clone(),
        Some(facts.arch.clone()),
        facts.cpu_model.clone(),
        cores,
        memory,
        facts.virtualization.as_ref().map(|v| format!("virtual ({v})")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!("{}: {}", paint(Tone::Bold, &facts.hostname), parts.join(", "))
}

fn describe(check: &DoctorCheck, width: usize) -> String {
    let mark = match check.status {
        CheckStatus::Ok => paint(Tone::Good, "ok  "),
        CheckStatus::Warn => paint(Tone::Warn, "warn"),
        CheckStatus::Fail => paint(Tone::Bad, "fail"),
        CheckStatus::Unknown => paint(Tone::Dim, "?   "),
    };
    let mut text = format!("{mark}  {:width$}  {}", check.title, check.found);
    for (name, value) in [("why", &check.why), ("fix", &check.fix)] {
        if let Some(value) = value {
            text.push_str(&format!("\n      {} {value}", paint(Tone::Dim, &format!("{name}:"))));
        }
    }
    text
}

/// `Noise: 71.5 of 100 (100 is quiet), measured 3 minutes ago.`
fn quiet(noise: &HostNoise) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let ago = now
        .saturating_sub(Duration::from_micros(noise.measured_wall_us))
        .as_secs();
    let when = match ago {
        0..60 => "now".to_owned(),
        60..7200 => format!("{} minutes ago", ago / 60),
        7200..172_800 => format!("{} hours ago", ago / 3600),
        _ => format!("{} days ago", ago / 86_400),
    };
    match noise.score {
        Some(score) => format!("Noise: {score} of 100 (100 is quiet), measured {when}."),
        None => format!("Noise: too little could be measured for a score ({when})."),
    }
}

/// Not about how fit the host is, but nobody else would tell its owner.
fn undelivered(kept: &SetAside) -> String {
    let runs = if kept.runs == 1 {
        "1 run".to_owned()
    } else {
        format!("{} runs", kept.runs)
    };
    let mib = kept.bytes.div_ceil(1 << 20);
    format!(
        "{} could not be delivered, and {mib} MiB is kept in {}: reason.txt in each folder says why; copy what you \
         need and delete the rest.",
        paint(Tone::Warn, &runs),
        kept.path.display()
    )
}

fn verdict(failed: usize, warned: usize) -> String {
    let things = |n: usize| {
        if n == 1 {
            "1 thing".to_owned()
        } else {
            format!("{n} things")
        }
    };
    match (failed, warned) {
        (0, 0) => paint(Tone::Good, "This host is fit to measure."),
        (0, n) => paint(
            Tone::Warn,
            &format!("This host can measure; {} would make it better.", things(n)),
        ),
        (n, _) => paint(
            Tone::Bad,
            &format!("This host is not fit to measure: {} to fix first.", things(n)),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_comes_with_its_fix() {
        let check = DoctorCheck {
            id: "ab".to_owned(),
            title: "ab".to_owned(),
            status: CheckStatus::Warn,
            found: "missing".to_owned(),
            why: Some("because".to_owned()),
            fix: Some("get it".to_owned()),
        };
        let text = describe(&check, 4);
        assert!(text.contains("because") && text.contains("get it"));
        assert_eq!(text.lines().count(), 3);
    }

    #[test]
    fn what_could_not_be_delivered_is_named() {
        let state = tempfile::tempdir().unwrap();
        assert_eq!(spool::set_aside(state.path()), None);
        let run = state.path().join("refused/one/journal");
        std::fs::create_dir_all(&run).unwrap();
        std::fs::write(run.join("00000000.seg"), vec![0; 1_500_000]).unwrap();
        let text = undelivered(&spool::set_aside(state.path()).unwrap());
        let folder = state.path().join("refused").display().to_string();
        assert!(
            text.contains("1 run") && text.contains("2 MiB") && text.contains(&folder),
            "{text}"
        );
    }

    #[test]
    fn failures_outweigh_warnings() {
        assert!(verdict(1, 3).contains("not fit"));
        assert!(verdict(0, 1).contains("1 thing would"));
    }
}
