#!/usr/bin/env python3
"""No priority inversion where calls of several priorities share an adapter or a connection. A low-priority call is in
the way, and a thread of medium priority burns the core for 300 ms: the urgent call must end before the burner, in
every run."""

import argparse
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "bench"))

from harness.inversion import FIFO  # noqa: E402
from harness.variants import over_tls  # noqa: E402

SKIPPED = 77
RUNS = 3
TCP = ("-ORBListenEndpoints", "iiop://127.0.0.1:0")
UDP = ("-ORBListenEndpoints", "udp://127.0.0.1:0")
ADAPTERS = ("single-thread", "main-thread", "activator")
CONNECTIONS = ("leader", "succession", "active")
HANDLERS = ("handler", "handler-in-reader")
# The cases that fail without priority inheritance. In succession, the most urgent thread reads next
# nevertheless.
PLANTED = (*ADAPTERS, "leader", "active")


def inverted_runs(program, what, server, client=(), preload=None):
    """The number of runs in which the burner ended first."""
    environment = {**os.environ, **({"LD_PRELOAD": preload} if preload else {})}
    output = subprocess.run([program, what, str(RUNS), *server, "--", *client], env=environment, check=True,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=100).stdout
    print(output, end="", flush=True)
    inverted, runs = map(int, re.search(r"in (\d+) of (\d+) runs", output).groups())
    if runs != RUNS:
        sys.exit(f"{runs} runs, not {RUNS}")
    return inverted


def check(program):
    cases = [(what, "tcp", TCP, ()) for what in (*ADAPTERS, *CONNECTIONS, *HANDLERS)]
    cases += [(what, "udp", UDP, ()) for what in CONNECTIONS]
    tls = next(variant for variant in over_tls() if variant.peer == "takt")
    cases += [(what, "tls", tls.server, tls.client) for what in CONNECTIONS]
    for what, transport, server, client in cases:
        print(f"{transport}: ", end="")
        if inverted_runs(program, what, server, client):
            yield f"priority inversion over {transport}: {what}"


def main(what, check, self_test):
    """Runs the test that is described as `what`, or its self-test."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--program", required=True)
    parser.add_argument("--self-test", metavar="LIBRARY", help="plants the fault by this library, and finds it")
    options = parser.parse_args()
    if subprocess.run([*FIFO, "true"], stderr=subprocess.DEVNULL).returncode:
        print("skipped: SCHED_FIFO needs CAP_SYS_NICE")
        sys.exit(SKIPPED)
    complaints = list(self_test(options.program, options.self_test) if options.self_test else check(options.program))
    sys.exit("\n".join(complaints) if complaints else 0)


def find_planted(program, cases, preload):
    for what in cases:
        if not inverted_runs(program, what, TCP, preload=preload):
            yield f"{what} shows no inversion where nothing inherits priorities: the test sees none"


if __name__ == "__main__":
    main(__doc__, check, lambda program, preload: find_planted(program, PLANTED, preload))
