"""Where each microsecond of a two-way call is spent ([Kuhns 1999], tables 1 and 2): by the ORB's time probes in client and
server, compared with the duration of the same calls as the client's program sees it; by transport and messaging, with
the share of each layer, and by size (figure 8)."""

import contextlib
import json
import os
import statistics
from dataclasses import replace

from harness.names import add_names
from harness.plot import line_chart, write_chart
from harness.process import scratch
from harness.report import progress, table
from harness.variants import OCTETS, OVER_MEMORY, OVER_UNIX, TAKT, VARIANTS, Variant, over_tls, with_lite

CLIENT = ["initialization", "get object reference", "parameter marshal", "ORB messaging send", "ORB transport send",
          "I/O", "ORB transport receive, waiting included", "ORB messaging receive", "parameter demarshal"]
SERVER = ["I/O, waiting included where it blocks", "ORB transport receive", "ORB messaging receive",
          "parsing object key", "POA demux", "servant demux", "operation demux", "user upcall, demarshal included",
          "ORB messaging send", "ORB transport send"]
# The layer of each step. Time in the other process counts as waiting.
LAYERS = {"ORB": {"client": {1, 2, 3, 9}, "server": {4, 5, 6, 7, 8}}, "messaging": {"client": {4, 8}, "server": {3, 9}},
          "transport": {"client": {5}, "server": {2}}, "system, waiting": {"client": {6, 7}, "server": {1, 10}}}
IN_KERNEL = LAYERS["system, waiting"]
REACTIVE = ("-ORBServerConcurrency", "reactive")
TOLERANCE = 0.05
SIZES = {name: size for name, size in OCTETS.items() if size <= 1 << 16}


def arguments(parser):
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--calls", type=int, default=3000, help="calls of one round; default: %(default)s")
    add_names(parser, "--transports", ("tcp", "uds", "shm", "tls"), "transport", "tcp")
    add_names(parser, "--messaging", ("giop", "giop-lite"), "messaging", "giop")
    add_names(parser, "--workloads", SIZES, "workload", "cube_octet")
    parser.add_argument("--plot", metavar="DIR", help="write the charts by size to this folder, as SVG")
    parser.add_argument("--trace", metavar="FILE", help="write the last round of both processes to this file, for Perfetto")


def probed(programs, folder, server_options, client_options, cpus=None, plain=Variant("takt", "takt", TAKT)):
    """Runs the two programs of the plain variant with their probes' files in the folder; returns the client's output."""
    cpus = cpus or {"server": os.sched_getaffinity(0), "client": os.sched_getaffinity(0)}
    files = {side: ("-ORBTimeProbes", os.path.join(folder, side), "-ORBTimeProbeRecords", "131072")
             for side in ("client", "server")}
    variant = replace(plain, server=(*plain.server, *server_options, "--orderly", "yes", *files["server"]),
                      client=(*plain.client, *files["client"]))
    with programs.server(variant, cpus["server"]) as server:
        return programs.client(variant, server, client_options, cpus["client"])


def calls_in(trace):
    """The calls of a trace, each with its steps' names and durations, in order; microseconds."""
    calls, titles = [], set(CLIENT) | set(SERVER)
    for event in trace["traceEvents"]:
        if event["ph"] != "X":
            continue
        if event["name"] in titles:
            calls[-1]["steps"].append(event["name"])
            calls[-1]["durations"].append(event["dur"])
        else:
            calls.append({"operation": event["name"], "duration": event["dur"], "begin": event["ts"], "steps": [],
                          "durations": []})
    return calls


def measured_variants(settings):
    """Takt's variants over these transports, with each messaging protocol."""
    every = VARIANTS + OVER_UNIX + OVER_MEMORY + (over_tls() if "tls" in settings.transports else [])
    plain = [next(variant for variant in every if variant.peer == "takt" and variant.transport == transport)
             for transport in settings.transports]
    return [variant for one in plain for variant in (one, *with_lite([one])) if variant.messaging in settings.messaging]


def measure(machine, programs, variants, settings):
    print("a reactive server, whose receive never waits; server and client pinned to core 0")
    chosen = measured_variants(settings)
    turns = [(variant, workload) for variant in chosen for workload in settings.workloads]
    rounds = {turn: [] for turn in turns}
    with contextlib.ExitStack() as stack:
        for number in range(settings.rounds):
            for variant, workload in turns:
                progress(f"round {number + 1} of {settings.rounds}, {variant.transport}, {variant.messaging}, {workload}")
                folder = stack.enter_context(scratch())
                rounds[variant, workload].append(round_of(variant, workload, programs, folder, settings))
        progress("")
        if settings.trace:
            write_trace(folder, settings.trace)
    rows = [{"transport": variant.transport, "messaging": variant.messaging, "workload": workload, **row}
            for variant, workload in turns for row in summarize(rounds[variant, workload])]
    if settings.plot:
        write_plots(settings.plot, rows)
    return rows


def round_of(variant, workload, programs, folder, settings):
    options = {"workloads": workload, "seconds": 30, "calls": settings.calls}
    operation = "cube_octet" if workload == "cube_octet" else "send_octets"
    lines = probed(programs, folder, REACTIVE, options, {"server": {0}, "client": {0}}, variant)
    plain = replace(variant, server=(*variant.server, *REACTIVE))
    with programs.server(plain, {0}) as server:
        unprobed = programs.client(plain, server, options, {0})
    result = {"black_box": lines[0]["mean_ns"], "unprobed": unprobed[0]["mean_ns"]}
    for side, titles in (("client", CLIENT), ("server", SERVER)):
        with open(os.path.join(folder, f"{side}.json")) as file:
            calls = [call for call in calls_in(json.load(file)) if call["operation"] == operation]
        # The same calls as in the black-box measurement, without the program's warm-up.
        result[side] = [call for call in calls if len(call["steps"]) >= len(titles)][-int(lines[0]["n"]):]
    return result


def summarize(rounds):
    rows = []
    for side, titles in (("client", CLIENT), ("server", SERVER)):
        for number, title in enumerate(titles, 1):
            times = sorted(1000 * sum(d for name, d in zip(call["steps"], call["durations"]) if name == title)
                           for one in rounds for call in one[side])
            rows.append({"peer": "takt", "side": side, "step": number, "name": title, "n": len(times),
                         "mean_ns": round(statistics.fmean(times), 1), "p50_ns": round(times[len(times) // 2], 1),
                         **({"p99_ns": round(times[len(times) * 99 // 100], 1)} if len(times) >= 1000 else {}),
                         "in_kernel": int(number in IN_KERNEL[side])})
    black_box = statistics.fmean(one["black_box"] for one in rounds)
    unprobed = statistics.fmean(one["unprobed"] for one in rounds)
    total = {side: sum(row["mean_ns"] for row in rows if row["side"] == side) for side in ("client", "server")}
    for row in rows:
        row["share"] = round(row["mean_ns"] / total[row["side"]], 4)
    rows.append({"peer": "takt", "side": "client", "step": 0, "name": "sum of the steps", "n": rows[0]["n"],
                 "mean_ns": round(total["client"], 1), "black_box_ns": round(black_box, 1),
                 "of_black_box": round(total["client"] / black_box, 4), "unprobed_ns": round(unprobed, 1)})
    rows.append({"peer": "takt", "side": "server", "step": 0, "name": "sum of the steps", "n": rows[10]["n"],
                 "mean_ns": round(total["server"], 1)})
    return rows


def report(rows):
    groups = {}
    for row in rows:
        groups.setdefault((row["transport"], row["messaging"], row["workload"]), []).append(row)
    for key, own in groups.items():
        report_steps(", ".join(key), own)
    for side in ("client", "server"):
        table(f"{side}: us of a call, by layer (share)", ["transport, messaging, call", *LAYERS],
              [[", ".join(key), *(by_layer(own, side, layer) for layer in LAYERS)] for key, own in groups.items()])


def by_layer(rows, side, layer):
    share = sum(row["share"] for row in rows if row["side"] == side and row["step"] in LAYERS[layer][side])
    return f"{us_of_layer(rows, side, layer):.3f} ({share:.1%})"


def us_of_layer(rows, side, layer):
    return sum(row["mean_ns"] for row in rows if row["side"] == side and row["step"] in LAYERS[layer][side]) / 1000


def write_plots(folder, rows):
    """Draws figure 8 of [Kuhns 1999]: the time in each layer, over the number of octets sent."""
    for transport, messaging in dict.fromkeys((row["transport"], row["messaging"]) for row in rows):
        series = {}
        for workload, size in SIZES.items():
            own = [row for row in rows if (row["transport"], row["messaging"], row["workload"]) == (transport, messaging, workload)]
            for side in ("client", "server") if own else ():
                for layer in LAYERS:
                    series.setdefault(f"{side}: {layer}", []).append((size, us_of_layer(own, side, layer)))
        if any(len(line) > 1 for line in series.values()):
            write_chart(folder, f"probes-{transport}-{messaging}-sizes.svg",
                        line_chart(f"a call by layers and size ({transport}, {messaging})", "octets", "mean, us", series))


def report_steps(title, rows):
    for side in ("client", "server"):
        steps = [row for row in rows if row["side"] == side and row["step"]]
        table(f"{title}, {side}: us in each step of a two-way call", ["step", "mean", "p50", "p99", "share"],
              [[f"{row['step']:2}. {row['name']}", *(f"{row[key] / 1000:.3f}" if key in row else "-" for key in ("mean_ns", "p50_ns", "p99_ns")),
                f"{row['share']:.1%}"] for row in steps])
    whole = next(row for row in rows if "black_box_ns" in row)
    verdict = "within" if abs(whole["of_black_box"] - 1) <= TOLERANCE else "NOT within"
    print(f"\nthe client's steps sum up to {whole['mean_ns'] / 1000:.3f} us of {whole['black_box_ns'] / 1000:.3f} us "
          f"that its program saw: {whole['of_black_box']:.1%}, {verdict} {TOLERANCE:.0%}; "
          f"without probes the call takes {whole['unprobed_ns'] / 1000:.3f} us")


def write_trace(folder, path):
    events = []
    for side in ("client", "server"):
        with open(os.path.join(folder, f"{side}.json")) as file:
            own = json.load(file)["traceEvents"]
        for event in own:
            if event["name"] == "process_name":
                event["args"]["name"] = side
        events += own
    with open(path, "w") as file:
        json.dump({"displayTimeUnit": "ns", "traceEvents": events}, file)
    print(f"trace written to {path}, for Perfetto")
