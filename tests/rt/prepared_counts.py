#!/usr/bin/env python3
"""Fails if a PreparedCall does not save the cost of encoding its arguments. Client and server are one process, so
everything else is in both counts and cancels out in their difference. A stub, which saves nothing, must be refused."""

import argparse
import os
import sys

from callgrind import instructions_per_call

CALLS = (100, 300)
# Fraction of the instructions for encoding alone, where the compiler does not see the rest of the call.
LEAST = 0.7


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", required=True, help="the folder of the programs")
    options = parser.parse_args()
    program = os.path.join(options.programs, "rt_prepared")
    encode, stub, prepared = (instructions_per_call(program, how, "CALLS", between=CALLS)
                              for how in ("encode", "stub", "prepared"))
    print(f"a call through the stub {stub:.0f} instructions, prepared {prepared:.0f}; encoding alone {encode:.0f}")
    print(f"saved: {stub - prepared:.0f}, at least {LEAST * encode:.0f}")

    def is_good(call):
        return stub - call >= LEAST * encode
    sys.exit(0 if is_good(prepared) and not is_good(stub) else 1)


if __name__ == "__main__":
    main()
