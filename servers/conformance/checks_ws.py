# SPDX-License-Identifier: MIT
"""Workload ws-echo: right messages come back as they are."""

import struct

import ws
from bodies import in_pieces
from rules import HEAD_LINES, PATIENCE, check, expect
from threads import together
from wire import WireError
from ws import BINARY, CLOSE, PING, PONG, TEXT

NEEDS = "ws-echo"
MIB = 1 << 20
NAMES = {TEXT: "text", BINARY: "binary", PING: "ping", PONG: "pong"}
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 {}\":,äÖß€漢😀"
DIGITS = b"0123456789"  # before the checks of the bytes: nothing that could come back in lower case


def payload(random, kind, size):
    """Bytes, or UTF-8 text of exactly `size` bytes in letters of both cases and of one to four bytes."""
    if kind == BINARY:
        return random.randbytes(size)
    if size > 4000:
        part = payload(random, TEXT, 3000)
        return (part * (size // 3000 + 1))[: size // 3000 * 3000].ljust(size, b"z")
    text = "".join(random.choices(LETTERS, k=size)).encode()[:size]
    while True:
        try:
            text.decode()
            return text.ljust(size, b"z")
        except UnicodeDecodeError:
            text = text[:-1]


def lower(data):
    """As programs lower bytes, and as they lower the letters of all scripts."""
    return data.lower(), data.decode(errors="surrogateescape").lower().encode(errors="surrogateescape")


def same(got, kind, sent, where):
    opcode, data = got
    expect(opcode == kind, f"{where}: sent as {NAMES[kind]}, came back as {NAMES.get(opcode, opcode)}")
    if data == sent:
        return
    expect(data not in lower(sent), f"{where}: it came back in lower case")
    expect(data.lower() != sent.lower(), f"{where}: it came back in other capitals")
    expect(len(data) == len(sent), f"{where}: {len(sent)} bytes were sent, {len(data)} came back")
    at = next(i for i in range(len(sent)) if sent[i] != data[i])
    expect(False, f"{where}: the echo differs from byte {at} of {len(sent)} on")


def echoed(socket, kind, data, where="", **shape):
    socket.send(kind, data, **shape)
    same(socket.read(), kind, data, f"{where}{NAMES[kind]} of {len(data)} bytes")


def ends_with(socket, codes, what):
    end = socket.closing()
    expect(end.framed, f"{what}: it ended without a close frame ({end})")
    expect(end.code in codes, f"{what}: it closed with {end.code}, right is {' or '.join(str(code) for code in codes)}")


@check("ws-echo: the handshake, however the header is written, and no extension", NEEDS)
def handshake(bench):
    for lines, connection in (((), "Upgrade"), ((), "keep-alive, Upgrade"), ((), "upgrade"), (("Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits",), "Upgrade"),
                              (("Sec-WebSocket-Protocol: chat, superchat",), "Upgrade"), (("Origin: http://elsewhere.example", "User-Agent: check"), "Upgrade")):
        with ws.open(bench.server.address, bench.random, *lines, connection=connection, timeout=PATIENCE * bench.slower) as socket:
            echoed(socket, TEXT, DIGITS, f"after {lines or connection}: ")
    client = bench.client()
    key = ws.new_key(bench.random)
    in_pieces(bench, client, ws.upgrade(key).replace(b"Sec-WebSocket-Key", b"SEC-websocket-KEY"), 5)
    with ws.WebSocket(client, bench.random, key) as socket:
        echoed(socket, BINARY, b"\x00\xff", "after a handshake in pieces: ")


@check(f"ws-echo: a handshake of {HEAD_LINES} short lines", NEEDS)
def long_handshake(bench):
    key = ws.new_key(bench.random)
    own = ws.upgrade(key).count(b"\r\n") - 2  # the request line, the empty line
    client = bench.client()
    client.send(ws.upgrade(key, *(f"X-{i}: x" for i in range(HEAD_LINES - own))))
    with ws.WebSocket(client, bench.random, key) as socket:
        echoed(socket, TEXT, DIGITS, "after a long handshake: ")


@check("ws-echo: a ping gets a pong with the same bytes, a pong gets nothing", NEEDS)
def ping(bench):
    with bench.websocket() as socket:
        for size in (0, 1, 10, 125):
            data = bench.random.randbytes(size)
            socket.send(PING, data)
            same(socket.read(), PONG, data, f"a ping of {size} bytes")
        socket.send(PONG, b"unasked")
        echoed(socket, TEXT, b"after an unasked pong")


@check("ws-echo: frames that arrive in pieces 30 ms apart", NEEDS, kind="waits")
def pieces(bench):
    with bench.websocket() as socket:
        for size in (5, 126, 70_000):
            for kind in (TEXT, BINARY):
                data = payload(bench.random, kind, size)
                frames = socket.message(kind, data, pieces=2)
                socket.client.send(frames[:1])
                in_pieces(bench, socket.client, frames[1:], 8)
                same(socket.read(), kind, data, f"{NAMES[kind]} of {size} bytes in pieces")


@check("ws-echo: a close gets the same code, then the connection ends", NEEDS)
def close(bench):
    for code in (1000, 1000, 1001, 3000, 4999):
        with bench.websocket() as socket:
            echoed(socket, TEXT, b"before the end")
            socket.send(CLOSE, struct.pack("!H", code) + bench.random.choice((b"", b"a reason")))
            ends_with(socket, (code,), f"close {code}")
            expect(socket.client.ended(10 * bench.slower), f"close {code}: the connection stays open")
    with bench.websocket() as socket:
        socket.send(CLOSE, b"")
        ends_with(socket, (None, 1000), "close without a code")
    with bench.websocket() as socket:
        data = payload(bench.random, TEXT, 5000)
        socket.client.send(socket.message(TEXT, data) + socket.message(CLOSE, struct.pack("!H", 1000)) + socket.message(TEXT, b"too late"))
        same(socket.read(), TEXT, data, "a message directly before the close")
        ends_with(socket, (1000,), "a close directly after a message")


@check("ws-echo: 500 connections, each with its own echo", NEEDS)
def many(bench):
    sockets = [bench.websocket() for _ in range(500)]
    sent = [payload(bench.random, TEXT, 60) for _ in sockets]
    for socket, data in zip(sockets, sent):
        socket.send(TEXT, data)
    for number, (socket, data) in enumerate(zip(sockets, sent)):
        same(socket.read(), TEXT, data, f"connection {number + 1} of 500")
    for socket in sockets:
        socket.client.close()
    ws_alive(bench)


def ws_alive(bench):
    try:
        with bench.websocket() as socket:
            echoed(socket, TEXT, payload(bench.random, TEXT, 30), "afterwards, ")
    except (OSError, WireError) as fault:
        expect(False, f"afterwards a good message was not echoed ({fault})")
