"""full_disk_test.py TAKT WORKER: a repository whose disk is full, and that is killed then. Known servers start and are found, and
changes are refused; they succeed again when there is room."""

import os
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from small_disk import SmallDisk  # noqa: E402
from repository import ENVIRONMENT, PATIENCE, Repository, TAKT, eventually  # noqa: E402


class FullDisk(SmallDisk, Repository):
    def setUp(self):
        SmallDisk.setUp(self)
        Repository.setUp(self)

    def path(self, name):
        """The store is on the small disk; what servers write is not."""
        return os.path.join(self.disk if name == "imr.db" else self.folder, name)

    def fits(self, number):
        """Whether a server of 8 KiB can be added; it is known if so, and unknown if not."""
        name = f"n{number:03}"
        done = subprocess.run([TAKT, "imr", "add", name, "--socket", self.path("socket"), "--environment", "A=" + "x" * 8000, "--", "/bin/true"],
                              capture_output=True, text=True, timeout=PATIENCE, env=ENVIRONMENT, check=False)
        if done.returncode == 0:
            self.known.add(name)
        else:
            self.assertIn("disk is full", done.stderr)
        self.assertEqual({server["name"] for server in self.list()}, self.known)
        return done.returncode == 0

    def test_it(self):
        self.known = {"one", "two"}
        self.add("one")
        self.add("two")
        first = self.call(self.url + "one")
        self.fill(leave=160 * 1024)
        number = self.until_refused(self.fits, 0)
        self.assertEqual(self.call(self.url + "one"), first, "it is found")
        self.assertEqual(sum(self.call(self.url + "two").values()), 1, "it starts")
        self.serve_again(how=signal.SIGKILL)
        self.assertEqual({server["name"] for server in self.list()}, self.known)
        self.assertEqual(self.call(self.url + "one"), first, "its process is still known")
        self.assertEqual(self.status("one")["starts"], 0)
        self.assertFalse(self.fits(number + 4))

        os.remove(self.ballast)
        self.assertTrue(self.fits(number + 5), "there is room again")
        os.kill(self.pid("one"), signal.SIGKILL)
        eventually(lambda: self.status("one")["phase"] == "stopped", "its end is not noticed")
        again = self.call(self.url + "one")
        self.serve_again(how=signal.SIGKILL)
        self.assertEqual({server["name"] for server in self.list()}, self.known)
        self.assertEqual(self.call(self.url + "one"), again, "the store has the process of the time after")


if __name__ == "__main__":
    unittest.main(argv=["full_disk_test.py"])
