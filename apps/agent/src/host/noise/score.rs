//! What the measured noise means: bounds, one number, and what to do.
//!
//! Each part has a quiet bound and a loud one; at the quiet bound or below it is `ok`, above the loud one `fail`, between them
//! `warn`. Its mark is 1 at the quiet bound, 0 at the loud one, and in between it falls with the logarithm of the value. The
//! score is 100 times the weighted mean of the marks, over the parts that are known; it is null unless compute and scheduler
//! are.

use crate::protocol::facts::{CheckStatus, DoctorCheck, NoisePart, NoisePartId, NoiseUnit};

/// Quiet, loud, weight, unit. A spread of 2 % in equal work is about what a five-block run can average to 2 %; with 15 % none
/// but the crudest difference shows. A timer that is 250 µs late is a tail of its own at the latencies of small responses. Disks
/// weigh little: files under test are in the page cache, only the journal is written.
fn bounds(id: NoisePartId) -> (f64, f64, f64, NoiseUnit) {
    match id {
        NoisePartId::Compute => (0.02, 0.15, 3.0, NoiseUnit::Ratio),
        NoisePartId::Memory => (0.04, 0.25, 2.0, NoiseUnit::Ratio),
        NoisePartId::Disk => (20_000.0, 500_000.0, 1.0, NoiseUnit::Us),
        NoisePartId::Scheduler => (250.0, 5_000.0, 2.0, NoiseUnit::Us),
        // A trial is labeled from 1 % on.
        NoisePartId::Steal => (0.01, 0.05, 2.0, NoiseUnit::Ratio),
    }
}

pub fn part(id: NoisePartId, value: Option<f64>) -> NoisePart {
    let (quiet, loud, _, unit) = bounds(id);
    let value = value.filter(|v| v.is_finite() && *v >= 0.0);
    let status = match value {
        None => CheckStatus::Unknown,
        Some(value) if value <= quiet => CheckStatus::Ok,
        Some(value) if value <= loud => CheckStatus::Warn,
        Some(_) => CheckStatus::Fail,
    };
    NoisePart {
        id,
        value,
        unit,
        status,
    }
}

fn mark(id: NoisePartId, value: f64) -> f64 {
    let (quiet, loud, ..) = bounds(id);
    (1.0 - (value.max(quiet) / quiet).ln() / (loud / quiet).ln()).clamp(0.0, 1.0)
}

/// 0 to 100, to one decimal.
pub fn score(parts: &[NoisePart]) -> Option<f64> {
    let known = |id| parts.iter().any(|p| p.id == id && p.value.is_some());
    if !known(NoisePartId::Compute) || !known(NoisePartId::Scheduler) {
        return None;
    }
    let (mut sum, mut weights) = (0.0, 0.0);
    for part in parts {
        let Some(value) = part.value else { continue };
        let (.., weight, _) = bounds(part.id);
        sum += weight * mark(part.id, value);
        weights += weight;
    }
    Some((sum / weights * 1000.0).round() / 10.0)
}

/// The doctor's line about a part.
pub fn check(part: &NoisePart) -> DoctorCheck {
    let (id, title, why, fix) = match part.id {
        NoisePartId::Compute => (
            "noise-compute",
            "Noise: compute",
            "Equal work takes unequal time on a core, so trials differ for reasons other than the server.",
            compute_fix(),
        ),
        NoisePartId::Memory => (
            "noise-memory",
            "Noise: memory",
            "Equal copies take unequal time: something else uses the memory or the last-level cache.",
            if cfg!(target_os = "macos") {
                "top -o mem"
            } else {
                "ps aux --sort=-%cpu | head"
            },
        ),
        NoisePartId::Disk => (
            "noise-disk",
            "Noise: disk",
            "A small write waits long for the disk, so writing the journal may disturb a trial.",
            if cfg!(target_os = "macos") {
                "iostat -d 1 5"
            } else {
                "cat /proc/diskstats; df -h"
            },
        ),
        NoisePartId::Scheduler => (
            "noise-scheduler",
            "Noise: scheduler",
            "Processes are woken late, which shows in the high percentiles of every server.",
            compute_fix(),
        ),
        NoisePartId::Steal => (
            "noise-steal",
            "Noise: steal",
            "The hypervisor gives this machine's CPU time to others: intervals get wider, and runs take longer.",
            "Use a machine or an instance type with cores of its own.",
        ),
    };
    let found = match (part.value, part.unit) {
        (None, _) => "it could not be measured".to_owned(),
        (Some(value), NoiseUnit::Ratio) if part.id == NoisePartId::Steal => format!("{:.2} % stolen", value * 100.0),
        (Some(value), NoiseUnit::Ratio) => format!("spread of {:.1} %", value * 100.0),
        (Some(value), NoiseUnit::Us) if part.id == NoisePartId::Disk => format!("p99 of a small fsync {value:.0} µs"),
        (Some(value), NoiseUnit::Us) => format!("p99 of a timer's lateness {value:.0} µs"),
    };
    let wrong = matches!(part.status, CheckStatus::Warn | CheckStatus::Fail);
    DoctorCheck {
        id: id.to_owned(),
        title: title.to_owned(),
        status: part.status,
        found,
        why: wrong.then(|| why.to_owned()),
        fix: wrong.then(|| fix.to_owned()),
    }
}

/// First who is using the cores, then the clock.
fn compute_fix() -> &'static str {
    if cfg!(target_os = "macos") {
        "top -o cpu"
    } else {
        "top -o %CPU, end what is there; then let `sudo rigmark run --tune …` hold the clock still"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [NoisePartId; 5] = [
        NoisePartId::Compute,
        NoisePartId::Memory,
        NoisePartId::Disk,
        NoisePartId::Scheduler,
        NoisePartId::Steal,
    ];

    fn all(value: impl Fn(f64, f64) -> f64) -> Vec<NoisePart> {
        let of = |id| {
            let (quiet, loud, ..) = bounds(id);
            part(id, Some(value(quiet, loud)))
        };
        ALL.into_iter().map(of).collect()
    }

    #[test]
    fn quiet_is_100_loud_is_0_and_the_middle_is_between_by_ratio() {
        assert_eq!(score(&all(|quiet, _| quiet / 2.0)), Some(100.0));
        assert_eq!(score(&all(|_, loud| loud)), Some(0.0));
        assert_eq!(score(&all(|quiet, loud| (quiet * loud).sqrt())), Some(50.0));
    }

    #[test]
    fn bounds_give_the_status() {
        let statuses = |value: fn(f64, f64) -> f64| all(value).into_iter().map(|p| p.status).collect::<Vec<_>>();
        assert_eq!(statuses(|quiet, _| quiet), [CheckStatus::Ok; 5]);
        assert_eq!(statuses(|_, loud| loud), [CheckStatus::Warn; 5]);
        assert_eq!(statuses(|_, loud| loud * 1.01), [CheckStatus::Fail; 5]);
    }

    #[test]
    fn what_is_not_known_is_not_counted_and_never_a_number() {
        let without = |id: NoisePartId| -> Vec<NoisePart> {
            let hide = |p: NoisePart| if p.id == id { part(id, None) } else { p };
            all(|quiet, _| quiet).into_iter().map(hide).collect()
        };
        assert_eq!(score(&without(NoisePartId::Steal)), Some(100.0));
        assert_eq!(score(&without(NoisePartId::Compute)), None);
        assert_eq!(score(&without(NoisePartId::Scheduler)), None);
        let odd = part(NoisePartId::Disk, Some(f64::NAN));
        assert_eq!((odd.value, odd.status), (None, CheckStatus::Unknown));
    }

    #[test]
    fn what_is_wrong_says_why_and_how_to_fix_it() {
        for value in [0.0, 1e9] {
            for part in all(|_, _| value) {
                let check = check(&part);
                assert_eq!(
                    check.why.is_some() && check.fix.is_some(),
                    part.status == CheckStatus::Fail,
                    "{check:?}"
                );
            }
        }
    }
}
