//! The kernel's clock of one process: nanoseconds of CPU, where /proc/<pid>/stat counts in hundredths of a second.

/// CPU time of all threads of the process since it began, ended threads included.
pub fn cpu_ns(pid: u32) -> Option<u64> {
    let mut used = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `used` is a valid timespec; an unknown clock is an error, not a fault.
    let failed = unsafe { libc::clock_gettime(clock_of(pid)?, &mut used) } != 0;
    if failed {
        return None;
    }
    let (s, ns) = (u64::try_from(used.tv_sec).ok()?, u64::try_from(used.tv_nsec).ok()?);
    s.checked_mul(1_000_000_000)?.checked_add(ns)
}

/// What clock_getcpuclockid(3) computes: the inverted pid above three bits, of which 2 says "scheduler time".
fn clock_of(pid: u32) -> Option<libc::clockid_t> {
    const CPUCLOCK_SCHED: libc::clockid_t = 2;
    let pid = libc::clockid_t::try_from(pid).ok().filter(|p| *p > 0)?;
    Some(((!pid) << 3) | CPUCLOCK_SCHED)
}

/// Length of the ticks that /proc counts in.
pub fn tick_ns() -> u64 {
    // SAFETY: sysconf touches no memory of ours.
    let per_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
    1_000_000_000 / u64::try_from(per_second).ok().filter(|n| *n > 0).unwrap_or(100)
}
