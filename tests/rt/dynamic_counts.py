#!/usr/bin/env python3
"""Fails when a dynamic request takes its client too many instructions, compared with the stub's call. The server is
another process, and not counted."""

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
    parser.add_argument("--self-test", action="store_true", help="requests that are built anew are refused as reused ones")
    options = parser.parse_args()
    program = os.path.join(options.programs, "rt_dynamic")
    good = True
    for operation, most in MOST.items():
        stub, reused, new = (instructions_per_call(program, how, operation, "CALLS", between=CALLS)
                             for how in ("stub", "new" if options.self_test else "reused", "new"))
        print(f"{operation}: stub {stub:.0f} instructions, request reused {reused:.0f} ({reused / stub:.2f}), "
              f"built anew {new:.0f} ({new / stub:.2f})")
        good &= reused <= most["reused"] * stub and new <= most["new"] * stub
    sys.exit(0 if good != options.self_test else 1)


if __name__ == "__main__":
    main()
