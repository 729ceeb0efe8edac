# SPDX-License-Identifier: MIT
"""What a target names: a workload, a file or nothing, however it is spelled."""

import os

import ws
from rules import check, expect


@check("static: the target is decoded once, a query is not part of the name, absolute form", "static")
def targets(bench):
    with bench.client() as client:
        for target in ("/%31k.bin", "/1k.bin?x=1&y=%2e%2e", "/1k.%62in?", "http://test/1k.bin", "http://other.example:1/1k.bin"):
            bench.right_file(client.get(target), "1k.bin")
        expect(client.get("/%2531k.bin").status == 404, "/%2531k.bin was decoded twice")


@check("a query is not part of the name, absolute form means the same")
def names(bench):
    with bench.client() as client:
        for ask in bench.asks():
            for target in (f"{ask.target}?x=1&y=%2e%2e", f"http://test{ask.target}"):
                ask.target = target
                client.send(ask.data())
                bench.right(client.response(), ask, f"with the target {target}: ")


def spelled(random, target, again=False):
    """The same name with one to all of its letters as %XX, or, to be decoded once too often, as %25XX."""
    letters = range(1, len(target))
    chosen = set(random.sample(letters, random.randint(1, len(letters))))
    form = random.choice(("%{:02x}", "%{:02X}")).replace("%", "%25" if again else "%")
    return "".join(form.format(ord(letter)) if i in chosen else letter for i, letter in enumerate(target))


@check("a name is decoded, and once")
def decoded_once(bench):
    with bench.client() as client:
        for ask in bench.asks():
            for target in (f"/%{ord(ask.target[1]):02x}{ask.target[2:]}", spelled(bench.random, ask.target)):
                client.send(ask.data().replace(ask.target.encode(), target.encode(), 1))
                bench.right(client.response(), ask, f"with the target {target}: ")
            twice = spelled(bench.random, ask.target, again=True)
            if ask.body is None:
                status = client.get(twice).status
                expect(status == 404, f"{twice}, which is {ask.target} when it is decoded twice, got {status}")


@check("ws-echo: the name of the endpoint is decoded, and once", "ws-echo")
def endpoint_decoded_once(bench):
    for target in ("/%77s", spelled(bench.random, "/ws")):
        with bench.client() as client:
            key = ws.new_key(bench.random)
            client.send(ws.upgrade(key, target=target))
            ws.WebSocket(client, bench.random, key)
    for target in ("/%2577s", spelled(bench.random, "/ws", again=True)):
        with bench.client() as client:
            client.send(ws.upgrade(ws.new_key(bench.random), target=target))
            status = client.response().status
            expect(400 <= status < 500, f"an upgrade on {target} got {status}")


@check("404 for unknown paths, and the connection goes on")
def not_found(bench):
    targets = [f"/{bench.random.randrange(1 << 60):x}.bin", "/plaintext/", "/PLAINTEXT", "/1k.bin%00.js", "/" + "x" * 900]
    targets += ["/1k.bin/more"] * ("static" in bench.claims)
    # What frameworks have paths for or leave out of them by themselves.
    targets += ["/error", *(f"{ask.target};x={bench.random.randrange(10)}" for ask in bench.asks() if ask.body is None)]
    client = bench.client()
    for target in targets:
        status = client.get(target).status
        allowed = (400, 404) if "%00" in target else (404,)
        expect(status in allowed, f"{target[:40]} got {status}")
        if status == 400:
            client.close()
            client = bench.client()
    bench.asked(client)
    client.close()


@check("a folder, the root itself and a pipe are not served", "static")
def not_regular(bench):
    (bench.root.path / "folder").mkdir(exist_ok=True)
    pipe = bench.root.path / "pipe.bin"
    if not pipe.exists():
        os.mkfifo(pipe)
    for target in ("/", "/folder", "/folder/", "/pipe.bin"):
        with bench.client() as client:
            status = client.get(target).status
            expect(status in (301, 403, 404), f"{target} got {status}")
