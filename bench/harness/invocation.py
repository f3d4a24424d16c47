"""Calls by generated stubs, compiled (sii) or interpreted, and by dynamic requests, sent again (dii-reused), made for each
call (dii-new), or made for each call and deferred: the data of the bench ttcp, to 1 to 500 servants, with a reply (twoway) and without one (oneway).

Counts are user-space instructions per call of each side, by callgrind, with the fewest servants and the fewest and most
units. Times are medians over the rounds. The time of a oneway call is the time until the server has received a whole row,
divided by the number of calls. The whitebox part groups the instructions of a call with the most BinStructs by function."""

import functools
from dataclasses import replace

from harness import ttcp, whitebox
from harness.costs import SIDES, instructions_of
from harness.invocation_plots import write_plots
from harness.machine import ALL_CPUS
from harness.names import add_names
from harness.process import CLIENT_LIMIT, scratch
from harness.report import fewest, figure, progress, table
from harness.variants import PLACEMENTS

INVOCATIONS = ["sii", "interpreted", "dii-reused", "dii-new", "deferred"]
PARTS = ["counts", "times", "whitebox"]
QUICK = {"parts": ["counts"], "types": ["octet", "BinStruct"], "units": ["1", "1024"], "servants": ["1"]}
KEY = ["peer", "invocation", "direction", "workload", "units", "servants"]
# By number of units: calls of the two runs under callgrind.
COUNTED = {"few": (200, 1200), "many": (100, 300)}
MANY_UNITS = 100
# In the names of the programs: this bench calls the servers of ttcp.
SERVER, CLIENT = "ttcp", "invocation"


def arguments(parser):
    add_names(parser, "--parts", PARTS, "part")
    parser.add_argument("--quick", action="store_true", help="only the instructions of calls with 1 and 1,024 octets and BinStructs")
    add_names(parser, "--invocations", INVOCATIONS, "invocation")
    parser.add_argument("--functions", type=int, default=0, metavar="N", help="whitebox: also show the N functions with the most instructions")
    ttcp.arguments(parser)


def measure(machine, programs, variants, settings):
    if settings.quick:
        vars(settings).update(QUICK)
    chosen = [replace(variant, program=f"{variant.program}_{CLIENT}") for variant in variants if variant.peer in ttcp.PEERS]
    chosen = [variant for variant in chosen if programs.usable(variant)]
    rows = counts(programs, chosen, settings) if "counts" in settings.parts else []
    if "times" in settings.parts:
        rows = joined(rows, times(machine, programs, chosen, settings))
    if "whitebox" in settings.parts:
        rows += groups(programs, chosen, settings)
    progress("")
    if settings.plot:
        write_plots(settings.plot, rows)
    return rows


def calls_of(variant, settings):
    """The pairs of invocation and direction that this peer has. omniORB has no interpreted stubs and refuses to send a
    request again, and a deferred request waits for its reply."""
    return [(invocation, direction) for invocation in settings.invocations for direction in settings.strategies
            if (invocation, direction) != ("deferred", "oneway")
            and not (invocation in ("interpreted", "dii-reused") and variant.peer.startswith("omniorb"))]


def of_invocation(variant, invocation):
    """The variant's programs for an invocation, and its name there: interpreted stubs are in programs of their own."""
    if invocation != "interpreted":
        return variant, invocation
    return replace(variant, program=variant.program.replace("takt", "interpreted")), "sii"


def run_bare(programs, variant, cell, calls, wrap=lambda side: (), cpus=ALL_CPUS):
    """Makes `calls` calls of one kind; `wrap` returns the tool for each side."""
    invocation, direction, workload, units, servants = cell
    variant, invocation = of_invocation(variant, invocation)
    with scratch() as folder, serving(programs, variant, cpus, servants, folder, wrap("server")) as server:
        programs.client(variant, server, {"invocation": invocation, "bare": calls, "types": workload, "units": units,
                                          "strategies": direction}, cpus, wrap=wrap("client"))


def serving(programs, variant, cpus, servants, folder, wrap=()):
    return ttcp.serving(programs, replace(variant, program=variant.program.replace(CLIENT, SERVER)), cpus, servants, folder, wrap)


def counted_cells(variant, settings):
    units = sorted(settings.units, key=int)
    sizes = dict.fromkeys((units[0], units[-1]))
    for workload in settings.types:
        for count in ["0"] if workload == "none" else sizes:
            for invocation, direction in calls_of(variant, settings):
                yield invocation, direction, workload, count, min(settings.servants, key=int)


def counts(programs, variants, settings):
    rows = []
    for variant in variants:
        for cell in counted_cells(variant, settings):
            progress(f"counting {variant.peer}, {', '.join(cell)}")
            counted = count(programs, variant, cell)
            rows += [{**row_of(variant.peer, cell), "side": side, "instructions": counted[side]} for side in SIDES]
    return rows


def count(programs, variant, cell):
    """The instructions of each side per call."""
    few, many = COUNTED["many" if int(cell[3]) > MANY_UNITS else "few"]
    run = functools.partial(run_bare, programs, variant, cell)
    low, high = instructions_of(run, few), instructions_of(run, many)
    return {side: round((high[side]["instructions"] - low[side]["instructions"]) / (many - few), 1) for side in SIDES}


def row_of(peer, cell):
    *names, units, servants = cell
    return dict(zip(KEY, (peer, *names, int(units), int(servants))))


def times(machine, programs, variants, settings):
    groups = {}
    for place_name, place, servants, variant in ttcp.runs(machine, variants, settings):
        for invocation, direction in calls_of(variant, settings):
            progress(f"{place_name}, {servants} servants, {variant.peer}, {invocation}, {direction}")
            own, name = of_invocation(variant, invocation)
            with scratch() as folder, serving(programs, own, place.server_cpus, servants, folder) as server:
                lines = programs.client(own, server, {"invocation": name, "strategies": direction,
                                                          "types": ",".join(settings.types), "units": ",".join(settings.units),
                                                          "calls": settings.calls, "seconds": settings.seconds},
                                        place.client_cpus, limit=2 * CLIENT_LIMIT)
            for line in lines:
                cell = (invocation, direction, line["type"], line["units"], line["servants"])
                groups.setdefault((place_name, *row_of(variant.peer, cell).values()), []).append(line)
    return [{"placement": key[0], **dict(zip(KEY, key[1:])), "side": "client", "rounds": len(lines), **ttcp.medians_of(lines)}
            for key, lines in groups.items()]


def joined(counted, timed):
    """The timed rows with the instructions of the same call, and the counted rows that have no time."""
    def key(row):
        return tuple(row[name] for name in (*KEY, "side"))
    instructions = {key(row): row["instructions"] for row in counted}
    both = [{**row, "instructions": instructions[key(row)]} if key(row) in instructions else row for row in timed]
    known = {key(row) for row in timed}
    return [*both, *(row for row in counted if key(row) not in known)]


def groups(programs, variants, settings):
    rows = []
    for variant in variants:
        for invocation, direction in calls_of(variant, settings):
            cell = (invocation, direction, "BinStruct", max(settings.units, key=int), "1")
            progress(f"profiling {variant.peer}, {invocation}, {direction}")
            run = functools.partial(run_bare, programs, variant, cell)
            instructions = whitebox.slope(COUNTED["many"], lambda calls: whitebox.counted(run, calls))
            for side in SIDES:
                rows += [{**row_of(variant.peer, cell), "side": side, **group} for group in whitebox.shares(instructions[side])]
                if settings.functions:
                    whitebox.show_functions(f"{variant.peer}, {invocation}, {direction}, {side}", instructions[side], settings.functions)
    return rows


def report(rows):
    report_counts([row for row in rows if "instructions" in row and "group" not in row])
    report_times([row for row in rows if "placement" in row])
    report_groups([row for row in rows if "group" in row])


def report_counts(rows):
    for workload, units in dict.fromkeys((row["workload"], row["units"]) for row in rows):
        own = [row for row in rows if (row["workload"], row["units"]) == (workload, units)]
        seen = {(row["peer"], row["invocation"], row["direction"], row["side"]): row["instructions"] for row in own}
        lines = []
        for peer, invocation, direction in dict.fromkeys(key[:3] for key in seen):
            cells = []
            for side in SIDES:
                value, stub = seen.get((peer, invocation, direction, side)), seen.get((peer, "sii", direction, side))
                cells += [figure(value), f"{value / stub:.2f}" if value and stub else "-"]
            lines.append([f"{peer}, {invocation}, {direction}", *cells])
        table(f"instructions per call, {workload} x {units}, and their ratio to sii's",
              ["peer", *(f"{side}{what}" for side in SIDES for what in ("", " ratio"))], lines)


def report_times(rows):
    for placement, direction in dict.fromkeys((row["placement"], row["direction"]) for row in rows):
        here = [row for row in rows if (row["placement"], row["direction"]) == (placement, direction)]
        for servants in dict.fromkeys((min(row["servants"] for row in here), max(row["servants"] for row in here))):
            own = [row for row in here if row["servants"] == servants]
            sizes = sorted({row["units"] for row in own})
            cells = {(row["peer"], row["invocation"], row["workload"], row["units"]): row for row in own}
            names = dict.fromkeys(key[:3] for key in cells)
            table(f"{placement}, {direction}, servants: {servants}: us per call, by units ({fewest(own)})", ["peer", *map(str, sizes)],
                  [[", ".join(name), *(figure(ttcp.shown(cells[*name, size])) if (*name, size) in cells else "-" for size in sizes)]
                   for name in names])


def report_groups(rows):
    for peer, direction in dict.fromkeys((row["peer"], row["direction"]) for row in rows):
        own = [row for row in rows if (row["peer"], row["direction"]) == (peer, direction)]
        columns = [(invocation, side) for invocation in dict.fromkeys(row["invocation"] for row in own) for side in SIDES]
        cells = {(row["invocation"], row["side"], row["group"]): row for row in own}
        names = [name for name in dict.fromkeys(row["group"] for row in own) if any(cells[*column, name]["instructions"] for column in columns)]
        table(f"{peer}, {direction}, a call with {own[0]['units']} BinStructs: instructions, and their share",
              ["functions", *(f"{invocation} {side}" for invocation, side in columns)],
              [[name, *(f"{figure(cells[*column, name]['instructions'])} ({cells[*column, name]['share']:.0%})" for column in columns)]
               for name in names])
