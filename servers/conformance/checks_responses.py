# SPDX-License-Identifier: MIT
"""Right responses to right requests."""

import socket
import threading
import time

from bodies import in_pieces
from rules import Broken, Skip, check, expect
from threads import together
from wire import WireError, request


@check("static: an empty file, a name with a blank, a folder below, sizes around the buffers", "static")
def odd_files(bench):
    with bench.client() as client:
        for name, size in (("empty.bin", 0), ("a b+c.bin", 777), ("below/it.bin", 4321), ("16383.bin", 16383),
                           ("16384.bin", 16384), ("16385.bin", 16385), ("131072.bin", 131072), ("131073.bin", 131073)):
            bench.root.put(name, size)
            bench.right_file(client.get("/" + name.replace(" ", "%20")), name)


@check("static: a file made after the start is served at once", "static")
def new_file(bench):
    for size in (1024, 300_000):
        name = f"new-{bench.random.randrange(1 << 48):x}.bin"
        with bench.client() as client:
            expect(client.get("/" + name).status == 404, "a file that does not exist yet was found")
            bench.root.put(name, size)
            bench.right_file(client.get("/" + name), name)


def in_time(bench, seconds, look):
    """What must hold after so many seconds. A busy host may keep the server's own clock waiting: there it is looked at again."""
    end = time.monotonic() + seconds + (bench.slower - 1) / 2
    time.sleep(seconds)
    while True:
        try:
            return look()
        except Broken:
            if time.monotonic() >= end:
                raise
            time.sleep(0.1)


@check("static: a changed file is seen after a second, a removed one is gone", "static", kind="waits")
def changed_file(bench):
    def change(name, size, after):
        with bench.client() as client:
            bench.root.put(name, size)
            bench.right_file(client.get("/" + name), name)  # it is in every cache now
            if after is None:
                (bench.root.path / name).unlink()
            else:
                bench.root.put(name, after)

            def seen():
                response = client.get("/" + name)
                if after is None:
                    expect(response.status == 404, f"a removed file got {response.status}")
                else:
                    bench.right_file(response, name)

            in_time(bench, 1.6, seen)

    def task(*what):
        return lambda _: change(*what)
    together(bench, [task(f"changing-{size}-{after}.bin", size, after) for size in (1024, 300_000) for after in (size, size + 5000, None)])


@check("HEAD: the head of GET, no body, and the connection goes on", "plaintext", "static")
def head(bench):
    targets = ["/plaintext"] * ("plaintext" in bench.claims) + ["/1k.bin", "/large.js", "/10m.bin"] * ("static" in bench.claims)
    with bench.client() as client:
        for target in targets:
            of_get = client.get(target).header("content-length")
            expect(of_get is not None, f"GET {target} has no Content-Length")
            response = client.get(target, method="HEAD")
            expect(response.status == 200, f"HEAD {target} got {response.status}")
            expect(response.header("content-length") == of_get, f"HEAD {target} says {response.header('content-length')}, GET {of_get}")
        bench.asked(client)
        expect(client.get("/not-there", method="HEAD").status == 404, "HEAD for an unknown path is not 404")
        bench.asked(client)


@check("Connection: close is done and said")
def close(bench):
    for line in ("Connection: close", "connection: Close", "Connection: foo, close"):
        for ask in bench.asks():
            with bench.client() as client:
                response = bench.asked(client, ask, line)
                expect(response.says("close"), f"{ask.title} with {line}: the response does not say close")
                expect(client.ended(10 * bench.slower), f"{ask.title} with {line}: the connection stays open")


@check("HTTP/1.0 closes, with Connection: keep-alive it says so and stays")
def http10(bench):
    with bench.client() as client:
        ask = bench.ask()
        client.send(ask.data(version="HTTP/1.0", host=None))
        bench.right(client.response(), ask)
        expect(client.ended(10 * bench.slower), "the connection stays open")
    with bench.client() as client:
        for _ in range(5):
            ask = bench.ask()
            client.send(ask.data("Connection: Keep-Alive", version="HTTP/1.0"))
            response = client.response()
            bench.right(response, ask)
            expect(response.says("keep-alive"), "the response does not say Connection: keep-alive (ab -k would wait for ever)")


def mixed(bench, count):
    """(what is asked, its bytes): good requests, unknown paths, HEAD."""
    plan = []
    for _ in range(count):
        ask = bench.ask()
        draw = bench.random.random()
        if draw < 0.15:
            plan.append((None, request("/not-there")))
        elif draw < 0.3 and ask.body is None:
            plan.append(("HEAD", request(ask.target, method="HEAD")))
        else:
            plan.append((ask, ask.data()))
    return plan, b"".join(data for _, data in plan)


def responses_in_order(bench, client, plan):
    for number, (ask, _) in enumerate(plan):
        where = f"response {number + 1} of {len(plan)}"
        response = client.response(head_only=ask == "HEAD")
        if ask is None:
            expect(response.status == 404, f"{where} is {response.status}, not 404")
        elif ask == "HEAD":
            expect(response.status == 200, f"{where} is {response.status}, not HEAD's")
        else:
            bench.right(response, ask, f"{where}: ")


@check("50 requests pipelined")
def pipelined(bench):
    for _ in range(3):
        with bench.client() as client:
            plan, data = mixed(bench, 50)
            client.send(data)
            responses_in_order(bench, client, plan)


@check("50 requests pipelined in fragments, then the client's end is closed")
def pipelined_fragments(bench):
    with bench.client() as client:
        plan, data = mixed(bench, 50)
        in_pieces(bench, client, data, 12, pause=0.01)
        client.socket.shutdown(socket.SHUT_WR)
        responses_in_order(bench, client, plan)
        expect(client.ended(10 * bench.slower), "the connection stays open after the client's end was closed")


@check("3000 requests pipelined to a client that does not read at first")
def pipelined_unread(bench):
    asked = [bench.ask()] * 3000
    with bench.client(timeout=30 * bench.slower, receive_buffer=8192) as client:
        sender = threading.Thread(target=lambda: client.send(b"".join(ask.data() for ask in asked)))
        sender.start()
        time.sleep(0.5)
        bench.alive()
        for number, ask in enumerate(asked):
            bench.right(client.response(), ask, f"response {number + 1}: ")
        sender.join()


@check("a body that nobody asked for is not taken for a request", "plaintext", "static")
def unwanted_body(bench):
    ask = next(ask for ask in bench.asks() if ask.body is None)
    inner = request("/not-there")
    for lines, body in (((f"Content-Length: {len(inner)}",), inner),
                        (("Transfer-Encoding: chunked",), f"{len(inner):x}\r\n".encode() + inner + b"\r\n0\r\n\r\n")):
        with bench.client() as client:
            client.send(ask.data(*lines) + body + ask.data())
            first = client.response()
            if first.status >= 400:
                continue
            bench.right(first, ask)
            if first.says("close"):
                continue
            bench.right(client.response(), ask, "after a body that nobody wanted: ")


@check("the body of a request that is refused is not taken for a request", "plaintext", "static")
def refused_body(bench):
    inner = request("/not-there") * bench.random.randint(1, 3)
    for ask in (ask for ask in bench.asks() if ask.body is None):
        for lines, body in (((f"Content-Length: {len(inner)}",), inner),
                            (("Transfer-Encoding: chunked",), f"{len(inner):x}\r\n".encode() + inner + b"\r\n0\r\n\r\n")):
            with bench.client() as client:
                client.send(request(ask.target, *lines, method="POST") + body + ask.data())
                first = client.response()
                expect(first.status in (403, 405), f"POST {ask.target} got {first.status}")
                try:
                    second = client.response()
                except (OSError, WireError):
                    continue  # closing is right
                expect(not first.says("close"), f"POST {ask.target}: after a response that says close came another")
                bench.right(second, ask, "after a refused body: ")


@check("a Date, where one is sent, moves", kind="waits")
def date(bench):
    with bench.client() as client:
        first = bench.asked(client).header("date")
        if first is None:
            raise Skip("no Date is sent")
        in_time(bench, 2.2, lambda: expect(bench.asked(client).header("date") != first, "Date stands still"))
