#!/usr/bin/env python3
"""Fails if an object adapter costs more than its ceilings: octets for each active object, instructions of its activation
and deactivation, and instructions and allocations for each request or collocated call. Instructions are slopes
between two numbers of calls or objects. A count of nothing is refused where there must be something."""

import argparse
import os
import subprocess
import sys

from callgrind import instructions_per_call

CALLS = (1000, 3000)
OBJECTS = (2000, 6000)
# Enough calls to make the ORB's background threads negligible.
LOCAL_CALLS = (100000, 300000)
# Instructions of a request with a reply and an upcall, from the key to the encoded answer, in an adapter
# without an ORB. The limits are the present values, so that no increase goes unnoticed. siphash is delayered
# with a MAC on the key, without OpenSSL's share, which differs between versions.
REQUEST_CEILINGS = {"linear": 810, "dynamic": 815, "perfect": 555, "active": 310, "delayered": 305, "siphash": 585}
MAC_LIBRARY = "libcrypto"
# The two memcmps of a request take this many more instructions, eight each, if their operands lie near the end of a
# page, which depends on the linker.
MEMCMP_NEAR_A_PAGE_END = 16
OCTETS_PER_OBJECT = 96
# Instructions to activate and deactivate an object whose servant has thousands; one step per object would add
# thousands. Five locks with priority inheritance take about 110 each.
ONE_OF_MANY_CEILING = 2250
# Instructions of a call within the process, through the POA and with takt::Direct, including the caller's
# loop and the servant.
COLLOCATED_CEILING, DIRECT_CEILING = 150, 40


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True)


def verdict_of(count, ceiling):
    return "TOO MANY" if count > ceiling else "NOTHING COUNTED" if count <= 0 < ceiling else "ok"


class Verdicts:
    def __init__(self):
        self.failed = (verdict_of(1, 0), verdict_of(0, 1), verdict_of(1, 1)) != ("TOO MANY", "NOTHING COUNTED", "ok")

    def at_most(self, what, count, ceiling):
        """A tenth of an instruction is the ORB's background threads' share, which differs between runs."""
        count = round(count, 1)
        verdict = verdict_of(count, ceiling)
        self.failed |= verdict != "ok"
        print(f"{what:48} {count:>10.1f}  at most {ceiling:>6}  {verdict}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", required=True, help="the folder of the programs")
    options = parser.parse_args()
    adapter = os.path.join(options.programs, "rt_adapter_costs")
    local = os.path.join(options.programs, "rt_local_calls")

    verdicts = Verdicts()
    memory = output_of(adapter, "memory", "1000000").stdout
    print(memory, end="")
    verdicts.at_most("octets of adapter for each object", float(memory.split()[0]), OCTETS_PER_OBJECT)
    for order in ("oldest", "newest"):
        verdicts.at_most(f"instructions of one object of many, {order} first",
                         instructions_per_call(adapter, "one-servant", "CALLS", order, between=OBJECTS),
                         ONE_OF_MANY_CEILING)
    for strategy, exact in REQUEST_CEILINGS.items():
        verdicts.at_most(f"{strategy}: instructions of a request",
                         instructions_per_call(adapter, "calls", strategy, "CALLS", between=CALLS,
                                               without=MAC_LIBRARY),
                         exact + MEMCMP_NEAR_A_PAGE_END)
        verdicts.at_most(f"{strategy}: allocations in 1000 requests",
                         int(output_of(adapter, "calls", strategy, "1000").stdout.split()[0]), 0)
    verdicts.at_most("instructions of a collocated call",
                     instructions_per_call(local, "CALLS", "-ORBListenEndpoints", "iiop://127.0.0.1:0",
                                           between=LOCAL_CALLS),
                     COLLOCATED_CEILING)
    verdicts.at_most("instructions of a direct call",
                     instructions_per_call(local, "CALLS", "direct", "-ORBListenEndpoints", "iiop://127.0.0.1:0",
                                           between=LOCAL_CALLS),
                     DIRECT_CEILING)
    sys.exit(1 if verdicts.failed else 0)


if __name__ == "__main__":
    main()
