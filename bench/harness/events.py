"""Event services with one supplier and up to a hundred consumers, each with a connection of its own: a channel of Takt beside one of
omniEvents, a NATS server and a ZeroMQ proxy, over TCP on this machine; Takt's channels over its local roads; the real-time
channel's shared buffer, and that channel in one process; persistent events of the notification service; an urgent event beside a flood; and predicted and measured times through a channel. The peers take turns in each
round. No process is pinned, except the programs of the last two parts, which have one core for all their threads.
"""

import contextlib
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

from harness.events_plots import draw
from harness.machine import may_use_real_time
from harness.report import progress, table

OWN_PROGRAMS = True
PARTS = "tcp,local,ring,process,persistent,urgent,bounds"
PERSISTENT = ((1, 1), (8, 1), (64, 1), (16, 20))  # suppliers, and events of a call
COLUMNS = ("deliveries_per_second", "service_us", "client_us", "last_p50_us", "last_p99_us")


def arguments(parser):
    parser.add_argument("--parts", default=PARTS, metavar="NAME,NAME", help="default: %(default)s")
    parser.add_argument("--consumers", default="1,10,100", metavar="N,N", help="default: %(default)s")
    parser.add_argument("--octets", default="64,65536", metavar="N,N", help="lengths of events; default: %(default)s")
    parser.add_argument("--seconds", type=float, default=3, help="duration of each measurement")
    parser.add_argument("--rounds", type=int, default=5, help="measurements of each kind, in turn; default: %(default)s")
    parser.add_argument("--graphs", type=int, default=200, help="random suppliers and consumers for bounds; default: %(default)s")
    parser.add_argument("--cycle-ns", type=int, default=1000000, help="omniEvents' CyclePeriod_ns; default: %(default)s, its own default is "
                        "100000000")
    parser.add_argument("--folder", help="the disk of the store of persistent events; default: a temporary one")
    parser.add_argument("--plot", metavar="FOLDER", help="draw a chart for each experiment")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


class Peer:
    """A process that passes events on."""

    def __init__(self, name, ports, command):
        self.name, self.ports = name, ports
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def wait_for(self):
        end = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", int(self.ports[0])), 1).close()
                return self
            except OSError:
                if time.monotonic() > end:
                    sys.exit(f"bench: {self.name} does not answer")
                time.sleep(0.05)

    def stop(self):
        self.process.kill()
        self.process.wait(20)


class Broker(Peer):
    """A ZeroMQ proxy or a NATS server."""

    def __init__(self, name, ports, command, client, kind):
        super().__init__(name, ports, command)
        self.client = [client, kind, *ports]

    def run(self, consumers, octets, settings):
        return [*self.client, str(consumers), str(octets), str(settings.seconds), str(self.process.pid)]


class Service(Peer):
    """An event service with omniEvents' factory."""

    def __init__(self, name, port, command, client):
        super().__init__(name, [port], command)
        self.client, self.channels = client, 0

    def run(self, consumers, octets, settings):
        self.channels += 1
        name, port = f"bench{self.channels}", self.ports[0]
        subprocess.run(["eventc", "-i", name, "-q", "1023", "-c", str(settings.cycle_ns), "-ORBInitRef",
                        "NameService=corbaloc::127.0.0.1:9/none", f"corbaloc::127.0.0.1:{port}/omniEvents"], capture_output=True, check=False)
        return [self.client, "cos", f"corbaloc::127.0.0.1:{port}/{name}", str(consumers), str(octets), str(settings.seconds),
                str(self.process.pid)]


class RealTimeService(Peer):
    """Takt's real-time event channel as a process."""

    def __init__(self, name, port, command, client):
        super().__init__(name, [port], command)
        self.client = client

    def run(self, consumers, octets, settings):
        channel = f"corbaloc::127.0.0.1:{self.ports[0]}/EventService"
        return [self.client, "rt", channel, str(consumers), str(octets), str(settings.seconds), str(self.process.pid)]


class SharedBuffer(RealTimeService):
    """The same, whose consumers read a shared buffer."""

    def run(self, consumers, octets, settings):
        source = f"corbaloc::127.0.0.1:{self.ports[0]}/TaktEventRing"
        return [self.client, "ring", source, str(consumers), str(octets), str(settings.seconds), str(self.process.pid)]


def own_peers(programs, takt):
    client = programs.path("bench_events_client")
    port = free_port()
    yield Service("Takt", port, [takt, "events", "serve", "--memory", "--listen", f"iiop://127.0.0.1:{port}"], client)
    port = free_port()
    yield RealTimeService("Takt, real-time channel", port, [takt, "events", "rt", "--max-queued-events", "1023",
                                                                "--listen", f"iiop://127.0.0.1:{port}"], client)


def peers(programs, takt, folder):
    yield from own_peers(programs, takt)
    client, others = programs.path("bench_events_client"), programs.path("bench_events_peers")
    if shutil.which("omniEvents"):
        port = free_port()
        yield Service("omniEvents", port, ["omniEvents", "-p", port, "-l", folder, "-f", "-t", os.path.join(folder, "trace")], client)
    if os.path.exists(others):
        ports = [free_port(), free_port()]
        yield Broker("ZeroMQ", ports, [others, "zmq-proxy", *ports], others, "zmq")
        if shutil.which("nats-server"):
            port = free_port()
            yield Broker("NATS", [port], ["nats-server", "-a", "127.0.0.1", "-p", port], others, "nats")


def figures(command, name):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"bench: {name}: {done.stderr}")
    return [float(word) for word in done.stdout.split()]


def medians(rounds):
    return [statistics.median(column) for column in zip(*rounds)]


def row(part, name, consumers, octets, settings, rounds):
    return {"part": part, "service": name, "consumers": consumers, "octets": octets, "rounds": settings.rounds,
            **{key: round(value, 2) for key, value in zip(COLUMNS, medians(rounds))}}


def in_turn(part, started_peers, settings):
    """Starts the peers one after the other, and measures them in turn."""
    all_peers = []
    try:
        for peer in started_peers:
            all_peers.append(peer)
            peer.wait_for()
        for octets in settings.octets.split(","):
            for consumers in settings.consumers.split(","):
                measured = {each.name: [] for each in all_peers}
                for number in range(settings.rounds):
                    for peer in all_peers if number % 2 else reversed(all_peers):
                        progress(f"{part}, {consumers} consumers, {octets} octets: {peer.name}, round {number + 1}")
                        measured[peer.name].append(figures(peer.run(consumers, octets, settings), peer.name))
                for name, rounds in measured.items():
                    yield row(part, name, int(consumers), int(octets), settings, rounds)
    finally:
        for each in all_peers:
            each.stop()


def need_eventc():
    if not shutil.which("eventc"):
        sys.exit("bench: the package omnievents is not installed")


def over_tcp(programs, takt, settings):
    need_eventc()
    with tempfile.TemporaryDirectory() as folder:
        yield from in_turn("tcp", peers(programs, takt, folder), settings)


@contextlib.contextmanager
def local_roads():
    """Programs that start meanwhile take local roads, and wait until they are admitted to them."""
    names = {"TAKT_LOCAL_ROADS": "on", "TAKT_LOCAL_ROAD_TIMEOUT": "1s"}
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(names)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def over_local_roads(programs, takt, settings):
    need_eventc()
    with local_roads():
        yield from in_turn("local", own_peers(programs, takt), settings)


def by_shared_buffer(programs, takt, settings):
    port = free_port()
    service = SharedBuffer("Takt, shared buffer", port, [takt, "events", "rt", "--ring", "64MiB", "--max-queued-events", "1023",
                                                         "--listen", f"iiop://127.0.0.1:{port}"], programs.path("bench_events_client"))
    with local_roads():
        yield from in_turn("ring", [service], settings)


def in_process(programs, settings):
    for octets in settings.octets.split(","):
        for consumers in settings.consumers.split(","):
            progress(f"{consumers} consumers, {octets} octets, in the process")
            command = [programs.path("bench_events_channel"), "flow", consumers, octets, str(settings.seconds)]
            rounds = [figures(command, "the channel") for _ in range(settings.rounds)]
            yield row("process", "Takt, real-time channel", int(consumers), int(octets), settings, rounds)


def persistent(programs, takt, settings):
    with tempfile.TemporaryDirectory(dir=settings.folder) as folder:
        port = free_port()
        service = Peer("takt notify", [port], [takt, "notify", "serve", "--store", os.path.join(folder, "notify.db"), "--channel", "bench",
                                               "--max-queued-events", "65536", "--listen", f"iiop://127.0.0.1:{port}"]).wait_for()
        try:
            for octets in settings.octets.split(","):
                for suppliers, batch in PERSISTENT:
                    progress(f"persistent, {octets} octets: {suppliers} suppliers, {batch} events in a call")
                    command = [programs.path("bench_notify_client"), f"corbaloc::127.0.0.1:{port}/bench", str(suppliers), str(batch), octets,
                               str(settings.seconds), str(service.process.pid)]
                    rate, p50, p99, service_us, client_us = medians([figures(command, "takt notify") for _ in range(settings.rounds)])
                    yield {"part": "persistent", "service": "Takt, persistent notification", "suppliers": suppliers, "batch": batch,
                           "octets": int(octets), "rounds": settings.rounds, "acknowledged_per_second": round(rate), "call_p50_us": round(p50),
                           "call_p99_us": round(p99), "service_us": round(service_us, 2), "client_us": round(client_us, 2)}
        finally:
            service.stop()


def urgent(machine, programs, settings):
    if not may_use_real_time():
        print("bench: an urgent event beside a flood is not measured: that takes root or CAP_SYS_NICE", file=sys.stderr)
        return
    core = str(max(os.sched_getaffinity(0)))
    rounds = []
    with machine.awake():
        for number in range(settings.rounds):
            progress(f"an urgent event beside a flood, round {number + 1}")
            command = ["taskset", "-c", core, programs.path("bench_events_channel"), "urgent", str(settings.seconds)]
            rounds.append(figures(command, "the channel"))
    ratio = statistics.median(flooded / alone for _, alone, _, flooded, _ in rounds)
    keys = ("alone_p50_us", "alone_p99_us", "flood_p50_us", "flood_p99_us", "ordinary_per_second")
    yield {"part": "urgent", "service": "Takt, real-time channel", "rounds": settings.rounds, "core": int(core),
           **{key: round(value, 2) for key, value in zip(keys, medians(rounds))}, "p99_ratio": round(ratio, 2)}


def bounds(machine, programs, settings):
    if not may_use_real_time():
        print("bench: bounds through a channel are not measured: that takes root or CAP_SYS_NICE", file=sys.stderr)
        return
    progress(f"bounds through a channel, {settings.graphs} random graphs")
    command = [programs.path("bench_events_bounds"), "--graphs", str(settings.graphs), "--seconds", "0.1"]
    with machine.awake():
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"bench: the channel: {done.stderr}")
    graphs = [json.loads(line) for line in done.stdout.splitlines()]
    sums = {key: sum(each[key] for each in graphs) for key in ("bounds", "events", "discarded", "exceeded", "beyond_hiccup")}
    yield {"part": "bounds", "service": "Takt, real-time channel", "graphs": len(graphs), **sums,
           "nearest": max(each["nearest"] for each in graphs), "nearest_median": statistics.median(each["nearest"] for each in graphs),
           "nearest_of_graphs": [each["nearest"] for each in graphs],
           "hiccup_us": max(each["hiccup_us"] for each in graphs), "overhead_us": graphs[0]["overhead_us"],
           "hold_up_us": graphs[0]["hold_up_us"]}


def measure(machine, programs, _variants, settings):
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    takt = os.path.join(programs.build_dir, "tools", "takt", "takt")
    for program in (takt, *map(programs.path, ("bench_events_client", "bench_notify_client", "bench_events_channel", "bench_events_bounds"))):
        if not os.path.exists(program):
            sys.exit(f"bench: {program} is not built")
    parts = {"tcp": lambda: over_tcp(programs, takt, settings), "local": lambda: over_local_roads(programs, takt, settings),
             "ring": lambda: by_shared_buffer(programs, takt, settings), "process": lambda: in_process(programs, settings),
             "persistent": lambda: persistent(programs, takt, settings), "urgent": lambda: urgent(machine, programs, settings),
             "bounds": lambda: bounds(machine, programs, settings)}
    try:
        rows = [each for name in settings.parts.split(",") for each in parts[name]()]
    finally:
        progress("")
    if settings.plot:
        draw(settings.plot, rows)
    return rows


def report(rows):
    passed = [each for each in rows if each["part"] in ("tcp", "local", "ring", "process")]
    if passed:
        table("events (medians; processor time for a delivery; time until the last consumer has a single event)",
              ["over", "service", "consumers", "octets", "deliveries/s", "service us", "clients us", "last p50 us", "last p99 us"],
              [[each["part"], each["service"], each["consumers"], each["octets"], f"{each['deliveries_per_second']:,.0f}", *(each[key] for key in COLUMNS[1:])]
               for each in passed])
    kept = [each for each in rows if each["part"] == "persistent"]
    if kept:
        table("persistent events (medians; processor time for an event)",
              ["suppliers", "events/call", "octets", "acknowledged/s", "call p50 us", "call p99 us", "service us", "clients us"],
              [[each["suppliers"], each["batch"], each["octets"], f"{each['acknowledged_per_second']:,}", each["call_p50_us"],
                each["call_p99_us"], each["service_us"], each["client_us"]] for each in kept])
    for each in (each for each in rows if each["part"] == "urgent"):
        table(f"an urgent event beside a flood, on core {each['core']}", ["", "p50 us", "p99 us"],
              [["alone", each["alone_p50_us"], each["alone_p99_us"]], ["beside the flood", each["flood_p50_us"], each["flood_p99_us"]]])
        print(f"p99 beside the flood is {each['p99_ratio']} of that alone; {each['ordinary_per_second']:,.0f} ordinary events/s")
    for each in (each for each in rows if each["part"] == "bounds"):
        table("times from a supplier's release to a consumer's end, and their bounds",
              ["graphs", "bounds", "events", "discarded", "exceeded", "nearest (median)", "latest wake-up us", "declared blocking us"],
              [[each["graphs"], each["bounds"], each["events"], each["discarded"], each["exceeded"],
                f"{each['nearest']:.2f} ({each['nearest_median']:.2f})", each["hiccup_us"], each["hold_up_us"]]])
