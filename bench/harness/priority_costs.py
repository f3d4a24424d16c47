"""The cost of a request in lock operations, allocations, calls of futex and context switches (figures 22 and 23 of
[Schmidt 2001]), by architecture: for one client alone, and for the experiment's clients, with ten low-priority clients calling
back to back.

Every figure is a slope: the difference between two runs of different length, divided by the difference of their
numbers of calls, so that the cost of starting and stopping cancels out."""

import os
import resource
import shutil
import struct
import subprocess

from harness.costs import PRELOADED, SIDES, waits
from harness.plot import bar_chart, write_chart
from harness.process import scratch
from harness.report import figure, progress, table

LOW_CLIENTS = 10
ALONE = [{"bare": calls, "workload": "octet", "at": 40} for calls in (1000, 6000)]
BESIDE = [{"low-clients": LOW_CLIENTS, "variant": "saturated", "seconds": seconds} for seconds in (0.5, 2.5)]
WORKLOADS = {"alone": (0, ALONE), "saturated": (LOW_CLIENTS, BESIDE)}
STRACE = ("strace", "-f", "--seccomp-bpf", "-c", "-e", "trace=futex")


def measure(programs, architectures):
    rows = []
    if not shutil.which(STRACE[0]):
        print("skipped: calls of futex, because strace is not installed")
    for architecture in architectures:
        for variant, (low_clients, runs) in WORKLOADS.items():
            progress(f"counting {architecture}, {variant}")
            try:
                costs = costs_of(programs, architecture.variant, runs)
            except (RuntimeError, subprocess.TimeoutExpired) as failure:
                progress("")
                print(f"skipped: the costs of {architecture}, {variant}: {failure}")
                continue
            rows += [{"peer": architecture.variant.peer, "architecture": architecture.name, "variant": variant,
                      "low_clients": low_clients, "side": side, **costs[side]} for side in SIDES]
    return rows


def costs_of(programs, variant, runs):
    """The costs by side; context switches are those of both processes together."""
    costs = {side: {} for side in SIDES}
    slopes = [preloaded, traced] if shutil.which(STRACE[0]) else [preloaded]
    for count in slopes:
        (few, before), (many, after) = (count(programs, variant, options) for options in runs)
        for side in SIDES:
            for name, value in after[side].items():
                costs[side][name] = round(max(0, value - before[side][name]) / max(1, many - few), 3)
    return costs


def calls_of(programs, variant, options, **how):
    with programs.server(variant, {1}, **{name: each("server") for name, each in how.items()}) as server:
        lines = programs.client(variant, server, options, {0}, **{name: each("client") for name, each in how.items()})
    return sum(line["n"] for line in lines)


def preloaded(programs, variant, options):
    library = programs.path("libtakt_preload_counter.so")
    with scratch() as folder:
        switched = switches()
        calls = calls_of(programs, variant, options,
                         env=lambda side: {"LD_PRELOAD": library, "TAKT_COUNTS": os.path.join(folder, side)})
        switched = switches() - switched
        counts = {}
        for side in SIDES:
            with open(os.path.join(folder, side), "rb") as file:
                counts[side] = {**dict(zip(PRELOADED, struct.unpack(f"{len(PRELOADED)}Q", file.read()))),
                                "context_switches": switched}
    return calls, counts


def switches():
    """Context switches, voluntary or not, of all children that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_nvcsw + usage.ru_nivcsw


def traced(programs, variant, options):
    """Only futex stops the programs here, so that they wait for each other as they would without tracing."""
    with scratch() as folder:
        calls = calls_of(programs, variant, options,
                         wrap=lambda side: (*STRACE, "-o", os.path.join(folder, side)))
        counts = {}
        for side in SIDES:
            with open(os.path.join(folder, side)) as file:
                lines = [line.split() for line in file]
            counts[side] = {"futex_calls": sum(int(line[3]) for line in lines if line and line[-1] == "futex")}
    return calls, counts


def locks(row):
    return row["lock_operations"] + waits(row)


def report(rows):
    for variant, low_clients in dict.fromkeys((row["variant"], row["low_clients"]) for row in rows):
        sides = {}
        for row in rows:
            if row["variant"] == variant:
                sides.setdefault(f"{row['peer']} {row['architecture']}", {})[row["side"]] = row
        beside = f", beside {low_clients} low-priority clients" if low_clients else ", one client"
        table(f"per request{beside}: client + server",
              ["peer", "locks", "allocations", "futex calls", "context switches of both"],
              [[name, both(pair, locks), both(pair, lambda row: row["allocations"]),
                both(pair, lambda row: row.get("futex_calls")), figure(pair["client"]["context_switches"])]
               for name, pair in sides.items()])


def both(pair, of):
    return " + ".join(figure(of(pair[side])) for side in SIDES)


def write_plots(folder, rows):
    """Draws figures 22 and 23 of [Schmidt 2001], with allocations and context switches. Costs that are zero everywhere are not
    drawn."""
    by_side = {"locks": ("lock, condition and semaphore operations", locks),
               "allocations": ("heap allocations", lambda row: row["allocations"]),
               "futexes": ("calls of futex", lambda row: row.get("futex_calls"))}
    named = {}
    for row in rows:
        named.setdefault(f"{row['peer']} {row['architecture']}", []).append(row)
    for name, (title, of) in by_side.items():
        groups = {group: {bar(row): of(row) for row in same if of(row) is not None} for group, same in named.items()}
        if any(value >= 0.01 for bars in groups.values() for value in bars.values()):
            write_chart(folder, f"priority-costs-{name}.svg", bar_chart(f"{title} per request", "", groups))
    switched = {group: {row["variant"]: row["context_switches"] for row in same} for group, same in named.items()}
    if switched:
        write_chart(folder, "priority-costs-switches.svg",
                    bar_chart("context switches per request, of client and server", "", switched))


def bar(row):
    return f"{row['side']}, {row['variant']}"
