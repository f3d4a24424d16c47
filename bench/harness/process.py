"""Starting the servers and running the clients."""

import contextlib
import json
import os
import selectors
import shutil
import subprocess
import tempfile

from harness.machine import ALL_CPUS

START_LIMIT, CLIENT_LIMIT, STOP_LIMIT = 60, 300, 30  # seconds; generous, for valgrind's sake


def pinned(cpus):
    wanted = (set(cpus) & ALL_CPUS) or ALL_CPUS
    return lambda: os.sched_setaffinity(0, wanted)


@contextlib.contextmanager
def scratch():
    """A folder in memory, so that a mapped file is never written back to a disk."""
    folder = tempfile.mkdtemp(prefix="takt-bench-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


class Programs:
    def __init__(self, build_dir):
        self.bin = os.path.join(build_dir, "bench")

    def path(self, name):
        return os.path.join(self.bin, name)

    def built(self, variant):
        return os.path.exists(self.path(f"bench_{variant.program}_client"))

    @contextlib.contextmanager
    def server(self, variant, cpus=ALL_CPUS, wrap=(), env=None):
        """Runs the variant's server and yields the endpoint that it announces."""
        command = [*wrap, self.path(f"bench_{variant.program}_server"), *variant.server]
        server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                  env={**os.environ, **(env or {})}, preexec_fn=pinned(cpus))
        try:
            yield endpoint_of(server, variant)
        finally:
            server.stdin.close()  # which ends it
            try:
                server.wait(STOP_LIMIT)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()
            server.stdout.close()

    def client(self, variant, endpoint, options, cpus=ALL_CPUS, wrap=(), env=None):
        """Runs the variant's client to its end and returns the records it printed."""
        command = [*wrap, self.path(f"bench_{variant.program}_client"), "--peer", variant.peer,
                   "--transport", variant.transport, "--endpoint", endpoint, *variant.client]
        for key, value in options.items():
            command += [f"--{key}", str(value)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=CLIENT_LIMIT,
                              env={**os.environ, **(env or {})}, preexec_fn=pinned(cpus))
        if done.returncode:
            raise RuntimeError(f"exit status {done.returncode}: {' '.join(command)}")
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def endpoint_of(server, variant):
    with selectors.DefaultSelector() as selector:
        selector.register(server.stdout, selectors.EVENT_READ)
        line = server.stdout.readline() if selector.select(START_LIMIT) else ""
    if not line.startswith("READY\t"):
        raise RuntimeError(f"the server of {variant.peer} did not start: {line!r}")
    return line.rstrip("\n").split("\t")[1]
