//! Checks of what moves the numbers: clock, load, heat, neighbors.

use std::path::Path;

use super::check::Check;
use crate::host::sensor::throttle_words;
use crate::host::{Machine, STEAL_LABEL};
use crate::protocol::facts::DoctorCheck;

/// Its switch is the other way round.
const INTEL: &str = "/sys/devices/system/cpu/intel_pstate/no_turbo";
const HOT_MILLIC: i64 = 70_000;
const TOO_HOT_MILLIC: i64 = 80_000;

pub fn checks(m: &Machine) -> Vec<DoctorCheck> {
    let always = [
        cores(m),
        governor(m),
        load(m),
        clock_source(m),
        steal(m),
        temperature(m),
    ];
    let some = [quota(m), turbo(m), throttle(m), thermal_pressure(m), energy(m)];
    always.into_iter().chain(some.into_iter().flatten()).collect()
}

fn cores(m: &Machine) -> DoctorCheck {
    let check = Check::new("cores", "Processor cores");
    match m.cpus_online {
        None => check.unknown("the system does not say"),
        Some(1) => check.warn(
            "1",
            "Server and load generator share one core, so each slows the other.",
            "Use a machine with two cores or more.",
        ),
        Some(n) if m.cores_physical == Some(1) => check.warn(
            format!("{n} threads of one core"),
            "Server and load generator share one core, so each slows the other.",
            "Use a machine with two cores or more: of most clouds' x86 types, one with four vCPUs.",
        ),
        Some(n) => check.ok(n.to_string()),
    }
}

/// Only where a container or a service has one.
fn quota(m: &Machine) -> Option<DoctorCheck> {
    let quota = m.cpu_quota?;
    let check = Check::new("cpu-quota", "CPU quota");
    Some(check.warn(
        format!("{quota:.2} CPUs' time"),
        "When it is used up, the kernel stops server and tool for some milliseconds: rates and latencies are those of the quota.",
        "Run without it: no --cpus for docker, no CPU limit in Kubernetes, no CPUQuota= in the systemd service.",
    ))
}

fn governor(m: &Machine) -> DoctorCheck {
    let check = Check::new("governor", "CPU governor");
    match m.governor.as_deref() {
        None => check.unknown("the system shows none (usual in a virtual machine and on macOS)"),
        Some("performance") => check.ok("performance"),
        Some(other) => check.warn(
            other,
            "The clock follows the load, so short trials start slow and the spread grows.",
            "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor",
        ),
    }
}

/// Only where the system tells: on most machines there is nothing to see.
fn turbo(m: &Machine) -> Option<DoctorCheck> {
    let check = Check::new("turbo", "Turbo");
    Some(match m.turbo? {
        false => check.ok("off"),
        true => check.warn(
            "on",
            "The clock depends on heat and on how many cores are busy, so trials differ for reasons other than the server.",
            if Path::new(INTEL).exists() {
                format!("echo 1 | sudo tee {INTEL}")
            } else {
                "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost".to_owned()
            },
        ),
    })
}

/// macOS has it from a program that only root may start.
fn energy(m: &Machine) -> Option<DoctorCheck> {
    let check = Check::new("energy", "Energy");
    cfg!(target_os = "linux").then(|| match &m.energy {
        Some(source) => check.ok(source),
        None => check.unknown("no counter and no power sensor that can be read"),
    })
}

fn load(m: &Machine) -> DoctorCheck {
    let check = Check::new("load", "Load before the start");
    let Some(load) = m.load1 else {
        return check.unknown("the system does not say");
    };
    let cores = m.cpus_online.unwrap_or(1).max(1) as f64;
    let found = format!("{load:.2} on {cores} cores");
    if load <= 0.25 * cores {
        return check.ok(found);
    }
    check.warn(
        found,
        "Something else is using the processor, so trials compete with it.",
        if cfg!(target_os = "macos") {
            "top -o cpu"
        } else {
            "top -o %CPU"
        },
    )
}

fn clock_source(m: &Machine) -> DoctorCheck {
    let check = Check::new("clock-source", "Clock source");
    let Some((current, others)) = &m.clock_source else {
        return check.unknown("the system does not say");
    };
    let slow = ["hpet", "acpi_pm", "jiffies", "refined-jiffies", "xen", "pit"].contains(&current.as_str());
    if !slow {
        return check.ok(current);
    }
    let better = others
        .iter()
        .find(|o| ["tsc", "kvm-clock", "arch_sys_counter"].contains(&o.as_str()));
    let fix = match better {
        Some(name) => {
            format!("echo {name} | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource")
        }
        None => "Ask whoever runs the hypervisor for a stable time-stamp counter.".to_owned(),
    };
    check.warn(
        current,
        "Each reading of the clock costs a system call or more, and load tools read it all the time.",
        fix,
    )
}

fn steal(m: &Machine) -> DoctorCheck {
    let check = Check::new("steal", "Time stolen by the hypervisor");
    let Some(ratio) = m.steal_ratio else {
        return check.unknown("the system does not say");
    };
    let found = format!("{:.2} % since the start", ratio * 100.0);
    if ratio < STEAL_LABEL {
        return check.ok(found);
    }
    check.warn(
        found,
        "Neighbors on the same machine take CPU time from the trials: intervals get wider, and runs take longer.",
        "Use a machine or an instance type with cores of its own.",
    )
}

fn temperature(m: &Machine) -> DoctorCheck {
    let check = Check::new("temperature", "Temperature");
    let Some(millic) = m.temperature_millic else {
        return check.unknown("no sensor that can be read");
    };
    let found = format!("{:.1} °C", millic as f64 / 1000.0);
    let fix = "Let it cool, or give it a fan or a heat sink.";
    match millic {
        TOO_HOT_MILLIC.. => check.fail(found, "At this temperature processors slow themselves down.", fix),
        HOT_MILLIC.. => check.warn(found, "Load will make it slow itself down.", fix),
        _ => check.ok(found),
    }
}

/// Only on macOS.
fn thermal_pressure(m: &Machine) -> Option<DoctorCheck> {
    let check = Check::new("thermal-pressure", "Thermal pressure");
    let fix = "Let it cool, and give it air, before you start a run.";
    Some(match m.thermal_pressure? {
        0 => check.ok("nominal"),
        1 => check.warn("moderate", "Under load it will slow itself down.", fix),
        _ => check.fail("heavy", "It slows itself down, so every number is too low.", fix),
    })
}

/// Only on a Raspberry Pi.
fn throttle(m: &Machine) -> Option<DoctorCheck> {
    let flags = m.throttle_flags?;
    let check = Check::new("throttle", "Throttling");
    let (now, before) = (throttle_words(flags).join(", "), throttle_words(flags >> 16).join(", "));
    let fix = "Use the official power supply, and a fan or a heat sink.";
    Some(if !now.is_empty() {
        check.fail(
            format!("now: {now}"),
            "The board slows itself down, so every number is too low.",
            fix,
        )
    } else if !before.is_empty() {
        let why = "It has slowed itself down since it was started and may do so again under load.";
        check.warn(format!("since the start: {before}"), why, fix)
    } else {
        check.ok("none seen")
    })
}
