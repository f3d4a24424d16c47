#!/usr/bin/env python3
"""A timeout of a second is late by at most an eighth while SCHED_FIFO threads keep every core busy: the timeout thread
runs above the ORB's threads with a priority, whatever the scheduling of the thread that first needed it."""

import argparse
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "bench"))

from harness.inversion import FIFO  # noqa: E402

SKIPPED = 77
MAPPING = ("-ORBPriorityMapping", "direct")
URGENT = 40  # priority of the calling thread; the burners have 25
MOST_LATE_MS = 125 + 75  # an eighth of the second, and an allowance for the host of a virtual machine
INHERITED = ("-ORBWatchPriority", "0")
LINE = re.compile(r"timed out: (\d), late by (\S+) ms, cores still busy: (\d+), priority of the watch: (\d+)")


def measured(program, options):
    output = subprocess.run([program, *MAPPING, *options], check=True, stdout=subprocess.PIPE, text=True,
                            timeout=60).stdout
    print(" ".join(options) or "by default", output.strip(), sep=": ", flush=True)
    timed_out, late, busy, priority = LINE.search(output).groups()
    if timed_out != "1":
        sys.exit("the call did not end in a timeout")
    return float(late), int(busy), int(priority)


def check(program):
    for options, expected in (((), URGENT + 1), (("-ORBWatchPriority", "55"), 55)):
        late, busy, priority = measured(program, options)
        if priority != expected:
            yield f"the thread that keeps timeouts has priority {priority}, not {expected}"
        if busy != os.cpu_count():
            yield "the timeout came after the threads that kept the cores busy"
        if late > MOST_LATE_MS:
            yield f"the timeout of a second was late by {late} ms"


def self_test(program):
    late, _, priority = measured(program, INHERITED)
    if priority != 0 or late <= MOST_LATE_MS:
        yield f"an ordinary thread keeps the timeout, late by {late} ms: the test does not see it"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--self-test", action="store_true", help="a thread of inherited priority is found out")
    options = parser.parse_args()
    if subprocess.run([*FIFO, "true"], stderr=subprocess.DEVNULL).returncode:
        print("skipped: SCHED_FIFO needs CAP_SYS_NICE")
        sys.exit(SKIPPED)
    complaints = list((self_test if options.self_test else check)(options.program))
    sys.exit("\n".join(complaints) if complaints else 0)


if __name__ == "__main__":
    main()
