#!/usr/bin/env python3
"""Packets have the DSCP of their calls' priority or class in both directions, observed with tshark for lanes, bands and
classes over IPv4 and IPv6; and on a link of limited rate with priority queues, a saturated low class delays the urgent one's 99th percentile by at most half."""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import time
from types import SimpleNamespace

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "bench"))

from harness import network  # noqa: E402
from harness.process import announced, scratch  # noqa: E402

SKIPPED = 77
CALLS, ROUNDS, MOST_RATIO = 1000, 3, 1.5
LEAST_RATIO_WITHOUT = 5  # without marking
# A packet in transmission delays all others, so packets are small: short compared with a call.
RATE, MTU, BURST = "20mbit", 576, "640"
LOW, URGENT = 8, 46
MARKED = ("-ORBTrafficClasses", f"10={LOW},40={URGENT}", "-ORBQualityTrafficClass", "on")
# Small buffers, so that the flood ends quickly.
COMMON = ("-ORBPriorityMapping", "direct", "-ORBSendBuffer", "64KiB", "-ORBReceiveBuffer", "64KiB")
LANES = ("-ORBLanes", "10=4,40=1")
CLIENTS_V6, SERVERS_V6 = "fd77::1", "fd77::2"
# The code points of packets, by a server's command and the client's calls. Classes: burst of importance 3, isochronous of 2.
KINDS = {("server", "calls"): (LOW, URGENT), ("banded", "calls"): (LOW, URGENT), ("server", "classes"): (10, 36)}


def missing():
    if os.geteuid() != 0 or not shutil.which("ip") or not shutil.which("tc"):
        return "network namespaces take root, ip and tc"
    return None


def shape(name, link=None):
    """Sets up a rate limit with priority queues; returns what is missing for it."""
    for command in (["ip", "link", "set", "dev", name, "mtu", str(MTU)],
                    ["tc", "qdisc", "replace", "dev", name, "root", "handle", "1:", "tbf", "rate", RATE, "burst", BURST,
                     "limit", "1mb"],
                    ["tc", "qdisc", "replace", "dev", name, "parent", "1:1", "handle", "10:", "pfifo_fast"]):
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, preexec_fn=link.join_servers if link else None)
        if done.returncode:
            return f"{' '.join(command)}: {done.stderr.strip()}"
    return None


class Programs:
    def __init__(self, program, link, marked, served="server", address=network.SERVERS):
        self.program, self.options = program, (*COMMON, *(MARKED if marked else ()))
        endpoint = ("-ORBListenEndpoints", f"iiop://{f'[{address}]' if ':' in address else address}:0")
        lanes = LANES if served == "server" else ()
        self.server = subprocess.Popen([program, served, *endpoint, *lanes, *self.options], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, text=True, preexec_fn=link.join_servers)

    def __enter__(self):
        self.reference = announced(self.server, "the server did not start")
        return self

    def __exit__(self, *_):
        self.server.stdin.close()
        try:
            self.server.wait(20)
        except subprocess.TimeoutExpired:
            self.server.kill()
            self.server.wait()

    def client(self, what, *arguments):
        return subprocess.run([self.program, what, self.reference, *map(str, arguments), *self.options], check=True,
                              stdout=subprocess.PIPE, text=True, timeout=60).stdout


def seen_of(calls, folder):
    """The code points of each connection's packets with data, by direction; None if recording is impossible."""
    capture = os.path.join(folder, "capture")
    recorder = subprocess.Popen(["dumpcap", "-q", "-i", "clients", "-f", "tcp", "-w", capture], stderr=subprocess.PIPE, text=True)
    try:
        while "File:" not in (line := recorder.stderr.readline()):
            if not line:
                return None
        calls()
        time.sleep(0.5)
    finally:
        recorder.terminate()
        recorder.communicate(timeout=10)
    fields = ("tcp.stream", "ip.src", "ipv6.src", "ip.dsfield.dscp", "ipv6.tclass.dscp")
    shown = subprocess.run(["tshark", "-r", capture, "-T", "fields", *(word for field in fields for word in ("-e", field)),
                            "-Y", "tcp.len > 0"], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                           timeout=60).stdout
    seen = {}
    for stream, source, dscp in map(str.split, shown.splitlines()):
        way = "requests" if source in (network.CLIENTS, CLIENTS_V6) else "replies"
        seen.setdefault(int(stream), {}).setdefault(way, set()).add(int(dscp))
    return [seen[stream] for stream in sorted(seen)]


def wrong_on_the_wire(program, link, marked, rows):
    """The faults found in calls of the rows, which are (server, calls, address); empty if there are none. If it could not
    look, prints the reason."""
    if not shutil.which("dumpcap") or not shutil.which("tshark"):
        print("skipped: tshark is not installed")
        return None

    def calls():
        for served, what, address in rows:
            with Programs(program, link, marked, served, address) as programs:
                programs.client(what, 20)

    with scratch() as folder:
        seen = seen_of(calls, folder)
    if seen is None:
        print("skipped: the link cannot be recorded")
        return None
    wrong = [] if len(seen) == 2 * len(rows) else [f"{len(seen)} connections, not {2 * len(rows)}: {seen}"]
    for i, (served, what, address) in enumerate(rows):
        found = sorted(seen[2 * i:2 * i + 2], key=str)
        print(f"tshark: {served}, {what}, {address}: {found}", flush=True)
        wanted = [{"requests": {dscp}, "replies": {dscp}} for dscp in KINDS[served, what]]
        if found != sorted(wanted, key=str):
            wrong.append(f"{served}, {what}, {address}: connections are not marked as {wanted}")
    return "\n".join(wrong)


def add_addresses(link):
    """IPv6 on the link; returns why there is none."""
    for name, address, enter in (("clients", CLIENTS_V6, None), ("servers", SERVERS_V6, link.join_servers)):
        done = subprocess.run(["ip", "address", "add", f"{address}/64", "dev", name, "nodad"], stderr=subprocess.PIPE,
                              text=True, preexec_fn=enter)
        if done.returncode:
            return done.stderr.strip()
    return None


def ratio_of(programs, calls, rounds):
    ratios = []
    for line in programs.client("rounds", calls, rounds).splitlines():
        quiet, busy = map(float, line.split())
        ratios.append(busy / quiet)
        print(f"p99 of {calls} calls: {quiet / 1000:.2f} ms, beside the flood {busy / 1000:.2f} ms, {ratios[-1]:.2f}", flush=True)
    return statistics.median(ratios)


def shaped(link):
    if reason := shape("clients") or shape("servers", link):
        print(f"skipped: {reason}")
        sys.exit(SKIPPED)


# The link is shaped later, since IPv6 does without an MTU below 1280.
def check(program, link):
    addresses = [network.SERVERS, SERVERS_V6]
    if reason := add_addresses(link):
        print(f"skipped: IPv6: {reason}")
        addresses.pop()
    yield wrong_on_the_wire(program, link, True, [(*kind, address) for kind in KINDS for address in addresses])
    shaped(link)
    with Programs(program, link, marked=True) as programs:
        if (ratio := ratio_of(programs, CALLS, ROUNDS)) > MOST_RATIO:
            yield f"the flood makes the urgent p99 {ratio:.2f} of the quiet link's, which may be {MOST_RATIO}"


def self_test(program, link):
    for kind in KINDS:
        if wrong_on_the_wire(program, link, False, [(*kind, network.SERVERS)]) == "":
            yield f"{kind}: without marking, connections look as with it"
    shaped(link)
    with Programs(program, link, marked=False) as programs:
        if (ratio := ratio_of(programs, 200, 1)) < LEAST_RATIO_WITHOUT:
            yield f"without marking the flood makes the urgent p99 {ratio:.2f} of the quiet link's: the test sees nothing"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--self-test", action="store_true", help="without marking, both checks must fail")
    settings = parser.parse_args()
    if reason := missing():
        print(f"skipped: {reason}")
        sys.exit(SKIPPED)
    settings_of_link = SimpleNamespace(network="veth", link_rate=RATE, delay="", loss="")
    _, link = network.enter("reno", settings_of_link)
    what = self_test if settings.self_test else check
    if wrong := list(filter(None, what(settings.program, link))):
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
