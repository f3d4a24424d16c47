"""A repository of `takt imr serve`, with servers of the program `worker`, for the tests in this folder."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from ports import free_port  # noqa: E402

TAKT, WORKER = sys.argv[1:3]
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("TAKT_")}
PATIENCE = 60


def run(*words, status=0, env=None):
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, env=env or ENVIRONMENT, check=False)
    assert done.returncode == status, (words, done.returncode, done.stdout, done.stderr)
    return done.stdout if status == 0 else done.stderr


def eventually(holds, what):
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.01)


class Repository(unittest.TestCase):
    """Each test has a repository of its own, in a new folder."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="takt-imr-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.port = free_port()
        self.url = f"corbaloc::127.0.0.1:{self.port}/"
        self.serve()
        self.addCleanup(self.end)

    def path(self, name):
        return os.path.join(self.folder, name)

    def serve(self, *options, within=()):
        """`within`: words of a command that runs the repository."""
        self.process = subprocess.Popen(
            [*within, TAKT, "imr", "serve", "--store", self.path("imr.db"), "--socket", self.path("socket"), "--listen",
             f"iiop://127.0.0.1:{self.port}", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=ENVIRONMENT)
        self.reference = self.process.stdout.readline().strip()
        self.assertTrue(self.reference.startswith("IOR:"), self.reference)

    def serve_again(self, *options, how=signal.SIGINT, within=()):
        self.end_repository(how)
        self.serve(*options, within=within)

    def end_repository(self, how=signal.SIGINT):
        self.process.send_signal(how)
        text = self.process.communicate(timeout=PATIENCE)[1]
        return self.process.returncode, text

    def end(self):
        """Ends the repository and all servers that it has started."""
        if self.process.poll() is None:
            pids = [process["pid"] for server in self.list() for process in server["processes"]
                    if process["pid"] > 0]
            self.end_repository()
            for pid in pids:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass

    def imr(self, *words, status=0):
        return run(TAKT, "imr", *words, "--socket", self.path("socket"), status=status)

    def add(self, name, *behaviour, options=(), verb="add", status=0):
        return run(TAKT, "imr", verb, name, *options, "--socket", self.path("socket"), "--log", self.path(name + ".log"),
                   "--", WORKER, "serve", "--key", name, "-ORBListenEndpoints", "iiop://127.0.0.1:0", *behaviour,
                   status=status)

    def list(self):
        return json.loads(run(TAKT, "imr", "list", "--json", "--service", self.url + "TaktImr"))["servers"]

    def status(self, name):
        return json.loads(run(TAKT, "imr", "status", name, "--json", "--service", self.url + "TaktImr"))

    def pid(self, name):
        pid = self.status(name)["processes"][0]["pid"]
        self.assertGreater(pid, 0)
        return pid

    def call(self, reference, threads=1, calls=1, status=0):
        """How many calls had each outcome: a pid, or an exception's text."""
        text = run(WORKER, "call", reference, str(threads), str(calls), status=status)
        return {match[2]: int(match[1]) for match in re.finditer(r"(?m)^(\d+) (.*)$", text)}

    def alive(self, pid):
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                return file.read().rsplit(")", 1)[1].split()[0] != "Z"
        except (FileNotFoundError, ProcessLookupError):  # it may end between opening and reading
            return False

    def gone(self, pid):
        eventually(lambda: not self.alive(pid), f"process {pid} still runs")
