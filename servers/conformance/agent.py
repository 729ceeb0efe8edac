# SPDX-License-Identifier: MIT
"""The agent builds each server and checks its workloads: `rigmark build` and `rigmark verify --strict`."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import ending
from lab import SERVERS, NotHere

ROOT = SERVERS.parent
UNSUPPORTED = 77


class BuildFailed(Exception):
    """All that it needs is here, and still it does not build."""


def program():
    """$RIGMARK_AGENT, or the newest that cargo built in this checkout."""
    named = os.environ.get("RIGMARK_AGENT")
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    built = [path for kind in ("release", "debug") if (path := target / kind / "rigmark").exists()]
    if not named and not built:
        sys.exit("check.py: there is no agent; run `cargo build --release -p rigmark`, or name one in RIGMARK_AGENT")
    return named or max(built, key=lambda path: path.stat().st_mtime)


def called(*arguments):
    """The exit code, and the object that the agent printed."""
    command = [program(), *arguments, "--json"]
    # A compiler that is killed leaves its temporary files.
    with ending.folder("rigmark-agent-") as temporary:
        env = os.environ | {"RIGMARK_ASSETS": str(ROOT), "TMPDIR": temporary}
        with ending.started(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as agent:
            said, _ = agent.communicate()
    return agent.returncode, json.loads(said or "{}")


def build(folder):
    """The folder with what was built. The agent keeps it, and builds again only what changed."""
    code, said = called("build", str(folder))
    if code == UNSUPPORTED:
        raise NotHere(said["error"]["message"])
    if code:
        raise BuildFailed(said.get("error", {}).get("message", f"the agent ended with {code}"))
    return Path(said["builds"][0]["build_dir"])


def variant(manifest, scratch, wrapper=(), make=()):
    """The server's folder, or a copy of it that is built with more arguments for make and run under a wrapper."""
    if not wrapper and not make:
        return manifest.folder
    folder = scratch / manifest.name
    shutil.copytree(manifest.folder, folder)

    def listed(words):
        return "".join(f"{json.dumps(word)}, " for word in words)
    path = folder / "server.toml"
    text = path.read_text().replace('["make", ', '["make", ' + listed(make)).replace("command = [", "command = [" + listed(wrapper), 1)
    path.write_text(text)
    return folder


def verified(folder, options, only=None):
    """Yields (title, mark, why) for each check of `rigmark verify --strict`; `only` is "verify WORKLOAD: CHECK" or a part of it."""
    word, _, rest = (only or "verify").partition(" ")
    if word == "verify":
        workload, _, check = rest.partition(": ")
        yield from (one for one in verdicts(folder, options, workload) if check in one[0])


def verdicts(folder, options, workload):
    listed = ",".join(f"{name}={value}" for name, value in options.items())
    only = ("--workload", workload) if workload else ()
    code, said = called("verify", f"{folder}:{listed}" if listed else str(folder), "--strict", *only)
    if "verified" not in said:
        yield "verify", "failed", ": " + said.get("error", {}).get("message", f"the agent ended with {code}")
    for one in said.get("verified", ()):
        if one["error"]:
            yield f"verify {one['workload']}", "failed", ": " + one["error"]
        for kind, checks in (("", one["checks"]), ("HTTP, ", one["conformance"])):
            for check in checks:
                why = ": " + check["message"] if check.get("message") else ""
                yield f"verify {one['workload']}: {kind}{check['id']}", check["status"], why
