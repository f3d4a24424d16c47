#!/usr/bin/env python3
"""Fails if a request whose sequences are views costs more with longer sequences, or more than its ceiling. For
comparison, counts the same sequences as vectors, which are copied; those must be refused."""

import argparse
import os
import sys

from callgrind import instructions_per_call

CALLS = (50, 150)
OCTETS = (64, 1 << 16)  # in each of the two sequences
CEILING = 400  # instructions from the request's octets to the encoded answer
SLACK = 30  # memory that arguments keep between calls is freed after long messages


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", required=True, help="the folder of the programs")
    options = parser.parse_args()
    program = os.path.join(options.programs, "rt_views")
    counts = {how: [instructions_per_call(program, how, str(octets), "CALLS", between=CALLS) for octets in OCTETS]
              for how in ("copied", "viewed")}
    for how, (short, long) in counts.items():
        print(f"{how}: {short:.1f} instructions with {OCTETS[0]} octets each, {long:.1f} with {OCTETS[1]}")
    sys.exit(0 if is_good(*counts["viewed"]) and not is_good(*counts["copied"]) else 1)


def is_good(short, long):
    return long <= min(short + SLACK, CEILING)


if __name__ == "__main__":
    main()
