"""An implementation repository: the first call to a stopped server, beside the server's start-up; the first call to a running one and later
calls, beside a server that is called directly; and clients that all call a stopped server at once.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

from harness.report import progress, table

OWN_PROGRAMS = True


def arguments(parser):
    parser.add_argument("--rounds", type=int, default=20, help="starts that are measured; default: %(default)s")
    parser.add_argument("--calls", type=int, default=2000, help="first calls to a running server; default: %(default)s")
    parser.add_argument("--clients", type=int, default=10_000, help="clients that call at once; default: %(default)s")
    parser.add_argument("--processes", type=int, default=10, help="processes that these are in; default: %(default)s")


class Repository:
    def __init__(self, programs, folder):
        self.takt = os.path.join(programs.build_dir, "tools", "takt", "takt")
        self.program = os.path.abspath(programs.path("bench_activation"))
        for program in (self.takt, self.program):
            if not os.path.exists(program):
                sys.exit(f"bench: {program} is not built")
        self.socket = ("--socket", os.path.join(folder, "socket"))
        self.process = subprocess.Popen([self.takt, "imr", "serve", "--store", os.path.join(folder, "imr.db"), *self.socket, "--listen",
                                         "iiop://127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
        self.reference = self.process.stdout.readline().strip()
        subprocess.run([self.takt, "imr", "add", "started", "--longest-start", "60s", *self.socket, "--", self.program, "serve",
                        "-ORBListenEndpoints", "iiop://127.0.0.1:0"], check=True)
        self.server = self.owner("reference")

    def owner(self, verb):
        return subprocess.run([self.takt, "imr", verb, "started", *self.socket], capture_output=True, text=True, check=True).stdout.strip()

    def status(self):
        return json.loads(subprocess.run([self.takt, "imr", "status", "started", "--json", "--service", self.reference],
                                         capture_output=True, text=True, check=True).stdout)

    def stop_server(self):
        self.owner("stop")
        end = time.monotonic() + 60
        while self.status()["processes"]:
            assert time.monotonic() < end, "the server does not end"

    def client(self, reference, threads, rounds):
        return subprocess.Popen([self.program, "call", reference, str(threads), str(rounds)], stdout=subprocess.PIPE, text=True)

    def calls(self, reference, threads=1, rounds=1):
        text = self.client(reference, threads, rounds).communicate(timeout=600)[0]
        return [tuple(map(int, line.split())) for line in text.splitlines()]

    def start_up_ms(self):
        """The time from the start of the server's program, without a repository, until it serves."""
        begin = time.monotonic()
        process = subprocess.Popen([self.program, "serve", "-ORBListenEndpoints", "iiop://127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
        process.stdout.readline()
        taken = time.monotonic() - begin
        process.kill()
        process.communicate()
        return taken * 1e3

    def end(self):
        self.stop_server()
        self.process.terminate()
        self.process.communicate(timeout=60)


def measure(_machine, programs, _variants, settings):
    with tempfile.TemporaryDirectory() as folder:
        repository = Repository(programs, folder)
        try:
            rows = [stopped(repository, settings.rounds), *running(repository, settings.calls),
                    stampede(repository, settings.clients, settings.processes)]
        finally:
            repository.end()
    progress("")
    return rows


def stopped(repository, rounds):
    start_up, first = [], []
    for i in range(rounds):
        progress(f"a stopped server: {i + 1} of {rounds}")
        start_up.append(repository.start_up_ms())
        first.append(repository.calls(repository.server)[0][0] / 1e6)
        repository.stop_server()
    return {"case": "stopped", "start_up_ms": round(statistics.median(start_up), 2), "first_call_ms": round(statistics.median(first), 2),
            "worst_first_call_ms": round(max(first), 2)}


def running(repository, calls):
    """Over connections that are there: each reference is new, so its first call makes the detour."""
    progress("a running server")
    repository.calls(repository.server)
    direct = f"corbaloc::{repository.status()['processes'][0]['address']}/started"
    rows = []
    for where, reference in (("repository", repository.server), ("server", direct)):
        first, later = zip(*repository.calls(reference, rounds=calls)[10:])
        rows.append({"case": "running", "reference_names": where, "first_call_us": round(statistics.median(first) / 1e3, 1),
                     "later_call_us": round(statistics.median(later) / 1e3, 1)})
    return rows


def stampede(repository, clients, processes):
    progress(f"{clients} clients at once")
    repository.stop_server()
    before = repository.status()
    begin = time.monotonic()
    running_clients = [repository.client(repository.server, clients // processes, 1) for _ in range(processes)]
    served = sum(len(each.communicate(timeout=600)[0].splitlines()) for each in running_clients)
    taken, after = time.monotonic() - begin, repository.status()
    return {"case": "stampede", "clients": clients // processes * processes, "served": served, "starts": after["starts"] - before["starts"],
            "seconds": round(taken, 2)}


def report(rows):
    by_case = {case: [row for row in rows if row["case"] == case] for case in ("stopped", "running", "stampede")}
    table("a stopped server, ms", ["start-up", "first call", "worst"],
          [[row["start_up_ms"], row["first_call_ms"], row["worst_first_call_ms"]] for row in by_case["stopped"]])
    table("a running server, us", ["the reference names", "first call", "later calls"],
          [[row["reference_names"], row["first_call_us"], row["later_call_us"]] for row in by_case["running"]])
    table("clients at once", ["clients", "served", "starts", "seconds"],
          [[f"{row['clients']:,}", f"{row['served']:,}", row["starts"], row["seconds"]] for row in by_case["stampede"]])
