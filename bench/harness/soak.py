"""A long run of calls in twenty parts: memory, descriptors and latency must not grow from the first to the last."""

import json
import os

from harness.process import memory_bytes
from harness.report import figure, progress, table, us
from harness.variants import PLACEMENTS


def arguments(parser):
    parser.add_argument("--calls", type=int, default=1_000_000)


def measure(machine, programs, variants, settings):
    place = PLACEMENTS["same"]
    print(f"same: {place.about}")
    rows = []
    for variant in variants:
        with programs.server(variant, place.server_cpus) as server:
            client = programs.start_client(variant, server, {"soak": settings.calls}, place.client_cpus)
            try:
                for line in client.stdout:
                    row = json.loads(line)
                    for side, pid in (("client", client.pid), ("server", server.pid)):
                        row[f"{side}_memory_bytes"] = memory_bytes(pid)
                        row[f"{side}_descriptors"] = descriptors(pid)
                    rows.append(row)
                    progress(f"{variant.peer}: part {len(rows) % 20} of 20")
            finally:
                client.kill()
                client.wait()
    progress("")
    return rows


def descriptors(pid):
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:  # the process is ending
        return None


def report(rows):
    shown = []
    for peer in dict.fromkeys(row["peer"] for row in rows):
        parts = [row for row in rows if row["peer"] == peer]
        for name, row in (("second", parts[1]), ("last but one", parts[-2])):
            shown.append([peer, name, us(row, "p50_ns"), us(row, "p99_ns"),
                          *(figure((row[f"{side}_memory_bytes"] or 0) / 1024) for side in ("client", "server")),
                          *(row[f"{side}_descriptors"] for side in ("client", "server"))])
    table("soak: the second of twenty parts and the last but one", ["peer", "part", "p50, us", "p99, us", "client KiB", "server KiB",
                                                 "client fds", "server fds"], shown)
