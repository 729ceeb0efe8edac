# SPDX-License-Identifier: MIT
"""Clients that are slow, many or gone. Others are served meanwhile, and memory stays bounded."""

import resource
import time

from rules import check, expect
from threads import together
from wire import request


@check("half a request and a reset, 200 times")
def reset_in_request(bench):
    for _ in range(200):
        data = bench.ask().data("User-Agent: reset")
        client = bench.client()
        client.send(data[: bench.random.randrange(1, len(data))])
        client.reset()
    bench.alive()


@check("half a request and silence, while others are served", kind="waits")
def silence(bench):
    quiet = []
    for _ in range(20):
        data = (ask := bench.ask()).data()
        quiet.append((bench.client(), ask, data, bench.random.randrange(1, len(data))))
    for client, _, data, cut in quiet:
        client.send(data[:cut])
    for _ in range(20):
        bench.alive()
        time.sleep(0.05)
    for client, ask, data, cut in quiet:
        client.send(data[cut:])
        bench.right(client.response(), ask, f"after {cut} bytes and a silence: ")
        client.close()


@check("clients that go away in the middle of 10 MB", "static")
def gone_in_response(bench):
    for i in range(60):
        client = bench.client(receive_buffer=16384)
        client.send(request("/10m.bin"))
        client.socket.recv(1000)
        client.reset() if i % 2 else client.close()
    bench.alive()


@check("slow readers get 10 MB whole, while others are served", "static", kind="waits")
def slow_readers(bench):
    def read_slowly(own):
        with own.client(timeout=60 * own.slower, receive_buffer=32768) as client:
            client.send(request("/10m.bin"))
            time.sleep(1.0)
            while len(client.buffer) < 3_000_000:
                if not client.fill():
                    break
                if len(client.buffer) < 400_000:
                    time.sleep(0.02)
            own.right_file(client.response(), "10m.bin")

    def others(own):
        for _ in range(20):
            own.alive()
            time.sleep(0.05)
    together(bench, [read_slowly] * 4 + [others])


SLOW_S, SLOW_BYTES, SLOW_PAUSE_S = 8, 2048, 0.25


# Servers end what was silent for a minute or more. What this is about shows where one is built with less patience:
# --make CFLAGS=-DIDLE_MS=3000 (the servers in C), --make ASFLAGS=-DIDLE_TICKS=3 or -DIDLE_MS=3000 (asm, x86-64 and aarch64).
@check("a steady reader of 8 KB a second gets 10 MB whole", "static", kind="waits")
def steady_reader(bench):
    with bench.client(timeout=60 * bench.slower, receive_buffer=8192) as client:
        client.send(request("/10m.bin"))
        end = time.monotonic() + SLOW_S
        while time.monotonic() < end:
            client.buffer += client.socket.recv(SLOW_BYTES)
            time.sleep(SLOW_PAUSE_S)
        bench.right_file(client.response(), "10m.bin")


@check("200 clients that ask for 10 MB and do not read", "static", kind="alone")
def unread_responses(bench):
    before = bench.server.rss_kib()
    stalled = [bench.client(receive_buffer=8192) for _ in range(200)]
    for client in stalled:
        client.send(request("/10m.bin"))
    time.sleep(0.5)
    for _ in range(10):
        bench.alive()
    bench.not_grown(before, 128, "200 responses of 10 MB were not read")
    bench.right_file(stalled[-1].response(), "10m.bin")
    for client in stalled:
        client.close()


CONNECTIONS = 10_000
KIB_EACH = 32  # that an idle connection may cost


@check("10,000 connections opened and left", kind="alone")
def many(bench):
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    count = CONNECTIONS if hard == resource.RLIM_INFINITY else min(CONNECTIONS, hard - 500)
    before, clients, half = bench.server.rss_kib(), [], bench.ask()
    try:
        for _ in range(count):
            clients.append(bench.client())
            if len(clients) % 2:
                clients[-1].send(half.data()[:20])
    except OSError as fault:
        expect(False, f"connection {len(clients) + 1} of {count} could not be opened ({fault})")
    start = time.monotonic()
    for _ in range(10):
        bench.alive()
    took = time.monotonic() - start
    bench.not_grown(before, count * KIB_EACH // 1024, f"{count} connections were opened and left")
    for client in clients[:1000:100]:
        client.send(half.data()[20:])
        bench.right(client.response(), half, "the rest of a request after a silence: ")
    for client in clients:
        client.close()
    expect(took < 10 * bench.slower, f"ten requests took {took:.1f} s meanwhile")
    bench.alive()
