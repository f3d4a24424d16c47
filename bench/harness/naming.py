"""A naming service with many bindings: its start time, its memory, and the rates at which it resolves and rebinds names
over IIOP. A rebinding is on disk before the client gets the answer; concurrent clients share disk writes.
"""

import os
import subprocess
import sys
import tempfile
import time

from harness.report import progress, table

OWN_PROGRAMS = True


def arguments(parser):
    parser.add_argument("--bindings", default="1000,1000000", metavar="N,N", help="default: %(default)s")
    parser.add_argument("--clients", default="1,4,16", metavar="N,N", help="numbers of calling threads; default: %(default)s")
    parser.add_argument("--seconds", type=int, default=3, help="duration of each measurement")
    parser.add_argument("--folder", help="folder of the store; by default a temporary one")


def measure(_machine, programs, _variants, settings):
    takt = os.path.join(programs.build_dir, "tools", "takt", "takt")
    for program in (takt, programs.path("bench_naming_fill"), programs.path("bench_naming_client")):
        if not os.path.exists(program):
            sys.exit(f"bench: {program} is not built")
    rows = []
    for bindings in map(int, settings.bindings.split(",")):
        with tempfile.TemporaryDirectory(dir=settings.folder) as folder:
            rows += of_store(programs, takt, os.path.join(folder, "names.db"), bindings, settings)
    progress("")
    return rows


def of_store(programs, takt, store, bindings, settings):
    progress(f"{bindings} bindings: writing the store")
    subprocess.run([programs.path("bench_naming_fill"), store, str(bindings), as_ior()], check=True)
    begin = time.monotonic()
    service = subprocess.Popen([takt, "naming", "--store", store, "--listen", "iiop://127.0.0.1:0"],
                               stdout=subprocess.PIPE, text=True)
    try:
        reference = service.stdout.readline().strip()
        row = {"bindings": bindings, "start_s": round(time.monotonic() - begin, 2),
               "memory_mib": resident_mib(service.pid), "store_mib": round(os.path.getsize(store) / 2**20)}
        rows = []
        for what in ("resolve", "rebind"):
            for clients in settings.clients.split(","):
                progress(f"{bindings} bindings: {what}, {clients} clients")
                done = subprocess.run([programs.path("bench_naming_client"), what, reference, str(bindings), clients,
                                       str(settings.seconds)], capture_output=True, text=True, check=True)
                rows.append({**row, "call": what, "clients": int(clients), "per_second": int(done.stdout)})
        return rows
    finally:
        service.terminate()
        service.wait(60)
        service.stdout.close()


def as_ior():
    """An IOR with an object key like those of servers."""
    def encapsulated(parts):
        octets = bytearray(b"\x01")
        for size, value in parts:
            octets += bytes(-len(octets) % size) + value
        return bytes(octets)

    def number(value):
        return (4, value.to_bytes(4, "little"))

    def text(value):
        return [number(len(value) + 1), (1, value.encode() + b"\0")]
    key = b"bench" * 16
    profile = encapsulated([(1, b"\x01\x02"), *text("127.0.0.1"), (2, (9).to_bytes(2, "little")), number(len(key)), (1, key),
                            number(0)])
    ior = encapsulated([*text("IDL:Bench/Object:1.0"), number(1), number(0), number(len(profile)), (1, profile)])
    return "IOR:" + ior.hex()


def resident_mib(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return round(int(next(line for line in file if line.startswith("VmRSS:")).split()[1]) / 1024)


def report(rows):
    table("names", ["bindings", "start s", "memory MiB", "store MiB", "call", "clients", "per second"],
          [[f"{row['bindings']:,}", row["start_s"], row["memory_mib"], row["store_mib"], row["call"], row["clients"],
            f"{row['per_second']:,}"] for row in rows])
