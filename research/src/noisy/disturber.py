#!/usr/bin/env python3
"""Takes a share of each processor away in bursts of 5 to 200 ms, as a busy hypervisor does. The seed decides the bursts.

Prints one JSON line at its end with the share that it really took. SIGTERM and SIGINT end it early.
"""
import argparse
import ctypes
import json
import math
import os
import random
import signal
import sys
import threading
import time

BURST_S = (0.005, 0.2)
REDRAW_S = (2.0, 6.0)
# The kernel keeps 5 % of each second from real-time processes (sched_rt_runtime_us): no more can be promised.
MOST = 0.9
PR_SET_PDEATHSIG = 1
SIGNALS = {signal.SIGTERM, signal.SIGINT}


class Draws:
    """The same seed and processor give the same bursts, whatever the clock does."""

    def __init__(self, seed, cpu, low, high):
        self.bursts = random.Random(f"{seed}:{cpu}:bursts")
        self.shares = random.Random(f"{seed}:{cpu}:shares")
        self.range = (low, high)

    def burst_s(self):
        return math.exp(self.bursts.uniform(*map(math.log, BURST_S)))

    def gap(self):
        """The gap after a burst varies by half; its mean keeps the share."""
        return self.bursts.uniform(0.5, 1.5)

    def share(self):
        """A share, and for how many seconds it holds."""
        return self.shares.uniform(*self.range), self.shares.uniform(*REDRAW_S)


def ranked_above_all():
    """Real-time where the kernel allows it, else the highest nice value that it allows."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
        return "fifo"
    except OSError:
        pass
    try:
        os.nice(-20)
        return "nice -20"
    except OSError:
        return "none"


def take(draws, until):
    """Bursts until that moment."""
    share, changes = 0.0, time.monotonic()
    while (now := time.monotonic()) < until:
        if now >= changes:
            share, holds_s = draws.share()
            changes = now + holds_s
        if share < 0.001:
            time.sleep(max(0, min(changes, until) - now))
            continue
        burst_s = draws.burst_s()
        busy_until = min(now + burst_s, until)
        while time.monotonic() < busy_until:
            pass
        idle_s = burst_s * (1 - share) / share * draws.gap()
        time.sleep(max(0, min(idle_s, until - time.monotonic())))


class Ended(Exception):
    """A signal came."""


def disturb(cpu, arguments, parent, to):
    def end(*_):
        raise Ended

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Whoever kills the parent ends this one too.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        return
    os.sched_setaffinity(0, {cpu})
    policy = ranked_above_all()
    begin, used, ended = time.monotonic(), time.process_time(), False
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        take(Draws(arguments.seed, cpu, *arguments.share), begin + arguments.seconds)
    except Ended:
        ended = True
    elapsed_s = max(time.monotonic() - begin, 1e-9)
    share = (time.process_time() - used) / elapsed_s
    record = {"cpu": cpu, "policy": policy, "seconds": round(elapsed_s, 3), "share": round(share, 4), "ended": ended}
    os.write(to, (json.dumps(record) + "\n").encode())


def tell_as_steal(path, children, stop):
    """Writes /proc/stat over and over as a guest sees it: what the children used is no other program's time but steal."""
    ticks = os.sysconf("SC_CLK_TCK")

    def used(child):
        try:
            with open(f"/proc/{child}/schedstat") as file:
                return int(file.read().split()[0]) * ticks // 10**9
        except (OSError, IndexError):
            return 0

    known = {child: 0 for child in children}
    with open(path, "w") as file:
        while not stop.is_set():
            # A child that has ended keeps what it used.
            known = {child: max(before, used(child)) for child, before in known.items()}
            with open("/proc/stat") as stat:
                name, *values = stat.readline().split()
            values, stolen = [int(value) for value in values], sum(known.values())
            # Idle time is timed and the rest is sampled by ticks: what is neither idle nor stolen worked.
            elapsed = int(time.monotonic() * ticks) * os.cpu_count()
            values[7] += stolen
            values[0] = max(0, elapsed - sum(values[3:5]) - values[7])
            values[1:3] = values[5:7] = [0, 0]
            file.seek(0)
            file.write(f"{name} {' '.join(map(str, values))}".ljust(200) + "\n")
            file.flush()
            stop.wait(0.005)


def share_range(text):
    low, _, high = text.partition("..")
    low, high = float(low), float(high or low)
    if not 0 <= low <= high <= MOST:
        raise argparse.ArgumentTypeError(f"{text} is no share: give one from 0 to {MOST}, or a range such as 0..0.4")
    return low, high


def cpu_list(text):
    return sorted({int(part) for part in text.split(",")})


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=math.inf, help="ends after so many seconds (default: at SIGTERM)")
    parser.add_argument("--cpus", type=cpu_list, default=None, help="such as 0,1 (default: all that it may use)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--share", type=share_range, default=(0.4, 0.4), help="0.4, or 0..0.4: drawn anew every 2 to 6 seconds (default: 0.4)"
    )
    parser.add_argument("--stat", help="writes /proc/stat to this file, with what was taken as steal")
    parser.add_argument("--with-parent", action="store_true", help="end when the program that started it ends")
    parser.add_argument("--draw", type=int, metavar="N", help="print the first N bursts of each processor and end")
    return parser.parse_args()


def main():
    if not hasattr(os, "sched_setscheduler"):
        print("disturber: this works on Linux only", file=sys.stderr)
        return 77
    arguments = options()
    cpus = arguments.cpus or sorted(os.sched_getaffinity(0))
    if missing := set(cpus) - os.sched_getaffinity(0):
        print(f"disturber: processor {min(missing)} is not there or may not be used", file=sys.stderr)
        return 2
    if arguments.draw:
        drawn = {cpu: Draws(arguments.seed, cpu, *arguments.share) for cpu in cpus}
        print(json.dumps({cpu: [round(d.burst_s(), 6) for _ in range(arguments.draw)] for cpu, d in drawn.items()}))
        return 0
    return run(cpus, arguments)


def run(cpus, arguments):
    parent, (results, to), children = os.getpid(), os.pipe(), []
    # A signal waits until there is a handler for it, here and in each child.
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    for cpu in cpus:
        child = os.fork()
        if child == 0:
            os.close(results)
            try:
                disturb(cpu, arguments, parent, to)
            finally:
                os._exit(0)
        children.append(child)
    os.close(to)

    def end(*_):
        for child in children:
            try:
                os.kill(child, signal.SIGTERM)
            except ProcessLookupError:
                pass

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    if arguments.with_parent:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    stop = threading.Event()
    if arguments.stat:
        teller = threading.Thread(target=tell_as_steal, args=(arguments.stat, children, stop), daemon=True)
        teller.start()
        while not os.path.exists(arguments.stat) or os.path.getsize(arguments.stat) == 0:
            stop.wait(0.001)
    print(f"disturber: has begun on {len(cpus)} processors", file=sys.stderr, flush=True)
    with os.fdopen(results) as lines:
        records = sorted((json.loads(line) for line in lines), key=lambda record: record["cpu"])
    stop.set()
    for child in children:
        os.waitpid(child, 0)
    said = []
    if any(record["policy"] != "fifo" for record in records):
        said.append("No real-time priority here; the bursts have the highest nice value that is allowed, and take less.")
        print(f"disturber: {said[0]}", file=sys.stderr)
    shares = [record["share"] for record in records]
    mean = round(sum(shares) / len(shares), 4) if shares else None
    print(json.dumps({"seed": arguments.seed, "asked": arguments.share, "share": mean, "cpus": records, "said": said}))
    return 0 if len(records) == len(cpus) else 1


if __name__ == "__main__":
    sys.exit(main())
