"""Thousands of idle connections to one server: its memory per connection, and whether calls on another connection are as
fast as without them. Each idle connection has had one request answered, so that it is past its start-up."""

import contextlib
import resource
import socket
import struct
import sys

from harness.process import memory_bytes
from harness.report import figure, progress, table
from harness.variants import PLACEMENTS


def arguments(parser):
    parser.add_argument("--connections", type=int, default=10000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.6, help="limit of one measurement")


def measure(machine, programs, variants, settings):
    descriptors = settings.connections + 200
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < descriptors:
        sys.exit(f"bench: {descriptors} descriptors are needed, but the limit is {hard}: see ulimit -Hn")
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    place = PLACEMENTS["same"]
    print(f"same: {place.about}")
    rows = []
    for variant in variants:
        room = {"TAKT_MAX_CONNECTIONS": str(descriptors), "TAKT_IDLE_TIMEOUT": "1h"}
        with programs.server(variant, place.server_cpus, env=room) as server:
            port = port_of(server.endpoint)
            before = [p50(programs, variant, server, settings) for _ in range(settings.rounds)]
            memory = memory_bytes(server.pid)
            with contextlib.ExitStack() as connections:
                for number in range(settings.connections):
                    connections.enter_context(idle_connection(port, variant))
                    if number % 500 == 0:
                        progress(f"{variant.peer}: {number} connections")
                each = (memory_bytes(server.pid) - memory) / settings.connections
                during = [p50(programs, variant, server, settings) for _ in range(settings.rounds)]
        rows.append({"peer": variant.peer, "transport": variant.transport, "workload": "idle",
                     "connections": settings.connections, "p50_alone_ns": min(before),
                     "p50_ns": min(during), "p50_ns_ratio": round(min(during) / min(before), 4),
                     "bytes_per_connection": round(each)})
    progress("")
    return rows


def p50(programs, variant, server, settings):
    options = {"workloads": "cube_octet", "seconds": settings.seconds}
    return programs.client(variant, server, options, PLACEMENTS["same"].client_cpus)[0]["p50_ns"]


def idle_connection(port, variant):
    connection = socket.create_connection(("127.0.0.1", port))
    connection.settimeout(30)
    connection.sendall(raw_request() if variant.program == "raw" else locate_request())
    if not connection.recv(4096):
        sys.exit(f"bench: the server of {variant.peer} closed a connection")
    return connection


def raw_request():
    return struct.pack("<II", 1, 0).ljust(80, b"\0")  # cube_void


def locate_request():
    """A request in GIOP 1.2 with an unknown key."""
    body = struct.pack("<IHxxI", 2, 0, 4) + b"none"
    return b"GIOP\1\2\1\3" + struct.pack("<I", len(body)) + body


def port_of(endpoint):
    """The port in decimal, or from the first IIOP profile of a stringified IOR."""
    if not endpoint.startswith("IOR:"):
        return int(endpoint)
    octets = bytes.fromhex(endpoint[4:])

    def ulong(at, order):
        at += -at % 4
        return struct.unpack_from(order + "I", octets, at)[0], at + 4

    order = "<" if octets[0] else ">"
    length, at = ulong(1, order)
    count, at = ulong(at + length, order)
    for _ in range(count):
        tag, at = ulong(at, order)
        length, at = ulong(at, order)
        if tag == 0:
            profile, inner = octets[at:at + length], "<" if octets[at] else ">"
            host = struct.unpack_from(inner + "I", profile, 4)[0]
            port_at = 8 + host + (8 + host) % 2
            return struct.unpack_from(inner + "H", profile, port_at)[0]
        at += length
    sys.exit("bench: the reference has no IIOP profile")


def report(rows):
    table("idle connections, and the p50 of cube_octet on another one, us",
          ["peer", "connections", "alone", "beside them", "ratio", "bytes each"],
          [[row["peer"], row["connections"], figure(row["p50_alone_ns"] / 1000), figure(row["p50_ns"] / 1000),
            figure(row["p50_ns_ratio"]), figure(row["bytes_per_connection"])] for row in rows])
