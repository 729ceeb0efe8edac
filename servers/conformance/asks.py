# SPDX-License-Identifier: MIT
"""Good requests with random bodies for each HTTP workload, and how their responses are judged."""

import hashlib

from wire import request


class Ask:
    def __init__(self, title, target, judge, method="GET", body=None, kind=None):
        self.title, self.target, self.judge, self.method, self.body, self.kind = title, target, judge, method, body, kind

    def data(self, *lines, version="HTTP/1.1", host="test"):
        if self.body is None:
            return request(self.target, *lines, method=self.method, version=version, host=host)
        lines = (f"Content-Type: {self.kind}", f"Content-Length: {len(self.body)}", *lines)
        return request(self.target, *lines, method=self.method, version=version, host=host) + self.body

    def chunked(self, random, *lines, most=4000):
        """The same with a chunked body, cut at random places, with what the grammar allows now and then."""
        lines = (f"Content-Type: {self.kind}", "Transfer-Encoding: chunked", *lines)
        return request(self.target, *lines, method=self.method) + chunks(self.body, random, most)


def chunks(body, random, most=4000):
    out, at = [], 0
    while at < len(body):
        size = random.randint(1, most)
        part = body[at : at + size]
        number = f"{len(part):x}" if random.random() < 0.5 else f"{len(part):04X}"
        extension = random.choice(("", "", "", ";a=b", ";name"))
        out.append(f"{number}{extension}\r\n".encode() + part + b"\r\n")
        at += size
    out.append(random.choice((b"0\r\n\r\n", b"0\r\n\r\n", b"0\r\nX-Trailer: 1\r\n\r\n")))
    return b"".join(out)


def plaintext(bench):
    from rules import expect

    def judge(response, where):
        expect(response.status == 200, f"{where} got {response.status}")
        expect(response.body == b"Hello, World!", f"{where}: the body was {response.body[:60]!r}")
    return Ask("GET /plaintext", "/plaintext", judge)


def static(bench):
    name = bench.random.choice(("1k.bin", "script.js"))
    return Ask(f"GET /{name}", "/" + name, lambda response, where: bench.right_file(response, name))


def array(random, numbers):
    """JSON text of integers, with blanks where JSON allows them."""
    def blank():
        return random.choice(("", "", "", " ", "\n", "\t", "\r\n", "  "))
    inner = ",".join(f"{blank()}{number}{blank()}" for number in numbers)
    return f"{blank()}[{inner or blank()}]{blank()}".encode()


def sum_of(numbers, text=None, random=None):
    from rules import expect
    right = b"sum = %d" % sum(numbers)

    def judge(response, where):
        expect(response.status == 200, f"{where} got {response.status}: {response.body[:80]!r}")
        expect(response.complete, f"{where}: the response was cut off")
        expect(response.body == right, f"{where}: the response was {response.body[:80]!r}, right is {right!r}")
        expect(response.header("content-length") == str(len(right)), f"{where}: Content-Length is {response.header('content-length')}")
        kind = (response.header("content-type") or "").split(";")[0].strip().lower()
        expect(kind == "text/plain", f"{where}: Content-Type is {kind!r}")
    body = text if text is not None else array(random, numbers)
    return Ask(f"POST /json-sum with {len(numbers)} numbers", "/json-sum", judge, "POST", body, "application/json")


def json_sum(bench):
    random = bench.random
    widest = random.choice((10, 1000, 1 << 20, 1 << 40))
    return sum_of([random.randint(-widest, widest) for _ in range(random.randint(1, 40))], random=random)


def hash_of(body):
    from rules import expect
    right = hashlib.sha256(body).hexdigest().encode()

    def judge(response, where):
        expect(response.status == 200, f"{where} got {response.status}: {response.body[:80]!r}")
        expect(response.complete, f"{where}: the response was cut off")
        expect(response.body == right, f"{where}: the response was {response.body[:80]!r}, right is {right!r}")
        expect(response.header("content-length") == "64", f"{where}: Content-Length is {response.header('content-length')}")
        kind = (response.header("content-type") or "").split(";")[0].strip().lower()
        expect(kind == "text/plain", f"{where}: Content-Type is {kind!r}")
    return Ask(f"POST /upload with {len(body)} bytes", "/upload", judge, "POST", body, "application/octet-stream")


def upload(bench):
    return hash_of(bench.random.randbytes(bench.random.randint(0, 2000)))


def ready(bench):
    from rules import expect
    path = bench.server.manifest.data["run"]["ready"]["path"]
    return Ask(f"GET {path}", path, lambda response, where: expect(response.status == 200, f"{where} got {response.status}"))


MAKERS = {"plaintext": plaintext, "static": static, "json-sum": json_sum, "upload": upload}


def drawn(bench):
    return [MAKERS[name](bench) for name in bench.claims if name in MAKERS] or [ready(bench)]
