#!/usr/bin/env python3
"""No priority inversion in any rate group: of calls that are due at once on one core, none is overtaken by one of lower
priority, in five runs over TCP and two over each other transport and by io_uring; and a two-way call takes two context switches, one
to the server and one back."""

import argparse
import os
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "bench"))

from harness.inversion import FIFO, LANES, rates, switches_per_call  # noqa: E402
from harness.process import Programs  # noqa: E402
from harness.variants import BY_RING, OVER_MEMORY, OVER_UDP, OVER_UNIX, TAKT, Variant, over_tls  # noqa: E402

SKIPPED = 77
RUNS, RUNS_ELSEWHERE = 5, 2
FASTER, SECONDS = 10, 1  # 200, 100, 50 and 10 calls a second: those of one run coincide at least ten times


def inversions(lines):
    return {int(line["rate_hz"]): int(line["overtaken"]) for line in lines}


def lanes_over(there):
    """The lanes of LANES over a transport's variant."""
    return Variant("takt", "takt", (*there.server, *LANES.server[len(TAKT):]), (*there.client, *LANES.client),
                   transport=there.transport)


def lanes_by_ring():
    """The lanes of LANES where they wait by io_uring."""
    return Variant("takt", "takt", (*LANES.server, *BY_RING), LANES.client, transport="tcp by io_uring")


def check_inversion(programs):
    elsewhere = {variant.transport: lanes_over(variant) for variant in (*OVER_UNIX, *OVER_MEMORY, *OVER_UDP, *over_tls())
                 if variant.peer == "takt" and variant.transport != "shm-busy"}
    for variant in [LANES] * RUNS + [lanes_by_ring(), *elsewhere.values()] * RUNS_ELSEWHERE:
        lines = rates(programs, variant, {"faster": FASTER, "seconds": SECONDS})
        found = inversions(lines)
        print(f"{variant.transport}: calls overtaken by less urgent ones, by rate: {found}", flush=True)
        if sorted(found) != [1, 5, 10, 20] or any(line["n"] < line["rate_hz"] * FASTER for line in lines):
            yield f"not all four clients made their calls over {variant.transport}"
        if any(found.values()):
            yield f"priority inversion over {variant.transport}: {found}"


def check_switches(programs):
    for name, options in (("thread per connection", ()), ("reactive", ("-ORBServerConcurrency", "reactive")),
                          ("one thread by io_uring", ("-ORBServerConcurrency", "leader-followers", "-ORBServerThreads", "1",
                                                      *BY_RING))):
        count = switches_per_call(programs, Variant("takt", "takt", (*TAKT, *options)))
        print(f"{name}: {count} context switches per two-way call")
        if not 1.9 <= count <= 2.1:
            yield f"{name}: {count} context switches per two-way call, not 2"


def self_test(programs):
    """One thread of one priority for all: less urgent calls that it is serving, or that came before, go first."""
    shared = Variant("takt", "takt", (*TAKT, "-ORBServerConcurrency", "reactive", "--burn", "300"),
                     ("-ORBSchedulingClass", "other"))
    found = inversions(rates(programs, shared, {"faster": FASTER, "seconds": SECONDS}))
    print(f"without priorities: calls overtaken by less urgent ones, by rate: {found}")
    if not any(found.values()):
        yield "a server without priorities shows no inversion: the test sees none"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build-dir", required=True)
    parser.add_argument("--self-test", action="store_true", help="a server without priorities is found out")
    options = parser.parse_args()
    if subprocess.run([*FIFO, "true"], stderr=subprocess.DEVNULL).returncode:
        print("skipped: SCHED_FIFO needs CAP_SYS_NICE")
        sys.exit(SKIPPED)
    programs = Programs(options.build_dir)
    checks = [self_test] if options.self_test else [check_inversion, check_switches]
    complaints = [complaint for check in checks for complaint in check(programs)]
    sys.exit("\n".join(complaints) if complaints else 0)


if __name__ == "__main__":
    main()
