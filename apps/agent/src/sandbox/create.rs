//! The sandbox of a trial, as this host allows it.

#[cfg(target_os = "linux")]
use super::netns;
use super::{HostNetwork, Sandbox};

/// The best that this host allows: a fresh namespace, else the host's own network with the reason.
#[cfg(target_os = "linux")]
pub fn create() -> Box<dyn Sandbox> {
    match netns::Netns::create() {
        Ok(netns) => Box::new(netns),
        Err(reason) => Box::new(HostNetwork::new(reason)),
    }
}

#[cfg(not(target_os = "linux"))]
pub fn create() -> Box<dyn Sandbox> {
    Box::new(HostNetwork::new(
        "This system has no network namespaces, so ports and byte counters are shared with the host.".to_owned(),
    ))
}

/// For the host's facts: why trials here are not sandboxed; `None` when they are.
pub fn unsandboxed_reason() -> Option<String> {
    create().unsandboxed_reason().map(str::to_owned)
}
