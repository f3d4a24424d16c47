"""Sequences of octets from 64 to 4 Mi, by the number of copies on their way to a servant or back: as vectors, copied
once, or read where they were written; compared with a memcpy of the same size in one process. Over shared memory,
sleeping on a futex or polling, and over sockets. Reports medians over the rounds, and ratios to the memcpy of the
same round."""

import statistics
from contextlib import nullcontext

from harness.names import add_names
from harness.plot import line_chart, write_chart
from harness.report import fewest, figure, medians, progress, table
from harness.variants import BUSY, PLACEMENTS, Variant

TRANSPORTS = {"shm": ("shm:", ()), "shm-busy": ("shm:", BUSY), "uds": ("unix:", ()), "tcp": ("iiop://127.0.0.1:0", ())}
WAYS = ["memcpy", "twice", "into-view", "once", "in-place", "result", "held", "held-in-place"]


def arguments(parser):
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="limit of one size of a round")
    add_names(parser, "--placements", PLACEMENTS, "placement", "same,split")
    add_names(parser, "--transports", TRANSPORTS, "transport", "shm,shm-busy")
    parser.add_argument("--foreign", type=float, default=0.1, metavar="CORES",
                        help="repeat the measurement while other processes use more than this")
    parser.add_argument("--attempts", type=int, default=3, help="most repetitions")
    parser.add_argument("--patience", type=int, default=60, metavar="SECONDS", help="how long to wait for a quiet machine before each repetition")
    parser.add_argument("--plot", metavar="DIR", help="write the charts to this folder, as SVG")


def measure(machine, programs, variants, settings):
    lines = {}
    for round_number in range(settings.rounds):
        for name in settings.placements:
            place = PLACEMENTS[name]
            for transport in settings.transports:
                if transport == "shm-busy" and name == "same":
                    continue  # a client that polls memory needs a core of its own
                progress(f"round {round_number + 1} of {settings.rounds}, {name}, {transport}")
                with machine.awake() if place.awake else nullcontext():
                    taken = machine.measure(lambda t=transport, p=place: run(programs, t, p, settings), settings)
                for line in taken:
                    lines.setdefault((name, transport, line["peer"], int(line["bytes"])), {})[round_number] = line
    progress("")
    rows = [summary(key, by_round, lines) for key, by_round in lines.items()]
    if settings.plot:
        write_plots(settings.plot, rows)
    return rows


def run(programs, transport, place, settings):
    endpoint, options = TRANSPORTS[transport]
    variant = Variant("takt", "takt_octets", ("-ORBListenEndpoints", endpoint, *options), options, transport=transport)
    with programs.server(variant, place.server_cpus) as server:
        return programs.client(variant, server, {"seconds": settings.seconds}, place.client_cpus)


def summary(key, by_round, lines):
    placement, transport, way, size = key
    row = {"placement": placement, "transport": transport, "peer": way, "bytes": size, "rounds": len(by_round)}
    row.update(medians(("n", "p50_ns", "p90_ns", "p99_ns", "bytes_per_s"), by_round.values()))
    copies = lines[placement, transport, "memcpy", size]
    row["bandwidth_to_memcpy"] = round(statistics.median(
        line["bytes_per_s"] / copies[number]["bytes_per_s"] for number, line in by_round.items() if number in copies), 3)
    return row


def report(rows):
    for placement, transport in dict.fromkeys((row["placement"], row["transport"]) for row in rows):
        here = {(row["peer"], row["bytes"]): row for row in rows
                if (row["placement"], row["transport"]) == (placement, transport)}
        sizes = sorted({size for _, size in here})
        table(f"{placement}, {transport}: p50, us (bandwidth as a share of memcpy's; {fewest(here.values())})", ["octets", *WAYS],
              [[f"{size:,}", *(f"{figure(here[way, size]['p50_ns'] / 1000)} ({figure(here[way, size]['bandwidth_to_memcpy'])})"
                               for way in WAYS)] for size in sizes])


def write_plots(folder, rows):
    for placement, transport in dict.fromkeys((row["placement"], row["transport"]) for row in rows):
        series = {way: [(row["bytes"], row["p50_ns"] / 1000) for row in rows
                        if (row["placement"], row["transport"], row["peer"]) == (placement, transport, way)] for way in WAYS}
        write_chart(folder, f"octets-{placement}-{transport}.svg", line_chart(
            f"a call with a sequence of octets, by how often they are copied: {transport}, {placement}", "octets", "us", series))
