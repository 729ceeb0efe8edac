# SPDX-License-Identifier: MIT
"""The memory of a server while something is done to it: what it held meanwhile, and not only what it holds afterwards."""

import threading

EVERY_S = 0.02


class Watch:
    """Looks at the processes that there are at the start, again and again. Use as a context manager."""

    def __init__(self, bench):
        self.bench, self.server = bench, bench.server
        self.before = self.most = self.server.rss_kib()
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.look, args=(self.server.processes(),))

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()

    def look(self, processes):
        while not self.over.wait(EVERY_S):
            self.saw(self.server.rss_kib(processes))

    def saw(self, kib):
        if kib is not None and self.most is not None:
            self.most = max(self.most, kib)

    def stays_below(self, limit_mib, what):
        """Broken where it grew by more at any time since the start."""
        self.saw(self.server.rss_kib())
        self.bench.not_above(limit_mib, self.bench.growth_kib(self.before, self.most), what)
