# SPDX-License-Identifier: MIT
"""Workload ws-echo: what must be refused, and hostile clients."""

import struct
import time

import ws
from checks_ws import MIB, NEEDS, echoed, ends_with, payload, ws_alive
from rules import check, expect
from wire import request
from ws import BINARY, CLOSE, CONTINUATION, PING, TEXT


def status_of(bench, data):
    with bench.client() as client:
        client.send(data)
        return client.response().status


@check("ws-echo: a plain GET on the endpoint is 4xx, and so is a wrong version", NEEDS)
def plain_get(bench):
    key = ws.new_key(bench.random)
    for what, data in (
        ("a plain GET", request("/ws")),
        ("a GET without Upgrade", request("/ws", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13")),
        ("an upgrade without a key", ws.upgrade(None)),
        ("version 12", ws.upgrade(key, version="12")),
        ("an upgrade without a version", ws.upgrade(key, version=None)),
        ("a POST", ws.upgrade(key, "Content-Length: 0", method="POST")),
    ):
        status = status_of(bench, data)
        expect(400 <= status < 500, f"{what} on /ws got {status}")
    ws_alive(bench)


@check("ws-echo: an upgrade elsewhere is no WebSocket", NEEDS)
def elsewhere(bench):
    target = f"/{bench.random.randrange(1 << 60):x}"
    status = status_of(bench, ws.upgrade(ws.new_key(bench.random), target=target))
    expect(400 <= status < 500, f"an upgrade on {target} got {status}")


@check("ws-echo: text that is not UTF-8 ends with 1007", NEEDS)
def not_text(bench):
    for bad in (b"\xff", b"\xc3\x28", b"abc\xe2\x82", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\xaf"):
        for pieces in (1, 3):
            with bench.websocket() as socket:
                socket.send(TEXT, b"good ", pieces=1)
                socket.read()
                socket.send(TEXT, payload(bench.random, TEXT, 20) + bad, pieces=pieces)
                ends_with(socket, (1007,), f"text with {bad!r} in {pieces} frames")
    with bench.websocket() as socket:
        echoed(socket, BINARY, b"\xff\xc3\x28", "what is no text may be binary: ")
        whole = "ä€😀".encode() * 9
        echoed(socket, TEXT, whole, "letters cut by fragments: ", pieces=12)


@check("ws-echo: other breaches of the protocol end the connection, and nothing is echoed", NEEDS)
def breaches(bench):
    def huge(kind, size):
        return bytes([0x80 | kind, 0x80 | 127]) + struct.pack("!Q", size) + bytes(4)

    def cases(socket):
        yield "a reserved bit", socket.frame(TEXT, b"x", reserved=4)
        yield "opcode 3", socket.frame(3, b"x")
        yield "opcode 11", socket.frame(11, b"x")
        yield "a fragmented ping", socket.frame(PING, b"x", fin=False)
        yield "a ping of 126 bytes", socket.frame(PING, bytes(126))
        yield "a continuation of nothing", socket.frame(CONTINUATION, b"x")
        yield "a message within a message", socket.frame(TEXT, b"x", fin=False) + socket.frame(TEXT, b"y")
        yield "a close frame with one byte", socket.frame(CLOSE, b"x")
        yield "a close with code 999", socket.frame(CLOSE, struct.pack("!H", 999))
        yield "a close with code 1005", socket.frame(CLOSE, struct.pack("!H", 1005))
        yield "a length with its highest bit set", huge(BINARY, (1 << 63) + 5)
        yield "a fragment whose length wraps round", socket.frame(TEXT, b"x", fin=False) + huge(CONTINUATION, (1 << 64) - 1)

    with bench.websocket() as first:
        names = [what for what, _ in cases(first)]
    for number, what in enumerate(names):
        with bench.websocket() as socket:
            socket.client.send(list(cases(socket))[number][1])
            try:
                got = socket.read()
            except ws.Closed:
                continue
            except (ConnectionResetError, BrokenPipeError):
                continue
            except TimeoutError:
                expect(False, f"{what}: the connection stays open")
            expect(False, f"{what} got {got!r}")
    ws_alive(bench)


@check("ws-echo: frames that announce much and bring nothing", NEEDS, kind="alone")
def announced(bench):
    before = bench.server.rss_kib()
    sockets = [bench.websocket() for _ in range(200)]
    for socket in sockets:
        size = bench.random.choice((MIB, 1 << 31, 1 << 40, (1 << 63) - 1))
        try:
            socket.client.send(bytes([0x82, 0xFF]) + struct.pack("!Q", size) + b"mask" + b"only this")
        except OSError:
            pass
    ws_alive(bench)
    bench.not_grown(before, 64, "200 frames of up to 2^63 bytes were announced")
    for socket in sockets:
        socket.client.close()


@check("ws-echo: a message that never ends does not make the server grow", NEEDS, kind="alone")
def endless(bench):
    before = bench.server.rss_kib()
    with bench.websocket() as socket:
        part = socket.frame(CONTINUATION, bytes(65536), fin=False)
        try:
            socket.client.send(socket.frame(BINARY, bytes(65536), fin=False))
            for _ in range(200 * 16):
                socket.client.send(part)
        except OSError:
            pass  # 1009 and an end is the good response
        bench.not_grown(before, 96, "200 MiB of one message were sent")
    ws_alive(bench)


FRAGMENTS, AT_ONCE, WITHIN_S = 3_000_000, 20_000, 20


@check("ws-echo: fragments of one byte or none, without end, do not make the server grow", NEEDS, kind="alone")
def endless_small(bench):
    for size in (0, 1):
        before = bench.server.rss_kib()
        with bench.websocket() as socket:
            part = socket.frame(CONTINUATION, bytes(size), fin=False) * AT_ONCE
            end = time.monotonic() + WITHIN_S
            sent = 0
            try:
                socket.client.send(socket.frame(BINARY, b"", fin=False))
                while sent < FRAGMENTS and time.monotonic() < end:
                    socket.client.send(part)
                    sent += AT_ONCE
            except OSError:
                pass  # as above
            bench.not_grown(before, 96, f"{sent:,} fragments of {size} bytes were sent")
        ws_alive(bench)


@check("ws-echo: a client that sends and never reads does not make the server grow", NEEDS, kind="alone")
def unread(bench):
    before = bench.server.rss_kib()
    with bench.websocket(receive_buffer=8192) as socket:
        frame, sent = socket.message(BINARY, bench.random.randbytes(60_000)), 0
        socket.client.socket.settimeout(1.5 * bench.slower)
        try:
            while sent < 200 * MIB:
                socket.client.send(frame)
                sent += len(frame)
        except OSError:
            pass  # it takes no more, or closed: both are right
        ws_alive(bench)
        bench.not_grown(before, 64, f"{sent // MIB} MiB were sent and nothing was read")
    ws_alive(bench)


@check("ws-echo: half a frame and silence, resets, while others are served", NEEDS, kind="waits")
def halves(bench):
    quiet = [bench.websocket() for _ in range(20)]
    frames = [socket.message(TEXT, b"in the end it comes") for socket in quiet]
    for number, (socket, frame) in enumerate(zip(quiet, frames)):
        socket.client.send(frame[: 1 + number])
    for _ in range(100):
        socket = bench.websocket()
        data = socket.message(BINARY, bytes(3000))
        socket.client.send(data[: bench.random.randrange(1, len(data))])
        socket.client.reset()
    time.sleep(1)
    ws_alive(bench)
    for number, (socket, frame) in enumerate(zip(quiet, frames)):
        socket.client.send(frame[1 + number :])
        got = socket.read()
        expect(got == (TEXT, b"in the end it comes"), f"a message of which half came late got {got!r}")
        socket.client.close()


@check("ws-echo: SIGTERM with open WebSockets: exit 0 within 5 s", NEEDS, kind="alone")
def sigterm(bench):
    with bench.start() as server:
        server.wait_ready(bench.slower)
        sockets = [ws.open(server.address, bench.random) for _ in range(5)]
        for socket in sockets:
            echoed(socket, TEXT, b"still here")
        code = server.stop(5 * bench.slower)
        for socket in sockets:
            socket.client.close()
        expect(code is not None, "it did not end within 5 s")
        expect(code == 0, f"it ended with {code}: {server.output()[-800:]}")
