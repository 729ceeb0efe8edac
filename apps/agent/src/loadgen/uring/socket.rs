//! A TCP socket that is made here and connected by the ring.

use std::io;
use std::net::SocketAddr;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

pub struct Address {
    storage: libc::sockaddr_storage,
    bytes: libc::socklen_t,
}

impl Address {
    pub fn new(address: SocketAddr) -> Self {
        // SAFETY: plain data, for which zero is valid.
        let mut storage: libc::sockaddr_storage = unsafe { std::mem::zeroed() };
        let at = &raw mut storage;
        let bytes = match address {
            SocketAddr::V4(v4) => {
                let to = at.cast::<libc::sockaddr_in>();
                // SAFETY: the storage is large and aligned enough for each family.
                unsafe {
                    (*to).sin_family = libc::AF_INET as _;
                    (*to).sin_port = v4.port().to_be();
                    (*to).sin_addr.s_addr = u32::from_ne_bytes(v4.ip().octets());
                }
                size_of::<libc::sockaddr_in>()
            }
            SocketAddr::V6(v6) => {
                let to = at.cast::<libc::sockaddr_in6>();
                // SAFETY: as above.
                unsafe {
                    (*to).sin6_family = libc::AF_INET6 as _;
                    (*to).sin6_port = v6.port().to_be();
                    (*to).sin6_addr.s6_addr = v6.ip().octets();
                }
                size_of::<libc::sockaddr_in6>()
            }
        };
        Self {
            storage,
            bytes: bytes as libc::socklen_t,
        }
    }

    pub fn pointer(&self) -> *const libc::sockaddr {
        (&raw const self.storage).cast()
    }

    pub fn bytes(&self) -> libc::socklen_t {
        self.bytes
    }

    pub fn socket(&self) -> io::Result<OwnedFd> {
        let kind = libc::SOCK_STREAM | libc::SOCK_CLOEXEC;
        let family = i32::from(self.storage.ss_family);
        // SAFETY: socket and setsockopt only take the integers and the live local that they are given.
        unsafe {
            let fd = libc::socket(family, kind, 0);
            if fd < 0 {
                return Err(io::Error::last_os_error());
            }
            let fd = OwnedFd::from_raw_fd(fd);
            let on: libc::c_int = 1;
            libc::setsockopt(
                fd.as_raw_fd(),
                libc::IPPROTO_TCP,
                libc::TCP_NODELAY,
                (&raw const on).cast(),
                size_of::<libc::c_int>() as libc::socklen_t,
            );
            Ok(fd)
        }
    }
}

/// Ends what the ring still waits for on this socket, then closes it.
pub fn close(fd: OwnedFd) {
    // SAFETY: a plain system call on a descriptor that is open.
    unsafe { libc::shutdown(fd.as_raw_fd(), libc::SHUT_RDWR) };
    drop(fd);
}
