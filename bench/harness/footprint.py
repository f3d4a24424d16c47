"""The size of the smallest programs with an ORB. Sizes of client and server after stripping, linked with the ORB's
archives (static), only with the parts that TCP needs (least), or with its shared objects (shared; Takt's are from a
build of their own), and their resident memory when idle and after 1,000 calls. libstdc++ and libc are always shared.
Sizes are those of `size`; memory is that of smaps_rollup. Private memory is mapped by no other process. Anonymous
memory belongs to no file: heap, stacks, and written pages of files."""

import contextlib
import os
import re
import subprocess
import sys

from harness.plot import bar_chart, write_chart
from harness.process import STOP_LIMIT, announced, scratch
from harness.report import figure, progress, table

OWN_PROGRAMS = True  # uses no programs of the variants
PERSONALITIES = ["standard", "realtime", "avionics", "imaging", "minimal", "tao"]
PEERS = {"takt": PERSONALITIES, "omniorb": ["standard"]}
# All personalities listen on a TCP port, so that differences come from their parts only.
SERVER_OPTIONS = {"takt": ["-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBLogLevel", "off"],
                  "omniorb": ["-ORBendPoint", "giop:tcp:127.0.0.1:"]}
# Clients do not listen, but need the same options: the default endpoints of some personalities need a
# transport that their programs lack.
CLIENT_OPTIONS = {"takt": SERVER_OPTIONS["takt"], "omniorb": []}
ROLES = ["server", "client"]
LINKAGES = ["static", "least", "shared"]
LIBRARIES = {"takt": ["libtakt"], "omniorb": ["libomniORB4", "libomnithread"]}


def arguments(parser):
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--quick", action="store_true", help="only the personalities standard and minimal")
    parser.add_argument("--plot", metavar="FOLDER", help="draw bar charts as SVG")
    parser.add_argument("--shared-build-dir", default="build/shared", help="where `script/build shared bench_footprint` built")


def measure(machine, programs, variants, settings):
    wanted = [(linkage, peer) for linkage in LINKAGES for peer in PEERS
              if re.search(settings.only, peer) and os.path.exists(path(settings, peer, linkage, "server"))]
    if not wanted:
        sys.exit(f"bench: no such program in {settings.build_dir}; script/build release bench_footprint")
    rows = []
    for linkage, peer in wanted:
        program = {role: path(settings, peer, linkage, role) for role in ROLES}
        sizes = {role: size(program[role]) for role in ROLES}
        if linkage == "shared":
            rows += [{"peer": peer, "personality": "", "linkage": linkage, "role": os.path.basename(library),
                      **size(library)} for library in libraries(program["server"], peer)]
        for personality in PEERS[peer]:
            if settings.quick and personality not in ("standard", "minimal"):
                continue
            progress(f"{linkage} {peer} {personality}")
            memory = memory_of_pair(program, peer, personality, settings.calls)
            rows += [{"peer": peer, "personality": personality, "linkage": linkage, "role": role, **sizes[role],
                      **memory[role]} for role in ROLES]
    progress("")
    if settings.plot:
        draw(settings.plot, rows)
    return rows


def path(settings, peer, linkage, role):
    build = settings.shared_build_dir if (peer, linkage) == ("takt", "shared") else settings.build_dir
    return os.path.join(build, "bench", "footprint", f"footprint_{peer}_{linkage}_{role}")


def size(program):
    """The size of a stripped copy."""
    with scratch() as place:
        stripped = os.path.join(place, "stripped")
        subprocess.run(["strip", "-o", stripped, program], check=True)
        lines = subprocess.run(["size", stripped], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
        text, data, bss = map(int, lines[1].split()[:3])
        return {"text_bytes": text, "data_bytes": data, "bss_bytes": bss, "file_bytes": os.path.getsize(stripped)}


def libraries(program, peer):
    """The ORB's own libraries among those that the program loads."""
    lines = subprocess.run(["ldd", program], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    paths = [line.split()[2] for line in lines if "=> /" in line]
    return [os.path.realpath(one) for one in paths if os.path.basename(one).split(".")[0] in LIBRARIES[peer]]


def memory_of_pair(program, peer, personality, calls):
    choice = ["-ORBPersonality", personality] if peer == "takt" else []
    with started([program["server"], *SERVER_OPTIONS[peer], *choice]) as (server, reference):
        with started([program["client"], *CLIENT_OPTIONS[peer], *choice, reference]) as (client, _):
            memory = {"server": resident(server.pid), "client": resident(client.pid)}
            client.stdin.write(f"{calls}\n")
            client.stdin.flush()
            announced(client, "the client has not made its calls")
            for role, process in (("server", server), ("client", client)):
                memory[role] |= {f"{what}_after": kib for what, kib in resident(process.pid).items()}
                memory[role]["threads"] = len(os.listdir(f"/proc/{process.pid}/task"))
    return memory


@contextlib.contextmanager
def started(command):
    """Runs a program until it announces itself, and yields the program with the announcement."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield process, announced(process, f"{command[0]} did not start")
    finally:
        process.terminate()
        process.wait(STOP_LIMIT)
        process.stdin.close()
        process.stdout.close()


def resident(pid):
    """The memory of the whole process in KiB, including libc, libstdc++ and other libraries."""
    with open(f"/proc/{pid}/smaps_rollup") as file:
        fields = dict(line.split(":", 1) for line in file if ":" in line.split()[0])
    kib = {name: int(value.split()[0]) for name, value in fields.items()}
    return {"rss_kib": kib["Rss"], "pss_kib": kib["Pss"], "private_kib": kib["Private_Clean"] + kib["Private_Dirty"],
            "anonymous_kib": kib["Anonymous"]}


def report(rows):
    kib = 1024
    seen = {(row["linkage"], row["peer"], row["role"]): row for row in rows}
    table("sizes once stripped, KiB", ["", "text", "data", "bss", "file"],
          [[" ".join(key), *(figure(row[f"{what}_bytes"] / kib) for what in ("text", "data", "bss", "file"))]
           for key, row in seen.items()])
    table("resident, KiB: at rest, and after the calls",
          ["", "rss", "after", "private", "after", "anonymous", "after", "threads"],
          [[" ".join(row[what] for what in ("linkage", "peer", "personality", "role")),
            *(figure(row[f"{what}_kib{when}"]) for what in ("rss", "private", "anonymous") for when in ("", "_after")),
            row["threads"]] for row in rows if row["personality"]])


def draw(to, rows):
    """Charts of the programs' text sizes, and of the memory written by servers after the calls."""
    sizes, memory = {}, {}
    for row in rows:
        if not row["personality"]:
            continue
        name = row["peer"] if row["peer"] != "takt" else f"takt {row['personality']}"
        memory.setdefault(f"{row['role']} {row['linkage']}", {})[name] = row["anonymous_kib_after"]
        if row["linkage"] == "static":
            sizes.setdefault(row["role"], {})[row["peer"]] = row["text_bytes"] / 1024
    write_chart(to, "footprint-text.svg", bar_chart("Text of the smallest static programs", "KiB", sizes))
    write_chart(to, "footprint-memory.svg",
                bar_chart("Memory written to after 1,000 calls", "KiB", memory))
