//! When a response arrived: the kernel's time stamp of its last packet, not the time when this thread read it.
//!
//! At a fixed rate the thread may be sending, or its core may be with somebody else, while a response already waits in
//! its socket. That time is the generator's and not the server's, so it must not be in a latency.

use std::os::fd::{AsRawFd, OwnedFd};

use io_uring::types::RecvMsgOut;

/// A stamp older than this when it is read means that the clock was set meanwhile: it is not used.
const OLDEST_NS: u64 = 1_000_000_000;
/// `CMSG_SPACE` of a timespec on 64-bit kernels, with space for one more small message.
const CONTROL_BYTES: usize = 64;
/// What stands before the payload in a receive buffer: `struct io_uring_recvmsg_out` and the control messages.
pub const HEADER_BYTES: usize = 16 + CONTROL_BYTES;

/// Asks for stamps on a socket. Where the kernel has none, the moment of reading is all that is known.
pub fn stamp(socket: &OwnedFd) {
    let on: libc::c_int = 1;
    // SAFETY: setsockopt only reads the live local that it is given.
    unsafe {
        libc::setsockopt(
            socket.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_TIMESTAMPNS,
            (&raw const on).cast(),
            size_of::<libc::c_int>() as libc::socklen_t,
        );
    }
}

/// What a receive with control messages looks like. The kernel reads it when a receive is armed.
pub fn shape() -> Box<libc::msghdr> {
    // SAFETY: plain data, for which zero is valid.
    let mut shape: libc::msghdr = unsafe { std::mem::zeroed() };
    shape.msg_controllen = CONTROL_BYTES as _;
    Box::new(shape)
}

/// The payload of a receive buffer, and how long ago its last packet came; none when it was not stamped.
pub fn opened<'a>(buffer: &'a [u8], shape: &libc::msghdr) -> (&'a [u8], Option<u64>) {
    let Ok(out) = RecvMsgOut::parse(buffer, shape) else {
        return (&[], None);
    };
    let payload = &buffer[buffer.len() - out.payload_data().len()..];
    (payload, stamped_ns(out.control_data()).and_then(ago_ns))
}

fn ago_ns(stamp_ns: u64) -> Option<u64> {
    // SAFETY: clock_gettime only writes the live local that it is given.
    let now = unsafe {
        let mut now: libc::timespec = std::mem::zeroed();
        libc::clock_gettime(libc::CLOCK_REALTIME, &raw mut now);
        now
    };
    let now_ns = now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64;
    now_ns.checked_sub(stamp_ns).filter(|ago| *ago <= OLDEST_NS)
}

/// `struct cmsghdr` is a size_t and two ints; the messages are aligned to eight bytes.
fn stamped_ns(mut control: &[u8]) -> Option<u64> {
    const HEAD: usize = size_of::<libc::cmsghdr>();
    loop {
        let length = u64::from_ne_bytes(control.get(..8)?.try_into().ok()?) as usize;
        let level = i32::from_ne_bytes(control.get(8..12)?.try_into().ok()?);
        let kind = i32::from_ne_bytes(control.get(12..16)?.try_into().ok()?);
        if length < HEAD || length > control.len() {
            return None;
        }
        if (level, kind) == (libc::SOL_SOCKET, libc::SO_TIMESTAMPNS) && length >= HEAD + 16 {
            let seconds = i64::from_ne_bytes(control[HEAD..HEAD + 8].try_into().ok()?);
            let ns = i64::from_ne_bytes(control[HEAD + 8..HEAD + 16].try_into().ok()?);
            return u64::try_from(seconds.checked_mul(1_000_000_000)?.checked_add(ns)?).ok();
        }
        control = control.get(length.next_multiple_of(8)..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(level: i32, kind: i32, body: &[u8]) -> Vec<u8> {
        let mut bytes = (16 + body.len() as u64).to_ne_bytes().to_vec();
        bytes.extend(level.to_ne_bytes());
        bytes.extend(kind.to_ne_bytes());
        bytes.extend(body);
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        bytes
    }

    fn stamp_of(seconds: i64, ns: i64) -> Vec<u8> {
        let body = [seconds.to_ne_bytes(), ns.to_ne_bytes()].concat();
        message(libc::SOL_SOCKET, libc::SO_TIMESTAMPNS, &body)
    }

    #[test]
    fn a_stamp_is_found_behind_other_messages() {
        let control = [message(libc::IPPROTO_TCP, 7, &[1, 2, 3]), stamp_of(2, 5)].concat();
        assert_eq!(stamped_ns(&control), Some(2_000_000_005));
    }

    #[test]
    fn control_bytes_that_are_no_messages_have_no_stamp() {
        assert_eq!(stamped_ns(&[]), None);
        assert_eq!(stamped_ns(&[0; 64]), None);
        assert_eq!(stamped_ns(&[0xff; 64]), None);
        assert_eq!(stamped_ns(&stamp_of(-1, 0)), None);
        assert_eq!(stamped_ns(&stamp_of(2, 5)[..24]), None);
    }

    #[test]
    fn a_stamp_from_the_future_or_long_ago_is_not_used() {
        assert_eq!(ago_ns(u64::MAX), None);
        assert_eq!(ago_ns(0), None);
    }
}
