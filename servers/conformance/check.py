#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks servers against CONTRACT.md over raw sockets.

    check.py NAME...            a bundled server, or a path to a folder with a server.toml
    check.py --all              every server beside this folder
    check.py --fixtures         passes when each fault of the test servers in fixtures/ fails the check made for it
      --set OPTION=VALUE        an option of the server, for example --set baseline=1
      --sanitize                build with SANITIZE=1 (address and undefined behavior)
      --valgrind                run under valgrind memcheck
      --wrap COMMAND            run under COMMAND, for example qemu-aarch64-static
      --make NAME=VALUE         given to make when it builds; may be repeated
      --only TEXT               only checks whose title contains TEXT
      --slower N                on a busy host: a server has N times as long for everything
      --seed N                  repeats a run: all inputs are drawn from it, and the one that was used is printed

Exit: 0 all passed, 1 something failed, 77 nothing could be run here. Python's standard library is enough.
"""

import argparse
import random
import resource
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True  # the folders of the servers stay clean

import agent  # noqa: E402
import checks_responses  # noqa: E402, F401  (importing registers the checks)
import checks_names  # noqa: E402, F401
import checks_json_sum  # noqa: E402, F401
import checks_upload  # noqa: E402, F401
import checks_bodies  # noqa: E402, F401
import checks_ws  # noqa: E402, F401
import checks_ws_wrong  # noqa: E402, F401
import checks_abuse  # noqa: E402, F401
import checks_crowd  # noqa: E402, F401
import checks_life  # noqa: E402, F401
import ending  # noqa: E402
from copies import drifted  # noqa: E402
from ends_clean import ends_clean  # noqa: E402
from fixtures_caught import CAUGHT, CORRECT  # noqa: E402
from lab import SERVERS, Manifest, NotHere, Root, Server  # noqa: E402
from others import known  # noqa: E402
from rules import CHECKS, WORKLOADS, Bench, Broken, Skip  # noqa: E402

MEMCHECK = ("valgrind", "-q", "--error-exitcode=99", "--leak-check=full", "--errors-for-leak-kinds=definite")

WORTH_SAYING_S = 1.0


class Tally:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def line(self, mark, name, text):
        setattr(self, mark, getattr(self, mark) + 1)
        print(f"{ {'passed': 'pass', 'failed': 'FAIL', 'skipped': 'skip'}[mark] }  {name:<10} {text}", flush=True)


def outcome(check, bench):
    """("passed" | "failed" | "skipped", why)"""
    try:
        check(bench)
        return "passed", ""
    except Skip as reason:
        return "skipped", f": {reason}"
    except Broken as fault:
        return "failed", f": {fault}"
    except Exception as fault:
        return "failed", f": {type(fault).__name__}: {fault}"


class Ended(Exception):
    """The server ended while it was checked."""


def in_turn(one, checks):
    """Quick checks first, then those that wait, all at once, then those that nothing may disturb."""
    yield from map(one, (check for check in checks if check.kind == "quick"))
    with ThreadPoolExecutor(16) as pool:
        yield from pool.map(one, [check for check in checks if check.kind == "waits"])
    yield from map(one, (check for check in checks if check.kind == "alone"))


def results(manifest, options, arguments, seed):
    """Yields (title, mark, why) for each check of one server."""
    with ending.folder("rigmark-check-") as scratch:
        scratch = Path(scratch)
        wrapper = MEMCHECK if arguments.valgrind else tuple(arguments.wrap.split())
        folder = agent.variant(manifest, scratch, wrapper, ["SANITIZE=1"] * arguments.sanitize + arguments.make)
        try:
            built = agent.build(folder)
        except agent.BuildFailed as fault:
            yield "it builds", "failed", f": {fault}"
            return
        yield from agent.verified(folder, options, arguments.only)
        root = Root(scratch, seed)
        Bench.weighs = not (arguments.valgrind or arguments.sanitize)
        slower = max(6 if arguments.valgrind else 3 if arguments.sanitize else 1, arguments.slower)

        def start(options=options, port=None, root=root.path, **more):
            return Server(manifest, built, root, options=dict(given) | dict(options), scratch=scratch, port=port, wrapper=wrapper, **more)

        given = options
        with start() as server:
            try:
                server.wait_ready(slower)
            except Exception as fault:
                yield "it gets ready", "failed", f": {fault}"
                return
            yield "it gets ready", "passed", ""
            claimed = manifest.data["workloads"]
            for name in WORKLOADS:
                if name not in claimed and not arguments.only:
                    yield name, "skipped", ": not claimed"
            wanted = [check for check in CHECKS if (not check.needs or set(check.needs) & set(claimed))
                      and (not arguments.only or arguments.only in check.title)]

            def one(check):
                # Its own random numbers, so that --only with the same seed does the same again.
                begin = time.monotonic()
                mark, why = outcome(check, Bench(server, root, start, slower, f"{seed}/{check.title}"))
                took = time.monotonic() - begin
                if took > WORTH_SAYING_S and not why:
                    why = f" ({took:.1f} s)"
                reason = known(manifest.name, check.title)
                if mark == "failed" and reason and server.process.poll() is None:
                    mark, why = "skipped", f": {reason}"
                if server.process.poll() is not None:
                    raise Ended(check.title, f"{why}; the server ended with {server.process.returncode}: {server.output()[-1500:]}")
                return check.title, mark, why

            try:
                yield from in_turn(one, wanted)
            except Ended as end:
                yield end.args[0], "failed", end.args[1]
                return
            code = server.stop(5 * slower)
            fine = code == 0 and "ERROR" not in server.output() and "runtime error" not in server.output()
            yield "after all that, SIGTERM: exit 0", "passed" if fine else "failed", "" if fine else f": {code}: {server.output()[-3000:]}"


def check_server(manifest, arguments, options, seed, tally):
    try:
        for title, mark, why in results(manifest, options, arguments, seed):
            tally.line(mark, manifest.name, title + why)
    except NotHere as reason:
        tally.line("skipped", manifest.name, str(reason))


def check_fault(manifest, fault, wanted, arguments, seed, tally):
    """The check that is named for the fault must fail; the others may."""
    arguments.only = wanted
    try:
        for title, mark, why in results(manifest, {fault: "1"}, arguments, seed):
            if wanted in title:
                caught = mark == "failed"
                tally.line("passed" if caught else "failed", fault,
                           f"is caught by \"{title}\"{why}" if caught else f"is not caught by \"{title}\"")
                return
        tally.line("failed", fault, f"never came to \"{wanted}\"")
    except NotHere as reason:
        tally.line("skipped", fault, str(reason))


def check_fixtures(arguments, tally):
    for signal, left in ends_clean():
        tally.line("failed" if left else "passed", "ending", f"ended by {signal}, nothing is left{left and ': ' + left}")
    for name, faults in CAUGHT.items():
        manifest = Manifest(SERVERS / "conformance" / "fixtures" / name)
        for fault, wanted in faults.items():
            check_fault(manifest, fault, wanted, arguments, arguments.seed, tally)
        if name == CORRECT:
            check_server(manifest, argparse.Namespace(**vars(arguments) | {"only": None}), {}, arguments.seed, tally)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--fixtures", action="store_true")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--sanitize", action="store_true")
    parser.add_argument("--valgrind", action="store_true")
    parser.add_argument("--wrap", default="")
    parser.add_argument("--make", action="append", default=[])
    parser.add_argument("--slower", type=int, default=1)
    parser.add_argument("--only")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    arguments = parser.parse_args()
    ending.on_signals()
    options = dict(item.split("=", 1) for item in arguments.set if "=" in item)
    names = list(arguments.names)
    tally = Tally()
    if arguments.all:
        names += sorted(path.parent.name for path in SERVERS.glob("*/server.toml"))
        for one, other in drifted():
            tally.line("failed", "copies", f"{one} and {other} differ: change one, copy it to the other")
    if not names and not arguments.fixtures:
        parser.error("name a server, or --all, or --fixtures")
    print(f"seed {arguments.seed}", flush=True)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # the servers inherit it
    folders = [SERVERS / name if (SERVERS / name / "server.toml").exists() else Path(name).resolve() for name in names]
    for folder in folders:
        if not (folder / "server.toml").exists():
            tally.line("failed", folder.name, "there is no such server: no server.toml in " + str(folder))
    manifests = [Manifest(folder) for folder in folders if (folder / "server.toml").exists()]
    for manifest in manifests:
        check_server(manifest, arguments, options, arguments.seed, tally)
    if arguments.fixtures:
        check_fixtures(arguments, tally)
    print(f"{tally.passed} passed, {tally.failed} failed, {tally.skipped} skipped")
    sys.exit(1 if tally.failed else 0 if tally.passed else 77)


if __name__ == "__main__":
    main()
