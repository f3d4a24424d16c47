#!/usr/bin/env python3
"""The cost of a bridge to a call, and of rewriting references to a bridge: instructions of client, bridge and server
together, and with --times the median duration of a call. Fails if rewriting a body costs more than the ceiling per
octet, or if a body without references costs more than without rewriting. Ceilings of nothing must be passed."""

import argparse
import os
import subprocess
import sys

from callgrind import instructions_per_call

CALLS = (100, 300)
WAYS = ("direct", "octets", "rewritten")
SIZES = (64, 1024, 16 * 1024, 256 * 1024)
JUDGED_WAYS, JUDGED_SIZES = WAYS[1:], (64, 64 * 1024)
CEILING = 0.6  # instructions of rewriting per octet outside of references
SLACK = 500  # instructions: a lookup in the table of operations


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--times", action="store_true", help="print times, too; nothing else should run")
    parser.add_argument("--judge", action="store_true", help="count no more than takes to tell whether it costs too much")
    options = parser.parse_args()
    ways, sizes = (JUDGED_WAYS, JUDGED_SIZES) if options.judge else (WAYS, SIZES)
    counts = {}
    for operation in ("pass", "send"):
        print(f"{operation:>6} {'octets':>8}" + "".join(f"{way:>14}" for way in ways))
        for size in sizes:
            row = [instructions_per_call(options.program, way, operation, str(size), "CALLS", between=CALLS) for way in ways]
            counts[operation, size] = dict(zip(ways, row))
            print(f"{'':>6} {size:>8}" + "".join(f"{count:>14,.0f}" for count in row))
            if options.times:
                print(f"{'us':>15}" + "".join(f"{time:>14}" for time in times(options.program, operation, size)))
    rewriting, each, looking = costs(counts)
    print(f"rewriting takes {rewriting:,.0f} instructions for two references, and {each:.3f} for each octet beside them;"
          f" without references {looking:,.0f}")
    sys.exit(0 if is_good(each, looking, CEILING, SLACK) and not is_good(each, looking, 0, -1) else 1)


def times(program, operation, size):
    """The smallest of three medians; runs alternate between the ways."""
    runs = [[float(subprocess.run([program, way, operation, str(size), "3000", "time"], check=True, capture_output=True,
                                  text=True).stdout) for way in WAYS] for _ in range(3)]
    return [min(run[i] for run in runs) for i in range(len(WAYS))]


def is_good(each, looking, ceiling, slack):
    return each <= ceiling and looking <= slack


def costs(counts):
    """Instructions of rewriting two references, of each octet beside them, and of a body without references."""
    sizes = sorted({size for _, size in counts})
    first, last = sizes[0], sizes[-1]
    more = {key: row["rewritten"] - row["octets"] for key, row in counts.items()}
    rewriting = {size: more["pass", size] for size in (first, last)}
    each = (rewriting[last] - rewriting[first]) / (last - first)
    looking = max(more["send", size] for size in sizes)
    return rewriting[first], each, looking


if __name__ == "__main__":
    main()
