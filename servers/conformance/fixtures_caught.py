# SPDX-License-Identifier: MIT
"""Which check each fault of the test servers must fail (the start of its title); None: it never gets ready."""

CAUGHT = {
    "faulty-files": {
        "half-file": "static: whole files, by hash",
        "wrong-bytes": "static: whole files, by hash",
        "wrong-length": "static: whole files, by hash",
        "rarely-wrong": "the answers stay right for more than 300",
        "halves-later": "static: whole files, eight clients",
        "impatient": "fragments 30 ms apart",
        "never-ready": None,
        "crash-midway": "keep-alive: 1,100 requests",
        "traversal": "no file outside the root",
        "claims-keepalive": "keep-alive: 1,100 requests",
        "closes-late": "keep-alive: 1,100 requests",
        "cached-list": "static: a file made after the start",
        "all-200": "404 for unknown paths",
    },
    "faulty-bodies": {
        "constant-sum": "json-sum: different bodies",
        "right-at-first": "json-sum: the sum stays right",
        "stale-response": "json-sum: POSTs in a row",
        "lower-case": "ws-echo: text and binary",
        "drops-messages": "ws-echo: a burst",
    },
}

# Without a fault it must pass every check.
CORRECT = "faulty-bodies"
