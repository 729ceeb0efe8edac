# SPDX-License-Identifier: MIT
"""Where programs of others, measured as they are published, differ from CONTRACT.md ("Programs of others" there).

A check that fails with one of these names is skipped with the reason; when it passes, it has passed. Nothing that a load
tool sends may stand here, or the figures would not be comparable.
"""

OTHERS = {
    "nginx": {
        "a port in use: what it says is one sentence": "nginx tries five times, and says so each time",
    },
    "dufs": {
        "a port in use: what it says is one sentence": "dufs says the cause in lines of their own",
        "50 requests pipelined in fragments, then the client's end is closed":
            "hyper takes the end of the client's sending for the end of the connection",
        "a head of 8 KiB is served, one over 32 KiB is 431": "hyper reads heads of up to 400 KiB, and dufs cannot be told otherwise",
        "no Host, two Hosts: 400": "dufs does not look at Host",
        "OPTIONS is refused like any other method: 405": "dufs responds to OPTIONS as WebDAV does",
    },
    "sockudo-ws": {
        "ws-echo: a handshake of 100 short lines": "the library's own parser of handshakes takes 32 lines",
    },
}


def known(server, title):
    """The reason why this server fails this check, where that is known; else None."""
    return OTHERS.get(server, {}).get(title)
