"""ping_test.py TAKT: what `takt ping` prints if each call fails."""

import os
import socket
import subprocess
import sys
import threading
import unittest

PROGRAM = sys.argv[1]
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("TAKT_")}


class Pings(unittest.TestCase):
    def test_the_same_failure_is_told_once(self):
        """Each call has a connection of its own, and so another port."""
        with socket.create_server(("localhost", 0)) as listening:
            def hang_up():
                for _ in range(3):
                    with listening.accept()[0] as peer:
                        peer.recv(1 << 16)  # what is left unread would reset the connection

            threading.Thread(target=hang_up, daemon=True).start()
            done = subprocess.run([PROGRAM, "ping", "-c", "3", "-i", "0", f"corbaloc::localhost:{listening.getsockname()[1]}/k"],
                                  capture_output=True, text=True, timeout=60, env=ENVIRONMENT, check=False)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        lines = done.stdout.splitlines()
        self.assertTrue(lines[0].startswith("call 1: CORBA::COMM_FAILURE"), lines)
        self.assertEqual(lines[1:3], ["call 2: the same", "call 3: the same"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
