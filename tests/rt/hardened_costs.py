#!/usr/bin/env python3
"""Prints what the options of TAKT_HARDENED cost a two-way call: user-space instructions of client and server, of the programs of two
builds, as a table in Markdown. script/hardened-costs makes the builds and runs it."""

import argparse

import counts
from harness import costs
from harness.process import Programs
from harness.variants import VARIANTS

WORKLOADS = ("void", "octet", "string", "structs", "reactive", "lanes", "default-servant", "uds")


def instructions(folder, workload):
    """The instructions of a call, by side."""
    takt = next(variant for variant in VARIANTS if variant.peer == "takt")
    operation = "octet" if workload in counts.VARIANT_OF else workload
    rows = costs.costs_of(Programs(folder), counts.VARIANT_OF.get(workload, takt), operation, ("callgrind",))
    return {row["side"]: row["instructions"] for row in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--release", required=True, help="folder of a build of the preset release")
    parser.add_argument("--hardened", required=True, help="folder of a build of the preset hardened")
    parser.add_argument("workload", nargs="*", default=WORKLOADS)
    options = parser.parse_args()
    print("| call | side | release | hardened | more |\n|---|---|---|---|---|")
    for workload in options.workload:
        plain, hardened = (instructions(folder, workload) for folder in (options.release, options.hardened))
        for side in costs.SIDES:
            more = hardened[side] - plain[side]
            print(f"| {workload} | {side} | {plain[side]:.0f} | {hardened[side]:.0f} | {more:+.0f} ({100 * more / plain[side]:+.0f} %) |",
                  flush=True)


if __name__ == "__main__":
    main()
