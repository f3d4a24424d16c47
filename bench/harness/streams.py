"""Flows of frames between two devices, beside the same frames over plain UDP sockets and by GStreamer's udpsink, if that is installed:
frames lost, how punctually they are sent, processor time for a frame, and control calls beside full flows.
"""

import os
import subprocess
import sys

from harness import gstreamer
from harness.report import progress, table

OWN_PROGRAMS = True

# Octets of a frame, frames a second of each flow, flows.
LOADS = ((188, 1000, 1), (1316, 1000, 1), (20_000, 200, 1), (200_000, 50, 1), (1_048_576, 10, 1), (20_000, 50, 8), (20_000, 25, 64))

# Of GStreamer, whose lost packets are counted, but not its frames and its punctuality.
NOT_MEASURED = {name: None for name in ("received", "left_out_percent", "behind_p50_us", "behind_p99_us", "behind_worst_us", "call_p50_us",
                                        "call_p99_us")}


def arguments(parser):
    parser.add_argument("--seconds", type=float, default=3, help="length of a run; default: %(default)s")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each kind, of which the median counts; default: %(default)s")
    parser.add_argument("--packet", type=int, default=1232, help="octets of the largest packet; default: %(default)s")


def measure(machine, programs, _variants, settings):
    program = programs.path("bench_streams")
    if not os.path.exists(program):
        sys.exit(f"bench: {program} is not built")
    rows = []
    if not gstreamer.is_there():
        print("bench: without GStreamer (packages gstreamer1.0-tools and gstreamer1.0-plugins-good)", file=sys.stderr)
    with machine.awake():
        quiet = median([one(program, "calls", (1316, 1000, 0), settings) for _ in range(settings.rounds)], "call_p99_us")
        for load in LOADS:
            progress(f"{load[2]} flows with frames of {load[0]} octets, {load[1]} a second")
            rows += of_load(program, load, quiet, settings)
    progress("")
    return rows


def of_load(program, load, quiet, settings):
    # Runs take turns, so that what else the machine does hits both kinds.
    runs = {"raw": [], "takt": [], "calls": []}
    for _ in range(settings.rounds):
        for kind, done in runs.items():
            done.append(one(program, kind, load, settings))
    raw, takt, calls = median(runs["raw"], "cpu_us"), median(runs["takt"], "cpu_us"), median(runs["calls"], "call_p99_us")
    takt["call_p50_us"], takt["call_p99_us"] = calls["call_p50_us"], calls["call_p99_us"]
    peers = [("raw", raw), ("takt", takt)]
    if load[2] == 1 and gstreamer.is_there():
        peers.append(("gstreamer", {**NOT_MEASURED, **median([gstreamer.run(load[0], load[1], settings.seconds, settings.packet)
                                                              for _ in range(settings.rounds)], "cpu_us")}))
    return [{"octets": load[0], "rate": load[1], "flows": load[2], "peer": kind, **run, "cpu_ratio": round(run["cpu_us"] / raw["cpu_us"], 2),
             "call_p99_quiet_us": quiet["call_p99_us"] if kind == "takt" else 0} for kind, run in peers]


def median(runs, key):
    return sorted(runs, key=lambda run: run[key])[len(runs) // 2]


def one(program, kind, load, settings):
    octets, rate, flows = load
    done = subprocess.run([program, kind, str(octets), str(rate), str(flows), str(round(settings.seconds * 1000)), str(settings.packet)],
                          capture_output=True, text=True, check=True)
    sent, received, left_out, cpu, p50, p99, worst, call_p50, call_p99 = map(int, done.stdout.split())
    return {"sent": sent, "received": received, "lost_percent": round(100 * max(sent - received, 0) / max(sent, 1), 2),
            "left_out_percent": round(100 * left_out / max(sent + left_out, 1), 2), "cpu_us": round(cpu / max(received, 1) / 1000, 2), "behind_p50_us": round(p50 / 1000, 1),
            "behind_p99_us": round(p99 / 1000, 1), "behind_worst_us": round(worst / 1000, 1), "call_p50_us": round(call_p50 / 1000, 1),
            "call_p99_us": round(call_p99 / 1000, 1)}


def report(rows):
    table("flows", ["octets", "a second", "flows", "peer", "lost %", "left out %", "cpu us", "ratio", "late p50 us", "p99 us", "worst us", "call p99 us",
                    "without flows"],
          [[f"{row['octets']:,}", *("" if row[name] is None else row[name] for name in
                                    ("rate", "flows", "peer", "lost_percent", "left_out_percent", "cpu_us", "cpu_ratio", "behind_p50_us",
                                     "behind_p99_us", "behind_worst_us")), row["call_p99_us"] or "", row["call_p99_quiet_us"] or ""]
           for row in rows])
