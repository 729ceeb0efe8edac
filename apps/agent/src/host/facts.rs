//! What the app is told of this host.

use std::path::{Path, PathBuf};

use super::machine::Machine;
use super::{calibration, compiler, doctor, limits, noise};
use crate::assets::Assets;
use crate::protocol::facts::HostFacts;
use crate::state::State;

/// Longest `Name` of the protocol, in characters.
const NAME_CHARS: usize = 200;

/// Everything about this host, the doctor's checks included. Starts compilers and tools with their version flags, so
/// it takes a moment: not for the inside of a measurement.
pub fn facts() -> HostFacts {
    let asked = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let assets = Assets::locate(asked("RIGMARK_ASSETS").as_deref()).ok();
    facts_with(assets.as_ref(), State::locate(asked("RIGMARK_STATE").as_deref()).root())
}

/// The same for assets and a state folder that flags may have named.
pub fn facts_with(assets: Option<&Assets>, state: &Path) -> HostFacts {
    let machine = Machine::here();
    let unsandboxed_reason = crate::sandbox::unsandboxed_reason();
    let mut checks = doctor::checks(&machine, unsandboxed_reason.as_deref(), assets, state);
    let noise = noise::stored(state);
    checks.extend(noise.iter().flat_map(|n| &n.parts).map(noise::check));
    let (nofile_soft, nofile_hard) = limits::nofile().unzip();
    let facts = HostFacts {
        hostname: clip(&machine.hostname),
        agent_version: env!("CARGO_PKG_VERSION").to_owned(),
        agent_target: target(),
        os: std::env::consts::OS.to_owned(),
        os_name: machine.os_name.as_deref().map(clip),
        kernel: machine.kernel.as_deref().map(clip),
        arch: std::env::consts::ARCH.to_owned(),
        board: machine.board.as_deref().map(clip),
        cpu_model: machine.cpu_model.as_deref().map(clip),
        cpus_online: machine.cpus_online,
        cores_physical: machine.cores_physical,
        cpu_max_khz: machine.cpu_max_khz,
        memory_bytes: machine.memory_bytes,
        governor: machine.governor.as_deref().map(clip),
        turbo: machine.turbo,
        mitigations: machine
            .mitigations
            .as_ref()
            .map(|all| all.iter().map(|(name, state)| (clip(name), clip(state))).collect()),
        virtualization: machine.virtualization.as_deref().map(clip),
        temperature_millic: machine.temperature_millic,
        throttle_flags: machine.throttle_flags,
        nofile_soft,
        nofile_hard,
        compiler: compiler().as_deref().map(clip),
        unsandboxed_reason,
        boot_id: machine.boot_id,
        checks,
        smt: machine.smt,
        thp: machine.thp.as_deref().map(clip),
        aslr: machine.aslr,
        noise,
        calibration: None,
        tune: None,
        owner_rules: None,
    };
    calibration::with_calibration(facts, state)
}

/// The triple that this agent was built for.
fn target() -> String {
    let system = match (cfg!(target_os = "macos"), cfg!(target_env = "musl")) {
        (true, _) => "apple-darwin",
        (false, true) => "unknown-linux-musl",
        (false, false) => "unknown-linux-gnu",
    };
    format!("{}-{system}", std::env::consts::ARCH)
}

fn clip(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(NAME_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_fit_the_protocol() {
        assert_eq!(clip("a\u{0}b\n"), "ab");
        assert_eq!(clip(&"é".repeat(300)).chars().count(), NAME_CHARS);
    }
}
