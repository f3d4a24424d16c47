"""Whether a call of high priority ever waits for one of lower priority ([Levine 2000]): four clients at 20, 10, 5 and 1 Hz,
the most frequent one at the highest priority, each calling an object of its priority. All are due at the same instant
every second. Latency counts from the time at which a call is due, so it climbs like a staircase where priorities
hold. The latency of the call alone depends on which call finds the caches cold, which is the most urgent one. The
paper's degree of inversion is derived from it: its excess over the average of the less urgent clients' calls. Counts
the calls that a less urgent one overtook, or blocked because it was in progress. All servers have the clients'
priorities. Also measures the cost of context switches on this machine, and how many there are in a two-way call."""

import json
import os
import resource
import statistics
import subprocess

from harness.plot import line_chart, write_chart
from harness.process import CLIENT_LIMIT, HOST
from harness.report import fewest, figure, medians, progress, table, us
from harness.variants import OMNIORB, OMNIORB_FAST_CLIENT, OMNIORB_FAST_SERVER, TAKT, Variant

DIRECT = ("-ORBPriorityMapping", "direct")
RATES = ("--levels", "rates")
LANES = Variant("takt", "takt", (*TAKT, *DIRECT, "--priorities", "lanes", *RATES), DIRECT)
ARCHITECTURES = [
    ("reactor-per-priority", LANES),
    ("thread-per-connection", Variant("raw", "raw", ("--priorities", "threads", "--host", HOST, *RATES))),
    ("process-per-priority", Variant("omniorb", "omniorb", (*OMNIORB, *OMNIORB_FAST_SERVER, "--priorities", "processes", *RATES),
                                     OMNIORB_FAST_CLIENT)),
]
FIGURES = ["n", "mean_ns", "stddev_ns", "p50_ns", "p90_ns", "p99_ns", "max_ns", "due_mean_ns"]
FIFO = ("chrt", "-f", "10")


def arguments(parser):
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=10,
                        help="duration of one round; default: %(default)s; 1000 gives the paper's 1,000 calls of the least frequent client")
    parser.add_argument("--faster", type=int, default=1, help="factor on the paper's rates; default: %(default)s")
    parser.add_argument("--plot", metavar="DIR", help="write the charts to this folder, as SVG")


def measure(machine, programs, variants, settings):
    peers = {variant.peer for variant in variants}
    print("server and clients pinned to core 0; SCHED_FIFO 40, 30, 20, 10; servers: a lane, threads or a process for each priority")
    lines = []
    with machine.awake():
        for number in range(settings.rounds):
            for name, variant in ARCHITECTURES:
                if variant.peer not in peers or not programs.built(variant):
                    continue
                progress(f"round {number + 1} of {settings.rounds}, {variant.peer} {name}")
                options = {"faster": settings.faster, "seconds": settings.seconds}
                lines += [{**line, "architecture": name} for line in rates(programs, variant, options)]
    progress("")
    rows = summarize(lines)
    if settings.plot:
        write_plots(settings.plot, rows)
    return rows + switch_times(programs) + [
        {"peer": variant.peer, "architecture": "one client", "metric": "switches per two-way call",
         "switches": switches_per_call(programs, variant)} for variant in variants]


def rates(programs, variant, options):
    with programs.server(variant, {0}) as server:
        return programs.client(variant, server, options, {0}, limit=CLIENT_LIMIT + options["seconds"])


def switch_times(programs):
    text = subprocess.run([programs.path("bench_context_switches")], stdout=subprocess.PIPE, text=True, timeout=120,
                          check=True).stdout
    lines = [json.loads(line) for line in text.splitlines()]
    return [{"peer": "machine", "architecture": "", "metric": line["metric"], "mean_ns": line["mean_ns"],
             "stddev_ns": line["stddev_ns"], "n": line["n"], "switches": line["switches_per_step"]} for line in lines]


def switches_per_call(programs, variant, wrap=FIFO, calls=(1000, 11000)):
    """Context switches of both processes, voluntary or not, as counted by getrusage: the slope between two numbers of
    calls."""
    counts = []
    for count in calls:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with programs.server(variant, {0}, wrap=wrap) as server:
            programs.client(variant, server, {"bare": count, "workload": "octet"}, {0}, wrap=wrap)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        counts.append(after.ru_nvcsw + after.ru_nivcsw - before.ru_nvcsw - before.ru_nivcsw)
    return round((counts[1] - counts[0]) / (calls[1] - calls[0]), 3)


def summarize(lines):
    groups = {}
    for line in lines:
        groups.setdefault((line["peer"], line["architecture"], int(line["rate_hz"]), int(line["priority"])),
                          []).append(line)
    rows = [{**dict(zip(("peer", "architecture", "rate_hz", "priority"), key)), "rounds": len(group),
             **medians(FIGURES, group),
             "jitter": round(statistics.median(line["stddev_ns"] / line["mean_ns"] for line in group), 4),
             **{name: int(sum(line[name] for line in group)) for name in ("overtaken", "blocked")},
             "blocked_longest_ns": max(line["blocked_longest_ns"] for line in group)} for key, group in groups.items()]
    for row in rows:
        lower = [other["mean_ns"] for other in rows if other["priority"] < row["priority"]
                 and (other["peer"], other["architecture"]) == (row["peer"], row["architecture"])]
        row["inversion_ns"] = round(max(0, row["mean_ns"] - statistics.fmean(lower)), 1) if lower else 0
    return rows


def report(rows):
    clients = [row for row in rows if "rate_hz" in row]
    for peer, name in dict.fromkeys((row["peer"], row["architecture"]) for row in clients):
        table(f"{peer} {name}: us by client; its calls that a less urgent one overtook, or blocked, and for how long at most "
              f"({fewest(clients)})",
              ["client", "calls", "call", "jitter", "p50", "p99", "inversion", "from due", "overtaken", "blocked", "longest"],
              [[f"{row['rate_hz']:2} Hz, priority {row['priority']}", figure(row["n"] * row["rounds"]), figure(row["mean_ns"] / 1000),
                f"{row['jitter']:.1%}", us(row, "p50_ns"), us(row, "p99_ns"),
                figure(row["inversion_ns"] / 1000), figure(row["due_mean_ns"] / 1000), row["overtaken"], row["blocked"],
                us(row, "blocked_longest_ns")]
               for row in clients if (row["peer"], row["architecture"]) == (peer, name)])
    table("context switches on this machine", ["metric", "us", "deviation", "switches of a step"],
          [[row["metric"], figure(row["mean_ns"] / 1000), f"{row['stddev_ns'] / row['mean_ns']:.1%}", figure(row["switches"])]
           for row in rows if row["peer"] == "machine"])
    table("context switches of a two-way call, both processes", ["peer", "switches"],
          [[row["peer"], row["switches"]] for row in rows if row.get("metric") == "switches per two-way call"])


def write_plots(folder, rows):
    """Draws figures 3 and 4 of [Levine 2000]: latency by client, which should rise in steps, and jitter."""
    for name, title, unit, factor in (("mean_ns", "latency", "us", 1e-3), ("due_mean_ns", "latency from when due", "us",
                                                                          1e-3), ("jitter", "jitter", "%", 100)):
        series = {}
        for row in sorted(rows, key=lambda row: -row["priority"]):
            steps = series.setdefault(f"{row['peer']} {row['architecture']}", [])
            at = len(steps) // 2  # two points for each step
            steps += [(at, row[name] * factor), (at + 1, row[name] * factor)]
        chart = line_chart(f"four clients of four priorities: {title}", "client: 20, 10, 5, 1 Hz", unit, series,
                           log_x=False, log_y=False)
        write_chart(folder, f"inversion-{title.replace(' ', '-')}.svg", chart)
