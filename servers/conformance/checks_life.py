# SPDX-License-Identifier: MIT
"""Start and end: these checks start servers of their own."""

import socket
import subprocess
import time

from rules import Broken, Skip, check, expect
from wire import request


def ended(server, bench):
    """Its exit code; Broken where it goes on running."""
    try:
        return server.process.wait(20 * bench.slower)
    except subprocess.TimeoutExpired:
        raise Broken("it did not end: it serves") from None


def begun(client):
    """Waits until its response is under way, and reads nothing of it."""
    client.socket.recv(1, socket.MSG_PEEK)
    time.sleep(0.3)  # the server sends as much as fits


def one_sentence(server):
    said = [line for line in server.output().splitlines() if line.strip()]
    expect(len(said) == 1, f"it said {len(said)} lines and not one sentence: {server.output()[:300]}")


@check("SIGTERM with idle connections: exit 0 within 5 s, and the port is free at once", kind="alone")
def sigterm_idle(bench):
    with bench.start() as server:
        server.wait_ready(bench.slower)
        clients = [server.client() for _ in range(20)]
        for client in clients[:10]:
            bench.asked(client)
        code = server.stop(5 * bench.slower)
        expect(code is not None, "it did not end within 5 s")
        expect(code == 0, f"it ended with {code}: {server.output()[-800:]}")
        for client in clients:
            client.close()
        with bench.start(port=server.port) as again:
            again.wait_ready(bench.slower)
            code = again.stop(5 * bench.slower)
            expect(code == 0, f"started again, it ended with {code}")


@check("SIGTERM while 10 MB are under way: exit 0, and the response is finished", "static", kind="alone")
def sigterm_busy(bench):
    with bench.start() as server:
        server.wait_ready(bench.slower)
        with server.client(receive_buffer=32768) as client:
            client.send(request("/10m.bin"))
            begun(client)
            server.process.terminate()
            time.sleep(0.3)
            response = client.response()
        code = server.process.wait(5 * bench.slower)
        expect(code == 0, f"it ended with {code}: {server.output()[-800:]}")
        if not response.complete:
            raise Skip(f"ended without a drain: {len(response.body)} bytes arrived, and the break can be seen")
        bench.right_file(response, "10m.bin")


@check("SIGTERM with a client that never reads: exit 0 within 5 s all the same", "static", kind="waits")
def sigterm_stuck(bench):
    with bench.start() as server:
        server.wait_ready(bench.slower)
        with server.client(receive_buffer=8192) as client:
            client.send(request("/10m.bin"))
            begun(client)
            code = server.stop(5 * bench.slower)
        expect(code is not None, "it did not end within 5 s")
        expect(code == 0, f"it ended with {code}: {server.output()[-800:]}")


@check("one worker and four workers serve", kind="alone")
def workers(bench):
    if "workers" not in bench.server.manifest.data.get("options", {}):
        raise Skip("there is no option workers")
    for count in ("1", "4"):
        with bench.start(options={"workers": count}) as server:
            server.wait_ready(bench.slower)
            for _ in range(20):
                with server.client() as client:
                    bench.asked(client)
            code = server.stop(5 * bench.slower)
            expect(code == 0, f"with {count} workers it ended with {code}")


@check("a port in use: it ends with a sentence and not with 0", kind="waits")
def port_in_use(bench):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with bench.start(port=taken.getsockname()[1]) as server:
            code = server.process.wait(20 * bench.slower)
            expect(code != 0, "it ended with 0")
            expect("in use" in server.output(), f"it said: {server.output()[-300:]}")


@check("a port in use: what it says is one sentence", kind="waits")
def port_in_use_said(bench):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with bench.start(port=taken.getsockname()[1]) as server:
            ended(server, bench)
            one_sentence(server)


@check("a name for an address: it ends with a sentence and not with 0", kind="waits")
def named_address(bench):
    if "--address" not in bench.server.manifest.data["run"]["command"]:
        raise Skip("its command has no --address: the program is given it in its own way")
    with bench.start(host="localhost") as server:
        code = ended(server, bench)
        expect(code != 0, "it ended with 0")
        expect("localhost" in server.output(), f"it said: {server.output()[-300:]}")
        one_sentence(server)


@check("a second server of its kind does not share the port in silence", kind="waits")
def port_shared(bench):
    if bench.server.manifest.name == "nginx":
        raise Skip("nginx shares with SO_REUSEPORT; the agent gives each trial a port of its own")
    with bench.start(port=bench.server.port) as server:
        code = server.process.wait(20 * bench.slower)
        expect(code != 0, "it ended with 0")


@check("a root that is not there: it ends with a sentence and not with 0", "static", kind="waits")
def no_root(bench):
    with bench.start(root=bench.root.outside / "no-such-folder") as server:
        code = server.process.wait(20 * bench.slower)
        expect(code != 0, "it ended with 0")
        expect("no-such-folder" in server.output(), f"it said: {server.output()[-300:]}")
