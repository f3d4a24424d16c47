"""The cost of finding adapter, servant and operation, by strategy, with one object to a million: the scalability
experiment of the papers that the adapter follows, and three orders of magnitude more.

  alone  prepared requests into the object adapter, in one process: nanoseconds
  count  the same under callgrind: instructions, as the slope between two numbers of calls
  calls  end to end over IIOP, beside omniORB; the ratio is to one object, measured right before

The strategy `handles` is de-layered with GIOPlite: a request has a number, whose table entry leads to servant and
operation. Its `alone` and `count` include finding that entry, and are measured for interfaces of 1,000 operations as well.

`alone` and `count` subtract the cost of a dispatcher that does nothing, and end with an empty servant method. `count`
also reports the cost of the upcall without any lookup: the skeleton, the servant, and the thread's record of the
upcall.
"""

import contextlib
import glob
import json
import re
import statistics
import subprocess
import sys
import tempfile
from dataclasses import replace

from harness.demux_plots import write_plots
from harness.names import add_names
from harness.process import pinned, scratch
from harness.report import figure, progress, table
from harness.variants import LITE_OPTION, PLACEMENTS

STRATEGIES = ["linear", "dynamic", "perfect", "active", "delayered", "handles"]
SERVANTS = [1, 100, 200, 300, 400, 500, 1_000, 10_000, 100_000, 1_000_000]
OPERATIONS, DEPTHS = [1, 10, 100], [1, 5, 20]
THOUSAND = (1000, 1)  # operations and depth, for handles alone
ORDERS = ["train", "round-robin", "random", "worst"]
# With more servants, each call takes hundreds of microseconds, and the trend is clear before.
LINEAR_MOST = 10_000
MANY = 100_000  # from this number of objects on, only the extremes of operations and depths
CORNERS = [(operations, depth) for operations in (1, 100) for depth in (1, 20)]
COUNTED_CALLS = (50, 250)
KEY = ["peer", "strategy", "servants", "operations", "depth", "order"]
PARTS = ["alone", "count", "calls"]
OMNIORB = "dynamic"  # omniORB's active object map is a hash table


def arguments(parser):
    parser.add_argument("--quick", action="store_true", help="a subset, in about a minute")
    parser.add_argument("--plot", metavar="DIR", help="write the charts to this folder, as SVG")
    add_names(parser, "--parts", PARTS, "part")
    add_names(parser, "--strategies", STRATEGIES, "strategy")
    parser.add_argument("--servants", default="", metavar="N,N", help="only these numbers of objects")
    parser.add_argument("--rounds", type=int, default=2, help="rounds of end-to-end calls; the median is reported")
    parser.add_argument("--seconds", type=float, default=0.15, help="limit for each order of calls")


def measure(machine, programs, variants, settings):
    plan = Plan(settings)
    place = PLACEMENTS["same"]
    print(f"same: {place.about}; all programs")
    if "linear" in plan.strategies and max(plan.servants) > LINEAR_MOST:
        print(f"linear: up to {LINEAR_MOST} objects")
    rows = {}
    if any(variant.program == "takt" for variant in variants):
        if "alone" in plan.parts:
            merge(rows, alone(programs, plan, place))
        if "count" in plan.parts:
            merge(rows, counted(programs, plan))
    if "calls" in plan.parts:
        merge(rows, calls(programs, plan, place, variants))
    progress("")
    rows = list(rows.values())
    if settings.plot:
        write_plots(settings.plot, rows)
    return rows


class Plan:
    """Which cells of the cube are measured."""

    def __init__(self, settings):
        self.quick, self.rounds, self.seconds = settings.quick, settings.rounds, settings.seconds
        self.parts, self.strategies = settings.parts, settings.strategies
        chosen = [1, 500, 10_000, 1_000_000] if self.quick else SERVANTS
        self.servants = [int(n) for n in settings.servants.split(",")] if settings.servants else chosen
        if self.quick:
            self.rounds, self.seconds = 1, min(self.seconds, 0.1)

    def servants_of(self, strategy):
        return [n for n in self.servants if strategy != "linear" or n <= LINEAR_MOST]

    def alone(self):
        """strategy, operations, depth, the numbers of servants"""
        for strategy in self.strategies:
            for operations, depth in CORNERS if not self.quick else [(100, 1), (100, 20)]:
                yield strategy, operations, depth, self.servants_of(strategy)
            for operations in OPERATIONS if not self.quick else []:
                for depth in DEPTHS:
                    if (operations, depth) not in CORNERS:
                        yield strategy, operations, depth, [n for n in self.servants_of(strategy) if n < MANY]
            if strategy == "handles":
                yield strategy, *THOUSAND, self.servants_of(strategy)

    def counted(self):
        # Activating a million objects takes long under valgrind.
        extremes = [(1, 1), (100, 20)]
        for strategy in self.strategies:
            cells = extremes if self.quick else CORNERS
            for operations, depth in [*cells, THOUSAND] if strategy == "handles" else cells:
                chosen = [1, 500] if strategy == "linear" or self.quick else [1, 500, 10_000]
                if not self.quick and (operations, depth) in [*extremes, THOUSAND]:
                    chosen.append(1_000_000)
                yield strategy, operations, depth, [n for n in self.servants_of(strategy) if n in chosen]

    def calls(self, strategy):
        """servants, operations, depth, orders"""
        for servants in self.servants_of(strategy):
            yield servants, 10, 1, ORDERS if not self.quick else ["random", "worst"]
        if not self.quick:
            for operations, depth in ((1, 1), (100, 1), (10, 5), (10, 20)):
                yield 500, operations, depth, ["random", "worst"]


def merge(rows, more):
    for row in more:
        rows.setdefault(tuple(row.get(key) for key in KEY), {}).update(row)


def alone(programs, plan, place):
    for strategy, operations, depth, servants in plan.alone():
        progress(f"alone: {strategy}, {operations} operations, depth {depth}")
        yield from run_lookup(programs, strategy, operations, depth, servants, place,
                              ["--budget", "0.002" if plan.quick else "0.005"])


def run_lookup(programs, strategy, operations, depth, servants, place, options, wrap=()):
    command = [*wrap, programs.path("bench_takt_demux_lookup"), "--strategy", strategy, "--operations",
               str(operations), "--depth", str(depth), "--servants", ",".join(map(str, servants)), *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, preexec_fn=pinned(place.client_cpus))
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def counted(programs, plan):
    for strategy, operations, depth, servants in plan.counted():
        progress(f"count: {strategy}, {operations} operations, depth {depth}")
        with scratch() as folder:
            wrap = ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--log-file={folder}/log",
                    f"--callgrind-out-file={folder}/out"]
            rows = run_lookup(programs, strategy, operations, depth, servants, PLACEMENTS["free"],
                              ["--orders", "random,worst", "--counts", ",".join(map(str, COUNTED_CALLS))], wrap)
            dumps = sorted(glob.glob(f"{folder}/out.*"), key=lambda name: int(name.rsplit(".", 1)[1]))
            totals = [total_of(dump) for dump in dumps]
        if len(totals) != 6 * len(rows):
            sys.exit(f"bench: callgrind wrote {len(totals)} counts for {len(rows)} measurements")
        for number, row in enumerate(rows):
            low, high, known_low, known_high, nobody_low, nobody_high = totals[6 * number:6 * number + 6]
            nobody = nobody_high - nobody_low
            yield {**row, "instructions": slope(high - low - nobody),
                   "upcall_instructions": slope(known_high - known_low - nobody)}


def slope(count):
    return round(count / (COUNTED_CALLS[1] - COUNTED_CALLS[0]), 1)


def total_of(dump):
    with open(dump) as file:
        return int(re.search(r"^(?:totals|summary): (\d+)", file.read(), re.MULTILINE)[1])


def calls(programs, plan, place, variants):
    peers = [(variant, strategy) for variant in variants if variant.peer in ("takt", "omniorb-fast")
             for strategy in (plan.strategies if variant.peer == "takt" else [OMNIORB])]
    lines = {}
    for number in range(plan.rounds):
        for variant, strategy in peers:
            for cell, line in round_of_calls(programs, plan, place, variant, strategy, number):
                lines.setdefault((variant.peer, strategy, *cell), []).append(line)
    for key, measured in lines.items():
        row = dict(zip(KEY, key))
        for name in ("p50_ns", "p90_ns", "p99_ns", "p50_ns_ratio", "n", "objects_called"):
            values = [line[name] for line in measured if name in line]
            if values:
                row[name] = round(statistics.median(values), 4)
        yield row


def round_of_calls(programs, plan, place, variant, strategy, number):
    with scratch() as folder:
        with serving(programs, place, variant, strategy, 1, 10, 1, folder) as one:
            for servants, operations, depth, orders in plan.calls(strategy):
                progress(f"calls, round {number + 1} of {plan.rounds}: {variant.peer} {strategy}, "
                         f"{servants} servants")
                with serving(programs, place, variant, strategy, servants, operations, depth, folder) as server:
                    alone_p50 = run_orders(programs, plan, place, variant, strategy, one, 10, ["random"])[0]["p50_ns"]
                    for line in run_orders(programs, plan, place, variant, strategy, server, operations, orders):
                        line["p50_ns_ratio"] = line["p50_ns"] / alone_p50
                        yield (servants, operations, depth, line["workload"]), line


def lite_of(strategy):
    """The options of either side with which requests have numbers."""
    return LITE_OPTION if strategy == "handles" else ()


@contextlib.contextmanager
def serving(programs, place, variant, strategy, servants, operations, depth, folder):
    references = tempfile.mkstemp(dir=folder)[1]
    options = ["--servants", servants, "--operations", operations, "--depth", depth, "--references", references]
    if variant.program == "takt":
        options += ["--strategy", strategy, *lite_of(strategy)]
    demux = replace(variant, program=f"{variant.program}_demux", server=(*variant.server, *map(str, options)))
    with programs.server(demux, place.server_cpus) as server:
        yield server


def run_orders(programs, plan, place, variant, strategy, server, operations, orders):
    demux = replace(variant, program=f"{variant.program}_demux", client=(*variant.client, *lite_of(strategy)))
    options = {"operations": operations, "orders": ",".join(orders), "seconds": plan.seconds}
    return programs.client(demux, server, options, place.client_cpus)


def report(rows):
    cells = {tuple(row[key] for key in KEY): row for row in rows if row["order"] in ORDERS}
    for key, title, scale in (("ns", "demultiplexing alone, ns", 1),
                              ("instructions", "demultiplexing alone, instructions", 1),
                              ("p50_ns", "end to end, p50 in us (ratio to one object)", 1000)):
        for order in ORDERS:
            for operations, depth in ((1, 1), (10, 1), (100, 1), THOUSAND, (10, 20), (100, 20)):
                show(cells, key, title, scale, order, operations, depth)
    upcalls = {row["upcall_instructions"] for row in cells.values() if "upcall_instructions" in row}
    if upcalls:
        print(f"\nThe upcall takes {figure(min(upcalls))} of these instructions, for every servant.")
    made = [row for row in rows if row["order"] == "activation" and row["servants"] == 1_000_000
            and (row["operations"], row["depth"]) == (1, 1)]
    if made:
        table("a million activations", ["strategy", "seconds", "bytes of adapter each"],
              [[row["strategy"], figure(row["seconds_per_million"]), figure(row["bytes_each"])] for row in made])
    if any("ns" in row for row in rows):
        print("\nCache misses are not counted: that needs hardware counters, which virtual machines seldom have.")


def show(cells, key, title, scale, order, operations, depth):
    here = {k: row for k, row in cells.items() if k[3:] == (operations, depth, order) and key in row}
    if not here:
        return
    numbers = sorted({k[2] for k in here})
    lines = []
    for peer, strategy in dict.fromkeys(k[:2] for k in here):
        line = [f"{peer} {strategy}"]
        for servants in numbers:
            row = here.get((peer, strategy, servants, operations, depth, order))
            ratio = f" ({row['p50_ns_ratio']:.2f})" if row and key == "p50_ns" else ""
            line.append(figure(row[key] / scale) + ratio if row else "-")
        lines.append(line)
    table(f"{title}: {order}, {operations} operations, depth {depth}", ["objects", *map(str, numbers)], lines)
