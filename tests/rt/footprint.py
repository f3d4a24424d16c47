#!/usr/bin/env python3
"""Fails if a program has more text than its limit: PROGRAM=OCTETS, as counted by `size`, with libstdc++ and libc shared."""

import argparse
import os
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("limits", nargs="+", metavar="PROGRAM=OCTETS")
    parser.add_argument("--self-test", action="store_true", help="one octet less than they have is refused")
    options = parser.parse_args()
    good = True
    for one in options.limits:
        program, limit = one.rsplit("=", 1)
        text = text_of(program)
        limit = text - 1 if options.self_test else int(limit)
        print(f"{os.path.basename(program)}: {text} octets of text, of {limit}")
        good &= text <= limit
    sys.exit(0 if good != options.self_test else 1)


def text_of(program):
    lines = subprocess.run(["size", program], check=True, capture_output=True, text=True).stdout.splitlines()
    return int(lines[1].split()[0])


if __name__ == "__main__":
    main()
