#!/usr/bin/env python3
"""No priority inversion over bidirectional connections, whose threads began at a low priority: beside a thread of medium
priority that burns the core for 300 ms, an urgent call must end before that, in every run."""

import argparse
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from contention import FIFO, SKIPPED, TCP, inverted_runs  # noqa: E402

CASES = ("reply", "reply-in-crowd", "request", "declared", "queue", "call-back")
CONCURRENCIES = ("thread-per-connection", "leader-followers", "worker-pool", "threading-framework")


def check(program):
    for concurrency in CONCURRENCIES:
        for what in CASES:
            print(f"{concurrency}: ", end="")
            if inverted_runs(program, what, (*TCP, "-ORBServerConcurrency", concurrency)):
                yield f"priority inversion with {concurrency}: {what}"


def self_test(program, preload):
    for what in CASES:
        if not inverted_runs(program, what, TCP, preload=preload):
            yield f"{what} shows no inversion where nothing inherits priorities: the test sees none"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--self-test", metavar="LIBRARY", help="plants the fault by this library, and finds it")
    options = parser.parse_args()
    if subprocess.run([*FIFO, "true"], stderr=subprocess.DEVNULL).returncode:
        print("skipped: SCHED_FIFO needs CAP_SYS_NICE")
        sys.exit(SKIPPED)
    complaints = list(self_test(options.program, options.self_test) if options.self_test else check(options.program))
    sys.exit("\n".join(complaints) if complaints else 0)


if __name__ == "__main__":
    main()
