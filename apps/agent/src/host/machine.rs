//! The machine as the system describes it; what it does not say is `None`.

use std::collections::BTreeMap;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Machine {
    pub hostname: String,
    pub os_name: Option<String>,
    pub kernel: Option<String>,
    pub board: Option<String>,
    pub cpu_model: Option<String>,
    pub cpus_online: Option<u64>,
    pub cores_physical: Option<u64>,
    /// CPU seconds a second that control groups leave this process, where its CPUs could give more.
    pub cpu_quota: Option<f64>,
    pub cpu_max_khz: Option<u64>,
    pub memory_bytes: Option<u64>,
    pub governor: Option<String>,
    pub turbo: Option<bool>,
    pub mitigations: Option<BTreeMap<String, String>>,
    pub virtualization: Option<String>,
    pub temperature_millic: Option<i64>,
    pub throttle_flags: Option<u64>,
    /// macOS: 0 nominal, 1 moderate, 2 heavy, 3 trapping, 4 sleeping.
    pub thermal_pressure: Option<u64>,
    /// Two threads a core are in use.
    pub smt: Option<bool>,
    /// The chosen setting of transparent huge pages.
    pub thp: Option<String>,
    pub aslr: Option<u64>,
    pub boot_id: String,
    pub load1: Option<f64>,
    pub swap_used_bytes: Option<u64>,
    pub memory_available_bytes: Option<u64>,
    /// The clock behind CLOCK_MONOTONIC, and the others that there are.
    pub clock_source: Option<(String, Vec<String>)>,
    /// Share of CPU time since the start that the hypervisor gave to others.
    pub steal_ratio: Option<f64>,
    /// What a trial's energy is made of, in words.
    pub energy: Option<String>,
}
