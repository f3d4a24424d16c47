#!/usr/bin/env python3
"""No priority inversion over bidirectional connections, and in a pool that orders requests by priority, whose threads began
at a low priority: beside a thread of medium priority that burns the core for 300 ms, an urgent call must end before that,
in every run."""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from contention import TCP, find_planted, inverted_runs, main  # noqa: E402

CASES = ("reply", "reply-in-crowd", "request", "declared", "queue", "call-back")
PLAIN = ("plain-request", "plain-declared", "plain-queue")
CONCURRENCIES = ("thread-per-connection", "leader-followers", "worker-pool", "threading-framework")


def check(program):
    for concurrency in CONCURRENCIES:
        for what in CASES:
            print(f"{concurrency}: ", end="")
            if inverted_runs(program, what, (*TCP, "-ORBServerConcurrency", concurrency)):
                yield f"priority inversion with {concurrency}: {what}"
    for what in PLAIN:
        print("worker-pool: ", end="")
        if inverted_runs(program, what, (*TCP, "-ORBServerConcurrency", "worker-pool", "-ORBQueueOrder", "priority")):
            yield f"priority inversion over usual connections: {what}"


if __name__ == "__main__":
    main(__doc__, check, lambda program, preload: find_planted(program, CASES, preload))
