"""A trader with many offers: its start time, its memory, and how long queries take over IIOP, with indexes and without.
"""

import os
import subprocess
import sys
import tempfile
import time

from harness.naming import resident_mib
from harness.report import progress, table

OWN_PROGRAMS = True

# Name, constraint and preference: one offer by a number, one by a text, some by a range, and half of all.
QUERIES = (("number", "pages == {middle}", ""), ("text", "id == 'n{middle}' and floor >= 0", ""),
           ("range", "pages > {middle} and pages <= {behind}", "max price"), ("half", "site == 'north'", ""))


def arguments(parser):
    parser.add_argument("--offers", default="1000,10000,100000", metavar="N,N", help="default: %(default)s")
    parser.add_argument("--rounds", type=int, default=50, help="queries of each kind; default: %(default)s")
    parser.add_argument("--folder", help="folder of the store; by default a temporary one")


def measure(_machine, programs, _variants, settings):
    takt = os.path.join(programs.build_dir, "tools", "takt", "takt")
    for program in (takt, programs.path("bench_trading_fill"), programs.path("bench_trading_client")):
        if not os.path.exists(program):
            sys.exit(f"bench: {program} is not built")
    rows = []
    for offers in map(int, settings.offers.split(",")):
        with tempfile.TemporaryDirectory(dir=settings.folder) as folder:
            store = os.path.join(folder, "trading.db")
            progress(f"{offers} offers: writing the store")
            subprocess.run([programs.path("bench_trading_fill"), store, str(offers)], check=True)
            for indexes in (64, 0):
                rows += of_store(programs, takt, store, offers, indexes, settings)
    progress("")
    return rows


def of_store(programs, takt, store, offers, indexes, settings):
    begin = time.monotonic()
    service = subprocess.Popen([takt, "trade", "serve", "--store", store, "--listen", "iiop://127.0.0.1:0", "--max-indexes", str(indexes)],
                               stdout=subprocess.PIPE, text=True)
    try:
        reference = service.stdout.readline().strip()
        start_s = round(time.monotonic() - begin, 2)
        rows = []
        for name, constraint, preference in QUERIES:
            progress(f"{offers} offers: {name}, {'with' if indexes else 'without'} indexes")
            text = constraint.format(middle=offers // 2, behind=offers // 2 + 100)
            done = subprocess.run([programs.path("bench_trading_client"), reference, text, preference, str(settings.rounds)],
                                  capture_output=True, text=True, check=True)
            found, median, p99, worst = map(float, done.stdout.split())
            rows.append({"offers": offers, "query": name, "indexes": bool(indexes), "found": int(found), "p50_us": round(median),
                         "p99_us": round(p99), "worst_us": round(worst), "start_s": start_s, "memory_mib": resident_mib(service.pid)})
        return rows
    finally:
        service.terminate()
        service.wait(60)
        service.stdout.close()


def report(rows):
    table("queries", ["offers", "query", "found", "indexes", "p50 us", "p99 us", "worst us", "start s", "memory MiB"],
          [[f"{row['offers']:,}", row["query"], f"{row['found']:,}", "yes" if row["indexes"] else "no", f"{row['p50_us']:,}",
            f"{row['p99_us']:,}", f"{row['worst_us']:,}", row["start_s"], row["memory_mib"]] for row in rows])
