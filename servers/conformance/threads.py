# SPDX-License-Identifier: MIT
"""Several clients at once, each with its own random numbers; the first fault is the check's."""

import threading


def together(bench, tasks):
    faults = []

    def run(task, own):
        try:
            task(own)
        except Exception as fault:
            faults.append(fault)

    # Drawn here and not in the threads, so that a seed means the same every time.
    threads = [threading.Thread(target=run, args=(task, bench.again(bench.random.getrandbits(64)))) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise faults[0]
