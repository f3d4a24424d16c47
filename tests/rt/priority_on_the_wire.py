#!/usr/bin/env python3
"""An independent check of priorities: tshark decodes them in requests and replies, and a stock client, omniORB, calls
objects whose server has a lane for each priority."""

import argparse
import os
import re
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "bench"))

import wire  # noqa: E402
from harness.process import Programs, Server, scratch  # noqa: E402
from harness.variants import TAKT, Variant  # noqa: E402

SKIPPED = 77
CALLS = 25
DIRECT = ("-ORBPriorityMapping", "direct")
LANES = Variant("takt", "takt", (*TAKT, *DIRECT, "--priorities", "lanes"))
PROPAGATED = Variant("takt", "takt", (*TAKT, *DIRECT, "--priorities", "propagated"), (*DIRECT, "--at", "40"))
STOCK = Variant("omniorb", "omniorb")


def call(programs):
    with programs.server(PROPAGATED) as server:
        programs.client(PROPAGATED, server, {"bare": CALLS, "workload": "octet"})


def check_wire(programs):
    with scratch() as folder:
        seen = wire.shown_of(lambda: call(programs), folder)
    if seen is None:
        return "loopback cannot be recorded"
    shown, malformed = seen
    priorities = re.findall(r"RTCorbaPriority: (\d+)", shown)
    print(f"tshark: {len(priorities)} priorities, {sorted(set(priorities))}, malformed: {len(malformed)}")
    if malformed or set(priorities) != {"40"} or len(priorities) < 2 * CALLS:
        sys.exit("not one priority of 40 in each request and reply")
    return None


def check_stock_client(programs):
    if not programs.built(STOCK):
        return "omniORB is not installed"
    with programs.server(LANES) as server:
        for endpoint in server.endpoint.split("|"):
            programs.client(STOCK, Server(endpoint, server.pid), {"bare": CALLS, "workload": "octet"})
    print(f"omniORB: {CALLS} calls of an object in each lane")
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build-dir", required=True)
    programs = Programs(parser.parse_args().build_dir)
    missing = [check_stock_client(programs)]
    missing.append(wire.MISSING or check_wire(programs))
    for reason in filter(None, missing):
        print(f"skipped: {reason}")
    sys.exit(SKIPPED if all(missing) else 0)


if __name__ == "__main__":
    main()
