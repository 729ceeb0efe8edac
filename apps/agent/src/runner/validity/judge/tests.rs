//! A good trial, and how it is judged when something about it is changed.

mod host;
mod responses;
mod time;

use super::*;
use crate::protocol::result::Failures;
use crate::protocol::spec::{Load, ToolName, Workload};

fn scenario() -> Scenario {
    Scenario {
        schema: 1,
        id: "static-1k-ab".into(),
        title: String::new(),
        summary: String::new(),
        workload: Workload::Static,
        tool: ToolName::Ab,
        path: "/1k.bin".into(),
        body_bytes: 1024,
        payload: None,
        in_flight: None,
        latency_until: None,
        load: Load::Closed {
            connections: 32,
            keep_alive: true,
        },
        duration_s: 10.0,
        warmup_s: 1.0,
        thresholds: None,
        judged_by: None,
        http: None,
    }
}

fn result() -> ToolResult {
    ToolResult {
        tool: ToolName::Ab,
        tool_version: None,
        duration_us: 10_000_000,
        requests: 100_000,
        failures: Failures::default(),
        bytes_received: None,
        bytes_scope: None,
        requests_per_s: 10_000.0,
        latency: None,
        offered: None,
        statuses: None,
        thresholds_crossed: Vec::new(),
        connections: None,
        knee: None,
    }
}

fn resources() -> Resources {
    Resources {
        window_us: 10_100_000,
        server_cpu_us: Some(9_500_000),
        tool_cpu_us: Some(5_000_000),
        host_steal_ratio: Some(0.0),
        server_cpus: Some(1),
        tool_cpus: Some(1),
        ..Resources::default()
    }
}

fn judged(result: &ToolResult, resources: &Resources) -> Judgment {
    judged_beside(result, resources, None)
}

fn judged_at(cpu: &CpuConditions) -> Judgment {
    judged_with(&result(), &resources(), None, cpu)
}

fn judged_beside(result: &ToolResult, resources: &Resources, others_busy: Option<f64>) -> Judgment {
    judged_with(result, resources, others_busy, &CpuConditions::default())
}

fn judged_with(result: &ToolResult, resources: &Resources, others_busy: Option<f64>, cpu: &CpuConditions) -> Judgment {
    judged_under(&scenario(), result, resources, others_busy, cpu)
}

fn judged_under(
    scenario: &Scenario,
    result: &ToolResult,
    resources: &Resources,
    others_busy: Option<f64>,
    cpu: &CpuConditions,
) -> Judgment {
    judged_by(WallClock::default(), scenario, result, resources, others_busy, cpu)
}

fn judged_under_a_quota(resources: &Resources) -> Judgment {
    let (scenario, result) = (scenario(), result());
    let cores = cores();
    judge(&MeasuredTrial {
        cpu_quota: true,
        ..measured(&scenario, &result, resources, &cores, &CpuConditions::default())
    })
}

fn judged_by(
    clock: WallClock,
    scenario: &Scenario,
    result: &ToolResult,
    resources: &Resources,
    others_busy: Option<f64>,
    cpu: &CpuConditions,
) -> Judgment {
    let cores = cores();
    judge(&MeasuredTrial {
        others_busy,
        clock,
        ..measured(scenario, result, resources, &cores, cpu)
    })
}

fn cores() -> Cores {
    Cores::Split {
        server: vec![0],
        tool: vec![1],
    }
}

fn measured<'a>(
    scenario: &'a Scenario,
    result: &'a ToolResult,
    resources: &'a Resources,
    cores: &'a Cores,
    cpu: &'a CpuConditions,
) -> MeasuredTrial<'a> {
    MeasuredTrial {
        scenario,
        duration_s: scenario.duration_s,
        result,
        resources,
        cores,
        workers: 2,
        tool_threads: Some(1),
        host_busy: None,
        others_busy: None,
        cpu,
        governor: None,
        cpu_quota: false,
        clock: WallClock::default(),
        counted: &SocketCounts {
            traffic: None,
            loopback_bytes: None,
            runs: 0,
        },
        histogram_count: None,
    }
}

fn codes(reasons: &[Reason]) -> Vec<&str> {
    reasons.iter().map(|r| r.code.as_str()).collect()
}
