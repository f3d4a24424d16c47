#!/usr/bin/env python3
"""A request's priority covers all the work that the server does for it: the thread takes on the priority after the read
that delivers the request, and gives it up after it has sent the reply. A schedule's priority covers the same. Observed with strace, for a
thread per connection, a queue, lanes with a priority between theirs, and where a lane or a reactive server waits by
io_uring."""

import argparse
import os
import re
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "bench"))

from harness.process import Programs, scratch  # noqa: E402
from harness.variants import BY_RING, TAKT, Variant  # noqa: E402

CALLS = 20
MOST_OF_THEM = 15  # strace prints a call in two lines if another thread's call interrupts it
DIRECT = ("-ORBPriorityMapping", "direct")
POOL = ("-ORBServerConcurrency", "worker-pool", "-ORBServerThreads", "1")
# With lanes of priorities 10 and 40, calls of priority 25 are served by the lower lane.
CASES = [("propagated", 40, ()), ("between", 25, ()), ("between", 25, BY_RING),
         ("propagated", 40, ("-ORBServerConcurrency", "reactive", *BY_RING)),
         ("propagated", 40, POOL), ("scheduled", 30, ()), ("scheduled", 30, POOL)]
READS, SENDS = ("read(", "recvfrom(", "recvmsg("), ("write(", "sendto(", "sendmsg(")


def steps_of(line):
    """The step in a line of strace: read, send, raise, restore, or none of these."""
    name = line.split(" ", 1)[1].lstrip() if " " in line else line
    if '"GIOP' in name or "GIOP" in name:
        return "read" if name.startswith(READS) else "send" if name.startswith(SENDS) else None
    if entered := re.match(r"io_uring_enter\(\d+, (\d+), (\d+)", name):
        return "read" if int(entered[2]) else "send" if int(entered[1]) else None
    if name.startswith("sched_setscheduler("):
        return "set " + re.search(r"\[(\d+)\]", name)[1]
    return None


def orders(trace, priority):
    """How often each order of steps from a read to the next one occurs, in the threads that take on the priority."""
    by_thread = {}
    for line in trace:
        if step := steps_of(line):
            by_thread.setdefault(line.split(" ", 1)[0], []).append(step)
    found = {}
    for steps in by_thread.values():
        if f"set {priority}" not in steps:
            continue
        text = " ".join(step.replace("set ", "set:") for step in steps)
        if "read" not in steps:  # another thread reads
            text = text.replace(f"set:{priority}", f"read set:{priority}")
        for order in re.findall(r"read((?: (?!read)\S+)+)", text):
            found[order.strip()] = found.get(order.strip(), 0) + 1
    return found


def trace_of(programs, how, priority, options):
    scheduled = how == "scheduled"
    served = ("--scheduled", str(priority)) if scheduled else ("--priorities", how)
    server = Variant("takt", "takt", (*TAKT, *DIRECT, *options, *served),
                     () if scheduled else (*DIRECT, "--at", str(priority)))
    with scratch() as folder:
        path = os.path.join(folder, "trace")
        with programs.server(server, wrap=("strace", "-f", "-q", "-s", "8", "-o", path)) as running:
            programs.client(server, running, {"bare": CALLS, "workload": "octet"})
        with open(path) as file:
            return file.read().splitlines()


def check(programs):
    for how, priority, options in CASES:
        found = orders(trace_of(programs, how, priority, options), priority)
        print(f"{how} {' '.join(options)}: from one read to the next: {found}")
        covered = sum(count for order, count in found.items() if order.startswith(f"set:{priority} send"))
        uncovered = sum(count for order, count in found.items() if order.startswith(f"set:{priority} set:"))
        if covered < MOST_OF_THEM or uncovered:
            yield f"{how} {' '.join(options)}: {covered} replies were sent at the request's priority, {uncovered} after it was given up"


def self_test():
    """The order of a thread that gives its priority up before it replies."""
    early = ['7 recvfrom(9, "GIOP\\1\\2"..., 1) = 1', "7 sched_setscheduler(7, SCHED_FIFO, [40]) = 0",
             "7 sched_setscheduler(7, SCHED_OTHER, [0]) = 0", '7 sendto(9, "GIOP\\1\\2"..., 1) = 1']
    early_by_ring = ["7 io_uring_enter(9, 0, 1, IORING_ENTER_GETEVENTS, NULL, 8) = 0", *early[1:3],
                     "7 io_uring_enter(9, 1, 2, IORING_ENTER_GETEVENTS, NULL, 8) = 1"]
    if orders(early_by_ring, 40) != {"set:40 set:0": 1}:
        yield f"an early end of the priority is not seen by io_uring: {orders(early_by_ring, 40)}"
    if orders(early, 40) != {"set:40 set:0 send": 1}:
        yield f"an early end of the priority is not seen: {orders(early, 40)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build-dir", required=True)
    parser.add_argument("--self-test", action="store_true", help="a reply at another priority is seen")
    options = parser.parse_args()
    complaints = list(self_test() if options.self_test else check(Programs(options.build_dir)))
    sys.exit("\n".join(complaints) if complaints else 0)


if __name__ == "__main__":
    main()
