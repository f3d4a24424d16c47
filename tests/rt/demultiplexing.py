#!/usr/bin/env python3
"""Fails if demultiplexing by handles costs more than its ceiling, with one object or many, and with one operation or
1,000: instructions from a request's number to the skeleton's operation and back, without those of the upcall itself.
Prints the counts of de-layered demultiplexing, which has no agreement on numbers, beside them."""

import argparse
import os
import sys
from types import SimpleNamespace

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "bench"))

from harness.demux import counted  # noqa: E402
from harness.process import Programs  # noqa: E402

CEILING = 45
# Between one object and many.
SPREAD = 1


class Plan(SimpleNamespace):
    def counted(self):
        yield from self.cells


def costs_of(programs, cells):
    return {(row["strategy"], row["servants"], row["operations"], row["depth"], row["order"]):
            row["instructions"] - row["upcall_instructions"] for row in counted(programs, Plan(cells=cells))}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build-dir", required=True)
    parser.add_argument("--objects", default="1,10000", help="numbers of objects")
    parser.add_argument("--self-test", action="store_true", help="demultiplexing by names is over the ceiling")
    options = parser.parse_args()
    objects = [int(number) for number in options.objects.split(",")]
    strategy = "delayered" if options.self_test else "handles"
    cells = [(strategy, 1, 1, objects), (strategy, 100, 20, objects)]
    if not options.self_test:
        cells += [(strategy, 1000, 1, objects), ("delayered", 100, 1, objects[:1])]
    costs = costs_of(Programs(options.build_dir), cells)
    for (which, servants, operations, depth, order), cost in costs.items():
        print(f"{which}: {servants:g} objects, {operations:g} operations, depth {depth:g}, {order}: {cost:.1f}")
    judged = [cost for (which, *_), cost in costs.items() if which == strategy]
    by_objects = {}
    for (which, _, *cell), cost in costs.items():
        by_objects.setdefault((which, *cell), []).append(cost)
    fine = max(judged) <= CEILING and all(max(each) - min(each) <= SPREAD for each in by_objects.values())
    print(f"{min(judged):.1f} to {max(judged):.1f} instructions, at most {CEILING}")
    sys.exit(0 if fine != options.self_test else 1)


if __name__ == "__main__":
    main()
