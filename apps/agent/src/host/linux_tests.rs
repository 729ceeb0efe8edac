//! A Raspberry Pi 4, a VM and an empty root, all simulated.

use std::fs;

use tempfile::TempDir;

use super::*;

fn root(files: &[(&str, &str)]) -> (TempDir, SysRoot) {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let sys = SysRoot::at(dir.path());
    (dir, sys)
}

#[test]
fn a_raspberry_pi_describes_itself() {
    let cpu = "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd08\n\n";
    let (_dir, sys) = root(&[
        ("proc/cpuinfo", &cpu.repeat(4)),
        ("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0"),
        (
            "proc/meminfo",
            "MemTotal:        3919880 kB\nMemAvailable:    3500000 kB\nSwapTotal: 100 kB\nSwapFree: 40 kB\n",
        ),
        ("proc/loadavg", "0.12 0.10 0.09 1/200 999\n"),
        ("proc/sys/kernel/hostname", "pi4\n"),
        ("proc/sys/kernel/osrelease", "6.6.31+rpt-rpi-v8\n"),
        (
            "proc/sys/kernel/random/boot_id",
            "6f1c3c0e-9a52-4f6e-8d36-3c1f6a0c9b11\n",
        ),
        (
            "etc/os-release",
            "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n",
        ),
        ("sys/devices/system/cpu/online", "0-3\n"),
        ("sys/devices/system/cpu/cpu0/topology/core_id", "0\n"),
        ("sys/devices/system/cpu/cpu0/topology/physical_package_id", "0\n"),
        ("sys/devices/system/cpu/cpu1/topology/core_id", "1\n"),
        ("sys/devices/system/cpu/cpu1/topology/physical_package_id", "0\n"),
        ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "ondemand\n"),
        ("sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "1800000\n"),
        ("sys/devices/system/cpu/cpufreq/policy0/scaling_cur_freq", "600000\n"),
        ("sys/devices/system/cpu/vulnerabilities/spectre_v2", "Vulnerable\n"),
        ("sys/class/thermal/thermal_zone0/type", "cpu-thermal\n"),
        ("sys/class/thermal/thermal_zone0/temp", "48200\n"),
        ("sys/devices/platform/soc/soc:firmware/get_throttled", "50005\n"),
        (
            "sys/devices/system/clocksource/clocksource0/current_clocksource",
            "arch_sys_counter\n",
        ),
    ]);
    let m = machine(&sys);
    assert_eq!(m.board.as_deref(), Some("Raspberry Pi 4 Model B Rev 1.4"));
    assert_eq!(m.cpu_model.as_deref(), Some("Cortex-A72"));
    assert_eq!(
        (m.cpus_online, m.cores_physical, m.cpu_max_khz),
        (Some(4), Some(2), Some(1_800_000))
    );
    assert_eq!(m.governor.as_deref(), Some("ondemand"));
    assert_eq!((m.turbo, m.virtualization), (None, None));
    assert_eq!((m.temperature_millic, m.throttle_flags), (Some(48_200), Some(0x50005)));
    assert_eq!(
        (m.memory_bytes, m.swap_used_bytes),
        (Some(3_919_880 * 1024), Some(60 * 1024))
    );
    assert_eq!(m.mitigations.unwrap()["spectre_v2"], "Vulnerable");
    assert_eq!(m.boot_id, "6f1c3c0e-9a52-4f6e-8d36-3c1f6a0c9b11");
    assert_eq!(sensor::frequency_files(&sys).len(), 1);
}

#[test]
fn the_governor_is_read_where_tune_sets_it() {
    let by_group = [
        ("sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "ondemand\n"),
        (
            "sys/devices/system/cpu/cpufreq/policy4/scaling_governor",
            "performance\n",
        ),
    ];
    let by_core = ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
    let (_dir, sys) = root(&by_group);
    assert_eq!(machine(&sys).governor.as_deref(), Some("ondemand, performance"));
    // A kernel that shows both shows one thing in two places.
    let (_dir, sys) = root(&[by_group[1], by_core]);
    assert_eq!(sensor::governor(&sys).as_deref(), Some("performance"));
    let (_dir, sys) = root(&[by_core]);
    assert_eq!(sensor::governor(&sys).as_deref(), Some("powersave"));
    assert_eq!(sensor::governor(&root(&[]).1), None);
}

#[test]
fn a_vm_describes_itself() {
    let (_dir, sys) = root(&[
        (
            "proc/cpuinfo",
            "processor : 0\nmodel name : AMD EPYC\nflags : fpu hypervisor\n",
        ),
        ("sys/class/dmi/id/sys_vendor", "QEMU\n"),
        ("sys/class/dmi/id/product_name", "Standard PC\n"),
        ("proc/stat", "cpu  10 0 10 70 0 0 0 10 0 0\nbtime 1700000000\n"),
        ("sys/devices/system/cpu/cpufreq/boost", "1\n"),
        (".dockerenv", ""),
    ]);
    let m = machine(&sys);
    assert_eq!(m.virtualization.as_deref(), Some("qemu, docker"));
    assert_eq!(m.board.as_deref(), Some("QEMU Standard PC"));
    assert_eq!((m.turbo, m.steal_ratio), (Some(true), Some(0.1)));
    assert_eq!(m.boot_id, "btime-1700000000");
}

#[test]
fn threads_huge_pages_and_randomization_are_read() {
    let (_dir, sys) = root(&[
        ("sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0,4\n"),
        ("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"),
        ("proc/sys/kernel/randomize_va_space", "2\n"),
    ]);
    let m = machine(&sys);
    assert_eq!(
        (m.smt, m.thp.as_deref(), m.aslr),
        (Some(true), Some("madvise"), Some(2))
    );
    let (_dir, sys) = root(&[
        ("sys/devices/system/cpu/smt/active", "0\n"),
        ("sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0,4\n"),
    ]);
    assert_eq!(machine(&sys).smt, Some(false));
}

#[test]
fn an_empty_root_says_nothing() {
    let (_dir, sys) = root(&[]);
    let m = machine(&sys);
    let expected = Machine {
        hostname: "localhost".to_owned(),
        boot_id: "unknown".to_owned(),
        ..Machine::default()
    };
    assert_eq!(m, expected);
}

#[test]
fn nonsense_is_not_believed() {
    let (_dir, sys) = root(&[
        ("proc/meminfo", "MemTotal: 99999999999999999999 kB\n"),
        ("proc/stat", "cpu\n"),
        ("proc/loadavg", "\n"),
        ("sys/devices/system/cpu/online", "3-0\n"),
        ("sys/class/thermal/thermal_zone0/type", "acpitz\n"),
        ("sys/class/thermal/thermal_zone0/temp", "hot\n"),
        ("sys/devices/platform/soc/soc:firmware/get_throttled", "maybe\n"),
    ]);
    let m = machine(&sys);
    assert_eq!(
        (m.memory_bytes, m.cpus_online, m.load1, m.steal_ratio),
        (None, None, None, None)
    );
    assert_eq!((m.temperature_millic, m.throttle_flags), (None, None));
}

#[test]
fn lists_of_cpus() {
    assert_eq!(count_list("0"), Some(1));
    assert_eq!(count_list("0-3,8,10-11"), Some(7));
    for odd in ["", "-", "a-b", "0-18446744073709551615"] {
        assert_eq!(count_list(odd), None, "{odd}");
    }
}

#[test]
fn a_control_groups_limit_is_the_memory_that_there_is() {
    let memory = |groups: &str, files: &[(&str, &str)]| {
        let mut all = vec![("proc/meminfo", "MemTotal: 4194304 kB\n"), ("proc/self/cgroup", groups)];
        all.extend(files);
        machine(&root(&all).1).memory_bytes
    };
    let (all, half, quarter) = (Some(4 << 30), Some(2 << 30), Some(1 << 30));
    assert_eq!(memory("0::/\n", &[]), all);
    let v2 = [
        ("sys/fs/cgroup/system.slice/memory.max", "2147483648\n"),
        ("sys/fs/cgroup/system.slice/rigmark.service/memory.max", "max\n"),
    ];
    assert_eq!(memory("0::/system.slice/rigmark.service\n", &v2), half);
    assert_eq!(memory("0::/user.slice\n", &v2), all);
    let v1 = [
        ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
        ("sys/fs/cgroup/memory/board/memory.limit_in_bytes", "1073741824\n"),
    ];
    assert_eq!(memory("5:cpu:/other\n4:memory:/board\n0::/\n", &v1), quarter);
    // The path is the host's, and what is mounted here is the container's own group.
    assert_eq!(
        memory(
            "4:memory:/docker/1f2e\n",
            &[("sys/fs/cgroup/memory/memory.limit_in_bytes", "1073741824\n")]
        ),
        quarter
    );
}
