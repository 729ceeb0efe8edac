# SPDX-License-Identifier: MIT
"""What a check is: a function of a Bench that raises Broken or Skip. The order of definition is the order of running."""

import hashlib

CHECKS = []


class Broken(Exception):
    """The contract was broken; the text says how."""


class Skip(Exception):
    """Does not apply here; the text says why."""


def check(title):
    def add(function):
        function.title = title
        CHECKS.append(function)
        return function
    return add


def expect(condition, text):
    if not condition:
        raise Broken(text)


class Bench:
    """A running server, its root, and how to start another of its kind."""

    def __init__(self, server, root, start, slower=1):
        self.server, self.root, self.start, self.slower = server, root, start, slower

    def client(self, **settings):
        settings.setdefault("timeout", 10 * self.slower)
        return self.server.client(**settings)

    def right_file(self, answer, name):
        size = (self.root.path / name).stat().st_size
        expect(answer.status == 200, f"/{name} was answered with {answer.status}")
        length = answer.header("content-length")
        expect(answer.complete, f"/{name}: {len(answer.body)} of {length} bytes arrived before the connection closed")
        expect(length == str(size), f"/{name}: Content-Length is {length}, the file has {size} bytes")
        expect(hashlib.sha256(answer.body).hexdigest() == self.root.hashes[name], f"/{name}: {len(answer.body)} bytes arrived, but not the file's")

    def right_plaintext(self, answer):
        expect(answer.status == 200, f"/plaintext was answered with {answer.status}")
        expect(answer.body == b"Hello, World!", f"/plaintext: the body was {answer.body[:60]!r}")

    def alive(self):
        with self.client() as client:
            self.right_plaintext(client.get("/plaintext"))
