"""Writes golden/NAME.input.json: the runs that the Rust and the TypeScript tests both summarize.

    python3 scripts/golden-inputs.py
    for f in golden/*.input.json; do
      cargo run -q -p rigmark-stats --example summarize < $f > ${f%.input.json}.output.json
    done

Read the difference of the outputs before you commit it.
"""

import json
import pathlib
import random

FOLDER = pathlib.Path(__file__).parent.parent / "golden"
AB = {"id": "plaintext-ab", "title": "13 bytes, ab", "tool": "ab", "load": "closed", "rate_per_s": None}
K6 = {"id": "static-1k-k6", "title": "1 KB at 5,000/s, k6", "tool": "k6", "load": "rate", "rate_per_s": 5000}


def trial(entry, scenario, block, rate, **other):
    """A valid, server-bound trial of 10 s."""
    requests = round(rate * 10)
    return {
        "trial_id": f"{scenario['id']}/{block}/{entry}",
        "entry_key": entry,
        "scenario": scenario["id"],
        "block": block,
        "status": "valid",
        "reason": None,
        "limit": "server-bound",
        "requests": requests,
        "requests_per_s": rate,
        "failures_total": 0,
        "offered": None,
        "server_cpu_us": 9_700_000,
        "server_rss_peak_bytes": 3_145_728,
        "bytes_received": requests * 150,
        "percentiles": [{"p": p, "us": us} for p, us in [(50, 310), (90, 420), (99, 870), (99.9, 2150)]],
        "mean_us": 322.5,
    } | other


def series(noise, entry, scenario, rate, blocks, spread=0.02, **other):
    return [
        trial(entry, scenario, block, round(rate * noise.lognormvariate(0, spread), 2), **other)
        for block in range(1, blocks + 1)
    ]


def fixed(noise, entry, p99, blocks, dropped=()):
    """5,000 requests a second for 10 s; `dropped` by block."""
    trials = []
    for block in range(1, blocks + 1):
        lost = dict(dropped).get(block, 0)
        us = round(p99 * noise.lognormvariate(0, 0.05), 1)
        printed = [(50, us / 4), (90, us / 2), (95, us / 1.5), (99, us), (99.9, us * 3)]
        trials.append(
            trial(
                entry, K6, block, round((50_000 - lost) / 10, 1),
                requests=50_000 - lost,
                offered={"rate_per_s": 5000, "requests": 50_000, "dropped": lost},
                limit="nothing-saturated",
                percentiles=[{"p": p, "us": round(value, 1)} for p, value in printed],
            )
        )
    return trials


def run(name, labels, scenarios, trials, baseline=None, failed=(), **other):
    value = {
        "schema": 1,
        "baseline_key": baseline,
        "entries": [{"key": key, "label": label} for key, label in labels],
        "scenarios": scenarios,
        "trials": trials,
        "failed_verification": [{"entry_key": key, "reason": reason} for key, reason in failed],
    } | other
    (FOLDER / f"{name}.input.json").write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def noise(name):
    return random.Random(name)


PAIR = [("n1", "nginx"), ("e1", "epoll")]

n = noise("faster")
run("faster", PAIR, [AB], series(n, "n1", AB, 11_400, 7) + series(n, "e1", AB, 14_005, 7))

n = noise("three-blocks")
run("three-blocks", PAIR, [AB], series(n, "n1", AB, 11_400, 3) + series(n, "e1", AB, 14_005, 3))

n = noise("generator-bound")
bound = {"limit": "generator-bound"}
run(
    "generator-bound",
    PAIR + [("u1", "io-uring"), ("l1", "libuv")],
    [AB],
    series(n, "n1", AB, 11_400, 7)
    + series(n, "e1", AB, 14_005, 7, **bound)
    + series(n, "u1", AB, 13_900, 7, **bound)
    + series(n, "l1", AB, 11_300, 7, **bound),
    baseline="n1",
)

n = noise("two-bounds")
run("two-bounds", PAIR, [AB], series(n, "n1", AB, 11_400, 7, **bound) + series(n, "e1", AB, 14_005, 7, **bound))

n = noise("failed-verification")
run(
    "failed-verification",
    PAIR + [("t1", "truncating")],
    [AB],
    series(n, "n1", AB, 11_400, 5) + series(n, "e1", AB, 11_450, 5) + series(n, "t1", AB, 90_000, 5),
    failed=[("t1", "10m.bin: 5,242,880 of 10,485,760 bytes arrived")],
)

n = noise("fixed-rate")
run(
    "fixed-rate",
    PAIR + [("l1", "libuv"), ("s1", "slow")],
    [K6],
    fixed(n, "n1", 1_520, 7)
    + fixed(n, "e1", 1_230, 7)
    + fixed(n, "l1", 1_490, 7)
    + fixed(n, "s1", 900, 7, dropped={3: 51, 5: 2_000}),
)

n = noise("many")
trials = []
for scenario in (AB, AB | {"id": "plaintext-wrk", "title": "13 bytes, wrk", "tool": "wrk"}):
    for entry, rate in [("n1", 11_400), ("n2", 11_600), ("e1", 14_005), ("u1", 10_300), ("l1", 11_380)]:
        trials += series(n, entry, scenario, rate, 8)
for spoilt in (2, 11, 40):
    trials[spoilt] |= {"status": "invalid", "reason": "2 % of the requests failed, and at most 0.1 % may"}
trials += fixed(n, "n1", 1_500, 8) + fixed(n, "e1", 1_600, 8)
run(
    "many",
    [("n1", "nginx"), ("n2", "nginx"), ("e1", "epoll"), ("u1", "io-uring"), ("l1", "libuv")],
    [AB, AB | {"id": "plaintext-wrk", "title": "13 bytes, wrk", "tool": "wrk"}, K6],
    trials,
    baseline="n1",
)

odd = [trial("n1", AB, block, 11_400) for block in range(1, 7)]
odd += [trial("e1", AB, block, 12_000) for block in range(1, 7)]
for block, value in enumerate([0, -5, None, 1e-320, 1.7e308, 5.1], 1):
    odd.append(
        trial("z1", AB, block, 1) | {"requests_per_s": value, "requests": value, "server_cpu_us": value, "limit": None}
    )
run("odd-numbers", PAIR + [("z1", "zero\n"), ("a1", "")], [AB], odd)

n = noise("nothing-valid")
run(
    "nothing-valid",
    PAIR,
    [AB, K6],
    series(n, "n1", AB, 11_400, 5, status="invalid", reason="the governor changed")
    + series(n, "e1", AB, 11_400, 5, status="failed", reason="the server stopped")
    + [t | {"offered": None} for t in fixed(n, "n1", 1_500, 5)]
    + [t | {"percentiles": []} for t in fixed(n, "e1", 1_500, 5)],
)

CPU = {
    "id": "plaintext-cpu", "title": "13 bytes at 5,000/s, loadgen", "tool": "loadgen", "load": "rate", "rate_per_s": 5000,
    "judged_by": "cpu_us_per_request",
}
n = noise("processor-time")
trials = []
for entry, us in [("n1", 40.0), ("e1", 37.9), ("l1", 84.0)]:
    for block in range(1, 8):
        trials.append(
            trial(
                entry, CPU, block, 5_000,
                server_cpu_us=round(50_000 * us * n.lognormvariate(0, 0.01)),
                offered={"rate_per_s": 5000, "requests": 50_000, "dropped": 0},
                energy_uj=round(50_000 * (us + 90) * n.lognormvariate(0, 0.01)),
                loopback_bytes=50_000 * 510,
                **bound,
            )
        )
run("processor-time", PAIR + [("l1", "libuv")], [CPU], trials, looks=4)

KNEE = {"id": "knee", "title": "1 KB, p99 within 1 ms", "tool": "loadgen", "load": "knee", "rate_per_s": None}
n = noise("knee")
run("knee", PAIR, [KNEE], series(n, "n1", KNEE, 41_000, 6, 0.03) + series(n, "e1", KNEE, 48_000, 6, 0.03))

n = noise("shared-ceiling")
run(
    "shared-ceiling",
    PAIR + [("u1", "io-uring")],
    [AB],
    series(n, "n1", AB, 11_400, 7)
    + series(n, "e1", AB, 14_000, 7, **bound)
    + series(n, "u1", AB, 14_050, 7, **bound)
    + [trial("e1", AB, 8, 9_000) | bound],
    baseline="n1",
)


def some(trials, blocks):
    """In these blocks the generator was the bottleneck."""
    return [t | (bound if t["block"] in blocks else {}) for t in trials]


n = noise("some-bounds")
run(
    "some-bounds",
    PAIR + [("u1", "io-uring"), ("l1", "libuv")],
    [AB],
    series(n, "n1", AB, 11_400, 7)
    + some(series(n, "e1", AB, 14_005, 7), [2, 5])
    + some(series(n, "u1", AB, 11_350, 7), [3])
    + some(series(n, "l1", AB, 11_500, 7), [1, 2, 3, 4, 5]),
    baseline="n1",
)

n = noise("some-bounds-of-both")
run(
    "some-bounds-of-both",
    PAIR,
    [AB],
    some(series(n, "n1", AB, 11_400, 7), [6]) + some(series(n, "e1", AB, 14_005, 7), [2, 5]),
)



def disturbed(trials, blocks, steal):
    """The host disturbed these blocks, one of them more than the others."""
    spoilt = {
        "status": "invalid", "reason": "The host disturbed this block; it is measured again.",
        "reason_code": "host-disturbed",
    }
    return [
        t | (spoilt | {"steal_ratio": steal if t["block"] == blocks[0] else 0.11} if t["block"] in blocks else {})
        for t in trials
    ]


n = noise("host-noisy")
pair = series(n, "n1", AB, 11_400, 10) + series(n, "e1", AB, 14_005, 10)
run("host-noisy", PAIR, [AB], disturbed(pair, [3, 1, 2, 4, 5, 6, 8, 9], 0.312), blocks_asked=5)

n = noise("blocks-again")
pair = series(n, "n1", AB, 11_400, 7) + series(n, "e1", AB, 14_005, 7)
pair = [t | {"rounds": {"measured": 20, "left_out": 1 if t["block"] == 6 else 0}} for t in pair]
run("blocks-again", PAIR, [AB], disturbed(pair, [2, 4], 0.31), blocks_asked=5)

n = noise("too-few-asked")
run(
    "too-few-asked", PAIR + [("u1", "io-uring")], [AB],
    series(n, "n1", AB, 11_400, 2) + series(n, "e1", AB, 14_005, 2) + series(n, "u1", AB, 9_000, 2),
    blocks_asked=2,
)

n = noise("no-difference")
run(
    "no-difference", PAIR + [("u1", "io-uring")], [AB],
    series(n, "u1", AB, 11_420, 10) + series(n, "e1", AB, 11_390, 10) + series(n, "n1", AB, 11_400, 10),
    blocks_asked=10,
)

n = noise("shared-places")
run(
    "shared-places", PAIR + [("u1", "io-uring"), ("l1", "libuv"), ("t1", "truncating")], [AB],
    series(n, "n1", AB, 11_400, 10) + series(n, "e1", AB, 14_005, 10) + series(n, "u1", AB, 14_030, 10)
    + series(n, "l1", AB, 9_500, 10) + series(n, "t1", AB, 90_000, 10),
    failed=[("t1", "10m.bin: 5,242,880 of 10,485,760 bytes arrived")], blocks_asked=10,
)

run("empty", [], [], [])

noise = random.Random(33)
FIRST_BYTE = AB | {"id": "first-byte", "title": "10 MB, first byte", "load": "count", "latency_until": "first-byte"}
run(
    "single-requests",
    [("e1", "nginx"), ("e2", "epoll"), ("e3", "dufs")],
    [FIRST_BYTE, AB],
    [
        t
        for scenario in (FIRST_BYTE, AB)
        for key, rate in (("e1", 14_000), ("e2", 15_000), ("e3", 9_000))
        for t in series(noise, key, scenario, rate, 5)
    ],
    failed=[("e3", "10m.bin: 5,242,880 of 10,485,760 bytes arrived")],
)
