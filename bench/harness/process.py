"""Starts servers and runs clients."""

import contextlib
import json
import os
import selectors
import shutil
import subprocess
import tempfile
from dataclasses import dataclass

from harness.machine import ALL_CPUS
from harness.network import OVER_LINK

HOST = "127.0.0.1"  # where servers listen, also in their options
# omniORB warns repeatedly that it has no certificates. Takt's default message limit is 4 MiB, and some
# workloads need more. Calls within a machine leave TCP by default, and here TCP is compared with TCP.
os.environ.setdefault("TAKT_LOCAL_ROADS", "off")
ENVIRONMENT = {**os.environ, "ORBtraceLevel": "0", "TAKT_MAX_MESSAGE_SIZE": "8MiB"}
START_LIMIT, CLIENT_LIMIT, STOP_LIMIT = 60, 300, 30  # seconds; generous, for valgrind's sake


def pinned(cpus):
    wanted = (set(cpus) & ALL_CPUS) or ALL_CPUS
    return lambda: os.sched_setaffinity(0, wanted)


@contextlib.contextmanager
def scratch():
    """A folder in memory, so that mapped files are never written to a disk."""
    folder = tempfile.mkdtemp(prefix="takt-bench-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


@dataclass(frozen=True)
class Server:
    endpoint: str
    pid: int


class Programs:
    def __init__(self, build_dir):
        self.build_dir, self.bin = build_dir, os.path.join(build_dir, "bench")
        self.link = None  # joins the servers' network, if it is a separate one

    def path(self, name):
        return os.path.join(self.bin, name)

    def built(self, variant):
        return os.path.exists(self.path(f"bench_{variant.program}_client"))

    def usable(self, variant):
        """Whether it is built, and its transport leads to the servers' network."""
        return self.built(variant) and (self.link is None or variant.transport in OVER_LINK)

    @contextlib.contextmanager
    def server(self, variant, cpus=ALL_CPUS, wrap=(), env=None):
        """Runs the variant's server and yields it with the announced endpoint; yields None if the client is its own
        server."""
        if variant.alone:
            yield None
            return
        address = self.link.address if self.link else HOST
        command = [*wrap, self.path(f"bench_{variant.program}_server"),
                   *(option.replace(HOST, address) for option in variant.server)]
        server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                  env={**ENVIRONMENT, **(env or {})}, preexec_fn=lambda: self.place_server(cpus))
        try:
            yield Server(endpoint_of(server, variant), server.pid)
        finally:
            server.stdin.close()  # ends the server
            try:
                server.wait(STOP_LIMIT)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()
            server.stdout.close()

    def place_server(self, cpus):
        pinned(cpus)()
        if self.link:
            self.link.join_servers()

    def client(self, variant, server, options, cpus=ALL_CPUS, wrap=(), env=None, limit=CLIENT_LIMIT):
        """Runs the variant's client to its end, which must come within `limit` seconds, and returns the records it
        printed."""
        client = self.start_client(variant, server, options, cpus, wrap, env)
        try:
            text, _ = client.communicate(timeout=limit)
        finally:
            client.kill()
        if client.returncode:
            raise RuntimeError(f"exit status {client.returncode}: {' '.join(client.args)}")
        return [json.loads(line) for line in text.splitlines() if line.startswith("{")]

    def start_client(self, variant, server, options, cpus=ALL_CPUS, wrap=(), env=None):
        command = [*wrap, self.path(f"bench_{variant.program}_client"), "--peer", variant.peer,
                   "--transport", variant.transport, *(["--endpoint", server.endpoint] if server else []),
                   *variant.client]
        for key, value in options.items():
            command += [f"--{key}", str(value)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True,
                                env={**ENVIRONMENT, **(env or {})}, preexec_fn=pinned(cpus))


def endpoint_of(server, variant):
    return announced(server, f"the server of {variant.peer} did not start")


def announced(process, otherwise):
    """The text that a program prints with its READY, which must come in time."""
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        line = process.stdout.readline() if selector.select(START_LIMIT) else ""
    if not line.startswith("READY\t"):
        raise RuntimeError(f"{otherwise}: {line!r}")
    return line.rstrip("\n").split("\t")[1]


def memory_bytes(pid):
    """The resident private memory of a process; None if it has ended."""
    try:
        with open(f"/proc/{pid}/status") as file:
            fields = dict(line.split(":", 1) for line in file)
        return int(fields["RssAnon"].split()[0]) * 1024
    except (OSError, KeyError):
        return None
