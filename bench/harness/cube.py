"""Latency and throughput: all peers in turn over several rounds, so that changes of the machine affect all alike.
Reports medians over the rounds, and ratios to the raw socket of the same round."""

import re
import statistics
from contextlib import nullcontext
from functools import partial

from harness.call_plots import write_ratios
from harness.names import add_names
from harness.report import fewest, figure, progress, table, us
from harness.variants import BASELINE, LATENCY, OVER_UNIX, PLACEMENTS, THROUGHPUT, WORKLOADS, over_tls

FIGURES = ["n", "mean_ns", "stddev_ns", "p50_ns", "p90_ns", "p99_ns", "p999_ns", "max_ns", "bytes_per_s",
           "calls_per_s", "foreign_cpu"]


def arguments(parser, transports=("tcp", "uds", "tls"), usual="tcp", placements=None, workloads=WORKLOADS):
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.6, help="limit of one workload of a round")
    add_names(parser, "--placements", PLACEMENTS, "placement", placements)
    add_names(parser, "--transports", transports, "transport", usual)
    add_names(parser, "--workloads", workloads, "workload", "")
    parser.add_argument("--foreign", type=float, default=0.1, metavar="CORES",
                        help="repeat the measurement while other processes use more than this")
    parser.add_argument("--attempts", type=int, default=3, help="most repetitions")
    parser.add_argument("--patience", type=int, default=60, metavar="SECONDS",
                        help="how long to wait for a quiet machine before each repetition")
    parser.add_argument("--plot", metavar="DIR", help="write the charts to this folder, as SVG")


def measure(machine, programs, variants, settings):
    others = OVER_UNIX + (over_tls() if "tls" in settings.transports else [])
    variants = [variant for variant in variants + [v for v in others if re.search(settings.only, v.peer)]
                if variant.transport in settings.transports and programs.usable(variant)]
    rows = summarize(take_rounds(machine, programs, {name: variants for name in settings.placements}, settings))
    if settings.plot:
        write_ratios(settings.plot, rows)
    return rows


def take_rounds(machine, programs, variants_by_placement, settings):
    """The lines of all rounds; each round measures every variant."""
    for name in variants_by_placement:
        print(f"{name}: {PLACEMENTS[name].about}")
    lines = []
    for round_number in range(settings.rounds):
        for name, variants in variants_by_placement.items():
            place = PLACEMENTS[name]
            with machine.awake() if place.awake else nullcontext():
                for variant in variants:
                    progress(f"round {round_number + 1} of {settings.rounds}, {name}, {variant.transport}, {variant.peer}")
                    take = partial(run_variant, programs, variant, place, settings)
                    lines += [{"round": round_number, "placement": name, **line}
                              for line in machine.measure(take, settings)]
    progress("")
    return lines


def run_variant(programs, variant, place, settings):
    chosen = settings.workloads or place.workloads
    workloads = [workload for workload in dict.fromkeys((*place.workloads, *place.on_request))
                 if workload in chosen and workload in (variant.workloads or chosen)]
    if not workloads:
        return []
    with programs.server(variant, place.server_cpus) as server:
        options = {"workloads": ",".join(workloads), "seconds": settings.seconds}
        cpus = place.client_cpus | place.server_cpus if variant.alone else place.client_cpus
        return programs.client(variant, server, options, cpus)


def summarize(lines):
    groups = {}
    for line in lines:
        key = (line["placement"], line["workload"], line["peer"], line["transport"])
        groups.setdefault(key, {})[line["round"]] = line
    return [summary(key, by_round, groups) for key, by_round in groups.items()]


def summary(key, by_round, groups):
    row = dict(zip(("placement", "workload", "peer", "transport"), key), rounds=len(by_round))
    for name in FIGURES:
        values = [line[name] for line in by_round.values() if name in line]
        if values:
            row[name] = round(statistics.median(values), 3)
    placement, workload, _, transport = key
    limits = groups.get((placement, workload, BASELINE, transport), {})
    for name in ("p50_ns", "p99_ns", "calls_per_s"):
        ratios = [line[name] / limits[number][name] for number, line in by_round.items()
                  if name in line and limits.get(number, {}).get(name)]
        if ratios:
            row[f"{name}_ratio"] = round(statistics.median(ratios), 4)
    return row


def with_ratio(row, key, scale=1.0):
    if row is None or key not in row:
        return "-"
    ratio = row.get(f"{key}_ratio")
    return figure(row[key] / scale) + (f" ({ratio:.3f})" if ratio else "")


def of(rows, workloads):
    return [row for (_, workload), row in rows.items() if workload in workloads]


def report(summaries):
    for placement, transport in dict.fromkeys((row["placement"], row["transport"]) for row in summaries):
        here = {(row["peer"], row["workload"]): row for row in summaries
                if (row["placement"], row["transport"]) == (placement, transport)}
        title = placement if transport == "tcp" else f"{placement}, {transport}"
        peers = list(dict.fromkeys(peer for peer, _ in here))
        measured = [name for name in LATENCY if any((peer, name) in here for peer in peers)]
        if measured:
            table(f"{title}: p50, us per call (ratio to {BASELINE}; {fewest(of(here, measured))})", ["peer", *measured],
                  [[peer, *(with_ratio(here.get((peer, name)), "p50_ns", 1000) for name in measured)]
                   for peer in peers])
        if "cube_octet" in measured:
            keys = ["mean_ns", "p50_ns", "p90_ns", "p99_ns", "p999_ns", "max_ns"]
            table(f"{title}: cube_octet, us ({fewest(of(here, ['cube_octet']))})", ["peer", *(key[:-3] for key in keys)],
                  [[peer, *(us(here[peer, "cube_octet"], key) for key in keys)]
                   for peer in peers if (peer, "cube_octet") in here])
        measured = [name for name in THROUGHPUT if any((peer, name) in here for peer in peers)]
        if measured:
            table(f"{title}: calls/s by client threads (ratio to {BASELINE}; {fewest(of(here, measured))})", ["peer", *measured],
                  [[peer, *(with_ratio(here.get((peer, name)), "calls_per_s") for name in measured)]
                   for peer in peers])
