//! How many connections a host has room for. A scenario that asks for more is run with what there is, and the run says
//! so: a tool that runs out of descriptors half way measures something else. Pure; [`ConnectionLimits::of_this_host`] looks.

use serde::Serialize;

use crate::host::{Machine, limits};
use crate::protocol::facts::HostFacts;
use crate::protocol::spec::{Load, Payload, Scenario, Workload};

/// Descriptors that a program has beside its connections: its files, its listeners, its event loops.
const DESCRIPTORS_BESIDE: u64 = 64;
/// What two sockets, and what server and tool keep for a connection, take in any case.
const CONNECTION_BYTES: u64 = 64 << 10;
/// The largest window of a socket: what of a large response is under way at once.
const WINDOW_BYTES: u64 = 4 << 20;
/// The rest is for the programs, and for everybody else.
const MEMORY_SHARE: u64 = 2;
/// In a network namespace of its own, whatever the host says.
const FRESH_PORTS: u64 = 60_999 - 32_768 + 1;

/// What the limits of a host are; what could not be read limits nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// Open files of a server or a tool, once its limit was raised as far as it goes.
    pub descriptors: Option<u64>,
    pub ports: Option<u64>,
    /// The ports are a fresh namespace's: nothing on the host makes them more.
    pub fresh_ports: bool,
    pub memory_bytes: Option<u64>,
}

impl ConnectionLimits {
    pub fn of_this_host(facts: &HostFacts) -> Self {
        let sandboxed = facts.unsandboxed_reason.is_none();
        Self::of(sandboxed, facts.nofile_hard, facts.memory_bytes)
    }

    /// The same without the doctor's checks.
    pub fn here() -> Self {
        let nofile_hard = limits::nofile().map(|(_, hard)| hard);
        let sandboxed = crate::sandbox::unsandboxed_reason().is_none();
        Self::of(sandboxed, nofile_hard, Machine::here().memory_bytes)
    }

    fn of(sandboxed: bool, nofile_hard: Option<u64>, memory_bytes: Option<u64>) -> Self {
        Self {
            descriptors: nofile_hard.map(crate::sandbox::most_open_files),
            ports: if sandboxed { Some(FRESH_PORTS) } else { host_ports() },
            fresh_ports: sandboxed,
            memory_bytes,
        }
    }
}

#[cfg(target_os = "macos")]
fn host_ports() -> Option<u64> {
    let end = |name: &str| {
        crate::host::macos::sysctl(&format!("net.inet.ip.portrange.{name}"))?
            .parse::<u64>()
            .ok()
    };
    end("last")?.checked_sub(end("first")?.max(1) - 1)
}

#[cfg(not(target_os = "macos"))]
fn host_ports() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").ok()?;
    let mut ends = text.split_whitespace().filter_map(|n| n.parse::<u64>().ok());
    Some((ends.next()?.max(1), ends.next()?)).and_then(|(first, last)| last.checked_sub(first - 1))
}

/// Fewer connections than were asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Capped {
    pub asked: u32,
    pub used: u32,
    /// What the limit is and what lifts it: two sentences.
    pub why: String,
}

impl Capped {
    /// What is done about it, for those who read it before the run.
    pub fn words(&self, scenario: &str) -> String {
        let Self { asked, used, why } = self;
        format!("{scenario} runs with {used} of {asked} connections: {why}")
    }
}

/// The scenario as it can be run here, and what had to be cut.
pub fn effective(scenario: &Scenario, limits: &ConnectionLimits) -> (Scenario, Option<Capped>) {
    let asked = scenario.load.connections();
    let limits = [
        limits.descriptors.map(|all| by_descriptors(scenario, all)),
        limits.ports.map(|all| by_ports(scenario, all, limits.fresh_ports)),
        limits.memory_bytes.map(|all| by_memory(scenario, all)),
    ];
    let Some((most, why)) = limits.into_iter().flatten().min_by_key(|(most, _)| *most) else {
        return (scenario.clone(), None);
    };
    let used = u32::try_from(most.max(1)).unwrap_or(u32::MAX);
    if used >= asked {
        return (scenario.clone(), None);
    }
    let mut cut = scenario.clone();
    let (Load::Closed { connections, .. }
    | Load::Rate { connections, .. }
    | Load::Count { connections, .. }
    | Load::Knee { connections, .. }) = &mut cut.load;
    *connections = used;
    (cut, Some(Capped { asked, used, why }))
}

fn by_descriptors(scenario: &Scenario, all: u64) -> (u64, String) {
    // A file server may have the file open for each connection.
    let each = if scenario.workload == Workload::Static { 2 } else { 1 };
    let most = all.saturating_sub(DESCRIPTORS_BESIDE) / each;
    let wanted = u64::from(scenario.load.connections()) * each + DESCRIPTORS_BESIDE;
    let lift = if cfg!(target_os = "macos") {
        format!("sudo sysctl -w kern.maxfilesperproc={wanted}")
    } else {
        format!("sudo prlimit --pid $$ --nofile={wanted}:{wanted}")
    };
    let why =
        format!("A program may have {all} files open here. To lift that, run `{lift}` before the agent is started.");
    (most, why)
}

fn by_ports(scenario: &Scenario, all: u64, fresh: bool) -> (u64, String) {
    // A port rests for a moment after its connection was closed, while the next one needs another.
    let most = if scenario.load.keep_alive() { all } else { all / 2 };
    let lift = match fresh {
        true => "Nothing lifts that in a trial's own network.",
        false if cfg!(target_os = "macos") => "To lift that, run `sudo sysctl -w net.inet.ip.portrange.first=16384`.",
        false => "To lift that, run `sudo sysctl -w net.ipv4.ip_local_port_range=\"1024 65535\"`.",
    };
    (most, format!("There are {all} ports for outgoing connections. {lift}"))
}

fn by_memory(scenario: &Scenario, all: u64) -> (u64, String) {
    let each = connection_bytes(scenario);
    let most = all / MEMORY_SHARE / each;
    let why = format!(
        "A connection of this load takes about {} KiB, and half of this host's memory is {} MiB. A host with more memory lifts that.",
        each >> 10,
        (all / MEMORY_SHARE) >> 20
    );
    (most, why)
}

fn connection_bytes(scenario: &Scenario) -> u64 {
    let sent = match scenario.payload {
        Some(Payload::Bytes { bytes } | Payload::Text { bytes }) => bytes,
        Some(Payload::Numbers { count }) => u64::from(count) * 20,
        Some(Payload::Greeting {}) | None => 0,
    };
    // A message is held whole by server and tool; of a file or an upload only what is under way.
    let held = match scenario.workload {
        Workload::WsEcho | Workload::JsonSum => 2 * sent,
        Workload::Plaintext | Workload::Static | Workload::Upload | Workload::Http => 0,
    };
    CONNECTION_BYTES + held + sent.min(WINDOW_BYTES) + scenario.body_bytes.min(WINDOW_BYTES)
}

#[cfg(test)]
#[path = "connection_limits_tests.rs"]
mod tests;
