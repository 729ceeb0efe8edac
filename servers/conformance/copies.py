# SPDX-License-Identifier: MIT
"""Files that stand in several servers, because each folder is shipped alone. They must not drift apart."""

from lab import SERVERS

COPIES = (
    (("epoll", "io-uring", "libuv"), ("response.c", "response.h", "clock.c", "clock.h", "target.c", "target.h")),
    (("epoll", "io-uring"), ("request.c", "request.h", "listener.c", "listener.h", "pending.c")),
    (("epoll", "libuv"), ("cache.c", "cache.h")),
    (("netty", "spring-mvc"), ("build.sh",)),
)


def drifted():
    """Pairs of paths whose contents differ."""
    for servers, names in COPIES:
        for name in names:
            first, *others = [SERVERS / server / name for server in servers]
            for other in others:
                if first.read_bytes() != other.read_bytes():
                    yield first.relative_to(SERVERS), other.relative_to(SERVERS)
