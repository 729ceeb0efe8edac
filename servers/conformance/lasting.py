# SPDX-License-Identifier: MIT
"""Many requests on several connections: whether answers stay right, and whether an answer belongs to another request."""

import threading

from rules import Broken, expect
from threads import together


def stays_right(bench, make, connections, what):
    """At least 300 requests over the connections, a number that nobody can know before; says how far it was right."""
    each, lock, right = bench.random.randint(300 // connections + 20, 300 // connections + 90), threading.Lock(), [0]

    def rounds(own):
        with own.client() as client:
            for _ in range(each):
                ask = make(own)
                client.send(ask.data())
                answer = client.answer()
                with lock:
                    before = right[0]
                    try:
                        own.right(answer, ask)
                    except Broken as fault:
                        begun = f"{what} was right for the first {before} requests and then wrong" if before else f"{what} was wrong from the first request on"
                        raise Broken(f"{begun}: {fault}") from fault
                    right[0] += 1
    together(bench, [rounds] * connections)


def fresh(bench, client, asks, what):
    """The requests one after the other on one connection; an answer that belongs to an earlier one is named so."""
    earlier = {}
    for number, ask in enumerate(asks):
        client.send(ask.data())
        answer = client.answer()
        try:
            bench.right(answer, ask)
        except Broken:
            expect(answer.body not in earlier,
                   f"POST {number + 1} on the connection was answered with {what} of POST {earlier.get(answer.body, 0)}: a stale answer")
            raise
        earlier[answer.body] = number + 1
