#!/usr/bin/env python3
"""Latency of HTTP requests on the loopback as the kernel saw their packets, for holding a load tool's own against.

    lo-watch.py PORT RATE      (needs the right to open packet sockets: root)

Says `ready`, watches until its stdin closes, then prints one line of JSON: how many requests it saw, percentiles in
microseconds, and how many packets the kernel could not keep. Packets wait in the socket's buffer until the end, so
that while there is load nothing here runs.

A request's latency ends when the last packet of its response arrived at the client. It begins, as with the tool, at the
moment when the request was meant to leave: RATE of them a second, evenly, the whole schedule as early as the earliest
packet allows (`p50_us`, `p99_us`, `p999_us`); and beside that when its first packet did leave (`left_p99_us`): what
lies between the two is the tool's own delay.
"""
import json
import socket
import struct
import sys

# What leaves is shown to those only who watch every protocol.
ETH_P_ALL = 3
IPV4_WITHOUT_OPTIONS = 0x45
SO_TIMESTAMPNS, SO_RCVBUFFORCE, SO_ATTACH_FILTER = 35, 33, 26
SOL_PACKET, PACKET_STATISTICS = 263, 6
HOST, OUTGOING = 0, 4
BUFFER_BYTES = 1 << 30
KEPT_BYTES = 64

LOAD_BYTE, LOAD_HALF, LOAD_WORD, EQUAL, GREATER, RETURN = 0x30, 0x28, 0x20, 0x15, 0x2D, 0x06
SHIFT_RIGHT, AND, ADD, TO_X = 0x74, 0x54, 0x04, 0x07
PACKET_TYPE = 0xFFFFF000 + 4  # SKF_AD_OFF + SKF_AD_PKTTYPE


def program(port: int) -> bytes:
    """TCP with a payload: requests as they leave the client, answers as they arrive there."""
    lines = [
        (LOAD_BYTE, 0, 0, 0),
        (EQUAL, 0, 17, IPV4_WITHOUT_OPTIONS),
        (LOAD_BYTE, 0, 0, 9),
        (EQUAL, 0, 15, socket.IPPROTO_TCP),
        (LOAD_HALF, 0, 0, 20),
        (EQUAL, 4, 0, port),
        (LOAD_HALF, 0, 0, 22),
        (EQUAL, 0, 11, port),
        (LOAD_WORD, 0, 0, PACKET_TYPE),
        (EQUAL, 2, 9, OUTGOING),
        (LOAD_WORD, 0, 0, PACKET_TYPE),
        (EQUAL, 0, 7, HOST),
        (LOAD_BYTE, 0, 0, 32),
        (SHIFT_RIGHT, 0, 0, 2),
        (AND, 0, 0, 0x3C),
        (ADD, 0, 0, 20),
        (TO_X, 0, 0, 0),
        (LOAD_HALF, 0, 0, 2),
        (GREATER, 1, 0, 0),
        (RETURN, 0, 0, 0),
        (RETURN, 0, 0, KEPT_BYTES),
    ]
    return b"".join(struct.pack("HBBI", *line) for line in lines)


def watch(port: int) -> socket.socket:
    import ctypes

    lines = ctypes.create_string_buffer(program(port))
    watcher = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(ETH_P_ALL))
    # struct sock_fprog; `lines` may go afterwards, because the kernel has copied it.
    fprog = struct.pack("HL", len(lines) // 8, ctypes.addressof(lines))
    watcher.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, fprog)
    watcher.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, BUFFER_BYTES)
    watcher.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    watcher.bind(("lo", ETH_P_ALL))
    return watcher


def packets(watcher: socket.socket):
    """When, and from which to which port."""
    watcher.setblocking(False)
    while True:
        try:
            data, extra, _, _ = watcher.recvmsg(KEPT_BYTES, 64)
        except BlockingIOError:
            return
        for level, kind, value in extra:
            if (level, kind) == (socket.SOL_SOCKET, SO_TIMESTAMPNS):
                seconds, nanoseconds = struct.unpack("ll", value[:16])
                yield seconds * 1_000_000_000 + nanoseconds, *struct.unpack("!HH", data[20:24])


def requests(seen, port: int) -> list[tuple[int, int]]:
    """When each left and when its response was there, in ns, in the order of leaving. A request that was not answered
    before the next one on its connection, or at all, is not among them."""
    begun: dict[int, int] = {}
    ended: dict[int, int] = {}
    found = []
    for at, source, target in seen:
        if target == port:
            if source in ended:
                found.append((begun.pop(source), ended.pop(source)))
            begun.setdefault(source, at)
        elif target in begun:
            ended[target] = at
    found.extend((begun[client], at) for client, at in ended.items())
    return sorted(found)


def from_the_schedule(found: list[tuple[int, int]], rate: float) -> list[int]:
    """Latencies from the moments of an even schedule, of which the n-th request is the n-th moment."""
    interval = 1e9 / rate
    start = min((left - n * interval for n, (left, _) in enumerate(found)), default=0)
    return sorted(round(ended - start - n * interval) for n, (_, ended) in enumerate(found))


def main() -> None:
    port, rate = int(sys.argv[1]), float(sys.argv[2])
    watcher = watch(port)
    print("ready", flush=True)
    sys.stdin.read()
    # No more from here on: what is in the buffer stays.
    found = requests(packets(watcher), port)
    left = sorted(ended - begun for begun, ended in found)
    due = from_the_schedule(found, rate)
    dropped = struct.unpack("II", watcher.getsockopt(SOL_PACKET, PACKET_STATISTICS, 8))[1]
    at = lambda all, q: all[min(len(all) - 1, int(q * len(all)))] / 1000 if all else None
    said = {"requests": len(found), "dropped": dropped, "left_p99_us": at(left, 0.99)}
    print(json.dumps(said | {name: at(due, q) for name, q in [("p50_us", 0.5), ("p99_us", 0.99), ("p999_us", 0.999)]}))


if __name__ == "__main__":
    main()
