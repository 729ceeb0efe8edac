use std::path::Path;

use super::*;
use crate::assets::Assets;

fn scenario(workload: Workload, connections: u32, keep_alive: bool) -> Scenario {
    let mut scenario: Scenario =
        serde_json::from_str(include_str!("../../../../../packages/protocol/golden/scenario.json")).unwrap();
    scenario.workload = workload;
    scenario.body_bytes = 46;
    scenario.payload = None;
    scenario.load = Load::Closed {
        connections,
        keep_alive,
    };
    scenario
}

/// Connections really used, and why not all.
fn used(scenario: &Scenario, limits: &ConnectionLimits) -> (u32, String) {
    let (cut, capped) = effective(scenario, limits);
    if let Some(capped) = &capped {
        assert_eq!(
            (capped.asked, capped.used),
            (scenario.load.connections(), cut.load.connections())
        );
    }
    (cut.load.connections(), capped.map_or_else(String::new, |c| c.why))
}

#[test]
fn what_fits_and_what_is_unknown_is_left_alone() {
    let asked = scenario(Workload::WsEcho, 5000, true);
    assert_eq!(effective(&asked, &ConnectionLimits::default()), (asked.clone(), None));
    let roomy = ConnectionLimits {
        descriptors: Some(1 << 20),
        ports: Some(28_232),
        fresh_ports: true,
        memory_bytes: Some(8 << 30),
    };
    assert_eq!(effective(&asked, &roomy), (asked.clone(), None));
}

/// A Raspberry Pi of 1 GiB, of which the firmware keeps a part.
#[test]
fn the_bundled_scenarios_fit_into_one_gib_and_a_few_do_not_into_half() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let scenarios = crate::scenario::load_all(&Assets::locate(Some(&root)).unwrap()).unwrap();
    let capped = |mib: u64| {
        let limits = ConnectionLimits {
            memory_bytes: Some(mib << 20),
            ..ConnectionLimits::default()
        };
        let cut = scenarios.iter().filter(|s| effective(s, &limits).1.is_some());
        cut.map(|s| s.id.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(capped(900), [""; 0]);
    let few = capped(416);
    assert!(
        few.contains(&"files-10m-ab") && few.contains(&"ws-5000") && few.len() < 10,
        "{few:?}"
    );
    let ten = scenarios.iter().find(|s| s.id == "files-10m-ab").unwrap();
    let limits = ConnectionLimits {
        memory_bytes: Some(416 << 20),
        ..ConnectionLimits::default()
    };
    let said = effective(ten, &limits).1.unwrap().words(&ten.id);
    assert!(
        said.starts_with("files-10m-ab runs with 51 of 100 connections: "),
        "{said}"
    );
}

#[test]
fn open_files_are_the_limit_and_the_command_is_said() {
    let limits = ConnectionLimits {
        descriptors: Some(1024),
        ..ConnectionLimits::default()
    };
    let (n, why) = used(&scenario(Workload::WsEcho, 5000, true), &limits);
    assert_eq!(n, 960);
    assert!(why.contains("1024 files") && why.contains("5064"), "{why}");
    // With a file open for each.
    assert_eq!(used(&scenario(Workload::Static, 5000, true), &limits).0, 480);
    assert_eq!(
        used(&scenario(Workload::Static, 480, true), &limits),
        (480, String::new())
    );
}

#[test]
fn ports_are_the_limit_of_new_connections_first() {
    let limits = ConnectionLimits {
        ports: Some(6000),
        ..ConnectionLimits::default()
    };
    assert_eq!(used(&scenario(Workload::Plaintext, 5000, true), &limits).0, 5000);
    let (n, why) = used(&scenario(Workload::Plaintext, 5000, false), &limits);
    assert_eq!(n, 3000);
    assert!(why.contains("sysctl"), "{why}");
    let fresh = ConnectionLimits {
        fresh_ports: true,
        ..limits
    };
    assert!(
        used(&scenario(Workload::Plaintext, 5000, false), &fresh)
            .1
            .contains("Nothing lifts that")
    );
}

#[test]
fn large_messages_need_memory() {
    let limits = ConnectionLimits {
        memory_bytes: Some(1 << 30),
        ..ConnectionLimits::default()
    };
    assert_eq!(used(&scenario(Workload::WsEcho, 5000, true), &limits).0, 5000);
    let mut large = scenario(Workload::WsEcho, 1000, true);
    large.payload = Some(Payload::Bytes { bytes: 1 << 20 });
    large.body_bytes = 1 << 20;
    let (n, why) = used(&large, &limits);
    assert!(n > 100 && n < 150 && why.contains("memory"), "{n} {why}");
    // One always fits: whether it works is for the trial to say.
    let tiny = ConnectionLimits {
        memory_bytes: Some(1 << 20),
        ..ConnectionLimits::default()
    };
    assert_eq!(used(&large, &tiny).0, 1);
}

#[test]
fn every_kind_of_load_is_cut_and_nothing_else_is() {
    let limits = ConnectionLimits {
        descriptors: Some(164),
        ..ConnectionLimits::default()
    };
    for load in [
        Load::Closed {
            connections: 500,
            keep_alive: true,
        },
        Load::Rate {
            connections: 500,
            keep_alive: true,
            rate_per_s: 9,
        },
        Load::Count {
            connections: 500,
            keep_alive: true,
            requests: 9,
        },
        Load::Knee {
            connections: 500,
            keep_alive: true,
            p99_us: 1000,
            start_per_s: 50,
            most_per_s: 100,
        },
    ] {
        let asked = Scenario {
            load,
            ..scenario(Workload::JsonSum, 1, true)
        };
        let (cut, capped) = effective(&asked, &limits);
        assert_eq!((cut.load.connections(), capped.unwrap().asked), (100, 500));
        let (mut left, mut right) = (serde_json::to_value(cut).unwrap(), serde_json::to_value(asked).unwrap());
        left["load"]["connections"] = 0.into();
        right["load"]["connections"] = 0.into();
        assert_eq!(left, right);
    }
}
