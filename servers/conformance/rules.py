# SPDX-License-Identifier: MIT
"""What a check is: a function of a Bench that raises Broken or Skip. The order of definition is the order of running."""

import hashlib
import random

import asks
import ws
from memory import Watch
from wire import WireError

CHECKS = []
WORKLOADS = ("plaintext", "static", "json-sum", "upload", "ws-echo")

# Seconds that a good response may take. Long, because a JVM on two busy cores is slow and still right.
PATIENCE = 15

# Lines that a head of up to 8 KiB may have at least.
HEAD_LINES = 100


class Broken(Exception):
    """The contract was broken; the text says how."""


class Skip(Exception):
    """Does not apply here; the text says why."""


def check(title, *needs, kind="quick"):
    """Adds a check. `needs` names workloads, one of which the server must claim (none: any server will do).

    kind: "quick" runs in order; "waits" mostly sleeps and runs beside the others of its kind; "alone" looks at memory or
    takes so much that nothing may run beside it.
    """
    def add(function):
        function.title, function.needs, function.kind = title, needs, kind
        CHECKS.append(function)
        return function
    return add


def expect(condition, text):
    if not condition:
        raise Broken(text)


class Bench:
    """A running server, its root, and how to start another of its kind. Each check has its own, with its own random numbers."""

    weighs = True  # memory means something

    def __init__(self, server, root, start, slower, seed):
        self.server, self.root, self.start, self.slower = server, root, start, slower
        self.claims = server.manifest.data["workloads"]
        self.random = random.Random(seed)

    def again(self, seed):
        return Bench(self.server, self.root, self.start, self.slower, seed)

    def client(self, **settings):
        settings.setdefault("timeout", PATIENCE * self.slower)
        return self.server.client(**settings)

    def websocket(self, **settings):
        settings.setdefault("timeout", PATIENCE * self.slower)
        return ws.open(self.server.address, self.random, **settings)

    def asks(self):
        """A good request for each HTTP workload that is claimed, drawn anew; the manifest's ready path where there is none."""
        return asks.drawn(self)

    def ask(self):
        return self.random.choice(self.asks())

    def right(self, response, ask, where=""):
        ask.judge(response, f"{where}{ask.title}")

    def asked(self, client, ask=None, *lines):
        """Sends a good request and judges its response."""
        ask = ask or self.ask()
        client.send(ask.data(*lines))
        response = client.response(head_only=ask.method == "HEAD")
        self.right(response, ask)
        return response

    def right_file(self, response, name):
        size = (self.root.path / name).stat().st_size
        expect(response.status == 200, f"/{name} got {response.status}")
        length = response.header("content-length")
        expect(response.complete, f"/{name}: {len(response.body)} of {length} bytes arrived before the connection closed")
        expect(length == str(size), f"/{name}: Content-Length is {length}, the file has {size} bytes")
        expect(hashlib.sha256(response.body).hexdigest() == self.root.hashes[name], f"/{name}: {len(response.body)} bytes arrived, but not the file's")

    def alive(self):
        """The next good request, on a connection of its own, gets its response."""
        try:
            with self.client() as client:
                self.asked(client)
        except (OSError, WireError) as fault:
            raise Broken(f"afterwards a good request got no response ({fault})") from fault

    def watched(self):
        return Watch(self)

    def growth_kib(self, before, after):
        """0 where memory cannot be known or means nothing (valgrind, sanitizers)."""
        return 0 if before is None or after is None or not self.weighs else after - before

    def not_above(self, limit_mib, grown_kib, what):
        # A JVM takes memory for what it has not collected yet, up to its -Xmx.
        limit_mib += 64 if self.server.manifest.data["run"]["command"][0] == "java" else 0
        expect(grown_kib < limit_mib * 1024, f"{what}, and it grew by {grown_kib // 1024} MiB (allowed: {limit_mib} MiB)")

    def not_grown(self, before, limit_mib, what):
        self.not_above(limit_mib, self.growth_kib(before, self.server.rss_kib()), what)
