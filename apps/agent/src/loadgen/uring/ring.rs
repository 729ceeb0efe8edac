//! The ring and the buffers that the kernel takes for what it receives.

use std::io;
use std::sync::atomic::{AtomicU16, Ordering};

use io_uring::squeue::Entry;
use io_uring::types::{BufRingEntry, SubmitArgs, Timespec};
use io_uring::{IoUring, cqueue};

pub const BUFFERS: u16 = 0;
const GETEVENTS: u32 = 1;

pub struct Ring {
    ring: IoUring,
    buffers: Buffers,
}

#[derive(Debug, Clone, Copy)]
pub struct Completion {
    pub user_data: u64,
    pub result: i32,
    /// The buffer that was taken: give it back.
    pub buffer: Option<u16>,
    /// The receive stays armed.
    pub more: bool,
}

impl Ring {
    /// `buffers` is a power of two.
    pub fn new(entries: u32, buffers: u16, buffer_bytes: usize) -> io::Result<Self> {
        let ring = IoUring::builder()
            .setup_single_issuer()
            .setup_defer_taskrun()
            .setup_taskrun_flag()
            .setup_cqsize(entries * 8)
            .setup_clamp()
            .build(entries)?;
        let buffers = Buffers::new(buffers, buffer_bytes)?;
        // SAFETY: the entries are page-aligned, as many as said, and live as long as the process.
        unsafe {
            ring.submitter()
                .register_buf_ring_with_flags(buffers.entries as u64, buffers.count, BUFFERS, 0)?;
        }
        Ok(Self { ring, buffers })
    }

    /// The memory that the entry points to must live until its completion.
    pub fn push(&mut self, entry: &Entry) -> io::Result<()> {
        loop {
            // SAFETY: as the callers promise; see `Worker`.
            if unsafe { self.ring.submission().push(entry) }.is_ok() {
                return Ok(());
            }
            self.ring.submit()?;
        }
    }

    /// Submits, and waits for one completion at most so long.
    pub fn wait(&mut self, at_most_ns: u64) -> io::Result<()> {
        let until = Timespec::new()
            .sec(at_most_ns / 1_000_000_000)
            .nsec((at_most_ns % 1_000_000_000) as u32);
        match self
            .ring
            .submitter()
            .submit_with_args(1, &SubmitArgs::new().timespec(&until))
        {
            Ok(_) => Ok(()),
            Err(e)
                if matches!(
                    e.raw_os_error(),
                    Some(libc::ETIME | libc::EINTR | libc::EBUSY | libc::EAGAIN)
                ) =>
            {
                Ok(())
            }
            Err(e) => Err(e),
        }
    }

    /// Submits and takes what is there, without sleeping; no system call when there is nothing to do.
    pub fn poll(&mut self) -> io::Result<()> {
        let queue = self.ring.submission();
        let (waiting, work) = (queue.len(), queue.taskrun());
        drop(queue);
        if waiting == 0 && !work {
            std::hint::spin_loop();
            return Ok(());
        }
        // SAFETY: no signal mask is passed.
        let entered = unsafe {
            self.ring
                .submitter()
                .enter::<libc::sigset_t>(waiting as u32, 0, GETEVENTS, None)
        };
        match entered {
            Ok(_) => Ok(()),
            Err(e) if matches!(e.raw_os_error(), Some(libc::EINTR | libc::EBUSY | libc::EAGAIN)) => Ok(()),
            Err(e) => Err(e),
        }
    }

    pub fn take(&mut self, to: &mut Vec<Completion>) {
        to.extend(self.ring.completion().map(|entry| Completion {
            user_data: entry.user_data(),
            result: entry.result(),
            buffer: cqueue::buffer_select(entry.flags()),
            more: cqueue::more(entry.flags()),
        }));
    }

    /// What was received. Valid until the buffer is given back.
    pub fn received(&self, buffer: u16, bytes: usize) -> &'static [u8] {
        self.buffers.get(buffer, bytes)
    }

    pub fn give_back(&mut self, buffer: u16) {
        self.buffers.give(buffer);
    }
}

/// Never unmapped: the kernel may still write to it when the ring is closed, and the process ends soon after.
struct Buffers {
    entries: *mut BufRingEntry,
    memory: *mut u8,
    count: u16,
    bytes: usize,
    tail: u16,
}

fn map(bytes: usize) -> io::Result<*mut u8> {
    // SAFETY: a fresh private mapping touches nothing that exists.
    let at = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            bytes,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
            -1,
            0,
        )
    };
    if at == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    Ok(at.cast())
}

impl Buffers {
    fn new(count: u16, bytes: usize) -> io::Result<Self> {
        let mut buffers = Self {
            entries: map(usize::from(count) * size_of::<BufRingEntry>())?.cast(),
            memory: map(usize::from(count) * bytes)?,
            count,
            bytes,
            tail: 0,
        };
        (0..count).for_each(|buffer| buffers.give(buffer));
        Ok(buffers)
    }

    fn get(&self, buffer: u16, bytes: usize) -> &'static [u8] {
        assert!(
            buffer < self.count && bytes <= self.bytes,
            "the kernel names a buffer of ours"
        );
        // SAFETY: within the mapping, which is never unmapped; the kernel writes to it only after `give`.
        unsafe { std::slice::from_raw_parts(self.memory.add(usize::from(buffer) * self.bytes), bytes) }
    }

    fn give(&mut self, buffer: u16) {
        assert!(buffer < self.count, "the kernel names a buffer of ours");
        // SAFETY: the index is below `count` (a power of two), and the tail is the one of the ring's first entry.
        unsafe {
            let entry = &mut *self.entries.add(usize::from(self.tail & (self.count - 1)));
            entry.set_addr(self.memory.add(usize::from(buffer) * self.bytes) as u64);
            entry.set_len(self.bytes as u32);
            entry.set_bid(buffer);
            self.tail = self.tail.wrapping_add(1);
            let tail = BufRingEntry::tail(self.entries).cast::<AtomicU16>();
            (*tail).store(self.tail, Ordering::Release);
        }
    }
}
