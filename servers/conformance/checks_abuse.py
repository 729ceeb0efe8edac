# SPDX-License-Identifier: MIT
"""Wrong requests and hostile ones. Afterwards the next good request gets its response."""

from rules import HEAD_LINES, Skip, check, expect
from wire import WireError, request

TRAVERSAL = (
    "/../secret.txt", "/../../secret.txt", "/below/../../secret.txt", "/%2e%2e/secret.txt", "/%2E%2E/secret.txt",
    "/..%2fsecret.txt", "/..%2Fsecret.txt", "/%2e%2e%2fsecret.txt", "/.%2e/secret.txt", "/below/..%2f..%2fsecret.txt",
    "/..\\secret.txt", "/..%5csecret.txt", "/%252e%252e/secret.txt", "/./../secret.txt", "/...//../secret.txt",
    "/..;/secret.txt", "/%c0%ae%c0%ae/secret.txt", "http://test/../secret.txt", "http://test/%2e%2e/secret.txt",
    "//../secret.txt", "../secret.txt", "/1k.bin/../../secret.txt", "/..%00/secret.txt",
)


@check("no file outside the root", "static")
def traversal(bench):
    absolute = str(bench.root.outside / "secret.txt")
    deep = "/" + "../" * 30 + absolute.lstrip("/")
    for target in (*TRAVERSAL, "/" + absolute, absolute, deep, deep.replace("../", "%2e%2e/"), deep.replace("../", "..%2f")):
        with bench.client() as client:
            try:
                response = client.get(target)
            except (WireError, OSError):
                continue  # no response leaks nothing
            expect(bench.root.secret not in response.body, f"{target} served a file outside the root")
            expect(400 <= response.status < 500, f"{target} got {response.status}")
    bench.alive()


@check("a link that leads out of the root is not followed", "static")
def link(bench):
    place = bench.root.path / "link.bin"
    if not place.is_symlink():
        place.symlink_to(bench.root.outside / "secret.txt")
        (bench.root.path / "linked-folder").symlink_to(bench.root.outside)
    for target in ("/link.bin", "/linked-folder/secret.txt"):
        with bench.client() as client:
            response = client.get(target)
            if bench.root.secret in response.body and bench.server.manifest.name == "nginx":
                raise Skip("nginx follows links; the measured roots have none")
            expect(bench.root.secret not in response.body, f"{target} served a file outside the root")


# After these the contract has the connection closed, where its table says so: what follows could be anything.
CLOSING = (400, 414, 431)


def refused(bench, data, allowed, what, closes=False):
    # Where silence is a response, it is not waited out.
    with bench.client(**({"timeout": 3 * bench.slower} if None in allowed else {})) as client:
        try:
            client.send(data)
        except OSError:
            pass  # it may close before all of it is sent
        try:
            response = client.response()
        except (OSError, WireError) as fault:
            expect(None in allowed, f"{what}: no response ({fault})")
            return
        expect(response.status in allowed, f"{what} got {response.status}")
        if closes and response.status in CLOSING:
            expect(client.ended(10 * bench.slower), f"{what} got {response.status}, and then the connection stays open")


@check("a head of 8 KiB is served, one over 32 KiB is 431")
def oversized(bench):
    with bench.client() as client:
        for ask in bench.asks():
            bench.asked(client, ask, *(f"X-Pad-{i}: {'x' * 490}" for i in range(15)))
    ask = bench.ask()
    # Over the limit by little, too: such a head can come whole in one packet, before its size is looked at.
    for size in (bench.random.randint(33_000, 40_000), 40_000, 65_536):
        refused(bench, ask.data("X-Long: " + "x" * size), (431, 400), f"one header of {size:,} bytes", closes=True)
    # Blanks before a value belong to the head, though no parser hands them over.
    for size in (bench.random.randint(33_000, 60_000), 60_000):
        refused(bench, ask.data("X:" + " " * size + "y"), (431, 400), f"a header with {size:,} blanks before its value", closes=True)
    refused(bench, ask.data(*(f"X-{i}: {'x' * 1000}" for i in range(64))), (431, 400), "64 headers of 1 KiB", closes=True)
    refused(bench, request("/" + "x" * 65536), (414, 431, 400), "a target of 64 KiB", closes=True)
    # Also where a part of it is already in the server's buffer: it came together with what was before it, or meanwhile.
    for first in bench.asks():
        for where in ("together with", "after"):
            size = bench.random.randint(32_768, 36_000)
            what = f"one header of {size:,} bytes, sent {where} {first.title},"
            data = ask.data("X-Long: " + "x" * size)
            with bench.client() as client:
                if where == "after":
                    bench.asked(client, first)
                    client.send(data)
                else:
                    client.send(first.data() + data)
                    bench.right(client.response(), first, "before a head that is too long: ")
                status = client.response().status
                expect(status in (431, 400), f"{what} got {status}")
    bench.alive()


@check(f"a head of {HEAD_LINES} short lines is served")
def many_lines(bench):
    for ask in bench.asks():
        own = ask.data().split(b"\r\n\r\n")[0].count(b"\r\n")
        with bench.client() as client:
            bench.asked(client, ask, *(f"X-{i}: x" for i in range(HEAD_LINES - own)))
    bench.alive()


@check("a header that never ends is refused, and does not make the server grow", kind="alone")
def endless_header(bench):
    with bench.watched() as memory:
        for letter in ("x", " "):
            what = f"64 MiB of one header, all {letter!r}"
            with bench.client() as client:
                try:
                    client.send(b"GET / HTTP/1.1\r\nHost: test\r\nX-Long:")
                    for _ in range(256):
                        client.send(letter.encode() * 262144)
                except OSError:
                    pass
                try:
                    status = client.response().status
                    expect(status in (431, 400), f"{what}: got {status}")
                except TimeoutError:
                    expect(False, f"{what}: neither a response nor an end came")
                except (OSError, WireError):
                    pass  # it was closed while all that was still being sent
            memory.stays_below(32, f"{what}, were sent")
    bench.alive()


@check("no Host, two Hosts: 400")
def host(bench):
    for ask in bench.asks():
        refused(bench, ask.data(host=None), (400,), f"{ask.title} without Host", closes=True)
        refused(bench, ask.data("Host: other"), (400,), f"{ask.title} with two Hosts", closes=True)
    bench.alive()


def targets(bench):
    return sorted({ask.target for ask in bench.asks() if ask.method == "GET"})


@check("other methods: 405, unknown ones 405 or 501", "plaintext", "static")
def methods(bench):
    for target in targets(bench):
        for method in ("POST", "PUT", "DELETE", "PATCH"):
            refused(bench, request(target, "Content-Length: 0", method=method), (405, 403), f"{method} {target}")
        refused(bench, request(target, method="FROBNICATE"), (405, 501), f"FROBNICATE {target}")
        refused(bench, request(target, method="get"), (400, 405, 501), f"get {target}")
    bench.alive()


# Apart from the others: frameworks respond to it by themselves, and a program of others that does is skipped for this alone.
@check("OPTIONS is refused like any other method: 405", "plaintext", "static")
def options(bench):
    for target in targets(bench):
        refused(bench, request(target, "Content-Length: 0", method="OPTIONS"), (405, 403), f"OPTIONS {target}")
    bench.alive()


@check("a method that nobody knows is refused", "json-sum", "upload", "ws-echo")
def bad_method(bench):
    for ask in bench.asks():
        ask.method = "FROBNICATE"
        refused(bench, ask.data(), (400, 404, 405, 501), f"FROBNICATE {ask.target}")
    bench.alive()


@check("what is no HTTP: 400 or a closed connection")
def garbage(bench):
    path = next((ask.target for ask in bench.asks() if ask.body is None), "/not-there")
    cases = {
        "a TLS hello": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(300), (400, None)),
        "no target": (b"GET\r\nHost: x\r\n\r\n", (400, 501, None)),
        "HTTP/9.9": (request(path, version="HTTP/9.9"), (400, 505)),
        "HTTP/x": (request(path, version="HTTP/x"), (400, 505)),
        "a folded first header": (f"GET {path} HTTP/1.1\r\n folded: x\r\nHost: x\r\n\r\n".encode(), (400, 200, 404)),
        "a Content-Length with letters": (request(path, "Content-Length: 12x"), (400,)),
        "two different Content-Lengths": (request(path, "Content-Length: 1", "Content-Length: 2") + b"xx", (400,)),
        "a negative Content-Length": (request(path, "Content-Length: -1"), (400,)),
        "a huge Content-Length": (request(path, "Content-Length: 99999999999999999999999"), (400, 413)),
        "a bad percent": (request("/%zz"), (400, 404)),
    }
    for what, (data, allowed) in cases.items():
        # A name that cannot be decoded is a name that nobody has; of versions the table says no more than the status.
        refused(bench, data, allowed, what, closes=what not in ("a bad percent", "HTTP/9.9"))
    bench.alive()


@check("Content-Length beside chunks: 400, or the chunks alone count")
def smuggled(bench):
    for ask in bench.asks():
        with bench.client() as client:
            # By its length the body would be "0\r", and the rest would be read as the next request.
            data = request(ask.target, "Content-Length: 2", "Transfer-Encoding: chunked", method=ask.method) + b"0\r\n\r\n"
            client.send(data + request("/not-there"))
            try:
                first = client.response()
                if first.says("close"):
                    expect(client.ended(10 * bench.slower), f"{ask.title}: after a response that says close the connection stays open")
                    continue
                second = client.response()  # also after 400: no body is no JSON, and that alone closes nothing
            except (OSError, WireError):
                continue  # closing is right
            expect(second.status == 404, f"{ask.title}: the next request was misread, and got {second.status}")
    bench.alive()


@check("a 100 MB upload to an endpoint that wants none", kind="alone")
def unwanted_upload(bench):
    target = next((ask.target for ask in bench.asks() if ask.method == "GET"), "/not-there")
    size = 100 << 20
    forms = (f"Content-Length: {size}",), (f"Content-Length: {size}", "Expect: 100-continue"), ("Transfer-Encoding: chunked",)
    plan = [(target, lines) for lines in forms]
    # Beside a path that takes bodies, too: its neighbor takes none.
    plan.append((f"/json-sum{bench.random.randrange(100)}", bench.random.choice(forms)))
    with bench.watched() as memory:
        for target, lines in plan:
            status = sent_in_vain(bench, target, lines, size)
            expect(status in (None, 403, 404, 405, 413, 417), f"POST {target} with {lines} and 100 MiB got {status}")
            memory.stays_below(64, "100 MiB were sent to an endpoint that wants none")
    bench.alive()


def sent_in_vain(bench, target, lines, size):
    """The status of the response; None where the connection was closed while it was still being sent, which is allowed."""
    block, chunked = bytes(1 << 20), "chunked" in lines[0]
    with bench.client(timeout=30 * bench.slower) as client:
        try:
            client.send(request(target, *lines, method="POST"))
            for _ in range(size // len(block)):
                client.send(b"100000\r\n" + block + b"\r\n" if chunked else block)
            if chunked:
                client.send(b"0\r\n\r\n")
        except OSError:
            pass
        try:
            status = client.response().status
            return client.response().status if status == 100 else status
        except (OSError, WireError):
            return None
