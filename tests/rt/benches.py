#!/usr/bin/env python3
"""The benches make the calls that they claim, and no others: runs each with few calls, and compares its counts with what
was requested."""

import argparse
import json
import os
import shutil
import subprocess
import sys
from argparse import Namespace

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
BENCH = os.path.join(HERE, "..", "..", "bench")
sys.path.insert(0, BENCH)

from harness import network  # noqa: E402
from harness.machine import may_use_real_time, may_use_reservations  # noqa: E402
from harness.inversion import ARCHITECTURES  # noqa: E402
from harness.process import Programs, scratch  # noqa: E402
from harness.variants import VARIANTS  # noqa: E402
from harness.whitebox import group_of  # noqa: E402

SKIPPED = 77
# Functions as callgrind names them, and their groups.
GROUPED = {
    "a_client:void takt::detail::Stub<takt::Operation<takt::OperationName<4ul>{char [4]{(char)1}}, void ()>>::call(int)":
        "marshaling, stub, skeleton",
    "a_server:takt::adapter::ObjectAdapter::dispatch(takt::server::ServerCall&)": "adapter, upcall",
    "a_server:takt::server::WriteBuffer::send(takt::GatherBuffer&)": "connection, transport",
    "a_server:takt::giop::Connection::take_event()": "messaging",
    "a_server:CubeServant::send_structs(std::vector<Bench::BinStruct> const&)": "program",
    "a_client:_0RL_cd_0f598041917b6f64_01000000::marshalArguments(cdrStream&)": "marshaling, stub, skeleton",
    "libomniORB4.so.2.5:omni::giopStream::sendChunk(omni::giopStream_Buffer*)": "messaging",
    "libomniORB4.so.2.5:omni::tcpConnection::Send(void*, unsigned long, omni_time_t const&)": "connection, transport",
    "libomniORB4.so.2.5:omniRemoteIdentity::dispatch(omniCallDescriptor&)": "invocation",
    "libc.so.6:pthread_mutex_lock@@GLIBC_2.2.5": "locks",
    "libc.so.6:__memcpy_avx_unaligned_erms": "copying",
    "libc.so.6:recv": "C library",
    "a_server:(anonymous namespace)::Receiver::sendStructSeq_1way(std::vector<Ttcp::BinStruct> const&)": "program",
    "a_client:Ttcp::Receiver::sendStructSeq_2way(std::vector<Ttcp::BinStruct> const&)": "marshaling, stub, skeleton",
    "a_client:CORBA::Request::run_remotely(bool)": "dynamic requests",
    "a_client:takt::dynamic::write_value(takt::cdr::Encoder&, CORBA::Any const&)": "dynamic requests",
    "libomniDynamic4.so.2.5:omni::fastCopyUsingTC(omni::TypeCode_base*, cdrStream&, cdrStream&)": "dynamic requests",
    "elsewhere:something": "other",
}
NO_FIFO = "SCHED_FIFO needs CAP_SYS_NICE"


def rows_of(programs, name, *options, drawn=0):
    """The figures of a bench, which must draw at least that many charts."""
    with scratch() as folder:
        figures, plots = os.path.join(folder, "figures"), os.path.join(folder, "plots")
        subprocess.run([os.path.join(BENCH, "run"), name, "--build-dir", programs.build_dir, "--json", figures, *options,
                        *(["--plot", plots] if drawn else [])], check=True, timeout=100)
        if drawn and len(os.listdir(plots)) < drawn:
            sys.exit(f"{name} drew {os.listdir(plots)}, not {drawn} charts")
        with open(figures) as file:
            return json.load(file)


def peers_of(programs, *peers):
    return [peer for peer in peers if programs.built(next(variant for variant in VARIANTS if variant.peer == peer))]


def differ(what, seen, wanted):
    return [] if seen == wanted else [f"{what}: {seen}, not {wanted}"]


def priority(programs):
    """Each paced client makes all its calls, and so does each at a priority of its own."""
    if not may_use_real_time():
        return NO_FIFO
    architectures = {"raw": ["thread-per-connection"], "takt": ["reactor-per-priority"],
                     "omniorb": ["process-per-priority", "fastest"]}
    chosen = [f"{peer} {name}" for peer in peers_of(programs, *architectures) for name in architectures[peer]]
    rows = rows_of(programs, "priority", "--parts", "latency", "--variant", "paced,distinct", "--clients", "1,4", "--calls", "20",
                   "--rate", "100", "--rounds", "1", "--architectures", ",".join(chosen), drawn=2)
    seen = {(f"{row['peer']} {row['architecture']}", row["variant"], row["low_clients"], row["side"]): row["n"] for row in rows}
    wanted = {(name, load, count, side): 20 * (count if side == "low" else 1) for name in chosen
              for load, count in (("paced", 1), ("paced", 4), ("distinct", 4)) for side in ("high", "low")}
    return differ("calls", seen, wanted)


def reserved(programs):
    """The high-priority client makes its calls with reserved time, beside ordinary processes that use the rest."""
    if not may_use_reservations():
        return "SCHED_DEADLINE needs CAP_SYS_NICE, all processors, and chrt(1)"
    name = "reactor-per-priority-reserved"
    rows = rows_of(programs, "priority", "--parts", "latency", "--variant", "burning,distinct", "--clients", "0,50", "--calls", "20",
                   "--rate", "50", "--rounds", "1", "--foreign", "2", "--architectures", name)
    seen = {(row["architecture"], row["variant"], row["low_clients"], row["foreign"]): row["n"] for row in rows if row["side"] == "high"}
    return differ("calls", seen, {(name, load, count, 2): 20 for load, count in (("burning", 0), ("burning", 50), ("distinct", 50))})


def priorities_of_threads(pid):
    """The priorities of the threads of a process and its children."""
    found = [{os.sched_getparam(int(thread)).sched_priority for thread in os.listdir(f"/proc/{pid}/task")}]
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return found + [each for child in file.read().split() for each in priorities_of_threads(int(child))]


def processes(programs):
    """All threads of omniORB's process for a priority have it."""
    variant = next(each for name, each in ARCHITECTURES if name == "process-per-priority")
    if not may_use_real_time() or not programs.built(variant):
        return "no SCHED_FIFO, or no omniORB"
    with programs.server(variant) as server:
        programs.client(variant, server, {"faster": 20, "seconds": 0.2})
        return differ("priorities of the server's processes", priorities_of_threads(server.pid), [{0}, {40}, {30}, {20}, {10}])


def inversion(programs):
    """Four clients at four rates, and the duration of a context switch."""
    if not may_use_real_time():
        return NO_FIFO
    peers = peers_of(programs, "raw", "takt", "omniorb")
    rows = rows_of(programs, "inversion", "--rounds", "1", "--faster", "20", "--seconds", "0.5", "--only",
                   f"^({'|'.join(peers)})$", drawn=3)
    complaints = differ("calls", {(row["peer"], row["rate_hz"]): row["n"] for row in rows if "rate_hz" in row},
                        {(peer, rate): 10 * rate for peer in peers for rate in (20, 10, 5, 1)})
    for row in rows:
        if "rate_hz" in row and not {"inversion_ns", "overtaken", "blocked", "blocked_longest_ns"} <= row.keys():
            complaints.append(f"a figure is missing: {row}")
    # To the thread that tries, back to the holder, to the other thread that has it now, and back again.
    switches = {row["metric"]: round(row["switches"]) for row in rows if row["peer"] == "machine"}
    return complaints + differ("switches", switches, {"yield": 2, "synchronized": 4, "synchronized, inheriting": 4})


def packets(device):
    shown = subprocess.run(["ip", "-s", "-j", "link", "show", device], stdout=subprocess.PIPE, check=True).stdout
    counts = json.loads(shown)[0]["stats64"]
    return counts["rx"]["packets"], counts["tx"]["packets"]


def linked(programs):
    """The calls of every peer go over the link between two networks."""
    if os.geteuid() or not shutil.which("ip") or not shutil.which("tc"):
        return "networks take root, ip(8) and tc(8)"
    settings = Namespace(network="veth", link_rate="100mbit", delay="", loss="")
    words, programs.link = network.enter("reno", settings)
    print(words)
    complaints, calls = [], 200
    for variant in [each for each in VARIANTS if each.peer in ("raw", "takt", "omniorb") and programs.built(each)]:
        before, beside = packets("clients"), packets("lo")
        with programs.server(variant) as server:
            programs.client(variant, server, {"bare": calls, "workload": "octet"})
        there, back = (after - early for after, early in zip(packets("clients"), before))
        if not (calls <= there < 4 * calls and calls <= back < 4 * calls) or packets("lo") != beside:
            complaints.append(f"{variant.peer}: {calls} calls were {there} packets there and {back} back")
    rows = rows_of(programs, "cube", "--network", "veth", "--placements", "same", "--rounds", "1", "--seconds", "0.3", "--attempts",
                   "1", "--workloads", "cube_octet", "--only", "^(raw|takt)$")
    return complaints + differ("peers beyond a link", sorted((row["peer"], row["network"]) for row in rows),
                               [("raw", "veth 1gbit"), ("takt", "veth 1gbit")])


def ttcp(programs):
    """Each type, with and without a reply, to each servant in turn; the client learns that all has arrived."""
    peers = peers_of(programs, "takt", "omniorb-fast")
    rows = rows_of(programs, "ttcp", "--calls", "20", "--seconds", "20", "--units", "1,1024", "--servants", "1,100", "--only",
                   f"^({'|'.join(peers)})$", drawn=4)
    cells = [("none", 0), *((name, units) for name in ("short", "char", "long", "octet", "double", "BinStruct") for units in (1, 1024))]
    return differ("calls", {(row["peer"], row["strategy"], row["type"], row["units"], row["servants"]): row["n"] for row in rows},
                  {(peer, strategy, *cell, servants): 20 * servants for peer in peers for strategy in ("twoway", "oneway")
                   for cell in cells for servants in (1, 100)})


def invocation(programs):
    """Stubs and dynamic requests make the same calls, and a request that is sent again costs little more than a stub's."""
    peers = peers_of(programs, "takt", "omniorb")
    rows = rows_of(programs, "invocation", "--parts", "times", "--calls", "20", "--seconds", "30", "--types", "none,BinStruct",
                   "--units", "1,1024", "--servants", "1,100", "--only", "^(takt|omniorb)$", drawn=4)
    kinds = {"takt": ("sii", "interpreted", "dii-reused", "dii-new", "deferred"), "omniorb": ("sii", "dii-new", "deferred")}
    wanted = {(peer, kind, direction, *cell, servants): 20 * servants for peer in peers for kind in kinds[peer]
              for direction in ("twoway", "oneway") if (kind, direction) != ("deferred", "oneway")
              for cell in (("none", 0), ("BinStruct", 1), ("BinStruct", 1024)) for servants in (1, 100)}
    seen = {tuple(row[key] for key in ("peer", "invocation", "direction", "workload", "units", "servants")): row["n"] for row in rows}
    return differ("calls", seen, wanted)


def invocation_counts(programs):
    """Instructions of requests with small sequences, against the stub's, and the groups of their functions."""
    if not shutil.which("valgrind"):
        return "no valgrind"
    takt = ("--only", "^takt$", "--strategies", "twoway")
    rows = rows_of(programs, "invocation", "--parts", "counts", "--types", "octet,BinStruct", "--units", "1", "--servants", "1",
                   "--invocations", "sii,dii-reused,dii-new", *takt)
    counted = {(row["workload"], row["invocation"], row["side"]): row["instructions"] for row in rows}
    complaints = []
    for workload in ("octet", "BinStruct"):
        for kind, most in (("dii-reused", 1.5 if workload == "octet" else 2), ("dii-new", 3)):
            ratio = counted[workload, kind, "client"] / counted[workload, "sii", "client"]
            if ratio > most:
                complaints.append(f"{workload}, {kind}: {ratio:.2f} times the stub's instructions, at most {most}")
        if abs(counted[workload, "sii", "server"] - counted[workload, "dii-reused", "server"]) > 50:
            complaints.append(f"{workload}: the server does not get the same calls: {counted}")
    groups = rows_of(programs, "invocation", "--parts", "whitebox", "--invocations", "dii-new", *takt)
    for side, least in (("client", {"dynamic requests": 0.3, "messaging": 0.01}), ("server", {"copying": 0.3, "program": 0.3})):
        own = {row["group"]: row["share"] for row in groups if row["side"] == side}
        if own["other"] > 0.1 or any(own[group] < share for group, share in least.items()):
            complaints.append(f"{side}: {own}")
    return complaints


def asynchronous(programs):
    """Each model has as many calls under way as it says; gRPC and omniORB do so, or a row says why they are not measured; handlers
    and coroutines allocate nothing, and a call under way takes 2 KiB at most."""
    shapes, models = ((1, 1), (1, 20), (8, 16)), ("callback", "coroutine", "future", "deferred")
    rows = rows_of(programs, "async", "--parts", "rates", "--rounds", "1", "--seconds", "0.05", "--foreign", "2", "--in-flight", "1,20",
                   "--connections", "1,8", "--placements", "same")
    seen = {(row["peer"], row["model"], row["transport"], row["connections"], row["in_flight"]): row["calls"] >= row["in_flight"]
            for row in rows if row["peer"] in ("raw", "takt")}
    others = {row["peer"]: row.get("not_measured") or row["calls"] >= row["in_flight"] for row in rows if row["peer"] in ("grpc", "omniorb")}
    complaints = [f"other peers: {others}"] if len(others) != 2 or not all(others.values()) else []
    complaints += differ("calls", seen, {(peer, model, transport, *shape): True for peer, model in
                                        (("raw", "pipelined"), *(("takt", model) for model in models))
                                        for transport in ("tcp", "uds") for shape in shapes})
    kept = rows_of(programs, "async", "--parts", "memory", "--transports", "tcp", "--models", "callback")
    complaints += [f"octets for a call under way: {row['bytes_per_call']}" for row in kept if not 300 < row["bytes_per_call"] <= 2048]
    if not shutil.which("valgrind"):
        return complaints
    counted = rows_of(programs, "async", "--parts", "counts", "--transports", "tcp", "--models", "callback,coroutine")
    allocations = {row["model"]: round(row["allocations"]) for row in counted if row["side"] == "client"}
    return complaints + differ("allocations", allocations, {"sync": 0, "callback": 0, "coroutine": 0})


def interpreted(programs):
    """Interpreted stubs and skeletons have at most half the code over 100 operations, and take at most twice the
    instructions for structs."""
    if not shutil.which("valgrind"):
        return "no valgrind"
    rows = rows_of(programs, "interpreted", drawn=2)
    complaints = []
    for interface in ("100", "different"):
        text = {row["kind"]: row["text_bytes"] for row in rows if row.get("interface") == interface}
        if text["interpreted"] * 2 > text["compiled"]:
            complaints.append(f"octets of code, {interface}: {text}")
    calls = {(row["kind"], row["workload"], row["units"], row["side"]): row["instructions"] for row in rows if "instructions" in row}
    for (kind, *call), count in calls.items():
        most = 2 if call[0] == "BinStruct" else 1.5
        if kind == "interpreted" and count > most * calls["compiled", *call]:
            complaints.append(f"{call}: {count} instructions, compiled {calls['compiled', *call]}")
    return complaints


def sizes(programs):
    """The time of each layer over the size of the message."""
    rows = rows_of(programs, "probes", "--rounds", "1", "--calls", "50", "--workloads", "octets_4,octets_64k", drawn=1)
    seen = {(row["workload"], row["side"]): sum(other["n"] == 50 for other in rows if other["step"] and
                                                (other["workload"], other["side"]) == (row["workload"], row["side"])) for row in rows}
    return differ("steps of 50 calls", seen, {(workload, side): steps for workload in ("octets_4", "octets_64k")
                                              for side, steps in (("client", 9), ("server", 10))})


def whitebox(programs):
    """Every function belongs to a group, and marshaling dominates the cost of a sequence of structs."""
    if not shutil.which("valgrind"):
        return "no valgrind"
    complaints = differ("groups", {name: group_of(name) for name in GROUPED}, GROUPED)
    rows = rows_of(programs, "whitebox", "--calls", "500", "--only", "^takt$")
    for side in ("client", "server"):
        own = {row["group"]: row for row in rows if row["side"] == side and "share" in row}
        whole = sum(row["share"] for row in own.values())
        data = own["marshaling, stub, skeleton"]["share"] + own["copying"]["share"] + own["program"]["share"]
        if abs(whole - 1) > 0.01 or own["other"]["share"] > 0.01 or data < 0.8 or not own["messaging"]["instructions"]:
            complaints.append(f"{side}: {own}")
    return complaints


def watched(programs):
    """Each way of watching calls has figures in relation to plain programs."""
    rows = rows_of(programs, "watched", "--rounds", "1", "--calls", "50")
    seen = sorted((row["way"], row["workload"]) for row in rows if row["median"] > 0 and row["ratio"] > 0)
    return differ("rows", seen, sorted((way, workload) for way in ("plain", "recorder", "tracing 1 %", "interceptors")
                                       for workload in ("cube_octet", "cube_octet_t8")))


CASES = {case.__name__: case for case in (priority, reserved, processes, inversion, linked, ttcp, invocation, invocation_counts,
                                     asynchronous, interpreted,
                                     sizes, watched, whitebox)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build-dir", required=True)
    parser.add_argument("case", choices=CASES)
    options = parser.parse_args()
    complaints = CASES[options.case](Programs(options.build_dir))
    if isinstance(complaints, str):
        print(f"skipped: {complaints}")
        sys.exit(SKIPPED)
    sys.exit("\n".join(complaints) if complaints else 0)


if __name__ == "__main__":
    main()
