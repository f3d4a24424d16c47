"""The cost in time of what watches calls: the flight recorder, tracing of 1 % of the calls, and a pair of interceptors that do nothing, each
in client and server. The ways take turns in each round; the figures are medians over the rounds, and those of each round in relation to
the plain programs' in that round."""

import os
import statistics

from harness.process import scratch
from harness.report import figure, progress, table
from harness.variants import PLACEMENTS, TAKT, Variant

# The workload, the figure, its unit, and the placement.
MEASURED = [("cube_octet", "p50_ns", "ns", PLACEMENTS["same"]), ("cube_octet_t8", "calls_per_s", "calls/s", PLACEMENTS["free"])]


def arguments(parser):
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--calls", type=int, default=20000, help="calls of one round; default: %(default)s")


def ways_in(folder):
    """The options of client and server for each way."""
    recorder = ("-ORBRecorder", "4MiB", "-ORBRecorderFile", os.path.join(folder, "recording.%p"))
    tracing = ("-ORBTracing", "0.01", "-ORBTraceFile", os.path.join(folder, "spans.%p"))
    return {"plain": (), "recorder": recorder, "tracing 1 %": tracing, "interceptors": ("--interceptors", "empty")}


def measure(machine, programs, variants, settings):
    rows = []
    with scratch() as folder:
        ways = ways_in(folder)
        for workload, key, unit, place in MEASURED:
            figures = {name: [] for name in ways}
            for number in range(settings.rounds):
                # Each round begins with another way, so that none profits from its place.
                names = list(ways)
                for name in names[number % len(names):] + names[:number % len(names)]:
                    progress(f"{workload}, round {number + 1} of {settings.rounds}, {name}")
                    variant = Variant("takt", "takt", (*TAKT, *ways[name]), ways[name])
                    figures[name].append(one(programs, variant, workload, key, place, settings))
            rows += [row(workload, unit, name, figures) for name in ways]
    progress("")
    return rows


def one(programs, variant, workload, key, place, settings):
    with programs.server(variant, place.server_cpus) as server:
        return programs.client(variant, server, {"workloads": workload, "seconds": 10, "calls": settings.calls}, place.client_cpus)[0][key]


def row(workload, unit, name, figures):
    ratios = [watched / plain for watched, plain in zip(figures[name], figures["plain"])]
    return {"way": name, "workload": workload, "unit": unit, "median": statistics.median(figures[name]),
            "ratio": round(statistics.median(ratios), 4), "ratio_p25": round(quartile(ratios, 0), 4), "ratio_p75": round(quartile(ratios, 2), 4)}


def quartile(values, which):
    return statistics.quantiles(values, n=4)[which] if len(values) > 1 else values[0]


def report(rows):
    table("what watches calls: medians, and the ratio to the plain programs' figure of the same round",
          ["way", "workload", "median", "unit", "ratio", "from", "to (quartiles)"],
          [[each["way"], each["workload"], figure(each["median"]), each["unit"], each["ratio"], each["ratio_p25"], each["ratio_p75"]]
           for each in rows])
