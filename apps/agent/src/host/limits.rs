//! What the kernel allows this process.

use crate::sandbox::{getrlimit, rlimit};

/// Open files: soft and hard.
pub fn nofile() -> Option<(u64, u64)> {
    let mut limit = rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: `limit` is a valid rlimit.
    let failed = unsafe { getrlimit(libc::RLIMIT_NOFILE, &mut limit) } != 0;
    // "Unlimited" is more than JSON's integers hold.
    let most = |n: u64| n.min(1 << 53);
    (!failed).then(|| (most(limit.rlim_cur), most(limit.rlim_max)))
}
