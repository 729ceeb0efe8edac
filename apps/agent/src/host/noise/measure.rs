//! The five measurements. All times are from the monotonic clock; nothing here can fail, only be unknown.

use std::fs::File;
use std::io::{Seek, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use super::score::part;
use crate::host::cores;
use crate::protocol::facts::{NoisePart, NoisePartId};
use crate::protocol::journal::HostCounters;

const COMPUTE: Duration = Duration::from_millis(2_500);
const MEMORY: Duration = Duration::from_millis(1_500);
const SCHEDULER: Duration = Duration::from_millis(2_000);
const DISK: Duration = Duration::from_millis(1_200);
const SLOW_DISK: Duration = Duration::from_millis(10_000);
/// About 3 ms on a present core: longer than a timer tick, short enough for hundreds of them.
const SPINS: u64 = 1_500_000;
/// Beyond the caches of most machines, and within the memory of the smallest.
const COPY_BYTES: usize = 24 << 20;
const BLOCK_BYTES: usize = 4096;
/// Fewer pieces give no spread, and fewer timers no p99.
const LEAST: usize = 20;

/// Takes all cores for about eight seconds, and up to 17 where the disk is slow. `state` is where small files are written, as a run does.
pub fn measure(state: &Path, counters: impl Fn() -> HostCounters) -> Vec<NoisePart> {
    // Stolen and all time of all cores.
    let steal = || {
        let counters = counters();
        counters.cpu_steal_us.zip(counters.cpu_total_us)
    };
    let before = steal();
    let cpus = cores::allowed();
    // A spread or a lateness on one core is one for whoever runs there.
    let compute = on_each(&alike(&cpus), || spread(&pieces(COMPUTE, spin)));
    let memory = copies();
    let scheduler = on_each(&cpus, || p99(timers()));
    let disk = p99(syncs(state));
    let stolen = before
        .zip(steal())
        .and_then(|((before, all_before), (after, all_after))| {
            let all = all_after.checked_sub(all_before).filter(|all| *all > 0)?;
            // A counter that went back tells nothing.
            Some(after.checked_sub(before)? as f64 / all as f64)
        });
    vec![
        part(NoisePartId::Compute, compute),
        part(NoisePartId::Memory, memory),
        part(NoisePartId::Disk, disk),
        part(NoisePartId::Scheduler, scheduler),
        part(NoisePartId::Steal, stolen),
    ]
}

/// A Mac has fast and slow cores and moves threads between them: as many as it has fast ones, so that equal work is compared.
#[cfg(target_os = "macos")]
fn alike(cpus: &[Option<usize>]) -> Vec<Option<usize>> {
    let fast = crate::host::macos::sysctl("hw.perflevel0.physicalcpu").and_then(|said| said.parse::<usize>().ok());
    vec![None; fast.filter(|n| *n > 0).unwrap_or(cpus.len())]
}

#[cfg(not(target_os = "macos"))]
fn alike(cpus: &[Option<usize>]) -> Vec<Option<usize>> {
    cpus.to_vec()
}

/// The work on each CPU at the same time, kept there where the system can; the largest answer. Unknown if one is.
fn on_each(cpus: &[Option<usize>], work: impl Fn() -> Option<f64> + Sync) -> Option<f64> {
    let work = &work;
    std::thread::scope(|scope| {
        let one = |cpu: &Option<usize>| {
            let cpu = *cpu;
            scope.spawn(move || {
                if let Some(cpu) = cpu {
                    cores::stay_on(cpu);
                }
                work()
            })
        };
        let threads: Vec<_> = cpus.iter().map(one).collect();
        let values: Vec<Option<f64>> = threads.into_iter().map(|t| t.join().ok().flatten()).collect();
        values
            .into_iter()
            .reduce(|a, b| a.zip(b).map(|(a, b)| a.max(b)))
            .flatten()
    })
}

/// Seconds of each piece; the first is for caches and clocks to come up.
fn pieces(length: Duration, mut work: impl FnMut()) -> Vec<f64> {
    let end = Instant::now() + length;
    let mut seconds = Vec::new();
    work();
    while Instant::now() < end {
        let begin = Instant::now();
        work();
        seconds.push(begin.elapsed().as_secs_f64());
    }
    seconds
}

fn spin() {
    let mut x = 1_u64;
    for _ in 0..SPINS {
        x = std::hint::black_box(x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
    }
}

fn copies() -> Option<f64> {
    let from = vec![1_u8; COPY_BYTES];
    let mut to = vec![0_u8; COPY_BYTES];
    spread(&pieces(MEMORY, || {
        to.copy_from_slice(&from);
        std::hint::black_box(&mut to);
    }))
}

/// Microseconds by which each sleep of a millisecond was too long.
fn timers() -> Vec<f64> {
    const SLEEP: Duration = Duration::from_millis(1);
    // By default the kernel may be 50 µs late on purpose.
    // SAFETY: a plain system call about this thread.
    #[cfg(target_os = "linux")]
    unsafe {
        libc::prctl(libc::PR_SET_TIMERSLACK, 1, 0, 0, 0);
    }
    let end = Instant::now() + SCHEDULER;
    let mut late = Vec::new();
    while Instant::now() < end {
        let begin = Instant::now();
        std::thread::sleep(SLEEP);
        late.push(begin.elapsed().saturating_sub(SLEEP).as_secs_f64() * 1e6);
    }
    late
}

/// Microseconds of each small write that reached the disk; empty where nothing can be written.
fn syncs(state: &Path) -> Vec<f64> {
    let path = state.join(format!(".noise-{}", std::process::id()));
    let Ok(mut file) = File::create(&path) else {
        return Vec::new();
    };
    let (block, began) = ([0_u8; BLOCK_BYTES], Instant::now());
    let mut all = Vec::new();
    // A slow card takes longer to say how slow it is.
    while began.elapsed() < DISK || (all.len() < LEAST && began.elapsed() < SLOW_DISK) {
        let begin = Instant::now();
        let written = file
            .rewind()
            .and_then(|()| file.write_all(&block))
            .and_then(|()| file.sync_data());
        if written.is_err() {
            all.clear();
            break;
        }
        all.push(begin.elapsed().as_secs_f64() * 1e6);
    }
    let _ = std::fs::remove_file(&path);
    all
}

/// Coefficient of variation, with n − 1.
fn spread(values: &[f64]) -> Option<f64> {
    let n = values.len();
    let mean = values.iter().sum::<f64>() / n as f64;
    if n < LEAST || mean <= 0.0 {
        return None;
    }
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    Some((squares / (n - 1) as f64).sqrt() / mean)
}

/// The smallest value that 99 % do not exceed.
fn p99(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let rank = (values.len() as f64 * 0.99).ceil() as usize;
    (values.len() >= LEAST).then(|| values[rank.max(1) - 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_and_p99_of_known_values() {
        let values: Vec<f64> = (1..=200).map(f64::from).collect();
        assert_eq!(p99(values.clone()), Some(198.0));
        let expected = (200.0 * 201.0 / 12.0_f64).sqrt() / 100.5;
        assert!((spread(&values).unwrap() - expected).abs() < 1e-12);
        assert_eq!(spread(&[2.0; 30]), Some(0.0));
    }

    #[test]
    fn too_few_values_say_nothing() {
        assert_eq!(
            (spread(&[1.0; 19]), p99(vec![1.0; 19]), spread(&[])),
            (None, None, None)
        );
        assert_eq!(spread(&[0.0; 30]), None);
        assert!(syncs(Path::new("/nonexistent/state")).is_empty());
    }

    #[test]
    fn the_noisiest_core_counts_and_an_unknown_one_makes_it_unknown() {
        let next = std::sync::Mutex::new(vec![Some(1.0), Some(3.0), Some(2.0)]);
        assert_eq!(on_each(&[None; 3], || next.lock().unwrap().pop().unwrap()), Some(3.0));
        let next = std::sync::Mutex::new(vec![Some(1.0), None]);
        assert_eq!(on_each(&[None; 2], || next.lock().unwrap().pop().unwrap()), None);
        assert_eq!(on_each(&[], || Some(1.0)), None);
    }
}
