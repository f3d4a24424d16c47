#!/usr/bin/env python3
"""Processor time that the kernel reserves, observed from outside: the scheduling class of each thread of a server and of
a client, in every architecture; and their messages when the kernel refuses."""

import argparse
import contextlib
import os
import subprocess
import sys
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "bench"))

from harness.machine import may_use_reservations  # noqa: E402
from harness.priority import DIRECT  # noqa: E402
from harness.process import ENVIRONMENT, Programs, announced  # noqa: E402
from harness.variants import TAKT, Variant  # noqa: E402

SKIPPED = 77
SCHED_DEADLINE, RESET_ON_FORK = 6, 0x40000000
NAMES = {os.SCHED_OTHER: "ordinary", os.SCHED_FIFO: "fifo", SCHED_DEADLINE: "reserved"}
CONCURRENCY = ["reactive", "leader-followers", "worker-pool", "threading-framework", "thread-per-connection"]
LIMIT, PATIENCE = 60, 1.5  # seconds
HALF = "50ms/100ms"  # half a processor
RESERVED, LOADED = ("-ORBLaneReservations", "40=1ms/100ms"), ("-ORBLaneLoads", "40=1ms/100ms")


def class_of(thread):
    policy = NAMES.get(os.sched_getscheduler(thread) & ~RESET_ON_FORK, "another")
    return f"fifo {os.sched_getparam(thread).sched_priority}" if policy == "fifo" else policy


def classes_of(pid):
    """The threads of a process: (name, class)."""
    found = []
    for thread in map(int, os.listdir(f"/proc/{pid}/task")):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/comm") as file:
            found.append((file.read().strip(), class_of(thread)))
    return sorted(found)


def differ(what, seen, wanted):
    return [] if seen == wanted else [f"{what}: {seen}, not {wanted}"]


def variant(options, client=()):
    return Variant("takt", "takt", (*TAKT, *DIRECT, "--levels", "both", *options), (*DIRECT, *client))


def lanes_once_as(wanted, pid):
    """The lanes' threads: returns when they are as wanted, or after a while as they are."""
    until = time.monotonic() + PATIENCE
    while True:
        seen = [each for each in classes_of(pid) if each[0].startswith("takt-lane")]
        if seen == wanted or time.monotonic() > until:
            return seen
        time.sleep(0.01)


def compare_lanes(programs, what, options, wanted):
    with programs.server(variant(options)) as server:
        return differ(what, lanes_once_as(wanted, server.pid), wanted)


def lanes(programs, reserved=RESERVED):
    """Exactly the threads of a lane with a reservation have it, including those that read for the lane."""
    # A queue has one thread that reads and one that serves.
    for how, threads in (("lanes", 1), ("queues", 2)):
        wanted = [("takt-lane-10", "fifo 10")] * threads + [("takt-lane-40", "reserved")] * threads
        for concurrency in CONCURRENCY:
            options = ("--priorities", how, "-ORBServerConcurrency", concurrency, *reserved)
            yield from compare_lanes(programs, f"{how}, {concurrency}", options, wanted)


def personalities(programs):
    """Declared time is reserved; without a declaration nothing is."""
    for personality in ("realtime", "avionics"):
        for loads, wanted in ((LOADED, "reserved"), ((), "fifo 40")):
            options = ("--priorities", "lanes", "-ORBPersonality", personality, *loads)
            yield from compare_lanes(programs, f"{personality} {loads}", options,
                                     [("takt-lane-10", "fifo 10"), ("takt-lane-40", wanted)])


def clients(programs):
    """The thread that requests a reservation has it while it calls; no other thread has one."""
    chosen = variant(("--priorities", "lanes"))
    with programs.server(chosen) as server:
        client = programs.start_client(chosen, server, {"reserve": "1000/100000", "low-clients": 2, "variant": "paced", "rate": 100,
                                                        "seconds": 3, "levels": "both"})
        try:
            seen, until = [], time.monotonic() + LIMIT
            while client.poll() is None and "reserved" not in seen and time.monotonic() < until:
                seen = sorted(each for _, each in classes_of(client.pid))
                time.sleep(0.01)
            text, _ = client.communicate(timeout=LIMIT)
        finally:
            client.kill()
    yield from differ("reserved threads of the client", seen.count("reserved"), 1)
    yield from differ("others of the lower priority", seen.count("fifo 10"), 2)
    yield from differ("exit status", client.returncode, 0)
    if '"side": "high"' not in text and '"side":"high"' not in text:
        yield f"no figures: {text}"


@contextlib.contextmanager
def nothing_left():
    """While it lasts, the kernel has less than half a processor left to reserve."""
    command = ["chrt", "--reset-on-fork", "--deadline", "--sched-runtime", "80000000", "--sched-period", "100000000", "0",
               "sleep", str(LIMIT)]
    holders = [subprocess.Popen(command, stderr=subprocess.DEVNULL) for _ in range(os.cpu_count())]
    try:
        time.sleep(0.5)
        yield
    finally:
        for holder in holders:
            holder.kill()
            holder.wait()


@contextlib.contextmanager
def server_of(programs, options):
    """A server that writes all of its log before it ends."""
    command = [programs.path("bench_takt_server"), *variant(options).server, "--orderly", "yes", "-ORBLogLevel", "warning"]
    server = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=ENVIRONMENT)
    try:
        yield server
    finally:
        server.kill()
        server.communicate()


def refusals(programs):
    """A request is refused with the times; a mere declaration is reported once and ignored."""
    with nothing_left():
        with server_of(programs, ("--priorities", "lanes", "-ORBLaneReservations", f"40={HALF}")) as server:
            said = server.communicate(timeout=LIMIT)[1]
            if server.returncode == 0 or "NO_RESOURCES" not in said or "50000 us of each 100000 us" not in said:
                yield f"demanded: exit status {server.returncode}, {said}"
        options = ("--priorities", "lanes", "-ORBPersonality", "realtime", "-ORBLaneLoads", f"40={HALF},10=1ms/100ms")
        with server_of(programs, options) as server:
            announced(server, "the server did not start")
            wanted = [("takt-lane-10", "fifo 10"), ("takt-lane-40", "fifo 40")]
            threads = lanes_once_as(wanted, server.pid)
            said = server.communicate(timeout=LIMIT)[1]
        yield from differ("implied", threads, wanted)
        yield from differ("lines that say so", said.count("the lane of priority 40 is not set aside"), 1)
        chosen = variant(("--priorities", "lanes"))
        with programs.server(chosen) as server:
            client = subprocess.run([programs.path("bench_takt_client"), "--endpoint", server.endpoint, "--low-clients", "0",
                                     "--variant", "paced", "--seconds", "1", "--reserve", "50000/100000", *chosen.client],
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=LIMIT)
        if client.returncode == 0 or "no processor time left for 50000 us in each 100000 us" not in client.stderr:
            yield f"client: exit status {client.returncode}, {client.stderr}"


CASES = (lanes, personalities, clients, refusals)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build-dir", required=True)
    parser.add_argument("--self-test", action="store_true", help="that lanes without reservations are complained about")
    options = parser.parse_args()
    if not may_use_reservations():
        print("skipped: SCHED_DEADLINE needs CAP_SYS_NICE, all processors, and chrt(1)")
        sys.exit(SKIPPED)
    time.sleep(0.2)  # time for the kernel to release earlier reservations
    programs = Programs(options.build_dir)
    if options.self_test:
        sys.exit(0 if len(list(lanes(programs, reserved=()))) == 2 * len(CONCURRENCY) else "not all were complained about")
    complaints = [f"{case.__name__}: {complaint}" for case in CASES for complaint in case(programs)]
    sys.exit("\n".join(complaints) if complaints else 0)


if __name__ == "__main__":
    main()
