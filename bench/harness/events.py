"""An event channel of Takt beside one of omniEvents, with one supplier and up to a hundred consumers over TCP: deliveries per
second, and the service's processor time for a delivery. The clients are the same program, and the services take turns.
"""

import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

from harness.report import progress, table

OWN_PROGRAMS = True


def arguments(parser):
    parser.add_argument("--consumers", default="1,10,100", metavar="N,N", help="default: %(default)s")
    parser.add_argument("--octets", default="64", metavar="N,N", help="lengths of events; default: %(default)s")
    parser.add_argument("--seconds", type=float, default=3, help="duration of each measurement")
    parser.add_argument("--rounds", type=int, default=5, help="measurements of each kind, in turn; default: %(default)s")
    parser.add_argument("--cycle-ns", type=int, default=1000000, help="omniEvents' CyclePeriod_ns; default: %(default)s, its own default is "
                        "100000000")


class Service:
    def __init__(self, name, takt, command, settings):
        self.name, self.port, self.channels, self.takt, self.settings = name, free_port(), 0, takt, settings
        self.process = subprocess.Popen(command(self.port), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.factory = f"corbaloc::127.0.0.1:{self.port}/omniEvents"
        end = time.monotonic() + 30
        while subprocess.run([takt, "ping", "--count", "1", self.factory], capture_output=True, check=False).returncode:
            if time.monotonic() > end:
                sys.exit(f"bench: {name} does not answer")

    def channel(self):
        self.channels += 1
        name = f"bench{self.channels}"
        subprocess.run(["eventc", "-i", name, "-q", "1023", "-c", str(self.settings.cycle_ns), "-ORBInitRef",
                        "NameService=corbaloc::127.0.0.1:9/none", self.factory], capture_output=True, check=False)
        return f"corbaloc::127.0.0.1:{self.port}/{name}"

    def stop(self):
        self.process.kill()
        self.process.wait(20)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def measure(_machine, programs, _variants, settings):
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    takt = os.path.join(programs.build_dir, "tools", "takt", "takt")
    client = programs.path("bench_events_client")
    for program in (takt, client):
        if not os.path.exists(program):
            sys.exit(f"bench: {program} is not built")
    if not shutil.which("eventc"):
        sys.exit("bench: the package omnievents is not installed")
    with tempfile.TemporaryDirectory() as folder:
        services = [Service("Takt", takt, lambda port: [takt, "events", "serve", "--memory", "--listen", f"iiop://127.0.0.1:{port}"], settings)]
        if shutil.which("omniEvents"):
            services.append(Service("omniEvents", takt, lambda port: ["omniEvents", "-p", str(port), "-l", folder, "-f", "-t",
                                                                      os.path.join(folder, "trace")], settings))
        try:
            return [row for octets in settings.octets.split(",") for consumers in settings.consumers.split(",")
                    for row in of_size(client, services, int(consumers), int(octets), settings)]
        finally:
            progress("")
            for each in services:
                each.stop()


def of_size(client, services, consumers, octets, settings):
    measured = {each.name: [] for each in services}
    for number in range(settings.rounds):
        for service in services if number % 2 else reversed(services):
            progress(f"{consumers} consumers, {octets} octets: {service.name}, round {number + 1}")
            done = subprocess.run([client, service.channel(), str(consumers), str(octets), str(settings.seconds), str(service.process.pid)],
                                  capture_output=True, text=True, check=False)
            if done.returncode != 0:
                sys.exit(f"bench: {service.name}: {done.stderr}")
            measured[service.name].append([float(word) for word in done.stdout.split()])
    for name, rounds in measured.items():
        rate, service_us, client_us = (statistics.median(column) for column in zip(*rounds))
        yield {"service": name, "consumers": consumers, "octets": octets, "rounds": settings.rounds, "deliveries_per_second": round(rate),
               "service_us": round(service_us, 2), "client_us": round(client_us, 2)}


def report(rows):
    table("events (medians; processor time for a delivery)", ["service", "consumers", "octets", "deliveries/s", "service us", "clients us"],
          [[row["service"], row["consumers"], row["octets"], f"{row['deliveries_per_second']:,}", row["service_us"], row["client_us"]]
           for row in rows])
