# SPDX-License-Identifier: MIT
"""Wrong requests, hostile ones, and clients that are slow, many or gone. Afterwards the next good request is answered."""

import resource
import threading
import time

from rules import Skip, check, expect
from wire import WireError, request

TRAVERSAL = (
    "/../secret.txt", "/../../secret.txt", "/below/../../secret.txt", "/%2e%2e/secret.txt", "/%2E%2E/secret.txt",
    "/..%2fsecret.txt", "/..%2Fsecret.txt", "/%2e%2e%2fsecret.txt", "/.%2e/secret.txt", "/below/..%2f..%2fsecret.txt",
    "/..\\secret.txt", "/..%5csecret.txt", "/%252e%252e/secret.txt", "/./../secret.txt", "/...//../secret.txt",
    "/..;/secret.txt", "/%c0%ae%c0%ae/secret.txt", "http://test/../secret.txt", "http://test/%2e%2e/secret.txt",
    "//../secret.txt", "../secret.txt", "/1k.bin/../../secret.txt", "/..%00/secret.txt",
)


@check("no file outside the root")
def traversal(bench):
    absolute = str(bench.root.outside / "secret.txt")
    deep = "/" + "../" * 30 + absolute.lstrip("/")
    for target in (*TRAVERSAL, "/" + absolute, absolute, deep, deep.replace("../", "%2e%2e/"), deep.replace("../", "..%2f")):
        with bench.client() as client:
            try:
                answer = client.get(target)
            except (WireError, OSError):
                continue  # no answer at all gives nothing away
            expect(bench.root.secret not in answer.body, f"{target} served a file outside the root")
            expect(400 <= answer.status < 500, f"{target} was answered with {answer.status}")
    bench.alive()


@check("a link that leads out of the root is not followed")
def link(bench):
    place = bench.root.path / "link.bin"
    if not place.is_symlink():
        place.symlink_to(bench.root.outside / "secret.txt")
        (bench.root.path / "linked-folder").symlink_to(bench.root.outside)
    for target in ("/link.bin", "/linked-folder/secret.txt"):
        with bench.client() as client:
            answer = client.get(target)
            if bench.root.secret in answer.body and bench.server.manifest.name == "nginx":
                raise Skip("nginx follows links; the measured roots have none")
            expect(bench.root.secret not in answer.body, f"{target} served a file outside the root")


def refused(bench, data, allowed, what):
    with bench.client() as client:
        try:
            client.send(data)
        except OSError:
            pass  # it may close before all of it is sent
        try:
            answer = client.answer()
        except (OSError, WireError) as fault:
            expect(None in allowed, f"{what}: no answer ({fault})")
            return
        expect(answer.status in allowed, f"{what} was answered with {answer.status}")


@check("a head of 8 KiB is served, one of 64 KiB is 431")
def oversized(bench):
    with bench.client() as client:
        bench.right_plaintext(client.get("/plaintext", *(f"X-Pad-{i}: {'x' * 490}" for i in range(15))))
    refused(bench, request("/plaintext", "X-Long: " + "x" * 65536), (431,), "one header of 64 KiB")
    refused(bench, request("/plaintext", *(f"X-{i}: {'x' * 1000}" for i in range(64))), (431,), "64 headers of 1 KiB")
    refused(bench, request("/" + "x" * 65536), (414, 431), "a target of 64 KiB")
    bench.alive()


@check("a header that never ends does not make the server grow")
def endless_header(bench):
    before = bench.server.rss_kib()
    with bench.client() as client:
        try:
            client.send(b"GET /plaintext HTTP/1.1\r\nHost: test\r\nX-Long: ")
            for _ in range(64):
                client.send(b"x" * 262144)
        except OSError:
            pass
    after = bench.server.rss_kib()
    if before is not None and bench.slower == 1:
        expect(after - before < 8192, f"it grew from {before} to {after} KiB")
    bench.alive()


@check("no Host, two Hosts: 400")
def host(bench):
    refused(bench, request("/plaintext", host=None), (400,), "a request without Host")
    refused(bench, request("/plaintext", "Host: other"), (400,), "a request with two Hosts")


@check("other methods: 405, unknown ones 405 or 501")
def methods(bench):
    for target in ("/plaintext", "/1k.bin"):
        for method in ("POST", "PUT", "DELETE"):
            refused(bench, request(target, "Content-Length: 0", method=method), (405,), f"{method} {target}")
        refused(bench, request(target, method="FROBNICATE"), (405, 501), f"FROBNICATE {target}")
        refused(bench, request(target, method="get"), (400, 405, 501), f"get {target}")
    bench.alive()


@check("what is no HTTP: 400 or a closed connection")
def garbage(bench):
    cases = {
        "a TLS hello": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(300), (400, None)),
        "no target": (b"GET\r\nHost: x\r\n\r\n", (400, 501, None)),
        "HTTP/9.9": (request("/plaintext", version="HTTP/9.9"), (400, 505)),
        "HTTP/x": (request("/plaintext", version="HTTP/x"), (400, 505)),
        "a folded first header": (b"GET /plaintext HTTP/1.1\r\n folded: x\r\nHost: x\r\n\r\n", (400, 200)),
        "a Content-Length with letters": (request("/plaintext", "Content-Length: 12x"), (400,)),
        "two different Content-Lengths": (request("/plaintext", "Content-Length: 1", "Content-Length: 2") + b"xx", (400,)),
        "a negative Content-Length": (request("/plaintext", "Content-Length: -1"), (400,)),
        "a huge Content-Length": (request("/plaintext", "Content-Length: 99999999999999999999999"), (400, 413)),
        "Content-Length with chunks": (request("/plaintext", "Content-Length: 5", "Transfer-Encoding: chunked") + b"0\r\n\r\n", (400, 200)),
        "a bad percent": (request("/%zz"), (400, 404)),
    }
    for what, (data, allowed) in cases.items():
        refused(bench, data, allowed, what)
    bench.alive()


@check("a 20 MB upload to an endpoint that wants none")
def upload(bench):
    before = bench.server.rss_kib()
    for lines in (("Content-Length: 20971520",), ("Content-Length: 20971520", "Expect: 100-continue")):
        with bench.client() as client:
            client.send(request("/plaintext", *lines, method="POST"))
            try:
                for _ in range(80):
                    client.send(bytes(262144))
            except OSError:
                pass
            try:
                status = client.answer().status
                if status == 100:
                    status = client.answer().status
            except (OSError, WireError):
                continue  # closing while the upload still runs is allowed
            expect(status in (405, 413, 417), f"the upload was answered with {status}")
    after = bench.server.rss_kib()
    if before is not None and bench.slower == 1:
        expect(after - before < 16384, f"it grew from {before} to {after} KiB")
    bench.alive()


@check("half a request and a reset, 200 times")
def reset_in_request(bench):
    data = request("/10m.bin", "User-Agent: reset")
    for i in range(200):
        client = bench.client()
        client.send(data[: 1 + i % (len(data) - 1)])
        client.reset()
    bench.alive()


@check("half a request and silence, while others are served")
def silence(bench):
    quiet = [bench.client() for _ in range(20)]
    for client in quiet:
        client.send(b"GET /1k.bin HTTP/1.1\r\nHo")
    for _ in range(20):
        bench.alive()
    for client in quiet:
        client.send(b"st: test\r\n\r\n")
        bench.right_file(client.answer(), "1k.bin")
        client.close()


@check("clients that go away in the middle of 10 MB")
def gone_in_answer(bench):
    for i in range(60):
        client = bench.client(receive_buffer=16384)
        client.send(request("/10m.bin"))
        client.socket.recv(1000)
        client.reset() if i % 2 else client.close()
    bench.alive()


@check("slow readers get 10 MB whole, while others are served")
def slow_readers(bench):
    faults = []

    def read_slowly():
        try:
            with bench.client(timeout=60 * bench.slower, receive_buffer=32768) as client:
                client.send(request("/10m.bin"))
                time.sleep(1.0)
                while len(client.buffer) < 3_000_000:
                    if not client.fill():
                        break
                    if len(client.buffer) < 400_000:
                        time.sleep(0.02)
                bench.right_file(client.answer(), "10m.bin")
        except Exception as fault:
            faults.append(fault)

    threads = [threading.Thread(target=read_slowly) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(20):
        bench.alive()
        time.sleep(0.05)
    for thread in threads:
        thread.join()
    if faults:
        raise faults[0]


@check("200 clients that ask for 10 MB and do not read")
def unread_answers(bench):
    before = bench.server.rss_kib()
    stalled = [bench.client(receive_buffer=8192) for _ in range(200)]
    for client in stalled:
        client.send(request("/10m.bin"))
    time.sleep(0.5)
    for _ in range(10):
        bench.alive()
    after = bench.server.rss_kib()
    bench.right_file(stalled[-1].answer(), "10m.bin")
    for client in stalled:
        client.close()
    if before is not None and bench.slower == 1:
        expect(after - before < 128 * 1024, f"it grew from {before} to {after} KiB")


@check("2000 connections opened and left")
def many(bench):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if hard != resource.RLIM_INFINITY and hard < 2500:
        raise Skip(f"this host allows only {hard} descriptors")
    before = bench.server.rss_kib()
    clients = [bench.client() for _ in range(2000)]
    for client in clients[:1000]:
        client.send(b"GET /1k.bin HTTP/1.1\r\n")
    start = time.monotonic()
    for _ in range(10):
        bench.alive()
    took = time.monotonic() - start
    after = bench.server.rss_kib()
    for client in clients[:1000:100]:
        client.send(b"Host: test\r\n\r\n")
        bench.right_file(client.answer(), "1k.bin")
    for client in clients:
        client.close()
    expect(took < 5 * bench.slower, f"ten requests took {took:.1f} s meanwhile")
    if before is not None and bench.slower == 1:
        expect(after - before < 64 * 1024, f"it grew from {before} to {after} KiB")
    bench.alive()
