# SPDX-License-Identifier: MIT
"""Ended by a signal, a check takes what it started and its folders along: no server goes on without it."""

import atexit
import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import weakref

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)

# Seconds for all of them together. An agent ends its compilers itself, for which it needs a moment of processor time.
GRACE_S = 5

processes, folders = weakref.WeakSet(), weakref.WeakSet()

# Held while something is started, so that nothing comes to be that the end does not know of.
starting = threading.Lock()


def started(argv, **settings):
    """Popen, in a session of its own, so that all it starts can be ended with it."""
    with starting:
        process = subprocess.Popen(argv, start_new_session=True, **settings)
        processes.add(process)
        return process


def folder(prefix):
    with starting:
        made = tempfile.TemporaryDirectory(prefix=prefix)
        folders.add(made)
        return made


def on_signals():
    """From now on. One that is ignored, as under nohup, stays so."""
    heard, told = os.pipe()
    os.set_blocking(told, False)
    # A thread of its own: the main one may hold the lock, or wait for other threads, when the signal comes.
    signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    for number in SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, lambda *_: None)
    atexit.register(starting.acquire)  # an end that has begun is waited for
    threading.Thread(target=lambda: end(os.read(heard, 1)[0]), daemon=True).start()


def tell(process, number):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, number)


def end(number):
    with starting:
        # What fails from here on fails because of the end, and is no result.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for output in (1, 2):
            os.dup2(nowhere, output)
        running = [process for process in list(processes) if process.poll() is None]
        for process in running:
            tell(process, signal.SIGTERM)  # a compiler removes what it has in /tmp
        until = time.monotonic() + GRACE_S
        for process in running:
            try:
                process.wait(max(0, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                tell(process, signal.SIGKILL)
                process.wait()
        for made in list(folders):
            # Again where another thread still writes a file.
            for _ in range(20):
                shutil.rmtree(made.name, ignore_errors=True)
                if not os.path.exists(made.name):
                    break
        os._exit(128 + number)
