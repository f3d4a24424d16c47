"""The machine: its description, keeping it awake, and detecting load by other processes."""

import contextlib
import multiprocessing
import os
import platform
import re
import resource
import shutil
import subprocess
import sys
import time

ALL_CPUS = os.sched_getaffinity(0)
TICKS = os.sysconf("SC_CLK_TCK")


def describe():
    with open("/proc/cpuinfo") as file:
        model = re.search(r"model name\s*: (.*)", file.read())
    return {"when": time.strftime("%Y-%m-%dT%H:%M:%S"), "cpu": model[1] if model else "",
            "cores": os.cpu_count(), "kernel": platform.release()}


def may_use_real_time():
    """Tries it in a child process, without effect on this one."""
    code = "import os; os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(40))"
    return subprocess.run([sys.executable, "-c", code], stderr=subprocess.DEVNULL).returncode == 0


def may_use_reservations():
    """Tries the same with util-linux' chrt(1), because Python has no function for it."""
    command = ["chrt", "--deadline", "--sched-runtime", "100000", "--sched-period", "100000000", "0", "true"]
    return shutil.which("chrt") is not None and subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0


class Machine:
    def __init__(self):
        self.loops = []

    @contextlib.contextmanager
    def awake(self):
        """Keeps the cores out of their idle state by loops at SCHED_IDLE, which yield to any other thread: in a virtual
        machine, waking a halted core takes longer than a call."""
        fork = multiprocessing.get_context("fork")
        self.loops = [fork.Process(target=idle_loop, args=(cpu,), daemon=True) for cpu in ALL_CPUS]
        for loop in self.loops:
            loop.start()
        try:
            yield
        finally:
            for loop in self.loops:
                loop.terminate()
                loop.join()
            self.loops = []

    @contextlib.contextmanager
    def busy(self, processes):
        """Starts as many ordinary processes, of class SCHED_OTHER, that never pause: competing load."""
        fork = multiprocessing.get_context("fork")
        loops = [fork.Process(target=spin, daemon=True) for _ in range(processes)]
        for loop in loops:
            loop.start()
        try:
            yield
        finally:
            for loop in loops:
                loop.terminate()
                loop.join()

    def measure(self, take, settings):
        """Returns the lines of take(), each with the number of cores used by foreign processes meanwhile. If that
        exceeds the limit, waits until the machine is quiet and repeats."""
        for attempt in range(settings.attempts):
            lines, foreign = self.watch(take)
            if foreign <= settings.foreign:
                break
            print(f"  others used {foreign} cores", file=sys.stderr, flush=True)
            for _ in range(settings.patience if attempt + 1 < settings.attempts else 0):
                if self.watch(lambda: time.sleep(1))[1] <= settings.foreign:
                    break
        return [{**line, "foreign_cpu": foreign} for line in lines]

    def watch(self, work):
        """Returns the result of work() and the number of cores used by other processes meanwhile."""
        machine, own, start = machine_seconds(), self.own_seconds(), time.monotonic()
        result = work()
        used = (machine_seconds() - machine) - (self.own_seconds() - own)
        return result, round(max(0, used / (time.monotonic() - start)), 3)

    def own_seconds(self):
        usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return (sum(usage.ru_utime + usage.ru_stime for usage in usages)
                + sum(process_seconds(loop.pid) for loop in self.loops))


def idle_loop(cpu):
    os.sched_setaffinity(0, {cpu})
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    spin()


def spin():
    parent = os.getppid()
    while os.getppid() == parent:
        for _ in range(100_000):
            pass


def machine_seconds():
    """All processor time except idle, I/O wait and steal: a process's own time includes its interrupts."""
    with open("/proc/stat") as file:
        user, nice, system, _, _, irq, softirq = map(int, file.readline().split()[1:8])
    return (user + nice + system + irq + softirq) / TICKS


def process_seconds(pid):
    with open(f"/proc/{pid}/stat") as file:
        user, system = file.read().rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / TICKS
