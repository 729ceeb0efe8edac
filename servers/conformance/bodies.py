# SPDX-License-Identifier: MIT
"""What holds for each workload that takes a body: how it may arrive."""

import time


def in_pieces(bench, client, data, pieces, pause=0.03):
    """Sends the bytes cut at random places, with pauses; one cut is always before the last byte."""
    cuts = sorted({*(bench.random.randrange(1, len(data)) for _ in range(pieces)), len(data) - 1, len(data)})
    start = 0
    for cut in cuts:
        client.send(data[start:cut])
        start = cut
        if cut < len(data):
            time.sleep(pause)
