//! What this Mac's kernel says, through libproc and Mach: no framework, and no privilege for one's own processes.

use std::mem::{MaybeUninit, size_of};

use super::host::{self, Ticks};
use super::tree::{Alive, Processes, Task};

// libc's own declarations are deprecated in favor of a crate; these are a few functions.
#[repr(C)]
struct Timebase {
    numer: u32,
    denom: u32,
}

unsafe extern "C" {
    fn mach_timebase_info(info: *mut Timebase) -> libc::c_int;
    fn mach_host_self() -> libc::mach_port_t;
    static mach_task_self_: libc::mach_port_t;
    fn vm_deallocate(task: libc::mach_port_t, address: usize, bytes: usize) -> libc::c_int;
}

/// Children of one process that are looked at.
const MOST_CHILDREN: usize = 1024;

pub struct Mach {
    /// Asked for once: each call would take another right to it.
    host: libc::mach_port_t,
    /// Nanoseconds for a tick of Mach's clock: 125/3 on Apple silicon, 1 on Intel.
    ns_per_tick: (u64, u64),
}

impl Mach {
    pub fn new() -> Self {
        let mut base = Timebase { numer: 1, denom: 1 };
        // SAFETY: `base` is a valid out-parameter; the other call takes nothing.
        let host = unsafe {
            mach_timebase_info(&mut base);
            mach_host_self()
        };
        Self {
            host,
            ns_per_tick: (u64::from(base.numer), u64::from(base.denom.max(1))),
        }
    }

    fn ns(&self, ticks: u64) -> u64 {
        let (numer, denom) = self.ns_per_tick;
        u64::try_from(u128::from(ticks) * u128::from(numer) / u128::from(denom)).unwrap_or(u64::MAX)
    }

    /// Of all cores, since the start of the machine.
    pub fn cpu_ticks(&self) -> Option<Ticks> {
        // Not host_statistics: XNU answers a few of its calls a second, those of all programs together, and repeats itself
        // for the others (`rate_limit_host_statistics` in osfmk/kern/host.c).
        let (mut cores, mut count) = (0, 0);
        let mut found: libc::processor_info_array_t = std::ptr::null_mut();
        // SAFETY: valid out-parameters; what comes back is this process's to give back.
        let got = unsafe {
            libc::host_processor_info(
                self.host,
                libc::PROCESSOR_CPU_LOAD_INFO,
                &mut cores,
                &mut found,
                &mut count,
            )
        };
        if got != libc::KERN_SUCCESS || found.is_null() {
            return None;
        }
        let integers = count as usize;
        let mut sum: Ticks = [0; 4];
        // SAFETY: so many integers, four for each core.
        for core in unsafe { std::slice::from_raw_parts(found, integers) }.chunks_exact(4) {
            // Each wraps by itself, and so does the sum of the differences.
            sum.iter_mut()
                .zip(core)
                .for_each(|(sum, ticks)| *sum = sum.wrapping_add(*ticks as u32));
        }
        // SAFETY: exactly what the call above gave.
        unsafe { vm_deallocate(mach_task_self_, found as usize, integers * size_of::<libc::integer_t>()) };
        (sum != [0; 4]).then_some(sum)
    }

    pub fn memory_available_bytes(&self) -> Option<u64> {
        let mut pages = MaybeUninit::<libc::vm_statistics64>::zeroed();
        let mut count = libc::HOST_VM_INFO64_COUNT;
        // SAFETY: `pages` has room for the `count` integers that are asked for; an older kernel fills fewer.
        let got =
            unsafe { libc::host_statistics64(self.host, libc::HOST_VM_INFO64, pages.as_mut_ptr().cast(), &mut count) };
        if got != libc::KERN_SUCCESS {
            return None;
        }
        // SAFETY: zeroed at first, and all its fields are integers.
        let pages = unsafe { pages.assume_init() };
        // SAFETY: sysconf touches no memory of ours.
        let page_bytes = u64::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).ok()?;
        Some(host::available_bytes(
            pages.free_count,
            pages.inactive_count,
            page_bytes,
        ))
    }
}

impl Processes for Mach {
    fn task(&self, pid: u32) -> Option<Task> {
        let usage = usage(pid)?;
        let cpu = usage.ri_user_time.saturating_add(usage.ri_system_time);
        let waited = usage.ri_child_user_time.saturating_add(usage.ri_child_system_time);
        let alive = |info: libc::proc_taskinfo| Alive {
            rss_bytes: info.pti_resident_size,
            threads: u64::try_from(info.pti_threadnum).unwrap_or(0),
            // 32 bits: one that wrapped stands still.
            switches: u64::try_from(info.pti_csw).unwrap_or(0),
        };
        Some(Task {
            began: usage.ri_proc_start_abstime,
            cpu_ns: self.ns(cpu),
            waited_ns: self.ns(waited),
            alive: task_info(pid).map(alive),
        })
    }

    fn children(&self, pid: u32) -> Vec<u32> {
        let Ok(pid) = libc::pid_t::try_from(pid) else {
            return Vec::new();
        };
        let mut pids = [0 as libc::pid_t; MOST_CHILDREN];
        let bytes = size_of::<[libc::pid_t; MOST_CHILDREN]>() as libc::c_int;
        // SAFETY: the buffer is as long as it is said to be.
        let count = unsafe { libc::proc_listchildpids(pid, pids.as_mut_ptr().cast(), bytes) };
        numbers(&pids, count)
    }
}

fn numbers(pids: &[libc::pid_t], count: libc::c_int) -> Vec<u32> {
    let count = usize::try_from(count).unwrap_or(0).min(pids.len());
    let number = |pid: &libc::pid_t| u32::try_from(*pid).ok().filter(|pid| *pid > 0);
    pids[..count].iter().filter_map(number).collect()
}

/// Also of one that ended and was not waited for.
fn usage(pid: u32) -> Option<libc::rusage_info_v4> {
    let pid = libc::c_int::try_from(pid).ok()?;
    let mut usage = MaybeUninit::<libc::rusage_info_v4>::zeroed();
    // SAFETY: `usage` is the structure of this version. The parameter's type is a pointer by name only: libproc fills what it
    // points at.
    let got = unsafe { libc::proc_pid_rusage(pid, libc::RUSAGE_INFO_V4, usage.as_mut_ptr().cast()) };
    // SAFETY: zeroed at first and filled in; all its fields are integers.
    (got == 0).then(|| unsafe { usage.assume_init() })
}

fn task_info(pid: u32) -> Option<libc::proc_taskinfo> {
    let pid = libc::c_int::try_from(pid).ok()?;
    let mut info = MaybeUninit::<libc::proc_taskinfo>::zeroed();
    let bytes = size_of::<libc::proc_taskinfo>() as libc::c_int;
    // SAFETY: `info` has room for the structure that is asked for.
    let got = unsafe { libc::proc_pidinfo(pid, libc::PROC_PIDTASKINFO, 0, info.as_mut_ptr().cast(), bytes) };
    // SAFETY: a full result was written; all its fields are integers.
    (got == bytes).then(|| unsafe { info.assume_init() })
}
