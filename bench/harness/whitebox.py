"""Where time is spent in a call that sends a sequence of 1,024 BinStructs ([Gokhale 1998], section 4.3): the instructions of
each side by group of functions, as counted by callgrind, and the processor time in the program and in system calls.

Every figure is a slope between two runs of different length. A group's share of the time is its share of the
instructions, applied to the program's time outside of system calls."""

import collections
import functools
import os
import re
import sys

from harness.costs import SIDES, run_bare
from harness.names import add_names
from harness.process import scratch
from harness.report import figure, progress, table

WORKLOADS = ["structs", "octets_64k", "octet"]
COUNTED = (100, 300)  # numbers of calls
USAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "usage.py")
# A function belongs to the first group whose pattern matches its name. File names precede function names.
GROUPS = [
    ("program", r"CubeServant::|bench::|\{anonymous\}::(Session|Receiver|Requests)\b|\bmain\b"),
    ("copying", r"mem(cpy|move|set|cmp)"),
    ("allocation", r"malloc|free\b|calloc|realloc|operator (new|delete)|_int_free|unlink_chunk"),
    ("locks", r"pthread_(mutex|cond|rwlock|once)|omni_(mutex|condition|tracedmutex)|lll_lock"),
    ("marshaling, stub, skeleton", r"Bench::Cube::|Ttcp::Receiver::|takt::detail::Stub<|takt::adapter::Upcall<|takt::cdr::|takt::Operation<|_0RL_|[mM]arshal(?!RequestH|ReplyH)"
                                   r"|cdrStream|cdrMemoryStream|TCS_C|NCS_C|_cxx_sequence"),
    ("dynamic requests", r"takt::dynamic::|CORBA::(Request|NVList|NamedValue|Any\b|TypeCode|Object::_request)|^libomniDynamic"),
    ("messaging", r"takt::giop::|omni::giop|GIOP_[CS]|IOP_C"),
    ("connection, transport", r"takt::(reference|client|server|transport|os)::|omni::(tcp|Socket|Strand|Rope|Scavenger)|[Ss]trand"),
    ("adapter, upcall", r"takt::(adapter|rt)::|omni(OrbPOA|ObjAdapter|ObjTable|CallHandle|LocalIdentity|Identity|Server|Orb)|_dispatch|PortableServer"),
    ("invocation", r"takt::(invocation|orb|base|detail)::|takt::|omni(CallDescriptor|ObjRef|RemoteIdentity)|_objref|omni"),
    ("C library", r"^(libc|ld-linux|libpthread|libstdc\+\+|libm|libgcc_s)[.-]"),
]
OTHER, SYSTEM = "other", "the system's calls"


def arguments(parser):
    add_names(parser, "--workloads", WORKLOADS, "workload", "structs")
    parser.add_argument("--calls", type=int, default=100_000, help="number of timed calls; default: %(default)s")
    parser.add_argument("--functions", type=int, default=0, metavar="N", help="also show the N functions with the most instructions")


def measure(machine, programs, variants, settings):
    print("counted where the scheduler puts them; timed with server and client pinned to core 0")
    rows = []
    for variant in [variant for variant in variants if variant.peer in ("takt", "omniorb-fast")]:
        for workload in settings.workloads:
            progress(f"{variant.peer}, {workload}")
            run = functools.partial(run_bare, programs, variant, workload)
            instructions = slope(COUNTED, lambda calls: counted(run, calls))
            times = slope((1, settings.calls), lambda calls: timed(run, calls))
            for side in SIDES:
                rows += side_rows(variant.peer, workload, side, instructions[side], times[side])
                if settings.functions:
                    show_functions(f"{variant.peer}, {workload}, {side}", instructions[side], settings.functions)
    progress("")
    return rows


def slope(calls, take):
    """Values per call, by side and name."""
    few, many = (take(count) for count in calls)
    return {side: {name: max(0, value - few[side].get(name, 0)) / (calls[1] - calls[0]) for name, value in many[side].items()}
            for side in SIDES}


def counted(run, calls):
    """The instructions of a run with that many calls, by side and function."""
    with scratch() as folder:
        run(calls, wrap=lambda side: ("valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/{side}",
                                      f"--log-file={folder}/log"))
        return {side: by_function(os.path.join(folder, side)) for side in SIDES}


def timed(run, calls):
    with scratch() as folder:
        files = {side: os.path.join(folder, side) for side in SIDES}
        run(calls, wrap=lambda side: (sys.executable, USAGE, files[side]), cpus={0})
        times = {}
        for side, path in files.items():
            with open(path) as file:
                times[side] = dict(zip(("user_s", "system_s"), map(float, file.read().split())))
        return times


def by_function(path):
    """Each function's own instructions, by its file and name. The profile has each name once, and afterwards the number
    that stands for it; the line after calls= is the cost of the called function."""
    names, own, at = {"fn": {}, "ob": {}}, collections.Counter(), {"fn": "", "ob": ""}

    def named(kind, text):
        number, _, name = text.partition(" ")
        return names[kind].setdefault(number, name.strip())

    with open(path) as file:
        for line in file:
            if match := re.match(r"(c?)(fn|ob)=(.*)", line):
                name = named(match[2], match[3])
                if not match[1]:
                    at[match[2]] = name
            elif line.startswith("calls="):
                next(file)
            elif line[0] in "0123456789+-*":
                own[f"{os.path.basename(at['ob'])}:{at['fn']}"] += int(line.split()[1])
    return own


def group_of(function):
    """The group of a function, by its name without parameters, whose types may belong to other groups."""
    name = function.replace("(anonymous namespace)", "{anonymous}").partition("(")[0]
    return next((group for group, pattern in GROUPS if re.search(pattern, name)), OTHER)


def shares(instructions):
    """Each group's instructions and its share of all, from those of each function."""
    groups = collections.Counter()
    for function, count in instructions.items():
        groups[group_of(function)] += count
    whole = sum(groups.values())
    return [{"group": group, "instructions": round(groups[group], 1), "share": round(groups[group] / whole, 4)}
            for group, _ in [*GROUPS, (OTHER, "")]]


def side_rows(peer, workload, side, instructions, times):
    time = sum(times.values()) or 1  # none if there are few calls
    common = {"peer": peer, "workload": workload, "side": side, "user_us": round(times["user_s"] * 1e6, 3),
              "system_us": round(times["system_s"] * 1e6, 3)}
    rows = [{**common, **group, "of_time": round(group["share"] * times["user_s"] / time, 4)} for group in shares(instructions)]
    return [*rows, {**common, "group": SYSTEM, "of_time": round(times["system_s"] / time, 4)}]


def show_functions(title, instructions, count):
    highest = sorted(instructions.items(), key=lambda pair: -pair[1])[:count]
    table(f"{title}: instructions of a call by function", ["function", "instructions", "group"],
          [[name[:100], figure(value), group_of(name)] for name, value in highest])


def report(rows):
    for workload in dict.fromkeys(row["workload"] for row in rows):
        for peer in dict.fromkeys(row["peer"] for row in rows):
            sides = {side: {row["group"]: row for row in rows if (row["workload"], row["peer"], row["side"]) == (workload, peer, side)}
                     for side in SIDES}
            groups = [group for group in sides["client"] if any(own[group]["of_time"] or own[group].get("instructions") for own in sides.values())]
            us = "; ".join(f"{side} {figure(own[SYSTEM]['user_us'])} us and {figure(own[SYSTEM]['system_us'])} in system calls"
                           for side, own in sides.items())
            table(f"{peer}, a call with {workload}: instructions, and share of the time ({us})",
                  ["functions", *(f"{side} {what}" for side in SIDES for what in ("instructions", "of time"))],
                  [[group, *(cell for side in SIDES for cell in (figure(sides[side][group].get("instructions")),
                                                                 f"{sides[side][group]['of_time']:.1%}"))] for group in groups])
