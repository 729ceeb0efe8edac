use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use proptest::prelude::*;

use super::counters::CounterValues;
use super::host::{WholeTime, available, core_count, cpu_ticks, load1};
use super::process::{Stat, rollup_rss, thread_ids};
use super::tree::Tree;
use super::*;

/// A shell that says `ready` when its script has come to a halt, and goes on when it is told to.
struct Shell(Child, BufReader<std::process::ChildStdout>);

impl Shell {
    fn start(script: &str) -> Self {
        let mut child = Command::new("sh")
            .args(["-c", script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Self(child, out)
    }

    fn pid(&self) -> u32 {
        self.0.id()
    }

    /// Waits for its next line.
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.1.read_line(&mut line).unwrap();
        line.trim().to_owned()
    }

    fn go_on(&mut self) {
        self.0.stdin.as_mut().unwrap().write_all(b"\n").unwrap();
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Some tens of milliseconds of CPU.
const BURN: &str = "burn() { i=0; while [ $i -lt 40000 ]; do i=$((i+1)); done; }; ";

fn sampler() -> LinuxSampler {
    LinuxSampler::new(SysRoot::host())
}

#[test]
fn a_process_that_works_is_seen_to_work() {
    let mut shell = Shell::start(&format!("{BURN} echo ready; read x; burn; echo ready; read x"));
    shell.line();
    let mut sampler = sampler();
    let before = sampler.tree(shell.pid()).unwrap();
    shell.go_on();
    shell.line();
    let after = sampler.tree(shell.pid()).unwrap();
    assert!(
        after.cpu_us.unwrap() > before.cpu_us.unwrap() + 1000,
        "{before:?} {after:?}"
    );
    assert!(after.context_switches.unwrap() > before.context_switches.unwrap());
    assert!(after.rss_bytes.unwrap() > 100_000);
    assert_eq!((after.processes, after.threads), (Some(1), Some(1)));
}

/// Microseconds, where /proc/<pid>/stat shows steps of ten thousand.
#[test]
fn cpu_time_is_finer_than_a_tick() {
    let mut shell = Shell::start("echo ready; read x");
    shell.line();
    let used = sampler().tree(shell.pid()).unwrap().cpu_us.unwrap();
    assert!(used > 0 && used < 1_000_000, "{used}");
    assert!(clock::cpu_ns(shell.pid()).unwrap() > 0);
    assert_eq!(clock::cpu_ns(0), None);
    assert_eq!(clock::cpu_ns(u32::MAX), None);
}

/// A child that was seen, ends and is waited for; then one that begins and ends between two samples.
#[test]
fn cpu_of_ended_children_stays() {
    let script = format!("{BURN} (burn; echo ready; read x); echo ready; read x; (burn); echo ready; read x");
    let mut shell = Shell::start(&script);
    let mut sampler = sampler();
    shell.line();
    let with_child = sampler.tree(shell.pid()).unwrap();
    assert_eq!(with_child.processes, Some(2));
    shell.go_on();
    shell.line();
    let without = sampler.tree(shell.pid()).unwrap();
    assert_eq!(without.processes, Some(1));
    assert!(without.cpu_us >= with_child.cpu_us, "{with_child:?} {without:?}");
    assert!(without.context_switches >= with_child.context_switches);
    shell.go_on();
    shell.line();
    let unseen = sampler.tree(shell.pid()).unwrap();
    assert!(
        unseen.cpu_us.unwrap() >= without.cpu_us.unwrap() + 5_000,
        "{without:?} {unseen:?}"
    );
}

/// As busybox httpd does it: the kernel reaps them, and what they used is in nobody's account.
#[test]
fn cpu_is_unknown_where_children_are_not_waited_for() {
    const FORKS: &str = "
import os, signal, sys
signal.signal(signal.SIGCHLD, getattr(signal, sys.argv[1]))
print('ready', flush=True); sys.stdin.readline()
for _ in range(40):
    child = os.fork()
    if child == 0: os._exit(0)
    try: os.waitpid(child, 0)
    except ChildProcessError: pass
print('ready', flush=True); sys.stdin.readline()";
    for how in ["SIG_DFL", "SIG_IGN"] {
        let mut shell = Shell::start(&format!("exec python3 -c \"{FORKS}\" {how}"));
        let mut sampler = sampler();
        shell.line();
        assert!(sampler.tree(shell.pid()).unwrap().cpu_us.is_some());
        shell.go_on();
        shell.line();
        let after = sampler.tree(shell.pid()).unwrap();
        assert_eq!(after.cpu_us.is_none(), how == "SIG_IGN", "{how} {after:?}");
    }
}

/// A shell gives its background jobs no stdin, so they wait on descriptor 3.
#[test]
fn grandchildren_and_orphans_belong_to_the_tree() {
    let script = r#"exec 3<&0
        sh -c 'sh -c "echo ready; read x <&3" & wait' & echo middle $!
        wait; echo over; read x"#;
    let mut shell = Shell::start(script);
    let lines = [shell.line(), shell.line()];
    let middle = lines
        .iter()
        .find_map(|l| l.strip_prefix("middle ")?.parse::<i32>().ok())
        .unwrap();
    let mut sampler = sampler();
    assert_eq!(sampler.tree(shell.pid()).unwrap().processes, Some(3));
    // SAFETY: a process of this test's own.
    unsafe { libc::kill(middle, libc::SIGKILL) };
    assert_eq!(shell.line(), "over");
    // The innermost has lost its parent and is still the server's.
    assert_eq!(sampler.tree(shell.pid()).unwrap().processes, Some(2));
}

/// Its parent ended before the first look, so no walk finds it.
#[test]
fn one_that_forked_away_is_adopted_with_all_that_it_used() {
    let away = format!("{BURN} burn; burn; echo $$; read x <&3; burn; echo $$; read x <&3");
    let mut shell = Shell::start(&format!("exec 3<&0; (sh -c '{away}' &); echo over; exec sleep 60"));
    let lines = [shell.line(), shell.line()];
    let orphan: u32 = lines.iter().find_map(|line| line.parse().ok()).unwrap();
    let mut sampler = sampler();
    let without = sampler.tree(shell.pid()).unwrap();
    assert_eq!(without.processes, Some(1));
    assert_eq!(sampler.adopt(shell.pid(), &[shell.pid(), orphan]), 1);
    assert_eq!(sampler.adopt(shell.pid(), &[shell.pid(), orphan]), 0);
    let with = sampler.tree(shell.pid()).unwrap();
    assert_eq!(with.processes, Some(2));
    assert!(
        with.cpu_us.unwrap() > without.cpu_us.unwrap() + 5_000,
        "{without:?} {with:?}"
    );
    shell.go_on();
    shell.line();
    let later = sampler.tree(shell.pid()).unwrap();
    assert!(
        later.cpu_us.unwrap() > with.cpu_us.unwrap() + 2_000,
        "{with:?} {later:?}"
    );
    // SAFETY: a process of this test's own.
    unsafe { libc::kill(orphan as i32, libc::SIGKILL) };
}

#[test]
fn a_scan_finds_the_same_processes() {
    let mut shell = Shell::start(r#"exec 3<&0; sh -c "echo ready; read x <&3; :" & wait"#);
    shell.line();
    let by_files = Tree::new(shell.pid()).sample().unwrap();
    let by_scan = Tree::by_scan(shell.pid()).sample().unwrap();
    assert_eq!((by_scan.processes, by_files.processes), (Some(2), Some(2)));
}

#[test]
fn what_is_gone_is_none() {
    let mut shell = Shell::start("echo ready; read x");
    shell.line();
    let mut sampler = sampler();
    assert!(sampler.tree(shell.pid()).is_some());
    shell.0.kill().unwrap();
    // Dead but not waited for: nothing works there any more.
    let mut info = std::mem::MaybeUninit::<libc::siginfo_t>::zeroed();
    let flags = libc::WEXITED | libc::WNOWAIT;
    // SAFETY: waits for a child of this test, which stays waitable, and writes into `info`.
    assert_eq!(
        unsafe { libc::waitid(libc::P_PID, shell.pid(), info.as_mut_ptr(), flags) },
        0
    );
    assert_eq!(sampler.tree(shell.pid()), None);
    shell.0.wait().unwrap();
    assert_eq!(sampler.tree(shell.pid()), None);
    assert_eq!(sampler.tree(u32::MAX), None);
}

#[test]
fn the_host_is_counted() {
    let mut sampler = sampler();
    let first = sampler.host();
    let second = sampler.host();
    assert!(second.cpu_total_us.unwrap() >= first.cpu_total_us.unwrap());
    assert!(first.cpu_busy_us.unwrap() <= first.cpu_total_us.unwrap());
    assert!(first.memory_available_bytes.unwrap() > 0);
    assert!(first.load1.unwrap() >= 0.0);
}

#[test]
fn sensors_are_read_where_there_are_any() {
    let dir = tempfile::tempdir().unwrap();
    let put = |path: &str, text: &str| {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    put("sys/class/thermal/thermal_zone0/type", "cpu-thermal\n");
    put("sys/class/thermal/thermal_zone0/temp", "48200\n");
    put("sys/devices/system/cpu/cpufreq/policy0/scaling_cur_freq", "600000\n");
    put("sys/devices/system/cpu/cpufreq/policy4/scaling_cur_freq", "1800000\n");
    put("sys/devices/platform/soc/soc:firmware/get_throttled", "0\n");
    put("sys/class/powercap/intel-rapl:0/name", "package-0\n");
    put("sys/class/powercap/intel-rapl:0/max_energy_range_uj", "1000\n");
    put("sys/class/powercap/intel-rapl:0/energy_uj", "990\n");
    let mut sampler = LinuxSampler::new(SysRoot::at(dir.path()));
    let counters = sampler.host();
    assert_eq!(
        (counters.temperature_millic, counters.frequency_khz),
        (Some(48_200), Some(1_200_000))
    );
    put("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
    let before = sampler.edge();
    put("sys/class/powercap/intel-rapl:0/energy_uj", "30\n");
    put("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
    put("sys/devices/platform/soc/soc:firmware/get_throttled", "50005\n");
    let after = sampler.edge();
    assert_eq!((before.throttle_flags, after.throttle_flags), (Some(0), Some(0x5_0005)));
    assert_eq!((before.energy_uj, after.energy_uj), (Some(0), Some(40)));
    assert_eq!(
        (before.governor.as_deref(), after.governor.as_deref()),
        (Some("performance"), Some("powersave"))
    );
    put("sys/class/thermal/thermal_zone0/temp", "83000\n");
    assert_eq!(sampler.host().temperature_millic, Some(83_000));
    assert_eq!((counters.cpu_busy_us, counters.load1), (None, None));
}

#[test]
fn steal_and_a_falling_frequency_are_seen_under_a_replaced_root() {
    let dir = tempfile::tempdir().unwrap();
    let put = |path: &str, text: &str| {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    put("proc/stat", "cpu  100 0 0 800 0 0 0 0 0 0\n");
    put("sys/devices/system/cpu/cpufreq/policy0/scaling_cur_freq", "1800000\n");
    let mut sampler = LinuxSampler::new(SysRoot::at(dir.path()));
    let before = sampler.host();
    put("proc/stat", "cpu  150 0 0 840 0 0 0 10 0 0\n");
    put("sys/devices/system/cpu/cpufreq/policy0/scaling_cur_freq", "1200000\n");
    let after = sampler.host();
    let grown = |of: fn(&HostCounters) -> Option<u64>| of(&after).unwrap() - of(&before).unwrap();
    assert_eq!(grown(|c| c.cpu_total_us), 10 * grown(|c| c.cpu_steal_us));
    assert_eq!(
        (before.frequency_khz, after.frequency_khz),
        (Some(1_800_000), Some(1_200_000))
    );
}

#[test]
fn odd_names_do_not_shift_the_fields() {
    let line = "42 (a b) R) 1) S 1 42 42 0 -1 4194560 1 2 0 0 250 50 7 3 20 0 4 0 12345 1000 77 18446744073709551615";
    let stat = Stat::parse(line).unwrap();
    assert_eq!((stat.own_ticks, stat.waited_ticks, stat.threads), (300, 10, 4));
    assert_eq!((stat.started, stat.rss_pages, stat.ended), (12345, 77, false));
    assert_eq!(Stat::parse("42 (x) S 1"), None);
}

#[test]
fn threads_that_cannot_be_listed_are_unknown_and_not_none() {
    let dir = tempfile::tempdir().unwrap();
    assert!(thread_ids(&dir.path().join("task"), 7, 3).is_err());
    for id in ["7", "8"] {
        std::fs::create_dir_all(dir.path().join("task").join(id)).unwrap();
    }
    let mut ids = thread_ids(&dir.path().join("task"), 7, 2).unwrap();
    ids.sort();
    assert_eq!(ids, [7, 8]);
    // One thread needs no folder.
    assert_eq!(thread_ids(&dir.path().join("none"), 7, 1).unwrap(), [7]);
}

#[test]
fn the_memory_of_a_small_process_is_counted_out() {
    let rollup =
        "5581-7ffc ---p 00000000 00:00 0    [rollup]\nRss:                 100 kB\nPss:                  31 kB\n";
    assert_eq!((rollup_rss(rollup), rollup_rss("Pss: 31 kB\n")), (Some(102_400), None));
    // /proc/<pid>/stat may say 0 pages of it.
    let mut shell = Shell::start("echo ready; exec sleep 60");
    shell.line();
    let rss = sampler().tree(shell.pid()).unwrap().rss_bytes.unwrap();
    assert!((4096..64 << 20).contains(&rss), "{rss}");
}

#[test]
fn guests_and_steal_are_not_busy() {
    let ticks = cpu_ticks("cpu  10 1 2 30 4 5 6 7 8 9\ncpu0 …").unwrap();
    assert_eq!((ticks.busy, ticks.total, ticks.steal), (24, 65, Some(7)));
    assert_eq!((ticks.interrupts, ticks.idle), (11, 34));
    assert_eq!(cpu_ticks("cpu  10 1 2 30 4").unwrap().steal, None);
    assert_eq!(cpu_ticks("cpu  0 0 0 0 0 0 0 0 0 0"), None);
    assert_eq!(core_count("cpu  1\ncpu0 1\ncpu11 1\nintr 5\ncpufreq 1\n"), Some(2));
    assert_eq!(core_count("cpu  1\n"), None);
}

/// Bursts in step with the kernel's ticks, as a load at a fixed rate has them, are met by each tick or by none.
#[test]
fn work_is_what_was_neither_idle_nor_stolen() {
    let mut sampler = sampler();
    let (began, before) = (std::time::Instant::now(), sampler.host());
    std::thread::sleep(std::time::Duration::from_millis(200));
    let (after, slept) = (sampler.host(), began.elapsed().as_micros() as u64);
    let total = after.cpu_total_us.unwrap() - before.cpu_total_us.unwrap();
    let cores = core_count(&std::fs::read_to_string("/proc/stat").unwrap()).unwrap();
    // All of the time, whatever the ticks met.
    assert!(total >= cores * 200_000 && total <= cores * (slept + 1), "{total}");
    assert!(after.cpu_busy_us.unwrap() - before.cpu_busy_us.unwrap() <= total);
}

/// Idle for an hour on four cores, of which two were then taken off.
#[test]
fn what_cores_were_idle_that_are_off_does_not_hide_work() {
    let whole = WholeTime::since(2, 3_600_000_000, 4 * 3_600_000_000);
    assert_eq!(whole.total_and_busy_us(3_600_000_000, 4 * 3_600_000_000).1, 0);
    // Ten seconds, of which both cores were idle for four.
    let (total, busy) = whole.total_and_busy_us(3_610_000_000, 4 * 3_600_000_000 + 8_000_000);
    assert_eq!((total, busy), (2 * 3_610_000_000, 12_000_000));
    // Where all are on, it is all that was not idle since the start.
    let whole = WholeTime::since(4, 1_000_000, 3_000_000);
    assert_eq!(whole.total_and_busy_us(2_000_000, 5_000_000), (8_000_000, 3_000_000));
}

proptest! {
    #[test]
    fn any_text_is_taken(text in "(cpu |MemAvailable:|\\(x\\) )?[ -~\n]{0,120}") {
        let _ = (Stat::parse(&text), CounterValues::read(&text), available(&text));
        if let Some(load) = load1(&text) {
            prop_assert!(load.is_finite() && load >= 0.0);
        }
        if let Some(ticks) = cpu_ticks(&text) {
            prop_assert!(ticks.busy <= ticks.total);
        }
    }
}
