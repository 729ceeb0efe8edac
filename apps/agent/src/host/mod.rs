//! What this machine is, how fit it is to measure, and who is measuring on it now.

pub mod calibration;
pub mod control_groups;
pub mod cores;
pub mod doctor;
mod facts;
pub mod fingerprint;
mod here;
pub mod limits;
pub mod lock;
mod machine;
pub mod noise;
pub mod owner_rules;
pub mod power;
pub mod sysroot;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(any(target_os = "macos", test))]
pub mod macos;
pub mod sensor;
pub mod throttle;
pub mod tune;

use crate::program;

pub use facts::{facts, facts_with};
pub use here::boot_id;
pub use machine::Machine;

/// Of all cores' time: from here on steal labels a trial and warns in the doctor; it never makes a trial invalid by itself.
pub const STEAL_LABEL: f64 = 0.01;

/// Microseconds on a clock that nobody sets. It counts from the machine's start, so it compares across processes.
pub fn monotonic_us() -> u64 {
    clock_us(libc::CLOCK_MONOTONIC)
}

/// How far the wall clock is ahead of the monotonic one, in microseconds. It changes when the wall clock is set and when the
/// machine sleeps; a time service that lets the clock run slower or faster moves both.
pub fn wall_ahead_us() -> i64 {
    // Between two looks the core may be with somebody else: the closest of some are of one moment.
    const LOOKS: usize = 3;
    let look = || {
        let before = monotonic_us();
        let wall = clock_us(libc::CLOCK_REALTIME);
        let after = monotonic_us();
        let apart = after.saturating_sub(before);
        (apart, wall as i64 - (before + apart / 2) as i64)
    };
    let closest = (0..LOOKS).map(|_| look()).min_by_key(|(apart, _)| *apart);
    closest.map_or(0, |(_, ahead)| ahead)
}

/// Gives back the pages of this program's code, of which the start and a run need far more than waiting does: they are most of
/// an idle agent's resident memory. What is needed again comes from the page cache.
#[cfg(target_os = "linux")]
pub fn unmap_idle_code() {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let program = std::fs::read_link("/proc/self/exe").unwrap_or_default();
    let code = maps
        .lines()
        .filter(|line| line.contains(" r-xp ") && program.to_str().is_some_and(|path| line.ends_with(path)));
    for line in code {
        let ends = line.split(' ').next().and_then(|range| range.split_once('-'));
        let parsed = ends.and_then(|(from, to)| {
            let address = |text| usize::from_str_radix(text, 16).ok();
            Some((address(from)?, address(to)?))
        });
        if let Some((from, to)) = parsed {
            // SAFETY: these pages are the program file's own, mapped without the right to write, so the kernel brings the very
            // same bytes back when they are next used.
            unsafe { libc::madvise(from as *mut libc::c_void, to - from, libc::MADV_DONTNEED) };
        }
    }
}

fn clock_us(clock: libc::clockid_t) -> u64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `now` is a valid timespec; both clocks are always there.
    unsafe { libc::clock_gettime(clock, &mut now) };
    now.tv_sec as u64 * 1_000_000 + now.tv_nsec as u64 / 1_000
}

/// The first line of `cc --version`.
fn compiler() -> Option<String> {
    let cc = program::find_command("cc")?;
    Some(
        program::ask_version(&cc, &["--version"])?
            .lines()
            .next()?
            .trim()
            .to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_goes_forward() {
        let first = monotonic_us();
        assert!(first > 0 && monotonic_us() >= first);
    }

    #[test]
    fn the_wall_clock_is_the_monotonic_one_and_what_it_is_ahead() {
        let wall = || {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            now.unwrap().as_micros() as i64
        };
        let before = wall();
        let by_agent = monotonic_us() as i64 + wall_ahead_us();
        let after = wall();
        assert!(
            (before - 1_000..=after + 1_000).contains(&by_agent),
            "{before} {by_agent} {after}"
        );
        let moved = wall_ahead_us() - wall_ahead_us();
        assert!(moved.abs() < 1_000, "{moved} µs");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn code_that_is_given_back_comes_again_when_it_is_needed() {
        let resident = || -> u64 {
            let status = std::fs::read_to_string("/proc/self/status").unwrap();
            let line = status.lines().find_map(|line| line.strip_prefix("RssFile:")).unwrap();
            line.trim().trim_end_matches(" kB").parse().unwrap()
        };
        // Some code to give back.
        assert!(!facts().hostname.is_empty());
        let mut seen = Vec::new();
        // While this thread stands still the other tests bring more back than was given.
        let fell = (0..100).any(|_| {
            let before = resident();
            unmap_idle_code();
            let after = resident();
            seen.push((before, after));
            after < before
        });
        assert!(fell, "kB before and after: {seen:?}");
        assert!(!facts().hostname.is_empty());
    }

    #[test]
    fn this_boot_has_one_id() {
        assert!(!boot_id().is_empty());
        assert_eq!(boot_id(), boot_id());
    }
}
