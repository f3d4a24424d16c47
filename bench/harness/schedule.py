"""The scheduling service's analysis: random task sets (UUniFast, 5 to 50 operations, utilisation 0.5 to 1), whose
verdict is compared with a simulation of two hyperperiods in virtual time; the same on this machine, utilisation 0.4
to 0.7, with servants that spin in lanes of SCHED_FIFO; rate groups whose lower ones exceed their declarations; the
ORB's queue under overload, in virtual time and on this machine; and the duration of the analysis."""

import json
import os
import subprocess

from harness.machine import TICKS, may_use_real_time
from harness.names import add_names
from harness.plot import line_chart, write_chart
from harness.priority import throttling
from harness.report import figure, progress, table

SPEED = [10, 100, 1_000, 10_000, 100_000]
STRATEGIES = {"rms": 10_000, "dms": 2_000, "edf": 2_000}  # strategies and numbers of sets
LOADS = [0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6]
MACHINE_LOADS = [0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4]
PARTS = ["simulation", "machine", "overload", "speed"]
UNPRIVILEGED = "real-time priorities need root or CAP_SYS_NICE"


def arguments(parser):
    parser.add_argument("--quick", action="store_true", help="a tenth of the sets, in about a minute")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3, help="rounds for each duration of the analysis; the fastest is reported")
    add_names(parser, "--parts", PARTS, "part")
    parser.add_argument("--margin", type=float, default=10,
                        help="on this machine, margin on execution times, in per cent; default: %(default)s")
    parser.add_argument("--levels", type=int, default=8, help="on this machine, number of priorities; default: %(default)s")
    parser.add_argument("--plot", metavar="DIR", help="write the chart of the overload to this folder, as SVG")


def measure(machine, programs, variants, settings):
    rows = []
    if "simulation" in settings.parts:
        for strategy, sets in STRATEGIES.items():
            progress("simulation: " + strategy)
            rows += run(programs, "bench_schedule", "simulation", strategy,
                        sets // 10 if settings.quick else sets, settings.seed)
    if "machine" in settings.parts:
        rows += on_this_machine(machine, programs, settings)
    if "overload" in settings.parts:
        for load in LOADS:
            progress(f"overload: {load}")
            rows += run(programs, "bench_schedule_overload", load)
        rows += overload_here(machine, programs, settings)
    if "speed" in settings.parts:
        for operations in SPEED:
            progress(f"speed: {operations}")
            rounds = [run(programs, "bench_schedule", "speed", operations, settings.seed)
                      for _ in range(settings.rounds)]
            rows += [min(same, key=lambda row: row["seconds"]) for same in zip(*rounds)]
    progress("")
    if settings.plot:
        write_plots(settings.plot, rows)
    return rows


def run(programs, program, *options):
    done = subprocess.run([programs.path(program), *map(str, options)], stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def overload_here(machine, programs, settings):
    """Runs at SCHED_FIFO if that is permitted. Misses that the machine itself causes are counted too."""
    if not os.path.exists(programs.path("bench_schedule_overload_machine")):
        return []
    rows, seconds = [], 3 if settings.quick else 10
    with machine.awake():
        for load in [1.3] if settings.quick else MACHINE_LOADS:
            for order in ("deadline", "urgency"):
                progress(f"overload of this machine: {load}, {order}")
                lines, foreign = machine.watch(
                    lambda: run(programs, "bench_schedule_overload_machine", order, load, seconds))
                rows += [{**line, "foreign_cpu": foreign} for line in lines]
    return rows


def on_this_machine(machine, programs, settings):
    if not os.path.exists(programs.path("bench_schedule_machine")):
        return [{"part": "machine", "skipped": "bench_schedule_machine is not built"}]
    if not may_use_real_time():
        return [{"part": "machine", "skipped": UNPRIVILEGED}]
    runs, sets, seconds, calibration = (1, 3, 3, 3) if settings.quick else (5, 5, 5, 30)
    rows = []
    with throttling("keep") as setting, machine.awake():
        print(f"throttling of real-time threads: {setting}")
        for number in range(runs):
            progress(f"this machine: run {number + 1} of {runs}")
            before = stolen_seconds()
            lines, foreign = machine.watch(lambda: run(
                programs, "bench_schedule_machine", "sets", "--seed", settings.seed + number, "--sets", sets, "--seconds",
                seconds, "--calibration", calibration, "--levels", settings.levels, "--margin", settings.margin))
            rows.append({**summary(lines), "run": number + 1, "seed": settings.seed + number,
                         "foreign_cpu": foreign, "stolen_s": round(stolen_seconds() - before, 3)})
    for kept in ("keep", "off"):  # the system may refuse to change it
        with throttling(kept) as setting, machine.awake():
            progress(f"this machine: overruns, throttling {kept}: {setting}")
            rows += [{**row, "throttling": kept} for row in run(programs, "bench_schedule_machine", "overruns", "--seconds", seconds)]
    return rows


def stolen_seconds():
    """Time that the host gave to others while this machine had work."""
    with open("/proc/stat") as file:
        return int(file.readline().split()[8]) / TICKS


def summary(sets):
    """A summary of all sets in one run."""
    return {"part": "machine", "task_sets": len(sets),
            **{name: sum(row[name] for row in sets) for name in ("operations", "jobs", "bounds_exceeded", "exceeded_beyond_hiccup",
                                                 "misses")},
            **{name: max(row[name] for row in sets) for name in ("nearest_to_bound", "most_over_ns", "hiccup_ns")},
            "most_utilisation": max(row["utilisation"] for row in sets),
            **{name: sets[0][name] for name in ("levels", "overhead_ns", "hold_up_ns", "margin_percent")}}


def report(rows):
    of = {part: [row for row in rows if row["part"] == part] for part in ("simulation", "machine", "overruns", "overload",
                                                                          "overload-machine")}
    if of["simulation"]:
        table("what the analysis says, in the simulator",
              ["", "sets", "feasible", "infeasible", "unproven", "releases", "contradictions"],
              [[row["strategy"], row["task_sets"], row["feasible"], row["infeasible"], row["unproven"],
                figure(row["releases"]), row["contradictions"]] for row in of["simulation"]])
    report_machine(of["machine"], of["overruns"])
    report_overload("in virtual time", of["overload"])
    report_overload("on this machine", of["overload-machine"])
    if any(not row["real_time"] for row in of["overload-machine"]):
        print(f"  At ordinary priority, because {UNPRIVILEGED}: other processes on the machine delay jobs.")
    if speeds := [row for row in rows if row["part"].startswith("speed")]:
        table("how long the analysis takes", ["", "operations", "levels", "seconds"],
              [[row["part"], row["operations"], row["levels"], figure(row["seconds"])] for row in speeds])


def report_overload(where, rows):
    if not rows:
        return
    loads = list(dict.fromkeys(row["load"] for row in rows))
    table(f"the ORB's queue with one thread, {where}: critical jobs (and others) that miss their deadlines, %",
          ["order", *(f"load {load}" for load in loads)],
          [[order, *(f"{figure(lost(row, 'critical'))} ({figure(lost(row, 'other'))})" for row in rows if row["order"] == order)]
           for order in dict.fromkeys(row["order"] for row in rows)])


def report_machine(runs, overruns):
    if skipped := [row["skipped"] for row in runs if "skipped" in row]:
        print(f"\non this machine: skipped, {skipped[0]}")
        return
    if runs:
        first = runs[0]
        table(f"what the analysis predicts, on this machine: {first['levels']} lanes; bounds are of execution times with "
              f"the overhead of a call, and of the machine's hold-ups, each measured before, and {first['margin_percent']:g} % more",
              ["run", "sets", "operations", "jobs", "overhead, us", "hold-up, us", "bounds exceeded", "by at most, us", "by more than a hiccup",
               "slowest / bound", "misses", "hiccup, us", "others' cores", "stolen, s"],
              [[row["run"], row["task_sets"], row["operations"], row["jobs"], figure(row["overhead_ns"] / 1000),
                figure(row["hold_up_ns"] / 1000), row["bounds_exceeded"], figure(row["most_over_ns"] / 1000),
                row["exceeded_beyond_hiccup"], row["nearest_to_bound"], row["misses"],
                figure(row["hiccup_ns"] / 1000), row["foreign_cpu"], row["stolen_s"]] for row in runs])
        print("  hiccup: how late a thread of priority 99 woke up meanwhile, which no schedule can know;")
        print("  others' cores: the cores that other processes used; stolen: the time that the host took.")
    if overruns:
        table("rate groups of 50, 20 and 10 Hz, of which the lower two take more than they declare",
              ["throttling", "load", "on overrun", "50 Hz: jobs", "misses", "slowest, ms", "lower: jobs", "overruns", "refused", "misses"],
              [[row["throttling"], row["load"], row["policy"], row["highest_jobs"], row["highest_misses"],
                figure(row["highest_longest_ns"] / 1e6), row["lower_jobs"], row["lower_overruns"], row["lower_refused"],
                row["lower_misses"]] for row in overruns])
        print("  From a load of 0.95 on the system holds up real-time threads of every priority, for up to 50 ms a second, where its")
        print("  throttling is on (docs/user/real-time.md, what Linux does besides); to refuse what overruns keeps the load below.")


def lost(row, which):
    jobs = row[which + "_jobs"]
    return 100 * row[which + "_misses"] / jobs if jobs else 0


def write_plots(folder, rows):
    lines = {"EDF (deadline): critical": ("deadline", "critical"), "MUF (urgency): critical": ("urgency", "critical"),
             "MUF (urgency): others": ("urgency", "other")}
    for part, name, where in (("overload", "overload", "virtual time"),
                              ("overload-machine", "overload-machine", "on a machine")):
        series = {line: [(row["load"], lost(row, which)) for row in rows if row["part"] == part and row["order"] == order]
                  for line, (order, which) in lines.items()}
        if all(len(points) > 1 for points in series.values()):
            write_chart(folder, f"schedule-{name}.svg", line_chart(
                f"jobs that miss their deadlines: the ORB's queue with one thread, {where}", "load of the processor", "%",
                series, log_x=False, log_y=False))
