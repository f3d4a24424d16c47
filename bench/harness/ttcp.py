"""The enhanced TTCP of [Gokhale 1998]: sequences of shorts, characters, longs, octets, doubles and BinStructs, of 1 to 1,024
units, and calls without parameters, to 1 to 500 servants in turn, with a reply (twoway) and without one (oneway).
Medians over the rounds. The time of a oneway call is the time until the server has received a whole row, divided by
the number of calls; the time that each takes its caller is in the JSON too."""

import contextlib
import tempfile
from contextlib import nullcontext
from dataclasses import replace

from harness.names import add_names
from harness.plot import line_chart, write_chart
from harness.process import CLIENT_LIMIT, scratch
from harness.report import fewest, figure, medians, progress, table
from harness.variants import PLACEMENTS

TYPES = ["none", "short", "char", "long", "octet", "double", "BinStruct"]
STRATEGIES = ["twoway", "oneway"]
UNITS = [str(1 << power) for power in range(11)]
SERVANTS = ["1", "100", "200", "300", "400", "500"]
PEERS = ["takt", "omniorb", "omniorb-fast"]
KEY = ["placement", "peer", "strategy", "type", "units", "servants"]
DRAWN = ["octet", "double", "BinStruct"]  # a line for each of these and each peer


def arguments(parser):
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--calls", type=int, default=100, help="most calls to each servant; default: %(default)s")
    parser.add_argument("--seconds", type=float, default=0.1, help="limit of each figure of a round; default: %(default)s")
    add_names(parser, "--types", TYPES, "type")
    add_names(parser, "--units", UNITS, "number of units")
    add_names(parser, "--servants", SERVANTS, "number of servants")
    add_names(parser, "--strategies", STRATEGIES, "strategy")
    add_names(parser, "--placements", PLACEMENTS, "placement", "same")
    parser.add_argument("--plot", metavar="DIR", help="write the charts to this folder, as SVG")


def measure(machine, programs, variants, settings):
    chosen = [replace(variant, program=f"{variant.program}_ttcp") for variant in variants if variant.peer in PEERS]
    chosen = [variant for variant in chosen if programs.usable(variant)]
    groups = {}
    for name, place, servants, variant in runs(machine, chosen, settings):
        for line in run(programs, variant, place, servants, settings):
            key = (name, line["peer"], line["strategy"], line["type"], int(line["units"]), int(line["servants"]))
            groups.setdefault(key, []).append(line)
    progress("")
    rows = [{**dict(zip(KEY, key)), "rounds": len(lines), **medians_of(lines)} for key, lines in groups.items()]
    if settings.plot:
        write_plots(settings.plot, rows)
    return rows


def runs(machine, variants, settings):
    """Each placement with its name, number of servants and variant in turn, for each round."""
    for name in settings.placements:
        print(f"{name}: {PLACEMENTS[name].about}")
    for number in range(settings.rounds):
        for name in settings.placements:
            place = PLACEMENTS[name]
            with machine.awake() if place.awake else nullcontext():
                for servants in settings.servants:
                    for variant in variants:
                        progress(f"round {number + 1} of {settings.rounds}, {name}, {servants} servants, {variant.peer}")
                        yield name, place, servants, variant


def medians_of(lines):
    return medians(("n", "mean_ns", "stddev_ns", "p50_ns", "p90_ns", "p99_ns", "max_ns", "received_ns"), lines)


def run(programs, variant, place, servants, settings):
    options = {name: ",".join(getattr(settings, name)) for name in ("types", "units", "strategies")}
    with scratch() as folder, serving(programs, variant, place.server_cpus, servants, folder) as server:
        return programs.client(variant, server, {**options, "calls": settings.calls, "seconds": settings.seconds},
                               place.client_cpus, limit=2 * CLIENT_LIMIT)


@contextlib.contextmanager
def serving(programs, variant, cpus, servants, folder, wrap=()):
    references = tempfile.mkstemp(dir=folder)[1]
    several = replace(variant, server=(*variant.server, "--servants", servants, "--references", references))
    with programs.server(several, cpus, wrap) as server:
        yield server


def shown(row):
    """The figure; None if there are too few calls for it."""
    value = row.get("p50_ns" if row.get("strategy", row.get("direction")) == "twoway" else "received_ns")
    return value and value / 1000


def of_strategy(rows):
    """The rows of each placement and strategy, with the strategy's name for titles."""
    for placement, strategy in dict.fromkeys((row["placement"], row["strategy"]) for row in rows):
        what = "p50 of a call" if strategy == "twoway" else "mean of a call, until all have been received"
        yield placement, strategy, what, [row for row in rows if (row["placement"], row["strategy"]) == (placement, strategy)]


def report(rows):
    for placement, strategy, what, here in of_strategy(rows):
        peers = dict.fromkeys((row["peer"], row["type"]) for row in here)
        counts = sorted({row["servants"] for row in here})
        for count in dict.fromkeys((counts[0], counts[-1])):
            own = [row for row in here if row["servants"] == count]
            units = sorted({row["units"] for row in own})
            cells = {(row["peer"], row["type"], row["units"]): row for row in own}
            show(f"{placement}, {strategy}, servants: {count}: {what}, us, by units ({fewest(own)})", units, cells, peers)
        own = [row for row in here if row["units"] in (0, max(row["units"] for row in here))]
        cells = {(row["peer"], row["type"], row["servants"]): row for row in own}
        show(f"{placement}, {strategy}, units: {max(row['units'] for row in here)}: {what}, us, by servants ({fewest(own)})", counts,
             cells, peers)


def show(title, columns, cells, peers):
    table(title, ["peer, type", *map(str, columns)],
          [[", ".join(peer), *(figure(shown(cells[*peer, column])) if (*peer, column) in cells else "-" for column in columns)]
           for peer in peers])


def write_plots(folder, rows):
    """Draws the figures of [Gokhale 1998], section 4: latency by units, with one servant, and by servants."""
    for placement, strategy, what, here in of_strategy(rows):
        least, most = min(row["servants"] for row in here), max(row["units"] for row in here)
        by_units = lines(here, "units", lambda row: row["servants"] == least and row["type"] in DRAWN)
        by_servants = lines(here, "servants", lambda row: row["type"] == "none" or row["type"] in DRAWN and row["units"] == most)
        write(folder, f"ttcp-{placement}-{strategy}-units.svg", f"TTCP, {strategy}, servants: {least}", "units", what, by_units, True)
        write(folder, f"ttcp-{placement}-{strategy}-servants.svg", f"TTCP, {strategy}, units: {most}", "servants", what, by_servants,
              False)


def lines(rows, key, drawn):
    series = {}
    for row in sorted(rows, key=lambda row: row[key]):
        if drawn(row) and shown(row):
            series.setdefault(f"{row['peer']}, {row['type']}", []).append((row[key], shown(row)))
    return series


def write(folder, name, title, x_title, what, series, log):
    if any(len(line) > 1 for line in series.values()):
        write_chart(folder, name, line_chart(title, x_title, f"{what}, us", series, log_x=log, log_y=log))
