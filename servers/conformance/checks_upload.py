# SPDX-License-Identifier: MIT
"""Workload upload: the hash of exactly these bytes, however many, in bounded memory."""

import hashlib

import asks
from rules import check, expect
from wire import request

NEEDS = "upload"
MIB = 1 << 20


def stream(bench, mib, chunked):
    """Sends `mib` MiB without holding them; returns (response, right hash)."""
    block, right = bytearray(bench.random.randbytes(MIB)), hashlib.sha256()
    length = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {mib * MIB}"
    with bench.client(timeout=60 * bench.slower) as client:
        client.send(request("/upload", "Content-Type: application/octet-stream", length, method="POST"))
        for _ in range(mib):
            block[bench.random.randrange(MIB)] ^= 0x5A
            right.update(block)
            client.send(b"%x\r\n%b\r\n" % (MIB, block) if chunked else block)
        if chunked:
            client.send(b"0\r\n\r\n")
        return client.response(), right.hexdigest()


@check("upload: 100 MB, with a length and chunked, in bounded memory", NEEDS, kind="alone")
def large(bench):
    # First as much in small bodies: what a garbage collector lets lie about is not what one body costs.
    for _ in range(12):
        stream(bench, 8, False)
    with bench.watched() as memory:
        for chunked in (False, True):
            response, right = stream(bench, 100, chunked)
            expect(response.status == 200, f"100 MiB got {response.status}")
            expect(response.body.decode("latin-1") == right, f"100 MiB: the hash was {response.body[:70]!r}, right is {right}")
            memory.stays_below(64, f"100 MiB were sent {'chunked' if chunked else 'with a length'}")


@check("upload: resets in the middle of large bodies do not add up", NEEDS, kind="alone")
def resets(bench):
    before = bench.server.rss_kib()
    for _ in range(20):
        client = bench.client()
        client.send(request("/upload", "Content-Type: application/octet-stream", f"Content-Length: {100 * MIB}", method="POST"))
        client.send(bench.random.randbytes(MIB) * 4)
        client.reset()
    bench.alive()
    bench.not_grown(before, 64, "20 uploads were reset after 4 MiB")


@check("upload: 50 slow ones are all right, while others are served", NEEDS, kind="waits")
def slow(bench):
    import time
    open_ones = []
    for _ in range(50):
        body = bench.random.randbytes(20_000)
        client = bench.client()
        client.send(asks.hash_of(body).data()[:1000])
        open_ones.append((client, asks.hash_of(body)))
    for start in range(1000, 15_000, 5000):
        time.sleep(0.1)
        for client, ask in open_ones:
            client.send(ask.data()[start : start + 5000])
        bench.alive()
    for client, ask in open_ones:
        client.send(ask.data()[16_000:])
        bench.right(client.response(), ask)
        client.close()
