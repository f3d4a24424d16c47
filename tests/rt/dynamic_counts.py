#!/usr/bin/env python3
"""Fails when a dynamic request takes its client too many instructions, compared with the stub's call. The server is
another process, and not counted. Requests that are built anew must be refused as reused ones."""

import argparse
import os
import sys

from callgrind import instructions_per_call

CALLS = (200, 1200)
# By operation: what a request may take of the stub's instructions, sent again and built anew.
MOST = {"nothing": {"reused": 1.5, "new": 3}, "cube": {"reused": 1.5, "new": 3}, "take": {"reused": 3, "new": 4}}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", required=True, help="the folder of the programs")
    options = parser.parse_args()
    program = os.path.join(options.programs, "rt_dynamic")
    good, planted_is_good = True, True
    for operation, most in MOST.items():
        stub, reused, new = (instructions_per_call(program, how, operation, "CALLS", between=CALLS)
                             for how in ("stub", "reused", "new"))
        print(f"{operation}: stub {stub:.0f} instructions, request reused {reused:.0f} ({reused / stub:.2f}), "
              f"built anew {new:.0f} ({new / stub:.2f})")
        good &= reused <= most["reused"] * stub and new <= most["new"] * stub
        planted_is_good &= new <= most["reused"] * stub
    sys.exit(0 if good and not planted_is_good else 1)


if __name__ == "__main__":
    main()
