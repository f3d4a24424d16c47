"""A naming service as a process."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from ports import free_port  # noqa: E402

ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("TAKT_")}


def takt(*words):
    return subprocess.run([*takt.command, *words], capture_output=True, text=True, timeout=50, env=ENVIRONMENT, check=False)


takt.command = [sys.argv[1]]


class Service:
    """`takt naming` with these options, on a port of its own."""

    def __init__(self, *options, listen=True, port=None):
        self.port = port or free_port()
        where = ["--listen", f"iiop://127.0.0.1:{self.port}"] if listen else []
        self.process = subprocess.Popen([*takt.command, "naming", *where, *options], stdout=subprocess.PIPE,
                                        text=True, env=ENVIRONMENT)
        self.url = f"corbaloc::127.0.0.1:{self.port}/NameService"
        self.reference = self.url
        if "-o" in options:
            path = options[options.index("-o") + 1]
            while not (os.path.exists(path) and os.path.getsize(path)) and self.process.poll() is None:
                pass
        else:
            self.reference = self.process.stdout.readline().strip()
        if self.process.poll() is not None:
            raise RuntimeError("takt naming has not started")

    def stop(self):
        """Kills the process, as kill -9."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
