"""Flows of frames between two devices, beside the same frames over plain UDP sockets and by GStreamer's udpsink, if that is installed:
frames lost, how punctually they are sent, processor time for a frame, and control calls beside full flows.
"""

import os
import subprocess
import sys

from harness import gstreamer
from harness.report import progress, table

OWN_PROGRAMS = True

# Octets of a frame, frames a second of each flow, flows. The last load is more than one core can send: it shows what a flow carries.
LOADS = ((188, 1000, 1), (1316, 1000, 1), (20_000, 200, 1), (200_000, 50, 1), (1_048_576, 10, 1), (20_000, 50, 8), (20_000, 25, 64),
         (1316, 1_000_000, 1))

# Of GStreamer, whose lost packets are counted, but not its frames and its punctuality.
NOT_MEASURED = {name: None for name in ("received", "received_per_s", "left_out_percent", "behind_p50_us", "behind_p99_us", "behind_worst_us",
                                        "jitter_p50_us", "jitter_p99_us", "jitter_worst_us", "call_p99_us")}
MOST_BY_GSTREAMER = 10_000  # frames a second: beyond, it takes long to end


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
        for load in LOADS:
            progress(f"{load[2]} flows with frames of {load[0]} octets, {load[1]} a second")
            rows += of_load(program, load, settings)
    progress("")
    return rows


def of_load(program, load, settings):
    # Runs take turns, so that what else the machine does hits all kinds.
    without = (*load[:2], 0)
    kinds = {"raw": ("raw", load), "takt": ("takt", load), "beside": ("calls", load), "alone": ("calls", without),
             "urgent_beside": ("urgent", load), "urgent_alone": ("urgent", without)}
    runs = {kind: [] for kind in kinds}
    for _ in range(settings.rounds):
        for kind, (how, flows) in kinds.items():
            runs[kind].append(one(program, how, flows, settings))
    raw, takt = median(runs["raw"], "cpu_us"), median(runs["takt"], "cpu_us")
    takt.update({f"{kind}_p99_us": median(runs[kind], "call_p99_us")["call_p99_us"] for kind in kinds if kind not in ("raw", "takt")})
    for kind in ("", "urgent_"):
        takt[f"{kind}ratio"] = round(takt[f"{kind}beside_p99_us"] / takt[f"{kind}alone_p99_us"], 2)
    peers = [("raw", raw), ("takt", takt)]
    if load[2] == 1 and load[1] <= MOST_BY_GSTREAMER and gstreamer.is_there():
        peers.append(("gstreamer", {**NOT_MEASURED, **median([gstreamer.run(load[0], load[1], settings.seconds, settings.packet)
                                                              for _ in range(settings.rounds)], "cpu_us")}))
    return [{"octets": load[0], "rate": load[1], "flows": load[2], "peer": kind, **run, "cpu_ratio": round(run["cpu_us"] / raw["cpu_us"], 2)}
            for kind, run in peers]


def median(runs, key):
    return sorted(runs, key=lambda run: run[key])[len(runs) // 2]


def one(program, kind, load, settings):
    octets, rate, flows = load
    done = subprocess.run([program, kind, str(octets), str(rate), str(flows), str(round(settings.seconds * 1000)), str(settings.packet)],
                          capture_output=True, text=True, check=True)
    sent, received, left_out, cpu, p50, p99, worst, jitter_p50, jitter_p99, jitter_worst, _, call_p99 = map(int, done.stdout.split())
    times = {"behind_p50": p50, "behind_p99": p99, "behind_worst": worst, "jitter_p50": jitter_p50, "jitter_p99": jitter_p99,
             "jitter_worst": jitter_worst, "call_p99": call_p99}
    return {"sent": sent, "received": received, "received_per_s": round(received / settings.seconds),
            "lost_percent": round(100 * max(sent - received, 0) / max(sent, 1), 2),
            "left_out_percent": round(100 * left_out / max(sent + left_out, 1), 2), "cpu_us": round(cpu / max(received, 1) / 1000, 2),
            **{f"{name}_us": round(time / 1000, 1) for name, time in times.items()}}


def report(rows):
    flows = ["octets", "a second", "flows"]
    table("flows", [*flows, "peer", "received a second", "lost %", "left out %", "cpu us", "ratio"],
          shown(rows, "peer", "received_per_s", "lost_percent", "left_out_percent", "cpu_us", "cpu_ratio"))
    table("times of frames, us", [*flows, "peer", "late p50", "p99", "worst", "jitter p50", "p99", "worst"],
          shown([row for row in rows if row["peer"] != "gstreamer"], "peer", "behind_p50_us", "behind_p99_us", "behind_worst_us", "jitter_p50_us",
                "jitter_p99_us", "jitter_worst_us"))
    table("p99 of control calls beside flows and alone, us", [*flows, "beside", "alone", "ratio", "in a lane: beside", "alone", "ratio"],
          shown([row for row in rows if row["peer"] == "takt"], "beside_p99_us", "alone_p99_us", "ratio", "urgent_beside_p99_us",
                "urgent_alone_p99_us", "urgent_ratio"))


def shown(rows, *names):
    cells = [[row[name] for name in ("octets", "rate", "flows", *names)] for row in rows]
    return [[f"{cell:,}" if isinstance(cell, int) else "" if cell is None else cell for cell in row] for row in cells]
