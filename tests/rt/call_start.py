#!/usr/bin/env python3
"""Fails if `takt call` takes too much from its start to the answer: instructions of all its processes, with the types of an
IDL file and with those that the server describes, and shared libraries. Times are no limits on machines that others use."""

import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

from callgrind import instructions_in

# The present values and a fifth.
MOST = {"reflection": 13_500_000, "IDL": 24_000_000}
LIBRARIES = 12


def instructions(command):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["valgrind", "--tool=callgrind", "--trace-children=yes", f"--callgrind-out-file={folder}/out.%p", *command],
                       check=True, capture_output=True, timeout=120)
        total = 0
        for path in glob.glob(folder + "/out.*"):
            with open(path, encoding="utf-8") as profile:
                total += instructions_in(profile, None)
        return total


def libraries(program):
    said = subprocess.run([program], env={**os.environ, "LD_TRACE_LOADED_OBJECTS": "1"}, check=True, capture_output=True, text=True, timeout=60)
    return [line.split()[0] for line in said.stdout.splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--takt", required=True)
    parser.add_argument("--idl", required=True, help="CosNaming.idl")
    parser.add_argument("--self-test", action="store_true", help="a call with an IDL file is over the limit of one without")
    options = parser.parse_args()
    server = subprocess.Popen([options.takt, "naming", "--memory", "--listen", "iiop://127.0.0.1:0", "-ORBReflection", "on"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        reference = next(found[0] for line in server.stdout if (found := re.search("IOR:[0-9a-f]+", line)))
        call = [options.takt, "call", reference, "list", "10"]
        counts = {"reflection": instructions(call), "IDL": instructions([*call, "--idl", options.idl])}
    finally:
        server.kill()
        server.communicate()
    for types, count in counts.items():
        print(f"{types}: {count:,} instructions, at most {MOST[types]:,}")
    loaded = libraries(options.takt)
    print(f"{len(loaded)} libraries, at most {LIBRARIES}: {', '.join(loaded)}")
    if options.self_test:
        sys.exit(0 if counts["IDL"] > MOST["reflection"] else 1)
    sys.exit(1 if len(loaded) > LIBRARIES or any(count > MOST[types] for types, count in counts.items()) else 0)


if __name__ == "__main__":
    main()
