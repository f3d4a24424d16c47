"""An interface repository with many definitions: how long random ones take to be looked up by id and by name, and to be described, for a
client over IIOP and in processor time of the server. Also how long it takes to load all IDL of omniORB's packages.
"""

import glob
import os
import subprocess
import sys
import tempfile
import time

from harness.report import progress, table

OWN_PROGRAMS = True
OMNIORB = "/usr/share/idl/omniORB"


def arguments(parser):
    parser.add_argument("--definitions", default="1000,1000000", metavar="N,N", help="default: %(default)s")
    parser.add_argument("--calls", type=int, default=20000, help="calls of each measurement; default: %(default)s")
    parser.add_argument("--folder", help="folder of the store; by default a temporary one")


def measure(_machine, programs, _variants, settings):
    takt = os.path.join(programs.build_dir, "tools", "takt", "takt")
    for program in (takt, programs.path("bench_ifr_fill"), programs.path("bench_ifr_client")):
        if not os.path.exists(program):
            sys.exit(f"bench: {program} is not built")
    with tempfile.TemporaryDirectory(dir=settings.folder) as folder:
        rows = load(takt, folder)
    for definitions in map(int, settings.definitions.split(",")):
        with tempfile.TemporaryDirectory(dir=settings.folder) as folder:
            rows += of_store(programs, takt, os.path.join(folder, "ifr.db"), definitions, settings)
    progress("")
    return rows


def load(takt, folder):
    files = sorted(glob.glob(OMNIORB + "/**/*.idl", recursive=True))
    if not files:
        return []
    progress(f"loading {len(files)} files")
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "idl")
    begin = time.monotonic()
    done = subprocess.run([takt, "ifr", "load", "--store", os.path.join(folder, "ifr.db"), f"-I{OMNIORB}", f"-I{OMNIORB}/COS",
                           f"-I{own}", *files], capture_output=True, text=True, check=True)
    return [{"load": len(files), "definitions": int(done.stdout.split()[0]), "seconds": round(time.monotonic() - begin, 2)}]


def of_store(programs, takt, store, definitions, settings):
    progress(f"{definitions} definitions: writing the store")
    begin = time.monotonic()
    subprocess.run([programs.path("bench_ifr_fill"), store, str(definitions)], check=True)
    row = {"definitions": definitions, "fill_s": round(time.monotonic() - begin, 1),
           "store_mib": round(os.path.getsize(store) / 2**20)}
    service = subprocess.Popen([takt, "ifr", "serve", "--store", store, "--listen", "iiop://127.0.0.1:0"],
                               stdout=subprocess.PIPE, text=True)
    try:
        reference = service.stdout.readline().strip()
        rows = []
        for what in ("id", "name", "describe"):
            progress(f"{definitions} definitions: {what}")
            before = processor_s(service.pid)
            done = subprocess.run([programs.path("bench_ifr_client"), what, reference, str(definitions), str(settings.calls)],
                                  capture_output=True, text=True, check=True)
            used = processor_s(service.pid) - before
            rows.append({**row, "call": what, "client_us": round(int(done.stdout) / 1000, 1),
                         "server_us": round(used / settings.calls * 1e6, 1), "memory_mib": resident_mib(service.pid)})
        return rows
    finally:
        service.terminate()
        service.wait(60)
        service.stdout.close()


def processor_s(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mib(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return round(int(next(line for line in file if line.startswith("VmRSS:")).split()[1]) / 1024)


def report(rows):
    for row in rows:
        if "load" in row:
            print(f"{row['load']} files of omniORB, {row['definitions']:,} definitions: loaded in {row['seconds']} s")
    table("look-up", ["definitions", "fill s", "store MiB", "call", "client us", "server us", "memory MiB"],
          [[f"{row['definitions']:,}", row["fill_s"], row["store_mib"], row["call"], row["client_us"], row["server_us"],
            row["memory_mib"]] for row in rows if "call" in row])
