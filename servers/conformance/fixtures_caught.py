# SPDX-License-Identifier: MIT
"""Which check each fault of the test servers must fail: the start of its title."""

CAUGHT = {
    "faulty-files": {
        "half-file": "verify static: body",
        "wrong-bytes": "verify static: body",
        "wrong-length": "verify static: body",
        "rarely-wrong": "verify static: body",
        "halves-later": "verify static: body",
        "impatient": "verify static: HTTP, fragments",
        "never-ready": "it gets ready",
        "crash-midway": "verify static: body",
        "traversal": "no file outside the root",
        "claims-keepalive": "verify static: keep-alive",
        "closes-late": "verify static: keep-alive",
        "cached-list": "static: a file made after the start",
        "all-200": "404 for unknown paths",
    },
    "faulty-bodies": {
        "constant-sum": "verify json-sum: body",
        "right-at-first": "verify json-sum: body",
        "stale-response": "verify json-sum: body",
        "lower-case": "verify ws-echo: body",
        "drops-messages": "verify ws-echo: body",
    },
}

# Without a fault it must pass every check.
CORRECT = "faulty-bodies"
