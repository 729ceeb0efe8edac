#!/usr/bin/env python3
"""Records what the real tools print, one folder a case: argv, stdout, stderr, exit, and the files that they wrote.

    apps/agent/src/parser/tool_output/record/record.py [TOOL[/CASE] …]

Needs ab, wrk, h2load, node, the agent's own program (RIGMARK_AGENT or target/release/rigmark), `packages/scenarios/dist/autocannon.mjs` (pnpm generate) and k6 (RIGMARK_K6, .rig/tools/k6 or PATH).
Everything runs in a scratch folder with relative paths against 127.0.0.1, so no recording names a machine. After a
new recording the figures in the parsers' tests change: read what changed before you accept it.
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[5]
PORT = 18099
URL = f"http://127.0.0.1:{PORT}/1k.bin"


def ab(connections=8, keep_alive=True, seconds=1, timeout=1):
    argv = ["ab", "-q", "-r", "-c", connections, "-s", timeout, "-t", seconds, "-n", 500_000 * seconds]
    return [*argv, *(["-k"] if keep_alive else []), "-e", "percentiles.csv", URL]


def autocannon(connections=8, seconds=2, timeout=1):
    flags = {"url": URL, "connections": connections, "duration": seconds, "timeout": timeout}
    return ["node", "autocannon.mjs", *(part for k, v in flags.items() for part in (f"--{k}", v))]


def k6(connections=8, seconds=2, timeout=1, keep_alive=True, rate=None, thresholds=None):
    env = {"URL": URL, "SUMMARY": "summary.json", "CONNECTIONS": connections, "DURATION_S": seconds}
    env |= {"TIMEOUT_S": timeout, "KEEP_ALIVE": str(keep_alive).lower()}
    env |= {"RATE": rate} if rate else {}
    env |= {"THRESHOLDS": thresholds} if thresholds else {}
    argv = ["k6", "run", "--no-usage-report", "--no-color", "--address", ""]
    return [*argv, *(part for k, v in env.items() for part in ("-e", f"RIG_{k}={v}")), "k6-http.js"]


def wrk(connections=8, seconds=2, timeout=1, keep_alive=True):
    close = [] if keep_alive else ["RIG_CLOSE=true"]
    argv = ["wrk", "-t", 1, "-c", connections, "-d", f"{seconds}s", "--timeout", f"{timeout}s", "-s", "wrk.lua", URL]
    return [*close, *argv]


def h2load(connections=8, seconds=2):
    return ["h2load", "--h1", "-t", 1, "-c", connections, "-D", f"{seconds * 1000}ms", URL]


def k6_ws(connections=8, seconds=2, timeout=1):
    env = {"URL": f"ws://127.0.0.1:{PORT}/ws", "SUMMARY": "summary.json", "CONNECTIONS": connections}
    env |= {"DURATION_S": seconds, "TIMEOUT_S": timeout, "PAYLOAD": "greeting", "BYTES": 0, "IN_FLIGHT": 1}
    argv = ["k6", "run", "--no-usage-report", "--no-color", "--address", "", "--quiet"]
    return [*argv, *(part for k, v in env.items() for part in ("-e", f"RIG_{k}={v}")), "k6-ws.js"]


def loadgen(connections=8, seconds=2.2, timeout=1, keep_alive=True, rate=None, count=None):
    load = {"kind": "closed", "connections": connections, "keep_alive": keep_alive}
    load |= {"kind": "rate", "rate_per_s": rate} if rate else {}
    load |= {"kind": "count", "requests": count} if count else {}
    scenario = {"schema": 1, "id": "recorded", "title": "Recorded", "summary": "", "workload": "static", "tool": "loadgen"}
    scenario |= {"path": "/recorded.bin", "body_bytes": 1024, "load": load, "duration_s": seconds, "warmup_s": 0}
    job = {"address": f"127.0.0.1:{PORT}", "scenario": scenario, "duration_s": seconds, "timeout_s": timeout}
    job |= {"threads": 1, "spin": False, "seed": 1, "backend": "io_uring", "samples": None}
    return ["rigmark", "internal", "loadgen", "--job", json.dumps(job)]


# case: (server's mode or None, argv, (seconds, signal) or None)
HALF_WAY = 0.6
CASES = {
    "ab/success": ("good", ab(), None),
    "ab/success-close": ("good", ab(keep_alive=False), None),
    "ab/slow": ("slow", ab(), None),
    "ab/refused": (None, ab(), None),
    "ab/reset": ("reset", ab(), None),
    "ab/half": ("half", ab(), None),
    "ab/non-2xx": ("error", ab(), None),
    "ab/missing": ("missing", ab(), None),
    "ab/timeout": ("silent", ab(), None),
    "ab/killed": ("good", ab(), (HALF_WAY, signal.SIGKILL)),
    "ab/terminated": ("good", ab(), (HALF_WAY, signal.SIGTERM)),
    "ab/interrupted": ("good", ab(), (HALF_WAY, signal.SIGINT)),
    "autocannon/success": ("good", autocannon(), None),
    "autocannon/slow": ("slow", autocannon(), None),
    "autocannon/close": ("close", autocannon(), None),
    "autocannon/refused": (None, autocannon(), None),
    "autocannon/reset": ("reset", autocannon(), None),
    "autocannon/half": ("half", autocannon(), None),
    "autocannon/non-2xx": ("error", autocannon(), None),
    "autocannon/timeout": ("silent", autocannon(seconds=3), None),
    "autocannon/killed": ("good", autocannon(), (HALF_WAY * 2.2, signal.SIGKILL)),
    "autocannon/terminated": ("good", autocannon(), (HALF_WAY * 2.2, signal.SIGTERM)),
    "autocannon/interrupted": ("good", autocannon(), (HALF_WAY * 2.2, signal.SIGINT)),
    "wrk/success": ("good", wrk(), None),
    "wrk/success-close": ("good", wrk(keep_alive=False), None),
    "wrk/slow": ("slow", wrk(), None),
    "wrk/refused": (None, wrk(), None),
    "wrk/reset": ("reset", wrk(), None),
    "wrk/half": ("half", wrk(), None),
    "wrk/non-2xx": ("error", wrk(), None),
    "wrk/timeout": ("silent", wrk(seconds=3), None),
    "wrk/killed": ("good", wrk(), (HALF_WAY, signal.SIGKILL)),
    "wrk/terminated": ("good", wrk(), (HALF_WAY, signal.SIGTERM)),
    "wrk/interrupted": ("good", wrk(), (HALF_WAY, signal.SIGINT)),
    "h2load/success": ("good", h2load(), None),
    "h2load/slow": ("slow", h2load(), None),
    "h2load/refused": (None, h2load(), None),
    "h2load/reset": ("reset", h2load(), None),
    "h2load/half": ("half", h2load(), None),
    "h2load/non-2xx": ("error", h2load(), None),
    "h2load/timeout": ("silent", h2load(), None),
    "h2load/killed": ("good", h2load(), (HALF_WAY, signal.SIGKILL)),
    "h2load/terminated": ("good", h2load(), (HALF_WAY, signal.SIGTERM)),
    "h2load/interrupted": ("good", h2load(), (HALF_WAY, signal.SIGINT)),
    "loadgen/success": ("good", loadgen(), None),
    "loadgen/success-close": ("good", loadgen(keep_alive=False, seconds=1), None),
    "loadgen/count": ("good", loadgen(count=1000), None),
    "loadgen/rate": ("good", loadgen(rate=500), None),
    "loadgen/rate-dropped": ("slow", loadgen(rate=500, connections=4, seconds=2), None),
    "loadgen/refused": (None, loadgen(seconds=1), None),
    "loadgen/reset": ("reset", loadgen(), None),
    "loadgen/half": ("half", loadgen(), None),
    "loadgen/non-2xx": ("error", loadgen(), None),
    "loadgen/timeout": ("silent", loadgen(seconds=2), None),
    "loadgen/killed": ("good", loadgen(), (HALF_WAY, signal.SIGKILL)),
    "loadgen/terminated": ("good", loadgen(), (HALF_WAY, signal.SIGTERM)),
    "loadgen/interrupted": ("good", loadgen(), (HALF_WAY, signal.SIGINT)),
    "k6/ws-success": ("ws-good", k6_ws(), None),
    "k6/ws-lower": ("ws-lower", k6_ws(), None),
    "k6/ws-drop": ("ws-drop", k6_ws(seconds=3), None),
    "k6/ws-refused": (None, k6_ws(seconds=1), None),
    "k6/success": ("good", k6(), None),
    "k6/success-close": ("good", k6(keep_alive=False), None),
    "k6/refused": (None, k6(connections=2, seconds=1), None),
    "k6/reset": ("reset", k6(), None),
    "k6/half": ("half", k6(connections=2, seconds=1), None),
    "k6/non-2xx": ("error", k6(), None),
    "k6/timeout": ("silent", k6(seconds=3), None),
    "k6/nothing-finished": ("silent", k6(seconds=1, timeout=10), None),
    "k6/threshold": ("slow", k6(thresholds='["http_req_duration: p(95)<5"]'), None),
    "k6/threshold-held": ("slow", k6(thresholds='["http_req_duration: p(95)<5000"]'), None),
    "k6/rate": ("good", k6(rate=500), None),
    "k6/rate-dropped": ("slow", k6(rate=500, connections=4), None),
    "k6/killed": ("good", k6(), (HALF_WAY * 2.2, signal.SIGKILL)),
    "k6/terminated": ("good", k6(), (HALF_WAY * 2.2, signal.SIGTERM)),
    "k6/interrupted": ("good", k6(), (HALF_WAY * 2.2, signal.SIGINT)),
}


def programs(scratch: pathlib.Path) -> dict[str, str]:
    shutil.copy(ROOT / "packages/scenarios/dist/autocannon.mjs", scratch)
    for script in ["k6-http.js", "k6-ws.js", "wrk.lua"]:
        shutil.copy(ROOT / "packages/scenarios/tools" / script, scratch)
    own = ROOT / ".rig/tools/k6"
    k6_path = os.environ.get("RIGMARK_K6") or (str(own) if own.exists() else shutil.which("k6"))
    return {name: shutil.which(name) for name in ["ab", "h2load", "node", "wrk"]} | {
        "k6": k6_path,
        "rigmark": os.environ.get("RIGMARK_AGENT") or str(ROOT / "target/release/rigmark"),
    }


def record(case: str, mode: str | None, argv: list, stop: tuple | None) -> None:
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        argv = [str(a) for a in argv]
        # Settings before the command, as a shell has them.
        settings = [a for a in argv[:1] if a.startswith("RIG_")]
        argv = argv[len(settings) :]
        program = programs(scratch)[argv[0]]
        if "--job" in argv:
            (scratch / "job").write_text(argv[-1])
            argv[-1] = "job"
        inputs = set(scratch.iterdir())
        server = None
        if mode:
            script = "sockets.py" if mode.startswith("ws-") else "server.py"
            server = subprocess.Popen([sys.executable, HERE / script, mode, str(PORT)], stdout=subprocess.PIPE)
            server.stdout.readline()
        env = dict(s.split("=") for s in settings) | {"PATH": os.environ["PATH"], "K6_AUTO_EXTENSION_RESOLUTION": "false"}
        tool = subprocess.Popen(
            argv, executable=program, cwd=scratch, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        try:
            out, err = tool.communicate(timeout=stop[0] if stop else 60)
        except subprocess.TimeoutExpired:
            tool.send_signal(stop[1] if stop else signal.SIGKILL)
            out, err = tool.communicate()
        if server:
            server.terminate()
            server.wait()
        folder = HERE.parent / case
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        code = tool.returncode
        (folder / "argv").write_text("".join(f"{a}\n" for a in argv))
        (folder / "stdout").write_bytes(out)
        (folder / "stderr").write_bytes(err)
        (folder / "exit").write_text(f"signal {-code}\n" if code < 0 else f"code {code}\n")
        for made in set(scratch.iterdir()) - inputs:
            shutil.copy(made, folder)
        print(f"{case}: {(folder / 'exit').read_text().strip()}, {len(out)} + {len(err)} bytes")


for case, (mode, argv, stop) in CASES.items():
    if len(sys.argv) == 1 or any(case == a or case.startswith(f"{a}/") for a in sys.argv[1:]):
        record(case, mode, argv, stop)
