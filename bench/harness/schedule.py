"""The scheduling service's analysis: random task sets (UUniFast, 5 to 50 operations, utilisation 0.5 to 1), whose
verdict is held against a simulation of two hyperperiods in virtual time; and how long the analysis takes."""

import json
import subprocess
import sys

from harness.report import figure, table

SPEED = [10, 100, 1_000, 10_000, 100_000]
STRATEGIES = {"rms": 10_000, "dms": 2_000, "edf": 2_000}  # and how many sets


def arguments(parser):
    parser.add_argument("--quick", action="store_true", help="a tenth of the sets, in about a minute")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3, help="of each speed; the fastest counts")


def measure(machine, programs, variants, settings):
    rows = []
    for strategy, sets in STRATEGIES.items():
        print(f"\r{'simulation: ' + strategy:40}", end="", file=sys.stderr, flush=True)
        rows += run(programs, "simulation", strategy, sets // 10 if settings.quick else sets, settings.seed)
    for operations in SPEED:
        print(f"\r{f'speed: {operations}':40}", end="", file=sys.stderr, flush=True)
        rounds = [run(programs, "speed", operations, settings.seed) for _ in range(settings.rounds)]
        rows += [min(same, key=lambda row: row["seconds"]) for same in zip(*rounds)]
    print("\r" + " " * 40, file=sys.stderr)
    return rows


def run(programs, *options):
    done = subprocess.run([programs.path("bench_schedule"), *map(str, options)], stdout=subprocess.PIPE, text=True,
                          check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def report(rows):
    table("what the analysis says, in the simulator", ["", "sets", "feasible", "infeasible", "unproven", "releases",
                                                       "contradictions"],
          [[row["strategy"], row["task_sets"], row["feasible"], row["infeasible"], row["unproven"],
            figure(row["releases"]), row["contradictions"]] for row in rows if row["part"] == "simulation"])
    table("how long the analysis takes", ["", "operations", "levels", "seconds"],
          [[row["part"], row["operations"], row["levels"], figure(row["seconds"])]
           for row in rows if row["part"].startswith("speed")])
