"""One ORB over each transport, with GIOP and with GIOPlite, compared with the best that each transport can do: a raw
socket, a raw ring in shared memory, a raw ping-pong over OpenSSL; with the types of [Kuhns 1999]'s IDL_Cubit, and octets
from 1 to 4 MiB. All in turn over several rounds; medians over the rounds, and ratios to the raw peer of the same
transport and round.
"""

import statistics
import time

from harness.call_plots import label, write_transports
from harness.cube import arguments as cube_arguments
from harness.cube import summarize, take_rounds, with_ratio
from harness.report import fewest, figure, table, us
from harness.variants import CUBIT, OCTETS, OVER_MEMORY, OVER_POLLED_MEMORY, OVER_ROADS, OVER_UDP, OVER_UNIX, VARIANTS, WITHIN, over_tls, with_lite

TRANSPORTS = ["tcp", "udp", "uds", "shm", "shm-busy", "shm-auto", "road", "inproc", "inproc-busy", "tls"]
WORKLOADS = list(dict.fromkeys((*CUBIT, *OCTETS)))
MEGABYTE = 1 << 20


def arguments(parser):
    cube_arguments(parser, TRANSPORTS, placements="same,split", workloads=WORKLOADS, usual=None)
    parser.add_argument("--quick", action="store_true", help="only the call with one octet")


def measure(machine, programs, variants, settings):
    settings.workloads = ["cube_octet"] if settings.quick else settings.workloads or WORKLOADS
    peers = {variant.peer for variant in variants} & {"raw", "takt", "omniorb"}
    every = VARIANTS + OVER_UDP + OVER_UNIX + OVER_MEMORY + OVER_POLLED_MEMORY + OVER_ROADS + WITHIN
    every += over_tls() if "tls" in settings.transports else []
    chosen = [variant for variant in every
              if variant.peer in peers and variant.transport in settings.transports and programs.usable(variant)]
    if programs.link:
        print(f"over the link: {', '.join(dict.fromkeys(variant.transport for variant in chosen))}")
    chosen = [turn for variant in chosen for turn in (variant, *with_lite([variant]))]
    # A peer that polls memory needs a core of its own.
    plan = {name: [variant for variant in chosen if name == "split" or not variant.transport.endswith("-busy")]
            for name in settings.placements}
    rows = summarize(take_rounds(machine, programs, plan, settings))
    for row in rows:
        row["messaging"] = {"raw": "none", "takt-lite": "giop-lite"}.get(row["peer"], "giop")
        row["peer"] = row["peer"].removesuffix("-lite")
    for row in rows:
        compare(row, rows, "p50_to_tcp", ("peer", "messaging"), transport="tcp")
        if row["messaging"] == "giop-lite":
            compare(row, rows, "p50_to_giop", ("peer", "transport"), messaging="giop")
    if settings.plot:
        write_transports(settings.plot, rows)
    if not settings.quick:
        rows.append(memcpy())
        for row in rows:
            if row["workload"] == "octets_1m" and row["peer"] != "memcpy":
                row["bandwidth_to_memcpy"] = round(row["bytes_per_s"] / rows[-1]["bytes_per_s"], 3)
    return rows


def compare(row, rows, name, alike, **others):
    """Adds the ratio to the time of the same call in the row that differs only in `others`."""
    for other in rows:
        if "p50_ns" in row and "p50_ns" in other and all(other[key] == row[key] for key in ("placement", "workload", *alike)) \
                and all(other[key] == value for key, value in others.items()):
            row[name] = round(row["p50_ns"] / other["p50_ns"], 3)


def memcpy():
    source, target = memoryview(bytes(MEGABYTE)), memoryview(bytearray(MEGABYTE))
    times = []
    for _ in range(500):
        start = time.perf_counter_ns()
        target[:] = source
        times.append(time.perf_counter_ns() - start)
    p50 = statistics.median(times)
    return {"placement": "same", "workload": "octets_1m", "peer": "memcpy", "transport": "memory",
            "messaging": "none", "p50_ns": p50, "bytes_per_s": round(MEGABYTE / p50 * 1e9)}


def report(rows):
    by_key = {(row["placement"], row["transport"], label(row), row["workload"]): row for row in rows}
    for placement in dict.fromkeys(row["placement"] for row in rows):
        lines = list(dict.fromkeys((transport, peer) for where, transport, peer, _ in by_key if where == placement))
        for title, names in (("types", CUBIT), ("octets", OCTETS)):
            measured = [name for name in names if any((placement, *line, name) in by_key for line in lines)]
            here = [line for line in lines if any((placement, *line, name) in by_key for name in measured)]
            if not here:
                continue
            shown = [row for row in rows if row["placement"] == placement and row["workload"] in measured]
            table(f"{placement}, {title}: p50, us per call (ratio to raw over the same transport; {fewest(shown)})",
                  ["transport, peer", *measured],
                  [[f"{transport}, {peer}", *(with_ratio(by_key.get((placement, transport, peer, name)), "p50_ns", 1000)
                                              for name in measured)] for transport, peer in here])
        keys = ["p50_ns", "p90_ns", "p99_ns", "p999_ns", "max_ns"]
        octet = [(line, by_key[(placement, *line, "cube_octet")]) for line in lines
                 if (placement, *line, "cube_octet") in by_key]
        if not octet:
            continue
        table(f"{placement}: cube_octet, us ({fewest(row for _, row in octet)}); p50 as a share of the same peer's over TCP, and of GIOP's",
              ["transport, peer", *(key[:-3] for key in keys), "to tcp", "to giop"],
              [[f"{transport}, {peer}", *(us(row, key) for key in keys), figure(row.get("p50_to_tcp")),
                figure(row.get("p50_to_giop"))]
               for (transport, peer), row in octet])
