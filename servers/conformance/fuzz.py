#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sends drawn inputs to a file server: noise, good requests that were damaged, odd ones made from a grammar, in pieces of any size.

    fuzz.py NAME [--inputs 5000] [--seed N] [--wrap COMMAND] [--make NAME=VALUE]

After each input the connection must end by itself within 60 s, every response must be HTTP and no failure of the server's own,
no byte from outside the root may be in it, and good requests in front of a bad one must have their right responses. The server must
still be the one that was started, and respond to the next good request. Exit: 0 passed, 1 failed, 77 cannot be built here.
"""

import argparse
import errno
import random
import socket
import sys
import threading
from pathlib import Path

sys.dont_write_bytecode = True

import ending  # noqa: E402
from agent import build, variant  # noqa: E402
from lab import SERVERS, Manifest, NotHere, Root, Server  # noqa: E402
from wire import request  # noqa: E402

NAMES = ("/plaintext", "/1k.bin", "/script.js", "/empty.bin", "/below/it.bin", "/not-there")
PIECES = ("/", "//", ".", "..", "%2e", "%2F", "%00", "%", "%4", "%zz", "\\", "?", "#", "~", "é", "1k.bin", "below", "it.bin", "plaintext",
          "secret.txt", "http://", "x" * 300, "y" * 1100, "*", ":", "@", ";", "'", '"', "%31k.bin", " ", "\t")
METHODS = ("GET", "HEAD", "POST", "PUT", "get", "OPTIONS", "G", "GET\t", "", "(GET)", "GETGETGETGETGETGETGET", "HEADER")
VERSIONS = ("HTTP/1.1", "HTTP/1.0", "HTTP/1.2", "HTTP/2.0", "HTTP/1.", "HTTP/11", "http/1.1", "HTTP/1.1 ", "HTTP/x.y", "", "FTP/1.1")
HEADERS = ("Host: x", "Host: y", "host:", "Content-Length: 5", "Content-Length: 0", "Content-Length: 5, 5", "Content-Length: ", "Content-Length: -5",
           "Content-Length: 99999999999999999", "Content-Length: 18446744073709551617", "Content-Length:\t7 ", "Transfer-Encoding: chunked",
           "Connection: close", "Connection: keep-alive", "Connection: ,, close ,", "Connection: closer, Keep-Alive", "Connection:", "Expect: 100-continue",
           "X: \x00", "X: a\rb", "X y: z", ": z", " folded", "X:", "NoColon", "Accept: */*", "X-Long: " + "z" * 900, "X-Longer: " + "z" * 17000, "É: x")
ENDS = ("\r\n", "\r\n", "\r\n", "\r\n", "\r\n", "\r\n", "\r\n", "\n", "\r", "\r\r\n", "\r\n\r\n")


def good(draw):
    return request(draw.choice(NAMES), *(["User-Agent: fuzz"] * draw.randrange(3)), method=draw.choice(("GET", "GET", "HEAD")))


def damaged(draw):
    data = bytearray(b"".join(good(draw) for _ in range(draw.randrange(1, 4))))
    for _ in range(draw.randrange(1, 6)):
        at = draw.randrange(len(data))
        what = draw.randrange(4)
        if what == 0:
            data[at] = draw.choice((0, 9, 10, 13, 32, 37, 47, 58, 127, 128, 255, draw.randrange(256)))
        elif what == 1:
            del data[at:at + draw.randrange(1, 9)]
        elif what == 2:
            data[at:at] = draw.randbytes(draw.randrange(1, 40))
        else:
            data[at:at] = data[draw.randrange(len(data)):][: draw.randrange(1, 60)]
        if not data:
            data += b"\r"
    return bytes(data)


def odd(draw):
    method = draw.choice(METHODS) if draw.random() < 0.4 else "GET"
    target = "/" * (draw.random() < 0.9) + "".join(draw.choice(PIECES) for _ in range(draw.randrange(6)))
    version = draw.choice(VERSIONS) if draw.random() < 0.3 else "HTTP/1.1"
    lines = [f"{method} {target} {version}", *["Host: test"] * (draw.random() < 0.8), *(draw.choice(HEADERS) for _ in range(draw.randrange(5)))]
    text = "".join(line + draw.choice(ENDS) for line in lines) + "\r\n" * (draw.random() < 0.9)
    return text.encode() + draw.choice((b"", b"", b"12345", b"5\r\n12345\r\n0\r\n\r\n"))


def noise(draw):
    return draw.randbytes(draw.choice((1, 3, 16, 17, 100, 1000, 20000)))


def drawn(draw):
    """(how many good GETs of /1k.bin stand in front, the bytes)"""
    front = draw.choice((0, 0, 1, 3))
    return front, request("/1k.bin") * front + draw.choice((good, damaged, damaged, odd, odd, noise))(draw)


def pieces(draw, data):
    """Cut at random; most inputs are one piece, because pieces in packets of their own take time."""
    cuts = sorted(draw.randrange(len(data) + 1) for _ in range(draw.choice((0, 0, 1, 2, 8))))
    return [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)]) if a < b]


def exchange(address, parts):
    """(the responses, whether they came to an end). Whoever sends on after a refusal may meet a reset, which takes responses away."""
    response, ended = b"", True
    with socket.create_connection(address, timeout=60) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            for part in parts:
                client.sendall(part)
            client.shutdown(socket.SHUT_WR)
            while data := client.recv(1 << 20):
                response += data
        except OSError as error:
            # ENOTCONN: the reset came between the last byte and the shutdown.
            if error.errno not in (errno.ECONNRESET, errno.EPIPE, errno.ENOTCONN):
                raise
            ended = False
    return response, ended


def fault(response, ended, front, file, secret):
    if response and not response.startswith(b"HTTP/1."):
        return "its response is not HTTP"
    if secret in response:
        return "it served a file outside the root"
    if response.startswith((b"HTTP/1.1 500", b"HTTP/1.1 503")):
        return "it reports a fault of its own"
    if ended and response.count(file) < front:
        return f"{response.count(file)} of the {front} good requests in front got responses"
    return None


def fuzz(server, root, inputs, seed):
    file, plain = (root.path / "1k.bin").read_bytes(), request("/plaintext", "Connection: close")
    faults = []

    def some(lane, lanes):
        for number in range(lane, inputs, lanes):
            draw = random.Random(f"{seed}/{number}")
            front, data = drawn(draw)
            try:
                wrong = fault(*exchange(server.address, pieces(draw, data)), front, file, root.secret)
                if not wrong and number % 10 == lane and not exchange(server.address, [plain])[0].endswith(b"Hello, World!"):
                    wrong = "the next good request gets no response"
            except OSError as error:
                wrong = str(error)
            if wrong or faults or server.process.poll() is not None:
                faults.append(f"input {number}: {wrong or 'the server has ended, now or shortly before'}: {data[:300]!r}")
                return

    threads = [threading.Thread(target=some, args=(lane, 8)) for lane in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return faults[0] if faults else None


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("name")
    parser.add_argument("--inputs", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--wrap", default="")
    parser.add_argument("--make", action="append", default=[])
    arguments = parser.parse_args()
    ending.on_signals()
    manifest = Manifest(SERVERS / arguments.name if (SERVERS / arguments.name).exists() else Path(arguments.name).resolve())
    with ending.folder("rigmark-fuzz-") as scratch:
        scratch = Path(scratch)
        try:
            built = build(variant(manifest, scratch, make=arguments.make))
        except NotHere as reason:
            print(reason)
            sys.exit(77)
        root = Root(scratch, arguments.seed)
        for name, size in (("empty.bin", 0), ("below/it.bin", 4321)):
            root.put(name, size)
        with Server(manifest, built, root.path, scratch=scratch, wrapper=tuple(arguments.wrap.split())) as server:
            server.wait_ready(6)
            wrong = fuzz(server, root, arguments.inputs, arguments.seed)
            code = server.stop(60)  # how fast it ends is a check of check.py
            if not wrong and code != 0:
                wrong = f"after {arguments.inputs} inputs it ended with {code}: {server.output()[-1500:]}"
    print(f"seed {arguments.seed}: {wrong or f'{arguments.inputs} inputs, all well'}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
