#!/usr/bin/env python3
"""Which messages go over the wire, observed with strace, when policies choose the messaging: for an ORB, a thread, an
object and a call, with and without an alternative to fall back to."""

import argparse
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

ROUTINES = "write,sendto,sendmsg"
NAME = re.compile(r'write\(1, "== (.*)\\n"')
# Requests and replies; policies do not affect how connections are closed.
MESSAGE = re.compile(r'(?:write|send\w+)\(\d+, (?:\{[^"]*)?"(GIOP\\1\\2\\1\\0{0,2}[01](?![0-7])|L\\1)')

FIVE_GIOP = ["GIOP"] * 10
# The first request on a connection offers a number; its reply and all later messages have short heads.
FIVE_LITE = ["GIOP"] + ["lite"] * 9
LATER_LITE = ["lite"] * 2
EXPECTED = {
    "no policy": FIVE_GIOP,
    "the server's alone": FIVE_GIOP,
    "object": FIVE_LITE,
    "ORBPolicyManager": FIVE_LITE,
    "PolicyCurrent": FIVE_LITE,
    "call": LATER_LITE * 3,
    "other call": ["GIOP"] * 6,
    "next of the list": FIVE_GIOP,
    "next transport": FIVE_GIOP,
    "exception": [],
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    program = parser.parse_args().program
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace")
        subprocess.run(["strace", "-f", "-o", trace, "-e", f"trace={ROUTINES}", program], check=True, timeout=60,
                       stdout=subprocess.PIPE)
        with open(trace) as file:
            lines = file.readlines()
    seen, name = {}, None
    for line in lines:
        if begun := NAME.search(line):
            name = begun[1]
            seen.setdefault(name, [])
        elif (message := MESSAGE.search(line)) and name in EXPECTED:
            seen[name].append("lite" if message[1].startswith("L") else "GIOP")
    for name, expected in EXPECTED.items():
        print(f"{name}: {' '.join(seen[name]) or 'nothing'}")
        assert seen[name] == expected, f"{name}: not {' '.join(expected)}"


if __name__ == "__main__":
    main()
