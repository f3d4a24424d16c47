"""Calls that are under way together: by reply handlers, coroutines, futures and deferred dynamic requests, beside a raw
socket with as many requests under way on as many connections, all of which it writes and reads together, gRPC's asynchronous
API, and omniORB, whose version 4.2 has deferred dynamic requests and no AMI. Reports medians over interleaved rounds, and
ratios to the raw socket and to gRPC of the same round. Also counts instructions, allocations and locks of
one call at a time, beside a synchronous call, and the memory that a call under way takes in the client."""

import shutil
import statistics
import subprocess
import time
from contextlib import nullcontext

from harness import asynchronous_plots, costs, inversion
from harness.names import add_names
from harness.process import HOST
from harness.report import fewest, figure, medians, progress, table, us
from harness.variants import OMNIORB, PLACEMENTS, Variant

OWN_PROGRAMS = True
MODELS = ["callback", "coroutine", "future", "deferred"]
TRANSPORTS = {"tcp": (("--host", HOST), f"iiop://{HOST}:0"), "uds": (("--over", "unix"), "unix:")}
PARTS = ["rates", "counts", "memory", "lone"]
MANY = 10000  # calls under way together, where their memory is measured, and those of the other client of a lone call's server
CONCURRENCIES = ["thread-per-connection", "reactive"]  # of the lone call's server
MOST_UNDER_WAY = 16384  # on a connection of Takt
MOST_THREADS = 1000  # calls of omniORB under way


def arguments(parser):
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="duration of one figure of a round; default: %(default)s")
    parser.add_argument("--in-flight", default="1,10,100,1000", metavar="N,N", help="calls under way in all, rounded down to a multiple of the connections; default: %(default)s")
    parser.add_argument("--connections", default="1,8", metavar="N,N", help="default: %(default)s")
    add_names(parser, "--models", MODELS, "model")
    add_names(parser, "--transports", TRANSPORTS, "transport")
    add_names(parser, "--placements", PLACEMENTS, "placement", "same,split")
    add_names(parser, "--parts", PARTS, "part")
    parser.add_argument("--plot", metavar="FOLDER", help="draw calls a second and p99 against the calls under way")
    parser.add_argument("--foreign", type=float, default=0.1, metavar="CORES",
                        help="repeat the measurement while other processes use more than this")
    parser.add_argument("--attempts", type=int, default=3, help="most repetitions")
    parser.add_argument("--patience", type=int, default=60, metavar="SECONDS", help="how long to wait for a quiet machine before each repetition")


def raw(transport):
    return Variant("raw", "raw_async", TRANSPORTS[transport][0], transport=transport)


def takt(transport, model, server=()):
    return Variant("takt", "takt_async", ("-ORBListenEndpoints", TRANSPORTS[transport][1], *server),
                   ("--model", model, "-ORBMaxOutstandingRequests", str(MOST_UNDER_WAY)), transport=transport)


def grpc(transport):
    """None where it is not measured."""
    return Variant("grpc", "grpc_async", ("--host", HOST), ("--model", "completion queue"), transport=transport) if transport == "tcp" else None


def omniorb(transport, connections, in_flight):
    """It has a thread for each call under way, and one connection here, on which they all are. None where it is not measured."""
    if transport != "tcp" or connections != 1 or in_flight > MOST_THREADS:
        return None
    return Variant("omniorb", "omniorb_async", OMNIORB,
                   ("--model", "deferred", "-ORBmaxGIOPConnectionPerServer", "1", "-ORBoneCallPerConnection", "0"), transport=transport)


def foreign(transport, shape):
    return [variant for variant in (grpc(transport), omniorb(transport, *shape)) if variant]


def missing(programs, settings):
    """A row for each peer that is not built, which says so."""
    variants = [variant for variant in (grpc("tcp"), omniorb("tcp", 1, 1)) if "tcp" in settings.transports and not programs.built(variant)]
    return [{"peer": variant.peer, "transport": "tcp", "not_measured": f"its packages are not installed, so that bench_{variant.program}_client is not built"}
            for variant in variants]


def measure(machine, programs, _variants, settings):
    rows = []
    if "counts" in settings.parts:
        rows += counts(programs, settings)
    if "rates" in settings.parts:
        rows += rates(machine, programs, settings) + missing(programs, settings)
    if "memory" in settings.parts:
        rows += [memory(programs, transport, model) for transport in settings.transports for model in settings.models]
    if "lone" in settings.parts:
        rows += [lone(machine, programs, transport, concurrency, settings) for transport in settings.transports for concurrency in CONCURRENCIES]
    progress("")
    if settings.plot:
        asynchronous_plots.write_plots(settings.plot, rows)
    return rows


def rates(machine, programs, settings):
    lines = {}
    shapes = [(int(connections), int(in_flight)) for connections in settings.connections.split(",")
              for in_flight in settings.in_flight.split(",") if int(in_flight) >= int(connections)]
    for round_number in range(settings.rounds):
        for placement in settings.placements:
            for transport in settings.transports:
                for shape in shapes:
                    progress(f"round {round_number + 1} of {settings.rounds}, {placement}, {transport}, {shape[1]} under way")
                    variants = [raw(transport), *(takt(transport, model) for model in settings.models), *filter(programs.built, foreign(transport, shape))]
                    for variant in variants if round_number % 2 == 0 else reversed(variants):
                        line = one(machine, programs, variant, placement, shape, settings)
                        lines.setdefault((placement, transport, *shape, variant.peer, line["model"]), {})[round_number] = line
    return [summary(key, by_round, lines) for key, by_round in lines.items()]


def one(machine, programs, variant, placement, shape, settings):
    place = PLACEMENTS[placement]

    def take():
        with programs.server(variant, place.server_cpus) as server:
            return programs.client(variant, server, {"seconds": settings.seconds, "connections": shape[0], "in-flight": shape[1]},
                                   place.client_cpus)
    with machine.awake() if place.awake else nullcontext():
        return machine.measure(take, settings)[0]


def summary(key, by_round, lines):
    placement, transport, connections, in_flight, peer, model = key
    under_way = int(by_round[min(by_round)]["in_flight"])  # a multiple of the connections
    row = {"peer": peer, "model": model, "transport": transport, "in_flight": under_way, "connections": connections,
           "placement": placement, "workload": "cube_octet", "rounds": len(by_round)}
    row.update(medians(("n", "calls", "mean_ns", "p50_ns", "p90_ns", "p99_ns", "calls_per_s", "foreign_cpu"), by_round.values()))
    beside = lines[placement, transport, connections, in_flight, "raw", "pipelined"]
    row["rate_to_raw"] = round(statistics.median(line["calls_per_s"] / beside[number]["calls_per_s"]
                                                 for number, line in by_round.items()), 3)
    by_grpc = lines.get((placement, transport, connections, in_flight, "grpc", "completion queue"))
    if by_grpc:
        row["rate_to_grpc"] = round(statistics.median(line["calls_per_s"] / by_grpc[number]["calls_per_s"] for number, line in by_round.items()), 3)
    return row


def counts(programs, settings):
    """Per call and side, one call at a time on one connection."""
    rows = []
    for transport in settings.transports:
        for model in ["sync", *settings.models]:
            progress(f"counting {transport}, {model}")
            for row in costs.costs_of(programs, takt(transport, model), "octet", ("callgrind", "preload")):
                rows.append({**row, "model": model, "in_flight": 1, "connections": 1})
    base = {(row["transport"], row["side"]): row["instructions"] for row in rows if row["model"] == "sync"}
    return [{**row, "instructions_to_sync": round(row["instructions"] / base[row["transport"], row["side"]], 3)} for row in rows]


def memory(programs, transport, model):
    """What the client grows by for each of many calls that are under way together, handlers and coroutines included."""
    progress(f"memory of {transport}, {model}")
    variant = takt(transport, model)
    grown = {}
    for in_flight, calls in ((1, 1000), (MANY, 20 * MANY)):
        with programs.server(variant) as server:
            line = programs.client(variant, server, {"bare": calls, "connections": 1, "in-flight": in_flight})[0]
        grown[in_flight] = line["grown_bytes"]
    return {"peer": "takt", "model": model, "transport": transport, "in_flight": MANY, "connections": 1, "workload": "cube_octet",
            "bytes_per_call": round((grown[MANY] - grown[1]) / (MANY - 1))}


def lone(machine, programs, transport, concurrency, settings):
    """A synchronous call at a time: alone, and while another client of the server has many calls under way. The server has
    a core, the clients share the other. The lone client's thread has a real-time priority if the machine permits that:
    otherwise it mostly waits for the other client's turn on their core to end."""
    progress(f"a lone call beside a pipeline, {transport}, {concurrency}")
    place = PLACEMENTS["split"]
    urgent = inversion.FIFO if may_use_fifo() else ()
    server_options = ("-ORBServerConcurrency", concurrency)
    caller, pipeline_client = takt(transport, "sync", server_options), takt(transport, "callback", server_options)
    single = {"seconds": settings.seconds, "connections": 1, "in-flight": 1}
    many = {"seconds": 10 * settings.seconds + 10, "connections": 1, "in-flight": MANY}

    def take():
        with programs.server(caller, place.server_cpus) as server:
            alone = programs.client(caller, server, single, place.client_cpus, urgent)[0]
            pipeline = programs.start_client(pipeline_client, server, many, place.client_cpus)
            try:
                time.sleep(settings.seconds)  # until they are all under way
                beside = programs.client(caller, server, single, place.client_cpus, urgent)[0]
                if pipeline.poll() is not None:
                    raise RuntimeError("the pipeline has ended before the lone call")
            finally:
                pipeline.kill()
                pipeline.communicate()
        return [{"alone_p99_ns": alone["p99_ns"], "beside_p50_ns": beside["p50_ns"], "beside_p99_ns": beside["p99_ns"],
                 "p99_to_alone": round(beside["p99_ns"] / alone["p99_ns"], 2)}]
    with machine.awake():
        measured = [machine.measure(take, settings)[0] for _ in range(settings.rounds)]
    row = {"peer": "takt", "model": "sync", "transport": transport, "in_flight": 1, "connections": 1, "workload": "cube_octet",
           "placement": "split", "concurrency": concurrency, "urgent": bool(urgent), "beside": MANY, "rounds": settings.rounds}
    row.update(medians(("alone_p99_ns", "beside_p50_ns", "beside_p99_ns", "p99_to_alone", "foreign_cpu"), measured))
    return row


def may_use_fifo():
    return shutil.which("chrt") is not None and subprocess.run([*inversion.FIFO, "true"], stderr=subprocess.DEVNULL).returncode == 0


def report(rows):
    single = [row for row in rows if "beside" in row]
    if single:
        about = "of real-time priority" if single[0]["urgent"] else "without a real-time priority, which is not permitted here"
        table(f"a synchronous call {about}, alone and beside {MANY:,} calls of another client; server pinned to core 1, clients to core 0",
              ["transport", "server", "p99 alone, us", "p50, us", "p99, us", "p99 to alone"],
              [[row["transport"], row["concurrency"], us(row, "alone_p99_ns"), us(row, "beside_p50_ns"), us(row, "beside_p99_ns"), row["p99_to_alone"]]
               for row in single])
    kept = [row for row in rows if "bytes_per_call" in row]
    if kept:
        table(f"memory of the client for each of {MANY:,} calls under way", ["model", "transport", "octets"],
              [[row["model"], row["transport"], f"{row['bytes_per_call']:,}"] for row in kept])
    counted = [row for row in rows if "instructions" in row]
    if counted:
        table("one octet call at a time, per call", ["model", "transport", "side", "instructions", "to sync", "allocations", "locks"],
              [[row["model"], row["transport"], row["side"], figure(row["instructions"]), row["instructions_to_sync"],
                figure(row["allocations"]), figure(row["lock_operations"])] for row in counted])
    for row in rows:
        if "not_measured" in row:
            print(f"\n{row['peer']} is not measured: {row['not_measured']}")
    timed = [row for row in rows if "calls_per_s" in row]
    for placement, transport in dict.fromkeys((row["placement"], row["transport"]) for row in timed):
        here = [row for row in timed if (row["placement"], row["transport"]) == (placement, transport)]
        table(f"octet calls, {PLACEMENTS[placement].about}, {transport} ({fewest(here)})",
              ["peer", "model", "connections", "under way", "calls/s", "to raw", "to gRPC", "p50 us", "p99 us"],
              [[row["peer"], row["model"], row["connections"], row["in_flight"], f"{row['calls_per_s']:,.0f}", row["rate_to_raw"],
                row.get("rate_to_grpc", "-"), us(row, "p50_ns"), us(row, "p99_ns")] for row in here])
