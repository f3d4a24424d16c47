"""Interpreted stubs and skeletons beside compiled ones: the size of their code for interfaces of 1, 10 and 100
operations, which share what operations with the same types need, and of 100 operations with different types, and the instructions of client and server per call of TTCP. Sizes are those of the generated code alone, as
size(1) prints them for its library: text has constants and unwinding tables, too, and data the tables of operations. The
description of the interface, which both have and which a linker drops without -ORBReflection, is not counted."""

import os
import subprocess
from dataclasses import replace

from harness import invocation
from harness.costs import SIDES
from harness.plot import bar_chart, line_chart, write_chart
from harness.report import figure, progress, table

KINDS = ["compiled", "interpreted"]
# The number of operations: their types are among five lists in turn. In the last interface, no two of the 100 operations
# have the same types.
INTERFACES = ["1", "10", "100", "different"]
CALLS = [("none", "0"), ("octet", "1"), ("BinStruct", "1"), ("BinStruct", "1024")]


def arguments(parser):
    parser.add_argument("--plot", metavar="DIR", help="write the charts to this folder, as SVG")
    parser.add_argument("--sizes-only", action="store_true", help="do not count instructions, which needs valgrind")


def measure(machine, programs, variants, settings):
    rows = [{"kind": kind, "interface": interface, **size_of(programs, kind, interface)} for interface in INTERFACES for kind in KINDS]
    takt = next(variant for variant in variants if variant.peer == "takt")
    for kind, program in () if settings.sizes_only else (("compiled", "takt"), ("interpreted", "interpreted")):
        variant = replace(takt, program=f"{program}_{invocation.CLIENT}")
        for workload, units in CALLS:
            progress(f"counting {kind}, {workload} x {units}")
            counted = invocation.count(programs, variant, ("sii", "twoway", workload, units, "1"))
            rows += [{"kind": kind, "workload": workload, "units": int(units), "side": side, "instructions": counted[side]}
                     for side in SIDES]
    progress("")
    if settings.plot:
        write_plots(settings.plot, rows)
    return rows


def size_of(programs, kind, interface):
    """The sums over the library's objects."""
    library = programs.path(f"libbench_{kind}_{interface}.a")
    if not os.path.exists(library):
        raise RuntimeError(f"{library} is not built")
    lines = subprocess.run(["size", library], check=True, capture_output=True, text=True).stdout.splitlines()[1:]
    text, data = (sum(int(line.split()[column]) for line in lines) for column in (0, 1))
    symbols = subprocess.run(["nm", "--print-size", library], check=True, capture_output=True, text=True).stdout.splitlines()
    described = sum(int(line.split()[1], 16) for line in symbols if "octets_of_" in line)
    return {"text_bytes": text - described, "data_bytes": data}


def sizes(rows):
    return {(row["kind"], row["interface"]): row for row in rows if "text_bytes" in row}


def counts(rows):
    return {(row["kind"], row["workload"], row["units"], row["side"]): row["instructions"] for row in rows if "instructions" in row}


def ratio(own, other):
    return f"{own / other:.2f}" if other else "-"


def report(rows):
    by_size, by_call = sizes(rows), counts(rows)
    lines = []
    for interface in INTERFACES:
        compiled, interpreted = (by_size[kind, interface] for kind in KINDS)
        lines.append([interface, *(figure(one[key]) for key in ("text_bytes", "data_bytes") for one in (compiled, interpreted)),
                      ratio(interpreted["text_bytes"], compiled["text_bytes"]),
                      ratio(sum(interpreted[key] for key in ("text_bytes", "data_bytes")),
                            sum(compiled[key] for key in ("text_bytes", "data_bytes")))])
    table("octets of stubs and skeletons by operations", ["operations", "text, compiled", "interpreted", "data, compiled", "interpreted",
                                                                   "ratio of text", "of both"], lines)
    if by_call:
        table("instructions per two-way call", ["call", *(f"{side}{what}" for side in SIDES for what in (", compiled", ", interpreted", ", ratio"))],
              [[f"{workload} x {units}", *(cell for side in SIDES for cell in call_cells(by_call, workload, int(units), side))]
               for workload, units in CALLS])


def call_cells(by_call, workload, units, side):
    compiled, interpreted = (by_call[kind, workload, units, side] for kind in KINDS)
    return figure(compiled), figure(interpreted), ratio(interpreted, compiled)


def write_plots(folder, rows):
    """Size by number of operations, and size against speed: what the code of an operation takes, and its call."""
    by_size, by_call = sizes(rows), counts(rows)
    write_chart(folder, "interpreted-sizes.svg",
                line_chart("stubs and skeletons", "operations", "octets of text",
                           {kind: [(int(name), by_size[kind, name]["text_bytes"]) for name in INTERFACES if name.isdigit()] for kind in KINDS}))
    if by_call:
        compared = {f"size, {name}": by_size["interpreted", name]["text_bytes"] / by_size["compiled", name]["text_bytes"]
                    for name in INTERFACES}
        for workload, units in CALLS:
            for side in SIDES:
                own, other = (by_call[kind, workload, int(units), side] for kind in ("interpreted", "compiled"))
                compared[f"{side}, {workload} x {units}"] = own / other
        write_chart(folder, "interpreted-size-and-speed.svg",
                    bar_chart("interpreted: size of text and instructions per call, the compiled ones' are 1", "ratio",
                              {name: {"interpreted": value} for name, value in compared.items()}))
