#!/usr/bin/env python3
"""Fails if a two-way call costs more than its ceiling: heap allocations, lock operations, waits (conditions, semaphores,
futexes), system calls and user-space instructions, on either side. Every count is a slope between two numbers of
calls, so that the cost of starting and stopping cancels out."""

import argparse
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "bench"))

from harness import costs  # noqa: E402
from harness.process import Programs, scratch  # noqa: E402
from harness.variants import BY_RING, LITE_OPTION, OVER_MEMORY, OVER_UDP, OVER_UNIX, TAKT, VARIANTS, Variant, over_tls  # noqa: E402

# Per call. A fraction, because rare events (a timer, a thread's first call) do not happen in each call.
NEARLY_NONE = 0.01
# The limits are the present values, so that no increase goes unnoticed; the aim is 400 and 600 for octet, and
# no more than 680 and 724. They include a server's defences against hostile peers (memory budgets, deciding
# which requests count as activity, a bounded backlog).
CEILINGS = {
    "void": {"client": dict(instructions=630, syscalls=2), "server": dict(instructions=675, syscalls=3)},
    "octet": {"client": dict(instructions=670, syscalls=2), "server": dict(instructions=712, syscalls=3)},
    # The octet call with GIOPlite and operation handles, which takes fewer instructions than with GIOP.
    "lite": {"client": dict(instructions=675, syscalls=2), "server": dict(instructions=676, syscalls=3)},
    # The octet call of a server whose calls are counted (-ORBAdmin): at most 30 instructions more.
    "counted": {"client": dict(instructions=680, syscalls=2), "server": dict(instructions=741, syscalls=3)},
    # The octet call of a client and a server with an interceptor each that does nothing: 136 instructions more in the
    # client, which has two points, and 145 in the server, which has three. The aim is 300 for both together.
    "intercepted": {"client": dict(instructions=806, syscalls=2), "server": dict(instructions=847, syscalls=3)},
    # The octet call of a client and a server with -ORBTracing that do not record the call, which is most calls, and
    # of those that do.
    "traced": {"client": dict(instructions=750, syscalls=2), "server": dict(instructions=750, syscalls=3)},
    "recorded": {"client": dict(instructions=2350, syscalls=2), "server": dict(instructions=2700, syscalls=3)},
    # The octet call of a client and a server with -ORBRecorder.
    "kept": {"client": dict(instructions=1030, syscalls=2), "server": dict(instructions=1045, syscalls=3)},
    # The octet call of the classic IDL to C++ mapping: compiled functions in place of templates.
    "classic": {"client": dict(instructions=747, syscalls=2), "server": dict(instructions=800, syscalls=3)},
    # A string result is a new std::string for the caller: the mapping requires that allocation.
    "string": {"client": dict(instructions=1300, syscalls=2, allocations=1),
               "server": dict(instructions=1700, syscalls=3, allocations=1)},
    # Through 200 references in turn, more than a thread remembers: each call is bound again.
    "references": {"client": dict(instructions=805, syscalls=2), "server": dict(instructions=718, syscalls=3)},
    # A single-threaded server, in ORB::run.
    "reactive": {"client": dict(instructions=700, syscalls=2), "server": dict(instructions=945, syscalls=3)},
    # The same by io_uring: the server's one system call sends the last reply and waits for the next request. Valgrind
    # does not know this kind of ring.
    "io-uring": {"client": dict(syscalls=2), "server": dict(syscalls=1)},
    # A server with a lane for each priority, and one that takes on each request's priority. The limits are
    # those of octet plus the cost of the priority: waiting in epoll, its context in both directions, and two
    # changes of the thread's priority.
    "lanes": {"client": dict(instructions=690, syscalls=2), "server": dict(instructions=995, syscalls=3)},
    # The same by io_uring, as with "io-uring": a system call for a request, at the lane's priority.
    "lanes-io-uring": {"client": dict(syscalls=2), "server": dict(syscalls=1)},
    "propagated": {"client": dict(instructions=1010, syscalls=2), "server": dict(instructions=1635, syscalls=4)},
    # Adapters with one upcall at a time: taking the turn, which is free here. With a default servant or a
    # servant locator there is no lock, except, for the locator, that of the reference to its adapter.
    "single-thread": {"client": dict(instructions=700, syscalls=2),
                      "server": dict(instructions=1450, syscalls=3, lock_operations=1)},
    "main-thread": {"client": dict(instructions=700, syscalls=2),
                    "server": dict(instructions=1450, syscalls=3, lock_operations=1)},
    "default-servant": {"client": dict(instructions=700, syscalls=2), "server": dict(instructions=1210, syscalls=3)},
    "locator": {"client": dict(instructions=700, syscalls=2),
                "server": dict(instructions=1930, syscalls=3, lock_operations=2)},
    # Each call takes a connection from the process's cache: two locks, to take it and to return it.
    "cached": {"client": dict(instructions=1250, syscalls=2, lock_operations=2), "server": dict(syscalls=3)},
    # One connection for all threads, without and with a thread of its own: the cost of sharing for a single
    # caller. In the latter, four system calls are the connection thread's; the caller's are the wake-up and
    # the wait; a few more of both where locks meet, about one in 30 calls on a busy machine.
    "multiplexed": {"client": dict(instructions=2600, syscalls=2, lock_operations=5, waits=1), "server": dict(syscalls=3)},
    "multiplexed-active": {"client": dict(instructions=3000, syscalls=9, lock_operations=4, waits=3.2),
                           "server": dict(syscalls=3)},
    # Over shared memory: one system call to wake the other side and one to sleep. How often, and with how
    # many instructions, depends on which side is faster. None if both sides poll.
    "shm": {"client": dict(instructions=1150, syscalls=2, waits=3),
            "server": dict(instructions=1200, syscalls=2, waits=3)},
    "shm-busy": {"client": dict(syscalls=0), "server": dict(syscalls=0)},
    # A UNIX-domain socket costs the same as TCP. Streams of TLS and UDP have state shared by reader and
    # writer: a lock, which is free here. The allocations are OpenSSL's and also happen in a raw ping-pong, as
    # do most instructions. If other processes delay one side for long, some datagrams are sent again.
    "uds": {"client": dict(instructions=682, syscalls=2), "server": dict(instructions=750, syscalls=3)},
    "udp": {"client": dict(instructions=1950, syscalls=2.1, lock_operations=3),
            "server": dict(instructions=2150, syscalls=3, lock_operations=3)},
    "tls": {"client": dict(syscalls=2, allocations=4, lock_operations=3),
            "server": dict(syscalls=3, allocations=4, lock_operations=3)},
    # With the example plug-in's messages, which it checks octet by octet.
    "checked": {"client": dict(instructions=2800, syscalls=2), "server": dict(instructions=2850, syscalls=3)},
    # One asynchronous call at a time, whose handler or coroutine makes the next: the thread that reads waits with epoll,
    # takes the connection's lock for the reply and for the next request, and keeps what is needed to send it again. A
    # coroutine may be cancelled at any time, which takes one lock more. Some 70 instructions are for a run loop of the
    # thread, which would deliver the call; some 35 see to it that a handler in that thread is as urgent as its call.
    "callback": {"client": dict(instructions=2565, syscalls=3, lock_operations=2),
                 "server": dict(instructions=712, syscalls=3)},
    "coroutine": {"client": dict(instructions=2835, syscalls=3, lock_operations=3),
                  "server": dict(instructions=712, syscalls=3)},
    # The same in a run loop of the calling thread, which makes each as a synchronous call. The aim is 800: 1.2 of octet.
    "loop-callback": {"client": dict(instructions=828, syscalls=2), "server": dict(instructions=712, syscalls=3)},
    "loop-coroutine": {"client": dict(instructions=794, syscalls=2), "server": dict(instructions=712, syscalls=3)},
    # 54 calls under way together: requests and replies share writes and reads. Both sides have a thread that
    # looks once a millisecond, or less often, while calls are under way.
    "pipelined": {"client": dict(syscalls=0.5, lock_operations=3.5, waits=0.3),
                  "server": dict(syscalls=0.5, lock_operations=0.3, waits=0.3)},
    # The message and the decoded sequence keep their memory from call to call. A body that arrives in two
    # parts is joined in extra memory: a few calls in a hundred.
    "structs": {"client": dict(syscalls=3), "server": dict(syscalls=5, allocations=0.2)},
}
TRACED = ("-ORBTracing", "0")  # a ratio above 0 counts down in the same way, and records some calls
DIRECT = ("-ORBPriorityMapping", "direct")
VARIANT_OF = {"lite": Variant("takt", "takt", (*TAKT, *LITE_OPTION), LITE_OPTION),
              "counted": Variant("takt", "takt", (*TAKT, "-ORBAdmin", "iiop://localhost:0")),
              "intercepted": Variant("takt", "takt", (*TAKT, "--interceptors", "empty"), ("--interceptors", "empty")),
              "traced": Variant("takt", "takt", (*TAKT, *TRACED), TRACED),
              "classic": Variant("classic", "classic", TAKT),
              "references": Variant("takt", "takt", TAKT, ("--references", "200")),
              "reactive": Variant("takt", "takt", (*TAKT, "-ORBServerConcurrency", "reactive")),
              "io-uring": Variant("takt", "takt", (*TAKT, "-ORBServerConcurrency", "reactive", *BY_RING)),
              "lanes": Variant("takt", "takt", (*TAKT, *DIRECT, "--priorities", "lanes")),
              "lanes-io-uring": Variant("takt", "takt", (*TAKT, *DIRECT, "--priorities", "lanes", *BY_RING)),
              "propagated": Variant("takt", "takt", (*TAKT, *DIRECT, "--priorities", "propagated"),
                                    (*DIRECT, "--at", "40")),
              **{kind: Variant("takt", "takt", (*TAKT, "--adapter", kind))
                 for kind in ("single-thread", "main-thread", "default-servant", "locator")},
              "cached": Variant("takt", "takt", TAKT, ("-ORBClientConnections", "cached")),
              "multiplexed": Variant("takt", "takt", TAKT, ("-ORBClientConnections", "multiplexed")),
              "multiplexed-active": Variant("takt", "takt", TAKT, ("-ORBClientConnections", "multiplexed-active")),
              **{variant.transport: variant for variant in (*OVER_MEMORY, *OVER_UNIX, *OVER_UDP)
                 if variant.peer == "takt"},
              **{model: Variant("takt", "takt_async", TAKT, ("--model", model))
                 for model in ("callback", "coroutine", "loop-callback", "loop-coroutine")},
              "pipelined": Variant("takt", "takt_async", TAKT, ("--model", "coroutine", "--in-flight", "54"))}
# A side that polls executes an arbitrary number of instructions, how many calls share a write varies, and Valgrind has
# no io_uring.
TOOLS_OF = {"io-uring": ("preload", "strace"), "lanes-io-uring": ("preload", "strace"), "shm-busy": ("preload", "strace"), "pipelined": ("preload", "strace")}
EVERYWHERE = dict(allocations=0, lock_operations=0, waits=0)


def complaints(rows, ceilings):
    for row in rows:
        for key, ceiling in {**EVERYWHERE, **ceilings[row["workload"]][row["side"]]}.items():
            slack = 1 if key == "instructions" else NEARLY_NONE
            verdict = "ok" if row[key] <= ceiling + slack else "TOO MANY"
            print(f"{row['workload']:10} {row['side']:7} {key:16} {row[key]:>10}  at most {ceiling:>6}  {verdict}")
            if verdict != "ok":
                yield f"{row['side']}: {row[key]} {key}, at most {ceiling}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build-dir", required=True)
    parser.add_argument("--workload", default="octet", choices=list(CEILINGS))
    parser.add_argument("--self-test", action="store_true", help="a call that is over its ceilings is refused")
    options = parser.parse_args()
    with scratch() as folder:
        sys.exit(judge(options, folder))


def judge(options, folder):
    """0 if all is as it should be."""
    takt = next(variant for variant in VARIANTS if variant.peer == "takt")
    if options.workload == "tls":  # its certificate is made here
        VARIANT_OF["tls"] = next(variant for variant in over_tls() if variant.peer == "takt")
    if options.workload == "recorded":
        recorded = ("-ORBTracing", "1", "-ORBTraceFile", os.path.join(folder, "spans.%p"))
        VARIANT_OF["recorded"] = Variant("takt", "takt", (*TAKT, *recorded), recorded)
    if options.workload == "kept":
        kept = ("-ORBRecorder", "1MiB", "-ORBRecorderFile", os.path.join(folder, "recording.%p"))
        VARIANT_OF["kept"] = Variant("takt", "takt", (*TAKT, *kept), kept)
    if options.workload == "checked":
        plugin = ("-ORBPlugin", os.path.join(options.build_dir, "tests", "feature", "configuration", "checked.so"))
        VARIANT_OF["checked"] = Variant("takt", "takt", (*plugin, "-ORBListenEndpoints", "checked://127.0.0.1:0"), plugin)
    variant = VARIANT_OF.get(options.workload, takt)
    counted = costs.costs_of(Programs(options.build_dir), variant,
                             "octet" if options.workload in VARIANT_OF else options.workload,
                             TOOLS_OF.get(options.workload, tuple(costs.TOOLS)))
    rows = [{**row, "workload": options.workload, "waits": costs.waits(row)} for row in counted]
    if options.self_test:
        none = {"octet": {side: dict(instructions=10, syscalls=0) for side in costs.SIDES}}
        return 0 if len(list(complaints(rows, none))) == 4 else 1
    return 1 if list(complaints(rows, CEILINGS)) else 0


if __name__ == "__main__":
    main()
