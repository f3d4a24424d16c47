"""The cost of one two-way call to each side, independent of timing: user-space instructions, allocations, lock
operations and system calls.

Every figure is a slope: the difference between two runs divided by the difference of their numbers of calls, so that
the cost of starting and stopping cancels out.
"""

import functools
import os
import re
import struct

from harness.machine import ALL_CPUS
from harness.names import add_names
from harness.process import scratch
from harness.report import figure, progress, table

WORKLOADS = ["void", "octet", "string", "structs"]
SIDES = ["client", "server"]
# Numbers of calls under callgrind, and under the counters that slow a program less.
CALLGRIND_CALLS = {"structs": (100, 300)}
COUNTED_CALLS = {"structs": (200, 1000)}
# The order of counters in bench/tools/preload_counter.cpp.
PRELOADED = ("allocations", "lock_operations", "condition_operations", "semaphore_operations", "futex_operations")
KEYS = ["instructions", "allocations", "lock_operations", "waits", "syscalls"]


def arguments(parser):
    add_names(parser, "--workloads", WORKLOADS, "workload")


def measure(machine, programs, variants, settings):
    rows = []
    for variant in variants:
        for workload in settings.workloads:
            progress(f"counting {variant.peer}, {workload}")
            rows += costs_of(programs, variant, workload)
    progress("")
    return rows


def costs_of(programs, variant, workload, tools=("callgrind", "preload", "strace")):
    """A row for each side."""
    figures = {side: {} for side in SIDES}
    for tool in tools:
        calls = calls_under(tool, variant, workload)
        low, high = (TOOLS[tool](programs, variant, workload, count) for count in calls)
        for side in SIDES:
            for key, value in high[side].items():
                slope = max(0, value - low[side].get(key, 0)) / (calls[1] - calls[0])
                figures[side][key] = round(slope, 2)
    return [{"peer": variant.peer, "transport": variant.transport, "workload": workload, "side": side,
             **figures[side]} for side in SIDES]


def calls_under(tool, variant, workload):
    if tool == "callgrind":
        return CALLGRIND_CALLS.get(workload, (500, 2500))
    few, many = COUNTED_CALLS.get(workload, (1000, 6000))
    # Over shared memory, it varies from run to run which side sleeps when, and so does the cost of a call.
    # The difference between two runs of many calls would be noise.
    return (1, many) if tool == "strace" and variant.transport == "shm" else (few, many)


def run_bare(programs, variant, workload, calls, wrap=lambda side: (), env=lambda side: {}, cpus=ALL_CPUS):
    """Makes `calls` calls; `wrap` and `env` return the tool and the environment for each side."""
    with programs.server(variant, cpus, wrap=wrap("server"), env=env("server")) as server:
        programs.client(variant, server, {"bare": calls, "workload": workload}, cpus,
                        wrap=wrap("client"), env=env("client"))


def under_callgrind(programs, variant, workload, calls):
    return instructions_of(functools.partial(run_bare, programs, variant, workload), calls)


def instructions_of(run, calls):
    """The instructions of each side in a run with that many calls."""
    with scratch() as folder:
        run(calls, wrap=lambda side: ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                                      f"--log-file={folder}/{side}"))
        counts = {}
        for side in SIDES:
            with open(os.path.join(folder, side)) as file:
                counts[side] = {"instructions": int(re.search(r"Collected\s*: (\d+)", file.read())[1])}
    return counts


def under_preload(programs, variant, workload, calls):
    library = programs.path("libtakt_preload_counter.so")
    with scratch() as folder:
        run_bare(programs, variant, workload, calls,
                 env=lambda side: {"LD_PRELOAD": library, "TAKT_COUNTS": os.path.join(folder, side)})
        counts = {}
        for side in SIDES:
            with open(os.path.join(folder, side), "rb") as file:
                counts[side] = dict(zip(PRELOADED, struct.unpack(f"{len(PRELOADED)}Q", file.read())))
    return counts


def under_strace(programs, variant, workload, calls):
    with scratch() as folder:
        run_bare(programs, variant, workload, calls,
                 wrap=lambda side: ("strace", "-f", "-c", "-o", os.path.join(folder, side)))
        counts = {}
        for side in SIDES:
            with open(os.path.join(folder, side)) as file:
                lines = [line.split() for line in file]
            # Columns: % time, seconds, usecs/call, calls, errors (may be empty), name.
            by_name = {line[-1]: int(line[3]) for line in lines
                       if len(line) in (5, 6) and line[3].isdigit()}
            counts[side] = {"syscalls": by_name.get("total", 0), "futex_calls": by_name.get("futex", 0)}
    return counts


TOOLS = {"callgrind": under_callgrind, "preload": under_preload, "strace": under_strace}


def waits(row):
    """Operations of conditions, semaphores and futexes, which wait for another thread or wake one."""
    kinds = [row[key] for key in PRELOADED[2:] if key in row]
    return round(sum(kinds), 2) if kinds else None


def report(rows):
    rows = [{**row, "waits": waits(row)} for row in rows]
    for workload in dict.fromkeys(row["workload"] for row in rows):
        table(f"per two-way call, {workload}", ["peer", "side", *KEYS],
              [[row["peer"], row["side"], *(figure(row.get(key)) for key in KEYS)]
               for row in rows if row["workload"] == workload])
