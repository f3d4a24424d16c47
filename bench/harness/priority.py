"""Whether low-priority clients affect a high-priority client (the experiment of [Schmidt 2001], section 4): one client at 20
Hz and n others, each calling an object of its priority. paced: the others at 10 Hz, all due at once. distinct: the
same, each with a priority of its own. saturated: they call back to back. burning: each of their upcalls also takes
200 us of processor time. Server and clients have a core each.
Also the cost of a request in locks, allocations and context switches, in each architecture."""

import contextlib
import os
import subprocess
import sys
import time
from dataclasses import dataclass, replace

from harness import priority_costs
from harness.machine import ALL_CPUS, may_use_real_time, may_use_reservations
from harness.names import add_names
from harness.plot import line_chart, write_chart
from harness.process import CLIENT_LIMIT, HOST
from harness.report import fewest, figure, medians, progress, table
from harness.variants import OMNIORB, OMNIORB_FAST_CLIENT, OMNIORB_FAST_SERVER, TAKT, Variant

FIGURES = ["n", "mean_ns", "stddev_ns", "p50_ns", "p90_ns", "p99_ns", "max_ns", "calls", "calls_per_s"]
PARTS, LOADS = ["latency", "costs"], ["paced", "distinct", "saturated", "burning"]
# The paper's settings: 4,000 calls by each client at its rate. The other presets are shorter, by fewer calls
# or a higher rate.
PRESETS = {"paper": (4000, 10), "tenth": (400, 10), "faster": (4000, 100)}
PRESET_LOADS = ["paced", "distinct"]
PRESET_ARCHITECTURES = ["raw thread-per-connection", "takt reactor-per-priority", "omniorb process-per-priority",
                        "omniorb fastest"]
BURN_US = 200
# Microseconds of processor time in each period that the operating system reserves for a thread of the
# reserved architecture.
BUDGET_US, PERIOD_US = 1000, 10000
HIGHEST, LOW_LEVELS = {"both": 40, "distinct": 60}, {"both": [10], "distinct": range(10, 60)}
OVERHEAD_S = 1.5  # duration of a measurement beyond its seconds
# Turns off warnings about throttling, which the bench reports once itself.
DIRECT = ("-ORBPriorityMapping", "direct", "-ORBLogLevel", "off")


@dataclass(frozen=True)
class Architecture:
    name: str
    variant: Variant
    about: str
    usual: bool = True  # measured by default
    reserved: bool = False  # reserves processor time for the threads of the highest priority
    counted: bool = True  # its costs can be counted: the server is a single process without others' costs

    def __str__(self):
        return f"{self.variant.peer} {self.name}"


def takt(name, priorities, about, server=(), client=(), **more):
    return Architecture(name, Variant("takt", "takt", (*TAKT, *DIRECT, *server, "--priorities", priorities),
                                      (*DIRECT, *client)), about, **more)


def connections(how):
    return "-ORBClientConnections", how


# Allows as many waiting clients as there are; the default limit would answer TRANSIENT with eight threads.
ALL_WAIT = ("-ORBMaxQueuedRequests", "1000")
FOLLOWERS = ("-ORBServerConcurrency", "leader-followers", "-ORBServerThreads", "8", *ALL_WAIT)
WORKERS = ("-ORBServerConcurrency", "worker-pool", "-ORBServerThreads", "8", "-ORBQueueOrder", "priority", *ALL_WAIT)
FRAMEWORK = ("-ORBServerConcurrency", "threading-framework")

ARCHITECTURES = [
    Architecture("thread-per-connection", Variant("raw", "raw", ("--priorities", "threads", "--host", HOST)),
                 "sockets alone: a port and threads for each priority"),
    takt("reactor-per-priority", "lanes", "a port, a reactor and a thread for each priority"),
    takt("reactor-per-priority-cached", "lanes", "likewise, with connections that the threads share in turn",
         (), connections("cached"), usual=False),
    takt("reactor-per-priority-multiplexed", "lanes", "likewise, with a connection for each priority",
         (), connections("multiplexed"), usual=False),
    takt("reactor-per-priority-active", "lanes", "likewise, with a thread that reads and writes it",
         (), connections("multiplexed-active"), usual=False),
    takt("reactor-per-priority-reserved", "lanes", "likewise, with processor time that the system sets aside for the "
         "high-priority client's thread and its lane's", usual=False, counted=False, reserved=True),
    takt("queue-per-lane", "queues", "a port, a reactor, a queue and a thread for each priority"),
    takt("thread-per-connection", "propagated", "each connection's thread takes on the client's priority"),
    takt("leader-followers", "propagated", "eight threads for all, at the priority of what they serve", FOLLOWERS),
    takt("leader-followers-multiplexed", "propagated", "and one connection for all clients (miniCOOL's, in the paper)",
         FOLLOWERS, connections("multiplexed")),
    takt("worker-pool", "propagated", "a thread that reads, a queue by priority, and eight threads", WORKERS),
    takt("worker-pool-active", "propagated", "and one connection for all clients, with a thread (CORBAplus's)",
         WORKERS, connections("multiplexed-active")),
    takt("threading-framework", "filtered", "a thread that reads, a filter, and a queue and thread by priority", FRAMEWORK),
    takt("threading-framework-multiplexed", "filtered", "and one connection for all clients (MT-Orbix's)",
         FRAMEWORK, connections("multiplexed"), usual=False),
    takt("reactive", "none", "one thread for all, without priorities", ("-ORBServerConcurrency", "reactive")),
    Architecture("default", Variant("omniorb", "omniorb", (*OMNIORB, "--priorities", "none")),
                 "a thread for each of at most five connections"),
    Architecture("fastest", Variant("omniorb", "omniorb", (*OMNIORB, *OMNIORB_FAST_SERVER, "--priorities", "none"),
                                    OMNIORB_FAST_CLIENT), "a thread that owns its connection"),
    Architecture("process-per-priority", Variant("omniorb", "omniorb", (*OMNIORB, *OMNIORB_FAST_SERVER, "--priorities", "processes"),
                                                 OMNIORB_FAST_CLIENT),
                 "likewise, in a process of each priority, the only way to give it any", counted=False),
]


def arguments(parser):
    add_names(parser, "--parts", PARTS, "part")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5, help="duration of one measurement")
    parser.add_argument("--calls", type=int, default=0,
                        help="in place of --seconds: calls of the first client, and of each other paced client")
    parser.add_argument("--rate", type=float, default=10, metavar="HZ",
                        help="rate of the other clients where they are paced; the first client has twice that; default: %(default)s")
    parser.add_argument("--preset", choices=PRESETS, help="the calls, rate, variants and architectures of the paper (400 s for each "
                        "figure), with a tenth of its calls (40 s), or at ten times its rate (40 s); one round")
    add_names(parser, "--variant", LOADS, "variant")
    parser.add_argument("--clients", default="0,1,5,10,20,30,40,50", help="numbers of low-priority clients; distinct uses only the largest; default: %(default)s")
    parser.add_argument("--architectures", default="",
                        help="only these, separated by commas; all: also those not measured by default; list: prints them")
    parser.add_argument("--throttling", choices=["keep", "off"], default="keep",
                        help="the system's throttling of real-time threads; off: switched off during the bench")
    parser.add_argument("--foreign", type=int, nargs="?", const=len(ALL_CPUS), default=0, metavar="PROCESSES",
                        help="ordinary processes that burn processor time meanwhile; without a number: one per core")
    parser.add_argument("--plot", metavar="DIR", help="write the charts to this folder, as SVG")


RT_RUNTIME = "/proc/sys/kernel/sched_rt_runtime_us"
FAIR_SERVERS = "/sys/kernel/debug/sched/fair_server"


def throttling_files():
    files = [RT_RUNTIME] if os.path.exists(RT_RUNTIME) else []
    with contextlib.suppress(OSError):
        files += [os.path.join(FAIR_SERVERS, cpu, "runtime") for cpu in sorted(os.listdir(FAIR_SERVERS))]
    return files


@contextlib.contextmanager
def throttling(wanted):
    """Yields a description of the setting in force; restores the previous one."""
    before = {}
    for path in throttling_files():
        try:
            with open(path) as file:
                before[path] = file.read().strip()
        except OSError as error:  # a locked-down kernel refuses this even to root
            print(f"bench: {path} is not changed: {error.strerror}", file=sys.stderr)
    try:
        if wanted == "off":
            for path in before:
                with open(path, "w") as file:
                    file.write("-1" if path == RT_RUNTIME else "0")
        now = {path: open(path).read().strip() for path in before}
        yield ", ".join(f"{path} = {value}" for path, value in now.items()) or "no setting found"
    finally:
        for path, value in before.items():
            with open(path, "w") as file:
                file.write(value)


def wanted(settings):
    names = settings.architectures.split(",") if settings.architectures else PRESET_ARCHITECTURES if settings.preset else []
    known = dict.fromkeys(each.name for each in ARCHITECTURES)
    if names == ["list"]:
        print(*(f"{each!s:40} {each.about}" for each in ARCHITECTURES), sep="\n")
        sys.exit()
    if names == ["all"]:
        return ARCHITECTURES
    if unknown := [name for name in names if name not in known and name not in map(str, ARCHITECTURES)]:
        sys.exit(f"bench: unknown architecture {', '.join(unknown)}; known: {', '.join(known)}")
    return [each for each in ARCHITECTURES if (each.name in names or str(each) in names if names else each.usual)]


def measure(machine, programs, variants, settings):
    if not may_use_real_time():
        sys.exit("bench: the clients' SCHED_FIFO priorities need root or CAP_SYS_NICE")
    if settings.preset:
        settings.calls, settings.rate = PRESETS[settings.preset]
        settings.variant, settings.rounds = PRESET_LOADS, 1
    peers = {variant.peer for variant in variants}
    chosen = [each for each in wanted(settings) if each.variant.peer in peers]
    if any(each.reserved for each in chosen) and not may_use_reservations():
        print("skipped: reserved architectures, whose SCHED_DEADLINE needs CAP_SYS_NICE and all processors")
        chosen = [each for each in chosen if not each.reserved]
    for peer in dict.fromkeys(each.variant.peer for each in wanted(settings) if each not in chosen):
        print(f"skipped: {peer}, whose programs are not built or not named by --only")
    counts = [int(count) for count in settings.clients.split(",")]
    cases = [(load, count) for load in settings.variant for count in counts if load != "distinct" or count == max(counts)]
    print("server pinned to core 1, clients to core 0; SCHED_FIFO 40 and 10; distinct: 60, and 59 down to 10")
    if any(each.reserved for each in chosen):
        print(f"reserved: {BUDGET_US} us of each {PERIOD_US} us, for threads that are not pinned")
    rows = []
    if settings.foreign:
        print(f"{settings.foreign} ordinary processes burn processor time meanwhile")
    with throttling(settings.throttling) as setting, machine.awake(), machine.busy(settings.foreign):
        print(f"throttling of real-time threads: {setting}")
        if "latency" in settings.parts:
            rows += summarize(take_rounds(programs, chosen, cases, settings), settings)
        if "costs" in settings.parts:
            rows += priority_costs.measure(programs, [each for each in chosen if each.counted])
    progress("")
    if settings.plot:
        write_plots(settings.plot, rows)
    return rows


def take_rounds(programs, chosen, cases, settings):
    """The lines of all measurements; each round measures every architecture in each case. One that fails is reported and
    left out."""
    total, done, lines, begun = settings.rounds * len(cases) * len(chosen), 0, [], time.monotonic()
    for number in range(settings.rounds):
        for load, count in cases:
            for architecture in chosen:
                left = (total - done) * ((time.monotonic() - begun) / done if done else length(load, settings) + OVERHEAD_S)
                progress(f"round {number + 1} of {settings.rounds}, {load}, {count:2} low-priority clients, "
                         f"{architecture!s:40} {left / 60:4.0f} min left")
                try:
                    lines += run(programs, architecture, load, count, settings)
                except (RuntimeError, subprocess.TimeoutExpired) as failure:
                    progress("")
                    print(f"left out: {architecture}, {load}, {count} low-priority clients: {failure}")
                done += 1
    return lines


def length(load, settings):
    """The duration of one measurement in seconds: paced clients make all their calls; with other clients, the first
    client does."""
    if not settings.calls:
        return settings.seconds
    return settings.calls / settings.rate / (1 if load in PRESET_LOADS else 2)


def run(programs, architecture, variant, count, settings):
    levels = "distinct" if variant == "distinct" else "both"
    burn = ("--burn", str(BURN_US)) if variant == "burning" else ()
    chosen = replace(architecture.variant, server=(*architecture.variant.server, "--levels", levels, *burn))
    options = {"low-clients": count, "variant": variant, "levels": levels, "rate": settings.rate,
               **({"calls": settings.calls} if settings.calls else {"seconds": settings.seconds})}
    server_cpus, client_cpus = {1}, {0}
    if architecture.reserved:
        chosen, options, server_cpus, client_cpus = reserved(chosen, options)
    with programs.server(chosen, server_cpus) as server:
        lines = programs.client(chosen, server, options, client_cpus, limit=CLIENT_LIMIT + length(variant, settings))
    return [{**line, "architecture": architecture.name} for line in lines]


def reserved(variant, options):
    """The system reserves time only for threads that may run on any core, so the other threads of such programs are
    pinned one by one."""
    levels, core = options["levels"], min(ALL_CPUS & {1} or ALL_CPUS)
    bound = ";".join(f"{level}={core}" for level in LOW_LEVELS[levels])
    server = (*variant.server, "-ORBLaneReservations", f"{HIGHEST[levels]}={BUDGET_US}us/{PERIOD_US}us", "-ORBLaneCpus", bound)
    options = {**options, "reserve": f"{BUDGET_US}/{PERIOD_US}", "low-on": min(ALL_CPUS)}
    return replace(variant, server=server), options, ALL_CPUS, ALL_CPUS


def summarize(lines, settings):
    groups = {}
    for line in lines:
        key = (line["peer"], line["architecture"], line["variant"], int(line["low_clients"]), line["side"])
        groups.setdefault(key, []).append(line)
    names = ("peer", "architecture", "variant", "low_clients", "side")
    return [{**dict(zip(names, key)), "rounds": len(group), "throttling": settings.throttling,
             "foreign": settings.foreign,
             **medians(FIGURES, group)}
            for key, group in groups.items()]


def report(rows):
    priority_costs.report([row for row in rows if "lock_operations" in row])
    rows = [row for row in rows if "mean_ns" in row]
    for variant in dict.fromkeys(row["variant"] for row in rows):
        here = [row for row in rows if row["variant"] == variant]
        counts = sorted({row["low_clients"] for row in here})
        for side in ("high", "low"):
            for name in ("p50_ns", "p90_ns", "p99_ns", "mean_ns", "stddev_ns"):
                rows_here = [row for row in here if row["side"] == side and name in row]
                cells = {(row["peer"], row["architecture"], row["low_clients"]): row[name] for row in rows_here}
                shown = [count for count in counts if any(key[2] == count for key in cells)]
                if not shown or (side == "low" and name not in ("mean_ns", "p90_ns")):
                    continue
                table(f"{variant}, {side} priority: {name[:-3]}, us, by low-priority clients ({fewest(rows_here)})",
                      ["peer", *(str(count) for count in shown)],
                      [[" ".join(pair), *(figure(cells[*pair, count] / 1000 if (*pair, count) in cells else None)
                                          for count in shown)]
                       for pair in dict.fromkeys(key[:2] for key in cells)])


def write_plots(folder, rows):
    """Draws figures 16 and 17 of [Schmidt 2001]: the high-priority client's latency and jitter over the number of low-priority
    clients; and as figures 22 and 23, the cost of a request."""
    priority_costs.write_plots(folder, [row for row in rows if "lock_operations" in row])
    rows = [row for row in rows if "mean_ns" in row]
    for variant in dict.fromkeys(row["variant"] for row in rows):
        here = [row for row in rows if row["variant"] == variant and row["side"] == "high"]
        if len({row["low_clients"] for row in here}) < 2:
            continue  # a line needs two points
        for name, title in (("mean_ns", "latency"), ("p90_ns", "p90"), ("stddev_ns", "jitter")):
            series = {}
            for row in sorted((row for row in here if name in row), key=lambda row: row["low_clients"]):
                series.setdefault(f"{row['peer']} {row['architecture']}", []).append(
                    (row["low_clients"], row[name] / 1000))
            if not series:
                continue  # too few calls for this percentile
            chart = line_chart(f"high-priority client, low-priority ones {variant}: {title}",
                               "low-priority clients", "us", series, log_x=False)
            write_chart(folder, f"priority-{variant}-{title}.svg", chart)
