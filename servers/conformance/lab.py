# SPDX-License-Identifier: MIT
"""Starts a server over a generated root, and stops it. Ends only what it started."""

import errno
import hashlib
import os
import random
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import ending
from wire import Client, WireError

try:
    import tomllib
except ImportError:
    sys.exit("check.py: Python 3.11 or newer is needed (it reads server.toml with tomllib)")

SERVERS = Path(__file__).resolve().parent.parent
FILES = {"1k.bin": 1024, "1m.bin": 1 << 20, "10m.bin": 10 << 20, "script.js": 1024, "large.js": 280 * 1024}


class NotHere(Exception):
    """This server cannot be built or run on this host."""


class Root:
    """The folder that is served, with a secret beside it that must never be."""

    def __init__(self, folder, seed):
        self.random = random.Random(seed)
        self.outside = folder
        self.path = folder / "root"
        self.path.mkdir()
        self.secret = self.random.randbytes(64).hex().encode()
        (folder / "secret.txt").write_bytes(self.secret)
        self.hashes, self.lock = {}, threading.Lock()
        for name, size in FILES.items():
            self.put(name, size)

    def put(self, name, size):
        """Writes beside the place and renames, as the contract asks."""
        target = self.path / name
        target.parent.mkdir(exist_ok=True)
        with self.lock:  # checks that wait run side by side
            data = self.random.randbytes(size)
            scratch = self.outside / "scratch"
            scratch.write_bytes(data)
            scratch.rename(target)
            self.hashes[name] = hashlib.sha256(data).hexdigest()
        return data


class Manifest:
    def __init__(self, folder):
        self.folder = folder
        self.data = tomllib.loads((folder / "server.toml").read_text())
        self.name = self.data["name"]

    def options(self, chosen):
        values = {name: str(option["default"]) for name, option in self.data.get("options", {}).items()}
        for name, value in chosen.items():
            if name not in values:
                raise NotHere(f"{self.name} has no option {name}")
            values[name] = value
        return values


def fill(argv, values):
    for key, value in values.items():
        argv = [part.replace("{" + key + "}", value) for part in argv]
    return argv


def free_port():
    """Below 32768, where Linux's ephemeral ports begin: one of those may be any client's before the server has it."""
    for _ in range(50):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", 10240 + secrets.randbelow(32768 - 10240)))
                return probe.getsockname()[1]
            except OSError as error:
                if error.errno != errno.EADDRINUSE:
                    raise
    raise OSError("none of 50 ports from 10240 to 32767 is free")


class Server:
    """One running server process; use as a context manager."""

    def __init__(self, manifest, build_dir, root, options=None, scratch=None, port=None, wrapper=(), host="127.0.0.1"):
        self.manifest, self.port = manifest, port or free_port()
        self.address = ("127.0.0.1", self.port)
        self.work = Path(tempfile.mkdtemp(prefix="work-", dir=scratch))
        values = manifest.options(options or {}) | {
            "build_dir": str(build_dir), "server_dir": str(manifest.folder), "work_dir": str(self.work),
            "address": host, "port": str(self.port), "root": str(root),
        }
        run = manifest.data["run"]
        self.log = open(self.work / "log", "wb+")
        env = os.environ | {k: fill([v], values)[0] for k, v in run.get("env", {}).items()}
        self.process = ending.started([*wrapper, *fill(run["command"], values)], env=env, cwd=self.work,
                                      stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(6)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
        self.log.close()
        shutil.rmtree(self.work, ignore_errors=True)

    def client(self, **settings):
        return Client(self.address, **settings)

    def output(self):
        self.log.flush()
        return (self.work / "log").read_text(errors="replace")

    def wait_ready(self, slower=1):
        ready = self.manifest.data["run"]["ready"]
        end = time.monotonic() + ready["within_s"] * slower
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise WireError(f"it ended with {self.process.returncode} before it was ready: {self.output().strip()[-800:]}")
            try:
                with self.client(timeout=slower) as client:
                    if client.get(ready["path"]).status == 200:
                        return self
            except (OSError, WireError):
                pass
            time.sleep(0.02)
        raise WireError(f"not ready after {ready['within_s'] * slower} s")

    def stop(self, within=5.0):
        """SIGTERM; returns the exit code, or None where it did not end in time."""
        self.process.terminate()
        try:
            return self.process.wait(within)
        except subprocess.TimeoutExpired:
            return None

    def processes(self):
        """The process and its children, those of its children too, or None where /proc does not say."""
        found, todo = [], [self.process.pid]
        try:
            while todo:
                found.append(todo.pop())
                for task in Path(f"/proc/{found[-1]}/task").iterdir():
                    todo += [int(child) for child in (task / "children").read_text().split()]
            return found
        except OSError:
            return None

    def rss_kib(self, processes=None):
        """Resident memory of these processes, or of all that there are now; None where /proc does not say."""
        total, processes = 0, processes or self.processes()
        if processes is None:
            return None
        try:
            for pid in processes:
                for line in Path(f"/proc/{pid}/status").read_text().splitlines():
                    if line.startswith("VmRSS:"):
                        total += int(line.split()[1])
            return total
        except OSError:
            return None
