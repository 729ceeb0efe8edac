# SPDX-License-Identifier: MIT
"""Workload json-sum: a sum that is right, a refusal where there is none, and nothing remembered."""

import asks
from lasting import fresh, stays_right
from rules import check, expect
from wire import WireError, request

LARGEST = (1 << 63) - 1
NEEDS = "json-sum"


def post(body, *lines):
    return request("/json-sum", "Content-Type: application/json", f"Content-Length: {len(body)}", *lines, method="POST") + body


@check("json-sum: different bodies have different sums", NEEDS)
def different(bench):
    numbers = bench.random.sample(range(-10**6, 10**6), 6)
    answers = set()
    with bench.client() as client:
        for number in numbers:
            client.send(post(b"[%d]" % number))
            answers.add(client.answer().body)
    expect(len(answers) > 1, f"{len(numbers)} bodies with different sums were all answered with {next(iter(answers))!r}: a constant")
    bench.alive()


@check("json-sum: negative numbers, an empty array, one number, blanks", NEEDS)
def small(bench):
    random = bench.random
    with bench.client() as client:
        for numbers, text in (([], b"[]"), ([], b" [ \r\n\t ] "), ([0], b"[0]"), ([0], b"[-0]"), ([7], b"[7]"), ([-7], b"[-7]"), ([1, 2, 3], b"[1,2,3]"),
                              ([1, -2], b"\n[\t1 ,\r\n -2 ]\n"), ([-5, -6], None), ([10, -10], None)):
            bench.asked(client, asks.sum_of(numbers, text, random))
        for _ in range(20):
            bench.asked(client, asks.sum_of([random.randint(-1000, 1000) for _ in range(random.randint(1, 60))], random=random))


@check("json-sum: 10,000 numbers, and a body over 1 MB", NEEDS)
def many_numbers(bench):
    random = bench.random
    with bench.client() as client:
        bench.asked(client, asks.sum_of([random.randint(-10**6, 10**6) for _ in range(10_000)], random=random))
        bench.asked(client, asks.sum_of([random.randint(-10**14, 10**14) for _ in range(10_000)], random=random))
        numbers = [random.randint(-10**11, 10**11) for _ in range(120_000)]
        ask = asks.sum_of(numbers, random=random)
        expect(1 << 20 < len(ask.body) <= 2 << 20, "the check itself is wrong")
        bench.asked(client, ask)
        bench.asked(client)


@check("json-sum: numbers that do not fit 32 bits, sums up to 2^63 - 1", NEEDS)
def wide(bench):
    random = bench.random
    with bench.client() as client:
        for numbers in ([1 << 31], [-(1 << 31) - 1], [1 << 32, 1], [(1 << 53) + 1], [-(1 << 53) - 1, 0], [LARGEST], [-LARGEST], [LARGEST - 1, 1],
                        [-LARGEST + 1, -1], [(1 << 62), (1 << 62) - 1], [LARGEST, -LARGEST], [3 * 10**9] * 100):
            bench.asked(client, asks.sum_of(numbers, random=random))
        for _ in range(20):
            first = random.randint(1 << 53, LARGEST)
            bench.asked(client, asks.sum_of([first, random.randint(-first, LARGEST - first)], random=random))


def refused(bench, body, what, right=None):
    """A 4xx; `right` is an answer that is allowed too."""
    with bench.client() as client:
        client.send(post(body))
        try:
            answer = client.answer()
        except (OSError, WireError) as fault:
            expect(False, f"{what}: there was no answer ({fault})")
        if right is not None and answer.status == 200:
            expect(answer.body == right, f"{what}: the answer was {answer.body[:60]!r}, right is {right!r} or 4xx")
            return
        expect(400 <= answer.status < 500, f"{what} was answered with {answer.status}, {answer.body[:60]!r}, and not with 4xx")


@check("json-sum: a sum that does not fit is 4xx, not a wrong sum", NEEDS)
def overflow(bench):
    random = bench.random
    for numbers in ([LARGEST, 1], [-LARGEST, -2], [LARGEST, LARGEST], [LARGEST, LARGEST, 2], [LARGEST, LARGEST, LARGEST], [-LARGEST, -LARGEST, -5],
                    [1 << 64], [-(1 << 64)], [10**30], [1 << 62, 1 << 62]):
        refused(bench, asks.array(random, numbers), f"a sum of {sum(numbers)}")
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
            answer = client.answer()
            if answer.status != may_say:
                bench.right(answer, ask, f"with {line}: ")
    bench.alive()


@check("json-sum: POSTs in a row on one connection, each with its own sum", NEEDS)
def in_a_row(bench):
    random = bench.random
    with bench.client() as client:
        for length in (60, 400):
            # All of one length, so that an answer that is remembered by length would be found.
            plan = [[random.randint(-99, 99) for _ in range(12)] for _ in range(30)]
            fresh(bench, client, [asks.sum_of(numbers, asks.array(random, numbers).ljust(length)) for numbers in plan], "the sum")


@check("json-sum: the sum stays right for more than 300 requests on 7 connections", NEEDS)
def lasting(bench):
    stays_right(bench, asks.json_sum, 7, "the sum")


@check("json-sum: GET is 404 or 405", NEEDS)
def get(bench):
    for method in ("GET", "HEAD"):
        with bench.client() as client:
            answer = client.get("/json-sum", method=method)
            expect(answer.status in (404, 405), f"{method} /json-sum was answered with {answer.status}")
    bench.alive()
