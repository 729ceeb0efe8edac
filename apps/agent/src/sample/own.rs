//! What the agent itself costs while it measures.

/// CPU time of this process so far, all threads, user and system, without its children: `getrusage(RUSAGE_SELF)`.
/// `None` when the kernel does not tell.
pub fn own_cpu_us() -> Option<u64> {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: getrusage writes one rusage into memory that is ours and large enough.
    let done = unsafe { libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr()) };
    if done != 0 {
        return None;
    }
    // SAFETY: all-zero is a valid rusage, and the call has filled it.
    let usage = unsafe { usage.assume_init() };
    let us = |time: libc::timeval| time.tv_sec as u64 * 1_000_000 + time.tv_usec as u64;
    Some(us(usage.ru_utime) + us(usage.ru_stime))
}

#[cfg(test)]
mod tests {
    use super::own_cpu_us;

    #[test]
    fn grows_with_work_and_never_goes_back() {
        let before = own_cpu_us().expect("this system tells");
        let mut x = 1_u64;
        while own_cpu_us().expect("this system tells") < before + 2_000 {
            x = std::hint::black_box(x.wrapping_mul(6364136223846793005).wrapping_add(1));
        }
        assert!(own_cpu_us().expect("this system tells") >= before + 2_000);
    }
}
