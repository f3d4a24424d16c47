#!/usr/bin/env python3
"""Fails if looking up a priority in a table of `takt schedule table` takes ten instructions or more: counts all
instructions of the function in the given object file, whatever path is taken."""

import argparse
import re
import subprocess
import sys

CEILING = 9


def instructions_of(function, file):
    code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", f"--disassemble={function}", file], check=True,
                          capture_output=True, text=True).stdout
    lines = [line.split("\t")[1].strip() for line in code.splitlines() if re.match(r"\s+[0-9a-f]+:\t", line)]
    if any(re.search(rf"\t?j\w+\s.*<{function}(?!\+)", line) for line in lines):
        raise SystemExit(f"{function} has a loop")
    while lines and re.match(r"nop|xchg\s+%ax,%ax|data16|cs nop", lines[-1]):
        lines.pop()  # the alignment of the next function
    if not lines:
        raise SystemExit(f"{file} has no {function}")
    return len(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("object")
    parser.add_argument("--self-test", action="store_true", help="a look-up by name is too much")
    options = parser.parse_args()
    count = instructions_of("priority_of", options.object)
    print(f"instructions of a look-up by handle: {count}, at most {CEILING}")
    fine = count <= CEILING
    if options.self_test:
        by_name = instructions_of("priority_by_name", options.object)
        print(f"by name: {by_name}")
        fine = by_name > CEILING
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
