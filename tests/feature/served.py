"""For tests of services: runs the takt that the command line names as TAKT, without variables of the ORB."""

import os
import signal
import subprocess
import sys

from ports import free_port

TAKT = sys.argv[1]
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("TAKT_")}


def takt(*words):
    return subprocess.run([TAKT, *words], capture_output=True, text=True, timeout=50, env=ENVIRONMENT, check=False)


class Server:
    """A server of takt whose first line of output is a reference."""

    def __init__(self, *words, **environment):
        self.port = free_port()
        self.process = subprocess.Popen([TAKT, *words, "--listen", f"iiop://127.0.0.1:{self.port}"], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, env={**ENVIRONMENT, **environment})
        self.reference = self.process.stdout.readline().strip()

    def url(self, key):
        return f"corbaloc::127.0.0.1:{self.port}/{key}"

    def stop(self):
        """Ends it as Ctrl-C does; returns its status, and what it wrote to standard error."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        text = self.process.communicate(timeout=50)[1]
        return self.process.returncode, text
