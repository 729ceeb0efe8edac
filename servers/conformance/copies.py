# SPDX-License-Identifier: MIT
"""Files that stand in several servers, because each folder is shipped alone. They must not drift apart."""

from fixtures_caught import CAUGHT
from lab import SERVERS


def fixtures(holding):
    return tuple(f"conformance/fixtures/{name}" for name in CAUGHT if (SERVERS / "conformance/fixtures" / name / holding).exists())


COPIES = (
    (("epoll", "io-uring", "libuv"), ("answer.c", "answer.h", "clock.c", "clock.h", "target.c", "target.h")),
    (("epoll", "io-uring"), ("request.c", "request.h", "listener.c", "listener.h", "pending.c")),
    (("epoll", "libuv"), ("cache.c", "cache.h")),
    (("netty", "spring-mvc"), ("build.sh",)),
    (fixtures("cheat.c"), ("cheat.c", "Makefile")),
    (fixtures("websocket.c"), ("main.c", "request.c", "request.h", "hash.c", "hash.h", "peer.h", "websocket.c", "Makefile")),
)


def unnamed(path):
    """The bytes without the one line of a Makefile that names its program."""
    return [line for line in path.read_bytes().splitlines() if not line.startswith(b"NAME = ")]


def drifted():
    """Pairs of paths whose contents differ."""
    for servers, names in COPIES:
        for name in names:
            first, *others = [SERVERS / server / name for server in servers]
            for other in others:
                if unnamed(first) != unnamed(other):
                    yield first.relative_to(SERVERS), other.relative_to(SERVERS)
