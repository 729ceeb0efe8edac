#!/usr/bin/env python3
"""Records what the real tools print, one folder a case: argv, stdout, stderr, exit, and the files that they wrote.

    apps/agent/src/parser/tool_output/record/record.py [TOOL[/CASE] …]

Needs ab, wrk, node, `packages/scenarios/dist/autocannon.mjs` (pnpm generate) and k6 (RIGMARK_K6, .rig/tools/k6 or PATH).
Everything runs in a scratch folder with relative paths against 127.0.0.1, so no recording names a machine. After a
new recording the figures in the parsers' tests change: read what changed before you accept it.
"""
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
    for script in ["k6-http.js", "wrk.lua"]:
        shutil.copy(ROOT / "packages/scenarios/tools" / script, scratch)
    own = ROOT / ".rig/tools/k6"
    k6_path = os.environ.get("RIGMARK_K6") or (str(own) if own.exists() else shutil.which("k6"))
    return {name: shutil.which(name) for name in ["ab", "node", "wrk"]} | {"k6": k6_path}


def record(case: str, mode: str | None, argv: list, stop: tuple | None) -> None:
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        argv = [str(a) for a in argv]
        # Settings before the command, as a shell has them.
        settings = [a for a in argv[:1] if a.startswith("RIG_")]
        argv = argv[len(settings) :]
        program = programs(scratch)[argv[0]]
        inputs = set(scratch.iterdir())
        server = None
        if mode:
            server = subprocess.Popen([sys.executable, HERE / "server.py", mode, str(PORT)], stdout=subprocess.PIPE)
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
