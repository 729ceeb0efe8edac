# SPDX-License-Identifier: MIT
"""Request bodies of json-sum and upload: chunked, in pieces, pipelined, broken."""

import asks
from bodies import in_pieces
from rules import check, expect
from threads import together
from wire import WireError, request

NEEDS = ("json-sum", "upload")


def posts(bench):
    """A small random POST for each claimed workload that takes one."""
    return [asks.MAKERS[name](bench) for name in NEEDS if name in bench.claims]


def post(bench):
    return bench.random.choice(posts(bench))


def large_posts(bench):
    random = bench.random
    if "json-sum" in bench.claims:
        yield asks.sum_of([random.randint(-10**12, 10**12) for _ in range(90_000)], random=random)
    if "upload" in bench.claims:
        yield asks.hash_of(random.randbytes((1 << 20) + random.randint(1, 300_000)))


@check("bodies: 40 POSTs pipelined, each with its own response", *NEEDS)
def pipelined(bench):
    for _ in range(3):
        plan = [post(bench) for _ in range(40)]
        data = b"".join(ask.chunked(bench.random) if bench.random.random() < 0.3 else ask.data() for ask in plan)
        with bench.client() as client:
            client.send(data)
            for number, ask in enumerate(plan):
                bench.right(client.response(), ask, f"response {number + 1} of 40: ")


@check("bodies: Connection: close after a POST is done and said", *NEEDS)
def close(bench):
    for ask in posts(bench):
        with bench.client() as client:
            response = bench.asked(client, ask, "Connection: close")
            expect(response.says("close"), f"{ask.title}: the response does not say close")
            expect(client.ended(10 * bench.slower), f"{ask.title}: the connection stays open")


@check("bodies: Expect: 100-continue gets 100 or the response at once", *NEEDS)
def expect_continue(bench):
    for ask in posts(bench):
        with bench.client() as client:
            head, body = ask.data("Expect: 100-continue").split(b"\r\n\r\n", 1)
            client.send(head + b"\r\n\r\n")
            client.socket.settimeout(3)
            try:
                interim = client.head()
            except TimeoutError:
                interim = None  # it waits for the body, which a client sends after a while anyway
            client.socket.settimeout(15 * bench.slower)
            expect(interim is None or interim[0] == 100 or not body, f"{ask.title} with Expect: 100-continue got {interim and interim[0]} before its body came")
            if interim is None or interim[0] == 100:
                client.send(body)
                response = client.response()
                if interim is None and response.status == 100:  # it came after those seconds, as on a busy host
                    response = client.response()
                bench.right(response, ask, "after 100 Continue: ")
    bench.alive()


@check("bodies: broken framing is 400 or a closed connection, and the server lives", *NEEDS)
def framing(bench):
    for target in (ask.target for ask in posts(bench)):
        for what, lines, body in (
            ("a chunk size that is no number", ("Transfer-Encoding: chunked",), b"zz\r\nabc\r\n0\r\n\r\n"),
            ("a negative chunk size", ("Transfer-Encoding: chunked",), b"-3\r\nabc\r\n0\r\n\r\n"),
            ("a chunk size beyond 64 bits", ("Transfer-Encoding: chunked",), b"fffffffffffffffff\r\nabc\r\n0\r\n\r\n"),
            ("a chunk without its line end", ("Transfer-Encoding: chunked",), b"3\r\n[1]XX0\r\n\r\n"),
            ("a length that is no number", ("Content-Length: 3x",), b"[1]"),
            ("two different lengths", ("Content-Length: 3", "Content-Length: 4"), b"[1] "),
        ):
            with bench.client() as client:
                client.send(request(target, "Content-Type: application/json", *lines, method="POST") + body)
                try:
                    status = client.response().status
                except (OSError, WireError):
                    continue
                expect(400 <= status < 500, f"{target}, {what}: got {status}")
    bench.alive()


@check("bodies: one that ends early gets no 200, and the server lives", *NEEDS)
def early_end(bench):
    import socket
    for ask in posts(bench):
        while len(ask.body) < 2:
            ask = post(bench)
        for data in (ask.data(), ask.chunked(bench.random)):
            head = data.index(b"\r\n\r\n") + 4
            cut = bench.random.randrange(head, len(data) - 1)
            with bench.client() as client:
                client.send(data[:cut])
                client.socket.shutdown(socket.SHUT_WR)
                try:
                    status = client.response().status
                except (OSError, WireError):
                    continue  # closing is right
                expect(status >= 400, f"{ask.title}, of which {cut - head} of {len(data) - head} bytes came, got {status}")
    bench.alive()


@check("bodies: a reset in the middle, 60 times", *NEEDS)
def reset(bench):
    for _ in range(60):
        data = bench.random.choice([*posts(bench), asks_large(bench)]).data()
        client = bench.client()
        client.send(data[: bench.random.randrange(1, len(data))])
        client.reset()
    bench.alive()


def asks_large(bench):
    ask = post(bench)
    padded = ask.body.ljust(200_000)  # blanks after an array; any bytes for an upload
    return asks.Ask(ask.title, ask.target, ask.judge, "POST", padded, ask.kind)
