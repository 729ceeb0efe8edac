# SPDX-License-Identifier: MIT
"""Right answers to right requests."""

import random
import threading
import time

from rules import Skip, check, expect
from lab import FILES
from wire import request


@check("plaintext: 200, text/plain, the 13 bytes")
def plaintext(bench):
    with bench.client() as client:
        answer = client.get("/plaintext")
        bench.right_plaintext(answer)
        expect((answer.header("content-type") or "").startswith("text/plain"), f"Content-Type is {answer.header('content-type')}")
        expect(answer.header("content-length") == "13", f"Content-Length is {answer.header('content-length')}")


@check("static: whole files, by hash, on one connection")
def static(bench):
    with bench.client() as client:
        for name in random.sample(list(FILES), len(FILES)):
            bench.right_file(client.get("/" + name), name)


@check("static: whole files, eight clients at once")
def concurrent(bench):
    faults = []

    def fetch(names):
        try:
            with bench.client(timeout=30 * bench.slower) as client:
                for name in names:
                    bench.right_file(client.get("/" + name), name)
        except Exception as fault:
            faults.append(fault)

    threads = [threading.Thread(target=fetch, args=(random.sample(list(FILES), len(FILES)),)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise faults[0]


@check("static: an empty file, a name with a blank, a folder below, sizes around the buffers")
def odd_files(bench):
    with bench.client() as client:
        for name, size in (("empty.bin", 0), ("a b+c.bin", 777), ("below/it.bin", 4321), ("16383.bin", 16383),
                           ("16384.bin", 16384), ("16385.bin", 16385), ("131072.bin", 131072), ("131073.bin", 131073)):
            bench.root.put(name, size)
            bench.right_file(client.get("/" + name.replace(" ", "%20")), name)


@check("static: a file made after the start is served at once")
def new_file(bench):
    for size in (1024, 300_000):
        name = f"new-{random.randrange(1 << 48):x}.bin"
        with bench.client() as client:
            expect(client.get("/" + name).status == 404, "a file that does not exist yet was found")
            bench.root.put(name, size)
            bench.right_file(client.get("/" + name), name)


@check("static: a changed file is seen after a second, a removed one is gone")
def changed_file(bench):
    with bench.client() as client:
        for size in (1024, 300_000):
            name = f"changing-{size}.bin"
            for _ in range(2):
                bench.root.put(name, size)
                time.sleep(1.6)
                bench.right_file(client.get("/" + name), name)
            bench.root.put(name, size + 5000)
            time.sleep(1.6)
            bench.right_file(client.get("/" + name), name)
            (bench.root.path / name).unlink()
            time.sleep(1.6)
            status = client.get("/" + name).status
            expect(status == 404, f"a removed file was answered with {status}")


@check("static: the target is decoded once, a query is not part of the name, absolute form")
def targets(bench):
    with bench.client() as client:
        for target in ("/%31k.bin", "/1k.bin?x=1&y=%2e%2e", "/1k.%62in?", "http://test/1k.bin", "http://other.example:1/1k.bin"):
            bench.right_file(client.get(target), "1k.bin")
        expect(client.get("/%2531k.bin").status == 404, "/%2531k.bin was decoded twice")
        bench.right_plaintext(client.get("/plaintext?x=1"))


@check("HEAD: the head of GET, no body, and the connection goes on")
def head(bench):
    with bench.client() as client:
        for target in ("/plaintext", "/1k.bin", "/large.js", "/10m.bin"):
            of_get = client.get(target).header("content-length")
            answer = client.get(target, method="HEAD")
            expect(answer.status == 200, f"HEAD {target} was answered with {answer.status}")
            expect(answer.header("content-length") == of_get, f"HEAD {target} says {answer.header('content-length')}, GET {of_get}")
        bench.right_plaintext(client.get("/plaintext"))
        expect(client.get("/not-there", method="HEAD").status == 404, "HEAD for an unknown path is not 404")
        bench.right_plaintext(client.get("/plaintext"))


@check("404 for unknown paths, and the connection goes on")
def not_found(bench):
    with bench.client() as client:
        for target in (f"/{random.randrange(1 << 60):x}.bin", "/1k.bin/more", "/plaintext/", "/PLAINTEXT", "/1k.bin%00.js", "/" + "x" * 900):
            status = client.get(target).status
            allowed = (400, 404) if "%00" in target else (404,)
            expect(status in allowed, f"{target[:40]} was answered with {status}")
            if status == 400:
                client.close()
                client.__init__(bench.server.address)
        bench.right_plaintext(client.get("/plaintext"))


@check("a folder, the root itself and a pipe are not served")
def not_regular(bench):
    import os
    (bench.root.path / "folder").mkdir(exist_ok=True)
    pipe = bench.root.path / "pipe.bin"
    if not pipe.exists():
        os.mkfifo(pipe)
    for target in ("/", "/folder", "/folder/", "/pipe.bin"):
        with bench.client(timeout=3) as client:
            status = client.get(target).status
            expect(status in (301, 403, 404), f"{target} was answered with {status}")


@check("keep-alive: 200 requests on one connection")
def keep_alive(bench):
    with bench.client() as client:
        for i in range(200):
            answer = client.get("/plaintext" if i % 2 else "/1k.bin")
            expect(not answer.says("close"), f"request {i + 1} was answered with Connection: close")
            if i % 2:
                bench.right_plaintext(answer)
            else:
                bench.right_file(answer, "1k.bin")


@check("Connection: close is done and said")
def close(bench):
    for line in ("Connection: close", "connection: Close", "Connection: foo, close"):
        for target in ("/plaintext", "/large.js"):
            with bench.client() as client:
                answer = client.get(target, line)
                expect(answer.status == 200 and answer.complete, f"{target} with {line}: {answer.status}")
                expect(answer.says("close"), f"{target} with {line}: the answer does not say close")
                expect(client.ended(), f"{target} with {line}: the connection stays open")


@check("HTTP/1.0 closes, with Connection: keep-alive it says so and stays")
def http10(bench):
    with bench.client() as client:
        answer = client.get("/1k.bin", version="HTTP/1.0", host=None)
        bench.right_file(answer, "1k.bin")
        expect(client.ended(), "the connection stays open")
    with bench.client() as client:
        for _ in range(5):
            answer = client.get("/1k.bin", "Connection: Keep-Alive", version="HTTP/1.0")
            bench.right_file(answer, "1k.bin")
            expect(answer.says("keep-alive"), "the answer does not say Connection: keep-alive (ab -k would wait for ever)")


@check("fragments 30 ms apart")
def fragments(bench):
    for target in ("/plaintext", "/large.js"):
        data = request(target, "User-Agent: fragments", "Accept: */*")
        cuts = sorted(random.sample(range(1, len(data)), 6)) + [len(data)]
        cuts.append(len(data) - 1)  # between the last CR and LF
        with bench.client() as client:
            for _ in range(2):
                start = 0
                for cut in sorted(set(cuts)):
                    client.send(data[start:cut])
                    start = cut
                    time.sleep(0.03)
                answer = client.answer()
                if target == "/plaintext":
                    bench.right_plaintext(answer)
                else:
                    bench.right_file(answer, "large.js")


def mixed(count):
    plan = [random.choice(["/plaintext", "/1k.bin", "/script.js", "/not-there", "HEAD /1k.bin", "/large.js"]) for _ in range(count)]
    plan[0], plan[-1] = "/1k.bin", "/large.js"
    data = b"".join(request(item.split()[-1], method="HEAD" if item.startswith("HEAD") else "GET") for item in plan)
    return plan, data


def answers_in_order(bench, client, plan):
    for number, item in enumerate(plan):
        answer = client.answer(head_only=item.startswith("HEAD"))
        where = f"answer {number + 1} of {len(plan)}"
        if item == "/plaintext":
            expect(answer.body == b"Hello, World!", f"{where} is not /plaintext's")
        elif item == "/not-there":
            expect(answer.status == 404, f"{where} is {answer.status}, not 404")
        elif item.startswith("HEAD"):
            expect(answer.status == 200 and answer.header("content-length") == "1024", f"{where} is not HEAD's")
        else:
            bench.right_file(answer, item[1:])


@check("50 requests pipelined")
def pipelined(bench):
    for _ in range(3):
        with bench.client() as client:
            plan, data = mixed(50)
            client.send(data)
            answers_in_order(bench, client, plan)
    with bench.client() as client:
        client.send(request("/plaintext") * 50)
        for _ in range(50):
            bench.right_plaintext(client.answer())


@check("50 requests pipelined in fragments, then the client's end is closed")
def pipelined_fragments(bench):
    import socket
    with bench.client() as client:
        plan, data = mixed(50)
        cuts = sorted(random.sample(range(1, len(data)), 12)) + [len(data)]
        start = 0
        for cut in cuts:
            client.send(data[start:cut])
            start = cut
            time.sleep(0.01)
        client.socket.shutdown(socket.SHUT_WR)
        answers_in_order(bench, client, plan)
        expect(client.ended(), "the connection stays open after the client's end was closed")


@check("3000 requests pipelined to a client that does not read at first")
def pipelined_unread(bench):
    with bench.client(timeout=30 * bench.slower, receive_buffer=8192) as client:
        sender = threading.Thread(target=lambda: client.send(request("/1k.bin") * 3000))
        sender.start()
        time.sleep(0.5)
        bench.alive()
        for _ in range(3000):
            bench.right_file(client.answer(), "1k.bin")
        sender.join()


@check("a body that nobody asked for is not taken for a request")
def unwanted_body(bench):
    inner = request("/1k.bin")
    for lines, body in (((f"Content-Length: {len(inner)}",), inner),
                        (("Transfer-Encoding: chunked",), f"{len(inner):x}\r\n".encode() + inner + b"\r\n0\r\n\r\n")):
        with bench.client() as client:
            client.send(request("/plaintext", *lines) + body + request("/script.js"))
            first = client.answer()
            if first.status >= 400:
                continue
            bench.right_plaintext(first)
            if first.says("close"):
                continue
            bench.right_file(client.answer(), "script.js")


@check("a Date, where one is sent, moves")
def date(bench):
    with bench.client() as client:
        first = client.get("/1k.bin").header("date")
        if first is None:
            raise Skip("no Date is sent")
        time.sleep(2.2)
        expect(client.get("/1k.bin").header("date") != first, "Date stands still")
