# SPDX-License-Identifier: MIT
"""check.py, ended by a signal while it builds and while it checks: no process and no folder of it may be left."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from fixtures_caught import CORRECT

HERE = Path(__file__).resolve().parent
WITHIN_S = 60
GONE_S = 3

# What it has printed when the signal comes, and seconds until then.
MOMENTS = (("SIGTERM", "seed", 0.2), ("SIGTERM", "gets ready", 1.0), ("SIGINT", "gets ready", 0.1), ("SIGHUP", "gets ready", 3.0))


def ends_clean():
    """Yields for each moment the signal, and what was left or went wrong; "" where nothing was."""
    for name, said, later in MOMENTS:
        if signal.getsignal(getattr(signal, name)) != signal.SIG_IGN:
            with tempfile.TemporaryDirectory(prefix="rigmark-ending-") as own:
                yield f"{name} {later} s after \"{said}\"", left(own, getattr(signal, name), said, later)


def left(own, number, said, later):
    command = [sys.executable, HERE / "check.py", HERE / "fixtures" / CORRECT]
    with subprocess.Popen(command, env=os.environ | {"TMPDIR": own}, stdout=subprocess.PIPE, text=True) as check:
        for line in check.stdout:
            if said in line:
                break
        time.sleep(later)
        check.send_signal(number)
        try:
            code = check.wait(WITHIN_S)
        except subprocess.TimeoutExpired:
            check.kill()
            return f"it did not end within {WITHIN_S} s"
    if code != 128 + number:
        return f"it ended with {code} and not with {128 + number}"
    # On a busy host what was killed is there for a moment.
    until = time.monotonic() + GONE_S
    while running(own) and time.monotonic() < until:
        time.sleep(0.05)
    stay = [entry.name for entry in Path(own).iterdir()] + running(own)
    return ", ".join(stay)


def running(own):
    """Command lines that name the folder; none where /proc does not say."""
    lines = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            lines.append(file.read_bytes().replace(b"\0", b" ").decode(errors="replace"))
        except OSError:
            pass
    return [line for line in lines if own in line]
