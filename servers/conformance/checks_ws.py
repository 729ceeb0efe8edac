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


@check("ws-echo: text and binary, 0 bytes to 1 MiB", NEEDS)
def sizes(bench):
    with bench.websocket() as socket:
        for size in (0, 1, 10, 125, 126, 127, 1000, 4096, 65535, 65536, 65537, 200_000, MIB):
            for kind in (TEXT, BINARY):
                echoed(socket, kind, payload(bench.random, kind, size))


@check("ws-echo: five messages in order, sent without waiting", NEEDS)
def five(bench):
    with bench.websocket() as socket:
        sent = [(kind, payload(bench.random, kind, bench.random.randint(0, 300))) for kind in (TEXT, BINARY, TEXT, TEXT, BINARY)]
        for kind, data in sent:
            socket.send(kind, data)
        for number, (kind, data) in enumerate(sent):
            same(socket.read(), kind, data, f"message {number + 1} of 5")


@check("ws-echo: fragments, with control frames between them", NEEDS)
def fragments(bench):
    random = bench.random
    with bench.websocket() as socket:
        for kind in (TEXT, BINARY):
            for size, pieces in ((0, 2), (1, 3), (50, 4), (3000, 9), (70_000, 5), (MIB, 6)):
                data, pings = payload(random, kind, size), [random.randbytes(random.randint(0, 125)) for _ in range(min(3, pieces - 1))]
                socket.send(kind, data, pieces=pieces, between=[(PING, ping) for ping in pings] + [(PONG, b"nobody asked")])
                for ping in pings:
                    same(socket.read(), PONG, ping, f"a ping of {len(ping)} bytes between fragments")
                same(socket.read(), kind, data, f"{NAMES[kind]} of {size} bytes in {pieces} fragments")


@check("ws-echo: ping is answered with the same bytes, pong with nothing", NEEDS)
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


@check("ws-echo: close is answered with the same code, then the connection ends", NEEDS)
def close(bench):
    for code in (1000, 1000, 1001, 3000, 4999):
        with bench.websocket() as socket:
            echoed(socket, TEXT, b"before the end")
            socket.send(CLOSE, struct.pack("!H", code) + bench.random.choice((b"", b"a reason")))
            ends_with(socket, (code,), f"close {code}")
            expect(socket.client.ended(10), f"close {code}: the connection stays open")
    with bench.websocket() as socket:
        socket.send(CLOSE, b"")
        ends_with(socket, (None, 1000), "close without a code")
    with bench.websocket() as socket:
        data = payload(bench.random, TEXT, 5000)
        socket.client.send(socket.message(TEXT, data) + socket.message(CLOSE, struct.pack("!H", 1000)) + socket.message(TEXT, b"too late"))
        same(socket.read(), TEXT, data, "a message directly before the close")
        ends_with(socket, (1000,), "a close directly after a message")


@check("ws-echo: a burst of messages on 6 connections at once, none is lost", NEEDS)
def burst(bench):
    def one(own):
        random = own.random
        sent = [(kind, payload(random, kind, random.choice((5, 40, 200, 2000)))) for kind in random.choices((TEXT, BINARY), k=random.randint(250, 350))]
        with own.websocket() as socket:
            def send(_):
                # Some frames a packet, so that frames stand across the edges of what is read.
                data, at = b"".join(socket.message(kind, text) for kind, text in sent), 0
                while at < len(data):
                    size = own.random.randint(1, 20_000)
                    socket.client.send(data[at : at + size])
                    at += size

            def read(_):
                for number, (kind, data) in enumerate(sent):
                    where = f"message {number + 1} of a burst of {len(sent)}"
                    try:
                        got = socket.read()
                    except TimeoutError:
                        expect(False, f"{where}: no echo came")
                    following = sent[number + 1 :]
                    expect(got == (kind, data) or got not in following, f"{where} was lost: the next echo is that of message {number + 2 + (following.index(got) if got in following else 0)}")
                    same(got, kind, data, where)
            together(own, [send, read])
    together(bench, [one] * 6)


@check("ws-echo: one message after the other, 200 times on each of 3 connections", NEEDS)
def rounds(bench):
    def one(own):
        with own.websocket() as socket:
            for number in range(200):
                kind = own.random.choice((TEXT, BINARY))
                echoed(socket, kind, payload(own.random, kind, own.random.randint(1, 120)), f"message {number + 1}: ")
    together(bench, [one] * 3)


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
