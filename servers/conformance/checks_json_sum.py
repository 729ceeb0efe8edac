# SPDX-License-Identifier: MIT
"""Workload json-sum: a sum that is right, a refusal where there is none, and nothing remembered."""

import asks
from rules import check, expect
from wire import WireError, request

LARGEST = (1 << 63) - 1
NEEDS = "json-sum"


def post(body, *lines):
    return request("/json-sum", "Content-Type: application/json", f"Content-Length: {len(body)}", *lines, method="POST") + body


def refused(bench, body, what, right=None):
    """A 4xx; `right` is a response that is allowed too."""
    with bench.client() as client:
        client.send(post(body))
        try:
            response = client.response()
        except (OSError, WireError) as fault:
            expect(False, f"{what}: there was no response ({fault})")
        if right is not None and response.status == 200:
            expect(response.body == right, f"{what}: the response was {response.body[:60]!r}, right is {right!r} or 4xx")
            return
        expect(400 <= response.status < 500, f"{what} got {response.status}, {response.body[:60]!r}, and not with 4xx")


@check("json-sum: numbers that do not fit and a sum that does: the sum or 4xx", NEEDS)
def overflow(bench):
    random = bench.random
    for numbers in ([LARGEST, 1, -1], [-LARGEST, -5, 5], [1 << 63, -1], [10**30, -(10**30)], [-LARGEST, -1]):
        refused(bench, asks.array(random, numbers), f"the numbers {numbers}", b"sum = %d" % sum(numbers))
    bench.alive()


BROKEN = (
    b"", b" ", b"[", b"]", b"[1", b"[1,", b"[1,]", b"[,1]", b"[1,,2]", b"[1 2]", b"[1]]", b"[1]x", b"[1],", b"[1] [2]", b"{}", b'{"a":1}', b"1", b"-", b'"1"',
    b"null", b"true", b"[null]", b"[true]", b'["1"]', b'[1,"2",3]', b'["a"]', b"[{}]", b"[[]]", b"[[1],2]", b"[1,[2]]", b"[1.5]", b"[0.1,2]", b"[-]", b"[- 1]",
    b"[--1]", b"[+1]", b"[01]", b"[-01]", b"[0x10]", b"[1a]", b"[NaN]", b"[Infinity]", b"[1\x0b,2]", b"[1;2]", b"[1,2", b"\x00", b"[\xff\xfe]", b"[1\x00]",
    b"sum = 3", b"[1,/*2,*/3]",
    b"[-1e-400]", b"[-15e-999,3]", "[1]".encode("utf-16-be"), "[1]".encode("utf-16-le"), "[1]".encode("utf-16"), "[1]".encode("utf-32-be"),
)


@check("json-sum: a text, a fraction, a nested array, broken or empty JSON: 4xx, and the server lives", NEEDS)
def broken(bench):
    random = bench.random
    for body in BROKEN:
        refused(bench, body, f"the body {body!r}")
    numbers = [str(random.randint(-999, 999)) for _ in range(5000)]
    numbers[random.randrange(5000)] = random.choice(('"a"', "1.5", "null", "[1]", "{}", "x", ""))
    refused(bench, f"[{','.join(numbers)}]".encode(), "one wrong item among 5,000")
    refused(bench, b"[" * 200_000, "200,000 open brackets")
    refused(bench, b"[" * 100_000 + b"1" + b"]" * 100_000, "100,000 nested arrays")
    refused(bench, b"[" + b"9" * 100_000 + b"]", "a number of 100,000 digits")
    bench.alive()


@check("json-sum: another Content-Type changes nothing, and no Accept does", NEEDS)
def called_otherwise(bench):
    ask = asks.json_sum(bench)
    # The first is what curl -d says. A server that looks at what a body is called, or at what is wanted, says so by 415 or 406.
    for line, may_say in (("Content-Type: application/x-www-form-urlencoded", 415), ("Content-Type: text/plain; charset=utf-8", 415), ("Accept: application/json", 406)):
        length = f"Content-Length: {len(ask.body)}"
        with bench.client() as client:
            client.send(request("/json-sum", line, length, method="POST") + ask.body)
            response = client.response()
            if response.status != may_say:
                bench.right(response, ask, f"with {line}: ")
    bench.alive()
