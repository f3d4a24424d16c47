#!/usr/bin/env python3
"""Other ORBs ignore the deadlines in requests: a stock server, omniORB, answers a client whose calls carry one, and
tshark decodes those requests."""

import argparse
import os
import re
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "bench"))

import wire  # noqa: E402
from harness.process import Programs, scratch  # noqa: E402
from harness.variants import TAKT, Variant  # noqa: E402

SKIPPED = 77
CALLS = 25
CONTEXT = 0x54414B03
HURRIED = Variant("takt", "takt", TAKT, ("--budget-ms", "10000"))
STOCK = Variant("omniorb", "omniorb")


def call(programs, server_variant):
    with programs.server(server_variant) as server:
        programs.client(HURRIED, server, {"bare": CALLS, "workload": "octet"})


def check_wire(programs):
    with scratch() as folder:
        seen = wire.shown_of(lambda: call(programs, HURRIED), folder)
    if seen is None:
        return "loopback cannot be recorded"
    shown, malformed = seen
    count = len(re.findall(rf"VSCID: 0x{CONTEXT >> 16:06x}", shown))
    print(f"tshark: {count} contexts, malformed: {len(malformed)}")
    if malformed or count < CALLS:
        sys.exit("not one context in each request")
    return None


def check_stock_server(programs):
    if not programs.built(STOCK):
        return "omniORB is not installed"
    call(programs, STOCK)
    print(f"omniORB: {CALLS} calls with a deadline")
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build-dir", required=True)
    programs = Programs(parser.parse_args().build_dir)
    missing = [check_stock_server(programs)]
    missing.append(wire.MISSING or check_wire(programs))
    for reason in filter(None, missing):
        print(f"skipped: {reason}")
    sys.exit(SKIPPED if all(missing) else 0)


if __name__ == "__main__":
    main()
