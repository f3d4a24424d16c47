#!/usr/bin/env python3
"""The time probes: perf and bpftrace find a site for every step of the papers, and a call passes each step once, in
order, in client and server, by the ORB's own record."""

import argparse
import json
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "bench"))

from harness.process import Programs, scratch  # noqa: E402
from harness.probes import CLIENT, SERVER, calls_in, probed  # noqa: E402

SITES = {
    "client": {"client_get_reference", "client_initialize", "client_messaging_send", "client_marshal",
               "client_transport_send", "client_io", "client_transport_receive", "client_messaging_receive",
               "client_demarshal", "client_done"},
    "server": {"server_io", "server_transport_receive", "server_messaging_receive", "server_parse_key",
               "server_poa_demux", "server_servant_demux", "server_operation_demux", "server_upcall",
               "server_messaging_send", "server_transport_send", "server_done"},
}
CALLS = 500


def check_sites(programs):
    text = subprocess.run(["readelf", "-nW", programs.path("bench_takt_server")], capture_output=True, text=True,
                          check=True).stdout
    found = set(re.findall(r"Provider: takt\s+Name: (\w+)", text))
    missing = (SITES["client"] | SITES["server"]) - found
    print(f"sites: {len(found)}, missing: {sorted(missing)}")
    return [f"no site takt:{name}" for name in sorted(missing)]


def check_record(programs, folder):
    probed(programs, folder, ("-ORBServerConcurrency", "reactive"), {"bare": CALLS, "workload": "octet"})
    for side, titles in (("client", CLIENT), ("server", SERVER)):
        with open(os.path.join(folder, f"{side}.json")) as file:
            calls = calls_in(json.load(file))
        whole = [call for call in calls if sorted(call["steps"]) == sorted(titles)]
        print(f"{side}: {len(calls)} calls, {len(whole)} of them with each of the {len(titles)} steps once")
        if len(whole) < CALLS:
            yield f"{side}: {len(whole)} whole calls of {CALLS}"
        for call in whole:
            # Exact to the nanosecond, except for rounding of microseconds.
            if abs(sum(call["durations"]) - call["duration"]) > 0.01 or call["operation"] != "cube_octet":
                yield f"{side}: the steps of a call are not the call: {call}"
                break


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build-dir", required=True)
    programs = Programs(parser.parse_args().build_dir)
    with scratch() as folder:
        complaints = [*check_sites(programs), *check_record(programs, folder)]
    sys.exit("\n".join(complaints) if complaints else 0)


if __name__ == "__main__":
    main()
