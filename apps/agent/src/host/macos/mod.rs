//! macOS: sysctl by name. Nothing here needs a framework.

use super::machine::Machine;

pub mod background;
pub mod pmset;

/// The value as text; numbers in decimal.
#[cfg(target_os = "macos")]
pub fn sysctl(name: &str) -> Option<String> {
    let program = std::path::Path::new("/usr/sbin/sysctl");
    let text = crate::program::ask(program, &["-n", name])?;
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(target_os = "macos")]
unsafe extern "C" {
    fn notify_register_check(name: *const libc::c_char, token: *mut libc::c_int) -> u32;
    fn notify_get_state(token: libc::c_int, state: *mut u64) -> u32;
    fn notify_cancel(token: libc::c_int) -> u32;
}

/// 0 nominal, 1 moderate, 2 heavy, 3 trapping, 4 sleeping: `kOSThermalNotificationPressureLevelName` of notify(3), which is in
/// libSystem.
#[cfg(target_os = "macos")]
pub fn thermal_pressure() -> Option<u64> {
    let (mut token, mut level) = (0, 0u64);
    // SAFETY: the name is a C string and the out-parameters are valid; the token is given back.
    unsafe {
        if notify_register_check(c"com.apple.system.thermalpressurelevel".as_ptr(), &mut token) != 0 {
            return None;
        }
        let told = notify_get_state(token, &mut level) == 0;
        notify_cancel(token);
        told.then_some(level).filter(|level| *level <= 4)
    }
}

pub fn machine(sysctl: &dyn Fn(&str) -> Option<String>) -> Machine {
    let number = |name: &str| sysctl(name)?.parse::<u64>().ok();
    Machine {
        hostname: sysctl("kern.hostname").unwrap_or_else(|| "localhost".to_owned()),
        os_name: sysctl("kern.osproductversion").map(|version| format!("macOS {version}")),
        kernel: sysctl("kern.osrelease").map(|release| format!("Darwin {release}")),
        board: sysctl("hw.model"),
        cpu_model: cpu_model(sysctl),
        cpus_online: number("hw.activecpu"),
        cores_physical: number("hw.physicalcpu"),
        cpu_max_khz: number("hw.cpufrequency_max").map(|hz| hz / 1000),
        memory_bytes: number("hw.memsize"),
        smt: number("hw.logicalcpu")
            .zip(number("hw.physicalcpu"))
            .map(|(threads, cores)| threads > cores),
        virtualization: number("kern.hv_vmm_present")
            .filter(|n| *n == 1)
            .map(|_| "a hypervisor".to_owned()),
        boot_id: boot_id(sysctl),
        load1: load1(sysctl),
        swap_used_bytes: swap_used(sysctl),
        ..Machine::default()
    }
}

/// `Apple M1, 4 performance + 4 efficiency cores`: which of them a process gets is the system's choice, so they are named.
fn cpu_model(sysctl: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let name = sysctl("machdep.cpu.brand_string")?;
    let levels = sysctl("hw.nperflevels")
        .and_then(|n| n.parse::<u32>().ok())
        .unwrap_or(1);
    let level = |n: u32| {
        let kind = sysctl(&format!("hw.perflevel{n}.name"))?.to_lowercase();
        Some(format!("{} {kind}", sysctl(&format!("hw.perflevel{n}.physicalcpu"))?))
    };
    let kinds: Vec<String> = (0..levels.min(4)).filter_map(level).collect();
    Some(if kinds.len() < 2 {
        name
    } else {
        format!("{name}, {} cores", kinds.join(" + "))
    })
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
                "hw.logicalcpu" => "8",
                "hw.nperflevels" => "2",
                "hw.perflevel0.name" => "Performance",
                "hw.perflevel1.name" => "Efficiency",
                "hw.perflevel0.physicalcpu" | "hw.perflevel1.physicalcpu" => "4",
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
        assert_eq!(
            m.cpu_model.as_deref(),
            Some("Apple M1, 4 performance + 4 efficiency cores")
        );
        assert_eq!(m.smt, Some(false));
    }

    #[test]
    fn nothing_known_is_nothing_said() {
        let m = machine(&|_| None);
        assert_eq!((m.kernel, m.load1, m.swap_used_bytes), (None, None, None));
        assert_eq!(m.boot_id, "unknown");
    }
}
