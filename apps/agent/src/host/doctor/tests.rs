use std::path::Path;

use super::*;
use crate::host::lock::LockedBy;
use crate::protocol::catalogue::CatalogueTool;
use crate::protocol::facts::CheckStatus;
use crate::protocol::spec::ToolName;

/// A machine with nothing to complain about.
fn fit() -> Machine {
    Machine {
        cpus_online: Some(4),
        governor: Some("performance".to_owned()),
        turbo: Some(false),
        load1: Some(0.1),
        clock_source: Some(("tsc".to_owned(), vec!["tsc".to_owned(), "hpet".to_owned()])),
        steal_ratio: Some(0.0),
        temperature_millic: Some(45_000),
        throttle_flags: Some(0),
        memory_available_bytes: Some(4 << 30),
        swap_used_bytes: Some(0),
        energy: Some("the power sensor ina219".to_owned()),
        ..Machine::default()
    }
}

fn status(all: &[DoctorCheck], id: &str) -> CheckStatus {
    all.iter()
        .find(|c| c.id == id)
        .unwrap_or_else(|| panic!("no check {id}"))
        .status
}

fn cpu_of(change: impl FnOnce(&mut Machine)) -> Vec<DoctorCheck> {
    let mut machine = fit();
    change(&mut machine);
    cpu::checks(&machine)
}

#[test]
fn a_fit_machine_passes() {
    for check in cpu::checks(&fit()) {
        assert_eq!(check.status, CheckStatus::Ok, "{check:?}");
    }
}

#[test]
fn each_fault_is_found() {
    type Fault = fn(&mut Machine);
    let faults: [(&str, CheckStatus, Fault); 15] = [
        ("cores", CheckStatus::Warn, |m| m.cpus_online = Some(1)),
        ("cores", CheckStatus::Warn, |m| {
            (m.cpus_online, m.cores_physical) = (Some(2), Some(1))
        }),
        ("cpu-quota", CheckStatus::Warn, |m| m.cpu_quota = Some(1.5)),
        ("governor", CheckStatus::Warn, |m| {
            m.governor = Some("ondemand".to_owned())
        }),
        ("governor", CheckStatus::Unknown, |m| m.governor = None),
        ("turbo", CheckStatus::Warn, |m| m.turbo = Some(true)),
        ("load", CheckStatus::Warn, |m| m.load1 = Some(1.5)),
        ("clock-source", CheckStatus::Warn, |m| {
            m.clock_source = Some(("hpet".to_owned(), vec!["tsc".to_owned()]))
        }),
        ("steal", CheckStatus::Warn, |m| m.steal_ratio = Some(0.02)),
        ("temperature", CheckStatus::Fail, |m| {
            m.temperature_millic = Some(85_000)
        }),
        ("throttle", CheckStatus::Fail, |m| m.throttle_flags = Some(0x5)),
        ("throttle", CheckStatus::Warn, |m| m.throttle_flags = Some(0x50000)),
        ("thermal-pressure", CheckStatus::Warn, |m| m.thermal_pressure = Some(1)),
        ("thermal-pressure", CheckStatus::Fail, |m| m.thermal_pressure = Some(2)),
        ("energy", CheckStatus::Unknown, |m| m.energy = None),
    ];
    for (id, expected, fault) in faults {
        assert_eq!(status(&cpu_of(fault), id), expected, "{id}");
    }
}

/// A fix without a reason, or a reason without a fix, helps nobody.
#[test]
fn what_is_wrong_says_why_and_how_to_fix_it() {
    let sick = Machine {
        cpus_online: Some(1),
        governor: Some("powersave".to_owned()),
        load1: Some(9.0),
        throttle_flags: Some(0xf000f),
        ..Machine::default()
    };
    let mut all = cpu::checks(&sick);
    all.extend(system::checks(&sick, Some("refused"), Path::new("/nonexistent/state")));
    all.extend(tools::checks(None));
    for check in all {
        let wrong = matches!(check.status, CheckStatus::Warn | CheckStatus::Fail);
        assert_eq!(wrong, check.why.is_some() && check.fix.is_some(), "{check:?}");
        assert!(!check.found.is_empty());
        assert!(
            check
                .id
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        );
    }
}

#[test]
fn throttle_flags_have_names() {
    let all = cpu_of(|m| m.throttle_flags = Some(0x50005));
    let check = all.iter().find(|c| c.id == "throttle").unwrap();
    assert_eq!(check.found, "now: under-voltage, throttled");
}

#[test]
fn disk_and_files_have_levels() {
    let disk = |free| system::disk(Path::new("/s"), free).status;
    assert_eq!(disk(Some(10 << 20)), CheckStatus::Fail);
    assert_eq!(disk(Some(500 << 20)), CheckStatus::Warn);
    assert_eq!(disk(Some(50 << 30)), CheckStatus::Ok);
    assert_eq!(disk(None), CheckStatus::Unknown);
    assert_eq!(system::files(Some((1024, 4096))).status, CheckStatus::Warn);
    assert_eq!(system::files(Some((1024, 1 << 20))).status, CheckStatus::Ok);
}

#[test]
fn another_measurement_is_named_and_ones_own_is_not_in_the_way() {
    let other = |pid| {
        system::lock(Some(&LockedBy::Other {
            pid,
            what: "rigmark run".to_owned(),
        }))
    };
    assert_eq!(other(Some(1)).status, CheckStatus::Warn);
    assert!(other(Some(1)).found.contains("process 1"));
    assert_eq!(other(Some(std::process::id())).status, CheckStatus::Ok);
    assert_eq!(system::lock(None).status, CheckStatus::Ok);
    assert_eq!(system::sandbox(None).status, CheckStatus::Ok);
}

#[test]
fn a_missing_tool_brings_its_fix() {
    let check = tools::load_tool(&CatalogueTool {
        name: ToolName::Ab,
        version: None,
        supported: false,
        reason: Some("ab is not installed.".to_owned()),
        fix: Some("get it".to_owned()),
    });
    assert_eq!(
        (check.status, check.fix.as_deref()),
        (CheckStatus::Warn, Some("get it"))
    );
}

#[test]
fn sizes_are_readable() {
    assert_eq!(system::size(3 << 29), "1.5 GiB");
    assert_eq!(system::size(64 << 20), "64 MiB");
}
