//! Linux: /proc and /sys.

use std::collections::{BTreeMap, BTreeSet};

use super::control_groups;
use super::cores::allowed;
use super::machine::Machine;
use super::power;
use super::sensor::{self, CPUS, cpu_folders};
use super::sysroot::SysRoot;
use super::throttle::Throttle;

pub fn machine(sys: &SysRoot) -> Machine {
    let cpuinfo = sys.text("proc/cpuinfo").unwrap_or_default();
    let memory = Memory::read(sys);
    Machine {
        hostname: sys
            .text("proc/sys/kernel/hostname")
            .unwrap_or_else(|| "localhost".to_owned()),
        os_name: os_name(sys),
        kernel: sys.text("proc/sys/kernel/osrelease"),
        board: board(sys),
        cpu_model: cpu_model(&cpuinfo),
        cpus_online: sys.text(&format!("{CPUS}/online")).and_then(|list| count_list(&list)),
        cores_physical: cores(sys),
        cpu_quota: control_groups::cpu_quota(sys, allowed().len()),
        cpu_max_khz: largest(sys, "cpufreq/cpuinfo_max_freq"),
        memory_bytes: memory
            .get("MemTotal")
            .map(|all| all.min(control_groups::memory_bytes(sys).unwrap_or(all))),
        governor: sensor::governor(sys),
        turbo: turbo(sys),
        mitigations: mitigations(sys),
        virtualization: virtualization(sys, &cpuinfo),
        temperature_millic: sensor::temperature_millic(sys),
        throttle_flags: Throttle::find(sys).flags(),
        thermal_pressure: None,
        smt: smt(sys),
        thp: sys.value("sys/kernel/mm/transparent_hugepage/enabled"),
        aslr: sys
            .number("proc/sys/kernel/randomize_va_space")
            .and_then(|n| u64::try_from(n).ok()),
        boot_id: boot_id(sys),
        load1: sys
            .text("proc/loadavg")
            .and_then(|t| t.split_whitespace().next()?.parse().ok()),
        swap_used_bytes: memory
            .get("SwapTotal")
            .zip(memory.get("SwapFree"))
            .map(|(all, free)| all.saturating_sub(free).saturating_sub(compressed_swap_bytes(sys))),
        memory_available_bytes: memory
            .get("MemAvailable")
            .map(|all| all.min(control_groups::memory_left_bytes(sys).unwrap_or(all))),
        clock_source: clock_source(sys),
        steal_ratio: steal_ratio(sys),
        energy: power::source(sys),
    }
}

/// zram is memory: what is there comes back without a disk.
fn compressed_swap_bytes(sys: &SysRoot) -> u64 {
    let swaps = sys.text("proc/swaps").unwrap_or_default();
    let used_kib = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let is_zram = fields.first().is_some_and(|device| device.starts_with("/dev/zram"));
        fields.get(3).filter(|_| is_zram)?.parse::<u64>().ok()
    };
    swaps.lines().filter_map(used_kib).sum::<u64>() * 1024
}

pub fn boot_id(sys: &SysRoot) -> String {
    let started = || {
        let stat = sys.text("proc/stat")?;
        let line = stat.lines().find_map(|l| l.strip_prefix("btime "))?;
        Some(format!("btime-{}", line.trim()))
    };
    sys.text("proc/sys/kernel/random/boot_id")
        .or_else(started)
        .unwrap_or_else(|| "unknown".to_owned())
}

fn os_name(sys: &SysRoot) -> Option<String> {
    let text = sys.text("etc/os-release").or_else(|| sys.text("usr/lib/os-release"))?;
    let value = text.lines().find_map(|l| l.strip_prefix("PRETTY_NAME="))?;
    Some(value.trim_matches(['"', '\'']).to_owned())
}

/// A Raspberry Pi says so in its device tree, a PC in its DMI tables.
fn board(sys: &SysRoot) -> Option<String> {
    let dmi = || {
        let part = |name: &str| sys.text(&format!("sys/class/dmi/id/{name}"));
        let words: Vec<String> = [part("sys_vendor"), part("product_name")]
            .into_iter()
            .flatten()
            .collect();
        (!words.is_empty()).then(|| words.join(" "))
    };
    sys.text("proc/device-tree/model").or_else(dmi)
}

/// x86 names its model; ARM gives part numbers, more than one where cores differ.
fn cpu_model(cpuinfo: &str) -> Option<String> {
    let field = |name: &'static str| {
        cpuinfo.lines().filter_map(move |line| {
            let (key, value) = line.split_once(':')?;
            (key.trim() == name).then(|| value.trim())
        })
    };
    // "ARMv7 Processor rev 4 (v7l)", as a 32-bit kernel has it, does not say which core it is.
    let named = |n: &&str| !n.is_empty() && !n.starts_with("ARMv") && !n.starts_with("AArch64 Processor");
    if let Some(name) = field("model name").find(named) {
        return Some(name.to_owned());
    }
    let parts: BTreeSet<(&str, &str)> = field("CPU implementer").zip(field("CPU part")).collect();
    let names: Vec<String> = parts.iter().map(|(maker, part)| arm_core(maker, part)).collect();
    let named_at_all = || field("model name").find(|n| !n.is_empty()).map(str::to_owned);
    (!names.is_empty()).then(|| names.join(" + ")).or_else(named_at_all)
}

fn arm_core(maker: &str, part: &str) -> String {
    let known = match (maker, part) {
        ("0x41", "0xb76") => "ARM1176",
        ("0x41", "0xc07") => "Cortex-A7",
        ("0x41", "0xd03") => "Cortex-A53",
        ("0x41", "0xd04") => "Cortex-A35",
        ("0x41", "0xd05") => "Cortex-A55",
        ("0x41", "0xd07") => "Cortex-A57",
        ("0x41", "0xd08") => "Cortex-A72",
        ("0x41", "0xd09") => "Cortex-A73",
        ("0x41", "0xd0a") => "Cortex-A75",
        ("0x41", "0xd0b") => "Cortex-A76",
        ("0x41", "0xd0c") => "Neoverse-N1",
        ("0x41", "0xd40") => "Neoverse-V1",
        ("0x41", "0xd41") => "Cortex-A78",
        ("0x41", "0xd49") => "Neoverse-N2",
        ("0x41", "0xd4f") => "Neoverse-V2",
        _ => return format!("ARM implementer {maker} part {part}"),
    };
    known.to_owned()
}

/// `0-3,8` is five.
fn count_list(list: &str) -> Option<u64> {
    list.split(',')
        .map(|part| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last): (u64, u64) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
            last.checked_sub(first)?.checked_add(1)
        })
        .try_fold(0u64, |sum, n| sum.checked_add(n?))
}

fn cores(sys: &SysRoot) -> Option<u64> {
    let core = |cpu: &String| {
        let part = |name: &str| sys.number(&format!("{CPUS}/{cpu}/topology/{name}"));
        Some((part("physical_package_id")?, part("core_id")?))
    };
    let cores: BTreeSet<(i64, i64)> = cpu_folders(sys).iter().filter_map(core).collect();
    (!cores.is_empty()).then_some(cores.len() as u64)
}

/// What the kernel says, or, where it is too old for that, what the cores say.
fn smt(sys: &SysRoot) -> Option<bool> {
    let by_kernel = sys.number(&format!("{CPUS}/smt/active")).map(|n| n != 0);
    let siblings = |cpu: &String| count_list(&sys.text(&format!("{CPUS}/{cpu}/topology/thread_siblings_list"))?);
    by_kernel.or_else(|| cpu_folders(sys).iter().filter_map(siblings).max().map(|most| most > 1))
}

fn largest(sys: &SysRoot, file: &str) -> Option<u64> {
    let value = |cpu: &String| u64::try_from(sys.number(&format!("{CPUS}/{cpu}/{file}"))?).ok();
    cpu_folders(sys).iter().filter_map(value).max()
}

fn turbo(sys: &SysRoot) -> Option<bool> {
    let off = sys.number(&format!("{CPUS}/intel_pstate/no_turbo")).map(|n| n == 0);
    off.or_else(|| sys.number(&format!("{CPUS}/cpufreq/boost")).map(|n| n != 0))
}

fn mitigations(sys: &SysRoot) -> Option<BTreeMap<String, String>> {
    let folder = format!("{CPUS}/vulnerabilities");
    let read = |name: String| sys.text(&format!("{folder}/{name}")).map(|state| (name, state));
    let all: BTreeMap<String, String> = sys.names(&folder).into_iter().filter_map(read).collect();
    (!all.is_empty()).then_some(all)
}

/// The hypervisor, then the container, as far as either shows.
fn virtualization(sys: &SysRoot, cpuinfo: &str) -> Option<String> {
    let flag = cpuinfo
        .lines()
        .any(|l| l.starts_with("flags") && l.split_whitespace().any(|f| f == "hypervisor"));
    let by_dmi = || {
        let text = ["sys_vendor", "product_name", "bios_vendor"]
            .iter()
            .filter_map(|name| sys.text(&format!("sys/class/dmi/id/{name}")))
            .collect::<Vec<_>>()
            .join(" ");
        let known = [
            ("KVM", "kvm"),
            ("QEMU", "qemu"),
            ("Amazon EC2", "kvm"),
            ("Google", "kvm"),
            ("VMware", "vmware"),
            ("VirtualBox", "virtualbox"),
            ("Microsoft Corporation Virtual", "hyper-v"),
            ("Xen", "xen"),
            ("Parallels", "parallels"),
            ("Apple Virtualization", "apple"),
        ];
        known
            .iter()
            .find(|(mark, _)| text.contains(mark))
            .map(|(_, name)| (*name).to_owned())
    };
    let machine = sys
        .text("sys/hypervisor/type")
        .or_else(|| if flag && sys.is_host() { signature() } else { None })
        .or_else(|| {
            if flag || cpuinfo.contains("CPU implementer") {
                by_dmi()
            } else {
                None
            }
        })
        .or_else(|| flag.then(|| "a hypervisor".to_owned()));
    let container = [(".dockerenv", "docker"), ("run/.containerenv", "podman")]
        .into_iter()
        .find(|(mark, _)| sys.path(mark).exists())
        .map(|(_, name)| name.to_owned());
    let all: Vec<String> = [machine, container].into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join(", "))
}

/// A hypervisor signs leaf 0x40000000 of CPUID.
#[cfg(target_arch = "x86_64")]
fn signature() -> Option<String> {
    let leaf = std::arch::x86_64::__cpuid(0x4000_0000);
    let bytes: Vec<u8> = [leaf.ebx, leaf.ecx, leaf.edx]
        .iter()
        .flat_map(|r| r.to_le_bytes())
        .collect();
    let name = match bytes.as_slice() {
        b"KVMKVMKVM\0\0\0" => "kvm",
        b"Microsoft Hv" => "hyper-v",
        b"VMwareVMware" => "vmware",
        b"XenVMMXenVMM" => "xen",
        b"TCGTCGTCGTCG" => "qemu",
        b"VBoxVBoxVBox" => "virtualbox",
        b"bhyve bhyve " => "bhyve",
        b"ACRNACRNACRN" => "acrn",
        _ => return None,
    };
    Some(name.to_owned())
}

#[cfg(not(target_arch = "x86_64"))]
fn signature() -> Option<String> {
    None
}

fn clock_source(sys: &SysRoot) -> Option<(String, Vec<String>)> {
    let folder = "sys/devices/system/clocksource/clocksource0";
    let current = sys.text(&format!("{folder}/current_clocksource"))?;
    let all = sys.text(&format!("{folder}/available_clocksource")).unwrap_or_default();
    Some((current, all.split_whitespace().map(str::to_owned).collect()))
}

fn steal_ratio(sys: &SysRoot) -> Option<f64> {
    let stat = sys.text("proc/stat")?;
    let ticks: Vec<f64> = stat
        .lines()
        .next()?
        .split_whitespace()
        .skip(1)
        .map_while(|n| n.parse().ok())
        .collect();
    let total: f64 = ticks.iter().take(8).sum();
    (ticks.len() >= 8 && total > 0.0).then(|| ticks[7] / total)
}

struct Memory(String);

impl Memory {
    fn read(sys: &SysRoot) -> Self {
        Self(sys.text("proc/meminfo").unwrap_or_default())
    }

    /// In bytes; the file has kB.
    fn get(&self, name: &str) -> Option<u64> {
        let line = self.0.lines().find_map(|l| l.strip_prefix(name)?.strip_prefix(':'))?;
        line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
    }
}

#[cfg(test)]
#[path = "linux_tests.rs"]
mod tests;
