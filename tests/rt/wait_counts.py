#!/usr/bin/env python3
"""Fails if the counter that rt.counts and the benches preload misses a way to wait for another thread or to wake one: a
program that does one of each reports how many it did."""

import argparse
import os
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench"))

from harness.costs import PRELOADED  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("counter")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        counts = os.path.join(folder, "counts")
        done = subprocess.run([options.program], stdout=subprocess.PIPE, text=True, timeout=60, check=True,
                              env={**os.environ, "LD_PRELOAD": options.counter, "TAKT_COUNTS": counts})
        with open(counts, "rb") as file:
            seen = dict(zip(PRELOADED, struct.unpack(f"{len(PRELOADED)}Q", file.read())))
    done = dict(zip(PRELOADED[1:], map(int, done.stdout.split())))
    wrong = [f"{kind}: {seen[kind]} counted, {did} done" for kind, did in done.items() if seen[kind] != did]
    print("\n".join(wrong) or f"all counted: {done}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
