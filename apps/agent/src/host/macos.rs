//! macOS: sysctl by name. Nothing here needs a framework.

use super::machine::Machine;

/// The value as text; numbers in decimal.
#[cfg(target_os = "macos")]
pub fn sysctl(name: &str) -> Option<String> {
    let program = std::path::Path::new("/usr/sbin/sysctl");
    let text = crate::tool::program::ask(program, &["-n", name])?;
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

pub fn machine(sysctl: &dyn Fn(&str) -> Option<String>) -> Machine {
    let number = |name: &str| sysctl(name)?.parse::<u64>().ok();
    Machine {
        hostname: sysctl("kern.hostname").unwrap_or_else(|| "localhost".to_owned()),
        os_name: sysctl("kern.osproductversion").map(|version| format!("macOS {version}")),
        kernel: sysctl("kern.osrelease").map(|release| format!("Darwin {release}")),
        board: sysctl("hw.model"),
        cpu_model: sysctl("machdep.cpu.brand_string"),
        cpus_online: number("hw.activecpu"),
        cores_physical: number("hw.physicalcpu"),
        cpu_max_khz: number("hw.cpufrequency_max").map(|hz| hz / 1000),
        memory_bytes: number("hw.memsize"),
        virtualization: number("kern.hv_vmm_present")
            .filter(|n| *n == 1)
            .map(|_| "a hypervisor".to_owned()),
        boot_id: boot_id(sysctl),
        load1: load1(sysctl),
        swap_used_bytes: swap_used(sysctl),
        ..Machine::default()
    }
}

pub fn boot_id(sysctl: &dyn Fn(&str) -> Option<String>) -> String {
    sysctl("kern.bootsessionuuid").unwrap_or_else(|| "unknown".to_owned())
}

/// `{ 2.10 1.95 1.80 }`
fn load1(sysctl: &dyn Fn(&str) -> Option<String>) -> Option<f64> {
    sysctl("vm.loadavg")?.split_whitespace().nth(1)?.parse().ok()
}

/// `total = 2048.00M  used = 1024.50M  free = 1023.50M  (encrypted)`
fn swap_used(sysctl: &dyn Fn(&str) -> Option<String>) -> Option<u64> {
    let text = sysctl("vm.swapusage")?;
    let used = text
        .split("used = ")
        .nth(1)?
        .split('M')
        .next()?
        .trim()
        .parse::<f64>()
        .ok()?;
    (0.0..1e9).contains(&used).then_some((used * 1024.0 * 1024.0) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_m1_describes_itself() {
        let known = |name: &str| {
            let value = match name {
                "kern.hostname" => "mini.local",
                "kern.osproductversion" => "14.5",
                "hw.model" => "Macmini9,1",
                "machdep.cpu.brand_string" => "Apple M1",
                "hw.activecpu" | "hw.physicalcpu" => "8",
                "hw.memsize" => "17179869184",
                "kern.hv_vmm_present" => "0",
                "kern.bootsessionuuid" => "5F1C3C0E-9A52-4F6E-8D36-3C1F6A0C9B11",
                "vm.loadavg" => "{ 2.10 1.95 1.80 }",
                "vm.swapusage" => "total = 2048.00M  used = 1024.50M  free = 1023.50M  (encrypted)",
                _ => return None,
            };
            Some(value.to_owned())
        };
        let m = machine(&known);
        assert_eq!(m.os_name.as_deref(), Some("macOS 14.5"));
        assert_eq!(
            (m.cpus_online, m.memory_bytes, m.load1),
            (Some(8), Some(17_179_869_184), Some(2.1))
        );
        assert_eq!((m.virtualization, m.governor, m.cpu_max_khz), (None, None, None));
        assert_eq!(m.swap_used_bytes, Some(1_074_266_112));
    }

    #[test]
    fn nothing_known_is_nothing_said() {
        let m = machine(&|_| None);
        assert_eq!((m.kernel, m.load1, m.swap_used_bytes), (None, None, None));
        assert_eq!(m.boot_id, "unknown");
    }
}
